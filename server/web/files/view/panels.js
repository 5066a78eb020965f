// Panels beside the map: pending decision, players, chronicle, provinces in words.

import { NONE, WORLD, placeName } from "../model/board.js";
import { _, andWords, ngettext, render } from "../words/language.js";
import { columns, numbers, personWords, standing } from "../words/people.js";
import { describe, isBusy } from "../words/places.js";
import { called, phases, roundWords } from "../words/words.js";
import { h, keyed, setText } from "./dom.js";
import { picture } from "./pieces.js";
import { themeSwitch } from "./theme.js";

const KEPT = 400; // lines of the chronicle that are shown
const HURRY = 30; // seconds from which on a clock is red

// Seconds, as one reads them on a clock.
export function brief(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const two = (n) => `${n}`.padStart(2, "0");
  if (hours >= 48) return ngettext("{n} day", "{n} days", Math.floor(hours / 24));
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

export class Header {
  constructor() {
    this.round = h("h1", {}, "");
    this.marker = h("span", { class: "active" });
    this.phases = h("ol", { class: "phases", "aria-label": _("Phases") });
    this.watchers = h("span", { class: "watchers" });
    this.state = h("span", { class: "state", role: "status" });
    const home = h("a", { href: "./", class: "home", title: _("All open tables") }, "CONQUEST");
    this.element = h("header", { class: "top" }, home, this.round, this.marker, h("div", { class: "midst" }, this.phases, this.state), this.watchers, themeSwitch());
  }

  show(position, table) {
    setText(this.round, roundWords(position));
    const { names, now } = phases(position);
    keyed(this.phases, names.map((name, i) => [name, `${i === now}${i < now}`, () =>
      h("li", { class: i === now ? "now" : i < now ? "past" : "", "aria-current": i === now ? "step" : null }, name)]));
    const active = position.active;
    keyed(this.marker, active === NONE ? [] : [[`${active}`, "", () => picture(`marker-${active}`, 26)]]);
    setText(this.watchers, table.watchers ? ngettext("{n} watching", "{n} watching", table.watchers) : "");
  }

  say(words) {
    setText(this.state, words);
    this.element.classList.toggle("says", Boolean(words));
  }
}

export class Now {
  constructor() {
    this.title = h("h2", {}, "");
    this.marker = h("span", {});
    this.more = h("p", {});
    this.clock = h("span", { class: "clock" });
    this.poll = h("p", { class: "poll" });
    this.since = h("div", {});
    this.ending = h("div", { class: "ending" });
    this.element = h("section", { class: "card owed", "aria-live": "polite", "aria-atomic": "true" },
      h("div", { class: "head" }, this.marker, this.title, this.clock), this.more, this.poll, this.since, this.ending);
  }

  // Shows what happened since the last turn of the reader, the greatest loss first; `first`: whether they had none yet;
  // `seek(version)` shows it again.
  tellSince(lines, first, seek) {
    const again = ([version, words]) => h("li", {}, h("button", { type: "button", title: _("Show it again"), onclick: () => seek(version) }, words));
    keyed(this.since, lines.length === 0 ? [] : [["since", JSON.stringify([first, lines]), () => h("details", { class: "since" },
      h("summary", {}, h("b", {}, first ? _("Before your turn:") : _("Since your turn:")), " ", h("span", {}, lines[0][1])), h("ul", {}, ...lines.map(again)))]]);
  }

  // The match is over (see ending.js).
  finish({ title, winner, more, parts }) {
    setText(this.title, title);
    keyed(this.marker, winner === NONE ? [] : [[`${winner}`, "", () => picture(`marker-${winner}`, 28)]]);
    setText(this.more, more);
    keyed(this.ending, parts);
    this.element.classList.remove("past");
    this.element.classList.add("end");
  }

  // `prompt`: the decision owed, as it was told; undefined for a version of which nothing was told. `mine`: the seat of
  // the reader.
  show(position, who, past, prompt, mine = NONE) {
    const seat = position.over ? position.champions[0] : position.owing;
    const words = prompt ? render(prompt.what, who) : _("A moment …");
    const own = !past && seat !== NONE && seat === mine && !position.over;
    const name = seat === NONE || position.over || own ? "" : `${called(seat, who)}: `;
    setText(this.title, past ? `${_("Looking back")} · ${name}${words}` : name + words);
    keyed(this.marker, seat === NONE ? [] : [[`${seat}`, "", () => picture(`marker-${seat}`, 28)]]);
    setText(this.more, render((own ? prompt?.how : prompt?.news || (prompt?.seat === NONE && prompt.how)) || "", who)); // More, for those who look on.
    keyed(this.ending, []);
    this.element.classList.remove("end");
    this.element.classList.toggle("past", past);
    this.element.classList.toggle("own", own);
  }

  wait(words, more = "") {
    setText(this.title, words);
    setText(this.more, more);
    this.marker.replaceChildren();
  }

  tellTime(seconds, paused) {
    setText(this.clock, paused ? _("Paused") : seconds === null ? "" : brief(seconds));
    this.clock.classList.toggle("hurry", seconds !== null && seconds < HURRY && !paused);
  }

  ask(words) {
    setText(this.poll, words);
  }
}

const KIND = ["free", "person", "away", "bot", "stand in"];

function seatWords(info) {
  switch (KIND[info.kind]) {
    case "free": return _("free");
    case "away": return _("away");
    case "bot": return _("bot");
    case "stand in": return _("a bot stands in");
    default: return "";
  }
}

export class Players {
  constructor() {
    this.head = h("tr", {});
    this.body = h("tbody", {});
    this.element = h("section", { class: "card players" }, h("h2", {}, _("Players")),
      h("table", {}, h("thead", {}, this.head), this.body));
  }

  show(position, seats, who, clocks) {
    const names = columns(position);
    keyed(this.head, [["", "", () => h("td", {})], ...names.map((name) => [name, "", () => h("th", { scope: "col" }, name)])]);
    const order = position.order.length === position.seats ? position.order : [...Array(position.seats).keys()];
    keyed(this.body, order.map((seat) => this.row(position, seat, seats[seat], who, clocks[seat])));
  }

  row(position, seat, info, who, clock) {
    const owes = position.owing === seat;
    const granted = position.conceded[seat];
    const more = [...standing(position, seat), granted === NONE || position.over ? "" : _("grants {who} the victory", { who: who(granted) }), info ? seatWords(info) : "", clock === undefined ? "" : brief(clock)];
    const small = more.filter(Boolean).join(" · ");
    const shown = numbers(position, seat);
    const out = position.fallen(seat);
    const held = position.isSecond ? [] : position.prisoners(seat);
    const words = personWords(position, seat, who);
    return [`${seat}`, JSON.stringify([who(seat), owes, small, shown, out, held, words]), () => h("tr", {
      class: `${owes ? "owes" : ""}${out ? " out" : ""}`, title: words, "aria-current": owes ? "true" : null,
    }, h("th", { scope: "row" }, picture(`marker-${seat}`, 30), h("span", {}, who(seat), h("small", {}, small))),
    ...shown.map((n, i) => h("td", {}, out ? "" : `${n}`, ...(i === 2 ? prisoners(position, held) : []))))];
  }
}

function prisoners(position, leaders) {
  return leaders.length ? [h("small", {}, ...leaders.map((leader) =>
    picture(`general-${Math.floor(leader / position.facts.leaders)}`, 18, _("A captive"))))] : [];
}

export class Chronicle {
  // `about(line)`: the name of a person who spoke was pressed.
  constructor(about = null) {
    this.lineShown = (line) => lineShown(line, about);
    this.list = h("ol", {});
    this.log = h("div", { class: "log", role: "log", "aria-live": "polite", "aria-relevant": "additions", tabindex: "0", "aria-label": _("Chronicle") }, this.list);
    this.element = h("section", { class: "card chronicle" }, h("h2", {}, _("Chronicle")), this.log);
    this.shown = [];
  }

  // `lines`: {words, seat, loud, said}; those that are there already stay, what is new is read aloud. The last one stays
  // in sight by itself (see styles/panels.css).
  show(lines) {
    const kept = lines.slice(-KEPT);
    const gone = this.shown.indexOf(kept[0]); // lines at the beginning that are too old by now
    const same = gone < 0 ? 0 : this.shown.length - gone;
    const anew = gone < 0 || this.shown.slice(gone).some((line, i) => line !== kept[i]);
    this.log.setAttribute("aria-live", anew ? "off" : "polite");
    if (anew) this.list.replaceChildren(...kept.map(this.lineShown));
    else this.go(gone, kept.slice(same));
    this.shown = kept;
  }

  go(gone, fresh) {
    for (let i = 0; i < gone; i++) this.list.firstChild.remove();
    this.list.append(...fresh.map(this.lineShown));
  }
}

function lineShown({ words, seat, loud, said, name = "", text = "" }, about) {
  const who = about && name ? [h("button", { type: "button", class: "speaker", onclick: () => about({ name, text }) }, name)] : [];
  const rest = who.length && words.startsWith(name) ? words.slice(name.length) : words;
  const mark = seat >= 0 && seat < WORLD.pieces.colours.length ? picture(`marker-${seat}`, 16) : h("span", { class: "gap" });
  return h("li", { class: `${loud ? "loud" : ""}${said ? " said" : ""}` }, mark, h("span", {}, ...(who.length && rest !== words ? who : []), ...(said ? linked(rest) : [words])));
}

// Chat with its links, as far as they lead to the web.
function linked(words) {
  return words.split(/(https?:\/\/[^\s<>"]*[^\s<>"'.,;:!?)\]])/i).map((part, i) => (i % 2 ? h("a", { href: part, target: "_blank", rel: "noopener noreferrer" }, part) : part));
}

export class Places {
  constructor(choose) {
    this.choose = choose;
    this.one = h("p", { class: "chosen-words", "aria-live": "polite" });
    this.list = h("ul", { class: "places" });
    this.details = h("details", {}, h("summary", {}, _("All provinces and seas in words")), this.list);
    this.details.addEventListener("toggle", () => this.refresh());
    this.element = h("section", { class: "card provinces" }, h("h2", {}, _("Provinces")), this.one, this.details);
    this.space = NONE;
  }

  pick(space) {
    this.space = this.space === space ? NONE : space;
    this.refresh();
    return this.space;
  }

  show(position, who) {
    Object.assign(this, { position, who });
    this.refresh();
  }

  refresh() {
    const { position, who } = this;
    if (!position) return;
    const tall = Boolean(this.element.closest(".tall"));
    if (tall && !this.tall && this.space === NONE) this.details.open = true; // The map is covered: nothing can be tapped there.
    this.tall = tall;
    this.one.classList.toggle("none", this.space === NONE);
    setText(this.one, this.space === NONE ? _("Tap a province to read what stands there.") : describe(position, this.space, who).join("\n"));
    if (!this.details.open) return;
    const spaces = WORLD.names.map((_name, space) => space).filter((space) => isBusy(position, space))
      .sort((a, b) => placeName(a).localeCompare(placeName(b)));
    keyed(this.list, spaces.map((space) => {
      const lines = describe(position, space, who);
      return [`${space}`, lines.join("\n"), () => h("li", {}, h("button", { type: "button", onclick: () => this.choose(space) }, lines[0]),
        ...lines.slice(1).map((line) => h("div", {}, line)))];
    }));
  }
}

const MATTERS = ["pause", "go on", "seat", "back", "end", "time", "pace"];

// A question to the people at the table, and how it stands.
// `reader`: the seat of the person who reads it.
export function pollWords(poll, motion, who, reader = NONE) {
  const people = (seats) => andWords(seats.map((seat) => (seat === reader ? _("you") : who(seat))));
  const ayes = _("For it: {people}.", { people: poll.ayes.length ? people(poll.ayes) : _("nobody") });
  const noes = poll.noes.length ? _(" Against it: {people}.", { people: people(poll.noes) }) : "";
  const question = poll.seat >= 0 && poll.seat === reader ? ownQuestion(motion, who) : questionWords(poll, motion, who);
  if (poll.outcome !== 0) {
    const ended = [, _("That is agreed."), _("That is not agreed."), _("That was not decided in time."), _("That can no longer be done.")][poll.outcome] ?? "";
    const silent = poll.voters.filter((seat) => !poll.ayes.includes(seat) && !poll.noes.includes(seat));
    return `${question} ${ended}${noes}${poll.outcome === 3 && silent.length ? _(" No answer: {people}.", { people: people(silent) }) : ""}`;
  }
  const awaited = poll.awaited ?? [];
  const waits = awaited.length ? _(" Away, and awaited: {people}.", { people: people(awaited) }) : "";
  const needed = ngettext("{n} is needed.", "{n} are needed.", poll.needed);
  return `${question} ${ayes}${noes} ${needed}${waits}`;
}

function questionWords(poll, motion, who) {
  if (poll.seat < 0) return _("{name} asks to play for {whom} from now on.", { name: motion.name, whom: who(motion.seat) });
  const asker = { who: who(poll.seat) };
  switch (MATTERS[motion.matter]) {
    case "pause": return _("{who} asks for a pause.", asker);
    case "go on": return _("{who} asks to go on.", asker);
    case "back": return _("{who} asks to go back. Dice that fell since then will be rolled again.", asker);
    case "end": return _("{who} asks to end the match now and count.", asker);
    case "seat":
      return motion.name
        ? _("{who} asks that {name} plays for {whom} from now on.", { ...asker, name: motion.name, whom: who(motion.seat) })
        : motion.turn ? _("{who} asks that a bot plays this turn for {whom}.", { ...asker, whom: who(motion.seat) })
          : _("{who} asks that a bot plays for {whom}.", { ...asker, whom: who(motion.seat) });
    default: return _("{who} asks for more time, or other clocks.", asker);
  }
}

function ownQuestion(motion, who) {
  switch (MATTERS[motion.matter]) {
    case "pause": return _("You ask for a pause.");
    case "go on": return _("You ask to go on.");
    case "back": return _("You ask to go back. Dice that fell since then will be rolled again.");
    case "end": return _("You ask to end the match now and count.");
    case "seat":
      return motion.name
        ? _("You ask that {name} plays for {whom} from now on.", { name: motion.name, whom: who(motion.seat) })
        : motion.turn ? _("You ask that a bot plays this turn for {whom}.", { whom: who(motion.seat) })
          : _("You ask that a bot plays for {whom}.", { whom: who(motion.seat) });
    default: return _("You ask for more time, or other clocks.");
  }
}

// Play now: the wish for a table, the people who wait, and the call to a table that was found.

import { WORLD } from "../model/board.js";
import { ME } from "../model/identity.js";
import { part } from "../wire/link.js";
import { _, ngettext, refusalText } from "../words/language.js";
import { field, paces, select } from "./create.js";
import { openDialog } from "./dialog.js";
import { h, keyed, setText } from "./dom.js";
import { lookOn, nameTrouble } from "./form.js";
import { reliability } from "./room.js";

const USUAL_CLOCKS = 4; // the clocks that are offered first
const BOT_MINUTES = [0, 5, 15, 60]; // minutes

export class SeekCard {
  // `seek(wishes)`: waits for these tables, after the name was kept.
  constructor(seek) {
    this.seek = seek;
    this.games = [];
    this.open = h("button", { type: "button", hidden: true, onclick: () => this.ask() }, _("Find people …"));
    this.lines = h("ul", { class: "tables" });
    this.own = h("p", { class: "state", role: "status" });
    this.stop = h("button", { type: "button", class: "quiet", hidden: true, onclick: () => seek([]) }, _("Wait no longer"));
    this.element = h("div", {}, this.own, this.lines);
  }

  // `can`: the abilities of the server; `rulesets`: its games.
  offer(can, rulesets) {
    this.open.hidden = !can?.includes("seeks");
    this.games = rulesets.map(([id]) => id);
  }

  hear(message) {
    if (message.kind === "Waiting") this.show(message.tables.map((table) => part("WaitingTable", table)));
    if (message.kind === "Seeking") this.showOwn(message.wishes.map((wish) => part("TableWish", wish)), message.code);
  }

  // Says why the server refused a wish.
  tell(answer) {
    if (answer.kind === "Refused") setText(this.own, refusalText(answer));
  }

  get waits() {
    return this.lines.childElementCount > 0;
  }

  show(tables) {
    keyed(this.lines, tables.map((table) => [`${table.names}${table.games}${table.pace}`, JSON.stringify(table), () => this.line(table)]));
  }

  line({ games, seats, pace, names, reliability: shares }) {
    const who = names.map((name, i) => [name, reliability(shares[i] ?? 0)].filter(Boolean).join(", ")).join("; ");
    const words = ngettext("{n} waits for {kind}", "{n} wait for {kind}", names.length, { kind: kindWords({ games, seats, pace }) });
    return h("li", {}, h("p", {}, h("b", {}, words), `: ${who}`), h("button", { type: "button", onclick: () => this.named(() => this.seek([[games, seats, pace, 0, 0]])) }, _("Wait too")));
  }

  showOwn(wishes, code) {
    const late = code === "late" ? _("You did not come to the table in time, and wait no longer. That counts as a match left.") : "";
    setText(this.own, wishes.map((wish) => _("You wait for {kind}.", { kind: kindWords(wish) })).join(" ") || late);
    this.stop.hidden = !wishes.length;
  }

  // Asks for a name first, where there is none yet.
  named(then) {
    if (ME.chosen) then();
    else this.ask();
  }

  ask() {
    const name = h("input", { name: "name", autocomplete: "nickname", value: ME.chosen });
    const press = (button) => button.setAttribute("aria-pressed", `${button.getAttribute("aria-pressed") !== "true"}`);
    const chip = (value, words, on) => h("button", { type: "button", value, "aria-pressed": `${on}`, onclick: (event) => press(event.target) }, words);
    const games = h("div", { class: "chips", role: "group", "aria-label": _("The game") }, ...this.games.map((id, i) => chip(id, gameName(id), !i)));
    const seats = h("div", { class: "chips", role: "group", "aria-label": _("Players") }, ...[2, 3, 4, 5, 6].map((n) => chip(n, `${n}`, n === 3 || n === 4)));
    const pace = select(paces().map(([words], i) => [`${i}`, words]), `${USUAL_CLOCKS}`);
    const bots = select(BOT_MINUTES.map((n) => [`${n}`, n ? ngettext("bots after {n} minute", "bots after {n} minutes", n) : _("people only")]), "0");
    const why = h("p", { class: "wrong", role: "alert" });
    const pressed = (group) => [...group.children].filter((each) => each.getAttribute("aria-pressed") === "true").map((each) => each.value);
    const submit = () => {
      const [chosen, counts] = [pressed(games), pressed(seats).map(Number)];
      const wrong = nameTrouble(name.value.trim()) || (chosen.length && counts.length ? "" : _("Choose at least one game and one number of players."));
      setText(why, wrong);
      if (wrong) return;
      ME.chosen = name.value.trim();
      dialog.close();
      this.seek([[chosen, counts, paces()[Number(pace.value)][1], Number(bots.value), 0]]);
    };
    const dialog = openDialog(_("Find people"), h("p", {}, _("You wait for the first table that suits. Meanwhile you can play or watch here.")), field(_("Your name"), name), games, seats,
      field(_("Clocks"), pace), field(_("Bots"), bots), why, h("button", { type: "button", class: "primary", onclick: submit }, _("Wait for a table")));
  }
}

let foundTable = null; // the dialog of the table that was found

// Shows that a table is found, and how many have confirmed; leads there once all have.
export function showSummons({ number, ruleset, seats, names, here, you, left, match }, ask) {
  clearInterval(foundTable?.timer);
  foundTable?.dialog.close();
  foundTable = null;
  if (match) {
    ME.keepSeat(match, ME.secret);
    lookOn(match);
  }
  if (match || !names.length) return;
  const until = performance.now() + left * 1000;
  const others = names.filter((_name, i) => i !== you).join(", ") || _("bots");
  const clock = h("b", { class: "clock" });
  const yes = h("button", { type: "button", class: "primary", hidden: here[you], onclick: () => ask("Confirm", number) }, _("I am coming"));
  const no = h("button", { type: "button", onclick: () => ask("Seek", []) }, _("Give up the place"));
  const dialog = openDialog(_("A table is found"), h("p", {}, _("{game} with {n}, with {names}.", { game: gameName(ruleset), n: seats, names: others })),
    h("p", {}, _("{here} of {all} have confirmed.", { here: here.filter(Boolean).length, all: names.length }), " ", clock), h("p", { class: "ways" }, yes, no));
  const tick = () => setText(clock, here[you] ? "" : ngettext("{n} second left", "{n} seconds left", Math.max(0, Math.round((until - performance.now()) / 1000))));
  foundTable = { dialog, timer: setInterval(tick, 1000) };
  tick();
}

function kindWords({ games, seats, pace }) {
  const named = paces().find(([, known]) => `${known ?? ""}` === `${pace ?? ""}`)?.[0] ?? _("other clocks");
  return _("{games} with {seats}, {pace}", { games: orWords(games.map(gameName)), seats: orWords(seats.map(String)), pace: named });
}

function orWords(words) {
  return words.length > 1 ? _("{names} or {last}", { names: words.slice(0, -1).join(", "), last: words.at(-1) }) : words.join("");
}

export function gameName(ruleset) {
  return WORLD.games[ruleset]?.name ?? ruleset;
}

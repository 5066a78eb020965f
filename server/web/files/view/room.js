// A table before its match: what is played, who sits where, a seat for those who come by a link, and the host's buttons.

import { WORLD } from "../model/board.js";
import { ME } from "../model/identity.js";
import { _, ngettext } from "../words/language.js";
import { awayWords } from "./absent.js";
import { AlertOffer } from "./alert.js";
import { SayForm } from "./chat.js";
import { openPerson } from "./person.js";
import { askingButton, h, keyed, setText } from "./dom.js";
import { Invitation, programLink } from "./invite.js";
import { go, nameTrouble, operatorLinks, unstored } from "./form.js";
import { openNotices } from "./notices.js";
import { Chronicle } from "./panels.js";
import { picture } from "./pieces.js";
import { askName } from "./profile.js";
import { changedOptions, rulesButton } from "./rules.js";

const FREE = 0; // kinds of seats
const AWAY = 2;
const BOT = 3;
const BY_POST = 2; // `Pace.run`
const HOUR = 3600; // seconds of a decision from which on players need not be connected
const LEVELS = ["easy", "normal", "hard"]; // of bots, where the server names none

export function levelWords(level) {
  return { easy: _("easy"), moderate: _("medium"), normal: _("strong"), hard: _("hard"), expert: _("expert") }[level] ?? level;
}

// Returns the sentence on what a level is good at, as the server describes it.
export function aboutLevel(described, level) {
  const about = described?.about_levels?.[described.levels.indexOf(level)];
  return about ? _(about) : "";
}

// A field for the name and a button to sit down. `sit(name)`: asked for; `watch`: what else can be done.
export class SitForm {
  constructor(sit, watch) {
    this.field = h("input", { name: "name", autocomplete: "nickname", spellcheck: "false",
      value: ME.chosen, placeholder: _("What others call you") });
    this.why = h("p", { class: "wrong", role: "alert", hidden: true });
    this.go = h("button", { type: "submit", class: "primary" }, _("Sit down"));
    this.element = h("form", { class: "card sit", onsubmit: (event) => { event.preventDefault(); this.tryIt(sit); } },
      this.why, h("label", {}, _("Your name"), this.field), unstored(), h("p", { class: "ways" }, this.go,
        h("button", { type: "button", onclick: watch }, _("Watch"))));
  }

  tryIt(sit) {
    const name = this.field.value.trim();
    this.wrong = nameTrouble(name);
    this.show("", false);
    if (this.wrong) this.field.focus();
    else sit(name);
  }

  show(why, waits) {
    setText(this.why, why || this.wrong || "");
    this.why.hidden = !this.why.textContent;
    this.go.disabled = waits;
  }
}

export class Room {
  // `device`: the alerts of this device.
  // `learn()`: begins a lesson, while this table waits.
  constructor(match, who, device, learn) {
    Object.assign(this, { match, who, watches: false, level: "normal", described: null });
    this.title = h("h1", {});
    this.game = h("p", { class: "game" });
    this.operator = h("p", { class: "operator" });
    this.about = h("p", { class: "about" });
    this.away = h("p", {});
    this.changed = h("div", {});
    this.form = new SitForm((name) => match.sit(name), () => { this.watches = true; this.show(); });
    this.seats = h("ul", { class: "seats" });
    this.advice = h("p", { role: "status" });
    this.start = h("button", { type: "button", class: "primary", onclick: () => this.ask("Start") }, _("Start the match"));
    this.fill = h("button", { type: "button", onclick: () => this.fillWithBots() }, _("Fill with bots"));
    this.kinds = h("select", { "aria-label": _("Level of the bots that you add now"), onchange: () => { this.level = this.kinds.value; this.explain(); } });
    this.good = h("small", {}); // what the chosen level is good at
    this.explain = () => {};
    this.leave = askingButton(_("Leave"), () => this.getUp());
    this.learn = h("button", { type: "button", class: "learn", onclick: learn }, _("Learn meanwhile"));
    this.notices = h("button", { type: "button", onclick: () => openNotices(match) }, _("Messages to you …"));
    this.program = h("a", { class: "program" }, _("Open this table in the program"));
    this.host = h("p", { class: "ways hosting" }, this.kinds, this.fill, this.good);
    this.trouble = h("p", { class: "wrong", role: "alert", hidden: true });
    this.offer = new AlertOffer(device);
    this.chat = new Chronicle((line) => openPerson(match, line.name, line.text));
    this.invitation = new Invitation();
    this.element = h("div", { class: "room", role: "main" },
      h("section", { class: "title" }, this.title, this.game),
      h("div", {}, this.form.element, h("section", { class: "card" }, h("h2", {}, _("Seats")), this.host, this.seats, this.advice, this.trouble,
        h("p", { class: "ways" }, this.start, this.learn, this.leave, this.notices), this.offer.element, this.program)),
      h("div", {}, this.invitation.element, h("section", { class: "card" }, h("h2", {}, _("The game")), this.about, this.away, this.changed,
        h("p", { class: "ways" }, rulesButton(match))), this.chat.element), this.operator);
    this.chat.element.append(new SayForm((...line) => match.say(...line)).element);
  }

  show() {
    const { match } = this;
    const { table } = match;
    this.describe(table.ruleset);
    if (!this.operator.firstChild) this.operator.append(...operatorLinks(match.can));
    this.offer.element.hidden = match.seat < 0;
    this.notices.hidden = match.seat < 0 || !match.can?.includes("notices");
    this.program.hidden = match.seat >= 0;
    this.program.href = programLink(table.code || table.match);
    setText(this.away, table.pace?.[0] === BY_POST && table.pace[1] >= HOUR ? "" : awayWords(table));
    setText(this.title, table.title || _("A table"));
    setText(this.game, WORLD.games[table.ruleset]?.name ?? table.ruleset);
    const free = table.seats.filter((seat) => seat.kind === FREE).length;
    this.form.element.hidden = match.seat >= 0 || this.watches || (!free && !match.joining);
    this.form.show(match.refusalWords, Boolean(match.joining));
    this.host.hidden = !table.host || !free;
    this.invitation.show(table);
    this.chat.show(match.chronicle(0, this.who));
    keyed(this.seats, table.seats.map((info, seat) => this.row(info, seat, table)));
    setText(this.advice, adviceWords(table, match.seat));
    this.start.hidden = !table.host;
    this.start.disabled = free > 0;
    this.learn.hidden = match.seat < 0 || !match.can?.includes("lessons");
    this.leave.hidden = match.seat < 0 && !table.host;
  }

  row(info, seat, table) {
    const mine = seat === this.match.seat && info.kind !== FREE; // The name arrives a moment after the seat.
    return [`${seat}`, JSON.stringify([info, mine, table.host, table.host_number, this.match.seat < 0]), () => h("li", { class: mine ? "mine" : "" },
      picture(`marker-${seat}`, 32), h("span", {}, h("b", {}, info.kind === FREE ? _("free") : this.who(seat)),
        h("small", {}, [seat + 1 === table.host_number ? _("host") : "", mine ? _("you") : info.kind === BOT ? _("bot, {level}", { level: levelWords(info.bot) }) : info.kind === AWAY ? _("away") : "", reliability(info.reliability), info.rating ? `${info.rating} ± ${info.uncertainty}` : ""].filter(Boolean).join(" · "))), ...this.buttons(info, seat, table, mine))];
  }

  buttons(info, seat, table, mine) {
    const button = (words, act) => h("button", { type: "button", onclick: act }, words);
    if (info.kind === FREE && this.match.seat < 0) return [button(_("Sit here"), () => this.sitAt(seat))];
    const rename = mine && this.match.can?.includes("rename") ? [button(_("Change name"), () => askName((name) => this.rename(name), info.name))] : [];
    if (!table.host) return rename;
    if (info.kind === FREE) return [button(_("+ bot"), () => this.ask("SetBot", seat, this.level))];
    if (info.kind === BOT) return [button(_("Remove"), () => this.ask("SetBot", seat, ""))];
    return mine ? rename : [askingButton(_("Send away"), () => this.ask("Kick", seat))];
  }

  sitAt(seat) {
    this.watches = false;
    this.form.element.hidden = false;
    this.form.tryIt((name) => this.match.sit(name, seat));
  }

  // Ask the server; what it refuses is shown.
  async ask(kind, ...fields) {
    const answer = await this.match.request(kind, ...fields);
    const why = answer === null ? _("The server did not answer.") : answer.kind === "Refused" ? answer.text : "";
    setText(this.trouble, why);
    this.trouble.hidden = !why;
    return !why;
  }

  async rename(name) {
    if (!(await this.ask("Rename", name))) return;
    ME.chosen = name;
    this.match.link.name = name; // for the greeting after a lost connection
  }

  fillWithBots() {
    this.match.table.seats.forEach((info, seat) => { if (info.kind === FREE) this.ask("SetBot", seat, this.level); });
  }

  async getUp() {
    await this.match.leave();
    go("./");
  }

  // The sentence about the game, and the levels of bots, as the server knows them.
  async describe(ruleset) {
    if (this.described === ruleset || !this.match.can) return;
    this.described = ruleset;
    const found = this.match.can.includes("describe") ? await this.match.request("Describe", ruleset) : null;
    setText(this.about, found?.suits ? _(found.suits) : "");
    this.changed.replaceChildren(...changedOptions(this.match, found));
    const levels = found?.levels?.length ? found.levels : LEVELS;
    this.kinds.replaceChildren(...levels.map((level) => h("option", { value: level }, levelWords(level))));
    this.kinds.value = this.level;
    this.explain = () => setText(this.good, aboutLevel(found, this.level));
    this.explain();
  }
}

// Says what the host or a player can do now.
function adviceWords(table, seat) {
  const free = table.seats.filter((info) => info.kind === FREE).length;
  if (table.rated && free) return _("Rated: for members, without bots, advice and going back.");
  if (!free) return table.host ? _("Everybody is here.") : _("Everybody is here. The host will start.");
  const words = ngettext("{n} seat is free", "{n} seats are free", free);
  if (table.host) return `${words}: ${_("wait for friends, or add bots")}.`;
  return seat < 0 ? _("{text}: sit down, or watch.", { text: words }) : `${words}.`;
}

// The seat is open in another window: a word about it, and the way to take it back.
export function elsewhereShown(take) {
  return h("section", { class: "card elsewhere", role: "alert", hidden: true }, h("p", {}, _("Your seat is open in another window or on another device.")),
    h("button", { type: "button", class: "primary", onclick: take }, _("Play here")));
}

// A person's reliability; nothing for bots and people without a profile.
export function reliability(percent) {
  return percent > 0 ? _("finishes {percent} %", { percent }) : percent === -1 ? _("new") : "";
}

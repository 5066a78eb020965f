// The first screen: this person's turn, ways to play now, bots at once, and what is going on.

import { GATHERING, OVER, WORLD } from "../model/board.js";
import { ME, ONLOOKER, deviceName } from "../model/identity.js";
import { Link, part } from "../wire/link.js";
import { _, andWords, ngettext, refusalText } from "../words/language.js";
import { Founding } from "../model/founding.js";
import { CreateForm } from "./create.js";
import { h, keyed, setText } from "./dom.js";
import { lookOn, operatorLinks, tableForm } from "./form.js";
import { NewerPage } from "./newer.js";
import { brief } from "./panels.js";
import { ProfileCard } from "./profile.js";
import { SeekCard, gameName, showSummons } from "./seek.js";
import { QuickStart } from "./start.js";

const ROWS_SHOWN = 2; // matches, and tables to join, that stand at the top

export class Lobby {
  // `address`: of the server's WebSocket.
  constructor(address) {
    this.address = address;
    this.form = new CreateForm((plan) => this.found(plan, this.form));
    this.start = new QuickStart((plan) => this.found(plan, this.start), address);
    this.asked = new Map(); // requests that wait for an answer, by their number
    this.profile = new ProfileCard((...request) => this.request(...request), () => this.link.rename(ME.name));
    this.mine = h("ul", { class: "tables" });
    this.mineRest = h("ul", { class: "tables" });
    this.mineMore = h("details", { hidden: true }, h("summary", {}, _("All your matches")), this.mineRest);
    this.mineHead = h("h2", {});
    this.mineCard = h("section", { class: "card turns", hidden: true }, this.mineHead, this.mine, this.mineMore);
    this.tables = new Map();
    this.waiting = h("ul", { class: "tables" });
    this.nowState = h("p", { class: "state" });
    this.seek = new SeekCard((wishes) => this.wait(wishes));
    this.nowWays = h("p", { class: "ways" }, this.seek.open, this.seek.stop, h("button", { type: "button", class: "primary", onclick: () => this.form.show() }, _("Open a table")));
    this.now = h("section", { class: "card now" }, h("h2", {}, _("Play now")), this.seek.element, this.nowState, this.waiting, this.nowWays);
    this.list = h("ul", { class: "tables" });
    this.past = h("ul", { class: "tables past" });
    this.finished = new Map();
    this.more = h("button", { type: "button", hidden: true, onclick: () => this.askPast(this.below) }, _("Show more"));
    this.pastCard = h("div", { hidden: true }, h("h3", {}, _("Finished matches")), this.past, this.more);
    this.state = h("p", { class: "state", role: "status" }, _("Asking the server …"));
    this.banner = h("p", { class: "card banner", role: "status", hidden: true });
    this.newer = new NewerPage();
    this.operator = h("p", { class: "operator" });
    this.element = h("main", { class: "lobby" }, this.newer.element, this.banner, this.title(),
      h("div", {}, this.mineCard, this.now, this.start.element),
      h("section", { class: "card going" }, h("h2", {}, _("What is going on")), this.state, this.list, this.pastCard),
      h("div", {}, tableForm(), this.form.element, this.profile.element), this.operator);
    this.link = new Link(address, ME.name, {
      began: (welcome) => this.ask(welcome),
      hear: (message) => this.hear(message),
      state: (state) => {
        if (state === "open") this.announce(new Map());
        else if (state === "lost") setText(this.state, _("The server does not answer; trying again …"));
      },
    });
  }

  // Words of the operator to everybody, by their kind.
  announce(words) {
    this.words = words;
    setText(this.banner, [...words.values()].join(" ").trim());
    this.banner.hidden = !this.banner.textContent;
  }

  title() {
    return h("div", { class: "title" }, h("h1", {}, "CONQUEST"), h("p", {}, _("Play or watch in the browser: nothing to install, no account.")));
  }

  ask({ can, rulesets }) {
    this.operator.replaceChildren(...operatorLinks(can));
    this.profile.lists = Boolean(can?.includes("devices"));
    if (can?.includes("describe") && !this.form.described.size) rulesets.forEach(([id]) => this.link.ask("Describe", id));
    if (can?.includes("mine")) this.askMine(can);
    this.profile.offer(can);
    this.start.offer(can);
    this.seek.offer(can, rulesets);
    this.tables.clear();
    this.finished.clear();
    this.below = 0;
    this.link.ask("OpenLobby", true);
    if (this.wished) this.wait(this.wished);
    this.wished = null;
    if (can?.includes("recall")) this.askPast(0);
  }

  askPast(below) {
    this.link.ask("Past", "", below);
  }

  // The seats of this browser, and those of its profile.
  askMine(can) {
    if (can.includes("profile") && ME.secret) this.link.ask("Introduce", ME.secret, "", deviceName());
    if (ME.secret || ME.held.length) this.link.ask("Mine", ME.held);
  }

  // Wait for tables; the server must know this person by the name first.
  async wait(wishes) {
    ME.ownSecret();
    if (this.link.name !== ME.name) {
      this.wished = wishes; // Follows the greeting.
      this.link.rename(ME.name);
      return;
    }
    await this.request("Introduce", ME.secret, "", deviceName());
    this.seek.tell(await this.request("Seek", wishes));
  }

  // Make a table, and go there.
  found(plan, form) {
    form.wait(true);
    const failed = (words) => {
      form.wait(false);
      form.tell(words);
    };
    this.founding = new Founding(this.address, plan, (match) => lookOn(match), failed);
  }

  // The server takes no such name.
  refuseName() {
    ME.chosen = "";
    this.profile.show();
    this.link.rename(ONLOOKER);
  }

  showMine({ seats }) {
    const shown = seats.map((seat) => part("Holding", seat)).filter(({ seat, phase }) => seat >= 0 && phase !== OVER);
    const waits = shown.filter(({ seat, owed }) => owed.includes(seat)).sort(urgency);
    setText(this.mineHead, waits.length ? _("Your turn") : _("Your matches"));
    this.mineCard.hidden = !shown.length;
    const rows = [...waits, ...shown.filter((each) => !waits.includes(each))].map((seat) => [seat.match, JSON.stringify(seat), () => mineRow(seat)]);
    keyed(this.mine, rows.slice(0, ROWS_SHOWN));
    keyed(this.mineRest, rows.slice(ROWS_SHOWN));
    this.mineMore.hidden = rows.length <= ROWS_SHOWN;
  }

  // Send a request; returns a promise of its answer.
  request(kind, ...fields) {
    return new Promise((done) => { this.asked.set(this.link.ask(kind, ...fields), done); });
  }

  hear(message) {
    this.newer.show(!this.founding);
    this.seek.hear(message);
    if (message.kind === "Summons") showSummons(message, (...request) => this.link.ask(...request));
    this.asked.get(message.ref)?.(message);
    this.asked.delete(message.ref);
    if (message.kind === "Refused" && message.code === "name") this.refuseName();
    if (message.kind === "Refused" && message.code === "banned") this.announce(this.words.set("banned", refusalText(message)));
    if (message.kind === "Notice") this.announce(this.words.set(...noticeWords(message)));
    if (message.kind === "Description") [this.form, this.start].forEach((each) => each.describe(message));
    if (message.kind === "Holdings") this.showMine(message);
    if (message.kind === "LobbyList") this.noteAll(message);
    else if (message.kind === "LobbyChange") this.note(part("TableInfo", message.table), message.gone);
    else if (message.kind === "PastList") this.notePast(message);
    else if (message.kind !== "Waiting") return;
    this.show();
  }

  // A page of the list, and the next one; the list stays live.
  noteAll({ tables, below }) {
    tables.forEach((table) => this.note(part("TableInfo", table)));
    if (below) this.link.ask("OpenLobby", true, "", false, below);
  }

  notePast({ matches, below }) {
    matches.forEach((match) => this.finished.set(match[0], part("PastMatch", match)));
    this.below = below;
    this.more.hidden = !below;
  }

  // A match that is over stays where its people are, and is on the list of finished ones when they have gone.
  note(table, gone = false) {
    if (gone && this.tables.get(table.match)?.phase === OVER) this.askPast(0);
    if (gone) this.tables.delete(table.match);
    else this.tables.set(table.match, table);
  }

  show() {
    const tables = [...this.tables.values()];
    const shown = ({ match, title, ...table }) => [match, JSON.stringify([title, table]), () => row(match, title, tableWords(table))];
    const joined = tables.filter(({ phase, taken, seats }) => phase === GATHERING && taken < seats).sort((a, b) => a.seats - a.taken - b.seats + b.taken);
    const played = tables.filter(({ phase }) => phase !== OVER && phase !== GATHERING).sort((a, b) => b.watchers - a.watchers || b.taken - b.away - a.taken + a.away);
    const full = tables.filter((table) => table.phase === GATHERING && !joined.includes(table));
    setText(this.nowState, joined.length || this.seek.waits ? "" : _("Nobody waits just now. All who come here see your table."));
    keyed(this.waiting, joined.slice(0, ROWS_SHOWN).map(shown));
    const going = [...joined.slice(ROWS_SHOWN), ...full, ...played];
    setText(this.state, going.length ? "" : this.finished.size ? _("No match is played in public just now. These are over:") : _("No match is played in public just now. The first could be yours."));
    keyed(this.list, going.map(shown));
    const lately = tables.filter((table) => table.phase === OVER && !this.finished.has(table.match));
    const finished = [...this.finished.values()].sort((a, b) => b.ended - a.ended);
    this.pastCard.hidden = !lately.length && !finished.length;
    keyed(this.past, [
      ...lately.map((table) => [table.match, "over", () => row(table.match, table.title, gameName(table.ruleset))]),
      ...finished.map((match) => [match.match, "", () => row(match.match, match.title, pastWords(match))]),
    ]);
  }

  end() {
    this.founding?.link.end();
    this.start.founding?.link.end();
    this.link.end();
  }
}

// A match of this person's, and whether it is their turn.
function mineRow({ match, title, ruleset, seat, phase, owed, left, unread }) {
  const turn = owed.includes(seat) ? h("span", { class: "turn" }, left ? `${_("Your turn")} · ${brief(left)}` : _("Your turn")) : null;
  const words = [gameName(ruleset), phase === GATHERING ? _("waiting") : _("playing"), unread ? ngettext("{n} new line of chat", "{n} new lines of chat", unread) : ""];
  return h("li", {}, h("a", { href: `watch#${match}` }, h("b", {}, title || _("A table")), turn, h("span", {}, words.filter(Boolean).join(" · "))));
}

// The order of matches that wait: the least time first, then those that have waited longest.
function urgency(a, b) {
  return (a.left || Infinity) - (b.left || Infinity) || b.since - a.since;
}

function tableWords(table) {
  const free = table.seats - table.taken;
  const phase = table.phase !== GATHERING ? _("playing") : free ? ngettext("waits for {n} more", "waits for {n} more", free) : _("begins soon");
  const seats = _("{taken} of {seats} seats", { taken: table.taken, seats: table.seats });
  const watching = table.watchers ? ` · ${ngettext("{n} watching", "{n} watching", table.watchers)}` : "";
  return `${gameName(table.ruleset)} · ${phase} · ${seats}${watching}`;
}

// Describes a finished match: game, winner and date.
function pastWords({ ruleset, seats, ranks, ended }) {
  const first = ranks.map((rank) => part("Rank", rank)).filter(({ rank }) => rank === 1)
    .map(({ seat }) => part("SeatInfo", seats[seat]).name || WORLD.bots[seat]);
  const day = ended ? new Date(ended * 1000).toLocaleDateString(undefined, { dateStyle: "medium" }) : "";
  return [gameName(ruleset), first.length ? `${_("1st")}: ${andWords(first)}` : "", day].filter(Boolean).join(" · ");
}

// Kind and words of a notice to all; no words once the server is writable again.
function noticeWords({ code, text }) {
  if (code === "writable") return ["read-only", ""];
  return [code, code === "read-only" ? _("This server is read-only for now: running matches go on, but nothing new can be begun or said.") : text];
}

function row(match, title, words) {
  return h("li", {}, h("a", { href: `watch#${match}` }, h("b", {}, title || _("A table")), h("span", {}, words)));
}

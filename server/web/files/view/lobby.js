// The list of open tables and of finished matches, and a field for a code.

import { OVER, WORLD } from "../model/board.js";
import { ME, ONLOOKER, deviceName } from "../model/identity.js";
import { Link, part } from "../wire/link.js";
import { _, andWords, ngettext } from "../words/language.js";
import { Founding } from "../model/founding.js";
import { CreateForm } from "./create.js";
import { h, keyed, setText } from "./dom.js";
import { lookOn, tableForm } from "./form.js";
import { NewerPage } from "./newer.js";
import { ProfileCard } from "./profile.js";

export class Lobby {
  // `address`: of the server's WebSocket.
  constructor(address) {
    this.address = address;
    this.form = new CreateForm((plan) => this.found(plan));
    this.asked = new Map(); // requests that wait for an answer, by their number
    this.profile = new ProfileCard((...request) => this.request(...request), () => this.link.rename(ME.name));
    this.mine = h("ul", { class: "tables" });
    this.mineCard = h("section", { class: "card", hidden: true }, h("h2", {}, _("Your matches")), this.mine);
    this.tables = new Map();
    this.list = h("ul", { class: "tables" });
    this.past = h("ul", { class: "tables past" });
    this.finished = new Map();
    this.more = h("button", { type: "button", hidden: true, onclick: () => this.askPast(this.below) }, _("Show more"));
    this.pastCard = h("section", { class: "card", hidden: true }, h("h2", {}, _("Finished matches")), this.past, this.more);
    this.state = h("p", { class: "state", role: "status" }, _("Asking the server …"));
    this.newer = new NewerPage();
    this.element = h("main", { class: "lobby" }, this.newer.element, this.title(),
      h("div", {}, this.mineCard, this.form.element, tableForm(), this.profile.element),
      h("div", {}, h("section", { class: "card" }, h("h2", {}, _("Open tables")), this.state, this.list), this.pastCard));
    this.link = new Link(address, ME.name, {
      began: (welcome) => this.ask(welcome),
      hear: (message) => this.hear(message),
      state: (state) => { if (state !== "open") setText(this.state, _("The server does not answer; trying again …")); },
    });
  }

  title() {
    return h("div", { class: "title" }, h("h1", {}, "CONQUEST"), h("p", {}, _("Play or watch in the browser: nothing to install, no account.")));
  }

  ask({ can, rulesets }) {
    this.profile.lists = Boolean(can?.includes("devices"));
    if (can?.includes("describe") && !this.form.described.size) rulesets.forEach(([id]) => this.link.ask("Describe", id));
    if (can?.includes("mine")) this.askMine(can);
    this.profile.offer(can);
    this.tables.clear();
    this.finished.clear();
    this.below = 0;
    this.link.ask("OpenLobby", true);
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

  // Make a table, and go there.
  found(plan) {
    this.form.wait(true);
    const failed = (words) => {
      this.form.wait(false);
      this.form.tell(words);
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
    this.mineCard.hidden = !shown.length;
    keyed(this.mine, shown.map((seat) => [seat.match, JSON.stringify(seat), () => mineRow(seat)]));
  }

  // Send a request; returns a promise of its answer.
  request(kind, ...fields) {
    return new Promise((done) => { this.asked.set(this.link.ask(kind, ...fields), done); });
  }

  hear(message) {
    this.newer.show(!this.founding);
    this.asked.get(message.ref)?.(message);
    this.asked.delete(message.ref);
    if (message.kind === "Refused" && message.code === "name") this.refuseName();
    if (message.kind === "Description") this.form.describe(message);
    if (message.kind === "Holdings") this.showMine(message);
    if (message.kind === "LobbyList") this.noteAll(message);
    else if (message.kind === "LobbyChange") this.note(part("TableInfo", message.table), message.gone);
    else if (message.kind === "PastList") this.notePast(message);
    else return;
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
    const played = tables.filter((table) => table.phase !== OVER);
    setText(this.state, played.length ? "" : _("There are no open tables just now."));
    keyed(this.list, played.map((table) => [table.match, JSON.stringify(table), () => row(table.match, table.title, tableWords(table))]));
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
    this.link.end();
  }
}

// A match of this person's, and whether it is their turn.
function mineRow({ match, title, ruleset, seat, phase, owed, unread }) {
  const turn = owed.includes(seat) ? h("span", { class: "turn" }, _("Your turn")) : null;
  const words = [gameName(ruleset), phase === 0 ? _("waiting") : _("playing"), unread ? ngettext("{n} new line of chat", "{n} new lines of chat", unread) : ""];
  return h("li", {}, h("a", { href: `watch#${match}` }, h("b", {}, title || _("A table")), turn, h("span", {}, words.filter(Boolean).join(" · "))));
}

function gameName(ruleset) {
  return WORLD.games[ruleset]?.name ?? ruleset;
}

function tableWords(table) {
  const phase = table.phase === 0 ? _("waiting") : _("playing");
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

function row(match, title, words) {
  return h("li", {}, h("a", { href: `watch#${match}` }, h("b", {}, title || _("A table")), h("span", {}, words)));
}

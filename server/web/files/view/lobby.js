// The list of open tables and of finished matches, and a field for a code.

import { OVER, WORLD } from "../model/board.js";
import { ME } from "../model/identity.js";
import { Link, part } from "../wire/link.js";
import { _, andWords, ngettext } from "../words/language.js";
import { h, keyed, setText } from "./dom.js";
import { tableForm } from "./form.js";

export class Lobby {
  // `address`: of the server's WebSocket.
  constructor(address) {
    this.tables = new Map();
    this.list = h("ul", { class: "tables" });
    this.past = h("ul", { class: "tables past" });
    this.finished = new Map();
    this.more = h("button", { type: "button", hidden: true, onclick: () => this.askPast(this.below) }, _("Show more"));
    this.pastCard = h("section", { class: "card", hidden: true }, h("h2", {}, _("Finished matches")), this.past, this.more);
    this.state = h("p", { class: "state", role: "status" }, _("Asking the server …"));
    this.element = h("main", { class: "lobby" }, this.title(), tableForm(),
      h("section", { class: "card" }, h("h2", {}, _("Open tables")), this.state, this.list),
      this.pastCard);
    this.link = new Link(address, ME.name, {
      began: (welcome) => this.ask(welcome),
      hear: (message) => this.hear(message),
      state: (state) => { if (state !== "open") setText(this.state, _("The server does not answer; trying again …")); },
    });
  }

  title() {
    return h("div", { class: "title" }, h("h1", {}, "CONQUEST"), h("p", {}, _("Watch a match: nothing to install, no account.")));
  }

  ask({ can }) {
    this.tables.clear();
    this.finished.clear();
    this.below = 0;
    this.link.ask("OpenLobby", true);
    if (can?.includes("recall")) this.askPast(0);
  }

  askPast(below) {
    this.link.ask("Past", "", below);
  }

  hear(message) {
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
    this.link.end();
  }
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

// What game it was, who came first, and when.
function pastWords({ ruleset, seats, ranks, ended }) {
  const first = ranks.map((rank) => part("Rank", rank)).filter(({ rank }) => rank === 1)
    .map(({ seat }) => part("SeatInfo", seats[seat]).name || WORLD.bots[seat]);
  const day = ended ? new Date(ended * 1000).toLocaleDateString(undefined, { dateStyle: "medium" }) : "";
  return [gameName(ruleset), first.length ? `${_("1st")}: ${andWords(first)}` : "", day].filter(Boolean).join(" · ");
}

function row(match, title, words) {
  return h("li", {}, h("a", { href: `/watch#${match}` }, h("b", {}, title || _("A table")), h("span", {}, words)));
}

// The list of open tables, and a field for a code.

import { WORLD } from "../model/board.js";
import { Link, part } from "../wire/link.js";
import { _, ngettext } from "../words/language.js";
import { h, keyed, setText } from "./dom.js";

const OVER = 2;

export class Lobby {
  // `address`: of the server's WebSocket; `name`: who looks on.
  constructor(address, name) {
    this.tables = new Map();
    this.list = h("ul", { class: "tables" });
    this.past = h("ul", { class: "tables past" });
    this.state = h("p", { class: "state", role: "status" }, _("Asking the server …"));
    this.element = h("main", { class: "lobby" }, this.title(), this.form(),
      h("section", { class: "card" }, h("h2", {}, _("Open tables")), this.state, this.list),
      h("section", { class: "card" }, h("h2", {}, _("Finished matches")), this.past));
    this.link = new Link(address, name, {
      began: (welcome) => this.ask(welcome),
      hear: (message) => this.hear(message),
      state: (state) => { if (state !== "open") setText(this.state, _("The server does not answer; trying again …")); },
    });
  }

  title() {
    return h("div", { class: "title" }, h("h1", {}, "CONQUEST"), h("p", {}, _("Look on at a match: nothing to install, nothing to sign.")));
  }

  form() {
    const field = h("input", { name: "code", autocomplete: "off", autocapitalize: "characters", spellcheck: "false", maxlength: 26, required: true, placeholder: "VENI42", "aria-label": _("Code of a table") });
    const submit = (event) => {
      event.preventDefault();
      location.assign(`/watch#${encodeURIComponent(field.value.trim())}`);
    };
    return h("form", { class: "card code", onsubmit: submit }, h("label", {}, _("Code of a table"), field), h("button", { type: "submit" }, _("Look on")));
  }

  ask({ can }) {
    this.tables.clear();
    this.link.ask("OpenLobby", true);
    if (can?.includes("recall")) this.link.ask("Past");
  }

  hear(message) {
    if (message.kind === "LobbyList") message.tables.forEach((table) => this.note(part("TableInfo", table)));
    else if (message.kind === "LobbyChange") this.note(part("TableInfo", message.table), message.gone);
    else if (message.kind === "PastList") this.showPast(message.matches.map((match) => part("PastMatch", match)));
    else return;
    this.show();
  }

  note(table, gone = false) {
    if (gone || table.phase === OVER) this.tables.delete(table.match);
    else this.tables.set(table.match, table);
  }

  show() {
    setText(this.state, this.tables.size ? "" : _("Nobody plays at an open table just now."));
    keyed(this.list, [...this.tables.values()].map((table) => [table.match, JSON.stringify(table), () => row(table.match, table.title, tableWords(table))]));
  }

  showPast(matches) {
    keyed(this.past, matches.map((match) => [match.match, "", () => row(match.match, match.title, gameName(match.ruleset))]));
  }

  end() {
    this.link.end();
  }
}

function gameName(ruleset) {
  return WORLD.games[ruleset]?.name ?? ruleset;
}

function tableWords(table) {
  const phase = table.phase === 0 ? _("gathering") : _("playing");
  const seats = _("{taken} of {seats} seats", { taken: table.taken, seats: table.seats });
  const watching = table.watchers ? ` · ${ngettext("{n} watching", "{n} watching", table.watchers)}` : "";
  return `${gameName(table.ruleset)} · ${phase} · ${seats}${watching}`;
}

function row(match, title, words) {
  return h("li", {}, h("a", { href: `/watch#${match}` }, h("b", {}, title || _("A table")), h("span", {}, words)));
}

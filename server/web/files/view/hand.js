// A seat's hand on a phone: what is its alone in large letters, and whose turn it is. Nothing can be done with it.

import { card } from "../model/board.js";
import { HandMatch, keptHand } from "../model/hand.js";
import { plainCode } from "../model/codes.js";
import { _ } from "../words/language.js";
import { columns, numbers, personWords, standing } from "../words/people.js";
import { VALUES, roundWords } from "../words/words.js";
import { askingButton, atNextPicture, h, keyed, setText } from "./dom.js";
import { codeForm } from "./form.js";
import { NewerPage } from "./newer.js";
import { Chronicle, Now, Players } from "./panels.js";
import { picture } from "./pieces.js";

export class Hand {
  constructor(address, name, code) {
    Object.assign(this, { address, name });
    this.draw = atNextPicture(() => this.show());
    this.who = (seat) => this.match.sitter(seat, (n) => (n < 0 ? _("Nobody") : _("Seat {what}", { what: n + 1 })));
    this.element = h("div", { class: "hand" });
    this.newer = new NewerPage();
    if (code || keptHand()) this.read(code);
    else this.ask("");
  }

  read(code) {
    this.match?.end();
    this.match = new HandMatch(this.address, this.name, plainCode(code), () => this.draw());
    // A code that is used up is of no use in the history of the browser.
    this.match.used = () => history.replaceState(history.state, "", "hand");
    this.build();
    this.draw();
  }

  build() {
    this.now = new Now();
    this.players = new Players();
    this.chronicle = new Chronicle();
    this.owner = h("h1", {}, "");
    this.round = h("span", { class: "round" });
    this.state = h("p", { class: "state", role: "status" });
    this.own = h("section", { class: "own" });
    const stop = askingButton(_("Stop reading"), () => this.match.leave());
    this.element.replaceChildren(h("header", { class: "top" }, this.owner, this.round), h("main", {}, this.newer.element, this.state,
      this.now.element, this.own, this.players.element, this.chronicle.element, h("p", { class: "stop" }, stop)));
  }

  // No hand is read: a field for a code; `why`: what became of the last one.
  ask(why) {
    const form = { label: _("Code of a hand"), example: "H7KQ2MWX", action: _("Read along"), open: (code) => this.read(code) };
    this.element.replaceChildren(h("main", { class: "lobby" },
      h("div", { class: "title" }, h("h1", {}, "CONQUEST"), h("p", {}, _("A player's hand, for their own eyes: the code stands on their screen."))),
      codeForm({ ...form, why })));
  }

  show() {
    const { match } = this;
    this.newer.show();
    if (match.closed) return this.ask(match.trouble);
    const lost = match.state === "lost" && match.table ? _("The connection is lost; trying again …") : "";
    setText(this.state, lost || match.trouble);
    const position = match.history.moments.length ? match.position() : null;
    if (!match.table || !position || match.seat < 0) return this.now.wait(_("Asking the server …"));
    return this.showHand(position, match.seat);
  }

  showHand(position, seat) {
    const { match } = this;
    const mine = position.owing === seat;
    document.title = `${mine ? "● " : ""}${this.who(seat)} · Conquest`;
    keyed(this.owner, [["name", this.who(seat), () => h("span", {}, picture(`marker-${seat}`, 34), ` ${this.who(seat)}`)]]);
    setText(this.round, roundWords(position));
    this.now.show(position, this.who, false, match.prompt(match.history.version));
    this.now.element.classList.toggle("mine", mine);
    keyed(this.own, ownParts(position, seat, this.who));
    this.players.show(position, match.table.seats, this.who, []);
    this.chronicle.show(match.chronicle(match.history.version, this.who));
  }

  end() {
    this.match?.end();
  }
}

// Returns the parts that only this seat sees, each with the values that it depends on.
function ownParts(position, seat, who) {
  const held = numbers(position, seat);
  const tiles = columns(position).map((name, i) => [name, held[i]]);
  const more = position.isSecond ? secondParts(position, seat) : [];
  if (position.isSecond && position.chaos[seat] >= 0) tiles.push([_("Chaos"), position.chaos[seat]]);
  const words = [...standing(position, seat), personWords(position, seat, who)];
  return [["tiles", JSON.stringify(tiles), () => h("div", { class: "tiles" }, ...tiles.map(tile))], ...more,
    ["words", words.join(), () => h("p", { class: "card" }, personWords(position, seat, who))]];
}

function tile([name, n]) {
  return h("div", { class: "tile card" }, h("b", {}, `${n}`), h("span", {}, name));
}

function secondParts(position, seat) {
  const senators = position.senators[seat];
  const cards = position.cards[seat];
  const used = position.used[seat];
  return [
    ["senators", senators.join(), () => h("section", { class: "card" }, h("h2", {}, _("Senators")),
      h("div", { class: "senators" }, ...senators.map((n, i) => h("div", { class: n ? "there" : "" }, h("b", {}, VALUES[i]), h("span", {}, `× ${n}`)))))],
    ["cards", JSON.stringify([cards, used]), () => h("section", { class: "card" }, h("h2", {}, _("Cards")),
      cards.length ? h("ul", { class: "held" }, ...cards.map((kind) => {
        const [{ name, text, cost }, gone] = [card(kind), used.includes(kind)];
        return h("li", { class: gone ? "used" : "" }, h("h3", {}, name, h("small", {}, gone ? _("used") : `${cost}`)), h("p", {}, _(text)));
      })) : h("p", {}, _("nothing")))],
  ];
}


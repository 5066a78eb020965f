// The same people play again: the way there, which is taken by itself after a while.

import { _, ngettext } from "../words/language.js";
import { h, setText } from "./dom.js";

const STAYS = 20; // seconds in which the end can be read

export class Sequel {
  // `go(code)`: to the table with that code or id.
  constructor(go) {
    this.go = go;
    this.words = h("p", { role: "status" });
    this.soon = h("p", {}); // it changes each second, which need not be read aloud
    this.link = h("a", { class: "go" }, _("Watch there"));
    this.stay = h("button", { type: "button", onclick: () => this.stop() }, _("Stay here"));
    this.element = h("section", { class: "card sequel", hidden: true }, h("h2", {}, _("They play again")), this.words, this.soon,
      h("p", { class: "ways" }, this.link, this.stay));
    this.left = STAYS;
    this.timer = null;
    this.there = "";
  }

  // `live`: whether the end is looked at, and nothing before it.
  show(invited, live) {
    if (!invited) return;
    this.there = invited.code || invited.match;
    this.element.hidden = false;
    this.link.setAttribute("href", `watch#${this.there}`);
    setText(this.link, invited.seat >= 0 ? _("Take your seat") : _("Watch there"));
    this.live = live;
    if (this.left && !this.timer) this.timer = setInterval(() => this.tick(), 1000);
    this.name = invited.name;
    this.tell();
  }

  tell() {
    const soon = Boolean(this.left && this.live);
    setText(this.words, _("{name} would like to play again.", { name: this.name }));
    setText(this.soon, soon ? ngettext("This page follows in {n} second.", "This page follows in {n} seconds.", this.left) : "");
    this.stay.hidden = this.soon.hidden = !soon;
  }

  tick() {
    if (!this.live || document.hidden) return;
    this.left -= 1;
    if (this.left) return this.tell();
    this.stop();
    return this.go(this.there);
  }

  // Follow no more.
  stop() {
    clearInterval(this.timer);
    this.left = 0;
    if (this.there) this.tell();
  }
}

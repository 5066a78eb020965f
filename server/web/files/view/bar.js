// The bar through the match: back within what was seen, to the beginning where the server has a film, and live again.

import { _ } from "../words/language.js";
import { h, setText } from "./dom.js";

const SPEEDS = [1, 2, 4, 8];
const STEP = 640; // milliseconds from version to version at the slowest

export class Bar {
  // `go(version)`: show that one, null for what is live; `load()`: ask for all that happened before.
  constructor(go, load) {
    Object.assign(this, { go, load, first: 0, last: 0, at: null, live: true, timer: null, speed: 0 });
    const button = (sign, words, act) => h("button", { type: "button", "aria-label": words, title: words, onclick: act }, sign);
    this.range = h("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": _("Version of the match"), oninput: () => this.seek(Number(this.range.value)) });
    this.play = button("▶", _("Play"), () => this.toggle());
    this.pace = button("1×", _("Speed"), () => this.faster());
    this.tellPace();
    this.now = button(_("Live"), _("To what happens now"), () => this.toLive());
    this.now.removeAttribute("aria-label");
    this.now.className = "live";
    this.whole = button("|◀", _("From the beginning"), () => this.load());
    this.whole.className = "whole";
    this.words = h("output", {});
    this.element = h("div", { class: "bar", role: "group", "aria-label": _("Look back") }, this.whole,
      button("◀", _("A step back"), () => this.step(-1)), this.play, button("▷", _("A step forward"), () => this.step(1)),
      this.range, this.words, this.pace, this.now);
  }

  // `live`: whether the match goes on; `canLoad`: whether there may be more before the first.
  show(first, last, live, canLoad) {
    Object.assign(this, { first, last, live });
    this.range.min = first;
    this.range.max = last;
    this.whole.disabled = !canLoad && this.at === this.first;
    // Of one version alone nothing can be seen but what came before.
    const still = first === last;
    this.element.hidden = still && !canLoad;
    this.element.classList.toggle("still", still);
    this.element.classList.toggle("back", !live || this.at !== null);
    setText(this.whole, still ? `|◀ ${_("From the beginning")}` : "|◀");
    this.range.value = this.at ?? last;
    this.range.setAttribute("aria-valuetext", `${this.at ?? last} / ${last}`);
    this.now.hidden = !live;
    this.now.setAttribute("aria-pressed", this.at === null ? "true" : "false");
    setText(this.words, this.at === null ? "" : `${this.at} / ${last}`);
  }

  seek(version) {
    this.at = version >= this.last && this.live ? null : Math.max(this.first, Math.min(this.last, version));
    this.go(this.at);
  }

  step(by) {
    this.stop();
    this.seek((this.at ?? this.last) + by);
  }

  toLive() {
    this.stop();
    this.at = null;
    this.go(null);
  }

  faster() {
    this.speed = (this.speed + 1) % SPEEDS.length;
    this.tellPace();
  }

  // Accessible names contain the visible text.
  tellPace() {
    setText(this.pace, `${SPEEDS[this.speed]}×`);
    this.pace.setAttribute("aria-label", `${_("Speed")} ${SPEEDS[this.speed]}×`);
  }

  toggle() {
    if (this.timer) return this.stop();
    if ((this.at ?? this.last) >= this.last) this.seek(this.first);
    return this.goOn();
  }

  goOn() {
    this.stop();
    setText(this.play, "⏸");
    this.play.setAttribute("aria-label", _("Stop"));
    this.run();
  }

  run() {
    this.timer = setTimeout(() => {
      if (!document.hidden) this.seek((this.at ?? this.last) + 1);
      if (this.at === null || this.at >= this.last) this.stop();
      else this.run();
    }, STEP / SPEEDS[this.speed]);
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = null;
    setText(this.play, "▶");
    this.play.setAttribute("aria-label", _("Play"));
  }
}

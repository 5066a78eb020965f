// Panels beside the board of which one is open, and the buttons that open them. On phones the open one can be drawn up
// over the map (styles/layout.css says where each part stands).

import { _ } from "../words/language.js";
import { h, setText } from "./dom.js";

const WIDE_WINDOW = "(min-width: 56.25em) and (min-height: 34em) and (min-aspect-ratio: 1/1)"; // as in styles/layout.css

const LEAST_HEIGHT = 150; // pixels of a panel in which something can be read

export class Tabs {
  // `frame`: the element around all parts; its `data-open` names the open panel.
  // `shown()`: another panel is open.
  constructor(frame, shown) {
    this.frame = frame;
    this.shown = shown;
    this.buttons = new Map();
    this.nav = h("nav", { class: "tabs", "aria-label": _("Panels") });
    this.taller = h("button", { type: "button", class: "taller", "aria-expanded": "false", onclick: () => this.stretch() });
    this.panels = h("div", { class: "panels" }, this.taller);
    this.stretch(false);
  }

  // A panel with the name of its button. `name` also becomes its class "panel-NAME".
  add(name, words, element) {
    element.classList.add("panel", `panel-${name}`);
    element.id = `panel-${name}`;
    element.setAttribute("tabindex", "0"); // Keys can scroll it.
    element.setAttribute("role", "region");
    element.setAttribute("aria-label", words);
    const button = h("button", { type: "button", class: `to-${name}`, "aria-controls": element.id, "aria-expanded": "false", hidden: !words, onclick: () => this.press(name) }, words);
    this.buttons.set(name, { button, element });
    this.nav.append(button);
    this.panels.append(element);
  }

  // Whether there is such a panel just now, and how it is called.
  offer(name, there, words) {
    const { button, element } = this.buttons.get(name);
    button.hidden = !there;
    setText(button, words);
    element.setAttribute("aria-label", words);
    if (!there && this.open === name) this.show(this.buttons.keys().next().value);
  }

  // The button of the open panel closes it where panels stand in the map's way. One without room is drawn up at once.
  press(name) {
    if (matchMedia(WIDE_WINDOW).matches) return this.show(name);
    const squeezed = this.panels.offsetHeight < LEAST_HEIGHT;
    this.show(this.open === name && !squeezed ? "" : name);
    if (this.open && this.panels.offsetHeight < LEAST_HEIGHT) this.stretch(true);
    return undefined;
  }

  show(name) {
    this.open = name;
    this.frame.dataset.open = name;
    for (const [each, { button, element }] of this.buttons) {
      button.setAttribute("aria-expanded", each === name ? "true" : "false");
      element.classList.toggle("open", each === name);
    }
    if (!name) this.stretch(false);
    this.shown();
  }

  // Draw the open panel up over the map, or let it down.
  stretch(tall = !this.frame.classList.contains("tall")) {
    this.frame.classList.toggle("tall", tall);
    this.taller.setAttribute("aria-expanded", tall ? "true" : "false");
    this.taller.textContent = tall ? "▼" : "▲";
    this.taller.setAttribute("aria-label", tall ? _("Let the panel down") : _("Draw the panel up"));
    this.shown();
  }
}

// Against bots at once: the game, then how strong they are.

import { WORLD } from "../model/board.js";
import { ME } from "../model/identity.js";
import { _, ngettext } from "../words/language.js";
import { h, setText } from "./dom.js";
import { levelWords } from "./room.js";

const SEATS = 3; // players of such a match, this person among them
const SHORT = { round_limit: 8, seasons: 2 }; // values of the options that make a match short

export class QuickStart {
  // `make(plan)`: as for `CreateForm`.
  constructor(make) {
    this.make = make;
    this.described = new Map();
    this.games = h("div", { class: "chips", role: "group", "aria-label": _("The game") });
    this.about = h("small", {});
    this.levels = h("div", { class: "chips levels", role: "group", "aria-label": _("Play against bots") });
    this.short = h("input", { type: "checkbox", checked: true });
    this.limit = h("span", {});
    this.why = h("p", { class: "wrong", role: "alert" });
    this.element = h("section", { class: "card start", hidden: true }, h("h2", {}, _("Play against bots")), this.games, this.about,
      this.levels, h("label", { class: "check" }, this.short, this.limit), this.why);
  }

  // Takes what the server says about a game.
  describe(found) {
    if (!found.levels.length) return;
    this.described.set(found.ruleset, found);
    const { name } = WORLD.games[found.ruleset] ?? { name: found.title };
    this.games.append(h("button", { type: "button", "data-game": found.ruleset, onclick: () => this.choose(found) }, name));
    if (this.element.hidden) this.choose(found);
    this.element.hidden = false;
  }

  choose(found) {
    for (const game of this.games.children) game.setAttribute("aria-pressed", `${game.dataset.game === found.ruleset}`);
    setText(this.about, _(found.suits));
    this.levels.replaceChildren(...found.levels.map((level) => h("button", { type: "button", class: "primary", onclick: () => this.begin(found, level) }, levelWords(level))));
    const [key, n] = shortOption(found);
    setText(this.limit, key === "seasons" ? ngettext("A short match: {n} season", "A short match: {n} seasons", n) : ngettext("A short match: {n} round", "A short match: {n} rounds", n));
    this.limit.parentElement.hidden = !key;
  }

  tell(why) {
    setText(this.why, why);
  }

  wait(waits) {
    for (const level of this.levels.children) level.disabled = waits;
  }

  begin(found, level) {
    const options = this.short.checked ? new Map([shortOption(found)].filter(([key]) => key)) : new Map();
    this.make({ name: ME.name, alone: true, ruleset: found.ruleset, seats: Math.min(found.max_seats, Math.max(found.min_seats, SEATS)), level, options,
      title: _("Against bots"), open: false, pace: null, takeover: 0, away: 0 });
  }
}

// The option that ends a match early, [key, value]; [] where there is none.
function shortOption({ options }) {
  const [key] = options.find(([each]) => each in SHORT) ?? [];
  return key ? [key, SHORT[key]] : [];
}

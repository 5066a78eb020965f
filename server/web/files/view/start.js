// Against bots at once: the game, then how strong they are.

import { WORLD } from "../model/board.js";
import { ME, NEWCOMER } from "../model/identity.js";
import { _, ngettext } from "../words/language.js";
import { h, setText } from "./dom.js";
import { lessons, openLesson } from "./lessons.js";
import { levelWords } from "./room.js";

const SEATS = 3; // players of such a match, this person among them
const SHORT = { round_limit: 8, seasons: 2 }; // values of the options that make a match short

export class QuickStart {
  // `make(plan)`: as for `CreateForm`.
  // `address`: of the server's WebSocket.
  constructor(make, address) {
    Object.assign(this, { make, address });
    this.described = new Map();
    this.games = h("div", { class: "chips", role: "group", "aria-label": _("The game") });
    this.about = h("small", {});
    this.levels = h("div", { class: "chips levels", role: "group", "aria-label": _("Play against bots") });
    this.learn = h("button", { type: "button", class: "primary learn", hidden: true, onclick: () => this.teach(this.chosen.ruleset, this.learn.textContent) }, "");
    this.all = h("button", { type: "button", class: "quiet lessons", hidden: true, onclick: () => this.list() }, _("All lessons and problems …"));
    this.short = h("input", { type: "checkbox", checked: true });
    this.limit = h("span", {});
    this.why = h("p", { class: "wrong", role: "alert" });
    this.element = h("section", { class: "card start", hidden: true }, h("h2", {}, _("Learn, or play against bots")), this.games, this.about,
      h("div", { class: "chips" }, this.learn, this.all), h("h3", {}, _("Against bots")), this.levels, h("label", { class: "check" }, this.short, this.limit), this.why);
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

  // `can`: the abilities of the server.
  offer(can) {
    this.learn.hidden = this.all.hidden = !can?.includes("lessons");
  }

  teach(key, title) {
    this.wait(true);
    this.founding = openLesson(this.address, key, title, (words) => { this.wait(false); this.tell(words); });
  }

  list() {
    lessons().then(({ openLessons }) => openLessons((key, title) => this.teach(key, title)), () => this.tell(_("The server does not answer. Please load this page again.")));
  }

  choose(found) {
    this.chosen = found;
    setText(this.learn, _("Learn {game}", { game: WORLD.games[found.ruleset]?.name ?? found.title }));
    for (const game of this.games.children) game.setAttribute("aria-pressed", `${game.dataset.game === found.ruleset}`);
    setText(this.about, _(found.suits));
    this.levels.replaceChildren(...found.levels.map((level) => h("button", { type: "button", onclick: () => this.begin(found, level) }, levelWords(level))));
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
    this.make({ name: ME.chosen || NEWCOMER, alone: true, ruleset: found.ruleset, seats: Math.min(found.max_seats, Math.max(found.min_seats, SEATS)), level, options,
      title: _("Against bots"), open: false, pace: null, takeover: 0, away: 0 });
  }
}

// The option that ends a match early, [key, value]; [] where there is none.
function shortOption({ options }) {
  const [key] = options.find(([each]) => each in SHORT) ?? [];
  return key ? [key, SHORT[key]] : [];
}

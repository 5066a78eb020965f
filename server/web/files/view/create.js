// A new table: the game with a sentence what it is like, seats, bots, pace, and options folded away.

import { WORLD } from "../model/board.js";
import { ME } from "../model/identity.js";
import { part } from "../wire/link.js";
import { _, ngettext } from "../words/language.js";
import { h, setText } from "./dom.js";
import { nameTrouble, unstored } from "./form.js";
import { aboutLevel, levelWords } from "./room.js";

const LONGEST_TITLE = 40; // letters
const ROOMY = "(min-width: 66em)"; // the form is open from the beginning, as styles/lobby.css has room for it
const FEW_VALUES = 60; // values of an option that a list can show
const MINUTE = 60;
const DAY = 86400;

// Choices for absent players: the rule of SPEC 5, and seconds until a bot plays.
function absences() {
  return [[_("the others decide"), 1, 0], [_("the match waits"), 2, 0], [_("a bot plays after 1 minute"), 0, MINUTE],
    [_("a bot plays after 10 minutes"), 0, 10 * MINUTE]];
}

// Clocks by name: run, each, bank, reserve, as in SPEC 5.
export function paces() {
  return [
    [_("no clock"), null], [_("1 minute a decision"), [2, MINUTE, 0, 0, 0]], [_("5 minutes a decision"), [2, 5 * MINUTE, 0, 0, 0]],
    [_("a brisk evening"), [1, 15, 15 * MINUTE, 5 * MINUTE, 0]], [_("an evening"), [1, 30, 30 * MINUTE, 10 * MINUTE, 0]],
    [_("a long evening"), [1, MINUTE, 60 * MINUTE, 20 * MINUTE, 0]], [_("by post, a day each"), [2, DAY, 7 * DAY, 0, 0]],
    [_("by post, three days each"), [2, 3 * DAY, 14 * DAY, 0, 0]],
  ];
}

export function field(words, control, about = "") {
  return h("label", { class: "field" }, words, control, about ? h("small", {}, about) : null);
}

export function select(items, chosen) {
  const control = h("select", {});
  fillSelect(control, items, chosen);
  return control;
}

function fillSelect(control, items, chosen) {
  control.replaceChildren(...items.map(([value, words]) => h("option", { value }, words)));
  control.value = chosen;
}

function check(words, checked) {
  const box = h("input", { type: "checkbox", checked });
  return { box, element: h("label", { class: "check" }, box, h("span", {}, words)) };
}

export class CreateForm {
  // `make(plan)`: the form was filled in; `plan.alone`: against bots, at once.
  constructor(make) {
    this.make = make;
    this.games = h("fieldset", { class: "games" }, h("legend", { class: "hidden" }, _("The game")));
    this.name = h("input", { name: "name", autocomplete: "nickname", spellcheck: "false", value: ME.chosen, placeholder: _("What others call you") });
    this.title = h("input", { name: "title", autocomplete: "off", maxlength: LONGEST_TITLE, placeholder: _("A table") });
    this.seats = select([], "");
    this.level = select([], "");
    this.level.addEventListener("change", () => this.explain());
    this.about = h("small", {});
    this.pace = select(paces().map(([words], i) => [`${i}`, words]), "0");
    this.absent = select(absences().map(([words], i) => [`${i}`, words]), "0");
    this.listed = check(_("Listed on this server"), true);
    this.options = h("div", { class: "fields" });
    this.more = h("details", { class: "more" }, h("summary", {}, _("More options …")), h("div", { class: "fields" }, field(_("Name of the table"), this.title),
      field(_("Clocks"), this.pace), field(_("When a player is away"), this.absent), this.listed.element), this.options);
    this.why = h("p", { class: "wrong", role: "alert", hidden: true });
    this.friends = h("button", { type: "submit", class: "primary" }, _("Open a table for friends"));
    this.alone = h("button", { type: "button", onclick: () => this.submit(true) }, _("Play against bots"));
    this.form = h("form", { onsubmit: (event) => { event.preventDefault(); this.submit(false); } }, this.games,
      h("div", { class: "fields" }, field(_("Your name"), this.name), field(_("Players"), this.seats), h("label", { class: "field" }, _("Bots"), this.level, this.about)),
      this.why, this.more, unstored(), h("p", { class: "ways" }, this.friends, this.alone));
    this.element = h("details", { class: "card create", open: matchMedia(ROOMY).matches }, h("summary", {}, _("Make a table")), this.form);
    this.described = new Map();
  }

  // Takes what the server says about a game.
  describe(found) {
    const before = this.described.size;
    this.described.set(found.ruleset, { ...found, options: found.options.map((each) => part("Setting", each)) });
    const game = h("input", { type: "radio", name: "game", value: found.ruleset, checked: !before, onchange: () => this.choose(found.ruleset) });
    this.games.append(h("label", {}, game, h("b", {}, WORLD.games[found.ruleset]?.name ?? found.title), h("small", {}, _(found.suits))));
    if (!before) this.choose(found.ruleset);
  }

  choose(ruleset) {
    this.ruleset = ruleset;
    const { min_seats: least, max_seats: most, options, levels } = this.described.get(ruleset);
    const seats = Math.min(most, Math.max(least, Number(this.seats.value) || 3));
    const counts = Array.from({ length: most - least + 1 }, (_none, i) => least + i);
    fillSelect(this.seats, counts.map((n) => [`${n}`, ngettext("{n} player", "{n} players", n)]), `${seats}`);
    fillSelect(this.level, levels.map((level) => [level, levelWords(level)]), this.level.value || "normal");
    this.explain();
    this.controls = new Map(options.map((option) => [option.key, optionControl(option)]));
    this.options.replaceChildren(...options.map((option) => field(_(option.label), this.controls.get(option.key), _(option.help))));
  }

  // Say what the chosen level of bots is good at.
  explain() {
    setText(this.about, aboutLevel(this.described.get(this.ruleset), this.level.value));
  }

  submit(alone) {
    const name = this.name.value.trim();
    const wrong = nameTrouble(name);
    this.tell(wrong);
    if (wrong) {
      this.name.focus();
      return;
    }
    ME.chosen = name;
    const options = this.described.get(this.ruleset).options.map(({ key, default: usual }) => [key, Number(this.controls.get(key).value), usual])
      .filter(([, value, usual]) => value !== usual).map(([key, value]) => [key, value]);
    const [, pace] = paces()[Number(this.pace.value)];
    const [, away, takeover] = absences()[Number(this.absent.value)];
    this.make({ name, alone, ruleset: this.ruleset, seats: Number(this.seats.value), level: this.level.value, options: new Map(options),
      title: this.title.value.trim() || _("{name}'s table", { name }).slice(0, LONGEST_TITLE), open: !alone && this.listed.box.checked,
      pace: alone ? null : pace, takeover, away });
  }

  // Opens the form where it can be seen.
  show() {
    this.element.open = true;
    this.element.scrollIntoView({ block: "start" });
    this.name.focus({ preventScroll: true });
  }

  tell(why) {
    setText(this.why, why);
    this.why.hidden = !why;
    if (why) this.why.scrollIntoView({ block: "nearest" });
  }

  wait(waits) {
    this.friends.disabled = this.alone.disabled = waits;
  }
}

function optionControl({ ranges, labels, default: usual }) {
  const values = ranges.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_none, i) => first + i));
  if (values.length > FEW_VALUES) return h("input", { type: "number", min: values[0], max: values[values.length - 1], value: usual });
  const named = new Map(labels);
  return select(values.map((value) => [`${value}`, named.has(value) ? _(named.get(value)) : `${value}`]), `${usual}`);
}

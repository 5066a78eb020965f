// The fields of a form: numbers with large steps, options to pick, rows, pairs and lists.

import { placeName } from "../model/board.js";
import { FIELD, alike, countIn, counted, picked, share } from "../model/choices.js";
import { _, render } from "../words/language.js";
import { h } from "./dom.js";

const LARGE = 15; // numbers with more values than that have steps of ten, too

// A field with its value. `set(value)`: it has another value. `who(seat)`: the name of a player. `prices`: of its numbers, in talents.
export function fieldShown({ field, at, prices }, value, set, who) {
  const label = render(field.label, who);
  const id = `field-${at}`;
  switch (field.kind) {
    case FIELD.NUMBER: return h("div", { class: "field number" }, stepper({ id, label, value, low: field.low, high: field.high, step: field.step, price: prices[0], use: render(field.uses[0] ?? "", who), set }));
    case FIELD.LIST: return listShown(field, value, set, who, { id, label });
    case FIELD.ROWS: return rowsShown(field, value, set, who, { id, label, prices });
    case FIELD.PAIRS: return pairsShown(field, value, set, who, { id, label });
    default: return optionsShown(field, value, set, who, { id, label });
  }
}

function fieldGroup(label, kind, ...children) {
  return h("fieldset", { class: `field ${kind}` }, h("legend", {}, label), ...children);
}

// A number: none, less, the number itself, more, all. The arrows of the keyboard change it, too.
export function stepper({ id, label, value, low, high, step = 1, price = 0, use = "", set }) {
  const to = (n) => set(Math.max(low, Math.min(high, n)));
  const button = (sign, words, n) => h("button", { type: "button", class: "step", tabindex: "-1", title: words,
    "aria-label": `${label}: ${words}`, disabled: Math.max(low, Math.min(high, n)) === value, onclick: () => to(n) }, sign);
  const far = (high - low) / step > LARGE ? 10 * step : 0;
  const keys = { ArrowUp: value + step, ArrowRight: value + step, ArrowDown: value - step, ArrowLeft: value - step,
    PageUp: value + 10 * step, PageDown: value - 10 * step, Home: low, End: high };
  const press = (event) => {
    if (!(event.key in keys)) return;
    event.preventDefault();
    event.stopPropagation();
    to(keys[event.key]);
  };
  const shown = h("output", { role: "spinbutton", tabindex: "0", "data-focus": id, "aria-label": label, "aria-valuenow": value,
    "aria-description": use || null, "aria-valuemin": low, "aria-valuemax": high, onkeydown: press }, `${value}`);
  const more = [_("of {n}", { n: high }), price ? _("{n} each", { n: price }) : ""].filter(Boolean).join(" · ");
  return h("div", { class: far ? "stepper far" : "stepper" }, h("span", { class: "what" }, label, h("small", {}, more)),
    h("div", { class: "steps" }, button(_("none"), _("none"), 0), far ? button(`−${far}`, `−${far}`, value - far) : null,
      button("−", _("less"), value - step), shown, button("+", _("more"), value + step),
      far ? button(`+${far}`, `+${far}`, value + far) : null, button(_("all"), _("all"), high)), use ? h("p", { class: "use" }, use) : null);
}

// The name of an option, or of those that are alike, with their place where others like them are elsewhere.
function nameOf(group, groups, who) {
  const [{ label, sort, place }] = group;
  const elsewhere = groups.some((other) => other !== group && other.length > 1 && render(other[0].sort, who) === render(sort, who));
  return group.length < 2 ? render(label, who) : [render(sort, who), elsewhere ? placeName(place) : ""].filter(Boolean).join(" · ");
}

// A number for those that are alike (see `share`).
function shareShown(id, label, set, [count, most, of]) {
  return stepper({ id, label, value: count, low: 0, high: most, set: (n) => set(of(n)) });
}

// Draws a field for an option, or for several.
function optionsShown(field, value, set, who, { id, label }) {
  const one = field.kind === FIELD.ONE;
  const groups = one ? [] : alike(field.options);
  const many = groups.filter((group) => group.length > 1);
  const on = (option) => (one ? Number(value) === option.value : value.includes(option.value));
  const single = (option) => !many.some((group) => group.includes(option));
  const chips = field.options.map((option, i) => single(option) && h("button", { type: "button", class: "option", role: one ? "radio" : "checkbox",
    "aria-checked": `${on(option)}`, "data-focus": `${id}-${i}`, onclick: () => set(picked(field, value, option)) }, render(option.label, who))).filter(Boolean);
  return fieldGroup(label, one ? "one" : "set", chips.length ? h("div", { class: chips.length < 2 ? "options long" : "options", role: one ? "radiogroup" : "group", "aria-label": label }, ...chips) : null,
    ...many.map((group, i) => shareShown(`${id}-of-${i}`, nameOf(group, groups, who), set, share(field, value, group))));
}

// Options in an order: each tap adds one at the end, a tap on one that is there takes it out.
function listShown(field, value, set, who, { id, label }) {
  const words = (chosen) => render(field.options.find((option) => option.value === chosen)?.label ?? `${chosen}`, who);
  const there = value.map((chosen, i) => h("li", {}, h("button", { type: "button", class: "option", "aria-checked": "true", role: "checkbox",
    "data-focus": `${id}-there-${i}`, title: _("take out"), onclick: () => set(value.filter((_each, place) => place !== i)) }, `${i + 1}. ${words(chosen)} ×`)));
  const more = field.options.map((option, i) => h("button", { type: "button", class: "option", "data-focus": `${id}-${i}`,
    disabled: value.length >= field.high, onclick: () => set(picked(field, value, option)) }, `+ ${render(option.label, who)}`));
  return fieldGroup(label, "list", h("ol", { class: "options" }, ...there), h("div", { class: "options" }, ...more));
}

// A row for each option, with a number for each column.
function rowsShown(field, value, set, who, { id, label, prices }) {
  const cells = (option, i) => field.columns.map((column, c) => (option.most[c] || option.least[c] ? stepper({
    id: `${id}-${i}-${c}`, label: render(column, who), value: countIn(value, option.value, c), low: option.least[c] ?? 0, high: option.most[c], price: prices[c], use: i ? "" : render(field.uses[c] ?? "", who),
    set: (n) => set(counted(field, value, option.value, c, n)) }) : null));
  return fieldGroup(label, "rows", ...field.options.map((option, i) => h("div", { class: "row", role: "group", "aria-label": render(option.label, who) },
    h("p", { class: "over" }, render(option.label, who)), ...cells(option, i))));
}

// For each option, which of the others go with it.
function pairsShown(field, value, set, who, { id, label }) {
  const has = (a, b) => value.some(([first, second]) => first === a && second === b);
  const turn = (a, b) => {
    const rest = value.filter(([first, second]) => first !== a || second !== b);
    const kept = rest.length < value.length ? rest : [...rest.slice(0, field.high - 1), [a, b]];
    set(kept);
  };
  const chip = (option, i) => (other, j) => h("button", { type: "button", class: "option", role: "checkbox",
    "aria-checked": `${has(option.value, other.value)}`, "data-focus": `${id}-${i}-${j}`, onclick: () => turn(option.value, other.value) }, render(other.label, who));
  const row = (group, i, groups) => {
    const name = nameOf(group, groups, who);
    const shares = group.length < 2 ? [h("div", { class: "options" }, ...field.others.map(chip(group[0], i)))]
      : field.others.map((other, j) => shareShown(`${id}-${i}-${j}`, render(other.label, who), set, share(field, value, group, other)));
    return h("div", { class: "row", role: "group", "aria-label": name }, h("p", { class: "over" }, name), ...shares);
  };
  return fieldGroup(label, "pairs", ...alike(field.options).map(row));
}

// The decision that this player owes, narrowed step by step until one action is whole (SPEC, "Labels and forms"). Nothing
// is sent as an action before the player says so.

import { part } from "../wire/link.js";
import { NONE, placeName } from "./board.js";

const ENDS = "heading\u0004End"; // the group of what ends a turn or passes: it stands last
const FEW = 6; // actions of one kind that are shown one by one, although they could be narrowed or composed
const MANY = 512; // actions that are asked for at most where there is no form
const PAUSE = 120; // milliseconds after one of quick changes before the composed action is tried
const ANY = { kind: NONE, source: NONE, to: NONE, piece: NONE };

const WAYS_BY_FIELD = { source: "source", galley: "source", to: "to", space: "to" }; // fields that a filter knows, too
export const FIELD = { NUMBER: 0, ONE: 1, SET: 2, LIST: 3, ROWS: 4, PAIRS: 5 };

export function labelOf([text, group, source = NONE, to = NONE, piece = NONE, places = [], grave = false]) {
  return { text, group, source, to, piece, places, grave };
}

function choiceOf([value, label, place = NONE, most = [], least = [], sort = ""]) {
  return { value, label, place, most, least, sort };
}

function fieldOf(values) {
  const field = part("Field", values);
  return { ...field, step: field.step || 1, options: (field.options ?? []).map(choiceOf), columns: field.columns ?? [], uses: field.uses ?? [],
    others: (field.others ?? []).map(choiceOf) };
}

function formOf(values) {
  const form = part("Form", values);
  return { ...form, fields: form.fields.map(fieldOf), prices: form.prices ?? [], purse: form.purse ?? NONE };
}

// Odds of a battle: per mille that this seat wins, and more; null if there are none.
function oddsOf(values) {
  return values ? part("Chances", values) : null;
}

// An answer as the page reads it. Of a kind either the actions are kept, if they are all here and few, or its form.
function answerOf({ actions, labels, forms, complete, next, odds }) {
  const all = labels.map((label, i) => ({ action: actions[i], label: labelOf(label) }));
  const counted = (tag) => all.filter(({ action }) => action[0] === tag).length;
  const kept = (forms ?? []).map(formOf).filter(({ tag }) => !complete || counted(tag) > FEW);
  const composed = new Set(kept.map(({ tag }) => tag));
  return { actions: all.filter(({ action }) => !composed.has(action[0])), forms: kept, complete, next: next ?? 0, odds: oddsOf(odds) };
}

// Narrows a complete answer to a part of it.
function answerWithin({ actions, odds }, filter) {
  const fits = ({ action, label }) => (filter.kind === NONE || action[0] === filter.kind)
    && ["source", "to", "piece"].every((name) => filter[name] === NONE || label[name] === filter[name]);
  return { actions: actions.filter(fits), forms: [], complete: true, next: 0, odds };
}

// The place that a form needs first: {field, way}, where `way` is the part of the filter that it sets; null for none.
function nextPlace(form, filter) {
  const ways = form.fields.filter(({ kind, name, options }) => kind === FIELD.ONE && name in WAYS_BY_FIELD
    && new Set(options.map(({ place }) => place).filter((place) => place !== NONE)).size > 1)
    .map((field) => ({ field, way: WAYS_BY_FIELD[field.name] }));
  const led = form.fields.some(({ name }) => name === "to" || name === "space"); // else a galley is a mere part of it
  return ways.find(({ field, way }) => filter[way] === NONE && (led || field.name !== "galley")) ?? null;
}

// A step: the choices within a filter, or a form of which the values are chosen. `words`: the choices before it.
// `frame`: the number of the frame that is answered, 0 for what is allowed at any time.
class Step {
  constructor(frame, filter, words) {
    Object.assign(this, { frame, filter, words, answer: null, form: null, values: null, chosen: null, tried: null, ticket: null });
  }

  // The action that stands here, whole but not sent; null while there is none.
  get action() {
    if (this.form) return [this.form.tag, ...this.values];
    return this.chosen?.action ?? null;
  }

  // Returns the choices in groups by heading: [{heading, entries}]. What cannot be bought back stands last.
  groups() {
    if (!this.answer || this.action) return [];
    const grave = ({ label }) => Boolean(label?.grave);
    const place = ({ entries, ends }) => (entries.every(grave) ? 3 : ends ? 2 : entries.some(({ spots }) => spots.length) ? 0 : 1);
    const groups = this.headed().sort((a, b) => place(a) - place(b));
    for (const { entries } of groups) entries.sort((a, b) => grave(a) - grave(b));
    return groups;
  }

  headed() {
    const groups = [];
    const add = (heading, entries) => {
      const key = JSON.stringify(heading, (_key, value) => (value instanceof Map ? [...value] : value));
      const there = groups.find((group) => group.key === key);
      if (there) there.entries.push(...entries);
      else groups.push({ key, heading, entries, ends: heading[1] === ENDS });
    };
    this.answer.forms.forEach((form, i) => add(form.group, this.formEntries(form, `${form.tag} ${i}`)));
    for (const tag of new Set(this.answer.actions.map(({ action }) => action[0]))) {
      const actions = this.answer.actions.filter(({ action }) => action[0] === tag);
      add(actions[0].label.group, this.actionEntries(tag, actions));
    }
    return groups;
  }

  // `key`: tells forms of the same kind apart.
  formEntries(form, key) {
    const next = nextPlace(form, this.filter);
    const near = this.filter.kind !== NONE || this.filter.source !== NONE || this.filter.to !== NONE;
    if (!next || (!near && next.field.options.length > FEW)) {
      return [{ form, key: `form ${key}`, spots: next ? spotsOf(next) : [], whole: true }];
    }
    const { field, way } = next;
    return field.options.filter(({ place }, i) => place === NONE || field.options.findIndex((each) => each.place === place) === i)
      .map(({ place, label, value }) => {
        const begun = { form, field, value, key: `form ${key} ${place}` };
        // A filter cannot ask for what has no place: the form is opened with it.
        if (place === NONE) return { ...begun, key: `${begun.key} ${value}`, words: label, spots: [] };
        const words = field.options.filter((each) => each.place === place).length > 1 ? placeName(place) : label;
        return { ...begun, words, way: { kind: form.tag, [way]: place }, spots: [[way, place]] };
      });
  }

  actionEntries(tag, actions) {
    if (actions.length > FEW && !this.answer.complete && this.filter.kind === NONE) return [this.kindEntry(tag, actions)];
    const way = actions.length > FEW && ["source", "to"].find((each) => this.filter[each] === NONE && new Set(actions.map(({ label }) => label[each])).size > 1);
    const whole = (each, i) => ({ ...each, key: `action ${tag} ${i}`, spots: spotOf(each.label, this.filter) });
    if (!way) return actions.map(whole);
    const places = new Set(actions.map(({ label }) => label[way]).filter((place) => place !== NONE));
    const narrower = [...places].map((place) => ({ way: { kind: tag, [way]: place }, key: `${tag} ${place}`, place, spots: [[way, place]] }));
    // A filter cannot ask for what has no place: it stands here whole.
    return [...narrower, ...actions.map(whole).filter(({ label }) => label[way] === NONE)];
  }

  // A kind of which more may be known to the server.
  kindEntry(tag, actions) {
    const spots = actions.flatMap(({ label }) => spotOf(label, this.filter));
    return { way: { kind: tag }, key: `kind ${tag}`, words: actions[0].label.group, spots };
  }

  // Fields of the form that are to be seen.
  get fields() {
    return this.form ? priced(this.form).filter(({ field }) => field.label !== "") : [];
  }
}

// The values after field `at` was changed: numbers that count a part of it have the least that is allowed.
function followed({ fields }, values, at) {
  return values.map((value, i) => (fields[i].follows === fields[at].name ? Math.max(0, values[at] - fields[i].beyond) : value));
}

// The fields with their places in the action, and what one of each of their numbers costs.
function priced({ fields, prices }) {
  let from = 0;
  return fields.map((field, at) => {
    const count = { [FIELD.NUMBER]: 1, [FIELD.ROWS]: field.columns.length }[field.kind] ?? 0;
    from += count;
    return { field, at, prices: prices.slice(from - count, from) };
  });
}

// Returns what the values of a form cost, in talents.
export function costOf({ form, values }) {
  const counts = ({ kind, columns }, value) => (kind === FIELD.NUMBER ? [value]
    : columns.map((_column, c) => value.reduce((all, row) => all + row[c + 1], 0)));
  return priced(form).filter(({ prices }) => prices.length)
    .flatMap(({ field, at, prices }) => counts(field, values[at]).map((n, i) => n * prices[i])).reduce((all, n) => all + n, 0);
}

function spotsOf({ field, way }) {
  return field.options.filter(({ place }) => place !== NONE).map(({ place }) => [way, place]);
}

// Returns the space to light for an action: its source, else its target.
function spotOf({ source, to }, filter) {
  if (filter.source === NONE && source !== NONE) return [["source", source]];
  return to === NONE ? [] : [["to", to]];
}

export class Deciding {
  // `match`: that this person plays; `changed()`: something is to be shown.
  constructor(match, changed) {
    Object.assign(this, { match, changed, frame: 0, version: -1, steps: [], sending: false, refusal: null, advice: null });
    this.altering = -Infinity; // when a value was changed last
    this.acted = 0; // the version that this person's last action made
    this.sent = null; // tells the last action that was sent from earlier ones
  }

  get top() {
    return this.steps[this.steps.length - 1] ?? null;
  }

  // Whether there is something to choose from.
  get opened() {
    return this.steps.length > 0;
  }

  // Whether this person owes a decision that can be made here.
  get owes() {
    return this.frame > 0;
  }

  get able() {
    return !this.match.over && this.match.seat >= 0 && Boolean(this.match.can?.includes("labels"));
  }

  // Begin, go on or stop, as the match stands now.
  follow(position) {
    const frame = this.able && position.owing === this.match.seat ? position.top.no : 0;
    if (!this.able || (!frame && this.frame)) this.stop();
    if (!this.able || (!frame && !this.opened)) return;
    if (frame !== this.frame || this.match.history.version !== this.version) this.renew(frame);
    else if (!this.top.answer && !this.top.ticket) this.ask(this.top);
  }

  stop() {
    Object.assign(this, { frame: 0, version: -1, steps: [], sending: false, refusal: null, advice: null });
  }

  // The position is another: what was begun stays, if the same is owed and others acted.
  renew(frame) {
    const goes = frame === this.frame && !this.sending && this.acted <= this.version && this.opened;
    if (!goes) this.stop();
    Object.assign(this, { frame, version: this.match.history.version });
    if (!goes && frame) this.steps = [new Step(frame, ANY, "")];
    if (this.opened) this.ask(this.top);
  }

  // Begin with what is allowed at any time, such as a bargain. `words`: how that is called.
  openOthers(words) {
    this.version = this.match.history.version;
    this.steps.push(new Step(0, ANY, words));
    this.ask(this.top);
    this.changed();
  }

  get others() {
    return this.top?.frame === 0;
  }

  // Ask for the choices within a step's filter. An answer to an older question is dropped.
  async ask(step) {
    if (!this.match.arrived) return;
    const ticket = {};
    step.ticket = ticket;
    const found = await this.considered(step, () => step.ticket === ticket);
    if (step.ticket !== ticket || !this.steps.includes(step)) return;
    step.ticket = null;
    if (found) {
      step.answer = found;
      this.settle(step);
    }
    this.changed();
  }

  // All that the server tells of a filter; null if it cannot be had now. `wanted()`: whether it still matters.
  async considered({ frame, filter: { kind, source, to, piece } }, wanted) {
    const all = [];
    let told = null;
    do {
      told = await this.match.request("Consider", frame, [kind, source, to, piece], told?.next ?? 0);
      if (told?.kind !== "Choices" || !wanted()) return null;
      all.push(told);
    } while (told.next && !all[0].forms?.length && all.reduce((n, { actions }) => n + actions.length, 0) < MANY);
    const joined = { actions: all.flatMap(({ actions }) => actions), labels: all.flatMap(({ labels }) => labels) };
    return answerOf({ ...all[0], ...joined, complete: all[0].complete || (all.length > 1 && !told.next) });
  }

  // Go on by itself where nothing is left to choose.
  settle(step) {
    const { actions, forms } = step.answer;
    const again = step.chosen && actions.find(({ action }) => `${action}` === `${step.chosen.action}`);
    step.chosen = null;
    if (again) this.choose(step, again);
    else if (!actions.length && !forms.length && step.filter !== ANY) this.leaveEmpty(step);
    else if (actions.length === 1 && !forms.length && (step.frame || step.filter !== ANY)) this.choose(step, actions[0]);
    else if (forms.length === 1 && !actions.length && (step.form?.tag === forms[0].tag || !nextPlace(forms[0], step.filter))) this.open(step, forms[0]);
    else step.form = null;
  }

  // The server knows nothing there: the form that led here is opened with what was chosen.
  leaveEmpty(step) {
    this.steps.pop();
    if (step.entry?.form) this.openWith(step.entry);
  }

  // Open a form with that value of a field.
  openWith({ form, field, value }) {
    this.openEntry({ form });
    this.change(form.fields.indexOf(field), value);
  }

  choose(step, chosen) {
    step.chosen = chosen;
    step.tried = { label: chosen.label };
  }

  // Begin a form with its draft; what was chosen in the same form before stays.
  open(step, form) {
    const same = step.form?.tag === form.tag && step.values;
    step.values = same || form.draft.slice(1);
    step.form = form;
    this.tryOut(step, 0);
  }

  // Take an entry of the groups: send what is whole, narrow what is not.
  take(entry) {
    if (entry.action) return this.leadsOn(entry) ? this.confirm(entry) : this.act(entry.action);
    if (entry.way) return this.narrow(entry.way, entry.words ?? "", entry);
    if (entry.field) return this.openWith(entry);
    if (nextPlace(entry.form, this.top.filter)) return this.narrow({ kind: entry.form.tag }, entry.form.name);
    return this.openEntry(entry);
  }

  openEntry({ form }) {
    const step = new Step(this.top.frame, { ...this.top.filter, kind: form.tag }, form.name);
    step.answer = { ...this.top.answer, actions: [], forms: [form] };
    this.steps.push(step);
    this.open(step, form);
    this.changed();
  }

  // Whether an entry only leads to more choices or to the final button. What cannot be bought back takes that button, and
  // so do standing actions, of which one may end the match.
  leadsOn({ action, label }) {
    return !action || !this.top.frame || label.grave;
  }

  confirm(entry) {
    const step = new Step(this.top.frame, this.top.filter, entry.label.group);
    step.answer = this.top.answer;
    this.steps.push(step);
    this.choose(step, entry);
    this.changed();
  }

  narrow(way, words = "", entry = null) {
    const { frame, filter, answer } = this.top;
    const step = new Step(frame, { ...filter, ...way }, words);
    step.entry = entry;
    this.steps.push(step);
    this.refusal = null;
    if (answer?.complete && !answer.forms.length) {
      step.answer = answerWithin(answer, step.filter);
      this.settle(step);
    } else this.ask(step);
    this.changed();
  }

  // Goes back a step; returns whether there was one.
  back() {
    if ((this.steps.length < 2 && !this.others) || this.sending) return false;
    this.steps.pop();
    this.refusal = null;
    this.changed();
    return true;
  }

  // Takes back the last step, or the changes of the form that stands first; returns whether there was one of them.
  undo() {
    if (this.back()) return true;
    if (this.sending || !this.altered) return false;
    this.reset();
    return true;
  }

  // Spaces that can be chosen now: [way, space], where `way` is "source" or "to".
  spots() {
    const step = this.top;
    if (!step || this.sending) return [];
    if (step.form) return step.fields.flatMap(({ field }) => spotsOf({ field, way: "to" }));
    return step.groups().flatMap(({ entries }) => entries.flatMap(({ spots }) => spots));
  }

  // The space that was chosen as the source, if any.
  get from() {
    const source = this.top?.filter.source ?? NONE;
    return source === NONE ? [] : [source];
  }

  // Moves that the action stands for as far as it is known, [from, to].
  get plans() {
    const step = this.top;
    const label = step?.action ? step.tried?.label : null;
    const { source, to } = label ?? step?.filter ?? ANY;
    return source === NONE || to === NONE ? [] : [[source, to]];
  }

  // A space of the board was chosen; returns whether that meant anything.
  tap(space) {
    const step = this.top;
    if (!step || this.sending) return false;
    if (step.form) return this.tapField(step, space) || this.tapAgain(step, space);
    const spot = this.spots().find(([, place]) => place === space);
    if (spot) this.tapSpot(step, spot);
    const meant = Boolean(spot) || this.tapGoal(step, space) || this.tapAgain(step, space);
    this.missed = meant || !this.owes ? null : { step, space };
    if (!meant) this.changed();
    return meant;
  }

  // A space that can be reached, before it is said from where.
  tapGoal({ answer, filter }, space) {
    const reaches = ({ name, options }) => ["to", "armies"].includes(name) && options.some(({ place }) => place === space);
    const form = answer?.forms.find(({ fields }) => fields.some(({ name }) => name === "source") && fields.some(reaches));
    if (!form || filter.source !== NONE || filter.to !== NONE) return false;
    this.narrow({ kind: form.tag, to: space }, form.name);
    return true;
  }

  // Choosing on the board does not tell the kind, unless only one is meant there.
  tapSpot(step, [way, space]) {
    const meant = step.groups().flatMap(({ entries }) => entries)
      .filter(({ spots }) => spots.some(([each, place]) => each === way && place === space));
    if (meant.length === 1 && meant[0].way) this.take(meant[0]);
    else this.narrow({ [way]: space });
  }

  tapField(step, space) {
    for (const { field, at } of step.fields) {
      const option = field.options.find(({ place }) => place === space);
      if (option) {
        this.change(at, picked(field, step.values[at], option));
        return true;
      }
    }
    return false;
  }

  // A space of an earlier step: what was chosen there goes, and it is chosen anew if it is another.
  tapAgain(step, space) {
    if (this.steps.length < 2) return false;
    if (space === step.filter.source || space === step.filter.to) return this.back();
    const kept = this.steps;
    const from = [...kept].reverse().slice(1).find((each) => !each.form
      && each.groups().some(({ entries }) => entries.some(({ spots }) => spots.some(([, place]) => place === space))));
    if (!from) return false;
    this.steps = kept.slice(0, kept.indexOf(from) + 1);
    return this.tap(space);
  }

  // A field of the open form has another value.
  change(at, value) {
    const step = this.top;
    const values = step.values.map((each, i) => (i !== at ? each : typeof each === "boolean" ? Boolean(value) : value));
    step.values = followed(step.form, values, at);
    this.refusal = null;
    const now = performance.now();
    this.tryOut(step, now - this.altering < PAUSE ? PAUSE : 0);
    this.altering = now;
    this.changed();
  }

  // Whether the open form has other values than at its beginning.
  get altered() {
    const step = this.top;
    return Boolean(step?.form) && JSON.stringify(step.values) !== JSON.stringify(step.form.draft.slice(1));
  }

  // Put the form back to its beginning.
  reset() {
    this.top.values = null;
    this.refusal = null;
    this.open(this.top, this.top.form);
    this.changed();
  }

  // Ask what the composed action is called, or why it is not allowed.
  tryOut(step, pause) {
    clearTimeout(this.trying);
    const ticket = {};
    step.ticket = ticket;
    step.tried = null;
    this.trying = setTimeout(async () => {
      const told = await this.match.request("TryAction", step.frame, step.action);
      if (step.ticket !== ticket) return;
      step.ticket = null;
      const { kind, label, odds } = told ?? {};
      step.tried = kind === "Tried" ? { label: label && labelOf(label), odds: oddsOf(odds) } : kind === "Refused" ? { refusal: told } : null;
      this.changed();
    }, pause);
  }

  // Send the action that stands.
  commit() {
    const step = this.top;
    if (step?.action && step.tried?.label) this.act(step.action, step.frame);
  }

  // Send an action; the next version of the match answers it.
  async act(action, frame = this.frame) {
    if (this.sending) return;
    const ticket = {};
    Object.assign(this, { sending: true, sent: ticket, refusal: null, advice: null });
    this.changed();
    const told = await this.match.act(frame, action);
    const accepted = told?.kind === "Accepted";
    if (accepted) this.acted = told.version;
    if (accepted && !frame) this.steps = this.steps.filter((step) => step.frame);
    // An accepted action stays on its way until its version is followed: before that it could be sent again.
    if (this.sent !== ticket || (accepted && this.acted > (frame ? this.version : this.match.history.version))) return;
    if (told?.kind === "Refused") this.refusal = told;
    this.sending = false;
    this.changed();
  }

  // Ask which action the strongest bot would take.
  async advise() {
    const { frame, version } = this;
    this.advice = { asked: true };
    this.changed();
    const told = await this.match.request("Advise", frame);
    if (frame !== this.frame || version !== this.version) return;
    this.advice = told?.kind === "Advice" ? told : null;
    if (told?.kind === "Refused") this.refusal = told;
    this.changed();
  }
}

// The value of a field after one of its options was picked on the board or in the list.
export function picked(field, value, { value: chosen, most }) {
  switch (field.kind) {
    case FIELD.ONE: return chosen;
    case FIELD.SET: return toggled(field, value, chosen);
    case FIELD.LIST: return value.length < field.high ? [...value, chosen] : value;
    case FIELD.ROWS: return counted(field, value, chosen, 0, Math.min(most[0] ?? 0, countIn(value, chosen, 0) + 1));
    default: return value;
  }
}

function toggled({ options, high }, value, chosen) {
  const held = new Set(value);
  if (!held.delete(chosen)) {
    if (held.size >= high) held.delete(value[value.length - 1]);
    held.add(chosen);
  }
  return options.map((option) => option.value).filter((each) => held.has(each));
}

// Options in groups of those that are alike, in which only their number matters.
export function alike(options) {
  const groups = new Map();
  for (const option of options) {
    const key = option.sort ? JSON.stringify([option.sort, option.place]) : groups.size;
    groups.set(key, [...(groups.get(key) ?? []), option]);
  }
  return [...groups.values()];
}

// Returns the number of options of a group that are chosen, or paired with `other`; the most of them; and, by a
// function, the value with `n` of them.
export function share({ options, high }, value, group, other) {
  const first = (each) => (other ? each[0] : each);
  const mine = value.filter((each) => group.some((option) => option.value === first(each)) && (!other || each[1] === other.value));
  const rest = value.filter((each) => !mine.includes(each));
  const free = group.map((option) => option.value).filter((each) => !value.some((chosen) => first(chosen) === each)).reverse();
  const most = [...mine, ...free.map((each) => (other ? [each, other.value] : each))].slice(0, high - rest.length);
  const order = (each) => options.findIndex((option) => option.value === first(each));
  return [mine.length, most.length, (n) => [...rest, ...most.slice(0, n)].sort((a, b) => order(a) - order(b))];
}

// The number in a column of an option's row.
export function countIn(rows, chosen, column) {
  return rows.find(([each]) => each === chosen)?.[column + 1] ?? 0;
}

// Rows with another number in a column of an option; rows without any number are left out.
export function counted({ options, columns }, rows, chosen, column, n) {
  const found = options.map(({ value }) => {
    const row = rows.find(([each]) => each === value) ?? [value, ...columns.map(() => 0)];
    return value === chosen ? row.map((each, i) => (i === column + 1 ? n : each)) : row;
  });
  return found.filter(([, ...numbers]) => numbers.some(Boolean));
}

// "Your decision": what may be chosen, the form of an action, and the one button that says what will be done.

import { NONE, placeName } from "../model/board.js";
import { Deciding, costOf } from "../model/choices.js";
import { _, ngettext, refusalText, render } from "../words/language.js";
import { called } from "../words/words.js";
import { h, keyed, setText } from "./dom.js";
import { fieldShown } from "./fields.js";

const NUMBERED = 9; // choices that have a number key
const LONG = 90; // letters from which on the final button has smaller ones
const WIDE = 24; // letters from which on choices stand below each other
const HALF_ROW = 10; // letters of a word for which half a row is too small

export class Decide {
  // `match`: that this person plays; `who(seat)`: the name of a player; `changed()`: something is to be shown.
  constructor(match, who, changed) {
    Object.assign(this, { match, who, changed });
    this.deciding = new Deciding(match, changed);
    const button = (kind, words, act) => h("button", { type: "button", class: kind, onclick: act, hidden: true }, words);
    this.back = button("back", "", () => this.deciding.back());
    this.back.append("‹ ", _("Back"));
    this.crumb = h("p", { class: "crumb" });
    this.reset = button("reset quiet", _("Start again"), () => this.deciding.reset());
    this.body = h("div", { class: "choices" });
    this.trouble = h("p", { class: "refusal", role: "alert" });
    this.cost = h("p", { class: "cost" });
    this.final = button("final", "", () => this.deciding.commit());
    this.final.dataset.focus = "final";
    this.final.setAttribute("aria-live", "polite");
    this.advice = h("div", { class: "advice", "aria-live": "polite" });
    this.ask = button("quiet", _("Advice"), () => this.deciding.advise());
    this.hasten = button("quiet", _("Do not wait for bots"), () => match.request("Hasten"));
    this.others = button("quiet", _("Other actions"), () => this.deciding.openOthers(_("Other actions")));
    this.waits = h("p", { class: "waits", role: "status" });
    this.crumbs = h("div", { class: "crumbs" }, this.back, this.crumb);
    this.aside = h("div", { class: "aside" }, this.ask, this.hasten, this.others);
    this.foot = h("div", { class: "foot" }, this.reset, this.cost, this.trouble, this.final);
    this.element = h("div", { class: "card decide", role: "group", "aria-label": _("Your decision"), hidden: true },
      this.crumbs, this.waits, this.body, this.advice, this.aside, this.foot);
    this.element.addEventListener("keydown", (event) => this.move(event));
    this.press = (event) => this.key(event);
    document.addEventListener("keydown", this.press);
  }

  get open() {
    return !this.element.hidden;
  }

  // Whether more than the first choices is shown.
  get deep() {
    return this.deciding.steps.length > 1 || Boolean(this.deciding.top?.form);
  }

  end() {
    document.removeEventListener("keydown", this.press);
  }

  // `position`: the one that is looked at now; null while the past is.
  show(position) {
    const { match, deciding } = this;
    const live = position !== null;
    if (live) deciding.follow(position);
    this.element.hidden = !live || match.over || match.seat < 0;
    if (this.element.hidden) return;
    this.focused = this.element.contains(document.activeElement) ? document.activeElement.dataset.focus : null;
    this.element.dataset.asked = deciding.frame;
    this.element.classList.toggle("mine", deciding.owes);
    this.element.classList.toggle("sending", deciding.sending);
    this.element.classList.toggle("deep", this.deep);
    this.element.classList.toggle("further", this.deciding.steps.length > 1);
    this.showWaiting(position);
    if (deciding.opened) this.showStep(deciding.top);
    else this.clear();
    this.showAside(position);
    if (this.pointed && !this.pointed.isConnected) this.point([]); // It leaves without an event.
    if (!this.pointed?.isConnected) this.pointed = null;
  }

  // Call after all other changes: giving the focus needs the layout, which later changes would make anew.
  keepFocus() {
    if (this.open && this.focused && !this.element.contains(document.activeElement)) this.refocus(this.focused);
  }

  clear() {
    keyed(this.body, []);
    for (const element of [this.crumb, this.cost, this.trouble]) setText(element, "");
    this.back.hidden = this.final.hidden = this.reset.hidden = this.crumbs.hidden = true;
    keyed(this.advice, []);
  }

  showWaiting(position) {
    const { deciding } = this;
    const { seat, clock } = this.match;
    const other = position.owing !== NONE && position.owing !== seat;
    const words = clock?.paused ? _("The match is paused.") : position.fallen(seat) ? _("You are out of the match, and may watch its end.") : other ? _("Waiting for {who} …", { who: called(position.owing, this.who) }) : _("A moment …");
    setText(this.waits, deciding.top?.answer ? this.emptyWords(deciding.top) : deciding.opened ? _("A moment …") : words);
  }

  // Nothing is allowed there.
  emptyWords({ answer }) {
    return answer.actions.length || answer.forms.length ? "" : _("There is nothing else to do now.");
  }

  showStep(step) {
    const { deciding } = this;
    this.back.hidden = deciding.steps.length < 2 && !deciding.others;
    this.reset.hidden = !deciding.altered;
    setText(this.crumb, this.crumbWords(step));
    this.crumbs.hidden = this.back.hidden && !this.crumb.textContent;
    keyed(this.body, step.form ? this.fieldItems(step) : this.groupItems(step));
    this.body.classList.toggle("singles", [...this.body.children].some((each) => each.classList.contains("alone")));
    this.holdChoices();
    const { prices = [], purse } = step.form ?? {};
    const cost = prices.length ? costOf(step) : 0;
    setText(this.cost, prices.length ? purse === NONE ? ngettext("{n} talent", "{n} talents", cost) : _("{cost} of {purse} talents", { cost, purse }) : "");
    setText(this.trouble, deciding.refusal ? refusalText(deciding.refusal)
      : deciding.missed?.step === step ? _("{place} cannot be chosen now.", { place: placeName(deciding.missed.space) }) : "");
    this.showFinal(step);
    this.showAdvice(deciding.advice);
  }

  // Returns the choices so far: "March · Italia · Rhaetia".
  crumbWords({ filter, words, answer, frame }) {
    const places = [filter.source, filter.to].filter((space) => space !== NONE).map(placeName);
    const form = this.deciding.steps.filter((each) => each.frame === frame).map((each) => each.form?.name ?? (each.filter.kind === NONE ? "" : each.words)).find((each) => Array.isArray(each)) ?? "";
    const name = render(form || (Array.isArray(words) || !places.length ? words : ""), this.who);
    return [name, ...places, oddsWords(answer?.odds)].filter(Boolean).join(" · ");
  }

  groupItems(step) {
    let number = 0;
    const groups = step.groups();
    return groups.map(({ key, heading, entries, ends }) => {
      const named = entries.map((entry) => [entry, this.entryWords(entry), (number += 1)]);
      const kind = ["group", groups.length > 1 && entries.length === 1 ? "alone" : "", ends ? "ends" : "", broad(named) ? "broad" : ""].filter(Boolean).join(" ");
      const [what, leads] = [render(heading, this.who), (way) => entries.every((entry) => entry.way?.[way] !== undefined)];
      const said = leads("source") ? _("{what} from", { what }) : leads("to") ? _("{what} to", { what }) : what; // "March from"
      return [key, JSON.stringify([kind, said, named.map(([, words, n]) => [words, n])]), () => this.groupShown(kind, said, named)];
    });
  }

  // While an action is on its way, nothing can be chosen. The choices stay: making them anew takes longer.
  holdChoices() {
    const { sending } = this.deciding;
    for (const choice of this.body.querySelectorAll(".choice")) if (choice.disabled !== sending) choice.disabled = sending;
  }

  groupShown(kind, heading, named) {
    return h("div", { class: kind, role: "group", "aria-label": heading }, h("p", { class: "over" }, heading),
      h("div", { class: named.length < 2 || broad(named) ? "options long" : "options" }, ...named.map(([entry, words, n]) => this.entryShown(entry, words, n))));
  }

  // The entry of the answer that is there when it is pressed: its key stays the same as long as its words do.
  entryShown(shown, words, n) {
    const { key, spots } = shown;
    const act = () => {
      const entry = this.deciding.top?.groups().flatMap(({ entries }) => entries).find((each) => each.key === key);
      if (entry && !this.deciding.sending) this.deciding.take(entry);
    };
    const light = (on) => ({ pointerType, target }) => {
      // A finger that taps chooses at once: drawing the board for it would only delay the answer.
      if (pointerType ? pointerType === "touch" : !target.matches(":focus-visible")) return;
      this.point?.(on ? spots.map(([, space]) => space) : []);
      this.pointed = on && spots.length ? target : null;
    };
    const long = words.split(" ").some((word) => word.length > HALF_ROW) ? " whole" : "";
    return h("button", { type: "button", class: `choice ${this.deciding.leadsOn(shown) ? "onward" : "acts"}${long}`, "data-focus": key, "data-kind": shown.action?.[0] ?? shown.form?.tag ?? shown.way?.kind, "data-spaces": spots.map(([, space]) => space).join(" "), onclick: act,
      onpointerenter: light(true), onpointerleave: light(false), onfocus: light(true), onblur: light(false) },
      n <= NUMBERED ? h("kbd", { "aria-hidden": "true" }, `${n}`) : null, h("span", {}, words));
  }

  entryWords({ label, words, form, place, whole }) {
    const said = label?.text ?? (whole ? form.name : words || placeName(place));
    return render(said, this.who);
  }

  fieldItems(step) {
    return step.fields.filter(({ field }) => !settled(field)).map(({ field, at, prices }) => [`field-${at}`, JSON.stringify([step.form.tag, field.low, field.high,
      step.values[at], field.options.map(({ value, most }) => [value, most])]),
    () => fieldShown({ field, at, prices }, step.values[at], (value) => this.deciding.change(at, value), this.who)]);
  }

  showFinal(step) {
    const { tried } = step;
    this.final.hidden = !step.action;
    this.final.disabled = !tried?.label || this.deciding.sending;
    if (tried?.label) setText(this.final, [render(tried.label.text, this.who), oddsWords(tried.odds)].filter(Boolean).join(" · "));
    else if (tried?.refusal) setText(this.final, refusalText(tried.refusal));
    else if (step.action && this.match.state === "lost") setText(this.final, _("The connection is lost; trying again …"));
    else if (step.action && !this.final.textContent) setText(this.final, "…");
    this.final.classList.toggle("refused", Boolean(tried?.refusal));
    this.final.classList.toggle("long", this.final.textContent.length > LONG);
  }

  showAdvice(advice) {
    if (!advice) return keyed(this.advice, []);
    if (advice.asked) return keyed(this.advice, [["asked", "", () => h("p", {}, _("Thinking …"))]]);
    const [words, ...why] = advice.sentences?.length ? advice.sentences.map((each) => render(each, this.who))
      : [advice.words, ...advice.why].map((each) => each.replace(/\{(\d)\}/g, (_gap, seat) => this.who(Number(seat))));
    const act = () => this.deciding.act(advice.action);
    return keyed(this.advice, [["advice", JSON.stringify([words, why]), () => h("div", { class: "said" }, h("p", {}, h("b", {}, words)),
      h("p", {}, why.join(" ")), h("button", { type: "button", class: "choice acts", "data-focus": "advised", onclick: act }, h("span", {}, _("Do that"))))]]);
  }

  showAside({ owing }) {
    const { match, deciding } = this;
    const others = match.table.seats.filter((info, seat) => seat !== match.seat && info.kind !== 3);
    this.others.hidden = !deciding.able || deciding.others || deciding.sending;
    this.ask.hidden = !deciding.owes || deciding.advice !== null || !(match.table.advice || !others.length);
    this.hasten.hidden = !match.can?.includes("hasten") || !(match.table.seats[owing]?.kind >= 3) || Boolean(match.clock?.paused);
    // Below a long list it stays in sight; a form has its last button there.
    if (this.deep === (this.aside.parentElement === this.foot)) this.deep ? this.foot.before(this.aside) : this.foot.prepend(this.aside);
    this.aside.hidden = [this.ask, this.hasten, this.others].every(({ hidden }) => hidden);
  }

  // --- the keyboard ---

  // Number keys take the first choices, Escape goes back or undoes changes, Enter does what the final button says.
  key(event) {
    if (this.element.hidden || !this.element.isConnected || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || typing(event.target)) return;
    if (this.element.closest(".reads")) return; // A coach is read first, and Enter reads on.
    if (event.key === "Escape" && this.deciding.undo()) event.preventDefault();
    else if (/^[1-9]$/.test(event.key)) this.pressButton(this.element.querySelectorAll(".choice")[Number(event.key) - 1], event);
    else if (event.key === "Enter" && this.chosenByEnter(event.target)) this.pressButton(this.final, event);
  }

  // Enter on a number, on what is chosen already, or where nothing has the focus, means the final button.
  chosenByEnter(target) {
    return !this.final.hidden && !this.final.disabled && (target === document.body || target.matches?.("[role=spinbutton], .decide [aria-checked=true]"));
  }

  pressButton(button, event) {
    if (!button || button.disabled) return;
    event.preventDefault();
    button.focus();
    button.click();
  }

  // The arrows lead from choice to choice.
  move(event) {
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (!step || event.defaultPrevented) return;
    const all = [...this.element.querySelectorAll("[data-focus]:not(:disabled):not([hidden])")];
    const at = all.indexOf(document.activeElement);
    if (at < 0) return;
    event.preventDefault();
    all[(at + step + all.length) % all.length].focus();
  }

  // Restores the focus after its element was replaced: to the same choice, else the final button, else the first choice.
  refocus(focus) {
    const all = [...this.element.querySelectorAll("[data-focus]:not(:disabled):not([hidden])")];
    const same = all.find((each) => each.dataset.focus === focus);
    (same ?? (this.final.hidden || this.final.disabled ? all[0] : this.final))?.focus({ preventScroll: !same });
  }
}

// Whether a field has one value only, which need not be shown.
function settled({ kind, low, high, options }) {
  if (kind === 0) return low === high;
  return kind === 1 ? options.length < 2 : !options.length;
}

// Whether choices need the whole width.
function broad(named) {
  return named.some(([, words]) => words.length > WIDE);
}

function typing(target) {
  return Boolean(target.closest?.("input, textarea, select, [contenteditable], dialog"));
}

// "62 % to win"; only what is certain is 0 or 100.
function oddsWords(odds) {
  if (!odds) return "";
  const n = odds.wins % 1000 ? Math.min(99, Math.max(1, Math.round(odds.wins / 10))) : odds.wins / 10;
  return _("{n} % to win", { n });
}

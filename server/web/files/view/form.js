// A field for a code, with what became of the last one.

import { ME } from "../model/identity.js";
import { LONGEST_NAME, LONGEST_TYPED, codeIn } from "../model/codes.js";
import { _ } from "../words/language.js";
import { h } from "./dom.js";

// `open(code)`: a code was given. `why`: what was wrong with `typed`, which stays in the field.
export function codeForm({ label, example, action, open, typed = "", why = "" }) {
  const field = h("input", { name: "code", autocomplete: "off", autocapitalize: "characters", spellcheck: "false", maxlength: LONGEST_TYPED,
    required: true, placeholder: _("e.g. {code}", { code: example }), "aria-label": label, "aria-invalid": why ? "true" : null, value: typed });
  const submit = (event) => {
    event.preventDefault();
    const code = codeIn(field.value);
    if (code) open(code);
    else field.focus();
  };
  return h("form", { class: "card code", onsubmit: submit }, why ? h("p", { class: "wrong", role: "alert" }, why) : null,
    h("label", {}, label, field), h("button", { type: "submit" }, action));
}

// To another part of the page. Where the browser stores nothing, the page stays loaded: it alone knows the keys.
export function go(path) {
  if (ME.stored) return location.assign(path);
  history.pushState(history.state, "", path);
  return dispatchEvent(new PopStateEvent("popstate"));
}

// To the table with that code or id; also where the address is that one already.
export function lookOn(code) {
  const path = `watch#${encodeURIComponent(code)}`;
  if (new URL(path, location.href).href === location.href) dispatchEvent(new PopStateEvent("popstate"));
  else go(path);
}

// Returns the fault of a name, "" for none. A name that is too long is refused, not cut.
export function nameTrouble(name) {
  const { length } = [...name];
  if (!length) return _("Please type your name first.");
  return length > LONGEST_NAME ? _("A name has at most {most} letters; this one has {n}.", { most: LONGEST_NAME, n: length }) : "";
}

// Said where a person sits down, if this browser stores no keys.
export function unstored() {
  return ME.stored ? null : h("small", {}, _("This browser stores nothing for this page: your seats are yours as long as this tab is open."));
}

// The operator's pages, as far as the server has them; they open beside the table, which stays.
export function operatorLinks(can) {
  const names = { terms: _("Terms"), privacy: _("Privacy"), contact: _("Contact") };
  const there = Object.entries(names).filter(([name]) => can?.includes(name));
  return there.map(([name, words]) => h("a", { href: name, target: "_blank", rel: "noopener" }, words));
}

export function tableForm(typed = "", why = "") {
  return codeForm({ label: _("Code of a table"), example: "VENI42", action: _("To the table"), open: lookOn, typed, why });
}

// A field for a code, with what became of the last one.

import { plainCode } from "../model/match.js";
import { _ } from "../words/language.js";
import { h } from "./dom.js";

// `open(code)`: a code was given. `why`: what was wrong with `typed`, which stays in the field.
export function codeForm({ label, example, action, open, typed = "", why = "" }) {
  const field = h("input", { name: "code", autocomplete: "off", autocapitalize: "characters", spellcheck: "false", maxlength: 40,
    required: true, placeholder: _("e.g. {code}", { code: example }), "aria-label": label, "aria-invalid": why ? "true" : null, value: typed });
  const submit = (event) => {
    event.preventDefault();
    if (plainCode(field.value)) open(plainCode(field.value));
    else field.focus();
  };
  return h("form", { class: "card code", onsubmit: submit }, why ? h("p", { class: "wrong", role: "alert" }, why) : null,
    h("label", {}, label, field), h("button", { type: "submit" }, action));
}

// To the table with that code or id; also where the address is that one already.
export function lookOn(code) {
  const there = `#${encodeURIComponent(code)}`;
  if (location.pathname === "/watch" && location.hash === there) dispatchEvent(new HashChangeEvent("hashchange"));
  else location.assign(`/watch${there}`);
}

export function tableForm(typed = "", why = "") {
  return codeForm({ label: _("Code of a table"), example: "VENI42", action: _("To the table"), open: lookOn, typed, why });
}

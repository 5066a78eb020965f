// The person on this server: the name, and the way to further devices (SPEC 5.2).

import { ME, ONLOOKER, randomBytes } from "../model/identity.js";
import { _, ngettext } from "../words/language.js";
import { openDialog } from "./dialog.js";
import { h, setText } from "./dom.js";
import { codeForm } from "./form.js";

const MINUTE_LONG = 60; // seconds

// A window to type a name; `done()`: it has changed.
export function askName(done) {
  const field = h("input", { name: "name", autocomplete: "nickname", spellcheck: "false", maxlength: 24, required: true, value: ME.chosen, placeholder: _("What others call you") });
  const submit = (event) => {
    event.preventDefault();
    if (!field.value.trim()) return;
    ME.chosen = field.value.trim();
    dialog.close();
    done();
  };
  const dialog = openDialog(_("Your name"), h("form", { class: "say", onsubmit: submit }, h("label", { class: "field" }, _("Your name"), field), h("button", { type: "submit" }, _("Keep"))));
}

export class ProfileCard {
  // `ask(kind, ...fields)`: of the lobby; returns a promise of the answer. `renamed()`: the name has changed.
  constructor(ask, renamed) {
    this.ask = ask;
    this.renamed = renamed;
    this.name = h("span", {});
    this.element = h("section", { class: "card profile" }, this.name, h("button", { type: "button", onclick: () => askName(() => { this.show(); renamed(); }) }, _("Change name")),
      h("button", { type: "button", onclick: () => this.openDevices() }, _("Other devices …")));
    this.show();
  }

  show() {
    setText(this.name, ME.name === ONLOOKER ? _("You have no name here yet.") : _("You are {name} here.", { name: ME.name }));
  }

  // Give the profile to another device, or take it from there.
  openDevices() {
    this.code = h("p", { class: "big-code", role: "status" });
    this.about = h("p", {});
    const field = codeForm({ label: _("Code from your other device"), example: "H7KQ2MWX", action: _("Take over"), open: (code) => this.take(code) });
    openDialog(_("Other devices"), h("p", {}, _("Your seats follow you. Ask for a code here and type it on the other device.")),
      h("button", { type: "button", class: "primary", onclick: () => this.give() }, _("Show a code")), this.code, this.about, field);
  }

  async give() {
    await this.ask("Introduce", ME.ownSecret());
    const answer = await this.ask("HandOver");
    setText(this.code, answer.code && answer.kind === "Passage" ? answer.code : "");
    setText(this.about, answer.kind === "Passage" ? ngettext("It is good for {n} minute, and works once.", "It is good for {n} minutes, and works once.", Math.floor(answer.seconds / MINUTE_LONG)) : answer.text ?? "");
  }

  // A new secret of this device's own, for the profile that the code opens.
  async take(code) {
    const secret = randomBytes(32);
    const answer = await this.ask("Introduce", secret, code);
    if (answer.kind !== "Introduced") return setText(this.about, answer.text ?? "");
    ME.renewSecret(secret);
    ME.chosen = answer.name;
    this.show();
    setText(this.about, _("This device has your profile now."));
    return this.renamed();
  }
}

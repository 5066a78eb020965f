// The person on this server: the name, and the devices that have the profile (SPEC 5.2).

import { codeIn } from "../model/codes.js";
import { ME, ONLOOKER, deviceName, randomBytes } from "../model/identity.js";
import { part } from "../wire/link.js";
import { _, ngettext, spoken } from "../words/language.js";
import { openDialog } from "./dialog.js";
import { askingButton, h, setText } from "./dom.js";
import { codeForm, nameTrouble, unstored } from "./form.js";
import { NoticesForm } from "./notices.js";

const MINUTE_LONG = 60; // seconds
const UNITS = [["day", 86400], ["hour", 3600], ["minute", MINUTE_LONG]];

// A time in the past, such as "3 days ago".
function ago(seconds) {
  const [unit, long] = UNITS.find(([, least]) => seconds >= least) ?? UNITS[UNITS.length - 1];
  return new Intl.RelativeTimeFormat(spoken.code, { numeric: "auto" }).format(-Math.floor(seconds / long), unit);
}

// A window to type a name. `done(name)`: it was typed.
export function askName(done, before = ME.chosen) {
  const field = h("input", { name: "name", autocomplete: "nickname", spellcheck: "false", autofocus: true, value: before, placeholder: _("What others call you") });
  const wrong = h("p", { class: "wrong", role: "alert" });
  const submit = (event) => {
    event.preventDefault();
    const name = field.value.trim();
    setText(wrong, nameTrouble(name));
    if (wrong.textContent) return;
    dialog.close();
    done(name);
  };
  const dialog = openDialog(_("Your name"), h("form", { class: "say", onsubmit: submit }, h("label", { class: "field" }, _("Your name"), field), h("button", { type: "submit" }, _("Keep")), wrong));
}

export class ProfileCard {
  // `ask(kind, ...fields)`: of the lobby; returns a promise of the answer. `renamed()`: the name has changed.
  constructor(ask, renamed) {
    this.ask = ask;
    this.renamed = renamed;
    this.name = h("span", {});
    this.notices = h("button", { type: "button", hidden: true, onclick: () => this.openNotices() }, _("Messages to you …"));
    this.naming = h("button", { type: "button", onclick: () => askName((name) => this.rename(name)) });
    this.element = h("section", { class: "card profile" }, this.name, this.naming,
      h("button", { type: "button", onclick: () => this.openDevices() }, _("Your devices …")), this.notices,
      unstored() ?? h("small", {}, _("If you clear this browser's data, only another device with your profile brings it back: link one under “Your devices”.")));
    this.show();
  }

  // `can`: the abilities of the server.
  offer(can) {
    this.notices.hidden = !can?.includes("notices");
  }

  // Set places and times at which this person is told that they must decide, in all matches.
  async openNotices() {
    await this.ask("Introduce", ME.ownSecret());
    return new NoticesForm(this.ask, "");
  }

  rename(name) {
    ME.chosen = name;
    this.show();
    this.renamed();
  }

  show() {
    const unnamed = ME.name === ONLOOKER;
    setText(this.name, unnamed ? _("You have no name here yet.") : _("You are {name} here.", { name: ME.name }));
    setText(this.naming, unnamed ? _("Choose a name") : _("Change name"));
  }

  // Give the profile to another device, or take it from there.
  openDevices() {
    this.code = h("p", { class: "big-code", role: "status" });
    this.about = h("p", { role: "status" });
    this.devices = h("ul", { class: "rows" });
    const field = codeForm({ label: _("Code from your other device"), example: "H7KQ2MWX", action: _("Take over"), open: (code) => this.take(code) });
    openDialog(_("Your devices"), this.devices, h("p", {}, _("Your seats follow you. Ask for a code here and type it on the other device.")),
      h("button", { type: "button", class: "primary", onclick: () => this.give() }, _("Show a code")), this.code, this.about, field);
    if (this.lists && ME.secret) this.list();
  }

  // List the devices of the profile; first end the one with that id.
  async list(...end) {
    await this.ask("Introduce", ME.ownSecret(), "", deviceName());
    const answer = await this.ask("Devices", ...end);
    if (answer.kind === "DeviceList") this.devices.replaceChildren(...answer.devices.map((each) => this.row(part("Device", each))));
    setText(this.about, answer.kind === "DeviceList" ? end.length ? _("That device has been signed out.") : "" : answer.text ?? "");
  }

  row({ id, name, seen, here }) {
    const called = name || _("A device without a name");
    if (here) return h("li", {}, h("span", {}, _("{device}: this device", { device: called })));
    const words = seen < 0 ? called : _("{device}, last here {ago}", { device: called, ago: ago(seen) });
    return h("li", {}, h("span", {}, words), askingButton(_("Sign out"), () => this.list(id)));
  }

  async give() {
    await this.ask("Introduce", ME.ownSecret(), "", deviceName());
    const answer = await this.ask("HandOver");
    this.given = answer.kind === "Passage" ? answer.code : "";
    setText(this.code, this.given);
    setText(this.about, answer.kind === "Passage" ? ngettext("It is good for {n} minute, and works once.", "It is good for {n} minutes, and works once.", Math.floor(answer.seconds / MINUTE_LONG)) : answer.text ?? "");
  }

  // A new secret of this device's own, for the profile that the code opens.
  async take(code) {
    if (code === codeIn(this.given ?? "")) return setText(this.about, _("That is this device's own code: type it on the other device."));
    const secret = randomBytes(32);
    const answer = await this.ask("Introduce", secret, code, deviceName());
    if (answer.kind !== "Introduced") return setText(this.about, answer.text ?? "");
    ME.renewSecret(secret);
    ME.chosen = answer.name;
    this.show();
    setText(this.about, _("This device has your profile now."));
    return this.renamed();
  }
}

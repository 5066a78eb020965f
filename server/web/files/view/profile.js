// The person on this server: the name, the member, the devices and the data (SPEC 5.2).

import { codeIn } from "../model/codes.js";
import { ME, ONLOOKER, deviceName } from "../model/identity.js";
import { part } from "../wire/link.js";
import { _, ngettext, spoken } from "../words/language.js";
import { openDialog } from "./dialog.js";
import { askingButton, h, setText } from "./dom.js";
import { nameTrouble, unstored } from "./form.js";
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

// Words for a Membership: the person here, and the next step.
function memberWords({ name, member, mail, waiting, sends, signed_in: signedIn }) {
  if (signedIn) return _("This device is signed in: you are {name} here.", { name });
  if (waiting.length) return _("A code was sent to {mail}. Enter it here.", { mail: waiting.join(_(" and to ")) });
  if (member) return mail ? _("You are {name} here, a member by {mail}. Your name is yours.", { name, mail }) : _("You are {name} here, a member by invitation. Your name is yours.", { name });
  const way = sends ? _("With a mail address your name is yours, and you come back on any device.") : _("With an invitation of the operator your name is yours.");
  return `${_("You are {name} here, a guest.", { name })} ${way}`;
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
      h("button", { type: "button", onclick: () => this.openProfile() }, _("My profile …")), this.notices,
      unstored() ?? h("small", {}, _("If you clear this browser's data, a mail address or another device brings you back: give one under “My profile”.")));
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

  // Member, devices and data: all of it on this server (SPEC 5.2).
  openProfile() {
    this.about = h("p", { role: "status" });
    this.code = h("p", { class: "big-code", role: "status" });
    this.devices = h("ul", { class: "rows" });
    const field = h("input", { name: "member", autocomplete: "email", autocapitalize: "none", spellcheck: "false", placeholder: "anna@example.org" });
    const enter = (event) => {
      event.preventDefault();
      const words = field.value.trim();
      this.enter(words).then((done) => { if (done && field.value.trim() === words) field.value = ""; });
    };
    const button = (words, act) => h("button", { type: "button", onclick: act }, words);
    openDialog(_("My profile"), this.about,
      h("form", { class: "say", onsubmit: enter }, h("label", { class: "field" }, _("Mail address, or a code"), field), h("button", { type: "submit" }, _("Go on"))),
      h("h3", {}, _("Your devices")), this.devices, h("p", { class: "ways" }, button(_("Show a code"), () => this.give())), this.code,
      h("h3", {}, _("Your data")), h("p", { class: "ways" }, button(_("My data"), () => this.fetchData()), askingButton(_("Delete me"), () => this.erase())));
    if (ME.secret) this.enter("");
    else setText(this.about, _("With a mail address your name is yours, and you come back on any device."));
  }

  async introduce() {
    const answer = await this.ask("Introduce", ME.ownSecret(), "", deviceName());
    this.own = answer.name;
  }

  // Give the server an address or a code, or ask who this is; returns whether it did something.
  async enter(words) {
    if (words && codeIn(words) === codeIn(this.given ?? "")) return setText(this.about, _("That is this device's own code: type it on the other device."));
    await this.introduce();
    const answer = await this.ask("Member", ...(words.includes("@") ? [words, ""] : ["", codeIn(words)]), spoken.code);
    setText(this.about, answer.kind === "Membership" ? memberWords(answer) : answer.text ?? "");
    if (answer.kind !== "Membership") return false;
    this.own = answer.name;
    if (answer.signed_in) ME.chosen = answer.name;
    if (answer.signed_in) this.renamed();
    this.show();
    if (this.lists) this.list();
    return true;
  }

  async fetchData() {
    await this.introduce();
    const pieces = [];
    for (let at = 0, total = 1; at < total; at += pieces.at(-1).length) {
      const answer = await this.ask("OwnData", at);
      if (answer.kind !== "OwnDataPiece") return setText(this.about, answer.text ?? "");
      pieces.push(answer.data);
      total = answer.total;
    }
    const link = h("a", { href: URL.createObjectURL(new Blob(pieces, { type: "application/json" })), download: "conquest.json" });
    return link.click();
  }

  async erase() {
    await this.introduce();
    const answer = await this.ask("EraseMe", this.own);
    if (answer.kind !== "Done") return setText(this.about, answer.text ?? "");
    ME.write({ name: "", secret: null, seats: {} });
    return location.reload();
  }

  // List the devices of the profile; first end the one with that id.
  async list(...end) {
    const answer = await this.ask("Devices", ...end);
    if (answer.kind === "DeviceList") this.devices.replaceChildren(...answer.devices.map((each) => this.row(part("Device", each))));
    if (end.length) setText(this.about, answer.kind === "DeviceList" ? _("That device has been signed out.") : answer.text ?? "");
  }

  row({ id, name, seen, here }) {
    const called = name || _("A device without a name");
    if (here) return h("li", {}, h("span", {}, _("{device}: this device", { device: called })));
    const words = seen < 0 ? called : _("{device}, last here {ago}", { device: called, ago: ago(seen) });
    return h("li", {}, h("span", {}, words), askingButton(_("Sign out"), () => this.list(id)));
  }

  async give() {
    await this.introduce();
    const answer = await this.ask("HandOver");
    this.given = answer.kind === "Passage" ? answer.code : "";
    setText(this.code, this.given);
    setText(this.about, answer.kind === "Passage" ? ngettext("It is good for {n} minute, and works once.", "It is good for {n} minutes, and works once.", Math.floor(answer.seconds / MINUTE_LONG)) : answer.text ?? "");
  }
}

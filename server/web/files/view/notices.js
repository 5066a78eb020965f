// Settings of notices: places and times at which this person is told that they must decide (SPEC 5.10).

import { codeIn } from "../model/codes.js";
import { part } from "../wire/link.js";
import { _, spoken } from "../words/language.js";
import { openDialog } from "./dialog.js";
import { h, setText } from "./dom.js";

const MINUTES_AN_HOUR = 60; // minutes
const MINUTES_A_DAY = 1440; // minutes
const AS_USUAL = "usual";
const WHEN_TOLD = () => [["never", _("Never")], ["away", _("While I am away")], ["always", _("Always, with an open window too")]];

function timeOfDay(minute) {
  return `${String(Math.floor(minute / MINUTES_AN_HOUR)).padStart(2, "0")}:${String(minute % MINUTES_AN_HOUR).padStart(2, "0")}`;
}

function minuteOfDay(text) {
  const [hours, rest] = text.split(":").map(Number);
  return hours * MINUTES_AN_HOUR + rest;
}

// The minutes of a typed time such as "30 min", "2 h" or "2", which means hours; 0 for none, NaN for anything else.
function minutesOf(text) {
  const [, number, unit] = /^(\d{1,5}(?:[.,]\d+)?)\s*([a-z]*)\.?$/i.exec(text.trim()) ?? [];
  const each = { m: 1, "": MINUTES_AN_HOUR, h: MINUTES_AN_HOUR, s: MINUTES_AN_HOUR, d: MINUTES_A_DAY, t: MINUTES_A_DAY }[(unit ?? "").slice(0, 1).toLowerCase()];
  const minutes = text.trim() ? Math.round(Number((number ?? "x").replace(",", ".")) * each) : 0;
  return minutes <= 7 * MINUTES_A_DAY ? minutes : NaN; // The server takes no more.
}

// That time as it is typed, "" for none.
function reminderWords(minutes) {
  if (!minutes) return "";
  return minutes % MINUTES_AN_HOUR ? `${minutes} min` : `${minutes / MINUTES_AN_HOUR} h`;
}

// A window with the settings, for the match at hand.
export function openNotices(match) {
  return new NoticesForm((...asked) => match.request(...asked), match.table.match);
}

// `ask(kind, ...fields)`: returns a promise of the answer; `match`: id of the match at hand, "" for none.
export class NoticesForm {
  constructor(ask, match) {
    Object.assign(this, { ask, match });
    this.said = h("p", { role: "status" });
    this.body = h("div", {});
    this.dialog = openDialog(_("Messages to you"), this.body, this.said);
    this.send();
  }

  async send(...fields) {
    const answer = await this.ask("Notify", ...fields);
    if (answer?.kind !== "Notifying") setText(this.said, answer?.text ?? _("The server did not answer."));
    else this.show(answer, fields.length > 0);
    return answer?.kind === "Notifying" ? answer : null;
  }

  show({ settings, ways, waiting }, changed) {
    const it = part("NoticeSettings", settings);
    const here = it.matches.find(([match]) => match === this.match)?.[1] ?? AS_USUAL;
    const field = (name, words, value, type = "text", more = {}) => h("label", { class: "field" }, words, h("input", { name, type, value, maxlength: 500, spellcheck: "false", ...more }));
    const choice = (name, words, options, now) => h("label", { class: "field" }, words, h("select", { name }, ...options.map(([value, label]) => h("option", { value, selected: value === now }, label))));
    const [begin, end] = it.quiet;
    const quiet = begin !== end;
    const foreign = ways.includes("ntfy") ? [field("ntfy", _("Link of your ntfy topic"), it.ntfy, "url"), field("discord", _("Link of a Discord webhook"), it.discord, "url"), field("mention", _("Your user id there, to be mentioned"), it.mention)] : [];
    const mail = ways.includes("mail") ? [field("mail", _("E-mail"), it.mail, "email"), waiting ? field("code", _("Code from the mail to {address}", { address: waiting }), "") : null] : [];
    this.form = h("form", { class: "say notices", onsubmit: (event) => { event.preventDefault(); this.save(it); } },
      choice("when", _("When it is your turn"), WHEN_TOLD(), it.when), this.match ? choice("here", _("In this match"), [[AS_USUAL, _("as usual")], ...WHEN_TOLD()], here) : null, ...mail, ...foreign,
      field("begin", _("Quiet from"), quiet ? timeOfDay(begin) : "", "time"), field("end", _("Quiet until"), quiet ? timeOfDay(end) : "", "time"),
      field("remind", _("Reminder before the deadline"), reminderWords(it.remind), "text", { placeholder: "30 min" }),
      h("p", { class: "ways" }, h("button", { type: "submit", class: "primary" }, _("Save")), h("button", { type: "button", onclick: () => this.try() }, _("Try it"))));
    this.body.replaceChildren(this.form);
    const code = waiting ? _("A mail with a code goes to {address}: enter the code here when it has come.", { address: waiting }) : "";
    setText(this.said, code || (changed ? _("Saved.") : ""));
  }

  save(before) {
    const typed = Object.fromEntries(new FormData(this.form));
    if (typed.code) return this.send(null, codeIn(typed.code));
    const remind = minutesOf(typed.remind);
    if (Number.isNaN(remind)) return setText(this.said, _("Say how long before the deadline, such as 30 min, 2 h or 1 d; at most 7 d."));
    const matches = before.matches.filter(([match]) => match !== this.match);
    if (this.match && typed.here !== AS_USUAL) matches.push([this.match, typed.here]);
    if (!typed.begin !== !typed.end) return setText(this.said, _("Not saved: quiet hours need a beginning and an end."));
    const quiet = typed.begin && typed.end ? [minuteOfDay(typed.begin), minuteOfDay(typed.end)] : [0, 0];
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || before.zone;
    return this.send([typed.when, typed.mail ?? before.mail, typed.ntfy ?? before.ntfy, typed.discord ?? before.discord, typed.mention ?? before.mention,
      quiet, zone, spoken.code, remind, matches.slice(-64)]);
  }

  async try() {
    const told = await this.send(null, "", true);
    const it = told && part("NoticeSettings", told.settings);
    if (told) setText(this.said, it.mail || it.ntfy || it.discord || told.devices ? _("A notice is on its way to each place that you set.") : _("Nothing was sent: no place for messages is set and confirmed yet."));
  }
}

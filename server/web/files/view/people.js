// Buttons of a player apart from the game's actions: undo, proposals, votes, mute, rematch, leave.

import { ME, ONLOOKER } from "../model/identity.js";
import { _ } from "../words/language.js";
import { ASK_PAUSE, AbsentPanel, SEAT_MATTER } from "./absent.js";
import { AlertOffer } from "./alert.js";
import { openDialog } from "./dialog.js";
import { askingButton, h, keyed, setText } from "./dom.js";
import { go, lookOn } from "./form.js";
import { openInvitation } from "./invite.js";
import { openNotices } from "./notices.js";
import { openPerson } from "./person.js";
import { pollWords } from "./panels.js";
import { picture } from "./pieces.js";
import { askName } from "./profile.js";
import { openRules, rulesButton } from "./rules.js";
import { levelWords } from "./room.js";
import { themeSwitch } from "./theme.js";

const GO_ON = 1; // matters of votes (SPEC 5.6)
const BACK = 3;
const END = 4;
const TIME = 5;
const IS_AWAY = new Set([2, 4]); // kinds of seats: away, and a bot stands in
const IS_BOT = 3;
const UNDECIDED = 0;
const MORE_TIME = 600; // seconds

const SEAT_SIGN = "＋"; // in place of the words where there is no room
const UNDO_SIGN = "↶";
const MENU_SIGN = "☰";

function button(words, act, kind = "") {
  return h("button", { type: "button", class: kind || null, onclick: act }, words);
}

// A button of the bar, of which small windows show the sign alone.
function signed(sign, words, act, kind = "") {
  if (!sign) return button(words, act, kind);
  return h("button", { type: "button", class: kind || null, title: words, onclick: act }, h("span", { class: "sign", "aria-hidden": "true" }, sign), h("span", { class: "words" }, words));
}

export class PersonBar {
  // `looked()`: the version that is looked at, null for the last; `look(version)`: look at one. `alert`: of turns.
  constructor(match, who, looked, alert, look) {
    Object.assign(this, { match, who, looked, alert, look });
    this.you = h("span", { class: "you" });
    this.buttons = h("span", { class: "ways" });
    this.why = h("p", { class: "wrong", role: "alert", hidden: true });
    this.polls = h("div", { class: "polls" });
    this.muted = []; // names that this person, the host, has muted
    this.wanted = null; // the seat for which this spectator asks as soon as they have a name
    this.absent = new AbsentPanel(match, who, (matter, motion) => this.propose(matter, motion));
    this.element = h("section", { class: "own-bar", hidden: true, "aria-label": _("You") }, this.you, this.buttons, this.why);
  }

  show() {
    const { match } = this;
    const { seat } = match;
    this.element.hidden = !match.table;
    this.element.parentElement?.classList.toggle("own", !this.element.hidden);
    const turn = match.waited ? [["turn", "", () => h("p", { class: "turn" }, _("Your turn"))]] : []; // where the decision is covered
    keyed(this.polls, [...turn, ...this.absent.shown(), ...this.pauseShown(), ...(seat < 0 ? [] : [...match.polls.values()].map((poll) => [`${poll.number}`, JSON.stringify(poll), () => this.pollShown(poll)]))]);
    if (seat < 0) return this.showOnlooker();
    this.wanted = null;
    keyed(this.you, [["you", `${seat}${this.who(seat)}`, () => h("span", { class: "you" }, picture(`marker-${seat}`, 24), this.who(seat))]]);
    return keyed(this.buttons, this.offered().map(([words, act, kind, sign]) => [words, `${kind ?? ""}${match.undo > 0}`, () => signed(sign, words, act, kind)]));
  }

  // Players can give the seat of an absent person to a spectator, whose name they see here.
  showOnlooker() {
    const { match } = this;
    const words = ME.chosen ? _("You watch as {name}. Players can give you the seat of a bot, or of a person who is away.", { name: ME.chosen }) : _("You watch. With a name, players can give you the seat of a bot, or of a person who is away.");
    keyed(this.you, []);
    if (this.wanted !== null && ME.chosen && match.arrived && match.link.name === ME.name) this.askSeat(this.wanted);
    const seats = this.seatsToAskFor();
    const asked = seats.length ? [["seat", seats.join(), () => signed(SEAT_SIGN, _("Take a seat …"), () => this.openSeats(), "primary")]] : [];
    keyed(this.buttons, [...asked, ["table", words, () => signed(MENU_SIGN, _("Table …"), () => openDialog(_("The table"), h("p", {}, words),
      h("p", { class: "ways" }, button(_("Invite friends …"), () => openInvitation(match.table)), button(_("Change name"), () => askName((name) => { ME.chosen = name; match.come(); })), button(_("Rules in short"), () => openRules(match)), themeSwitch())))]]);
  }

  // Seats of bots and of absent persons: the players are asked whether this spectator may have one.
  seatsToAskFor() {
    const { table, can, over } = this.match;
    if (over || table.phase !== 1 || !can?.includes("seat-requests") || !table.seats.some(({ kind }) => kind !== IS_BOT)) return [];
    return table.seats.flatMap(({ kind }, seat) => (kind === IS_BOT || IS_AWAY.has(kind) ? [seat] : []));
  }

  openSeats() {
    const rows = this.seatsToAskFor().map((seat) => h("li", {}, h("span", {}, this.who(seat)), button(_("Ask for this seat"), () => this.wantSeat(seat))));
    this.dialog = openDialog(_("Take a seat"), h("p", {}, _("The players are asked whether you may play on for a bot, or for a person who is away.")), h("ul", { class: "rows" }, ...rows));
  }

  // Spectators need a name of their own first.
  wantSeat(seat) {
    this.dialog.close();
    if (ME.chosen) this.askSeat(seat);
    else askName((name) => { ME.chosen = name; this.wanted = seat; this.match.come(); });
  }

  askSeat(seat) {
    this.wanted = null;
    return this.propose(SEAT_MATTER, { seat, name: ME.name });
  }

  // The buttons of the bar: words and what they do.
  offered() {
    const { match } = this;
    if (match.over) {
      return [[_("Play again"), () => this.ask("Rematch"), match.invited ? "hidden" : "primary"], [_("Leave"), () => this.leave()]]
        .filter(([, , kind]) => kind !== "hidden");
    }
    const undo = match.undo > 0 ? [[_("Undo"), () => this.undo(false), "", UNDO_SIGN]] : this.againOffered();
    return [...undo, [_("Table …"), () => this.openTable(), "", MENU_SIGN]];
  }

  // Alone against bots the last decision can come back, even after dice.
  againOffered() {
    const { table, seat, can } = this.match;
    const alone = table.seats.every((info, other) => other === seat || info.kind === IS_BOT);
    return alone && !this.match.fresh && !table.forward_only && can?.includes("undo") ? [[_("Undo"), () => this.askUndo(), "asks", UNDO_SIGN]] : [];
  }

  // The deeds of others and the dice go too, so the first press only asks, and says what was decided.
  askUndo() {
    const deed = this.match.lastDeed(this.who);
    openDialog(_("{what}: are you sure?", { what: _("Undo") }), deed ? h("p", {}, _("Back to the moment before this: “{deed}”", { deed })) : null,
      h("p", { class: "ways" }, button(_("Undo"), (event) => { event.target.closest("dialog").close(); this.undo(true); }, "primary")));
  }

  undo(again) {
    this.look(Infinity);
    return this.ask("Undo", this.match.history.version, again);
  }

  async ask(kind, ...fields) {
    const answer = await this.match.request(kind, ...fields);
    const why = answer === null ? _("The server did not answer.") : answer.kind === "Refused" ? answer.text : "";
    setText(this.why, why);
    this.why.hidden = !why;
    if (why) addEventListener("click", () => { this.why.hidden = true; }, { once: true, capture: true }); // It was read.
    if (answer?.kind === "Invited") lookOn(answer.code || answer.match);
    return Boolean(answer) && !why;
  }

  propose(matter, { seat = -1, to = 0, level = "", name = "", seconds = 0, turn = false } = {}) {
    this.dialog?.close();
    return this.ask("Propose", [matter, seat, to, level, name, seconds, null, turn]);
  }

  // Why nothing can be done now, and the way on, unless the table is asked already.
  pauseShown() {
    const { clock, seat, over, polls } = this.match;
    const asked = [...polls.values()].some(({ motion, outcome }) => motion.matter === GO_ON && outcome === UNDECIDED);
    return clock?.paused && seat >= 0 && !over && !asked
      ? [["paused", "", () => h("div", { role: "status" }, h("span", {}, _("The match is paused.")), h("p", { class: "ways" }, button(_("Ask to go on"), () => this.propose(GO_ON))))]] : [];
  }

  // A question to the table, with buttons for those who may answer.
  pollShown(poll) {
    const { seat } = this.match;
    const asked = poll.outcome === UNDECIDED && poll.voters.includes(seat);
    const vote = (words, yes, given) => h("button", { type: "button", "aria-pressed": `${given.includes(seat)}`, onclick: () => this.ask("Vote", poll.number, yes) }, words);
    return h("div", { role: "status", "data-asked": poll.number }, h("span", {}, pollWords(poll, poll.motion, this.who, this.match.seat)),
      poll.motion.matter === BACK && poll.outcome === UNDECIDED ? this.momentShown(poll.motion.to) : null,
      asked ? h("p", { class: "ways" }, vote(_("Yes"), true, poll.ayes), vote(_("No"), false, poll.noes)) : null,
      poll.outcome === UNDECIDED ? null : h("p", { class: "ways" }, button(_("Close"), () => this.match.dismiss(poll.number))));
  }

  // The moment to which a vote would lead: what would be undone first, and a look at it.
  momentShown(to) {
    const undone = this.match.chronicle(Infinity, this.who).find(({ version, said }) => version > to && !said)?.words;
    return h("p", { class: "ways" }, undone ? _("Back to the moment before this: “{deed}”", { deed: undone }) : null, button(_("Look at that moment"), () => this.look(to)));
  }

  openTable() {
    const { match } = this;
    const { table, can } = match;
    const rows = [h("li", { class: "ways" }, rulesButton(match), themeSwitch())];
    const add = (words, ...buttons) => rows.push(h("li", {}, h("span", {}, words), ...buttons));
    if (can?.includes("votes")) this.addVotes(add, table);
    table.seats.forEach((info, seat) => {
      if (info.kind === IS_BOT) this.addBot(add, seat, table);
      else if (info.name && seat !== match.seat) this.addPerson(add, info, seat, table);
    });
    this.addAlert(add);
    this.addInvitation(add);
    if (can?.includes("hasten")) add(_("Bots make no pauses until you decide again."), button(_("Faster"), () => { this.dialog.close(); this.ask("Hasten"); }));
    if (table.phase === 1) add(_("Hear what spectators say."), ...this.choice(match.listens, [_("Listen"), _("Do not listen")], async (on) => { if (await this.ask("Listen", on)) match.listens = on; return match.listens; }));
    add(match.position()?.fallen(match.seat) ? _("You are out of the match, and may watch its end.") : _("A bot plays for you until you come back."), askingButton(_("Leave"), () => this.leave()));
    this.dialog = openDialog(_("The table"), h("ul", { class: "rows" }, ...rows));
  }

  // Two buttons of which one is pressed. `set(on)`: returns a promise of what holds then.
  choice(now, [yes, no], set) {
    const pair = [yes, no].map((words, i) => button(words, async () => mark(await set(i === 0))));
    const mark = (on) => pair.forEach((each, i) => each.setAttribute("aria-pressed", `${on === (i === 0)}`));
    mark(now);
    return pair;
  }

  addAlert(add) {
    const offer = new AlertOffer(this.alert.device);
    add(offer.words, offer.button);
  }

  addInvitation(add) {
    const { match } = this;
    if (match.can?.includes("notices")) add(_("Mails and messages when it is your turn."), button(_("Messages to you …"), () => { this.dialog.close(); openNotices(match); }));
    add(_("Friends can watch by a link, and players come back by it."), button(_("Invite friends …"), () => { this.dialog.close(); openInvitation(match.table); }));
  }

  addVotes(add, table) {
    const paused = Boolean(this.match.clock?.paused);
    if (paused) add(_("The match is paused."), button(_("Ask to go on"), () => this.propose(GO_ON)));
    else add(_("Clocks and bots stand still."), button(_("Ask for a pause"), () => this.propose(ASK_PAUSE)));
    const at = this.looked();
    if (!table.forward_only) {
      add(at === null ? _("Look back to the position that you want, then ask here.") : _("Go back to the position that you look at."),
        h("button", { type: "button", disabled: at === null, onclick: () => this.propose(BACK, { to: at }) }, _("Ask to go back")));
    }
    if (table.pace?.[0]) add(_("Ten minutes more for you."), button(_("Ask for time"), () => this.propose(TIME, { seat: this.match.seat, seconds: MORE_TIME })));
    add(_("The match ends now, and is counted as it stands."), askingButton(_("Ask to end"), () => this.propose(END)));
  }

  // Spectators can take a bot's seat, if the players let them.
  addBot(add, seat, table) {
    const people = (table.onlookers ?? []).filter((spectator) => spectator !== ONLOOKER);
    if (!people.length || !this.match.can?.includes("votes")) return;
    add(_("A bot plays for {name}. Give the seat to:", { name: this.who(seat) }), ...people.map((spectator) => button(spectator, () => this.propose(SEAT_MATTER, { seat, name: spectator }))));
  }

  addPerson(add, info, seat, table) {
    const name = this.who(seat);
    const away = IS_AWAY.has(info.kind) && this.match.can?.includes("votes");
    const level = "normal";
    const buttons = away ? [button(_("A bot, {level}", { level: levelWords(level) }), () => this.propose(SEAT_MATTER, { seat, level })),
      ...(table.onlookers ?? []).map((spectator) => button(spectator, () => this.propose(SEAT_MATTER, { seat, name: spectator })))] : [];
    if (buttons.length) add(_("{name} is away. Ask that another plays:", { name }), ...buttons);
    const mute = async (on) => {
      if (await this.ask("Mute", info.name, on)) this.muted = on ? [...this.muted, info.name] : this.muted.filter((each) => each !== info.name);
      return this.muted.includes(info.name);
    };
    const host = table.host ? this.choice(this.muted.includes(info.name), [_("Mute"), _("Hear")], mute) : [];
    add(_("What {name} says", { name }), ...host, button(_("Report or hide …"), () => openPerson(this.match, info.name)));
  }

  async leave() {
    this.dialog?.close();
    await this.match.leave();
    go("./");
  }
}

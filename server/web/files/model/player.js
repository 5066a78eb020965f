// A match in which this person may have a seat: sits down, comes back by the seat's token, and acts.

import { _ } from "../words/language.js";
import { part } from "../wire/link.js";
import { GATHERING } from "./board.js";
import { History } from "./history.js";
import { ME, ONLOOKER, deviceName, randomBytes } from "./identity.js";
import { Match } from "./match.js";

const UNSEATED = -1;
const ANY_SEAT = -1;
const A_SECOND = 1000; // after which a message that came too fast may be sent again (SPEC 6)
const REPLACED = 4001;
const AGAIN_ASKED = new Set(["Consider", "TryAction", "Advise", "Describe", "Mine", "Coach"]); // change nothing, or the same again
const GONE = new Set(["bad-token", "no-match"]); // refusals after which a token is of no use

export class PlayedMatch extends Match {
  // `wish`: the id or the code of a table.
  constructor(address, wish, changed) {
    super(address, ME.name, wish, changed);
    this.seat = UNSEATED; // of this person
    this.audience = UNSEATED; // the seat as which all of the history was seen
    this.joining = null; // the request for a seat, until it is answered: {seat, key}
    this.refusal = null; // of the last request for a seat
    this.asked = new Map(); // requests that wait for an answer, by their number
    this.acts = new Map(); // actions that wait for an answer, by their command
    this.hushed = new Set(ME.hidden); // names
    this.blocks = []; // people on the list, as the server told it last
    this.listens = false; // whether spectators are heard
    this.undo = 0; // times that this person may take an action back now
    this.fresh = false; // whether this page saw the beginning, and this person has decided nothing since
    this.searched = false; // whether the profile was asked for a seat here
    this.arrived = false; // whether the table was told on this connection: requests before that hinder a return
    this.elsewhere = false; // whether the seat is open in another window
  }

  enter(welcome) {
    this.arrived = false;
    this.pushKey = welcome.push_key ?? this.pushKey; // of the server, for alerts to devices
    for (const [number, { again, done }] of this.asked) {
      if (again) continue;
      this.asked.delete(number);
      done(null);
    }
    super.enter(welcome);
  }

  // By the token of a seat; else by a request for one, or to look on.
  enterBy(way) {
    const held = this.heldSeat;
    this.resuming = Boolean(held);
    if (held) {
      this.watch = this.link.ask("Resume", held.match, held.token, this.known = this.seat >= 0 && this.audience === this.seat ? this.have : 0);
      return;
    }
    if (ME.secret) this.introduce();
    const [match, code] = way;
    this.known = !this.joining && this.audience === UNSEATED ? this.have : 0;
    if (this.joining) this.watch = this.link.ask("Join", match, code, this.joining.seat, this.joining.key);
    else this.watch = this.link.ask("Watch", match, code, this.known);
  }

  get heldSeat() {
    const [, code = ""] = this.ways[this.ways.length - 1] ?? [];
    return ME.seatAt(this.table?.match || this.wish, this.table?.code || code);
  }

  // Not one to this very table, which the server repeats for a while.
  onSummons(message) {
    if (!message.match || message.match !== (this.table?.match || this.wish)) this.summoned?.(message);
  }

  introduce() {
    if (this.can?.includes("profile")) this.link.ask("Introduce", ME.ownSecret(), "", deviceName());
  }

  // Take a seat under that name.
  sit(name, seat = ANY_SEAT) {
    ME.chosen = name;
    ME.ownSecret();
    this.refusal = null;
    this.joining = { seat, key: randomBytes(16) };
    this.come();
  }

  // Enter anew: a connection is at one table, and has one name.
  come() {
    if (this.link.name !== ME.name || this.link.ended) {
      this.arrived = false;
      this.link.rename(ME.name);
    } else if (this.table) this.link.ask("Leave");
    this.changed();
  }

  // Take the seat back from the other window.
  playHere() {
    this.elsewhere = false;
    this.link.rename(ME.name);
  }

  onSeated({ ref, match, seat, token, command }) {
    const [, code = ""] = this.ways[this.ways.length - 1] ?? [];
    ME.keepSeat(match, token, this.table?.code || code);
    Object.assign(this, { seat, joining: null, refusal: null, trouble: "", elsewhere: false });
    this.link.ref = Math.max(this.link.ref, command);
    if (this.audience !== seat) this.see(seat);
    if (ref && ref === this.watch) this.introduce(); // Its arrival tells the server that the new token is here.
    for (const [number, act] of this.acts) this.link.send("Act", number, ...act.fields);
  }

  // From now on all is seen from that seat.
  see(seat) {
    this.audience = seat;
    this.history = new History();
    this.forget();
  }

  hear(message) {
    const number = message.ref ?? message.command ?? 0;
    const waiting = this.asked.get(number) ?? this.acts.get(number);
    if (waiting && message.code === "rate") {
      setTimeout(waiting.send, A_SECOND);
      return;
    }
    if (waiting) {
      this.asked.delete(number);
      this.fresh &&= !this.acts.delete(number);
      waiting.done(message);
    }
    super.hear(message);
  }

  // Send a request; returns a promise of its answer, or of its refusal, and of null if the connection was lost. Questions
  // are asked again on the next connection.
  request(kind, ...fields) {
    return new Promise((done) => {
      const number = this.link.ask(kind, ...fields);
      this.asked.set(number, { done, again: AGAIN_ASKED.has(kind), send: () => this.link.send(kind, number, ...fields) });
    });
  }

  // Take an action; returns a promise of its answer. It is sent again after a lost connection, and acts once.
  act(frame, action) {
    this.onAct?.(action);
    return new Promise((done) => {
      const number = this.link.ask("Act", frame, action);
      const send = () => this.link.send("Act", number, frame, action);
      this.acts.set(number, { done, send, fields: [frame, action] });
    });
  }

  // Say something to the table, which hears it, this person too; `refused(words)`: why it does not.
  say(text, refused) {
    if (this.state !== "open" || !this.arrived) return refused(_("The server did not answer."));
    const number = this.link.ask("Say", text);
    this.asked.set(number, { said: true, done: (answer) => refused(answer?.text ?? _("The server did not answer.")), send: () => this.link.send("Say", number, text) });
    return undefined;
  }

  // Set the wishes about a person; returns a promise of why not, "" if it is done. People without a profile
  // are hidden on this device.
  async block(name, avoid, hide) {
    const answer = this.can?.includes("blocks") ? await this.request("Block", name, avoid, hide) : { code: "no-person" };
    if (answer?.kind === "Blocks") return "";
    if (!["no-person", "no-profile"].includes(answer?.code)) return answer?.text ?? _("The server did not answer.");
    ME.hidden = [...ME.hidden.filter((each) => each !== name), ...(hide ? [name] : [])];
    this.hide([...this.hushed].filter((each) => each !== name));
    return avoid ? answer.text : "";
  }

  onBlocks({ people, here }) {
    this.blocks = people.map((each) => part("Blocked", each));
    this.hide(here);
  }

  hide(names) {
    this.hushed = new Set([...names, ...ME.hidden]);
    if (this.table) this.table.onlookers = this.table.onlookers?.filter((name) => !this.hushed.has(name));
    this.chat = this.chat.filter((line) => !this.hushed.has(line.name));
    this.changed();
  }

  onSaid(message) {
    const [number] = [...this.asked].find(([, { said }]) => said && message.seat === this.seat) ?? [];
    this.asked.delete(number);
    if (!this.hushed.has(message.name)) super.onSaid(message);
  }

  // The seat of the next match is kept, so that opening its table is enough.
  onInvited(message) {
    if (message.seat >= 0) ME.keepSeat(message.match, message.token, message.code);
    super.onInvited(message);
  }

  // Whether this person is to decide.
  get waited() {
    return this.seat >= 0 && !this.over && Boolean(this.clock?.seats.includes(this.seat));
  }

  onSnapshot(message) {
    this.undo = message.undo ?? 0;
    super.onSnapshot(message);
  }

  onFrame(message) {
    this.undo = message.undo ?? 0;
    super.onFrame(message);
  }

  onTableState(message) {
    super.onTableState({ ...message, onlookers: message.onlookers?.filter((name) => !this.hushed.has(name)) });
    this.seat = message.you;
    this.fresh ||= message.phase === GATHERING;
    if (!this.arrived) for (const { again, send } of this.asked.values()) if (again) send();
    this.arrived = true;
    if (message.code) ME.noteCode(message.match, message.code);
    this.bindDice(message);
    if (this.seat < 0 && !this.joining && !this.searched && ME.secret) this.search(message.match);
  }

  // A number of this player's own, on which the dice depend.
  bindDice({ phase, pledge }) {
    if (phase !== 0 || this.seat < 0 || !pledge || this.numbered === this.seat || !this.can?.includes("proof")) return;
    this.numbered = this.seat;
    this.link.ask("Number", randomBytes(32));
  }

  // A seat that the same profile took on another device.
  async search(match) {
    this.searched = true;
    if (!this.can?.includes("mine")) return;
    const answer = await this.request("Mine", []);
    const mine = (answer?.seats ?? []).map((seat) => part("Holding", seat)).find((each) => each.match === match && each.known);
    if (!mine || mine.seat < 0 || this.seat >= 0) return;
    ME.keepSeat(match, ME.secret, this.table?.code);
    this.come();
  }

  onRefused(message) {
    if (message.ref === 0 && message.code === "name") this.refuseName(message);
    else if (message.ref === this.watch && this.resuming && GONE.has(message.code)) this.forgetSeat();
    else if (message.ref === this.watch && this.joining) this.refuseSeat(message);
    else super.onRefused(message);
  }

  refuseName(message) {
    ME.chosen = "";
    this.joining = null;
    this.refusal = message;
    this.link.rename(ONLOOKER);
  }

  // The token opens nothing any more, but the profile may: another device of it came to the seat.
  forgetSeat() {
    const held = this.heldSeat;
    if (held && ME.secret && `${held.token}` !== `${ME.secret}`) {
      ME.keepSeat(held.match, ME.secret);
      this.enterBy(this.ways[0]);
      return;
    }
    if (held) ME.dropSeat(held.match);
    this.leaveSeat();
    this.enterBy(this.ways[0]);
  }

  leaveSeat() {
    this.seat = UNSEATED;
    if (this.audience !== UNSEATED) this.see(UNSEATED);
  }

  // A code that could be an id of a match was tried as a seat's code first. Now watch the match.
  refuseSeat(message) {
    if (message.code === "no-match" && this.ways.length > 1) this.ways.shift();
    else Object.assign(this, { joining: null, refusal: message });
    this.enterBy(this.ways[0]);
  }

  onLeft(message) {
    if (message.code === "left" && (this.joining || this.heldSeat) && !this.leaving) {
      this.enterBy(this.ways[0]);
      return;
    }
    if (message.code === "kicked" && this.heldSeat) ME.dropSeat(this.heldSeat.match);
    super.onLeft(message);
  }

  // Get up. Before the start the seat is free again; later a bot plays on until the person returns.
  leave() {
    this.leaving = true;
    if (this.table?.phase === 0 && this.heldSeat) ME.dropSeat(this.heldSeat.match);
    return this.request("Leave");
  }

  onEnded(code) {
    if (code === REPLACED) this.elsewhere = true;
  }

  // Returns the first line since the last decision of this player that counts, mostly the decision itself; "" for none.
  lastDeed(who) {
    const { history, seat } = this;
    for (let at = history.version; at > history.first;) {
      const moment = history.at(at);
      if (moment.back) at = part("Back", moment.back).to;
      else if (this.prompt(at - 1)?.seat !== seat) at -= 1;
      else return this.chronicle(Infinity, who).find(({ version, said }) => version >= at && !said)?.words ?? "";
    }
    return "";
  }

  get refusalWords() {
    return this.refusal ? { full: _("All seats are taken."), started: _("The match has begun.") }[this.refusal.code] ?? this.refusal.text : "";
  }
}

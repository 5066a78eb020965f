// A match as spectators see it: its table, its history and the chronicle.

import { Link, part } from "../wire/link.js";
import { Recalling, film } from "../wire/film.js";
import { OVER, WORLD } from "./board.js";
import { plainCode } from "./codes.js";
import { History } from "./history.js";
import { Narration } from "./narration.js";
import { Position, eventOf } from "./read.js";
import { _, lineOf } from "../words/language.js";

const ID = /^[0-9a-z]{1,26}$/; // of a match; how long it is says nothing (SPEC 5)
const LONGEST = 16; // letters of a code
const LATER = new Set(["rate", "full", "storage"]); // refusals after which trying again helps
const LOOKING_ON = -1; // the seat of spectators in lines of chat
const NOTED = -3; // the same of what the server said to this client alone
const CARRIED = 1; // outcome of a vote
const AGAIN = 5000; // milliseconds until then

// Ways to the table that was asked for, [match, code], in the order in which they are tried. What could be an id is tried
// as one first: wrong codes make an address wait, wrong ids do not.
export function waysTo(wish) {
  const code = plainCode(wish);
  const ways = ID.test(wish) ? [[wish, ""]] : [];
  return code && code.length <= LONGEST ? [...ways, ["", code]] : ways;
}

export class Match {
  // `wish`: the id or the code of a table. `changed()`: something is to be shown.
  constructor(address, name, wish, changed) {
    Object.assign(this, { wish, changed });
    this.history = new History();
    this.table = null;
    this.forget();
    this.chat = [];
    this.clock = null;
    this.poll = null;
    this.polls = new Map();
    this.absent = []; // seats of absent players
    this.ways = waysTo(wish);
    this.invited = null; // to the table that follows this one
    this.result = null; // how the match ended
    this.pledged = ""; // what the dice were bound by, as seen before the end, in hexadecimal
    this.dice = ""; // "kept", "broken" or "untold": whether the server did what it had bound itself to
    this.trouble = ""; // why nothing can be seen, in words of the server
    this.missing = false; // whether there is no such table
    this.state = "lost";
    this.recall = false; // whether the server has films
    this.recalling = null;
    this.link = new Link(address, name, {
      began: (welcome) => this.enter(welcome), hear: (message) => this.hear(message),
      state: (state, code) => {
        this.state = state;
        if (state === "ended") this.onEnded?.(code);
        this.changed();
      },
    });
  }

  // Forget what was told.
  forget() {
    this.narration = new Narration();
    this.story = new Map(); // by version, what was before the first position: {events, back}
    this.lines = new Map(); // of the chronicle, by version
  }

  // The version up to which all is here, positions and words: the words come behind the frames.
  get have() {
    return Math.min(this.history.version, this.narration.version || this.history.version);
  }

  enter({ can }) {
    this.absent = [];
    this.polls.clear(); // Those that are still open are told anew.
    this.poll = null;
    this.can = can;
    this.recall = Boolean(can?.includes("recall"));
    this.recalling = null;
    if (this.ways.length) this.enterBy(this.ways[0]);
    else this.miss();
  }

  enterBy([match, code]) {
    this.watch = this.link.ask("Watch", match, code, this.known = this.have);
  }

  // There is no such table.
  miss() {
    this.missing = true;
    this.link.end();
    this.changed();
  }

  hear(message) {
    if (this.recalling?.hear(message)) return;
    const handle = this[`on${message.kind}`];
    if (!handle) return;
    handle.call(this, message);
    this.changed();
  }

  onSnapshot(message) {
    this.ask(this.history.hear(message));
  }

  onFrame(message) {
    this.ask(this.history.hear(message));
  }

  // A snapshot, where something does not add up.
  ask(found) {
    if (found === "sync") this.link.send("Sync", this.history.version);
  }

  onRefused({ ref, code, text }) {
    if (ref === 0 && this.history.waiting) {
      setTimeout(() => this.link.send("Sync", this.history.version), 1000);
    } else if (code === "banned") this.trouble = text;
    else if (ref === this.watch) this.turnAway(code, text);
  }

  turnAway(code, text) {
    if (LATER.has(code)) {
      this.trouble = text;
      setTimeout(() => this.enter({ can: this.can }), AGAIN);
    } else if (code === "no-match" && this.ways.length > 1) {
      this.ways.shift();
      this.enterBy(this.ways[0]);
    } else if (code === "no-match" && !this.table) {
      this.trouble = text;
      this.miss();
    } else if (this.recall && this.ways[0][0] && !this.history.moments.length) {
      this.load();
    } else {
      this.trouble = text;
      this.link.end();
    }
  }

  onTableState(message) {
    const before = this.table;
    this.trouble = "";
    if (message.phase !== OVER) this.pledged ||= hexOf(message.pledge?.[0] ?? []);
    this.table = { ...message, seats: message.seats.map((seat) => part("SeatInfo", seat)) };
    if (before && this.named(before) !== this.named(this.table)) this.lines.clear();
  }

  // A person came or left.
  onPresence({ seat, kindOf, bot, watchers }) {
    const { table } = this;
    if (seat < 0) this.table = { ...table, watchers };
    else this.table = { ...table, seats: table.seats.map((info, i) => (i === seat ? { ...info, kind: kindOf, bot } : info)) };
  }

  named(table) {
    return table.seats.map((seat) => seat.name).join("\n");
  }

  onNarrated(message) {
    this.narration.hear(message);
  }

  onStory({ events, chat, backs }) {
    const lines = chat.map((line) => ({ ...part("Line", line), version: this.history.version }));
    if (this.known) {
      // A return: only what was said meanwhile is new.
      const same = (one, other) => one.seat === other.seat && one.name === other.name && one.text === other.text;
      const last = this.chat.filter(({ seat }) => seat !== NOTED).at(-1);
      this.chat.push(...lines.slice(lines.findLastIndex((line) => last && same(line, last)) + 1).filter(({ name }) => !this.hushed?.has(name)));
      return;
    }
    this.story.clear();
    this.lines.clear();
    for (const [at, event] of events) this.story.set(at, { events: [...(this.story.get(at)?.events ?? []), event], back: null });
    for (const [at, back] of backs ?? []) this.story.set(at, { events: [], back });
    this.chat = lines;
  }

  onSaid({ seat, name, text }) {
    this.chat.push({ seat, name, text, version: this.history.version });
  }

  onClock({ seats, left, clocks, paused }) {
    const now = performance.now();
    this.clock = { seats, left, clocks: (clocks ?? []).map((clock) => part("SeatClock", clock)), paused, now };
  }

  onPoll(message) {
    const poll = { ...message, motion: part("Motion", message.motion) };
    // The end of an earlier question is old once the same is asked again.
    const same = ({ motion, outcome }) => outcome && motion.matter === poll.motion.matter && motion.seat === poll.motion.seat;
    for (const [number, before] of this.polls) if (number < poll.number && same(before)) this.polls.delete(number);
    if (poll.outcome !== CARRIED || poll.missed) this.polls.set(poll.number, poll);
    else this.polls.delete(poll.number);
    this.poll = this.polls.values().next().value ?? poll;
  }

  // The reader has seen how a vote ended.
  dismiss(number) {
    this.polls.delete(number);
    this.changed();
  }

  onAbsent({ seats }) {
    const now = performance.now();
    this.absent = seats.map((seat) => ({ ...part("AbsentSeat", seat), now }));
  }

  // Seconds that are still counted down for an absent player.
  absentLeft({ left, now }) {
    return Math.max(0, Math.round(left - (performance.now() - now) / 1000));
  }

  onNotice({ text }) {
    this.chat.push({ seat: NOTED, name: "", text, version: this.history.version });
  }

  // There is another table for the same people.
  onInvited(message) {
    this.invited = message;
  }

  onResult(message) {
    this.result = { ...message, ranks: message.ranks.map((rank) => part("Rank", rank)) };
  }

  // The secret behind the dice. Browsers compute its hash only in secure contexts (https, or this computer).
  onProof({ match, secret, key }) {
    if (match !== this.table?.match || this.dice) return;
    this.dice = "untold";
    if (!this.pledged || !globalThis.crypto?.subtle) return;
    const text = [...new TextEncoder().encode("conquest dice 1\ncommitment"), ...secret, ...key];
    crypto.subtle.digest("SHA-256", new Uint8Array(text)).then((hash) => {
      this.dice = hexOf(new Uint8Array(hash)) === this.pledged ? "kept" : "broken";
      this.changed();
    });
  }

  onLeft({ text }) {
    this.trouble = text;
    this.link.end();
  }

  // Returns the name of the person on a seat; `words(seat)` if it has none.
  sitter(seat, words) {
    const info = this.table?.seats[seat];
    return info?.name || (info?.bot ? WORLD.bots[seat] : words(seat));
  }

  get game() {
    return this.table?.ruleset;
  }

  get over() {
    return this.table?.phase === OVER;
  }

  position(version) {
    const moment = this.history.at(version ?? this.history.version);
    return moment ? new Position(this.game, moment.view, this.over && moment.version === this.history.version) : null;
  }

  events(version) {
    return this.history.at(version).events.map((values) => eventOf(this.game, values));
  }

  // The decision owed at a version; undefined where it was not told.
  prompt(version) {
    return this.narration.prompts.get(version);
  }

  // The chronicle up to a version: what was told, and what was said.
  chronicle(version, who) {
    const told = this.narration.upTo(version).flatMap((at) => this.linesAt(at, who));
    return withChat(told, this.chat.filter((line) => line.version <= version));
  }

  linesAt(version, who) {
    if (!this.lines.has(version)) this.lines.set(version, this.linesOf(version, who));
    return this.lines.get(version);
  }

  // The lines of a version. Each event has one, and a position that came back.
  linesOf(version, who) {
    const moment = this.history.at(version);
    const known = moment?.version === version && (moment.events.length || moment.back) ? moment : this.story.get(version);
    const { events = [], back = null } = known ?? {};
    const sentences = this.narration.lines.get(version);
    const marks = events.length === sentences.length ? events.map((values) => this.markOf(values)) : [];
    const mark = back ? { seat: part("Back", back).seat, loud: true } : { seat: -1, loud: false };
    return sentences.flatMap((told, i) => (told ? [{ version, words: lineOf(told, who), ...(marks[i] ?? mark) }] : []));
  }

  // Returns the seat whose colour marks an event, and whether the event is important.
  markOf(values) {
    const event = eventOf(this.game, values);
    return { seat: event.attacker ?? event.seat ?? event.winner ?? -1, loud: WORLD.games[this.game].loud.includes(event.kind) };
  }

  // All that happened before, as a film of the server; `done(text)`: "" or why not.
  load(done = () => {}) {
    if (this.recalling) return;
    const [id, code] = this.ways[0];
    const match = this.table?.match || id;
    const finish = (text) => {
      this.recalling = null;
      if (text && !this.history.moments.length) this.trouble = text;
      done(text);
      this.changed();
    };
    this.recalling = new Recalling(this.link, match, code, (bytes) => this.unreel(bytes).then(() => finish(""), (error) => finish(String(error))), finish);
    this.changed();
  }

  async unreel(bytes) {
    const found = await film(bytes);
    const older = new History();
    for (const message of found.messages) if (older.hear(message) === "sync") throw new Error("The film is damaged.");
    const { ruleset, names, title } = found;
    const seats = names.map((name) => ({ kind: name ? 1 : 3, name, bot: name ? "" : "bot" }));
    this.table ??= { match: "", title, ruleset, phase: OVER, seats, watchers: 0, code: "", film: true };
    found.words.forEach((words) => this.narration.hear(words));
    this.lines.clear();
    this.history.prepend(older);
    this.history.checked += older.checked;
  }

  end() {
    this.link.end();
  }
}

function hexOf(bytes) {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// Lines of chat behind what had happened when they were said.
function withChat(told, said) {
  const lines = [];
  let at = 0;
  for (const line of told) {
    while (at < said.length && said[at].version < line.version) lines.push(chatLine(said[at++]));
    lines.push(line);
  }
  return [...lines, ...said.slice(at).map(chatLine)];
}

const CHAT = new WeakMap();

function chatLine(said) {
  const { seat, name, text } = said;
  const words = seat === LOOKING_ON ? _("{name} (watching): {text}", { name, text }) : name ? `${name}: ${text}` : text;
  if (!CHAT.has(said)) CHAT.set(said, { version: said.version, words, seat: said.seat, said: true, name, text });
  return CHAT.get(said);
}

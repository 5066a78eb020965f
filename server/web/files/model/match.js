// One match as somebody who looks on is told it: the table around it, all that was seen, the chronicle.

import { Link, part } from "../wire/link.js";
import { Recalling, film } from "../wire/film.js";
import { OVER, WORLD } from "./board.js";
import { History } from "./history.js";
import { Position, eventOf } from "./read.js";

const ID = /^[0-9a-z]{1,26}$/; // of a match; how long it is says nothing (SPEC 5)
const LONGEST = 16; // letters of a code
const LATER = new Set(["rate", "full", "storage"]); // refusals after which trying again helps
const AGAIN = 5000; // milliseconds until then

// A code as servers make it, from what a person typed: "scb rgs" is SCBRGS.
export function plainCode(typed) {
  return typed.replace(/[^\p{L}\p{N}]/gu, "").toUpperCase();
}

// Ways to the table that was asked for, [match, code], in the order in which they are tried. What could be an id is tried
// as one first: wrong codes make an address wait, wrong ids do not.
export function waysTo(wish) {
  const code = plainCode(wish);
  const ways = ID.test(wish) ? [[wish, ""]] : [];
  return code && code.length <= LONGEST ? [...ways, ["", code]] : ways;
}

export class Match {
  // `wish`: the id or the code of a table. `tell(game, event, who)`: an event in words; `tellBack(back, who)`.
  // `changed()`: something is to be shown.
  constructor(address, name, wish, { tell, tellBack, changed }) {
    Object.assign(this, { wish, tell, tellBack, changed });
    this.history = new History();
    this.table = null;
    this.story = [];
    this.chat = [];
    this.clock = null;
    this.poll = null;
    this.polls = new Map();
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
    this.lines = new WeakMap();
    this.link = new Link(address, name, {
      began: (welcome) => this.enter(welcome), hear: (message) => this.hear(message),
      state: (state) => { this.state = state; this.changed(); },
    });
  }

  enter({ can }) {
    this.can = can;
    this.recall = Boolean(can?.includes("recall"));
    this.recalling = null;
    if (this.ways.length) this.enterBy(this.ways[0]);
    else this.miss();
  }

  enterBy([match, code]) {
    this.watch = this.link.ask("Watch", match, code, this.history.version);
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
    } else if (ref === this.watch) this.turnAway(code, text);
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
    if (before && this.named(before) !== this.named(this.table)) this.lines = new WeakMap();
  }

  // Somebody came or went.
  onPresence({ seat, kindOf, bot, watchers }) {
    const { table } = this;
    if (seat < 0) this.table = { ...table, watchers };
    else this.table = { ...table, seats: table.seats.map((info, i) => (i === seat ? { ...info, kind: kindOf, bot } : info)) };
  }

  named(table) {
    return table.seats.map((seat) => seat.name).join("\n");
  }

  onStory({ events, chat }) {
    this.story = events;
    this.chat = chat.map((line) => ({ ...part("Line", line), version: this.history.version }));
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
    if (poll.outcome === 0) this.polls.set(poll.number, poll);
    else this.polls.delete(poll.number);
    this.poll = this.polls.values().next().value ?? poll;
  }

  onNotice({ text }) {
    this.chat.push({ seat: -2, name: "", text, version: this.history.version });
  }

  // There is another table for the same people.
  onInvited(message) {
    this.invited = message;
  }

  onResult(message) {
    this.result = { ...message, ranks: message.ranks.map((rank) => part("Rank", rank)) };
  }

  // What the dice were made from. Browsers compute its hash only where nobody can listen (https, or this computer).
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

  // Who sits there; `words(seat)` for a seat without a name.
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

  // The chronicle up to a version: what was told, and what was said.
  chronicle(version, who) {
    const { moments, first } = this.history;
    const begun = moments.length && moments[0].events.length ? first : first + 1;
    const told = this.story.filter(([at]) => at < begun && at <= version).flatMap((entry) => this.storyLines(entry, who));
    for (const moment of moments) {
      if (moment.version > version) break;
      told.push(...this.momentLines(moment, who));
    }
    return withChat(told, this.chat.filter((line) => line.version <= version));
  }

  storyLines(entry, who) {
    if (!this.lines.has(entry)) this.lines.set(entry, [this.line(entry[1], entry[0], who)].filter((line) => line.words));
    return this.lines.get(entry);
  }

  momentLines(moment, who) {
    if (!this.lines.has(moment)) {
      const found = moment.events.map((values) => this.line(values, moment.version, who));
      if (moment.back) found.push(this.backLine(moment, who));
      this.lines.set(moment, found.filter((line) => line.words));
    }
    return this.lines.get(moment);
  }

  line(values, version, who) {
    const event = eventOf(this.game, values);
    const seat = event.attacker ?? event.seat ?? event.winner ?? -1;
    const loud = WORLD.games[this.game].loud.includes(event.kind);
    return { version, words: this.tell(this.game, event, who), seat, loud };
  }

  backLine({ version, back }, who) {
    const named = part("Back", back);
    return { version, words: this.tellBack(named, who), seat: named.seat, loud: true };
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
    this.table ??= filmTable(found);
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

function filmTable({ ruleset, names, title }) {
  const seats = names.map((name) => ({ kind: name ? 1 : 3, name, bot: name ? "" : "bot" }));
  return { match: "", title, ruleset, phase: OVER, seats, watchers: 0, code: "", film: true };
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
  if (!CHAT.has(said)) CHAT.set(said, { version: said.version, words: said.name ? `${said.name}: ${said.text}` : said.text, seat: said.seat, said: true });
  return CHAT.get(said);
}

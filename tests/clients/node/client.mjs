// A person at a table. It sits down or watches, keeps the view and checks every digest. It decides among the legal
// actions by chance, and sometimes loses the connection and comes back. Written from protocol/SPEC.md and schema.json alone.

import { EventEmitter } from "node:events";
import { inflateSync } from "node:zlib";
import { chance } from "./chance.mjs";
import { compose } from "./compose.mjs";
import { decode, encode } from "./msgpack.mjs";
import { digest, patch } from "./view.mjs";
import { WebSocket } from "./websocket.mjs";
import { ANSWERS, FINAL, HEAR, OVER, PLAYING, SAY, UNDERSTOOD, fieldsOf, owed, winner } from "./words.mjs";

const LOWEST = 1;
const HIGHEST = 2;
const PROGRAM = "node example";
const TRIES = 3; // so often an action is made up before one that was told is taken
const FIRST_WAIT = 100;
const LONGEST_WAIT = 30000;

/** A request that was refused; `code` is that of SPEC.md, 6.2. */
export class Refusal extends Error {
  constructor(code, text) {
    super(`${code}: ${text}`);
    this.code = code;
  }
}

/** `drops`, `composes`: how likely it is that a version ends the connection, that an action is made up. */
export class Client extends EventEmitter {
  constructor(url, name, { seed = 1, drops = 0, composes = 0 } = {}) {
    super();
    Object.assign(this, { url, name, drops, composes, random: chance(seed) });
    Object.assign(this, { match: "", code: "", token: null, seat: -1, watching: null, phase: 0, ruleset: "", seats: [] });
    Object.assign(this, { view: null, version: 0, stale: false, until: 0, last: 0, wait: FIRST_WAIT });
    /** The action without an answer so far; those to try after it; the question what is legal that is not answered. */
    Object.assign(this, { pending: null, ideas: [], asking: null });
    this.waiting = new Map();
    this.counts = { digests: 0, mismatches: 0, snapshots: 0, unpacked: 0, decisions: 0, composed: 0, taken: 0, drops: 0, resumed: 0, ignored: 0 };
    this.refused = {};
    /** Refusals of what was told to be legal: there should be none. */
    this.betrayed = [];
  }

  // --- the connection ---

  /** Connect and greet. */
  async open() {
    this.connect();
    await this.expect("welcome");
    return this;
  }

  connect() {
    const socket = new WebSocket(this.url);
    Object.assign(this, { socket, asking: null, asked: -1, at: false, unsent: [] });
    Object.assign(this, { tokens: 1, rate: 30, burst: 90, filled: Date.now() });
    socket.on("open", () => socket === this.socket && this.say([SAY.hello, LOWEST, this.name, PROGRAM, HIGHEST, UNDERSTOOD]));
    socket.on("message", (bytes) => socket === this.socket && this.hear(decode(bytes)));
    socket.on("close", (code) => socket === this.socket && this.lost(code));
  }

  /** Come back, later and later, unless there is nothing to come back to. */
  lost(code) {
    if (this.closed) return;
    if (FINAL.has(code) || !(this.token || this.watching)) return this.fail(new Error(`the connection was closed: ${code}`));
    clearTimeout(this.timer);
    setTimeout(() => this.closed || this.connect(), this.wait * (0.7 + 0.6 * this.random.next()));
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
  }

  fail(error) {
    this.close();
    this.emit("failed", error);
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }

  drop() {
    this.counts.drops += 1;
    const socket = this.socket;
    this.socket = null;
    socket.drop();
    clearTimeout(this.timer);
    this.connect();
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    this.socket.close();
  }

  /** Send a message, as soon as that is not too fast (6, `Bounds.messages`). */
  say(message) {
    this.unsent.push(encode(message));
    this.flush();
  }

  flush() {
    const now = Date.now();
    this.tokens = Math.min(this.burst, this.tokens + ((now - this.filled) / 1000) * this.rate);
    this.filled = now;
    clearTimeout(this.timer);
    while (this.unsent.length && this.tokens >= 1) {
      this.tokens -= 1;
      this.socket.send(this.unsent.shift());
    }
    if (this.unsent.length) this.timer = setTimeout(() => this.flush(), 1000 / this.rate);
  }

  // --- requests ---

  /** Send a request; its answer, without the tag. Rejected with a Refusal. */
  ask(tag, ...fields) {
    const ref = ++this.last;
    this.say([tag, ref, ...fields]);
    return new Promise((resolve, reject) => this.waiting.set(ref, { resolve, reject }));
  }

  /** The next event of that name; rejected when nothing more will come. */
  expect(name) {
    return new Promise((resolve, reject) => {
      this.once(name, resolve);
      this.once("failed", reject);
    });
  }

  sit(match, code = "") {
    return this.ask(SAY.join, match, code);
  }

  watch(match, code) {
    this.watching = [match, code];
    return this.ask(SAY.watch, match, code, 0);
  }

  // --- what comes ---

  hear([tag, ...fields]) {
    const heed = HEEDED[tag];
    if (heed) this[heed](...fields);
    else this.counts.ignored += 1;
    if (ANSWERS.has(tag)) this.answer(tag, fields);
    this.decide();
  }

  answer(tag, [ref, ...fields]) {
    const waiting = this.waiting.get(ref);
    if (!waiting) return;
    this.waiting.delete(ref);
    if (tag === HEAR.refused) waiting.reject(new Refusal(fields[0], fields[2]));
    else waiting.resolve(fields);
  }

  welcomed(protocol, name, server, rulesets, can = [], agreed = [], bounds = null) {
    Object.assign(this, { protocol, can, rulesets });
    if (bounds) [this.rate, this.burst] = [bounds[2][0] / 60, bounds[2][1]];
    this.tokens = this.burst - 1;
    if (this.token) this.say([SAY.resume, ++this.last, this.match, this.token, this.have]);
    else if (this.watching) this.say([SAY.watch, ++this.last, ...this.watching, this.have]);
    this.emit("welcome");
  }

  /** The version that we hold, 0 for none that is worth going on from. */
  get have() {
    return this.view && !this.stale ? this.version : 0;
  }

  seated(ref, match, seat, token, command = 0) {
    if (this.token) this.counts.resumed += 1;
    if (match !== this.match || seat !== this.seat) Object.assign(this, { view: null, version: 0 });
    Object.assign(this, { match, seat, token, last: Math.max(this.last, command) });
    if (this.pending) this.say(this.pending); // acts at most once, however often it comes
  }

  told(match, title, ruleset, options, open, code, phase, you, host, think, takeover, seats) {
    Object.assign(this, { match, ruleset, code, phase, seats, at: true, wait: FIRST_WAIT });
    this.emit("table");
    this.finish();
  }

  shown(version, sum, view) {
    Object.assign(this, { view, version, stale: false });
    this.counts.snapshots += 1;
    this.check(sum);
    this.moved();
  }

  step(version, sum, delta) {
    if (this.stale || version <= this.version) return;
    if (version !== this.version + 1 || !this.fits(delta)) return this.sync();
    this.version = version;
    if (this.check(sum)) this.moved();
  }

  fits(delta) {
    try {
      patch(this.view, delta);
      return true;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return false;
    }
  }

  /** Whether our view is the server's; if not, a snapshot is asked for. */
  check(sum) {
    this.counts.digests += 1;
    if (digest(this.view) === sum) return true;
    this.counts.mismatches += 1;
    this.sync();
    return false;
  }

  sync() {
    this.stale = true;
    this.say([SAY.sync, this.version]);
  }

  moved() {
    this.emit("moved");
    this.finish();
    if (!this.over && this.random.next() < this.drops) this.drop();
  }

  get over() {
    return this.phase === OVER && this.view !== null;
  }

  finish() {
    if (this.over && !this.stale) this.emit("over");
  }

  accepted(command, version) {
    if (!this.pending || this.pending[1] !== command) return;
    this.counts.decisions += 1;
    this.counts.taken += this.ideas.length ? 1 : 0;
    Object.assign(this, { pending: null, ideas: [], until: version });
  }

  refusedBy(ref, code, rule, text) {
    if (ref === 0 && code === "rate" && this.stale) return this.sync();
    if (this.pending && ref === this.pending[1]) this.rejected(code, rule, text);
    else if (this.asking && ref === this.asking.ref) this.unanswered(code);
    else if (!this.waiting.has(ref)) this.fail(new Refusal(code, text));
  }

  /** There is nothing to decide any more, or the question was not read. */
  unanswered(code) {
    this.asked = code === "rate" ? -1 : this.asking.version;
    this.asking = null;
  }

  /** Our action was refused: send it again if it was not read, else try the next. */
  rejected(code, rule, text) {
    const [action] = this.pending.slice(3);
    if (code === "rate") return this.say(this.pending);
    this.refused[code] = (this.refused[code] ?? 0) + 1;
    if (!this.ideas.length) this.betrayed.push({ code, rule, text, action, version: this.version });
    this.pending = null;
    if (this.ideas.length) this.act(this.frame, this.ideas.shift());
  }

  unpack(data) {
    this.counts.unpacked += 1;
    this.hear(decode(inflateSync(data)));
  }

  left(ref, code, text) {
    this.fail(new Refusal(code, text));
  }

  // --- decisions ---

  /** Ask what is legal, where we owe a decision and know the position it is about. */
  decide() {
    if (!this.at || this.seat < 0 || this.phase !== PLAYING || !this.view || this.stale || this.pending) return;
    const { no, seat } = owed(this.ruleset, this.view);
    if (this.asking || seat !== this.seat || this.version < this.until || this.asked === this.version) return;
    this.asking = { ref: ++this.last, version: this.version };
    this.say([SAY.consider, this.asking.ref, no]);
  }

  /** Take one of these; now and then something made up before it. */
  choose(ref, frame, complete, actions, space = []) {
    if (!this.asking || ref !== this.asking.ref) return;
    const fresh = this.asking.version === this.version;
    this.asking = null;
    if (!fresh) return; // it was about an earlier version: asked again
    const made = !complete && this.random.next() < this.composes ? TRIES : 0;
    this.counts.composed += made;
    this.frame = frame;
    const makeUp = () => compose(actions, space, (tag) => fieldsOf(this.ruleset, tag), this.random);
    this.ideas = [...Array.from({ length: made }, makeUp), this.random.of(actions)];
    this.act(frame, this.ideas.shift());
  }

  act(frame, action) {
    this.pending = [SAY.act, ++this.last, frame, action];
    this.say(this.pending);
  }

  /** The result of the match for this client. */
  get report() {
    const { name, seat, version, counts, refused, betrayed } = this;
    return { name, seat, version, winner: winner(this.ruleset, this.view), digest: digest(this.view), ...counts, refused, betrayed };
  }
}

/** Names of handlers by the tag of the message; other messages are ignored. */
const HEEDED = {
  [HEAR.welcome]: "welcomed",
  [HEAR.refused]: "refusedBy",
  [HEAR.accepted]: "accepted",
  [HEAR.table]: "told",
  [HEAR.seated]: "seated",
  [HEAR.snapshot]: "shown",
  [HEAR.frame]: "step",
  [HEAR.choices]: "choose",
  [HEAR.packed]: "unpack",
  [HEAR.left]: "left",
};

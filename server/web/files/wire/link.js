// The connection: says hello, comes back by itself, tells messages by name.

import { refusalText } from "../words/language.js";
import { decode, encode } from "./decode.js";

const OLDEST = 1; // protocol versions that this page speaks
const NEWEST = 2;
const CAN = ["presence", "sentences", "labels", "absence", "page", "missed-chat", "blocks", "seeks"]; // what it understands beyond that

// The names of the fields of what the server says, by tag, as far as this page reads them (SPEC 2.2). A field that is
// called "kind" itself becomes "kindOf".
const MESSAGES = {
  0: ["Welcome", "protocol", "name", "server", "rulesets", "can", "agreed", "bounds", "push_key", "page"],
  1: ["Refused", "ref", "code", "rule", "text", "key", "args"],
  2: ["Done", "ref"],
  3: ["Accepted", "command", "version"],
  4: ["LobbyList", "ref", "tables", "below"],
  5: ["LobbyChange", "table", "gone"],
  6: ["TableState", "match", "title", "ruleset", "options", "open", "code", "phase", "you", "host", "think", "takeover",
    "seats", "watchers", "advice", "closed_hands", "pace", "pledge", "forward_only", "unanimous", "onlookers", "version", "away", "host_number", "lesson", "rated"],
  7: ["Seated", "ref", "match", "seat", "token", "command"],
  8: ["Snapshot", "version", "digest", "view", "undo"],
  9: ["Frame", "version", "digest", "delta", "events", "undo", "back"],
  10: ["Clock", "seats", "left", "clocks", "paused"],
  11: ["Said", "seat", "name", "text"],
  12: ["Notice", "code", "text"],
  13: ["Left", "ref", "code", "text"],
  14: ["Story", "events", "chat", "backs"],
  15: ["Advice", "ref", "frame", "action", "words", "why", "sentences"],
  16: ["Invited", "ref", "match", "code", "seat", "token", "name"],
  17: ["Poll", "number", "motion", "seat", "voters", "ayes", "noes", "needed", "left", "outcome", "awaited", "missed"],
  18: ["Proof", "match", "secret", "key"],
  19: ["Recalled", "ref", "kindOf", "upto", "at", "total", "data"],
  20: ["PastList", "ref", "matches", "below"],
  21: ["Introduced", "ref", "name", "fresh"],
  22: ["Passage", "ref", "code", "seconds"],
  23: ["Holdings", "ref", "seats"],
  25: ["Pong", "ref"],
  26: ["Presence", "seat", "kindOf", "bot", "watchers", "came", "gone"],
  27: ["Choices", "ref", "frame", "complete", "actions", "space", "next", "labels", "forms", "odds"],
  28: ["Description", "ref", "ruleset", "version", "title", "suits", "min_seats", "max_seats", "options", "amendments",
    "levels", "about_levels"],
  30: ["Reading", "ref", "match", "seat", "token"],
  31: ["Result", "match", "ended", "rounds", "version", "ranks"],
  33: ["Narrated", "version", "lines", "prompt", "since"],
  34: ["Tried", "ref", "frame", "label", "odds"],
  36: ["Absent", "seats"],
  37: ["Notifying", "ref", "settings", "ways", "waiting", "devices"],
  38: ["DeviceList", "ref", "devices"],
  39: ["Waiting", "tables", "more"],
  40: ["Seeking", "ref", "wishes", "code"],
  41: ["Summons", "number", "ruleset", "seats", "pace", "names", "here", "you", "left", "match"],
  42: ["Membership", "ref", "name", "member", "mail", "waiting", "sends", "signed_in"],
  43: ["OwnDataPiece", "ref", "at", "total", "data"],
  44: ["Blocks", "ref", "people", "here"],
  58: ["Coaching", "ref", "place", "steps", "words", "remark", "spaces", "kinds", "reads", "hint", "solution", "solved", "least"],
};
const PARTS = {
  NoticeSettings: ["when", "mail", "ntfy", "discord", "mention", "quiet", "zone", "language", "remind", "matches"],
  Device: ["id", "name", "since", "seen", "here"],
  Blocked: ["name", "avoid", "hide"],
  TableInfo: ["match", "title", "ruleset", "seats", "taken", "watchers", "phase", "away"],
  SeatInfo: ["kind", "name", "bot", "reliability", "rating", "uncertainty"],
  SeatClock: ["left", "bank", "reserve"],
  Line: ["seat", "name", "text"],
  Back: ["seat", "to"],
  Prompt: ["seat", "what", "how", "hand", "news"],
  Motion: ["matter", "seat", "to", "level", "name", "seconds", "pace", "turn"],
  AbsentSeat: ["seat", "since", "left", "turn"],
  PastMatch: ["match", "title", "ruleset", "version", "seats", "ended", "rounds", "length", "ranks"],
  Rank: ["seat", "rank", "score"],
  Holding: ["match", "title", "ruleset", "seat", "phase", "seats", "owed", "since", "left", "unread", "known"],
  Setting: ["key", "label", "help", "ranges", "labels", "default"],
  Form: ["tag", "name", "group", "fields", "draft", "prices", "purse"],
  Field: ["name", "kind", "label", "low", "high", "step", "options", "columns", "others", "follows", "beyond", "uses"],
  Chances: ["wins", "neither", "loses", "enemy", "space", "own", "theirs"],
  Pace: ["run", "each", "bank", "reserve", "late"],
  TableWish: ["games", "seats", "pace", "bots", "least"],
  WaitingTable: ["games", "seats", "pace", "names", "since", "bots", "reliability"],
};

// Requests of this page: the tag and the fields behind it (SPEC 2.1).
const REQUESTS = {
  Hello: 0, OpenLobby: 1, Create: 2, Join: 3, Watch: 4, Resume: 5, SetBot: 6, Start: 7, Leave: 8, Act: 9, Say: 10, Sync: 11,
  Kick: 12, Mute: 13, Listen: 14, Advise: 15, Resize: 16, Rematch: 17, Undo: 18, Propose: 19, Vote: 20, Number: 21, Recall: 22,
  Past: 23, Introduce: 24, HandOver: 25, Mine: 27, Hasten: 30, Ping: 31, Consider: 32, Describe: 33,
  ReadHand: 35, TryAction: 36, Subscribe: 37, Notify: 38, Devices: 39, Rename: 40, Seek: 42, Confirm: 43, Member: 44, OwnData: 45, EraseMe: 46,
  Report: 47, Block: 48,
  Coach: 58,
};

// The server, as far as its greeting describes it: the version of its page.
export const server = { page: "" };

export function named(fields, values) {
  const found = {};
  fields.forEach((field, i) => { found[field] = values[i]; });
  return found;
}

export function part(kind, values) {
  return named(PARTS[kind], values);
}

export function heard(bytes) {
  const [tag, ...values] = decode(bytes);
  const known = MESSAGES[tag];
  if (!known) return null;
  const message = { kind: known[0], ...named(known.slice(1), values) };
  return message.kind === "Refused" ? { ...message, text: refusalText(message) } : message;
}

const SOON = 2000; // milliseconds between two tries at most, while the server cannot be reached
const LATE = 30000; // the same where nobody looks, or where the server sent this page away
const TRYING = 4; // tries that wait for an answer at the same time
const SILENCE = 5000; // milliseconds without a word after which the server is asked whether it is there
const ANSWER = [2000, 16000]; // milliseconds that its answer may take: at first, and at most

// Milliseconds before trying again: longer and longer, at random, so that not all come at once (SPEC 6.1).
export function pauseBefore(tries, most = SOON, chance = Math.random()) {
  return Math.min(1000 * 2 ** Math.min(10, Math.max(0, tries - 1)), most) * (0.75 + chance / 2);
}

const FINAL = new Set([4001, 4002, 4009]);
const SENT_AWAY = new Set([4003, 4004, 4007]);

// A browser tells nothing of a network that has gone: a connection stays open, a try hangs for a minute. So a server that
// is silent is asked, and a new try begins while older ones still wait; the first that is answered is kept.
export class Link {
  // `hear(message)`: everything that comes; `began()`: greeted, say what is wanted; `state(words, code)`: "open", "lost"
  // or "ended" with the code by which the server closed it.
  constructor(address, name, { hear, began, state }) {
    Object.assign(this, { address, name, hear, began, state });
    this.tries = 0;
    this.sentAway = 0; // times that the server ended it, one after the other
    this.visits = 0; // times that the server greeted
    this.ref = 0;
    this.ended = false;
    this.socket = null; // the connection in use
    this.trying = [];
    this.triedAt = -Infinity;
    this.patience = ANSWER[0];
    this.wake = () => { if (!document.hidden) this.hurry(); };
    this.doubt = () => this.hurry();
    this.begin();
  }

  begin() {
    document.addEventListener("visibilitychange", this.wake);
    for (const event of ["online", "offline"]) addEventListener(event, this.doubt);
    this.open();
  }

  // Begin a try, and plan the next one.
  open() {
    if (this.ended) return;
    clearTimeout(this.timer);
    const socket = new WebSocket(this.address);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => this.use(socket);
    socket.onmessage = (event) => this.receive(new Uint8Array(event.data));
    socket.onclose = (event) => this.lost(socket, event.code);
    this.trying.push(socket);
    if (this.trying.length > TRYING) discard(this.trying.shift());
    this.triedAt = performance.now();
    this.tries += 1;
    if (this.tries > 1) this.state("lost");
    this.timer = setTimeout(() => this.open(), this.pause());
  }

  pause() {
    if (this.sentAway) return pauseBefore(this.sentAway + 2, LATE);
    return pauseBefore(this.tries, document.hidden ? LATE : SOON);
  }

  use(socket) {
    clearTimeout(this.timer);
    this.trying.forEach((other) => { if (other !== socket) discard(other); });
    this.trying = [];
    this.socket = socket;
    this.greeted = false;
    this.listen();
    this.send("Hello", OLDEST, this.name, "page", NEWEST, CAN);
  }

  receive(bytes) {
    this.listen();
    const message = heard(bytes);
    if (message === null) return;
    if (message.kind === "Welcome") {
      this.tries = 0;
      this.visits += 1;
      this.greeted = true;
      server.page = message.page ?? "";
      this.pings = Boolean(message.can?.includes("ping"));
      this.state("open");
      this.began(message);
    } else if (message.kind === "Pong") {
      this.patience = ANSWER[0];
    } else if (message.kind !== "Refused") {
      this.sentAway = 0;
    }
    this.hear(message);
  }

  // Something was heard: wait for the next silence.
  listen() {
    this.heardAt = performance.now();
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.probe(), SILENCE);
  }

  // Ask whether the server is there. A server that cannot be asked is believed, once it has greeted.
  probe() {
    clearTimeout(this.silence);
    if (this.greeted && (document.hidden || !this.pings)) this.silence = setTimeout(() => this.probe(), SILENCE);
    else {
      if (this.greeted) this.ask("Ping");
      this.silence = setTimeout(() => this.miss(), this.patience);
    }
  }

  // No answer. The next one may take longer: a slow server is not left again and again.
  miss() {
    this.patience = Math.min(this.patience * 2, ANSWER[1]);
    const { socket } = this;
    if (!socket) return; // It was lost already while its answer was awaited.
    discard(socket);
    this.lost(socket, 1006);
    this.hurry();
  }

  lost(socket, code) {
    this.trying = this.trying.filter((other) => other !== socket);
    if (this.ended) return;
    if (socket !== this.socket) {
      if (!this.trying.length) this.state("lost");
      return;
    }
    clearTimeout(this.silence);
    this.socket = null;
    if (FINAL.has(code)) {
      this.end();
      this.state("ended", code);
      return;
    }
    if (SENT_AWAY.has(code)) this.sentAway += 1;
    this.tries = 1;
    this.state("lost");
    this.timer = setTimeout(() => this.open(), this.pause());
  }

  // Checks the connection at once: the network may have changed, or the page is visible again.
  hurry() {
    if (this.ended) return;
    const now = performance.now();
    if (this.socket) {
      this.patience = ANSWER[0];
      if (now - this.heardAt > 500) this.probe();
    } else if (!this.sentAway && now - this.triedAt > 250) {
      this.tries = 0;
      this.open();
    }
  }

  // Come back under another name.
  rename(name) {
    this.name = name;
    this.ended = false;
    clearTimeout(this.silence);
    if (this.socket) discard(this.socket);
    this.socket = null;
    this.tries = 0;
    this.begin();
  }

  send(request, ...fields) {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    this.socket.send(encode([REQUESTS[request], ...fields]));
  }

  // Send a request that is answered; returns its number.
  ask(request, ...fields) {
    this.ref += 1;
    this.send(request, this.ref, ...fields);
    return this.ref;
  }

  end() {
    this.ended = true;
    clearTimeout(this.timer);
    clearTimeout(this.silence);
    document.removeEventListener("visibilitychange", this.wake);
    for (const event of ["online", "offline"]) removeEventListener(event, this.doubt);
    this.trying.forEach(discard);
    this.socket?.close(1000);
  }
}

// Let go of a connection; nothing that it still says is heard.
function discard(socket) {
  socket.onopen = socket.onmessage = socket.onclose = null;
  socket.close();
}

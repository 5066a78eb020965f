// The connection: says hello, comes back by itself, tells messages by name.

import { decode, encode } from "./decode.js";

const OLDEST = 1; // protocol versions that this page speaks
const NEWEST = 2;
const CAN = ["presence"]; // what it understands beyond that

// The names of the fields of what the server says, by tag, as far as this page reads them (SPEC 2.2). A field that is
// called "kind" itself becomes "kindOf".
const MESSAGES = {
  0: ["Welcome", "protocol", "name", "server", "rulesets", "can"],
  1: ["Refused", "ref", "code", "rule", "text"],
  2: ["Done", "ref"],
  4: ["LobbyList", "ref", "tables", "below"],
  5: ["LobbyChange", "table", "gone"],
  6: ["TableState", "match", "title", "ruleset", "options", "open", "code", "phase", "you", "host", "think", "takeover",
    "seats", "watchers"],
  8: ["Snapshot", "version", "digest", "view"],
  9: ["Frame", "version", "digest", "delta", "events", "undo", "back"],
  10: ["Clock", "seats", "left", "clocks", "paused"],
  11: ["Said", "seat", "name", "text"],
  12: ["Notice", "code", "text"],
  13: ["Left", "ref", "code", "text"],
  14: ["Story", "events", "chat", "backs"],
  16: ["Invited", "ref", "match", "code"],
  17: ["Poll", "number", "motion", "seat", "voters", "ayes", "noes", "needed", "left", "outcome"],
  19: ["Recalled", "ref", "kindOf", "upto", "at", "total", "data"],
  20: ["PastList", "ref", "matches", "below"],
  26: ["Presence", "seat", "kindOf", "bot", "watchers"],
  30: ["Reading", "ref", "match", "seat", "token"],
};
const PARTS = {
  TableInfo: ["match", "title", "ruleset", "seats", "taken", "watchers", "phase", "away"],
  SeatInfo: ["kind", "name", "bot"],
  SeatClock: ["left", "bank", "reserve"],
  Line: ["seat", "name", "text"],
  Back: ["seat", "to"],
  Motion: ["matter", "seat", "to", "level", "name", "seconds"],
  PastMatch: ["match", "title", "ruleset", "version", "seats", "ended", "rounds", "length", "ranks"],
  Rank: ["seat", "rank", "score"],
};

// What this page asks for: the tag and the fields behind it (SPEC 2.1).
const REQUESTS = { Hello: 0, OpenLobby: 1, Watch: 4, Leave: 8, Sync: 11, Recall: 22, Past: 23, ReadHand: 35 };

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
  return known ? { kind: known[0], ...named(known.slice(1), values) } : null;
}

// Milliseconds before trying again: longer and longer, at random, so that not all come at once (SPEC 6.1).
export function pauseBefore(tries, chance = Math.random()) {
  return Math.min(1000 * 2 ** Math.max(0, tries - 1), 30000) * (0.75 + chance / 2);
}

const FINAL = new Set([4001, 4002]);

export class Link {
  // `hear(message)`: everything that comes; `began()`: greeted, say what is wanted; `state(words)`: "open", "lost" or
  // "ended", with the time until the next try.
  constructor(address, name, { hear, began, state }) {
    Object.assign(this, { address, name, hear, began, state });
    this.tries = 0;
    this.visits = 0; // times that the server greeted
    this.ref = 0;
    this.ended = false;
    this.open();
  }

  open() {
    if (this.ended) return;
    const socket = new WebSocket(this.address);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => this.send("Hello", OLDEST, this.name, "page", NEWEST, CAN);
    socket.onmessage = (event) => this.receive(new Uint8Array(event.data));
    socket.onclose = (event) => this.lost(socket, event.code);
    this.socket = socket;
  }

  receive(bytes) {
    const message = heard(bytes);
    if (message === null) return;
    if (message.kind === "Welcome") {
      this.tries = 0;
      this.visits += 1;
      this.state("open", 0);
      this.began(message);
    }
    this.hear(message);
  }

  lost(socket, code) {
    if (socket !== this.socket || this.ended) return;
    this.socket = null;
    if (FINAL.has(code)) {
      this.ended = true;
      this.state("ended", 0);
      return;
    }
    this.tries += 1;
    const pause = pauseBefore(this.tries);
    this.state("lost", pause);
    this.timer = setTimeout(() => this.open(), pause);
  }

  // Try at once: somebody looks again, or the network is back.
  hurry() {
    if (this.socket || this.ended) return;
    clearTimeout(this.timer);
    this.open();
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
    this.socket?.close(1000);
  }
}

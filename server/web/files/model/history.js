// All positions of a match that were seen, by version; every digest is checked (SPEC 3).

import { digestOf } from "../wire/decode.js";
import { patched } from "../wire/delta.js";

export class History {
  constructor() {
    this.moments = []; // {version, view, events, back}, without gaps between versions
    this.checked = 0; // digests that were right
    this.wrong = 0;
    this.waiting = false; // for a snapshot
  }

  get version() {
    return this.moments.length ? this.moments[this.moments.length - 1].version : 0;
  }

  get first() {
    return this.moments.length ? this.moments[0].version : 0;
  }

  // The moment of a version, the nearest one where there is none.
  at(version) {
    const last = this.moments.length - 1;
    return this.moments[Math.max(0, Math.min(last, version - this.first))];
  }

  // Returns "new" (something happened), "old" (nothing did), or "sync" (something is wrong: ask for a snapshot).
  hear(message) {
    return message.kind === "Snapshot" ? this.begin(message) : this.follow(message);
  }

  begin({ version, digest, view }) {
    if (!this.matches(view, digest)) return this.ask();
    this.waiting = false;
    const moment = { version, view, events: [], back: null };
    if (version < this.first || version > this.version + 1 || !this.moments.length) this.moments = [moment];
    else this.moments = [...this.moments.slice(0, version - this.first), moment];
    return "new";
  }

  follow({ version, digest, delta, events, back }) {
    if (this.waiting || (this.moments.length && version <= this.version)) return "old";
    if (!this.moments.length || version !== this.version + 1) return this.ask();
    let view;
    try {
      view = patched(this.at(version - 1).view, delta);
    } catch {
      return this.ask();
    }
    if (!this.matches(view, digest)) return this.ask();
    this.moments.push({ version, view, events, back: back ?? null });
    return "new";
  }

  matches(view, digest) {
    const right = digestOf(view) === digest;
    if (right) this.checked += 1;
    else this.wrong += 1;
    return right;
  }

  ask() {
    if (this.waiting) return "old";
    this.waiting = true;
    return "sync";
  }

  // Adds the moments before the first one, from a film. The history is complete then.
  prepend(older) {
    const before = older.moments.filter(({ version }) => version < this.first);
    const joins = before.length && before[before.length - 1].version === this.first - 1;
    const there = older.moments.find(({ version }) => version === this.first);
    if (joins) this.moments = [...before, { ...this.moments[0], ...(there && { events: there.events, back: there.back }) }, ...this.moments.slice(1)];
    else if (older.moments.length && !this.moments.length) this.moments = older.moments;
  }
}


// A table of this person's own: made on a connection of its own, which is let go when the seat is kept.

import { Link } from "../wire/link.js";
import { ME, randomBytes } from "./identity.js";

const FIRST_SEAT = 0;

export class Founding {
  // `plan`: as `CreateForm` makes it; `done(match)`: the table is there and the seat is kept; `failed(words)`.
  constructor(address, plan, done, failed) {
    Object.assign(this, { plan, done, failed, key: randomBytes(16), waiting: new Set() });
    this.link = new Link(address, plan.name, { began: () => this.create(), hear: (message) => this.hear(message), state: () => {} });
  }

  // The key makes one table, even if the connection is lost before the answer.
  create() {
    const { ruleset, seats, options, title, open, takeover, away, pace, lesson = "" } = this.plan;
    this.link.ask("Introduce", ME.ownSecret());
    this.created = this.link.ask("Create", ruleset, seats, options, title, open, FIRST_SEAT, 0, takeover, false, false, pace, false, false, this.key, away, lesson);
  }

  hear(message) {
    if (message.kind === "Seated" && message.ref === this.created) this.seated(message);
    else if (message.kind === "Done" && this.waiting.delete(message.ref) && !this.waiting.size) this.begin();
    else if (message.kind === "Refused") this.refuse(message);
  }

  seated({ match, token }) {
    ME.keepSeat(match, token);
    this.match = match;
    if (!this.plan.alone) return this.finish();
    for (let seat = 1; seat < this.plan.seats; seat++) this.waiting.add(this.link.ask("SetBot", seat, this.plan.level));
    return undefined;
  }

  begin() {
    if (this.started) return this.finish();
    this.started = true;
    this.waiting.add(this.link.ask("Start"));
    return undefined;
  }

  finish() {
    this.link.end();
    this.done(this.match);
  }

  // A table without bots or a beginning is still a table.
  refuse({ code, text }) {
    if (code === "known" || code === "enough" && this.match) return;
    this.link.end();
    if (code === "name") ME.chosen = "";
    if (this.match) this.done(this.match);
    else this.failed(text);
  }
}

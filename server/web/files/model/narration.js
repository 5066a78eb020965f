// The words of a match, as the server tells them (SPEC 3, "Sentences"): lines, and the decisions that were owed.

import { part } from "../wire/link.js";

export class Narration {
  constructor() {
    this.lines = new Map(); // sentences by version; null for an event that needs none
    this.prompts = new Map(); // by version, as far as they were told
    this.since = []; // what happened since the reader's last turn, if their turn began with `version`
    this.version = 0;
  }

  hear({ version, lines, prompt, since }) {
    const told = new Map();
    for (const [at, sentence] of lines) told.set(at, [...(told.get(at) ?? []), sentence]);
    // The oldest version of what a newcomer is told may lack its first lines; a film has them.
    for (const [at, sentences] of told) if (sentences.length > (this.lines.get(at)?.length ?? 0)) this.lines.set(at, sentences);
    if (prompt) this.prompts.set(version, part("Prompt", prompt));
    if (version >= this.version) this.since = since ?? [];
    this.version = Math.max(this.version, version);
  }

  // The versions with lines, up to that one.
  upTo(version) {
    return [...this.lines.keys()].filter((at) => at <= version).sort((a, b) => a - b);
  }
}

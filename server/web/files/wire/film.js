// Whole matches as films (SPEC 5.4): asked for piece by piece, unpacked, and seen through from the beginning.

import { decode } from "./decode.js";
import { heard } from "./link.js";

export class Recalling {
  // `done(bytes)` once all is there, `failed(text)` else.
  constructor(link, match, code, done, failed) {
    Object.assign(this, { link, match, code, done, failed, data: null, upto: 0 });
    this.next(0);
  }

  next(at) {
    this.ref = this.link.ask("Recall", this.match, new Uint8Array(), this.code, at, 0, this.upto, true, true);
  }

  // Whether the message was for this.
  hear(message) {
    if (message.ref !== this.ref) return false;
    if (message.kind === "Refused") this.failed(message.text);
    else if (message.kind === "Recalled") this.take(message);
    else return false;
    return true;
  }

  take({ upto, at, total, data }) {
    this.upto = upto;
    this.data ??= new Uint8Array(total);
    this.data.set(data, at);
    if (at + data.length >= total || !data.length) this.done(this.data);
    else this.next(at + data.length);
  }
}

// A film: what table it was, its messages, the `Snapshot` first, and the words for them.
export async function film(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const [ruleset, version, options, names, title, audience, first, frames, words = []] = decode(new Uint8Array(await new Response(stream).arrayBuffer()));
  return { ruleset, version, options, names, title, audience, messages: [first, ...frames].map(heard), words: words.map(heard) };
}

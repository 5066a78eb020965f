// A film: the record of a match for one audience (SPEC.md, 5.4), read from the first version to the last.

import { inflateSync } from "node:zlib";
import { decode } from "./msgpack.mjs";
import { SAY } from "./words.mjs";
import { digest, patch } from "./view.mjs";

/** Fetch the film of the match at which this client sits, piece by piece. */
export async function fetchFilm(client) {
  const pieces = [];
  let [at, upto, total] = [0, 0, 1];
  while (at < total) {
    const answer = await client.ask(SAY.recall, client.match, Buffer.alloc(0), "", at, 0, upto, true);
    const [, newest, , whole, data] = answer;
    pieces.push(data);
    [at, upto, total] = [at + data.length, newest, whole];
  }
  return inflateSync(Buffer.concat(pieces));
}

/** Returns the number of versions and the last digest of a film; throws at a version that differs from the server's. */
export function develop(bytes) {
  const [, , , , , , first, frames] = decode(bytes);
  const [, start, sum, view] = decode(first);
  let [version, last] = [start, sum];
  check(version, view, last);
  for (const [, next, after, delta] of frames.map(decode)) {
    patch(view, delta);
    [version, last] = [next, after];
    check(version, view, last);
  }
  return { version, digest: last };
}

function check(version, view, sum) {
  if (digest(view) !== sum) throw new Error(`the film is wrong at version ${version}`);
}

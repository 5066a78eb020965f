// Follows recorded conversations (SPEC.md, 14) and says, as JSON, what became of the view:
//
//     node replay.mjs protocol/conformance/conversation_*.json
//
// Every message must come out the same when it is encoded again; every digest must be that of the view.

import { readFileSync } from "node:fs";
import { decode, encode } from "./msgpack.mjs";
import { digest, patch } from "./view.mjs";
import { HEAR } from "./words.mjs";

let [view, version, digests] = [null, 0, 0];

function follow([tag, number, sum, content]) {
  if (tag === HEAR.snapshot) view = content;
  else if (tag !== HEAR.frame || number <= version) return;
  else patch(view, content);
  [version, digests] = [number, digests + 1];
  if (digest(view) !== sum) throw new Error(`the view of version ${number} is not the server's`);
}

function read({ by, bytes }) {
  const message = decode(Buffer.from(bytes, "hex"));
  if (encode(message).toString("hex") !== bytes) throw new Error(`it is encoded otherwise: ${bytes}`);
  if (by === "server") follow(message);
}

for (const file of process.argv.slice(2)) JSON.parse(readFileSync(file, "utf8")).lines.forEach(read);
console.log(JSON.stringify({ version, digests }));

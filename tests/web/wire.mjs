// Reads the samples of the protocol: recorded matches digest by digest, and single messages, which are written again.
import { readFileSync, readdirSync } from "node:fs";

const [bundle, samples] = process.argv.slice(2);
const page = await import(`file://${bundle}`);
const wrong = [];
const streams = readdirSync(samples).filter((name) => /^stream.*\.json$/.test(name)).sort();
let digests = 0;
for (const name of streams) {
  const history = new page.History();
  const told = JSON.parse(readFileSync(`${samples}/${name}`, "utf-8"));
  const list = Array.isArray(told) ? told : told.messages ?? told.stream;
  for (const hex of list) {
    const message = page.heard(Buffer.from(hex, "hex"));
    if (!["Snapshot", "Frame"].includes(message?.kind)) continue;
    if (history.hear(message) !== "new") wrong.push(`${name} ${message.version}`);
  }
  digests += history.checked;
}
const messages = readdirSync(samples, { recursive: true }).filter((name) => name.endsWith(".msgpack"));
for (const name of messages) {
  const bytes = readFileSync(`${samples}/${name}`);
  const again = page.encode(page.decode(bytes));
  if (Buffer.compare(bytes, Buffer.from(again))) wrong.push(name);
}
console.log(JSON.stringify({ streams, wrong, digests, samples: messages.length }));

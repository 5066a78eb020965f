// Puts messages with sentences into words, as the page does: lines, and the four parts of the prompt.

import { readFileSync } from "node:fs";

const [bundle, asked] = process.argv.slice(2);
const page = await import(`file://${bundle}`);
const { code, list, names, told } = JSON.parse(readFileSync(asked, "utf-8"));
page.speak(code, list);
const who = (seat) => names[seat];
console.log(JSON.stringify(told.map((hex) => {
  const { lines, prompt } = page.heard(Buffer.from(hex, "hex"));
  const parts = prompt === null ? [] : [1, 2, 3, 4].map((i) => page.render(prompt[i], who));
  return [lines.map(([, line]) => (line ? page.lineOf(line, who) : line)), parts];
})));

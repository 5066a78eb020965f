// Searches the rules: reads pages, words and questions, prints the parts that are found.
import { readFileSync } from "node:fs";

const [bundle, told] = process.argv.slice(2);
const { findRules } = await import(`file://${bundle}`);
const [data, asked] = JSON.parse(readFileSync(told, "utf-8"));
console.log(JSON.stringify(asked.map(([game, question]) => findRules(data[game], data.words, question))));

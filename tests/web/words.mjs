// Describes positions in the page's words: reads what the client says of them, prints where both differ.
import { readFileSync } from "node:fs";

const [bundle, world, told] = process.argv.slice(2);
const page = await import(`file://${bundle}`);
page.learn(JSON.parse(readFileSync(world, "utf-8")));
const { game, names, steps } = JSON.parse(readFileSync(told, "utf-8"));
const who = (seat) => names[seat] ?? "Nobody";
const differences = [];
let compared = 0;

function compare(what, ours, theirs) {
  compared += 1;
  if (JSON.stringify(ours) !== JSON.stringify(theirs)) differences.push({ what, ours, theirs });
}

for (const { view, persons, places, numbers, round, phase } of steps) {
  if (!view) continue;
  const position = new page.Position(game, view);
  compare("round", page.roundWords(position), round);
  compare("phase", page.phases(position), phase);
  numbers.forEach((n, seat) => compare("numbers", page.numbers(position, seat), n));
  if (game !== "cote2") persons.forEach((words, seat) => compare("person", page.personWords(position, seat, who), words));
  // Battles are fought at sea, too, where armies never stand but aboard.
  numbers.forEach((_n, seat) => places.forEach((_lines, space) => page.total(position.armyAt(seat, space))));
  places.forEach((lines_, space) => {
    const ours = page.describe(position, space, who);
    compare(`place ${space}`, ours, game === "cote2" ? lines_.filter((line) => ours.includes(line)) : lines_);
  });
}
console.log(JSON.stringify({ compared, differences: differences.slice(0, 20) }));

// The end of a match: winner or agreement, ranks, and whether the dice were as promised.

import { NONE } from "../model/board.js";
import { _, render } from "../words/language.js";
import { h } from "./dom.js";
import { picture } from "./pieces.js";

const AGREED = 2;

// Returns the content in place of a decision: title, seat of the winner, a line, and parts with keys.
export function ending(match, position, who) {
  const { result, dice } = match;
  const first = result ? result.ranks.filter(({ rank }) => rank === 1).map(({ seat }) => seat) : position.champions;
  const winner = first.length === 1 ? first[0] : NONE;
  const prompt = match.prompt(match.history.version);
  const title = prompt ? render(prompt.what, who) : agreedWords(result, winner, who, match.seat);
  const named = (seat) => (seat === match.seat ? _("You") : who(seat));
  const more = prompt ? render(prompt.how, who) : "";
  const parts = result ? [["ranks", JSON.stringify([result.ranks, result.ranks.map(({ seat }) => named(seat))]), () => h("ol", { class: "ranks", "aria-label": _("Ranks") }, ...result.ranks.map(({ seat, rank, score }) => h("li", { class: rank === 1 ? "first" : "" },
    h("b", {}, `${rank}.`), picture(`marker-${seat}`, 24), h("span", {}, named(seat), h("small", {}, scoreWords(score))))))]] : [];
  if (dice) parts.push(["dice", dice, () => h("p", { class: `dice ${dice}` }, diceWords(dice))]);
  return { title, winner, more, parts };
}

function agreedWords(result, winner, who, reader) {
  if (result?.ended !== AGREED) return _("The match is over");
  if (winner !== NONE && winner === reader) return _("Ended by agreement: you are ahead");
  return winner === NONE ? _("Ended by agreement: a tie") : _("Ended by agreement: {home} is ahead", { home: who(winner) });
}

// Translates the score of a seat, which the rule set gives in English.
export function scoreWords(score) {
  const [a, b, c] = score.match(/-?\d+/g) ?? [];
  const said = [_("eliminated"), _("{a} points, {b} influence", { a, b }), _("tribute {a}, {b} talents, 1 province", { a, b }),
    _("tribute {a}, {b} talents, {c} provinces", { a, b, c })];
  const english = ["eliminated", `${a} points, ${b} influence`, `tribute ${a}, ${b} talents, 1 province`, `tribute ${a}, ${b} talents, ${c} provinces`];
  return said[english.indexOf(score)] ?? score;
}

function diceWords(dice) {
  switch (dice) {
    case "kept": return _("Dice verified: the server's secret is the one that it committed to before the match. “conquest verify” also checks every roll and the signature.");
    case "broken": return _("The server did not keep its word about the dice: its secret is not the one that it committed to.");
    default: return _("The dice are not verified here. The server has shown what they were made from; “conquest verify” checks every roll.");
  }
}

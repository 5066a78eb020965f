// Words for things on the board, as sentences have them (shared/sentences/common.py), and for the round.

import { ALIENS, REBELS, WORLD, card } from "../model/board.js";
import { total } from "../model/read.js";
import { _, andWords, ngettext, pgettext } from "./language.js";

export const VALUES = ["I", "II", "III", "IV"]; // senators

export function sum(numbers) {
  return numbers.reduce((all, n) => all + n, 0);
}

// "3 infantry, 1 catapult", "no units".
export function armyWords(army) {
  const [infantry, cavalry, catapults] = army;
  const parts = [
    infantry && ngettext("{n} infantry", "{n} infantry", infantry),
    cavalry && ngettext("{n} cavalry", "{n} cavalry", cavalry),
    catapults && ngettext("{n} catapult", "{n} catapults", catapults),
  ];
  return parts.filter(Boolean).join(", ") || _("no units");
}

// "the Caesar and 2 generals"; `each`: leaders of a colour, the Caesar first.
export function leadersWords(leaders, each) {
  const generals = leaders.filter((leader) => leader % each).length;
  const parts = leaders.length > generals ? [_("the Caesar")] : [];
  if (generals) parts.push(ngettext("a general", "{n} generals", generals));
  return andWords(parts) || _("nobody");
}

// "a general with 3 infantry, 1 cavalry".
export function forceWords(leaders, army, each) {
  if (!total(army)) return leadersWords(leaders, each);
  if (!leaders.length) return armyWords(army);
  return _("{leaders} with {army}", { leaders: leadersWords(leaders, each), army: armyWords(army) });
}

export function talentsWords(talents) {
  return ngettext("{n} talent", "{n} talents", talents);
}

export function galleysWords(number) {
  return ngettext("a galley", "{n} galleys", number);
}

// "west", where a province has two coasts; else empty.
export function coastWords(position) {
  const coast = WORLD.coasts[position];
  const words = {
    north: pgettext("coast", "north"),
    east: pgettext("coast", "east"),
    west: pgettext("coast", "west"),
    adriatic: pgettext("coast", "adriatic"),
  };
  return coast ? words[coast] ?? coast : "";
}

// The name of a player, or of those who fight for themselves or for a card.
export function called(seat, who) {
  if (seat === ALIENS) return _("the auxiliary force");
  return seat === REBELS ? _("the slave army") : who(seat);
}

// "Senator IV", "Senators I, II (2) and III".
export function senatorsWords(byValue) {
  const numerals = andWords(VALUES.filter((_value, i) => byValue[i]).map((value) => {
    const n = byValue[VALUES.indexOf(value)];
    return n > 1 ? `${value} (${n})` : value;
  }));
  return ngettext("Senator {numerals}", "Senators {numerals}", sum(byValue), { numerals });
}

// Returns what the winner of a vote gains, as its card says.
export function benefit(kind) {
  const { text } = card(kind);
  return _(text.slice(text.indexOf(". ") + 2));
}

// Returns the name of a senate vote: "Hail Caesar!".
export function motionName(kind) {
  return card(kind).name.split(": ")[1] ?? card(kind).name;
}

export function roundWords(position) {
  if (!position.isSecond) return position.round ? _("Round {round}", { round: position.round }) : _("Setting up");
  if (!position.season) return _("Setting up");
  const season = _("Season {season}", { season: position.season });
  return season + (position.frame("Rounds") ? _(" · Round {round}", { round: position.round }) : "");
}

function phaseOf(position, frame) {
  return position.facts.phases[frame.step];
}

// The phases of a turn or season, and which of them it is; -1 before the first and after the end.
export function phases(position) {
  return position.isSecond ? seasonPhases(position) : turnPhases(position);
}

function turnPhases(position) {
  const names = [_("Movement"), _("Combat"), _("Tribute"), _("Cities"), _("Purchase"), _("Placement")];
  const turn = position.frame("Turn");
  return { names, now: position.over || position.closed || !turn ? -1 : phaseOf(position, turn) };
}

function seasonPhases(position) {
  const shown = [_("Tokens"), _("Cards"), _("Alliances"), _("Placement"), _("Actions"), _("Taxes"), _("Points")].map((name, i) => [i + 1, name]).filter(([phase]) => position.season <= 1 || phase !== 4);
  const season = position.frame("Season");
  const names = shown.map(([, name]) => name);
  if (position.over || position.closed || !season) return { names, now: -1 };
  const at = phaseOf(position, season);
  return { names, now: shown.filter(([phase]) => phase <= at).length - 1 };
}

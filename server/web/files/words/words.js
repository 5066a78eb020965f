// Words for things that every game has, as the client has them (client/table/words.py).

import { WORLD } from "../model/board.js";
import { total } from "../model/read.js";
import { _, ngettext, pgettext } from "./language.js";

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

// "3 infantry, 2 roads and 1 city".
export function wareWords(counts) {
  const [galleys = 0, cities = 0, fortifications = 0, roads = 0] = counts.slice(3);
  const parts = total(counts) ? armyWords(counts).split(", ") : [];
  if (galleys) parts.push(ngettext("{n} galley", "{n} galleys", galleys));
  if (cities) parts.push(ngettext("{n} city", "{n} cities", cities));
  if (fortifications) parts.push(ngettext("{n} fortification", "{n} fortifications", fortifications));
  if (roads) parts.push(ngettext("{n} road", "{n} roads", roads));
  return andWords(parts);
}

// "a, b and c".
export function andWords(parts) {
  if (parts.length < 2) return parts.join("");
  return _("{most} and {last}", { most: parts.slice(0, -1).join(", "), last: parts[parts.length - 1] });
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

// The name of a position, with the coast where a province has two.
export function whereWords(position) {
  const place = WORLD.names[WORLD.ashore[position]];
  const coast = coastWords(position);
  return coast ? _("{place} ({coast} coast)", { place, coast }) : place;
}

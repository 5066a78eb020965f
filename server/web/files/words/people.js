// The standing of a player, in a line and in more words.

import { NONE, OFF, PRISON, WORLD, placeName } from "../model/board.js";
import { armyOf, plus } from "../model/read.js";
import { _, andWords, ngettext } from "./language.js";
import { armyWords, sum, talentsWords } from "./words.js";

const SIDES = ["A", "B"];

export function columns(position) {
  return position.isSecond ? [_("Points"), _("Talents"), _("Influence")] : [_("Talents"), _("Tribute"), _("Lands")];
}

// A player's numbers, by column.
export function numbers(position, seat) {
  if (position.isSecond) return [position.points[seat], position.talents[seat], position.influenceOf(seat)];
  return [position.talents[seat], position.marker[seat], position.owner.filter((owner) => owner === seat).length];
}

// Returns the line below the name of a player.
export function standing(position, seat) {
  if (position.isSecond) return secondStanding(position, seat);
  if (position.fallen(seat)) return [_("fallen")];
  return position.home[seat] === NONE ? [] : [placeName(position.home[seat])];
}

function secondStanding(position, seat) {
  const side = position.side[seat];
  const parts = side === NONE ? [] : [`${SIDES[side]}, ${[_("1st"), _("2nd"), _("3rd"), _("4th"), _("5th"), _("6th")][position.order.indexOf(seat)]}`];
  parts.push(ngettext("{n} senator", "{n} senators", sum(position.senators[seat])));
  if (position.cards[seat].length) parts.push(ngettext("{n} card", "{n} cards", position.cards[seat].length));
  if (position.chaos[seat] >= 0) parts.push(_("{n} chaos", { n: position.chaos[seat] }));
  return parts;
}

// More about a player.
export function personWords(position, seat, who) {
  return position.isSecond ? secondPerson(position, seat, who) : conquestPerson(position, seat, who);
}

function conquestPerson(position, seat, who) {
  if (position.fallen(seat)) return _("{who} is out of the game.", { who: who(seat) });
  const home = position.home[seat] === NONE ? "" : `, ${placeName(position.home[seat])}`;
  const lands = position.owner.filter((owner) => owner === seat).length;
  return _("{who}{home}: {talents}, tribute {marker}, {lands}. ", {
    who: who(seat), home, talents: talentsWords(position.talents[seat]), marker: position.marker[seat],
    lands: ngettext("{n} province", "{n} provinces", lands),
  }) + conquestPieces(position, seat) + heldWords(position, seat, who);
}

function conquestPieces(position, seat) {
  const leaders = position.leader_at.filter((at, leader) => at < PRISON && position.leads(leader) === seat).length;
  const fleet = position.galley_at.map((at, g) => (at < WORLD.ashore.length && position.sails(g) === seat ? g : NONE))
    .filter((g) => g !== NONE);
  const armies = position.units.map((cell) => armyOf(cell, seat));
  armies.push(...fleet.map((g) => position.cargo[g]).filter((load) => load.length));
  const galleys = ngettext("{n} galley", "{n} galleys", fleet.length);
  return `${ngettext("{n} leader", "{n} leaders", leaders)}, ${armyWords(armies.reduce(plus))}, ${galleys}.`;
}

function heldWords(position, seat, who) {
  const owners = new Map();
  for (const leader of position.prisoners(seat)) {
    const owner = who(Math.floor(leader / position.facts.leaders));
    owners.set(owner, (owners.get(owner) ?? 0) + 1);
  }
  const names = [...owners].map(([owner, n]) => _("{count} of {owner}", {
    count: ngettext("{n} general", "{n} generals", n), owner,
  }));
  return names.length ? _(" Holds {generals}.", { generals: andWords(names) }) : "";
}

function secondPerson(position, seat, who) {
  const leaders = position.leader_at.filter((at, leader) => at !== OFF && position.leads(leader) === seat).length;
  const galleys = position.galley_at.filter((at, galley) => at !== OFF && position.sails(galley) === seat).length;
  const cities = position.owner.filter((owner) => owner === seat).length;
  const army = position.units.map((cell) => armyOf(cell, seat)).reduce(plus);
  const parts = [
    ngettext("{n} leader", "{n} leaders", leaders), armyWords(army), ngettext("{n} galley", "{n} galleys", galleys),
    ngettext("{n} city", "{n} cities", cities),
  ];
  const chaos = position.chaos[seat] >= 0 ? _("Chaos {chaos}.", { chaos: position.chaos[seat] })
    : _("Chaos is kept secret.");
  return `${who(seat)}: ${parts.join(", ")}. ${chaos}`;
}


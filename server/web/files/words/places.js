// A space in words: the alternative to the map (client/games/.../describe.py).

import { NONE, WORLD, isSea, placeName } from "../model/board.js";

import { _, andWords, ngettext } from "./language.js";
import { coastWords, forceWords, galleysWords } from "./words.js";

// Name, owner, worth, and the pieces of everybody there: a line for each.
export function describe(position, space, who) {
  const head = isSea(space) ? placeName(space) : position.isSecond ? secondHead(position, space, who)
    : conquestHead(position, space, who);
  const lines = [head];
  if (!isSea(space)) {
    if (position.isSecond && WORLD.keys.includes(space)) lines.push(...influence(position, space, who));
    lines.push(...position.forces(space).map(({ seat, leaders, army }) => `${who(seat)}: ${forceWords(leaders, army, position.facts.leaders)}`));
  }
  for (const at of position.coasts(space)) lines.push(...fleetLines(position, at, who));
  return lines;
}

function conquestHead(position, space, who) {
  const owner = position.owner[space];
  return _("{place}: {whose}, tribute {worth}{city}", {
    place: placeName(space),
    whose: owner === NONE ? _("unclaimed") : _("{who}'s", { who: who(owner) }),
    worth: position.worth(space),
    city: ["", _(", city"), _(", fortified city")][position.built[space]],
  });
}

function secondHead(position, space, who) {
  if (!WORLD.keys.includes(space)) return placeName(space);
  const owner = position.owner[space];
  return _("{name}: victory points {worth}{city}", {
    name: placeName(space),
    worth: position.victoryNumbers(space).join(" / "),
    city: owner === NONE ? "" : _(", city of {who}", { who: who(owner) }),
  });
}

function influence(position, space, who) {
  const points = position.provincePoints(space);
  const ranked = position.influence[space].map((n, seat) => [n, seat]).filter(([n]) => n)
    .sort((a, b) => b[0] - a[0] || a[1] - b[1]);
  const shown = ranked.map(([n, seat]) => `${who(seat)} ${n}${points[seat] ? ` (${points[seat]})` : ""}`);
  const lines = [shown.length ? _("Influence (points now): {listed}", { listed: andWords(shown) })
    : _("No influence yet")];
  const tokens = position.tokens[space];
  if (tokens) {
    lines.push(_("For sale: {tokens}", { tokens: ngettext("a province token", "{n} province tokens", tokens) }));
  }
  return lines;
}

function fleetLines(position, at, who) {
  return position.fleets(at).map(({ seat, galleys }) => {
    const coast = coastWords(at);
    const loads = galleys.filter((galley) => galley.leaders.length)
      .map((galley) => forceWords(galley.leaders, galley.army, position.facts.leaders));
    const carrying = loads.length ? _(", carrying {join}", { join: loads.join("; ") }) : "";
    return `${who(seat)}${coast ? ` (${coast})` : ""}: ${galleysWords(galleys.length)}${carrying}`;
  });
}

// Whether there is more to say of a space than its name and owner.
export function isBusy(position, space) {
  if (isSea(space)) return position.fleets(space).length > 0;
  const there = position.forces(space).length > 0 || position.built[space] > 0
    || position.coasts(space).some((at) => position.fleets(at).length > 0);
  const second = position.isSecond && WORLD.keys.includes(space);
  return there || second || (!position.isSecond && position.owner[space] !== NONE);
}


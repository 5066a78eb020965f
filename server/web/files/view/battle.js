// A battle as it stands, with the dice that fell last.

import { NONE, REBELS, WORLD, isSea, placeName } from "../model/board.js";
import { Position, armyOf, eventOf, plus, total } from "../model/read.js";
import { _, ngettext } from "../words/language.js";
import { armyWords, called, galleysWords } from "../words/words.js";
import { h } from "./dom.js";
import { ARMS, picture } from "./pieces.js";

const KINDS = ["Battle", "Naval"];
const LINGERS = 2; // versions for which the end of a battle is still shown
const FAR = 400; // versions that are looked through for its beginning

// The frame of the battle that goes on, or null.
function frameOfBattle(position) {
  return [...position.frames].reverse().find((frame) => KINDS.includes(frame.kind)) ?? null;
}

// The battle to be shown at a version: where, who, the dice since its beginning, and who won once it is over. `told`: the
// version whose words are shown; while its dice fall, a later one shows neither losses nor a winner.
export function battleAt(history, version, game, told = version) {
  const fight = fightAt(history, version, game);
  if (!fight || told === version) return fight;
  const before = new Position(game, history.at(told).view);
  return { ...fight, ended: null, position: before, frame: frameOfBattle(before) ?? fight.frame };
}

function fightAt(history, version, game) {
  const fight = { rolls: [], winner: null, fled: new Map() };
  for (let at = version; at >= Math.max(history.first, version - FAR); at--) {
    const events = history.at(at).events.map((values) => eventOf(game, values));
    for (const event of events.reverse()) {
      if (event.kind === "BattleEnded") {
        if (fight.rolls.length || version - at > LINGERS || fight.ended) return null;
        Object.assign(fight, { ended: event, at });
      } else if (event.kind === "Retreated") fight.fled.set(event.seat, event.to);
      else if (event.kind === "DiceFell") fight.rolls.unshift({ ...event, version: at });
      else if (event.kind === "BattleBegan") return begun(history, { ...fight, began: at }, event, version, game);
    }
  }
  return null;
}

function begun(history, fight, began, version, game) {
  const now = new Position(game, history.at(version).view);
  const going = frameOfBattle(now);
  if (!fight.ended && !going) return null;
  const position = fight.ended ? new Position(game, history.at(fight.at).view) : now;
  return { ...fight, ...began, position, frame: going, history, game };
}

// Units and galleys of one side.
function sideOf({ position, frame, space, attacker, game }, seat) {
  const attacks = seat === attacker;
  const galleys = isSea(space) ? position.galleysAt(seat, space) : [];
  if (game === "cote2") return frame ? secondSide(frame, attacks) : { army: position.armyAt(seat, space), galleys: galleys.length };
  const loads = galleys.map((galley) => position.cargo[galley]).filter((load) => load.length);
  const army = isSea(space) ? loads.reduce(plus, [0, 0, 0]) : position.armyAt(seat, space);
  return { army, galleys: galleys.length };
}

function secondSide(frame, attacks) {
  const cell = attacks ? frame.attacking : frame.defending;
  const army = [0, 0, 0];
  for (let i = 0; i < cell.length; i += 4) for (let arm = 0; arm < 3; arm++) army[arm] += cell[i + 1 + arm];
  const fleet = attacks ? frame.attack_fleet : frame.defence_fleet;
  return { army, galleys: fleet.length + (attacks ? frame.attack_extra : frame.defence_extra) };
}

// Which dice hit: those that find a unit of their kind, as many as count.
function scoring(fight, roll) {
  if (fight.game === "mb1984") return roll.faces.map(() => roll.hits > 0);
  const room = roomFor(fight, roll);
  let left = roll.hits;
  return roll.faces.map((face) => {
    const name = WORLD.die[face];
    const good = left > 0 && (room[name] ?? 0) > 0;
    if (good) [room[name], left] = [room[name] - 1, left - 1];
    return good;
  });
}

function roomFor(fight, roll) {
  const before = new Position(fight.game, fight.history.at(roll.version - 1).view);
  const frame = frameOfBattle(before);
  const attacks = roll.seat === fight.attacker;
  if (fight.game === "cote2" && frame) {
    const { army, galleys } = secondSide(frame, attacks);
    return { infantry: army[0], cavalry: army[1], catapult: army[2], galley: galleys };
  }
  if (isSea(fight.space)) return { galley: 99 };
  const army = armyOf(before.units[fight.space], roll.seat);
  if (before.frame("Pursuit")) return { cavalry: army[1] };
  const legion = (attacks ? frame?.attacking : frame?.defending) ?? army;
  return { infantry: legion[0], cavalry: legion[1], catapult: army[2] };
}

function rollShown(fight, roll) {
  const hit = scoring(fight, roll);
  const words = roll.hits ? ngettext("{n} hit", "{n} hits", roll.hits) : _("no hit");
  return h("div", { class: "roll" },
    ...roll.faces.map((face, i) => h("span", { class: hit[i] ? "die hit" : "die" }, picture(`die-${fight.game === "mb1984" ? face + 1 : WORLD.die[face]}`, 34))),
    h("b", {}, words));
}

function unitsShown(seat, { army, galleys }) {
  const shown = h("div", { class: "units" });
  const owner = seat in WORLD.pieces.colours ? seat : REBELS;
  const add = (name, n) => n && shown.append(h("span", { class: "unit" }, picture(`${name}-${owner}`, 34), `×${n}`));
  army.forEach((n, arm) => add(ARMS[arm], n));
  add("galley", galleys);
  return shown;
}

function sideShown(fight, seat, who, reader) {
  const side = sideOf(fight, seat);
  const name = called(seat, who);
  const words = seat === reader ? (seat === fight.attacker ? _("You attack") : _("You defend")) : seat === fight.attacker ? _("{name} attacks", { name }) : _("{name} defends", { name });
  const rolls = fight.rolls.filter((roll) => roll.seat === seat).slice(-1);
  const force = [total(side.army) || !side.galleys ? armyWords(side.army) : "", side.galleys ? galleysWords(side.galleys) : ""];
  return h("div", { class: "side" },
    h("h3", {}, picture(`marker-${seat}`, 22), words),
    unitsShown(seat, side),
    fight.ended && fight.fled.has(seat) ? h("p", {}, _("fell back to {place}", { place: placeName(fight.fled.get(seat)) })) : null,
    h("p", { class: "hidden" }, force.filter(Boolean).join(", ")),
    ...rolls.map((roll) => rollShown(fight, roll)));
}

export function battleShown(fight, who, reader) {
  const place = placeName(fight.space);
  const round = fight.frame?.round;
  const title = isSea(fight.space) ? _("Naval battle · {place}", { place }) : _("Battle of {place}", { place });
  const shown = h("section", { class: "card battle", "aria-label": title },
    h("h2", {}, round && !fight.ended ? `${title} · ${_("round {round}", { round })}` : title),
    h("div", { class: "sides" }, ...[fight.attacker, fight.defender].map((seat) => sideShown(fight, seat, who, reader))));
  if (fight.ended) {
    const won = fight.ended.winner === NONE ? _("No winner.") : fight.ended.winner === reader ? _("You win.") : _("{who} wins.", { who: called(fight.ended.winner, who) });
    shown.append(h("p", { class: "verdict" }, won));
  }
  return shown;
}

export function battleSignature(fight) {
  return fight ? JSON.stringify([fight.space, fight.attacker, fight.defender, fight.frame, fight.rolls, fight.ended, [...fight.fled]]) : "";
}

// Room on the map: groups of pieces go where they cover neither each other nor, if possible, names.
// Lengths in figures; a figure is `unit` high in pixels of the painting.

import { NONE, WORLD, isSea } from "../model/board.js";
import { total } from "../model/read.js";
import { ARMS } from "./pieces.js";

export const PLATE = 1.05; // height of a plate
const AIR = 0.1;
const REACH = [0, 0.45, 0.9, 1.35, 1.9, 2.5, 3.2];
const WAYS = 12;
const NAME_COST = 1.2; // of covering a name, where covering another piece costs 20

// The signs of a force, from the left: [picture, count].
function signs(force) {
  const found = [];
  if (force.caesar) found.push([`caesar-${force.seat}`, 1]);
  if (force.generals) found.push([`general-${force.seat}`, force.generals]);
  const units = total(force.army);
  if (units) {
    const arm = force.army.indexOf(Math.max(...force.army));
    found.push([`${ARMS[arm]}-${force.seat}`, units]);
  }
  return found;
}

export function widthOf(row) {
  return row.reduce((wide, [, count]) => wide + 0.86 + (count > 1 ? 0.34 : 0), 0.18);
}

// A group: rows of signs below each other. `plain`: without plates.
function group(key, space, at, rows, { plain = false, size = 1 } = {}) {
  const wide = Math.max(...rows.map((row) => widthOf(row.signs))) * size;
  return { key, space, at, rows, plain, size, wide, high: rows.length * (PLATE + 0.06) * size };
}

function* camps(position) {
  for (let space = 0; space < WORLD.provinces; space++) {
    const rows = position.forces(space).map((force) => ({ seat: force.seat, signs: signs(force) }));
    if (rows.length) yield group(`camp${space}`, space, heart(space), rows);
  }
}

function heart(space) {
  return WORLD.board.anchors[space][0];
}

function* buildings(position) {
  for (let space = 0; space < WORLD.provinces; space++) {
    if (!position.built[space]) continue;
    const owner = position.owner[space];
    const picture = position.built[space] === 2 ? "fortified" : "city";
    const row = { seat: owner, signs: [[picture, 1]], mark: position.isSecond ? owner : NONE };
    yield group(`city${space}`, space, WORLD.board.cities[space] ?? heart(space), [row], { plain: true, size: 1.15 });
  }
}

// Yields owners' markers for provinces whose pieces do not show the owner.
function* markers(position) {
  if (position.isSecond) return;
  for (let space = 0; space < WORLD.provinces; space++) {
    const owner = position.owner[space];
    if (owner === NONE || position.forces(space).some((force) => force.seat === owner)) continue;
    yield group(`marker${space}`, space, heart(space), [{ seat: owner, signs: [[`marker-${owner}`, 1]] }],
      { plain: true, size: 0.72 });
  }
}

function* fleets(position) {
  for (const port of position.ports) {
    const rows = position.fleets(port).map(({ seat, galleys }) => ({ seat, signs: cargo(seat, galleys) }));
    const space = WORLD.ashore[port];
    yield group(`fleet${port}`, space, WORLD.board.harbours[port], rows, { plain: true });
  }
}

// A fleet, and who is aboard.
function cargo(seat, galleys) {
  const aboard = galleys.filter((galley) => galley.leaders.length);
  const all = {
    seat,
    caesar: aboard.reduce((n, galley) => n + galley.caesar, 0),
    generals: aboard.reduce((n, galley) => n + galley.generals, 0),
    army: [0, 1, 2].map((arm) => aboard.reduce((n, galley) => n + galley.army[arm], 0)),
  };
  return [[`galley-${seat}`, galleys.length], ...signs(all)];
}

// Conquest II: victory numbers, tokens for sale and influence of a key province.
function* stakes(position) {
  if (!position.isSecond) return;
  for (const space of WORLD.keys) {
    const held = position.influence[space].map((n, seat) => [n, seat]).filter(([n]) => n).sort((a, b) => b[0] - a[0]);
    const first = { seat: NONE, signs: [], words: position.victoryNumbers(space).join(" · ") };
    if (position.tokens[space]) first.words += `  ◇${position.tokens[space]}`;
    const rows = [first];
    for (let i = 0; i < held.length; i += 3) {
      rows.push({ seat: NONE, signs: held.slice(i, i + 3).map(([n, seat]) => [`marker-${seat}`, n, true]) });
    }
    const made = group(`stake${space}`, space, WORLD.board.stakes[space] ?? heart(space), rows, { plain: true, size: 0.72 });
    made.wide = Math.max(made.wide, first.words.length * 0.34 * made.size + 0.3);
    yield made;
  }
}

function overlap(a, b) {
  const wide = Math.min(a[2], b[2]) - Math.max(a[0], b[0]);
  const high = Math.min(a[3], b[3]) - Math.max(a[1], b[1]);
  return wide > 0 && high > 0 ? wide * high : 0;
}

function boxAt([x, y], { wide, high }, unit) {
  const dx = (wide / 2 + AIR / 2) * unit;
  const dy = (high / 2 + AIR / 2) * unit;
  return [x - dx, y - dy, x + dx, y + dy];
}

function* tries(each, unit) {
  for (const at of WORLD.board.anchors[each.space] ?? []) if (!isSea(each.space)) yield at;
  for (const reach of REACH) {
    for (let k = 0; k < (reach ? WAYS : 1); k++) {
      const angle = (2 * Math.PI * k) / WAYS;
      yield [each.at[0] + Math.cos(angle) * reach * unit, each.at[1] + Math.sin(angle) * reach * unit];
    }
  }
}

// Returns the best place of a group: near its wish, over no other group, within the board.
function settle(each, unit, taken, names) {
  let best = null;
  let least = Infinity;
  for (const at of tries(each, unit)) {
    const box = boxAt(at, each, unit);
    const away = Math.hypot(at[0] - each.at[0], at[1] - each.at[1]) / unit;
    let cost = away * 0.5;
    if (box[0] < 0 || box[1] < 0 || box[2] > WORLD.board.width || box[3] > WORLD.board.height) cost += 50;
    for (const other of taken) {
      cost += (overlap(box, other) / unit ** 2) * 20;
      if (cost >= least) break;
    }
    for (const name of names) cost += (overlap(box, name) / unit ** 2) * NAME_COST;
    if (cost < least) [best, least] = [{ at, box }, cost];
    if (cost === 0) break;
  }
  taken.push(best.box);
  return { ...each, at: best.at };
}

// All pieces of a position, each group at its place. `unit`: height of a figure, in pixels of the painting; `names`:
// rectangles of names, which pieces avoid.
export function arrange(position, unit, names) {
  const taken = [];
  const groups = [...buildings(position), ...camps(position), ...fleets(position), ...stakes(position), ...markers(position)];
  return groups.map((each) => settle(each, unit, taken, names));
}


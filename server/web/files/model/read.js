// Reading a position: fields by name, and who stands where. The same questions for all three games.

import { ABOARD, NONE, OFF, PRISON, WORLD, isSea } from "./board.js";

const NO_ARMY = [0, 0, 0];
const SUPPLY = { cote2: 8 }; // galleys of a colour where it matters

// An event or a frame by the names of its fields; one that is called "kind" itself becomes "kindOf".
export function struct(fields, values) {
  const found = { kind: fields[0] };
  for (let i = 1; i < fields.length; i++) found[fields[i] === "kind" ? "kindOf" : fields[i]] = values[i];
  return found;
}

export function eventOf(game, values) {
  const fields = WORLD.games[game].events[values[0]];
  return fields ? struct(fields, values) : { kind: "" };
}

export function frameOf(game, values) {
  const fields = WORLD.games[game].frames[values[0]];
  return fields ? struct(fields, values) : { kind: "" };
}

export class Position {
  // `closed`: the players agreed to end the match without a winner, so nothing is left to decide.
  constructor(game, view, closed = false) {
    this.game = game;
    this.closed = closed;
    this.facts = WORLD.games[game];
    this.facts.view.forEach((field, i) => { this[field] = view[i]; });
    this.frames = (this.frames ?? []).map((frame) => frameOf(game, frame));
  }

  get isSecond() {
    return this.game === "cote2";
  }

  get top() {
    return this.frames[this.frames.length - 1] ?? { kind: "" };
  }

  // Seat that has to decide; NONE if there is none, or while dice are owed.
  get owing() {
    return this.over || this.closed || this.top.seat === undefined ? NONE : this.top.seat;
  }

  get over() {
    return this.winner !== NONE;
  }

  get champions() {
    if (!this.over) return [];
    return this.winners?.length ? this.winners : [this.winner];
  }

  frame(kind) {
    return this.frames.find((frame) => frame.kind === kind);
  }

  // Seat whose turn it is, or that speaks in an auction; NONE between turns.
  get active() {
    if (this.over || this.closed) return NONE;
    const kinds = this.isSecond ? ["Turn", "Auction", "Deployment"] : ["Turn"];
    return this.frames.find((frame) => kinds.includes(frame.kind))?.seat ?? NONE;
  }

  leads(leader) {
    const colour = Math.floor(leader / this.facts.leaders);
    return this.isSecond ? colour : this.lord[colour];
  }

  sails(galley) {
    const colour = Math.floor((galley * this.seats) / this.galley_at.length);
    return this.isSecond ? colour : this.lord[colour];
  }

  leadersAt(seat, place) {
    const found = [];
    this.leader_at.forEach((at, leader) => {
      if (at === place && this.leads(leader) === seat) found.push(leader);
    });
    return found;
  }

  galleysAt(seat, place) {
    const found = [];
    this.galley_at.forEach((at, galley) => {
      if (at === place && this.sails(galley) === seat) found.push(galley);
    });
    return found;
  }

  armyAt(seat, space) {
    return armyOf(this.units[space] ?? [], seat); // at sea there is none
  }

  // Forces of all seats in a province, the owner's first.
  forces(space) {
    const seats = new Set();
    const cell = this.units[space];
    for (let i = 0; i < cell.length; i += 4) seats.add(cell[i]);
    this.leader_at.forEach((at, leader) => { if (at === space) seats.add(this.leads(leader)); });
    const owner = this.owner[space];
    return [...seats]
      .filter((seat) => seat >= 0)
      .sort((a, b) => (b === owner) - (a === owner) || a - b)
      .map((seat) => this.force(seat, this.armyAt(seat, space), this.leadersAt(seat, space)));
  }

  force(seat, army, leaders) {
    const generals = leaders.filter((leader) => leader % this.facts.leaders).length;
    return { seat, army, leaders, caesar: leaders.length - generals, generals, galleys: [] };
  }

  // Everybody's galleys at a position of the board; each with what it carries.
  fleets(place) {
    const seats = new Set();
    this.galley_at.forEach((at, galley) => { if (at === place) seats.add(this.sails(galley)); });
    return [...seats].sort().map((seat) => ({ seat, galleys: this.galleysAt(seat, place).map((g) => this.galley(seat, g)) }));
  }

  galley(seat, number) {
    const army = (this.cargo?.[number]?.length ? this.cargo[number] : NO_ARMY);
    const leaders = this.isSecond ? [] : this.leadersAt(seat, ABOARD + number);
    return { number, ...this.force(seat, army, leaders) };
  }

  // Positions of the board where galleys are.
  get ports() {
    return [...new Set(this.galley_at.filter((at) => at !== OFF))].sort((a, b) => a - b);
  }

  // Positions of galleys that belong to a space.
  coasts(space) {
    if (isSea(space) || this.isSecond) return [space];
    const found = [];
    WORLD.ashore.forEach((ashore, position) => { if (ashore === space) found.push(position); });
    return found;
  }

  worth(space) {
    return WORLD.tribute[space] + (this.built[space] ? 5 : 0);
  }

  prisoners(captor) {
    const found = [];
    this.leader_at.forEach((at, leader) => {
      if (at === PRISON + captor && this.leads(leader) !== captor) found.push(leader);
    });
    return found;
  }

  // Whether a player's pieces left the game.
  fallen(seat) {
    return !this.isSecond && this.lord[seat] !== seat;
  }

  victoryNumbers(space) {
    return WORLD.victory[this.options[WORLD.victory_option]][space];
  }

  // Whether no tribute raises prices at this table: a house rule of 1984.
  get steadyPrices() {
    return this.game === "mb1984" && Boolean(this.options[WORLD.inflation_option]);
  }

  // Points that influence in a key province would score now, by seat.
  provincePoints(space) {
    return prizes(this.influence[space], this.victoryNumbers(space));
  }

  influenceOf(seat) {
    return WORLD.keys.reduce((sum, space) => sum + this.influence[space][seat], 0);
  }

  get galleysEach() {
    return SUPPLY[this.game] ?? 0;
  }
}

export function armyOf(cell, seat) {
  for (let i = 0; i < cell.length; i += 4) if (cell[i] === seat) return cell.slice(i + 1, i + 4);
  return NO_ARMY;
}

export function total(army) {
  return army[0] + army[1] + army[2];
}

export function plus(a, b) {
  return a.map((n, i) => n + b[i]);
}

// Returns the prize of each count; a count of 0 gets nothing.
export function prizes(counts, numbers) {
  const levels = [...new Set(counts.filter((n) => n > 0))].sort((a, b) => b - a);
  return counts.map((n) => (n > 0 ? numbers[levels.indexOf(n)] ?? 0 : 0));
}

// The votes of senators, counted by value.
export function votes(shown) {
  return shown.reduce((sum, n, i) => sum + n * (i + 1), 0);
}

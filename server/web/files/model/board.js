// Constants of the games: board, pieces, names and numbers of the rules (world.json).

export const WORLD = {};
export const NONE = -1;
export const GATHERING = 0; // phases of a table
export const OVER = 2;
export const OFF = 127;
export const ABOARD = 60;
export const PRISON = 110;
export const ALIENS = 6;
export const REBELS = 7;

export function learn(world) {
  Object.assign(WORLD, world);
}

export function placeName(space) {
  return WORLD.names[space] ?? "";
}

export function isSea(space) {
  return space >= WORLD.provinces && space < WORLD.names.length;
}

export function card(kind) {
  const [name, text, stay, cost] = WORLD.cards[kind];
  return { name, text, kind: stay, cost };
}

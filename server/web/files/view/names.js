// Names of provinces and seas on the map: large enough to read at every zoom, and never over each other or over pieces.
// A name that finds no room is left out until the map is enlarged.

import { WORLD, isSea } from "../model/board.js";
import { s } from "./dom.js";

const LEAST_LETTERS = 9.5; // pixels of the screen
const MOST_LETTERS = 30;
const SPACED = 0.06; // room behind a letter, as part of its size (styles/map.css)
const APART = 0.55; // room between two names beside each other, as part of the size of their letters
const HIGH = 1.06; // of a line
const DRAWN = 20; // size at which a name is drawn before it is scaled
const MOVES = [[0, 0], [0.7, 0], [-0.7, 0], [0, -1.3], [0, 1.3], [1.4, 0], [-1.4, 0], [0, -2.6], [0, 2.6], [0, -3.9]]; // letters aside and down at which room is looked for

const widths = []; // of names by space, as part of the size of their letters

export function nameDrawn([, , , , lines], space) {
  const drawn = s("text", { class: isSea(space) ? "name water" : "name", "font-size": DRAWN });
  lines.forEach((line, i) => drawn.append(s("tspan", { x: 0, y: (i - (lines.length - 1) / 2) * DRAWN * HIGH + DRAWN * 0.35 }, line)));
  return drawn;
}

// Size of the letters in board units.
function lettersOf(space, scale) {
  const [, , size] = WORLD.board.labels[space];
  const part = isSea(space) ? 0.85 : 1;
  return Math.min(Math.max(size, (LEAST_LETTERS * part) / scale), (MOST_LETTERS * part) / scale);
}

// The width of each name in the letters of this device, measured once.
function nameWidths() {
  if (widths.length) return widths;
  const ruler = document.createElement("canvas").getContext("2d");
  const family = getComputedStyle(document.documentElement).getPropertyValue("--titles");
  widths.push(...WORLD.board.labels.map(([, , , , lines], space) => {
    ruler.font = `${isSea(space) ? "italic 400" : "700"} ${DRAWN}px ${family}`;
    return Math.max(...lines.map((line) => ruler.measureText(line).width / DRAWN + SPACED * line.length));
  }));
  return widths;
}

function boxOf(space, [x, y], size, air = 0) {
  const lines = WORLD.board.labels[space][4];
  const wide = ((nameWidths()[space] + air) * size) / 2;
  const high = (lines.length * size * HIGH) / 2;
  return [x - wide, y - high, x + wide, y + high];
}

// Returns the best places of names, for pieces that keep clear of them.
export function wishedNames() {
  return WORLD.board.labels.map(([x, y, size], space) => boxOf(space, [x, y], size));
}

function onBoard(box) {
  return box[0] > 0 && box[1] > 0 && box[2] < WORLD.board.width && box[3] < WORLD.board.height;
}

// Puts each name where there is room, within its space. `names`: elements by space; `taken`: rectangles of
// pieces; `first`: spaces whose names matter most; `bounds`: least rectangles around spaces.
export function placeNames(names, scale, taken, first, bounds) {
  const full = [...taken];
  const rank = (space) => (first.has(space) ? 0 : isSea(space) ? 2 : 1);
  const order = names.map((_name, space) => space).sort((a, b) => rank(a) - rank(b) || lettersOf(b, 1) - lettersOf(a, 1));
  for (const space of order) {
    const [x, y, , slope] = WORLD.board.labels[space];
    const size = lettersOf(space, scale);
    const [left, top, right, low] = bounds[space];
    const free = ([dx, dy]) => {
      const [px, py] = [x + dx * size, y + dy * size];
      if ((dx && (px < left || px > right)) || (dy && (py < top || py > low)) || !onBoard(boxOf(space, [px, py], size))) return false;
      const box = boxOf(space, [px, py], size, APART);
      return !full.some((other) => box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3]);
    };
    const move = MOVES.find(free);
    names[space].classList.toggle("left-out", !move);
    if (!move) continue;
    const at = [x + move[0] * size, y + move[1] * size];
    full.push(boxOf(space, at, size, APART));
    const there = `translate(${at[0]} ${at[1]}) rotate(${-slope}) scale(${size / DRAWN})`;
    if (names[space].getAttribute("transform") !== there) names[space].setAttribute("transform", there);
  }
}

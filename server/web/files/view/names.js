// Names of provinces and seas on the map: large enough to read at every zoom, and never over each other or over pieces.
// A name that finds no room is left out until the map is enlarged.

import { WORLD, isSea } from "../model/board.js";
import { s } from "./dom.js";

const LEAST_LETTERS = 9.5; // pixels of the screen
const MOST_LETTERS = 30;
const BROAD = 0.78; // width of a capital letter, as part of its size
const HIGH = 1.06; // of a line
const DRAWN = 20; // size at which a name is drawn before it is scaled
const MOVES = [0, -1.3, 1.3, -2.6, 2.6, -3.9]; // lines up or down at which room is looked for

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

function boxOf(x, y, size, lines) {
  const wide = (Math.max(...lines.map((line) => line.length)) * size * BROAD) / 2;
  const high = (lines.length * size * HIGH) / 2;
  return [x - wide, y - high, x + wide, y + high];
}

// Returns the best places of names, for pieces that keep clear of them.
export function wishedNames() {
  return WORLD.board.labels.map(([x, y, size, , lines]) => boxOf(x, y, size, lines));
}

function meets(a, b) {
  return a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
}

function onBoard(box) {
  return box[0] > 0 && box[1] > 0 && box[2] < WORLD.board.width && box[3] < WORLD.board.height;
}

// Puts each name where there is room, within the heights of its space. `names`: elements by space; `taken`: rectangles of
// pieces; `first`: spaces whose names matter most; `bounds`: least rectangles around spaces.
export function placeNames(names, scale, taken, first, bounds) {
  const full = [...taken];
  const rank = (space) => (first.has(space) ? 0 : isSea(space) ? 2 : 1);
  const order = names.map((_name, space) => space).sort((a, b) => rank(a) - rank(b) || lettersOf(b, 1) - lettersOf(a, 1));
  for (const space of order) {
    const [x, y, , slope, lines] = WORLD.board.labels[space];
    const size = lettersOf(space, scale);
    const boxes = MOVES.map((move) => boxOf(x, y + move * size, size, lines));
    const [, top, , low] = bounds[space];
    const near = (move) => !move || (y + move * size > top && y + move * size < low);
    const found = boxes.findIndex((box, i) => near(MOVES[i]) && onBoard(box) && !full.some((other) => meets(box, other)));
    names[space].classList.toggle("left-out", found < 0);
    if (found < 0) continue;
    full.push(boxes[found]);
    names[space].setAttribute("transform", `translate(${x} ${y + MOVES[found] * size}) rotate(${-slope}) scale(${size / DRAWN})`);
  }
}

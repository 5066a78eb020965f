// The pieces as symbols that are used again and again: those of the client, as outlines.

import { WORLD } from "../model/board.js";
import { s } from "./dom.js";

export const FIGURES = ["caesar", "general", "infantry", "cavalry", "catapult", "galley"];
export const ARMS = ["infantry", "cavalry", "catapult"];
const DARKER = 0.3;
const LIGHTER = 0.15;

function mixed(a, b, t) {
  return a.map((channel, i) => Math.round(channel + (b[i] - channel) * t));
}

function css(rgb) {
  return `rgb(${rgb.join(" ")})`;
}

export function seatColour(seat) {
  const colour = WORLD.pieces.colours[seat];
  return colour ? css(colour[0]) : "#8a7456";
}

// The colour of a player's province, over parchment.
export function landColour(seat, base) {
  return css(mixed(base, WORLD.pieces.colours[seat][0], 0.58));
}

function paintOf(code, seat) {
  const [rgb] = WORLD.pieces.colours[seat];
  if (code === "seat") return css(rgb);
  if (code === "dark") return css(mixed(rgb, [40, 24, 16], DARKER));
  return code === "light" ? css(mixed(rgb, [255, 244, 222], LIGHTER)) : code;
}

// Shapes in the fine units of their paths. Each transform costs time with every picture, so that all share this one.
function fineShapes(shapes, begin = "", scale = 1) {
  return s("g", { transform: `${begin}scale(${scale / WORLD.pieces.fine})` }, ...shapes);
}

function shape([code, path, line, strength], seat) {
  const { fine } = WORLD.pieces;
  const drawn = s("path", { d: path, fill: paintOf(code, seat) });
  if (line) drawn.setAttribute("stroke", WORLD.pieces.ink);
  if (line) drawn.setAttribute("stroke-width", 2 * line * fine);
  if (line) drawn.setAttribute("paint-order", "stroke");
  if (strength < 1) drawn.setAttribute("opacity", strength);
  return drawn;
}

function markAt([, x, y, r], seat) {
  const { fine, marks, colours } = WORLD.pieces;
  return s("path", { d: marks[seat], fill: colours[seat][1], transform: `translate(${x * fine} ${y * fine}) scale(${r / 50})` });
}

function symbol(id, parts) {
  return s("symbol", { id, viewBox: "-4 -4 136 136", overflow: "visible" }, ...parts);
}

function figure(name, seat) {
  const parts = WORLD.pieces.figures[name];
  return symbol(`${name}-${seat}`, [fineShapes(parts.map((each) => (each[0] === "mark" ? markAt(each, seat) : shape(each, seat))))]);
}

// A round marker of a player.
function marker(seat) {
  const dark = paintOf("dark", seat);
  return symbol(`marker-${seat}`, [
    s("circle", { cx: 64, cy: 64, r: 58, fill: WORLD.pieces.ink }),
    s("circle", { cx: 64, cy: 64, r: 54, fill: "#d9ac4e" }),
    s("circle", { cx: 64, cy: 64, r: 46, fill: seatColour(seat), stroke: dark, "stroke-width": 3 }),
    fineShapes([markAt(["mark", 64, 64, 32], seat)]),
  ]);
}

// A face of a special die: an ink silhouette on ivory.
function face(name) {
  const drawn = name === "blank" ? [] : WORLD.pieces.figures[name].filter(([code]) => code !== "mark").map(
    ([, path, line]) => s("path", { d: path, fill: line ? WORLD.pieces.ink : "#f4e9cc" }));
  return symbol(`die-${name}`, [ivory(), fineShapes(drawn, "translate(20 20) ", 0.69)]);
}

function ivory() {
  return s("rect", { x: 4, y: 4, width: 120, height: 120, rx: 22, fill: "#f8efd8", stroke: WORLD.pieces.ink, "stroke-width": 5 });
}

const PIPS = [[4], [0, 8], [0, 4, 8], [0, 2, 6, 8], [0, 2, 4, 6, 8], [0, 2, 3, 5, 6, 8]];

function pips(count) {
  const dots = PIPS[count - 1].map((place) => s("circle", {
    cx: 36 + 28 * (place % 3), cy: 36 + 28 * Math.floor(place / 3), r: count === 1 ? 15 : 11,
    fill: count === 1 ? "#96221c" : WORLD.pieces.ink,
  }));
  return symbol(`die-${count}`, [ivory(), ...dots]);
}

let symbolDefs = null; // symbols of the page that were needed so far

// The place of all symbols, hidden in the page once. Each is drawn when it is first used: most matches need a few.
export function symbols() {
  symbolDefs = s("defs", {});
  return s("svg", { width: 0, height: 0, "aria-hidden": "true", class: "symbols" }, symbolDefs);
}

function symbolOf(name) {
  const [kind, which] = name.split("-");
  if (WORLD.pieces.buildings[name]) return symbol(name, [fineShapes(WORLD.pieces.buildings[name].map((each) => shape(each, 0)))]);
  if (kind === "marker") return marker(Number(which));
  if (kind === "die") return which > 0 ? pips(Number(which)) : face(which);
  return figure(kind, Number(which));
}

export function useSymbol(name, attributes) {
  if (![...symbolDefs.children].some(({ id }) => id === name)) symbolDefs.append(symbolOf(name));
  return s("use", { href: `#${name}`, ...attributes });
}

// A symbol as a picture of its own in the text.
export function picture(name, size = 24, title = "") {
  const shown = s("svg", { class: "piece", width: size, height: size, viewBox: "0 0 128 128" },
    useSymbol(name, { width: 128, height: 128 }));
  if (title) shown.append(s("title", {}, title));
  shown.setAttribute(title ? "role" : "aria-hidden", title ? "img" : "true");
  return shown;
}

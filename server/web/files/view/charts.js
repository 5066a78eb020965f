// Charts of a finished match: a picture for each number of the players, with a curve for each player.

import { WORLD } from "../model/board.js";
import { Position } from "../model/read.js";
import { _ } from "../words/language.js";
import { columns, numbers } from "../words/people.js";
import { h, s } from "./dom.js";
import { picture } from "./pieces.js";

const CHART_POINTS = 200; // positions that a curve is drawn from at most
const CHART_WIDE = 320; // the size of a picture, in its own units
const CHART_HIGH = 104;
const CHART_EDGE = 4; // around the curves

// The numbers of all players at some versions: by version, seat and column.
function course({ first, version }, game, at) {
  const step = Math.max(1, (version - first) / CHART_POINTS);
  const found = [];
  for (let each = first; each < version; each += step) found.push(Math.round(each));
  return [...new Set([...found, version])].map((each) => {
    const position = new Position(game, at(each));
    return Array.from({ length: position.seats }, (_none, seat) => numbers(position, seat));
  });
}

// `history`: of the match; `who(seat)`: names.
export function chartsShown(history, game, who) {
  const rows = course(history, game, (version) => history.at(version).view);
  const last = rows[rows.length - 1];
  const legend = last.map((_numbers, seat) => h("span", { class: "person" }, picture(`marker-${seat}`, 20), who(seat)));
  const names = columns(new Position(game, history.at(history.version).view));
  return h("section", { class: "card charts" }, h("h2", {}, _("Charts")), h("p", { class: "legend" }, ...legend),
    h("div", { class: "curves" }, ...names.map((name, column) => chart(name, rows.map((seats) => seats.map((each) => each[column])), who))));
}

function chart(name, rows, who) {
  const most = Math.max(1, ...rows.flat());
  const least = Math.min(0, ...rows.flat());
  const x = (i) => CHART_EDGE + (i * (CHART_WIDE - 2 * CHART_EDGE)) / Math.max(1, rows.length - 1);
  const y = (n) => CHART_HIGH - CHART_EDGE - ((n - least) * (CHART_HIGH - 2 * CHART_EDGE)) / (most - least);
  const curve = (seat, kind, colour) => s("polyline", { class: kind, ...(colour && { stroke: colour }),
    points: rows.map((seats, i) => `${x(i).toFixed(1)},${y(seats[seat]).toFixed(1)}`).join(" ") });
  const last = rows[rows.length - 1];
  const said = last.map((n, seat) => `${who(seat)} ${n}`).join(", ");
  return h("figure", {}, h("figcaption", {}, h("b", {}, name), h("small", {}, _("up to {n}", { n: most }))),
    s("svg", { viewBox: `0 0 ${CHART_WIDE} ${CHART_HIGH}`, role: "img", "aria-label": `${name}: ${said}` },
      s("line", { class: "axis", x1: CHART_EDGE, x2: CHART_WIDE - CHART_EDGE, y1: y(0), y2: y(0) }),
      ...last.flatMap((_n, seat) => [curve(seat, "casing"), curve(seat, "curve", `rgb(${WORLD.pieces.colours[seat][0]})`)])));
}

// Provinces and seas as shapes: which one is meant by a tap, where they lie, and the light on those that can be chosen.

import { NONE, WORLD } from "../model/board.js";
import { keyed, s } from "./dom.js";

const RINGS = [0, 0.34, 0.67, 1]; // parts of a finger's reach at which spaces are looked for
const WAYS_ROUND = 12;

// The outline of a province or sea, as an SVG path.
export function outlineOf(space) {
  return WORLD.board.land[space] ?? WORLD.board.waters[space - WORLD.provinces];
}

// The least rectangle around a path of relative lines, [x1, y1, x2, y2].
function boundsOf(path) {
  const bounds = [Infinity, Infinity, -Infinity, -Infinity];
  for (const ring of path.split("z")) {
    let [x, y] = [0, 0];
    const numbers = ring.match(/-?\d+/g) ?? [];
    for (let i = 0; i < numbers.length; i += 2) {
      [x, y] = [x + Number(numbers[i]), y + Number(numbers[i + 1])];
      bounds[0] = Math.min(bounds[0], x);
      bounds[1] = Math.min(bounds[1], y);
      bounds[2] = Math.max(bounds[2], x);
      bounds[3] = Math.max(bounds[3], y);
    }
  }
  return bounds;
}

export class Spaces {
  constructor() {
    this.canvas = document.createElement("canvas").getContext("2d");
    this.shapes = WORLD.names.map((_name, space) => ({ path: null, bounds: boundsOf(outlineOf(space)) }));
  }

  // The middle of a space, where its pieces are wished.
  anchor(space) {
    return WORLD.board.anchors[space][0];
  }

  // The space at a point of the board, or NONE.
  at(x, y) {
    return this.shapes.findIndex(({ bounds: [x1, y1, x2, y2] }, space) =>
      x >= x1 && y >= y1 && x <= x2 && y <= y2 && this.canvas.isPointInPath(this.pathOf(space), x, y, "evenodd"));
  }

  // The shape of a space, made when it is first needed.
  pathOf(space) {
    this.shapes[space].path ??= new Path2D(outlineOf(space));
    return this.shapes[space].path;
  }

  // The nearest space within `reach` that counts, or NONE.
  near(x, y, reach, counts) {
    for (const ring of RINGS) {
      for (let k = 0; k < (ring ? WAYS_ROUND : 1); k++) {
        const angle = (2 * Math.PI * k) / WAYS_ROUND;
        const space = this.at(x + Math.cos(angle) * ring * reach, y + Math.sin(angle) * ring * reach);
        if (space !== NONE && counts(space)) return space;
      }
    }
    return NONE;
  }

  // The least rectangle around spaces.
  around(spaces) {
    const all = spaces.map((space) => this.shapes[space].bounds);
    return [0, 1, 2, 3].map((i) => Math[i < 2 ? "min" : "max"](...all.map((bounds) => bounds[i])));
  }

  // The next space in a direction (dx, dy) of 1, 0 or -1, from a point; NONE where there is none.
  next([x, y], [dx, dy], counts) {
    let best = NONE;
    let least = Infinity;
    this.shapes.forEach((_shape, space) => {
      const [px, py] = this.anchor(space);
      const [ahead, aside] = [(px - x) * dx + (py - y) * dy, Math.abs((px - x) * dy) + Math.abs((py - y) * dx)];
      const away = ahead + 2 * aside;
      if (counts(space) && ahead > 8 && away < least) [best, least] = [space, away];
    });
    return best;
  }
}

// Light on spaces: `lights` is a map from a space to its kind.
export function showLights(parent, lights) {
  keyed(parent, [...lights].map(([space, kind]) => [`${space}`, kind, () => s("g", { class: `light ${kind}` },
    s("path", { d: outlineOf(space), class: "casing", "fill-rule": "evenodd" }), s("path", { d: outlineOf(space), class: "edge", "fill-rule": "evenodd" }))]));
}

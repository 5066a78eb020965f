// The board: parchment, provinces in the colours of their owners, pieces on it; to be moved and zoomed.

import { NONE, WORLD, placeName } from "../model/board.js";
import { _ } from "../words/language.js";
import { PLATE, arrange, widthOf } from "./camps.js";
import { Camera } from "./camera.js";
import { h, keyed, s, setText } from "./dom.js";
import { nameDrawn, placeNames, wishedNames } from "./names.js";
import { landColour, seatColour, useSymbol } from "./pieces.js";
import { Spaces, outlineOf, showLights } from "./spaces.js";

const BASES = [[238, 216, 178], [232, 220, 172], [230, 205, 180], [222, 216, 176], [228, 208, 192]];
const FINGER = 24; // pixels around a tap in which a space counts
const NAMED = 0.04; // change of the zoom after which names are placed anew
const STRIDE = 80; // pixels that Shift with an arrow moves the board
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const FIGURE = [62, 140]; // pixels of the painting that a figure has, at least and at most

function baseOf(space) {
  return BASES[(space * 7) % BASES.length];
}

function ground() {
  const { board } = WORLD;
  const lands = board.land.map((d, space) => s("path", {
    d, class: "land", "data-space": space, "fill-rule": "evenodd", fill: `rgb(${baseOf(space).join(" ")})`,
  }));
  return {
    lands,
    drawn: [
      s("rect", { class: "sea", x: 0, y: 0, width: board.width, height: board.height }),
      s("path", { d: board.seas, class: "zones" }),
      s("path", { d: board.wild, class: "wild", "fill-rule": "evenodd" }),
      s("g", { class: "lands" }, ...lands),
      s("path", { d: board.rivers, class: "rivers" }),
      s("g", { class: "ranges" }, ...board.ranges.map(([high, d]) => s("path", { d, "stroke-width": 30 * high }))),
      s("g", { class: "straits" }, ...board.straits.map(([a, b]) => s("line", { x1: a[0], y1: a[1], x2: b[0], y2: b[1] }))),
    ],
  };
}

// Act as soon as the page is in front: nothing is drawn in the background.
function whenSeen(act) {
  if (document.hidden) document.addEventListener("visibilitychange", () => whenSeen(act), { once: true });
  else act();
}

// The board. Other parts of the page use it so:
//
//   board.light({kind: spaces}) spaces that can be chosen; `kind` is "source" (an army that can act) or "target" (where it
//                               can go). It replaces all light; {} puts it out.
//   board.dim()                 puts out all light, and takes away planned moves.
//   board.onPick = (space, kind) => ...
//                               a space was tapped, clicked, or chosen with Enter. `kind` is that of its light, "" if it
//                               has none. Taps near a lit space count for it. Return true where the tap was used;
//                               otherwise the space is described beside the board.
//   board.plan(moves, seat)     draws planned moves as arrows, each [from, to]; [] takes them away.
//   board.glideTo(spaces)       brings spaces into view; what can be read already stays where it is.
//   board.choose(space)         marks the one that is chosen; NONE: none.
export class Board {
  // `pick(space)`: a space was chosen that `onPick` did not use.
  constructor(pick) {
    this.pick = pick;
    this.onPick = null;
    this.lights = new Map();
    this.spaces = new Spaces();
    this.groups = [];
    this.shown = null;
    this.cursor = NONE;
    this.build();
    this.camera = new Camera(this.element, this.ground, () => this.look(), (x, y) => this.tapped(this.meant(x, y)),
      () => this.element.clientHeight - this.zoom.offsetTop);
    this.element.addEventListener("keydown", (event) => this.key(event));
  }

  build() {
    const { board } = WORLD;
    const { lands, drawn } = ground();
    this.lands = lands;
    for (const name of ["roads", "moves", "plans", "pieces", "fight"]) this[name] = s("g", { class: name });
    this.names = board.labels.map(nameDrawn);
    this.lit = s("g", { class: "lights" });
    this.chosen = s("path", { class: "chosen" });
    this.lesson = s("path", { class: "chosen meant" });
    const size = { viewBox: `0 0 ${board.width} ${board.height}`, width: board.width, height: board.height };
    // A picture of its own for each part that changes alone: the browser draws a changed one anew, and keeps the others.
    const over = (...parts) => s("svg", { class: "map over", "aria-hidden": "true", ...size }, ...parts);
    this.svg = s("svg", { class: "map", role: "img", "aria-label": _("The board; all provinces in words stand below."), ...size }, ...drawn);
    this.ground = h("div", { class: "ground" }, this.svg, over(this.lit, this.chosen, this.lesson), over(this.roads),
      over(s("g", { class: "names" }, ...this.names)), over(this.moves, this.fight), over(this.pieces), over(this.plans));
    this.zoom = this.buttons();
    this.said = h("p", { class: "hidden", role: "status" });
    this.element = h("div", { class: "board", tabindex: "0", role: "group", "aria-label": _("Map. Arrow keys go from space to space, Enter chooses, plus and minus zoom.") },
      this.ground, this.said, this.zoom);
  }

  buttons() {
    const button = (sign, words, act) => h("button", { type: "button", title: words, "aria-label": words, onclick: act }, sign);
    const larger = button("+", _("Larger"), () => this.camera.zoomBy(1.5));
    // The other two go where the whole board is seen; the keyboard then goes on from the one that stays.
    return h("div", { class: "zoom" }, larger,
      button("−", _("Smaller"), () => {
        this.camera.zoomBy(1 / 1.5);
        if (this.camera.zoom <= 1) larger.focus();
      }),
      button("▢", _("The whole board"), () => {
        this.camera.whole();
        larger.focus();
      }));
  }

  // The part that is seen has changed.
  look() {
    const { scale, zoom, wide } = this.camera;
    this.element.classList.toggle("zoomed", zoom > 1);
    const wished = (22 + wide * 0.006) / scale;
    const unit = Math.round(Math.min(FIGURE[1], Math.max(FIGURE[0], wished)) / 6) * 6;
    if (unit !== this.unit) {
      this.unit = unit;
      if (this.shown) this.showPieces(this.shown);
    } else if (Math.abs(scale / this.named - 1) > NAMED) this.showNames();
  }

  // Names where pieces leave room; anew where the zoom has changed so much that it shows.
  showNames() {
    this.named = this.camera.scale;
    placeNames(this.names, this.named, this.groups.map(({ at: [x, y], wide, high }) =>
      [x - (wide * this.unit) / 2, y - (high * this.unit) / 2, x + (wide * this.unit) / 2, y + (high * this.unit) / 2]), this.lights, this.spaces.shapes.map((shape) => shape.bounds));
  }

  // The painted board of the desktop, after everything else and where the connection allows it.
  paintLater(address) {
    const { saveData, effectiveType = "4g" } = navigator.connection ?? {};
    if (this.asked || saveData || effectiveType !== "4g") return;
    this.asked = true;
    (globalThis.requestIdleCallback ?? setTimeout)(() => {
      const { width, height } = WORLD.board;
      const painting = h("img", { class: "painting", src: address, alt: "", width, height, decoding: "async" });
      painting.decode().then(() => whenSeen(() => {
        this.ground.prepend(painting);
        this.element.classList.add("painted");
      }), () => {}); // Without it the drawn board stays.
    });
  }

  light(spacesByKind) {
    this.lights.clear();
    for (const [kind, spaces] of Object.entries(spacesByKind)) for (const space of spaces) this.lights.set(space, kind);
    showLights(this.lit, this.lights);
    if (this.camera.wide && !this.camera.flight) this.showNames();
  }

  dim() {
    this.lights.clear();
    showLights(this.lit, this.lights);
    this.plan([], NONE);
  }

  plan(moves, seat) {
    keyed(this.plans, moves.map(([from, to], i) => [`${i}`, `${from},${to},${seat}`, () =>
      arrow(WORLD.board.anchors[from][0], WORLD.board.anchors[to][0], seat)]));
  }

  glideTo(spaces) {
    const known = [...spaces].filter((space) => this.spaces.shapes[space]);
    if (known.length) this.camera.glide(this.spaces.around(known));
  }

  // The space that is meant by a tap: of lit ones the nearest, else that of the pieces or of the ground there.
  meant(x, y) {
    const reach = FINGER / this.camera.scale;
    const lit = (space) => this.lights.has(space);
    const piece = this.groups.find(({ at, wide, high }) =>
      Math.abs(x - at[0]) * 2 < wide * this.unit && Math.abs(y - at[1]) * 2 < high * this.unit)?.space ?? NONE;
    if (piece !== NONE && (lit(piece) || !lit(this.spaces.at(x, y)))) {
      const nearest = lit(piece) ? piece : this.spaces.near(x, y, reach / 2, lit);
      return nearest === NONE ? piece : nearest;
    }
    const nearest = this.spaces.near(x, y, reach, lit);
    return nearest === NONE ? this.spaces.near(x, y, reach, () => true) : nearest;
  }

  tapped(space) {
    if (space === NONE) return;
    this.cursor = space;
    if (!this.onPick?.(space, this.lights.get(space) ?? "")) this.pick(space);
  }

  key(event) {
    if (event.target !== this.element || event.altKey || event.metaKey || event.ctrlKey) return;
    const way = ARROWS[event.key];
    const act = { "+": () => this.camera.zoomBy(1.5), "=": () => this.camera.zoomBy(1.5), "-": () => this.camera.zoomBy(1 / 1.5),
      0: () => this.camera.whole(), Enter: () => this.tapped(this.cursor), " ": () => this.tapped(this.cursor) }[event.key];
    if (!way && !act) return;
    event.preventDefault();
    if (act) act();
    else if (event.shiftKey) this.camera.panBy(way[0] * STRIDE, way[1] * STRIDE);
    else this.step(way);
  }

  // To the next space in that direction; where spaces are lit, to the next of them.
  step(way) {
    const counts = (space) => !this.lights.size || this.lights.has(space);
    const [x, y, wide, high] = this.camera.seen;
    const from = this.cursor === NONE ? [x + wide / 2, y + high / 2] : WORLD.board.anchors[this.cursor][0];
    const space = this.spaces.next(from, way, counts);
    if (space === NONE) return;
    this.cursor = space;
    this.chosen.setAttribute("d", outlineOf(space));
    this.glideTo([space]);
    setText(this.said, placeName(space));
  }

  // `position`, with what happened last (`events`), and where a battle is (`battle`: a space or NONE).
  show(position, events, battle) {
    this.shown = position;
    this.showOwners(position);
    this.showRoads(position);
    this.showMoves(position, events);
    this.showBattle(battle);
    if (this.unit) this.showPieces(position); // Else with the first look, which tells how large they are.
  }

  showOwners(position) {
    this.lands.forEach((land, space) => {
      const owner = position.isSecond && !position.built[space] ? NONE : position.owner[space];
      const fill = owner === NONE ? `rgb(${baseOf(space).join(" ")})` : landColour(owner, baseOf(space));
      if (land.getAttribute("fill") !== fill) land.setAttribute("fill", fill);
      land.classList.toggle("owned", owner !== NONE);
    });
  }

  showRoads(position) {
    const roads = position.roads ?? [];
    keyed(this.roads, roads.map((edge) => [`${edge}`, "", () => {
      const [d, ...ends] = WORLD.board.roads[edge];
      const squares = ends.map(([cx, cy]) => s("circle", { cx, cy, r: 14 }));
      return s("g", {}, s("path", { d, class: "bed" }), ...squares, s("path", { d, class: "paved" }), s("path", { d, class: "stones" }));
    }]));
  }

  // Arrows for what moved last.
  showMoves(position, events) {
    const moves = events.filter((event) => ["Marched", "Sailed", "Retreated"].includes(event.kind) && event.source !== undefined);
    keyed(this.moves, moves.map((event, i) => {
      const [a, b] = [event.source, event.to].map((at) => WORLD.board.harbours[at] && event.kind === "Sailed"
        ? WORLD.board.harbours[at] : WORLD.board.anchors[WORLD.ashore[at]][0]);
      return [`${i}`, `${event.source},${event.to},${event.seat}`, () => arrow(a, b, event.seat)];
    }));
  }

  showBattle(space) {
    keyed(this.fight, space === NONE ? [] : [[`${space}`, "", () => {
      const [cx, cy] = WORLD.board.anchors[space][0];
      return s("g", {}, s("circle", { cx, cy, r: 92, class: "alarm" }), s("title", {}, placeName(space)));
    }]]);
  }

  showPieces(position) {
    const { unit } = this;
    this.groups = arrange(position, unit, wishedNames());
    keyed(this.pieces, this.groups.map((group) => {
      const signature = JSON.stringify([group.at.map(Math.round), group.rows, unit]);
      return [group.key, signature, () => drawn(group, unit)];
    }));
    this.showNames();
  }

  // Mark the spaces that a coach means.
  point(spaces) {
    this.lesson.setAttribute("d", spaces.map(outlineOf).join(""));
  }

  choose(space) {
    this.cursor = space;
    this.chosen.setAttribute("d", space === NONE ? "" : outlineOf(space));
  }
}

function arrow([x1, y1], [x2, y2], seat) {
  const [mx, my] = [(x1 + x2) / 2 - (y2 - y1) * 0.14, (y1 + y2) / 2 + (x2 - x1) * 0.14];
  const angle = Math.atan2(y2 - my, x2 - mx);
  const tip = (turn) => `${x2 - 46 * Math.cos(angle + turn)} ${y2 - 46 * Math.sin(angle + turn)}`;
  const d = `M${x1} ${y1}Q${mx} ${my} ${x2} ${y2}M${tip(0.5)}L${x2} ${y2}L${tip(-0.5)}`;
  return s("g", {}, s("path", { d, class: "trace" }), s("path", { d, class: "arrow", stroke: seatColour(seat) }));
}

function drawn(group, unit) {
  const g = s("g", { transform: `translate(${group.at[0]} ${group.at[1]}) scale(${unit * group.size})`, "data-space": group.space });
  group.rows.forEach((row, i) => g.append(rowDrawn(row, group, (i - (group.rows.length - 1) / 2) * (PLATE + 0.06))));
  return g;
}

function rowDrawn(row, group, y) {
  const wide = widthOf(row.signs);
  const g = s("g", {});
  if (!group.plain) {
    g.append(s("rect", { class: "plate", x: -wide / 2, y: y - PLATE / 2, width: wide, height: PLATE, rx: 0.2, stroke: seatColour(row.seat) }));
  }
  if (row.words) g.append(s("text", { class: "stake", x: 0, y: y + 0.22, "font-size": 0.72 }, row.words));
  let x = -wide / 2 + 0.09;
  for (const [picture, count] of row.signs) {
    g.append(useSymbol(picture, { x: x - 0.04, y: y - 0.46, width: 0.94, height: 0.94 }));
    if (count > 1) g.append(badge(x + 0.86, y + 0.12, count));
    x += 0.86 + (count > 1 ? 0.34 : 0);
  }
  if (row.mark !== undefined && row.mark !== NONE) {
    g.append(useSymbol(`marker-${row.mark}`, { x: 0.05, y: y + 0.02, width: 0.5, height: 0.5 }));
  }
  return g;
}

function badge(x, y, count) {
  const r = count > 9 ? 0.33 : 0.27;
  return s("g", {}, s("circle", { class: "badge", cx: x, cy: y, r }), s("text", { class: "count", x, y: y + 0.155, "font-size": 0.44 }, `${count}`));
}

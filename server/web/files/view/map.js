// The board: parchment, provinces in the colours of their owners, pieces on it; to be moved and zoomed.

import { NONE, WORLD, isSea, placeName } from "../model/board.js";
import { _ } from "../words/language.js";
import { PLATE, arrange, widthOf } from "./camps.js";
import { h, keyed, s } from "./dom.js";
import { landColour, seatColour } from "./pieces.js";

const BASES = [[238, 216, 178], [232, 220, 172], [230, 205, 180], [222, 216, 176], [228, 208, 192]];
const MOST = 8; // times that it can be larger
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

function label([x, y, size, slope, lines], space) {
  const drawn = s("text", { class: isSea(space) ? "name water" : "name", "font-size": size, transform: `rotate(${-slope} ${x} ${y})` });
  lines.forEach((line, i) => {
    drawn.append(s("tspan", { x, y: y + (i - (lines.length - 1) / 2) * size * 1.06 + size * 0.35 }, line));
  });
  return drawn;
}

export class Board {
  // `pick(space)`: a space was clicked.
  constructor(pick) {
    this.pick = pick;
    const { board } = WORLD;
    const { lands, drawn } = ground();
    this.lands = lands;
    this.roads = s("g", { class: "roads" });
    this.moves = s("g", { class: "moves" });
    this.pieces = s("g", { class: "pieces" });
    this.fight = s("g", { class: "fight" });
    this.chosen = s("path", { class: "chosen" });
    this.view = { x: 0, y: 0, zoom: 1 };
    this.svg = s("svg", { class: "map", role: "img", "aria-label": _("The board; all provinces in words stand below."), preserveAspectRatio: "xMidYMid slice" },
      ...drawn, this.chosen, this.roads, s("g", { class: "names" }, ...board.labels.map(label)), this.moves, this.fight, this.pieces);
    this.element = h("div", { class: "board" }, this.svg, this.buttons());
    this.shown = null;
    this.touches = new Map();
    this.listen();
    new ResizeObserver(() => this.look()).observe(this.element);
  }

  buttons() {
    const button = (sign, words, act) => h("button", { type: "button", title: words, "aria-label": words, onclick: act }, sign);
    return h("div", { class: "zoom" },
      button("+", _("Larger"), () => this.zoomBy(1.5)),
      button("−", _("Smaller"), () => this.zoomBy(1 / 1.5)),
      button("▢", _("The whole board"), () => this.whole()));
  }

  // Pixels of the screen for one of the painting.
  get scale() {
    const { width, height } = this.element.getBoundingClientRect();
    return Math.min(width / WORLD.board.width, height / WORLD.board.height) * this.view.zoom || 0.1;
  }

  whole() {
    this.view = { x: 0, y: 0, zoom: 1 };
    this.look();
  }

  zoomBy(factor, at = null) {
    const box = this.element.getBoundingClientRect();
    const [px, py] = at ?? [box.width / 2, box.height / 2];
    const before = this.scale;
    const [wx, wy] = [this.view.x + px / before, this.view.y + py / before];
    this.view.zoom = Math.min(MOST, Math.max(1, this.view.zoom * factor));
    this.view.x = wx - px / this.scale;
    this.view.y = wy - py / this.scale;
    this.look();
  }

  // Puts the part that is seen into the picture, within the board.
  look() {
    const box = this.element.getBoundingClientRect();
    if (!box.width) return;
    const scale = this.scale;
    const [wide, high] = [box.width / scale, box.height / scale];
    this.view.x = within(this.view.x, wide, WORLD.board.width);
    this.view.y = within(this.view.y, high, WORLD.board.height);
    this.svg.setAttribute("viewBox", `${this.view.x} ${this.view.y} ${wide} ${high}`);
    this.element.classList.toggle("zoomed", this.view.zoom > 1);
    this.element.classList.toggle("tiny", scale < 0.19);
    const wished = (22 + box.width * 0.006) / scale;
    const unit = Math.round(Math.min(FIGURE[1], Math.max(FIGURE[0], wished)) / 6) * 6;
    if (unit !== this.unit) {
      this.unit = unit;
      if (this.shown) this.showPieces(this.shown);
    }
  }

  listen() {
    const { element } = this;
    element.addEventListener("wheel", (event) => {
      if (this.view.zoom === 1 && event.deltaY > 0) return;
      event.preventDefault();
      const box = element.getBoundingClientRect();
      this.zoomBy(Math.exp(-event.deltaY / 400), [event.clientX - box.left, event.clientY - box.top]);
    }, { passive: false });
    element.addEventListener("pointerdown", (event) => this.touch(event));
    element.addEventListener("pointermove", (event) => this.drag(event));
    for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
      element.addEventListener(end, (event) => this.touches.delete(event.pointerId));
    }
    this.svg.addEventListener("click", (event) => {
      const space = event.target.closest("[data-space]")?.dataset.space;
      if (space !== undefined && !this.dragged) this.pick(Number(space));
    });
  }

  touch(event) {
    if (event.target.closest("button")) return;
    this.touches.set(event.pointerId, [event.clientX, event.clientY]);
    this.dragged = false;
  }

  drag(event) {
    const before = this.touches.get(event.pointerId);
    if (!before) return;
    const now = [event.clientX, event.clientY];
    if (Math.hypot(now[0] - before[0], now[1] - before[1]) < 3 && !this.dragged) return;
    const others = [...this.touches].filter(([id]) => id !== event.pointerId);
    if (others.length) this.pinch(before, now, others[0][1]);
    else if (this.view.zoom > 1) {
      this.view.x -= (now[0] - before[0]) / this.scale;
      this.view.y -= (now[1] - before[1]) / this.scale;
      this.look();
    }
    this.dragged = true;
    this.touches.set(event.pointerId, now);
  }

  pinch(before, now, other) {
    const box = this.element.getBoundingClientRect();
    const apart = (point) => Math.hypot(point[0] - other[0], point[1] - other[1]) || 1;
    const middle = [(now[0] + other[0]) / 2 - box.left, (now[1] + other[1]) / 2 - box.top];
    this.zoomBy(apart(now) / apart(before), middle);
  }

  // `position`, with what happened last (`events`), and where a battle is (`battle`: a space or NONE).
  show(position, events, battle) {
    this.shown = position;
    this.showOwners(position);
    this.showRoads(position);
    this.showMoves(position, events);
    this.showBattle(battle);
    this.showPieces(position);
  }

  showOwners(position) {
    this.lands.forEach((land, space) => {
      const owner = position.isSecond && !position.built[space] ? NONE : position.owner[space];
      const fill = owner === NONE ? `rgb(${baseOf(space).join(" ")})` : landColour(owner, baseOf(space));
      if (land.getAttribute("fill") !== fill) land.setAttribute("fill", fill);
    });
  }

  showRoads(position) {
    const roads = position.roads ?? [];
    keyed(this.roads, roads.map((edge) => [`${edge}`, "", () => {
      const [[x1, y1], [x2, y2]] = WORLD.edges[edge].map((space) => WORLD.board.cities[space] ?? WORLD.board.anchors[space][0]);
      return s("g", {}, s("line", { x1, y1, x2, y2, class: "bed" }), s("line", { x1, y1, x2, y2, class: "stones" }));
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
    const unit = this.unit ?? FIGURE[0];
    keyed(this.pieces, arrange(position, unit).map((group) => {
      const signature = JSON.stringify([group.at.map(Math.round), group.rows, unit]);
      return [group.key, signature, () => drawn(group, unit)];
    }));
  }

  choose(space) {
    this.chosen.setAttribute("d", space === NONE || isSea(space) ? "" : WORLD.board.land[space]);
  }
}

// Where a part begins that is `seen` long: within `all`, or with as much room on both sides.
function within(at, seen, all) {
  return seen > all ? (all - seen) / 2 : Math.min(Math.max(0, at), all - seen);
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
    g.append(s("use", { href: `#${picture}`, x: x - 0.04, y: y - 0.46, width: 0.94, height: 0.94 }));
    if (count > 1) g.append(badge(x + 0.86, y + 0.12, count));
    x += 0.86 + (count > 1 ? 0.34 : 0);
  }
  if (row.mark !== undefined && row.mark !== NONE) {
    g.append(s("use", { href: `#marker-${row.mark}`, x: 0.05, y: y + 0.02, width: 0.5, height: 0.5 }));
  }
  return g;
}

function badge(x, y, count) {
  const r = count > 9 ? 0.33 : 0.27;
  return s("g", {}, s("circle", { class: "badge", cx: x, cy: y, r }), s("text", { class: "count", x, y: y + 0.155, "font-size": 0.44 }, `${count}`));
}

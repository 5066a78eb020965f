// The part of the board that is seen: moved by drags, wheels, pinches, double taps and keys. It glides where it is asked
// to. Lengths of the painting are called board units, lengths of the screen pixels.

import { WORLD } from "../model/board.js";

const LARGEST = 1.6; // pixels of the screen for a board unit
const READABLE = 0.34; // pixels for a board unit at which pieces and names of one province can be read
const STILL = 6; // pixels that a finger may move in a tap
const TWICE = 320; // milliseconds between the taps of a double tap
const GLIDE = 320; // milliseconds
const MARGIN = 36; // pixels around what is glided to

// Returns where a part of length `seen` begins: within `all` and `foot` beyond it, or centred if it is longer.
function within(at, seen, all, foot) {
  const first = Math.min(0, (all - seen) / 2);
  return Math.min(Math.max(first, at), Math.max(first, all - seen + foot));
}

function apart(a, b) {
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}

export class Camera {
  // `element`: the frame in which the board is seen. `ground`: the board in it, in its own units. `moved()`: another part is
  // seen, and stays. `tap(x, y)`: board units.
  // `covered()`: pixels at the lower edge that buttons cover while the board is enlarged. The board can be moved clear of them.
  constructor(element, ground, moved, tap, covered) {
    Object.assign(this, { element, ground, moved, tap, covered, flight: null, edge: 0, x: 0, y: 0, zoom: 1, wide: 0, high: 0, fingers: new Map(), dragged: false, last: null });
    this.goal = null; // the part that was shown last, until the reader moves the board
    this.listen();
    new ResizeObserver(([{ contentRect }]) => this.resize(contentRect.width, contentRect.height)).observe(element);
  }

  // The scale at which the whole board is seen.
  get fit() {
    return Math.min(this.wide / WORLD.board.width, this.high / WORLD.board.height) || 0.1;
  }

  get scale() {
    return this.fit * this.zoom;
  }

  get most() {
    return Math.max(2, LARGEST / this.fit);
  }

  // Board units that buttons cover at the lower edge, where the board is enlarged so many times.
  foot(zoom = this.zoom) {
    return zoom > 1 ? this.edge / (this.fit * zoom) : 0;
  }

  // The part that is seen, in board units.
  get seen() {
    return [this.x, this.y, this.wide / this.scale, this.high / this.scale];
  }

  resize(wide, high) {
    if (this.goal) this.halt();
    const middle = [this.x + this.wide / this.scale / 2, this.y + this.high / this.scale / 2];
    const began = this.wide > 0;
    const { scale } = this;
    Object.assign(this, { wide, high, edge: this.covered() });
    if (began && this.zoom > 1) {
      this.zoom = this.bounded(scale / this.fit);
      this.centre(...middle);
    }
    // The choices may take room from the board after the places that they name were shown.
    if (this.goal) this.glide(this.goal);
    if (this.flight) return;
    this.turn();
    const follow = () => this.wide && !this.flight && this.moved();
    if (began) requestAnimationFrame(follow); // Names and pieces follow: what took the room is drawn first.
    else follow();
  }

  bounded(zoom) {
    return Math.min(this.most, Math.max(1, zoom));
  }

  centre(x, y) {
    this.x = x - this.wide / this.scale / 2;
    this.y = y - this.high / this.scale / 2;
  }

  // Show what is to be seen. The board itself is not drawn anew for that, which takes long.
  look() {
    this.turn();
    if (this.wide) this.moved();
  }

  turn() {
    if (!this.wide) return;
    const [, , wide, high] = this.seen;
    this.x = within(this.x, wide, WORLD.board.width, 0);
    this.y = within(this.y, high, WORLD.board.height, this.foot());
    this.ground.style.transform = this.transform;
  }

  get transform() {
    return `translate(${-this.x * this.scale}px, ${-this.y * this.scale}px) scale(${this.scale})`;
  }

  whole() {
    this.glide([0, 0, WORLD.board.width, WORLD.board.height], 0);
  }

  // Larger or smaller; what is at a place of the frame stays there.
  zoomBy(factor, [px, py] = [this.wide / 2, this.high / 2]) {
    this.halt();
    this.goal = null;
    const [x, y] = this.at(px, py);
    this.zoom = this.bounded(this.zoom * factor);
    this.x = x - px / this.scale;
    this.y = y - py / this.scale;
    this.look();
  }

  panBy(px, py) {
    this.halt();
    this.goal = null;
    this.x += px / this.scale;
    this.y += py / this.scale;
    this.look();
  }

  // Board units of a place of the frame.
  at(px, py) {
    return [this.x + px / this.scale, this.y + py / this.scale];
  }

  // Show a part of the board, [x1, y1, x2, y2], and no more than is needed to read it. What can be read already stays.
  glide([x1, y1, x2, y2], margin = MARGIN) {
    this.goal = margin ? [x1, y1, x2, y2] : null;
    if (!this.wide) return;
    const room = Math.min((this.wide - 2 * margin) / (x2 - x1), (this.high - this.edge - 2 * margin) / (y2 - y1));
    const [x, y, wide, high] = this.seen;
    const inside = x1 >= x && y1 >= y && x2 <= x + wide && y2 <= y + high - this.foot();
    const readable = this.scale >= Math.min(room, READABLE * 0.6);
    if (margin && inside && readable) return;
    const wished = Math.min(room, Math.max(READABLE, margin ? this.scale : 0));
    const zoom = this.bounded(wished / this.fit);
    this.fly((x1 + x2) / 2, (y1 + y2 + this.foot(zoom)) / 2, zoom);
  }

  fly(x, y, zoom) {
    this.halt();
    const from = this.transform;
    this.zoom = zoom;
    this.centre(x, y);
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return this.look();
    this.turn();
    const flight = this.ground.animate([{ transform: from }, { transform: this.transform }], { duration: GLIDE, easing: "ease-in-out" });
    this.flight = flight;
    flight.onfinish = () => {
      this.flight = null;
      this.moved();
    };
    return undefined;
  }

  // Stop where the board is just now.
  stop() {
    if (!this.flight) return;
    this.halt();
    this.look();
  }

  halt() {
    if (!this.flight) return;
    const { a, e, f } = new DOMMatrix(getComputedStyle(this.ground).transform);
    this.flight.cancel();
    Object.assign(this, { flight: null, zoom: a / this.fit, x: -e / a, y: -f / a });
  }

  place(event) {
    const box = this.element.getBoundingClientRect();
    return [event.clientX - box.left - this.element.clientLeft, event.clientY - box.top - this.element.clientTop];
  }

  listen() {
    const { element } = this;
    element.addEventListener("wheel", (event) => {
      event.preventDefault();
      // Browsers send pinches of a touchpad as wheels with Ctrl, in smaller steps.
      this.zoomBy(Math.exp(-event.deltaY / (event.ctrlKey ? 100 : event.deltaMode ? 12 : 400)), this.place(event));
    }, { passive: false });
    element.addEventListener("pointerdown", (event) => this.touch(event));
    element.addEventListener("pointermove", (event) => this.drag(event));
    for (const end of ["pointerup", "pointercancel"]) element.addEventListener(end, (event) => this.fingers.delete(event.pointerId));
    element.addEventListener("click", (event) => this.click(event));
  }

  touch(event) {
    if (event.target.closest("button")) return;
    if (!this.fingers.size) this.dragged = false;
    this.stop();
    this.fingers.set(event.pointerId, this.place(event));
  }

  drag(event) {
    const before = this.fingers.get(event.pointerId);
    if (!before) return;
    const now = this.place(event);
    if (!this.dragged && apart(now, before) < STILL) return;
    if (!this.dragged) this.element.setPointerCapture(event.pointerId);
    this.dragged = true;
    this.fingers.set(event.pointerId, now);
    const other = [...this.fingers].find(([id]) => id !== event.pointerId)?.[1];
    this.panBy(...(other ? [(before[0] - now[0]) / 2, (before[1] - now[1]) / 2] : [before[0] - now[0], before[1] - now[1]]));
    if (other) this.zoomBy(apart(now, other) / (apart(before, other) || 1), [(now[0] + other[0]) / 2, (now[1] + other[1]) / 2]);
  }

  click(event) {
    if (event.target.closest("button") || this.dragged) return;
    const place = this.place(event);
    const twice = this.last && event.timeStamp - this.last.time < TWICE && apart(place, this.last.place) < 4 * STILL;
    this.last = twice ? null : { time: event.timeStamp, place };
    if (twice) this.zoomBy(event.shiftKey ? 0.5 : 2, place);
    else this.tap(...this.at(...place));
  }
}

// Sheets beside the board: the tribute scale of the older games; alliances, senate, cards and points of
// Conquest II.

import { NONE, WORLD, card } from "../model/board.js";
import { votes } from "../model/read.js";
import { _, ngettext } from "../words/language.js";
import { VALUES, benefit, motionName, senatorsWords, talentsWords } from "../words/words.js";
import { h } from "./dom.js";
import { picture } from "./pieces.js";

const MARKS = [[105, 2], [205, 3]]; // tribute at which prices rise, and how much they are then
const LEAST = 130;
const TOKEN = 0.16; // part of the scale that a token and its number take

function person(seat, who, words = "") {
  return h("span", { class: "person" }, picture(`marker-${seat}`, 20), who(seat), words && h("small", {}, words));
}

function sheet(title, ...children) {
  return h("section", { class: "card sheet" }, h("h2", {}, title), ...children);
}

// Returns the permanent sheets by panel: functions of a position and `who`.
export function sheets(position) {
  return position.isSecond ? { scale: alliances, cards: cardsSheet, points: pointsSheet } : { scale: tributeScale };
}

// Returns the dealings that go on now: a bargain, an auction, a vote.
export function dealings(position, who) {
  return position.isSecond ? [...auction(position, who), ...senate(position, who)] : bargain(position, who);
}

// Values on which both kinds of sheets depend.
export function sheetSignature({ row, cards, used, side, order, ledger, marker, inflation, lord }) {
  return JSON.stringify([row, cards, used, side, order, ledger, marker, inflation, lord]);
}

export function dealingSignature({ frames }) {
  return JSON.stringify(frames.filter((frame) => ["Auction", "Vote", "Motion", "Bargain"].includes(frame.kind)));
}

// --- games of conquest ---

// Tokens that stand on nearly the same number lie above each other.
function tributeScale(position, who) {
  const end = Math.max(LEAST, ...position.marker, position.inflation > 1 ? 250 : 0) + 10;
  const line = h("div", { class: "scale" });
  const place = (element, n) => {
    element.style.left = `${(100 * n) / end}%`;
    line.append(element);
  };
  for (const [n, factor] of position.steadyPrices ? [] : MARKS) if (n < end) place(h("i", { class: "mark" }, `${n} ×${factor}`), n);
  const rows = [];
  position.marker.map((n, seat) => [n, seat]).filter(([, seat]) => !position.fallen(seat)).sort((a, b) => a[0] - b[0]).forEach(([n, seat]) => {
    const row = rows.findIndex((last) => n - last > end * TOKEN);
    const level = row < 0 ? rows.length : row;
    rows[level] = n;
    const pin = h("span", { class: "pin", title: `${who(seat)} ${n}` }, picture(`marker-${seat}`, 20, who(seat)), h("small", {}, `${n}`));
    pin.style.bottom = `${level * 22}px`;
    place(pin, n);
  });
  line.style.height = `${Math.max(2, rows.length) * 22 + 4}px`;
  const prices = position.inflation > 1 ? [h("p", {}, _("Everything costs {factor} times its price.", { factor: position.inflation }))] : [];
  return sheet(_("Tribute"), line, ...prices);
}

function bargain(position, who) {
  const frame = position.frame("Bargain");
  if (!frame) return [];
  const words = (talents, leaders) => [talents ? talentsWords(talents) : "",
    leaders.length ? ngettext("a general", "{n} generals", leaders.length) : ""].filter(Boolean).join(", ") || _("nothing");
  return [sheet(_("A bargain"), h("p", {}, person(frame.proposer, who), ` ${words(frame.pays, frame.gives)} ⇄ `,
    person(frame.seat, who), ` ${words(frame.wants, frame.takes)}`))];
}

// --- Conquest II ---

function auction(position, who) {
  const frame = position.frame("Auction");
  if (!frame) return [];
  const box = (name, seat) => h("div", { class: `box ${name}` }, h("b", {}, name),
    seat === NONE ? h("em", {}, _("open")) : person(seat, who));
  const bid = frame.bidder === NONE ? _("No bids yet.")
    : _("{who} offers {talents}", { who: who(frame.bidder), talents: talentsWords(frame.talents) });
  return [sheet(_("Auction of alliances"), h("p", { class: "big" }, bid),
    h("div", { class: "boxes" }, box("A", frame.a), box("B", frame.b)))];
}

function alliances(position, who) {
  const column = (name, side) => h("div", { class: `box ${name}` }, h("b", {}, _("Alliance {name}", { name })),
    ...position.order.filter((seat) => position.side[seat] === side).map((seat) => person(seat, who)));
  return sheet(_("Alliances"), h("div", { class: "boxes" }, column("A", 0), column("B", 1)));
}

function senate(position, who) {
  const vote = position.frame("Vote") ?? position.frame("Motion");
  if (!vote) return [];
  const benches = (vote.shown ?? []).map((shown, seat) => [shown, seat]).filter(([shown]) => shown.some(Boolean))
    .map(([shown, seat]) => h("li", { class: seat === vote.bidder ? "leads" : "" }, person(seat, who),
      ` ${senatorsWords(shown)} · ${ngettext("{n} vote", "{n} votes", votes(shown))}`));
  return [sheet(_("Vote on {motion}", { motion: motionName(vote.card) }), h("p", {}, benefit(vote.card)),
    h("ul", { class: "plain" }, ...benches))];
}

function cardShown(kind, { used = false, count = 1 } = {}) {
  const { name, text, kind: stay, cost } = card(kind);
  return h("li", { class: `playing ${stay}${used ? " used" : ""}` }, h("details", {},
    h("summary", {}, h("span", {}, name + (count > 1 ? ` ×${count}` : "")), used ? h("small", {}, _("used")) : h("b", {}, `${cost}`)),
    h("p", {}, _(text))));
}

function cardsSheet(position, who) {
  const open = position.row.map((count, kind) => [kind, count]).filter(([, count]) => count);
  const held = position.cards.map((kinds, seat) => [kinds, seat]).filter(([kinds]) => kinds.length);
  return sheet(_("Cards"),
    h("h3", {}, _("Open to all")),
    h("ul", { class: "cards" }, ...open.map(([kind, count]) => cardShown(kind, { count }))),
    ...held.flatMap(([kinds, seat]) => [h("h3", {}, person(seat, who)),
      h("ul", { class: "cards" }, ...kinds.map((kind) => cardShown(kind, { used: position.used[seat].includes(kind) })))]));
}

// Draws where each seat's points came from.
function pointsSheet(position, who) {
  const source = (from) => (from === 255 ? _("Chaos") : from >= 128 ? card(from - 128).name : WORLD.names[from]);
  const rows = position.ledger.map(([season, from, ...points]) => h("tr", {}, h("th", { scope: "row" }, `${VALUES[season - 1] ?? season} · ${source(from)}`),
    ...points.map((n) => h("td", {}, n ? `${n}` : ""))));
  const head = h("tr", {}, h("td", {}), ...position.points.map((_points, seat) => h("th", { scope: "col" }, picture(`marker-${seat}`, 20, who(seat)))));
  const foot = h("tr", { class: "sum" }, h("th", { scope: "row" }, _("Points")), ...position.points.map((n) => h("td", {}, `${n}`)));
  return sheet(_("Points"), h("table", {}, h("thead", {}, head), h("tbody", {}, ...rows), h("tfoot", {}, foot)));
}

// What happens in Conquest II, a sentence for each event (client/games/cote2/event_text.py).

import { ALIENS, NONE, REBELS, WORLD, card, placeName } from "../model/board.js";
import { total } from "../model/read.js";
import { tellCommon } from "./conquest.js";
import { _, ngettext } from "./language.js";
import { andWords, armyWords, forceWords, galleysWords, talentsWords } from "./words.js";

export const VALUES = ["I", "II", "III", "IV"];
const TAX_STEP = 5;
const BATTLE_CHAOS = 2;

// The name of a player, or of those who fight for themselves or for a card.
export function called(seat, who) {
  if (seat === ALIENS) return _("the auxiliary force");
  return seat === REBELS ? _("the slave army") : who(seat);
}

export function tellSecond(event, known) {
  const who = (seat) => called(seat, known);
  const line = (ofSeason(event, who) || ofCards(event, who) || ofWar(event, who)).replace("!.", "!");
  const begins = [_("the auxiliary force"), _("the slave army")].some((name) => line.startsWith(name));
  return begins ? line[0].toUpperCase() + line.slice(1) : line;
}

// "Asia (2) and Sicilia", in the order in which they come first.
function counted(names) {
  const counts = new Map();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return andWords([...counts].map(([name, n]) => (n > 1 ? `${name} (${n})` : name)));
}

// "Senator IV", "Senators I, II (2) and III".
export function senatorsWords(byValue) {
  const shown = byValue.flatMap((n, k) => Array(n).fill(VALUES[k]));
  return ngettext("Senator {numerals}", "Senators {numerals}", shown.length, { numerals: counted(shown) });
}

function places(spaces) {
  return counted(spaces.map(placeName));
}

function cards(kinds) {
  return counted(kinds.map((kind) => card(kind).name));
}

function sorted(numbers) {
  return [...numbers].sort((a, b) => a - b);
}

// Units of every kind; nothing where there are none.
function host(army, galleys, generals = 0) {
  const parts = total(army) ? [armyWords(army)] : [];
  if (generals) parts.push(ngettext("a general", "{n} generals", generals));
  if (galleys) parts.push(galleysWords(galleys));
  return parts.join(", ");
}

export function pointsWords(n) {
  return Math.abs(n) === 1 ? _("{n} point", { n }) : _("{n} points", { n });
}

function boxes(event, who) {
  const named = [["A", event.a], ["B", event.b]].filter(([, seat]) => seat !== NONE);
  return andWords(named.map(([box, seat]) => _("{who} in {box}", { who: who(seat), box })));
}

function ofSeason(event, who) {
  const named = { who: event.seat === undefined ? "" : who(event.seat), season: event.season, talents: event.talents };
  switch (event.kind) {
    case "FirstPlayer": return _("The lot falls on {who}, the first player.", named);
    case "InfluenceDrawn":
      return _("{who} begins with influence in {names}.", { ...named, names: places(event.spaces) });
    case "SeasonBegan": return _("Campaign season {season} begins.", named);
    case "TokensPlaced":
      return _("Province tokens come up for sale: {names}.", { names: places(sorted(event.spaces)) });
    case "CardsOpened": return _("Cards are laid open: {cards}.", { cards: cards(sorted(event.cards)) });
    case "AuctionBegan": return _("{who} opens an alliance auction.", named);
    case "BidMade": return _("{who} bids {talents}: {boxes}.", { ...named, boxes: boxes(event, who) });
    case "Allied":
      return _("{who} wins the auction for {talents} talents: {boxes}.", { ...named, boxes: boxes(event, who) });
    case "Passed": return _("{who} passes.", named);
    case "Deployed": return deployed(event, who);
    case "TurnBegan":
      return _("Season {season}, round {number}: the turn of {who}.", { ...named, number: event.round });
    default: return ofPoints(event, who);
  }
}

function deployed(event, who) {
  const camps = places(sorted(new Set(event.armies.map(([space]) => space))));
  const galley = event.galley === NONE ? "" : _(", the galley lies in {galley}", { galley: placeName(event.galley) });
  return _("The first units of {who} stand in {camps}, the Caesar in {caesar}{galley}.", {
    who: who(event.seat), camps, caesar: placeName(event.caesar), galley,
  });
}

function ofPoints(event, who) {
  switch (event.kind) {
    case "Taxed":
      return _("Taxes: {listed} talents.", { listed: andWords(event.talents.map((n, seat) => `${who(seat)} ${n}`)) });
    case "Scored": {
      const gained = event.points.map((n, seat) => [n, seat]).filter(([n]) => n).sort((a, b) => b[0] - a[0] || a[1] - b[1]);
      return `${placeName(event.space)}: ${andWords(gained.map(([n, seat]) => `${who(seat)} ${pointsWords(n)}`))}.`;
    }
    case "ChaosShown":
      return _("Chaos is counted: {listed}.", { listed: andWords(event.chaos.map((n, seat) => {
        const lost = event.points[seat];
        return `${who(seat)} ${n}${lost ? ` (${pointsWords(lost)})` : ""}`;
      })) });
    case "SeasonEnded": {
      const back = event.cards.length ? _(" Back among the open cards: {cards}.", { cards: cards(event.cards) }) : "";
      return _("Campaign season {season} is over.{back}", { season: event.season, back });
    }
    case "Won": {
      const reason = [_("with the most victory points"), _("by the consent of all others")][event.why];
      if (event.seats.length === 1) return _("{who} rules the empire, {reason}!", { who: who(event.seats[0]), reason });
      return _("{listed} share the empire, level in points and influence!", { listed: andWords(event.seats.map(who)) });
    }
    default: return "";
  }
}

function ofCards(event, who) {
  const named = {
    who: event.seat === undefined ? "" : who(event.seat), place: placeName(event.space), talents: event.talents,
    name: event.card === undefined ? "" : card(event.card).name,
  };
  switch (event.kind) {
    case "CardTaken": {
      const price = event.talents ? _(" for {talents} talents", named) : "";
      return _("{who} takes {name}{price}.", { ...named, price });
    }
    case "CardUsed": {
      const gain = event.talents ? _(" and gains {talents} talents", named) : "";
      return _("{who} uses {name}{gain}.", { ...named, gain });
    }
    case "CityBuilt": return _("{who} builds a city in {place}.", named);
    case "CityTaken": return _("{who} takes {who2}'s city in {place}.", { ...named, who2: who(event.loser) });
    case "Rewarded": return brought(event, named);
    case "Reinforced":
      return _("{who} receives {what} in {place}.", {
        ...named, what: host(event.army, event.galleys.length) || _("nobody"),
      });
    case "Recruited": return recruited(event, named);
    case "InfluenceBought": return bought(event, named, who);
    case "InfluenceGained":
      return _("{who} gains {gain} in {place}.", {
        ...named, gain: ngettext("an influence token", "{n} influence tokens", event.tokens),
      });
    case "Levied":
      return _("{who} raises a special tax: {talents} talents, and {what} chaos.", {
        ...named, what: Math.floor(event.talents / TAX_STEP),
      });
    default: return ofSenate(event, who, named);
  }
}

function brought(event, named) {
  const { act, gain } = card(event.card);
  if (act === "bread_and_circuses") {
    return _("Bread and games calm the people: {who} sheds up to {gain} chaos.", { ...named, gain: gain[0] });
  }
  const words = event.talents ? talentsWords(event.talents) : _("{points} victory points", { points: event.points });
  return _("{name} brings {who} {gain}.", { ...named, gain: words });
}

function recruited(event, named) {
  const parts = event.armies
    .filter(([, ...units]) => units.some(Boolean))
    .map(([space, a, b, c, generals]) => _("{host} in {place}", {
      host: host([a, b, c], 0, generals), place: placeName(space),
    }));
  parts.push(...event.fleets.filter(([, n]) => n).map(([zone, n]) => _("{galleys} in {zone}", {
    galleys: galleysWords(n), zone: placeName(zone),
  })));
  return _("{who} recruits for {talents} talents: {join}.", { ...named, join: parts.join("; ") });
}

function bought(event, named, who) {
  const sellers = [...new Set(event.sellers.map((seller) => (seller === NONE ? _("the bank") : who(seller))))];
  return _("{who} buys {tokens} in {place} from {sellers} for {talents} talents.", {
    ...named, sellers: andWords(sellers),
    tokens: ngettext("an influence token", "{n} influence tokens", event.sellers.length),
  });
}

function which(value) {
  return value ? _(": Senator {values}", { values: VALUES[value - 1] }) : "";
}

// What a vote is about, as its card says.
export function benefit(kind) {
  const { text } = card(kind);
  return _(text.slice(text.indexOf(". ") + 2));
}

function ofSenate(event, who, named) {
  switch (event.kind) {
    case "GeneralKilled":
      return _("An assassin in the pay of {who} kills a general of {who2}.", {
        ...named, who2: who(Math.floor(event.leader / WORLD.games.cote2.leaders)),
      });
    case "SenatorTaken":
      return _("A senator of {who} changes over to {who2}{which}.", {
        who: who(event.victim), who2: who(event.seat), which: which(event.value),
      });
    case "SenatorKilled":
      return _("An assassin in the pay of {who} kills a senator of {who2}{which}.", {
        ...named, who2: who(event.victim), which: which(event.value),
      });
    case "VoteBegan":
      return _("{who} calls the senate to a vote. {partition}", { ...named, partition: benefit(event.card) });
    case "SenatorsShown":
      return _("{who} leads with {count}: {senators}.", {
        ...named, count: ngettext("{n} vote", "{n} votes", event.votes), senators: senatorsWords(event.shown),
      });
    case "VoteWon":
      if (event.seat === NONE) return _("No votes are cast on {name}.", named);
      return _("{who} wins the vote and spends {senators}.", { ...named, senators: senatorsWords(event.paid) });
    case "SenatorDrawn":
      return _("{who} leads in Italia and takes one of the spent senators{which}.", {
        ...named, which: which(event.value),
      });
    default: return "";
  }
}

function ofWar(event, who) {
  const named = { who: event.seat === undefined ? "" : who(event.seat) };
  switch (event.kind) {
    case "Marched": {
      const force = forceWords(event.leaders, event.army, WORLD.games.cote2.leaders);
      const way = { ...named, source: placeName(event.source), to: placeName(event.to), force };
      return event.by_sea ? _("{who} sails from {source} to {to}: {force}.", way)
        : _("{who} marches from {source} to {to}: {force}.", way);
    }
    case "Sailed":
      return _("{who} sends {galleys} to {to}.", {
        ...named, galleys: galleysWords(event.galleys.length), to: placeName(event.to),
      });
    case "SlippedAway": return _("A Favorable Wind carries {who} away.", named);
    case "Committed":
      return _("{who} brings {galleys} into the battle.", { ...named, galleys: galleysWords(event.galleys.length) });
    case "Lent":
      return _("{who} lends {who2} {host}.", {
        ...named, who2: who(event.to), host: host(event.army, event.galleys.length),
      });
    case "Sank":
      return _("{who} loses {galleys}.", { ...named, galleys: galleysWords(event.galleys.length + event.extra) });
    case "BattleEnded": return ended(event, who);
    case "RevoltBegan":
      return _("{who} stirs up a slave revolt in {place}!", { ...named, place: placeName(event.space) });
    case "RevoltEnded":
      return _("The revolt in {place} is over: {fate}.", {
        place: placeName(event.space), fate: event.slaves ? _("the last slaves vanish") : _("no slave is left"),
      });
    default: return tellCommon(event, who);
  }
}

function ended(event, who) {
  const place = placeName(event.space);
  if (event.winner === NONE) return _("Neither side is beaten in {place}.", { place });
  const chaos = event.loser === REBELS ? ""
    : _("; {who} gains {battle_chaos} chaos", { who: who(event.loser), battle_chaos: BATTLE_CHAOS });
  return _("{who} wins in {place}{chaos}.", { who: who(event.winner), place, chaos });
}

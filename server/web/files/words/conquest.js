// What happens, a sentence for each event: what all games share, and Classic and 1984 (client/games/conquest/event_text.py).

import { NONE, WORLD, isSea, placeName } from "../model/board.js";
import { _, ngettext } from "./language.js";
import { andWords, armyWords, forceWords, galleysWords, leadersWords, talentsWords, wareWords, whereWords } from "./words.js";

// The line for an event that all games know, else nothing.
export function tellCommon(event, who) {
  switch (event.kind) {
    case "BattleBegan": return battleBegan(event, who);
    case "DiceFell": return diceFell(event, who);
    case "Fell":
      return _("{who} loses {text} in {place}.", {
        who: who(event.seat), text: armyWords(event.army), place: placeName(event.space),
      });
    case "Retreated":
      return _("{who} falls back from {source} to {to}.", {
        who: who(event.seat), source: placeName(event.source), to: placeName(event.to),
      });
    case "Conceded":
      if (event.to === NONE) return _("{who} fights on after all.", { who: who(event.seat) });
      return _("{who} would grant {who2} the victory.", { who: who(event.seat), who2: who(event.to) });
    default: return "";
  }
}

// A position came back.
export function tellBack(back, who) {
  if (back.seat === NONE) return _("All agreed to go back: what came after counts no more.");
  return _("{who} takes back the last decision.", { who: who(back.seat) });
}

function battleBegan(event, who) {
  const named = { who: who(event.attacker), whom: who(event.defender), place: placeName(event.space) };
  return isSea(event.space) ? _("{who} attacks {whom} on {place}!", named) : _("{who} attacks {whom} in {place}!", named);
}

function diceFell(event, who) {
  const hits = event.hits ? ngettext("{n} hit", "{n} hits", event.hits) : _("no hit");
  return ngettext("{who} rolls {n} die: {hits}.", "{who} rolls {n} dice: {hits}.", event.faces.length, {
    who: who(event.seat), hits,
  });
}

function marched(event, who, each) {
  const force = forceWords(event.leaders, event.army, each);
  const named = { who: who(event.seat), source: placeName(event.source), to: placeName(event.to), force };
  return event.road
    ? _("{who} takes the road from {source} to {to}: {force}.", named)
    : _("{who} marches from {source} to {to}: {force}.", named);
}

function sailed(event, who, each) {
  const loaded = event.leaders.length;
  const aboard = loaded ? _(" with {force}", { force: forceWords(event.leaders, event.army, each) }) : "";
  const named = { who: who(event.seat), where: whereWords(event.to), aboard };
  if (!isSea(event.to) && loaded) return _("{who} lands in {where}{aboard}.", named);
  return _("A galley of {who} sails to {where}{aboard}.", named);
}

function placed(event) {
  if (event.what === 3) {
    const [a, b] = WORLD.edges[event.where];
    return _("A road joins {name} and {name2}.", { name: placeName(a), name2: placeName(b) });
  }
  if (event.what === 0) return _("A new galley lies off {where}.", { where: whereWords(event.where) });
  const named = { name: placeName(event.where) };
  return event.what === 1 ? _("A new city rises in {name}.", named)
    : _("Walls go up around the city in {name}.", named);
}

// What changes hands: "20 talents for a general".
export function bargainWords(terms, each) {
  const side = (talents, leaders) => andWords([
    ...(talents ? [talentsWords(talents)] : []), ...(leaders.length ? [leadersWords(leaders, each)] : []),
  ]) || _("nothing");
  return _("{given} for {wanted}", { given: side(terms.pays, terms.gives), wanted: side(terms.wants, terms.takes) });
}

function won(event, who) {
  const why = [_("the last Caesar standing"), _("by the consent of all others"), _("with the highest tribute")][event.why];
  return _("{who} rules the empire, {why}!", { who: who(event.seat), why });
}

// The sentence for an event of Classic or 1984. `each`: leaders of a colour.
function tellConquest(event, who, each) {
  const named = { who: event.seat === undefined ? "" : who(event.seat), name: placeName(event.space) };
  switch (event.kind) {
    case "HomesSet":
      return _("The homes are settled: {homes}.", {
        homes: event.homes.map((home, seat) => _("{who} in {name}", { who: who(seat), name: placeName(home) })).join(", "),
      });
    case "TurnBegan": return _("Round {round}: the turn of {who}.", { round: event.round, ...named });
    case "Marched": return marched(event, who, each);
    case "Sailed": return sailed(event, who, each);
    case "Sank":
      return _("{who} loses {galleys} off {name}.", { ...named, galleys: galleysWords(event.galleys.length) });
    case "BattleEnded":
      if (event.winner === NONE) return _("The battle of {name} has no winner.", named);
      return _("{who} holds the field at {name}.", { ...named, who: who(event.winner) });
    case "Conquered":
      if (event.loser === NONE) return _("{name} is now {who}'s.", named);
      return _("{who} takes {name} from {who2}.", { ...named, who2: who(event.loser) });
    case "Captured":
      return _("{who} captures {leaders}.", { ...named, leaders: leadersWords(event.leaders, each) });
    case "Killed":
      return _("{who} shows no mercy to {leaders}.", { ...named, leaders: leadersWords(event.leaders, each) });
    case "Freed": return _("A general of {who} is free again, in {name}.", named);
    case "Eliminated":
      if (event.by === NONE) return _("{who} leaves the game.", named);
      return _("{who} has fallen, and everything goes to {who2}.", { ...named, who2: who(event.by) });
    case "Offered":
      return _("{who} offers {who2} a bargain: {bargain}.", {
        ...named, who2: who(event.to), bargain: bargainWords(event, each),
      });
    case "Answered":
      return event.accepted ? _("{who} accepts the bargain.", named) : _("{who} declines the bargain.", named);
    case "Won": return won(event, who);
    case "Tribute": return _("{who} collects {talents} talents of tribute.", { ...named, talents: event.talents });
    case "Razed": return _("{who} razes the city in {name}.", named);
    case "Bought":
      return _("{who} buys {wares} for {cost} talents.", { ...named, wares: wareWords(event.counts), cost: event.cost });
    case "Placed": return placed(event);
    case "PricesRose":
      return _("Prices rise: everything now costs {factor} times the basic price.", { factor: event.factor });
    default: return tellCommon(event, who);
  }
}

export function tellClassic(event, who) {
  const each = WORLD.games.classic.leaders;
  if (event.kind === "Refunded") {
    return _("{who} gets {talents} talents back for what could not be placed.", {
      who: who(event.seat), talents: event.talents,
    });
  }
  if (event.kind === "InflationTriggered") {
    return _("{who}'s wealth drives prices up: {since} everything costs {factor}.", {
      who: who(event.seat), since: _("from the same turn of the next round"), factor: factorWords(event.level),
    });
  }
  return tellConquest(event, who, each);
}

function factorWords(level) {
  return level === 1 ? _("double") : _("triple");
}

export function targetWords(kind) {
  return [_("an infantry unit"), _("a cavalry unit"), _("a catapult"), _("a galley")][kind];
}

export function tell1984(event, who) {
  const named = { who: event.seat === undefined ? "" : who(event.seat) };
  switch (event.kind) {
    case "Aimed": {
      const target = targetWords(event.kindOf);
      if (event.needed === 1) return _("{who} destroys {target} without a roll.", { ...named, target });
      const number = event.needed === 6 ? "6" : _("{needed} or more", { needed: event.needed });
      return _("{who} fires at {target}, needing {number}.", { ...named, target, number });
    }
    case "DiceFell": {
      const number = event.faces[0] + 1;
      return event.hits ? _("{who} rolls {number}: a hit.", { ...named, number })
        : _("{who} rolls {number}: a miss.", { ...named, number });
    }
    case "Looted":
      return _("{who} takes the treasury of {who2}: {talents}.", {
        ...named, who2: who(event.loser), talents: talentsWords(event.talents),
      });
    case "RoadsLost":
      return ngettext("A road to {place} is torn up.", "{n} roads to {place} are torn up.", event.roads.length, {
        place: placeName(event.space),
      });
    case "Rewarded":
      return _("{who} is given {talents} talents for the captured Caesar.", { ...named, talents: event.talents });
    case "InflationTriggered":
      return _("{who}'s wealth drives prices up: from the next player's turn everything costs {factor}.", {
        ...named, factor: factorWords(event.level),
      });
    default: return tellConquest(event, who, WORLD.games.mb1984.leaders);
  }
}

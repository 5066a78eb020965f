// What is owed now, and by whom, in words; round and phase (client/table/prompts.py and those of the games).

import { NONE, card, placeName } from "../model/board.js";
import { votes } from "../model/read.js";
import { tell1984, tellClassic } from "./conquest.js";
import { benefit, called, tellSecond } from "./cote2.js";
import { _, ngettext } from "./language.js";
import { andWords, wareWords } from "./words.js";

export function tell(game, event, who) {
  return { classic: tellClassic, mb1984: tell1984, cote2: tellSecond }[game](event, who);
}

// The decision, in a title.
export function prompt(position, who) {
  if (position.over) {
    const best = position.champions.map(who);
    return ngettext("{who} has won", "{who} have won", best.length, { who: andWords(best) });
  }
  const frame = position.top;
  switch (frame.kind) {
    case "Dice": return _("The dice are rolling");
    case "Draw": return _("Lots are drawn");
    default: return (position.isSecond ? ofSecond(frame, position) : ofConquest(frame, position)) || _("A moment …");
  }
}

// More about it, for those who look on.
export function promptMore(position, who) {
  const frame = position.top;
  if (position.over) return _("The game is over.");
  if (frame.kind === "Auction" && frame.bidder !== NONE) {
    const named = [["A", frame.a], ["B", frame.b]].filter(([, seat]) => seat !== NONE);
    const proposed = named.map(([box, seat]) => _("{who} for {box}", { who: who(seat), box })).join(_(" and "));
    return _("{who} offers {talents} talents: {proposed}.", { who: who(frame.bidder), talents: frame.talents, proposed });
  }
  if (frame.kind === "Vote") {
    const lead = frame.bidder === NONE ? "" : ngettext("{who} leads with {n} vote", "{who} leads with {n} votes",
      votes(frame.shown[frame.bidder]), { who: who(frame.bidder) });
    return `${benefit(frame.card)} ${lead}`.trim() + (lead ? "." : "");
  }
  return position.owing === NONE ? "" : _("{who} decides.", { who: called(position.owing, who) });
}

function ofConquest(frame, position) {
  switch (frame.kind) {
    case "HomeChoice": return _("Choose a home");
    case "Movement": return _("Movement");
    case "Destruction": return _("Destroy cities?");
    case "Purchase": return _("Purchase");
    case "Captives":
      return frame.leaders.length === 1 ? _("A captive") : _("{n} captives", { n: frame.leaders.length });
    case "Bargain": return _("A bargain");
    case "Combat":
      return frame.pending.length || position.game === "mb1984" ? _("Choose a battle") : _("Attack at sea?");
    case "Formation": return _("Battle legion");
    case "Casualties": return ngettext("{n} unit falls", "{n} units fall", frame.hits);
    case "Onward": return position.game === "mb1984" ? _("Fire again?") : _("Fight on?");
    case "Withdrawal": return _("Leave {place}", { place: placeName(frame.space) });
    case "Sinking": return ngettext("{n} galley sinks", "{n} galleys sink", frame.hits);
    case "Aiming": return _("Choose a target");
    case "CargoLoss": return _("A loss at sea");
    case "Placement": {
      const left = [frame.galleys, frame.cities, frame.fortifications, frame.roads ?? 0];
      if (!left.some(Boolean)) return _("End your turn");
      return `${_("Placement")}: ${wareWords([0, 0, 0, ...left])}`;
    }
    default: return "";
  }
}

function ofSecond(frame, position) {
  switch (frame.kind) {
    case "Auction": return frame.bidder === NONE ? _("Open the auction") : _("Bid or pass");
    case "Deployment": return _("First units");
    case "Turn":
      if (!frame.left) return _("Use a card?");
      return frame.left === 2 ? _("Two actions") : _("One more action");
    case "Vote": case "Motion": return _("Vote on {motion}", { motion: motionName(frame.card) });
    case "Muster": return _("New legions");
    case "Wind": return _("Slip away?");
    case "Commitment": return _("Galleys to the battle?");
    case "Aid": return _("Lend units?");
    case "Casualties": return frame.hits === 1 ? _("1 unit falls") : _("{hits} units fall", { hits: frame.hits });
    case "Onward": return _("Fight on?");
    case "Withdrawal": return _("Leave {place}", { place: placeName(frame.space) });
    case "Deal": return dealt(position);
    case "Setup": case "Season": return _("The board is laid out");
    case "Alliances": return _("Alliances are made");
    case "Deployments": return _("First units are placed");
    case "Rounds": return _("The next turn");
    case "Battle": return _("Battle: {place}", { place: placeName(frame.space) });
    case "Revolt": return _("Slaves rise in {place}", { place: placeName(frame.space) });
    case "Theft": return _("A senator is drawn");
    default: return "";
  }
}

function dealt(position) {
  const below = position.frames[position.frames.length - 2] ?? {};
  if (below.kind === "Setup") return below.first === NONE ? _("The first player is drawn") : _("First influence is drawn");
  if (below.kind === "Season") return _("{phases} are dealt", { phases: secondPhases()[phaseOf(position, below) - 1] });
  return _("A senator is drawn");
}

// What a senate vote is about: "Hail Caesar!".
export function motionName(kind) {
  return card(kind).name.split(": ")[1] ?? card(kind).name;
}

export function roundWords(position) {
  if (!position.isSecond) return position.round ? _("Round {round}", { round: position.round }) : _("Setting up");
  if (!position.season) return _("Setting up");
  const season = _("Season {season}", { season: position.season });
  return season + (position.frame("Rounds") ? _(" · Round {round}", { round: position.round }) : "");
}

function secondPhases() {
  return [_("Tokens"), _("Cards"), _("Alliances"), _("Placement"), _("Actions"), _("Taxes"), _("Points")];
}

function phaseOf(position, frame) {
  return position.facts.phases[frame.step];
}

// The phases of a turn or season, and which of them it is; -1 before the first and after the end.
export function phases(position) {
  return position.isSecond ? seasonPhases(position) : turnPhases(position);
}

function turnPhases(position) {
  const names = [_("Movement"), _("Combat"), _("Tribute"), _("Cities"), _("Purchase"), _("Placement")];
  const turn = position.frame("Turn");
  return { names, now: position.over || position.closed || !turn ? -1 : phaseOf(position, turn) };
}

function seasonPhases(position) {
  const shown = secondPhases().map((name, i) => [i + 1, name]).filter(([phase]) => position.season <= 1 || phase !== 4);
  const season = position.frame("Season");
  const names = shown.map(([, name]) => name);
  if (position.over || position.closed || !season) return { names, now: -1 };
  const at = phaseOf(position, season);
  return { names, now: shown.filter(([phase]) => phase <= at).length - 1 };
}


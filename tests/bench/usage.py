"""Statistics of the actions and cards that bots of the second game use:
`python -m tests.bench.usage --seats 4 --games 50 --seed 1`.

Plays whole matches of one level against itself and counts actions by kind (passing by what was passed) and cards
that were obtained. It also counts cards that lay open to the end and were never wanted, and the winners' places in the
last order of play. All counts are read off actions and events; bots are asked for nothing but their decisions.

In 200 matches of normal bots (`--seats 4 5 6 --games 100`, seeds 1001 and 2001) the winners' places were:
first in 28 %, second in 20 %, third in 22 %, fourth in 17 %, fifth in 10 %, sixth in 3 %. Every action was used but
Slip. The list below names cards that stayed unsold in more than half of the matches in which they lay open, and why.
Worths are the bots', in victory points. For comparison, the median worth of the best other action, by season: 13 to 30
in the first; 8 to 21 in the second; 5 to 11 in the third; 2 to 6 in the last.

- Merchants (80 to 100 % unsold): three tokens bring 15 talents a season for 15 talents (Hispania, Achaia, Italia), or
  30 for 25. That is worth 5 at most, 7 where tokens bring 10: money is short only where actions are more so.
  Hispania's and Achaia's, at most 3, were never taken.
- Cities (98 %): 40 talents are half a purse, or four tokens. Five talents a season for each token there, and three
  chaos a season, come to 10 at most.
- Bread and Circuses (98 %): ten chaos are worth most to the player who has most of it; bots raise taxes so evenly
  that few are far ahead of the others.
- Diplomacy (54 to 81 %): for one season, of use only to a player beside an enemy's guard, or about to be attacked.
- Army Training (66 %): a die in all battles is worth 5 at most, and a player fights about once in a season.
- Barbarians of Moesia, Dacia, Armenia, Pannonia (75 to 94 %): four units leave for it, who guard tokens or win
  battles; 40 talents or four recruits are worth 7 or 8. For Germania and Britannia there are ten points.
- Pirates, Naval Training, Favorable Wind (97 to 99 %): there is a battle at sea in one match of six; cover against it
  is worth 1.4 at most.
- Slip: bots do not sail against fleets that can slip away, since such an attack wastes an action.
"""

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import get_args

import msgspec
from msgspec import Struct

from server.bots.policy import Policy
from server.tools.arena import player
from shared.ids import NATURE, NONE
from shared.kernel import engine
from shared.kernel.frames import Action, Dealt, Event, Rolled
from shared.rulesets.cote2 import events
from shared.rulesets.cote2.actions import AnyAction, Pass, Sail
from shared.rulesets.cote2.data import CARDS
from shared.rulesets.cote2.definition import COTE2
from shared.rulesets.cote2.frames import Auction, Turn, Vote
from shared.rulesets.cote2.state import State
from shared.vocabulary.actions import Concede

PASSES = (Auction, Turn, Vote)
"""Where one can pass."""
FIGHT = "Sail to fight"
KINDS = (
    FIGHT,
    *[kind.__name__ for kind in get_args(AnyAction) if kind not in (Rolled, Dealt, Concede, Pass)],
    *[f"Pass {frame.__name__}" for frame in PASSES],
)
"""Everything that a player can do, but give up."""
HALF = 0.5
"""Share of the matches in which a card lay open. A card that stayed unwanted in more of them is reported."""


class Match(Struct):
    """Actions of one match. opened: kinds of cards that lay open at any time; place: by winner, from 1."""

    actions: Counter[str]
    obtained: Counter[int]
    opened: set[int]
    places: list[int]


class Card(Struct, frozen=True):
    """Statistics of a kind of card: matches in which it lay open, copies obtained, matches in which none was."""

    name: str
    opened: int
    obtained: int
    unsold: int


class Usage(Struct, frozen=True):
    """The result, as printed with --json. places: victories by place in the last order of play; who share one have
    parts of it."""

    matches: int
    actions: dict[str, int]
    cards: dict[str, Card]
    places: dict[int, float]


def play(policy: Policy, seats: int, seed: int) -> Match:
    """A whole match of one level against itself; the same arguments always go the same way."""
    chance = random.Random(seed)
    minds = [random.Random(f"{seed} {seat}") for seat in range(seats)]
    state: State = engine.start(COTE2, seats, {}, engine.ignore_event)
    match = Match(Counter(), Counter(), {card for card, number in enumerate(state.row) if number}, [])
    order = state.order

    def told(event: Event) -> None:
        _note(match, event)

    while owed := engine.owed(COTE2, state):
        order = state.order
        action = engine.chance_action(state, chance) if owed[0] == NATURE else None
        if action is None:
            action = policy(COTE2, COTE2.view(state, owed[0]), owed[0], minds[owed[0]])
            match.actions[_kind(action, state)] += 1
        engine.play(COTE2, state, owed[0], action, told)
    match.places = [order.index(seat) + 1 for seat in state.winners]
    return match


def _kind(action: Action, state: State) -> str:
    """By name; passing with what is passed, sailing with whether it is to fight."""
    name = type(action).__name__
    if isinstance(action, Sail) and action.enemy != NONE:
        return FIGHT
    return f"{name} {type(state.frames[-1]).__name__}" if isinstance(action, Pass) else name


def _note(match: Match, event: Event) -> None:
    match event:
        case events.CardTaken(_seat, card, _cost):
            match.obtained[card] += 1
        case events.CardsOpened(cards):
            match.opened |= set(cards)


def summed(matches: Sequence[Match]) -> Usage:
    """All matches together; every kind of action and card is named, also where it never came up."""
    actions = sum([match.actions for match in matches], Counter())
    return Usage(
        len(matches),
        {kind: actions[kind] for kind in KINDS},
        {printed.key: _card(matches, card) for card, printed in enumerate(CARDS)},
        dict(sorted(_places(matches).items())),
    )


def _card(matches: Iterable[Match], card: int) -> Card:
    seen = [match for match in matches if card in match.opened]
    unsold = sum(not match.obtained[card] for match in seen)
    return Card(CARDS[card].name, len(seen), sum(match.obtained[card] for match in seen), unsold)


def _places(matches: Iterable[Match]) -> dict[int, float]:
    places: dict[int, float] = {}
    for match in matches:
        for place in match.places:
            places[place] = places.get(place, 0.0) + 1 / len(match.places)
    return places


def lines(usage: Usage) -> Iterable[str]:
    """The result for people."""
    yield f"{usage.matches} matches; actions a match:"
    for kind, number in sorted(usage.actions.items(), key=lambda pair: -pair[1]):
        yield f"  {kind:<14}{number / usage.matches:>8.2f}" + ("  NEVER" if not number else "")
    yield "cards: matches in which it lay open, copies obtained, matches in which nobody wanted it"
    for card in usage.cards.values():
        told = "  NEVER" if card.opened and not card.obtained else ""
        often = "  mostly unsold" if not told and card.unsold > HALF * card.opened else ""
        yield f"  {card.name:<34}{card.opened:>5}{card.obtained:>6}{card.unsold:>6}{told}{often}"
    yield "victories by place in the last order of play:"
    yield "  " + ", ".join(f"{place}: {won / usage.matches:.0%}" for place, won in usage.places.items())


def main(arguments: Sequence[str]) -> int:
    """Play, count, print."""
    parser = argparse.ArgumentParser(description="What bots of Conquest II make use of.")
    parser.add_argument("--seats", type=int, nargs="+", default=[4], help="seats of a match; of several, in turn")
    parser.add_argument("--games", type=int, default=50, help="how many matches (default: 50)")
    parser.add_argument("--seed", type=int, default=1, help="of the first match (default: 1)")
    parser.add_argument("--level", default="normal", help="who plays: a level, or MODULE:FUNCTION (default: normal)")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of lines")
    args = parser.parse_args(arguments)
    policy = player(args.level)
    matches = [play(policy, args.seats[game % len(args.seats)], args.seed + game) for game in range(args.games)]
    usage = summed(matches)
    print(msgspec.json.encode(usage).decode() if args.json else "\n".join(lines(usage)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

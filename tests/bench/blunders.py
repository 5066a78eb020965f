"""Blunders that people laugh at, counted: `python -m tests.bench.blunders --ruleset classic --level normal --games N`.

Prints JSON: `games`, `decisions`, and by blunder how often it was made, in all and for each 100 decisions. A level may
also be MODULE:FUNCTION, as in `conquest-server arena`. Each rule set has a list of its own in `WATCHES`.
"""

import argparse
import json
import random
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

from server.bots.classic.odds import MOST, odds
from server.bots.classic.position_analysis import PositionAnalysis
from server.tools.arena import player
from shared.ids import NATURE, Army, Seat, Space
from shared.kernel import engine
from shared.kernel.frames import Action
from shared.kernel.ruleset import AnyRuleset
from shared.mechanics.armies import army_of, plus, total
from shared.mechanics.pieces import alive
from shared.odds import classic as told
from shared.odds.outcome import ATTACKER, Host
from shared.rulesets.classic.battle import walls_of
from shared.rulesets.classic.legions import hostile
from shared.rulesets.classic.table import LEADERS, State
from shared.rulesets.conquest.pieces import leaders_at
from shared.rulesets.registry import ruleset
from tests.bench.blunders_conquest import EVEN, HOPELESS, SAFE, ConquestWatch
from tests.bench.blunders_cote2 import Cote2Watch
from tests.bench.blunders_mb1984 import Mb1984Watch

SIEGE, RICHER, YEARS = 14, 1.5, 5
"""The reason for an attack without a chance: so many units, of who has so much more to replace them with, so many
years' tribute included."""
MOST_ACTIONS: Final = 200_000


class Watch(Protocol):
    """Observer of one match."""

    made: Counter[str]

    def acts(self, state: Any, seat: Seat, action: Action) -> None:
        """`seat` is about to do that."""


class ClassicWatch(ConquestWatch):
    """The list of Classic."""

    def caesar_left(self, state: State, seat: Seat) -> bool:
        """See `ConquestWatch`."""
        return caesar_left(state, seat)

    def home_risk(self, state: State, seat: Seat, buying: bool) -> float:
        """See `ConquestWatch`."""
        s = PositionAnalysis(state, seat)
        army = plus(s.army(s.home), s.muster()) if buying else s.army(s.home)
        return s.risk(s.home, army, s.led(s.home)) if s.home_is_mine else 1.0

    def against_odds(self, state: State, seat: Seat, space: Space, enemy: Seat) -> bool:
        """See `ConquestWatch`."""
        return against_odds(state, seat, space, enemy)

    def pursued(self, state: State, seat: Seat, space: Space) -> bool:
        """See `ConquestWatch`."""
        return bool(PositionAnalysis(state, seat).threats(space))


def caesar_left(state: State, seat: Seat) -> bool:
    """Whether the Caesar is where the next player can take it, with a safe place one step away."""
    here = state.leader_at[seat * LEADERS]
    if not alive(state, seat) or here >= len(state.units) or hostile(state, seat, here):
        return False
    analysis = PositionAnalysis(state, seat)
    if danger(analysis, here) <= EVEN:
        return False
    return any(danger(analysis, to) <= SAFE for to in analysis.steps[here] if not hostile(state, seat, to))


def danger(analysis: PositionAnalysis, space: Space) -> float:
    """The exact chance that a rival's next turn beats the army there."""
    walls, army, led = walls_of(analysis.table, space, analysis.seat), analysis.army(space), analysis.led(space)
    return max((chance(force, marshals, army, led, walls) for force, marshals in analysis.threats(space)), default=0.0)


def chance(attacker: Army, leading: int, defender: Army, defending: int, walls: int) -> float:
    """Of the attacker; the largest battles, which take long to reckon, about."""
    if not any(defender):
        return 1.0
    if total(attacker) + total(defender) > MOST:
        return odds(attacker, leading, defender, defending, walls)
    sides = Host(attacker, leaders=leading), Host(defender, leaders=defending, walls=walls)
    return told.odds(*sides, naval=False).wins(ATTACKER)


def against_odds(state: State, seat: Seat, space: Space, enemy: Seat) -> bool:
    """Whether that battle is hopeless and no war of attrition."""
    cell = state.units[space]
    army, foes = army_of(cell, seat), army_of(cell, enemy)
    led, marshals = len(leaders_at(state, seat, space)), len(leaders_at(state, enemy, space))
    if chance(army, led, foes, marshals, walls_of(state, space, enemy)) >= HOPELESS:
        return False
    ours, theirs = (state.talents[who] + YEARS * state.marker[who] for who in (seat, enemy))
    return total(army) < SIEGE or ours < RICHER * theirs


WATCHES: Final[Mapping[str, Callable[[], Watch]]] = {
    "classic": ClassicWatch,
    "cote2": Cote2Watch,
    "mb1984": Mb1984Watch,
}
"""By rule set."""


def watched(rules: AnyRuleset, level: str, seats: int, seed: int, rounds: int) -> tuple[Counter[str], int]:
    """Play one match among bots of that level; return its blunders, and the number of decisions."""
    watch, chance_, minds = WATCHES[rules.id](), random.Random(seed), random.Random(f"{seed} minds")
    state: Any = engine.start(rules, seats, {}, engine.ignore_event)
    decide, decisions = player(level), 0
    for _ in range(MOST_ACTIONS):
        owed = engine.owed(rules, state)
        if not owed or state.round > rounds:
            break
        action = engine.chance_action(state, chance_) if owed[0] == NATURE else None
        if action is None:
            action = decide(rules, rules.view(state, owed[0]), owed[0], minds)
            watch.acts(state, owed[0], action)
            decisions += 1
        engine.play(rules, state, owed[0], action, engine.ignore_event)
    return watch.made, decisions


def main() -> None:
    """Play, count, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ruleset", choices=sorted(WATCHES), default="classic")
    parser.add_argument("--level", default="normal")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seats", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=60)
    args = parser.parse_args()
    made: Counter[str] = Counter()
    decisions = 0
    for game in range(args.games):
        found, count = watched(ruleset(args.ruleset), args.level, args.seats, args.seed + game, args.rounds)
        made.update(found)
        decisions += count
    share = {name: round(100 * number / max(1, decisions), 4) for name, number in made.items()}
    print(json.dumps({"games": args.games, "decisions": decisions, "blunders": dict(made), "per_100": share}))


if __name__ == "__main__":
    main()

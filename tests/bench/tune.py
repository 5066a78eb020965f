"""Tune the normal bots by self-play: `python -m tests.bench.tune --ruleset R --seed S --games N`.

Normal bots weigh by constants, such as the worth of a general. A trial raises or lowers each by a random choice. Two
settings with opposite choices play each other, or both play one exploiter. All constants then move a little towards the
better setting (simultaneous perturbation). Thousands of matches are needed.

Printed are the tuned values, for copying into the modules by hand. The same seed gives the same values, as long as the
bots play the same. Check the result with other seeds: `conquest-server arena --lineup normal,normal=OTHER_PYTHON`.
"""

import argparse
import ast
import importlib
import itertools
import math
import random
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final, TypeAlias

from msgspec import Struct

import server.bots
from server.bots import policy
from server.bots.policy import Policy
from shared.ids import Seat
from shared.kernel import engine
from shared.kernel.frames import Action
from shared.kernel.ruleset import AnyRuleset
from shared.rulesets.registry import ruleset
from tests.bench.exploiters import SCRIPTS
from tests.bench.learn import movers

TUNED: Final[dict[str, dict[str, str]]] = {
    "classic": {
        "position_analysis": "HOME_VALUE CAESAR_VALUE GENERAL_VALUE SAFE BOLD BOLD_FOR_CAESAR DESPERATE ENOUGH LASTING "
        "IMPATIENCE PATIENT PLENTY LATE LATEST RECKLESSNESS OUTLASTING STRAINING RESTLESS TIRED DARING SIEGE SIEGES "
        "WEARING WORN WAR SATED FUTILE HOST HOME_GUARD REACH",
        "campaign": "STARVED LATE DISTANCE LEAST WORTHWHILE AT_HAND",
        "assault": "LEAST_PAID IDLE MATTERS BESIEGERS_LEFT LOST LOST_BY_RICH",
        "expedition": "GREAT HASTE MARGIN",
        "march_plans": "ROAMING RECKLESS LOST BETTER",
        "fighting": "FAIR BRAVE",
        "spending": "MIX ARMADA ROADS_COST",
    },
    "mb1984": {
        "position_analysis": "GENERAL_WORTH CAESAR_WORTH HOME_WORTH BOLD FAIR SAFE ENOUGH FEW IDLE BOLD_FOR_CAESAR "
        "DESPERATE IMPATIENCE PATIENT PLENTY LATER",
        "assault": "MATTERS",
        "expedition": "HASTE JOINING MARGIN",
        "moving": "FLEE HUNT LEAST LEFT",
        "spending": "FOOT SURPLUS SWARM BETTER",
        "odds": "UNIT_WORTH",
    },
    "cote2": {
        "cards": "KILLED DRILL GIFT STAKED AGAIN SPENT LEAST UNSURE",
        "fighting": "LOSS",
        "planning": "MARGINAL GENERAL",
        "position_analysis": "THIRST BUDGET SPENDING SAVED FADING "
        "ENVY ENVY_OF_MANY NEARNESS LATER TURN UNIT IDLE SENATOR LIKELY RISKS LONG_RISKS INCOME "
        "LASTING UNREST GALLEY BESIEGED",
        "sailing": "STRAIT CAUGHT PRONE",
    },
}
"""By rule set and module of its bots, the constants that are tuned."""
RIVALS: Final[dict[str, dict[str, int]]] = {
    "classic": {"": 8, "home_guard": 5, "turtle": 6, "strike": 2, "leader_basher": 1, "rush": 1},
    "mb1984": {"": 8, "home_guard": 4, "turtle": 4, "leader_basher": 4},
    "cote2": {"": 1},
}
"""By rule set, how often each exploiter is the opponent (the empty name: the two settings play each other)."""
SEATS: Final = {"classic": (2,), "mb1984": (2,), "cote2": (2, 2, 4)}
"""By rule set, numbers of players of matches between two settings."""
ROUNDS: Final = 60
"""Last round of a match; a match that is not over has no winner."""
PERTURBED: Final = 0.22
"""Change of each constant in a trial, in logarithms."""
PACE: Final = 0.05
"""Change of a constant in a step for a whole win, in logarithms; it shrinks from step to step."""
SLOWING: Final = (200, 0.4)
"""Steps after which the pace shrinks noticeably, and the power by which it does."""
FARTHEST: Final = 1.6
"""Largest change of a constant, in logarithms."""
TRIALS: Final = 8
"""Trials in a step."""
AVERAGED: Final = 0.03
"""Share of the newest values in the average of the values, which is the result."""
DELAY: Final = 0.6
"""Share of a win against a turtle that is lost if it takes all rounds."""
GAP: Final = 80.0
"""Lead in points that counts as much as the win itself, where matches are won by points."""

Setting: TypeAlias = list[tuple[dict[str, Any], str, Any]]
"""Values of constants: (the module's names, the name, the value)."""


class Constant(Struct, frozen=True):
    """A constant and all modules that import it. parts: its numbers. whole: whether they are whole numbers."""

    name: str
    places: tuple[tuple[dict[str, Any], str], ...]
    parts: tuple[float, ...]
    single: bool
    whole: bool

    def times(self, factors: Sequence[float]) -> Any:
        """Return the value with each number multiplied by a factor."""
        found = [part * factor for part, factor in zip(self.parts, factors, strict=True)]
        numbers: list[float] = [round(number) for number in found] if self.whole else found
        return numbers[0] if self.single else tuple(numbers)


def constants(name: str) -> list[Constant]:
    """Return the tuned constants of a rule set. Raises ValueError if the bots are compiled."""
    importers = _importers(name)
    found = []
    for module, names in TUNED[name].items():
        own = _names(f"server.bots.{name}.{module}")
        for each in names.split():
            places = [(own, each), *[(_names(other), known) for other, known in importers.get((module, each), ())]]
            value = own[each]
            parts = value if isinstance(value, tuple) else (value,)
            found.append(
                Constant(
                    f"{module}.{each}",
                    tuple(places),
                    tuple(map(float, parts)),
                    not isinstance(value, tuple),
                    all(isinstance(part, int) for part in parts),
                )
            )
    return found


def _names(module: str) -> dict[str, Any]:
    found = importlib.import_module(module)
    if not str(found.__file__).endswith(".py"):
        raise ValueError(f"{module} is compiled, its constants are fixed: install without CONQUEST_COMPILED.")
    return vars(found)


def _importers(name: str) -> Mapping[tuple[str, str], Sequence[tuple[str, str]]]:
    """Return by (module, constant) the other modules of the bots that import it, and its name there."""
    found: dict[tuple[str, str], list[tuple[str, str]]] = {}
    package = f"server.bots.{name}"
    for path in sorted((Path(server.bots.__path__[0]) / name).glob("*.py")):
        module = package if path.stem == "__init__" else f"{package}.{path.stem}"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(f"{package}."):
                for alias in node.names:
                    of = str(node.module).removeprefix(f"{package}."), alias.name
                    found.setdefault(of, []).append((module, alias.asname or alias.name))
    return found


class Tuning:
    """Constants of a rule set and their changes, by number, in logarithms."""

    def __init__(self, name: str) -> None:
        self._rules = ruleset(name)
        self._constants = constants(name)
        self.changes = [0.0 for constant in self._constants for _ in constant.parts]
        self._usual = self.setting(self.changes)

    def setting(self, changes: Sequence[float]) -> Setting:
        """Return the values of all constants with these changes."""
        return [(names, name, value) for constant, value in self._valued(changes) for names, name in constant.places]

    def values(self) -> dict[str, Any]:
        """Return the tuned values by name."""
        return {constant.name: value for constant, value in self._valued(self.changes)}

    def _valued(self, changes: Sequence[float]) -> Iterator[tuple[Constant, Any]]:
        factors = map(math.exp, changes)
        for constant in self._constants:
            yield constant, constant.times([next(factors) for _ in constant.parts])

    def steps(self, seed: int) -> Generator[int]:
        """Tune, and yield the number of matches after each step; when closed, the constants are as before."""
        chance, latest, matches = random.Random(f"{self._rules.id} {seed}"), self.changes[:], 0
        try:
            for step in itertools.count(1):
                pace = PACE / (1 + step / SLOWING[0]) ** SLOWING[1] / TRIALS
                moves = [0.0] * len(latest)
                for _ in range(TRIALS):
                    signs = [chance.choice((-1, 1)) for _ in latest]
                    gained, played = self._trial(latest, signs, chance)
                    moves = [move + pace * gained * sign for move, sign in zip(moves, signs, strict=True)]
                    matches += played
                latest = [max(-FARTHEST, min(FARTHEST, old + move)) for old, move in zip(latest, moves, strict=True)]
                self.changes = [old + AVERAGED * (new - old) for old, new in zip(self.changes, latest, strict=True)]
                yield matches
        finally:
            install(self._usual)

    def _trial(self, changes: Sequence[float], signs: Sequence[int], chance: random.Random) -> tuple[float, int]:
        """Return how much better the constants do with these signs of the change, and the matches played."""
        more, less = [
            self.setting([old + side * PERTURBED * sign for old, sign in zip(changes, signs, strict=True)])
            for side in (1, -1)
        ]
        rivals, seed = RIVALS[self._rules.id], chance.getrandbits(40)
        rival = chance.choices(list(rivals), list(rivals.values()))[0]
        if rival:
            return (self._against(more, rival, seed) - self._against(less, rival, seed)) / 2, 4
        seats = chance.choice(SEATS[self._rules.id])
        players = [tuned(setting, policy.play_normal) for setting in (more, less)] * (seats // 2)
        first, second = (_match(self._rules, line, seed) for line in (players, players[::-1]))
        evens, odds = range(0, seats, 2), range(1, seats, 2)
        return (gain(self._rules, first, evens) + gain(self._rules, second, odds)) / 2, 2

    def _against(self, setting: Setting, rival: str, seed: int) -> float:
        """Return the mean result against an exploiter that weighs as usual, from both seats."""
        pair = [tuned(setting, policy.play_normal), tuned(self._usual, SCRIPTS[rival][0])]
        found = [(_match(self._rules, line, seed), seat) for seat, line in enumerate((pair, pair[::-1]))]
        return sum(gain(self._rules, state, [seat], rival == "turtle") for state, seat in found) / len(found)


def tuned(setting: Setting, decide: Policy) -> Policy:
    """Return a policy that decides with these values of the constants."""

    def decide_so(rules: AnyRuleset, view: Any, seat: Seat, chance: random.Random) -> Action:
        install(setting)
        return decide(rules, view, seat, chance)

    return decide_so


def install(setting: Setting) -> None:
    """Give the constants their values of a setting."""
    for names, name, value in setting:
        names[name] = value


def _match(rules: AnyRuleset, players: Sequence[Policy], seed: int) -> Any:
    """Return the last position of a match."""
    chance, state = random.Random(seed), engine.start(rules, len(players), {}, engine.ignore_event)
    for _ in movers(rules, state, players, chance, ROUNDS):
        pass
    return state


def gain(rules: AnyRuleset, state: Any, ours: Sequence[Seat], in_haste: bool = False) -> float:
    """Return the result of a match for these seats together, from -1 to 1. in_haste: the sooner won, the better."""
    if not rules.finished(state):
        return 0.0
    places = rules.standings(state)
    won = [place.seat for place in places if place.rank == 1]
    result = 2.0 * sum([seat in ours for seat in won]) / len(won) - 1.0
    if rules.id == "cote2":
        lead: float = sum([n if seat in ours else -n for seat, n in enumerate(state.points)]) / len(ours)
        return (result + max(-1.0, min(1.0, lead / GAP))) / 2
    late: float = state.round / ROUNDS
    return result * (1 - DELAY * late) if in_haste and result > 0 else result


def main() -> None:
    """Tune, and print the values that changed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ruleset", required=True, choices=sorted(TUNED), help="which game")
    parser.add_argument("--seed", type=int, default=1, help="of the trials (default: 1)")
    parser.add_argument("--games", type=int, default=10_000, help="matches to play, at least (default: 10000)")
    args = parser.parse_args()
    try:
        tuning = Tuning(args.ruleset)
    except ValueError as error:
        parser.error(str(error))
    before = tuning.values()
    with closing(tuning.steps(args.seed)) as steps:
        next(matches for matches in steps if matches >= args.games)
    for name, value in tuning.values().items():
        if value != before[name]:
            print(f"{name}: {_text(before[name])} -> {_text(value)}")


def _text(value: Any) -> str:
    return f"({', '.join(map(_text, value))})" if isinstance(value, tuple) else f"{value:.3g}"


if __name__ == "__main__":
    main()

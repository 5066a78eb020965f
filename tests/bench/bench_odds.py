"""Time to compute the odds of a battle: `python -m tests.bench.bench_odds [--rounds N]` prints JSON.

By battle: milliseconds of a first question with empty caches, and its ratio to the yardstick of `bench_kernel`. Medians
of all rounds."""

import argparse
import json
import statistics
import time
from collections.abc import Callable, Mapping
from typing import Final

from shared.odds import classic, cote2, dice, mb1984
from shared.odds.outcome import Host, Odds
from shared.rulesets.classic.options import WALL_DICE
from tests.bench.bench_kernel import yardstick

Question = tuple[Callable[[Host, Host, bool], Odds], Host, Host, bool]
BATTLES: Final[Mapping[str, Question]] = {
    "classic, 12 against 9": (
        classic.odds, Host((7, 3, 2), leaders=2), Host((6, 2, 1), leaders=1, walls=WALL_DICE), False
    ),
    "classic, 24 against 20": (
        classic.odds, Host((14, 7, 3), leaders=2), Host((12, 6, 2), leaders=1, walls=WALL_DICE), False
    ),
    "classic, 46 against 46": (classic.odds, Host((20, 20, 6), leaders=2), Host((20, 20, 6), leaders=1), False),
    "classic at sea, 8 against 8": (classic.odds, Host(galleys=8), Host(galleys=8), True),
    "1984, 28 against 28": (mb1984.odds, Host((14, 7, 7)), Host((14, 7, 7), walls=1), False),
    "1984 at sea, 30 against 30": (mb1984.odds, Host((10, 8, 6), galleys=6), Host((10, 8, 6), galleys=6), True),
    "conquest II, 30 against 25": (
        cote2.odds, Host((14, 7, 3), 6, 1, training=3), Host((12, 6, 3), 4, 1, 1, 2, (4, 1, 0, 0)), False
    ),
    "conquest II at sea, 8 against 8": (cote2.odds, Host(galleys=8, training=2), Host(galleys=8), True),
}  # fmt: skip


def forget() -> None:
    """Nothing is known any more."""
    for clear in (
        classic.odds.cache_clear, classic._side.cache_clear, classic.legion.cache_clear, mb1984.odds.cache_clear,
        cote2.odds.cache_clear, cote2._line.cache_clear, dice.capped_hits.cache_clear, dice.mean.cache_clear,
        dice._spread.cache_clear,
    ):  # fmt: skip
        clear()


def asked(question: Question) -> float:
    """Seconds for one answer."""
    odds, attacker, defender, naval = question
    forget()
    started = time.perf_counter()
    odds(attacker, defender, naval)
    return time.perf_counter() - started


def main() -> None:
    """Ask everything in turn, again and again; print the medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    rounds = parser.parse_args().rounds
    seen: dict[str, list[tuple[float, float]]] = {name: [] for name in BATTLES}
    for _ in range(rounds):
        for name, question in BATTLES.items():
            yard, seconds = yardstick(), asked(question)
            seen[name].append((seconds * 1e3, seconds / yard))
    result = {}
    for name, pairs in seen.items():
        spent, ratio = (statistics.median(column) for column in zip(*pairs, strict=True))
        result[name] = {"ms": round(spent, 2), "ratio": round(ratio, 1)}
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()

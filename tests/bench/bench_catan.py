"""Speed of random games by the rules alone, beside catanatron's random players, on one core:
`pip install -e ".[bench]"`, then `python -m tests.bench.bench_catan [--rounds N] [--json]`.

Both list the legal actions, choose one at random and execute it, game after game. A player's decisions count, forced
ones too, as catanatron counts; random events take time but do not count.

`beside` is decisions per CPU second divided by catanatron's, which plays a slice right before each of ours. So it can
be compared between machines, and between busy and quiet hours. `half` are the quartiles of the rounds. `with_chance`
counts the answers of chance too."""

import argparse
import json
import random
import statistics
import time
from collections.abc import Iterator
from itertools import count
from typing import Any, Final

from catanatron import Color, Game, RandomPlayer
from catanatron.game import TURNS_LIMIT
from msgspec import Struct

from server.bots.policy import pick
from shared.ids import NATURE
from shared.kernel import engine
from shared.kernel.ruleset import AnyRuleset
from shared.rulesets.registry import ruleset

TABLES: Final = (("classic", 3), ("classic", 6), ("mb1984", 3), ("mb1984", 6), ("cote2", 4), ("cote2", 6))
SLICE: Final = 0.05
"""CPU seconds of play at a stretch."""
CHUNK: Final = 20
"""Actions between two looks at the clock."""

Play = Iterator[bool]
"""Games without end: for every action whether it was a player's decision."""


class Played(Struct):
    """Number of decisions, and the CPU seconds that they took."""

    decisions: int = 0
    actions: int = 0
    seconds: float = 0.0


def conquest(rules: AnyRuleset, seats: int) -> Play:
    """Our games."""
    for seed in count():
        rng = random.Random(seed)
        state: Any = engine.start(rules, seats, {}, engine.ignore_event)
        owed = engine.owed(rules, state)
        while owed:
            seat = owed[0]
            drawn = engine.chance_action(state, rng) if seat == NATURE else None
            action = drawn or pick(engine.options(rules, state, seat), rng)
            owed = engine.perform(rules, state, seat, action, engine.ignore_event)
            yield seat != NATURE


def catan() -> Play:
    """Theirs, of four players."""
    for seed in count(1):
        game = Game([RandomPlayer(color) for color in Color], seed=seed)
        while game.winning_color() is None and game.state.num_turns < TURNS_LIMIT:
            game.play_tick()
            yield True


def stretch(play: Play) -> Played:
    """Play on for a while."""
    done = Played()
    started = time.process_time()
    while done.seconds < SLICE:
        done.decisions += sum(next(play) for _ in range(CHUNK))
        done.actions += CHUNK
        done.seconds = time.process_time() - started
    return done


def result(pairs: list[tuple[Played, Played]]) -> dict[str, Any]:
    """The figures of a table from its slices, each with catanatron's before it."""
    theirs, ours = (Played(*map(sum, zip(*map(_figures, side), strict=True))) for side in zip(*pairs, strict=True))
    yard = theirs.decisions / theirs.seconds
    each = [_rate(our) / _rate(their) for their, our in pairs]
    low, _, high = statistics.quantiles(each, n=4)
    return {
        "decisions_per_second": round(_rate(ours)),
        "beside": round(_rate(ours) / yard, 3),
        "half": [round(low, 2), round(high, 2)],
        "with_chance": round(ours.actions / ours.seconds / yard, 3),
    }


def _figures(played: Played) -> tuple[int, int, float]:
    return played.decisions, played.actions, played.seconds


def _rate(played: Played) -> float:
    return played.decisions / played.seconds


def measure(rounds: int) -> dict[str, dict[str, Any]]:
    """All tables in turn, again and again."""
    yardstick = catan()
    plays = {f"{key}, {seats} seats": conquest(ruleset(key), seats) for key, seats in TABLES}
    pairs: dict[str, list[tuple[Played, Played]]] = {name: [] for name in plays}
    for _ in range(rounds):
        for name, play in plays.items():
            pairs[name].append((stretch(yardstick), stretch(play)))
    figures = {name: result(found) for name, found in pairs.items()}
    theirs = [their for found in pairs.values() for their, _ in found]
    rate = sum(their.decisions for their in theirs) / sum(their.seconds for their in theirs)
    return {"catanatron": {"decisions_per_second": round(rate)}} | figures


def table(figures: dict[str, dict[str, Any]]) -> str:
    """In lines."""
    lines = [f"{'':<20}{'decisions/s':>12}{'beside':>9}{'half of the rounds':>20}{'with chance':>13}"]
    for name, row in figures.items():
        line = f"{name:<20}{row['decisions_per_second']:>12,}"
        if "beside" in row:
            low, high = row["half"]
            line += f"{row['beside']:>9.2f}{f'{low:.2f} to {high:.2f}':>20}{row['with_chance']:>13.2f}"
        lines.append(line)
    return "\n".join(lines)


def main() -> None:
    """Measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    args = parser.parse_args()
    figures = measure(args.rounds)
    print(json.dumps(figures, indent=1) if args.json else table(figures))


if __name__ == "__main__":
    main()

"""Speed of the library beside the kernel that it wraps, on one core:
`python -m tests.bench.bench_library [--rounds N] [--json]`.

Both play random games: list actions, choose one, play it. `share` is the library's decisions per CPU second divided by
those of the kernel, which plays a slice right before each of the library's. `micros` are CPU microseconds of one call
in mid-game. With `pip install -e ".[bench]"` catanatron's random players run in between, as in `bench_catan`, and so do
random games of OpenSpiel, whose rules are C++."""

import argparse
import json
import random
import statistics
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from itertools import count
from typing import Any, Final

import conquest
from server.bots.policy import pick
from shared.ids import NATURE
from shared.kernel import engine
from shared.rulesets.registry import ruleset

TABLES: Final = (("classic", 3), ("mb1984", 6), ("cote2", 4))
SPIELS: Final = ("backgammon", "gin_rummy")
"""Games of OpenSpiel with dice or cards, whose matches have hundreds of decisions too."""
SLICE: Final = 0.1
CHUNK: Final = 20
LENGTH: Final = 400
"""Actions of a game: the same for both, so that both see the same sort of positions."""


def kernel(name: str, seats: int) -> Iterator[bool]:
    """Yield for each action of games of the kernel whether it was a player's decision."""
    rules = ruleset(name)
    for seed in count():
        rng = random.Random(seed)
        state: Any = engine.start(rules, seats, {}, engine.ignore_event)
        owed = engine.owed(rules, state)
        for _ in range(LENGTH):
            if not owed:
                break
            seat = owed[0]
            drawn = engine.chance_action(state, rng) if seat == NATURE else None
            action = drawn or pick(engine.options(rules, state, seat), rng)
            owed = engine.perform(rules, state, seat, action, engine.ignore_event)
            yield seat != NATURE


def library(name: str, seats: int) -> Iterator[bool]:
    """Yield True for each decision of games of the library."""
    for seed in count():
        rng, game = random.Random(seed), conquest.new(name, seats=seats, seed=seed)
        while not game.over and game.count < LENGTH:
            game.play(game.legal().pick(rng))
            yield True


def catan() -> Iterator[bool]:
    """Yield True for each decision of catanatron's random players."""
    from tests.bench.bench_catan import catan as games

    return games()


def spiel(name: str) -> Iterator[bool]:
    """Yield for each action of random games of OpenSpiel whether it was a player's decision."""
    import pyspiel

    game, rng = pyspiel.load_game(name), random.Random(0)
    while True:
        state = game.new_initial_state()
        while not state.is_terminal():
            chance = state.is_chance_node()
            actions = [action for action, _ in state.chance_outcomes()] if chance else state.legal_actions()
            state.apply_action(rng.choice(actions))
            yield not chance


def yards() -> dict[str, Iterator[bool]]:
    """Return the games of others that are installed."""
    found = {"catanatron": catan()} if find_spec("catanatron") else {}
    return found | ({name: spiel(name) for name in SPIELS} if find_spec("pyspiel") else {})


def rate(play: Iterator[bool]) -> float:
    """Return decisions per CPU second of a slice."""
    done, started = 0, time.process_time()
    while (spent := time.process_time() - started) < SLICE:
        done += sum(next(play) for _ in range(CHUNK))
    return done / spent


def micros(call: Callable[[], object], times: int = 500) -> float:
    """Return the CPU microseconds of a call."""
    started = time.process_time()
    for _ in range(times):
        call()
    return round((time.process_time() - started) / times * 1e6, 1)


def calls(name: str, seats: int) -> dict[str, float]:
    """Return the time of each call in mid-game."""
    rng, game = random.Random(1), conquest.new(name, seats=seats, seed=1)
    while game.count < 80:
        game.play(game.legal().pick(rng))
    seat = game.owing[0]
    return {
        "legal": micros(game.legal),
        "choices": micros(lambda: game.legal().choices),
        "clone": micros(game.clone),
        "observe": micros(lambda: game.observe(seat)),
    }


def measure(rounds: int) -> dict[str, Any]:
    """Return the figures of all tables."""
    found: dict[str, Any] = {}
    others = yards()
    theirs: dict[str, list[float]] = {name: [] for name in others}
    for name, seats in TABLES:
        below, above, pairs = kernel(name, seats), library(name, seats), []
        for _ in range(rounds):
            pairs.append((rate(below), rate(above)))
            for other, play in others.items():
                theirs[other].append(rate(play))
        found[f"{name}, {seats} seats"] = {
            "kernel": round(statistics.median(first for first, _ in pairs)),
            "library": round(statistics.median(second for _, second in pairs)),
            "share": round(statistics.median(second / first for first, second in pairs), 3),
            "micros": calls(name, seats),
        }
    return found | {name: round(statistics.median(rates)) for name, rates in theirs.items()}


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    figures = measure(args.rounds)
    if args.json:
        print(json.dumps(figures))
    for name, values in figures.items() if not args.json else ():
        print(f"{name:<20}{values}")


if __name__ == "__main__":
    main()

"""How fast the rules kernel is: `python -m tests.bench.bench_kernel [--rounds N]` prints one JSON object.

Every figure stands beside its ratio to a yardstick, a fixed piece of plain Python measured right before it: the
ratios can be compared between machines and between busy and quiet hours, the figures cannot. Medians of all rounds.
`us`: microseconds a call, ratio = time / yardstick time. `per_second`: ratio = how many in one yardstick time.
"""

import argparse
import json
import random
import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

from protocol import delta
from server.bots.policy import POLICIES, pick
from shared.ids import NATURE
from shared.kernel import engine
from shared.rulesets.registry import ruleset

RULES = ruleset("classic")
SEATS = range(RULES.min_seats, RULES.max_seats + 1)
SLICE = 400
"""Actions played between two looks at the yardstick."""
POSITIONS = 300

Measure = Callable[[], tuple[float, int]]
"""Runs a piece of work: seconds it took, and how many times it was done."""


def yardstick() -> float:
    """Seconds for copying lists and adding numbers, about as the kernel does."""
    lists = [list(range(40)) for _ in range(20)]
    started = time.perf_counter()
    total = 0
    for _ in range(100):
        copies = [numbers[:] for numbers in lists]
        for number in copies[0]:
            total += number & 3
    return time.perf_counter() - started


def walk(seats: int, policy: str, check: bool = False) -> Iterator[tuple[Any, int]]:
    """Games without end: every position and the number of seat decisions so far."""
    decisions = 0
    for seed in range(1_000_000):
        rng = random.Random(seed)
        state = engine.start(RULES, seats, {}, engine.silent)
        while owed := engine.owed(RULES, state):
            seat = owed[0]
            if seat == NATURE:
                action = engine.chance_action(state, rng)
                assert action is not None
            elif policy == "random":
                action = pick(engine.options(RULES, state, seat), rng)
            else:
                decisions += 1
                action = POLICIES[policy](RULES, RULES.view(state, seat), seat, rng)
            engine.play(RULES, state, seat, action, engine.silent)
            if check:
                assert not RULES.invariants(state)
            yield state, decisions


def playing(seats: int, policy: str = "random", check: bool = False) -> Measure:
    """Accepted actions, chance included; with a policy that thinks, its decisions."""
    game = walk(seats, policy, check)
    before = 0

    def measure() -> tuple[float, int]:
        nonlocal before
        started = time.perf_counter()
        for _ in range(SLICE):
            _, decisions = next(game)
        seconds = time.perf_counter() - started
        done, before = decisions - before, decisions
        return seconds, SLICE if policy == "random" else done

    return measure


def positions(seats: int) -> list[Any]:
    """Consecutive positions of a random game."""
    game = walk(seats, "random")
    return [next(game)[0].clone() for _ in range(POSITIONS)]


def cloning(states: list[Any]) -> Measure:
    """`clone` of a position."""

    def measure() -> tuple[float, int]:
        started = time.perf_counter()
        for state in states:
            state.clone()
        return time.perf_counter() - started, len(states)

    return measure


def looking(states: list[Any]) -> Measure:
    """The view of one audience, and its difference to the one before."""
    before = [RULES.view(state, 0) for state in states]

    def measure() -> tuple[float, int]:
        started = time.perf_counter()
        for view, state in zip(before, states[1:], strict=False):
            delta.diff(view, RULES.view(state, 0))
        return time.perf_counter() - started, len(states) - 1

    return measure


def checking(states: list[Any]) -> Measure:
    """The invariants of a position."""

    def measure() -> tuple[float, int]:
        started = time.perf_counter()
        for state in states:
            RULES.invariants(state)
        return time.perf_counter() - started, len(states)

    return measure


def main() -> None:
    """Measure everything in turn, again and again; print the medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    states = positions(max(SEATS))
    calls = {"clone": cloning(states), "view_and_diff": looking(states), "invariants": checking(states)}
    rates = {f"random_{seats}_seats": playing(seats) for seats in SEATS}
    rates["random_6_seats_checked"] = playing(6, check=True)
    rates["greedy_2_seats"] = playing(2, "greedy")
    rates["greedy_6_seats"] = playing(6, "greedy")
    seen: dict[str, list[tuple[float, float]]] = {name: [] for name in (*calls, *rates)}
    yards: list[float] = []
    for _ in range(rounds):
        for name, measure in {**calls, **rates}.items():
            yard = yardstick()
            seconds, times = measure()
            yards.append(yard)
            seen[name].append((seconds / times, seconds / times / yard))
    result: dict[str, Any] = {"yardstick_us": round(statistics.median(yards) * 1e6, 1)}
    for name, pairs in seen.items():
        each, ratio = (statistics.median(column) for column in zip(*pairs, strict=True))
        if name in calls:
            result[name] = {"us": round(each * 1e6, 2), "ratio": round(ratio, 5)}
        else:
            result[name] = {"per_second": round(1 / each), "ratio": round(1 / ratio, 2)}
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()

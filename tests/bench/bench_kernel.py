"""Speed of the rules kernel: `python -m tests.bench.bench_kernel [--ruleset ID] [--rounds N]` prints JSON.

Every figure stands beside its ratio to a yardstick, a fixed piece of plain Python measured right before it. The ratios
can be compared between machines, and between busy and quiet hours; the figures cannot. Medians of all rounds. `us`:
microseconds a call, ratio = time / yardstick time. `per_second`: ratio = number in one yardstick time."""

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
from shared.kernel.ruleset import AnyRuleset
from shared.rulesets.registry import RULESETS, ruleset

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


def walk(rules: AnyRuleset, seats: int, policy: str, check: bool = False) -> Iterator[tuple[Any, int]]:
    """Games without end: every position and the number of seat decisions so far."""
    decisions = 0
    for seed in range(1_000_000):
        rng = random.Random(seed)
        state = engine.start(rules, seats, {}, engine.ignore_event)
        while owed := engine.owed(rules, state):
            seat = owed[0]
            if seat == NATURE:
                action = engine.chance_action(state, rng)
                assert action is not None
                engine.perform(rules, state, seat, action, engine.ignore_event)
            elif policy == "random":
                engine.perform(rules, state, seat, pick(engine.options(rules, state, seat), rng), engine.ignore_event)
            else:
                decisions += 1
                action = POLICIES[policy](rules, rules.view(state, seat), seat, rng)
                engine.play(rules, state, seat, action, engine.ignore_event)
            if check:
                assert not rules.invariants(state)
            yield state, decisions


def playing(rules: AnyRuleset, seats: int, policy: str = "random", check: bool = False) -> Measure:
    """Accepted actions, chance included; with a policy that thinks, its decisions."""
    game = walk(rules, seats, policy, check)
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


def positions(rules: AnyRuleset, seats: int) -> list[Any]:
    """Consecutive positions of a random game."""
    game = walk(rules, seats, "random")
    return [next(game)[0].clone() for _ in range(POSITIONS)]


def cloning(states: list[Any]) -> Measure:
    """`clone` of a position."""

    def measure() -> tuple[float, int]:
        started = time.perf_counter()
        for state in states:
            state.clone()
        return time.perf_counter() - started, len(states)

    return measure


def looking(rules: AnyRuleset, states: list[Any]) -> Measure:
    """The view of one audience, and its difference to the one before."""
    before = [rules.view(state, 0) for state in states]

    def measure() -> tuple[float, int]:
        started = time.perf_counter()
        for view, state in zip(before, states[1:], strict=False):
            delta.diff(view, rules.view(state, 0))
        return time.perf_counter() - started, len(states) - 1

    return measure


def checking(rules: AnyRuleset, states: list[Any]) -> Measure:
    """The invariants of a position."""

    def measure() -> tuple[float, int]:
        started = time.perf_counter()
        for state in states:
            rules.invariants(state)
        return time.perf_counter() - started, len(states)

    return measure


def main() -> None:
    """Measure everything in turn, again and again; print the medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--ruleset", choices=sorted(RULESETS), default="classic")
    args = parser.parse_args()
    rules = ruleset(args.ruleset)
    states = positions(rules, rules.max_seats)
    calls = {"clone": cloning(states), "view_and_diff": looking(rules, states), "invariants": checking(rules, states)}
    rates = {f"random_{seats}_seats": playing(rules, seats) for seats in range(rules.min_seats, rules.max_seats + 1)}
    rates["random_6_seats_checked"] = playing(rules, 6, check=True)
    rates["normal_2_seats"] = playing(rules, 2, "normal")
    rates["normal_6_seats"] = playing(rules, 6, "normal")
    seen: dict[str, list[tuple[float, float]]] = {name: [] for name in (*calls, *rates)}
    yards: list[float] = []
    for _ in range(args.rounds):
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

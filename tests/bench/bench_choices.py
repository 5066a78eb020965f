"""Cost in time and bytes of listing a player's legal actions: `python -m tests.bench.bench_choices`.

Bots play matches of each game. At every decision the answer to `Consider` is made and encoded, as the server does once
for a version. The same is done with labels and forms, and within a filter: the spaces of one of the labels. The ratio
compares labels with none. For comparison, the view is encoded. Processor time. Prints one JSON object for each game."""

import argparse
import json
import random
import statistics
import time
from typing import Any, Final

from protocol import codec
from protocol.choices import choices
from protocol.listing import Listing
from server.bots import policy
from shared.actions.description import Filter
from shared.ids import NONE
from shared.kernel import engine
from shared.kernel.ruleset import AnyRuleset
from shared.rulesets.registry import RULESETS

OPTIONS: Final = {"classic": {"round_limit": 12}, "mb1984": {"round_limit": 12}, "cote2": {}}


class Counts:
    """Measurements at each decision: microseconds, and bytes."""

    def __init__(self) -> None:
        self.micros: list[float] = []
        self.yardstick: list[float] = []
        self.labelled: list[float] = []
        self.filtered: list[float] = []
        self.bytes_labelled: list[int] = []
        self.bytes: list[int] = []
        self.actions: list[int] = []
        self.complete = 0

    def note(self, rules: AnyRuleset, view: Any, seat: int) -> None:
        began = time.thread_time()
        told = choices(rules, view, seat)
        data = codec.encode(told)
        self.micros.append((time.thread_time() - began) * 1e6)
        began = time.thread_time()
        codec.encode(view)
        self.yardstick.append((time.thread_time() - began) * 1e6)
        self.bytes.append(len(data))
        self.actions.append(len(told.actions))
        self.complete += told.complete
        self._note_labels(rules, view, seat)

    def _note_labels(self, rules: AnyRuleset, view: Any, seat: int) -> None:
        began = time.thread_time()
        listing = Listing(rules, view, seat)
        told = listing.page(Filter(), 0, labelled=True)
        data = codec.encode(told)
        self.labelled.append((time.thread_time() - began) * 1e6)
        self.bytes_labelled.append(len(data))
        label = told.labels[len(told.labels) // 2]
        began = time.thread_time()
        codec.encode(listing.page(Filter(NONE, label.source, label.to), 0, labelled=True))
        self.filtered.append((time.thread_time() - began) * 1e6)

    def told(self) -> dict[str, object]:
        """Everything in figures."""
        return {
            "decisions": len(self.bytes),
            "complete": round(self.complete / len(self.bytes), 3),
            "actions": _spread(self.actions),
            "bytes": _spread(self.bytes),
            "us": _spread(self.micros),
            "us_of_the_view": _spread(self.yardstick),
            "us_with_labels": _spread(self.labelled),
            "bytes_with_labels": _spread(self.bytes_labelled),
            "us_within_a_filter": _spread(self.filtered),
            "ratio_of_labels": round(sum(self.labelled) / sum(self.micros), 1),
        }


def _spread(numbers: list[Any]) -> dict[str, float]:
    ordered = sorted(numbers)
    return {
        "median": round(statistics.median(ordered), 1),
        "p99": round(ordered[len(ordered) * 99 // 100], 1),
        "most": round(ordered[-1], 1),
    }


def play(rules: AnyRuleset, seats: int, seed: int, counts: Counts) -> None:
    """Play one match between bots."""
    rng = random.Random(seed)
    state = engine.start(rules, seats, OPTIONS[rules.id], engine.ignore_event)
    while owed := engine.owed(rules, state):
        action = engine.chance_action(state, rng)
        if action is None:
            view = rules.view(state, owed[0])
            counts.note(rules, view, owed[0])
            action = policy.choose("normal", rules, view, owed[0], rng)
        engine.perform(rules, state, owed[0], action, engine.ignore_event)


def main() -> None:
    """Measure all games."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--matches", type=int, default=3, help="of each game")
    matches = parser.parse_args().matches
    for rules in RULESETS.values():
        counts = Counts()
        for seed in range(matches):
            play(rules, 2 + 2 * seed % 5, seed, counts)
        print(json.dumps({"game": rules.id, **counts.told()}), flush=True)


if __name__ == "__main__":
    main()

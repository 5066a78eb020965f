"""Decisions of random games, with the views that their players see."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from shared.ids import NATURE, Seat
from shared.kernel import engine
from shared.kernel.frames import Action
from shared.kernel.ruleset import AnyRuleset
from shared.vocabulary.actions import Concede, EndMovement, Resign

WILD = 0.3
"""Share of the actions that a random player thinks up."""
TRIES = 4
"""Actions that a random player thinks up before it takes one of the list."""

Maker = Callable[[Random, Any, Seat], Action]


def decisions(rules: AnyRuleset, state: Any, wild: Maker, seed: int, steps: int) -> Iterator[tuple[Any, Seat]]:
    """Yield the views and seats of the decisions of a random game."""
    rng = Random(seed)
    for _ in range(steps):
        seats = engine.owed(rules, state)
        if not seats:
            return
        seat = rng.choice(seats)
        action = engine.chance_action(state, rng) if seat == NATURE else None
        if action is None:
            yield rules.view(state, seat), seat
            action = chosen(rules, state, seat, wild, rng)
        engine.play(rules, state, seat, action, engine.ignore_event)


def chosen(rules: AnyRuleset, state: Any, seat: Seat, wild: Maker, rng: Random) -> Action:
    """Return a legal action: one of the list, or one that the player thinks up."""
    if rng.random() < WILD:
        for action in legal(rules, state, seat, wild, rng, TRIES):
            if not isinstance(action, Concede | Resign):
                return action
    found = engine.options(rules, state, seat)
    ends = isinstance(found[0], EndMovement) and len(found) > 1 and rng.random() < 0.85
    return rng.choice(found[1:] if ends else found)


def legal(rules: AnyRuleset, view: Any, seat: Seat, wild: Maker, rng: Random, tries: int) -> Iterator[Action]:
    """Yield legal actions among so many that the player thinks up."""
    for _ in range(tries):
        action = wild(rng, view, seat)
        if engine.check(rules, view, seat, action) is None:
            yield action

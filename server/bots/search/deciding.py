"""One decision: plans are raced against each other, each rollout from a position dealt anew."""

import random
from collections.abc import Sequence
from typing import Any, Final

from msgspec.structs import replace

from server.bots.search.budget import Budget
from server.bots.search.game import AnyGame, Plan, Policy
from server.bots.search.race import race
from shared.ids import NATURE, Seat
from shared.kernel import engine
from shared.kernel.engine import AnyRuleset
from shared.kernel.frames import Action

MOST_ACTIONS: Final = 3000
"""After which a rollout is judged where it stands."""
LOOKS: Final = 3
"""How often each plan is looked at, at least, before half of them are given up."""
SPREAD: Final = 8
"""The more rollouts there are, the later plans are given up: after this share of them, as a divisor."""


def decide(game: AnyGame, rules: AnyRuleset, view: Any, seat: Seat, rng: random.Random, budget: Budget) -> Action:
    """What to do now; the usual thing unless something else is clearly better."""
    plans = distinct(game.plans(rules, view, seat, rng))
    if len(plans) == 1:
        return plans[0].action
    seed = rng.getrandbits(64)
    lines = apart([Line(game, rules, view, seat, plan, seed) for plan in plans])
    if len(lines) == 1:
        return lines[0].action

    def sample(candidate: int, i: int) -> float | None:
        return lines[candidate].value(Luck(f"{seed} {i}")) if budget.spend() else None

    rung = max(LOOKS, budget.left // (SPREAD * len(lines)))
    return lines[race(len(lines), rung, sample, game.judge)].action


def distinct(plans: Sequence[Plan]) -> list[Plan]:
    """The first plan of each that begin with the same action: the others are thought of again after it."""
    found: dict[Action, Plan] = {}
    for plan in plans:
        found.setdefault(plan.action, plan)
    return list(found.values())


def apart(lines: Sequence["Line"]) -> list["Line"]:
    """The first line of each that have led to the same position once others or the dice have their say."""
    found: list[Line] = []
    for line in lines:
        if not any(line.is_like(other) for other in found):
            found.append(line)
    return found


class Luck:
    """The chance of one rollout. What is asked of the same matter goes the same way whatever happened elsewhere: so two
    plans that differ in one place do not differ in all others by mere luck."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._streams: dict[object, random.Random] = {}

    def of(self, *matter: object) -> random.Random:
        """The chance of one matter, told by what is printed of it; it goes on where it was left."""
        if matter not in self._streams:
            self._streams[matter] = random.Random(f"{self._seed} {matter}")
        return self._streams[matter]


class Line:
    """Where a plan leads: played to the end of the last turn, as often as one likes.

    Where nothing is hidden, what its seat does before the dice or others have their say is the same each time, and
    played once.
    """

    def __init__(self, game: AnyGame, rules: AnyRuleset, view: Any, seat: Seat, plan: Plan, seed: int) -> None:
        self._game, self._rules, self._view, self._seat, self._plan = game, rules, view, seat, plan
        self._present, self._turns = game.turn(view), game.turns(view)
        self._trunk = None if game.secret else self._played(Luck(str(seed)))

    @property
    def action(self) -> Action:
        """What it begins with."""
        return self._plan.action

    def is_like(self, other: "Line") -> bool:
        """Whether both are known to go on from the same position."""
        return self._trunk is not None and _settled(self._trunk) == _settled(other._trunk)

    def value(self, luck: Luck) -> float:
        """What it is worth where it ends, once."""
        state = self._begun(luck)
        others, present, left = self._game.players(luck.of()), self._present, self._turns
        own = self._plan.player() if self._plan.player else others
        for _ in range(MOST_ACTIONS):
            owed = engine.owed(self._rules, state)
            if self._game.turn(state) != present:
                present, left = self._game.turn(state), left - 1
            if not owed or left <= 0:
                break
            mine = owed[0] == self._seat and left == self._turns
            self._step(state, owed[0], own if mine else others, luck)
        return self._game.value(state, self._seat)

    def _begun(self, luck: Luck) -> Any:
        """A position from which it goes on by chance."""
        return self._first(luck.of()) if self._trunk is None else self._trunk.clone()

    def _played(self, luck: Luck) -> Any:
        """Where the turn has come to when others or the dice have their say."""
        state = self._first(luck.of())
        own = self._plan.player() if self._plan.player else self._game.players(luck.of())
        while self._is_mine(state):
            self._step(state, self._seat, own, luck)
        return state

    def _first(self, chance: random.Random) -> Any:
        state = self._game.complete(self._view, chance)
        engine.perform(self._rules, state, self._seat, self._plan.action, engine.silent)
        return state

    def _is_mine(self, state: Any) -> bool:
        return self._seat in engine.owed(self._rules, state)[:1] and self._game.turn(state) == self._present

    def _step(self, state: Any, mover: Seat, play: Policy, luck: Luck) -> None:
        chance = luck.of(*self._game.matter(state))
        action = engine.chance_action(state, chance) if mover == NATURE else None
        if action is None:
            view = self._rules.view(state, mover)
            action = legal(self._rules, view, mover, play(self._rules, view, mover, chance))
        engine.perform(self._rules, state, mover, action, engine.silent)


def _settled(state: Any) -> Any:
    """A position without the numbers by which decisions are told apart."""
    return replace(state, frames=[replace(frame, no=0) for frame in state.frames], pushed=0)


def legal(rules: AnyRuleset, view: Any, seat: Seat, action: Action) -> Action:
    """The action, or the default where the rules forbid it."""
    return action if engine.check(rules, view, seat, action) is None else engine.default(rules, view, seat)

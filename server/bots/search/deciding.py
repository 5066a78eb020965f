"""Decision by search: plans are raced against each other, each rollout from a position completed anew."""

import random
from collections.abc import Sequence
from typing import Any, Final

from msgspec.structs import replace

from server.bots.search.budget import Budget
from server.bots.search.game import AnyGame, Plan, Policy
from server.bots.search.race import race
from shared.ids import NATURE, Seat
from shared.kernel import engine
from shared.kernel.frames import Action
from shared.kernel.ruleset import AnyRuleset

MOST_ACTIONS: Final = 3000
"""Actions after which a rollout is judged where it stands."""
LOOKS: Final = 3
"""Least number of rollouts of each plan before half of the plans are dropped."""
SAMPLED: Final = 2
"""Options that are tried where a game has a single plan."""
SPREAD: Final = 8
"""Divisor of the number of rollouts: each plan gets this share of them before half of the plans are dropped."""


def decide(game: AnyGame, rules: AnyRuleset, view: Any, seat: Seat, rng: random.Random, budget: Budget) -> Action:
    """Return the action to take now: the first plan's, unless another one is clearly better."""
    plans = candidates(game, rules, view, seat, rng)
    if len(plans) == 1:
        return plans[0].action
    budget.limit(game.share(view))
    seed = rng.getrandbits(64)
    lines = apart([Line(game, rules, view, seat, plan, seed) for plan in plans])
    if len(lines) == 1:
        return lines[0].action

    def sample(candidate: int, i: int) -> float | None:
        return lines[candidate].value(Luck(f"{seed} {i}")) if budget.spend() else None

    rung = max(LOOKS, budget.left // (SPREAD * len(lines)))
    return lines[race(len(lines), rung, sample)].action


def candidates(game: AnyGame, rules: AnyRuleset, view: Any, seat: Seat, rng: random.Random) -> list[Plan]:
    """Return the plans to compare, one for each first action.

    A settled plan is not compared.

    Where the game has a single plan, some other options stand beside it. A bot whose plans find nothing could otherwise
    wait for ever.
    """
    plans = distinct(game.plans(rules, view, seat, rng))
    if not game.share(view) or plans[0].settled:
        return plans[:1]
    if len(plans) > 1:
        return plans
    others = [action for action in engine.options(rules, view, seat) if action != plans[0].action]
    return [*plans, *map(Plan, rng.sample(others, min(SAMPLED, len(others))))]


def distinct(plans: Sequence[Plan]) -> list[Plan]:
    """Return the first plan for each first action: the others will be considered again after that action."""
    found: dict[Action, Plan] = {}
    for plan in plans:
        found.setdefault(plan.action, plan)
    return list(found.values())


def apart(lines: Sequence["Line"]) -> list["Line"]:
    """Return the first of all lines that lead to the same position before the next move of others or of the dice."""
    found: list[Line] = []
    for line in lines:
        if not any(line.is_like(other) for other in found):
            found.append(line)
    return found


class Luck:
    """Random numbers of one rollout, in a separate stream for each matter.

    The same matter thus goes the same way whatever happened elsewhere. Two plans that differ in one place do not differ
    in all others by mere luck.
    """

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._streams: dict[object, random.Random] = {}

    def of(self, *matter: object) -> random.Random:
        """Return the random stream of a matter, identified by its printed form; repeated calls continue it."""
        if matter not in self._streams:
            self._streams[matter] = random.Random(f"{self._seed} {matter}")
        return self._streams[matter]


class Line:
    """Rollouts of one plan, each played to the end of the last turn.

    Without hidden information, the seat's own actions before the next move of others or dice are always the same. They
    are played only once.
    """

    def __init__(self, game: AnyGame, rules: AnyRuleset, view: Any, seat: Seat, plan: Plan, seed: int) -> None:
        self._game, self._rules, self._view, self._seat, self._plan = game, rules, view, seat, plan
        self._present, self._turns = game.turn(view), game.turns(view)
        self._trunk = None if game.secret else self._played(Luck(str(seed)))

    @property
    def action(self) -> Action:
        """First action of the plan."""
        return self._plan.action

    def is_like(self, other: "Line") -> bool:
        """Whether both lines are known to go on from the same position."""
        return self._trunk is not None and _settled(self._trunk) == _settled(other._trunk)

    def value(self, luck: Luck) -> float:
        """Return the value of the final position of one rollout."""
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
        """Return the position from which chance takes over."""
        return self._first(luck.of()) if self._trunk is None else self._trunk.clone()

    def _played(self, luck: Luck) -> Any:
        """Return the position before the next move of others or of the dice."""
        state = self._first(luck.of())
        own = self._plan.player() if self._plan.player else self._game.players(luck.of())
        while self._is_mine(state):
            self._step(state, self._seat, own, luck)
        return state

    def _first(self, chance: random.Random) -> Any:
        state = self._game.complete(self._view, chance)
        engine.perform(self._rules, state, self._seat, self._plan.action, engine.ignore_event)
        return state

    def _is_mine(self, state: Any) -> bool:
        return self._seat in engine.owed(self._rules, state)[:1] and self._game.turn(state) == self._present

    def _step(self, state: Any, mover: Seat, play: Policy, luck: Luck) -> None:
        chance = luck.of(*self._game.matter(state))
        action = engine.chance_action(state, chance) if mover == NATURE else None
        if action is None:
            view = self._rules.view(state, mover)
            action = legal(self._rules, view, mover, play(self._rules, view, mover, chance))
        engine.perform(self._rules, state, mover, action, engine.ignore_event)


def _settled(state: Any) -> Any:
    """Return a position without the numbers that identify decisions."""
    return replace(state, frames=[replace(frame, no=0) for frame in state.frames], pushed=0)


def legal(rules: AnyRuleset, view: Any, seat: Seat, action: Action) -> Action:
    """Return the action, or the default if the rules forbid it."""
    return action if engine.check(rules, view, seat, action) is None else engine.default(rules, view, seat)

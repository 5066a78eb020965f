"""Decision by search: plans are raced against each other, each rollout from a position completed anew.

The race is successive halving in which the first candidate always stays. All candidates are sampled with the same
seeds, and only their differences from the first one count. With many candidates one of them easily looks good by luck,
so another wins only if clearly better. Where the highest expectation won, hard bots lost 10 of 16 duels of 1984 to
normal ones; with a clear lead they won 7 of 8.
"""

import math
import random
from collections.abc import Callable, Sequence
from statistics import fmean
from typing import Any, Final

from msgspec.structs import replace

from server.bots.search.budget import Budget
from server.bots.search.game import AnyGame, Policy, SearchPlan
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


CLEARLY: Final = 1.0
"""Standard errors of the difference by which a candidate must be better than the first one."""
MARGIN: Final = 0.01
"""Chance of winning by which it must be better in addition."""
DECIDED: Final = 3.0
"""Standard errors from which a difference is sampled no further."""
ENOUGH: Final = 8
"""Least number of samples before a difference counts as decided."""


def race(count: int, rung: int, sample: Callable[[int, int], float | None]) -> int:
    """Return the number of the best of `count` candidates, or 0 if none is clearly better than the first.

    sample(candidate, i): the candidate's value in the i-th sample, or None if no time is left.

    rung: samples of each candidate before the first halving, doubled before each further one. Candidates are sampled
    one after the other. If time is short, the last ones get no samples rather than all too few.
    """
    values: list[list[float]] = [[] for _ in range(count)]
    rivals = list(range(1, count))
    while rivals:
        for candidate in (0, *rivals):
            while len(values[candidate]) < rung:
                value = sample(candidate, len(values[candidate]))
                if value is None:
                    return _chosen(values, rivals)
                values[candidate].append(value)
        if len(rivals) > 1:
            rung *= 2
            rivals = _rivals_with_hope(values, rivals)
        elif _is_decided(values[0], values[rivals[0]]):
            break
        else:
            rung += 1
    return _chosen(values, rivals) if rivals else 0


def _rivals_with_hope(values: Sequence[Sequence[float]], rivals: Sequence[int]) -> list[int]:
    """Return the better half of the rivals, except those without hope."""
    better = sorted(rivals, key=lambda rival: -fmean(values[rival]))[: (len(rivals) + 1) // 2]
    # More samples could show that these are better than the first plan; identical results cannot.
    ahead = [(rival, *difference(values[0], values[rival])) for rival in better]
    return [rival for rival, mean, error in ahead if mean + DECIDED * error > 0]


def _is_decided(base: Sequence[float], rival: Sequence[float]) -> bool:
    """Whether more samples would hardly change the judgement of a rival."""
    if len(base) < ENOUGH:
        return False
    mean, error = difference(base, rival)
    return abs(mean) >= DECIDED * error


def _chosen(values: Sequence[Sequence[float]], rivals: Sequence[int]) -> int:
    """Return the best rival if it is better than the first candidate, else 0."""
    best = max(rivals, key=lambda rival: lead(values[0], values[rival]))
    return best if lead(values[0], values[best]) > 0 else 0


def lead(base: Sequence[float], rival: Sequence[float]) -> float:
    """Return by how much a rival exceeds the required lead."""
    mean, error = difference(base, rival)
    return mean - CLEARLY * error - MARGIN


def difference(base: Sequence[float], rival: Sequence[float]) -> tuple[float, float]:
    """Return the mean gain of a rival and its standard error, over the samples that both have."""
    gains = [b - a for a, b in zip(base, rival, strict=False)]
    if len(gains) < 2:
        return 0.0, math.inf
    mean = fmean(gains)
    return mean, math.sqrt(sum((gain - mean) ** 2 for gain in gains) / (len(gains) - 1) / len(gains))


def decide(game: AnyGame, rules: AnyRuleset, view: Any, seat: Seat, rng: random.Random, budget: Budget) -> Action:
    """Return the action to take now: the first plan's, unless another one is clearly better."""
    plans = candidates(game, rules, view, seat, rng)
    if len(plans) == 1:
        return plans[0].action
    budget.limit(game.share(view))
    seed = rng.getrandbits(64)
    lines = apart([PlanRollouts(game, rules, view, seat, plan, seed) for plan in plans])
    if len(lines) == 1:
        return lines[0].action

    def sample(candidate: int, i: int) -> float | None:
        return lines[candidate].value(Luck(f"{seed} {i}")) if budget.spend() else None

    rung = max(LOOKS, budget.left // (SPREAD * len(lines)))
    return lines[race(len(lines), rung, sample)].action


def candidates(game: AnyGame, rules: AnyRuleset, view: Any, seat: Seat, rng: random.Random) -> list[SearchPlan]:
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
    return [*plans, *map(SearchPlan, rng.sample(others, min(SAMPLED, len(others))))]


def distinct(plans: Sequence[SearchPlan]) -> list[SearchPlan]:
    """Return the first plan for each first action: the others will be considered again after that action."""
    found: dict[Action, SearchPlan] = {}
    for plan in plans:
        found.setdefault(plan.action, plan)
    return list(found.values())


def apart(lines: Sequence["PlanRollouts"]) -> list["PlanRollouts"]:
    """Return the first of all lines that lead to the same position before the next move of others or of the dice."""
    found: list[PlanRollouts] = []
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


class PlanRollouts:
    """Rollouts of one plan, each played to the end of the last turn.

    Without hidden information, the seat's own actions before the next move of others or dice are always the same. They
    are played only once.
    """

    def __init__(self, game: AnyGame, rules: AnyRuleset, view: Any, seat: Seat, plan: SearchPlan, seed: int) -> None:
        self._game, self._rules, self._view, self._seat, self._plan = game, rules, view, seat, plan
        self._present, self._turns = game.turn(view), game.turns(view)
        self._trunk = None if game.secret else self._played(Luck(str(seed)))

    @property
    def action(self) -> Action:
        """First action of the plan."""
        return self._plan.action

    def is_like(self, other: "PlanRollouts") -> bool:
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
        while self._seat in engine.owed(self._rules, state)[:1] and self._game.turn(state) == self._present:
            self._step(state, self._seat, own, luck)
        return state

    def _first(self, chance: random.Random) -> Any:
        state = self._game.complete(self._view, chance)
        engine.perform(self._rules, state, self._seat, self._plan.action, engine.ignore_event)
        return state

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

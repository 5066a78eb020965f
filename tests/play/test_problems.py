"""The problems: each solution has the highest worth of all plans, and a tempting plan is clearly worse."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from random import Random
from typing import Any, Final

import pytest

from shared.board import BOARD
from shared.ids import NONE, Army
from shared.kernel import engine
from shared.kernel.frames import Action
from shared.lessons.registry import BY_KEY
from shared.mechanics.armies import army_of
from shared.rulesets.classic.actions import Buy
from shared.rulesets.classic.actions import March as March2005
from shared.rulesets.cote2 import actions as cote2
from shared.rulesets.mb1984.actions import Buy as Order
from shared.rulesets.mb1984.actions import March
from shared.rulesets.registry import RULESETS
from shared.vocabulary.actions import EndMovement, Sail
from tests.play import problems
from tests.play.lessons import march, sp
from tests.play.problems import step

Plan = tuple[Action, ...]
MARGIN: Final = 0.08
"""Share of the solution's worth by which plans that do not solve it are worse, at least."""
END: Final = EndMovement()


def _march(ruleset: str) -> Any:
    return March2005 if ruleset == "classic" else March


def loads(army: Army) -> list[Army]:
    """Return all parts of an army."""
    infantry, cavalry, catapults = (range(units + 1) for units in army)
    return list(product(infantry, cavalry, catapults))


def marches(ruleset: str, state: Any, source: str, to: str, leaders: tuple[int, ...]) -> list[Plan]:
    """Return marches of all parts of an army with these leaders, and none."""
    kind, at, army = _march(ruleset), sp(source), army_of(state.units[sp(source)], 0)
    return [(), *((kind(at, sp(to), leaders, *load),) for load in loads(army))]


def orders(kind: Any, prices: Sequence[int], talents: int) -> Iterator[Plan]:
    """Yield all purchases of troops."""
    for counts in product(*(range(talents // price + 1) for price in prices)):
        yield (kind(*counts),)


def both(*parts: Iterable[Plan]) -> list[Plan]:
    """Return all combinations of parts of plans, and the end of the movement."""
    return [(*(action for part in plan for action in part), END) for plan in product(*parts)]


def shows() -> list[Plan]:
    return [(cote2.Show(*counts),) for counts in product((0, 1), repeat=4)]


def plans(key: str, state: Any) -> list[Plan]:
    """Return all plans, or those of which all others are parts: further leaders change no chance."""
    match key:
        case "problem-1":
            return both(marches("classic", state, "macedonia", "dalmatia", (2, 3)),
                        marches("classic", state, "moesia", "dalmatia", (1,)))  # fmt: skip
        case "problem-2":
            return list(orders(Buy, (10, 20, 30), 40))
        case "problem-3":
            flights = [(march(0, "macedonia", to, infantry),) for to in ("achaia", "thracia", "moesia", "dalmatia")
                       for infantry in range(4)]  # fmt: skip
            return both([(), *flights], [(), *((march(1, "moesia", "macedonia", units),) for units in range(3))])
        case "problem-4":
            first = marches("classic", state, "macedonia", "dalmatia", (1,))
            return both(first, [(), (March2005(sp("dalmatia"), sp("italia"), (1,), 0, 1, 0, 1),)])
        case "problem-5":
            return list(orders(Order, (10, 25, 40), 80))
        case "problem-6":
            landed = Sail(0, sp_coast("neapolis"))
            trips = [(Sail(0, sp("mare_epirus"), (1,), units), landed) for units in range(7)]
            return both(trips, [(), (step(2, "macedonia", "dalmatia", 1),)])
        case "problem-7":
            return both(marches("mb1984", state, "macedonia", "dalmatia", (1,)),
                        marches("mb1984", state, "macedonia", "moesia", (2,)))  # fmt: skip
        case "problem-8":
            moves = [(cote2.Move(sp("asia"), ((sp("achaia"), *load),), led),)
                     for load in loads((6, 2, 1)) for led in ((), ((1, sp("achaia")),))]  # fmt: skip
            return [(*move, cote2.Attack(sp("achaia"), 1)) for move in moves]
        case "problem-9":
            options = engine.options(RULESETS["cote2"], state, 0)
            return [(action,) for action in options if isinstance(action, cote2.Influence)]
        case _:
            return shows()


def sp_coast(key: str) -> int:
    """Return the coast of a province with one coast."""
    (coast,) = BOARD.coasts[sp(key)]
    return coast


ARMY: Final = cote2.Move(sp("asia"), ((sp("achaia"), 6, 2, 1),), ((1, sp("achaia")),))
ALONE: Final = cote2.Move(sp("asia"), ((sp("achaia"), 6, 2, 1),))
STORM: Final = cote2.Attack(sp("achaia"), 1)
SOLUTIONS: Final[dict[str, tuple[Plan, Plan]]] = {
    "problem-1": (
        (March2005(sp("macedonia"), sp("dalmatia"), (2, 3), 4, 1), march(1, "moesia", "dalmatia", 2), END),
        (March2005(sp("macedonia"), sp("dalmatia"), (2, 3), 4, 1), END),
    ),
    "problem-2": ((Buy(4),), (Buy(1, 0, 1),)),
    "problem-3": ((march(0, "macedonia", "achaia"), END), (march(1, "moesia", "macedonia", 2), END)),
    "problem-4": (
        (march(1, "macedonia", "dalmatia", 0, 1), March2005(sp("dalmatia"), sp("italia"), (1,), 0, 1, 0, 1), END),
        (march(1, "macedonia", "dalmatia", 5, 1), END),
    ),
    "problem-5": ((Order(0, 0, 2),), (Order(8),)),
    "problem-6": (
        (Sail(0, sp("mare_epirus"), (1,), 6), Sail(0, sp_coast("neapolis")), END),
        (Sail(0, sp("mare_epirus"), (1,), 4), Sail(0, sp_coast("neapolis")), END),
    ),
    "problem-7": ((step(1, "macedonia", "dalmatia", 6, 0, 1), END), (step(1, "macedonia", "moesia", 6, 0, 1), END)),
    "problem-8": ((ARMY, STORM), (ALONE, STORM)),
    "problem-9": ((cote2.Influence(sp("egyptus"), (1,)),), (cote2.Influence(sp("asia"), (NONE,)),)),
    "problem-10": ((cote2.Show(0, 1, 1),), (cote2.Show(0, 0, 1, 1),)),
}  # fmt: skip
"""The solution of each problem, and a tempting plan that does not solve it."""


def worth(key: str, state: Any, plan: Plan) -> float | None:
    """Return what a plan is worth; None if it is not legal or not judged."""
    problem, found = BY_KEY[key], None
    rules, state = RULESETS[problem.ruleset], state.clone()
    for action in plan:
        if engine.check(rules, state, 0, action) is not None:
            return None
        found = problem.value(rules, rules.view(state, 0), 0, action, Random(0))
        engine.play(rules, state, 0, action, engine.ignore_event)
        while (outcome := None if found is not None else engine.chance_action(state, Random(0))) is not None:
            engine.play(rules, state, -1, outcome, engine.ignore_event)
    return found


@pytest.mark.parametrize("key", BY_KEY)
def test_the_solution_is_the_best_of_all_plans_and_a_tempting_one_is_worse(key: str) -> None:
    problem, state = BY_KEY[key], problems.position(key)
    solution, tempting = (worth(key, state, plan) for plan in SOLUTIONS[key])
    others = [value for plan in plans(key, state) if (value := worth(key, state, plan)) is not None]
    assert solution is not None and tempting is not None and len(others) > 1
    assert solution == pytest.approx(max(others)), "no plan is better"
    assert solution >= problem.enough
    assert tempting <= solution * (1 - MARGIN) and tempting < problem.enough

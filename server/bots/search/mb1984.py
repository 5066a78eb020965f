"""Search in the 1984 game: other tempers of the normal player, its next best moves, or ending the movement.

Retreats, other purchases and the other answer to a bargain are tried too.
"""

import random
from typing import Final

from server.bots import mb1984
from server.bots.mb1984.assault import planned, targets
from server.bots.mb1984.fast_policy import FastPolicy
from server.bots.mb1984.moving import worthwhile
from server.bots.mb1984.odds import UNIT_WORTH
from server.bots.mb1984.plans import CALM, Temper
from server.bots.mb1984.position_analysis import PositionAnalysis
from server.bots.mb1984.spending import otherwise, places
from server.bots.search import conquest
from server.bots.search.game import Policy, SearchedGame, SearchPlan
from server.bots.search.standing import UnitKinds
from shared.ids import Seat
from shared.kernel import engine
from shared.kernel.frames import Action
from shared.kernel.ruleset import AnyRuleset
from shared.rulesets.conquest.complete import complete
from shared.rulesets.mb1984.frames import Placement
from shared.rulesets.mb1984.options import steps, unit_pool
from shared.rulesets.mb1984.table import State
from shared.rulesets.mb1984.view import View
from shared.vocabulary.actions import Concede, EndMovement
from shared.vocabulary.frames import Bargain, Movement, Onward, Purchase

TEMPERS: Final = (
    Temper(boldness=0.12),
    Temper(boldness=0.3, caution=0.5),
    Temper(boldness=-0.15, caution=1.5),
    Temper(caution=0.25),
    Temper(zeal=4.0, caution=0.5),
    Temper(whim=0.6),
    Temper(whim=0.9, boldness=0.1),
)
"""Tempers in which a turn is tried."""


BOLDEST: Final = Temper(boldness=0.3, caution=0.5)
ASSAULTS: Final = 3
"""Joint attacks that are tried."""
ROUNDS: Final = 2
"""Own turns that are played out beyond the present one."""
NEXT_BEST: Final = 4
"""Other moves that are tried."""
PLACES: Final = 3
"""Places that are tried for each piece."""


def plans(rules: AnyRuleset, view: View, seat: Seat, rng: random.Random) -> list[SearchPlan]:
    """Return the plans to try: the normal player's action first, then those of other tempers or all options."""
    usual = _plan(mb1984.decide(rules, view, seat, rng))
    match view.frames[-1]:
        case Movement():
            tempered = [_plan(mb1984.decide(rules, view, seat, rng, temper), temper) for temper in TEMPERS]
            return [usual, *tempered, *_joint_attacks(rules, view, seat), *_next_best(rules, view, seat, rng)]
        case Onward() | Bargain():
            return [usual, *map(_plan, engine.options(rules, view, seat))]
        case Purchase():
            return [usual, *map(_plan, otherwise(view, seat))]
        case Placement():
            return [usual, *map(_plan, places(PositionAnalysis(view, seat), rules)[:PLACES])]
    return [usual]


def _plan(action: Action, temper: Temper = CALM) -> SearchPlan:
    return SearchPlan(action, lambda: FastPolicy(temper).decide, isinstance(action, Concede))


def _joint_attacks(rules: AnyRuleset, view: View, seat: Seat) -> list[SearchPlan]:
    """Return the best joint attacks of a bold player."""
    analysis = PositionAnalysis(view, seat, BOLDEST)
    found = [plan for space in targets(analysis) if (plan := planned(analysis, space)) is not None]
    found.sort(key=lambda plan: -plan.value)
    actions = [plan.forces[0].action for plan in found[:ASSAULTS]]
    return [_plan(action) for action in actions if engine.check(rules, view, seat, action) is None]


def _next_best(rules: AnyRuleset, view: View, seat: Seat, rng: random.Random) -> list[SearchPlan]:
    """Return the normal player's next best moves, and ending the movement."""
    found = sorted(worthwhile(PositionAnalysis(view, seat), rules, rng), key=lambda one: -one[0])
    return [_plan(action) for action in (*[action for _, action in found[:NEXT_BEST]], EndMovement())]


def players(chance: random.Random) -> Policy:
    """Return a fast policy for all players of a rollout, with a random boldness for variety.

    Its whim is 0, because common parts of two plans must go the same way.
    """
    return FastPolicy(Temper(boldness=chance.uniform(-0.1, 0.1))).decide


GAME: Final[SearchedGame[View, State]] = conquest.game(
    "mb1984", UnitKinds(UNIT_WORTH, unit_pool), steps, complete, plans, players, ROUNDS
)

"""Search in Classic: the normal player's action, its less urgent plans, bolder attacks, ways out of a battle."""

import random
from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from server.bots import classic
from server.bots.classic.assault import planned, targets
from server.bots.classic.expedition import choices
from server.bots.classic.fast_policy import FastPolicy
from server.bots.classic.position_analysis import PositionAnalysis
from server.bots.classic.spending import otherwise, places
from server.bots.search import conquest
from server.bots.search.game import Policy, SearchedGame, SearchPlan
from server.bots.search.standing import UnitKinds
from shared.ids import Seat
from shared.kernel import engine
from shared.kernel.frames import Action
from shared.kernel.ruleset import AnyRuleset
from shared.rulesets.classic.frames import Placement, Withdrawal
from shared.rulesets.classic.options import steps, unit_pool
from shared.rulesets.classic.table import State
from shared.rulesets.classic.view import View
from shared.rulesets.conquest.complete import complete
from shared.vocabulary.actions import Concede, EndMovement
from shared.vocabulary.frames import Movement, Onward, Purchase

UNIT_WORTH: Final = (10, 20, 30)
BOLDER: Final = 10
"""Most rounds by which other players act as if the match were later."""
ATTACKS: Final = 3
"""Joint attacks that are tried."""
VOYAGES: Final = 3
"""Actions of galleys that are tried."""
PLACES: Final = 3
"""Places that are tried for each piece."""
ROUNDS: Final = 2
"""Own turns that are played out after the present one: a fleet arrives in the next, or in the one after."""
DARING: Final = 40
"""Rounds by which attacks are judged as if later, when hardly any chance is too small."""
HASTE: Final = (15, 40)
"""Rounds by which bolder players act as if later: the longer a match lasts, the less chance an attack needs."""


def plans(rules: AnyRuleset, view: View, seat: Seat, rng: random.Random) -> list[SearchPlan]:
    """Return the plans to try, the normal player's action first."""
    usual = _plan(classic.decide(rules, view, seat, rng))
    # Rollouts end long before attrition pays. They see its losses only, and so wait for ever before a defended home.
    marching = isinstance(view.frames[-1], Movement | Onward) and not isinstance(usual.action, EndMovement)
    if marching and PositionAnalysis(view, seat).outlasts_all():
        return [replace(usual, settled=True)]
    match view.frames[-1]:
        case Movement():
            found = [usual, *[_hasty(rules, view, seat, rng, rounds) for rounds in HASTE]]
            return [*found, *map(_plan, _others(rules, view, seat))]
        case Purchase():
            return [usual, *_legal(rules, view, seat, otherwise(PositionAnalysis(view, seat)))]
        case Placement() as frame:
            return [usual, *_legal(rules, view, seat, places(PositionAnalysis(view, seat), frame)[:PLACES])]
        case Onward() | Withdrawal():
            return [usual, *map(_plan, engine.options(rules, view, seat))]
    return [usual]


def _others(rules: AnyRuleset, view: View, seat: Seat) -> list[Action]:
    """Return the legal ones of these actions: less urgent plans, voyages, attacks for a later round, ending the
    movement."""
    s, later = PositionAnalysis(view, seat), PositionAnalysis(_view_after(view, DARING), seat)
    less_urgent = [action for plan in classic.PLANS for one in (s, later) if (action := plan(one)) is not None]
    attacks = [plan for space in targets(later) if (plan := planned(later, space)) is not None]
    attacks.sort(key=lambda plan: -plan.value)
    voyages = sorted(choices(later), key=lambda choice: -choice[0])
    actions = [*less_urgent, *[plan.action for plan in attacks[:ATTACKS]], *[action for _, action in voyages[:VOYAGES]]]
    return [action for action in (*actions, EndMovement()) if engine.check(rules, view, seat, action) is None]


def _legal(rules: AnyRuleset, view: View, seat: Seat, actions: Iterable[Action]) -> list[SearchPlan]:
    return [_plan(action) for action in actions if engine.check(rules, view, seat, action) is None]


def _view_after(view: View, rounds: int) -> View:
    """Return the view as if it were so many rounds later."""
    return replace(view, round=view.round + rounds)


def _hasty(rules: AnyRuleset, view: View, seat: Seat, rng: random.Random, rounds: int) -> SearchPlan:
    return _plan(classic.decide(rules, _view_after(view, rounds), seat, rng), rounds)


def _plan(action: Action, rounds: int = 0) -> SearchPlan:
    return SearchPlan(action, lambda: FastPolicy(rounds).decide, isinstance(action, Concede))


def players(chance: random.Random) -> Policy:
    """Return a policy for all other players of a rollout, with a random boldness for variety."""
    return FastPolicy(chance.randrange(BOLDER)).decide


GAME: Final[SearchedGame[View, State]] = conquest.game(
    "classic", UnitKinds(UNIT_WORTH, unit_pool), steps, complete, plans, players, ROUNDS
)

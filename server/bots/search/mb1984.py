"""The 1984 game searched: a few tempers of the usual player, his next best moves, or none; each way out of a battle;
other purchases, and the other answer to a bargain."""

import random
from typing import Final

from server.bots import mb1984
from server.bots.mb1984.assault import planned, targets
from server.bots.mb1984.hasty import Hasty
from server.bots.mb1984.moving import worthwhile
from server.bots.mb1984.odds import UNIT_WORTH
from server.bots.mb1984.spending import otherwise
from server.bots.mb1984.survey import Survey
from server.bots.mb1984.thoughts import CALM, Temper
from server.bots.search import conquest
from server.bots.search.game import Game, Plan, Policy
from shared.ids import Seat
from shared.kernel import engine
from shared.kernel.engine import AnyRuleset
from shared.kernel.frames import Action
from shared.rulesets.mb1984.actions import EndMovement
from shared.rulesets.mb1984.complete import complete
from shared.rulesets.mb1984.frames import Bargain, Movement, Onward, Purchase
from shared.rulesets.mb1984.state import State
from shared.rulesets.mb1984.view import View

TEMPERS: Final = (
    Temper(boldness=0.12),
    Temper(boldness=0.3, caution=0.5),
    Temper(boldness=-0.15, caution=1.5),
    Temper(caution=0.25),
    Temper(zeal=4.0, caution=0.5),
    Temper(whim=0.6),
    Temper(whim=0.9, boldness=0.1),
)
"""How a turn might be played otherwise."""


BOLDEST: Final = Temper(boldness=0.3, caution=0.5)
ASSAULTS: Final = 3
"""Joint attacks that are looked at."""
ROUNDS: Final = 2
"""Turns that are played out beyond the present one."""
NEXT_BEST: Final = 4
"""Other moves that are looked at."""


def plans(rules: AnyRuleset, view: View, seat: Seat, rng: random.Random) -> list[Plan]:
    """What the usual player would do first; then what he would do in another temper, or all that is possible."""
    usual = _plan(mb1984.decide(rules, view, seat, rng))
    match view.frames[-1]:
        case Movement():
            tempered = [_tempered(rules, view, seat, rng, temper) for temper in TEMPERS]
            return [usual, *tempered, *_assaults(rules, view, seat), *_next_best(rules, view, seat, rng)]
        case Onward() | Bargain():
            return [usual, *map(_plan, engine.options(rules, view, seat))]
        case Purchase():
            return [usual, *map(_plan, otherwise(view, seat))]
    return [usual]


def _plan(action: Action, temper: Temper = CALM) -> Plan:
    return Plan(action, lambda: Hasty(temper).decide)


def _tempered(rules: AnyRuleset, view: View, seat: Seat, rng: random.Random, temper: Temper) -> Plan:
    return _plan(mb1984.decide(rules, view, seat, rng, temper), temper)


def _assaults(rules: AnyRuleset, view: View, seat: Seat) -> list[Plan]:
    """The likeliest joint attacks of which a bold player would think."""
    survey = Survey(view, seat, BOLDEST)
    found = [plan for space in targets(survey) if (plan := planned(survey, space)) is not None]
    found.sort(key=lambda plan: -plan.value)
    actions = [plan.forces[0].action for plan in found[:ASSAULTS]]
    return [_plan(action) for action in actions if engine.check(rules, view, seat, action) is None]


def _next_best(rules: AnyRuleset, view: View, seat: Seat, rng: random.Random) -> list[Plan]:
    """What the usual player would do next, and nothing."""
    found = sorted(worthwhile(Survey(view, seat), rules, rng), key=lambda one: -one[0])
    return [_plan(action) for action in (*[action for _, action in found[:NEXT_BEST]], EndMovement())]


def players(chance: random.Random) -> Policy:
    """Others, in a hurry and in a temper of their own: nobody is always the same. None of them is moody: what two plans
    have in common is to go the same way."""
    return Hasty(Temper(boldness=chance.uniform(-0.1, 0.1))).decide


GAME: Final[Game[View, State]] = conquest.game("mb1984", UNIT_WORTH, complete, plans, players, ROUNDS)

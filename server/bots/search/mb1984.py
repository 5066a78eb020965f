"""The 1984 game searched: a few tempers of the usual player for the turn, each way out of a battle."""

import random
from functools import partial
from typing import Final

from server.bots import mb1984
from server.bots.mb1984.assault import planned, targets
from server.bots.mb1984.hasty import Hasty
from server.bots.mb1984.odds import UNIT_WORTH
from server.bots.mb1984.survey import Survey, Temper
from server.bots.search import conquest
from server.bots.search.game import Game, Plan, Policy
from shared.ids import Seat
from shared.kernel import engine
from shared.kernel.engine import AnyRuleset
from shared.rulesets.mb1984.complete import complete
from shared.rulesets.mb1984.frames import Movement, Onward
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


def plans(rules: AnyRuleset, view: View, seat: Seat, rng: random.Random) -> list[Plan]:
    """What the usual player would do first; then what he would do in another temper, or all that is possible."""
    usual = Plan(mb1984.decide(rules, view, seat, rng), mb1984.decide)
    match view.frames[-1]:
        case Movement():
            tempered = [_tempered(rules, view, seat, rng, temper) for temper in TEMPERS]
            return [usual, *tempered, *_assaults(rules, view, seat)]
        case Onward():
            return [usual, *(Plan(action, mb1984.decide) for action in engine.options(rules, view, seat))]
    return [usual]


def _tempered(rules: AnyRuleset, view: View, seat: Seat, rng: random.Random, temper: Temper) -> Plan:
    play = partial(mb1984.decide, temper=temper)
    return Plan(play(rules, view, seat, rng), play)


def _assaults(rules: AnyRuleset, view: View, seat: Seat) -> list[Plan]:
    """The likeliest joint attacks of which a bold player would think."""
    survey = Survey(view, seat, BOLDEST)
    found = [plan for space in targets(survey) if (plan := planned(survey, space)) is not None]
    found.sort(key=lambda plan: -plan.value)
    actions = [plan.forces[0].action for plan in found[:ASSAULTS]]
    return [Plan(action, mb1984.decide) for action in actions if engine.check(rules, view, seat, action) is None]


def players(chance: random.Random) -> Policy:
    """Others, in a hurry and in a temper of their own: nobody is always the same."""
    return Hasty(Temper(boldness=chance.uniform(-0.1, 0.1), whim=0.25)).decide


GAME: Final[Game[View, State]] = conquest.game("mb1984", UNIT_WORTH, complete, plans, players)

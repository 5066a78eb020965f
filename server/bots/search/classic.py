"""Classic searched: the usual player, what is less urgent to him, what he would dare later; ways out of a battle."""

import random
from typing import Final

from msgspec.structs import replace

from server.bots import classic
from server.bots.classic.assault import planned, targets
from server.bots.classic.hasty import Hasty
from server.bots.classic.survey import Survey
from server.bots.search import conquest
from server.bots.search.game import Game, Plan, Policy
from shared.ids import Seat
from shared.kernel import engine
from shared.kernel.engine import AnyRuleset
from shared.kernel.frames import Action
from shared.rulesets.classic.complete import complete
from shared.rulesets.classic.frames import Movement, Onward, Withdrawal
from shared.rulesets.classic.state import State
from shared.rulesets.classic.view import View

UNIT_WORTH: Final = (10, 20, 30)
BOLDER: Final = 10
"""Rounds by which others may be bolder."""
ATTACKS: Final = 3
"""Joint attacks that are looked at."""
DARING: Final = 40
"""Rounds later, when hardly any chance is too small."""
HASTE: Final = (15, 40)
"""Rounds by which a bolder player thinks it later: the longer a match lasts, the less chance an attack needs."""


def plans(rules: AnyRuleset, view: View, seat: Seat, rng: random.Random) -> list[Plan]:
    """What the usual player would do first."""
    usual = Plan(classic.decide(rules, view, seat, rng), classic.decide)
    match view.frames[-1]:
        case Movement():
            hasty = [_hasty(rules, view, seat, rng, rounds) for rounds in HASTE]
            return [usual, *hasty, *(Plan(action, classic.decide) for action in _others(rules, view, seat))]
        case Onward() | Withdrawal():
            return [usual, *(Plan(action, classic.decide) for action in engine.options(rules, view, seat))]
    return [usual]


def _others(rules: AnyRuleset, view: View, seat: Seat) -> list[Action]:
    """What is less urgent to the usual player, and attacks that he would dare much later; those that are legal."""
    s, later = Survey(view, seat), Survey(_aged(view, DARING), seat)
    less_urgent = [action for plan in classic.PLANS if (action := plan(s)) is not None]
    attacks = [plan for space in targets(later) if (plan := planned(later, space)) is not None]
    attacks.sort(key=lambda plan: -plan.value)
    actions = [*less_urgent, *(plan.action for plan in attacks[:ATTACKS])]
    return [action for action in actions if engine.check(rules, view, seat, action) is None]


def _aged(view: View, rounds: int) -> View:
    """As if it were so many rounds later."""
    return replace(view, round=view.round + rounds)


def _hasty(rules: AnyRuleset, view: View, seat: Seat, rng: random.Random, rounds: int) -> Plan:
    play = _hurried(rounds)
    return Plan(play(rules, view, seat, rng), play)


def _hurried(rounds: int) -> Policy:
    """The usual player, who thinks it so many rounds later."""

    def play(rules: AnyRuleset, view: View, seat: Seat, rng: random.Random) -> Action:
        return classic.decide(rules, _aged(view, rounds), seat, rng)

    return play


def players(chance: random.Random) -> Policy:
    """Others, each match in another temper: nobody is always the same."""
    return Hasty(chance.randrange(BOLDER)).decide


GAME: Final[Game[View, State]] = conquest.game("classic", UNIT_WORTH, complete, plans, players)

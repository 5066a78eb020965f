"""Classic searched: the usual player, what is less urgent to him, what he would dare later; ways out of a battle."""

import random
from typing import Final

from msgspec.structs import replace

from server.bots import classic
from server.bots.classic.assault import planned, targets
from server.bots.classic.expedition import choices
from server.bots.classic.hasty import Hasty
from server.bots.classic.survey import Survey
from server.bots.search import conquest, race
from server.bots.search.game import Game, Plan, Policy
from shared.ids import Seat
from shared.kernel import engine
from shared.kernel.engine import AnyRuleset
from shared.kernel.frames import Action
from shared.rulesets.classic.actions import EndMovement
from shared.rulesets.classic.complete import complete
from shared.rulesets.classic.frames import Movement, Onward, Withdrawal
from shared.rulesets.classic.state import State
from shared.rulesets.classic.view import View

UNIT_WORTH: Final = (10, 20, 30)
BOLDER: Final = 10
"""Rounds by which others may be bolder."""
ATTACKS: Final = 3
"""Joint attacks that are looked at."""
VOYAGES: Final = 3
"""Galleys that could put to sea or go on."""
ROUNDS: Final = 2
"""One's turns that are played out after the present one: a fleet arrives in the next, or the one after."""
DARING: Final = 40
"""Rounds later, when hardly any chance is too small."""
HASTE: Final = (15, 40)
"""Rounds by which a bolder player thinks it later: the longer a match lasts, the less chance an attack needs."""


def plans(rules: AnyRuleset, view: View, seat: Seat, rng: random.Random) -> list[Plan]:
    """What the usual player would do first."""
    usual = _plan(classic.decide(rules, view, seat, rng))
    match view.frames[-1]:
        case Movement():
            hasty = [_hasty(rules, view, seat, rng, rounds) for rounds in HASTE]
            return [usual, *hasty, *map(_plan, _others(rules, view, seat))]
        case Onward() | Withdrawal():
            return [usual, *map(_plan, engine.options(rules, view, seat))]
    return [usual]


def _others(rules: AnyRuleset, view: View, seat: Seat) -> list[Action]:
    """What is less urgent to the usual player, other voyages, attacks that he would dare much later, or nothing more;
    those that are legal."""
    s, later = Survey(view, seat), Survey(_aged(view, DARING), seat)
    less_urgent = [action for plan in classic.PLANS if (action := plan(s)) is not None]
    attacks = [plan for space in targets(later) if (plan := planned(later, space)) is not None]
    attacks.sort(key=lambda plan: -plan.value)
    voyages = sorted(choices(later), key=lambda choice: -choice[0])
    actions = [*less_urgent, *[plan.action for plan in attacks[:ATTACKS]], *[action for _, action in voyages[:VOYAGES]]]
    return [action for action in (*actions, EndMovement()) if engine.check(rules, view, seat, action) is None]


def _aged(view: View, rounds: int) -> View:
    """As if it were so many rounds later."""
    return replace(view, round=view.round + rounds)


def _hasty(rules: AnyRuleset, view: View, seat: Seat, rng: random.Random, rounds: int) -> Plan:
    return _plan(classic.decide(rules, _aged(view, rounds), seat, rng), rounds)


def _plan(action: Action, rounds: int = 0) -> Plan:
    return Plan(action, lambda: Hasty(rounds).decide)


def players(chance: random.Random) -> Policy:
    """Others, each match in another temper: nobody is always the same."""
    return Hasty(chance.randrange(BOLDER)).decide


GAME: Final[Game[View, State]] = conquest.game("classic", UNIT_WORTH, complete, plans, players, ROUNDS, race.lead)

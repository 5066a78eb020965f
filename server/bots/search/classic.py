"""Classic searched: the usual player, and how he would play if he thought it later or earlier; ways out of a battle."""

import random
from typing import Final

from msgspec.structs import replace

from server.bots import classic
from server.bots.search import conquest, learned
from server.bots.search.game import Game, Plan, Policy
from shared.ids import NONE, Seat
from shared.kernel import engine
from shared.kernel.engine import AnyRuleset
from shared.kernel.frames import Action
from shared.rulesets.classic.actions import March
from shared.rulesets.classic.complete import complete
from shared.rulesets.classic.frames import Movement, Onward, Withdrawal
from shared.rulesets.classic.state import State, Table
from shared.rulesets.classic.view import View

UNIT_WORTH: Final = (10, 20, 30)
BOLDER: Final = 10
"""Rounds by which others may be bolder."""
STROKES: Final = 4
"""Marches into the enemy's land that are looked at."""
HASTE: Final = (12, 30, 60)
"""Rounds by which a bolder player thinks it later: the longer a match lasts, the less chance an attack needs."""


def plans(rules: AnyRuleset, view: View, seat: Seat, rng: random.Random) -> list[Plan]:
    """What the usual player would do first."""
    usual = Plan(classic.decide(rules, view, seat, rng), classic.decide)
    match view.frames[-1]:
        case Movement():
            hasty = [_hasty(rules, view, seat, rng, rounds) for rounds in HASTE]
            return [usual, *hasty, *(Plan(stroke, classic.decide) for stroke in _strokes(rules, view, seat, rng))]
        case Onward() | Withdrawal():
            return [usual, *(Plan(action, classic.decide) for action in engine.options(rules, view, seat))]
    return [usual]


def _strokes(rules: AnyRuleset, view: View, seat: Seat, rng: random.Random) -> list[Action]:
    """A few marches of armies into provinces of others, whatever may come of it."""
    found = [
        action
        for action in engine.options(rules, view, seat)
        if isinstance(action, March) and action.infantry + action.cavalry + action.catapults
        if view.owner[action.to] not in (seat, NONE)
    ]
    return rng.sample(found, min(STROKES, len(found)))


def _hasty(rules: AnyRuleset, view: View, seat: Seat, rng: random.Random, rounds: int) -> Plan:
    play = _hurried(rounds)
    return Plan(play(rules, view, seat, rng), play)


def _hurried(rounds: int) -> Policy:
    """The usual player, who thinks it so many rounds later."""

    def play(rules: AnyRuleset, view: View, seat: Seat, rng: random.Random) -> Action:
        return classic.decide(rules, replace(view, round=view.round + rounds), seat, rng)

    return play


def players(chance: random.Random) -> Policy:
    """Others, each match in another temper: nobody is always the same."""
    return _hurried(chance.randrange(BOLDER))


def features(table: Table, seat: Seat) -> list[float]:
    """What is counted for a seat."""
    return conquest.features(table, seat, UNIT_WORTH)


def value(table: Table, seat: Seat) -> float:
    """The chance of a seat to win."""
    if conquest.is_over(table, seat):
        return float(table.winner == seat)
    return learned.chance(features(table, seat), learned.weights("classic"))


GAME: Final[Game[View, State]] = Game(
    complete, plans, players, conquest.turn, conquest.turns, value, features, conquest.judged
)

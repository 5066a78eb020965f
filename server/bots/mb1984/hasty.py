"""The usual player in a hurry: several marches from one look at the table. For those who play matches in their mind."""

import random
from collections.abc import Iterator
from typing import Final

from server.bots import mb1984
from server.bots.mb1984.assault import best_attack
from server.bots.mb1984.moving import worthwhile
from server.bots.mb1984.prisoners import bargain
from server.bots.mb1984.survey import Survey
from server.bots.mb1984.thoughts import Temper
from shared.board import BOARD
from shared.ids import Seat
from shared.kernel import engine
from shared.kernel.frames import Action
from shared.rulesets.mb1984.actions import EndMovement, March, Sail
from shared.rulesets.mb1984.frames import Movement
from shared.rulesets.mb1984.game import Rules
from shared.rulesets.mb1984.view import View

LOOKS: Final = 3
"""How often he looks at the table in one movement; then he ends it."""


class Hasty:
    """A player of all seats of one match, each in the same temper; remembers what is still to be done in a turn."""

    def __init__(self, temper: Temper) -> None:
        self._temper = temper
        self._frame = -1
        self._rest: Iterator[Action] = iter(())
        self._looks = 0

    def decide(self, rules: Rules, table: View, seat: Seat, rng: random.Random) -> Action:
        """What to do now."""
        frame = table.frames[-1]
        if not isinstance(frame, Movement):
            return mb1984.decide(rules, table, seat, rng, self._temper)
        if frame.no != self._frame:
            self._frame, self._rest, self._looks = frame.no, iter(()), 0
        action = self._next(rules, table, seat)
        if action is None and self._looks < LOOKS:
            self._looks += 1
            self._rest = iter(moves(Survey(table, seat, self._temper), rules, rng))
            action = self._next(rules, table, seat)
        return action or EndMovement()

    def _next(self, rules: Rules, table: View, seat: Seat) -> Action | None:
        """What comes next of what is still possible."""
        return next((action for action in self._rest if engine.check(rules, table, seat, action) is None), None)


def moves(survey: Survey, rules: Rules, rng: random.Random) -> list[Action]:
    """What can be done one after the other without another look: a bargain, an attack, or moves of different places."""
    offer = bargain(survey)
    if offer is not None:
        return [offer]
    attack = best_attack(survey, rng)
    if attack is not None:
        return [force.action for force in attack.forces]
    found = sorted(worthwhile(survey, rules, rng), key=lambda one: -one[0])
    touched: set[int] = set()
    return [action for _, action in found if not _meets(_places(survey, action), touched)]


def _meets(places: set[int], touched: set[int]) -> bool:
    """Whether one of the places was touched; from now on they are."""
    if places & touched:
        return True
    touched |= places
    return False


def _places(survey: Survey, action: Action) -> set[int]:
    """Where pieces leave and arrive; -1 for what concerns nobody's pieces on the board."""
    if isinstance(action, March):
        return {action.source, action.to}
    if isinstance(action, Sail):
        return {_land(survey.table.galley_at[action.galley]), _land(action.to)}
    return {-1}


def _land(position: int) -> int:
    """The province of a coast; a sea zone is its own place."""
    return position if BOARD.is_sea(position) else BOARD.ashore[position]

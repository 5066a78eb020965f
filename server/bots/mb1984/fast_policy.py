"""Fast version of the normal player, for rollouts of the search: several marches from one analysis of the table."""

import random
from collections.abc import Iterator
from typing import Final

from server.bots import mb1984
from server.bots.mb1984.assault import best_attack
from server.bots.mb1984.moving import worthwhile
from server.bots.mb1984.plans import Temper
from server.bots.mb1984.position_analysis import PositionAnalysis
from server.bots.mb1984.prisoners import bargain
from shared.board import BOARD
from shared.ids import Seat
from shared.kernel import engine
from shared.kernel.frames import Action
from shared.rulesets.mb1984.actions import March
from shared.rulesets.mb1984.definition import Rules
from shared.rulesets.mb1984.view import View
from shared.vocabulary.actions import EndMovement, Sail
from shared.vocabulary.frames import Movement

LOOKS: Final = 3
"""Analyses of the table in one movement, after which the player ends it."""


class FastPolicy:
    """Player of all seats of one match in one temper; remembers the remaining moves of a turn."""

    def __init__(self, temper: Temper) -> None:
        self._temper = temper
        self._frame = -1
        self._rest: Iterator[Action] = iter(())
        self._looks = 0

    def decide(self, rules: Rules, table: View, seat: Seat, rng: random.Random) -> Action:
        """Return the action to take now."""
        frame = table.frames[-1]
        if not isinstance(frame, Movement):
            return mb1984.decide(rules, table, seat, rng, self._temper)
        if frame.no != self._frame:
            self._frame, self._rest, self._looks = frame.no, iter(()), 0
        action = self._next(rules, table, seat)
        if action is None and self._looks < LOOKS:
            self._looks += 1
            self._rest = iter(moves(PositionAnalysis(table, seat, self._temper), rules, rng))
            action = self._next(rules, table, seat)
        return action or EndMovement()

    def _next(self, rules: Rules, table: View, seat: Seat) -> Action | None:
        """Return the next remembered action that is still legal, or None."""
        return next((action for action in self._rest if engine.check(rules, table, seat, action) is None), None)


def moves(analysis: PositionAnalysis, rules: Rules, rng: random.Random) -> list[Action]:
    """Return actions that need no new analysis in between: a bargain, an attack, or moves of different places."""
    offer = bargain(analysis)
    if offer is not None:
        return [offer]
    attack = best_attack(analysis, rng)
    if attack is not None:
        return [force.action for force in attack.forces]
    found = sorted(worthwhile(analysis, rules, rng), key=lambda one: -one[0])
    touched: set[int] = set()
    return [action for _, action in found if not _meets(_places(analysis, action), touched)]


def _meets(places: set[int], touched: set[int]) -> bool:
    """Whether one of the places was touched before; otherwise mark them all as touched."""
    if places & touched:
        return True
    touched |= places
    return False


def _places(analysis: PositionAnalysis, action: Action) -> set[int]:
    """Return the places that pieces leave and enter; -1 for actions that move no pieces."""
    if isinstance(action, March):
        return {action.source, action.to}
    if isinstance(action, Sail):
        return {_land(analysis.table.galley_at[action.galley]), _land(action.to)}
    return {-1}


def _land(position: int) -> int:
    """Return the province of a coast; a sea zone stands for itself."""
    return position if BOARD.is_sea(position) else BOARD.ashore[position]

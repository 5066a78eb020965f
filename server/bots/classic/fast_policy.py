"""Fast version of the normal player, for rollouts of the search.

A plan that once found nothing to do is not tried again in the same movement.
"""

import random

from msgspec.structs import replace

from server.bots import classic
from server.bots.classic.position_analysis import PositionAnalysis
from shared.ids import Seat
from shared.kernel.frames import Action
from shared.rulesets.classic.definition import Rules
from shared.rulesets.classic.view import View
from shared.vocabulary.actions import EndMovement
from shared.vocabulary.frames import Movement


class FastPolicy:
    """Player of all seats of one match, which acts as if the match were `rounds` further on.

    The longer a match lasts, the less chance an attack needs. The player remembers which plans are done in a movement.
    """

    def __init__(self, rounds: int = 0) -> None:
        self._rounds = rounds
        self._frame = -1
        self._done = 0

    def decide(self, rules: Rules, table: View, seat: Seat, rng: random.Random) -> Action:
        """Return the action to take now."""
        frame, table = table.frames[-1], replace(table, round=table.round + self._rounds)
        if not isinstance(frame, Movement):
            return classic.decide(rules, table, seat, rng)
        if frame.no != self._frame:
            self._frame, self._done = frame.no, 0
        return self._move(PositionAnalysis(table, seat))

    def _move(self, s: PositionAnalysis) -> Action:
        """Return the most urgent action; rollouts never concede."""
        for plan in classic.PLANS[self._done :]:
            if (action := plan(s)) is not None:
                return action
            self._done += 1
        return EndMovement()

"""Fast version of the normal player, for rollouts of the search: most plans are made once a turn."""

import random

from server.bots import cote2
from server.bots.cote2.march_plans import marches
from server.bots.cote2.planning import attacks, free_cards, missed, purchases, services
from server.bots.cote2.plans import Plan
from server.bots.cote2.position_analysis import SeatAnalysis
from shared.ids import Seat
from shared.kernel import engine
from shared.kernel.frames import Action
from shared.rulesets.cote2.actions import Pass
from shared.rulesets.cote2.definition import Rules
from shared.rulesets.cote2.frames import Turn
from shared.rulesets.cote2.view import View


class FastPolicy:
    """Player of all seats of one match; remembers the other plans made at the beginning of the turn."""

    def __init__(self) -> None:
        self._frame = -1
        self._rest: list[Plan] = []

    def decide(self, rules: Rules, table: View, seat: Seat, rng: random.Random) -> Action:
        """Return the action to take now."""
        frame = table.frames[-1]
        if not isinstance(frame, Turn) or not frame.left:
            return cote2.decide(rules, table, seat, rng)
        analysis = SeatAnalysis(table, seat)
        return free_cards(analysis, frame) or self._best(rules, table, analysis, frame)

    def _best(self, rules: Rules, table: View, analysis: SeatAnalysis, frame: Turn) -> Action:
        """Return the best legal action: purchases and attacks are valued anew, the rest as at the turn's beginning."""
        found = list(purchases(analysis))
        if frame.no != self._frame:
            self._frame, self._rest = frame.no, services(analysis, frame)
            self._rest += marches(analysis, missed([*found, *self._rest]), whole=True)
        found += [*attacks(analysis, frame, missed(found)), *self._rest]
        found.sort(key=lambda plan: -plan.worth)
        for plan in found:
            if plan.worth > 0 and engine.check(rules, table, analysis.seat, plan.action) is None:
                return plan.action
        return Pass()

"""A player of Classic: looks at the table anew for every decision, and takes what looks best now."""

import random

from server.bots.classic import fighting, marching, sailing, spending
from server.bots.classic.survey import Survey
from shared.ids import Seat
from shared.kernel import engine
from shared.kernel.engine import Ruleset
from shared.kernel.frames import Action
from shared.rulesets.classic.actions import EndDestruction, EndMovement
from shared.rulesets.classic.frames import (
    Bargain,
    Captives,
    Casualties,
    Combat,
    Destruction,
    Formation,
    HomeChoice,
    Movement,
    Onward,
    Placement,
    Purchase,
    Sinking,
    Withdrawal,
)
from shared.rulesets.classic.state import Table

PLANS = (marching.flee, marching.assault, marching.claim, sailing.sail, marching.gather)
"""What to do in the movement phase, the most urgent first."""


def decide(rules: Ruleset, table: Table, seat: Seat, rng: random.Random) -> Action:
    """What to do now."""
    frame = table.frames[-1]
    if isinstance(frame, HomeChoice):
        found = engine.options(rules, table, seat)
        return found[rng.randrange(len(found))]
    s = Survey(table, seat)
    match frame:
        case Movement():
            return next((action for plan in PLANS if (action := plan(s)) is not None), EndMovement())
        case Combat():
            return fighting.next_battle(s, frame)
        case Formation():
            return fighting.form(s, frame)
        case Casualties():
            return fighting.lose(s, frame)
        case Onward():
            return fighting.onward(s, frame)
        case Withdrawal():
            return fighting.withdraw(s, frame)
        case Captives():
            return fighting.judge(s, frame)
        case Sinking():
            return fighting.sink(s, frame)
        case Destruction():
            return EndDestruction()
        case Purchase():
            return spending.buy(s, frame)
        case Placement():
            return spending.place(s, frame, rng)
        case Bargain():
            return spending.answer(s, frame)
    return engine.default(rules, table, seat)

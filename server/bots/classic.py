"""A player of Classic."""

import random

from shared.ids import Seat
from shared.kernel import engine
from shared.kernel.engine import Ruleset
from shared.kernel.frames import Action
from shared.rulesets.classic.state import Table


def decide(rules: Ruleset, table: Table, seat: Seat, rng: random.Random) -> Action:
    """What to do now."""
    found = engine.options(rules, table, seat)
    return found[int(rng.random() * len(found))]

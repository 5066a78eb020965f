"""A player of the 1984 game: takes what lies open, brings catapults, crosses the sea, keeps its Caesar at home.

It looks one action ahead: every option gets a score, the best one above zero is done.
"""

import random
from collections.abc import Callable
from typing import Any, TypeAlias

from shared.ids import Seat
from shared.kernel import engine
from shared.kernel.frames import Action, Frame
from shared.rulesets.mb1984.frames import Combat, Placement
from shared.rulesets.mb1984.game import Rules
from shared.rulesets.mb1984.view import View
from shared.vocabulary import frames
from tests.bench.greedy.mb1984.fighting import fight, onward
from tests.bench.greedy.mb1984.moving import move
from tests.bench.greedy.mb1984.prisoners import answer, judge
from tests.bench.greedy.mb1984.spending import buy, place
from tests.bench.greedy.mb1984.survey import Survey

Player: TypeAlias = Callable[[Survey, Rules, Any, random.Random], Action | None]

PLAYERS: dict[type[Frame], Player] = {
    frames.Movement: move,
    Combat: fight,
    frames.Onward: onward,
    frames.Purchase: buy,
    Placement: place,
    frames.Bargain: answer,
    frames.Captives: judge,
}
"""By frame; all others are answered with their default."""


def decide(rules: Rules, table: View, seat: Seat, rng: random.Random) -> Action:
    """Return the action of the bot."""
    frame = table.frames[-1]
    player = PLAYERS.get(type(frame))
    action = player(Survey(table, seat), rules, frame, rng) if player else None
    if action is None or engine.check(rules, table, seat, action) is not None:
        return engine.default(rules, table, seat)
    return action

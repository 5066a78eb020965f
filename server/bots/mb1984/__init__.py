"""Player of the 1984 game.

It takes undefended provinces, then brings its legions together against the enemy's Caesar, by land and by sea. It buys
its generals back, and keeps its own Caesar at home.

It looks one action ahead: joint attacks come first; then each option gets a score, and the best one above zero is
taken.
"""

import random
from collections.abc import Callable
from typing import Any, Final, TypeAlias

from server.bots.mb1984.fighting import fight, onward
from server.bots.mb1984.moving import move
from server.bots.mb1984.plans import CALM, Temper
from server.bots.mb1984.position_analysis import PositionAnalysis
from server.bots.mb1984.prisoners import answer, judge
from server.bots.mb1984.spending import buy, place
from shared.ids import Seat
from shared.kernel import engine
from shared.kernel.frames import Action, Frame
from shared.rulesets.mb1984.definition import Rules
from shared.rulesets.mb1984.frames import Combat, Placement
from shared.rulesets.mb1984.view import View
from shared.vocabulary import frames

Player: TypeAlias = Callable[[PositionAnalysis, Rules, Any, random.Random], Action | None]

PLAYERS: dict[type[Frame], Player] = {
    frames.Movement: move,
    Combat: fight,
    frames.Onward: onward,
    frames.Purchase: buy,
    Placement: place,
    frames.Bargain: answer,
    frames.Captives: judge,
}
"""Decision function by frame; all other frames are answered with their default."""


RECKLESSNESS: Final = 2.5
"""Decrease of a temper's caution with its boldness."""


def decide(rules: Rules, table: View, seat: Seat, rng: random.Random, temper: Temper = CALM) -> Action:
    """Return the action to take now."""
    frame = table.frames[-1]
    player = PLAYERS.get(type(frame))
    action = player(PositionAnalysis(table, seat, temper), rules, frame, rng) if player else None
    if action is None or engine.check(rules, table, seat, action) is not None:
        return engine.default(rules, table, seat)
    return action


def decide_boldly(rules: Rules, table: View, seat: Seat, rng: random.Random, boldness: float = 0.0) -> Action:
    """Return the action to take now. boldness: amount by which an attack needs less chance, and losses count less."""
    return decide(rules, table, seat, rng, Temper(boldness, 1.0 - RECKLESSNESS * boldness))

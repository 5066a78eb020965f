"""Ranges of the fields of actions whose `options` are incomplete, by the kind of frame that is owed."""

from collections.abc import Callable, Mapping, Sequence
from math import comb
from typing import Any, Final

from shared.board import BOARD
from shared.ids import Seat
from shared.kernel.frames import Action, Frame
from shared.mechanics import bargains, prisoners
from shared.rulesets.classic.actions import Buy, March, Sink
from shared.rulesets.classic.economy import PRICES, stock
from shared.rulesets.classic.frames import Placement, Sinking
from shared.rulesets.classic.sea import MAX_LISTED
from shared.rulesets.classic.state import LEADERS
from shared.rulesets.classic.table import Table
from shared.rulesets.conquest.extreme_actions import movements, purchases
from shared.rulesets.conquest.legions import LEGION
from shared.rulesets.conquest.pieces import galleys_at
from shared.vocabulary.frames import Captives, Movement, Purchase


def extreme_actions(table: Table, seat: Seat) -> Sequence[Action]:
    """Return extreme actions for each kind that the options do not exhaust (`Ruleset.extreme_actions`)."""
    frame = table.frames[-1]
    further = _BEYOND.get(type(frame))
    return further(table, frame, seat) if further else ()


def _movement(table: Table, _frame: Movement, seat: Seat) -> list[Action]:
    return movements(table, seat, March, _STOPS if table.roads else ())


def _sinking(table: Table, frame: Sinking, seat: Seat) -> list[Action]:
    fleet = galleys_at(table, seat, frame.zone)
    if comb(len(fleet), frame.hits) <= MAX_LISTED:
        return []
    return [Sink(fleet[: frame.hits]), Sink(fleet[-frame.hits :])]


def _purchase(table: Table, _frame: Purchase, seat: Seat) -> list[Action]:
    return purchases(table, seat, Buy, stock(table, seat), PRICES)


MOST_LEFT: Final = 70
"""Units that a `March` can leave at a stop."""
_STOPS: Final = ((0, -LEGION, -LEGION, -LEGION), *[(BOARD.provinces - 1, MOST_LEFT, MOST_LEFT, MOST_LEFT)] * 15)
"""The most stops that a `March` can name."""

_BEYOND: Final[Mapping[type[Frame], Callable[[Table, Any, Seat], Sequence[Action]]]] = {
    Movement: _movement,
    Captives: lambda table, frame, _seat: prisoners.extreme_judgements(table, frame, LEADERS),
    Sinking: _sinking,
    Purchase: _purchase,
    Placement: lambda table, _frame, seat: bargains.widest_offer(table, seat, LEADERS),
}

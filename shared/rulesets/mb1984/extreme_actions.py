"""Ranges of the fields of actions whose `options` are incomplete, by the kind of frame that is owed."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from shared.board import BOARD
from shared.ids import Seat
from shared.kernel.frames import Action, Frame
from shared.mechanics import bargains, cells, prisoners
from shared.mechanics.pieces import own
from shared.rulesets.conquest.legions import LEGION
from shared.rulesets.mb1984.actions import Buy, March
from shared.rulesets.mb1984.diplomacy import PHASES
from shared.rulesets.mb1984.economy import PRICES, stock
from shared.rulesets.mb1984.state import GALLEYS, LEADERS
from shared.rulesets.mb1984.table import Table
from shared.vocabulary.actions import Sail
from shared.vocabulary.frames import Captives, Movement, Purchase


def extreme_actions(table: Table, seat: Seat) -> Sequence[Action]:
    """Return extreme actions for each kind that the options do not exhaust (`Ruleset.extreme_actions`)."""
    frame = table.frames[-1]
    further = _BEYOND.get(type(frame))
    found = further(table, frame, seat) if further else []
    return [*found, *bargains.widest_offer(table, seat, LEADERS)] if isinstance(frame, PHASES) else found


def _movement(table: Table, _frame: Movement, seat: Seat) -> list[Action]:
    leaders, fleet = tuple(own(table, seat, LEADERS)), own(table, seat, GALLEYS)
    army, last = cells.largest(table.units, seat), BOARD.provinces - 1
    return [
        March(0, 0, leaders[:1]),
        March(last, last, leaders, *army, army[1]),
        Sail(fleet[0], 0),
        Sail(fleet[-1], BOARD.positions - 1, leaders, *[min(LEGION, units) for units in army]),
    ]


def _purchase(table: Table, _frame: Purchase, seat: Seat) -> list[Action]:
    money = table.talents[seat] // table.inflation
    wares = zip(stock(table, seat), PRICES, strict=True)
    return [Buy(), Buy(*[max(0, min(most, money // price)) for most, price in wares])]


_BEYOND: Final[Mapping[type[Frame], Callable[[Table, Any, Seat], list[Action]]]] = {
    Movement: _movement,
    Captives: lambda table, frame, _seat: prisoners.extreme_judgements(table, frame, LEADERS),
    Purchase: _purchase,
}

"""Ranges of the fields of marches, sails and purchases (`Ruleset.extreme_actions`)."""

from collections.abc import Callable, Sequence

from shared.board import BOARD
from shared.ids import Seat
from shared.kernel.frames import Action
from shared.mechanics import armies
from shared.mechanics.pieces import own
from shared.rulesets.conquest.pieces import LEGION
from shared.rulesets.conquest.table import TableFields
from shared.vocabulary.actions import Sail


def movements(table: TableFields, seat: Seat, march: Callable[..., Action], *further: object) -> list[Action]:
    """Return the least and the most that can march and sail.

    march: the game's `March`. further: its fields beyond those that both games have, at their most.
    """
    leaders, fleet = tuple(own(table, seat, table.leaders_each)), own(table, seat, table.galleys_each)
    army, last = armies.largest(table.units, seat), BOARD.provinces - 1
    return [
        march(0, 0, leaders[:1]),
        # Not a legal march: every field at its most, in which `army[1]` is the tired cavalry.
        march(last, last, leaders, *army, army[1], *further),
        Sail(fleet[0], 0),
        Sail(fleet[-1], BOARD.positions - 1, leaders, *[min(LEGION, units) for units in army]),
    ]


def purchases(
    table: TableFields, seat: Seat, buy: Callable[..., Action], stock: Sequence[int], prices: Sequence[int]
) -> list[Action]:
    """Return the empty order, and one with all the money on every kind. buy: the game's `Buy`."""
    money = table.talents[seat] // table.inflation
    most = [max(0, min(left, money // price)) for left, price in zip(stock, prices, strict=True)]
    return [buy(), buy(*most)]

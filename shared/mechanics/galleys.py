"""Galleys in sea zones, and the names of the places where they lie."""

from collections.abc import Sequence

from shared.board import BOARD
from shared.ids import Position, Seat, Space


def meetings(galley_at: Sequence[Position], lords: Sequence[Seat], seat: Seat, each: int) -> list[tuple[Space, Seat]]:
    """(zone, enemy) pairs where galleys of `seat` lie in one sea zone with an enemy's, in order.

    galley_at: by galley, `each` of them to a colour. lords: by colour.
    """
    first, end = BOARD.provinces, BOARD.spaces
    zones = {at for galley, at in enumerate(galley_at) if first <= at < end and lords[galley // each] == seat}
    if not zones:
        return []
    return sorted({(at, lords[galley // each]) for galley, at in enumerate(galley_at) if at in zones}
                  - {(zone, seat) for zone in zones})  # fmt: skip


def where(position: Position) -> str:
    """The name of a position, also of one that is not on the board."""
    return BOARD.where(position) if 0 <= position < BOARD.positions else "That place"

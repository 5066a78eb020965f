"""Tribute of provinces, and the tribute markers with its sum."""

from shared.board import BOARD
from shared.ids import NONE, Seat, Space
from shared.kernel.frames import Emit
from shared.mechanics.amendments import HasOptions
from shared.mechanics.table import Pieces
from shared.mechanics.treasury import levels_reached
from shared.vocabulary.events import InflationTriggered

CITY_TRIBUTE = 5
INFLATION_MARKS = (105, 205)


def city_tribute(_table: HasOptions) -> int:
    """Return the tribute of a city."""
    return CITY_TRIBUTE


def worth(table: Pieces, space: Space) -> int:
    """Return the tribute of a province: its printed value, and 5 for a city.

    Rules CL-TRIB-01, CL-CITY-01, MB-TRIB-01, MB-CITY-02.
    """
    return BOARD.tribute[space] + (CITY_TRIBUTE if table.built[space] else 0)


def raise_marker(state: Pieces, seat: Seat, talents: int, emit: Emit) -> None:
    """Move a tribute marker up; the first to reach a mark triggers inflation.

    Rules CL-INFL-01, CL-INFL-02, MB-INFL-01, MB-D45.
    """
    state.marker[seat] += talents
    # One conquest of a whole empire can pass both marks at once (CL-D27).
    reached = [trigger != NONE for trigger in state.triggered]
    for level in levels_reached(state.marker[seat], state.inflation_marks, reached):
        state.triggered[level] = seat
        emit(InflationTriggered(seat, level + 1))

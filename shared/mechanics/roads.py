"""Road nets: the cities that a player reaches in one road trip."""

from collections.abc import Callable, Iterable
from typing import Final

from shared.board import BOARD
from shared.ids import Space

BORDERS: Final = tuple(
    tuple((there, BOARD.edge_index[min(here, there), max(here, there)]) for there in BOARD.land[here])
    for here in range(BOARD.provinces)
)
"""By province, its neighbours over land and the index in `BOARD.edges` of the border between."""


def reachable_cities(
    source: Space, roads: Iterable[int], usable: Callable[[Space], bool], passable: Callable[[Space], bool]
) -> set[Space]:
    """Return the cities reached from `source` over `roads` (indices into `BOARD.edges`), without `source` itself.

    usable: the traveller owns a city there. passable: the trip may go on beyond it (no enemy in the way).
    """
    built = frozenset(roads)
    reached: set[Space] = set()
    border = [source] if usable(source) else []
    while border:
        for there, road in BORDERS[border.pop()]:
            if road in built and there != source and there not in reached and usable(there):
                reached.add(there)
                if passable(there):
                    border.append(there)
    return reached

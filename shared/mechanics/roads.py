"""Roads: where they could be, and the cities that a player reaches in one road trip."""

from collections.abc import Callable, Collection, Iterable, Sequence
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
    # Enemies at `source` do not matter: only entering makes an army stop (CL-H05).
    border = [source] if usable(source) else []
    while border:
        for there, road in BORDERS[border.pop()]:
            if road in built and there != source and there not in reached and usable(there):
                reached.add(there)
                if passable(there):
                    border.append(there)
    return reached


def borders_within(spaces: Collection[Space]) -> list[int]:
    """Return the land borders (indices into `BOARD.edges`) with both ends among the spaces."""
    index = BOARD.edge_index
    return [index[a, b] for a in sorted(spaces) for b in BOARD.land[a] if a < b and b in spaces]


def roads_without(roads: Sequence[int], space: Space) -> list[int]:
    """Return the roads that do not run to a space."""
    return [road for road in roads if space not in BOARD.edges[road]]

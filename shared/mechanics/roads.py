"""Road nets: which cities a player reaches in one road trip."""

from collections.abc import Callable, Iterable

from shared.board import BOARD
from shared.ids import Space


def trip(
    source: Space, roads: Iterable[int], usable: Callable[[Space], bool], passable: Callable[[Space], bool]
) -> set[Space]:
    """Cities reached from `source` over `roads` (indices into `BOARD.edges`), without it.

    usable: the traveller owns a city there. passable: the trip may go on beyond it (no enemy in the way).
    """
    links: dict[Space, list[Space]] = {}
    for road in roads:
        a, b = BOARD.edges[road]
        if usable(a) and usable(b):
            links.setdefault(a, []).append(b)
            links.setdefault(b, []).append(a)
    reached: set[Space] = set()
    border = [source]
    while border:
        here = border.pop()
        for there in links.get(here, ()):
            if there != source and there not in reached:
                reached.add(there)
                if passable(there):
                    border.append(there)
    return reached

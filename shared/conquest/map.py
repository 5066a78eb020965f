"""The map that all games share: provinces and sea zones with their borders."""

from __future__ import annotations

from typing import Any, Final

from msgspec import Struct

from conquest.actions import space
from shared.board import BOARD


class Places(dict[str, Any]):
    """Dictionary by the printed names of places, which may be abbreviated as far as unique.

    >>> Places({"Italia": 3})["ital"]
    3
    """

    def __missing__(self, name: str) -> Any:
        full = BOARD.names[space(name)]
        if full == name:
            raise KeyError(name)
        return self[full]

    def get(self, name: str, default: Any = None) -> Any:
        """Return the entry of a place, or `default` if it has none. Raises Misread for an unknown place."""
        return super().get(BOARD.names[space(name)], default)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and super().__contains__(BOARD.names[space(name)])


class Space(Struct, frozen=True):
    """Province or sea zone. `number`: in the fields of actions and positions. `talents`: printed tribute a year.

    neighbours: names of the spaces with a common border. straits: provinces across a crossing, where a match has them.
    home: whether a Caesar may begin there.
    """

    name: str
    number: int
    sea: bool
    talents: int
    home: bool
    neighbours: tuple[str, ...]
    straits: tuple[str, ...]


def _space(number: int) -> Space:
    across = [pair[1 - pair.index(number)] for pair in BOARD.straits if number in pair]
    return Space(
        BOARD.names[number],
        number,
        BOARD.is_sea(number),
        BOARD.tribute[number],
        number in BOARD.homes,
        tuple([BOARD.names[other] for other in BOARD.neighbours[number]]),
        tuple([BOARD.names[other] for other in across]),
    )


MAP: Final = Places({BOARD.names[number]: _space(number) for number in range(BOARD.spaces)})
"""All spaces by name: ``MAP["ital"].neighbours``. Names may be abbreviated as far as unique."""

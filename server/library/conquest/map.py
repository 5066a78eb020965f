"""The map that all games share: provinces and sea zones with their borders."""

from collections.abc import Callable, Mapping
from numbers import Integral
from types import MappingProxyType
from typing import Any, Final

from msgspec import Struct

from conquest.actions import space
from shared.board import BOARD


class Places(dict[str, Any]):
    """Dictionary by the printed names of places, which may be abbreviated as far as unique, or by their numbers.

    empty: makes what a place without an entry has; without it such a place raises KeyError, and an unknown one Misread.

    >>> Places({"Italia": 3})["ital"]
    3
    """

    def __init__(self, entries: Mapping[str, Any] = MappingProxyType({}), empty: Callable[[], Any] | None = None):
        super().__init__(entries)
        self._empty = empty

    def __getitem__(self, name: str | int) -> Any:
        if not isinstance(name, str) and not (isinstance(name, Integral) and 0 <= name < BOARD.spaces):
            raise KeyError(f"There is no place {name!r}; places have names and numbers from 0 to {BOARD.spaces - 1}.")
        return super().__getitem__(name if isinstance(name, str) else int(name))

    def __missing__(self, name: str | int) -> Any:
        full = BOARD.names[name if isinstance(name, int) else space(name)]
        if full != name and full in self:
            return self[full]
        if self._empty is None:
            raise KeyError(f"{full} has no entry here; `get` returns a default for it.")
        return self._empty()

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
"""All spaces by name or number: ``MAP["ital"].neighbours``, ``MAP[20].name``. Names may be abbreviated."""

"""Painted board as the page draws it, from `client/assets/map.json`."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from client.workshop.map.pieces import ASSETS
from client.workshop.page.outlines import Line, Outlines, path, simpler
from shared.board import BOARD

WILD: Final = BOARD.spaces
DEAD: Final = BOARD.spaces + 1
"""Number of land and water that are no space."""
_STAKES: Final[dict[str, tuple[int, int]]] = {
    "achaia": (2050, 800), "asia": (2330, 822), "egyptus": (2572, 384), "galatia": (2684, 806),
    "hispania": (400, 1345), "italia": (1420, 1340), "mesopotamia": (3385, 558), "narbonensis": (775, 1342),
    "neapolis": (1800, 1032), "numidia": (1140, 510), "sicilia": (1695, 715),
}  # fmt: skip
"""Places of influence beside the pieces of a key province, the same as in `client.games.cote2.position_display`."""


class Chart:
    """File with the board's shapes, y downwards."""

    def __init__(self) -> None:
        self._file: dict[str, Any] = json.loads((ASSETS / "map.json").read_text("utf-8"))
        self._height = self._file["height"]
        self._outlines = Outlines(self._rings())

    def data(self) -> dict[str, object]:
        """Return the data for the page."""
        spaces = self._file["spaces"]
        lands = range(BOARD.provinces)
        return {
            "width": self._file["width"],
            "height": self._height,
            "land": [path(self._outlines.rings(space), closed=True) for space in lands],
            "waters": [path(self._outlines.rings(space), closed=True) for space in range(lands.stop, BOARD.spaces)],
            "wild": path(self._outlines.rings(WILD), closed=True),
            "seas": path(self._outlines.between(lambda sides: len(sides) > 1 and min(sides) >= lands.stop
                                                and max(sides) < WILD), closed=False),
            "rivers": path((simpler(self._line(each), 4.0) for each in self._file["rivers"]), closed=False),
            "ranges": [[each["height"], path([simpler(self._line(each["line"]), 6.0)], closed=False)]
                       for each in self._file["ranges"]],
            "labels": [self._label(space["label"]) for space in spaces],
            "anchors": [[*self._line(point for at in space["anchors"] for point in at)] for space in spaces],
            "cities": [space["city"] and self._at(space["city"]) for space in spaces[: lands.stop]],
            "roads": [[path([line], closed=False), line[0], line[-1]] for line in self._roads()],
            "harbours": self._harbours(spaces),
            "stakes": {str(BOARD.space(key)): self._at(at) for key, at in _STAKES.items()},
            "straits": [[self._at(each["from"]), self._at(each["to"])] for each in self._file["straits"]],
        }  # fmt: skip

    def _roads(self) -> list[Line]:
        """Return the road over each border."""
        lines = json.loads((ASSETS / "roads.json").read_text("utf-8"))
        return [[self._at(point) for point in line] for line in lines]

    def _rings(self) -> Iterator[tuple[int, Line]]:
        file = self._file
        shapes = [*enumerate(file["spaces"]), (WILD, file["wilderness"]), (DEAD, file["dead_water"])]
        for number, shape in shapes:
            for ring in (*shape["rings"], *shape["holes"]):
                yield number, list(self._line(ring))

    def _line(self, flat: Iterable[int]) -> Line:
        numbers = list(flat)
        return [self._at(point) for point in zip(numbers[::2], numbers[1::2], strict=True)]

    def _at(self, point: Sequence[int]) -> tuple[int, int]:
        return round(point[0]), round(self._height - point[1])

    def _label(self, label: dict[str, Any]) -> list[object]:
        """Return middle, size of the letters, slope, and lines of a name."""
        x, y = self._at((label["x"], label["y"]))
        return [x, y, label["size"], round(label["angle"]), label["lines"]]

    def _harbours(self, spaces: Sequence[dict[str, Any]]) -> list[tuple[int, int]]:
        """Return the harbours by position of a galley; without a coast, the middle."""
        found = {coast["pos"]: self._at((coast["x"], coast["y"])) for space in spaces for coast in space["coasts"]}
        return [found.get(at, self._at(spaces[BOARD.ashore[at]]["anchor"])) for at in range(BOARD.positions)]

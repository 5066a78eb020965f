"""Pieces as shapes: drawn by the same functions as the client's, but as outlines instead of pixels."""

from collections.abc import Sequence
from typing import Final

from client.workshop.map import pieces as p
from client.workshop.page.outlines import Line, path, simpler

_FINE: Final = 2
"""Steps in a unit of the drawing."""
_LOOSE: Final = 1.2
_PROBE: Final[tuple[p.Colour, p.Colour]] = ((200, 40, 40), (40, 40, 200))
"""Two colours that no player has: parts that differ between them take the player's colour."""


class Outline(p.Token):
    """Piece that records each drawing: kind (part or detail), colour, outlines, line width, and a detail's strength."""

    def __init__(self) -> None:
        self.flat = False
        self.stress = 1.0
        self.noted: list[tuple[p.Colour, list[list[p.Xy]], float, float]] = []

    def part(self, colour: p.Colour, *shapes: Sequence[p.Xy], outline: float = 2.6, shade: float = 0.34) -> None:
        self.noted.append((colour, [list(shape) for shape in shapes], outline, 1.0))

    def paint(self, colour: p.Colour, *shapes: Sequence[p.Xy], strength: float = 1.0) -> None:
        self.noted.append((colour, [list(shape) for shape in shapes], 0.0, strength))


def _shape(polygons: Sequence[Sequence[p.Xy]]) -> str:
    lines: list[Line] = [[(round(x * _FINE), round(y * _FINE)) for x, y in polygon] for polygon in polygons]
    return path((simpler([*line, line[0]], _LOOSE)[:-1] for line in lines), closed=True)


def _colour(first: p.Colour, second: p.Colour) -> str:
    """Return a colour, or its relation to the player's, as the page paints it."""
    if first == second:
        return "#" + "".join(f"{channel:02x}" for channel in first)
    if first == _PROBE[0]:
        return "seat"
    return "dark" if sum(first) < sum(_PROBE[0]) else "light"


def _mark(polygons: Sequence[Sequence[p.Xy]]) -> list[float] | None:
    """Return position and size of a lozenge; None for other shapes."""
    # Only the lozenge of `mark_parts` is a single polygon with ten points.
    if len(polygons) != 1 or len(polygons[0]) != 10:
        return None
    top, right, low = polygons[0][:3]
    x, r = top[0], (low[1] - top[1]) / 2
    return [round(x), round(top[1] + r), round(r)] if abs(right[0] - x - 0.78 * r) < 0.01 else None


def figure(name: str) -> list[list[object]]:
    """Return the parts of a piece, the lowest first: ``[colour, path, line, strength]``, or ``["mark", x, y, r]``."""
    drawn = [Outline(), Outline()]
    # Drawn in two colours: what differs between them takes the player's colour.
    for outline, colour in zip(drawn, _PROBE, strict=True):
        p.FIGURES[name](outline, colour, "lozenge")
    return [_part(a, b) for a, b in zip(drawn[0].noted, drawn[1].noted, strict=True)]


def building(name: str) -> list[list[object]]:
    """Return the same for a piece without a player's colour."""
    outline = Outline()
    {"city": p.city, "fortified": p.fortified}[name](outline)
    return [_part(each, each) for each in outline.noted]


def _part(
    a: tuple[p.Colour, list[list[p.Xy]], float, float], b: tuple[p.Colour, list[list[p.Xy]], float, float]
) -> list[object]:
    at = _mark(a[1])
    return ["mark", *at] if at is not None else [_colour(a[0], b[0]), _shape(a[1]), a[2], a[3]]


def data() -> dict[str, object]:
    """Return all pieces, the marks of the colours, and the colours: of the six players, auxiliaries and slaves."""
    people = [*((rgb, mark) for _name, rgb, mark in p.COLOURS), *((rgb, mark) for _n, rgb, mark, _f in p.STRANGERS)]
    return {
        "figures": {name: figure(name) for name in p.FIGURES if name != "marker"},
        "buildings": {name: building(name) for name in ("city", "fortified")},
        "marks": [_shape(p.mark_parts(mark, 0, 0, 50)) for _rgb, mark in people],
        "colours": [[list(rgb), _words(p.contrast(rgb))] for rgb, _mark in people],
        "ink": _words(p.INK),
        "cream": _words(p.CREAM),
        "fine": _FINE,
    }


def _words(colour: p.Colour) -> str:
    return _colour(colour, colour)

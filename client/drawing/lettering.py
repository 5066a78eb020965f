"""Names on the board, in letters as large as the player wishes and as fits. Knows no window."""

from collections.abc import Iterable, Sequence
from importlib import resources
from math import inf
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace
from PIL import Image, ImageDraw, ImageFilter, ImageFont

FONTS: Final = Path(str(resources.files("client"))) / "assets" / "fonts"

Box = tuple[float, float, float, float]
"""Left, bottom, right, top."""
HALO: Final = 5.0
"""Width of the halo around letters."""
_CAPITAL: Final = 0.7
"""Height of capital letters in ems."""
_LEADING: Final = 1.42
"""Distance between lines in heights of letters."""
_SPACING: Final = 0.16
"""Additional space between the letters of a sea's name in ems."""
_SLANT: Final = 0.2
"""Slant of the letters of a sea's name."""
_STEP: Final = 0.05
"""Step in which letters grow."""
_SHIFTS: Final = (0.0, 0.25, -0.25, 0.5, -0.5)
"""Distances by which a name may leave its place, in its growth."""
_INK: Final = ((62, 36, 20), (246, 232, 200), 5.0, 1.7)
"""Colours of a province's name and of its halo, blur and strength of the halo."""
_SEA_INK: Final = ((28, 62, 82), (206, 222, 212), 4.0, 1.4)


class PlacedName(Struct, frozen=True):
    """A name: its middle, height of its letters, size of all its lines, and the lines. In pixels of the board."""

    x: float
    y: float
    size: float
    width: float
    height: float
    lines: tuple[str, ...]

    def box(self, margin: float = HALO) -> Box:
        """Return the box that it covers, with its halo."""
        width, height = self.width / 2 + margin, self.height / 2 + margin
        return self.x - width, self.y - height, self.x + width, self.y + height

    def enlarged(self, by: float, right: float, up: float) -> "PlacedName":
        """Return a larger one, moved by shares of its growth."""
        width, height = self.width * by, self.height * by
        x, y = self.x + right * (width - self.width), self.y + up * (height - self.height)
        return replace(self, x=x, y=y, size=self.size * by, width=width, height=height)


def enlarged(labels: Sequence[PlacedName], most: float, taken: Iterable[Box], board: Box) -> tuple[PlacedName, ...]:
    """Return the names enlarged by up to `most`, but never over each other, `taken` boxes, or the edge of the board."""
    found, taken = list(labels), list(taken)
    reaches = [label.enlarged(2 * most, 0.0, 0.0).box() for label in labels]
    fixed = [
        [(box, _name_margin(label, box)) for box in taken if meet(reach, box)]
        for label, reach in zip(labels, reaches, strict=True)
    ]
    # Only names that can ever meet are compared; a reach allows for growth and shifts.
    near = [
        [
            (j, _name_margin(label, labels[j].box(0.0)))
            for j, other in enumerate(reaches)
            if j != i and meet(reach, other)
        ]
        for i, (label, reach) in enumerate(zip(labels, reaches, strict=True))
    ]
    # All names grow in turn, step by step; the first would otherwise take the room of its neighbours.
    for step in range(1, round((most - 1) / _STEP) + 1):
        for i, label in enumerate(labels):
            others = [*fixed[i], *((found[j].box(0.0), margin) for j, margin in near[i])]
            ways = (label.enlarged(1 + step * _STEP, right, up) for up in _SHIFTS for right in _SHIFTS)
            found[i] = next((way for way in ways if _fits(way, others, board)), found[i])
    return tuple(found)


def _name_margin(label: PlacedName, box: Box) -> float:
    """Return the margin that a name must keep from a box: less if it is closer already."""
    return next((margin for margin in (HALO, 0.0) if not meet(label.box(margin), box)), -inf)


def _fits(way: PlacedName, others: Iterable[tuple[Box, float]], board: Box) -> bool:
    """Whether a name is on the board and keeps each margin from the other boxes."""
    left, bottom, right, top = way.box()
    if left < board[0] or bottom < board[1] or right > board[2] or top > board[3]:
        return False
    return not any(margin >= 0 and meet(way.box(margin), box) for box, margin in others)


def grown(box: Box, by: float) -> Box:
    """Return a box with a margin."""
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by


def meet(a: Box, b: Box) -> bool:
    """Whether two boxes overlap."""
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def write(board: Image.Image, labels: Iterable[PlacedName], seas: int, scale: float = 1.0) -> None:
    """Write the names on a picture of the board; from index `seas` on they are names of seas. `scale`: size of the
    picture in sizes of the board."""
    for index, label in enumerate(labels):
        sea = index >= seas
        for row, line in enumerate(label.lines):
            y = label.y - (row - (len(label.lines) - 1) / 2) * _LEADING * label.size
            _write_line(board, line, label.x * scale, board.height - y * scale, label.size * scale, sea)


def _write_line(board: Image.Image, line: str, x: float, y: float, size: float, sea: bool) -> None:
    """Write a line around a point of the picture, y downwards."""
    ink, halo, blur, strength = _SEA_INK if sea else _INK
    font = ImageFont.truetype(FONTS / f"Cinzel-{'Regular' if sea else 'Bold'}.ttf", round(size / _CAPITAL))
    gap = _SPACING * size / _CAPITAL if sea else 0.0
    width, edge = font.getlength(line) + gap * (len(line) - 1), round(size * 0.7)
    mask = Image.new("L", (round(width) + 2 * edge, round(size) + 2 * edge))
    draw = ImageDraw.Draw(mask)
    if sea:
        for i, letter in enumerate(line):
            left = font.getlength(line[: i + 1]) - font.getlength(letter) + i * gap
            draw.text((edge + left, edge + size), letter, font=font, fill=255, anchor="ls")
        shear = 1, _SLANT, -_SLANT * mask.height / 2, 0, 1, 0
        mask = mask.transform(mask.size, Image.Transform.AFFINE, shear, Image.Resampling.BILINEAR)
    else:
        draw.text((edge, edge + size), line, font=font, fill=255, anchor="ls")
    at = round(x - mask.width / 2), round(y - mask.height / 2)
    # Blurred at half size: a quarter of the work, without a visible difference in a blur.
    glow = mask.reduce(2).filter(ImageFilter.GaussianBlur(blur * size / 72))
    glow = glow.point([min(255, round(value * strength)) for value in range(256)])
    board.paste(halo, at, glow.resize(mask.size))
    board.paste(ink, at, mask)

"""Colours, fonts and sizes of an antique table: parchment, ink, terracotta, bronze."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Final, TypeAlias

import arcade
from pyglet.font.base import Font

Colour: TypeAlias = tuple[int, int, int, int]

PARCHMENT: Final[Colour] = (238, 222, 188, 255)
PARCHMENT_LIGHT: Final[Colour] = (248, 238, 214, 255)
PARCHMENT_DEEP: Final[Colour] = (222, 200, 158, 255)
INK: Final[Colour] = (56, 36, 22, 255)
INK_SOFT: Final[Colour] = (104, 78, 54, 255)
INK_FAINT: Final[Colour] = (150, 124, 92, 255)
TERRACOTTA: Final[Colour] = (164, 70, 42, 255)
TERRACOTTA_LIGHT: Final[Colour] = (190, 94, 58, 255)
TERRACOTTA_DEEP: Final[Colour] = (126, 48, 30, 255)
BRONZE: Final[Colour] = (146, 108, 56, 255)
BRONZE_LIGHT: Final[Colour] = (190, 152, 90, 255)
BRONZE_DEEP: Final[Colour] = (98, 70, 36, 255)
GOLD: Final[Colour] = (226, 188, 104, 255)
OLIVE: Final[Colour] = (94, 110, 54, 255)
WINE: Final[Colour] = (124, 30, 36, 255)
LAPIS: Final[Colour] = (48, 84, 122, 255)
NIGHT: Final[Colour] = (40, 27, 20, 255)
NIGHT_DEEP: Final[Colour] = (24, 16, 12, 255)
IVORY: Final[Colour] = (252, 244, 226, 255)
CLEAR: Final[Colour] = (0, 0, 0, 0)

SMALL: Final = 11.0
BODY: Final = 12.5
LARGE: Final = 15.0
HEADING: Final = 20.0
DISPLAY: Final = 50.0

GAP: Final = 12.0
"""Unit of spacing."""
ROW: Final = 44.0
"""Height of a button, a field, a row."""

BASE_SIZE: Final = (1280, 800)
"""Size for which the screens are designed; larger windows scale them up."""
MIN_SIZE: Final = (1024, 680)

TITLE_FONT: Final = ("Cinzel Titulus", "Cinzel", "Trajan Pro", "Palatino Linotype", "DejaVu Serif", "serif")
"""Families for titles and names, as if carved in stone; best first."""
TEXT_FONT: Final = ("Noto Sans", "Segoe UI", "Helvetica Neue", "DejaVu Sans", "sans-serif")
BOLD_FONT: Final = ("Noto Sans Fortis", *TEXT_FONT)
ITALIC_FONT: Final = ("Noto Sans Cursiva", *TEXT_FONT)

ASSETS: Final = Path(str(resources.files("client"))) / "assets"

_LETTERS: Final = 128
"""Side of a font texture in pixels.

Pyglet doubles it until a hundred letters fit that are as large as the first, which is a space.
"""
_WIDEST: Final = 1.9
"""Pixels that the widest letter takes for each point of its size."""

_window = 1.0
_share = _reading = 1.0
_scale = 1.0
_palette = ""


def set_window(width: float, height: float) -> None:
    """Adapt the scale of everything to a window of that size."""
    global _window
    _window = min(2.5, max(0.85, min(width / BASE_SIZE[0], height / BASE_SIZE[1])))
    enlarge(_share, _reading)


def enlarge(share: float = 1.0, reading: float = 1.0) -> None:
    """Enlarge everything by `share`; texts that find their own space grow by `reading` as well."""
    global _scale, _share, _reading
    _share, _reading = share, reading
    _scale = _window * share
    Font.texture_width = Font.texture_height = _room()


@contextmanager
def shrunk(share: float) -> Iterator[None]:
    """Make everything smaller by that factor for a while."""
    global _scale
    before, _scale = _scale, _scale * share
    try:
        yield
    finally:
        _scale = before


def window_px(length: float) -> float:
    """Return a design length in pixels of the present window, before any enlargement."""
    return length * _window


def read(size: float) -> float:
    """Return the size (design points) of letters in texts that find their own space."""
    return size * _reading


def wished() -> float:
    """Return the factor by which the player wishes texts enlarged."""
    return _share * _reading


def _room() -> int:
    """Return the side of the font textures in pixels: the largest letters fit."""
    room = _LETTERS
    # A power of two times the least side, as pyglet itself grows its textures.
    while room < DISPLAY * _scale * _WIDEST:
        room *= 2
    return room


def px(length: float) -> float:
    """Return a design length in pixels of the present window."""
    return length * _scale


def alpha(colour: Colour, value: int) -> Colour:
    """Return the colour with another opacity (0 to 255)."""
    return (*colour[:3], value)


def mix(a: Colour, b: Colour, share: float) -> Colour:
    """Return a colour between `a` (share 0) and `b` (share 1)."""
    red, green, blue, opacity = (round(x + (y - x) * share) for x, y in zip(a, b, strict=True))
    return red, green, blue, opacity


@cache
def load_fonts() -> None:
    """Register the fonts of the game with the window system.

    The letters of each font in each size get a texture of their own, which is made as small as possible here.
    """
    Font.texture_width = Font.texture_height = _room()
    for file in sorted((ASSETS / "fonts").glob("*.ttf")):
        arcade.load_font(str(file))


def set_palette(name: str) -> None:
    """Set the seats' colours to that palette of ``palette.json``; an unknown name selects the usual one."""
    global _palette
    _palette = name if name in palettes() else ""


def palette() -> str:
    """Return the name of the palette in use, empty for the usual one."""
    return _palette


@cache
def palettes() -> dict[str, tuple[Colour, ...]]:
    """Return all palettes by name: for each seat one colour, as its pieces are painted."""
    palette = json.loads((ASSETS / "palette.json").read_text("utf-8"))
    sets = {"": [entry["rgb"] for entry in palette["colours"]], **palette["safe"]}
    return {name: tuple((*rgb, 255) for rgb in colours) for name, colours in sets.items()}


def seat_colour(seat: int) -> Colour:
    """Return the colour of a seat; ink if it is no seat."""
    colours = palettes()[_palette]
    return colours[seat] if 0 <= seat < len(colours) else INK_SOFT

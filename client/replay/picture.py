"""Small picture of a position: the painted board, each province in the colour of its holder."""

import json
from collections.abc import Sequence
from functools import cache
from importlib import resources
from io import BytesIO
from math import ceil
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct
from PIL import Image, ImageDraw, ImageFont

from client.drawing.lettering import PlacedName, write
from client.player.files import write_whole
from client.replay.game_replay import AnySubject
from client.user_directories import folder
from shared.board import BOARD

SIZE: Final = (210, 136)
"""Size of such a picture in pixels; it is shown at half of that."""
_STRENGTH: Final = 150
"""Opacity of the colours, of 255."""
_MAP: Final = (1080, 715)
_POSTER_HEAD: Final = 128
_POSTER_ROW: Final = 66
_POSTER_EDGE: Final = 30
"""Pixels of a picture to share: its map, the title, a line of the standings, and the edge."""
_PARCHMENT: Final = (240, 226, 196)
_BRONZE: Final = (98, 70, 36)
_INK: Final = (56, 36, 22)
_RED: Final = (126, 48, 30)
_ASSETS: Final = Path(str(resources.files("client"))) / "assets"


def gallery() -> Path:
    """Return the folder of such pictures, which can be made again."""
    return folder() / "pictures"


def kept(match: str) -> Path | None:
    """Return the picture of a match's end, None if there is none."""
    path = gallery() / f"{match}.png"
    return path if path.is_file() else None


def keep(match: str, subject: AnySubject, view: Any) -> None:
    """Paint the picture and save it. Raises OSError."""
    out = BytesIO()
    painted(subject, view).save(out, "PNG")
    write_whole(gallery() / f"{match}.png", out.getvalue())


def painted(subject: AnySubject, view: Any, size: tuple[int, int] = SIZE) -> Image.Image:
    """Return the picture of a position."""
    board, spaces = _board(size)
    holders = [subject.holder(view, space) for space in range(BOARD.provinces)]
    colours = _colours()
    bands = [
        spaces.point([colours[holders[i]][band] if i < len(holders) and holders[i] >= 0 else 0 for i in range(256)])
        for band in range(3)
    ]
    mask = spaces.point([_STRENGTH if i < len(holders) and holders[i] >= 0 else 0 for i in range(256)])
    return Image.composite(Image.merge("RGB", bands), board, mask)


@cache
def _colours() -> list[list[int]]:
    """Return the colours of the seats, as their pieces are painted."""
    return [entry["rgb"] for entry in json.loads((_ASSETS / "palette.json").read_text("utf-8"))["colours"]]


@cache
def _board(size: tuple[int, int]) -> tuple[Image.Image, Image.Image]:
    """Return the board and, by pixel, the number of the space."""
    with Image.open(_ASSETS / "board.jpg") as picture:
        # Lets the decoder scale the large board while it reads it.
        picture.draft("RGB", size)
        board = picture.convert("RGB").resize(size, Image.Resampling.LANCZOS)
    world = json.loads((_ASSETS / "map.json").read_bytes())
    names = msgspec.convert([space["label"] for space in world["spaces"]], list[PlacedName])
    write(board, names, BOARD.provinces, size[0] / world["width"])
    with Image.open(_ASSETS / "index.png") as index:
        # Not smoothed: a mean of two numbers would be a third space.
        return board, index.convert("L").resize(size, Image.Resampling.NEAREST)


class StandingRow(Struct, frozen=True):
    """A line of the final standings."""

    rank: int
    seat: int
    name: str
    score: str


def poster(title: str, subtitle: str, standings: Sequence[StandingRow], subject: AnySubject, view: Any) -> Image.Image:
    """Return a picture of a finished match to share: title, final map, and the standings below it."""
    rows = max(1, ceil(len(standings) / 2))
    height = _MAP[1] + _POSTER_HEAD + rows * _POSTER_ROW + 3 * _POSTER_EDGE
    image = Image.new("RGB", (_MAP[0] + 2 * _POSTER_EDGE, height), _PARCHMENT)
    draw = ImageDraw.Draw(image)
    width = image.width
    draw.rectangle((10, 10, width - 11, height - 11), outline=_BRONZE, width=4)
    draw.text((width / 2, 56), title, fill=_RED, font=_font("Cinzel-Bold.ttf", 44, title, width - 80), anchor="mm")
    draw.text((width / 2, 100), subtitle, fill=_INK, font=_font("NotoSans-Regular.ttf", 20, subtitle, width - 80),
              anchor="mm")  # fmt: skip
    image.paste(painted(subject, view, _MAP), (_POSTER_EDGE, _POSTER_HEAD))
    box = _POSTER_EDGE, _POSTER_HEAD, width - _POSTER_EDGE - 1, _POSTER_HEAD + _MAP[1] - 1
    draw.rectangle(box, outline=_BRONZE, width=3)
    top = _POSTER_HEAD + _MAP[1] + _POSTER_EDGE
    column = _MAP[0] // 2
    for i, one in enumerate(standings):
        left, y = _POSTER_EDGE + column * (i // rows), top + _POSTER_ROW * (i % rows) + _POSTER_ROW // 2
        _line(image, draw, one, left, y, column - 20)
    return image


def _line(image: Image.Image, draw: ImageDraw.ImageDraw, one: StandingRow, left: int, y: int, width: int) -> None:
    """Draw a line of the standings."""
    side = 48
    name = "caesar" if one.rank == 1 else "marker"
    with Image.open(_ASSETS / "pieces" / f"{name}_{one.seat}.png") as piece:
        small = piece.convert("RGBA").resize((side, side), Image.Resampling.LANCZOS)
    image.paste(small, (left + 44, y - side // 2), small)
    draw.text((left + 20, y), str(one.rank), fill=_RED if one.rank == 1 else _INK,
              font=_font("Cinzel-Bold.ttf", 30, "", 0), anchor="mm")  # fmt: skip
    draw.text((left + 104, y - 12), one.name, fill=_INK, font=_font("NotoSans-Bold.ttf", 22, one.name, width - 104),
              anchor="lm")  # fmt: skip
    draw.text((left + 104, y + 15), one.score, fill=_INK,
              font=_font("NotoSans-Regular.ttf", 17, one.score, width - 104), anchor="lm")  # fmt: skip


def _font(file: str, size: int, words: str, room: float) -> ImageFont.FreeTypeFont:
    """Return a font in which the words fit into that many pixels."""
    font = ImageFont.truetype(str(_ASSETS / "fonts" / file), size)
    while words and size > 10 and font.getlength(words) > room:
        size -= 1
        font = ImageFont.truetype(str(_ASSETS / "fonts" / file), size)
    return font

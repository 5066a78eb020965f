"""Small picture of a position: the painted board, each province in the colour of its holder."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from PIL import Image

from client.player.files import write_whole
from client.replay.game_replay import AnySubject
from client.user_directories import folder
from shared.board import BOARD

SIZE: Final = (210, 136)
"""Size of such a picture in pixels; it is shown at half of that."""
_STRENGTH: Final = 150
"""Opacity of the colours, of 255."""
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


def painted(subject: AnySubject, view: Any) -> Image.Image:
    """Return the picture of a position."""
    board, spaces = _board()
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
def _board() -> tuple[Image.Image, Image.Image]:
    """Return the board and, by pixel, the number of the space."""
    with Image.open(_ASSETS / "board.jpg") as picture:
        picture.draft("RGB", SIZE)
        board = picture.convert("RGB").resize(SIZE, Image.Resampling.LANCZOS)
    with Image.open(_ASSETS / "index.png") as index:
        return board, index.convert("L").resize(SIZE, Image.Resampling.NEAREST)

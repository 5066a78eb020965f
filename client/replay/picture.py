"""A small picture of a position: the painted board, each province in the colour of whoever holds it."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from PIL import Image

from client.player.files import write_whole
from client.replay.subject import AnySubject
from client.user_directories import folder
from shared.board import BOARD

SIZE: Final = (210, 136)
"""Pixels of such a picture, which is shown at half of that."""
_STRENGTH: Final = 150
"""Of the colours, of 255."""
_ASSETS: Final = Path(str(resources.files("client"))) / "assets"


def gallery() -> Path:
    """Where such pictures are kept: they can be made again."""
    return folder() / "pictures"


def kept(match: str) -> Path | None:
    """The picture of how a match ended, if there is one."""
    path = gallery() / f"{match}.png"
    return path if path.is_file() else None


def keep(match: str, subject: AnySubject, view: Any) -> None:
    """Make it and keep it. Raises OSError."""
    out = BytesIO()
    painted(subject, view).save(out, "PNG")
    write_whole(gallery() / f"{match}.png", out.getvalue())


def painted(subject: AnySubject, view: Any) -> Image.Image:
    """The picture of a position."""
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
    """Of the seats, as their pieces are painted."""
    return [entry["rgb"] for entry in json.loads((_ASSETS / "palette.json").read_text("utf-8"))["colours"]]


@cache
def _board() -> tuple[Image.Image, Image.Image]:
    """The board, and by pixel the number of the space."""
    with Image.open(_ASSETS / "board.jpg") as picture:
        picture.draft("RGB", SIZE)
        board = picture.convert("RGB").resize(SIZE, Image.Resampling.LANCZOS)
    with Image.open(_ASSETS / "index.png") as index:
        return board, index.convert("L").resize(SIZE, Image.Resampling.NEAREST)

"""A QR code, drawn sharp: every module is the same whole number of pixels wide."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import arcade
from arcade.types import Rect
from PIL import Image

from client.drawing import theme
from client.drawing.widgets import Widget

QUIET: Final = 4
"""Modules of light around it, without which it is not found."""


class QrCode(Widget):
    """What those words are for a camera, as large as fits into `rect`."""

    def __init__(self, rect: Rect, words: str, *, tip: str = "") -> None:
        super().__init__(rect, tip=tip)
        self.words = words

    def hit(self, x: float, y: float) -> bool:
        return bool(self.tip) and super().hit(x, y)

    def draw(self) -> None:
        ratio = arcade.get_window().get_pixel_ratio()
        texture = painted(self.words, int(min(self.rect.width, self.rect.height) * ratio))
        side = texture.width / ratio
        place = arcade.LBWH(round(self.rect.left), round(self.rect.top - side), side, side)
        arcade.draw_texture_rect(texture, place, pixelated=True)


@lru_cache(maxsize=4)
def painted(words: str, side: int) -> arcade.Texture:
    """What those words are for a camera, at most `side` pixels wide."""
    image = picture(words)
    scale = max(1, side // image.width)
    return arcade.Texture(image.resize((image.width * scale,) * 2, Image.Resampling.NEAREST))


def picture(words: str) -> Image.Image:
    """One pixel for each module, with the light around it."""
    import segno  # Not before somebody hosts: it would be waited for at the start.

    rows = [bytes(row) for row in segno.make(words, error="m", micro=False).matrix_iter(border=QUIET)]
    light = Image.frombytes("L", (len(rows),) * 2, b"".join(rows)).point(lambda module: 0 if module else 255)
    painted = Image.new("RGBA", light.size, theme.NIGHT_DEEP)
    painted.paste(theme.IVORY, mask=light)
    return painted

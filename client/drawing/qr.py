"""QR code, drawn sharply: all modules are the same whole number of pixels wide."""

from functools import lru_cache
from typing import Final

import arcade
from arcade.types import Rect
from PIL import Image

from client.drawing import theme
from client.drawing.widgets import Widget

QUIET: Final = 4
"""Modules of light margin; scanners need it."""


class QrCode(Widget):
    """QR code of a text, as large as fits into `rect`."""

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
    """Return the QR code of a text, at most `side` pixels wide."""
    image = picture(words)
    scale = max(1, side // image.width)
    return arcade.Texture(image.resize((image.width * scale,) * 2, Image.Resampling.NEAREST))


def picture(words: str) -> Image.Image:
    """Return the QR code with one pixel for each module, and the light margin."""
    import segno  # Imported only when hosting: the import would slow down every start.

    # No Micro QR: many phones cannot read those.
    rows = [bytes(row) for row in segno.make(words, error="m", micro=False).matrix_iter(border=QUIET)]
    light = Image.frombytes("L", (len(rows),) * 2, b"".join(rows)).point(lambda module: 0 if module else 255)
    painted = Image.new("RGBA", light.size, theme.NIGHT_DEEP)
    painted.paste(theme.IVORY, mask=light)
    return painted

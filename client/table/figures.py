"""Pictures of pieces as textures: the painted figures in a few sizes, and small discs with a number."""

from functools import cache
from typing import Final

import arcade
from PIL import Image, ImageDraw, ImageFont

from client.drawing import theme
from client.drawing.icons import picture
from client.drawing.shapes import sprite_picture
from client.table.geography import ASSETS
from shared.ids import Seat

SIZES: Final = (20, 28, 40, 56, 80, 128)
"""Heights in pixels for which figures are prepared: a figure is never shrunk by more than a third when drawn."""
_OVERSAMPLE: Final = 4
"""Factor by which drawn shapes are larger before they are shrunk, so that their edges are smooth."""


def size_for(height: float) -> int:
    """Return the prepared size for a figure of that height in pixels of the window, which may each be several screen
    pixels."""
    sharp = height * arcade.get_window().get_pixel_ratio()
    return next((size for size in SIZES if size >= sharp * 0.96), SIZES[-1])


def figure(name: str, size: int) -> arcade.Texture:
    """Return a painted piece, e.g. ``"infantry_0"``, `size` pixels high."""
    return _figure_texture(name, size, theme.palette())


@cache
def _figure_texture(name: str, size: int, palette: str) -> arcade.Texture:
    image = picture(name).resize((size, size), Image.Resampling.LANCZOS)
    return sprite_picture(image, f"figure-{name}-{size}{palette}")


@cache
def number(count: int, size: int) -> arcade.Texture:
    """Return a disc with a number, `size` pixels high; wider for two digits."""
    height = size * _OVERSAMPLE
    width = height if count < 10 else round(height * 1.35)
    image = Image.new("RGBA", (width, height), (0, 0, 0, 0))
    draw = ImageDraw.Draw(image)
    edge = max(1, height // 11)
    draw.rounded_rectangle((0, 0, width - 1, height - 1), height // 2, fill=theme.NIGHT)
    draw.rounded_rectangle((edge, edge, width - 1 - edge, height - 1 - edge), height // 2, fill=theme.IVORY)
    font = ImageFont.truetype(str(ASSETS / "fonts" / "NotoSans-Bold.ttf"), round(height * 0.78))
    draw.text((width / 2, height * 0.51), str(count), fill=theme.INK, font=font, anchor="mm")
    small = image.resize((max(1, width // _OVERSAMPLE), size), Image.Resampling.LANCZOS)
    return sprite_picture(small, f"number-{count}-{size}")


@cache
def plate(seat: Seat, width: int, height: int) -> arcade.Texture:
    """Return the base of a force in the colour of its owner; width and height in pixels."""
    size = width * _OVERSAMPLE, height * _OVERSAMPLE
    edge, radius = max(2, size[1] // 20), size[1] // 4
    colour = theme.seat_colour(seat)
    image = Image.new("RGBA", size, (0, 0, 0, 0))
    draw = ImageDraw.Draw(image)
    for i, fill in enumerate((theme.NIGHT, theme.GOLD, theme.mix(colour, theme.NIGHT, 0.45))):
        inset = i * edge
        draw.rounded_rectangle((inset, inset, size[0] - 1 - inset, size[1] - 1 - inset), radius - inset, fill=fill)
    inside = (3 * edge, 3 * edge, size[0] - 1 - 3 * edge, size[1] - 1 - 3 * edge)
    draw.rounded_rectangle(inside, max(1, radius - 3 * edge), fill=theme.mix(colour, theme.IVORY, 0.35))
    small = image.resize((width, height), Image.Resampling.LANCZOS)
    # The colour is part of the name, since arcade keeps one texture for each name and palettes change.
    return sprite_picture(small, f"plate-{seat}-{width}-{height}-{colour}")


@cache
def ring(size: int) -> arcade.Texture:
    """Return a soft golden glow, for pieces that can still act."""
    height = size * _OVERSAMPLE
    image = Image.new("RGBA", (height, height), (0, 0, 0, 0))
    draw = ImageDraw.Draw(image)
    steps = 14
    for i in range(steps):
        inset = height * 0.5 * i / steps
        box = (inset, inset, height - 1 - inset, height - 1 - inset)
        draw.ellipse(box, fill=(255, 232, 120, round(245 * ((i + 1) / steps) ** 1.3)))
    return sprite_picture(image.resize((size, size), Image.Resampling.LANCZOS), f"ring-{size}")


def made() -> int:
    """Return the number of pictures made so far."""
    return sum(kind.cache_info().misses for kind in (_figure_texture, number, plate, ring))

"""Pictures of the land behind a battle, by its space and what stands there."""

from functools import cache
from typing import Final

import arcade
from PIL import Image

from client.drawing import theme
from client.drawing.shapes import sprite_picture
from shared.board import BOARD
from shared.ids import Space

_DESERT: Final = frozenset({
    "africa_proconsularis", "arabia_petraea", "caesariensis", "cyrenaica", "egyptus", "mesopotamia", "numidia",
    "palestina", "syria", "tingitana",
})  # fmt: skip
_MOUNTAINS: Final = frozenset({
    "armenia", "cappadocia", "cilicia", "dacia", "dalmatia", "galatia", "moesia", "noricum", "pannonia", "rhaetia",
    "thracia",
})  # fmt: skip


def land(space: Space, built: int) -> str:
    """Return the name of the picture: that of a city, the sea, or the kind of land. `built`: a city stands there."""
    if BOARD.is_sea(space):
        return "sea"
    if built:
        return "city"
    key = BOARD.keys[space]
    return "desert" if key in _DESERT else "mountains" if key in _MOUNTAINS else "coast"


@cache
def scenery(name: str) -> arcade.Texture:
    """Return such a picture; ``"walls"`` are those of a city."""
    with Image.open(theme.ASSETS / "battlefields" / f"{name}.webp") as image:
        return sprite_picture(image.convert("RGBA"), f"battlefield-{name}")

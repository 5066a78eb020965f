"""Draw the program's emblem: `python -m client.workshop.map.emblem` writes it for the window and for every desktop."""

from pathlib import Path
from typing import Final

import numpy as np
from PIL import Image

from client.workshop.map.pieces import ASSETS, COLOURS, GOLD, Colour, Token, box, caesar, curve, mix

DESKTOP: Final = ASSETS.parents[1] / "deploy" / "desktop"
SIDE: Final = 256
FIELD: Final[Colour] = (66, 34, 30)
"""Wood of the table."""
_TURNS: Final = 4
"""Number of times that a square's corners are cut to make them round."""


def emblem() -> Image.Image:
    """Return a Caesar's crown and wreath on a field with a golden edge; a square of `SIDE`."""
    t = Token()
    for colour, inset in ((GOLD, 1.0), (FIELD, 6.0)):
        t.part(colour, curve(box(inset, inset, 128 - inset, 128 - inset), _TURNS), outline=2.0)
    _name, crimson, mark = COLOURS[0]
    caesar(t, mix(crimson, (255, 255, 255), 0.05), mark)
    pixels = np.dstack([t.rgb, t.alpha * 255])
    return Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8)).resize((SIDE, SIDE), Image.Resampling.LANCZOS)


def write(assets: Path, desktop: Path) -> None:
    """Write the files that the window and the recipes of programs use."""
    image = emblem()
    image.save(assets / "icon.png", optimize=True)
    image.save(desktop / "icon.ico", sizes=[(side, side) for side in (16, 24, 32, 48, 64, 128, 256)])
    image.save(desktop / "icon.icns")


if __name__ == "__main__":
    write(ASSETS, DESKTOP)

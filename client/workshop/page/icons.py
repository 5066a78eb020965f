"""Pictures of the page's icon for devices that install it: `python -m client.workshop.page.icons`."""

import re
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

from PIL import Image, ImageDraw

from client.workshop.page.__main__ import FILES

_VIEW: Final = 128
"""Side of the icon's own coordinates."""
_FINE: Final = 4
"""Times that it is drawn larger, to be made smooth by shrinking."""
_COLOURS: Final = 64
_SAFE: Final = 0.8
"""Part of the side that every device shows, whatever shape it cuts the icon to."""
_GROUND: Final = "#42221e"
_SVG: Final = "{http://www.w3.org/2000/svg}"


def drawn(svg: str, side: int) -> Image.Image:
    """Draw rectangles, circles and paths of straight lines in their order; all that the icon has."""
    image = Image.new("RGBA", (side * _FINE, side * _FINE))
    draw, scale = ImageDraw.Draw(image), side * _FINE / _VIEW
    for element in ElementTree.fromstring(svg):
        kind, of = element.tag.removeprefix(_SVG), element.attrib
        width = float(of.get("stroke-width", 0)) * scale
        if kind == "rect":
            x, y, w, h, r = (float(of[name]) * scale for name in ("x", "y", "width", "height", "rx"))
            draw.rounded_rectangle((x, y, x + w, y + h), r, of["fill"])
        elif kind == "circle":
            x, y, r = (float(of[name]) * scale for name in ("cx", "cy", "r"))
            draw.ellipse((x - r, y - r, x + r, y + r), of["fill"], of.get("stroke"), round(width))
        else:
            _path(draw, [(x * scale, y * scale) for x, y in corners(of["d"])], of, width)
    return image.resize((side, side), Image.Resampling.LANCZOS)


def _path(draw: ImageDraw.ImageDraw, points: list[tuple[float, float]], of: dict[str, str], width: float) -> None:
    draw.polygon(points, of["fill"])
    if width:
        # The second point once more, so that the last corner is joined like the others.
        draw.line([*points, *points[:2]], of["stroke"], round(width), joint="curve")


def corners(path: str) -> list[tuple[float, float]]:
    """Return the corners of a path that moves once, goes on in straight lines and ends where it began."""
    found: list[tuple[float, float]] = []
    relative = False
    for command, numbers in re.findall(r"([MLlz])([^MLlz]*)", path):
        values = [float(number) for number in re.findall(r"-?[\d.]+", numbers)]
        relative = command == "l"
        for x, y in zip(values[::2], values[1::2], strict=True):
            before = found[-1] if relative else (0.0, 0.0)
            found.append((before[0] + x, before[1] + y))
    return found


def maskable(svg: str, side: int) -> Image.Image:
    """Return the icon on a ground without edges, small enough for every shape."""
    inner = round(side * _SAFE)
    image = Image.new("RGBA", (side, side), _GROUND)
    # Without its own ground, whose round corners would show on the larger one.
    bare = re.sub(r"<rect[^>]*/>", "", svg)
    icon = drawn(bare, inner)
    image.alpha_composite(icon, ((side - inner) // 2, (side - inner) // 2))
    return image


def write(folder: Path) -> None:
    """Write the pictures."""
    svg = (folder / "icon.svg").read_text("utf-8")
    images = {"icon-192": drawn(svg, 192), "icon-512": drawn(svg, 512), "icon-maskable": maskable(svg, 512)}
    for name, image in images.items():
        image.quantize(_COLOURS).save(folder / f"{name}.png", optimize=True)


if __name__ == "__main__":
    write(FILES)

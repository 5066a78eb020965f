"""Draw the pieces, dice, coins and button icons, and write the palette of the six colours.

Each figure is a pile of parts on a square of 128 units (y down). Drawn as a token, every part gets a shaded fill and a
dark outline, and the whole gets a light edge and a soft shadow. Drawn flat, the same parts make an ink silhouette.
"""

import argparse
import json
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFilter, ImageFont

Floats = npt.NDArray[np.float32]
Xy = tuple[float, float]
Colour = tuple[int, int, int]

ASSETS: Final = Path(__file__).parents[2] / "assets"
SIZE: Final = 128
OVER: Final = 4
FIT: Final = 0.925  # leaves room for the edge and the shadow
INK: Final[Colour] = (40, 24, 16)
CREAM: Final[Colour] = (252, 244, 222)
GOLD: Final[Colour] = (226, 178, 70)
WOOD: Final[Colour] = (150, 104, 62)
STEEL: Final[Colour] = (190, 194, 198)
MARBLE: Final[Colour] = (238, 230, 212)
TILE: Final[Colour] = (186, 92, 58)
STONE: Final[Colour] = (196, 182, 156)

COLOURS: Final[tuple[tuple[str, Colour, str], ...]] = (
    ("Crimson", (182, 36, 40), "sun"),
    ("Azure", (44, 104, 190), "trident"),
    ("Gold", (236, 184, 44), "laurel"),
    ("Jade", (34, 158, 132), "crescent"),
    ("Purple", (112, 48, 148), "star"),
    ("Ebony", (52, 48, 50), "lightning"),
)
SAFE: Final[dict[str, tuple[Colour, ...]]] = {
    "deuteranopia": ((181, 37, 38), (49, 124, 231), (240, 185, 33), (71, 181, 170), (61, 18, 150), (56, 44, 21)),
    "protanopia": ((182, 40, 28), (23, 114, 219), (243, 196, 47), (25, 150, 107), (105, 18, 138), (45, 19, 28)),
    "tritanopia": ((196, 43, 39), (19, 121, 209), (236, 184, 44), (18, 214, 192), (112, 48, 148), (18, 37, 45)),
}
"""Palettes for three kinds of colour blindness, as close to the usual one as possible."""
STRESS: Final = 1.28
"""Factor by which marks are larger with these palettes."""
STRANGERS: Final[tuple[tuple[int, Colour, str, tuple[str, ...]], ...]] = (
    (6, (226, 218, 200), "lozenge", ("infantry", "cavalry", "galley", "marker")),
    (7, (128, 92, 62), "chain", ("infantry", "marker")),
)
"""Neutral pieces, auxiliaries and slaves: number, colour, mark and figures."""


def mix(a: Colour, b: Colour, t: float) -> Colour:
    """Return a colour between two."""
    r, g, bl = (round(x + (y - x) * t) for x, y in zip(a, b, strict=True))
    return r, g, bl


def contrast(colour: Colour) -> Colour:
    """Return cream on dark colours, ink on bright ones."""
    # Brightness as the eye sees it (the weights of ITU-R BT.601).
    bright = 0.3 * colour[0] + 0.59 * colour[1] + 0.11 * colour[2]
    return INK if bright > 150 else CREAM


def curve(points: Sequence[Xy], rounds: int = 2) -> list[Xy]:
    """Return a closed polygon with its corners cut."""
    line = list(points)
    for _ in range(rounds):
        out: list[Xy] = []
        for (ax, ay), (bx, by) in zip(line, line[1:] + line[:1], strict=True):
            out += [
                (ax * 0.75 + bx * 0.25, ay * 0.75 + by * 0.25),
                (ax * 0.25 + bx * 0.75, ay * 0.25 + by * 0.75),
            ]
        line = out
    return line


def arc(x: float, y: float, rx: float, ry: float, start: float, end: float, steps: int = 32) -> list[Xy]:
    """Return points on an ellipse; degrees, clockwise from the right."""
    return [
        (x + rx * math.cos(math.radians(a)), y + ry * math.sin(math.radians(a)))
        for a in np.linspace(start, end, steps).tolist()
    ]


def disc(x: float, y: float, r: float) -> list[Xy]:
    """Return a circle as a polygon."""
    # Not 360: the last point would be the first one again.
    return arc(x, y, r, r, 0, 354, 60)


def bar(a: Xy, b: Xy, width: float) -> list[Xy]:
    """Return a straight beam."""
    length = math.hypot(b[0] - a[0], b[1] - a[1]) or 1.0
    nx, ny = -(b[1] - a[1]) / length * width / 2, (b[0] - a[0]) / length * width / 2
    return [(a[0] + nx, a[1] + ny), (b[0] + nx, b[1] + ny), (b[0] - nx, b[1] - ny), (a[0] - nx, a[1] - ny)]


def box(x0: float, y0: float, x1: float, y1: float) -> list[Xy]:
    """Return a rectangle."""
    return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]


def star(x: float, y: float, outer: float, inner: float, points: int) -> list[Xy]:
    """Return a star with one point up."""
    out: list[Xy] = []
    for k in range(points * 2):
        r = outer if k % 2 == 0 else inner
        a = -math.pi / 2 + math.pi * k / points
        out.append((x + r * math.cos(a), y + r * math.sin(a)))
    return out


def leaf(x: float, y: float, angle: float, length: float, width: float) -> list[Xy]:
    """Return a pointed leaf."""
    c, s = math.cos(angle), math.sin(angle)
    ts = np.linspace(0, 1, 10).tolist()
    local = [(t * length, width * math.sin(math.pi * t**0.85)) for t in ts]
    local += [(t * length, -width * math.sin(math.pi * t**0.85)) for t in reversed(ts)]
    return [(x + u * c - v * s, y + u * s + v * c) for u, v in local]


def wreath(x: float, y: float, radius: float, size: float, gap: float = 0.5, count: int = 8) -> list[list[Xy]]:
    """Return leaves of a laurel wreath that is open at the top."""
    out: list[list[Xy]] = []
    for side in (-1, 1):
        for k in range(count):
            a = math.pi / 2 - side * (0.12 + (math.pi - gap - 0.12) * k / (count - 1))
            px, py = x + radius * math.cos(a), y + radius * math.sin(a)
            grow = a - side * math.pi / 2
            out.append(leaf(px, py, grow + 0.6, size, size * 0.25))
            out.append(leaf(px, py, grow - 0.6, size, size * 0.25))
    return out


def mark_parts(mark: str, x: float, y: float, r: float) -> list[list[Xy]]:
    """Return the polygons of a mark in a circle."""
    if mark == "sun":
        rays = []
        for k in range(8):
            a = math.tau * k / 8
            tip = (x + r * math.cos(a), y + r * math.sin(a))
            left, right = ((x + 0.55 * r * math.cos(a + d), y + 0.55 * r * math.sin(a + d)) for d in (-0.34, 0.34))
            rays.append([tip, left, right])
        return [disc(x, y, r * 0.48), *rays]
    if mark == "star":
        return [star(x, y + r * 0.06, r * 1.05, r * 0.43, 5)]
    if mark == "crescent":
        outer = arc(x - r * 0.05, y, r * 0.98, r * 0.98, 50, 310, 40)
        inner = arc(x + r * 0.28, y, r * 0.78, r * 0.78, 298, 62, 40)
        return [outer + inner]
    if mark == "lightning":
        shape = [(0.25, -1), (-0.62, 0.18), (-0.08, 0.18), (-0.3, 1), (0.64, -0.26), (0.1, -0.26), (0.58, -1)]
        return [[(x + u * r, y + v * r) for u, v in shape]]
    if mark == "trident":
        w = r * 0.2
        cup = arc(x, y - r * 0.28, r * 0.66, r * 0.56, 0, 180, 24) + arc(x, y - r * 0.28, r * 0.4, r * 0.3, 180, 0, 24)
        parts = [bar((x, y - r * 0.7), (x, y + r), w * 1.15), cup]
        parts += [bar((x + d, y - r * 0.25), (x + d, y - r * 0.66), w * 1.2) for d in (-0.53 * r, 0.53 * r)]
        for dx, top in ((-0.53, -0.96), (0.0, -1.08), (0.53, -0.96)):
            px, py, low = x + dx * r, y + top * r, y + (top + 0.42) * r
            parts.append([(px, py), (px + 0.24 * r, low), (px - 0.24 * r, low)])
        return parts
    if mark == "lozenge":
        # A single polygon with a hole: a cut leads to the inner outline and back.
        outer = [(x, y - r), (x + r * 0.78, y), (x, y + r), (x - r * 0.78, y)]
        inner = [(x + (px - x) * 0.5, y + (py - y) * 0.5) for px, py in outer]
        return [[*outer, outer[0], inner[0], *reversed(inner)]]
    if mark == "chain":
        links = []
        for way in (-1, 1):
            mx, my = x + way * r * 0.42, y + way * r * 0.42
            links.append(arc(mx, my, r * 0.56, r * 0.56, 0, 360, 40) + arc(mx, my, r * 0.32, r * 0.32, 360, 0, 40))
        return links
    if mark == "none":
        return []
    ring = arc(x, y, r * 0.78, r * 0.78, -52, 232, 40) + arc(x, y, r * 0.62, r * 0.62, 232, -52, 40)
    return [ring, *wreath(x, y, r * 0.7, r * 0.55, 0.62, 5)]


class Token:
    """Piece while it is being drawn."""

    def __init__(self, flat: bool = False, stress: float = 1.0) -> None:
        """`stress`: factor by which marks are larger than usual."""
        n = SIZE * OVER
        self.flat = flat
        self.stress = stress
        self.rgb = np.zeros((n, n, 3), np.float32)
        self.alpha = np.zeros((n, n), np.float32)

    def mask(self, shapes: Sequence[Sequence[Xy]]) -> Floats:
        """Return the coverage by any of the polygons, 0 to 1."""
        image = Image.new("L", (SIZE * OVER, SIZE * OVER), 0)
        draw = ImageDraw.Draw(image)
        for shape in shapes:
            draw.polygon([((64 + (x - 64) * FIT) * OVER, (62.5 + (y - 64) * FIT) * OVER) for x, y in shape], fill=255)
        return np.asarray(np.asarray(image, np.float32) / 255, np.float32)

    def grow(self, mask: Floats, by: float) -> Floats:
        """Return the mask, wider by `by` units."""
        r = max(1, round(by * OVER))
        image = Image.fromarray((mask * 255).astype(np.uint8))
        wide = np.asarray(image.filter(ImageFilter.GaussianBlur(r * 0.62)), np.float32) / 255
        # A steep ramp on the blurred mask: its edge moves outwards, and stays round and smooth.
        return np.clip((wide - 0.12) * 14, 0, 1).astype(np.float32)

    def part(self, colour: Colour, *shapes: Sequence[Xy], outline: float = 2.6, shade: float = 0.34) -> None:
        """Draw a filled part with a dark outline."""
        mask = self.mask(shapes)
        outlined = self.grow(mask, outline) if outline else mask
        if self.flat:
            # A silhouette has one colour, so that the outline of a part is cut out of those below it.
            self.alpha = np.where(outlined > 0.5, mask, self.alpha)
            return
        self.rgb += (np.asarray(INK, np.float32) - self.rgb) * outlined[..., None]
        rows = np.nonzero(mask.max(axis=1))[0]
        t = np.clip((np.arange(mask.shape[0]) - rows.min()) / max(1, np.ptp(rows)), 0, 1)[:, None, None]
        top = np.asarray(mix(colour, (255, 246, 224), shade), np.float32)
        low = np.asarray(mix(colour, (24, 12, 20), shade), np.float32)
        self.rgb += (top + (low - top) * t - self.rgb) * mask[..., None]
        self.alpha = np.maximum(self.alpha, outlined)

    def paint(self, colour: Colour, *shapes: Sequence[Xy], strength: float = 1.0) -> None:
        """Draw a detail without outline; in flat drawing it is cut out."""
        mask = self.mask(shapes)
        if self.flat:
            self.alpha = np.clip(self.alpha - mask, 0, 1)
            return
        self.rgb += (np.asarray(colour, np.float32) - self.rgb) * (mask * strength)[..., None]

    def finish(self, edge: float = 3.2, shadow: bool = True) -> Image.Image:
        """Return the finished picture."""
        n = SIZE * OVER
        if self.flat:
            out = np.zeros((n, n, 4), np.float32)
            out[..., :3] = INK
            out[..., 3] = self.alpha * 255
            return Image.fromarray(out.astype(np.uint8)).resize((SIZE, SIZE), Image.Resampling.LANCZOS)
        halo = self.grow(self.alpha, edge) if edge else self.alpha
        rgb = np.asarray(CREAM, np.float32) + (self.rgb - np.asarray(CREAM, np.float32)) * self.alpha[..., None]
        alpha = halo
        if shadow:
            # What is rolled over the edge is empty: FIT leaves room there.
            moved = np.roll(halo, (2 * OVER, OVER), (0, 1))
            soft = Image.fromarray((moved * 255).astype(np.uint8)).filter(ImageFilter.GaussianBlur(2.2 * OVER))
            dark = np.asarray(soft, np.float32) / 255 * 0.55
            rgb = np.asarray((28, 16, 8), np.float32) + (rgb - np.asarray((28, 16, 8), np.float32)) * halo[..., None]
            alpha = np.maximum(halo, dark)
        # Premultiply for the reduction, so that no dark fringe appears.
        stack = np.dstack([rgb * alpha[..., None], alpha * 255]).reshape(SIZE, OVER, SIZE, OVER, 4).mean(axis=(1, 3))
        cover = np.maximum(stack[..., 3:] / 255, 1e-4)
        out = np.dstack([stack[..., :3] / cover, stack[..., 3]])
        return Image.fromarray(np.clip(out, 0, 255).astype(np.uint8))


Draw = Callable[[Token, Colour, str], None]


def badge(t: Token, colour: Colour, mark: str, x: float, y: float, r: float) -> None:
    """Draw a round shield with the mark."""
    if t.flat:
        return
    r *= t.stress
    t.part(GOLD, disc(x, y, r), outline=2.2)
    t.part(mix(colour, INK, 0.12), disc(x, y, r - 3), outline=0, shade=0.12)
    t.paint(contrast(colour), *mark_parts(mark, x, y, r * 0.6))


def infantry(t: Token, colour: Colour, mark: str) -> None:
    """Draw a legionary's helmet above a long shield, and a spear."""
    t.part(WOOD, bar((104, 30), (104, 120), 5))
    t.part(STEEL, [(104, 6), (111, 22), (106, 34), (102, 34), (97, 22)])
    crest = arc(58, 40, 32, 32, 185, 355, 30) + arc(58, 42, 21, 21, 350, 190, 30)
    t.part(mix(colour, (255, 240, 220), 0.12), crest)
    t.part(STEEL, [*arc(58, 44, 22, 24, 180, 360, 30), (80, 62), (72, 66), (44, 66), (36, 62)])
    t.paint(INK, [(43, 48), (73, 48), (73, 54), (43, 54)], strength=0.85)
    t.paint(mix(STEEL, INK, 0.2), bar((58, 46), (58, 60), 6))
    shield = curve([(24, 58), (58, 53), (92, 58), (93, 90), (91, 116), (58, 123), (25, 116), (23, 90)], 1)
    t.part(GOLD, shield)
    inner = curve([(29, 63), (58, 58.5), (87, 63), (88, 90), (86, 111), (58, 117), (30, 111), (28, 90)], 1)
    t.part(colour, inner, outline=1.0)
    t.paint(contrast(colour), *mark_parts(mark, 58, 88, 21 * t.stress))


def cavalry(t: Token, colour: Colour, mark: str) -> None:
    """Draw a war horse's head with mane and bridle."""
    mane = curve([(70, 8), (86, 16), (100, 34), (110, 62), (114, 96), (112, 120), (92, 120), (84, 70), (66, 30)], 2)
    t.part(mix(colour, INK, 0.45), mane)
    head = [
        (64, 6), (72, 18), (84, 32), (95, 54), (100, 84), (102, 120), (36, 120), (38, 108), (52, 94), (60, 80),
        (56, 76), (46, 80), (40, 88), (32, 93), (22, 90), (15, 80), (18, 68), (32, 50), (42, 34), (54, 24), (58, 14),
    ]  # fmt: skip
    t.part(colour, curve(head, 1))
    t.paint(INK, disc(53, 43, 4.4))
    t.paint(CREAM, disc(51.8, 41.8, 1.5))
    t.paint(INK, curve([(21, 76), (26, 74), (27, 79), (23, 81)], 2))
    t.paint(INK, bar((18, 87), (36, 79), 2.6))
    for a, b in (((42, 34), (58, 76)), ((31, 52), (47, 80)), ((36, 66), (56, 58))):
        t.paint(GOLD, bar(a, b, 3.6))
    badge(t, colour, mark, 76, 92, 21)


def catapult(t: Token, colour: Colour, mark: str) -> None:
    """Draw a stone thrower on wheels."""
    t.part(WOOD, bar((26, 96), (94, 30), 9))
    t.part(WOOD, curve([(84, 26), (104, 46), (112, 34), (98, 18)], 1))
    t.part(STONE, disc(102, 25, 14))
    t.paint(mix(STONE, CREAM, 0.6), disc(97, 20, 4), strength=0.7)
    t.part(mix(WOOD, INK, 0.2), bar((50, 92), (66, 40), 8), bar((90, 92), (70, 40), 8))
    t.part(WOOD, bar((56, 44), (80, 44), 11))
    t.part(colour, box(10, 82, 118, 99))
    t.paint(GOLD, box(10, 84, 118, 87.5))
    for x in (30, 98):
        t.part(mix(WOOD, INK, 0.25), disc(x, 106, 17))
        if not t.flat:
            t.part(WOOD, disc(x, 106, 12), outline=0)
        for a in (0, 45, 90, 135):
            dx, dy = 12 * math.cos(math.radians(a)), 12 * math.sin(math.radians(a))
            t.paint(INK, bar((x - dx, 106 - dy), (x + dx, 106 + dy), 2.4), strength=0.7)
    badge(t, colour, mark, 64, 92, 21)


def galley(t: Token, colour: Colour, mark: str) -> None:
    """Draw a ship under sail with ram and oars."""
    t.part(WOOD, bar((64, 6), (64, 88), 5.5))
    t.part(WOOD, bar((26, 17), (102, 17), 5))
    sail = curve([(28, 19), (100, 19), (106, 46), (103, 74), (84, 69), (64, 72), (44, 69), (25, 74), (22, 46)], 1)
    t.part(colour, sail)
    t.paint(mix(colour, INK, 0.3), bar((42, 22), (39, 67), 1.6), bar((86, 22), (89, 67), 1.6), strength=0.6)
    t.paint(contrast(colour), *mark_parts(mark, 64, 45, 20 * t.stress))
    for x in (34, 48, 62, 76, 90):
        t.part(WOOD, bar((x, 98), (x - 9, 121), 4.4), outline=1.6)
    hull = [
        (2, 96), (16, 92), (22, 82), (38, 84), (90, 84), (104, 78), (112, 64), (108, 56), (116, 50), (125, 60),
        (122, 80), (112, 100), (98, 110), (32, 110), (18, 103),
    ]  # fmt: skip
    t.part(mix(WOOD, colour, 0.25), curve(hull, 1))
    t.paint(GOLD, curve([(14, 95), (100, 92), (113, 84), (112, 88), (100, 97), (14, 99)], 1))
    t.paint(CREAM, disc(24, 90.5, 4))
    t.paint(INK, disc(23.5, 90.5, 2))


def general(t: Token, colour: Colour, mark: str) -> None:
    """Draw a legion's standard: eagle, crossbar and banner."""
    t.part(WOOD, bar((64, 26), (64, 112), 6.5))
    t.part(mix(WOOD, INK, 0.15), curve([(40, 112), (88, 112), (96, 122), (32, 122)], 1))
    wing = [(64, 26), (52, 24), (40, 16), (22, 4), (26, 18), (34, 27), (46, 33), (64, 36)]
    t.part(
        GOLD,
        wing,
        [(128 - x, y) for x, y in wing],
        curve([(56, 10), (64, 6), (72, 12), (72, 38), (56, 38)], 1),
    )
    t.paint(INK, disc(67, 14, 1.8))
    t.part(GOLD, bar((20, 43), (108, 43), 7), disc(20, 43, 6), disc(108, 43, 6))
    t.part(GOLD, [(28, 92), *[(28 + 9 * k, 102 if k % 2 else 95) for k in range(9)], (100, 92)])
    t.part(colour, box(28, 46, 100, 93))
    t.paint(GOLD, box(32, 50, 96, 52), box(32, 88, 96, 90), box(32, 50, 34, 90), box(94, 50, 96, 90))
    t.paint(contrast(colour), *mark_parts(mark, 64, 70, 16.5 * t.stress))


def caesar(t: Token, colour: Colour, mark: str) -> None:
    """Draw a radiate crown above a laurel wreath around the mark."""
    ribbon = curve([(52, 104), (42, 126), (54, 120), (62, 108)], 1)
    t.part(mix(colour, INK, 0.2), ribbon, [(128 - x, y) for x, y in ribbon])
    crown = [(34, 38), (26, 10), (44, 22), (50, 4), (64, 20)]
    crown += [(78, 4), (84, 22), (102, 10), (94, 38), (64, 46)]
    t.part(GOLD, crown)
    for x, y in ((26, 9), (50, 5), (78, 5), (102, 9)):
        t.part(CREAM, disc(x, y, 4), outline=1.8)
    t.part(colour, disc(64, 70, 37))
    t.paint(mix(colour, (255, 255, 255), 0.25), *[arc(64, 70, 34, 34, 200, 290) + arc(64, 70, 31, 31, 290, 200)])
    t.part(GOLD, *wreath(64, 70, 38, 20, 0.5, 9), outline=1.9)
    t.part(GOLD, disc(64, 109, 6), outline=1.9)
    t.paint(contrast(colour), *mark_parts(mark, 64, 70, 23 * t.stress))


def marker(t: Token, colour: Colour, mark: str) -> None:
    """Draw a round control marker."""
    t.part(mix(colour, INK, 0.25), disc(64, 64, 54), outline=3)
    t.part(GOLD, disc(64, 64, 49), outline=0, shade=0.3)
    t.part(colour, disc(64, 64, 44.5), outline=1.6, shade=0.22)
    t.paint(contrast(colour), *mark_parts(mark, 64, 64, 31 * t.stress))


def temple(t: Token, x: float, y: float, w: float, h: float, roof: Colour = TILE) -> None:
    """Draw a temple front; `y` is the ground."""
    t.part(MARBLE, box(x - w / 2, y - h * 0.13, x + w / 2, y))
    t.part(mix(MARBLE, INK, 0.5), box(x - w * 0.4, y - h * 0.62, x + w * 0.4, y - h * 0.12), outline=1.5)
    for k in range(4):
        c = x - w * 0.345 + w * 0.23 * k
        t.part(MARBLE, box(c - w * 0.055, y - h * 0.6, c + w * 0.055, y - h * 0.12), outline=1.5, shade=0.1)
    t.part(MARBLE, box(x - w * 0.46, y - h * 0.7, x + w * 0.46, y - h * 0.59), outline=2)
    t.part(roof, [(x - w * 0.52, y - h * 0.69), (x, y - h), (x + w * 0.52, y - h * 0.69)])
    gable = [(x - w * 0.3, y - h * 0.735), (x, y - h * 0.9), (x + w * 0.3, y - h * 0.735)]
    t.part(MARBLE, gable, outline=1.2, shade=0.1)


def house(t: Token, x: float, y: float, w: float, h: float) -> None:
    """Draw a small tiled house."""
    t.part(mix(MARBLE, (226, 190, 130), 0.5), box(x - w / 2, y - h * 0.62, x + w / 2, y))
    t.part(
        TILE,
        [
            (x - w * 0.6, y - h * 0.6),
            (x - w * 0.36, y - h),
            (x + w * 0.36, y - h),
            (x + w * 0.6, y - h * 0.6),
        ],
    )
    t.paint(INK, box(x - w * 0.1, y - h * 0.34, x + w * 0.1, y), strength=0.8)


def city(t: Token) -> None:
    """Draw houses around a temple."""
    house(t, 27, 92, 36, 42)
    house(t, 101, 92, 36, 42)
    temple(t, 64, 108, 82, 92)


def tower(t: Token, x: float, top: float, bottom: float, w: float) -> None:
    """Draw a round wall tower with battlements."""
    t.part(STONE, box(x - w / 2, top + 8, x + w / 2, bottom))
    merlons = [box(x - w * 0.6 + w * 0.44 * k, top - 5, x - w * 0.6 + w * (0.44 * k + 0.32), top + 7) for k in range(3)]
    t.part(STONE, *merlons, box(x - w * 0.6, top + 4, x + w * 0.6, top + 13))
    t.paint(INK, box(x - 2, top + 20, x + 2, top + 32), strength=0.85)


def fortified(t: Token) -> None:
    """Draw the city behind a wall with towers and a gate."""
    house(t, 34, 72, 30, 34)
    house(t, 94, 72, 30, 34)
    temple(t, 64, 84, 70, 74)
    merlons = [box(24 + 11.6 * k, 72, 31 + 11.6 * k, 84) for k in range(7)]
    t.part(STONE, box(18, 82, 110, 116), *merlons)
    for row in range(3):
        for k in range(6):
            x = 28 + 14 * k + (7 if row % 2 else 0)
            t.paint(mix(STONE, INK, 0.35), box(x, 90 + 8 * row, x + 8, 91.6 + 8 * row), strength=0.7)
    tower(t, 19, 64, 118, 22)
    tower(t, 109, 64, 118, 22)
    t.part(mix(STONE, INK, 0.82), [(53, 116), *arc(64, 100, 11, 12, 180, 360, 20), (75, 116)], outline=2.4)


def coin(t: Token, value: int) -> None:
    """Draw a talent coin."""
    metal = GOLD if value == 10 else (196, 200, 204)
    dark = (112, 70, 16) if value == 10 else (70, 76, 84)
    t.part(metal, disc(64, 64, 52), outline=3)
    t.part(metal, disc(64, 64, 44), outline=1.2, shade=0.22)
    for k in range(40):
        a = math.tau * k / 40
        t.paint(dark, disc(64 + 48 * math.cos(a), 64 + 48 * math.sin(a), 1.5), strength=0.6)
    t.paint(mix(metal, (255, 255, 255), 0.5), arc(64, 64, 40, 40, 195, 285) + arc(64, 64, 37, 37, 285, 195))
    font = ImageFont.truetype(str(ASSETS / "fonts" / "Cinzel-Bold.ttf"), (62 if value == 5 else 54) * OVER)
    image = Image.new("L", (SIZE * OVER, SIZE * OVER), 0)
    left, top, right, low = font.getbbox(str(value), anchor="ls")
    at = (64 * OVER - (left + right) / 2, 62.5 * OVER - (top + low) / 2)
    ImageDraw.Draw(image).text(at, str(value), font=font, fill=255, anchor="ls")
    mask = np.asarray(image, np.float32) / 255
    t.rgb += (np.asarray(dark, np.float32) - t.rgb) * mask[..., None]


def die(symbol: Image.Image | None) -> Image.Image:
    """Return an ivory die face."""
    t = Token()
    corner = 20.0
    shape: list[Xy] = []
    for cx, cy, start in ((108, 20, -90), (108, 108, 0), (20, 108, 90), (20, 20, 180)):
        dx, dy = (-corner if cx > 64 else corner), (-corner if cy > 64 else corner)
        ox, oy = (8 if cx > 64 else -8), (8 if cy > 64 else -8)
        shape += arc(cx + dx + ox, cy + dy + oy, corner, corner, start, start + 90, 12)
    t.part((240, 230, 206), shape, outline=3, shade=0.22)
    inner = [(64 + (x - 64) * 0.86, 64 + (y - 64) * 0.86) for x, y in shape]
    t.part((250, 243, 224), inner, outline=0, shade=0.08)
    face = t.finish(edge=0)
    if symbol:
        small = symbol.resize((84, 84), Image.Resampling.LANCZOS)
        face.alpha_composite(small, (22, 22))
    return face


PIPS: Final = ((4,), (0, 8), (0, 4, 8), (0, 2, 6, 8), (0, 2, 4, 6, 8), (0, 2, 3, 5, 6, 8))
"""Pips of a face, as indices of its nine places, by the number that the face counts."""


def pips(count: int) -> Image.Image:
    """Return a face of an ordinary die."""
    t = Token()
    for place in PIPS[count - 1]:
        x, y = 36 + 28 * (place % 3), 36 + 28 * (place // 3)
        t.part((150, 34, 28) if count == 1 else INK, disc(x, y, 14 if count == 1 else 10.5), outline=0, shade=0.3)
    face = die(None)
    face.alpha_composite(t.finish(edge=0))
    return face


FIGURES: Final[dict[str, Draw]] = {
    "caesar": caesar,
    "general": general,
    "infantry": infantry,
    "cavalry": cavalry,
    "catapult": catapult,
    "galley": galley,
    "marker": marker,
}


def palette() -> dict[str, object]:
    """Return the six colours as data, and their replacements for colour blindness."""
    return {
        "colours": [
            {
                "name": name,
                "rgb": list(rgb),
                "dark": list(mix(rgb, (20, 10, 16), 0.5)),
                "light": list(mix(rgb, (255, 248, 232), 0.55)),
                "mark": mark,
            }
            for name, rgb, mark in COLOURS
        ],
        "safe": {kind: [list(rgb) for rgb in colours] for kind, colours in SAFE.items()},
    }


def painted(draw: Draw, rgb: Colour, mark: str, stress: float = 1.0) -> Image.Image:
    """Return a figure in a colour; `stress`: factor by which its mark is larger than usual."""
    t = Token(stress=stress)
    draw(t, rgb, mark)
    return t.finish()


def flat(draw: Draw | Callable[[Token], None]) -> Image.Image:
    """Return a figure as an ink silhouette."""
    t = Token(flat=True)
    if draw in FIGURES.values():
        draw(t, INK, "none")  # type: ignore[call-arg]
    else:
        draw(t)  # type: ignore[call-arg]
    return t.finish()


def main() -> None:
    """Draw everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ASSETS)
    out: Path = parser.parse_args().out
    (out / "pieces").mkdir(parents=True, exist_ok=True)
    (out / "palette.json").write_text(json.dumps(palette(), indent=1) + "\n")

    def save(image: Image.Image, name: str) -> None:
        image.save(out / "pieces" / f"{name}.png", optimize=True)

    for figure, draw in FIGURES.items():
        for seat, (_, rgb, mark) in enumerate(COLOURS):
            save(painted(draw, rgb, mark), f"{figure}_{seat}")
    for kind, colours in SAFE.items():
        (out / "pieces" / kind).mkdir(exist_ok=True)
        for figure, draw in FIGURES.items():
            for seat, rgb in enumerate(colours):
                image = painted(draw, rgb, COLOURS[seat][2], STRESS)
                # Of Pillow's own methods only this one keeps alpha.
                save(image.quantize(256, method=Image.Quantize.FASTOCTREE), f"{kind}/{figure}_{seat}")
    for number, rgb, mark, figures in STRANGERS:
        for figure in figures:
            save(painted(FIGURES[figure], rgb, mark), f"{figure}_{number}")
    for seat, (_, _, mark) in enumerate(COLOURS):
        t = Token(flat=True)
        t.part(INK, *mark_parts(mark, 64, 64, 54), outline=0)
        save(t.finish(), f"mark_{seat}")
    for name, build in (("city", city), ("fortified", fortified)):
        t = Token()
        build(t)
        save(t.finish(), name)
        save(flat(build), f"icon_{name}")
    for value in (5, 10):
        t = Token()
        coin(t, value)
        save(t.finish(edge=2), f"coin{value}")
    icons = {name: flat(draw) for name, draw in FIGURES.items() if name != "marker"}
    for name, image in icons.items():
        save(image, f"icon_{name}")
    for name in ("infantry", "cavalry", "catapult", "galley"):
        save(die(icons[name]), f"die_{name}")
    save(die(None), "die_blank")
    for count in range(1, 7):
        save(pips(count), f"die_{count}")


if __name__ == "__main__":
    main()

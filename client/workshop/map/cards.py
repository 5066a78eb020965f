"""Paint the pictures and symbols of the cards of the second game, as a vase painter would: black on clay.

A picture is 160 by 120 units (y down). Figures are black; their details are scratched out, so that the clay shows. A
few details are laid over in white, red and gold. The pieces of the game lend their silhouettes.
"""

import argparse
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from client.workshop.map import pieces as p
from client.workshop.map.pieces import star as star_of

WIDTH: Final = 160
HEIGHT: Final = 120
SCALE: Final = 2
"""Pixels of the finished picture for each unit."""
OVER: Final = 4
GLAZE: Final[p.Colour] = (30, 20, 17)
CLAY: Final[p.Colour] = (214, 124, 68)
CLAY_DEEP: Final[p.Colour] = (172, 86, 44)
WHITE: Final[p.Colour] = (246, 232, 204)
RED: Final[p.Colour] = (140, 34, 30)
GOLD: Final[p.Colour] = (240, 196, 96)
_UNIT: Final = SCALE * OVER

Shape = Sequence[p.Xy]


class Vase:
    """Picture while it is being painted."""

    def __init__(self) -> None:
        self.ink = Image.new("RGBA", (WIDTH * _UNIT, HEIGHT * _UNIT), (0, 0, 0, 0))
        self._draw = ImageDraw.Draw(self.ink)

    def figure(self, *shapes: Shape, colour: p.Colour = GLAZE) -> None:
        """Paint filled shapes."""
        for shape in shapes:
            self._draw.polygon([(x * _UNIT, y * _UNIT) for x, y in shape], fill=(*colour, 255))

    def cut(self, *shapes: Shape) -> None:
        """Scratch out shapes."""
        for shape in shapes:
            self._draw.polygon([(x * _UNIT, y * _UNIT) for x, y in shape], fill=(0, 0, 0, 0))

    def line(self, points: Shape, width: float, colour: p.Colour | None = GLAZE) -> None:
        """Paint a line with round ends; without a colour it is scratched."""
        fill = (0, 0, 0, 0) if colour is None else (*colour, 255)
        whole = [(x * _UNIT, y * _UNIT) for x, y in points]
        self._draw.line(whole, fill=fill, width=round(width * _UNIT), joint="curve")
        r = width * _UNIT / 2
        for x, y in (whole[0], whole[-1]):
            self._draw.ellipse((x - r, y - r, x + r, y + r), fill=fill)

    def stamp(self, name: str, x: float, y: float, size: float, colour: p.Colour = GLAZE, turned: bool = False) -> None:
        """Paint the silhouette of a piece, its middle at (x, y)."""
        token = p.Token(flat=True)
        if name == "city":
            p.city(token)
        else:
            p.FIGURES[name](token, p.COLOURS[0][1], "none")
        # Drawn in the piece's own size and scaled: its shapes are made for a square of 128 units.
        mask = Image.fromarray((token.alpha * 255).astype(np.uint8)).resize(
            (round(size * _UNIT),) * 2, Image.Resampling.LANCZOS
        )
        if turned:
            mask = mask.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
        corner = round((x - size / 2) * _UNIT), round((y - size / 2) * _UNIT)
        self.ink.paste((*colour, 255), corner, mask)

    def finish(self) -> Image.Image:
        """Return the picture on its clay, with a band of tongues above and the ground below."""
        for k in range(20):
            x = 4 + 8 * k
            self.figure([(x - 2.6, 0), (x + 2.6, 0), *p.arc(x, 4.6, 2.6, 3.4, 0, 180, 10)])
        self.figure(p.box(0, 9.2, WIDTH, 10.2), p.box(0, 114, WIDTH, 115.6), p.box(0, 117.6, WIDTH, HEIGHT))
        width, height = WIDTH * SCALE, HEIGHT * SCALE
        across, down = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
        dark = np.clip((across**2 + down**2) / 2, 0, 1)[..., None]
        noise = np.random.default_rng(5).integers(0, 255, (height, width), np.uint8)
        soft = np.asarray(Image.fromarray(noise).filter(ImageFilter.GaussianBlur(0.8)), np.float32)
        clay = np.asarray(CLAY) + (np.asarray(CLAY_DEEP) - np.asarray(CLAY)) * dark + (soft[..., None] - 127) * 0.13
        ground = Image.fromarray(np.clip(clay, 0, 255).astype(np.uint8)).convert("RGBA")
        # Reduced with premultiplied alpha, so that no dark fringe appears along the scratched lines.
        ground.alpha_composite(self.ink.convert("RGBa").resize((width, height), Image.Resampling.BOX).convert("RGBA"))
        return ground.convert("RGB")


def flip(shape: Shape, middle: float = WIDTH / 2) -> list[p.Xy]:
    """Return the mirror image about a vertical line."""
    return [(2 * middle - x, y) for x, y in shape]


def turn(shape: Shape, x: float, y: float, degrees: float) -> list[p.Xy]:
    """Return a shape rotated about a point."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return [(x + (px - x) * c - (py - y) * s, y + (px - x) * s + (py - y) * c) for px, py in shape]


def waves(v: Vase, y: float) -> None:
    """Paint running waves over the whole width, and the sea below them."""
    for k in range(-1, 10):
        x = 17 * k
        v.figure([(x - 2, y + 8), *p.arc(x + 8, y + 5, 9, 10, 180, 330, 20), (x + 11, y + 2), (x + 13, y + 8)])
        v.line(p.arc(x + 12, y + 0.6, 3.6, 3.6, 170, 400, 16), 1.8)
    v.figure(p.box(0, y + 7, WIDTH, 114))
    for k in range(9):
        v.line([(18 * k + 4, y + 11), (18 * k + 13, y + 11)], 1.0, None)


def coins(v: Vase, x: float, y: float, number: int) -> None:
    """Paint a pile of coins, the lowest at y."""
    for k in range(number):
        top = y - 6 * k
        v.figure(
            p.arc(x + (k % 2), top, 13, 4.6, 0, 360),
            [(x - 13, top - 3), (x + 13, top - 3), (x + 13, top), (x - 13, top)],
        )
        v.figure(p.arc(x + (k % 2), top - 3.4, 13, 4.6, 0, 360), colour=GOLD)
        v.line(p.arc(x + (k % 2), top - 3.4, 13, 4.6, 0, 360), 1.0)
        v.line(p.arc(x + (k % 2), top - 3.4, 8, 2.6, 0, 360), 0.8)


def laurel(v: Vase, x: float, y: float, radius: float, size: float, colour: p.Colour = GOLD) -> None:
    """Paint a wreath."""
    v.line(p.arc(x, y, radius, radius, -60, 240, 60), 1.6, colour)
    v.figure(*p.wreath(x, y, radius, size, 0.55, 10), colour=colour)


# --- goods of the merchants ---


def wheat(v: Vase) -> None:
    """Paint a sheaf of wheat."""
    for k in range(-4, 5):
        lean = k * 8.4
        top = (80 + lean, 24 + abs(k) * 3.2)
        v.line([(80 + k * 1.6, 76), (80 + lean * 0.5, 50), top], 1.6)
        for j in range(5):
            y = top[1] + j * 6
            x = top[0] - lean * 0.075 * j
            for way in (-1, 1):
                v.figure(p.leaf(x, y + 4, -math.pi / 2 + way * 0.62 + lean * 0.012, 9, 2.3))
        v.line([(80 + k * 1.4, 76), (80 + k * 4.6, 112)], 2.4)
    v.figure(p.curve([(66, 70), (94, 70), (93, 80), (67, 80)], 1), colour=RED)
    v.line([(67, 75), (93, 75)], 1.0, WHITE)


def olives(v: Vase) -> None:
    """Paint an oil jar and a branch of olives."""
    jar(v, 54, 20, 0.92)
    v.line([(92, 108), (104, 72), (124, 34)], 2.4)
    for k in range(7):
        t = k / 6
        x, y = 93 + 30 * t, 104 - 68 * t
        for way in (-1, 1):
            v.figure(p.leaf(x, y, -1.1 + way * 0.95, 22, 4))
        if k % 2:
            v.figure(p.disc(x + 11, y + 7, 4.6))
            v.line(p.arc(x + 11, y + 7, 2.6, 2.6, 190, 260, 8), 1.0, None)


def jar(v: Vase, x: float, top: float, size: float) -> None:
    """Paint an amphora, its middle at x."""

    def at(points: Shape) -> list[p.Xy]:
        return [(x + px * size, top + py * size) for px, py in points]

    for way in (-1, 1):
        v.line(at([(way * 8, 8), (way * 20, 10), (way * 21, 24), (way * 15, 34)]), 3.4 * size)
    body = [
        (-9, 0),
        (9, 0),
        (9, 4),
        (6, 8),
        (6, 22),
        (20, 36),
        (22, 54),
        (14, 78),
        (5, 92),
        (8, 99),
        (-8, 99),
        (-5, 92),
    ]
    body += [(-14, 78), (-22, 54), (-20, 36), (-6, 22), (-6, 8), (-9, 4)]
    v.figure(at(body))
    v.line(at([(-19, 42), (19, 42)]), 1.4 * size, None)
    v.line(at([(-21, 58), (21, 58)]), 1.4 * size, None)
    for k in range(-3, 4):
        v.cut(at([(k * 5.6 - 2.6, 54), (k * 5.6, 46), (k * 5.6 + 2.6, 54)]))


def ingots(v: Vase) -> None:
    """Paint bars of silver in a pile."""
    for row, number in enumerate((1, 2, 3)):
        for k in range(number):
            x, y = 80 + (k - (number - 1) / 2) * 42, 52 + row * 25
            v.figure([(x - 14, y - 10), (x + 12, y - 10), (x + 20, y + 12), (x - 22, y + 12)])
            v.figure([(x - 12, y - 7.5), (x + 10, y - 7.5), (x + 14, y + 2), (x - 17, y + 2)], colour=WHITE)
            v.line([(x - 4, y - 5), (x + 4, y - 0.5)], 1.4)
            v.line([(x + 4, y - 5), (x - 4, y - 0.5)], 1.4)
    for x, y in ((34, 34), (126, 34), (112, 22)):
        v.figure(star_of(x, y, 8, 2.2, 4), colour=WHITE)


def grapes(v: Vase) -> None:
    """Paint a bunch of grapes with leaves."""
    v.line([(46, 26), (78, 22), (112, 30)], 3.0)
    v.line([(80, 22), (80, 40)], 2.6)
    for row, number in enumerate((5, 6, 5, 4, 3, 2, 1)):
        for k in range(number):
            x, y = 80 + (k - (number - 1) / 2) * 11.5, 42 + row * 10
            v.figure(p.disc(x, y, 6.8))
            v.line(p.arc(x, y, 4.2, 4.2, 190, 265, 10), 1.2, None)
    for x, y, angle in ((40, 36, 2.5), (120, 38, 0.6)):
        for d, long in ((-0.9, 18), (-0.45, 24), (0.0, 27), (0.45, 24), (0.9, 18)):
            v.figure(p.leaf(x, y, angle + d, long, 6))
        v.line([(x, y), (x + 20 * math.cos(angle), y + 20 * math.sin(angle))], 1.0, None)


def krater(v: Vase) -> None:
    """Paint a decorated mixing bowl."""
    for way in (-1, 1):
        v.line([(80 + way * 32, 70), (80 + way * 44, 62), (80 + way * 40, 40), (80 + way * 32, 34)], 4)
    v.figure(
        p.curve(
            [(44, 26), (116, 26), (112, 36), (112, 62), (100, 86), (88, 94), (72, 94), (60, 86), (48, 62), (48, 36)], 1
        )
    )
    v.figure(p.box(44, 22, 116, 29), [(74, 92), (86, 92), (88, 104), (100, 112), (60, 112), (72, 104)])
    v.cut(p.box(50, 42, 110, 66))
    for k in range(5):
        x = 56 + 12 * k
        v.figure(p.disc(x, 48, 3), [(x - 3, 52), (x + 3, 52), (x + 4.4, 63), (x - 4.4, 63)])
        v.line([(x + 3, 53), (x + 8, 48)], 1.4)
    v.line([(50, 33), (110, 33)], 1.4, None)
    for k in range(7):
        v.cut([(62 + 6 * k - 2, 86), (62 + 6 * k, 72), (62 + 6 * k + 2, 86)])


def amphorae(v: Vase) -> None:
    """Paint three jars, and purple cloth."""
    jar(v, 44, 26, 0.86)
    jar(v, 116, 26, 0.86)
    for k, colour in enumerate((RED, GLAZE, RED)):
        y = 104 - 12 * k
        v.figure(p.curve([(60, y - 5), (100, y - 5), (103, y), (100, y + 6), (60, y + 6), (57, y)], 1), colour=colour)
        v.line([(64, y + 1), (96, y + 1)], 1.0, WHITE)
    v.figure(p.disc(80, 56, 15), p.disc(80, 38, 6))
    v.figure([(72, 36), (88, 36), (84, 30), (76, 30)])
    v.line(p.arc(80, 56, 10, 10, 0, 359), 1.4, None)
    v.figure(star_of(80, 56, 8, 3, 8), colour=GOLD)


# --- stealth and force ---


def assassin(v: Vase) -> None:
    """Paint a dagger through a fallen wreath."""
    laurel(v, 80, 78, 28, 15)
    blade: Shape = [(76, 36), (84, 36), (87, 66), (85, 90), (80, 106), (75, 90), (73, 66)]
    guard = p.curve([(62, 28), (98, 28), (98, 36), (62, 36)], 1)
    grip = [(76.5, 12), (83.5, 12), (84.5, 29), (75.5, 29)]
    parts = [turn(part, 80, 64, 24) for part in (blade, guard, grip, p.disc(80, 14, 5))]
    v.figure(*parts)
    v.line(turn([(80, 40), (80, 94)], 80, 64, 24), 1.4, None)
    for x, y, r in ((63, 106, 3.4), (54, 99, 2.2), (72, 110, 2.2)):
        v.figure(p.disc(x, y, r), [(x - r * 0.9, y), (x, y - r * 2.6), (x + r * 0.9, y)], colour=RED)


def flame(x: float, y: float, height: float) -> list[p.Xy]:
    """Return a tongue of fire standing at (x, y)."""
    w = height * 0.3
    return p.curve(
        [(x - w, y), (x - w, y - height * 0.36), (x - w * 0.2, y - height * 0.58), (x + w * 0.1, y - height),
         (x + w * 0.65, y - height * 0.5), (x + w, y - height * 0.3), (x + w * 0.8, y)], 2,
    )  # fmt: skip


def loot(v: Vase) -> None:
    """Paint a farm in flames, and a sack."""
    for x, height in ((30, 46), (48, 62), (68, 72), (90, 60)):
        v.figure(flame(x, 66, height), colour=RED)
    for x, height in ((38, 30), (58, 40), (80, 36)):
        v.figure(flame(x, 64, height), colour=GOLD)
    v.figure([(18, 64), (60, 46), (102, 64), (98, 70), (98, 114), (24, 114), (24, 70)])
    v.cut(p.box(52, 84, 70, 114), p.box(32, 78, 42, 90), p.box(80, 78, 90, 90))
    for k in range(4):
        v.line([(26 + 18 * k, 64), (33 + 18 * k, 70)], 1.2, None)
    v.figure(p.curve([(112, 76), (132, 76), (146, 104), (138, 115), (104, 115), (98, 102)], 2))
    v.figure([(114, 78), (130, 78), (136, 66), (122, 71), (108, 66)])
    v.line([(112, 78), (132, 78)], 2.2, GOLD)
    v.figure(p.disc(122, 97, 8), colour=GOLD)
    v.line(p.arc(122, 97, 5.4, 5.4, 0, 359), 1.0)


def temple(v: Vase, x: float, ground: float, width: float, height: float) -> None:
    """Paint a temple front."""
    half = width / 2
    v.figure(
        p.box(x - half, ground - height * 0.1, x + half, ground),
        p.box(x - half * 0.92, ground - height * 0.18, x + half * 0.92, ground),
    )
    for k in range(6):
        c = x - half * 0.78 + half * 0.312 * k
        v.figure(p.box(c - width * 0.036, ground - height * 0.6, c + width * 0.036, ground - height * 0.14))
        v.line([(c, ground - height * 0.57), (c, ground - height * 0.2)], 0.8, None)
    v.figure(p.box(x - half * 0.94, ground - height * 0.7, x + half * 0.94, ground - height * 0.58))
    v.figure([(x - half, ground - height * 0.72), (x, ground - height), (x + half, ground - height * 0.72)])
    v.cut(
        [
            (x - half * 0.66, ground - height * 0.755),
            (x, ground - height * 0.93),
            (x + half * 0.66, ground - height * 0.755),
        ]
    )
    v.figure(p.disc(x, ground - height * 0.805, height * 0.045))


def curia(v: Vase) -> None:
    """Paint the senate's building, above the subject of the vote."""
    temple(v, 80, 66, 108, 52)


def tax(v: Vase) -> None:
    """Paint coins before the senate."""
    curia(v)
    for x, number in ((46, 4), (80, 6), (114, 3)):
        coins(v, x, 109, number)


def bread(v: Vase) -> None:
    """Paint a loaf and a mask."""
    curia(v)
    v.figure(p.disc(52, 91, 21))
    v.line(p.arc(52, 91, 16.5, 16.5, 0, 359), 1.2, None)
    for k in range(8):
        a = math.tau * k / 8
        v.line(
            [(52 + 3 * math.cos(a), 91 + 3 * math.sin(a)), (52 + 18 * math.cos(a), 91 + 18 * math.sin(a))], 1.3, None
        )
    v.figure(p.curve([(92, 72), (128, 72), (131, 90), (122, 108), (110, 113), (98, 108), (89, 90)], 2), colour=WHITE)
    v.figure(*[p.curve([(x - 6, 84), (x, 79), (x + 6, 84), (x, 88)], 2) for x in (102, 118)])
    v.figure(p.curve([(97, 95), (110, 98), (123, 95), (119, 105), (110, 109), (101, 105)], 2))
    v.line([(110, 84), (107, 93), (112, 93)], 1.4)
    for k in range(7):
        v.figure(p.disc(93 + 5.7 * k, 72 - 2.4 * math.sin(math.pi * k / 6), 4.2))


def hail(v: Vase) -> None:
    """Paint a crowd of raised hands, and a wreath."""
    laurel(v, 80, 52, 27, 15)
    v.figure(star_of(80, 53, 14, 5.6, 8), colour=GOLD)
    for k in range(7):
        x = 20 + 20 * k
        top = 74 + 9 * abs(k - 3) / 3 + (k % 2) * 4
        v.figure(p.curve([(x - 6, 116), (x - 3.6, top + 10), (x + 3.6, top + 10), (x + 6, 116)], 1))
        v.figure(p.curve([(x - 5, top + 12), (x - 4.4, top), (x + 4.4, top), (x + 5, top + 12)], 1))
        for finger in range(4):
            v.line([(x - 3.6 + 2.4 * finger, top + 3), (x - 4.4 + 2.9 * finger, top - 7)], 1.9)
        v.line([(x + 4, top + 7), (x + 9, top + 1)], 2.2)
        v.line([(x - 4, top + 17), (x + 4, top + 17)], 1.0, None)


def legions(v: Vase) -> None:
    """Paint legionaries under an eagle."""
    v.stamp("general", 80, 62, 96)
    for x in (26, 134):
        v.stamp("infantry", x, 78, 70, turned=x > 80)
    v.stamp("infantry", 52, 86, 56)
    v.stamp("infantry", 110, 86, 56, turned=True)


def influence(v: Vase) -> None:
    """Paint the temple on the Capitol, and rays."""
    for k in range(13):
        a = math.pi * k / 12
        v.line(
            [(80 - 58 * math.cos(a), 76 - 58 * math.sin(a)), (80 - 74 * math.cos(a), 76 - 66 * math.sin(a))], 2.2, GOLD
        )
    temple(v, 80, 100, 118, 74)
    v.figure(p.box(14, 100, 146, 106), p.box(8, 105, 152, 115))


# --- senators ---

_HEAD: Final[Shape] = [
    (84, 13), (72, 14), (63, 19), (58, 27), (56.5, 35), (57.5, 39), (49.5, 51), (52, 54.5), (56.5, 55), (54.5, 59),
    (55, 61), (57, 62), (55, 65), (57.5, 69), (55.5, 74), (58, 79.5), (65, 81), (71, 79), (71, 88), (66, 96),
    (46, 104), (38, 116), (126, 116), (119, 104), (104, 96), (99, 86), (101, 68), (107, 54), (108, 38), (103, 24),
    (95, 16),
]  # fmt: skip


def senator(value: int) -> Callable[[Vase], None]:
    """Return the painter of a bust: a higher value means an older man with a richer wreath."""

    def paint(v: Vase) -> None:
        v.figure(p.curve(_HEAD, 1))
        if value >= 2:
            beard = [(54, 64), (59, 61), (72, 60), (86, 50), (88, 66), (80, 80), (68, 92), (58, 88), (54, 78)]
            v.figure(p.curve(beard, 1))
            for k in range(5):
                for j in range(3):
                    x, y = 62 + 5.2 * k - 1.4 * j, 69 - 1.6 * k + 6.4 * j
                    v.line(p.arc(x, y, 2.4, 2.4, 20, 200, 10), 0.9, None)
        v.cut(p.curve([(58.5, 40.5), (63, 37.5), (68, 40), (63.5, 43)], 2))
        v.figure(p.disc(62.6, 40.2, 1.7))
        v.line([(57.5, 35.5), (63, 33.5), (69, 35)], 1.1, None)
        v.line([(55, 61.6), (61, 61.2)], 0.9, None)
        v.line(p.arc(86, 48, 4.4, 6.4, 120, 420, 20), 1.2, None)
        v.line(p.arc(86, 48, 1.8, 3, 150, 400, 14), 0.9, None)
        if value != 3:
            for k in range(8):
                for j in range(3):
                    x, y = 68 + 5 * k, 21 + 7.4 * j + (k % 2) * 3 + abs(k - 3) * 0.7
                    if x + 0.6 * y < 118 and (j == 0 or x > 88):
                        v.line(p.arc(x, y, 2.8, 2.8, 150, 330, 10), 1.0, None)
        else:
            v.line(p.arc(70, 26, 12, 9, 200, 260, 10), 0.9, None)
            v.line(p.arc(68, 30, 9, 6, 190, 250, 10), 0.9, None)
        for k in range(5):
            v.line([(58 + 13 * k, 114), (74 + 7.4 * k, 99 + (k % 2) * 2)], 1.1, None)
        for k in range(4 + 2 * value):
            t = k / (3 + 2 * value)
            x, y = 61 + 44 * t, 28 + 16 * t - 15 * math.sin(math.pi * t)
            slope = math.atan2(16 - 15 * math.pi * math.cos(math.pi * t), 44)
            for way in (-1, 1):
                v.figure(p.leaf(x, y, slope + math.pi + way * 0.55, 9 + value, 2.0 + 0.25 * value), colour=GOLD)
        if value >= 3:
            for d in (0, 5):
                v.line([(105, 44), (111 + d, 58), (108 + d, 72 + d)], 2.2, RED)
        if value == 4:
            v.figure(p.disc(61, 27, 3), colour=WHITE)
            v.line([(44, 110), (64, 100), (92, 104), (124, 110)], 4, RED)

    return paint


# --- foreign friends ---


def italia(v: Vase) -> None:
    """Paint a cohort of the Senate."""
    for x, size in ((32, 74), (128, 74)):
        v.stamp("infantry", x, 76, size, turned=x > 80)
    v.stamp("general", 80, 66, 98)


def parthia(v: Vase) -> None:
    """Paint a horse, and a bow that is bent."""
    v.stamp("cavalry", 62, 66, 100)
    v.line(p.arc(112, 64, 26, 42, -80, 80, 40), 3.6)
    v.line([(117, 22), (102, 64), (117, 106)], 1.3)
    v.line([(98, 64), (150, 64)], 2.2)
    v.figure([(156, 64), (146, 59), (146, 69)])
    for k in range(3):
        v.line([(101 + 4 * k, 64), (97 + 4 * k, 59)], 1.3)
        v.line([(101 + 4 * k, 64), (97 + 4 * k, 69)], 1.3)


def numidia(v: Vase) -> None:
    """Paint a round shield before javelins."""
    for k in range(3):
        lean = 18 - 4 * k
        for way in (-1, 1):
            tip, end = (80 + way * (44 - 12 * k), 16), (80 - way * (40 - lean), 114)
            v.line([tip, end], 2.2)
            aim = math.atan2(tip[1] - end[1], tip[0] - end[0])
            v.figure(p.leaf(tip[0] - 9 * math.cos(aim), tip[1] - 9 * math.sin(aim), aim, 16, 3.6))
    v.figure(p.disc(80, 68, 35))
    v.line(p.arc(80, 68, 30, 30, 0, 359), 1.6, None)
    v.line(p.arc(80, 68, 12, 12, 0, 359), 1.4, None)
    for k in range(12):
        a = math.tau * k / 12
        v.figure(p.disc(80 + 21 * math.cos(a), 68 + 21 * math.sin(a), 3), colour=WHITE)
    v.figure(p.disc(80, 68, 7), colour=RED)


def egypt(v: Vase) -> None:
    """Paint pyramids, the sun and a palm."""
    v.figure(p.disc(118, 34, 14), colour=RED)
    v.figure([(14, 106), (62, 34), (110, 106)], [(78, 106), (112, 58), (146, 106)])
    v.cut([(62, 34), (62.6, 34), (86, 106), (82, 106)])
    v.cut([(112, 58), (112.6, 58), (130, 106), (126.5, 106)])
    for k in range(5):
        y = 48 + 12 * k
        v.line([(62 - (y - 34) * 0.62, y), (62 + (y - 34) * 0.3, y)], 0.8, None)
    v.figure(p.box(0, 106, WIDTH, 114))
    v.line([(30, 108), (27, 84), (31, 62)], 3.4)
    for a in (-2.7, -2.2, -1.6, -1.0, -0.5, 0.1, 3.1):
        tip = p.leaf(31, 62, a, 24, 3.4)
        v.figure(tip)
    v.line([(4, 110), (156, 110)], 1.2, None)


def achaia(v: Vase) -> None:
    """Paint a helmet of Corinth."""
    crest = p.arc(84, 56, 48, 44, 175, 350, 40) + p.arc(84, 58, 34, 31, 350, 175, 40)
    v.figure(crest, colour=RED)
    for k in range(16):
        a = math.radians(180 + 10.4 * k)
        v.line(
            [(84 + 35 * math.cos(a), 58 + 32 * math.sin(a)), (84 + 46 * math.cos(a), 56 + 42 * math.sin(a))], 0.9, WHITE
        )
    bowl = [(50, 62), (52, 44), (64, 30), (84, 26), (104, 32), (114, 48), (116, 70), (122, 98), (112, 102), (100, 92),
            (92, 96), (86, 112), (66, 116), (62, 100), (58, 86), (50, 84)]  # fmt: skip
    v.figure(p.curve(bowl, 1))
    v.cut(p.curve([(56, 62), (70, 58), (86, 62), (80, 71), (66, 70)], 1))
    v.cut([(66, 72), (70, 72), (73, 114), (68, 115)])
    v.line([(51, 55), (70, 51), (96, 58), (114, 74)], 1.6, None)
    v.figure(p.disc(71, 64, 3.4))
    v.line(p.arc(100, 60, 8, 8, 0, 300, 20), 1.4, None)


def pirates(v: Vase) -> None:
    """Paint a ship without a flag."""
    v.stamp("galley", 80, 60, 100)
    skull = [*p.arc(80, 42, 13, 12, 150, 390, 30), (88, 56), (72, 56)]
    v.figure(skull, colour=WHITE)
    v.figure(p.disc(75, 42, 3.6), p.disc(85, 42, 3.6), [(80, 46), (77.6, 51), (82.4, 51)])
    for x in (76, 80, 84):
        v.line([(x, 53), (x, 56)], 0.9)
    waves(v, 101)


def fleet(v: Vase) -> None:
    """Paint three ships in line."""
    v.stamp("galley", 34, 56, 58)
    v.stamp("galley", 128, 56, 58)
    v.stamp("galley", 80, 60, 90)
    waves(v, 98)


def town(v: Vase) -> None:
    """Paint a new city."""
    v.figure([(0, 114), (0, 96), (30, 84), (70, 90), (120, 82), (160, 96), (160, 114)])
    temple(v, 80, 96, 76, 70)
    for x, width, height in ((26, 30, 30), (132, 32, 34)):
        v.figure(p.box(x - width / 2, 100 - height * 0.6, x + width / 2, 100))
        v.figure(
            [(x - width * 0.62, 100 - height * 0.6), (x, 100 - height * 1.05), (x + width * 0.62, 100 - height * 0.6)],
            colour=RED,
        )
        v.cut(p.box(x - 4, 86, x + 4, 100))
    v.line([(8, 112), (40, 102), (74, 106), (118, 100), (152, 108)], 1.2, None)


# --- barbarians ---


def axe(v: Vase, way: int) -> None:
    """Paint a battle axe that leans to one side."""
    lean = 30 * way
    v.figure(turn(p.bar((80, 10), (80, 118), 4.4), 80, 66, lean))
    blade = [(82, 18), (96, 12), (106, 22), (108, 36), (100, 48), (92, 42), (82, 42)]
    whole = p.curve(blade, 1) if way > 0 else p.curve(flip(blade), 1)
    v.figure(turn(whole, 80, 66, lean))
    edge = [(98, 16), (103, 28), (98, 43)]
    v.line(turn(edge if way > 0 else flip(edge), 80, 66, lean), 1.2, None)


def raiders(v: Vase) -> None:
    """Paint axes behind a shield of wood."""
    axe(v, 1)
    axe(v, -1)
    v.figure(p.disc(80, 74, 32))
    v.line(p.arc(80, 74, 27, 27, 0, 359), 1.5, None)
    for k in range(6):
        a = math.tau * k / 6 + 0.3
        v.line(
            [
                (80 + 10 * math.cos(a), 74 + 10 * math.sin(a)),
                (80 + 26 * math.cos(a + 0.7), 74 + 26 * math.sin(a + 0.7)),
            ],
            2,
            None,
        )
    v.figure(p.disc(80, 74, 8), colour=RED)


def booty(v: Vase) -> None:
    """Paint axes, and the treasure behind them."""
    axe(v, 1)
    axe(v, -1)
    for x, number in ((56, 3), (104, 3), (80, 5)):
        coins(v, x, 109, number)


def triumph(v: Vase) -> None:
    """Paint axes in a wreath."""
    axe(v, 1)
    axe(v, -1)
    v.figure(p.disc(80, 70, 26))
    laurel(v, 80, 70, 24, 14)
    v.figure(star_of(80, 70, 11, 4.6, 5), colour=GOLD)


# --- people and other matters ---


def orator(v: Vase) -> None:
    """Paint a man in a toga who speaks to others."""
    v.figure(p.disc(70, 28, 9), [(64, 24), (60, 30), (64, 33)])
    v.figure(p.curve([(60, 40), (82, 38), (90, 60), (92, 96), (54, 96), (56, 62)], 1))
    v.line([(64, 46), (44, 40), (32, 26)], 5.4)
    v.figure(p.disc(31, 24, 3.6))
    v.line([(80, 46), (86, 62), (76, 72)], 5)
    for k in range(4):
        v.line([(66 + 6 * k, 46 + 3 * k), (58 + 9 * k, 94)], 1.2, None)
    v.line([(62, 44), (84, 70), (88, 92)], 2.4, RED)
    v.figure(p.box(44, 96, 104, 104), p.box(38, 103, 110, 115))
    v.line(p.arc(70, 27, 9, 9, 200, 330, 12), 2, GOLD)
    for x, y in ((122, 82), (140, 78), (134, 94), (152, 92), (118, 98), (148, 106), (128, 106)):
        v.figure(p.disc(x, y, 6.4), p.curve([(x - 9, 116), (x - 7, y + 8), (x + 7, y + 8), (x + 9, 116)], 1))
        v.line(p.arc(x, y, 6.4, 6.4, 100, 250, 14), 1.0, None)


def purse(v: Vase) -> None:
    """Paint a purse that changes hands."""
    sleeve = p.curve([(0, 34), (34, 40), (50, 48), (50, 60), (30, 64), (0, 66)], 1)
    v.figure(sleeve)
    for k in range(4):
        v.line([(46, 50 + 4.2 * k), (64 - 2 * k, 50 + 5.2 * k)], 4.4)
    v.line([(8, 40), (8, 63)], 1.6, None)
    v.figure([(66, 46), (94, 46), (88, 56), (72, 56)])
    v.figure(p.curve([(72, 56), (88, 56), (108, 84), (102, 100), (58, 100), (52, 84)], 2))
    v.line([(71, 57), (89, 57)], 2.4, GOLD)
    v.figure(p.disc(80, 80, 10), colour=GOLD)
    v.line(p.arc(80, 80, 7, 7, 0, 359), 1.0)
    v.figure(p.curve([(160, 92), (130, 96), (104, 104), (70, 108), (66, 112), (110, 115), (160, 115)], 1))
    for x, y in ((104, 54), (116, 66), (112, 40)):
        v.figure(p.disc(x, y, 5.4), colour=GOLD)
        v.line(p.arc(x, y, 3.4, 3.4, 0, 359), 0.9)


def chains(v: Vase) -> None:
    """Paint two fists that break a chain."""
    for way in (-1, 1):

        def side(shape: Shape, way: int = way) -> list[p.Xy]:
            return list(shape) if way < 0 else flip(shape)

        v.figure(side(p.curve([(22, 116), (26, 70), (46, 70), (50, 116)], 1)))
        v.figure(side(p.curve([(22, 40), (46, 36), (54, 46), (52, 66), (44, 74), (26, 74), (20, 60)], 1)))
        for k in range(4):
            v.line(side([(27 + 6.6 * k, 41), (28 + 6 * k, 55)]), 1.2, None)
        v.line(side([(40, 58), (52, 56)]), 1.4, None)
        v.figure(side(p.box(22, 82, 51, 93)))
        v.line(side([(22, 80.6), (51, 80.6)]), 1.4, None)
        v.line(side([(22, 94.4), (51, 94.4)]), 1.4, None)
        for k, (x, y) in enumerate(((57, 84), (66, 74), (71, 61))):
            tilt = (-30, -55, -75)[k]
            v.line(side(turn(p.arc(x, y, 8, 4.6, 0, 359), x, y, tilt)), 2.6)
    for x, y in ((80, 40), (72, 30), (88, 31), (80, 24)):
        v.figure(star_of(x, y, 7, 2, 4), colour=GOLD)


def drill(v: Vase) -> None:
    """Paint a helmet over crossed swords."""
    for way in (-1, 1):
        for shape in (
            [(77, 12), (83, 12), (84, 84), (76, 84)],
            p.curve([(66, 84), (94, 84), (94, 90), (66, 90)], 1),
            p.box(77.4, 90, 82.6, 106),
            p.disc(80, 109, 5),
        ):
            v.figure(turn(shape, 80, 66, 42 * way))
        v.line(turn([(80, 18), (80, 78)], 80, 66, 42 * way), 1.2, None)
    v.stamp("infantry", 84, 70, 78)


def oars(v: Vase) -> None:
    """Paint oars and an anchor."""
    for way in (-1, 1):
        v.figure(turn(p.bar((80, 8), (80, 84), 4), 80, 62, 40 * way))
        v.figure(turn(p.curve([(76, 80), (84, 80), (88, 112), (80, 120), (72, 112)], 1), 80, 62, 40 * way))
    v.line(p.arc(80, 26, 7, 7, 0, 359), 3.4)
    v.figure(p.bar((80, 32), (80, 102), 6.4), p.box(62, 42, 98, 48))
    v.line(p.arc(80, 70, 33, 36, 18, 162, 40), 5.4)
    for way in (-1, 1):
        x = 80 + way * 33
        v.figure([(x - 8, 86), (x + 8, 86), (x + way * 3, 70)])
    v.line([(80, 50), (80, 100)], 1.2, None)


def wind(v: Vase) -> None:
    """Paint a blowing god, and a ship that flies before the wind."""
    cloud = [p.disc(18, 44, 17), p.disc(36, 32, 15), p.disc(10, 66, 15), p.disc(30, 62, 18)]
    v.figure(*cloud)
    v.figure(p.curve([(36, 34), (50, 38), (53, 47), (60, 52), (54, 56), (58, 60), (52, 66), (36, 70)], 1), colour=WHITE)
    v.figure(p.disc(47, 46, 1.8))
    v.line([(42, 42), (50, 41)], 1.2)
    for y, long in ((44, 14), (56, 20), (68, 14)):
        v.line([(62, y), (62 + long, y)], 2)
        v.line(p.arc(62 + long, y - 4.5, 4.5, 4.5, 90, -170, 20), 2)
    v.stamp("galley", 120, 64, 78)
    waves(v, 99)


PICTURES: Final[dict[str, Callable[[Vase], None]]] = {
    "merchant_egypt": wheat,
    "merchant_sicilia": olives,
    "merchant_hispania": ingots,
    "merchant_italia": grapes,
    "merchant_achaia": krater,
    "merchant_asia": amphorae,
    "assassin": assassin,
    "loot": loot,
    "senate_emergency_tax": tax,
    "senate_bread_and_circuses": bread,
    "senate_hail_caesar": hail,
    "senate_new_legions": legions,
    "senate_influence_in_rome": influence,
    **{f"senator_{value}": senator(value) for value in (1, 2, 3, 4)},
    "diplomacy_italia": italia,
    "diplomacy_mesopotamia": parthia,
    "diplomacy_numidia": numidia,
    "diplomacy_egypt": egypt,
    "diplomacy_achaia": achaia,
    "pirates": pirates,
    "fleet": fleet,
    "city": town,
    "barbarians_troops": raiders,
    "barbarians_talents": booty,
    "barbarians_points": triumph,
    "politician": orator,
    "bribe": purse,
    "revolt": chains,
    "army": drill,
    "navy": oars,
    "wind": wind,
}


# --- symbols of the kinds, and the leader's wreath ---


def symbol(colour: p.Colour, *shapes: Shape) -> Image.Image:
    """Return white shapes on a disc, in 100 by 100 units."""
    unit = 8
    image = Image.new("RGBA", (100 * unit, 100 * unit), (0, 0, 0, 0))
    draw = ImageDraw.Draw(image)
    for radius, fill in ((49, GLAZE), (45, GOLD), (41, colour)):
        draw.ellipse(
            [(50 - radius) * unit, (50 - radius) * unit, (50 + radius) * unit, (50 + radius) * unit], fill=(*fill, 255)
        )
    for shape in shapes:
        draw.polygon([(x * unit, y * unit) for x, y in shape], fill=(*WHITE, 255))
    return image.resize((128, 128), Image.Resampling.LANCZOS)


def _again() -> list[Shape]:
    """Return two arrows round a circle."""
    found: list[Shape] = []
    for start in (200, 20):
        found.append(p.arc(50, 50, 29, 29, start, start + 112, 30) + p.arc(50, 50, 19, 19, start + 112, start, 30))
        a = math.radians(start + 110)
        x, y = 50 + 24 * math.cos(a), 50 + 24 * math.sin(a)
        head: Shape = [(x, y - 13), (x + 17, y), (x, y + 13)]
        found.append(turn(head, x, y, start + 200))
    return found


def _column() -> list[Shape]:
    shafts = [p.box(36 + 8 * k, 32, 41 + 8 * k, 68) for k in range(4)]
    return [p.box(28, 22, 72, 29), p.box(28, 71, 72, 79), *shafts]


def _branch_shapes() -> list[Shape]:
    found: list[Shape] = [p.bar((28, 76), (70, 24), 4)]
    for k in range(5):
        x, y = 32 + 8.6 * k, 70 - 10.6 * k
        found += [p.leaf(x, y, -0.9 + way * 1.0, 21, 5.4) for way in (-1, 1)]
    return found


def _bolt_shapes() -> list[Shape]:
    return [[(58, 16), (28, 56), (47, 56), (40, 85), (72, 42), (53, 42), (66, 16)]]


def _senator_shapes() -> list[Shape]:
    return [p.disc(50, 32, 13), p.curve([(24, 82), (28, 56), (44, 47), (56, 47), (72, 56), (76, 82)], 1)]


SYMBOLS: Final[dict[str, tuple[p.Colour, Callable[[], list[Shape]]]]] = {
    "kind_multi_use": ((48, 84, 122), _again),
    "kind_senator": ((104, 52, 116), _senator_shapes),
    "kind_diplomacy": ((94, 110, 54), _branch_shapes),
    "kind_immediate": ((126, 48, 30), _bolt_shapes),
    "kind_lasting": ((98, 70, 36), _column),
}


def crown() -> Image.Image:
    """Return a wreath of gold leaves, open in the middle."""
    unit = 8
    image = Image.new("RGBA", (100 * unit, 100 * unit), (0, 0, 0, 0))
    draw = ImageDraw.Draw(image)
    leaves = p.wreath(50, 50, 35, 19, 0.55, 10)
    for colour, grow in (((110, 76, 28), 6), ((226, 176, 70), 0)):
        draw.arc([15 * unit, 15 * unit, 85 * unit, 85 * unit], -55, 235, fill=(*colour, 255), width=14 + grow * 2)
        for shape in leaves:
            points = [(x * unit, y * unit) for x, y in shape]
            draw.polygon(points, fill=(*colour, 255))
            if grow:
                draw.line([*points, points[0]], fill=(*colour, 255), width=grow * 2, joint="curve")
    return image.resize((128, 128), Image.Resampling.LANCZOS)


# --- round tokens for the action bar ---


def medal(paint: Callable[[Vase], None]) -> Image.Image:
    """Return the middle of a picture on a clay disc with a rim of gold."""
    vase = Vase()
    paint(vase)
    side = 108 * _UNIT
    left, top = (WIDTH * _UNIT - side) // 2, (HEIGHT * _UNIT - side) // 2 + 4 * _UNIT
    image = Image.new("RGBA", (side, side), (0, 0, 0, 0))
    draw = ImageDraw.Draw(image)
    for inset, fill in ((0, GLAZE), (3, GOLD), (7, GLAZE), (8, CLAY)):
        edge = inset * _UNIT // 2
        draw.ellipse((edge, edge, side - 1 - edge, side - 1 - edge), fill=(*fill, 255))
    rim = Image.new("L", (side, side), 0)
    ImageDraw.Draw(rim).ellipse((4 * _UNIT, 4 * _UNIT, side - 1 - 4 * _UNIT, side - 1 - 4 * _UNIT), fill=255)
    ink = Image.new("RGBA", (side, side), (0, 0, 0, 0))
    ink.paste(vase.ink.crop((left, top, left + side, top + side)), (0, 0), rim)
    image.alpha_composite(ink)
    return image.convert("RGBa").resize((128, 128), Image.Resampling.LANCZOS).convert("RGBA")


def fan(v: Vase) -> None:
    """Paint three cards in a hand."""
    for k, lean in enumerate((-24, 0, 24)):
        for grow, colour in ((1.6, GLAZE), (0, WHITE)):
            card = p.box(62 - grow, 34 - grow, 98 + grow, 88 + grow)
            v.figure(turn(card, 80, 118, lean), colour=colour)
        band = p.box(65, 37, 95, 45)
        v.figure(turn(band, 80, 118, lean), colour=(RED, (48, 84, 122), RED)[k])
        v.figure(turn(star_of(80, 64, 10, 4.2, 8), 80, 118, lean))


def palm(v: Vase) -> None:
    """Paint an open hand: not now."""
    v.figure(p.curve([(62, 70), (98, 70), (100, 92), (92, 104), (92, 120), (68, 120), (68, 104), (60, 92)], 1))
    for x, top in ((64.5, 40), (74.5, 32), (85, 32), (95, 40)):
        v.line([(x, 76), (x + (x - 80) * 0.14, top)], 8.4)
    v.line([(62, 92), (48, 80), (44, 70)], 8.4)
    v.line([(69, 84), (90, 82)], 1.2, None)
    v.line([(67, 92), (84, 98)], 1.2, None)


MEDALS: Final[dict[str, Callable[[Vase], None]]] = {
    **{f"senator_{value}": senator(value) for value in (1, 2, 3, 4)},
    "card": fan,
    "pass": palm,
}


def main() -> None:
    """Paint everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=p.ASSETS)
    assets: Path = parser.parse_args().out
    out, pieces = assets / "cards", assets / "pieces"
    for folder in (out, pieces):
        folder.mkdir(parents=True, exist_ok=True)
    for name, paint in PICTURES.items():
        vase = Vase()
        paint(vase)
        vase.finish().quantize(64, dither=Image.Dither.NONE).save(out / f"{name}.png", optimize=True)
    for name, (colour, shapes) in SYMBOLS.items():
        symbol(colour, *shapes()).save(out / f"{name}.png", optimize=True)
    crown().save(out / "laurel.png", optimize=True)
    for name, paint in MEDALS.items():
        medal(paint).save(pieces / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()

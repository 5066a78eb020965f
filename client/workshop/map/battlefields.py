"""Paint the land behind a battle: `python -m client.workshop.map.battlefields` writes one picture for each kind.

Everything is drawn by this script from noise with a fixed seed, in the colours of the painted map. Each picture has a
sky, land in the distance, a ground for both armies, and an open foreground on which dice can lie.
"""

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFilter

from client.workshop.map.paint import ASSETS, INK, Colour, Floats, fbm

FOLDER: Final = ASSETS / "battlefields"
SIZE: Final = (1200, 540)
QUALITY: Final = 62
WALLS: Final = (620, 200)
"""Size of the walls of a city in pixels; they are a picture of their own."""
_W, _H = SIZE
_STONE: Final[Colour] = (196, 178, 146)
_STONE_DARK: Final[Colour] = (146, 124, 94)
_ROOF: Final[Colour] = (168, 84, 54)
_SUPERSAMPLE: Final = 2


class PaintedScene:
    """Picture that is painted from back to front. Heights are shares of the picture, measured from its top."""

    def __init__(self, seed: int, high: Colour, low: Colour) -> None:
        """Begin with a sky from the colour `high` to `low`."""
        self.seed = seed
        share = np.linspace(0, 1, _H, dtype=np.float32)[:, None, None] ** 0.8
        upper, lower = (1 - share * 2).clip(0, 1), (share * 2).clip(0, 1)
        sky = np.asarray(high, np.float32) * upper + np.asarray(low, np.float32) * lower
        self.rgb: Floats = np.broadcast_to(sky, (_H, _W, 3)).astype(np.float32)
        clouds = fbm((_H, _W), 190, 4, seed)
        self._mix_in(np.asarray([250, 240, 218], np.float32), (clouds - 0.15).clip(0, 0.5) * 0.9)

    def _mix_in(self, colour: Floats, strength: npt.NDArray[np.floating[Any]]) -> None:
        self.rgb += (colour - self.rgb) * strength[..., None]

    def ridge(
        self, base: float, height: float, cell: float, near: Colour, far: Colour, *, sharp: bool = False,
        snow: float = 0.0, line: float = 0.55, relief: float = 0.1,
    ) -> None:  # fmt: skip
        """Paint land with an uneven edge: `base` is its mean height, `far` its colour there, `near` lower down.

        `sharp`: with peaks. `snow`: share of the peaks that is white. `line`: strength of its inked
        edge. `relief`: strength of its light and shade.
        """
        # Else all ridges of a picture would have one shape.
        self.seed += 1
        # One row of a field is noise along a line.
        noise = fbm((8, _W), cell, 4, self.seed)[4]
        # The absolute value folds soft noise into sharp crests.
        edge = (base - height * (1 - 2 * np.abs(noise)) if sharp else base - height * noise) * _H
        depth = np.arange(_H, dtype=np.float32)[:, None] - edge[None, :]
        cover = depth.clip(-0.5, 0.5) + 0.5
        share = (depth / (0.34 * _H)).clip(0, 1)[..., None]
        land = np.asarray(far, np.float32) * (1 - share) + np.asarray(near, np.float32) * share
        light = fbm((_H, _W), cell * 0.55, 4, self.seed + 40)
        slope = np.gradient(light, axis=1) * cell * 0.55
        land = land * (1 + relief * (light + slope.clip(-1, 1))[..., None])
        if snow:
            top = (1 - depth / (snow * height * _H) + light * 0.8).clip(0, 1)
            land += (np.asarray([246, 242, 232], np.float32) - land) * (top * 0.85)[..., None]
        self.rgb += (land - self.rgb) * cover[..., None]
        ink = (1.6 - np.abs(depth)).clip(0, 1) * line
        self._mix_in(np.asarray(INK, np.float32), ink)

    def water(self, top: float, bottom: float, far: Colour, near: Colour, *, waves: int = 26) -> None:
        """Paint a sheet of water between two heights, with inked waves that grow towards the viewer."""
        first, last = round(top * _H), round(bottom * _H)
        share = np.linspace(0, 1, last - first, dtype=np.float32)[:, None, None]
        sheet = np.asarray(far, np.float32) * (1 - share) + np.asarray(near, np.float32) * share
        shine = fbm((last - first, _W), 60, 3, self.seed + 9)[..., None]
        self.rgb[first:last] = sheet * (1 + 0.05 * shine)
        rng = np.random.default_rng(self.seed + 5)

        def draw(pen: ImageDraw.ImageDraw, scale: float) -> None:
            for i in range(waves):
                near_by = (i + 0.6) / waves
                y = (first + (last - first) * near_by**1.25) * scale
                size = (5 + 20 * near_by) * scale
                x = float(rng.uniform(-60, 0)) * scale
                while x < _W * scale:
                    box = (x, y - size * 0.3, x + size * 1.7, y + size * 0.3)
                    pen.arc(box, 195, 345, fill=round(70 + 100 * near_by), width=max(1, round((0.8 + near_by) * scale)))
                    x += size * float(rng.uniform(2.6, 7.0))

        self.ink(draw, (38, 74, 92), 0.6)
        self.ink(draw, (240, 246, 238), 0.5, shift=2)

    def ink(
        self, draw: Callable[[ImageDraw.ImageDraw, float], object], colour: Colour, strength: float = 1.0,
        shift: int = 0,
    ) -> None:  # fmt: skip
        """Draw a mask with a pen at a larger scale, and put the colour through it."""
        mask = Image.new("L", (_W * _SUPERSAMPLE, _H * _SUPERSAMPLE), 0)
        draw(ImageDraw.Draw(mask), float(_SUPERSAMPLE))
        small = np.asarray(mask.resize(SIZE, Image.Resampling.LANCZOS), np.float32) / 255
        self._mix_in(np.asarray(colour, np.float32), np.roll(small, shift, axis=0) * strength)

    def finish(self) -> Image.Image:
        """Return the picture with the grain of a fresco and darker edges."""
        grain = fbm((_H, _W), 3.2, 2, 71) * 0.045 + fbm((_H, _W), 90, 3, 72) * 0.05
        y, x = np.mgrid[0:_H, 0:_W].astype(np.float32)
        edge = np.maximum(np.abs(x / _W - 0.5) * 1.9, np.abs(y / _H - 0.5) * 1.7).clip(0, 1)
        rgb = self.rgb * (1 + grain)[..., None] * (1 - 0.24 * edge**4)[..., None]
        return Image.fromarray(rgb.clip(0, 255).astype(np.uint8))


def _tufts(scene: PaintedScene, top: float, colour: Colour, number: int) -> None:
    """Draw tufts of grass or stones of a foreground, larger towards the viewer."""
    rng = np.random.default_rng(scene.seed + 77)
    places = [(float(rng.uniform(0, _W)), float(rng.uniform(0, 1))) for _ in range(number)]

    def draw(pen: ImageDraw.ImageDraw, scale: float) -> None:
        for x, near in places:
            y, size = (top + (1 - top) * near) * _H, 4 + 8 * near
            for lean in (-0.7, 0.0, 0.6):
                pen.line([(x * scale, y * scale), ((x + lean * size) * scale, (y - size) * scale)], fill=190,
                         width=max(1, round(1.1 * scale)))  # fmt: skip

    scene.ink(draw, colour, 0.45)


def _trees(scene: PaintedScene, places: Sequence[tuple[float, float, float]], colour: Colour, width: float) -> None:
    """Draw cypresses or firs at (x, y, height), as shares of the picture; `width`: width for each unit of height."""

    def draw(pen: ImageDraw.ImageDraw, scale: float, *, grow: float = 0.0) -> None:
        for x, y, height in places:
            cx, foot, half = x * _W, y * _H, height * _H * width / 2 + grow
            pen.ellipse(((cx - half) * scale, (foot - height * _H - grow) * scale, (cx + half) * scale,
                         (foot + grow) * scale), fill=255)  # fmt: skip

    # The same shapes a little larger below: their rim stays as an inked outline.
    scene.ink(lambda pen, scale: draw(pen, scale, grow=1.3), INK, 0.7)
    scene.ink(draw, colour)


def mountains() -> Image.Image:
    """Return high mountains behind a meadow."""
    scene = PaintedScene(11, (150, 178, 186), (232, 220, 188))
    scene.ridge(0.44, 0.34, 300, (150, 160, 158), (128, 144, 150), sharp=True, snow=0.5)
    scene.ridge(0.5, 0.22, 220, (138, 140, 112), (116, 122, 108), sharp=True, snow=0.16)
    scene.ridge(0.54, 0.07, 260, (126, 132, 84), (106, 116, 74))
    rng = np.random.default_rng(3)
    trees = [(float(rng.uniform(0, 1)), float(rng.uniform(0.53, 0.6)), float(rng.uniform(0.05, 0.09)))
             for _ in range(46)]  # fmt: skip
    _trees(scene, sorted(trees, key=lambda tree: tree[1]), (66, 86, 58), 0.36)
    scene.ridge(0.6, 0.02, 400, (190, 176, 118), (158, 156, 98), relief=0.025)
    _tufts(scene, 0.64, (84, 92, 44), 150)
    return scene.finish()


def coast() -> Image.Image:
    """Return a bay with headlands behind a green shore."""
    scene = PaintedScene(23, (140, 180, 192), (238, 226, 194))
    scene.ridge(0.4, 0.12, 380, (150, 164, 150), (142, 160, 156))
    scene.water(0.4, 0.62, (126, 172, 178), (152, 196, 190), waves=14)
    scene.ridge(0.46, 0.2, 700, (150, 156, 100), (134, 146, 100), line=0.5)
    scene.water(0.5, 0.62, (132, 176, 178), (170, 204, 190), waves=9)
    scene.ridge(0.6, 0.025, 420, (206, 184, 130), (226, 208, 160), relief=0.025)
    _trees(scene, [(0.05, 0.62, 0.2), (0.075, 0.63, 0.15), (0.95, 0.62, 0.22), (0.925, 0.63, 0.16)],
           (72, 92, 54), 0.2)  # fmt: skip
    _tufts(scene, 0.66, (104, 104, 54), 120)
    return scene.finish()


def desert() -> Image.Image:
    """Return dunes with the tombs of old kings behind them."""
    scene = PaintedScene(37, (172, 190, 188), (246, 222, 172))
    scene.ridge(0.46, 0.05, 500, (222, 190, 132), (208, 180, 134), line=0.35)
    for x, width in ((0.68, 0.15), (0.8, 0.1), (0.595, 0.06)):
        _pyramid(scene, x, 0.475, width)
    scene.ridge(0.5, 0.08, 420, (226, 190, 124), (206, 166, 104))
    scene.ridge(0.56, 0.06, 300, (232, 196, 130), (212, 172, 110))
    _palms(scene, [(0.07, 0.64, 0.26), (0.11, 0.66, 0.2), (0.94, 0.63, 0.22)])
    scene.ridge(0.62, 0.03, 520, (236, 206, 146), (222, 184, 122), relief=0.025)
    return scene.finish()


def _pyramid(scene: PaintedScene, x: float, foot: float, width: float) -> None:
    """Draw a pyramid with a lit and a dark side."""
    height = width * _W * 0.6
    left, right, top = (x - width / 2) * _W, (x + width / 2) * _W, foot * _H - height
    low, ridge = foot * _H + 12, x * _W

    def lit(pen: ImageDraw.ImageDraw, s: float) -> None:
        pen.polygon([(left * s, low * s), (ridge * s, top * s), (right * s, low * s)], fill=255)

    def dark(pen: ImageDraw.ImageDraw, s: float) -> None:
        pen.polygon([(ridge * s, top * s), (right * s, low * s), ((ridge + 0.2 * height) * s, low * s)], fill=255)

    def edge(pen: ImageDraw.ImageDraw, s: float) -> None:
        pen.line([(left * s, low * s), (ridge * s, top * s), (right * s, low * s)], fill=255, width=round(1.6 * s))

    scene.ink(lit, (214, 176, 118))
    scene.ink(dark, (166, 126, 82))
    scene.ink(edge, INK, 0.6)


def _palms(scene: PaintedScene, places: Sequence[tuple[float, float, float]]) -> None:
    def trunks(pen: ImageDraw.ImageDraw, s: float) -> None:
        for x, y, height in places:
            points = [((x + 0.012 * math.sin(t * 2)) * _W * s, (y - height * t) * _H * s) for t in np.linspace(0, 1, 9)]
            pen.line(points, fill=255, width=round(6 * s), joint="curve")

    def leaves(pen: ImageDraw.ImageDraw, s: float) -> None:
        for x, y, height in places:
            cx, cy = (x + 0.012 * math.sin(2)) * _W, (y - height) * _H
            for turn in np.linspace(-0.35, math.pi + 0.35, 9):
                reach = height * _H * 0.46
                points = [((cx + math.cos(turn) * reach * t) * s,
                           (cy - math.sin(turn) * reach * 0.5 * t + reach * 0.55 * t * t) * s)
                          for t in np.linspace(0, 1, 8)]  # fmt: skip
                pen.line(points, fill=255, width=round(5 * s), joint="curve")

    scene.ink(trunks, (116, 84, 54))
    scene.ink(leaves, (82, 104, 58))


def sea() -> Image.Image:
    """Return the open sea below clouds."""
    scene = PaintedScene(53, (128, 168, 184), (236, 224, 194))
    scene.ridge(0.35, 0.06, 460, (140, 158, 158), (150, 168, 166), line=0.3)
    scene.water(0.36, 1.0, (112, 158, 170), (62, 116, 138), waves=34)
    return scene.finish()


def city() -> Image.Image:
    """Return a city with temples and towers behind a field."""
    scene = PaintedScene(67, (146, 178, 188), (240, 224, 188))
    scene.ridge(0.42, 0.1, 360, (158, 160, 128), (146, 156, 142))
    rng = np.random.default_rng(8)
    for depth in range(3):
        foot = 0.47 + 0.04 * depth
        for x in np.sort(rng.uniform(0.02, 0.98, 13)):
            _house(scene, float(x), foot, 0.035 + 0.012 * depth, float(rng.uniform(0.5, 1.4)))
    _temple(scene, 0.28, 0.52, 0.13)
    _temple(scene, 0.66, 0.5, 0.17)
    _trees(scene, [(0.06, 0.58, 0.2), (0.14, 0.58, 0.16), (0.44, 0.57, 0.17), (0.86, 0.57, 0.21), (0.92, 0.58, 0.16)],
           (70, 88, 56), 0.2)  # fmt: skip
    scene.ridge(0.57, 0.012, 420, (204, 180, 128), (180, 166, 108), relief=0.025)
    _tufts(scene, 0.62, (100, 98, 50), 110)
    return scene.finish()


def _filled(scene: PaintedScene, points: Sequence[tuple[float, float]], colour: Colour, outline: float = 0.75) -> None:
    """Paint a polygon of pixels with an inked outline."""

    def draw(pen: ImageDraw.ImageDraw, s: float) -> None:
        pen.polygon([(x * s, y * s) for x, y in points], fill=255)

    def line(pen: ImageDraw.ImageDraw, s: float) -> None:
        pen.line([(x * s, y * s) for x, y in (*points, points[0])], fill=255, width=round(1.3 * s))

    scene.ink(draw, colour)
    scene.ink(line, INK, outline)


def _house(scene: PaintedScene, x: float, foot: float, width: float, height: float) -> None:
    """Draw a house with a tiled roof."""
    left, right, low = (x - width / 2) * _W, (x + width / 2) * _W, foot * _H
    top = low - width * _W * 0.7 * height
    roof = width * _W * 0.28
    _filled(scene, [(left, low), (left, top), (right, top), (right, low)], (222, 204, 168))
    _filled(scene, [(left - 3, top), ((left + right) / 2, top - roof), (right + 3, top)], _ROOF)


def _temple(scene: PaintedScene, x: float, foot: float, width: float) -> None:
    """Draw a temple with columns."""
    left, right, low = (x - width / 2) * _W, (x + width / 2) * _W, foot * _H
    height = width * _W * 0.42
    _filled(scene, [(left, low), (left, low - height), (right, low - height), (right, low)], (150, 128, 98))
    for i in range(7):
        cx = left + (right - left) * (i + 0.5) / 7
        half = (right - left) * 0.034
        _filled(scene, [(cx - half, low), (cx - half, low - height), (cx + half, low - height), (cx + half, low)],
                (236, 224, 196))  # fmt: skip
    _filled(scene, [(left - 6, low + 6), (left - 6, low), (right + 6, low), (right + 6, low + 6)], (214, 196, 160))
    _filled(scene, [(left - 8, low - height), ((left + right) / 2, low - height * 1.42), (right + 8, low - height)],
            (206, 168, 120))  # fmt: skip


def walls() -> Image.Image:
    """Return the walls of a city with battlements, towers and a gate, on a clear ground."""
    width, height = WALLS
    scale = 3
    image = Image.new("RGBA", (width * scale, height * scale), (0, 0, 0, 0))
    pen = ImageDraw.Draw(image)

    def block(box: tuple[float, float, float, float], fill: Colour) -> None:
        pen.rectangle([round(side * scale) for side in box], fill=fill, outline=INK, width=scale * 2)

    def battlements(left: float, right: float, top: float, step: float) -> None:
        x = left
        while x + step * 0.6 <= right + 0.1:
            block((x, top - step * 0.6, x + step * 0.6, top + 2), _STONE)
            x += step

    block((6, 70, width - 6, height - 2), _STONE)
    battlements(6, width - 6, 70, 26)
    rng = np.random.default_rng(4)
    for row in range(7):
        y = 82 + row * 17
        x = 10 + (row % 2) * 15
        while x < width - 36:
            if rng.uniform() < 0.62:
                pen.rectangle((x * scale, y * scale, (x + 24) * scale, (y + 11) * scale),
                              outline=_STONE_DARK, width=scale)  # fmt: skip
            x += 30
    for left in (6, width / 2 - 116, width / 2 + 48, width - 74):
        block((left, 34, left + 68, height - 2), (208, 190, 156))
        battlements(left, left + 68, 34, 24)
        block((left + 28, 84, left + 40, 112), (74, 54, 38))
    middle = width / 2
    block((middle - 40, 104, middle + 40, height - 2), (208, 190, 156))
    pen.pieslice([round(v * scale) for v in (middle - 28, 112, middle + 28, 168)], 180, 360, fill=(70, 48, 32))
    pen.rectangle([round(v * scale) for v in (middle - 28, 140, middle + 28, height - 3)], fill=(70, 48, 32))
    return image.resize(WALLS, Image.Resampling.LANCZOS).filter(ImageFilter.SMOOTH)


PICTURES: Final[dict[str, Callable[[], Image.Image]]] = {
    "mountains": mountains, "coast": coast, "desert": desert, "city": city, "sea": sea, "walls": walls,
}  # fmt: skip


def write(folder: Path) -> None:
    """Write all pictures into a folder."""
    folder.mkdir(exist_ok=True)
    for name, paint in PICTURES.items():
        paint().save(folder / f"{name}.webp", quality=QUALITY, method=6)


if __name__ == "__main__":
    write(FOLDER)

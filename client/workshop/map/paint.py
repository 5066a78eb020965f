"""Paint the board as an antique map, and a small picture for hit tests, from the map file alone.

Everything is drawn by this script: noise for the paper, distance fields for tints and waterlines, small ink glyphs for
mountains, woods, dunes and waves. The noise has a fixed seed, so the same map gives the same picture.

The board is painted three times: with the tribute and the homes of the games of conquest; plain, without them, for
games that know neither; and smaller, for the browser page. Nothing else differs. Programs write the names
themselves, in letters that fit the size of text.
"""

import argparse
import json
import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFilter, ImageFont

Floats = npt.NDArray[np.float32]
Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int16]
Xy = tuple[float, float]
Colour = tuple[int, int, int]

ASSETS: Final = Path(__file__).parents[2] / "assets"
PAGE: Final = Path(__file__).parents[3] / "server" / "web" / "files" / "painting.webp"
PAGE_WIDTH: Final = 2400
PAGE_QUALITY: Final = 56
"""The page's picture may have 400 KiB at most (`tests/web/test_page_requests.py`)."""
BOLD: Final = ASSETS / "fonts" / "Cinzel-Bold.ttf"
REGULAR: Final = ASSETS / "fonts" / "Cinzel-Regular.ttf"
CAP: Final = 0.7
LEADING: Final = 1.42
SEA_SPACING: Final = 0.16
PROVINCES: Final = 42
NOTHING: Final = 255
WILD: Final = 200
DEAD: Final = 201
ISLET: Final = 202

PARCHMENT: Final[Colour] = (238, 221, 186)
WILDERNESS: Final[Colour] = (196, 174, 134)
SEA: Final[Colour] = (166, 194, 188)
DEEP: Final[Colour] = (138, 172, 172)
INK: Final[Colour] = (62, 36, 20)
FAINT: Final[Colour] = (116, 84, 52)
SEA_INK: Final[Colour] = (28, 62, 82)
RED: Final[Colour] = (140, 40, 26)
GOLD: Final[Colour] = (201, 158, 66)
TINTS: Final[tuple[Colour, ...]] = (
    (214, 150, 104),  # terracotta
    (168, 172, 104),  # olive
    (220, 186, 92),  # ochre
    (196, 128, 128),  # old rose
    (140, 168, 140),  # sage
    (176, 146, 172),  # faded purple
)
TITLE: Final = (2900.0, 2080.0)
ROSE: Final = (780.0, 274.0, 152.0)
FRAME: Final = 72


def fbm(shape: tuple[int, int], cell: float, octaves: int, seed: int) -> Floats:
    """Return soft noise between about -1 and 1."""
    rng = np.random.default_rng(seed)
    h, w = shape
    total = np.zeros(shape, np.float32)
    strength, norm = 1.0, 0.0
    for _ in range(octaves):
        gh, gw = max(2, round(h / cell) + 2), max(2, round(w / cell) + 2)
        grid = Image.fromarray(rng.uniform(-1, 1, (gh, gw)).astype(np.float32))
        total += np.asarray(grid.resize((w, h), Image.Resampling.BICUBIC), np.float32) * strength
        norm += strength * 0.5
        strength, cell = strength * 0.55, cell / 2.1
    return np.asarray(total / norm, np.float32)


def distance(mask: Bools, reach: int) -> Floats:
    """Return the distance of every pixel from the nearest true pixel, exact up to `reach`, `reach` beyond."""
    h, w = mask.shape
    far = np.float32(reach)
    column = np.full((h, w), far, np.float32)
    run = np.full(w, far, np.float32)
    for y in range(h):
        run = np.where(mask[y], np.float32(0), np.minimum(run + 1, far))
        column[y] = run
    run = np.full(w, far, np.float32)
    for y in range(h - 1, -1, -1):
        run = np.where(mask[y], np.float32(0), np.minimum(run + 1, far))
        column[y] = np.minimum(column[y], run)
    # Up and down first, then across: the squares of both distances add up.
    squared = column * column
    best = squared.copy()
    for d in range(1, reach):
        extra = np.float32(d * d)
        np.minimum(best[:, d:], squared[:, :-d] + extra, out=best[:, d:])
        np.minimum(best[:, :-d], squared[:, d:] + extra, out=best[:, :-d])
    return np.asarray(np.minimum(np.sqrt(best), far), np.float32)


class Ink:
    """Mask drawn at twice the size; `lay` puts a colour through it."""

    def __init__(self, board: "Board") -> None:
        self.board = board
        self.image = Image.new("L", (board.w * 2, board.h * 2), 0)
        self.draw = ImageDraw.Draw(self.image)

    def at(self, xy: Sequence[float]) -> Xy:
        """Return the pixel of the mask at a map place (y up)."""
        return xy[0] * 2, (self.board.h - xy[1]) * 2

    def line(self, points: Iterable[Sequence[float]], width: float, value: int = 255) -> None:
        """Draw a line through map places."""
        xy = [self.at(p) for p in points]
        self.draw.line(xy, fill=value, width=max(1, round(width * 2)), joint="curve")

    def area(self, points: Iterable[Sequence[float]], value: int = 255) -> None:
        """Draw a filled polygon."""
        self.draw.polygon([self.at(p) for p in points], fill=value)

    def disc(self, centre: Sequence[float], radius: float, value: int = 255) -> None:
        """Draw a filled circle."""
        x, y = self.at(centre)
        r = radius * 2
        self.draw.ellipse((x - r, y - r, x + r, y + r), fill=value)

    def ring(self, centre: Sequence[float], radius: float, width: float, value: int = 255) -> None:
        """Draw a circle's line."""
        x, y = self.at(centre)
        r = radius * 2
        self.draw.ellipse((x - r, y - r, x + r, y + r), outline=value, width=max(1, round(width * 2)))

    def lay(self, colour: Colour, strength: float = 1.0, within: Floats | None = None) -> None:
        """Paint the colour through the mask."""
        alpha = np.asarray(self.image.reduce(2), np.float32) * (strength / 255)
        if within is not None:
            alpha = alpha * within
        self.board.blend(colour, alpha)

    def soft(self, colour: Colour, blur: float, strength: float) -> None:
        """Paint the colour through the blurred mask: a glow or a shade."""
        image = self.image.reduce(2).filter(ImageFilter.GaussianBlur(blur))
        self.board.blend(colour, np.clip(np.asarray(image, np.float32) * (strength / 255), 0, 1))


def pairs(flat: Sequence[float]) -> list[Xy]:
    """Return the corners in a flat list."""
    return list(zip(flat[0::2], flat[1::2], strict=True))


def smooth(points: Sequence[Xy], rounds: int = 3) -> list[Xy]:
    """Cut corners of an open line."""
    line = list(points)
    for _ in range(rounds):
        out = [line[0]]
        for (ax, ay), (bx, by) in pairwise(line):
            out += [
                (ax * 0.75 + bx * 0.25, ay * 0.75 + by * 0.25),
                (ax * 0.25 + bx * 0.75, ay * 0.25 + by * 0.75),
            ]
        out.append(line[-1])
        line = out
    return line


def along(points: Sequence[Xy], step: float) -> list[tuple[float, float, float]]:
    """Return places at equal steps on a line, each with the direction there."""
    out: list[tuple[float, float, float]] = []
    need = step / 2
    for (ax, ay), (bx, by) in pairwise(points):
        length = math.hypot(bx - ax, by - ay)
        while length > 0 and need <= length:
            t = need / length
            out.append((ax + (bx - ax) * t, ay + (by - ay) * t, math.atan2(by - ay, bx - ax)))
            need += step
        need -= length
    return out


class Board:
    """Picture while it is being painted."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data
        self.w: int = data["width"]
        self.h: int = data["height"]
        self.shape = (self.h, self.w)
        self.rgb = np.zeros((self.h, self.w, 3), np.float32)
        self.spaces: list[dict[str, Any]] = data["spaces"]
        self.owner = self.draw_owner(1)
        self.keep: list[tuple[float, float, float, float]] = []
        for s in self.spaces:
            label = s["label"]
            self.keep.append((label["x"], label["y"], label["width"] + 30, label["height"] + 26))
            if s["coin"]:
                self.keep += [(*s["coin"], 70, 70)]
            if s["emblem"]:
                self.keep += [(*s["emblem"], 96, 96)]

    def draw_owner(self, shrink: int) -> Ints:
        """Return the space that covers each pixel, rows from the top."""
        image = Image.new("L", (self.w // shrink, self.h // shrink), NOTHING)
        draw = ImageDraw.Draw(image)

        def fill(rings: list[list[float]], value: int) -> None:
            for ring in rings:
                draw.polygon([(x / shrink, (self.h - y) / shrink) for x, y in pairs(ring)], fill=value)

        # The sea first: the rings of its zones also cover the islands in them.
        for s in self.spaces[PROVINCES:]:
            fill(s["rings"], s["id"])
        fill(self.data["wilderness"]["rings"], WILD)
        fill(self.data["dead_water"]["rings"], DEAD)
        for s in self.spaces[:PROVINCES]:
            fill(s["rings"], s["id"])
        # The small picture has none: a click on an islet means the sea zone around it.
        if shrink == 1:
            fill(self.data["islets"], ISLET)
        return np.asarray(image).astype(np.int16)

    def blend(self, colour: Colour | Floats, alpha: Floats) -> None:
        """Mix a colour into the picture."""
        a = alpha[..., None]
        self.rgb += (np.asarray(colour, np.float32) - self.rgb) * a

    def free(self, x: float, y: float, r: float) -> bool:
        """Whether a small glyph here would leave names, coins and emblems alone."""
        return all(abs(x - kx) > kw / 2 + r or abs(y - ky) > kh / 2 + r for kx, ky, kw, kh in self.keep)

    def here(self, x: float, y: float) -> int:
        """Return the owner at a map place."""
        row, column = int(self.h - 1 - y), int(x)
        return int(self.owner[row, column]) if 0 <= row < self.h and 0 <= column < self.w else NOTHING


def is_sea(owner: Ints) -> Bools:
    """Return a mask of the water."""
    return np.asarray(((owner >= PROVINCES) & (owner < WILD)) | (owner == DEAD), bool)


def tints(spaces: list[dict[str, Any]], owner: Ints) -> list[int]:
    """Return a tint for each province, different from those of its neighbours."""
    near: dict[int, set[int]] = {i: set() for i in range(PROVINCES)}
    for dy, dx in ((0, 6), (6, 0), (0, 40), (40, 0)):
        a, b = owner[: owner.shape[0] - dy, : owner.shape[1] - dx], owner[dy:, dx:]
        both = (a != b) & (a < PROVINCES) & (b < PROVINCES)
        for p, q in set(zip(a[both].tolist(), b[both].tolist(), strict=True)):
            near[p].add(q)
            near[q].add(p)
    chosen: dict[int, int] = {}
    used = [0] * len(TINTS)
    # Provinces with many neighbours have the least choice, so they come first.
    for i in sorted(near, key=lambda i: -len(near[i])):
        options = [t for t in range(len(TINTS)) if t not in {chosen.get(n) for n in near[i]}]
        chosen[i] = min(options or range(len(TINTS)), key=lambda t: used[t])
        used[chosen[i]] += 1
    return [chosen[i] for i in range(len(chosen))]


def ground(board: Board) -> Floats:
    """Draw paper, land tints, sea and coast; return the distance from the coast on the water."""
    owner = board.owner
    sea = is_sea(owner)
    land = ~sea
    wild = (owner == WILD) | (owner == NOTHING)
    mottle = fbm(board.shape, 420, 5, 1)
    stain = fbm(board.shape, 900, 3, 2)
    board.rgb[:] = PARCHMENT
    offshore = distance(land, 90)
    depth = np.clip(offshore / 90, 0, 1) ** 0.7
    shallow, deep = np.asarray(SEA, np.float32), np.asarray(DEEP, np.float32)
    water = (shallow + (deep - shallow) * depth[..., None]).astype(np.float32)
    board.blend(water, sea.astype(np.float32))
    shore = np.exp(-offshore / 9) * sea * 0.55
    board.blend((214, 222, 204), shore.astype(np.float32))
    # Provinces: a light wash everywhere and a stronger edge, as on hand-coloured maps.
    province = owner < PROVINCES
    edge = np.zeros(board.shape, bool)
    edge[:, 1:] |= owner[:, 1:] != owner[:, :-1]
    edge[1:] |= owner[1:] != owner[:-1]
    inner = distance(edge & ~(owner == ISLET), 60)
    wobble = 1 + 0.35 * fbm(board.shape, 60, 3, 3)
    rim = np.exp(-inner / (15 * wobble)) * 0.62 + 0.2 + 0.1 * np.clip(mottle, -1, 1)
    wash = np.array([TINTS[t] for t in tints(board.spaces, owner)], np.float32)
    board.blend(wash[np.where(province, owner, 0)], (np.clip(rim, 0, 0.85) * province).astype(np.float32))
    board.blend(WILDERNESS, wild.astype(np.float32))
    board.blend(WILDERNESS, ((owner == ISLET) * 0.5).astype(np.float32))
    fade = np.exp(-inner / 16) * wild * 0.35
    board.blend((150, 118, 78), fade.astype(np.float32))
    board.rgb += (mottle * 5.5 + stain * 6)[..., None] * np.where(sea, 0.8, 1.0)[..., None]
    return offshore


def hatch(board: Board) -> None:
    """Draw slanted hatching on the wilderness, so that it does not look like a province."""
    wild = (board.owner == WILD).astype(np.float32)
    ink = Ink(board)
    for c in range(-board.h, board.w, 17):
        ink.line([(c, 0), (c + board.h * 0.75, board.h)], 1.0)
    wobble = 0.55 + 0.45 * fbm(board.shape, 240, 3, 7)
    ink.lay((122, 92, 58), 0.34, wild * np.clip(wobble, 0.1, 1).astype(np.float32))


def rhumbs(board: Board) -> None:
    """Draw faint lines of the winds over the sea."""
    ink = Ink(board)
    for cx, cy in ((ROSE[0], ROSE[1]), (1500.0, 1000.0), (150.0, 1500.0), (2520.0, 640.0)):
        for k in range(16):
            a = math.tau * k / 16
            ink.line([(cx, cy), (cx + 5000 * math.cos(a), cy + 5000 * math.sin(a))], 1.0)
    sea = is_sea(board.owner).astype(np.float32)
    ink.lay((70, 104, 112), 0.22, sea)


def coast(board: Board, offshore: Floats) -> None:
    """Draw waterlines, the ink of the coast, province borders and sea zone borders."""
    sea = is_sea(board.owner).astype(np.float32)
    for d, width, strength in (
        (6.5, 1.1, 0.55),
        (13.5, 1.0, 0.42),
        (22, 0.95, 0.3),
        (32, 0.9, 0.2),
        (44, 0.9, 0.12),
    ):
        band = np.clip(1.2 - np.abs(offshore - d) / width, 0, 1) * strength
        board.blend(SEA_INK, (band * sea).astype(np.float32))
    shade = np.exp(-offshore / 5) * sea * 0.3
    board.blend((60, 70, 60), shade.astype(np.float32))
    owner = board.owner
    zones = Ink(board)
    drawn_edges: set[frozenset[Xy]] = set()
    for s in board.spaces[PROVINCES:]:
        for ring in s["rings"] + s["holes"]:
            corners = pairs(ring)
            run: list[Xy] = []
            for a, b in zip(corners, corners[1:] + corners[:1], strict=True):
                middle = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
                row, column = min(board.h - 1, int(board.h - middle[1])), min(board.w - 1, int(middle[0]))
                inside = offshore[row, column] > 3.5 and 3 < middle[0] < board.w - 3 and 3 < middle[1] < board.h - 3
                # Both neighbours have the edge in their rings; drawn twice, its dashes would fill the gaps.
                fresh = frozenset((a, b)) not in drawn_edges
                drawn_edges.add(frozenset((a, b)))
                if inside and fresh:
                    run = [*run, b] if run else [a, b]
                    continue
                dashes(zones, run)
                run = []
            dashes(zones, run)
    zones.soft((216, 226, 214), 3.0, 0.65)
    zones.lay(SEA_INK, 0.85)
    borders = Ink(board)
    shores = Ink(board)
    for s in board.spaces[:PROVINCES]:
        for ring in s["rings"]:
            # The first two corners once more, so that the last joint is round too.
            borders.line([*pairs(ring), *pairs(ring[:4])], 2.6)
    for ring in board.data["wilderness"]["rings"] + board.data["wilderness"]["holes"]:
        shores.line([*pairs(ring), *pairs(ring[:4])], 1.8)
    for ring in board.data["islets"]:
        shores.line([*pairs(ring), *pairs(ring[:4])], 1.5)
    near_sea = np.clip(1 - distance(is_sea(owner), 6) / 3, 0, 1)
    borders.soft((96, 54, 26), 3.0, 0.5)
    borders.lay(INK, 0.86)
    borders.lay((44, 30, 22), 0.5, near_sea.astype(np.float32))
    shores.lay(INK, 0.75)


def dashes(ink: Ink, run: Sequence[Xy]) -> None:
    """Draw a dashed line."""
    if len(run) < 2:
        return
    dash, gap = 19.0, 13.0
    left, drawing, line = dash, True, [run[0]]
    for a, b in pairwise(run):
        at, length = a, math.hypot(b[0] - a[0], b[1] - a[1])
        while length > left:
            t = left / length
            at = (at[0] + (b[0] - at[0]) * t, at[1] + (b[1] - at[1]) * t)
            line.append(at)
            if drawing:
                ink.line(line, 3.0)
            length -= left
            drawing = not drawing
            left, line = (dash if drawing else gap), [at]
        left -= length
        line.append(b)
    if drawing and len(line) > 1:
        ink.line(line, 3.0)


def rivers(board: Board) -> None:
    """Draw thin rivers on the land that widen towards the sea."""
    ink = Ink(board)
    for flat in board.data["rivers"]:
        line = smooth(pairs(flat), 3)
        rng = np.random.default_rng(len(line))
        wave = [
            (x + 5 * math.sin(i * 0.8 + 1) + rng.normal(0, 1.2), y + 5 * math.cos(i * 0.63))
            for i, (x, y) in enumerate(line)
        ]
        wave = smooth(wave, 1)
        n = len(wave)
        for i in range(n - 1):
            # Each piece by itself: a line has one width.
            ink.line(wave[i : i + 2], 1.4 + 2.0 * i / n)
    land = (~is_sea(board.owner)).astype(np.float32)
    ink.lay((84, 122, 134), 0.62, land)


def mountains(board: Board) -> None:
    """Draw rows of small peaks, lit from the left."""
    ink, shade, light = Ink(board), Ink(board), Ink(board)
    peaks: list[tuple[float, float, float]] = []
    rng = np.random.default_rng(5)
    for row in board.data["ranges"]:
        for x, y, direction in along(smooth(pairs(row["line"]), 2), 27):
            for side in (-1, 1) if row["height"] > 0.95 else (0,):
                px = x + side * 11 * -math.sin(direction) + rng.normal(0, 4)
                py = y + side * 11 * math.cos(direction) + rng.normal(0, 4)
                peaks.append((px, py, row["height"] * rng.uniform(0.75, 1.2)))
    # From the back to the front, so that nearer peaks cover those behind them.
    for x, y, size in sorted(peaks, key=lambda p: -p[1]):
        if is_sea(np.array([[board.here(x, y)]], np.int16))[0, 0] or not board.free(x, y + 8, 10):
            continue
        h, w = 25 * size, 17 * size
        top = (x + rng.normal(0, 1.5), y + h)
        left, right = (x - w, y + rng.normal(0, 1)), (x + w, y + rng.normal(0, 1))
        knee = (x + w * 0.15, y + h * 0.4)
        light.area([left, top, right])
        for other in (ink, shade):
            other.area([left, top, right], 0)
        shade.area([top, right, (x + w * 0.2, y), knee])
        ink.line(smooth([left, (x - w * 0.45, y + h * 0.42), top], 2), 1.3)
        ink.line(smooth([top, (x + w * 0.3, y + h * 0.62), right], 2), 1.7)
        for t in (0.3, 0.55, 0.8):
            sx, sy = top[0] + (right[0] - top[0]) * t, top[1] + (right[1] - top[1]) * t
            ink.line([(sx, sy), (sx - w * 0.22 * (1 - t * 0.3), sy - h * (0.34 - 0.2 * t))], 0.9, 190)
    light.lay((240, 226, 194), 0.3)
    shade.lay((120, 90, 60), 0.22)
    ink.lay(FAINT, 0.62)


def wilds(board: Board) -> None:
    """Draw woods in the north and dunes in the south of the wilderness."""
    ink, body = Ink(board), Ink(board)
    rng = np.random.default_rng(9)
    spots = [(rng.uniform(90, board.w - 90), rng.uniform(90, board.h - 90)) for _ in range(1500)]
    chosen: list[Xy] = []
    # From the back to the front, as with the mountains.
    for x, y in sorted(spots, key=lambda p: -p[1]):
        clear = all(board.here(x + dx, y + dy) == WILD for dx in (-34, 0, 34) for dy in (-24, 0, 34))
        title = abs(x - TITLE[0]) < 590 and abs(y - TITLE[1]) < 250
        rose = math.hypot(x - ROSE[0], y - ROSE[1]) < ROSE[2] + 60
        if not clear or title or rose or any(math.hypot(x - a, y - b) < 44 for a, b in chosen):
            continue
        chosen.append((x, y))
        if y > 1500 and x < 2750:
            for dx, dy, s in ((-12, 2, 0.9), (11, 3, 0.95), (0, -4, 1.15)):
                tx, ty, w, h = x + dx, y + dy, 8.5 * s, 25 * s
                for k in range(3):
                    base = ty + 5 + k * h * 0.26
                    tier = [
                        (tx - w * (1 - k * 0.22), base),
                        (tx, base + h * 0.42),
                        (tx + w * (1 - k * 0.22), base),
                    ]
                    body.area(tier)
                    ink.area(tier, 0)
                    ink.line([*tier, tier[0]], 1.0)
                ink.line([(tx, ty), (tx, ty + 5)], 1.8)
        elif y < 700 or x > 2900:
            w = rng.uniform(20, 34)
            ink.line(smooth([(x - w, y), (x - w * 0.3, y + 11), (x + w * 0.2, y + 7), (x + w, y - 1)], 3), 1.5)
            ink.line(smooth([(x - w * 0.1, y + 9), (x + w * 0.05, y + 3), (x - w * 0.1, y - 3)], 2), 1.0)
    body.lay((150, 132, 88), 0.5)
    ink.lay((110, 80, 48), 0.55)


def waves(board: Board, offshore: Floats) -> None:
    """Draw a few gentle wave strokes on the open sea."""
    ink = Ink(board)
    rng = np.random.default_rng(21)
    spots: list[Xy] = []
    for _ in range(2600):
        x, y = rng.uniform(90, board.w - 90), rng.uniform(90, board.h - 90)
        if offshore[int(board.h - y), int(x)] < 56 or not board.free(x, y, 24):
            continue
        if any(math.hypot(x - a, (y - b) * 1.4) < 74 for a, b in spots):
            continue
        spots.append((x, y))
        w = rng.uniform(9, 13)
        for row in range(2):
            ox, oy = x + row * w * 0.5, y - row * 9
            points = [(ox + w * t, oy + 3.2 * math.cos(t * math.pi)) for t in np.linspace(-2, 2 - row, 24)]
            ink.line(points, 1.3)
    ink.lay((62, 104, 116), 0.42)


def star(centre: Xy, outer: float, inner: float, points: int, turn: float = 0.0) -> list[Xy]:
    """Return the corners of a star; the first point is at the top."""
    out: list[Xy] = []
    for k in range(points * 2):
        r = outer if k % 2 == 0 else inner
        a = math.pi / 2 + turn + math.pi * k / points
        out.append((centre[0] + r * math.cos(a), centre[1] + r * math.sin(a)))
    return out


def leaf(x: float, y: float, angle: float, length: float, width: float) -> list[Xy]:
    """Return a pointed leaf that starts at a place."""
    out: list[Xy] = []
    c, s = math.cos(angle), math.sin(angle)
    for side in (1, -1):
        ts = np.linspace(0, 1, 9) if side == 1 else np.linspace(1, 0, 9)
        for t in ts:
            u, v = float(t) * length, side * width * math.sin(math.pi * float(t) ** 0.85)
            out.append((x + u * c - v * s, y + u * s + v * c))
    return out


def laurel(centre: Xy, radius: float, size: float, gap: float = 0.42) -> list[list[Xy]]:
    """Return the leaves of a wreath that is open at the top."""
    leaves: list[list[Xy]] = []
    count = max(6, round(radius * 2.6 / size))
    for side in (-1, 1):
        for k in range(count):
            a = -math.pi / 2 + side * (0.1 + (math.pi - gap - 0.1) * k / (count - 1))
            px, py = centre[0] + radius * math.cos(a), centre[1] + radius * math.sin(a)
            grow = a + side * math.pi / 2
            s = size * (1.0 - 0.3 * k / count)
            leaves.append(leaf(px, py, grow + 0.55, s, s * 0.24))
            leaves.append(leaf(px, py, grow - 0.55, s, s * 0.24))
    return leaves


def rose(board: Board) -> None:
    """Draw the compass rose."""
    x, y, r = ROSE
    dark, light, red = Ink(board), Ink(board), Ink(board)
    light.disc((x, y), r * 0.78)
    light.soft((232, 212, 170), 8, 0.9)
    for radius, width in ((r * 0.78, 3.2), (r * 0.73, 1.2), (r * 0.36, 1.2), (r * 0.4, 2.0)):
        dark.ring((x, y), radius, width)
    for k in range(64):
        a = math.tau * k / 64
        inner = 0.73 - (0.05 if k % 4 else 0.09)
        dark.line([(x + r * q * math.cos(a), y + r * q * math.sin(a)) for q in (inner, 0.73)], 1.2 if k % 4 else 2.0)
    halves: list[tuple[Ink, list[Xy]]] = []
    for count, turn, outer, inner in (
        (4, math.pi / 8, 0.52, 0.16),
        (4, math.pi / 4, 0.7, 0.17),
        (4, 0.0, 1.0, 0.2),
    ):
        for angle in (turn, turn + math.pi / 4) if turn == math.pi / 8 else (turn,):
            for k in range(count):
                a = math.pi / 2 + angle + math.tau * k / count
                tip = (x + r * outer * math.cos(a), y + r * outer * math.sin(a))
                for side in (-1, 1):
                    b = a + side * math.pi / 4
                    corner = (x + r * inner * math.cos(b), y + r * inner * math.sin(b))
                    halves.append((dark if side == 1 else light, [(x, y), tip, corner]))
    # Its disc was the glow; from now on it has the light halves.
    light.image.paste(0, (0, 0, *light.image.size))
    paint = Image.new("L", dark.image.size, 0)
    fills = ImageDraw.Draw(paint)
    for which, shape in halves:
        xy = [dark.at(p) for p in shape]
        # Each half clears its place in the other mask, so that later points lie on top.
        fills.polygon(xy, fill=255 if which is light else 0)
        dark.draw.polygon(xy, fill=255 if which is dark else 0)
        dark.draw.line([*xy, xy[0]], fill=255, width=3)
    light.image.paste(paint)
    light.lay((240, 224, 186), 1.0)
    red.disc((x, y), r * 0.06)
    dark.lay(INK, 0.85)
    red.lay(RED, 1.0)
    for text, dx, dy in (("S", 0, 1), ("M", 0, -1), ("OR", 1, 0), ("OC", -1, 0)):
        letters(board, text, x + dx * r * 1.17, y + dy * r * 1.13, 24, INK, BOLD)


def letters(
    board: Board, text: str, x: float, y: float, cap: float, colour: Colour, path: Path, spacing: float = 0.0,
    glow: tuple[Colour, float, float] | None = None,
) -> None:  # fmt: skip
    """Draw one line of letters around a place."""
    em = cap / CAP
    font = ImageFont.truetype(str(path), round(em * 2))
    # By whole beginnings of the text, so that kerning counts.
    widths = [font.getlength(text[: i + 1]) - font.getlength(text[i]) for i in range(len(text))]
    total = font.getlength(text) / 2 + spacing * em * (len(text) - 1)
    ink = Ink(board)
    for i, letter in enumerate(text):
        left, base = ink.at((x - total / 2 + widths[i] / 2 + i * spacing * em, y - cap / 2))
        ink.draw.text((left, base), letter, font=font, fill=255, anchor="ls")
    if glow:
        ink.soft(*glow)
    ink.lay(colour)


def coins(board: Board) -> None:
    """Draw the yearly tribute of each province as a coin."""
    for value, metal, bright, dark in (
        (10, (214, 168, 66), (246, 218, 136), (112, 72, 18)),
        (5, (186, 188, 186), (232, 232, 226), (74, 78, 82)),
    ):
        spots = [s["coin"] for s in board.spaces[:PROVINCES] if s["tribute"] == value]
        shade, rim, face, shine = Ink(board), Ink(board), Ink(board), Ink(board)
        for x, y in spots:
            shade.disc((x + 2.5, y - 3.5), 29)
            rim.disc((x, y), 28)
            face.disc((x, y), 25.5)
            shine.ring((x, y), 22.5, 1.6)
        shade.soft((40, 24, 10), 3, 0.75)
        rim.lay(dark)
        face.lay(metal)
        shine.lay(dark, 0.55)
        gloss = Ink(board)
        for x, y in spots:
            gloss.disc((x - 5, y + 7), 11, 150)
        gloss.soft(bright, 6, 1.2)
        ink = Ink(board)
        font = ImageFont.truetype(str(BOLD), 62 if value == 5 else 56)
        for x, y in spots:
            px, py = ink.at((x, y))
            box = font.getbbox(str(value), anchor="ls")
            # By the ink of the digits: the font's own box has room for other letters.
            at = (px - (box[0] + box[2]) / 2, py - (box[1] + box[3]) / 2)
            ink.draw.text(at, str(value), font=font, fill=255, anchor="ls")
        ink.lay(dark)


def emblems(board: Board) -> None:
    """Draw a temple in a laurel wreath for every home province."""
    halo, green, ink, stone = Ink(board), Ink(board), Ink(board), Ink(board)
    for s in board.spaces[:PROVINCES]:
        if not s["emblem"]:
            continue
        x, y = s["emblem"]
        halo.disc((x, y), 38)
        for shape in laurel((x, y), 32, 15, 0.3):
            ink.line([*shape, shape[0]], 1.6)
            green.area(shape)
        roof = [(x - 22, y + 8), (x, y + 21), (x + 22, y + 8)]
        floor = [(x - 22, y - 16), (x + 22, y - 16), (x + 22, y - 11), (x - 22, y - 11)]
        beam = [(x - 20, y + 3), (x + 20, y + 3), (x + 20, y + 7), (x - 20, y + 7)]
        shapes = [roof, floor, beam]
        columns = (x - 15, x - 5, x + 5, x + 15)
        shapes += [[(c - 3, y - 11), (c + 3, y - 11), (c + 3, y + 3), (c - 3, y + 3)] for c in columns]
        for shape in shapes:
            stone.area(shape)
            ink.line([*shape, shape[0]], 1.5)
    halo.soft((250, 238, 206), 5, 0.9)
    green.lay((104, 116, 52))
    stone.lay((250, 240, 214))
    ink.lay(INK, 0.95)


def straits(board: Board) -> None:
    """Draw double-headed arrows where armies may cross the water."""
    ink, light = Ink(board), Ink(board)
    for s in board.data["straits"]:
        (ax, ay), (bx, by) = s["from"], s["to"]
        length = math.hypot(bx - ax, by - ay)
        dx, dy = (bx - ax) / length, (by - ay) / length
        for target, width in ((light, 13.0), (ink, 7.0)):
            grow = 3.2 if target is light else 0.0
            target.line([(ax + dx * 14, ay + dy * 14), (bx - dx * 14, by - dy * 14)], width)
            for x, y, d in ((ax, ay, -1), (bx, by, 1)):
                tip = (x + d * dx * (2 + grow * 1.6), y + d * dy * (2 + grow * 1.6))
                back = (x - d * dx * (20 + grow), y - d * dy * (20 + grow))
                w = 15 + grow * 1.6
                target.area([tip, (back[0] - dy * w, back[1] + dx * w), (back[0] + dy * w, back[1] - dx * w)])
    light.lay((248, 234, 204), 0.95)
    ink.lay(RED, 0.95)


def cartouche(board: Board) -> None:
    """Draw the title in an ornamented panel."""
    x, y = TITLE
    w, h = 500.0, 178.0
    shade, panel, rim, gold = Ink(board), Ink(board), Ink(board), Ink(board)

    def plaque(inset: float) -> list[Xy]:
        a, b, r = w - inset, h - inset, 46.0
        out: list[Xy] = []
        for sx, sy, start in ((1, 1, math.pi * 1.5), (-1, 1, 0.0), (-1, -1, math.pi / 2), (1, -1, math.pi)):
            cx, cy = x + sx * a, y + sy * b
            for t in np.linspace(0, 1, 12):
                angle = start - float(t) * math.pi / 2
                out.append((cx + r * math.cos(angle), cy + r * math.sin(angle)))
        return out

    shade.area([(px + 8, py - 12) for px, py in plaque(0)])
    shade.soft((50, 30, 12), 12, 0.6)
    panel.area(plaque(0))
    panel.lay((242, 226, 190))
    edge = plaque(0)
    rim.line([*edge, edge[0], edge[1]], 6)
    for inset, width in ((14.0, 2.0), (26.0, 2.0)):
        inner = plaque(inset)
        rim.line([*inner, inner[0], inner[1]], width)
    rim.lay(INK, 0.92)
    band = plaque(20)
    gold.line([*band, band[0], band[1]], 8)
    gold.lay(GOLD, 0.85)
    letters(board, "CONQUEST", x, y + 50, 92, RED, BOLD, 0.06, glow=((120, 70, 30), 5, 0.35))
    letters(board, "IMPERIUM ROMANUM", x, y - 62, 40, INK, REGULAR, 0.14)
    ink, leafs = Ink(board), Ink(board)
    for side in (-1, 1):
        stem = smooth([(x + side * 18, y - 122), (x + side * 120, y - 114), (x + side * 300, y - 124)], 3)
        ink.line(stem, 2)
        for px, py, direction in along(stem, 21):
            for turn in (0.6, -0.6):
                shape = leaf(px, py, direction + turn, 22, 5)
                leafs.area(shape)
                ink.line([*shape, shape[0]], 1.2)
    ink.disc((x, y - 122), 8)
    leafs.lay((112, 122, 62), 0.9)
    ink.lay(INK, 0.85)


def frame(board: Board) -> None:
    """Draw the ornamental frame: dark wood, gold lines, a meander and corner stars."""
    w, h = board.w, board.h
    body = np.zeros(board.shape, np.float32)
    f = FRAME - 8
    body[:f] = body[-f:] = 1
    body[:, :f] = body[:, -f:] = 1
    inside = Image.fromarray(((1 - body) * 255).astype(np.uint8)).filter(ImageFilter.GaussianBlur(14))
    shade = (1 - np.asarray(inside, np.float32) / 255) * (1 - body)
    board.blend((40, 22, 10), (shade * 1.1).clip(0, 1))
    grain = fbm(board.shape, 90, 4, 31)
    wood = np.asarray((92, 42, 28), np.float32) + grain[..., None] * 7
    board.blend(wood, body)
    gold, dark = Ink(board), Ink(board)

    def box(inset: float, width: float, target: Ink) -> None:
        corners = [(inset, inset), (w - inset, inset), (w - inset, h - inset), (inset, h - inset)]
        target.line([*corners, corners[0], corners[1]], width)

    box(f, 4.5, gold)
    box(f - 7, 1.6, gold)
    box(6, 3, gold)
    box(12, 1.4, gold)
    box(f + 3.6, 2.2, dark)
    unit = 34.0
    low, high = 19.0, f - 14.0
    t = (high - low) / 4

    def meander(start: Xy, along_x: bool, length: float, flip: bool) -> None:
        count = round(length / unit)
        step = length / count
        for k in range(count):
            u = k * step
            far, mid = u + step * 0.76, u + step * 0.38
            path = [(u, 0), (u, 4), (far, 4), (far, 1.4), (mid, 1.4), (mid, 2.6)]
            tail = [(u, 0), (u + step, 0)]
            for line in (path, tail):
                points = []
                for a, b in line:
                    v = b * t
                    v = (high - low) - v if flip else v
                    points.append((start[0] + a, start[1] + v) if along_x else (start[0] + v, start[1] + a))
                gold.line(points, 3.2)

    corner = f + 6.0
    meander((corner, low), True, w - 2 * corner, False)
    meander((corner, h - high), True, w - 2 * corner, True)
    meander((low, corner), False, h - 2 * corner, False)
    meander((w - high, corner), False, h - 2 * corner, True)
    for cx in (f / 2, w - f / 2):
        for cy in (f / 2, h - f / 2):
            gold.area(star((cx, cy), 20, 8, 8))
            gold.ring((cx, cy), 25, 2.4)
    gold.lay(GOLD, 0.9)
    dark.lay((40, 20, 10), 0.8)


def finish(board: Board) -> Image.Image:
    """Return the picture with the grain of the paper and darker edges."""
    rng = np.random.default_rng(77)
    grain = Image.fromarray(rng.normal(0, 1, (board.h // 2, board.w // 2)).astype(np.float32))
    fine = np.asarray(grain.resize((board.w, board.h), Image.Resampling.BILINEAR), np.float32)
    fibres = fbm(board.shape, 9, 2, 78)
    board.rgb += (fine * 1.3 + fibres * 3.0)[..., None]
    ys, xs = np.mgrid[0 : board.h, 0 : board.w].astype(np.float32)
    r = np.hypot(xs / board.w - 0.5, ys / board.h - 0.5)
    board.rgb *= (1 - np.clip(r - 0.42, 0, 1) * 0.42)[..., None]
    board.rgb *= np.asarray((1.0, 0.985, 0.955), np.float32)
    return Image.fromarray(np.clip(board.rgb, 0, 255).astype(np.uint8))


def index(board: Board) -> Image.Image:
    """Return the hit-test picture: a quarter of the size, pixel value = space, 255 = nothing."""
    owner = board.draw_owner(4)
    owner[owner >= WILD] = NOTHING
    return Image.fromarray(owner.astype(np.uint8))


def save(board: Board, file: Path, quality: int) -> None:
    """Frame the picture and write it."""
    frame(board)
    finish(board).save(file, quality=quality, optimize=True)  # Progressive files take twice as long to read.


def save_for_page(board: Board, file: Path) -> None:
    """Frame the picture and write it small."""
    frame(board)
    height = round(PAGE_WIDTH * board.h / board.w)
    small = finish(board).resize((PAGE_WIDTH, height), Image.Resampling.LANCZOS)
    small.save(file, quality=PAGE_QUALITY, method=6)


def main() -> None:
    """Paint everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--map", type=Path, default=ASSETS / "map.json")
    parser.add_argument("--out", type=Path, default=ASSETS)
    parser.add_argument("--page", type=Path, default=PAGE)
    parser.add_argument("--quality", type=int, default=88)
    options = parser.parse_args()
    board = Board(json.loads(options.map.read_text()))
    index(board).save(options.out / "index.png", optimize=True)
    offshore = ground(board)
    hatch(board)
    rhumbs(board)
    rivers(board)
    coast(board, offshore)
    waves(board, offshore)
    mountains(board)
    wilds(board)
    straits(board)
    rose(board)
    cartouche(board)
    # Copied, since `save` paints the frame into the picture.
    plain = board.rgb.copy()
    coins(board)
    emblems(board)
    save(board, options.out / "board.jpg", options.quality)
    board.rgb = plain.copy()
    save(board, options.out / "board_plain.jpg", options.quality)
    board.rgb = plain
    save_for_page(board, options.page)


if __name__ == "__main__":
    main()

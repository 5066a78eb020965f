"""Find places for names, armies, coins, cities and galleys on the grown shapes.

The search runs on a small picture of the map. Every place is a rectangle; rectangles should lie in their own space,
away from each other. A row of `WISHES` fixes or limits a place where the search finds a poor one.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from shared.board import BOARD

Floats = npt.NDArray[np.float64]
Xy = tuple[float, float]

FONT: Final = Path(__file__).parents[2] / "assets" / "fonts" / "Cinzel-Bold.ttf"
SEA_FONT: Final = Path(__file__).parents[2] / "assets" / "fonts" / "Cinzel-Regular.ttf"
CAP: Final = 0.7  # Height of a capital in ems.
LEADING: Final = 1.42  # Distance between lines in capital heights.
STEP: Final = 6  # Map pixels per pixel of the small picture.
FRAME: Final = 72  # Width of the painted frame in map pixels.
STACK: Final = (150.0, 140.0)
COIN: Final = (64.0, 64.0)
CITY: Final = (90.0, 80.0)
GALLEY: Final = (124.0, 96.0)
RESERVED: Final = ((780.0, 270.0, 440.0, 440.0), (2900.0, 2080.0, 1100.0, 460.0))
SEA_SPACING: Final = 0.16  # extra space between the letters of sea names, in ems


@dataclass(frozen=True)
class Wish:
    """Place set by hand: name (x, y, angle, capital height, bend), army, coin, city, emblem, galley."""

    label: tuple[float, float, float, float] | None = None
    lines: tuple[str, ...] | None = None
    anchor: Xy | None = None
    coin: Xy | None = None
    city: Xy | None = None
    emblem: Xy | None = None


WISHES: Final[dict[str, Wish]] = {
    "britannia": Wish(label=(592, 2062, 0, 40), anchor=(600, 2162), coin=(590, 1992), city=(535, 2272)),
    "germania": Wish(label=(1086, 2088, 0, 34), anchor=(1130, 1972), coin=(1003, 2026), city=(1150, 1855)),
    "noricum": Wish(label=(1512, 1690, 0, 29), anchor=(1572, 1786), coin=(1424, 1726), city=(1450, 1790)),
    "rhaetia": Wish(label=(1272, 1692, 0, 33), anchor=(1318, 1790), coin=(1216, 1752), city=(1412, 1834)),
    "pannonia": Wish(label=(1725, 1612, 0, 40), anchor=(1715, 1722), coin=(1765, 1550), city=(1840, 1690)),
    "dacia": Wish(label=(2110, 1690, 0, 44), anchor=(2160, 1575), coin=(2035, 1630), city=(2300, 1600)),
    "moesia": Wish(label=(2160, 1436, 0, 40), coin=(2010, 1378), city=(1962, 1462)),
    "thracia": Wish(label=(2226, 1346, 0, 37), anchor=(2325, 1252), coin=(2205, 1274)),
    "macedonia": Wish(label=(2018, 1128, 0, 34), anchor=(2006, 1238), coin=(1884, 1196), emblem=(2130, 1206)),
    "achaia": Wish(label=(2046, 905, 0, 36), coin=(2044, 846)),
    "cilicia": Wish(label=(2790, 736, 0, 32), anchor=(2902, 856), coin=(2742, 792), city=(2788, 852)),
    "cyprus": Wish(label=(2556, 592, 0, 34), anchor=(2744, 606), coin=(2846, 558)),
    "palestina": Wish(label=(2808, 452, 0, 34), anchor=(2902, 356), coin=(2866, 262), city=(2940, 258)),
    "syria": Wish(label=(3012, 568, 0, 39), anchor=(3046, 676), coin=(3010, 504)),
    "egyptus": Wish(
        label=(2590, 268, 0, 42), anchor=(2612, 160), coin=(2772, 270), city=(2386, 282), emblem=(2492, 172)
    ),
    "africa_proconsularis": Wish(label=(1385, 396, 0, 31), anchor=(1690, 264), coin=(1236, 470), city=(1545, 318)),
    "tingitana": Wish(label=(342, 468, 0, 35), anchor=(430, 574), coin=(306, 540)),
    "baetica": Wish(label=(424, 800, 0, 36), coin=(520, 872), city=(300, 866)),
    "hispania": Wish(label=(520, 1236, 0, 54), anchor=(540, 1116), city=(670, 1130)),
    "aquitania": Wish(label=(722, 1660, 0, 33), anchor=(712, 1552)),
    "lugdunensis": Wish(label=(644, 1784, 0, 35), anchor=(908, 1712), coin=(604, 1728), city=(742, 1848)),
    "belgica": Wish(label=(925, 1966, 0, 32), anchor=(985, 1864), coin=(868, 1906), city=(794, 1904)),
    "narbonensis": Wish(label=(926, 1446, 0, 31), anchor=(990, 1548), coin=(872, 1502), city=(1048, 1656)),
    "italia": Wish(
        label=(1226, 1608, 0, 44),
        anchor=(1312, 1508),
        coin=(1424, 1634),
        city=(1160, 1520),
        emblem=(1404, 1376),
    ),
    "neapolis": Wish(label=(1462, 1124, 0, 36), anchor=(1550, 1226), coin=(1662, 1154), city=(1652, 1050)),
    "dalmatia": Wish(label=(1722, 1482, 0, 31), anchor=(1800, 1372), coin=(1688, 1426), city=(1916, 1404)),
    "corsica": Wish(label=(1178, 1262, 0, 36), anchor=(1172, 1376), coin=(1262, 1336), city=(1062, 1330)),
    "sardinia": Wish(label=(1140, 1026, 0, 36), anchor=(1172, 1146), coin=(1168, 966)),
    "baleares": Wish(label=(880, 960, 0, 38), anchor=(856, 1068), coin=(762, 1022)),
    "sicilia": Wish(label=(1412, 710, 0, 36), anchor=(1462, 826), coin=(1372, 862)),
    "creta": Wish(label=(2252, 548, 0, 36), anchor=(2166, 636), coin=(2274, 616)),
    "asia": Wish(label=(2450, 928, 0, 46), city=(2520, 880)),
    "oceanus_britannicus": Wish(label=(905, 2228, 0, 30), anchor=(322, 1985)),
    "mare_tyrrhenum": Wish(label=(1424, 1014, 0, 25)),
    "mare_rhodus": Wish(label=(2520, 672, 0, 27)),
    "mare_pelusium": Wish(label=(2758, 384, 0, 22), anchor=(2728, 512)),
    "mare_balaricum": Wish(label=(562, 752, 0, 23)),
}
COAST_WISHES: Final[dict[int, Xy]] = {13: (1264, 1418), 15: (2622, 690), 61: (1364, 1260)}


@dataclass
class SpaceLayout:
    """Places of all items of one space, in map pixels, y up."""

    lines: tuple[str, ...]
    x: float
    y: float
    angle: float
    size: float
    width: float
    height: float
    anchor: Xy
    coin: Xy | None = None
    city: Xy | None = None
    emblem: Xy | None = None
    stacks: list[Xy] = field(default_factory=list)


def text_width(line: str, cap: float, sea: bool) -> float:
    """Return the width of a line of capitals in map pixels."""
    font = ImageFont.truetype(str(SEA_FONT if sea else FONT), 100)
    extra = SEA_SPACING * 100 * (len(line) - 1) if sea else 0
    return (font.getlength(line) + extra) / 100 * cap / CAP


def splits(name: str, sea: bool) -> list[tuple[str, ...]]:
    """Return the ways to break a name into lines."""
    words = name.upper().split()
    if len(words) == 1:
        return [tuple(words)]
    if sea:
        return [(" ".join(words),), (words[0], " ".join(words[1:]))]
    return [(" ".join(words[:-1]), words[-1]), (" ".join(words),)]


class TakenPixels:
    """Small picture: the owner of each pixel, and the taken pixels."""

    def __init__(self, owner: npt.NDArray[np.int16]) -> None:
        self.owner = owner
        self.h, self.w = owner.shape
        self.taken = np.zeros((self.h, self.w))
        self.ys, self.xs = np.mgrid[0 : self.h, 0 : self.w].astype(float) * STEP + STEP / 2

    def share(self, mask: npt.NDArray[np.bool_] | Floats, w: float, h: float) -> Floats:
        """Return, for every pixel, the share of a rectangle around it that the mask covers."""
        # Sums from the corner to each pixel: four of them give the sum of any rectangle.
        sums = np.zeros((self.h + 1, self.w + 1))
        sums[1:, 1:] = np.cumsum(np.cumsum(mask.astype(float), axis=0), axis=1)
        a, b = max(1, round(w / 2 / STEP)), max(1, round(h / 2 / STEP))
        ys, xs = np.arange(self.h), np.arange(self.w)
        y0, y1 = np.clip(ys - b, 0, self.h), np.clip(ys + b, 0, self.h)
        x0, x1 = np.clip(xs - a, 0, self.w), np.clip(xs + a, 0, self.w)
        total = sums[np.ix_(y1, x1)] - sums[np.ix_(y0, x1)] - sums[np.ix_(y1, x0)] + sums[np.ix_(y0, x0)]
        return np.asarray(total / (4 * a * b))

    def take(self, x: float, y: float, w: float, h: float, weight: float = 1.0) -> None:
        """Mark a rectangle as taken."""
        x0, x1 = (int(np.clip((x + s * w / 2) / STEP, 0, self.w)) for s in (-1, 1))
        y0, y1 = (int(np.clip((y + s * h / 2) / STEP, 0, self.h)) for s in (-1, 1))
        self.taken[y0:y1, x0:x1] = np.maximum(self.taken[y0:y1, x0:x1], weight)

    def best(self, cost: Floats) -> Xy:
        """Return the place with the least cost."""
        y, x = np.unravel_index(int(np.argmin(cost)), cost.shape)
        return float(self.xs[y, x]), float(self.ys[y, x])

    def far(self, at: Xy) -> Floats:
        """Return the distance of every pixel from a place."""
        return np.asarray(np.hypot(self.xs - at[0], self.ys - at[1]))


def picture(rings: dict[int, list[list[Xy]]], size: tuple[int, int]) -> TakenPixels:
    """Draw the shapes small: pixel value = space, -1 = wilderness."""
    image = Image.new("I", (size[0] // STEP, size[1] // STEP), 1000)
    draw = ImageDraw.Draw(image)
    # Land last: the outer ring of a sea zone also covers its islands.
    for land in (False, True):
        for space, outer in rings.items():
            if (space < BOARD.provinces) == land:
                for ring in outer:
                    draw.polygon([(x / STEP, y / STEP) for x, y in ring], fill=space)
    owner = np.array(image).astype(np.int16)
    owner[owner == 1000] = -1
    return TakenPixels(owner)


def reserve(sheet: TakenPixels, straits: list[Xy]) -> None:
    """Reserve the painted frame, the title, the compass rose and the arrows of the straits."""
    edge = FRAME // STEP
    sheet.taken[:edge] = sheet.taken[-edge:] = 3.0
    sheet.taken[:, :edge] = sheet.taken[:, -edge:] = 3.0
    for x, y, w, h in RESERVED:
        sheet.take(x, y, w, h, 3.0)
    for x, y in straits:
        sheet.take(x, y, 80, 80, 1.5)


def _cheapest_cells(cost: Floats, count: int) -> npt.NDArray[np.intp]:
    stride = np.full(cost.shape, np.inf)
    # Every second pixel each way: the candidates spread over more of the space.
    stride[::2, ::2] = cost[::2, ::2]
    flat = stride.ravel()
    return np.argpartition(flat, count)[:count]


def place_space(sheet: TakenPixels, space: int) -> SpaceLayout:
    """Choose name and army place of one space together."""
    sea = space >= BOARD.provinces
    wish = WISHES.get(BOARD.keys[space], Wish())
    own = sheet.owner == space
    wild = sheet.owner == -1
    water = sheet.owner >= BOARD.provinces
    alien = ~own & ~wild & ~water
    if sea:
        alien, water = sheet.owner < BOARD.provinces, water & ~own
    centre = (float(sheet.xs[own].mean()), float(sheet.ys[own].mean()))
    w, h = GALLEY if sea else STACK
    stack = (
        300 * sheet.share(alien | wild, w, h) + 190 * sheet.share(water, w, h) + 700 * sheet.share(sheet.taken, w, h)
    ) + 0.02 * sheet.far(centre)
    if wish.anchor:
        stack = stack + 50 * np.minimum(sheet.far(wish.anchor), 200)
    best: tuple[float, SpaceLayout] | None = None
    for lines in [wish.lines] if wish.lines else splits(BOARD.names[space], sea):
        for cap in [wish.label[3]] if wish.label else (30, 27, 24, 21) if sea else (46, 42, 39, 36, 33, 30):
            tw = max(text_width(line, cap, sea) for line in lines)
            th = cap * (1 + LEADING * (len(lines) - 1))
            bw, bh = tw + 18, th + 16
            angle = wish.label[2] if wish.label else 0.0
            if abs(angle) > 20:
                a = np.radians(angle)
                bw, bh = (
                    abs(bw * np.cos(a)) + abs(bh * np.sin(a)),
                    abs(bw * np.sin(a)) + abs(bh * np.cos(a)),
                )
            cost = (
                420 * sheet.share(alien, bw, bh)
                + 150 * sheet.share(wild, bw, bh)
                + (300 if sea else 45) * sheet.share(water, bw, bh)
                + 900 * sheet.share(sheet.taken, bw, bh)
                + (46 - cap) * (3.2 if sea else 1.6)
                + 0.03 * sheet.far(centre)
            )
            if wish.label:
                cost = cost + 50 * np.minimum(sheet.far((wish.label[0], wish.label[1])), 200)
            # Many candidates of each, because the best place of a name may leave none for the army.
            li, ai = _cheapest_cells(cost, 300), _cheapest_cells(stack, 300)
            lx, ly, ax, ay = (g.ravel()[i] for g, i in ((sheet.xs, li), (sheet.ys, li), (sheet.xs, ai), (sheet.ys, ai)))
            over_x = np.clip((bw + w) / 2 - np.abs(lx[:, None] - ax[None]), 0, None)
            over_y = np.clip((bh + h) / 2 - np.abs(ly[:, None] - ay[None]), 0, None)
            gap = np.hypot(lx[:, None] - ax[None], ly[:, None] - ay[None])
            total = cost.ravel()[li][:, None] + stack.ravel()[ai][None] + 500 * (over_x * over_y) / (w * h) + 0.05 * gap
            i, j = np.unravel_index(int(np.argmin(total)), total.shape)
            if best is None or total[i, j] < best[0]:
                place = SpaceLayout(lines, float(lx[i]), float(ly[i]), angle, cap, tw, th, (float(ax[j]), float(ay[j])))
                # The wish exactly: the search knows only pixels of the small picture.
                if wish.label:
                    place.x, place.y = wish.label[0], wish.label[1]
                if wish.anchor:
                    place.anchor = wish.anchor
                best = (float(total[i, j]), place)
    assert best
    place = best[1]
    rise = np.radians(place.angle)
    for t in np.linspace(-0.5, 0.5, 9):
        tw = place.width / 9 + 14 + place.height * abs(np.sin(rise))
        th = place.height + 14
        sheet.take(place.x + t * place.width * np.cos(rise), place.y + t * place.width * np.sin(rise), tw, th)
    sheet.take(*place.anchor, w - 8, h - 8, 0.8)
    return place


def place_small(sheet: TakenPixels, space: int, place: SpaceLayout) -> None:
    """Place coin, emblem, city and the stacks of a second and third owner."""
    wish = WISHES.get(BOARD.keys[space], Wish())
    own = sheet.owner == space
    wild = sheet.owner == -1
    water = sheet.owner >= BOARD.provinces

    def spot(size: Xy, near: Xy, wished: Xy | None, reach: float = 0.25) -> Xy:
        cost = (
            300 * sheet.share(~own & ~water & ~wild, *size)
            + 190 * sheet.share(wild, *size)
            + 90 * sheet.share(water, *size)
            + 600 * sheet.share(sheet.taken, *size)
            + reach * sheet.far(near)
        )
        at = wished or sheet.best(cost)
        sheet.take(*at, *size)
        return at

    place.coin = spot(COIN, (place.x, place.y), wish.coin)
    if space in BOARD.homes:
        place.emblem = spot((84, 84), (place.x, place.y), wish.emblem)
    place.city = spot(CITY, place.anchor, wish.city)
    place.stacks = [place.anchor]
    while len(place.stacks) < 4:
        cost = 300 * sheet.share(~own, 90, 90) + 100 * sheet.share(sheet.taken, *STACK)
        for other in place.stacks:
            cost = cost + 2.0 * np.clip(150 - sheet.far(other), 0, None)
        place.stacks.append(sheet.best(cost + 0.1 * sheet.far(place.anchor) + 1e3 * ~own))


def place_fleets(sheet: TakenPixels, space: int, place: SpaceLayout) -> None:
    """Place the stacks of further owners in a sea zone."""
    own = sheet.owner == space
    place.stacks = [place.anchor]
    while len(place.stacks) < 6:
        cost = 300 * sheet.share(~own, *GALLEY) + 200 * sheet.share(sheet.taken, *GALLEY) + 1e3 * ~own
        for other in place.stacks:
            cost = cost + 2.0 * np.clip(150 - sheet.far(other), 0, None)
        place.stacks.append(sheet.best(cost + 0.1 * sheet.far(place.anchor)))


def place_galley(sheet: TakenPixels, position: int, taken: list[Xy], near: Floats) -> Xy:
    """Return a place just off a coast; `near` is the distance in map pixels of every pixel from the province."""
    if position in COAST_WISHES:
        return COAST_WISHES[position]
    zones = BOARD.coast_seas[position]
    inside = np.isin(sheet.owner, zones)
    land = sheet.owner < BOARD.provinces
    others = land & (sheet.owner != BOARD.ashore[position])
    cost = (
        np.abs(near - 46) * 2.0
        + 160 * sheet.share(land, *GALLEY)
        + 500 * sheet.share(others, 150, 130)
        + 300 * sheet.share(sheet.taken, *GALLEY)
        + 1e4 * ~inside
    )
    for other in taken:
        cost = cost + 3.0 * np.clip(150 - sheet.far(other), 0, None)
    return sheet.best(cost)

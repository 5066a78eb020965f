"""Grow the shapes of the board from a public coastline and a list of towns.

Every province is the union of the Voronoi cells of its towns, cut by the coast; sea zones grow in the same way from
points at sea. The borders are then simplified, smoothed and roughened as shared lines, so that neighbours keep one
and the same border. The script refuses to write a map whose borders differ from those of the printed board.
"""

import argparse
import csv
import json
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import shapely
from shapely.affinity import scale as scaled
from shapely.affinity import translate
from shapely.geometry import LineString, MultiPoint, Point, Polygon, box
from shapely.geometry.base import BaseGeometry
from shapely.ops import linemerge, polygonize
from shapely.strtree import STRtree

from client.workshop.map import layout, relief
from shared.board import BOARD

Floats = npt.NDArray[np.float64]

HERE: Final = Path(__file__).parent
WIDTH: Final = 3600
WEST, EAST, SOUTH, NORTH = -12.4, 47.4, 26.6, 56.9
WILD: Final = "-"
DEAD: Final = "~"  # water that belongs to no sea zone

# Islands that would be too small for pieces: scale along x and y about their centre, then a shift in map pixels.
ISLANDS: Final[dict[str, tuple[float, float, float, float]]] = {
    "creta": (1.35, 2.3, 0, -34),
    "cyprus": (1.55, 1.75, -8, -22),
    "corsica": (2.0, 1.5, -20, 44),
    "sardinia": (1.5, 1.3, -14, -26),
    "baleares": (2.5, 2.3, 6, 0),
    "sicilia": (1.3, 1.42, -38, -44),
}

# Channels that are narrower than a pixel or two: a line along the water (longitude, latitude) and a width in pixels.
CHANNELS: Final[tuple[tuple[float, tuple[tuple[float, float], ...]], ...]] = (
    # In this order: the Bosporus, the Hellespont, and the strait of Messina.
    (15, ((29.18, 41.32), (29.09, 41.15), (29.02, 41.05), (28.95, 40.9))),
    (
        16,
        (
            (25.9, 39.98),
            (26.2, 40.05),
            (26.38, 40.15),
            (26.42, 40.22),
            (26.68, 40.4),
            (26.95, 40.52),
            (27.4, 40.6),
        ),
    ),
    (20, ((15.35, 38.6), (15.68, 38.32), (15.6, 38.1), (15.58, 37.7))),
)


def lens(x: Floats, centre: float, width: float, gain: float) -> Floats:
    """Return the integral of ``1 + gain * exp(-((x - centre) / width) ** 2)``: a gentle magnifying glass."""
    erf = np.vectorize(math.erf)
    bell: Floats = erf((x - centre) / width) * (gain * width * math.sqrt(math.pi) / 2)
    return x + bell


def raw_x(lon: Floats) -> Floats:
    """Return longitudes on the stretched axis."""
    # At 38 degrees north, a degree of longitude is that much shorter than one of latitude.
    return lens(lon, 25.0, 13.0, 0.25) * math.cos(math.radians(38))


def raw_y(lat: Floats) -> Floats:
    """Return latitudes on the stretched axis."""
    return lens(lat, 38.8, 5.5, 0.4)


def _edge(value: float, axis: Callable[[Floats], Floats]) -> float:
    return float(axis(np.array([value]))[0])


X0: Final = _edge(WEST, raw_x)
Y0: Final = _edge(SOUTH, raw_y)
SCALE: Final = WIDTH / (_edge(EAST, raw_x) - X0)
HEIGHT: Final = round((_edge(NORTH, raw_y) - Y0) * SCALE)


def project(lonlat: Floats) -> Floats:
    """Return map pixels, y up, of an array of (longitude, latitude)."""
    return np.column_stack(((raw_x(lonlat[:, 0]) - X0) * SCALE, (raw_y(lonlat[:, 1]) - Y0) * SCALE))


def point(lon: float, lat: float) -> Point:
    """Return one projected place."""
    return Point(project(np.array([[lon, lat]]))[0])


def polygons(shape: BaseGeometry) -> list[Polygon]:
    """Return the polygons of any geometry."""
    if isinstance(shape, Polygon):
        return [] if shape.is_empty else [shape]
    return [q for p in getattr(shape, "geoms", ()) for q in polygons(p)]


def read_land(path: Path) -> list[Polygon]:
    """Return the land polygons of a TopoJSON file, projected and clipped to a frame a little larger than the map."""
    topology: dict[str, Any] = json.loads(path.read_text())
    (sx, sy), (tx, ty) = topology["transform"]["scale"], topology["transform"]["translate"]
    # TopoJSON stores differences of whole numbers.
    arcs = [np.cumsum(np.array(arc, float), axis=0) * (sx, sy) + (tx, ty) for arc in topology["arcs"]]

    def ring(indexes: Iterable[int]) -> Floats:
        # ~i stands for arc i drawn backwards; arcs that follow each other share a point.
        parts = [arcs[i] if i >= 0 else arcs[~i][::-1] for i in indexes]
        return np.concatenate([parts[0]] + [p[1:] for p in parts[1:]])

    window = box(WEST - 2, SOUTH - 2, EAST + 2, NORTH + 2)
    land: list[Polygon] = []
    (layer,) = topology["objects"].values()
    for geometry in layer["geometries"]:
        parts = [geometry["arcs"]] if geometry["type"] == "Polygon" else geometry["arcs"]
        for rings in parts:
            shape = Polygon(ring(rings[0]), [ring(r) for r in rings[1:]])
            if not shape.intersects(window):
                continue
            cut = shapely.make_valid(shape).intersection(window)
            # More points first: the projection bends long straight edges.
            land += [p for p in polygons(shapely.transform(shapely.segmentize(cut, 0.5), project)) if p.area > 4]
    return land


def read_sites(path: Path) -> dict[str, list[Point]]:
    """Return the sites by key of the space that they belong to."""
    sites: dict[str, list[Point]] = defaultdict(list)
    with path.open(newline="") as file:
        for row in csv.DictReader(file):
            sites[row["place"]].append(point(float(row["lon"]), float(row["lat"])))
    return dict(sites)


def shape_islands(land: list[Polygon], sites: dict[str, list[Point]]) -> tuple[list[Polygon], dict[str, BaseGeometry]]:
    """Enlarge the island provinces; return the other land and the islands."""
    islands: dict[str, BaseGeometry] = {}
    rest = list(land)
    for key, (fx, fy, dx, dy) in ISLANDS.items():
        reach = 160 if key == "baleares" else 1
        mine = [p for p in rest if any(p.distance(s) < reach for s in sites[key]) and p.area < 60000]
        rest = [p for p in rest if p not in mine]
        mine.sort(key=lambda p: -p.area)
        grown = [translate(scaled(p, fx, fy, origin=p.centroid), dx, dy) for p in mine]
        islands[key] = shapely.unary_union([p for p in grown if p.area > 900][:3])
    return rest, islands


def cells(sites: dict[str, list[Point]], keys: Sequence[str], frame: Polygon) -> dict[str, BaseGeometry]:
    """Return the union of the Voronoi cells of each key's sites."""
    points = [(p, key) for key in keys for p in sites[key]]
    diagram = shapely.voronoi_polygons(MultiPoint([p for p, _ in points]), extend_to=frame)
    tree = STRtree(diagram.geoms)
    owned: dict[str, list[BaseGeometry]] = defaultdict(list)
    for p, key in points:
        for i in tree.query(p, "intersects"):
            owned[key].append(diagram.geoms[int(i)])
    return {key: shapely.unary_union(owned[key]).intersection(frame) for key in keys}


@dataclass
class Coverage:
    """Shapes that tile the map: provinces and sea zones by key, the wilderness, and islets drawn on the sea."""

    shapes: dict[str, BaseGeometry]
    islets: list[Polygon]


def grow(land: list[Polygon], sites: dict[str, list[Point]]) -> Coverage:
    """Cut land and sea into spaces."""
    frame = box(-40, -40, WIDTH + 40, HEIGHT + 40)
    rest, islands = shape_islands(land, sites)
    water = shapely.unary_union([LineString(project(np.array(line))).buffer(width / 2) for width, line in CHANNELS])
    every = MultiPoint([p for ps in sites.values() for p in ps])
    near = shapely.unary_union(list(islands.values())).buffer(16)
    main: list[Polygon] = []
    islets: list[Polygon] = []
    for p in rest:
        if p.area > 4000 or p.intersection(every).area > 0 or not p.disjoint(every):
            main.append(p)
        elif p.area > 60 and p.disjoint(near):
            islets.append(p)
    ground = shapely.unary_union(main).difference(water).intersection(frame)
    # Lakes would be odd holes in a province, and specks of land that the channels cut off are odd islands.
    ground = shapely.unary_union([Polygon(p.exterior) for p in polygons(ground) if p.area > 400])
    ground = ground.difference(near)
    whole = set(ISLANDS)
    land_keys = [k for k in BOARD.keys[: BOARD.provinces] if k not in whole] + [WILD]
    shapes = {k: c.intersection(ground) for k, c in cells(sites, land_keys, frame).items()} | islands
    waters = polygons(frame.difference(shapely.unary_union(list(shapes.values()))))
    buoys = MultiPoint([p for k in BOARD.keys[BOARD.provinces :] for p in sites[k]])
    sea = shapely.unary_union([w for w in waters if w.intersects(buoys)])
    shapes[DEAD] = shapely.unary_union([w for w in waters if not w.intersects(buoys)])
    shapes |= {k: c.intersection(sea) for k, c in cells(sites, BOARD.keys[BOARD.provinces :], frame).items()}
    return Coverage(shapes, islets)


def settle(coverage: Coverage) -> None:
    """Give pieces of a space that lost touch with its main body to the neighbour with the longest common border."""
    loose: list[tuple[str, Polygon]] = []
    for key, shape in coverage.shapes.items():
        if key in (WILD, DEAD):
            continue
        parts = sorted(polygons(shape), key=lambda p: -p.area)
        sea = key in BOARD.keys[BOARD.provinces :]
        keep = [p for i, p in enumerate(parts) if i == 0 or (not sea and p.area > 600)]
        loose += [(key, p) for p in parts if p not in keep]
        coverage.shapes[key] = shapely.unary_union(keep)
    for key, piece in loose:
        best, length = key, 0.0
        for other, shape in coverage.shapes.items():
            same_kind = (other in BOARD.keys[BOARD.provinces :]) == (key in BOARD.keys[BOARD.provinces :])
            if same_kind and shape.distance(piece) < 0.5:
                shared = shape.intersection(piece.buffer(0.5)).area
                if shared > length:
                    best, length = other, shared
        coverage.shapes[best] = shapely.unary_union([coverage.shapes[best], piece])


def chaikin(line: Floats, rounds: int) -> Floats:
    """Cut the corners of an open line, or of a ring when both ends meet; open ends stay in place."""
    for _ in range(rounds):
        if len(line) < 3:
            return line
        a, b = line[:-1], line[1:]
        cut = np.empty((2 * len(a), 2))
        cut[0::2], cut[1::2] = a * 0.75 + b * 0.25, a * 0.25 + b * 0.75
        if np.array_equal(line[0], line[-1]):
            line = np.concatenate([cut, cut[:1]])
        else:
            line = np.concatenate([line[:1], cut[1:-1], line[-1:]])
    return line


def ripple(xy: Floats, seed: int) -> Floats:
    """Return a smooth random displacement of each place, about one pixel strong."""
    rng = np.random.default_rng(seed)
    out = np.zeros_like(xy)
    for wave, strength in ((90.0, 0.9), (41.0, 0.45), (19.0, 0.2)):
        for _ in range(4):
            angle, phase_x, phase_y = rng.uniform(0, 2 * math.pi, 3)
            t = (xy[:, 0] * math.cos(angle) + xy[:, 1] * math.sin(angle)) * (2 * math.pi / wave)
            out[:, 0] += np.sin(t + phase_x) * strength
            out[:, 1] += np.sin(t + phase_y) * strength
    return out


def redraw(coverage: Coverage) -> dict[str, BaseGeometry]:
    """Smooth the shared lines and put every corner on a whole pixel; rebuild the shapes from the lines."""
    keys = list(coverage.shapes)
    # All at once, so that neighbours keep one and the same border.
    shapes = list(shapely.coverage_simplify([coverage.shapes[k] for k in keys], 1.6))
    wet = {DEAD, *BOARD.keys[BOARD.provinces :]}
    sea = shapely.unary_union([s for k, s in zip(keys, shapes, strict=True) if k in wet])
    coast = sea.boundary
    merged = linemerge(shapely.unary_union([s.boundary for s in shapes]))
    lines: list[LineString] = []
    for arc in merged.geoms:
        # A line lies between two shapes only, so its middle tells whether all of it is coast.
        middle = arc.interpolate(0.5, normalized=True)
        if coast.distance(middle) < 0.01:
            lines.append(LineString(chaikin(shapely.get_coordinates(arc), 1)))
            continue
        xy = chaikin(shapely.get_coordinates(arc.simplify(7)), 3)
        xy = shapely.get_coordinates(shapely.segmentize(LineString(xy), 5))
        ends = np.minimum(np.hypot(*(xy - xy[0]).T), np.hypot(*(xy - xy[-1]).T))
        # The ripple fades towards both ends, where the line must still meet others.
        calm = np.clip(ends / 40, 0, 1)[:, None] * (1.0 if sea.distance(middle) > 1 else 0.5)
        rough = LineString(xy + ripple(xy, 11) * calm * 2.2).simplify(0.6)
        lines.append(rough)
    whole = box(0, 0, WIDTH, HEIGHT)
    noded = shapely.unary_union(lines, grid_size=1.0)
    noded = shapely.unary_union([noded.intersection(whole, grid_size=1.0), whole.boundary], grid_size=1.0)
    tree = STRtree(shapes)
    out: dict[str, list[Polygon]] = defaultdict(list)
    for face in polygonize(noded):
        # The new lines only name no space: a face belongs to the old shape that it covers most.
        best = max((int(i) for i in tree.query(face, "intersects")), key=lambda i: shapes[i].intersection(face).area)
        out[keys[best]].append(face)
    return {k: shapely.unary_union(out[k], grid_size=1.0) for k in keys}


def borders(shapes: dict[str, BaseGeometry], least: float = 3) -> dict[frozenset[int], float]:
    """Return pairs of spaces with a common border, and its length."""
    found: dict[frozenset[int], float] = {}
    listed = [shapes[k] for k in BOARD.keys]
    tree = STRtree(listed)
    for a, shape in enumerate(listed):
        for b in (int(i) for i in tree.query(shape, "intersects")):
            if b > a:
                length = float(shape.intersection(listed[b]).length)
                if length > least:
                    found[frozenset((a, b))] = length
    return found


def faults(shapes: dict[str, BaseGeometry]) -> list[str]:
    """Return the differences of the borders from the printed board, in words."""
    found = borders(shapes)
    expected = {frozenset((a, b)) for a, ns in enumerate(BOARD.neighbours) for b in ns}

    def name(pair: frozenset[int]) -> str:
        return " / ".join(BOARD.keys[i] for i in sorted(pair))

    return [f"missing border: {name(p)}" for p in expected - set(found)] + [
        f"extra border of {found[p]:.0f} pixels: {name(p)}" for p in set(found) - expected
    ]


def flat(ring: Iterable[Sequence[float]]) -> list[int]:
    """Return a ring as a flat list of whole numbers, without the repeated last corner."""
    out = [round(v) for xy in ring for v in xy[:2]]
    return out[:-2]


def trace(line: relief.Line) -> list[int]:
    """Return a projected line as a flat list."""
    return [round(v) for xy in project(np.array(line)) for v in xy]


def triangles(shape: BaseGeometry) -> list[int]:
    """Return a flat list of triangles, six numbers each."""
    out: list[int] = []
    for p in polygons(shape):
        for t in polygons(shapely.constrained_delaunay_triangles(p)):
            out += flat(t.exterior.coords)
    return out


def outline(shape: BaseGeometry) -> dict[str, Any]:
    """Return rings and holes, the largest ring first."""
    parts = sorted(polygons(shape), key=lambda p: -p.area)
    return {
        "rings": [flat(p.exterior.coords) for p in parts],
        "holes": [flat(r.coords) for p in parts for r in p.interiors],
    }


def strait_ends(a: BaseGeometry, b: BaseGeometry) -> tuple[list[int], list[int]]:
    """Return two points inland of the narrowest place of a strait."""
    line = shapely.shortest_line(a, b)
    (x0, y0), (x1, y1) = line.coords
    length = max(line.length, 1.0)
    reach = max(0.0, 74 - length) / 2
    dx, dy = (x1 - x0) / length * reach, (y1 - y0) / length * reach
    return [round(x0 - dx), round(y0 - dy)], [round(x1 + dx), round(y1 + dy)]


def describe(shapes: dict[str, BaseGeometry], islets: list[Polygon]) -> dict[str, Any]:
    """Return everything that goes into the map file."""
    listed = [shapes[k] for k in BOARD.keys]
    rings = {i: [[(x, y) for x, y, *_ in p.exterior.coords] for p in polygons(s)] for i, s in enumerate(listed)}
    sheet = layout.picture(rings, (WIDTH, HEIGHT))
    ends = [strait_ends(listed[a], listed[b]) for a, b in BOARD.straits]
    layout.reserve(sheet, [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in ends])
    places: dict[int, layout.SpaceLayout] = {}
    # The smallest first: they have the fewest places to choose from.
    provinces = sorted(range(BOARD.provinces), key=lambda i: listed[i].area)
    for i in provinces:
        places[i] = layout.place_space(sheet, i)
    # Only after all names and armies: small things fit into what those leave.
    for i in provinces:
        layout.place_small(sheet, i, places[i])
    for i in range(BOARD.provinces, BOARD.spaces):
        places[i] = layout.place_space(sheet, i)
        layout.place_fleets(sheet, i, places[i])
    grid = shapely.points(sheet.xs.ravel(), sheet.ys.ravel())
    galleys: dict[int, layout.Xy] = {}
    for i in provinces:
        near = shapely.distance(grid, listed[i]).reshape(sheet.xs.shape)
        for pos in BOARD.coasts[i]:
            galleys[pos] = layout.place_galley(sheet, pos, list(galleys.values()), near)
    spaces: list[dict[str, Any]] = []
    for i, shape in enumerate(listed):
        place = places[i]
        coasts = BOARD.coasts[i] if i < BOARD.provinces else ()
        whole = [[round(x), round(y)] for x, y in place.stacks]
        named: dict[str, Any] = {
            name: [round(v) for v in at] if at else None
            for name, at in (("city", place.city), ("coin", place.coin), ("emblem", place.emblem))
        }
        points = whole + [named[n] for n in ("city", "coin", "emblem") if named[n]]
        spaces.append(
            {"id": i, "key": BOARD.keys[i], "tribute": BOARD.tribute[i]}
            | outline(shape)
            | {
                "triangles": triangles(shape),
                "label": {
                    "x": round(place.x),
                    "y": round(place.y),
                    "angle": place.angle,
                    "size": place.size,
                    "width": round(place.width),
                    "height": round(place.height),
                    "lines": list(place.lines),
                },
                "anchor": whole[0],
                "anchors": points,
                "beside": [n for n, p in enumerate(points) if not shape.covers(Point(p))],
            }
            | named
            | {"coasts": [{"pos": p, "x": round(galleys[p][0]), "y": round(galleys[p][1])} for p in coasts]}
        )
    straits = [
        {"a": a, "b": b, "from": start, "to": end} for (a, b), (start, end) in zip(BOARD.straits, ends, strict=True)
    ]
    return {
        "width": WIDTH,
        "height": HEIGHT,
        "spaces": spaces,
        "straits": straits,
        "wilderness": outline(shapes[WILD]),
        "dead_water": outline(shapes[DEAD]),
        "ranges": [{"height": h, "line": trace(line)} for h, line in relief.RANGES.values()],
        "rivers": [trace(line) for line in relief.RIVERS.values()],
        "islets": [flat(p.exterior.coords) for p in islets],
    }


def main() -> None:
    """Grow the map and write it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("land", type=Path, help="land-10m.json of the npm package world-atlas 2.0.2")
    parser.add_argument("--sites", type=Path, default=HERE / "sites.csv")
    parser.add_argument("--out", type=Path, default=HERE.parent / "assets" / "map.json")
    options = parser.parse_args()
    coverage = grow(read_land(options.land), read_sites(options.sites))
    settle(coverage)
    shapes = redraw(coverage)
    if wrong := faults(shapes):
        raise SystemExit("\n".join(wrong))
    text = json.dumps(describe(shapes, coverage.islets), separators=(",", ":"))
    options.out.write_text(text + "\n")
    print(f"{options.out}: {len(text) // 1024} KiB")


if __name__ == "__main__":
    main()

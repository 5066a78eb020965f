"""The drawn board agrees with the printed one: borders, places for pieces, names, the hit-test picture."""

import json
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import pytest
from PIL import Image

from client.drawing.lettering import meet
from client.player.settings import SIZES
from client.table.geography import Geography
from shared.board import BOARD

shapely = pytest.importorskip("shapely")

ASSETS = Path(__file__).parents[2] / "client" / "assets"


def wanted_borders() -> set[frozenset[int]]:
    """The printed borders; straits are none."""
    return {frozenset((a, b)) for a, others in enumerate(BOARD.neighbours) for b in others}


@cache
def board_map() -> dict[str, Any]:
    data: dict[str, Any] = json.loads((ASSETS / "map.json").read_text())
    return data


def corners(flat: list[int]) -> list[tuple[int, int]]:
    return list(zip(flat[0::2], flat[1::2], strict=True))


@cache
def shapes() -> list[Any]:
    built = []
    for space in board_map()["spaces"]:
        outer = shapely.union_all([shapely.Polygon(corners(r)) for r in space["rings"]])
        inner = shapely.union_all([shapely.Polygon(corners(r)) for r in space["holes"]])
        built.append(outer.difference(inner))
    return built


def test_every_space_is_there_in_order() -> None:
    spaces = board_map()["spaces"]
    assert [s["id"] for s in spaces] == list(range(BOARD.spaces))
    assert tuple(s["key"] for s in spaces) == BOARD.keys


def test_shapes_touch_if_and_only_if_the_board_says_so() -> None:
    listed = shapes()
    wanted = wanted_borders()
    assert len(wanted) == 152
    tree = shapely.STRtree(listed)
    found = set()
    for a, b in tree.query(listed, predicate="intersects").T.tolist():
        if a < b:
            length = listed[a].intersection(listed[b]).length
            assert length == 0 or length > 8, f"{BOARD.keys[a]} / {BOARD.keys[b]}: a hair's width"
            if length > 0:
                found.add(frozenset((a, b)))
    names = [sorted(BOARD.keys[i] for i in pair) for pair in found ^ wanted]
    assert not names


def test_shapes_do_not_overlap() -> None:
    listed = shapes()
    assert all(s.is_valid and s.area > 5000 for s in listed)
    total = sum(s.area for s in listed)
    assert shapely.union_all(listed).area == pytest.approx(total, rel=1e-9)


def test_straits_join_shapes_that_do_not_touch() -> None:
    straits = board_map()["straits"]
    assert {frozenset((s["a"], s["b"])) for s in straits} == {frozenset(pair) for pair in BOARD.straits}
    for strait in straits:
        assert shapes()[strait["a"]].distance(shapes()[strait["b"]]) > 3
        for end, space in ((strait["from"], strait["a"]), (strait["to"], strait["b"])):
            assert shapes()[space].distance(shapely.Point(end)) < 40


def test_triangles_cover_their_shape() -> None:
    for space, shape in zip(board_map()["spaces"], shapes(), strict=True):
        flat = np.array(space["triangles"], float).reshape(-1, 3, 2)
        ab, ac = flat[:, 1] - flat[:, 0], flat[:, 2] - flat[:, 0]
        area = np.abs(ab[:, 0] * ac[:, 1] - ab[:, 1] * ac[:, 0]).sum() / 2
        assert area == pytest.approx(shape.area, rel=1e-3), space["key"]


def test_places_for_pieces() -> None:
    data = board_map()
    whole = shapely.box(40, 40, data["width"] - 40, data["height"] - 40)
    for space, shape in zip(data["spaces"], shapes(), strict=True):
        places = space["anchors"]
        assert len(places) >= 6 and space["anchor"] == places[0], space["key"]
        for number, place in enumerate(places):
            point = shapely.Point(place)
            assert whole.covers(point)
            assert shape.covers(point) == (number not in space["beside"]), (space["key"], number)
            assert shape.distance(point) < 100, (space["key"], number)
        assert 0 not in space["beside"], space["key"]


def test_anchors_of_different_spaces_keep_apart() -> None:
    spaces = board_map()["spaces"]
    at = np.array([s["anchor"] for s in spaces], float)
    gaps = np.hypot(*(at[:, None] - at[None]).transpose(2, 0, 1)) + np.eye(len(at)) * 1e6
    assert gaps.min() > 90


def test_galleys_stand_off_their_own_coast() -> None:
    spaces = board_map()["spaces"]
    positions = []
    for space, shape in zip(spaces, shapes(), strict=True):
        for coast in space["coasts"]:
            point = shapely.Point(coast["x"], coast["y"])
            positions.append(coast["pos"])
            assert BOARD.ashore[coast["pos"]] == space["id"]
            assert any(shapes()[sea].covers(point) for sea in BOARD.coast_seas[coast["pos"]]), space["key"]
            assert shape.distance(point) < 110, space["key"]
    expected = [p for i in range(BOARD.provinces) for p in BOARD.coasts[i]]
    assert sorted(positions) == sorted(expected)


def test_labels_do_not_overlap() -> None:
    boxes = []
    for space in board_map()["spaces"]:
        label = space["label"]
        assert "".join(label["lines"]).replace(" ", "") == space["key"].replace("_", "").upper()
        w, h = label["width"] / 2, label["height"] / 2
        box = shapely.affinity.rotate(shapely.box(-w, -h, w, h), label["angle"], origin=(0, 0))
        boxes.append(shapely.affinity.translate(box, label["x"], label["y"]))
    tree = shapely.STRtree(boxes)
    for a, b in tree.query(boxes, predicate="intersects").T.tolist():
        assert a == b, (BOARD.keys[a], BOARD.keys[b])


@pytest.mark.parametrize("percent", SIZES)
def test_larger_names_keep_off_each_other_and_off_what_is_printed(percent: int) -> None:
    world = Geography()
    usual = world.labels
    world.letter(percent / 100)
    bodies = [label.box(0.0) for label in world.labels]
    for space, (box, before) in enumerate(zip(bodies, usual, strict=True)):
        assert box[0] > 0 and box[1] > 0 and box[2] < world.width and box[3] < world.height
        for other in (*bodies[:space], *bodies[space + 1 :], *world.coins):
            assert not meet(box, other) or meet(before.box(0.0), other), BOARD.keys[space]
    grown = [label.size / before.size for label, before in zip(world.labels, usual, strict=True)]
    assert all(1 <= by <= percent / 100 + 0.001 for by in grown)
    assert median(grown) >= 1 + 0.5 * (percent / 100 - 1)
    world.letter(1.0)
    assert world.labels == usual


def test_hit_picture_agrees_with_the_shapes() -> None:
    data = board_map()
    index = np.asarray(Image.open(ASSETS / "index.png"))
    assert index.shape == (data["height"] // 4, data["width"] // 4)
    assert set(np.unique(index).tolist()) == {*range(BOARD.spaces), 255}
    ys, xs = np.mgrid[4 : index.shape[0] : 9, 4 : index.shape[1] : 9]
    px, py = xs.ravel() * 4 + 2.0, data["height"] - (ys.ravel() * 4 + 2.0)
    shown = index[ys.ravel(), xs.ravel()]
    points = shapely.points(px, py)
    for space, shape in enumerate(shapes()):
        assert shapely.contains(shape.buffer(5), points[shown == space]).all(), BOARD.keys[space]
        assert (shown[shapely.contains(shape.buffer(-7), points)] == space).all(), BOARD.keys[space]


def test_art_is_complete() -> None:
    for name in ("board.jpg", "board_plain.jpg"):
        with Image.open(ASSETS / name) as board:
            assert board.size == (board_map()["width"], board_map()["height"])
        assert (ASSETS / name).stat().st_size < 4 << 20
    palette = json.loads((ASSETS / "palette.json").read_text())["colours"]
    assert len({c["mark"] for c in palette}) == 6
    figures = ("caesar", "general", "infantry", "cavalry", "catapult", "galley", "marker")
    names = [f"{figure}_{seat}" for figure in figures for seat in range(6)]
    names += ["city", "fortified", "coin5", "coin10", "die_blank"]
    names += [f"{kind}_{unit}" for kind in ("die", "icon") for unit in ("infantry", "cavalry", "catapult", "galley")]
    for name in names:
        with Image.open(ASSETS / "pieces" / f"{name}.png") as image:
            assert image.size == (128, 128) and image.mode == "RGBA", name


@pytest.mark.long
def test_paintings_differ_only_in_coins_and_temples() -> None:
    """A picture of JPEG differs a little in the squares around them too."""
    rich, plain = (np.asarray(Image.open(ASSETS / name), np.int16) for name in ("board.jpg", "board_plain.jpg"))
    differs = np.abs(rich - plain).max(axis=2)
    for space in board_map()["spaces"]:
        for what, reach in (("coin", 48), ("emblem", 72)):
            if space[what]:
                column, row = space[what][0], board_map()["height"] - space[what][1]
                there = differs[row - reach : row + reach, column - reach : column + reach]
                assert there.max() > 90, (space["key"], what)
                there[:] = 0
    assert differs.max() < 12

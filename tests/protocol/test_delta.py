"""Deltas: they fit, they are short, and a delta that does not fit is noticed."""

import contextlib
import random
from typing import Any

import pytest
from msgspec import Struct

from protocol import codec
from protocol.delta import BadDelta, Known, diff, digest, patch


class Part(Struct, array_like=True, frozen=True):
    a: int
    b: tuple[int, ...] = ()


class View(Struct, array_like=True):
    number: int
    numbers: list[int]
    cells: list[tuple[int, ...]]
    parts: list[Part]
    part: Part
    maybe: list[int] | None
    holes: list[int | None]
    names: dict[str, int]
    text: str


def view(**changed: Any) -> View:
    made = View(1, [1] * 10, [(1, 2), (), (3,)], [Part(1), Part(2)], Part(5), None, [1, 2], {"a": 1}, "x")
    for key, value in changed.items():
        setattr(made, key, value)
    return made


def plain(value: Any) -> Any:
    return codec.decode_plain(codec.ENCODER.encode(value))


@pytest.mark.parametrize(
    ("changed", "delta"),
    [
        ({}, []),
        ({"number": 7}, [0, 7]),
        ({"numbers": [1] * 9 + [2]}, [1, 9, 2]),
        ({"numbers": [1] * 11}, [1, 10, 1]),
        ({"numbers": [1] * 8}, [1, 8, None]),
        ({"numbers": [5] + [1] * 7}, [1, 8, None, 1, 0, 5]),
        ({"numbers": [1, 4, 1, 4, 4, 1, 1, 1, 1, 3]}, [1, [1, 3, 4], 4, 1, 9, 3]),
        ({"cells": [(), (), ()]}, [2, [0, 2], ()]),
        ({"numbers": list(range(10))}, [1, -1, list(range(10))]),
        ({"numbers": []}, [1, 0, None]),
        ({"cells": [(1, 2), (9, 9), (3,)]}, [2, 1, (9, 9)]),
        ({"parts": [Part(1)]}, [3, 1, None]),
        ({"parts": [Part(1), Part(2), Part(3)]}, [3, 2, Part(3)]),
        ({"parts": [Part(1), Part(2, (7, 8, 9))]}, [3, 1, Part(2, (7, 8, 9))]),
        ({"cells": [(1, 3), (), (3,)]}, [2, 0, (1, 3)]),
        ({"cells": [(1, 2), (1, 2, 3, 4), (3,)]}, [2, 1, (1, 2, 3, 4)]),
        ({"part": Part(6)}, [4, -1, Part(6)]),
        ({"maybe": [1]}, [5, [1]]),
        ({"holes": [1, None]}, [6, -1, [1, None]]),
        ({"names": {"b": 2}}, [7, {"b": 2}]),
        ({"text": "y"}, [8, "y"]),
    ],
)
def test_each_change_has_its_shortest_form(changed: dict[str, Any], delta: list[Any]) -> None:
    before, after = view(), view(**changed)
    assert diff(before, after) == delta
    held = plain(before)
    patch(held, plain(delta))
    assert held == plain(after)


def test_changes_inside_an_item_travel_alone_if_shorter() -> None:
    before = view(cells=[(1, 2, 3, 4, 5)], parts=[Part(1, (7, 8, 9, 10))])
    after = view(cells=[(1, 2, 3, 9, 5)], parts=[Part(300, (7, 8, 9, 10))])
    change = diff(before, after)
    assert change == [2, -2, [3, 9], 3, -2, [0, 300]]
    held = plain(before)
    patch(held, plain(change))
    assert held == plain(after)


@pytest.mark.parametrize(
    ("before", "after", "delta"),
    [
        ({"numbers": [1, 2, 3]}, {"numbers": [7, 8, 3]}, [1, 0, 7, 1, 1, 8]),  # as long as the whole
        ({"numbers": [1, 2]}, {"numbers": [7, 8]}, [1, -1, [7, 8]]),
        ({"holes": [None, 1]}, {"holes": [None, 1, 2]}, [6, 2, 2]),
        ({"holes": [None, 1]}, {"holes": [None]}, [6, 1, None]),
        ({"holes": [1, 2]}, {"holes": [1, 2, None]}, [6, -1, [1, 2, None]]),
        ({"holes": [1, 2]}, {"holes": [None, 2]}, [6, -1, [None, 2]]),
        ({"holes": [1, 2]}, {"holes": [None]}, [6, -1, [None]]),
        ({"cells": [(1 << 40, 1, 1)]}, {"cells": [(1 << 40, 2, 1)]}, [2, -2, [1, 2]]),
        ({"cells": [(1 << 40, 1, 1)]}, {"cells": [(1 << 40, 2, 2)]}, [2, 0, (1 << 40, 2, 2)]),
        ({"cells": [(), (1 << 40, 1, 1)]}, {"cells": [(), (1 << 40, 2, 1)]}, [2, -3, [1, 2]]),
        ({"maybe": [1]}, {"maybe": None}, [5, -1, None]),
        ({"maybe": [1, 2]}, {"maybe": [1]}, [5, 1, None]),
    ],
)
def test_the_border_between_two_forms(before: dict[str, Any], after: dict[str, Any], delta: list[Any]) -> None:
    was, now = view(**before), view(**after)
    assert diff(was, now) == delta
    held = plain(was)
    patch(held, plain(delta))
    assert held == plain(now)


class Marked(Struct, array_like=True, frozen=True, tag=9):
    a: int
    b: tuple[int, ...] = ()


class Rest(Struct, array_like=True):
    items: list[Marked | Part]


def test_fields_of_a_tagged_item_are_counted_from_its_tag() -> None:
    long = (70_000, 70_000)
    for kind, first in ((Marked, 1), (Part, 0)):
        was, now = Rest([kind(1, long)]), Rest([kind(2, long)])
        assert diff(was, now) == [0, -2, [first, 2]]
        held = plain(was)
        patch(held, plain(diff(was, now)))
        assert held == plain(now)
    assert diff(Rest([Part(1, long)]), Rest([Marked(1, long)])) == [0, 0, Marked(1, long)]


def test_items_that_share_a_value_stay_apart() -> None:
    held = plain(view())
    patch(held, [2, [0, 1], [5, 5, 5], 2, -2, [0, 6]])
    assert held[2] == [[6, 5, 5], [5, 5, 5], [3]]


def test_a_list_that_comes_or_goes_is_replaced_whole() -> None:
    for before, after in ((view(maybe=[1]), view()), (view(maybe=[1, 2]), view(maybe=[1]))):
        held = plain(before)
        patch(held, plain(diff(before, after)))
        assert held == plain(after)


def test_random_changes_are_followed_byte_for_byte() -> None:
    rng = random.Random(5)
    for _ in range(3000):
        before = view(numbers=[rng.randrange(300) for _ in range(rng.randrange(12))])
        after = view(
            numbers=[rng.choice([*before.numbers, 7, 70_000]) for _ in range(rng.randrange(14))],
            cells=[tuple(range(rng.randrange(4))) for _ in range(rng.randrange(5))],
            parts=[Part(rng.randrange(3), (rng.randrange(3),)) for _ in range(rng.randrange(4))],
            number=rng.randrange(3),
        )
        delta = codec.ENCODER.encode(diff(before, after))
        held = plain(before)
        patch(held, codec.decode_plain(delta))
        assert codec.ENCODER.encode(held) == codec.ENCODER.encode(after)
        assert digest(codec.ENCODER.encode(held)) == digest(codec.ENCODER.encode(after))


def test_views_with_common_values_share_the_work_and_nothing_else() -> None:
    before = [view(), view(number=5), view(numbers=[2, 2])]
    after = [view(numbers=[3, 1], number=4), view(number=5), view(numbers=[2, 2, 2])]
    for old, new in zip(before, after, strict=True):
        old.cells, new.cells = before[0].cells, after[0].cells
    after[0].cells[1] = (1, 2, 3, 4)
    known: Known = {}
    for old, new in zip(before, after, strict=True):
        shared = diff(old, new, known)
        assert shared == diff(old, new)
        shared += (8, "changed by the caller")
    assert diff(before[1], after[1], known) == [2, 1, (1, 2, 3, 4)]


def test_a_delta_never_costs_more_than_all_changed_fields() -> None:
    rng = random.Random(6)
    for _ in range(1000):
        before = view(numbers=[rng.randrange(200) for _ in range(8)])
        after = view(numbers=[rng.choice([n, n + 1]) for n in before.numbers])
        size = len(codec.ENCODER.encode(diff(before, after)))
        assert size <= len(codec.ENCODER.encode([1, -1, after.numbers]))


@pytest.mark.parametrize(
    "delta",
    [
        [1, 11, 5],
        [1, -2, 5],
        [99, 1],
        [1],
        [1, 3],
        [0],
        [None, 1],
        ["x", 1],
        [1, "x", 2],
        [1, None, 2],
        [1, [0, 10], 2],
        [-1, 1],
        [1, [-1], 2],
        [2, -2, [0]],
        [2, -2, [0, 1, 2]],
        [2, -2, [99, 1]],
        [2, -2, [-1, 1]],
        [2, -2, 5],
        [2, -99, [0, 1]],
        [2, -2, [2, 1]],
        [2, 3, None],
        [2, 99, None],
        5,
    ],
)
def test_ill_fitting_data_is_an_error(delta: Any) -> None:
    with pytest.raises(BadDelta):
        patch(plain(view()), delta)


def test_nil_inside_an_item_is_its_new_value() -> None:
    held = plain(view())
    patch(held, [2, -2, [1, None]])
    assert held[2][0] == [1, None]


def test_nonsense_fits_or_is_a_bad_delta() -> None:
    rng = random.Random(8)
    values = [0, 1, 2, 3, -1, -2, -3, 99, None, "x", [], [0], [0, 1], [[1]], True, b""]
    for _ in range(20_000):
        with contextlib.suppress(BadDelta):
            patch(plain(view()), [rng.choice(values) for _ in range(rng.randrange(1, 8))])

"""Enumeration of forms: every value once, from any position on, and nothing that costs more than the purse."""

from itertools import chain, combinations, product
from typing import Any

import msgspec
import pytest
from msgspec import Raw

from shared.actions.description import Choice, Field, FieldKind, Form
from shared.actions.enumeration import in_order, plain_key, size, walk
from shared.language.sentence import _
from shared.rulesets.cote2.actions import Incite, Influence, Recruit
from shared.vocabulary.actions import Judge, PlaceRoad


def options(*values: int) -> tuple[Choice, ...]:
    return tuple([Choice(value, str(value)) for value in values])


def form(*fields: Field, draft: tuple[Any, ...] = (), prices: tuple[int, ...] = (), purse: int = -1) -> Form:
    return Form(9, _("Do"), _("Deeds"), fields, Raw(msgspec.msgpack.encode([9, *draft])), prices, purse)


def all_of(made: Form) -> list[Any]:
    return [values for _position, values in walk(made, 0)]


COUNT = Field("count", FieldKind.NUMBER, "count", 2, 8, 3)
PLACE = Field("place", FieldKind.ONE, "place", options=options(4, -1))
SOME = Field("some", FieldKind.SET, "some", 1, 2, options=options(7, 3, 5))
ORDER = Field("victims", FieldKind.LIST, "order", 0, 2, options=options(1, 2))
ROWS = Field("rows", FieldKind.ROWS, "rows", options=(Choice(4, "A", 4, (1, 2)), Choice(6, "B", 6, (0, 1))))
STOPS = Field("drops", FieldKind.ROWS, "stops", options=(Choice(4, "A", 4, (1, 2), (0, -1)),))
PAIRS = Field("leaders", FieldKind.PAIRS, "leaders", options=options(1, 2), others=options(8, 9))
EXPECTED = {
    "number": (COUNT, [2, 5, 8]),
    "one": (PLACE, [4, -1]),
    "set": (SOME, [[7], [3], [5], [7, 3], [7, 5], [3, 5]]),
    "list": (ORDER, [[], [1], [2], [1, 1], [1, 2], [2, 1], [2, 2]]),
    "rows": (
        ROWS,
        [[row for row in ([4, a, b], [6, 0, c]) if any(row[1:])] for a, b, c in product(range(2), range(3), range(2))],
    ),
    "rows that collect": (STOPS, [[[4, a, b]] if a or b else [] for a in range(2) for b in range(-1, 3)]),
    "pairs": (
        PAIRS,
        [
            [[leader, to] for leader, to in zip((1, 2), chosen, strict=True) if to]
            for chosen in product((0, 8, 9), repeat=2)
        ],
    ),
}


@pytest.mark.parametrize("kind", EXPECTED)
def test_each_value_of_a_field_comes_once(kind: str) -> None:
    field, expected = EXPECTED[kind]
    assert [value for (value,) in all_of(form(field))] == expected
    assert size(form(field)) == len(expected)


def test_a_large_set_has_all_of_its_parts() -> None:
    field = Field("some", FieldKind.SET, "some", 0, 4, options=options(*range(7)))
    expected = chain.from_iterable(combinations(range(7), count) for count in range(5))
    assert [value for (value,) in all_of(form(field))] == [list(each) for each in expected]


def test_a_walk_goes_on_from_any_position() -> None:
    made = form(COUNT, SOME, ROWS, PAIRS)
    whole = list(walk(made, 0))
    assert [position for position, _values in whole] == list(range(size(made)))
    for start in (0, 1, 17, size(made) // 2, size(made) - 1, size(made)):
        assert list(walk(made, start)) == whole[start:]


def test_a_field_without_a_label_keeps_the_draft() -> None:
    hidden = Field("stops", FieldKind.ROWS)
    assert all_of(form(PLACE, hidden, draft=(4, [[3, 1]]))) == [[4, [[3, 1]]], [-1, [[3, 1]]]]


def test_what_costs_more_than_the_purse_is_passed_over() -> None:
    wares = [Field(name, FieldKind.NUMBER, name, 0, 50) for name in ("a", "b", "c", "d")]
    made = form(*wares, prices=(10, 15, 20, 25), purse=60)
    expected = [
        list(counts)
        for counts in product(range(7), repeat=4)
        if sum(n * price for n, price in zip(counts, (10, 15, 20, 25), strict=True)) <= 60
    ]
    assert all_of(made) == expected
    middle = list(walk(made, 0))[len(expected) // 2][0]
    assert [values for _position, values in walk(made, middle)] == expected[len(expected) // 2 :]


@pytest.mark.parametrize(
    "ways",
    [
        (Judge((3, 1)), Judge((1, 3))),
        (PlaceRoad(4, 5), PlaceRoad(5, 4)),
        (Influence(3, (-1, 2)), Influence(3, (2, -1))),
        (Recruit(((3, 1, 0, 0, 0), (4, 0, 0, 0, 0))), Recruit(((3, 1, 0, 0, 0),))),
        (Recruit(((3, 1, 0, 0, 0), (3, 0, 1, 0, 0))), Recruit(((3, 1, 1, 0, 0),))),
    ],
)
def test_ways_to_say_the_same_have_one_key(ways: tuple[Any, Any]) -> None:
    assert plain_key(ways[0]) == plain_key(ways[1])


def test_other_actions_have_other_keys() -> None:
    assert plain_key(Incite(3, (1, 2))) != plain_key(Incite(3, (2, 1))), "the order of the victims matters"
    assert plain_key(Judge((1,))) != plain_key(Judge(()))


def test_of_lists_without_an_order_only_the_first_way_counts() -> None:
    sellers = form(Field("sellers", FieldKind.LIST, "sellers", 1, 2, options=options(2, -1)))
    assert [value for (value,) in all_of(sellers) if in_order(sellers, [value])] == [
        [2],
        [-1],
        [2, 2],
        [2, -1],
        [-1, -1],
    ]
    victims = form(ORDER)
    assert all(in_order(victims, values) for values in all_of(victims))

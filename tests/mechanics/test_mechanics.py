"""Small functions on numbers: armies, dice, roads."""

from itertools import product

import pytest

from shared.board import BOARD
from shared.ids import Army
from shared.mechanics.armies import choices, minus, only_choice, plus, take_by_kind, total, within, words
from shared.mechanics.battledice import galley_hits, land_hits, pursuit_hits
from shared.mechanics.roads import reachable_cities

SMALL: list[Army] = [(i, h, c) for i, h, c in product(range(4), repeat=3)]


def test_sums() -> None:
    for a in SMALL:
        assert total(a) == sum(a)
        for b in SMALL[::7]:
            assert minus(plus(a, b), b) == a
            assert within(b, plus(a, b))
            assert within(b, a) == (min(minus(a, b)) >= 0)
    assert not within((-1, 0, 0), (3, 3, 3))


def test_choices_are_all_the_ways_to_take_so_many() -> None:
    for whole in SMALL:
        for size in range(total(whole) + 2):
            found = list(choices(whole, size))
            expected = [part for part in SMALL if within(part, whole) and total(part) == size]
            assert sorted(found) == sorted(expected)


def test_forced_is_the_only_choice() -> None:
    for whole in SMALL:
        for size in range(total(whole) + 3):
            found = list(choices(whole, min(size, total(whole))))
            chosen = only_choice(whole, size)
            if len(found) == 1:
                assert chosen == found[0]
            else:
                assert chosen is None


def test_greedy_takes_the_best_first() -> None:
    assert take_by_kind((3, 2, 1), 4, (2, 1, 0)) == (1, 2, 1)
    assert take_by_kind((3, 2, 1), 4, (0, 1, 2)) == (3, 1, 0)
    assert take_by_kind((3, 2, 1), 9, (0, 1, 2)) == (3, 2, 1)
    assert take_by_kind((3, 2, 1), 0, (0, 1, 2)) == (0, 0, 0)


@pytest.mark.parametrize(
    ("army", "text"),
    [
        ((0, 0, 0), "no units"),
        ((3, 0, 1), "3 infantry, 1 catapult"),
        ((0, 1, 2), "1 cavalry, 2 catapults"),
    ],
)
def test_words(army: Army, text: str) -> None:
    assert words(army) == text


@pytest.mark.parametrize(
    ("faces", "legion", "reserve", "hits"),
    [
        ((0, 1, 0), (2, 0, 0), 0, 2),
        ((0, 1, 0), (3, 0, 0), 0, 3),
        ((2, 2, 2), (3, 2, 0), 0, 2),
        ((3, 3, 3), (0, 0, 1), 0, 1),
        ((3, 3, 3), (0, 0, 1), 1, 2),
        ((3, 3, 3), (5, 0, 0), 2, 2),
        ((4, 5, 4), (5, 5, 5), 2, 0),
        ((), (5, 5, 5), 2, 0),
    ],
)
def test_land_hits(faces: tuple[int, ...], legion: Army, reserve: int, hits: int) -> None:
    assert land_hits(faces, legion, reserve) == hits


def test_no_roll_hits_more_than_its_dice_or_its_units() -> None:
    for faces in product(range(6), repeat=3):
        for legion in SMALL[::5]:
            hits = land_hits(faces, legion, 1)
            assert 0 <= hits <= min(len(faces), total(legion) + 1)


def test_galley_and_pursuit_hits() -> None:
    assert galley_hits((4, 4, 0, 5)) == 2
    assert pursuit_hits((2, 2, 2, 0), 2) == 2
    assert pursuit_hits((2, 4), 9) == 1
    assert pursuit_hits((2, 2), 0) == 0


def road(a: str, b: str) -> int:
    x, y = sorted((BOARD.space(a), BOARD.space(b)))
    return BOARD.edge_index[x, y]


def test_trips() -> None:
    s = BOARD.space
    net = [
        road("italia", "narbonensis"),
        road("narbonensis", "aquitania"),
        road("aquitania", "hispania"),
        road("hispania", "narbonensis"),
        road("syria", "palestina"),
    ]

    def reached(source: str, closed: str = "", foreign: str = "") -> set[str]:
        found = reachable_cities(s(source), net, lambda x: BOARD.keys[x] != foreign, lambda x: BOARD.keys[x] != closed)
        return {BOARD.keys[x] for x in found}

    assert reached("italia") == {"narbonensis", "aquitania", "hispania"}
    assert reached("hispania") == {"narbonensis", "aquitania", "italia"}
    assert reached("italia", closed="narbonensis") == {"narbonensis"}, "one may enter it, not pass"
    assert reached("italia", foreign="narbonensis") == set()
    assert reached("italia", foreign="italia") == set()
    assert reached("syria") == {"palestina"}
    assert reached("dacia") == set()
    assert reachable_cities(s("italia"), [], lambda _x: True, lambda _x: True) == set()

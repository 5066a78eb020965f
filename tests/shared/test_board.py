"""The board as printed: counts, symmetry, coasts, homes, straits."""

import pytest

from shared.board import BOARD, land_steps


def borders() -> set[tuple[int, int]]:
    return {(min(a, b), max(a, b)) for a in range(BOARD.spaces) for b in BOARD.neighbours[a]}


def test_counts() -> None:
    assert (BOARD.provinces, BOARD.spaces, BOARD.positions) == (42, 60, 63)
    assert len(borders()) == 152


@pytest.mark.rule("CL-MAP-01")
def test_neighbours_are_symmetric_and_nothing_touches_itself() -> None:
    for a in range(BOARD.spaces):
        assert a not in BOARD.neighbours[a]
        for b in BOARD.neighbours[a]:
            assert a in BOARD.neighbours[b]


@pytest.mark.rule("CL-MAP-02")
def test_straits_join_only_where_they_are_open() -> None:
    pairs = {tuple(sorted((BOARD.keys[a], BOARD.keys[b]))) for a, b in BOARD.straits}
    assert pairs == {
        ("asia", "thracia"),
        ("neapolis", "sicilia"),
        ("belgica", "britannia"),
        ("baetica", "tingitana"),
    }
    for a, b in BOARD.straits:
        assert b in land_steps(True)[a]
        assert b not in land_steps(False)[a]
        assert b not in BOARD.neighbours[a]


@pytest.mark.rule("CL-MAP-03")
def test_homes_are_worth_ten() -> None:
    assert {BOARD.keys[home] for home in BOARD.homes} == {
        "hispania",
        "italia",
        "macedonia",
        "galatia",
        "numidia",
        "mesopotamia",
        "egyptus",
    }
    assert all(BOARD.tribute[home] == 10 for home in BOARD.homes)
    assert set(BOARD.tribute[: BOARD.provinces]) == {5, 10}


def test_split_coasts_touch_different_seas() -> None:
    italia = BOARD.space("italia")
    first, second = BOARD.coasts[italia]
    assert first == italia
    assert BOARD.ashore[second] == italia
    assert {BOARD.keys[sea] for sea in BOARD.coast_seas[first]} == {"mare_adriatico"}
    assert {BOARD.keys[sea] for sea in BOARD.coast_seas[second]} == {"mare_narbo", "mare_tyrrhenum"}
    assert BOARD.where(second) == "Italia (west coast)"
    two = [BOARD.keys[s] for s in range(BOARD.provinces) if len(BOARD.coasts[s]) == 2]
    assert two == ["hispania", "italia", "macedonia"]


def test_landings_mirror_coasts() -> None:
    for position, seas in enumerate(BOARD.coast_seas):
        if not BOARD.is_sea(position):
            for sea in seas:
                assert position in BOARD.landings[sea]
                assert BOARD.ashore[position] in BOARD.neighbours[sea]


def test_an_unknown_space_is_named() -> None:
    with pytest.raises(KeyError, match="atlantis"):
        BOARD.space("atlantis")

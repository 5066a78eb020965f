"""Heaps, bidding, votes, ranks, sea transport."""

from random import Random

import pytest

from shared.ids import NONE
from shared.language.sentence import in_english
from shared.mechanics import wares
from shared.mechanics.auction import next_voice, raises
from shared.mechanics.heaps import kind_of, kinds_of, tally, with_one, without
from shared.mechanics.standings import prizes
from shared.mechanics.vote import sole_leader, weight
from shared.rulesets.cote2.movement import can_serve


def test_numbers_name_the_pieces_of_a_heap() -> None:
    counts = (2, 0, 1)
    assert [kind_of(counts, number) for number in range(3)] == [0, 0, 2]
    assert kinds_of(counts, (2, 0)) == [2, 0]
    for number in (3, -1):
        with pytest.raises(IndexError):
            kind_of(counts, number)


def test_counts() -> None:
    assert tally([2, 0, 2], 4) == [1, 0, 2, 0]
    assert with_one((1, 2, 3), 1) == (1, 3, 3)
    assert with_one([1, 2, 3], 2, -1) == (1, 2, 2)
    assert without((3, 1), (1, 2)) == (2, -1)


def test_all_pieces_of_a_heap_are_equally_likely() -> None:
    rng = Random(1)
    drawn = tally([kind_of((1, 3, 6), rng.randrange(10)) for _ in range(10_000)], 3)
    assert 900 < drawn[0] < 1100
    assert 2800 < drawn[1] < 3200


def test_the_next_voice_is_found() -> None:
    assert next_voice(4, 1, 0, lambda _seat: True) == 2
    assert next_voice(4, 3, 0, lambda _seat: True) == NONE
    assert next_voice(4, 0, 0, lambda seat: seat == 3) == 3
    assert next_voice(4, 0, 0, lambda _seat: False) == NONE
    assert next_voice(4, 2, 1, lambda seat: seat != 3) == 0


def test_bids_rise_in_steps() -> None:
    assert raises(-5, 5, 0)
    assert raises(10, 5, 15)
    assert not raises(10, 5, 10)
    assert not raises(10, 5, 12)


def test_votes() -> None:
    assert weight((1, 1, 1, 1)) == 10
    assert weight(()) == 0
    assert sole_leader((1, 3, 2)) == 1
    assert sole_leader((3, 3)) == NONE
    assert sole_leader((0, 0)) == NONE


def test_prizes_by_rank() -> None:
    assert prizes((3, 3, 2, 1), (15, 5)) == [15, 15, 5, 0]
    assert prizes((0, 2), (15, 5)) == [0, 15]
    assert prizes((4, 3, 2, 1), (20, 10, 5)) == [20, 10, 5, 0]
    assert prizes((5, 0), (-10, -5)) == [-10, 0]


ZONES = {0: (10, 11), 1: (11,), 2: (11, 12)}


def test_ferries() -> None:
    assert can_serve({0: 4, 1: 4}, {10: 4, 11: 4}, ZONES)
    assert can_serve({1: 4, 0: 4}, {10: 4, 11: 4}, ZONES)
    assert not can_serve({0: 5, 1: 4}, {10: 4, 11: 4}, ZONES)
    assert can_serve({0: 4, 2: 4, 1: 4}, {10: 4, 11: 4, 12: 4}, ZONES), "units change ships"
    assert not can_serve({1: 5}, {10: 4, 11: 4, 12: 4}, ZONES)
    assert can_serve({}, {}, ZONES)


def test_ferries_against_all_ways_to_share_out() -> None:
    """Every group of landings has berths enough next to it: then, and only then, all are served."""
    rng = Random(2)
    for _ in range(500):
        zones = {p: tuple(rng.sample(range(4), rng.randint(1, 3))) for p in range(4)}
        wanted = {p: rng.randint(0, 5) for p in range(4)}
        capacity = {z: 4 * rng.randint(0, 1) for z in range(4)}
        expected = True
        for group in range(16):
            members = [p for p in range(4) if group >> p & 1]
            near = {z for p in members for z in zones[p]}
            expected &= sum(wanted[p] for p in members) <= sum(capacity[z] for z in near)
        assert can_serve(wanted, capacity, zones) == expected


def test_wares_are_counted_and_listed_in_words() -> None:
    assert [str(wares.count_words(n, wares.Ware.CITIES)) for n in range(3)] == ["no cities", "1 city", "2 cities"]
    assert in_english(wares.ware_words((3, 0, 0, 0, 1, 0, 2))) == "3 infantry, 1 city and 2 roads"
    assert in_english(wares.ware_words((0, 1))) == "1 cavalry"
    assert wares.ware_words((0,) * 7) == ""
    assert len(wares.ONE) == len(wares.Ware)
    assert [ware for ware in wares.Ware if ware.is_unit] == [0, 1, 2]

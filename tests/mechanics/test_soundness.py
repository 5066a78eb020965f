"""Checks of positions that all games share, each by itself and at its borders."""

import pytest

from shared.kernel.frames import Dice
from shared.mechanics.position_checks import check_buildings, check_cargo, check_frames, check_markers
from shared.vocabulary.frames import Setup, Turn
from tests.rulesets.classic.test_invariants import sound
from tests.support.layout import aboard, sp
from tests.support.position import galley


def test_a_sound_position_has_nothing_wrong_with_it() -> None:
    state = sound()
    assert check_buildings(state, 2, 1, 1) == check_markers(state) == check_cargo(state, 3) == []


@pytest.mark.parametrize("limits", [(1, 1, 1), (2, 0, 1), (2, 1, 0)])
def test_a_surplus_building_is_found(limits: tuple[int, int, int]) -> None:
    (wrong,) = check_buildings(sound(), *limits)
    assert "more cities, fortifications or roads" in wrong


def test_cities_and_fortified_ones_are_counted_together() -> None:
    state = sound()
    state.built[sp("dacia")] = 1
    assert check_buildings(state, 3, 1, 1) == [] != check_buildings(state, 2, 2, 1)


@pytest.mark.parametrize("end", ["syria", "armenia"])
def test_a_road_joins_two_cities(end: str) -> None:
    state = sound()
    state.built[sp(end)] = 0
    (wrong,) = check_buildings(state, 2, 1, 1)
    assert "does not join two cities" in wrong


def test_two_roads_do_not_join_the_same_cities() -> None:
    state = sound()
    state.roads *= 2
    assert len(check_buildings(state, 2, 1, 2)) == 2


def test_cargo_is_led_not_too_much_and_at_sea() -> None:
    state = sound()
    assert len(check_cargo(state, 2)) == 1
    state.galley_at[galley(1)] = sp("syria")
    (wrong,) = check_cargo(state, 3)
    assert "at" in wrong and str(sp("syria")) in wrong
    state = sound()
    state.leader_at = [sp("dacia") if at == aboard(galley(1)) else at for at in state.leader_at]
    (wrong,) = check_cargo(state, 3)
    assert "leaders aboard: False" in wrong


def test_debts_and_property_of_the_dead_are_named() -> None:
    state = sound()
    state.talents[1] = -1
    assert check_markers(state) == [f"negative talents {state.talents}"]
    state = sound()
    state.owner[sp("dacia")] = 3
    assert any(wrong.startswith("seat 3, which is out") for wrong in check_markers(state))


def test_the_numbers_of_frames_rise_by_any_amount() -> None:
    lowest = sound().frames[0]
    assert isinstance(lowest, Turn | Setup)
    assert check_frames([lowest]) == check_frames([lowest, Dice(lowest.no + 1, 3), Dice(lowest.no + 9, 3)]) == []
    assert len(check_frames([lowest, Dice(lowest.no, 3)])) == 1
    assert len(check_frames([Dice(1, 3), Dice(2, 3)])) == 1

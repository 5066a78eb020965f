"""Pieces, leaders and fleets: their places and followers, by the code that the games share."""

from itertools import islice
from types import SimpleNamespace
from typing import Any

import pytest

from shared.board import BOARD
from shared.ids import NONE
from shared.kernel.engine import ignore_event
from shared.kernel.frames import Event
from shared.mechanics import (
    armies,
    building,
    empires,
    ending,
    flat_pairs,
    galleys,
    homes,
    pieces,
    prisoners,
    roads,
    turns,
)
from shared.mechanics.pieces import ABOARD, OFF, PRISON
from shared.mechanics.standings import ranking, seat_name, standings
from shared.vocabulary.events import Freed, Why, Won

EACH = 2
"""Leaders, and galleys, of a colour in these tables: a Caesar and one general."""
ITALIA, SICILIA, NEAPOLIS = (BOARD.space(key) for key in ("italia", "sicilia", "neapolis"))
ZONE, OTHER = BOARD.provinces, BOARD.provinces + 1


def table(**fields: Any) -> Any:
    """Return a board of three seats with homes of their own, with only their leaders on it."""
    start = {
        "seats": 3,
        "round": 1,
        "order": (2, 0, 1),
        "home": [ITALIA, SICILIA, NEAPOLIS],
        "owner": [NONE] * BOARD.provinces,
        "units": [()] * BOARD.provinces,
        "built": [0] * BOARD.provinces,
        "roads": [],
        "leader_at": [ITALIA, ITALIA, SICILIA, SICILIA, NEAPOLIS, NEAPOLIS],
        "leader_used": [0] * 6,
        "galley_at": [OFF] * 6,
        "cargo": [()] * 6,
        "talents": [0] * 3,
        "marker": [0] * 3,
        "lord": [0, 1, 2],
        "triggered": [NONE, NONE],
        "conceded": [NONE] * 3,
        "winner": NONE,
    }
    made = SimpleNamespace(**{**start, **fields})
    for seat, home in enumerate(made.home):
        if home != NONE and made.owner[home] == NONE:
            made.owner[home] = seat
    return made


def test_pieces_at_a_place_belong_to_the_lord_of_their_colour() -> None:
    places, lords = [5, 7, 5, 5, 7, 5], [0, 0, 2]
    assert pieces.pieces_at(places, 5) == [0, 2, 3, 5]
    assert pieces.own_pieces_at(places, 5, lords, 0, EACH) == (0, 2, 3)
    assert pieces.own_pieces_at(places, 7, lords, 2, EACH) == (4,)
    assert pieces.own_pieces_at(places, 9, lords, 0, EACH) == ()
    assert pieces.others_at(places, 5, lords, 0, EACH) == [5]
    assert pieces.others_at(places, 9, lords, 0, EACH) == []


@pytest.mark.parametrize(("chosen", "fine"), [((), True), ((2, 1), True), ((1, 1), False), ((4,), False)])
def test_some_of(chosen: tuple[int, ...], fine: bool) -> None:
    assert pieces.some_of(chosen, (1, 2, 3)) == fine


def test_pairs_come_back() -> None:
    assert flat_pairs.to_pairs(()) == []
    assert flat_pairs.to_pairs(flat_pairs.to_flat([(3, 1), (4, 0)])) == [(3, 1), (4, 0)]


def test_armies_come_and_go() -> None:
    cell = armies.with_army((), 2, (3, 0, 1))
    assert armies.with_army(cell, 0, (1, 0, 0)) == (0, 1, 0, 0, 2, 3, 0, 1)
    assert armies.without_army(cell, 2, (1, 0, 1)) == (2, 2, 0, 0)
    assert armies.without_army(cell, 2, (3, 0, 1)) == ()


def test_links_are_in_the_order_of_the_board() -> None:
    assert roads.borders_within(range(BOARD.provinces)) == list(range(len(BOARD.edges)))
    assert roads.borders_within({ITALIA}) == []


def test_fleets_meet_in_sea_zones_only() -> None:
    at = [ZONE, OTHER, ZONE, ITALIA, OTHER, ITALIA]
    assert galleys.meetings(at, [0, 1, 2], 0, EACH) == [(ZONE, 1), (OTHER, 2)]
    assert galleys.meetings(at, [0, 1, 2], 1, EACH) == [(ZONE, 0)]
    assert galleys.meetings(at, [0, 0, 2], 0, EACH) == [(OTHER, 2)]
    assert galleys.meetings([OFF] * 6, [0, 1, 2], 0, EACH) == []


def test_courses_go_out_to_sea_before_they_go_ashore() -> None:
    ashore = [sail.to for sail in galleys.courses(4, ITALIA)]
    assert ashore == list(BOARD.coast_seas[ITALIA])
    assert [sail.to for sail in galleys.courses(4, ZONE)] == [*BOARD.coast_seas[ZONE], *BOARD.landings[ZONE]]


def test_the_order_of_play_goes_round() -> None:
    following = list(islice(turns.seats_after((2, 0, 1), 0), 5))
    assert following == [(1, False), (2, True), (0, False), (1, False), (2, True)]


def test_a_round_limit_declares_who_is_ahead() -> None:
    told: list[Event] = []
    state = table(round=3, marker=[20, 20, 10], talents=[5, 6, 90])
    assert turns.new_round(state, 0, told.append) and state.round == 4 and not told
    assert not turns.new_round(state, 4, told.append) and state.round == 4
    assert told == [Won(1, Why.ROUND_LIMIT)] and state.winner == 1


def test_ranking_puts_the_living_first_and_falls_back_on_the_order_of_play() -> None:
    assert ranking(table()) == [2, 0, 1]
    assert ranking(table(lord=[0, 1, 1], marker=[10, 5, 0])) == [0, 1, 2]
    assert seat_name(table(home=[ITALIA, NONE, NONE]), 1) == "Seat 2"


def test_equal_players_share_a_rank_and_so_do_all_who_are_eliminated() -> None:
    level = table(marker=[20, 20, 30])
    assert [(place.seat, place.rank) for place in standings(level)] == [(2, 1), (0, 2), (1, 2)]
    gone = table(lord=[0, 0, 0], marker=[20, 30, 10], winner=0)
    assert [(place.seat, place.rank) for place in standings(gone)] == [(0, 1), (2, 2), (1, 2)]


def test_homes_in_the_order_of_play() -> None:
    places = homes.home_provinces("galatia", "egyptus", "italia")
    assert homes.homes_without(places, "egyptus") == (places[0], places[2])
    assert homes.in_order([places[2], places[0]], places) == (1, 0)
    assert homes.free_homes(table(home=[places[1], NONE, NONE]), {3: places}) == [places[0], places[2]]


def test_prisoners_are_held_freed_and_passed_on() -> None:
    state = table(leader_at=[ITALIA, PRISON + 1, SICILIA, PRISON + 2, NEAPOLIS, PRISON + 1])
    assert prisoners.held_generals(state, 1, 0, EACH) == (1,)
    assert prisoners.prisoners_of(state, 1, EACH) == (1, 5)
    assert prisoners.is_prisoner(state, 3, 2, EACH) and not prisoners.is_prisoner(state, 3, 1, EACH)
    gain = empires.inherit(state, 2, 1)
    assert gain == 0 and state.lord == [0, 2, 2] and state.owner[SICILIA] == 2
    assert prisoners.pass_on(state, 1, 2, EACH) == [3, 5]
    assert state.leader_at[1] == PRISON + 2


def test_a_freed_general_returns_to_the_home_or_the_caesar() -> None:
    told: list[Event] = []
    state = table(leader_at=[ABOARD + 1, PRISON + 1, SICILIA, SICILIA, NEAPOLIS, NEAPOLIS])
    prisoners.free(state, 1, EACH, 2, told.append)
    assert told == [Freed(0, 1, ITALIA)] and state.leader_used[1] == 2
    state.owner[ITALIA] = 2
    assert prisoners.refuge(state, 0, EACH) == ABOARD + 1


def test_all_that_a_player_had_is_cleared_away() -> None:
    state = table(galley_at=[ZONE, OFF, ZONE, OFF, OFF, OFF], cargo=[(1, 0, 0), (), (2, 0, 0), (), (), ()])
    state.units[ITALIA] = (0, 1, 0, 0, 1, 2, 0, 0)
    state.talents[0] = 30
    empires.clear_away(state, 0, EACH, EACH)
    assert state.lord == [NONE, 1, 2] and state.owner[ITALIA] == NONE and state.talents[0] == 0
    assert state.leader_at[:2] == [OFF, OFF] and state.leader_at[2:] == table().leader_at[2:]
    assert state.galley_at == [OFF, OFF, ZONE, OFF, OFF, OFF] and state.cargo[0] == () and state.cargo[2] == (2, 0, 0)
    assert state.units[ITALIA] == (1, 2, 0, 0)


def test_the_last_caesar_wins_and_so_does_an_agreed_winner() -> None:
    state = table(conceded=[2, 0, NONE])
    state.lord[1] = 0
    ending.drop_concessions(state, 1, ignore_event)
    assert state.winner == 2 and state.conceded == [2, NONE, NONE]
    assert ending.check_concession(table(), 0, 0, "X") is not None
    assert ending.check_concession(table(), 0, 1, "X") is None


def test_building_sites() -> None:
    state = table()
    state.owner[NEAPOLIS] = 0
    state.built[ITALIA], state.built[NEAPOLIS] = 2, 1
    assert building.own_cities(state, 0) == sorted((ITALIA, NEAPOLIS))
    assert building.wall_sites(state, 0) == [NEAPOLIS] and building.city_sites(state, 0) == []
    (site,) = building.road_sites(state, 0)
    assert sorted(site) == sorted((ITALIA, NEAPOLIS))
    state.roads = [BOARD.edge_index[site]]
    assert building.road_sites(state, 0) == []

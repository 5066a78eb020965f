"""Matching of people who wait for tables."""

import math

from msgspec.structs import replace

from server.lobby.seek_matching import Seek, counted, gather, lines, percent
from server.storage.port import ReliabilityRecord
from shared.messages import TableWish
from shared.tables import NEW, Pace, Run

EVENING = Pace(Run.LIVE, 30, 1800, 600)
CLASSIC3 = TableWish(("classic",), (3,), EVENING)


def seek(person: str, wish: TableWish = CLASSIC3, since: float = 0.0, reliability: int = NEW) -> Seek:
    return Seek(person, wish, since, reliability)


def people(tables: object) -> list[tuple[str, ...]]:
    return [table.people for table in tables]  # type: ignore[attr-defined]


def test_people_with_the_same_wish_share_a_table_until_it_is_full() -> None:
    tables = gather([seek(name, since=i) for i, name in enumerate("abcd")])
    assert people(tables) == [("a", "b", "c"), ("d",)]
    assert [table.is_full for table in tables] == [True, False]


def test_a_place_is_taken_at_the_fullest_table_that_suits() -> None:
    picky = replace(CLASSIC3, least=80)
    tables = gather([seek("a", picky, 0, 90), seek("b", since=1, reliability=50), seek("c", since=2, reliability=50)])
    assert people(tables) == [("a",), ("b", "c")], "those below the wish sit elsewhere, and find each other"
    tables = gather([seek("a", picky, 0, 90), seek("b", since=1)])
    assert people(tables) == [("a", "b")], "new people are locked out by nobody"


def test_a_person_waits_at_a_table_of_each_kind_and_leaves_them_with_the_first_that_is_full() -> None:
    many = TableWish(("classic", "cote2"), (2, 3), EVENING)
    tables = gather([seek("a", many), seek("b", CLASSIC3, 1), seek("c", TableWish(("cote2",), (2,), EVENING), 2)])
    assert people(tables) == [("a", "c"), ("b",)]
    assert (tables[0].kind.ruleset, tables[0].kind.seats) == ("cote2", 2)


def test_two_wishes_of_one_person_take_one_seat_and_clocks_must_be_the_same() -> None:
    again = replace(CLASSIC3, bots=5)
    assert people(gather([seek("a"), seek("a", again, 1)])) == [("a",)]
    assert people(gather([seek("a"), seek("b", replace(CLASSIC3, pace=None))])) == [("a",), ("b",)]


def test_people_who_must_not_meet_sit_at_different_tables() -> None:
    tables = gather([seek("a"), seek("b", since=1), seek("c", since=2)], lambda one, other: {one, other} != {"a", "b"})
    assert people(tables) == [("a", "c"), ("b",)]


def test_bots_come_after_the_time_that_all_who_want_them_were_told_and_to_them_alone() -> None:
    five, ten = replace(CLASSIC3, bots=5), replace(CLASSIC3, bots=10)
    (table,) = gather([seek("a", five), seek("b", ten, 60)])
    assert table.bots_from == 660
    assert table.players(659) == () and table.players(660) == ("a", "b")
    (table,) = gather([seek("a", five), seek("b", since=60)])
    assert table.players(300) == ("a",), "who waits for people only waits on"
    (table,) = gather([seek("a")])
    assert table.bots_from == math.inf and table.players(1e9) == ()


def test_the_list_has_one_line_for_the_same_people() -> None:
    many = TableWish(("classic", "mb1984"), (3, 4), EVENING)
    shown = lines(gather([seek("a", many), seek("b", CLASSIC3, 1)]))
    assert [(line.games, line.seats, line.people) for line in shown] == [
        (("classic",), (3,), ("a", "b")),
        (("classic", "mb1984"), (3, 4), ("a",)),
    ]


def test_reliability_forgets_by_half_after_twenty_matches() -> None:
    record: ReliabilityRecord | None = None
    for _match in range(4):
        record = counted(record, True)
        assert percent(record) == NEW
    record = counted(record, False)
    assert percent(record) == 79
    for _match in range(20):
        record = counted(record, True)
    assert percent(record) == 97
    assert math.isclose(record.all - record.finished, 0.5)

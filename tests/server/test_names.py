"""Names at a table cannot be mistaken for each other."""

from collections.abc import Sequence

import pytest

from server.matches import names
from server.matches.names import RESERVED, is_reserved, keys, numbered, speaks_for_others
from shared import messages as m
from shared.tables import MAX_NAME, TablePhase, fitting
from tests.server.lobby_harness import LobbyHarness, link, person

ALIKE = [
    ("Alice", "alice"),
    ("Alice", "Аlice"),  # Cyrillic A
    ("Alice", "AIice"),  # capital I for l
    ("Alice", "A1ice"),
    ("Alice", "Ａｌｉｃｅ"),
    ("paul", "раul"),  # Cyrillic p and a
    ("Rome", "Rorne"),
    ("OTTO", "0TT0"),
    ("Zoë", "Zoe\u0308"),
    ("Νερων", "Νερων"),
    ("Iris", "iris"),
]
DIFFERENT = [
    ("Alice", "Alina"),
    ("Marcus", "Markus"),
    ("Zoë", "Zoe"),
    ("Анна", "Anna"),
    ("Livia", "Livius"),
    ("一", "二"),
]


def distinct(name: str, others: Sequence[str]) -> str:
    """Return the name as a table tells it from others."""
    taken = frozenset().union(*map(keys, others))
    return numbered(name, lambda looks: not taken.isdisjoint(looks), 0)


@pytest.mark.parametrize(("name", "other"), ALIKE)
def test_names_that_look_alike_share_a_key(name: str, other: str) -> None:
    assert keys(name) & keys(other)
    assert distinct(other, [name]) == f"{other} 2"


@pytest.mark.parametrize(("name", "other"), DIFFERENT)
def test_names_that_differ_do_not(name: str, other: str) -> None:
    assert not keys(name) & keys(other)
    assert distinct(other, [name]) == other


def test_a_crowd_of_one_name_is_told_apart() -> None:
    crowd: list[str] = []
    for name in ["Alice", "аlice", "ALICE", "Alice 2"] * 8:
        crowd.append(distinct(name, crowd))
    assert len({key for name in crowd for key in keys(name)}) >= len(crowd) == len(set(crowd))
    assert crowd[1] == "аlice 2"
    assert crowd[3] == "Alice 2 2"


def test_a_long_name_stays_within_its_bounds() -> None:
    long = "x" * MAX_NAME
    crowd = [long]
    for _ in range(12):
        crowd.append(distinct(long, crowd))
    assert all(len(name) <= MAX_NAME for name in crowd)
    assert len(set(crowd)) == len(crowd)
    assert crowd[1] == "x" * (MAX_NAME - 3) + "… 2", "that it was shortened is seen"


def test_overlong_input_is_refused_in_words() -> None:
    assert fitting(f" {'x' * MAX_NAME} ") == "x" * MAX_NAME
    with pytest.raises(ValueError, match="at most 24 letters"):
        fitting("x" * (MAX_NAME + 1))


@pytest.mark.parametrize("name", [*RESERVED, "sErVeR", "Ѕerver", "H0st", "Adrnin"])
def test_names_that_belong_to_the_server_are_reserved(name: str) -> None:
    assert is_reserved(name)


@pytest.mark.parametrize("name", ["Serverius", "Hostilius", "Livia", "No one"])
def test_others_are_not(name: str) -> None:
    assert not is_reserved(name)


def test_names_are_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check of a spectator's name among 500 equal ones took 7 ms."""
    looked: list[str] = []

    def skeleton(name: str) -> str:
        looked.append(name)
        return name

    names.keys.cache_clear()
    monkeypatch.setattr(names, "_skeleton", skeleton)
    crowd: list[str] = []
    for _ in range(50):
        crowd.append(distinct("Crispus", crowd))
    assert len(set(crowd)) == 50
    names.keys.cache_clear()
    assert len(looked) == 2 * 50


def test_a_newcomer_to_a_crowd_of_one_name_tries_few_numbers() -> None:
    """The 5,000th Crispus at a match tried 5,000 names, a second of the server's time."""
    taken: set[str] = set()
    tries = 0

    def is_taken(looks: frozenset[str]) -> bool:
        nonlocal tries
        tries += 1
        return not taken.isdisjoint(looks)

    for arrivals in range(1000):
        taken |= keys(numbered("Crispus", is_taken, arrivals))
    assert len(taken) >= 1000
    assert tries < 1000 * (names.NEAR + 3)


async def test_players_change_their_name_before_the_start(h: LobbyHarness) -> None:
    anna, bert = await h.table()
    await h.ask(bert, m.Rename(7, "Octavia"), m.Done)
    assert link(anna).last(m.TableState).seats[1].name == "Octavia"
    assert link(anna).last(m.Said).text == "Person 1 is now Octavia."
    assert (bert.name, bert.said, bert.called) == ("Octavia", "Octavia", "Octavia")


async def test_a_new_name_in_a_running_match_is_said_once(h: LobbyHarness) -> None:
    anna, bert = await h.match()
    await h.ask(bert, m.Rename(7, "Livia"), m.Done)
    assert link(anna).last(m.TableState).seats[1].name == "Livia"
    assert (await h.ask(bert, m.Rename(8, "Nero"), m.Refused)).code == "rate"
    texts = [line.text for line in h.only().table.record.talk]
    assert texts == ["Person 1 is now Livia."]
    await h.pass_time(600)
    await h.ask(bert, m.Rename(9, "Nero"), m.Done)
    h.only().table.record.phase = TablePhase.OVER
    assert (await h.ask(bert, m.Rename(10, "Otho"), m.Refused)).code == "over"


@pytest.mark.parametrize("wanted", ["Person 0", "pers0n 0", "Cassius"])
async def test_the_names_of_others_and_of_bots_are_refused(h: LobbyHarness, wanted: str) -> None:
    anna, bert = await h.table()
    await h.ask(anna, m.Resize(3, 3), m.Done)
    await h.ask(anna, m.SetBot(4, 2, "normal"), m.Done)
    refused = await h.ask(bert, m.Rename(5, wanted), m.Refused)
    assert (refused.ref, refused.code) == (5, "name")
    assert h.only().table.seating.chairs[1].record.name == "Person 1"
    await h.ask(bert, m.Rename(6, "PERSON 1"), m.Done)


async def test_spectators_change_their_name_at_any_time_unless_they_are_muted(h: LobbyHarness) -> None:
    anna, _ = await h.match()
    nero = person("Nero")
    await h.ask(nero, m.Watch(1, h.only().match), m.Done)
    await h.ask(nero, m.Rename(2, "Galba"), m.Done)
    assert nero.called == "Galba"
    await h.ask(anna, m.Mute(3, "Galba"), m.Done)
    assert (await h.ask(nero, m.Rename(4, "Otho"), m.Refused)).code == "muted"
    assert (await h.ask(person("Drusilla"), m.Rename(5, "Otho"), m.Refused)).code == "no-table"


@pytest.mark.parametrize(
    "name",
    ["The table", "Anna is now the host.", "Der Tisch", "T a b l e", "Тhe tаble", "Caesar II", "Anna: I concede",
     "Annaː", "Player 1", "(Host)", "Bob-Host", "Seat 2"],
)  # fmt: skip
def test_spectators_cannot_speak_for_the_table_or_players(name: str) -> None:
    assert speaks_for_others(name)


@pytest.mark.parametrize("name", ["Livia", "Hostilius", "Anna Tableau", "Dr. Who?", "Éva", "Seaton", "松本", "O'Hara"])
def test_names_of_other_spectators_stay(name: str) -> None:
    assert not speaks_for_others(name)

"""Play now at the client: typed wishes, the list of people who wait, and the way to the table that was found."""

import pytest

from client.network.play_now import PlayNow, read_wish, table_words
from client.player.settings import Settings
from client.text_client.text_program import TextProgram
from shared import messages as m
from shared.actions.name_lookup import Misread
from shared.tables import Pace, Run
from tests.client.conftest import Server
from tests.client.test_name import wait_for

EVENING = Pace(Run.LIVE, 30, 1800, 600)


def test_a_wish_is_typed_as_games_seats_and_more() -> None:
    assert read_wish("cl,cote2 5,3 bots=10 least=80") == m.TableWish(("classic", "cote2"), (3, 5), EVENING, 10, 80)
    assert read_wish("mb1984 pace=none") == m.TableWish(("mb1984",), (4,))


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("4", "Say which games"),
        ("chess", "There is no rule set called “chess”"),
        ("classic bots=many", "Say minutes and percent as numbers"),
        ("classic pace=never", "“never” is not a clock"),
        ("classic 9", "players"),
        ("classic colour=red", "Say which games"),
    ],
)
def test_a_wish_that_cannot_be_says_why(typed: str, why: str) -> None:
    with pytest.raises(Misread, match=why):
        read_wish(typed)


def test_a_line_of_the_list_says_who_waits_for_what() -> None:
    table = m.WaitingTable(("classic", "cote2"), (3, 4), EVENING, ("Anna", "Bert"), 130, 100, (95, -1))
    assert table_words(table) == (
        "2 wait for Classic or Conquest II with 3 or 4, an evening (Anna (finishes 95 %), Bert (new)), "
        "for 2 minutes, with bots in 1 minute."
    )


def test_a_table_that_was_found_is_told_with_the_time_to_confirm() -> None:
    now = PlayNow(lambda _message: None, lambda: 1)
    called = m.Summons("n", "classic", 3, None, ("Anna", "Bert"), (True, False), 1, 30)
    now.hear(called)
    assert now.summons_words == "A table is found: Classic with 3, with Anna. 1 of 2 have confirmed."
    assert 28 <= now.left <= 30
    now.hear(m.Summons("n", "classic", 3, None))
    assert now.summons is None and now.left == 0


def test_two_find_each_other_by_typed_lines(server: Server) -> None:
    said: dict[str, list[str]] = {"Anna": [], "Bert": []}
    readers = {name: TextProgram(Settings(name=name), lines.append) for name, lines in said.items()}
    readers["Anna"].find(server.address, m.TableWish(("classic",), (2,)))
    wait_for(readers["Anna"], lambda: bool(readers["Anna"].remote.now.wishes))
    readers["Bert"].find(server.address, None)
    wait_for(readers["Bert"], lambda: bool(readers["Bert"].remote.now.tables))
    readers["Bert"].read("now 1")
    for name, reader in readers.items():
        wait_for(reader, lambda reader=reader: reader.remote.now.summons is not None)  # type: ignore[misc]
        assert any(line.startswith("“now yes” confirms within") for line in said[name])
        reader.read("now yes")
    for reader in readers.values():
        wait_for(reader, lambda reader=reader: reader.table is not None and not reader.busy)  # type: ignore[misc]
    wait_for(readers["Anna"], lambda: "The match is going on." in said["Anna"])
    for reader in readers.values():
        reader.close()


def test_a_player_looks_for_other_people_for_a_table_of_the_same_kind(server: Server) -> None:
    said: list[str] = []
    anna = TextProgram(Settings(name="Anna"), said.append)
    anna.find(server.address, None)
    wait_for(anna, lambda: anna.remote.begun and not anna.remote.knocking)
    anna.read("now same")
    assert any("You are at no table" in line for line in said)
    anna.read("create mb1984 3 pace=evening")
    wait_for(anna, lambda: anna.remote.match is not None and anna.remote.match.table is not None)
    anna.read("now same")
    wait_for(anna, lambda: bool(anna.remote.now.wishes))
    assert anna.remote.now.wishes == (m.TableWish(("mb1984",), (3,), EVENING),)
    anna.close()

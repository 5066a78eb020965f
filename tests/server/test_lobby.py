"""The directory of tables: what is made, found, woken and told, and what is refused in which words."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec import Raw, structs

from server.delivery.peer import Peer
from server.lobby import lobby as directory
from server.matches.match import Match
from server.matches.table import STAND_IN_KIND
from shared import messages as m
from shared.history import Entry
from shared.kernel.ruleset import Amendment, AnyRuleset, IllegalAction
from shared.refusal import Refusal
from tests.server.lobby_harness import LobbyHarness, failing, link, open_lobby, person
from tests.server.toy import TOY


async def refused(h: LobbyHarness, peer: Peer, message: Any) -> str:
    """The code of the refusal of that very request."""
    told = await h.ask(peer, message, m.Refused)
    assert told.ref == getattr(message, "ref", getattr(message, "command", 0)) and told.text
    return told.code


@pytest.mark.parametrize("is_open", [True, False])
async def test_a_table_has_a_name_a_code_and_what_was_asked_for(h: LobbyHarness, is_open: bool) -> None:
    create = m.Create(1, "toy", 3, {"rounds": 9}, "  My \n table ", is_open, think=40, takeover=50)
    match = (await h.ask(anna := person(), create, m.Seated)).match
    record = h.running(match).table.record
    assert re.fullmatch("[a-z0-9]{12}", match) and match == record.match
    assert re.fullmatch("[A-HJ-NP-Z2-9]+", record.code) and len(record.code) == (6 if is_open else 8)
    assert (record.ruleset, record.version, record.title, record.open) == ("toy", 1, "My table", is_open)
    assert (record.options, record.think, record.takeover) == ({"rounds": 9, "opening": 0}, 40, 50)
    assert len(record.chairs) == 3 and link(anna).last(m.TableState).code == record.code


async def test_a_table_without_a_title_is_called_by_its_host(h: LobbyHarness) -> None:
    match = (await h.ask(person("Livia"), m.Create(1, "toy", 2, {}, "\u200b"), m.Seated)).match
    assert h.running(match).table.record.title == "Livia's table"


async def test_a_server_has_room_for_so_many_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert directory.MAX_TABLES == 2000
    monkeypatch.setattr(directory, "MAX_TABLES", 2)
    async with open_lobby(tmp_path) as h:
        for called in ("Anna", "Bert"):
            await h.ask(person(called), m.Create(1, "toy", 2, {}, "t"), m.Seated)
        for late in (person("Carla"), person("Nero", "192.0.2.1")):
            assert await refused(h, late, m.Create(7, "toy", 2, {}, "t")) == "full"
        assert h.lobby.tables == len(h.lobby.tasks) == 2


@pytest.mark.parametrize(
    "message",
    [m.Start(8), m.Say(8, "hi"), m.SetBot(8, 0, ""), m.Mute(8, "Nero"), m.Listen(8), m.Act(8, 1, Raw(b"\xc0"))],
)
async def test_requests_without_a_table_are_refused_by_their_number(h: LobbyHarness, message: Any) -> None:
    assert await refused(h, person(), message) == "no-table"
    assert (await h.ask(person(), m.Sync(0), m.Refused)).ref == 0


async def test_failing_requests_are_answered_too(h: LobbyHarness) -> None:
    h.lobby.rulesets = {"toy": TOY, "broken": structs.replace(TOY, options=None)}
    assert await refused(h, person(), m.Create(3, "broken", 2, {}, "t")) == "server-error"
    with failing(h.store):
        assert await refused(h, nero := person("Nero", "192.0.2.1"), m.Create(4, "toy", 2, {}, "t")) == "storage"
    assert h.lobby.tables == 0 and nero.table is None
    for i in range(5):  # What was not made does not gather.
        await h.ask(person(f"Nero {i}", "192.0.2.1"), m.Create(5, "toy", 2, {}, "t"), m.Seated)
    assert await refused(h, person("Nero 9", "192.0.2.1"), m.Create(6, "toy", 2, {}, "t")) == "enough"


async def test_a_code_is_enough_to_find_a_table_awake_or_asleep(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as h:
        anna, _ = await h.match()
        match, code, token = h.only().match, h.code(h.only().match), h.token(anna)
        await h.ask(person("Otho"), m.Create(1, "toy", 2, {}, "other"), m.Seated)
        assert (await h.ask(watcher := person("Galba"), m.Watch(2, "", code.lower()), m.Done)).ref == 2
        spoken = f" {code[:3]} {code[3:]}".lower()
        await h.ask(person("Vitellius"), m.Watch(2, "", spoken), m.Done)
        await h.ask(person("Titus"), m.Watch(2, match, f"{code[:3]}-{code[3:]}"), m.Done)
        assert link(watcher).last(m.TableState).match == match
        await h.ask(person("Anna"), m.Resume(3, match, token), m.Seated)
    async with open_lobby(tmp_path, awake=False) as h:
        for message in (m.Watch(2, "", ""), m.Join(2, "", ""), m.Watch(2, "", "WRONG1"), m.Watch(2, "nowhere", code)):
            assert await refused(h, person(), message) == "no-match"
        assert h.lobby.tables == 0
        await h.ask(watcher := person("Galba"), m.Watch(2, "", code), m.Done)
        assert link(watcher).last(m.TableState).match == match and h.lobby.tables == 1


async def test_only_strangers_who_guess_have_to_wait(h: LobbyHarness) -> None:
    create = m.Create(1, "toy", 6, {}, "t", open=False)
    match = (await h.ask(person(), create, m.Seated)).match
    code, neighbour = h.code(match), person("Bert")
    for _ in range(30):
        assert await refused(h, neighbour, m.Join(2, match, "WRONG")) == "no-match"
        assert await refused(h, person("Nero", "192.0.2.1"), m.Join(2, match)) == "no-match"
        assert await refused(h, person("Nero", "192.0.2.1"), m.Resume(2, match, bytes(32))) == "bad-token"
    await h.ask(neighbour, m.Join(3, match, code), m.Seated)
    await h.ask(person("Nero", "192.0.2.1"), m.Join(3, match, code), m.Seated)


async def test_joining_another_table_needs_leaving_first(h: LobbyHarness) -> None:
    anna, bert = await h.table()
    match = h.only().match
    for message in (
        m.Create(5, "toy", 2, {}, "t"),
        m.Join(5, match),
        m.Watch(5, match),
        m.Resume(5, match, bytes(32)),
    ):
        assert await refused(h, bert, message) == "busy"
    assert h.lobby.tables == 1 and anna.table is bert.table is h.only()


def amended(version: int, amendments: int) -> AnyRuleset:
    """The toy game in that version, with so many amendments."""
    numbered = [Amendment(number, "T-1", "A sentence.") for number in range(1, amendments + 1)]
    return structs.replace(TOY, version=version, amendments=tuple(numbered))


async def test_a_match_goes_on_under_the_rules_with_which_it_began(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as h:
        anna, _ = await h.match()
        match, token = h.only().match, h.token(anna)
        await h.only().table.save()
    async with open_lobby(tmp_path, awake=False) as h:
        h.lobby.rulesets = {"toy": amended(3, 2)}
        peer = person()
        await h.ask(peer, m.Resume(1, match, token), m.Seated)
        assert h.running(match).table.rules.version == 1 and not h.running(match).table.rules.amendments
        await h.ask(person("Bert"), m.Create(1, "toy", 2, {"rounds": 1}, "New"), m.Seated)
        assert {task.table.record.version for task in h.lobby.tasks} == {1, 3}


async def test_rules_without_the_version_of_a_match_do_not_go_on_with_it(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as h:
        anna, _ = await h.match()
        match, code, token = h.only().match, h.code(h.only().match), h.token(anna)
        await h.only().table.save()
    async with open_lobby(tmp_path, awake=False) as h:
        h.lobby.rulesets = {"toy": amended(3, 1)}
        assert await refused(h, person(), m.Resume(1, match, token)) == "not-playable"
        assert await refused(h, person(), m.Watch(1, "", code)) == "not-playable"
        said = await h.ask(person(), m.Resume(2, match, token), m.Refused)
        assert said.text.endswith("it is kept, but only versions 2 to 3 can go on here.")
        h.lobby.rulesets = {"toy": TOY}
        await h.pass_time(600)
        await h.ask(person(), m.Resume(1, match, token), m.Seated)
        h.running(match).table.record.open = False
        assert await refused(h, person("Bert"), m.Watch(1, match, "WRONG")) == "no-match", "it is sick no more"


async def test_a_log_that_the_rules_refuse_is_not_tried_again_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_lobby(tmp_path) as h:
        anna, _ = await h.match()
        match, token = h.only().match, h.token(anna)
        await h.only().table.save()
    reads = []

    def refuse(self: Match, entries: Sequence[Entry], _passed_by: object) -> Iterator[int]:
        reads.append(len(entries))
        raise IllegalAction(Refusal("no", "", "These rules do not."))

    async with open_lobby(tmp_path, awake=False) as h:
        with monkeypatch.context() as patched:
            patched.setattr(Match, "replay", refuse)
            for _ in range(3):
                assert await refused(h, person(), m.Resume(1, match, token)) == "not-playable"
            assert len(reads) == 1 and h.lobby.tables == 0
            await h.pass_time(600)
            assert await refused(h, person(), m.Resume(1, match, token)) == "not-playable"
            assert len(reads) == 2
        await h.pass_time(600)
        await h.ask(person(), m.Resume(1, match, token), m.Seated)


async def test_loaded_matches_are_listed_and_go_on(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as h:
        await h.match(takeover=30)
        match = h.only().match
    async with open_lobby(tmp_path) as h:
        listed = (await h.ask(person(), m.OpenLobby(1), m.LobbyList)).tables
        assert [table.match for table in listed] == [match]
        await h.pass_time(31)
        assert [chair.bot for chair in h.only().table.seating.chairs] == [STAND_IN_KIND] * 2


async def test_a_word_to_all_reaches_tables_and_list(h: LobbyHarness) -> None:
    anna, bert = await h.table()
    await h.ask(carla := person("Carla"), m.OpenLobby(1), m.LobbyList)
    stranger = person("Nero")
    await h.ask(bert, m.OpenLobby(1), m.LobbyList)
    h.lobby.notify("restart", "The server restarts.")
    for peer in (anna, bert, carla):
        told = [each for each in link(peer).sent if isinstance(each, m.Notice)]
        assert told == [m.Notice("restart", "The server restarts.")], "once, also at a table and on the list"
    assert link(stranger).sent == []


async def test_a_connection_that_ends_leaves_list_and_table(h: LobbyHarness) -> None:
    anna, bert = await h.match()
    await h.ask(bert, m.OpenLobby(1), m.LobbyList)
    await h.drop(bert)
    assert h.only().table.audience.peers == (anna,)
    link(bert).sent.clear()
    h.lobby.notify("restart", "The server restarts.")
    await h.pass_time(5)
    assert link(bert).sent == []
    await h.drop(person("Nobody"))


async def test_all_tables_end_with_the_server(h: LobbyHarness) -> None:
    for called in ("Anna", "Bert"):
        await h.ask(person(called), m.Create(1, "toy", 2, {}, "t"), m.Seated)
    await h.lobby.stop()
    assert all(task._task is not None and task._task.done() for task in h.lobby.tasks)

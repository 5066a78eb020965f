"""The command `admin`: what an operator sees and does, on a server that runs and on data without one."""

import asyncio
import contextlib
import json
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from protocol.limits import Close
from server.command_line import main
from server.connections import event_loop
from server.opening import DATABASE
from server.storage.sqlite import SqliteStore
from server.tools.admin import LINES
from server.tools.control import CONTROL
from shared.messages import Create, Done, Introduce, Introduced, Join, Notice, Seated, SetBot, Snapshot, Start, Watch
from shared.tables import TablePhase
from tests.faults.process import Process
from tests.server.fakes import Client
from tests.server.records import entries, filled, record
from tests.support import engines
from tests.support.forks import ForkedServer


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[ForkedServer]:
    """A real one, on data of its own."""
    process = ForkedServer(tmp_path / "data")
    await process.start()
    yield process
    await process.kill()


async def admin(capsys: pytest.CaptureFixture[str], data: Path, *words: str, code: int = 0) -> str:
    """Return the output of the command."""
    got = await asyncio.to_thread(main, ["admin", "--data", str(data), *words])
    printed = capsys.readouterr()
    assert got == code, printed.err
    return printed.out + printed.err


async def begun(server: ForkedServer) -> tuple[Client, str]:
    """Anna in a match against a bot."""
    anna = await Client(server.url).open()
    match = (await anna.ask(lambda ref: Create(ref, "classic", 2, {}, "Rome"), Seated)).match
    await anna.ask(lambda ref: SetBot(ref, 1, "easy"), Done)
    await anna.say(Start)
    await anna.wait_for(Snapshot)
    return anna, match


async def test_an_operator_sees_matches_and_nodes(
    server: ForkedServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "data"
    assert "no running matches" in await admin(capsys, data, "matches")
    _, match = await begun(server)
    node = json.loads(await admin(capsys, data, "--json", "node"))
    assert node["address"] == server.url and node["connections"] == 1 and node["healthy"]
    assert node["loop"] == (
        event_loop.ASYNCIO if event_loop.chosen(event_loop.AUTO) is asyncio.new_event_loop else event_loop.UVLOOP
    )
    (one,) = json.loads(await admin(capsys, data, "--json", "matches"))["matches"]
    assert (one["match"], one["title"], one["phase"], one["people"]) == (match, "Rome", "playing", 1)
    shown = json.loads(await admin(capsys, data, "--json", "show", match))
    assert [seat["name"] or seat["bot"] for seat in shown["at"]] == ["Anna", "easy"]
    assert "token" not in json.dumps(shown) and "code" not in shown
    for words in (["node"], ["matches"], ["show", match]):
        assert "Rome" in (said := await admin(capsys, data, *words)) or server.url in said
    assert "entries are intact" in await admin(capsys, data, "check", match)
    assert "Match nowhere does not exist" in await admin(capsys, data, "show", "nowhere", code=2)


async def test_options_stand_before_or_behind_what_is_asked(
    server: ForkedServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ("--data", str(tmp_path / "data"))
    for words in (
        [*where, "--json", "node"], ["node", *where, "--json"], [*where, "node", "--json"], ["--json", "node", *where]
    ):  # fmt: skip
        assert await asyncio.to_thread(main, ["admin", *words]) == 0
        assert json.loads(capsys.readouterr().out)["address"] == server.url
    for deed in (["matches"], ["nodes"], ["say", "Hail"], ["close"], ["open"]):
        assert await asyncio.to_thread(main, ["admin", *deed, *where, "--json"]) == 0
        assert isinstance(json.loads(capsys.readouterr().out), dict)


async def test_a_word_to_a_table_and_to_all(
    server: ForkedServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    anna, match = await begun(server)
    await admin(capsys, tmp_path / "data", "say", "Back at eight.")
    assert (await anna.wait_for(Notice)).text == "Back at eight."
    assert "1 people" in await admin(capsys, tmp_path / "data", "say", "You too.", "--match", match)
    assert (await anna.wait_for(Notice)).text == "You too."
    assert "The text is empty" in await admin(capsys, tmp_path / "data", "say", " ", code=2)


async def test_no_new_tables_for_a_while(
    server: ForkedServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    anna = await Client(server.url).open()
    await admin(capsys, tmp_path / "data", "close")
    await anna.say(lambda ref: Create(ref, "classic", 2, {}, "Rome"))
    assert "takes no new tables" in (await anna.wait_for_refusal()).text
    await admin(capsys, tmp_path / "data", "open")
    await anna.ask(lambda ref: Create(ref, "classic", 2, {}, "Rome"), Seated)


async def test_a_code_returns_a_player_without_a_key_once(
    server: ForkedServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    anna, match = await begun(server)
    link = ("--json", "link", match, "1")
    older, code = [json.loads(await admin(capsys, tmp_path / "data", *link))["code"] for _ in range(2)]
    anna.cut()
    back = await Client(server.url, "Somebody").open()
    await back.say(lambda ref: Join(ref, "", older))
    assert (await back.wait_for_refusal()).code == "no-match"
    seated = await back.ask(lambda ref: Join(ref, "", code), Seated)
    assert (seated.match, seated.seat) == (match, 0)
    await back.wait_for(Snapshot)
    thief = await Client(server.url, "Thief").open()
    await thief.say(lambda ref: Join(ref, "", code))
    assert (await thief.wait_for_refusal()).code == "no-match"
    assert "Seat 2 of match" in await admin(capsys, tmp_path / "data", "link", match, "2", code=2)


async def test_a_forgotten_match_is_gone_for_all(
    server: ForkedServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    anna, match = await begun(server)
    await admin(capsys, tmp_path / "data", "forget", match)
    assert await anna.close_code() > 0
    assert "no running matches" in await admin(capsys, tmp_path / "data", "matches")
    assert "does not exist" in await admin(capsys, tmp_path / "data", "forget", match, code=2)


async def test_a_server_is_drained(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    server = Process(tmp_path / "data")
    await server.start()
    assert "is stopping" in await admin(capsys, tmp_path / "data", "drain")
    await asyncio.wait_for(server.process.wait(), 20)
    assert server.process.returncode == 0 and not (tmp_path / "data" / CONTROL).exists()


async def test_without_a_server_what_only_reads_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = await SqliteStore.open(tmp_path / DATABASE)
    check = await filled(store)
    await filled(store, 8, "m2")
    await store.append("m1", 1, check, entries(21, 1), record("m1", phase=TablePhase.PLAYING))
    await store.close()
    listed = json.loads(await admin(capsys, tmp_path, "--json", "matches"))["matches"]
    assert [(one["match"], one["phase"]) for one in listed] == [("m1", "playing"), ("m2", "gathering")]
    assert "version 21" in await admin(capsys, tmp_path, "show", "m1")
    assert "No servers share" in await admin(capsys, tmp_path, "nodes")
    assert "All 21 entries" in await admin(capsys, tmp_path, "check", "m1")
    for words in (["node"], ["say", "Hail"], ["close"], ["forget", "m1"], ["drain"], ["link", "m1", "1"]):
        assert "No server runs" in await admin(capsys, tmp_path, *words, code=2)


async def test_a_damaged_log_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = await SqliteStore.open(tmp_path / DATABASE)
    await filled(store)
    await store.close()
    with contextlib.closing(sqlite3.connect(tmp_path / DATABASE)) as db:
        db.execute("UPDATE log SET entry = x'90' WHERE n = 8")
        db.commit()
    assert "damaged at entry 8" in await admin(capsys, tmp_path, "check", "m1", code=1)
    told: dict[str, Any] = json.loads(await admin(capsys, tmp_path, "--json", "check", "m1", code=1))
    assert "damaged" in told["error"]


@pytest.mark.long
async def test_nodes_and_matches_are_read_beside_running_servers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where, bus = await engines.database(tmp_path), engines.nats().url
    options = ("--store", where, "--bus", bus, "--bus-prefix", "admin", "--public", "play.example.org")
    server = ForkedServer(tmp_path / "data", *options)
    await server.start()
    try:
        anna = await Client(server.url).open()
        match = (await anna.ask(lambda ref: Create(ref, "classic", 2, {}, "Rome"), Seated)).match
        (node,) = json.loads(await admin(capsys, tmp_path / "data", "--json", "nodes"))["nodes"]
        assert (node["url"], node["matches"]) == ("play.example.org", 1)
        alone = (tmp_path / "nowhere", "--store", where)
        assert "play.example.org, last seen" in await admin(capsys, *alone, "nodes")
        assert f"on {node['node']}" in await admin(capsys, *alone, "matches")
        assert match in await admin(capsys, *alone, "show", match)
    finally:
        await server.kill()


async def test_a_person_is_banned_and_the_list_says_so(
    server: ForkedServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "data"
    anna = await Client(server.url).open()
    await anna.ask(lambda ref: Introduce(ref, b"a" * 32), Introduced)
    assert "Anna (" in await admin(capsys, data, "people", "ANNA") and "1 connections" in await admin(
        capsys, data, "people"
    )
    assert "Say why" in await admin(capsys, data, "ban", "Anna", code=2)
    assert "No profile is called Livia" in await admin(capsys, data, "ban", "Livia", "--why", "Spam", code=2)
    assert "Anna is banned until 2" in await admin(capsys, data, "ban", "Anna", "--days", "2", "--why", "Spam.")
    told = await anna.wait_for_refusal()
    assert told.code == "banned" and told.text.endswith(": Spam.")
    assert await anna.close_code() == Close.BANNED
    again = await Client(server.url).open()
    await again.say(lambda ref: Introduce(ref, b"a" * 32))
    assert (await again.wait_for_refusal()).code == "banned" and await again.close_code() == Close.BANNED
    (person,) = json.loads(await admin(capsys, data, "people", "--json", "Anna"))["people"]
    assert person["banned"]["why"] == "Spam" and person["muted"] is None
    await admin(capsys, data, "unban", person["person"])
    await server.kill()
    listed = await admin(capsys, data, "deeds")
    assert "ban Anna" in listed and "unban Anna" in listed, "without a server, too"
    assert [deed["deed"] for deed in json.loads(await admin(capsys, data, "--json", "deeds"))["deeds"]] == [
        "ban", "unban"
    ]  # fmt: skip


async def test_all_who_come_read_a_banner_and_that_nothing_new_is_taken(
    server: ForkedServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "data"
    anna, match = await begun(server)
    await admin(capsys, data, "banner", "New disks at eight.")
    assert (await anna.wait_for(Notice)).text == "New disks at eight."
    assert "read-only now" in await admin(capsys, data, "read-only", "on")
    assert "read-only" in await admin(capsys, data, "node")
    livia = await Client(server.url, "Livia").open()
    assert [(await livia.wait_for(Notice)).code for _ in range(2)] == ["read-only", "banner"]
    await livia.ask(lambda ref: Watch(ref, match), Done)
    await admin(capsys, data, "read-only", "off")
    assert (await livia.wait_for(Notice)).code == "writable"
    await admin(capsys, data, "banner", "")
    assert [(deed["deed"], deed["text"]) for deed in json.loads(await admin(capsys, data, "--json", "deeds"))["deeds"]][
        ::3
    ] == [("banner", "New disks at eight."), ("banner", "")]


async def test_a_person_is_exported_and_erased_and_a_member_invited(
    server: ForkedServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "data"
    anna = await Client(server.url).open()
    await anna.ask(lambda ref: Introduce(ref, b"a" * 32), Introduced)
    exported = json.loads(await admin(capsys, data, "export", "Anna"))
    assert exported["name"] == "Anna" and exported["devices"]
    assert "erased" in await admin(capsys, data, "erase", "Anna", "--why", "Asked by mail.")
    assert await anna.close_code() == Close.ENDED
    assert "No profile is called Anna" in await admin(capsys, data, "export", "Anna", code=2)
    listed = await admin(capsys, data, "deeds")
    assert "export former player" in listed and "erase: Asked by mail." in listed and "Anna" not in listed
    code = json.loads(await admin(capsys, data, "--json", "invite", "Livia"))["code"]
    assert code in await admin(capsys, data, "invite", "Livia") or code
    assert "No member can have that name" in await admin(capsys, data, "invite", "Server", code=2)
    (livia,) = json.loads(await admin(capsys, data, "--json", "people"))["people"]
    assert livia["name"] == "Livia"


def test_reports_that_do_not_fit_are_counted() -> None:
    assert LINES["reports"]({"reports": [], "more": 3}) == "3 more; close some of these to see them."
    assert LINES["reports"]({"reports": [], "more": 0}) == "There are no open reports."

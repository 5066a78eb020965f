"""Command `seats`: the owner of the data gets new keys to seats that people hold in running matches."""

import contextlib
import json
import sqlite3
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from msgspec import Raw

from protocol import codec
from server.command_line import main
from server.delivery.peer import Peer
from server.opening import DATABASE
from server.storage.sqlite import SqliteStore
from shared.messages import Accepted, Act, Create, Done, Join, Refused, Resume, Seated, SetBot, Start
from tests.server.fakes import FakeLink
from tests.server.lobby_harness import LobbyHarness, open_lobby
from tests.server.records import TODAY
from tests.server.toy import Name


@asynccontextmanager
async def serving(data: Path) -> AsyncIterator[LobbyHarness]:
    """A server on that directory, which lets go of it in the end."""
    store = await SqliteStore.open(data / DATABASE, lambda: TODAY)
    async with open_lobby(data, store=store, awake=False) as h:
        yield h
    await store.close()


async def begun(h: LobbyHarness, title: str, *people: str, rounds: int = 50) -> tuple[str, list[bytes]]:
    """A match of these people and a bot, and their keys."""
    peers = [Peer(FakeLink(), called) for called in people]
    create = Create(1, "toy", len(people) + 1, {"rounds": rounds}, title)
    seated = [await h.ask(peers[0], create, Seated)]
    seated += [await h.ask(peer, Join(2, seated[0].match), Seated) for peer in peers[1:]]
    await h.ask(peers[0], SetBot(3, len(people), "greedy"), Done)
    await h.ask(peers[0], Start(4), Done)
    return seated[0].match, [each.token for each in seated]


def seats(data: Path, *words: str) -> int:
    """Return the exit status of the command, which has an event loop of its own."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(main, ["seats", "--data", str(data), *words]).result()


def listed(capsys: pytest.CaptureFixture[str], data: Path, *words: str) -> list[dict[str, Any]]:
    """Return the output of the command."""
    assert seats(data, *words) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    return [json.loads(line) for line in printed.out.splitlines()]


async def test_each_person_s_seat_is_listed_with_a_key_that_opens_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with serving(tmp_path) as h:
        first, old = await begun(h, "First", "Anna", "Bert")
        second, _ = await begun(h, "Second", "Carla")
    told = listed(capsys, tmp_path)
    assert sorted((each["match"], each["seat"]) for each in told) == sorted([(first, 0), (first, 1), (second, 0)])
    by_seat = {(each["match"], each["seat"]): each for each in told}
    bert = by_seat[first, 1]
    assert (bert["title"], bert["game"], bert["people"], bert["seen"]) == ("First", "toy", ["Anna"], TODAY)
    assert by_seat[first, 0]["people"] == ["Bert"] and by_seat[second, 0]["people"] == []
    again = {(each["match"], each["seat"]): each for each in listed(capsys, tmp_path)}
    assert again[first, 1]["token"] != bert["token"]
    async with serving(tmp_path) as h:
        back = Peer(FakeLink(), "Bert")
        key = bytes.fromhex(again[first, 1]["token"])
        assert (await h.ask(back, Resume(1, first, key), Seated)).seat == 1
        await h.ask(back, number(h, first), Accepted)
        for void in (old[1], bytes.fromhex(bert["token"])):
            assert (await h.ask(Peer(FakeLink(), "Nero"), Resume(1, first, void), Refused)).code == "bad-token"


def number(h: LobbyHarness, match: str) -> Act:
    """Some number for that match."""
    return Act(1, h.running(match).table.match.frame, Raw(codec.encode(Name(3))))


async def test_only_matches_that_go_on_and_are_not_known_are_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with serving(tmp_path) as h:
        playing, _ = await begun(h, "Playing", "Anna")
        known, _ = await begun(h, "Known", "Anna")
        over, _ = await begun(h, "Over", "Anna", rounds=1)
        (host,) = h.running(over).table.audience.peers
        await h.ask(host, number(h, over), Accepted)
        await h.quiet()
        assert h.running(over).table.match.finished
        await h.ask(Peer(FakeLink(), "Anna"), Create(1, "toy", 2, {}, "Gathering"), Seated)
    assert [each["match"] for each in listed(capsys, tmp_path, "--known", known)] == [playing]
    assert {each["match"] for each in listed(capsys, tmp_path)} == {playing, known}
    assert listed(capsys, tmp_path, "--known", known, "--known", playing) == []


async def test_a_damaged_match_hides_no_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async with serving(tmp_path) as h:
        damaged, _ = await begun(h, "Damaged", "Anna")
        sound, _ = await begun(h, "Sound", "Anna")
    assert len(listed(capsys, tmp_path)) == 2
    with contextlib.closing(sqlite3.connect(tmp_path / DATABASE)) as db:
        db.execute("UPDATE matches SET epoch = 9 WHERE match = ?", (damaged,))
        db.commit()
    assert seats(tmp_path) == 0
    assert [json.loads(line)["match"] for line in capsys.readouterr().out.splitlines()] == [sound]


async def test_a_match_is_forgotten_for_good(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async with serving(tmp_path) as h:
        first, (key,) = await begun(h, "First", "Anna")
        second, _ = await begun(h, "Second", "Anna")
    assert listed(capsys, tmp_path, "--delete", first) == listed(capsys, tmp_path, "--delete", "unknown") == []
    assert [each["match"] for each in listed(capsys, tmp_path)] == [second]
    async with serving(tmp_path) as h:
        assert (await h.ask(Peer(FakeLink(), "Anna"), Resume(1, first, key), Refused)).code == "no-match"


async def test_listing_keys_creates_nothing_without_a_store(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert listed(capsys, tmp_path) == [] and not list(tmp_path.iterdir())


async def test_data_in_use_or_that_are_none_are_a_mistake(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async with serving(tmp_path):
        assert seats(tmp_path) == 2
        assert "A server or another command uses" in capsys.readouterr().err
    wrong = tmp_path / "wrong"
    wrong.mkdir()
    (wrong / DATABASE).write_bytes(b"not a database" * 100)
    assert seats(wrong) == 2
    assert capsys.readouterr().err.startswith("conquest-server: Cannot use")

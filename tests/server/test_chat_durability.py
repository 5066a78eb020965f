"""Chat is stored like actions: with the next one, or within a second. Kicks and mutes outlive the server."""

import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from server.delivery.peer import Peer
from server.matches.members import TALK_RETRY, TALK_SAVED
from server.matches.rematch import following
from server.storage.port import Store, TableRecord
from shared.ids import NONE
from shared.messages import (
    Accepted,
    Create,
    Done,
    Join,
    Kick,
    Left,
    Mute,
    Refused,
    Resume,
    Said,
    Say,
    Seated,
    Start,
    Watch,
)
from tests.server.fakes import FakeLink
from tests.server.lobby_harness import LobbyHarness, failing, link, name, open_lobby, person
from tests.server.records import KINDS


@pytest.fixture(params=KINDS)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    """Each store in turn."""
    opened = await KINDS[request.param].open(tmp_path, time.time)
    yield opened
    await opened.close()


async def stored(store: Store, match: str) -> TableRecord:
    """Return the table as a server would read it if this one were killed now."""
    found = await store.look(match)
    assert found is not None
    return found.table


async def lines(store: Store, match: str) -> list[str]:
    return [line.text for line in (await stored(store, match)).talk]


@contextmanager
def counted(store: Any) -> Iterator[list[str]]:
    """The calls by which records and entries are stored."""
    calls: list[str] = []
    originals = {name: getattr(store, name) for name in ("save", "append")}

    def counting(called: str) -> Any:
        def call(*args: Any) -> Any:
            calls.append(called)
            return originals[called](*args)

        return call

    for each in originals:
        setattr(store, each, counting(each))
    try:
        yield calls
    finally:
        for each, original in originals.items():
            setattr(store, each, original)


def test_a_line_is_stored_within_a_second() -> None:
    assert TALK_SAVED < 1


async def test_a_line_is_stored_in_time_and_once(tmp_path: Path, store: Store) -> None:
    async with open_lobby(tmp_path, store=store) as h:
        anna, bert = await h.match()
        match = h.only().match
        await h.ask(anna, Say(1, "One"), Said)
        await h.ask(bert, Say(1, "Two"), Said)
        with counted(store) as calls:
            await h.pass_time(TALK_SAVED)
            assert await lines(store, match) == ["One", "Two"] and calls == ["save"]
            await h.pass_time(100)
            assert calls == ["save"]
        async with open_lobby(tmp_path, store=store) as again:
            guest = Peer(FakeLink(), "Guest")
            await again.ask(guest, Watch(1, match), Done)
            assert [line.text for line in again.only().table.record.talk] == ["One", "Two"]


async def test_an_action_takes_the_lines_along(tmp_path: Path, store: Store) -> None:
    async with open_lobby(tmp_path, store=store) as h:
        anna, bert = await h.match()
        match = h.only().match
        await h.ask(anna, name(h, 1, 3), Accepted)
        await h.ask(bert, Say(1, "Well named."), Said)
        with counted(store) as calls:
            await h.ask(bert, name(h, 1, 4), Accepted)
            assert await lines(store, match) == ["Well named."]
            await h.pass_time(TALK_SAVED + 1)
            await h.ask(anna, name(h, 2, 3), Accepted)
            assert calls == ["append", "append"], "nothing is stored twice"


async def test_a_line_is_stored_before_the_start_too(tmp_path: Path, store: Store) -> None:
    async with open_lobby(tmp_path, store=store) as h:
        anna, _ = await h.table()
        await h.ask(anna, Say(1, "Shall we begin?"), Said)
        await h.pass_time(TALK_SAVED)
        assert await lines(store, h.only().match) == ["Shall we begin?"]


async def test_lines_that_could_not_be_stored_are_stored_later(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as h:
        anna, _ = await h.match()
        await h.ask(anna, name(h, 1, 3), Accepted)
        await h.ask(anna, Say(1, "Is the disk full?"), Said)
        with failing(h.store):
            await h.pass_time(TALK_SAVED + 1)
        assert await lines(h.store, h.only().match) == []
        await h.pass_time(TALK_RETRY)
        assert await lines(h.store, h.only().match) == ["Is the disk full?"]


async def test_an_append_that_failed_leaves_the_lines_to_the_next(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as h:
        anna, bert = await h.match()
        await h.ask(anna, name(h, 1, 3), Accepted)
        await h.ask(bert, Mute(1, "Nobody"), Refused)  # What a player says confirms the token, which is stored.
        await h.ask(anna, Say(1, "Is the disk full?"), Said)
        with failing(h.store):
            assert (await h.ask(bert, name(h, 1, 3), Refused)).code == "storage"
        await h.ask(bert, name(h, 1, 3), Accepted)
        assert await lines(h.store, h.only().match) == ["Is the disk full?"]


async def kicked_nero(h: LobbyHarness) -> str:
    anna, nero = person(), person("Nero", "192.0.2.1")
    match = (await h.ask(anna, Create(1, "toy", 3, {}, "Title"), Seated)).match
    await h.ask(nero, Join(1, match), Seated)
    await h.ask(anna, Kick(2, nero.seat), Done)
    assert link(nero).last(Left).code == "kicked"
    return match


async def test_a_kick_survives_a_restart(tmp_path: Path, store: Store) -> None:
    async with open_lobby(tmp_path, store=store) as h:
        match = await kicked_nero(h)
        async with open_lobby(tmp_path, store=store) as again:
            for back in (person("Nero", "192.0.2.9"), person("Otho", "192.0.2.1")):
                assert (await again.ask(back, Join(3, match), Refused)).code == "kicked"
                assert (await again.ask(back, Watch(3, match), Refused)).code == "kicked"
            await again.ask(person("Otho", "192.0.2.2"), Join(3, match), Seated)


async def test_a_kick_that_could_not_be_stored_did_not_happen(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as h:
        anna, nero = person(), person("Nero", "192.0.2.1")
        match = (await h.ask(anna, Create(1, "toy", 3, {}, "Title"), Seated)).match
        await h.ask(nero, Join(1, match), Seated)
        await h.say(anna, Say(5, "Hello."))
        with failing(h.store):
            assert (await h.ask(anna, Kick(2, nero.seat), Refused)).code == "storage"
        assert h.only().table.record.kicked == () and nero in h.only().table.audience


async def test_a_mute_survives_a_restart_until_it_is_ended(tmp_path: Path, store: Store) -> None:
    async with open_lobby(tmp_path, store=store) as h:
        anna, nero = person(), person("Nero", "192.0.2.1")
        match = (await h.ask(anna, Create(1, "toy", 2, {}, "Title"), Seated)).match
        bert = person("Bert")
        await h.ask(bert, Join(1, match), Seated)
        await h.ask(anna, Start(2), Done)
        await h.ask(nero, Watch(1, match), Done)
        await h.ask(anna, Mute(3, "Nero"), Done)
        key = h.token(anna)
        await h.only().table.save()
        async with open_lobby(tmp_path, store=store) as again:
            back = person("Nero", "192.0.2.1")
            await again.ask(back, Watch(1, match), Done)
            assert (await again.ask(back, Say(4, "Burn it!"), Refused)).code == "muted"
            host = person()
            await again.ask(host, Resume(1, match, key), Seated)
            await again.ask(host, Mute(5, "Nero", False), Done)
            await again.ask(back, Say(6, "Burn it!"), Said)
            assert (await stored(store, match)).muted == ()


async def test_the_next_match_begins_with_nobody_kicked_or_muted(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as h:
        await kicked_nero(h)
        record = h.only().table.record
        assert record.kicked
        after = following(record, [0, 1, 2], set(), NONE)
        assert (after.kicked, after.muted) == ((), ())

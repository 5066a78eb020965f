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
from shared import messages as m
from shared.ids import NONE
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
        await h.ask(anna, m.Say(1, "One"), m.Said)
        await h.ask(bert, m.Say(1, "Two"), m.Said)
        with counted(store) as calls:
            await h.pass_time(TALK_SAVED)
            assert await lines(store, match) == ["One", "Two"] and calls == ["save"]
            await h.pass_time(100)
            assert calls == ["save"]
        async with open_lobby(tmp_path, store=store) as again:
            guest = Peer(FakeLink(), "Guest")
            await again.ask(guest, m.Watch(1, match), m.Done)
            assert [line.text for line in again.only().table.record.talk] == ["One", "Two"]


async def test_an_action_takes_the_lines_along(tmp_path: Path, store: Store) -> None:
    async with open_lobby(tmp_path, store=store) as h:
        anna, bert = await h.match()
        match = h.only().match
        await h.ask(anna, name(h, 1, 3), m.Accepted)
        await h.ask(bert, m.Say(1, "Well named."), m.Said)
        with counted(store) as calls:
            await h.ask(bert, name(h, 1, 4), m.Accepted)
            assert await lines(store, match) == ["Well named."]
            await h.pass_time(TALK_SAVED + 1)
            await h.ask(anna, name(h, 2, 3), m.Accepted)
            assert calls == ["append", "append"], "nothing is stored twice"


async def test_a_line_is_stored_before_the_start_too(tmp_path: Path, store: Store) -> None:
    async with open_lobby(tmp_path, store=store) as h:
        anna, _ = await h.table()
        await h.ask(anna, m.Say(1, "Shall we begin?"), m.Said)
        await h.pass_time(TALK_SAVED)
        assert await lines(store, h.only().match) == ["Shall we begin?"]


async def test_lines_that_could_not_be_stored_are_stored_later(h: LobbyHarness) -> None:
    anna, _ = await h.match()
    await h.ask(anna, name(h, 1, 3), m.Accepted)
    await h.ask(anna, m.Say(1, "Is the disk full?"), m.Said)
    with failing(h.store):
        await h.pass_time(TALK_SAVED + 1)
    assert await lines(h.store, h.only().match) == []
    await h.pass_time(TALK_RETRY)
    assert await lines(h.store, h.only().match) == ["Is the disk full?"]


async def test_an_append_that_failed_leaves_the_lines_to_the_next(h: LobbyHarness) -> None:
    anna, bert = await h.match()
    await h.ask(anna, name(h, 1, 3), m.Accepted)
    await h.ask(bert, m.Mute(1, "Nobody"), m.Refused)  # What a player says confirms the token, which is stored.
    await h.ask(anna, m.Say(1, "Is the disk full?"), m.Said)
    with failing(h.store):
        assert (await h.ask(bert, name(h, 1, 3), m.Refused)).code == "storage"
    await h.ask(bert, name(h, 1, 3), m.Accepted)
    assert await lines(h.store, h.only().match) == ["Is the disk full?"]


async def kicked_nero(h: LobbyHarness) -> str:
    anna, nero = person(), person("Nero", "192.0.2.1")
    match = (await h.ask(anna, m.Create(1, "toy", 3, {}, "Title"), m.Seated)).match
    await h.ask(nero, m.Join(1, match), m.Seated)
    await h.ask(anna, m.Kick(2, nero.seat), m.Done)
    assert link(nero).last(m.Left).code == "kicked"
    return match


async def test_a_kick_survives_a_restart(tmp_path: Path, store: Store) -> None:
    async with open_lobby(tmp_path, store=store) as h:
        match = await kicked_nero(h)
        async with open_lobby(tmp_path, store=store) as again:
            for back in (person("Nero", "192.0.2.9"), person("Otho", "192.0.2.1")):
                assert (await again.ask(back, m.Join(3, match), m.Refused)).code == "kicked"
                assert (await again.ask(back, m.Watch(3, match), m.Refused)).code == "kicked"
            await again.ask(person("Otho", "192.0.2.2"), m.Join(3, match), m.Seated)


async def test_a_kick_that_could_not_be_stored_did_not_happen(h: LobbyHarness) -> None:
    anna, nero = person(), person("Nero", "192.0.2.1")
    match = (await h.ask(anna, m.Create(1, "toy", 3, {}, "Title"), m.Seated)).match
    await h.ask(nero, m.Join(1, match), m.Seated)
    await h.say(anna, m.Say(5, "Hello."))
    with failing(h.store):
        assert (await h.ask(anna, m.Kick(2, nero.seat), m.Refused)).code == "storage"
    assert h.only().table.record.kicked == () and nero in h.only().table.audience


async def test_a_mute_survives_a_restart_until_it_is_ended(tmp_path: Path, store: Store) -> None:
    async with open_lobby(tmp_path, store=store) as h:
        anna, nero = person(), person("Nero", "192.0.2.1")
        match = (await h.ask(anna, m.Create(1, "toy", 2, {}, "Title"), m.Seated)).match
        bert = person("Bert")
        await h.ask(bert, m.Join(1, match), m.Seated)
        await h.ask(anna, m.Start(2), m.Done)
        await h.ask(nero, m.Watch(1, match), m.Done)
        await h.ask(anna, m.Mute(3, "Nero"), m.Done)
        key = h.token(anna)
        await h.only().table.save()
        async with open_lobby(tmp_path, store=store) as again:
            back = person("Nero", "192.0.2.1")
            await again.ask(back, m.Watch(1, match), m.Done)
            assert (await again.ask(back, m.Say(4, "Burn it!"), m.Refused)).code == "muted"
            host = person()
            await again.ask(host, m.Resume(1, match, key), m.Seated)
            await again.ask(host, m.Mute(5, "Nero", False), m.Done)
            await again.ask(back, m.Say(6, "Burn it!"), m.Said)
            assert (await stored(store, match)).muted == ()


async def test_the_next_match_begins_without_kicked_or_muted_people(h: LobbyHarness) -> None:
    await kicked_nero(h)
    record = h.only().table.record
    assert record.kicked
    after = following(record, [0, 1, 2], set(), NONE)
    assert (after.kicked, after.muted) == ((), ())

"""Announcement of a public table on the local network by a server that was left running."""

import os
import threading
from pathlib import Path

from pytest import MonkeyPatch

from protocol.announcement import Announcement
from server.tools import lifetime
from server.tools.detached_announcer import DetachedAnnouncer, table_of
from shared.messages import Create, Done, Seated
from shared.tables import NO_SEAT, TablePhase
from tests.server.lobby_harness import LobbyHarness, person


async def test_the_first_table_that_waits_for_players_is_announced_and_no_closed_one(h: LobbyHarness) -> None:
    assert table_of(h.lobby) is None
    await h.table(open=False)
    assert table_of(h.lobby) is None
    await h.match(open=True)
    going = table_of(h.lobby)
    assert going is not None and going.phase is TablePhase.PLAYING
    livia = person("Livia")
    match = (await h.ask(livia, Create(1, "toy", 3, {}, "Ours"), Seated)).match
    assert table_of(h.lobby) == Announcement(match, "toy", "Ours", "Livia", 3, 1, TablePhase.GATHERING)


async def test_a_host_without_a_seat_is_named_by_who_sits_there(h: LobbyHarness) -> None:
    await h.ask(person("Livia"), Create(1, "toy", 3, {}, "Ours", True, NO_SEAT), Done)
    found = table_of(h.lobby)
    assert found is not None and found.host == "Ours" and found.taken == 0


def test_it_begins_once_the_server_stays_and_not_before(tmp_path: Path, monkeypatch: MonkeyPatch) -> None:
    told, ended = threading.Event(), threading.Event()
    ours, theirs = os.pipe()
    read = os.read
    monkeypatch.setattr(os, "read", lambda _standard, size: read(ours, size))
    monkeypatch.setattr(os, "dup2", lambda *_: None)
    lifetime.watch(tmp_path, "ws://127.0.0.1:8600", ended.set, told.set)
    assert not told.is_set()
    os.write(theirs, lifetime.STAY)
    assert told.wait(10)
    (tmp_path / lifetime.RUNNING).unlink()
    assert ended.wait(10)


def test_a_server_that_no_neighbour_can_reach_announces_nothing() -> None:
    async def look() -> Announcement | None:
        raise AssertionError("nobody asks")

    beacon = DetachedAnnouncer(look, 8600, list)
    beacon.start()
    assert beacon._thread.ident is None
    beacon.stop()

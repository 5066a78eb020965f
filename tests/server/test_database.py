"""The database and its witness: what is done in which order, and what either of them knows alone."""

import sqlite3
import stat
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from server.storage.database import _SIZE, Database, Job, RowMark
from server.storage.platform import System, Tail
from server.storage.port import FIRST_EPOCH, Damaged, MatchResult, StoreError
from server.storage.rows import Gist, Row, encoded
from server.storage.sqlite import SqliteStore
from shared.messages import Line
from shared.tables import TablePhase
from tests.server.records import record


class Watched(System):
    """The system, and what was done in which order."""

    def __init__(self) -> None:
        self.story: list[str] = []

    def connect(self, path: Path) -> sqlite3.Connection:
        connection = super().connect(path)
        connection.set_trace_callback(self._said)
        return connection

    def tail(self, path: Path) -> Tail:
        return WatchedTail(super().tail(path), self.story)

    def _said(self, statement: str) -> None:
        if statement in ("COMMIT", "ROLLBACK") or "wal_checkpoint" in statement:
            self.story.append(statement)

    def told(self) -> list[str]:
        """The story since the last time."""
        story, self.story[:] = self.story[:], []
        return story


class WatchedTail:
    """A tail, and when something was done to it."""

    def __init__(self, tail: Tail, story: list[str]) -> None:
        self._tail = tail
        self._story = story

    def write(self, data: bytes, /) -> Any:
        self._story.append(f"{len(data) // _SIZE} noted")
        return self._tail.write(data)

    def sync(self) -> None:
        self._story.append("synced")
        self._tail.sync()

    def close(self) -> None:
        self._story.append("closed")
        self._tail.close()


def create(match: str, phase: TablePhase = TablePhase.GATHERING) -> Job:
    """Return the job that stores a new table."""
    return lambda database: database.create(match, encoded(record(match, phase=phase)))


def test_the_witness_remembers_after_a_commit_and_forgets_before_it(tmp_path: Path) -> None:
    system = Watched()
    database = Database(system, tmp_path / "db", lambda: 1000.0)
    database.open()
    system.told()
    database.transaction([create("m1")])
    assert system.told() == ["COMMIT", "1 noted"]
    database.transaction([create("m2"), create("m3")])
    assert system.told() == ["COMMIT", "2 noted"]
    (failed,) = database.transaction([create("m1")])
    assert isinstance(failed, StoreError) and system.told() == ["ROLLBACK"]
    database.transaction([lambda db: db.unfinished(1.0)])
    assert system.told() == ["COMMIT"]
    database.transaction([lambda db: db.delete("m2", FIRST_EPOCH), lambda db: db.claim("m3")])
    assert system.told() == ["1 noted", "synced", "COMMIT", "1 noted"]
    database.checkpoint()
    assert system.told() == ["PRAGMA wal_checkpoint(PASSIVE)", "synced"]
    database.open_again()
    assert system.told() == ["closed", "COMMIT", "PRAGMA wal_checkpoint(TRUNCATE)", "COMMIT", "synced"]
    database.close()
    assert system.told() == ["synced", "closed"]


def test_recently_changed_matches_count_as_unfinished(tmp_path: Path) -> None:
    now = [1000.0]
    database = Database(System(), tmp_path / "db", lambda: now[0])
    database.open()
    database.transaction([create("m1"), create("m2", phase=TablePhase.OVER)])
    now[0] = 1060.0
    assert (database.unfinished(60.0), database.unfinished(59.9)) == (["m1"], [])
    assert database.matches == ["m1", "m2"]
    database.close()


def test_versions_known_only_to_the_sidecar_file_are_missing(tmp_path: Path) -> None:
    database = Database(System(), tmp_path / "db", lambda: 1000.0)
    database.open()
    database._last_acknowledged.note({"m9": RowMark(1, bytes(16))})
    assert database.matches == ["m9"] and database.row("m8") is None
    with pytest.raises(Damaged, match="Match m9 is missing although it was kept"):
        database.row("m9")
    database.close()


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such rights")
async def test_only_the_operator_can_look_into_a_new_folder(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    store = await SqliteStore.open(folder / "db")
    await store.close()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_the_lists_read_of_a_record_what_it_says() -> None:
    """They pass over the rest of it."""
    result, talk = MatchResult(2, ((0, 1, "9"),)), [Line(0, "A", "B")]
    table = record(code="X", phase=TablePhase.OVER, due=7, ended=5, result=result, talk=talk)
    whole = msgspec.msgpack.encode(table)
    gist = Row("m1", whole, 1, 0, b"", 0.0, 0).gist
    for field in Gist.__annotations__:
        assert getattr(gist, field) == getattr(table, field)
    old = msgspec.msgpack.encode(msgspec.msgpack.decode(whole)[:10])
    assert Row("m1", old, 1, 0, b"", 0.0, 0).gist.phase == TablePhase.GATHERING
    with pytest.raises(Damaged):
        _ = Row("m1", whole[:-1], 1, 0, b"", 0.0, 0).gist

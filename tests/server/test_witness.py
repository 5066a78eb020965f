"""The second witness of the database: what it remembers, what it makes of damage, and when it reaches the disk."""

import sqlite3
import stat
import sys
from pathlib import Path
from typing import Any

import pytest

from server.storage.database import Database
from server.storage.platform import System, Tail
from server.storage.port import FIRST_EPOCH, Damaged, StoreError
from server.storage.sqlite import SqliteStore
from server.storage.witness import Mark, Witness
from shared.tables import TablePhase
from tests.server.records import record

RECORD = 50
"""Bytes that tell of one change."""
NAMES = ("first", "second", "third")
SEAL = bytes(range(16))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "db.heads"


def reopened(path: Path) -> Witness:
    """A witness that knows only what the file says; it lets go of that."""
    witness = Witness(System(), path)
    witness.close()
    return witness


def tell(path: Path, *changes: dict[str, Mark | None]) -> bytes:
    """What the file holds after these changes."""
    witness = Witness(System(), path)
    for change in changes:
        witness.note(change)
    witness.close()
    return path.read_bytes()


def test_each_match_is_known_as_it_was_last(path: Path) -> None:
    first = {name: Mark(number, SEAL) for number, name in enumerate(NAMES, 1)}
    told = tell(path, {**first}, {"second": Mark(9, bytes(16)), "third": None})
    assert len(told) == 5 * RECORD
    marks = {"first": Mark(1, SEAL), "second": Mark(9, bytes(16))}
    assert (reopened(path).marks, reopened(path).damaged) == (marks, 0)
    assert path.read_bytes() == told
    again = tell(path, {"third": Mark(2**32 - 2, SEAL)})
    assert again[: len(told)] == told and reopened(path).marks == {**marks, "third": Mark(2**32 - 2, SEAL)}


@pytest.mark.parametrize(("spoilt", "damaged"), [(0, RECORD), (1, RECORD), (2, 0)])
@pytest.mark.parametrize("at", [0, 27, 30, 45, 46, RECORD - 1])
def test_a_damaged_record_is_passed_over_and_told_unless_it_is_the_last(
    path: Path, spoilt: int, damaged: int, at: int
) -> None:
    told = bytearray(tell(path, {name: Mark(7, SEAL) for name in NAMES}))
    told[spoilt * RECORD + at] ^= 1
    path.write_bytes(told)
    witness = reopened(path)
    assert witness.damaged == damaged
    assert witness.marks == {name: Mark(7, SEAL) for number, name in enumerate(NAMES) if number != spoilt}


@pytest.mark.parametrize("left", [1, 25, RECORD - 1])
def test_a_torn_end_is_no_damage_and_goes(path: Path, left: int) -> None:
    told = tell(path, {name: Mark(7, SEAL) for name in NAMES})
    path.write_bytes(told[: 2 * RECORD + left])
    witness = reopened(path)
    assert set(witness.marks) == {"first", "second"} and witness.damaged == 0
    assert path.read_bytes() == told[: 2 * RECORD]


@pytest.mark.parametrize(("records", "left"), [(1004, 1004), (1005, 2)])
def test_a_file_that_tells_much_of_little_is_written_anew(path: Path, records: int, left: int) -> None:
    told = tell(path, {"first": Mark(1, SEAL)}, {"second": Mark(1, SEAL)})
    path.write_bytes(told + told[:RECORD] * (records - 2))
    assert reopened(path).marks == {"first": Mark(1, SEAL), "second": Mark(1, SEAL)}
    assert path.stat().st_size == left * RECORD
    assert reopened(path).marks == {"first": Mark(1, SEAL), "second": Mark(1, SEAL)}
    assert [each.name for each in path.parent.iterdir()] == [path.name]


# --- when it speaks ---


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
        self._story.append(f"{len(data) // RECORD} noted")
        return self._tail.write(data)

    def sync(self) -> None:
        self._story.append("synced")
        self._tail.sync()

    def close(self) -> None:
        self._story.append("closed")
        self._tail.close()


def test_the_witness_remembers_after_a_commit_and_forgets_before_it(tmp_path: Path) -> None:
    system = Watched()
    database = Database(system, tmp_path / "db", lambda: 1000.0)
    database.open()
    system.told()
    database.transaction([lambda db: db.create(record("m1"))])
    assert system.told() == ["COMMIT", "1 noted"]
    database.transaction([lambda db: db.create(record("m2")), lambda db: db.create(record("m3"))])
    assert system.told() == ["COMMIT", "2 noted"]
    (failed,) = database.transaction([lambda db: db.create(record("m1"))])
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


def test_those_count_as_unfinished_that_were_changed_lately_enough(tmp_path: Path) -> None:
    now = [1000.0]
    database = Database(System(), tmp_path / "db", lambda: now[0])
    database.open()
    database.transaction(
        [lambda db: db.create(record("m1")), lambda db: db.create(record("m2", phase=TablePhase.OVER))]
    )
    now[0] = 1060.0
    assert (database.unfinished(60.0), database.unfinished(59.9)) == (["m1"], [])
    assert database.matches == ["m1", "m2"]
    database.close()


def test_what_the_witness_knows_and_the_database_does_not_is_missing(tmp_path: Path) -> None:
    database = Database(System(), tmp_path / "db", lambda: 1000.0)
    database.open()
    database._witness.note({"m9": Mark(1, SEAL)})
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

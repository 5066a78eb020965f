"""The second witness of every match's head, and what the store asks of the system for it."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from server.storage.database import _SIZE, LastAcknowledged, RowMark
from server.storage.platform import System

FIRST, SECOND = RowMark(1, b"\x01" * 16), RowMark(2, b"\x02" * 16)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "heads"


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Yield the list of paths that are synced to the disk, by the system's own calls."""
    names: list[str] = []
    real = os.fsync

    def fsync(number: int) -> None:
        names.append(Path(f"/proc/self/fd/{number}").readlink().name if os.name == "posix" else "")
        real(number)

    monkeypatch.setattr(os, "fsync", fsync)
    yield names


def noted(file: Path, *changes: Mapping[str, RowMark | None]) -> LastAcknowledged:
    witness = LastAcknowledged(System(), file)
    for change in changes:
        witness.note(change)
    return witness


def test_the_last_note_of_each_match_is_known(file: Path) -> None:
    first = noted(file, {"m1": FIRST, "m2": FIRST}, {"m1": SECOND}, {"m2": None})
    assert first.marks == {"m1": SECOND}
    first.close()
    again = LastAcknowledged(System(), file)
    assert (again.marks, again.damaged) == ({"m1": SECOND}, 0)
    again.note({"unknown": None, "m3": FIRST})
    again.close()
    assert LastAcknowledged(System(), file).marks == {"m1": SECOND, "m3": FIRST}


@pytest.mark.parametrize("torn", [1, _SIZE - 1])
def test_a_torn_end_is_no_damage_and_is_cut_off(file: Path, torn: int) -> None:
    noted(file, {"m1": FIRST}, {"m1": SECOND}).close()
    file.write_bytes(file.read_bytes()[:-torn])
    witness = LastAcknowledged(System(), file)
    assert (witness.marks, witness.damaged) == ({"m1": FIRST}, 0)
    assert file.stat().st_size == _SIZE, "what comes next begins where a record may begin"
    witness.note({"m2": SECOND})
    witness.close()
    assert LastAcknowledged(System(), file).marks == {"m1": FIRST, "m2": SECOND}


@pytest.mark.parametrize(("record", "damaged"), [(0, _SIZE), (1, _SIZE), (2, 0)])
@pytest.mark.parametrize("at", [0, _SIZE // 2, _SIZE - 1])
def test_an_unreadable_record_is_damage_unless_it_is_the_last(file: Path, record: int, damaged: int, at: int) -> None:
    noted(file, {"m0": FIRST}, {"m1": FIRST}, {"m2": FIRST}).close()
    data = bytearray(file.read_bytes())
    data[record * _SIZE + at] ^= 1
    file.write_bytes(bytes(data))
    witness = LastAcknowledged(System(), file)
    assert witness.damaged == damaged
    assert witness.marks == {f"m{i}": FIRST for i in range(3) if i != record}


def test_a_file_that_grew_is_written_anew(file: Path) -> None:
    witness = noted(file, *[{"m1": RowMark(n, bytes(16)), "m2": FIRST} for n in range(1, 503)])
    witness.close()
    assert file.stat().st_size == 1004 * _SIZE
    LastAcknowledged(System(), file).close()
    assert file.stat().st_size == 1004 * _SIZE, "twice what is needed and a thousand more are nothing"
    noted(file, {"m1": RowMark(503, bytes(16))}).close()
    grown = LastAcknowledged(System(), file)
    assert file.stat().st_size == 2 * _SIZE
    assert grown.marks == {"m1": RowMark(503, bytes(16)), "m2": FIRST}


def test_a_file_that_grows_while_it_is_used_is_written_anew_when_it_is_synced(file: Path, synced: list[str]) -> None:
    witness = noted(file, *[{"m1": RowMark(n, bytes(16))} for n in range(1, 1003)])
    witness.sync()
    assert (file.stat().st_size, synced) == (1002 * _SIZE, ["heads"]), "two for each match and a thousand are nothing"
    witness.note({"m1": RowMark(1003, bytes(16))})
    witness.sync()
    assert (file.stat().st_size, synced) == (_SIZE, ["heads", "heads.new", file.parent.name])
    witness.note({"m2": FIRST})
    witness.close()
    assert LastAcknowledged(System(), file).marks == {"m1": RowMark(1003, bytes(16)), "m2": FIRST}


def test_a_file_that_cannot_be_written_anew_is_written_on(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    witness = noted(file, *[{"m1": RowMark(n, bytes(16))} for n in range(1, 1004)])

    def full(system: System, path: Path, data: bytes) -> None:
        raise OSError("no space")

    monkeypatch.setattr(System, "replace", full)
    with pytest.raises(OSError, match="no space"):
        witness.sync()
    monkeypatch.undo()
    witness.note({"m1": RowMark(1004, bytes(16))})
    assert file.stat().st_size == 1004 * _SIZE
    witness.sync()
    assert file.stat().st_size == _SIZE


def test_notes_are_on_the_disk_once_they_are_synced(file: Path, synced: list[str]) -> None:
    witness = noted(file, {"m1": FIRST})
    assert file.stat().st_size == _SIZE and synced == []
    witness.sync()
    assert synced == ["heads"]


def test_a_file_is_replaced_durably(file: Path, synced: list[str]) -> None:
    file.write_bytes(b"old")
    System().replace(file, b"new")
    assert file.read_bytes() == b"new" and [path.name for path in file.parent.iterdir()] == ["heads"]
    assert synced == ["heads.new", file.parent.name]


def test_a_file_that_is_not_there_is_empty(file: Path) -> None:
    assert System().read(file) == b""
    file.write_bytes(b"here")
    assert System().read(file) == b"here"

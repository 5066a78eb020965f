"""Matches that are over, kept in files of this player's own, each under a name that says which it is."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Final

import msgspec

from client.player.files import write_whole
from client.user_directories import folder
from protocol.record import SUFFIX, Record
from shared.messages import PastMatch

_BESIDE: Final = ".json"
_LONGEST: Final = 60
"""Letters of the first part of a name."""


def shelf() -> Path:
    """Where finished matches of one's own are kept."""
    return folder() / "matches"


def usual_name(record: Record) -> str:
    """What the file of a match is called unless somebody wishes otherwise: its title, its day, and its id."""
    title = re.sub(r"[^\w\- ]+", "", record.title).strip()[:_LONGEST].strip() or record.ruleset
    day = time.strftime("%Y-%m-%d", time.localtime(record.ended or time.time()))
    return f"{title} {day} {record.match}{SUFFIX}"


def usual_place() -> Path:
    """A folder in which the player looks for what he has saved."""
    documents = Path.home() / "Documents"
    return documents if documents.is_dir() else Path.home()


def kept(match: str) -> Path | None:
    """The file of that match on the shelf, if it is there."""
    return next(iter(sorted(shelf().glob(f"*{match}{SUFFIX}"))), None) if shelf().is_dir() else None


def keep(record: Record, data: bytes, told: PastMatch) -> Path:
    """Put a match on the shelf, unless it is there, and beside it how it came out. Raises OSError."""
    before = kept(record.match)
    if before is not None:
        return before
    path = shelf() / usual_name(record)
    write_whole(path, data)
    write_whole(path.with_suffix(_BESIDE), msgspec.json.encode(told))
    return path


def listed() -> list[tuple[PastMatch, Path]]:
    """The matches on the shelf, those that ended last first; what cannot be read is passed over."""
    found = [(told, path.with_suffix(SUFFIX)) for path in shelf().glob(f"*{_BESIDE}") if (told := _read(path))]
    return sorted(found, key=lambda one: (-one[0].ended, one[0].match))


def _read(path: Path) -> PastMatch | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=PastMatch)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None

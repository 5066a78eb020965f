"""Finished matches in the player's own files, each with a name that identifies the match."""

import re
import time
from pathlib import Path
from typing import Final

import msgspec

from client.language import _
from client.player.files import write_whole
from client.user_directories import folder, read_small
from protocol.record import SUFFIX, Record
from shared.messages import PastMatch

_BESIDE: Final = ".json"
_LONGEST: Final = 60
"""Maximum length of a name's first part, in characters."""


def shelf() -> Path:
    """Return the folder of the player's finished matches."""
    return folder() / "matches"


def usual_name(record: Record, rounds: int = 0) -> str:
    """Return the default file name of a match: its title, game, rounds if known, seats, players, end, and id."""
    title = _plain(record.title)[:_LONGEST].strip()
    names = " ".join(filter(None, (_plain(sitter.name) for sitter in record.seats)))[:_LONGEST].strip()
    length = _("round {n}", n=rounds) if rounds else ""
    title = " ".join(filter(None, (title, record.ruleset, length, _("{n} seats", n=len(record.seats)), names)))
    day = time.strftime("%Y-%m-%d %H-%M", time.localtime(record.ended or time.time()))
    return f"{title} {day} {record.match}{SUFFIX}"


def _plain(words: str) -> str:
    """Return the words without characters that a file name must not have."""
    return re.sub(r"[^\w\- ]+", "", words).strip()


def usual_place() -> Path:
    """Return the folder that is suggested for saving."""
    documents = Path.home() / "Documents"
    return documents if documents.is_dir() else Path.home()


def kept(match: str) -> Path | None:
    """Return the saved file of that match, None if there is none."""
    return next(iter(sorted(shelf().glob(f"*{match}{SUFFIX}"))), None) if shelf().is_dir() else None


def keep(record: Record, data: bytes, summary: PastMatch) -> Path:
    """Save a match with a summary of its result, unless it is saved already. Raises OSError."""
    before = kept(record.match)
    if before is not None:
        return before
    path = shelf() / usual_name(record, summary.rounds)
    write_whole(path, data)
    # Last: only matches with a summary are listed.
    write_whole(path.with_suffix(_BESIDE), msgspec.json.encode(summary))
    return path


def listed() -> list[tuple[PastMatch, Path]]:
    """Return the saved matches, the latest end first; unreadable ones are skipped."""
    found = [(summary, path.with_suffix(SUFFIX)) for path in shelf().glob(f"*{_BESIDE}") if (summary := _read(path))]
    return sorted(found, key=lambda one: (-one[0].ended, one[0].match))


def _read(path: Path) -> PastMatch | None:
    try:
        return msgspec.json.decode(read_small(path), type=PastMatch)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None

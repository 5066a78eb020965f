"""Tables of lessons and problems: a position that players reached, a person, and easy bots."""

import secrets
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Any, Final

import msgspec
from msgspec import Struct

from protocol import codec
from server.storage.port import ChairRecord, TableRecord
from shared.history import Entry
from shared.ids import Seat
from shared.lessons.registry import BY_KEY, LESSONS
from shared.levels import EASY
from shared.tables import TablePhase

SEAT: Final = 0
"""Seat of the person."""
TITLE: Final = "A lesson"


class Beginning(Struct):
    """The actions that lead to the beginning: (seat, action) in order, chance as seat -1."""

    ruleset: str
    version: int
    seats: int
    options: dict[str, int]
    log: list[tuple[Seat, Any]]


@cache
def beginning(key: str) -> Beginning | None:
    """Return the beginning of a lesson or problem; None if there is none with that key."""
    if key not in LESSONS and key not in BY_KEY:
        return None
    file = resources.files("shared") / "data" / "lessons" / f"{key}.json"
    return msgspec.json.decode(file.read_bytes(), type=Beginning)


def entries(log: Sequence[tuple[Seat, Any]]) -> Sequence[Entry]:
    """Return the log as a store keeps it."""
    return [Entry(n, seat, 0, 0, codec.encode(action)) for n, (seat, action) in enumerate(log, 1)]


def lesson_record(
    match: str, ruleset: str, version: int, seats: int, options: dict[str, int], name: str, lesson: str = ""
) -> TableRecord:
    """Return the record of a closed table with a person of that name on the first seat, which has begun."""
    chairs = [ChairRecord(bot=EASY) for _ in range(seats)]
    chairs[SEAT] = ChairRecord(name=name)
    return TableRecord(
        match=match,
        ruleset=ruleset,
        version=version,
        options=options,
        title=TITLE,
        open=False,
        code=secrets.token_hex(8).upper(),
        think=0,
        takeover=0,
        chairs=chairs,
        host=SEAT,
        phase=TablePhase.PLAYING,
        lesson=lesson,
    )

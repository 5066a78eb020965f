"""Removal of a person from the record of a table: names, chat, title and marks, but nothing of the log."""

import re
from collections.abc import Iterable
from typing import Final

from msgspec import structs

from server.matches.names import keys
from server.matches.seating import SeatHolder
from server.storage.export import signed
from server.storage.port import DiceRoot, PollRecord, TableRecord
from shared.tables import LOOKING_ON, MAX_TEXT, MAX_TITLE, TablePhase, shortened

MOST: Final = 300
"""Limit of the remembered participants of a table: as many lines of chat as are kept, and more."""


def note_participant(record: TableRecord, person: str, name: str) -> None:
    """Remember that a profile was called that at the table, so that the name can be found when it is erased."""
    if person and (person, name) not in record.participants:
        record.participants = (*record.participants, (person, name))[-MOST:]


def erase_person(record: TableRecord, person: str, check: bytes) -> list[int]:
    """Take a person out of a table's record; return the seats that they had. `check`: the last one of the log.

    Their seats are called "former player 3", by the number of the seat. Before the start they are free. Their lines of
    chat go, and other lines, titles and questions have the new name. A finished match is signed again, because the
    signature covers the names in the header. The log has no names and stays as it is.
    """
    seats = [seat for seat, chair in enumerate(record.chairs) if chair.person == person]
    # Read before the seats are cleared below, which forget whose they were.
    names = names_of(record, person)
    instead = former(seats[0] if seats else LOOKING_ON)
    others = [name for each, name in record.participants if each != person]
    replaced = Replacement(names, [*others, *(chair.name for chair in record.chairs)], instead)
    for seat in seats:
        chair = SeatHolder(record.chairs[seat])
        if record.phase == TablePhase.GATHERING:
            chair.clear()
        else:
            chair.erase(former(seat))
    record.participants = tuple([each for each in record.participants if each[0] != person])
    record.title = shortened(replaced(record.title), MAX_TITLE)
    left = [line for line in record.talk if line.name not in names]
    record.talk = [structs.replace(line, text=shortened(replaced(line.text), MAX_TEXT)) for line in left]
    record.polls, record.missed = (
        tuple([_without(poll, names, instead) for poll in polls]) for polls in (record.polls, record.missed)
    )
    marks = frozenset({f"#{person}"}).union(*map(keys, names))
    record.kicked = tuple([mark for mark in record.kicked if mark not in marks])
    record.muted = tuple([mark for mark in record.muted if mark not in marks])
    if record.signature:
        _sign(record, check)
    return seats


def names_of(record: TableRecord, person: str) -> set[str]:
    """Return all names that a person had at a table."""
    seated = {chair.name for chair in record.chairs if chair.person == person}
    return seated | {name for each, name in record.participants if each == person}


def former(seat: int) -> str:
    """Return what an erased person is called."""
    return "former player" if seat == LOOKING_ON else f"former player {seat + 1}"


def _sign(record: TableRecord, check: bytes) -> None:
    """Sign a finished match again. A key of hashes must not sign twice, so such a match loses its proof."""
    if isinstance(record.root, DiceRoot):
        record.signature = signed(record, check)
    else:
        record.root = record.signature = b""


def _without(poll: PollRecord, names: set[str], instead: str) -> PollRecord:
    if poll.motion.name not in names:
        return poll
    return structs.replace(poll, motion=structs.replace(poll.motion, name=instead))


class Replacement:
    """Replacement of names in texts. Longer names of others that contain one of them stay."""

    def __init__(self, names: Iterable[str], others: Iterable[str], instead: str) -> None:
        self._names = {name.casefold() for name in names}
        self._instead = instead
        # The longest first: alternatives of a pattern are tried in order, and a longer name must win.
        found = sorted({name for name in (*names, *others) if name}, key=len, reverse=True)
        words = "|".join(map(re.escape, found))
        self._pattern = re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE) if found else None

    def __call__(self, text: str) -> str:
        return text if self._pattern is None else self._pattern.sub(self._one, text)

    def _one(self, found: re.Match[str]) -> str:
        return self._instead if found[0].casefold() in self._names else found[0]

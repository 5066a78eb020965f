"""Matching of people who wait for tables: which of them could sit together, and when a match can begin."""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import Final, NamedTuple

from msgspec import Struct

from server.storage.port import ReliabilityRecord
from shared.messages import TableWish
from shared.tables import NEW, Pace

MINUTE: Final = 60.0
FORGETTING: Final = 0.5 ** (1 / 20)
"""Weight of a match against the next one: after 20 further matches it counts half."""
KNOWN_AFTER: Final = 5
"""Matches before which a person counts as new, and is shut out by no one."""


def counted(before: ReliabilityRecord | None, finished: bool) -> ReliabilityRecord:
    """Return a person's reliability after one more match, or one that they made fail."""
    record = before or ReliabilityRecord(0, 0.0, 0.0)
    done = record.finished * FORGETTING + finished
    return ReliabilityRecord(record.matches + 1, record.all * FORGETTING + 1, done)


def percent(record: ReliabilityRecord | None) -> int:
    """Return the share of matches that a person finished, in percent from 1; NEW for new people."""
    if record is None or record.matches < KNOWN_AFTER:
        return NEW
    return max(1, round(100 * record.finished / record.all))


class Kind(NamedTuple):
    """Kind of table."""

    ruleset: str
    seats: int
    pace: Pace | None


class Seek(Struct, frozen=True):
    """TableWish of a person who waits since a date. `reliability`: percent, or NEW."""

    person: str
    wish: TableWish
    since: float
    reliability: int = NEW

    @property
    def kinds(self) -> list[Kind]:
        """The kinds of tables that suit."""
        return [Kind(game, seats, self.wish.pace) for game, seats in product(self.wish.games, self.wish.seats)]

    @property
    def bots_from(self) -> float:
        """The date from which bots may take free seats; infinite for never."""
        return self.since + MINUTE * self.wish.bots if self.wish.bots else math.inf


class Gathering(Struct):
    """People who could sit at one table."""

    kind: Kind
    seeks: list[Seek]

    @property
    def people(self) -> tuple[str, ...]:
        """Their profiles."""
        return tuple([seek.person for seek in self.seeks])

    @property
    def is_full(self) -> bool:
        """Whether no seat is free."""
        return len(self.seeks) >= self.kind.seats

    @property
    def bots_from(self) -> float:
        """The date from which bots fill it: all who agreed to bots were told one that has come. Infinite for never."""
        return max([seek.bots_from for seek in self.seeks if seek.wish.bots], default=math.inf)

    def players(self, now: float) -> tuple[str, ...]:
        """Return the people whose match can begin; those who wait for people only are left out beside bots."""
        if self.is_full:
            return self.people
        return tuple([seek.person for seek in self.seeks if seek.wish.bots]) if now >= self.bots_from else ()


MayMeet = Callable[[str, str], bool]
"""Whether two people may be brought together."""


def gather(seeks: Iterable[Seek], may_meet: MayMeet = lambda _one, _other: True) -> list[Gathering]:
    """Return the tables at which people wait, and the full ones. The first to come is the first to get a place.

    Each takes a place at the fullest table of every kind that suits, else opens one. People of a full table leave all
    others.
    """
    tables: defaultdict[Kind, list[Gathering]] = defaultdict(list)
    places: defaultdict[str, list[Gathering]] = defaultdict(list)
    full: list[Gathering] = []
    gone: set[str] = set()
    for seek in sorted(seeks, key=lambda each: each.since):
        for kind in seek.kinds:
            table = None if seek.person in gone else _place(seek, kind, tables[kind], may_meet)
            if table is None:
                continue
            places[seek.person].append(table)
            if table.is_full:
                full.append(table)
                gone.update(table.people)
                for person in table.people:
                    for other in places.pop(person):
                        other.seeks = other.seeks if other is table else [s for s in other.seeks if s.person != person]
                tables[kind].remove(table)
    return [*full, *[table for each in tables.values() for table in each if table.seeks]]


def _place(seek: Seek, kind: Kind, tables: list[Gathering], may_meet: MayMeet) -> Gathering | None:
    """Seat a person at the fullest table of a kind that suits, else at a new one; None if they sit at one already."""
    if any(seek.person in table.people for table in tables):
        return None
    suitable = [table for table in tables if all(suits(seek, other, may_meet) for other in table.seeks)]
    table = max(suitable, key=lambda each: len(each.seeks), default=None)
    if table is None:
        table = Gathering(kind, [])
        tables.append(table)
    table.seeks.append(seek)
    return table


def suits(one: Seek, other: Seek, may_meet: MayMeet) -> bool:
    """Whether two people would sit together."""
    return _is_enough(one, other) and _is_enough(other, one) and may_meet(one.person, other.person)


def _is_enough(one: Seek, other: Seek) -> bool:
    return other.reliability == NEW or other.reliability >= one.wish.least


class Line(NamedTuple):
    """Tables of several kinds with the same people, as the list shows them."""

    games: tuple[str, ...]
    seats: tuple[int, ...]
    pace: Pace | None
    people: tuple[str, ...]
    since: float
    bots_from: float


def lines(tables: Sequence[Gathering]) -> list[Line]:
    """Return what the list shows: one line for the same people, those with most people first, then the newest."""
    alike: defaultdict[tuple[frozenset[str], Pace | None], list[Gathering]] = defaultdict(list)
    for table in tables:
        alike[frozenset(table.people), table.kind.pace].append(table)
    found = [
        Line(
            tuple(dict.fromkeys(table.kind.ruleset for table in same)),
            tuple(sorted({table.kind.seats for table in same})),
            pace,
            same[0].people,
            min(seek.since for seek in same[0].seeks),
            same[0].bots_from,
        )
        for (_people, pace), same in alike.items()
    ]
    return sorted(found, key=lambda line: (-len(line.people), -line.since))

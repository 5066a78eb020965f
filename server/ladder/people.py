"""Ratings of people at rated tables: fields of their profiles, which go with the profile."""

import asyncio
from collections.abc import Callable, Sequence

from msgspec import structs

from server import log
from server.ladder.ladder import AGAIN, after_match, has_counted, ranking, rating_of
from server.ladder.model import Rating, rated
from server.lobby.profiles import Profiles
from server.lobby.rated_matches import shown_to_people
from server.matches.people_rating import kind_of, left
from server.matches.table import Services
from server.matches.task import MatchTask
from server.storage.port import RatingRecord, StoreError, TableRecord


def new_rating(kind: str) -> RatingRecord:
    """Return the rating of a person who has none of that kind."""
    return RatingRecord(kind, Rating().mu, Rating().sigma)


def changed(record: TableRecord, before: Sequence[RatingRecord]) -> list[RatingRecord]:
    """Return the ratings of all seats after a match that counts.

    Those who left rank behind all who played on. If their match before ended so too, they move no other rating.
    """
    away = left(record)
    record = structs.replace(record, forfeited=away)
    ranks, people = ranking(record), [chair.person for chair in record.chairs]
    serial = {seat for seat in away if any(match.forfeited for match in before[seat].recent[:1])}
    found: list[RatingRecord] = []
    for seat, own in enumerate(before):
        sides = [seat, *[i for i in range(len(before)) if i != seat and (seat in away or i not in serial)]]
        after = rating_of(own)
        if len(sides) > 1:
            after = rated([rating_of(before[side]) for side in sides], [ranks[side] for side in sides])[0]
        found.append(after_match(own, after, record, seat, ranks, people))
    return found


class People:
    """Ratings of people. `task`: returns the table of a match that runs here."""

    def __init__(self, services: Services, people: Profiles, task: Callable[[str], MatchTask | None]) -> None:
        self._services = services
        self._people = people
        self._task = task
        self._counting = asyncio.Lock()
        self._work: set[asyncio.Task[None]] = set()
        services.devices.newcomer = shown_to_people(new_rating(""))

    def rate(self, record: TableRecord) -> None:
        """Change the ratings of the people of a match that counts."""
        task = asyncio.create_task(self._rate(record))
        self._work.add(task)
        task.add_done_callback(self._work.discard)

    async def _rate(self, record: TableRecord) -> None:
        try:
            text = await self._count(record)
        except StoreError as error:
            log.warning("not-rated", match=record.match, error=str(error))
            self._services.clock.call_later(AGAIN, lambda: self.rate(record))
            return
        except Exception:
            log.failure("not-rated", match=record.match)
            return
        task = self._task(record.match)
        if task is not None:
            task.show_ratings(text)

    async def _count(self, record: TableRecord) -> str:
        """Store the new ratings, unless they are stored already; return them in a line. Raises StoreError."""
        kind, words = kind_of(record), list[str]()
        # Ratings are read and written back, so two matches of one person must not overlap.
        async with self._counting:
            before = [self._rating(chair.person, kind) for chair in record.chairs]
            after = changed(record, before)
            for chair, old, new in zip(record.chairs, before, after, strict=True):
                person = self._people.record(chair.person)
                if person is None or has_counted(old, record):
                    continue  # An erased person has no rating any more.
                others = tuple([each for each in person.ratings if each.ruleset != kind])
                await self._people.keep(structs.replace(person, ratings=(*others, new)))
                words.append(f"{chair.name} {shown_to_people(old)[0]} → {shown_to_people(new)[0]}")
        return ", ".join(words)

    def _rating(self, person: str, kind: str) -> RatingRecord:
        record = self._people.record(person)
        found = [each for each in record.ratings if each.ruleset == kind] if record is not None else []
        return found[0] if found else new_rating(kind)

"""Personal data: everything that is stored of a person, as one document, and its erasure from all matches."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Set
from datetime import UTC, datetime
from typing import Any, Final, Protocol

from msgspec import Struct, structs

from server import log
from server.clock import Timer
from server.lobby.profiles import Profiles
from server.lobby.remote_tables import RemoteTables
from server.matches.erasure import Replacement, erase_person, former, names_of
from server.matches.table import Services
from server.matches.task import MatchTask
from server.storage.erased import ErasedPeople
from server.storage.port import (
    Damaged,
    DeedKind,
    DeedRecord,
    OwnedElsewhere,
    RatedMatch,
    RatingRecord,
    StoreError,
    TableRecord,
)
from server.storage.rows import columns_of
from shared.tables import LOOKING_ON

SECRET: Final = frozenset({"secrets", "secret", "device", "p256dh", "auth", "key", "code"})
"""Fields that are left out of the document: keys, and hashes of keys."""
DATES: Final = frozenset({"at", "made", "seen", "asked_at", "until", "ended"})
"""Fields that hold a date in seconds since 1970; the document has them in ISO 8601."""
AGAIN: Final = 2.0
"""Seconds until matches that other nodes run are looked at again."""


class Tables(Protocol):
    """Tables of this node."""

    @property
    def tasks(self) -> tuple[MatchTask, ...]:
        """All tables in memory."""

    def knows(self, match: str) -> bool:
        """Whether that table is in memory or being loaded."""

    async def find(self, match: str) -> MatchTask | str | None:
        """Return the task of a table, or the name of the node that runs it. Raises StoreError."""

    def forget_films(self) -> None:
        """Drop all films and records in memory."""


class PersonalData:
    """Export and erasure of what is stored of a person. One per server.

    `erased`: the list of erased profiles. What cannot be erased at once, such as in a match that another node runs, is
    tried again, also after a restart. So a backup that is restored is cleaned when the server starts.
    """

    def __init__(
        self, services: Services, people: Profiles, tables: Tables, remote_tables: RemoteTables, erased: ErasedPeople
    ) -> None:
        self._services = services
        self._store = services.store
        self._people = people
        self._tables = tables
        self._remote_tables = remote_tables
        self._erased = erased
        self._left: set[str] = set()
        """Erased profiles whose matches have to be looked at again."""
        self._listed: set[str] = set()
        """Profiles on the list that are not deleted yet."""
        self._timer: Timer | None = None
        self._work: set[asyncio.Task[None]] = set()

    async def begin(self) -> None:
        """Erase what a restored backup has of erased people. Raises StoreError."""
        await self._people.load()
        self._left = set(self._erased.people)
        await self._forget(self._left)
        await self._clean()

    def stop(self) -> None:
        """Cancel the next try."""
        if self._timer is not None:
            self._timer.cancel()
        for task in self._work:
            task.cancel()

    async def export(self, person: str) -> dict[str, Any] | None:
        """Return all that is stored of a person, ready for JSON; None if the server does not know them.

        Raises StoreError.
        """
        record = self._people.record(person)
        if record is None:
            return None
        matches = [match for each in (person, *record.earlier) async for match in self._matches_of(each)]
        # Reports about the person are left out, since they tell of their reporters.
        own = [each for each in self._services.moderation.deeds if person in (each.by or each.person, each.by)]
        deeds = [_plain(deed) for deed in own if not deed.network]
        return {"format": "conquest personal data 1", **_plain(record), "matches": matches, "deeds": deeds}

    async def erase(self, person: str, listed: Callable[[], None] = lambda: None) -> bool:
        """Erase a person from profile, matches and lists, here and on other nodes; False if they are unknown.

        `listed` is called as soon as the erasure is certain: from then on what fails is tried again, also after a
        restart. Raises StoreError if the list of erased people cannot be written; then nothing is erased.
        """
        record = self._people.record(person)
        if record is None:
            return False
        people = (person, *record.earlier)
        try:
            # In a thread, because it syncs the disk.
            await asyncio.to_thread(self._erased.add, *people)
        except OSError as error:
            raise StoreError(
                f"Nothing was deleted: the server cannot write its list of erased people ({error.strerror}). Try again"
                " later, or ask its operator."
            ) from None
        listed()
        self._listed.update(people)
        # In a task of its own: a client that leaves at the answer must not end it.
        await asyncio.shield(self._again())
        log.info("erased", person=person)
        return True

    def learn(self, person: str) -> None:
        """Learn from another node that it has erased a person."""
        try:
            self._erased.add(person)
        except OSError as error:
            log.warning("erased-not-listed", person=person, error=str(error))
        self._left.add(person)
        self._again()

    async def _forget(self, people: Set[str]) -> None:
        """Delete profiles, and their names in ratings of others and in the list of deeds. Raises StoreError."""
        for deed in self._services.moderation.deeds if people else ():
            if deed.person in people and deed.name != former(LOOKING_ON):
                text = Replacement((deed.name,), (), former(LOOKING_ON))(deed.text)
                text = "" if deed.kind is DeedKind.REPORT else text
                await self._keep_deed(structs.replace(deed, name=former(LOOKING_ON), text=text, why=""))
            elif deed.by in people or self._services.moderation.reported(deed) in people:
                await self._keep_deed(structs.replace(deed, by="", why="", text="" if deed.report else deed.text))
        for other in self._people.all() if people else ():
            ratings = tuple([_without_names(each, people) for each in other.ratings])
            if ratings != other.ratings:
                await self._people.keep(structs.replace(other, ratings=ratings))
        for person in people:
            if self._people.record(person) is not None or person not in self._left:
                await self._people.erase(person)

    async def _keep_deed(self, deed: DeedRecord) -> None:
        await self._store.keep_deed(deed)
        self._remote_tables.tell_deed(deed)
        self._services.moderation.learn((deed,))

    async def _clean(self) -> None:
        """Delete listed profiles, and take erased people out of their matches. What fails is tried again."""
        people = frozenset(self._listed)
        try:
            await self._forget(people)
        except StoreError as error:
            log.warning("not-erased", error=str(error))
        else:
            self._left |= people
            self._listed -= people
        self._tables.forget_films()
        # Tables in memory first: their records may name the person before the store does.
        for task in self._tables.tasks:
            record = task.table.record
            for person in self._left.intersection(columns_of(record).people):
                await self._try(task.match, person)
        try:
            for person in tuple(self._left):
                # A list, so that every match is tried; a generator would stop at the first failure.
                if all([await self._try(match, person) for match in await self._store.matches_of(person)]):
                    self._left.discard(person)
            if self._erased.people:
                await self._store.scrub()
        except StoreError as error:
            log.warning("not-erased", error=str(error))
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._services.clock.call_later(AGAIN, self._again) if self._left or self._listed else None

    def _again(self) -> asyncio.Task[None]:
        task = asyncio.create_task(self._clean())
        self._work.add(task)
        task.add_done_callback(self._work.discard)
        return task

    async def _try(self, match: str, person: str) -> bool:
        """Take a person out of a match; return whether that is done."""
        try:
            if self._tables.knows(match):
                task = await self._tables.find(match)
                if isinstance(task, MatchTask):
                    await task.erase(person)
                    return True
                return False
            stored = await self._store.claim(match)
            if stored is not None:
                erase_person(stored.table, person, stored.check)
                await self._store.release(stored.table, stored.epoch)
        except OwnedElsewhere:
            return False
        except Damaged:
            log.warning("not-erased", match=match, error="damaged")
        except StoreError as error:
            log.warning("not-erased", match=match, error=str(error))
            return False
        return True

    async def _matches_of(self, person: str) -> AsyncIterator[dict[str, Any]]:
        for match in await self._store.matches_of(person):
            try:
                glance = await self._store.look(match)
            except Damaged:
                continue
            if glance is not None:
                yield _match(glance.table, person)


def _without_names(rating: RatingRecord, people: Set[str]) -> RatingRecord:
    """Return a rating whose matches do not name those opponents."""
    recent: list[RatedMatch] = []
    for match in rating.recent:
        named = zip(match.others, match.names, strict=True)
        names = tuple([former(LOOKING_ON) if other in people else name for other, name in named])
        recent.append(structs.replace(match, names=names))
    return structs.replace(rating, recent=tuple(recent))


def _match(table: TableRecord, person: str) -> dict[str, Any]:
    """Return what a match has of a person."""
    seats = [seat for seat, chair in enumerate(table.chairs) if chair.person == person]
    names = names_of(table, person)
    places = [place for place in table.result.places if place[0] in seats] if table.result is not None else []
    return {
        "match": table.match,
        "title": table.title,
        "game": table.ruleset,
        "started": _date(table.started),
        "ended": _date(table.ended),
        "seats": [seat + 1 for seat in seats],
        "names": sorted(names),
        "places": [{"seat": seat + 1, "rank": rank, "score": score} for seat, rank, score in places],
        "chat": [line.text for line in table.talk if line.name in names],
    }


def _plain(value: Any, field: str = "") -> Any:
    """Return a value ready for JSON: fields by name, without keys. Fields that are added later are included too."""
    if isinstance(value, Struct):
        names = [name for name in value.__struct_fields__ if name not in SECRET]
        return {name: _plain(getattr(value, name), name) for name in names}
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, bytes):
        return value.hex()
    return _date(value) if field in DATES else value


def _date(seconds: float) -> str | None:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds") if seconds else None

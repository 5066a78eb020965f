"""Store in memory, for simulations without a disk: it works at once, or when it is told to."""

import asyncio
import contextlib
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Final, TypeVar

import msgspec
from msgspec import Struct

from server.storage.port import (
    FIRST_EPOCH,
    Bars,
    DeedRecord,
    Fenced,
    Fit,
    Glance,
    Past,
    PersonRecord,
    StoredMatch,
    StoreError,
    TableRecord,
)
from server.storage.rows import columns_of, in_order
from shared.history import GENESIS, Entry, chain
from shared.tables import TablePhase

T = TypeVar("T")
Later = Callable[[Callable[[], object]], object]
ENCODE: Final = msgspec.msgpack.Encoder().encode
RECORD: Final = msgspec.msgpack.Decoder(TableRecord)
ENTRY: Final = msgspec.msgpack.Decoder(Entry)


class Kept(Struct):
    """Stored match: bytes only."""

    record: bytes
    changed: float
    epoch: int = FIRST_EPOCH
    log: list[bytes] = []
    check: bytes = GENESIS

    @property
    def table(self) -> TableRecord:
        """Return the decoded record."""
        return RECORD.decode(self.record)

    @property
    def entries(self) -> list[Entry]:
        """Return the decoded log."""
        return [ENTRY.decode(entry) for entry in self.log]


class Shelf:
    """Data that outlives the store, as a file does."""

    def __init__(self, now: Callable[[], float] = lambda: 0.0) -> None:
        self.matches: dict[str, Kept] = {}
        self.people: dict[str, PersonRecord] = {}
        self.deeds: dict[str, DeedRecord] = {}
        self.now = now
        self.age = 0


def _at_once(work: Callable[[], object]) -> object:
    return work()


class MemoryStore:
    """Store in memory, on a `Shelf`.

    `later` schedules each job twice, in order: first the write, then the report of its end. Data is durable after the
    first, and acknowledged after the second."""

    shared = False

    def __init__(self, shelf: Shelf, later: Later = _at_once) -> None:
        self.shelf = shelf
        self.later = later
        self.healthy = True

    async def create(self, table: TableRecord) -> None:
        """See server.storage.port.Store."""
        record = ENCODE(table)
        await self._ask(lambda: self._create(table.match, record))

    async def save(self, table: TableRecord, epoch: int) -> None:
        """See server.storage.port.Store."""
        match, record = table.match, ENCODE(table)
        await self._ask(lambda: self._save(self._owned(match, epoch), record))

    async def release(self, table: TableRecord, epoch: int) -> None:
        """See server.storage.port.Store."""
        match, record = table.match, ENCODE(table)

        def work() -> None:
            kept = self._owned(match, epoch)
            if kept.record != record:
                self._save(kept, record)

        await self._ask(work)

    async def release_all(self, held: Sequence[tuple[TableRecord, int]]) -> None:
        """See server.storage.port.Store."""
        for table, epoch in held:
            with contextlib.suppress(Fenced):
                await self.release(table, epoch)

    def append(
        self, match: str, epoch: int, check: bytes, entries: Sequence[Entry], table: TableRecord | None
    ) -> "asyncio.Future[bytes]":
        """See server.storage.port.Store."""
        blobs = [ENCODE(entry) for entry in entries]
        first, record = entries[0].n, None if table is None else ENCODE(table)

        def work() -> bytes:
            kept = self._owned(match, epoch)
            if check != kept.check or first != len(kept.log) + 1:
                raise Fenced("The match went on elsewhere.")
            for blob in blobs:
                kept.check = chain(kept.check, blob)
            kept.log = [*kept.log, *blobs]
            self._save(kept, record or kept.record)
            return kept.check

        return self._ask(work)

    async def claim(self, match: str, fit: Fit | None = None) -> StoredMatch | None:
        """See server.storage.port.Store."""

        def work() -> StoredMatch | None:
            kept = self.shelf.matches.get(match)
            if kept is None:
                return None
            if fit is not None:
                fit(kept.table)
            kept.epoch += 1
            return StoredMatch(kept.table, kept.epoch, kept.entries, kept.check)

        return await self._ask(work)

    async def read(self, match: str, first: int, count: int) -> list[bytes]:
        """See server.storage.port.Store."""
        return await self._ask(lambda: self.shelf.matches[match].log[first - 1 : first - 1 + count])

    async def unfinished(self, within: float = math.inf) -> list[str]:
        """See server.storage.port.Store."""

        def work() -> list[str]:
            since = self.shelf.now() - within
            going = [name for name, kept in self._items() if kept.table.phase != TablePhase.OVER]
            return [name for name in going if self.shelf.matches[name].changed >= since]

        return await self._ask(work)

    async def due(self) -> dict[str, int]:
        """See server.storage.port.Store."""

        def work() -> dict[str, int]:
            tables = [kept.table for _, kept in self._items()]
            return {table.match: table.due for table in tables if table.due and table.phase == TablePhase.PLAYING}

        return await self._ask(work)

    async def age(self) -> int:
        """See server.storage.port.Store."""
        return await self._ask(lambda: self.shelf.age)

    async def keep_age(self, age: int) -> int:
        """See server.storage.port.Store."""

        def work() -> int:
            self.shelf.age = max(self.shelf.age, age)
            return self.shelf.age

        return await self._ask(work)

    async def by_code(self, code: str) -> str | None:
        """See server.storage.port.Store."""
        return await self._ask(lambda: next((name for name, kept in self._items() if kept.table.code == code), None))

    async def look(self, match: str) -> Glance | None:
        """See server.storage.port.Store."""

        def work() -> Glance | None:
            kept = self.shelf.matches.get(match)
            return None if kept is None else Glance(kept.table, len(kept.log))

        return await self._ask(work)

    async def past(self, below: int, ruleset: str, count: int) -> list[Past]:
        """See server.storage.port.Store."""

        def work() -> list[Past]:
            over = [kept for _, kept in self._items() if kept.table.phase == TablePhase.OVER and kept.table.open]
            over.sort(key=lambda kept: (kept.table.ended or kept.changed, kept.table.match))
            places = [Past(at, kept.table, len(kept.log)) for at, kept in enumerate(over, 1) if not below or at < below]
            return [past for past in reversed(places) if ruleset in ("", past.table.ruleset)][:count]

        return await self._ask(work)

    async def unplayed(self, since: float, before: float) -> list[str]:
        """See server.storage.port.Store."""

        def work() -> list[str]:
            found = [(name, kept) for name, kept in self._items() if kept.table.unplayed]
            playing = [(name, kept) for name, kept in found if kept.table.phase == TablePhase.PLAYING]
            return [name for name, kept in playing if since <= self.shelf.matches[name].changed < before]

        return await self._ask(work)

    async def over_since(self, date: float) -> list[str]:
        """See server.storage.port.Store."""

        def work() -> list[str]:
            over = [name for name, kept in self._items() if kept.table.phase == TablePhase.OVER]
            return [name for name in over if self.shelf.matches[name].changed < date]

        return await self._ask(work)

    async def matches_of(self, person: str) -> list[str]:
        """See server.storage.port.Store."""

        def work() -> list[str]:
            held = [(name, kept) for name, kept in self._items() if person and person in columns_of(kept.table).people]
            return [name for name, kept in sorted(held, key=lambda each: (-each[1].changed, each[0]))]

        return await self._ask(work)

    async def people(self) -> list[PersonRecord]:
        """See server.storage.port.Store."""
        return await self._ask(lambda: [person for _, person in sorted(self.shelf.people.items())])

    async def keep_person(self, person: PersonRecord, bars: Bars | None = None) -> None:
        """See server.storage.port.Store."""
        await self._ask(lambda: self.shelf.people.update({person.person: person}))

    async def deeds(self) -> list[DeedRecord]:
        """See server.storage.port.Store."""
        return await self._ask(lambda: in_order(self.shelf.deeds.values()))

    async def keep_deed(self, deed: DeedRecord) -> None:
        """See server.storage.port.Store."""
        await self._ask(lambda: self.shelf.deeds.update({deed.deed: deed}))

    async def scrub(self) -> None:
        """See server.storage.port.Store."""

    async def forget_person(self, person: str) -> None:
        """See server.storage.port.Store."""

        def work() -> None:
            self.shelf.people.pop(person, None)

        await self._ask(work)

    async def delete(self, match: str, epoch: int) -> None:
        """See server.storage.port.Store."""

        def work() -> None:
            self._owned(match, epoch)
            del self.shelf.matches[match]

        await self._ask(work)

    async def close(self) -> None:
        """See server.storage.port.Store."""
        await self._ask(lambda: None)

    def _items(self) -> list[tuple[str, Kept]]:
        return list(self.shelf.matches.items())

    def _create(self, match: str, record: bytes) -> None:
        if match in self.shelf.matches:
            raise StoreError("There is such a match.")
        self.shelf.matches[match] = Kept(record, self.shelf.now())

    def _owned(self, match: str, epoch: int) -> Kept:
        kept = self.shelf.matches.get(match)
        if kept is None or kept.epoch != epoch:
            raise Fenced("The match has another owner.")
        return kept

    def _save(self, kept: Kept, record: bytes) -> None:
        kept.record, kept.changed = record, self.shelf.now()

    def _ask(self, work: Callable[[], T]) -> "asyncio.Future[T]":
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()

        def do() -> None:
            try:
                result = work()
            except StoreError as error:
                self.later(partial(_fail, done, error))
            else:
                self.later(partial(_tell, done, result))

        self.later(do)
        return done


def _tell(done: "asyncio.Future[T]", result: T) -> None:
    if not done.cancelled():
        done.set_result(result)


def _fail(done: "asyncio.Future[T]", error: StoreError) -> None:
    if not done.cancelled():
        done.set_exception(error)


@contextmanager
def hold(store: MemoryStore) -> Iterator[None]:
    """Hold all jobs inside the context; run them in order afterwards."""
    waiting: list[Callable[[], object]] = []
    store.later = waiting.append
    try:
        yield
    finally:
        store.later = _at_once
        for work in waiting:
            with contextlib.suppress(StoreError):
                work()

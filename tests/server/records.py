"""Tables and entries for tests of stores, and the stores that there are."""

import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

from server.cluster.postgres.store import PostgresStore
from server.storage.port import ChairRecord, Store, TableRecord
from server.storage.sqlite import SqliteStore
from shared.history import GENESIS, Entry
from tests.faults.memory import MemoryStore, Shelf, hold
from tests.support import engines

TODAY: Final = 1_000_000.0
"""A date for stores, in seconds."""


def record(match: str = "m1", **changed: object) -> TableRecord:
    """A table of two seats that gathers."""
    table = TableRecord(match, "toy", 1, {"rounds": 3}, "Title", True, "CODE", 0, 0, [ChairRecord(), ChairRecord()])
    for key, value in changed.items():
        setattr(table, key, value)
    return table


def entries(first: int, count: int = 1) -> list[Entry]:
    """Entries that make so many versions from `first` on."""
    return [Entry(n, n % 2, n, 7, bytes([n % 256]) * 5) for n in range(first, first + count)]


async def filled(store: Store, count: int = 20, match: str = "m1") -> bytes:
    """A new table with a log of so many entries, two at a time; the check of the last."""
    await store.create(record(match))
    check = GENESIS
    for n in range(1, count + 1, 2):
        check = await store.append(match, 1, check, entries(n, 2), None)
    return check


class Kind(NamedTuple):
    """An implementation of the store.

    `open`: with a directory of its own and a clock that tells the date; again with the same one: the same data.
    `hold`: inside, whatever is asked for is not done yet; afterwards it is done together.
    """

    open: Callable[[Path, Callable[[], float]], Awaitable[Store]]
    hold: Callable[[Any], AbstractContextManager[None]]


@contextmanager
def hold_sqlite(store: SqliteStore) -> Iterator[None]:
    """The writer's thread waits; what is asked for meanwhile is one transaction afterwards."""
    begun, gate = threading.Event(), threading.Event()

    def wait(_db: object) -> None:
        begun.set()
        gate.wait(20)

    store._ask(wait)
    begun.wait(20)
    try:
        yield
    finally:
        gate.set()


async def open_sqlite(directory: Path, now: Callable[[], float] = lambda: TODAY) -> SqliteStore:
    """A file in that directory."""
    return await SqliteStore.open(directory / "db", now)


_shelves: dict[Path, Shelf] = {}


async def open_memory(directory: Path, now: Callable[[], float] = lambda: TODAY) -> MemoryStore:
    """In memory, the same for the same directory."""
    shelf = _shelves.setdefault(directory, Shelf())
    shelf.now = now
    return MemoryStore(shelf)


async def open_postgres(directory: Path, now: Callable[[], float] = lambda: TODAY) -> PostgresStore:
    """A database for that directory."""
    return await PostgresStore.open(await engines.database(directory), now)


KINDS: Final = {
    "sqlite": Kind(open_sqlite, hold_sqlite),
    "memory": Kind(open_memory, hold),
    "postgres": Kind(open_postgres, lambda store: engines.locked(store.url)),
}

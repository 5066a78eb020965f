"""Choice of the store and the bus by the operator's options.

Only this module imports `server.cluster`, and only when a function is called for PostgreSQL or NATS.
"""

from pathlib import Path
from typing import Final

from msgspec import Struct

from server.bus.bus_settings import BusSettings
from server.bus.port import Bus
from server.clock import Clock
from server.lobby.other_nodes import OtherNodes
from server.storage.moving import ServerStorage
from server.storage.offline import Offline, OfflineFile
from server.storage.port import Store, StoreError
from server.storage.sqlite import SqliteStore

DATABASE: Final = "conquest.sqlite3"
"""Name of the database file of a server without `--store`."""
MOVED: Final = ".moved"
"""Suffix, before a date, of a database file whose matches were moved elsewhere."""
POSTGRES: Final = ("postgresql://", "postgres://")


class Sharer(Struct, frozen=True):
    """A server among several on one database: its operator's name for it, and its public address."""

    name: str = ""
    url: str = ""


async def open_store(where: str, data: Path, beside: bool = False, shared: Sharer | None = None) -> Store:
    """Open the store at a URL, "" for a file in the directory `data`.

    `beside`: to read in a database that a server uses. `shared`: to be one of several servers on it. StoreError gives
    the reason of a failure in one sentence.
    """
    if shared is not None and not where:
        raise StoreError("--bus needs a shared database; add --store postgresql://...")
    if not where:
        gone = moved_away(data)
        if gone is not None:
            raise StoreError(
                f"The matches of {data} were moved to a database; give it with --store. To start again here, remove "
                f"{gone.name}."
            )
        return await SqliteStore.open(data / DATABASE)
    read_url(where)
    from server.cluster.postgres.node_heartbeat import new_node
    from server.cluster.postgres.store import PostgresStore

    if shared is not None:
        return await PostgresStore.open(where, node=new_node(shared.name, shared.url))
    return await (PostgresStore.open(where) if beside else PostgresStore.open_exclusively(where))


def read_url(where: str) -> None:
    """Check a store's URL: its form, and that its library is installed. Raises StoreError."""
    if not where.startswith(POSTGRES):
        raise StoreError(f"--store must be postgresql://USER@HOST/DATABASE, not {where.partition(':')[0]}:...")
    try:
        import asyncpg as _asyncpg  # noqa: F401
    except ModuleNotFoundError:
        raise StoreError("PostgreSQL needs more packages: pip install 'conquest-empire[cluster]'.") from None


async def open_offline(where: str, data: Path, beside: bool = False) -> Offline:
    """Open the store at a URL, "" for the file in the directory `data`, which must exist.

    `beside`: to read in a database that servers use. StoreError gives the reason of a failure in one sentence.
    """
    if where:
        read_url(where)
        from server.cluster.postgres.offline import OfflineDatabase

        return await OfflineDatabase.open(where, beside)
    return OfflineFile.open(existing(data))


def database_place(where: str) -> ServerStorage:
    """Return the database at a URL as a place for `move`. Raises StoreError if the URL cannot be used."""
    read_url(where)
    from server.cluster.postgres.offline import DatabasePlace

    return DatabasePlace(where)


async def examine_database(where: str, slow: float, apart: float) -> list[tuple[bool, str]]:
    """Return (whether all is well, sentence) for each topic of the database at a URL.

    `slow`: seconds for an answer beyond which players notice; `apart`: seconds by which two clocks may differ. Raises
    StoreError if the database cannot be used.
    """
    read_url(where)
    from server.cluster.postgres.health import examine

    return await examine(where, slow, apart)


async def examine_bus(bus_settings: BusSettings) -> None:
    """Connect to the bus and disconnect. Raises StoreError if it cannot be used."""
    try:
        from server.cluster.nats_transport import examine
    except ModuleNotFoundError:
        raise StoreError("A cluster needs more packages: pip install 'conquest-empire[cluster]'.") from None
    await examine(bus_settings)


async def join_cluster(store: Store, clock: Clock, bus: Bus, bus_settings: BusSettings) -> OtherNodes:
    """Join the cluster that shares the store. Raises StoreError, and then the store is closed."""
    try:
        from server.cluster.cluster import Cluster
        from server.cluster.postgres.store import PostgresStore
    except ModuleNotFoundError:
        raise StoreError("A cluster needs more packages: pip install 'conquest-empire[cluster]'.") from None
    assert isinstance(store, PostgresStore)
    try:
        return await Cluster.join(store, clock, bus, bus_settings)
    except StoreError:
        await store.close()
        raise


def moved_away(data: Path) -> Path | None:
    """Return the file that `move` put aside last, if the directory has no other.

    An empty server in its place would look to players as if their matches were lost.
    """
    if (data / DATABASE).exists():
        return None
    return max(data.glob(f"{DATABASE}{MOVED}-*[0-9]"), default=None)


def existing(data: Path) -> Path:
    """Return the database file of a directory. Raises StoreError if there is none."""
    if not data.is_dir():
        raise StoreError(f"The directory {data} does not exist; give the right one with --data.")
    path = data / DATABASE
    if not path.exists():
        raise StoreError(f"{path} does not exist; give the right directory with --data.")
    return path

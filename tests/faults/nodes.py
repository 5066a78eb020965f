"""Cluster of three servers started as by an operator, on real engines; a proxy lies between each server and engine."""

import asyncio
import contextlib
import itertools
import os
import signal
import tempfile
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any, Final

import asyncpg

from server.cluster.postgres.store import PostgresStore
from tests.faults.process import Process
from tests.faults.surroundings import small_disk
from tests.support.clocks import stepped
from tests.support.engines import Nats, Postgres
from tests.support.proxy import Opened, Proxy, Serve, proxied

COUNT: Final = 3
DATABASE: Final = "conquest"
CLOCKS: Final = ("+0", "-1h x0.9", "+1h x1.1")
"""Clocks of the nodes, for libfaketime: a true one; an hour behind and slow; an hour ahead and fast."""
SPACE: Final = "192m"
"""Of the database's disk, if it has one of its own; the files of an empty database take a third."""
ROOM: Final = "2m"
"""Of each node's disk."""
READY: Final = 30.0
"""Seconds within which an engine answers after its start."""
_AUDIT: Final = """
CREATE SCHEMA proof;
CREATE TABLE proof.holders (id bigserial, match text, epoch bigint, node text);
CREATE TABLE proof.wrong (id bigserial, match text, words text);
CREATE FUNCTION proof.see_match() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE holder text;
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO proof.holders (match, epoch, node) VALUES (NEW.match, NEW.epoch, current_user);
        RETURN NULL;
    END IF;
    IF NEW.epoch < OLD.epoch OR NEW.n < OLD.n THEN
        INSERT INTO proof.wrong (match, words) VALUES (NEW.match, format('epoch or log fell at entry %s', NEW.n));
    END IF;
    IF NEW.epoch <> OLD.epoch THEN
        INSERT INTO proof.holders (match, epoch, node) VALUES (NEW.match, NEW.epoch, current_user);
    END IF;
    SELECT node INTO holder FROM proof.holders WHERE match = NEW.match AND epoch = NEW.epoch;
    IF holder <> current_user THEN
        INSERT INTO proof.wrong (match, words) VALUES (NEW.match,
            format('entry %s in epoch %s was written by %s, fenced off by %s', NEW.n, NEW.epoch, current_user, holder));
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION proof.see_log() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO proof.wrong (match, words) VALUES (OLD.match, format('entry %s was changed or removed', OLD.n));
    RETURN NULL;
END $$;
CREATE TRIGGER see AFTER INSERT OR UPDATE ON matches FOR EACH ROW EXECUTE FUNCTION proof.see_match();
CREATE TRIGGER see AFTER UPDATE OR DELETE ON log FOR EACH ROW EXECUTE FUNCTION proof.see_log();
"""
"""Triggers that compare the node that changes a match with the node that claimed it last. Each node has its own
user."""


class Node:
    """Node of the cluster. `store`, `bus`: its proxies to the engines, on those `ports`."""

    def __init__(
        self, number: int, home: Path, ports: tuple[int, int], lines: tuple[Proxy, Proxy], bug: str, faketime: str
    ) -> None:
        self.number = number
        self.store, self.bus = lines
        self.ports = ports
        self.data = home / f"node{number}"
        self.log = home / f"node{number}.log"
        store = f"postgresql://{_role(number)}:@127.0.0.1:{ports[0]}/{DATABASE}?sslmode=disable"
        urls = store, f"nats://127.0.0.1:{ports[1]}"
        self._urls = urls
        self._program = ("tests.faults.sabotage", bug) if bug else ("server",)
        self._starts = itertools.count(1)
        self._process: Process | None = None
        clock = {"LD_PRELOAD": faketime, "FAKETIME": CLOCKS[number]} if faketime else {}
        self._surroundings = {**os.environ, **clock}

    @property
    def url(self) -> str:
        """URL for clients; "" before its first start."""
        return self._process.url if self._process is not None else ""

    @property
    def port(self) -> int:
        """Port for clients."""
        return int(self.url.rpartition(":")[2])

    async def start(self) -> None:
        """Start a new process; try again until the engines are up, as a service manager does."""
        async with asyncio.timeout(READY):
            while True:
                with contextlib.suppress(AssertionError):
                    return await self._start()

    async def _start(self) -> None:
        # Each start has its own seed.
        seed = str(10 * next(self._starts) + self.number)
        options = ("--store", self._urls[0], "--bus", self._urls[1], "--seed", seed)
        with self.log.open("ab") as log:
            process = Process(
                self.data, *options, log=log.fileno(), program=self._program, surroundings=self._surroundings
            )
            await process.start()
        self._process = process

    def signal(self, number: signal.Signals) -> None:
        """Send the process a signal."""
        assert self._process is not None
        self._process.process.send_signal(number)

    async def ended(self) -> None:
        """Wait for its end."""
        assert self._process is not None
        await self._process.process.wait()

    async def stop(self) -> None:
        """Kill the process if it runs."""
        with contextlib.suppress(ProcessLookupError, AssertionError):
            self.signal(signal.SIGKILL)
            await self.ended()


class World:
    """Engines and nodes of a cluster."""

    def __init__(self, postgres: Postgres, nats: Nats, nodes: Sequence[Node]) -> None:
        self.postgres = postgres
        self.nats = nats
        self.nodes = nodes

    async def ask(self, query: str, *args: Any) -> list[Any]:
        """Query the database past the proxies, as soon as it is up."""
        async with asyncio.timeout(READY):
            while True:
                with contextlib.suppress(OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
                    return await self.ask_once(query, *args)
                await asyncio.sleep(0.05)

    async def ask_once(self, query: str, *args: Any) -> list[Any]:
        """Query the database past the proxies. Raises what the library does."""
        return await _ask(self.postgres.url(DATABASE), query, *args)

    async def step_clock(self, seconds: float) -> None:
        """Step the database's clock by so many seconds, for all nodes."""
        await self.ask("INSERT INTO clocks.step VALUES ($1)", seconds)

    async def holder(self, match: str) -> Node:
        """Return the node that claimed a match last."""
        query = "SELECT node FROM proof.holders WHERE match = $1 ORDER BY id DESC LIMIT 1"
        (row,) = await self.ask(query, match)
        return next(node for node in self.nodes if _role(node.number) == row["node"])


def _role(number: int) -> str:
    return f"node{number}"


async def _ask(url: str, query: str, *args: Any) -> list[Any]:
    connection = await asyncpg.connect(url, timeout=READY)
    try:
        return list(await connection.fetch(query, *args))
    finally:
        await connection.close()


async def _prepare(postgres: Postgres) -> None:
    """Create the database with its tables, the users of the nodes, and a user for inspection."""
    await _ask(postgres.url("postgres"), f"CREATE DATABASE {DATABASE}")
    await (await PostgresStore.open(postgres.url(DATABASE))).close()
    connection = await asyncpg.connect(postgres.url(DATABASE))
    await connection.execute(_AUDIT)
    for statement in stepped(postgres.url(DATABASE), 0.0):
        await connection.execute(statement)
    for number in range(COUNT):
        await connection.execute(f"CREATE ROLE {_role(number)} SUPERUSER LOGIN")
    await connection.close()


@contextlib.asynccontextmanager
async def _line(connect: Any) -> AsyncIterator[tuple[Proxy, int]]:
    """Yield a proxy on a port that the system chose."""
    ports: list[int] = []

    async def listen(serve: Serve) -> asyncio.Server:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        ports.append(server.sockets[0].getsockname()[1])
        return server

    async with proxied(listen, connect) as proxy:
        yield proxy, ports[0]


@contextlib.asynccontextmanager
async def world(home: Path, bug: str = "", faketime: str = "", private: bool = False) -> AsyncIterator[World]:
    """Start engines and nodes, and end them afterwards. `bug`: one that the nodes have, see `sabotage`. `faketime`:
    path of libfaketime, to give each node another clock. `private`: give database and nodes disks of their own."""
    async with contextlib.AsyncExitStack() as stack:
        directory = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="pg", ignore_cleanup_errors=True)))
        if private:
            stack.enter_context(small_disk(directory, SPACE))
        postgres, nats = await asyncio.to_thread(Postgres, directory / "data"), Nats()
        stack.callback(nats.end)
        stack.callback(postgres.end)
        await _prepare(postgres)

        async def to_postgres() -> Opened:
            return await asyncio.open_unix_connection(postgres.socket)

        async def to_nats() -> Opened:
            return await asyncio.open_connection("127.0.0.1", nats.port)

        nodes = []
        for number in range(COUNT):
            store, store_port = await stack.enter_async_context(_line(to_postgres))
            bus, bus_port = await stack.enter_async_context(_line(to_nats))
            nodes.append(Node(number, home, (store_port, bus_port), (store, bus), bug, faketime))
            if private:
                stack.enter_context(small_disk(nodes[-1].data, ROOM))
            stack.push_async_callback(nodes[-1].stop)
        await asyncio.gather(*(node.start() for node in nodes))
        yield World(postgres, nats, nodes)

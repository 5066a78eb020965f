"""Run of the Autobahn WebSocket tests: `python -m tests.faults.conformance --suite DIR`, about ten seconds.

Autobahn's cases run against an echo that listens with our guard, our options and the limits for local clients. The
suite needs Python 2.7 and is installed by

    python2.7 -m pip install --target DIR autobahntestsuite && touch DIR/zope/__init__.py

The limit of message sizes is raised for this. Known and accepted: 7.1.5 (documented by the library). Left out: very
large messages (9.*), which the server refuses, and compression (12.*, 13.*), which it does not offer."""

import argparse
import asyncio
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Final

from websockets.asyncio.server import ServerConnection, serve

from server import log
from server.connections.admission import GENEROUS, Admission
from server.connections.server_app import Settings, options_of

ACCEPTED: Final = {"7.1.5"}
FINE: Final = {"OK", "NON-STRICT", "INFORMATIONAL", "UNIMPLEMENTED"}
LEFT_OUT: Final = ["9.*", "12.*", "13.*"]
LONGEST: Final = 2**24
"""Bytes of a message; our own limit would end some cases with 1009, as it should."""
AGENT: Final = "conquest"


async def _echo(connection: ServerConnection) -> None:
    async for message in connection:
        await connection.send(message)


async def failed(suite: Path, python: str) -> tuple[int, set[str]]:
    """Return the number of cases, and the names of those that failed."""
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        gate = Admission(GENEROUS, asyncio.get_running_loop().time)
        options = {**options_of(Settings(directory), gate), "max_size": LONGEST}
        async with serve(_echo, "127.0.0.1", 0, **options) as server:
            port = next(iter(server.sockets)).getsockname()[1]
            await _run(suite, python, directory, port)
        index = json.loads((directory / "index.json").read_text())[AGENT]
    return len(index), {case for case, found in index.items() if found["behavior"] not in FINE}


async def _run(suite: Path, python: str, directory: Path, port: int) -> None:
    spec = {
        "outdir": str(directory),
        "servers": [{"agent": AGENT, "url": f"ws://127.0.0.1:{port}"}],
        "cases": ["*"],
        "exclude-cases": LEFT_OUT,
        "exclude-agent-cases": {},
    }
    (directory / "spec.json").write_text(json.dumps(spec))
    start = "from autobahntestsuite.wstest import run; run()"
    arguments = ("-m", "fuzzingclient", "-s", str(directory / "spec.json"))
    process = await asyncio.create_subprocess_exec(
        *(python, "-c", start, *arguments),
        env={**os.environ, "PYTHONPATH": str(suite)},
        cwd=directory,
        stdout=asyncio.subprocess.DEVNULL,
    )
    if await process.wait():
        raise SystemExit("The suite did not run.")


def main() -> int:
    """All cases; 1 where one fails that should not."""
    parser = argparse.ArgumentParser("tests.faults.conformance", description=__doc__.split("\n")[0])
    parser.add_argument("--suite", type=Path, required=True, help="where autobahntestsuite was installed")
    parser.add_argument("--python", default=shutil.which("python2.7") or "python2.7", help="a Python 2.7")
    args = parser.parse_args()
    log.start(100)
    count, wrong = asyncio.run(failed(args.suite, args.python))
    print(f"{count} cases, failed: {', '.join(sorted(wrong)) or 'none'}.")
    return 1 if wrong - ACCEPTED else 0


if __name__ == "__main__":
    sys.exit(main())

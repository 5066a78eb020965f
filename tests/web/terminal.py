"""The real client at a terminal, for tests whose server runs in the same loop."""

import asyncio
import contextlib
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]


class Terminal:
    """A player of the text client: `conquest table --text` at the other end of two pipes."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.heard: list[str] = []

    async def until(self, words: str) -> str:
        """Return the next line that contains these words; fail if the program ends before."""
        assert self._process.stdout is not None
        async with asyncio.timeout(60):
            async for line in self._process.stdout:
                self.heard.append(line.decode().rstrip("\n"))
                if words in self.heard[-1]:
                    return self.heard[-1]
        raise AssertionError(f"never said {words!r}: {self.heard[-30:]}")

    async def type(self, line: str) -> None:
        """Type a line."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n".encode())
        await self._process.stdin.drain()

    async def create(self, what: str) -> str:
        """Open a table; return its code."""
        await self.until("Welcome.")
        await self.type(f"create {what}")
        return (await self.until("Code: ")).rpartition(" ")[2].rstrip(".")


@asynccontextmanager
async def terminal(address: str, home: Path, name: str) -> AsyncIterator[Terminal]:
    """Start the text client of a player at that server."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "client", "table", "--text", address, "--name", name,
        cwd=ROOT, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", "CONQUEST_HOME": str(home / name)},
    )  # fmt: skip
    try:
        yield Terminal(process)
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()

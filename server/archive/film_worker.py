"""Worker process that makes films one after the other, so that no match waits for it."""

import asyncio
import sys
from collections.abc import Sequence
from typing import Final

import msgspec

from server import log
from server.matches.match_archive import Made, Wanted
from server.subprocess_workers import Worker, within

LIMIT: Final = 60.0
"""Seconds for one film."""
_WORKER: Final = (sys.executable, "-m", "server.tools.films")


class FilmWorker:
    """Maker of films in a process of its own.

    The process is started by the first request, and again after it died or hung. limit: seconds for one film. command:
    command line of the process.
    """

    def __init__(self, limit: float = LIMIT, command: Sequence[str] = _WORKER) -> None:
        self._limit = limit
        self._command = command
        self._worker: Worker | None = None
        self._turn = asyncio.Lock()
        self._closed = False

    async def __call__(self, wanted: Wanted) -> Made:
        """Make a film or record.

        Raises OSError, EOFError or TimeoutError if the process fails, and RuntimeError after `close`.
        """
        async with self._turn:
            if self._closed:
                raise RuntimeError("the studio is closed")
            try:
                return await self._ask(msgspec.msgpack.encode(wanted))
            except BaseException:
                # A late answer of this process must not be taken for the answer to the next request.
                await asyncio.shield(self._discard())
                raise

    async def close(self) -> None:
        """End the process at once."""
        self._closed = True
        await self._discard()

    async def _ask(self, question: bytes) -> Made:
        if self._worker is None:
            self._worker = await Worker.start(self._command)
            await self._worker.get_ready()
        return msgspec.msgpack.decode(await within(self._limit, self._worker.ask(question)), type=Made)

    async def _discard(self) -> None:
        worker, self._worker = self._worker, None
        if worker is not None:
            log.info("no-studio", worker=worker.process.pid)
            await worker.end()

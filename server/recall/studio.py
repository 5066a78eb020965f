"""Films are made in a process of their own, one after the other: no match waits for that."""

import asyncio
import sys
from collections.abc import Sequence
from typing import Final

import msgspec

from server import log
from server.matches.memory import Made, Wanted
from server.workers import Worker, within

LIMIT: Final = 60.0
"""Seconds for one film."""
_WORKER: Final = (sys.executable, "-m", "server.tools.films")


class Studio:
    """See the module's docstring. The process is started by the first who asks, and anew where it died or hung.

    limit: seconds for one film. command: what the process is started by.
    """

    def __init__(self, limit: float = LIMIT, command: Sequence[str] = _WORKER) -> None:
        self._limit = limit
        self._command = command
        self._worker: Worker | None = None
        self._turn = asyncio.Lock()
        self._closed = False

    async def __call__(self, wanted: Wanted) -> Made:
        """The film of a log. Raises OSError, EOFError or TimeoutError where the process fails; RuntimeError: closed."""
        async with self._turn:
            if self._closed:
                raise RuntimeError("the studio is closed")
            try:
                return await self._ask(msgspec.msgpack.encode(wanted))
            except BaseException:
                # What comes out of it later answers nobody's next question.
                await asyncio.shield(self._discard())
                raise

    async def close(self) -> None:
        """End the process, whatever it is doing."""
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

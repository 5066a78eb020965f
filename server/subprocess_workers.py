"""Worker processes of the server, asked and answering over their standard streams.

Each request and each answer is a document behind its length in four bytes, big-endian.
"""

import asyncio
import os
import queue
import struct
import sys
import threading
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Final, TypeVar

T = TypeVar("T")
START: Final = 60.0
"""Seconds for a worker to get ready."""
GLANCE: Final = 1.0
"""Seconds between two checks whether an answer has come."""
BEHIND: Final = 10
"""Niceness of a worker, so that the server has priority on a shared core."""
READY: Final = b"!"
"""Sent once by a worker, before its first answer."""
LENGTH: Final = struct.Struct(">I")
"""Stands before each question and each answer."""
_HOME: Final = Path(__file__).resolve().parents[1]


async def within(seconds: float, work: Coroutine[Any, Any, T]) -> T:
    """Return the result of `work`; raise TimeoutError if it takes longer than `seconds`.

    A time for which this process stood still counts only as `GLANCE` seconds, since it could not read any answer then.
    """
    task = asyncio.ensure_future(work)
    try:
        while seconds > 0 and not task.done():
            await asyncio.wait([task], timeout=min(seconds, GLANCE))
            seconds -= GLANCE
        if not task.done():
            raise TimeoutError
        return task.result()
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


class Worker:
    """Worker process that is asked one question at a time."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process

    @classmethod
    async def start(cls, command: Sequence[str]) -> "Worker":
        """Start a process; then wait for `get_ready`."""
        pipe = asyncio.subprocess.PIPE
        # The folder of the packages is the working directory: else a user's folder "server" would be run.
        return cls(
            await asyncio.create_subprocess_exec(
                *command,
                cwd=_HOME,
                stdin=pipe,
                stdout=pipe,
                start_new_session=True,  # Ctrl-C in the terminal must not reach it: the server ends it.
            )
        )

    async def get_ready(self) -> None:
        """Wait until the process is ready. Raises TimeoutError, or EOFError if the process has ended."""
        assert self.process.stdout is not None
        async with asyncio.timeout(START):
            await self.process.stdout.readexactly(len(READY))

    async def ask(self, question: bytes) -> bytes:
        """Send a question and return the answer. Raises OSError or EOFError if the process has ended."""
        source, sink = self.process.stdout, self.process.stdin
        assert source is not None and sink is not None
        sink.write(LENGTH.pack(len(question)) + question)
        await sink.drain()
        (length,) = LENGTH.unpack(await source.readexactly(LENGTH.size))
        return await source.readexactly(length)

    async def end(self) -> None:
        """End the process at once."""
        if self.process.returncode is None:
            self.process.kill()
        await self.process.wait()


def attend(answer: Callable[[bytes], bytes]) -> None:
    """Answer questions inside a worker until the input ends, even in the middle of a computation."""
    if sys.platform != "win32":
        os.nice(BEHIND)
    answers = sys.stdout.buffer
    sys.stdout = sys.stderr  # Printed text must not be taken for an answer.
    waiting: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(sys.stdin.buffer, waiting), name="questions", daemon=True).start()
    answers.write(READY)
    answers.flush()
    while True:
        said = answer(waiting.get())
        answers.write(LENGTH.pack(len(said)) + said)
        answers.flush()


def _listen(source: BinaryIO, waiting: "queue.SimpleQueue[bytes]") -> None:
    while head := source.read(LENGTH.size):
        waiting.put(source.read(*LENGTH.unpack(head)))
    # `sys.exit` would end this thread only, and the computation would go on for a server that is gone.
    os._exit(0)

"""Processes that work for the server behind its back: a question in, an answer out, over their standard streams.

Each is a document behind its length in four bytes, big end first.
"""

import asyncio
import os
import queue
import signal
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
"""Seconds between two looks whether an answer has come."""
BEHIND: Final = 10
"""By how much a worker stands behind the server, where both want the same core."""
READY: Final = b"!"
"""Written once, before the first answer."""
_LENGTH: Final = struct.Struct(">I")
_HOME: Final = Path(__file__).resolve().parents[1]


async def within(seconds: float, work: Coroutine[Any, Any, T]) -> T:
    """What comes of it. TimeoutError: it took longer; a time in which this process stood still, and could hear nothing,
    is as short as the time between two looks."""
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
    """One process; asked one question at a time."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process

    @classmethod
    async def start(cls, command: Sequence[str]) -> "Worker":
        """Begin to start one; then wait for `get_ready`."""
        pipe = asyncio.subprocess.PIPE
        # From where the packages are: else a folder "server" of the user's would be run.
        return cls(await asyncio.create_subprocess_exec(*command, cwd=_HOME, stdin=pipe, stdout=pipe))

    async def get_ready(self) -> None:
        """Raises TimeoutError, or EOFError where the process is gone."""
        assert self.process.stdout is not None
        async with asyncio.timeout(START):
            await self.process.stdout.readexactly(len(READY))

    async def ask(self, question: bytes) -> bytes:
        """Raises OSError or EOFError where the process is gone."""
        source, sink = self.process.stdout, self.process.stdin
        assert source is not None and sink is not None
        sink.write(_LENGTH.pack(len(question)) + question)
        await sink.drain()
        (length,) = _LENGTH.unpack(await source.readexactly(_LENGTH.size))
        return await source.readexactly(length)

    async def end(self) -> None:
        """At once, whatever it is doing."""
        if self.process.returncode is None:
            self.process.kill()
        await self.process.wait()


def attend(answer: Callable[[bytes], bytes]) -> None:
    """Inside such a process: answer until the input ends, with whoever asks, even in the middle of a thought."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the server's business.
    if sys.platform != "win32":
        os.nice(BEHIND)
    answers = sys.stdout.buffer
    sys.stdout = sys.stderr  # What is printed on the way is not an answer.
    waiting: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(sys.stdin.buffer, waiting), name="questions", daemon=True).start()
    answers.write(READY)
    answers.flush()
    while True:
        said = answer(waiting.get())
        answers.write(_LENGTH.pack(len(said)) + said)
        answers.flush()


def _listen(source: BinaryIO, waiting: "queue.SimpleQueue[bytes]") -> None:
    while head := source.read(_LENGTH.size):
        waiting.put(source.read(*_LENGTH.unpack(head)))
    os._exit(0)

"""Servers that fork from a process that has imported all of them: imports take nearly all time of a server's start.

They are real processes: they have memory, sockets and files of their own, and die of `kill -9`.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import sys
from collections.abc import Mapping
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

PROCESSES: Final = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(["tests.support.preloaded"])
READY: Final = "conquest-server ready on "


class ForkedServer:
    """Process of `conquest-server serve`, without the start of an interpreter. Its log is lost.

    `tests.faults.process.Process` is the real command, with its streams, signals and exit status.
    """

    def __init__(self, data: Path, *options: str) -> None:
        self._words = ("serve", "--port", "0", "--data", str(data), "--seed", "5", "--bot-pace", "0", *options)
        self.url = ""

    async def start(self) -> None:
        """Start the process and wait for the line that it prints."""
        await asyncio.to_thread(self.begin)

    async def kill(self) -> None:
        """Kill the process with kill -9."""
        await asyncio.to_thread(self.end)

    def begin(self) -> None:
        """Start the process and wait for the line that it prints."""
        said, output = PROCESSES.Pipe(duplex=False)
        # A test that failed may leave it behind: then it ends with this process.
        self._process = PROCESSES.Process(target=_run, args=(output, self._words, dict(os.environ)), daemon=True)
        self._process.start()
        output.close()
        # The pipe stays open, because the server prints more after that line.
        self._output = os.fdopen(os.dup(said.fileno()))
        said.close()
        line = self._output.readline()
        assert line.startswith(READY), line
        self.url = line.removeprefix(READY).strip()

    def end(self) -> None:
        """Kill the process with kill -9."""
        self._process.kill()
        self._process.join()
        self._output.close()


def _run(output: Connection, words: tuple[str, ...], environment: Mapping[str, str]) -> None:
    """Run the command in this process, which the fork server has just made."""
    from server.__main__ import main

    os.setsid()  # Ctrl+C in the terminal must not reach it: its test ends it.
    os.environ.clear()
    os.environ.update(environment)
    os.dup2(output.fileno(), 1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    output.close()
    sys.exit(main(words))

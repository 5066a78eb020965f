"""A server that was started by somebody's window: it ends with that window, or stays when it is told to.

The standard input tells: its end is the end. The line STAY in it means that the server goes on by itself, for as long
as the file RUNNING lies beside its matches.
"""

import contextlib
import json
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final

from server.storage.platform import System, open_private

STAY: Final = b"stay\n"
RUNNING: Final = "running.json"
"""Says where the server listens. Whoever takes it away ends it."""
LOG: Final = "server.log"
_LOOK: Final = 0.5
"""Seconds between two looks at the file."""


def watch(data: Path, address: str, end: Callable[[], object], stays: Callable[[], object] = lambda: None) -> None:
    """On a thread of its own: wait for the end of the standard input, or of the file; then call `end`. `stays` is
    called once the server goes on by itself."""
    forget(data)  # What an earlier server left that was killed.
    threading.Thread(target=_watch, args=(data, address, end, stays), name="stdin", daemon=True).start()


def forget(data: Path) -> None:
    """The server does not run, or not by itself."""
    with contextlib.suppress(OSError):
        (data / RUNNING).unlink(missing_ok=True)


def _watch(data: Path, address: str, end: Callable[[], object], stays: Callable[[], object]) -> None:
    if _is_told_to_stay():
        _stay(data, address, stays)
    end()


def _is_told_to_stay() -> bool:
    """Whether that line comes before the end."""
    said = b""
    # Not by sys.stdin: its lock, held by a thread that still waits, would be in the way of Python's own end.
    with contextlib.suppress(OSError):
        while chunk := os.read(0, 4096):
            said = (said + chunk)[-4096:]
            if said.endswith(STAY):
                return True
    return False


def _stay(data: Path, address: str, stays: Callable[[], object]) -> None:
    """Go on until the file is gone. Nobody reads any more what is printed: it goes into a file, too."""
    running = data / RUNNING
    System().replace(running, json.dumps({"address": address, "pid": os.getpid()}).encode())
    # Last: whoever sees our output end finds the file.
    with open_private(data / LOG, "ab") as log:
        for standard in (1, 2):
            os.dup2(log.fileno(), standard)
    stays()
    pause = threading.Event()
    while running.exists():
        pause.wait(_LOOK)

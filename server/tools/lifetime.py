"""Lifetime of a server that a window started: it ends with that window, or stays if told to.

Its end of standard input ends the server. After the line STAY in it the server goes on by itself, as long as the file
RUNNING lies beside its matches.
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
"""File with the server's address. Deleting it ends the server."""
LOG: Final = "server.log"
_LOOK: Final = 0.5
"""Seconds between two checks for the file."""


def watch(data: Path, address: str, end: Callable[[], object], stays: Callable[[], object] = lambda: None) -> None:
    """Start a thread that waits for the end of standard input or of the file, then calls `end`.

    `stays` is called once the server goes on by itself.
    """
    forget(data)  # A killed server may have left its file behind.
    threading.Thread(target=_watch, args=(data, address, end, stays), name="stdin", daemon=True).start()


def forget(data: Path) -> None:
    """Delete the file RUNNING: the server does not run, or not by itself."""
    with contextlib.suppress(OSError):
        (data / RUNNING).unlink(missing_ok=True)


def _watch(data: Path, address: str, end: Callable[[], object], stays: Callable[[], object]) -> None:
    if _is_told_to_stay():
        _stay(data, address, stays)
    end()


def _is_told_to_stay() -> bool:
    """Whether the line STAY comes before the end of standard input."""
    said = b""
    # Not sys.stdin: a thread that waits there holds a lock, which would block the interpreter's exit.
    with contextlib.suppress(OSError):
        while chunk := os.read(0, 4096):
            said = (said + chunk)[-4096:]
            if said.endswith(STAY):
                return True
    return False


def _stay(data: Path, address: str, stays: Callable[[], object]) -> None:
    """Go on until the file is gone, with the output redirected into the log file, because it has no reader any more."""
    running = data / RUNNING
    with open_private(data / LOG, "ab") as log:  # All files are private before the server is found.
        System().replace(running, json.dumps({"address": address, "pid": os.getpid()}).encode())
        # Last: a program that sees our output end can rely on the file.
        for standard in (1, 2):
            os.dup2(log.fileno(), standard)
    stays()
    pause = threading.Event()
    while running.exists():
        pause.wait(_LOOK)

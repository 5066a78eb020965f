"""The command `move` in a process that is killed behind one of its steps."""

import os
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from server.cluster.postgres.offline import DatabasePlace, OfflineDatabase
from server.command_line import main
from server.storage.offline import OfflineFile
from server.tools.move import FilePlace

STEPS: dict[type, tuple[str, ...]] = {
    OfflineFile: ("put", "put_single", "put_age", "close"),
    OfflineDatabase: ("put", "put_single", "put_age", "close"),
    FilePlace: ("publish", "put_aside", "discard"),
    DatabasePlace: ("publish", "put_aside", "discard"),
}
"""Methods whose end counts as a step; so does every file that gets another name."""


def move(step: int, words: list[str]) -> None:
    """Carry out the command in this process, which ends with its status, or is killed behind that step (from 1)."""
    left = step

    def count() -> None:
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def counted(work: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def done(*args: Any) -> Any:
            result = await work(*args)
            count()
            return result

        return done

    def replace(path: Path, target: Path) -> None:
        path.rename(target)
        count()

    for kind, names in STEPS.items():
        for name in names:
            setattr(kind, name, counted(getattr(kind, name)))
    Path.replace = replace  # type: ignore[assignment,method-assign]
    os._exit(main(["move", *words]))

"""Ctrl-C and SIGTERM, alike in all programs.

Until there is something to close, both signals end a program at once, as the system does it; the entry points see to
that. Then the first signal closes the program in order. Further ones change nothing, since closing takes `CLOSING`
seconds at most. The exit status is 130 or 143; servers that close in order have 0.
"""

import asyncio
import os
import signal
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeVar

T = TypeVar("T")
CLOSING: Final = 4.5
"""Seconds from the signal to the end, whatever hangs."""
LATE: Final = 1
"""Exit status of a program that did not close in time."""
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


class Stopped(SystemExit):
    """Raised after a program was closed because of a signal. `code`: its exit status."""


@contextmanager
def handled(stop: Callable[[], object], seconds: float = CLOSING) -> Iterator[None]:
    """Call `stop` at the first signal, which must soon end the block; then raise Stopped.

    stop: called in the main thread between any two instructions, so it only sets a flag, cancels or raises.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # Python lets no other thread handle signals.
        return
    came: list[int] = []

    def first(number: int, _frame: object) -> None:
        came.append(number)
        for each in _SIGNALS:
            signal.signal(each, _ignore_signal)
        watchdog = threading.Timer(seconds, _give_up, (seconds,))
        watchdog.daemon = True
        watchdog.start()
        stop()

    before = [signal.signal(number, first) for number in _SIGNALS]
    try:
        yield
    finally:
        if came:
            for number in _SIGNALS:
                signal.signal(number, signal.SIG_IGN)  # Python resets other handlers while it ends.
            raise Stopped(128 + came[0]) from None
        for number, handler in zip(_SIGNALS, before, strict=True):
            # A stop inside the block may have been handled there.
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, handler)


def run(main: Coroutine[Any, Any, T], make: Callable[[], asyncio.AbstractEventLoop] | None = None) -> T:
    """Run a coroutine as `asyncio.run` does, and cancel it at the first signal. Raises Stopped after that.

    make: constructor of the event loop, if another one than asyncio's is wanted.
    """
    with asyncio.Runner(loop_factory=make) as runner:
        loop = runner.get_loop()
        task = loop.create_task(main)
        # A signal may come while the loop sleeps: only this call wakes it.
        with handled(lambda: loop.call_soon_threadsafe(task.cancel)):
            # Not `runner.run`, which would handle Ctrl-C in its own way.
            return loop.run_until_complete(task)


def _ignore_signal(_number: int, _frame: object) -> None:
    """Do nothing: the program closes already. Child processes do not inherit this, unlike SIG_IGN."""


def _give_up(seconds: float) -> None:
    """End the process."""
    os.write(2, f"The program did not close within {seconds:g} seconds, and was ended.\n".encode())
    os._exit(LATE)

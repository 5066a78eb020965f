"""What turns the server: uvloop where it is installed, as it takes less of a processor, else asyncio's own loop."""

import argparse
import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Final, TypeAlias, TypeVar

AUTO: Final = "auto"
ASYNCIO: Final = "asyncio"
UVLOOP: Final = "uvloop"
Make: TypeAlias = Callable[[], asyncio.AbstractEventLoop]
T = TypeVar("T")


def add_argument(parser: argparse.ArgumentParser) -> None:
    """The option `--loop`."""
    parser.add_argument(
        "--loop",
        type=chosen,
        default=AUTO,
        metavar=f"{AUTO}|{UVLOOP}|{ASYNCIO}",
        help=f"what turns the server; {AUTO}: {UVLOOP} where it is installed",
    )


def chosen(name: str) -> Make:
    """What makes the loop of that name. ArgumentTypeError says what is possible."""
    if name == ASYNCIO:
        return asyncio.new_event_loop
    if name not in (AUTO, UVLOOP):
        raise argparse.ArgumentTypeError(f"{name!r} is none of {AUTO}, {UVLOOP}, {ASYNCIO}")
    try:
        from server.connections.uvloop_server import UvLoop
    except ImportError:  # Not everywhere is there one.
        if name == UVLOOP:
            raise argparse.ArgumentTypeError(f"{UVLOOP} is not installed here") from None
        return asyncio.new_event_loop
    return UvLoop


def run(main: Coroutine[Any, Any, T], make: Make) -> T:
    """As `asyncio.run`, on such a loop."""
    with asyncio.Runner(loop_factory=make) as runner:
        return runner.run(main)


def name_of(loop: asyncio.AbstractEventLoop) -> str:
    """ASYNCIO or UVLOOP."""
    return ASYNCIO if isinstance(loop, asyncio.BaseEventLoop) else UVLOOP

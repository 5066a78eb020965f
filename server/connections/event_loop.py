"""Event loop selection: uvloop if installed, since it needs less processor time, else asyncio."""

import argparse
import asyncio
from collections.abc import Callable
from typing import Final, TypeAlias

AUTO: Final = "auto"
ASYNCIO: Final = "asyncio"
UVLOOP: Final = "uvloop"
Make: TypeAlias = Callable[[], asyncio.AbstractEventLoop]


def add_argument(parser: argparse.ArgumentParser) -> None:
    """Add the option `--loop`."""
    parser.add_argument(
        "--loop",
        type=chosen,
        default=AUTO,
        metavar=f"{AUTO}|{UVLOOP}|{ASYNCIO}",
        help=f"event loop; {AUTO}: {UVLOOP} if installed, else {ASYNCIO} (default: {AUTO})",
    )


def chosen(name: str) -> Make:
    """Return the constructor of the event loop of that name. ArgumentTypeError lists the possible names."""
    if name == ASYNCIO:
        return asyncio.new_event_loop
    if name not in (AUTO, UVLOOP):
        raise argparse.ArgumentTypeError(f"must be {AUTO}, {UVLOOP} or {ASYNCIO}, not {name!r}")
    try:
        from server.connections.uvloop_server import UvLoop
    except ImportError:  # uvloop does not exist for every platform.
        if name == UVLOOP:
            raise argparse.ArgumentTypeError(
                f"{UVLOOP} is not installed; pip install {UVLOOP}, or use {ASYNCIO}"
            ) from None
        return asyncio.new_event_loop
    return UvLoop


def name_of(loop: asyncio.AbstractEventLoop) -> str:
    """Return ASYNCIO or UVLOOP."""
    return ASYNCIO if isinstance(loop, asyncio.BaseEventLoop) else UVLOOP

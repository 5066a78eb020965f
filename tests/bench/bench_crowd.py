"""Cost of one more spectator: `python -m tests.bench.bench_crowd`.

A frame of 100 bytes goes to all spectators, over live sockets that another process on another core reads. Each of these
ways is used in turn, for some frames in a row (`--row 1`: with other work between them, so that caches are cold), then
a pause:

- ours: as a match publishes it, from its audience to the last transport, including the loop's turns between slices;
- send: Python's `socket.send` on the very same sockets. It is the yardstick: no Python code that bounds a reader's
  queue can do less than this call for each of them;
- write: the `transport.write` of the loop, which keeps what the socket does not take;
- broadcast: `websockets.broadcast`.

Prints one JSON object: for each loop and number of spectators the microseconds of our processor for each of them
(medians), and the ratios to `send`."""

import argparse
import asyncio
import json
import select
import socket
import statistics
import sys
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, Final

from websockets.asyncio.server import broadcast, serve

from process import stopping
from server.bus.local import LocalBus
from server.connections import event_loop
from server.connections.admission import GENEROUS, Admission
from server.connections.client_connection import SocketLink
from server.connections.guard import GuardedConnection
from server.connections.listener import listen
from server.connections.server_app import Settings, options_of
from server.delivery.outgoing import Outgoing
from server.delivery.peer import Peer
from server.matches.audience import Audience
from server.tools.serve import forget_the_beginning, raise_file_limit
from tests.bench.bench_wire import UPGRADE, pin

FRAME: Final = 100
"""Bytes on the wire."""
PAUSE: Final = 0.01
"""Seconds in which everybody reads what came."""
TARGET: Final = 1.15
Way = Callable[[], Coroutine[Any, Any, None]]


class Crowd:
    """People who look on, as a server has them."""

    def __init__(self) -> None:
        self.bus = LocalBus()
        self.audience = Audience("match", 1, self.bus)
        self.connections: list[GuardedConnection] = []
        self.last: asyncio.Future[None]
        """Done when the last one has it."""
        self.payload = bytes(FRAME - 2)
        self.frame = Outgoing(self.payload).frame

    async def enter(self, connection: Any) -> None:
        """Look on until the end."""
        self.audience.enter(Peer(SocketLink(connection), outbox=connection.outbox))
        self.connections.append(connection)
        await connection.wait_closed()

    async def ours(self) -> None:
        """Publish like a match; return when the last receiver has it."""
        self.last = asyncio.get_running_loop().create_future()
        self.audience.publish((self.payload, self.payload))
        if not self.last.done():
            await self.last

    def all_are_here(self) -> None:
        """Subscribe the receiver that marks the end of a frame, after all spectators."""
        self.bus.subscribe("match.1", self)

    def send(self, _message: Outgoing) -> None:
        """The last one has it."""
        self.last.set_result(None)

    async def broadcast(self) -> None:
        """Publish by the library's broadcast."""
        broadcast(self.connections, self.payload)

    async def write(self) -> None:
        """Publish by the loop's transports."""
        frame = self.frame
        for connection in self.connections:
            connection.transport.write(frame)

    def bare(self) -> Way:
        """Publish by bare sockets."""
        numbers = [connection.transport.get_extra_info("socket").fileno() for connection in self.connections]
        sockets = [socket.fromfd(number, socket.AF_INET, socket.SOCK_STREAM) for number in numbers]

        async def send() -> None:
            frame = self.frame
            for each in sockets:
                each.send(frame)

        return send


async def seconds(way: Way, row: int) -> float:
    """Return the processor seconds of one frame, measured over so many in a row."""
    began = time.thread_time()
    for _ in range(row):
        await way()
    return (time.thread_time() - began) / row


async def measure(spectators: int, rounds: int, row: int) -> dict[str, float]:
    """Microseconds for each spectator by each way, and ratios."""
    crowd, settings = Crowd(), Settings(Path(), limits=GENEROUS, ping=3600.0)
    admission = Admission(settings.limits, time.monotonic)
    (listener,) = listen(admission, "127.0.0.1", 0)
    async with serve(crowd.enter, sock=listener, **options_of(settings, admission)):
        command = [sys.executable, "-m", "tests.bench.bench_crowd", "--read", str(listener.getsockname()[1])]
        readers = await asyncio.create_subprocess_exec(*command, "--spectators", str(spectators))
        while len(crowd.connections) < spectators:
            await asyncio.sleep(0.01)
        crowd.all_are_here()
        forget_the_beginning()
        found = await _in_turn(
            {"ours": crowd.ours, "send": crowd.bare(), "write": crowd.write, "broadcast": crowd.broadcast}, rounds, row
        )
        readers.kill()
        await readers.wait()
    micros = {name: statistics.median(times) * 1e6 / spectators for name, times in found.items()}
    ratios = {f"{name}_per_send": micros[name] / micros["send"] for name in ("ours", "write", "broadcast")}
    return {name: round(value, 2) for name, value in (micros | ratios).items()}


async def _in_turn(ways: dict[str, Way], rounds: int, row: int) -> dict[str, list[float]]:
    """The times of each way; a round in which each begins once."""
    found: dict[str, list[float]] = {name: [] for name in ways}
    names = list(ways)
    for _ in range(rounds):
        for name in names:
            await asyncio.sleep(PAUSE)
            found[name].append(await seconds(ways[name], row))
        names.append(names.pop(0))
    return found


def read(port: int, spectators: int) -> None:
    """Look on, and read whatever comes, for ever."""
    pin(0)
    raise_file_limit()
    poll = select.epoll()
    readers = {}
    for _ in range(spectators):
        reader = socket.create_connection(("127.0.0.1", port))
        reader.sendall(UPGRADE)
        readers[reader.fileno()] = reader
        poll.register(reader, select.EPOLLIN)
    while True:
        for number, _ in poll.poll():
            readers[number].recv(65536)


def main() -> None:
    """Measure on both loops and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--read", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--spectators", type=int, nargs="*", default=[100, 900], help="how many (default: 100 900)")
    parser.add_argument("--rounds", type=int, default=50, help="of all ways (default: 50)")
    parser.add_argument("--row", type=int, default=8, help="frames one after the other (default: 8)")
    args = parser.parse_args()
    if args.read:
        return read(args.read, args.spectators[0])
    pin(1)
    raise_file_limit()
    result: dict[str, Any] = {"frame": FRAME, "target_ours_per_send": TARGET}
    for name in (event_loop.ASYNCIO, event_loop.UVLOOP):
        for spectators in args.spectators:
            found = stopping.run(measure(spectators, args.rounds, args.row), event_loop.chosen(name))
            result[f"{name}, {spectators} spectators"] = found
    print(json.dumps(result, indent=2))
    return None


if __name__ == "__main__":
    main()

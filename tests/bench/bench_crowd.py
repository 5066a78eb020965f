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
(medians), and the ratios to `send`.

`--join N`: N people with live connections come to watch a match of six instead, at once, or over `--seconds`. Two other
processes drive them. The yardstick is a bare `websockets` server, which accepts as many connections and sends each the
same bytes once. Printed are processor time and memory for each of them without play, and the time until an action
reaches its player: before, while a second crowd comes to another server, and after. `repeated`: connections that were
lost meanwhile and made again."""

import argparse
import asyncio
import contextlib
import json
import os
import random
import select
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, Final

from msgspec import Struct
from websockets.asyncio.server import broadcast, serve
from websockets.frames import Opcode

from protocol.process import stopping
from protocol.session import ClientSession
from server import log
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
from shared.rulesets.registry import ruleset
from tests.bench.bench_abandoned import spent
from tests.bench.bench_wire import UPGRADE, Table, pin
from tests.faults.attacks import masked

FRAME: Final = 100
"""Bytes on the wire."""
PAUSE: Final = 0.01
"""Seconds in which everybody reads what came."""
TARGET: Final = 1.15
ROOM: Final = 150
"""Bytes by which what two spectators get first may differ: names and numbers."""
PENDING: Final = 100
"""People of one process who have not got everything."""
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


class Joining(Struct):
    """A spectator who comes: what they still have to send, and the bytes that they got."""

    socket: socket.socket
    later: list[bytes]
    came: int = 0


def join(port: int, spectators: int, seconds: float, match: str, enough: int) -> None:
    """Let so many people come to watch; print the bytes that the first got and the lost connections, once all have at
    least `enough`."""
    raise_file_limit()
    poll, coming, here = select.epoll(), dict[int, Joining](), 0
    began, begun, least, repeated = time.monotonic(), 0, 0, 0
    while here < spectators:
        due = spectators if not seconds else int(spectators * (time.monotonic() - began) / seconds) + 1
        while begun < min(due, spectators + repeated, here + repeated + PENDING):
            begun += 1
            session = ClientSession(f"Onlooker {begun}")
            reader = socket.create_connection(("127.0.0.1", port))
            reader.sendall(UPGRADE)
            asked = (session.connect(), session.watch(match)) if match else ()
            coming[reader.fileno()] = Joining(reader, [masked(Opcode.BINARY, each) for each in asked])
            poll.register(reader, select.EPOLLIN)
        for number, _ in poll.poll(0.02):
            each = coming[number]
            try:
                data = each.socket.recv(65536)
            except ConnectionResetError:
                data = b""
            if not data:
                poll.unregister(number)
                coming.pop(number).socket.close()
                here, repeated = here - (each.came >= enough), repeated + 1
                continue
            before, each.came = each.came, each.came + len(data)
            if each.later:
                each.socket.sendall(each.later.pop(0))
            elif before < enough <= each.came:
                here, least = here + 1, least or each.came
    print(least, repeated, flush=True)
    sys.stdin.read()


class Usage(Struct, frozen=True):
    """Usage of a process: seconds of the processor, and MiB of memory."""

    processor: float
    memory: float

    @classmethod
    def of(cls, process: int) -> "Usage":
        """Return what a process has used so far."""
        pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
        return cls(spent(process), pages * os.sysconf("SC_PAGE_SIZE") / 2**20)


class JoinersOf:
    """Processes whose people come to watch, half of them each."""

    def __init__(self, port: int, spectators: int, seconds: float, match: str, enough: int) -> None:
        command = [sys.executable, "-m", "tests.bench.bench_crowd", "--read", str(port), "--seconds", str(seconds)]
        command += ["--spectators", str(spectators // 2), "--match", match, "--enough", str(enough)]
        pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self._processes = [subprocess.Popen(command, **pipes) for _ in range(2)]

    def all_have(self) -> tuple[int, int] | None:
        """Return how many bytes one of them got and how many connections were repeated, once all have theirs; None
        while they still come."""
        pipes = [each.stdout for each in self._processes if each.stdout is not None]
        if len(select.select(pipes, [], [], 0)[0]) < len(pipes):
            return None
        found = [tuple(map(int, pipe.readline().split())) for pipe in pipes]
        return max(least for least, _ in found), sum(repeated for _, repeated in found)

    def wait(self) -> int:
        """Wait until all have their bytes; return how many one of them got."""
        while (found := self.all_have()) is None:
            time.sleep(0.05)
        return found[0]

    def end(self) -> None:
        """End the processes."""
        for each in self._processes:
            each.communicate()


async def bare_door(payload: bytes) -> None:
    """Serve the yardstick: accept with `websockets` and send the same bytes once; prints its address."""
    pin(1)

    async def greet(connection: Any) -> None:
        await connection.send(payload)
        await connection.wait_closed()

    options: dict[str, Any] = {"compression": None, "ping_interval": None, "logger": log.LIBRARY, "backlog": 1024}
    async with serve(greet, "127.0.0.1", 0, **options) as server:
        print(next(iter(server.sockets)).getsockname()[1], flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


def _program(module: str, *arguments: str) -> "subprocess.Popen[str]":
    """Start a program of the benchmarks; it ends with its input."""
    command = [sys.executable, "-m", f"tests.bench.{module}", *arguments]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    return subprocess.Popen(command, **pipes, text=True)


@contextlib.contextmanager
def _server(module: str, *arguments: str) -> Iterator[tuple[int, int]]:
    """Yield process and port of a server."""
    with _program(module, *arguments) as server:
        assert server.stdout is not None and server.stdin is not None
        try:
            yield server.pid, int(server.stdout.readline().split()[0])
        finally:
            server.stdin.close()


def first_picture(port: int, match: str) -> int:
    """Return how many bytes a spectator gets until they see the match."""
    with socket.create_connection(("127.0.0.1", port)) as reader:
        session = ClientSession("First")
        size = 0
        for asked in (UPGRADE, *(masked(Opcode.BINARY, each) for each in (session.connect(), session.watch(match)))):
            reader.sendall(asked)
            while select.select([reader], [], [], 0.5)[0]:
                size += len(reader.recv(65536))
        return size


def measure_joins(ruleset_id: str, spectators: int, seconds: float) -> dict[str, float]:
    """Let people come to a match of six and to the yardstick; return what each of them costs."""
    rules, rng, found = ruleset(ruleset_id), random.Random(1), dict[str, float]()
    with _server("bench_wire", "--serve", "memory") as (process, port):
        table = Table(rules, port, 6, 0)
        size = first_picture(port, table.probes[0].session.match)
        enough = size - ROOM
        before = Usage.of(process)
        joiners = JoinersOf(port, spectators, 0.0, table.probes[0].session.match, enough)
        joiners.wait()
        after = Usage.of(process)
        joiners.end()
    with _server("bench_crowd", "--bare", str(size)) as (process, port):
        bare_before = Usage.of(process)
        joiners = JoinersOf(port, spectators, 0.0, "", size)
        joiners.wait()
        bare_after = Usage.of(process)
        joiners.end()
    for name, used in (("processor", 1e6), ("memory", 1024.0)):
        ours = (getattr(after, name) - getattr(before, name)) * used / spectators
        bare = (getattr(bare_after, name) - getattr(bare_before, name)) * used / spectators
        unit = "us" if name == "processor" else "kib"
        found |= {f"{name}_{unit}": round(ours, 1), f"bare_{name}_{unit}": round(bare, 1)}
        found[f"{name}_per_bare"] = round(ours / max(bare, 0.1), 2)
    with _server("bench_wire", "--serve", "memory") as (process, port):
        table = Table(rules, port, 6, 0)
        quiet = _acts(table, rng)
        joiners, actions, began = JoinersOf(port, spectators, seconds, table.probes[0].session.match, enough), [], None
        while (ended := joiners.all_have()) is None:
            time.sleep(0.01)
            actions += [played[0] for _ in range(1) if (played := table.act(rng))]
            began = began or time.monotonic()
        found |= {"seconds": round(time.monotonic() - (began or 0.0), 1), "repeated": ended[1]}
        found |= _pace("quiet", quiet) | _pace("while_they_come", actions) | _pace("crowded", _acts(table, rng))
        joiners.end()
    return found


def _acts(table: Table, rng: random.Random) -> list[float]:
    """Play a while; return the seconds until each action reached its player."""
    return [played[0] for _ in range(200) if (played := table.act(rng))]


def _pace(when: str, seconds: list[float]) -> dict[str, float]:
    """Return median and p99 of actions in milliseconds."""
    ordered = sorted(seconds) or [0.0]
    p99 = ordered[len(ordered) * 99 // 100]
    return {
        f"action_{when}_p50_ms": round(statistics.median(ordered) * 1e3, 2),
        f"action_{when}_p99_ms": round(p99 * 1e3, 2),
    }


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
    parser.add_argument("--bare", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--match", default="", help=argparse.SUPPRESS)
    parser.add_argument("--enough", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--join", type=int, default=0, help="people who come to watch a match")
    parser.add_argument("--seconds", type=float, default=0.0, help="over which they come (default: at once)")
    parser.add_argument("--ruleset", default="classic", help="of their match (default: classic)")
    parser.add_argument("--spectators", type=int, nargs="*", default=[100, 900], help="how many (default: 100 900)")
    parser.add_argument("--rounds", type=int, default=50, help="of all ways (default: 50)")
    parser.add_argument("--row", type=int, default=8, help="frames one after the other (default: 8)")
    args = parser.parse_args()
    if args.bare:
        return asyncio.run(bare_door(bytes(args.bare)))
    if args.join:
        pin(0)
        return print(json.dumps(measure_joins(args.ruleset, args.join, args.seconds), indent=2))
    if args.read and args.enough:
        return join(args.read, args.spectators[0], args.seconds, args.match, args.enough)
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

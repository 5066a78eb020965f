"""Cost of several servers on one machine: `python -m tests.bench.bench_cluster`.

- cost: milliseconds from an action to the arrival of its answer, through the node that runs the match and through
  another one. The yardsticks: a bare commit of one row on the same database, over one connection without other load;
  a bare request and reply over the same NATS; a ping over the same WebSocket; an entry stored by the store. Every
  round measures all of them, each time in another order, on the servers' event loop, without client processing.
- crowd: milliseconds of the processor, beyond those at rest, that an action takes of the owner's process, and of a
  node with spectators, by their number; and the same for a server that has them all itself.
- size: MiB that a node grows by for each match, and for each connection of a spectator.

Prints one JSON object. PostgreSQL and NATS come from their packages, and sync to the disk as they do by default."""

import argparse
import asyncio
import json
import os
import random
import select
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, cast

import asyncpg
import nats
from nats.aio.client import Client as Nats
from nats.aio.msg import Msg
from websockets.frames import Opcode

from protocol import codec
from protocol.process import stopping
from protocol.session import ClientSession
from server.bots.policy import choose
from server.connections import event_loop
from server.opening import open_store
from server.storage.port import Store
from server.tools.control import calling
from server.tools.nodes import Engines, Node, running_services
from server.tools.serve import raise_file_limit
from shared import levels
from shared.kernel import engine
from shared.messages import Accepted, Create, Done, Join, Seated, SetBot, Snapshot, Start, Watch
from shared.rulesets.registry import ruleset
from tests.bench.bench_wire import UPGRADE
from tests.faults.attacks import masked
from tests.faults.process import Person, Progress, resident
from tests.server.fakes import Client
from tests.server.records import entries, filled

RULES: Final = ruleset("classic")
ROW: Final = b"x" * 120
"""About as much as an action takes in the log."""
IDLE: Final = 5.0
"""Seconds in which a node is watched at rest."""
PACE: Final = 0.04
"""Seconds from one action to the next before a crowd, of any size: a processor that waits longer is slower."""
WARM: Final = 20
"""Actions before any are counted."""
_ACTION: Final = "action"
_PING: Final = b"\x89\x80\0\0\0\0"
_PONG: Final = 0x8A
"""The first byte of the answer."""
_ACCEPTED: Final = codec.encode(Accepted(0, 0))[:2]
"""How the answer to an action begins."""


class Socket(asyncio.Protocol):
    """A WebSocket with as little as possible between the clock and the wire; to a `Client` it looks like others."""

    def __init__(self) -> None:
        self._buffer = b""
        self._heard: asyncio.Queue[bytes] = asyncio.Queue()
        self._awaited: asyncio.Future[float] | None = None
        self._transport: asyncio.Transport

    @classmethod
    async def open(cls, address: str) -> "Socket":
        """Connect to a node."""
        host, _, port = address.removeprefix("ws://").rpartition(":")
        _, opened = await asyncio.get_running_loop().create_connection(cls, host, int(port))
        opened._transport.write(UPGRADE)
        assert (await opened.recv()).startswith(b"HTTP/1.1 101")
        return opened

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See asyncio."""
        self._transport = cast(asyncio.Transport, transport)  # That of uvloop only looks like one.

    def data_received(self, data: bytes) -> None:
        """Split the data into messages; set the time of the awaited answer."""
        now = time.perf_counter()
        self._buffer += data
        while message := self._next():
            head, payload = message
            if head == _PONG or payload.startswith(_ACCEPTED):
                self._told(now)
            if head != _PONG:
                self._heard.put_nowait(payload)

    def _told(self, at: float) -> None:
        if self._awaited is not None and not self._awaited.done():
            self._awaited.set_result(at)

    def _next(self) -> tuple[int, bytes] | None:
        """The first byte of a frame, and its payload; the head of the answer to the request as it is."""
        buffer = self._buffer
        if buffer.startswith(b"HTTP"):
            answer, found, self._buffer = buffer.partition(b"\r\n\r\n")
            return (0, answer) if found else None
        start = 2 if len(buffer) < 2 or buffer[1] < 126 else 4 if buffer[1] == 126 else 10
        if len(buffer) < start:
            return None
        end = start + (buffer[1] if start == 2 else int.from_bytes(buffer[2:start], "big"))
        if len(buffer) < end:
            return None
        self._buffer = buffer[end:]
        return buffer[0], buffer[start:end]

    async def send(self, payload: bytes) -> None:
        """Send one message."""
        self._transport.write(masked(Opcode.BINARY, payload))

    async def recv(self, decode: bool = False) -> bytes:
        """The next one; an empty one once there are no more."""
        assert not decode
        return await self._heard.get()

    async def answered(self, payload: bytes) -> float:
        """Say something; when the answer to an action came."""
        return await self._answer(masked(Opcode.BINARY, payload))

    async def ping(self) -> float:
        """Ask for a sign of life; when it came."""
        return await self._answer(_PING)

    async def _answer(self, frame: bytes) -> float:
        self._awaited = asyncio.get_running_loop().create_future()
        self._transport.write(frame)
        return await self._awaited

    async def close(self) -> None:
        """Go without a word."""
        self._transport.abort()


class Player(Person):
    """Plays like an easy bot: who acts at random gives up too soon."""

    async def open(self) -> None:
        """Connect and shake hands."""
        self.socket = self.client.socket = await Socket.open(self.client.url)  # type: ignore[assignment]
        await self.socket.send(self.client.session.connect())

    def decide(self) -> bytes:
        """See `Person`."""
        session, view = self.client.session, self.view
        if session.seat not in engine.owed(RULES, view):
            return b""
        return session.act(engine.top(view).no, choose(levels.EASY, RULES, view, session.seat, self.rng))

    @property
    def view(self) -> Any:
        """View of the player."""
        return RULES.view_decoder.decode(codec.ENCODER.encode(self.client.session.view))


class Game:
    """Match of people, each at a node of their own, who act one after the other."""

    def __init__(self, people: list[Player], match: str) -> None:
        self.people = people
        self.match = match
        self.took: dict[Player, list[float]] = {person: [] for person in people}
        """Seconds of each one's actions, from sending to the answer."""

    @classmethod
    async def begun(cls, addresses: list[str], seed: int) -> "Game":
        """The first one's node runs it."""
        progress = Progress()
        people = [
            Player(address, f"Person {seat}", RULES, random.Random(f"{seed}:{seat}"), progress)
            for seat, address in enumerate(addresses)
        ]
        for person in people:
            await person.open()
        host = people[0].client
        match = (await host.ask(lambda ref: Create(ref, RULES.id, len(people), {}, "t"), Seated)).match
        for person in people[1:]:
            await person.client.ask(lambda ref: Join(ref, match), Seated)
        await host.say(Start)
        for person in people:
            await person.client.wait_for(Snapshot)
        return cls(people, match)

    async def act(self) -> bool:
        """The next action, which all see; whether there was one."""
        decided = await self.decided()
        if decided is not None:
            await self.say(*decided)
        return decided is not None

    async def decided(self) -> "tuple[Player, bytes] | None":
        """Return the next player and their message; None at the end."""
        while not RULES.finished(self.people[0].view):
            for person in self.people:
                data = person.decide()
                if data:
                    return person, data
            # A player has not seen everything yet, or chance comes next.
            seen = {person.client.session.version for person in self.people}
            await self._see(max(seen) + (len(seen) == 1))
        return None

    async def say(self, person: Player, data: bytes) -> None:
        """Send a player's action, and wait until all have seen it."""
        began = time.perf_counter()
        self.took[person].append(await person.socket.answered(data) - began)
        await self._see((await person.client.wait_for(Accepted)).version)

    async def close(self) -> None:
        """All go."""
        for person in self.people:
            await person.socket.close()

    async def _see(self, version: int) -> None:
        for person in self.people:
            while person.client.session.version < version:
                await person.hear()


@asynccontextmanager
async def running(home: Path, count: int) -> AsyncIterator[tuple[Engines, list[Node]]]:
    """So many nodes and what they share."""
    async with running_services(home) as found:
        said = ("--store", found.store, "--bus", found.bus, "--seed", "5")
        nodes = [Node(home / f"node-{number}", said) for number in range(count)]
        try:
            await asyncio.gather(*(node.start() for node in nodes))
            yield found, nodes
        finally:
            await asyncio.gather(*(node.stop() for node in nodes))


async def cost(home: Path, actions: int) -> dict[str, float]:
    """Medians in milliseconds, and ratios."""
    async with running(home, 2) as (found, nodes):
        game = await Game.begun([node.address for node in nodes], 1)
        bare = await asyncpg.connect(found.store)
        await bare.execute("CREATE TABLE bare (n bigserial PRIMARY KEY, entry bytea NOT NULL)")
        replier = await _replier(found.bus)
        appender = await Appender.open(found.store)
        asker = await nats.connect(found.bus)
        ways: dict[str, Callable[[], Awaitable[object]]] = {
            "append": appender.append,
            "commit": lambda: bare.execute("INSERT INTO bare (entry) VALUES ($1)", ROW),
            "request": lambda: asker.request("bare", ROW),
            "ping": lambda: game.people[0].socket.ping(),
        }
        times: dict[str, list[float]] = {name: [] for name in ways}
        owner: list[float] = []
        edge: list[float] = []
        rng, round_ = random.Random(3), [*ways, _ACTION]
        while len(times["commit"]) < actions:
            decided = await game.decided()
            if decided is None:
                _count(game, owner, edge)
                await game.close()
                game = await Game.begun([node.address for node in nodes], len(owner))
                continue
            rng.shuffle(round_)
            for name in round_:
                if name == _ACTION:
                    await game.say(*decided)
                else:
                    times[name].append(await _timed(ways[name]))
        for client in (asker, replier):
            await client.close()
        await bare.close()
        await appender.store.close()
        _count(game, owner, edge)
    millis = {name: statistics.median(each) * 1000 for name, each in (times | {"owner": owner, "edge": edge}).items()}
    millis["append_per_commit"] = millis["append"] / millis["commit"]
    millis["owner_per_commit"] = millis["owner"] / millis["commit"]
    millis["edge_more_per_request"] = (millis["edge"] - millis["owner"]) / millis["request"]
    return {name: round(value, 3) for name, value in millis.items()} | {"actions": len(owner) + len(edge)}


def _count(game: Game, owner: list[float], edge: list[float]) -> None:
    """Collect the times of a match: of the first player at its owner, and of the second one at an edge."""
    for kept, person in zip((owner, edge), game.people, strict=True):
        kept += game.took[person][WARM:]


class Appender:
    """Keeps one entry after the other of a match, as an owner does, and nothing else."""

    def __init__(self, store: Store, check: bytes) -> None:
        self.store = store
        self._check = check
        self._version = 20

    @classmethod
    async def open(cls, where: str) -> "Appender":
        """On that database."""
        store = await open_store(where, Path(), beside=True)
        return cls(store, await filled(store, 20, "bench"))

    async def append(self) -> None:
        """The next one."""
        self._version += 1
        self._check = await self.store.append("bench", 1, self._check, entries(self._version, 1), None)


async def _replier(bus: str) -> Nats:
    client = await nats.connect(bus)

    async def reply(message: Msg) -> None:
        await message.respond(message.data)

    await client.subscribe("bare", cb=reply)
    await client.flush()
    return client


async def _timed(way: Callable[[], Awaitable[object]]) -> float:
    began = time.perf_counter()
    await way()
    return time.perf_counter() - began


async def crowd(home: Path, elsewhere: int, here: int, actions: int) -> dict[str, float]:
    """Milliseconds of processor for each action: of the owner's process, and of each of two with those elsewhere."""
    async with running(home, 3) as (_, nodes):
        game = await Game.begun([nodes[0].address] * 6, 2)
        readers = [
            await _looking_on(node, game.match, number)
            for node, number in zip(nodes, (here, elsewhere // 2, elsewhere // 2), strict=True)
            if number
        ]
        while await _onlookers(nodes[0], game.match) < elsewhere + here:
            await asyncio.sleep(0.2)
        for _ in range(WARM):
            await game.act()
        await _quiet(nodes)
        idle = await _idle(nodes)
        before, began = [_processor(node.pid) for node in nodes], time.monotonic()
        counted = 0
        while counted < actions and await game.act():
            counted += 1
            await asyncio.sleep(max(0.0, began + counted * PACE - time.monotonic()))
        await _quiet(nodes)
        wall = time.monotonic() - began
        spent = [
            (_processor(node.pid) - first - rate * wall) / counted * 1000
            for node, first, rate in zip(nodes, before, idle, strict=True)
        ]
        for reader in readers:
            reader.kill()
            await reader.wait()
    found = {"owner_ms": spent[0], "edge_ms": statistics.mean(spent[1:]), "idle_owner_ms_a_second": idle[0] * 1000}
    return {name: round(value, 3) for name, value in found.items()} | {"actions": counted, "seconds": round(wall, 1)}


async def _quiet(nodes: list[Node]) -> None:
    """Wait until everything published has gone out everywhere."""
    last = -1.0
    while (now := sum(_processor(node.pid) for node in nodes)) - last > 0.05:
        last = now
        await asyncio.sleep(1)


async def _idle(nodes: list[Node]) -> list[float]:
    """Return the processor seconds per second that each node takes at rest, mostly for heartbeats."""
    before = [_processor(node.pid) for node in nodes]
    await asyncio.sleep(IDLE)
    return [(_processor(node.pid) - first) / IDLE for node, first in zip(nodes, before, strict=True)]


async def _looking_on(node: Node, match: str, number: int) -> asyncio.subprocess.Process:
    command = (sys.executable, "-m", "tests.bench.bench_cluster", "--read", node.address, "--match", match)
    return await asyncio.create_subprocess_exec(*command, "--onlookers", str(number))


async def _onlookers(node: Node, match: str) -> int:
    async with calling(node.data) as ask:
        return int((await ask("show", match=match))["onlookers"])


def _processor(pid: int) -> float:
    """Seconds that a process has had, all its threads together (Linux)."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9


async def size(home: Path, matches: int, connections: int) -> dict[str, float]:
    """MiB of a node for each match with its host's connection, and for each connection that looks on."""
    async with running(home, 1) as (_, (node,)):
        game = await Game.begun([node.address, node.address], 3)
        empty = resident(node.pid)
        hosts = [await _hosting(node.address, number) for number in range(matches)]
        full = resident(node.pid)
        reader = await _looking_on(node, game.match, connections)
        while await _onlookers(node, game.match) < connections:
            await asyncio.sleep(0.2)
        crowded = resident(node.pid)
        reader.kill()
        await reader.wait()
        for host in hosts:
            host.socket.transport.abort()
    return {
        "empty_mib": round(empty, 1),
        "match_mib": round((full - empty) / matches, 4),
        "connection_mib": round((crowded - full) / connections, 4),
    }


async def _hosting(address: str, number: int) -> Client:
    """Host a match of six with five bots; the host owes a decision and never answers."""
    client = await Client(address, f"Host {number}").open()
    await client.ask(lambda ref: Create(ref, RULES.id, 6, {}, "t", seat=0), Seated)
    for seat in range(1, 6):
        await client.ask(lambda ref, seat=seat: SetBot(ref, seat, "random"), Done)  # type: ignore[misc]
    await client.say(Start)
    await client.wait_for(Snapshot)
    return client


def read(address: str, match: str, onlookers: int) -> None:
    """Look on, and read whatever comes, for ever."""
    raise_file_limit()
    host, _, port = address.removeprefix("ws://").rpartition(":")
    poll, readers = select.epoll(), {}
    for number in range(onlookers):
        reader = socket.create_connection((host, int(port)))
        hello = ClientSession(f"Onlooker {number}").connect()
        reader.sendall(UPGRADE + masked(Opcode.BINARY, hello) + masked(Opcode.BINARY, codec.encode(Watch(1, match))))
        readers[reader.fileno()] = reader
        poll.register(reader, select.EPOLLIN)
    while True:
        for number, _ in poll.poll():
            readers[number].recv(1 << 18)


async def measure(args: argparse.Namespace) -> dict[str, Any]:
    """All of it."""
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="conquest-bench-", dir=args.data) as home:
        place = (Path(home) / str(number) for number in range(100))
        if "cost" in args.parts:
            found["cost"] = await cost(next(place), args.actions)
        if "crowd" in args.parts:
            for elsewhere, here in ((30, 0), (args.crowd, 0), (0, 30), (0, args.crowd // 2)):
                name = f"crowd, {elsewhere} elsewhere, {here} here"
                found[name] = await crowd(next(place), elsewhere, here, args.actions // 2)
                print(name, found[name], file=sys.stderr, flush=True)
        if "size" in args.parts:
            found["size"] = await size(next(place), 200, 1000)
    return found | {"load": [round(each, 1) for each in os.getloadavg()]}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--read", default="", help=argparse.SUPPRESS)
    parser.add_argument("--match", default="", help=argparse.SUPPRESS)
    parser.add_argument("--onlookers", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--actions", type=int, default=600, help="of the part `cost`; half of them for each crowd")
    parser.add_argument("--crowd", type=int, default=3000, help="people who look on")
    parser.add_argument("--data", type=Path, default=None, help="a directory on the disk that is meant")
    parser.add_argument("--parts", nargs="*", default=["cost", "crowd", "size"], help="(default: cost crowd size)")
    args = parser.parse_args()
    if args.read:
        return read(args.read, args.match, args.onlookers)
    raise_file_limit()
    print(json.dumps(stopping.run(measure(args), event_loop.chosen(event_loop.AUTO)), indent=2))
    return None


if __name__ == "__main__":
    main()

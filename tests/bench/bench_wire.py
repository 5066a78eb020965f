"""Time of an action until it reaches every client, and its bytes: `python -m tests.bench.bench_wire`.

Only ratios mean something on a shared machine, so each action is followed, after the same pause, by its yardsticks:

- the library's echo, the one of the target: a bare `websockets` server (in the process of the matches) and a bare
  `websockets` client (in the driver's), both without compression. "In a row": asked without a pause, for comparison;
- the probe's echo: the same server, asked by the hand-made client that the actions are measured with;
- a bare commit: one row into an SQLite file with the store's settings, in line.

An action has arrived when the last client has received its bytes. Prints one JSON object.

`--stages` says instead where the time goes in the server (`tests/bench/stages.py`). It does so for each game with 2 and
26 clients, beside the probe's echo of the same run.
"""

import argparse
import asyncio
import json
import logging
import os
import random
import select
import socket
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve

from protocol import codec
from protocol.limits import Rates
from protocol.session import ClientSession
from server import log
from server.bots import policy
from server.connections.admission import GENEROUS
from server.connections.server_app import App, Settings
from server.storage.port import Bars, DeedRecord, Fit, Glance, Past, PersonRecord, StoredMatch, TableRecord
from server.tools import demo
from shared.history import Entry, chain
from shared.kernel import engine
from shared.kernel.ruleset import AnyRuleset
from shared.messages import ClientMessage, Create, Frame, Join, Start
from shared.rulesets.registry import RULESETS, ruleset
from tests.bench import stages
from tests.bench.stages import p50

UPGRADE: Final = (
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
TARGET: Final = 2.0


CROWD: Final = 20_000
"""Connections that the server allows."""


class MemoryStore:
    """Keeps nothing: what is left of an action's time without the disk."""

    healthy = True
    shared = False

    async def create(self, table: TableRecord) -> None:
        """See server.storage.port.Store."""

    async def save(self, table: TableRecord, epoch: int) -> None:
        """See server.storage.port.Store."""

    async def release(self, table: TableRecord, epoch: int) -> None:
        """See server.storage.port.Store."""

    async def release_all(self, held: Sequence[tuple[TableRecord, int]]) -> None:
        """See server.storage.port.Store."""

    def append(
        self, match: str, epoch: int, check: bytes, entries: Sequence[Entry], table: TableRecord | None
    ) -> "asyncio.Future[bytes]":
        """See server.storage.port.Store."""
        done: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        done.set_result(chain(check, msgspec.msgpack.encode(entries[-1])))
        return done

    async def claim(self, match: str, fit: Fit | None = None) -> StoredMatch | None:
        """See server.storage.port.Store."""
        return None

    async def read(self, match: str, first: int, count: int) -> list[bytes]:
        """See server.storage.port.Store."""
        return []

    async def unfinished(self, within: float = 0.0) -> list[str]:
        """See server.storage.port.Store."""
        return []

    async def due(self) -> dict[str, int]:
        """See server.storage.port.Store."""
        return {}

    async def age(self) -> int:
        """See server.storage.port.Store."""
        return 0

    async def keep_age(self, age: int) -> int:
        """See server.storage.port.Store."""
        return age

    async def by_code(self, code: str) -> str | None:
        """See server.storage.port.Store."""
        return None

    async def look(self, match: str) -> Glance | None:
        """See server.storage.port.Store."""
        return None

    async def past(self, below: int, ruleset: str, count: int) -> list[Past]:
        """See server.storage.port.Store."""
        return []

    async def over_since(self, date: float) -> list[str]:
        """See server.storage.port.Store."""
        return []

    async def unplayed(self, since: float, before: float) -> list[str]:
        """See server.storage.port.Store."""
        return []

    async def deeds(self) -> list[DeedRecord]:
        """See server.storage.port.Store."""
        return []

    async def keep_deed(self, deed: DeedRecord) -> None:
        """See server.storage.port.Store."""

    async def matches_of(self, person: str) -> list[str]:
        """See server.storage.port.Store."""
        return []

    async def people(self) -> list[PersonRecord]:
        """See server.storage.port.Store."""
        return []

    async def keep_person(self, person: PersonRecord, bars: Bars | None = None) -> None:
        """See server.storage.port.Store."""

    async def scrub(self) -> None:
        pass

    async def forget_person(self, person: str) -> None:
        """See server.storage.port.Store."""

    async def delete(self, match: str, epoch: int) -> None:
        """See server.storage.port.Store."""

    async def close(self) -> None:
        """See server.storage.port.Store."""


async def echo(connection: ServerConnection) -> None:
    """The yardstick."""
    async for message in connection:
        await connection.send(message)


async def serve_both(durable: bool, staged: bool) -> None:
    """A server of matches and an echo in one process; prints both addresses, and at the end the stages, if asked."""
    pin(1)
    counted = stages.install() if staged else None
    log.start(logging.WARNING)
    with tempfile.TemporaryDirectory() as directory:
        # No client here answers pings.
        limits = msgspec.structs.replace(GENEROUS, connections=CROWD, local_connections=CROWD)
        settings = Settings(
            Path(directory), port=0, seed=1, pace=0.0, ping=3600.0, limits=limits, rates=Rates(1e9, 1e9)
        )
        store = None if durable else MemoryStore()
        app = await App.start(settings, RULESETS, demo.no_bots, store)
        options: dict[str, Any] = {"compression": None, "ping_interval": None, "logger": log.LIBRARY}
        async with serve(echo, "127.0.0.1", 0, **options) as other:
            port = next(iter(other.sockets)).getsockname()[1]
            print(app.address.rpartition(":")[2], port, flush=True)
            await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
        if counted is not None:
            print(json.dumps(counted.report()), flush=True)
        await app.stop()


def pin(core: int) -> None:
    """Driver and server on different cores, where there are two."""
    if hasattr(os, "sched_setaffinity") and (os.cpu_count() or 1) > 1:
        os.sched_setaffinity(0, {core})


class LibraryEcho:
    """The yardstick: a round trip with the library on both ends."""

    def __init__(self, port: int) -> None:
        self._loop = asyncio.new_event_loop()
        address = f"ws://127.0.0.1:{port}"
        options: dict[str, Any] = {"compression": None, "ping_interval": None, "proxy": None}
        self._client = self._loop.run_until_complete(connect(address, **options))

    def ask(self, payload: bytes) -> float:
        """Seconds of one round trip."""
        return self._loop.run_until_complete(self._round_trip(payload))

    async def _round_trip(self, payload: bytes) -> float:
        began = time.perf_counter()
        await self._client.send(payload)
        await self._client.recv()
        return time.perf_counter() - began

    def close(self) -> None:
        """Hang up."""
        self._loop.run_until_complete(self._client.close())
        self._loop.close()


class BareCommit:
    """The disk's yardstick: one row, durable."""

    def __init__(self, directory: Path) -> None:
        self._db = sqlite3.connect(directory / "bare", isolation_level=None)
        for pragma in ("locking_mode = EXCLUSIVE", "journal_mode = WAL", "synchronous = FULL"):
            self._db.execute(f"PRAGMA {pragma}")
        self._db.execute("CREATE TABLE log (n INTEGER PRIMARY KEY, entry BLOB)")

    def ask(self, payload: bytes) -> float:
        """Seconds of one commit."""
        began = time.perf_counter()
        self._db.execute("BEGIN IMMEDIATE")
        self._db.execute("INSERT INTO log (entry) VALUES (?)", (payload,))
        self._db.execute("COMMIT")
        return time.perf_counter() - began


class Probe:
    """A client on a blocking socket: as little as possible between the clock and the wire."""

    def __init__(self, port: int, name: str = "") -> None:
        self.session = ClientSession(name)
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.sendall(UPGRADE)
        self.buffer = b""
        while b"\r\n\r\n" not in self.buffer:
            self.buffer += self.socket.recv(4096)
        self.buffer = self.buffer.partition(b"\r\n\r\n")[2]
        self.first: object = None

    def send(self, payload: bytes) -> None:
        """Send one masked binary message."""
        size = len(payload)
        length = bytes([0x80 | size]) if size < 126 else bytes([0x80 | 126]) + struct.pack(">H", size)
        self.socket.sendall(b"\x82" + length + bytes(4) + payload)

    def ask(self, payload: bytes) -> float:
        """Seconds until an echo is back."""
        began = time.perf_counter()
        self.send(payload)
        self.socket.recv(4096)
        return time.perf_counter() - began

    def say(self, make: type[Start] | ClientMessage) -> None:
        """A request."""
        message = make(self.session.ref()) if isinstance(make, type) else make
        self.send(codec.encode(message))

    def take_in(self, data: bytes) -> None:
        """Understand what came; `first` is the first message of it."""
        self.buffer += data
        self.first = None
        while len(self.buffer) >= 2:
            size, start = self.buffer[1], 2
            if size == 126:
                size, start = struct.unpack(">H", self.buffer[2:4])[0], 4
            elif size == 127:
                size, start = struct.unpack(">Q", self.buffer[2:10])[0], 10
            if len(self.buffer) < start + size:
                return
            received = self.session.receive(self.buffer[start : start + size])
            self.buffer = self.buffer[start + size :]
            self.first = self.first or received.message

    def drain(self, wait: float = 0.0) -> None:
        """Take in what is there."""
        while select.select([self.socket], [], [], wait)[0]:
            self.take_in(self.socket.recv(65536))
            wait = 0.0


class Table:
    """People and onlookers in a match; plays it action by action."""

    def __init__(self, rules: AnyRuleset, port: int, players: int, spectators: int) -> None:
        self.rules = rules
        self.probes = [Probe(port, f"Player {i}") for i in range(players)]
        for probe in self.probes:
            probe.send(probe.session.connect())
            probe.drain(1.0)
        host = self.probes[0]
        host.say(Create(host.session.ref(), rules.id, players, {}, "bench"))
        host.drain(1.0)
        for probe in self.probes[1:]:
            probe.say(Join(probe.session.ref(), host.session.match))
            probe.drain(1.0)
        for i in range(spectators):
            probe = Probe(port, f"Onlooker {i}")
            probe.send(probe.session.connect())
            probe.drain(1.0)
            probe.send(probe.session.watch(host.session.match))
            self.probes.append(probe)
        host.say(Start)
        self.players = players
        while not all(probe.session.in_sync for probe in self.probes):
            self.settle()

    def settle(self) -> None:
        """Let everything arrive, so that the next bytes belong to the next action."""
        time.sleep(0.0015)
        for probe in self.probes:
            probe.drain()

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.rules.finished(self.rules_view(self.probes[0]))

    def rules_view(self, probe: Probe) -> Any:
        """A probe's view as the rules read it."""
        return self.rules.view_decoder.decode(codec.ENCODER.encode(probe.session.view))

    def act(self, rng: random.Random) -> tuple[float, float] | None:
        """Make one action; return the seconds until the acting player and until the last client has its frame."""
        self.settle()
        seat = engine.owed(self.rules, self.rules_view(self.probes[0]))[0]
        actor = next(probe for probe in self.probes[: self.players] if probe.session.seat == seat)
        view = self.rules_view(actor)
        action = policy.choose("normal", self.rules, view, seat, rng)
        data = actor.session.act(engine.top(view).no, action)
        came: dict[Probe, bytes] = {}
        began = time.perf_counter()
        actor.send(data)
        came[actor] = actor.socket.recv(65536)
        own = time.perf_counter() - began
        for probe in self.probes:
            if probe is not actor:
                came[probe] = probe.socket.recv(65536)
        last = time.perf_counter() - began
        for probe, received in came.items():
            probe.take_in(received)
        return (own, last) if all(isinstance(probe.first, Frame) for probe in came) else None


def measure(rules: AnyRuleset, durable: bool, actions: int, players: int, spectators: int) -> dict[str, float]:
    """Round trips in microseconds of a server with or without a disk."""
    command = [sys.executable, "-m", "tests.bench.bench_wire", "--serve", "durable" if durable else "memory"]
    with (
        tempfile.TemporaryDirectory() as directory,
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server,
    ):
        assert server.stdout is not None and server.stdin is not None
        port, echo_port = map(int, server.stdout.readline().split())
        table = Table(rules, port, players, spectators)
        probe, library, bare = Probe(echo_port), LibraryEcho(echo_port), BareCommit(Path(directory))
        rng = random.Random(1)
        own, last, by_probe, by_library, commits = [list[float]() for _ in range(5)]
        payload = bytes(24)
        while len(last) < actions:
            if table.over:
                table = Table(rules, port, players, spectators)
            times = table.act(rng)
            # After the same pause as before an action: who has waited wakes up slower.
            table.settle()
            by_probe.append(probe.ask(payload))
            table.settle()
            by_library.append(library.ask(payload))
            if durable:
                table.settle()
                commits.append(bare.ask(payload))
            if times is not None:
                own.append(times[0])
                last.append(times[1])
        in_a_row = [library.ask(payload) for _ in range(actions)]
        library.close()
        server.stdin.close()
    return {
        "library_echo_p50_us": p50(by_library),
        "library_echo_in_a_row_p50_us": p50(in_a_row),
        "probe_echo_p50_us": p50(by_probe),
        "bare_commit_p50_us": p50(commits or [0.0]),
        "actor_p50_us": p50(own),
        "last_p50_us": p50(last),
        "last_p99_us": round(sorted(last)[len(last) * 99 // 100] * 1e6, 1),
        "actor_per_library_echo": round(p50(own) / p50(by_library), 2),
        "last_per_library_echo": round(p50(last) / p50(by_library), 2),
        "actor_per_probe_echo": round(p50(own) / p50(by_probe), 2),
        "last_per_probe_echo": round(p50(last) / p50(by_probe), 2),
    }


def measure_stages(rules: AnyRuleset, actions: int, players: int, spectators: int) -> dict[str, float]:
    """Microseconds of each stage of an action in a server without a disk, and of the probe's echo."""
    command = [sys.executable, "-m", "tests.bench.bench_wire", "--serve", "stages"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None and server.stdin is not None
        port, echo_port = map(int, server.stdout.readline().split())
        table, probe, rng = Table(rules, port, players, spectators), Probe(echo_port), random.Random(1)
        echoes = []
        for _ in range(actions):
            if table.over:
                table = Table(rules, port, players, spectators)
            table.act(rng)
            table.settle()
            echoes.append(probe.ask(bytes(24)))
        server.stdin.close()
        found: dict[str, float] = json.loads(server.stdout.readline())
    return found | {"probe echo": p50(echoes)}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--serve", choices=["durable", "memory", "stages"], help=argparse.SUPPRESS)
    parser.add_argument("--ruleset", choices=sorted(RULESETS), default="classic")
    parser.add_argument("--stages", action="store_true", help="say where the time goes in the server")
    parser.add_argument("--actions", type=int, default=600)
    parser.add_argument("--players", type=int, default=6)
    parser.add_argument("--spectators", type=int, default=20)
    args = parser.parse_args()
    if args.serve:
        return asyncio.run(serve_both(args.serve == "durable", args.serve == "stages"))
    pin(0)
    if args.stages:
        table = {
            f"{rules.id}, {players + spectators} clients": measure_stages(rules, args.actions, players, spectators)
            for rules in RULESETS.values()
            for players, spectators in ((2, 0), (args.players, args.spectators))
        }
        return print(json.dumps(table, indent=2))
    rules = ruleset(args.ruleset)
    memory = measure(rules, False, args.actions, args.players, args.spectators)
    durable = measure(rules, True, args.actions, args.players, args.spectators)
    write = round(durable["last_p50_us"] - memory["last_p50_us"], 1)
    options = {option.key: 10 for option in rules.options if option.key == "round_limit"}
    plan = demo.DemoPlan(rules.id, args.players, 4, 1, options)
    report, _ = asyncio.run(demo.play(plan))
    result = {
        "ruleset": rules.id,
        "players": args.players,
        "spectators": args.spectators,
        "fan_out": memory,
        "target_last_per_library_echo": TARGET,
        "with_durable_write": durable,
        "durable_write": {
            "p50_us": write,
            "per_bare_commit": round(write / durable["bare_commit_p50_us"], 2),
        },
        "bytes": {
            "delta_mean": report.delta_bytes_mean,
            "delta_p99": report.delta_bytes_p99,
            "frame_mean": report.frame_bytes_mean,
            "snapshot": report.snapshot_bytes,
        },
    }
    print(json.dumps(result, indent=2))
    return None


if __name__ == "__main__":
    main()

"""Millions of damaged messages: `python -m tests.faults.messages --count 10000000`; over sockets with `--sockets`.

In process they pass through session, lobby, table and rules, of all rule sets. Each answer is a refusal with a code, no
exception is raised, and the players at the same tables go on. Afterwards no trace of the messages is left in memory."""

import argparse
import asyncio
import contextlib
import gc
import logging
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from msgspec import Raw, Struct, structs

from protocol import codec
from protocol.limits import MAX_TO_CLIENT, Close
from protocol.session import ServerSession
from protocol.version import PROTOCOL
from server import log
from server.archive.film_builder import made
from server.bus.local import LocalBus
from server.connections.admission import GENEROUS, Admission
from server.connections.client_connection import ClientConnection
from server.connections.public_address import PublicAddress
from server.lobby.lobby import Lobby
from server.matches.dice import Dice
from server.matches.match_archive import FilmRequest, FilmResult
from server.matches.match_time import MatchTime
from server.matches.table import Services
from server.rate_limits import Rate
from shared import messages as m
from shared.kernel import engine
from shared.rulesets.registry import RULESETS, ruleset
from tests.faults.attacks import HELLO, UPGRADE, masked
from tests.faults.memory import MemoryStore, Shelf
from tests.faults.mutants import LARGEST, Known, mutant, sound, sound_act
from tests.faults.process import Process, begun, resident
from tests.faults.wire import Wire
from tests.server.fakes import FAST, Client, FakeClock
from tests.server.toy import TOY

GENERATION: Final = 20_000
"""Messages after which all clients leave, and the server must be as empty as before."""
NAMES: Final = ("Nero", "Nero 2")
ROUND: Final = 24
"""Messages that are sent before any client waits."""
PEOPLE: Final = 2
"""Players at each table; a hostile client has the third seat."""
HOSTILE: Final = 4
"""Hostile clients at each table: one has a seat, the others watch or are at no table."""
GROWTH: Final = 20_000
"""Memory blocks that a server may gain in the second half of its generations: only caches may fill."""
CALM: Final = structs.replace(GENEROUS, requests=Rate(1e9, 1e9))
_REFUSED: Final = b"\x97\x01"
_SEATED: Final = b"\x96\x07"
_ACCEPTED: Final = b"\x93\x03"
_HOUR: Final = 3600.0


class Verdict(Struct):
    """Result of a run."""

    sent: int = 0
    accepted: int = 0
    refused: Counter[str] = Counter()
    faults: list[str] = []
    blocks: list[int] = []
    """Allocated blocks of memory after each generation."""

    @property
    def growth(self) -> int:
        """Number of memory blocks allocated since half-way, when everything had been used often enough."""
        return self.blocks[-1] - self.blocks[len(self.blocks) // 2] if self.blocks else 0

    def note(self, payload: bytes) -> None:
        """Check an answer to a hostile client."""
        self.accepted += payload.startswith(_ACCEPTED)
        if payload.startswith(_REFUSED):
            message = codec.decode_server(payload)
            assert isinstance(message, m.Refused)
            self.refused[message.code] += 1
            if not message.code or not message.text or message.code in ("server-error", "storage"):
                self.faults.append(f"refused in no good words: {message}")


class Trouble(logging.Handler):
    """Log handler that counts every logged error as a fault."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__(logging.ERROR)
        self.faults = faults

    def emit(self, record: logging.LogRecord) -> None:
        """See logging.Handler."""
        self.faults.append(f"{record.getMessage()} {getattr(record, 'fields', {})} {record.exc_info}")


class Guest:
    """Hostile client that keeps the messages it receives."""

    def __init__(self, world: "World", address: str, name: str, hostile: bool) -> None:
        self.world = world
        self.address = address
        self.name = name
        self.hostile = hostile
        self.told: list[bytes] = []
        self.place: Callable[[], Struct] | None = None
        """Message that returns the client to its seat."""
        self.known = world.known
        self.connect()

    def connect(self) -> None:
        """Connect, or connect again."""
        self.wire = Wire(self.address, self._hear, lambda _code: None)
        self.wire.begin(self.world.conversation)
        self.say(m.Hello(PROTOCOL, self.name))
        if self.place is not None:
            self.say(self.place())

    def mutant(self) -> bytes:
        """Return a damaged message: mostly about the match if the client has a seat."""
        rng = self.world.rng
        is_seated = self.place is not None and isinstance(self.place(), m.Resume)
        return mutant(rng, self.known, sound_act if is_seated and rng.random() < 0.7 else sound)

    def say(self, message: Struct) -> None:
        """Send a valid message."""
        self.wire.receive(codec.encode(message))

    async def ask(self, message: Struct, kind: type[m.ServerMessage]) -> Any:
        """Send a request, and return the answer of that kind."""
        self.told.clear()
        self.say(message)
        await self.world.quiet()
        answers = [answer for answer in map(codec.decode_server, self.told) if isinstance(answer, kind)]
        if not answers:
            raise RuntimeError(f"{self.name} said {message} and was told {self.told}")
        return answers[0]

    def _hear(self, payload: bytes) -> None:
        if not self.hostile:
            return self.told.append(payload)
        self.world.verdict.note(payload)
        if payload.startswith(_SEATED):
            seated = codec.decode_server(payload)
            assert isinstance(seated, m.Seated)
            self.place = lambda: m.Resume(1, seated.match, seated.token)
        return None


class World:
    """Server in memory with players at its tables, and hostile clients among them."""

    def __init__(self, verdict: Verdict, rng: random.Random) -> None:
        self.verdict = verdict
        self.rng = rng
        self.clock = FakeClock()
        self.shelf = Shelf(self.clock.now)
        self.rulesets = {**RULESETS, TOY.id: TOY}
        self.lobby = Lobby(self._services(), self.rulesets)
        self.gate = Admission(CALM, self.clock.now)
        self.people: list[Guest] = []
        self.strangers: list[Guest] = []
        self.known = Known(tuple(self.rulesets))

    def conversation(self, wire: Wire) -> ClientConnection:
        """Return the server's side of a connection."""
        session = ServerSession(m.Welcome(PROTOCOL, "", "test", ()), FAST, self.clock.now)
        return ClientConnection(wire, session, self.lobby, self.gate, PublicAddress())  # type: ignore[arg-type]

    async def people_play(self) -> None:
        """Start a match of each rule set, with hostile clients on one seat, watching, and at no table."""
        matches: list[str] = []
        for number, name in enumerate(self.rulesets):
            host, guest = (self._person(f"{role} {name}") for role in ("Host", "Guest"))
            seated = await host.ask(m.Create(1, name, 3, {}, "Title"), m.Seated)
            matches.append(seated.match)
            await guest.ask(m.Join(1, seated.match), m.Seated)
            strangers = [self._stranger(number * HOSTILE + i) for i in range(HOSTILE)]
            strangers[0].say(m.Join(2, seated.match))
            strangers[1].place = lambda match=seated.match: m.Watch(1, match)
            strangers[1].say(strangers[1].place())
            await self.quiet()
            host.say(m.Start(3))
        await self.quiet()
        for stranger in self.strangers:
            stranger.known = Known(tuple(self.rulesets), tuple(matches), ("", "ABCDEF"), (bytes(32),), NAMES)
        self.go_on()

    def go_on(self) -> None:
        """Let players act, and tell hostile clients the actions that are possible now."""
        for number, task in enumerate(self.lobby.tasks[: len(self.strangers) // HOSTILE]):
            match = task.table.match
            if match is not None and match.owed:
                seat = match.owed[-1]
                action = codec.encode(self.rng.choice(engine.options(match.rules, match.state, seat)))
                if seat < PEOPLE:
                    command = match.highest_command(seat) + 1
                    self.people[number * PEOPLE + seat].say(m.Act(command, match.frame, Raw(action)))
                for stranger in self.strangers[number * HOSTILE : (number + 1) * HOSTILE]:
                    stranger.known.acts = ((match.frame, action), *stranger.known.acts[:4])

    async def quiet(self) -> None:
        """Wait until no task has anything to do."""
        await asyncio.sleep(0)
        while self._is_busy():
            await asyncio.sleep(0)

    async def empty(self) -> None:
        """Let all clients leave, and delete the tables with their stored data."""
        for guest in (*self.people, *self.strangers):
            guest.wire.lose()
        await asyncio.gather(*(guest.wire.task for guest in (*self.people, *self.strangers)))
        self.people.clear()
        self.strangers.clear()
        self.known = Known(tuple(self.rulesets))
        for _ in range(3):
            await self.clock.advance(_HOUR)
            await self.quiet()
        self.shelf.matches.clear()
        if self.lobby.tables:
            self.verdict.faults.append(f"{self.lobby.tables} tables stay behind")

    def _is_busy(self) -> bool:
        guests = (*self.people, *self.strangers)
        if self.lobby._archive.busy:
            return True
        return any(guest.wire.unheard and guest.wire.is_open for guest in guests) or any(
            not (task._idle and task._mailbox.empty()) and not task._stopping for task in self.lobby.tasks
        )

    def _services(self) -> Services:
        store = MemoryStore(self.shelf)
        generous = Rate(1e9, 1e9)
        return Services(
            store,
            LocalBus(),
            self.clock,
            Dice(1),
            _no_bot,
            MatchTime(self.clock),
            pace=1.0,
            talk=generous,
            make=self._make,
        )

    async def _make(self, wanted: FilmRequest) -> FilmResult:
        """Make a film in the same process."""
        return made(wanted, self.rulesets)

    def _person(self, name: str) -> Guest:
        self.people.append(Guest(self, "127.0.0.1", name, hostile=False))
        return self.people[-1]

    def _stranger(self, number: int) -> Guest:
        self.strangers.append(Guest(self, f"192.0.2.{number + 1}", "Nero", hostile=True))
        return self.strangers[-1]


async def _no_bot(_ruleset: str, _kind: str, _seat: int, _view: bytes, _seed: int, _seconds: float) -> bytes:
    """Choose the default action in place of a bot."""
    return b""


@contextmanager
def watched(faults: list[str]) -> Iterator[None]:
    """Count errors that are logged or raised in callbacks inside the context as faults."""
    trouble = Trouble(faults)
    level, propagates = log.LOGGER.level, log.LOGGER.propagate
    log.LOGGER.addHandler(trouble)
    log.LOGGER.propagate = False
    log.LOGGER.setLevel(logging.ERROR)
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: faults.append(str(context)))
    try:
        yield
    finally:
        log.LOGGER.removeHandler(trouble)
        log.LOGGER.propagate = propagates
        log.LOGGER.setLevel(level)


async def in_process(count: int, seed: int) -> Verdict:
    """Send so many messages to a server in memory."""
    verdict = Verdict()
    world = World(verdict, random.Random(seed))
    with watched(verdict.faults):
        while verdict.sent < count and not verdict.faults:
            await _generation(world, min(GENERATION, count - verdict.sent))
            gc.collect()
            verdict.blocks.append(sys.getallocatedblocks())
        await world.lobby.stop()
    if verdict.growth > GROWTH:
        verdict.faults.append(f"{verdict.growth} blocks of memory stay behind: {verdict.blocks}")
    return verdict


async def _generation(world: World, count: int) -> None:
    """Let players sit down and hostile clients send messages; check that the players are served, and let all leave."""
    await world.people_play()
    rng, verdict = world.rng, world.verdict
    last: list[bytes] = []
    try:
        for _ in range(0, count, ROUND):
            last.clear()
            for stranger in rng.choices(world.strangers, k=ROUND):
                last.append(stranger.mutant())
                _reconnected(stranger).wire.receive(last[-1])
            await world.quiet()
            verdict.sent += len(last)
            world.go_on()
            _tidy(world)
            if verdict.faults:
                verdict.faults.append(f"after one of {last}")
                return
        for person in world.people:
            await _is_well(person)
    finally:
        await world.empty()


def _reconnected(guest: Guest) -> Guest:
    """Return a new client in place of one that was disconnected."""
    if not guest.wire.is_open:
        guest.connect()
    return guest


def _tidy(world: World) -> None:
    """Drop all but the last message that each player received."""
    for person in world.people:
        del person.told[:-5]


async def _is_well(person: Guest) -> None:
    """Check that a client at a table gets what it asks for: the match, or that it has not begun."""
    person.told.clear()
    person.say(m.Sync(0))
    await person.world.quiet()
    if not person.wire.is_open or not person.told:
        person.world.verdict.faults.append(f"{person.name} is not answered any more")


class Visit:
    """Hostile connection to a real server: a greeting, some damaged messages, and any answers."""

    def __init__(self, target: tuple[str, int], verdict: Verdict) -> None:
        self._target = target
        self._verdict = verdict

    async def pay(self, messages: list[bytes]) -> None:
        """Send all messages, and receive until the server closes the connection or answers the last one."""
        reader, writer = await asyncio.open_connection(*self._target)
        try:
            writer.write(UPGRADE)
            await reader.readuntil(b"\r\n\r\n")
            self._verdict.sent += len(messages)
            writer.write(HELLO + b"".join(masked(2, data) for data in messages) + _LAST)
            await self._listen(reader)
        except (ConnectionError, asyncio.IncompleteReadError):
            # All places are taken: the server has not yet processed the end of former connections.
            await asyncio.sleep(PAUSE)
        writer.transport.abort()

    async def _listen(self, reader: asyncio.StreamReader) -> None:
        with contextlib.suppress(asyncio.IncompleteReadError):
            while True:
                first, size = await reader.readexactly(2)
                wide = {126: 2, 127: 8}.get(size, 0)
                length = int.from_bytes(await reader.readexactly(wide), "big") if wide else size
                if length > MAX_TO_CLIENT:
                    return self._verdict.faults.append(f"an answer of {length} bytes")
                if self._heed(first, await reader.readexactly(length)):
                    return None

    def _heed(self, first: int, payload: bytes) -> bool:
        """Check one frame of the server; return whether it was the last."""
        if first == _CLOSE:
            code = int.from_bytes(payload[:2], "big")
            if code not in {*Close} or code == Close.INTERNAL:
                self._verdict.faults.append(f"closed with {code} {payload[2:]!r}")
            return True
        try:
            codec.decode_server(payload)
            self._verdict.note(payload)
            return payload.startswith(_LISTED)
        except codec.BadMessage as error:
            self._verdict.faults.append(f"an answer that is none: {error}")
        return False


_CLOSE: Final = 0x88
_LAST: Final = masked(2, codec.encode(m.OpenLobby(2**32 - 1, False)))
_LISTED: Final = b"\x94\x04\xce\xff\xff\xff\xff"
"""The beginning of the answer to the last request."""
EACH: Final = 20
"""Messages of one connection."""
AT_ONCE: Final = 40
"""Connections at once."""
PAUSE: Final = 0.1
"""Seconds until a refused client tries again."""
WARM: Final = 0.3
"""Share of all messages after which a server's memory must stay as it is."""
SWELLING: Final = 24.0
"""MiB that it may still gain: rate limits of strangers, tables that are kept for a while."""


async def over_sockets(count: int, seed: int) -> Verdict:
    """Send so many messages to a real server, on which two people play."""
    verdict = Verdict()
    with tempfile.TemporaryDirectory() as name:
        told = Path(name) / "log"
        with told.open("wb") as log_file:
            server = Process(Path(name) / "data", log=log_file.fileno())
            await server.start()
            try:
                await _visits(server, count, random.Random(seed), verdict)
            finally:
                await server.kill()
        lines = told.read_text().splitlines()
    verdict.faults += [line for line in lines if '"level": "error"' in line][:5]
    return verdict


async def _visits(server: Process, count: int, rng: random.Random, verdict: Verdict) -> None:
    host, port = server.url.removeprefix("ws://").split(":")
    people = await begun(server.url, ruleset("classic"), 2, seed=1)
    session = people[0].client.session
    position = people[0].rules.view_decoder.decode(codec.ENCODER.encode(session.view))
    options = engine.options(people[0].rules, position, engine.owed(people[0].rules, position)[0])
    frame = engine.top(position).no
    acts = tuple((frame, codec.encode(action)) for action in options[:20])
    # Tables that local people make are kept for two minutes: in process is the place for those.
    known = Known(("nowhere",), (session.match,), ("", "ABCDEF"), (bytes(32),), ("Nero",), acts)
    memory: list[float] = []

    async def visitor() -> None:
        while verdict.sent < count and not verdict.faults:
            messages = [mutant(rng, known)[:LARGEST] for _ in range(EACH)]
            await Visit((host, int(port)), verdict).pay(messages)
            if verdict.sent > WARM * count and not memory:
                memory.append(resident(server.process.pid))

    await asyncio.gather(*(visitor() for _ in range(AT_ONCE)))
    memory.append(resident(server.process.pid))
    if memory[-1] - memory[0] > SWELLING:
        verdict.faults.append(f"the server grew from {memory[0]:.1f} to {memory[-1]:.1f} MiB")
    late = await Client(server.url, "Late").open()
    await late.say(lambda ref: m.Watch(ref, session.match))
    await late.wait_for(m.Snapshot)


def main() -> int:
    """Run the test with many messages."""
    parser = argparse.ArgumentParser("tests.faults.messages", description=__doc__)
    parser.add_argument("--count", type=int, default=1_000_000, help="how many messages (default: 1000000)")
    parser.add_argument("--seed", type=int, default=1, help="of the first (default: 1)")
    parser.add_argument("--sockets", action="store_true", help="to a real server over real sockets")
    args = parser.parse_args()
    began = time.monotonic()
    verdict = asyncio.run((over_sockets if args.sockets else in_process)(args.count, args.seed))
    seconds = time.monotonic() - began
    print(f"{verdict.sent} messages in {seconds:.0f} s, {verdict.sent / seconds:.0f} a second.")
    print(f"{verdict.accepted} acts were accepted.")
    print("Refused:", ", ".join(f"{code} {times}" for code, times in verdict.refused.most_common()))
    print(*verdict.faults[:10], sep="\n")
    print(f"{len(verdict.faults)} faults.")
    return 1 if verdict.faults else 0


if __name__ == "__main__":
    sys.exit(main())

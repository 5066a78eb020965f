"""Clients and a server in simulated time, over a network that fails: `python -m tests.faults.simulation`.

Sessions, connections, lobby and match are real; network, disk and time are simulated, so that a seed determines all
that happens. Messages are delayed, and connections are lost with messages in transit. Either side may notice that late,
clients connect twice, clients and the server crash. Then all faults stop, and the match must come to its end.

Afterwards every acknowledged action is in the log, once; the log has none that was not sent or was refused. Every
client saw at every version what the log says, in order, without repetition. Players undid only their own last
decisions, and the match went back only by request. Clocks run, and many expire; no seat was charged time in which there
was no server."""

import argparse
import asyncio
import multiprocessing
import os
import random
import sys
import time
import zlib
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Any, Final

from msgspec import Struct

from protocol import codec, delta
from protocol.limits import Rates
from protocol.session import ClientSession, ServerSession
from protocol.version import PROTOCOL
from server.bus.local import LocalBus
from server.clock import Timer
from server.connections.admission import Admission, Limits
from server.connections.client_connection import ClientConnection
from server.connections.public_address import PublicAddress
from server.lobby.lobby import Lobby
from server.matches.dice import Dice
from server.matches.match_time import MatchTime
from server.matches.table import Services
from shared import messages as m
from shared.clocks import pace_of
from shared.history import Course, Deed, Entry
from shared.ids import NONE, Seat
from shared.kernel import engine
from shared.kernel.frames import Action
from shared.kernel.ruleset import AnyRuleset, IllegalAction
from shared.rulesets.registry import RULESETS
from shared.tables import Late, Matter, Pace, Run
from shared.tables import Outcome as Decision
from tests.faults.memory import Kept, MemoryStore, Shelf
from tests.faults.messages import watched
from tests.faults.wire import Wire
from tests.server.toy import TOY, Boast
from tests.support.match_clocks import clocks_after

GAMES: Final = {TOY.id: TOY, **RULESETS}
PATIENCE: Final = 300.0
"""Simulated seconds within which a match must end after the last fault."""
FAULTS: Final = 12
"""Average number of faults."""
CLOCKS: Final = (None, *(Pace(Run.LIVE, 1, bank, 2, late) for late in Late for bank in (2, 60)), Pace(Run.POST, 2, 9))
"""Clocks of tables: none, too little time, enough of it."""
SHORT: Final = {"rounds": 15, "round_limit": 1}
"""Options by which matches end soon, in the games that have them."""
WELCOME: Final = m.Welcome(PROTOCOL, "", "simulated", ())
_CURRENT: ContextVar["Server | None"] = ContextVar("server", default=None)


class Standstill(Exception):
    """Error for a simulation in which no event is left."""


class VirtualLoop(asyncio.BaseEventLoop):
    """Event loop whose time advances only when no task is ready."""

    def __init__(self) -> None:
        super().__init__()
        self._selector = self
        self._now = 0.0
        self.set_task_factory(_owned_task)

    def time(self) -> float:
        """Seconds since the beginning."""
        return self._now

    def select(self, timeout: float | None) -> list[object]:
        """Return no events in place of a selector: nothing comes from outside."""
        if timeout is None:
            raise Standstill
        self._now += timeout
        return []

    def _process_events(self, _events: list[object]) -> None:
        """Do nothing: there are no events."""

    def _write_to_self(self) -> None:
        """Do nothing: the loop has one thread only."""


def _owned_task(loop: asyncio.AbstractEventLoop, work: Any, **options: Any) -> "asyncio.Task[Any]":
    """Return a task that belongs to the running server and ends with it."""
    task = asyncio.Task(work, loop=loop, **options)
    server = _CURRENT.get()
    if server is not None:
        server.tasks.append(task)
    return task


class Server:
    """Server from its start to its crash. Its stored data outlives it on the shelf."""

    def __init__(self, world: "World") -> None:
        self.alive = True
        self.tasks: list[asyncio.Task[Any]] = []
        self.pipes: list[Pipe] = []
        self._world = world
        self._written = 0.0
        self._queued: deque[Callable[[], object]] = deque()
        store = MemoryStore(world.shelf, self._write)
        services = Services(store, LocalBus(), self, Dice(world.seed), self._bot, MatchTime(self, world.shelf.age))
        self._lobby = Lobby(services, {world.rules.id: world.rules})
        self._gate = Admission(Limits(), self.now)
        self.born = self.now()
        owner = _CURRENT.set(self)
        world.loop.create_task(self._lobby.begin())
        _CURRENT.reset(owner)

    def now(self) -> float:
        """See server.clock.Clock."""
        return self._world.loop.time()

    def call_later(self, delay: float, callback: Callable[[], object]) -> Timer:
        """See server.clock.Clock."""
        return self._world.loop.call_later(delay, self._if_alive, callback)

    def accept(self, pipe: "Pipe") -> Wire:
        """Accept a connection."""
        self.pipes.append(pipe)
        wire = Wire("127.0.0.1", pipe.to_client.send, pipe.closed)
        owner = _CURRENT.set(self)
        wire.begin(self._serve)
        _CURRENT.reset(owner)
        return wire

    def crash(self) -> None:
        """Simulate kill -9: data that is not on the disk is lost, and no client is told."""
        self.alive = False
        self._world.lived += self.now() - self.born
        for task in self.tasks:
            task.cancel()
        for pipe in self.pipes:
            pipe.cut()

    def _serve(self, wire: Wire) -> ClientConnection:
        session = ServerSession(WELCOME, Rates(), self.now)
        return ClientConnection(wire, session, self._lobby, self._gate, PublicAddress())  # type: ignore[arg-type]

    def _write(self, work: Callable[[], object]) -> None:
        """Schedule a disk job after a delay, one after the other."""
        self._written = max(self._written, self.now()) + self._world.rng.choice((0.0, 0.001, 0.01, 0.2))
        self._queued.append(work)
        self._world.loop.call_at(self._written, self._if_alive, self._work)

    def _work(self) -> None:
        self._queued.popleft()()

    def _if_alive(self, work: Callable[[], object]) -> None:
        if self.alive:
            work()

    async def _bot(self, _ruleset: str, _kind: str, seat: Seat, view: bytes, seed: int, _seconds: float) -> bytes:
        """Play for seats whose time is up, by any option."""
        rules = self._world.rules
        options = engine.options(rules, rules.view_decoder.decode(view), seat)
        return codec.encode(options[seed % len(options)])


class Way:
    """Direction of a connection: in order, delayed; at the end some of it is lost."""

    def __init__(self, world: "World", arrive: Callable[[bytes], None]) -> None:
        self._world = world
        self._arrive = arrive
        self._at = 0.0
        self._under_way: deque[bytes] = deque()
        self._survive: int | None = None

    def send(self, data: bytes) -> None:
        """Send data after a delay."""
        if self._survive is None:
            self._at = max(self._at, self._world.loop.time() + self._world.latency())
            self._under_way.append(data)
            self._world.loop.call_at(self._at, self._come)

    def cut(self, noticed: Callable[[], None]) -> None:
        """Cut the direction: the first messages in transit may still arrive, and the cut is noticed later."""
        if self._survive is None:
            self._survive = self._world.rng.randint(0, len(self._under_way))
            at = max(self._at, self._world.loop.time()) + self._world.rng.choice((0.0, 0.01, 1.0, 5.0))
            self._world.loop.call_at(at, noticed)

    def _come(self) -> None:
        # Take it from the queue, not from the alarm: alarms of the same time ring in any order.
        data = self._under_way.popleft()
        if self._survive is None or self._survive > 0:
            self._survive = None if self._survive is None else self._survive - 1
            self._arrive(data)


class Pipe:
    """Connection between a client and a server."""

    def __init__(self, world: "World", client: "Client", server: Server) -> None:
        self._client = client
        self.to_client = Way(world, lambda data: client.hear(self, data))
        self.to_server = Way(world, lambda data: self._wire.receive(data) if server.alive else None)
        self._wire = server.accept(self)

    def cut(self) -> None:
        """Cut both directions."""
        self.to_client.cut(lambda: self._client.lost(self))
        self.to_server.cut(self._wire.lose)

    def closed(self, _code: int) -> None:
        """Cut the connection, as the server closed it."""
        self.cut()


class Client:
    """Program of a player: it plays, loses connections, crashes, and comes back. Its messages are recorded."""

    def __init__(self, world: "World", seat: int) -> None:
        self._world = world
        self.seat = seat
        self.session = ClientSession(f"Person {seat}")
        self.pipe: Pipe | None = None
        self.opening: Callable[[int], Struct] | None = None
        self._saved: tuple[str, bytes] | None = None
        self._told = 0
        self._acted = -1
        self._thinking = False
        self._undoing: dict[int, int] = {}
        """By request, the version at which a decision was to be undone."""

    def connect(self) -> None:
        """Open a connection in place of the last one; try again if the server is down."""
        world = self._world
        if not world.server.alive:
            self.pipe = None
            world.loop.call_later(world.rng.uniform(0.1, 1.0), self._connect_again)
            return
        self.pipe = Pipe(world, self, world.server)
        self._undoing.clear()
        self._told = self.session._have()
        self.pipe.to_server.send(self.session.connect())

    def _connect_again(self) -> None:
        if self.pipe is None:
            self.connect()

    def lost(self, pipe: Pipe) -> None:
        """Forget a connection, and connect again later."""
        if pipe is self.pipe:
            self.pipe = None
            self._world.loop.call_later(self._world.rng.uniform(0.0, 0.5), self._connect_again)

    def crash(self) -> None:
        """Restart the program: only the seat's token was stored."""
        if self._saved is not None:
            pipe, self.pipe = self.pipe, None
            if pipe is not None:
                pipe.cut()
            self.session = ClientSession(f"Person {self.seat}")
            self.session.restore(*self._saved)
            self._acted = -1
            self.connect()

    def hear(self, pipe: Pipe, data: bytes) -> None:
        """Process a message; those of a former connection are ignored."""
        if pipe is not self.pipe:
            return
        self._follow(codec.decode_server(data))
        before = dict(self.session.pending)
        received = self.session.receive(data)
        for reply in received.replies:
            pipe.to_server.send(reply)
        message = received.message
        self._world.note(self.seat, type(message).__name__, self.session.version)
        if message is not None:
            self._heed(message, before)
        if self.session.at_table and self.session.in_sync:
            self._see()

    def say(self, make: Callable[[int], Struct]) -> None:
        """Send a request."""
        assert self.pipe is not None
        self.pipe.to_server.send(codec.encode(make(self.session.ref())))

    def _follow(self, message: m.ServerMessage) -> None:
        """Check that the stream of a match brings version after version, independently of the session."""
        if isinstance(message, m.Frame):
            self._world.expect(message.version == self._told + 1, f"version {message.version} came after {self._told}")
        if isinstance(message, m.Frame | m.Snapshot):
            self._told = message.version

    def _heed(self, message: m.ServerMessage, pending: dict[int, bytes]) -> None:
        match message:
            case m.Welcome() if self.opening is not None and self._saved is None:
                self.say(self.opening)
            case m.Seated():
                self._saved = (message.match, message.token)
                self._world.seated(self, message.match)
            case m.Accepted() if message.command in pending:
                self._world.accepted(self.seat, message, pending[message.command])
            case m.Poll() if message.outcome is Decision.OPEN and self.session.seat in message.voters:
                self._answer(message)
            case m.Poll() if message.outcome is Decision.CARRIED:
                self._world.agreed.add(message.motion.to)
            case m.Done() | m.Refused() if message.ref in self._undoing:
                version = self._undoing.pop(message.ref)
                self._world.undone(self.seat, version, isinstance(message, m.Done))
            case m.Refused() if message.ref in pending and message.code != "no-table":
                self._world.refused(self.seat, message, pending[message.ref])

    def _see(self) -> None:
        """Record the view, and act on it after a while."""
        session = self.session
        self._world.saw(self.seat, session)
        if not self._thinking:
            self._thinking = True
            self._world.loop.call_later(self._world.rng.choice((0.0, 0.005, 0.05)), self._think)

    def _think(self) -> None:
        self._thinking = False
        session, world = self.session, self._world
        if self.pipe is None or not (session.at_table and session.in_sync) or session.pending:
            return None
        view = world.rules.view_decoder.decode(codec.ENCODER.encode(session.view))
        world.over |= world.rules.finished(view)
        if world.rng.random() < 0.02 and session.version > 1:
            return self._propose()
        if session.undo and not self._undoing and world.rng.random() < 0.4:
            return self._undo()
        if self._acted != session.version and session.seat in engine.owed(world.rules, view):
            self._acted = session.version
            action = self._choose(view)
            data = session.act(engine.top(view).no, action)
            world.sent[session.seat].add(data)
            self.pipe.to_server.send(data)
        return None

    def _choose(self, view: Any) -> Action:
        if self._world.rules is TOY and self._world.rng.random() < 0.3:
            return Boast()
        return self._world.rng.choice(engine.options(self._world.rules, view, self.session.seat))

    def _propose(self) -> None:
        """Propose to go back, a little way or a long one."""
        to = self._world.rng.randint(0, self.session.version - 1)
        self._world.proposed.add(to)
        self.say(lambda ref: m.Propose(ref, m.Motion(Matter.BACK, to=to)))

    def _answer(self, poll: m.Poll) -> None:
        """Answer a vote, nearly always with yes."""
        if self.session.seat not in (*poll.ayes, *poll.noes):
            yes = self._world.rng.random() < 0.9
            self.say(lambda ref: m.Vote(ref, poll.number, yes))

    def _undo(self) -> None:
        """Ask to undo the last decision; a refusal because it is too late is tested as well."""
        ref = self.session.ref()
        self._undoing[ref] = self.session.version
        self._world.undos[self.seat, self.session.version] += 1
        self.say(lambda _: m.Undo(ref, self.session.version))


class World:
    """Parts of a simulation, and all that was observed in it."""

    def __init__(self, seed: int, rules: AnyRuleset) -> None:
        self.seed = seed
        self.rules = rules
        self.rng = random.Random(seed)
        self.loop = asyncio.get_running_loop()
        self.seats = self.rng.randint(2, 4) if rules is TOY else self.rng.choice((2, 3))
        self.shelf = Shelf()
        self.lived = 0.0
        """Seconds in which there was a server that crashed since."""
        self.clocks = random.Random(f"clocks {seed}").choice(CLOCKS)
        self.server = Server(self)
        self.clients = [Client(self, seat) for seat in range(self.seats)]
        self.match = ""
        self.over = False
        self.wrong: list[str] = []
        self.trace = 0
        self.sent: list[set[bytes]] = [set() for _ in range(self.seats)]
        self._accepted: list[tuple[int, m.Accepted, bytes]] = []
        self._refused: list[tuple[int, m.Refused, bytes]] = []
        self.proposed: set[int] = set()
        self.agreed: set[int] = set()
        """Versions that a player asked to go back to, and those on which all agreed according to any message."""
        self.undos: Counter[tuple[int, int]] = Counter()
        """By seat and version, the number of requests to undo."""
        self._undone: list[tuple[int, int, bool]] = []
        self._seen: dict[tuple[int, int], int] = {}
        self._slow = self.rng.choice((0.0, 0.001, 0.02, 0.2))

    def latency(self) -> float:
        """Seconds that a message takes."""
        return self._slow * self.rng.random() + (self.rng.random() if self.rng.random() < 0.01 else 0.0)

    async def run(self) -> None:
        """Play with faults, recover, and come to the end."""
        await self._begin()
        for _ in range(self.rng.randint(0, 2 * FAULTS)):
            await asyncio.sleep(self.rng.expovariate(2.0))
            self._fail()
        if not self.server.alive:
            self._start_again()
        await self._until(lambda: self.over and all(self._is_up_to_date(client) for client in self.clients))

    def seated(self, client: Client, match: str) -> None:
        """Note that a player is seated."""
        self.match = match
        client.seat = client.session.seat

    def accepted(self, seat: int, message: m.Accepted, data: bytes) -> None:
        """Note that an action was acknowledged as durable."""
        self._accepted.append((seat, message, data))

    def refused(self, seat: int, message: m.Refused, data: bytes) -> None:
        """Note that an action was refused."""
        self._refused.append((seat, message, data))

    def undone(self, seat: int, version: int, done: bool) -> None:
        """Note whether a player's last decision at that version is undone."""
        self._undone.append((seat, version, done))

    def saw(self, seat: int, session: ClientSession) -> None:
        """Note the match's version that a client sees, by the digest of its view."""
        digest = session._digest()
        before = self._seen.setdefault((seat, session.version), digest)
        self.expect(before == digest, f"seat {seat} sees version {session.version} in two ways")

    def expect(self, right: bool, words: str) -> None:
        """Note a fault unless the condition holds."""
        if not right:
            self.wrong.append(words)

    def note(self, *what: object) -> None:
        """Note an event, by which two runs are compared."""
        self.trace = zlib.crc32(repr((round(self.loop.time(), 6), *what)).encode(), self.trace)

    def judge(self) -> None:
        """Compare what clients saw with the log."""
        kept = self.shelf.matches.get(self.match)
        if kept is None:
            return self.expect(False, "the match is not kept")
        log = {entry.n: entry for entry in kept.entries}
        commands = [(entry.seat, entry.command) for entry in log.values() if entry.command]
        self.expect(len(commands) == len(set(commands)), "a command acted twice")
        known = [{_said(data) for data in sent} for sent in self.sent]
        for entry in log.values():
            said = (entry.command, entry.frame, entry.action)
            self.expect(not entry.command or said in known[entry.seat], f"nobody sent {entry}")
        self._judge_answers(log)
        self._judge_steps_back(log)
        try:
            self._judge_clocks(kept)
            self._judge_views(kept.entries, kept.table.options)
        except IllegalAction as illegal:
            self.expect(False, f"the log cannot be followed: {illegal}")
        return None

    def _judge_answers(self, log: dict[int, Entry]) -> None:
        for seat, message, data in self._accepted:
            entry = log.get(message.version)
            kept = entry and (entry.seat, (entry.command, entry.frame, entry.action))
            self.expect(kept == (seat, _said(data)), f"acknowledged and not kept: {message} of seat {seat}")
        done = {(entry.seat, (entry.command, entry.frame, entry.action)) for entry in log.values()}
        for seat, refused, data in self._refused:
            self.expect((seat, _said(data)) not in done, f"kept and refused: {refused}")

    def _judge_steps_back(self, log: dict[int, Entry]) -> None:
        for entry in log.values():
            if entry.deed is Deed.BACK and entry.seat == NONE:
                self.expect(entry.to in self.proposed, f"nobody wished for {entry}")
            elif entry.deed is Deed.BACK:
                between = [log[n] for n in range(entry.to + 1, entry.n)]
                own = all(each.seat == entry.seat and (each.command or each.deed) for each in between)
                self.expect(bool(between) and own, f"not one's own alone: {entry}")
        went = {entry.to for entry in log.values() if entry.deed is Deed.BACK and entry.seat == NONE}
        self.expect(self.agreed <= went, f"agreed and not done: {self.agreed - went}")
        for seat, version, done in self._undone:
            entry_ = log.get(version + 1)
            taken = entry_ is not None and (entry_.seat, entry_.deed) == (seat, Deed.BACK)
            lost = self.undos[seat, version] > 1  # A client that asks twice may have missed the first answer.
            self.expect(
                taken == done or (taken and lost),
                f"seat {seat} was told the contrary of what was taken back after {version}",
            )

    def _judge_clocks(self, kept: Kept) -> None:
        """Check that no seat was charged time in which there was no server, or more than there was."""
        course = Course(self.rules, self.seats, kept.table.options)
        clocks_after(course, pace_of(self.clocks, 0), kept.table.begun, kept.entries)
        at, lived = kept.table.begun, 1000 * (self.lived + self.server.now() - self.server.born)
        charged = [(0, seat, at) for seat in range(self.seats)]
        for entry in kept.entries:
            self.expect(at <= entry.at <= lived + 1, f"{entry} was accepted at no time")
            at = entry.at
            if entry.deed is Deed.BACK and entry.seat >= 0:
                # An undone decision was never complete: its time is charged with the decision that replaces it.
                charged = [each for each in charged if each[1] != entry.seat or each[0] <= entry.to]
            for seat, used in entry.used:
                since = max(date for _, whose, date in charged if whose == seat)
                self.expect(0 <= used <= at - since, f"seat {seat} used more time than there was: {entry}")
                charged.append((entry.n, seat, at))

    def _judge_views(self, entries: list[Entry], options: dict[str, int]) -> None:
        """Replay the log and compare each version with the views of all clients."""
        for passed in Course(self.rules, self.seats, options).follow(entries):
            for seat in range(self.seats):
                seen = self._seen.get((seat, passed.entry.n))
                if seen is not None:
                    true = delta.digest(codec.encode(self.rules.view(passed.state, seat)))
                    self.expect(seen == true, f"seat {seat} saw something else at version {passed.entry.n}")
        for client in self.clients:
            self.expect(client.session.version == len(entries), f"seat {client.seat} did not see the end")
            self.expect(
                client.session.mismatches == 0, f"seat {client.seat} had {client.session.mismatches} mismatches"
            )

    async def _begin(self) -> None:
        """Seat all players and start the match, without faults so far."""
        host = self.clients[0]
        known = {option.key for option in self.rules.options}
        options = {key: value for key, value in SHORT.items() if key in known}
        host.opening = lambda ref: m.Create(ref, self.rules.id, self.seats, options, "Title", pace=self.clocks)
        host.connect()
        await self._until(lambda: bool(self.match))
        for client in self.clients[1:]:
            client.opening = lambda ref: m.Join(ref, self.match)
            client.connect()
        await self._until(lambda: all(client.session.at_table for client in self.clients))
        host.say(m.Start)
        await self._until(lambda: all(client.session.view is not None for client in self.clients))

    def _fail(self) -> None:
        client = self.rng.choice(self.clients)
        kind = self.rng.choice(("cut", "cut", "twice", "client", "server", "all"))
        self.note("fault", kind, client.seat)
        if kind == "cut" and client.pipe is not None:
            client.pipe.cut()
        elif kind == "twice" and client.pipe is not None:
            client.pipe.cut()
            client.connect()
        elif kind == "client":
            client.crash()
        elif kind == "server" and self.server.alive:
            self.server.crash()
            self.loop.call_later(self.rng.uniform(0.0, 2.0), self._start_again)
        elif kind == "all":
            for pipe in self.server.pipes:
                pipe.cut()

    def _start_again(self) -> None:
        if not self.server.alive:
            self.server = Server(self)

    def _is_up_to_date(self, client: Client) -> bool:
        kept = self.shelf.matches[self.match]
        session = client.session
        return session.at_table and session.in_sync and session.version == len(kept.log) and not session.pending

    async def _until(self, done: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not done():
                await asyncio.sleep(0.05)


def _said(data: bytes) -> tuple[int, int, bytes]:
    """Return command, frame and action of an encoded Act."""
    act = codec.decode_client(data)
    return act.command, act.frame, bytes(act.action)  # type: ignore[union-attr]


class Outcome(Struct):
    """Faults of a run, the version that the match reached, and a digest that is the same in each run of the seed."""

    seed: int
    wrong: list[str]
    version: int
    trace: int


def run(seed: int, rules: AnyRuleset = TOY) -> Outcome:
    """Run one simulation."""

    async def live() -> Outcome:
        world = World(seed, rules)
        with watched(world.wrong):
            try:
                await world.run()
            except (TimeoutError, Standstill) as error:
                world.wrong.append(f"the match came to no end: {error!r}")
            world.judge()
            world.server.crash()
            await asyncio.sleep(0)
        return Outcome(seed, world.wrong, max(client.session.version for client in world.clients), world.trace)

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(live())


def first_wrong(seeds: range, rules: AnyRuleset = TOY) -> Outcome | None:
    """Return the first run with a fault, None if there is none."""
    return next((outcome for outcome in map(run, seeds, [rules] * len(seeds)) if outcome.wrong), None)


def _outcomes(seeds: range, rules: AnyRuleset, processes: int) -> Iterator[Outcome]:
    work = [(seed, rules.id) for seed in seeds]
    if processes == 1:
        yield from map(_run_by_name, work)
        return
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        yield from pool.imap_unordered(_run_by_name, work, chunksize=20)


def _run_by_name(work: tuple[int, str]) -> Outcome:
    return run(work[0], GAMES[work[1]])


def main() -> int:
    """Run many seeds."""
    parser = argparse.ArgumentParser("tests.faults.simulation", description=__doc__.split("\n")[0])
    parser.add_argument("--seeds", type=int, default=10_000, help="how many (default: 10000)")
    parser.add_argument("--first", type=int, default=0, help="the first of them (default: 0)")
    parser.add_argument("--ruleset", default=TOY.id, choices=GAMES, help="which game (default: one made for tests)")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="side by side")
    args = parser.parse_args()
    began = time.monotonic()
    seeds = range(args.first, args.first + args.seeds)
    wrong, versions = 0, 0
    for outcome in _outcomes(seeds, GAMES[args.ruleset], args.processes):
        versions += outcome.version
        wrong += bool(outcome.wrong)
        if outcome.wrong:
            print(f"seed {outcome.seed}:", *outcome.wrong[:3], sep="\n  ", flush=True)
    seconds = time.monotonic() - began
    print(f"{wrong} of {len(seeds)} seeds went wrong; {versions} versions in {seconds:.0f} s.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

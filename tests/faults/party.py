"""Clients at a table of a cluster, each with a list of nodes to try, and a record of all that they saw."""

import asyncio
import contextlib
import math
import random
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, Final, Protocol

from websockets.exceptions import WebSocketException

from protocol import codec
from protocol.limits import Close
from shared import messages as m
from shared.kernel import engine
from shared.kernel.ruleset import AnyRuleset
from tests.faults.talk import Talk
from tests.server.fakes import Client

GREETED: Final = 3.0
"""Seconds within which a connection must stand."""
PATIENCE: Final = 5.0
"""Seconds of silence after which a client that waits for an answer tries another node."""
BETWEEN: Final = 0.1
"""Seconds between two connections."""
THINKS: Final = (0.01, 0.08)
"""Seconds for which people think."""
PEOPLE: Final = 3


class Host(Protocol):
    """Server that clients can reach."""

    @property
    def url(self) -> str:
        """Address that clients connect to."""


class Hosts(Protocol):
    """Servers that share the matches."""

    @property
    def nodes(self) -> Sequence[Host]:
        """All servers, in a fixed order."""


class Viewer:
    """Client that stays at a match, on any node that answers. `loyal`: it tries no other node."""

    def __init__(self, world: Hosts, name: str, where: int) -> None:
        self.client = Client("", name)
        self.client.ping = PATIENCE
        self.where = where
        self.loyal = False
        self.rests = 0.0
        """Seconds more between two connections."""
        self.seen: dict[int, int] = {}
        """Digests by version."""
        self.wrong: list[str] = []
        self.connections = 0
        self._world = world
        self.parted = -math.inf
        """Time of the last end of a connection."""
        self._told_to_move = False
        self._heard = 0.0

    @property
    def synced(self) -> bool:
        """Whether the client is at its table now, with a view."""
        return self.client.session.at_table and self.client.session.in_sync

    @property
    def name(self) -> str:
        """Name of the client."""
        return self.client.session.name

    @property
    def standing(self) -> str:
        """State of the client as text."""
        version = f"version {self.client.session.version}" if self.synced else "no view"
        return f"{self.name} at node {self.where} with {version}"

    def move(self, where: int) -> None:
        """Continue at that node."""
        if where != self.where:
            self.where, self._told_to_move = where, True
            # The client counts as away from this moment on, not only once it notices the loss.
            self.client.session.at_table = False
            self.cut()

    def cut(self) -> None:
        """Close the connection, if there is one."""
        if hasattr(self.client, "socket"):
            self.client.cut()

    async def live(self) -> None:
        """Stay at the match, and reconnect as often as needed."""
        while True:
            with contextlib.suppress(OSError, TimeoutError, WebSocketException):
                await self._connect()
                while True:
                    await self._turn()
            self._part()
            self.cut()
            self.client.session.at_table = False
            if not (self.loyal or self._told_to_move):
                self.where = (self.where + 1) % len(self._world.nodes)
            await asyncio.sleep(BETWEEN + self.rests)

    def _part(self) -> None:
        """Record the end of a connection."""
        self.parted = time.monotonic()

    async def _connect(self) -> None:
        self._told_to_move = False
        self.client.url = self._world.nodes[self.where].url
        async with asyncio.timeout(GREETED):
            await self.client.open()
        if self._told_to_move:
            raise TimeoutError
        self._heard = time.monotonic()
        self.connections += 1

    async def _turn(self) -> None:
        """Receive one message, or do what is due."""
        due = self._due()
        patience = self._heard + PATIENCE if self._expects() and not self.loyal else math.inf
        moment = min(due, patience, time.monotonic() + PATIENCE)
        try:
            async with asyncio.timeout(max(0.0, moment - time.monotonic())):
                message = await self.client.next()
        except TimeoutError:
            if time.monotonic() >= due:
                return await self._do()
            if time.monotonic() >= patience:
                raise
            return None
        self._heard = time.monotonic()
        self._note(message)
        return None

    def _due(self) -> float:
        """Time of the next action of the client."""
        return math.inf

    async def _do(self) -> None:
        """Do the action that is due."""

    def _expects(self) -> bool:
        """Whether the client waits for an answer."""
        return not self.synced

    def _note(self, message: m.ServerMessage) -> None:
        session = self.client.session
        if session.in_sync and self.seen.setdefault(session.version, session.digest) != session.digest:
            self.wrong.append(f"{self.name} saw two views of version {session.version}")


class Onlooker(Viewer):
    """Spectator."""

    def __init__(self, world: Hosts, name: str, where: int, match: str) -> None:
        super().__init__(world, name, where)
        self._match = match

    async def _connect(self) -> None:
        # It may have been refused while the database could not be read: ask again.
        self.client.session.watch(self._match)
        await super()._connect()

    def _note(self, message: m.ServerMessage) -> None:
        super()._note(message)
        if isinstance(message, m.Refused):
            raise TimeoutError


class Player(Viewer):
    """Player that chooses at random, and remembers every answer."""

    def __init__(self, world: Hosts, name: str, where: int, rules: AnyRuleset, rng: random.Random) -> None:
        super().__init__(world, name, where)
        self.sent: dict[int, bytes] = {}
        self.accepted: dict[int, int] = {}
        self.refusals: list[m.Refused] = []
        self.replaced = 0
        self.talk = Talk(name)
        self.told: Callable[[bool], object] = bool
        """Callback for each accepted action (True), and for the end (False)."""
        self._rules = rules
        self._rng = rng
        self._looked_at = -1
        self._owes = False
        self._act_at = math.inf

    def _part(self) -> None:
        super()._part()
        self.replaced += hasattr(self.client, "socket") and self.client.socket.close_code == Close.REPLACED

    def _due(self) -> float:
        return self._act_at if self.synced and not self.client.session.pending else math.inf

    def _expects(self) -> bool:
        return super()._expects() or bool(self.client.session.pending)

    async def _do(self) -> None:
        session = self.client.session
        self._act_at = math.inf
        action = self._rng.choice(engine.options(self._rules, self._position(), session.seat))
        data = session.act(engine.top(self._position()).no, action)
        (command,) = session.pending
        self.sent[command] = codec.encode(action)
        await self.client.socket.send(data)
        text = self.talk.next_line()
        if text:
            await self.client.say(lambda ref: m.Say(ref, text))

    def _note(self, message: m.ServerMessage) -> None:
        super()._note(message)
        match message:
            case m.Accepted():
                known = self.accepted.setdefault(message.command, message.version)
                if known != message.version:
                    self.wrong.append(f"{self.name} was answered {known} and {message.version}")
                self.told(True)
            case m.Said():
                self.talk.hear(message)
            case m.Refused():
                self.refusals.append(message)
                if not self.synced:
                    raise TimeoutError
                # Wait first: a refusal often has a cause that passes in a moment.
                self._act_at = time.monotonic() + 2 * BETWEEN if self._owes else math.inf
            case m.Left():
                self.wrong.append(f"{self.name} lost the seat: {message.code}")
        if self.synced and self.client.session.version != self._looked_at:
            self._look()

    def _look(self) -> None:
        session, position = self.client.session, self._position()
        self._looked_at = session.version
        if self._rules.finished(position):
            self.told(False)
        self._owes = session.seat in engine.owed(self._rules, position)
        self._act_at = time.monotonic() + self._rng.uniform(*THINKS) if self._owes else math.inf

    def _position(self) -> Any:
        return self._rules.view_decoder.decode(codec.ENCODER.encode(self.client.session.view))


class Party:
    """Match with its players and spectators. Create one with `gathered`."""

    def __init__(self, match: str, rules: AnyRuleset, players: Sequence[Player], onlookers: Sequence[Onlooker]) -> None:
        self.match = match
        self.rules = rules
        self.players = players
        self.onlookers = onlookers
        self.accepts: list[float] = []
        """Times at which actions were accepted."""
        self.over = False
        self._changed = asyncio.Event()
        for player in players:
            player.told = self._hear
        self._lives = [asyncio.create_task(viewer.live()) for viewer in self.viewers]

    @property
    def viewers(self) -> tuple[Viewer, ...]:
        """Players and spectators."""
        return (*self.players, *self.onlookers)

    def _hear(self, accepted: bool) -> None:
        if accepted:
            self.accepts.append(time.monotonic())
        else:
            self.over = True
        self._changed.set()

    async def more(self, actions: int, since: float = -math.inf) -> None:
        """Wait until so many more actions were accepted, or the end. Raises RuntimeError if a client's task ended."""
        before = sum(at <= since for at in self.accepts) if since > -math.inf else len(self.accepts)
        while len(self.accepts) < before + actions and not self.over:
            self._changed.clear()
            waiting = asyncio.create_task(self._changed.wait())
            await asyncio.wait([waiting, *self._lives], return_when=asyncio.FIRST_COMPLETED)
            waiting.cancel()
            self.check()

    def check(self) -> None:
        """Raise the exception of a client's task, if there is one."""
        for life in self._lives:
            if life.done():
                life.result()

    def pause_since(self, began: float) -> float:
        """Return the longest time without an accepted action since then."""
        moments = [began, *(at for at in self.accepts if at > began)]
        return max((after - before for before, after in pairwise(moments)), default=math.inf)

    def spread(self) -> None:
        """Distribute players and spectators over all nodes."""
        for number, viewer in enumerate(self.viewers):
            viewer.loyal = False
            viewer.move(number % PEOPLE)

    def gather(self, where: int, loyal: bool = False) -> None:
        """Move all players to that node."""
        for player in self.players:
            player.loyal = loyal
            player.move(where)

    @property
    def newest(self) -> int:
        """Version after the last accepted action."""
        return max((version for player in self.players for version in player.accepted.values()), default=0)

    async def all_here(self) -> None:
        """Wait until everybody is at the table."""
        while not all(viewer.synced for viewer in self.viewers):
            self.check()
            await asyncio.sleep(0.02)

    async def all_saw(self, version: int) -> None:
        """Wait until everybody saw that version."""
        while not all(viewer.synced and viewer.client.session.version >= version for viewer in self.viewers):
            self.check()
            await asyncio.sleep(0.02)

    def hush(self) -> None:
        """Let all players stop acting."""
        for player in self.players:
            player.loyal = False
            player._due = lambda: math.inf  # type: ignore[method-assign]

    async def end(self) -> None:
        """End all clients."""
        for life in self._lives:
            life.cancel()
        await asyncio.gather(*self._lives, return_exceptions=True)
        for viewer in self.viewers:
            viewer.cut()


async def gathered(world: Hosts, rules: AnyRuleset, rng: random.Random, bot: bool) -> Party:
    """A match that has begun: three people, one on each node, maybe a bot; onlookers on each node."""
    players = [
        Player(world, f"Player {seat}", seat, rules, random.Random(rng.getrandbits(32))) for seat in range(PEOPLE)
    ]
    for player in players:
        await player._connect()
    host = players[0].client
    match = (await host.ask(lambda ref: m.Create(ref, rules.id, PEOPLE + bot, {}, "Proof"), m.Seated)).match
    for player in players[1:]:
        await player.client.ask(lambda ref: m.Join(ref, match), m.Seated)
    if bot:
        await host.ask(lambda ref: m.SetBot(ref, PEOPLE, "greedy"), m.Done)
    await host.say(m.Start)
    for player in players:
        await player.client.wait_for(m.Snapshot)
        player.cut()
    onlookers = [Onlooker(world, f"Onlooker {where}", where, match) for where in range(PEOPLE)]
    return Party(match, rules, players, onlookers)

"""Lobby with its surroundings for tests: a fake clock, fake connections, a real store."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, TypeVar, cast

from msgspec import Raw

from protocol import codec
from server.bus.local import LocalBus
from server.delivery.peer import Peer
from server.lobby.lobby import Lobby
from server.matches.dice import Dice
from server.matches.match_archive import Maker
from server.matches.match_time import MatchTime
from server.matches.table import Advisers, Decide, Services
from server.storage.database import Database
from server.storage.port import Store, StoreError
from server.storage.sqlite import SqliteStore
from server.webhooks.address_check import Resolve, resolve
from server.webhooks.mail_sender import MailSender, MailSettings
from server.webhooks.notifier import Notifier
from server.webhooks.push_key import PushKey
from server.webhooks.push_sender import PushSender
from server.webhooks.sender import WebhookSender
from shared.kernel.ruleset import AnyRuleset
from shared.messages import Act, ClientMessage, Clock, Create, Done, Join, Seated, Start
from tests.server.fakes import FakeClock, FakeLink, decide_one, settle
from tests.server.toy import TOY, Name

M = TypeVar("M")
T = TypeVar("T")


class CountedStore(SqliteStore):
    """Store that counts its requests."""

    jobs = 0

    def _ask(self, work: Callable[[Database], T]) -> "asyncio.Future[T]":
        self.jobs += 1
        return super()._ask(work)


class LobbyHarness:
    """Lobby with its surroundings."""

    def __init__(self, lobby: Lobby, clock: FakeClock, store: SqliteStore, rules: AnyRuleset = TOY) -> None:
        self.rules = rules
        self.lobby = lobby
        self.clock = clock
        self.store = store

    async def say(self, peer: Peer, message: ClientMessage) -> None:
        await self.lobby.hear(peer, message)
        await self.quiet()

    async def ask(self, peer: Peer, message: ClientMessage, kind: type[M]) -> M:
        link(peer).sent.clear()
        await self.say(peer, message)
        return link(peer).take(kind)

    async def drop(self, peer: Peer) -> None:
        self.lobby.gone(peer)
        await self.quiet()

    async def pass_time(self, seconds: float) -> None:
        await self.clock.advance(seconds)
        await self.quiet()

    async def quiet(self) -> None:
        """Wait until no task has anything to do: the store answers from its own thread."""
        if isinstance(self.store, CountedStore):
            await self._drained(self.store)
            return
        for _ in range(4):
            await settle()
            with contextlib.suppress(StoreError):
                await self.store.by_code("")
                if not isinstance(self.store, SqliteStore):
                    # PostgreSQL works in order only within each match.
                    for task in self.lobby.tasks:
                        await self.store.look(task.match)
        await settle()

    async def _drained(self, store: "CountedStore") -> None:
        """Wait until a round of settling asks the store for nothing, however long the chain of requests was."""
        before = -1
        while store.jobs != before + 1:
            await settle()
            before = store.jobs
            with contextlib.suppress(StoreError):
                await store.by_code("")
            await settle()

    async def table(self, people: int = 2, **options: Any) -> list[Peer]:
        """Return people at a new table."""
        peers = [Peer(FakeLink(), f"Person {i}") for i in range(people)]
        chosen = {"rounds": 50} if self.rules is TOY else {}
        create = Create(1, self.rules.id, people, chosen, "Title", **options)
        match = (await self.ask(peers[0], create, Seated)).match
        for peer in peers[1:]:
            await self.ask(peer, Join(1, match, self.code(match)), Seated)
        return peers

    async def match(self, people: int = 2, **options: Any) -> list[Peer]:
        """Return people in a match that has begun."""
        peers = await self.table(people, **options)
        await self.ask(peers[0], Start(2), Done)
        return peers

    def token(self, peer: Peer) -> bytes:
        """Return a valid token of a peer's seat, as if its holder had stored it."""
        return bytes(self.only().table.seating.chairs[peer.seat].offer_token())

    def code(self, match: str) -> str:
        return str(self.running(match).table.record.code)

    def running(self, match: str) -> Any:
        return next(task for task in self.lobby.tasks if task.match == match)

    def only(self) -> Any:
        (task,) = self.lobby.tasks
        return task


def person(called: str = "Anna", address: str = "") -> Peer:
    """Return a client on this computer, or from that address."""
    peer = Peer(FakeLink(), called)
    peer.address, peer.trusted = address, not address
    return peer


def link(peer: Peer) -> FakeLink:
    assert isinstance(peer.link, FakeLink)
    return peer.link


def shown(clock: Clock) -> tuple[tuple[int, ...], int]:
    """Return the seats that owe a decision, and the seconds left."""
    return clock.seats, clock.left


def name(harness: LobbyHarness, command: int, number: int) -> Act:
    return Act(command, harness.only().table.match.frame, Raw(codec.encode(Name(number))))


@asynccontextmanager
async def open_lobby(
    path: Path,
    decide: Decide = decide_one,
    store: Store | None = None,
    pace: float = 0.0,
    awake: bool = True,
    rules: AnyRuleset = TOY,
    advise: Advisers | None = None,
    make: Maker | None = None,
    timekeeping: bool = False,
    hooks: Resolve | None = None,
    settling: float = 0.0,
    push: PushKey | None = None,
    mail: MailSettings | None = None,
    date: Callable[[], float] | None = None,
) -> AsyncIterator[LobbyHarness]:
    """Create a server's lobby with its store; all stored matches are woken unless it is not `awake`.

    With the `store` of another harness: a second server on the same data, as after a kill -9 of the first.
    `pace`: of its bots. `timekeeping`: its age is stored, and matches are woken when a player's time is up. `hooks`:
    tables may have webhooks, on this computer too; resolves their addresses. `settling`: seconds after the start in
    which its age stands still. `push`: signs alerts to devices, whose push service may be on this computer.
    `mail`: server by which mails are sent. `date`: the date, by default that of the system."""
    clock = FakeClock()
    webhook_sender = None if hooks is None else WebhookSender(clock, "play.example.org", loopback=True, resolve=hooks)
    own = store or await CountedStore.open(path / "db")
    services = Services(
        own,
        LocalBus(),
        clock,
        Dice(3),
        decide,
        MatchTime(clock, await own.age(), settling),
        pace,
        advise=advise,
        make=make,
        webhook_sender=webhook_sender,
        notifier=Notifier(
            clock,
            lambda: "play.example.org",
            None if push is None else PushSender(clock, push, loopback=True),
            None if mail is None else MailSender(clock, mail),
            hooks is not None,
            loopback=True,
            resolve=hooks or resolve,
        ),
        date=date or time.time,
    )
    lobby = Lobby(services, {rules.id: rules})
    for match in await own.unfinished() if awake else ():
        await lobby.wake(match)
    if timekeeping:
        await lobby.begin()
    try:
        # A caller that passes another store knows its type.
        yield LobbyHarness(lobby, clock, cast(SqliteStore, own), rules)
    finally:
        await lobby.stop()
        if store is None:
            await own.close()


@contextmanager
def failing(store: SqliteStore) -> Iterator[None]:
    """Let all writes to the store fail inside the context."""
    store._probe_at = time.monotonic() + 3600  # First: the store's thread probes as soon as it is unhealthy.
    store.healthy = False
    try:
        yield
    finally:
        store.healthy = True

"""The server: all parts are built and connected here."""

import asyncio
import contextlib
import http
import json
import math
import platform
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Any, Final

from msgspec import Struct, structs
from msgspec.structs import astuple
from websockets.asyncio.server import Server, serve
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from protocol.limits import FORGIVEN, MAX_STRIKES, MAX_TO_CLIENT, MAX_TO_SERVER, MEANING, Close, Rates
from protocol.routes import is_local_only, routes_of
from protocol.session import ServerSession
from protocol.version import PROTOCOL
from server import log, metrics
from server.archive.retention import CHAT as CHAT_DAYS
from server.bus.bus_settings import BusSettings
from server.bus.local import LocalBus
from server.clock import Clock, LoopClock
from server.connections.admission import GENEROUS, Admission, Limits
from server.connections.certificate import Certificate
from server.connections.client_connection import ClientConnection
from server.connections.gated_server import gated
from server.connections.guard import GuardedConnection
from server.connections.listener import QUEUE, listen
from server.connections.public_address import PublicAddress
from server.lobby.lobby import UNFINISHED_EACH, Lobby
from server.lobby.other_nodes import OtherNodes
from server.lobby.rated_matches import LadderSettings
from server.matches.dice import Dice
from server.matches.match_archive import Maker
from server.matches.match_time import MatchTime
from server.matches.names import is_reserved
from server.matches.table import TALK, Advisers, Decide, Services
from server.metrics import Gauge
from server.opening import Sharer, join_cluster, open_store
from server.rate_limits import Budget, Rate
from server.storage.erased import ERASED, ErasedPeople
from server.storage.port import Store
from server.turns import Turns
from server.web.hosts import names
from server.web.http_responses import HttpResponses, encrypted
from server.web.site import File, page_version
from server.web.stop_page import StopPage
from server.webhooks.address_check import Resolve, resolve
from server.webhooks.mail_sender import MailSender, MailSettings
from server.webhooks.notifier import Notifier
from server.webhooks.push_key import PushKey, read_key
from server.webhooks.push_sender import PushSender
from server.webhooks.sender import WebhookSender
from shared.kernel.ruleset import AnyRuleset
from shared.messages import Bounds, Quota, Welcome
from shared.tables import (
    ABSENCE,
    ADVICE,
    BLOCKS,
    CHOICES,
    DESCRIBE,
    DEVICES,
    ED25519,
    HAND,
    HASTEN,
    HOOK,
    LABELS,
    LADDER,
    LESSONS,
    MEMBER,
    MINE,
    MISSED_CHAT,
    NOTICES,
    PACE,
    PACKED,
    PAGE,
    PING,
    PRESENCE,
    PROFILE,
    PROOF,
    PUBLIC_ADDRESS,
    PUSH,
    RATED,
    RECALL,
    REMATCH,
    RENAME,
    REPEAT,
    RESIZE,
    SEAT_REQUESTS,
    SEEKS,
    SENTENCES,
    UNDO,
    VOTES,
    TablePhase,
)

NAME: Final = "conquest-server"
_CAN: Final = (
    RESIZE,
    REMATCH,
    UNDO,
    VOTES,
    PROFILE,
    MINE,
    PACE,
    PROOF,
    HASTEN,
    HAND,
    PING,
    REPEAT,
    CHOICES,
    DESCRIBE,
    LABELS,
    LESSONS,
    ABSENCE,
    DEVICES,
    SEAT_REQUESTS,
    RENAME,
    MEMBER,
    SEEKS,
    BLOCKS,
)
"""Optional features of this server, named in its greeting."""


AGREED: Final = (
    PRESENCE,
    PACKED,
    ED25519,
    SENTENCES,
    LABELS,
    PUBLIC_ADDRESS,
    ABSENCE,
    PAGE,
    MISSED_CHAT,
    SEEKS,
    BLOCKS,
)
"""Optional features that clients may name in their greeting."""
UNLIMITED: Final = Rates(1e9, 1e9)
"""Rates of bots on the computer of a server for bots."""
SETTLING: Final = 5.0
"""Seconds after a start for which the server's age stands still, so that people can reconnect."""
CHAT: Final = Rate(0.5, 8.0)
"""Rate of chat lines from one address."""


class Hooks(Struct, frozen=True):
    """Settings of webhooks.

    `public`: this server's address, "" if unknown. `loopback`: also allow programs on this computer, without TLS.
    `resolve`: looks up names.
    """

    public: str = ""
    loopback: bool = False
    resolve: Resolve = resolve


class Push(Struct, frozen=True):
    """Settings of push alerts.

    `key`: file of the private key. `contact`: a mailto: or https: address of the operator, for push services.
    `loopback`, `resolve`: as in `Hooks`.
    """

    key: Path
    contact: str
    loopback: bool = False
    resolve: Resolve = resolve


class Settings(Struct, frozen=True):
    """Settings of a server.

    `data`: a directory. `store`: a URL, "" for a file in that directory. `pace`, `grace`, `talk`: as in `Services`.
    `ping`: seconds. `keep_finished`, `keep_chat`: days. `unfinished`: limit of unfinished matches from one address.
    `hooks`: None for no webhooks. `push`: None for no alerts to devices. `mail`: None for no mails. `metrics`: host and
    port for Prometheus. `public`: this server's public address, "" if unknown.
    """

    data: Path
    host: str = "127.0.0.1"
    port: int = 8600
    seed: int | None = None
    pace: float = 0.6
    grace: float = 120.0
    ping: float = 10.0
    origins: tuple[str, ...] = ()
    limits: Limits = Limits()
    rates: Rates = Rates()
    talk: Rate = TALK
    store: str = ""
    public: str = ""
    bus_settings: BusSettings | None = None
    """The bus of a cluster, None for a single server."""
    node: str = ""
    """Name of this node for operators, "": the machine's name."""
    keep_finished: float = math.inf
    keep_chat: float = CHAT_DAYS
    unfinished: int = UNFINISHED_EACH
    hooks: Hooks | None = None
    push: Push | None = None
    mail: MailSettings | None = None
    metrics: tuple[str, int] | None = None
    certificate: Certificate | None = None
    """Certificate for TLS on the same port, None for none."""
    ladder: LadderSettings | None = None
    """Rated matches for bots; None for none. Bots on this computer may then send as fast as they can."""
    pages: Mapping[str, File] = {}
    """Pages of the operator by path."""
    hosts: tuple[str, ...] = ()
    """Further host names of this server that its operator allows, beside that of `public`."""


class App:
    """Running server. Create one with `App.start`."""

    def __init__(
        self,
        store: Store,
        lobby: Lobby,
        admission: Admission,
        servers: Sequence[Server],
        cluster: OtherNodes | None = None,
    ) -> None:
        self.cluster = cluster
        self.store = store
        self.lobby = lobby
        self._admission = admission
        self._servers = servers
        self.hosts: frozenset[str] = frozenset()
        """Host names of this server, see `hosts.names`."""
        self.public = PublicAddress()
        self._closing: set[asyncio.Task[None]] = set()

    @classmethod
    async def start(
        cls, settings: Settings, rulesets: Mapping[str, AnyRuleset], decide: Decide, store: Store | None = None,
        advise: Advisers | None = None, make: Maker | None = None,
    ) -> "App":  # fmt: skip
        """Open the store (by default a file in `settings.data`), wake its matches, and listen.

        StoreError and OSError give the reason of a failure.
        """
        clock = LoopClock()
        push_key = None if settings.push is None else read_key(settings.push.key, settings.push.contact)
        shared = None if settings.bus_settings is None else Sharer(settings.node or platform.node(), settings.public)
        store = store or await open_store(settings.store, settings.data, shared=shared)
        bus = LocalBus()
        public = PublicAddress(_public_url(settings.public))
        notifier = _notifier(clock, settings, push_key, lambda: public.url or settings.public)
        services = Services(
            store,
            bus,
            clock,
            Dice(settings.seed),
            decide,
            MatchTime(clock, await store.age(), SETTLING),
            settings.pace,
            settings.grace,
            Budget(CHAT, clock.now),
            settings.talk,
            advise,
            make=make,
            webhook_sender=_webhook_sender(clock, settings.hooks),
            notifier=notifier,
            advice_turns=Turns(clock.now),
        )
        cluster = (
            None if settings.bus_settings is None else await join_cluster(store, clock, bus, settings.bus_settings)
        )
        erased = ErasedPeople(settings.data / ERASED)
        lobby = Lobby(
            services, rulesets, settings.keep_finished, cluster, settings.unfinished, erased, settings.keep_chat
        )
        bots = settings.ladder is not None
        admission = Admission(structs.replace(settings.limits, local_bots=bots), clock.now)
        # Made at once, so that Prometheus sees a zero and not a series that begins with the first action.
        for name in rulesets:
            metrics.ACTIONS.labels(name)
        plays = tuple((rules.id, rules.version) for rules in rulesets.values())
        can = (*([ADVICE] if advise is not None else []), *_CAN, *([RECALL] if make is not None else []))
        can = (*can, LADDER) if settings.ladder is not None else can
        if find_spec("openskill") is not None:
            # Only here: servers without the library have no ratings.
            from server.ladder.people import People

            lobby.people_ratings = People(services, lobby.people, lobby.task)
            can = (*can, RATED)
        can = (*can, HOOK) if settings.hooks is not None else can
        can = (*can, PUSH) if push_key is not None else can
        can = (*can, NOTICES) if notifier.ways else can
        can = (*can, *(path.removeprefix("/") for path in settings.pages))
        public_key = b"" if push_key is None else push_key.public
        welcome = Welcome(PROTOCOL, "", NAME, plays, can, AGREED, bounds(settings), public_key, page_version())
        unlimited = structs.replace(settings, rates=UNLIMITED, limits=GENEROUS)
        greetings = {False: (welcome, settings.rates), True: (_bounded(welcome, unlimited), UNLIMITED)}

        async def handler(connection: Any) -> None:
            greeting, rates = greetings[admission.is_unlimited(connection.address)]
            session = ServerSession(greeting, rates, clock.now, is_reserved)
            await ClientConnection(connection, session, lobby, admission, public).run()

        hosts = names((settings.host, settings.public, *settings.hosts))
        pages = None if settings.ladder is None else _open_ladder(lobby, services, rulesets, settings.ladder)
        door = HttpResponses(
            settings.origins,
            lambda: _health(is_healthy(store, cluster), lobby, admission, cluster),
            hosts,
            StopPage(lobby.notices.stops, lobby.notices.stop_mails),
            pages,
            settings.pages,
        )

        def ask(connection: Any, request: Request) -> Response | None:
            if settings.certificate is not None and not (connection.is_encrypted or connection.is_near):
                return encrypted(request, public.url)
            return door.answer(request, proxied=connection.is_proxied, posted=connection.posted)

        try:
            # Before anything is served: a profile that is not known yet would look like a stranger.
            await lobby.know_people()
            if cluster is not None:
                await cluster.serve(lobby)
            tls = settings.certificate is not None
            with gated(asyncio.get_running_loop()) if tls else contextlib.nullcontext():
                servers = [
                    await serve(handler, sock=listener, process_request=ask, **options_of(settings, admission))
                    for listener in listen(admission, settings.host, settings.port, settings.certificate)
                ]
            await lobby.begin()
        except BaseException:
            await lobby.stop()
            if cluster is not None:
                await cluster.stop()
            await store.close()
            raise
        app = cls(store, lobby, admission, servers, cluster)
        app.hosts, app.public = hosts, public
        return app

    @property
    def address(self) -> str:
        """The URL at which it listens."""
        host, port = next(iter(self._servers[0].sockets)).getsockname()[:2]
        return f"ws://[{host}]:{port}" if ":" in host else f"ws://{host}:{port}"

    @property
    def healthy(self) -> bool:
        """Whether the server is healthy, see `is_healthy`."""
        return is_healthy(self.store, self.cluster)

    @property
    def connections(self) -> int:
        """Number of connections."""
        return self._admission.total

    def gauges(self) -> list[Gauge]:
        """Return present values for Prometheus; called in another thread."""
        tables = [task.table for task in self.lobby.tasks]
        matches = Counter[tuple[str, ...]](
            dict.fromkeys(product(self.lobby.rulesets, (phase.name.lower() for phase in TablePhase)), 0)
        )
        matches.update((table.record.ruleset, table.record.phase.name.lower()) for table in tables)
        viewers = sum(table.audience.watchers for table in tables)
        return [
            ("conquest_matches", "Matches in memory", ("ruleset", "phase"), matches),
            ("conquest_viewers", "Spectators", (), {(): viewers}),
            ("conquest_connections", "Connections", (), {(): self.connections}),
            ("conquest_healthy", "Whether matches can be saved", (), {(): float(self.healthy)}),
            *(self.cluster.gauges() if self.cluster is not None else ()),
        ]

    async def stop(self) -> None:
        """Notify clients, close all connections (1012), and finish writing to the store. Takes 3 seconds at most."""
        self.lobby.notify("restart", "The server stops; your seat is kept.")
        # Players must find their matches free where they reconnect: in a cluster, connections outlive the tables.
        for server in self._servers:
            server.close(self.cluster is None, Close.RESTART, MEANING[Close.RESTART])
        if self.cluster is not None:
            await self._stop_lobby()
            # Closing the store frees all matches that were not released in time. Closing thousands of connections first
            # would delay that.
            await self.store.close()
            self._close_connections()
            await self.cluster.stop()
        closed = asyncio.gather(*(server.wait_closed() for server in self._servers))
        done, _ = await asyncio.wait({closed}, timeout=1.5)
        if not done:
            # Clients that do not read would delay the end for ever.
            self._admission.cut_all()
            await asyncio.wait({closed}, timeout=1.0)
        closed.cancel()
        if self.cluster is None:
            await self._stop_lobby()
            await self.store.close()
        log.info("stopped")

    def _close_connections(self) -> None:
        for server in self._servers:
            for connection in tuple(server.connections):
                task = asyncio.create_task(connection.close(Close.RESTART, MEANING[Close.RESTART]))
                self._closing.add(task)
                task.add_done_callback(self._closing.discard)

    async def _stop_lobby(self) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.lobby.stop(), 1.5)


def _open_ladder(
    lobby: Lobby, services: Services, rulesets: Mapping[str, AnyRuleset], settings: LadderSettings
) -> Callable[[str, Headers], File | None]:
    """Give the lobby a ladder; return the function that finds its pages.

    Only servers with a ladder need the library of ratings. Raises ValueError without it.
    """
    try:
        from server.ladder.ladder import Ladder
        from server.ladder.page import LadderPage
    except ImportError as error:
        raise ValueError(f"Rated matches need a library: pip install 'conquest-empire[ladder]' ({error}).") from None
    ladder = lobby.ladder = Ladder(services, lobby, lobby.people, rulesets, settings)
    return LadderPage(ladder, services.clock).file


def _bounded(welcome: Welcome, settings: Settings) -> Welcome:
    return structs.replace(welcome, bounds=bounds(settings))


def _public_url(public: str) -> str:
    """Return the WebSocket address of a public name; "" if there is none, or only the local network knows it."""
    url = routes_of(public)[0] if public else ""
    return "" if is_local_only(url) else url


def bounds(settings: Settings) -> Bounds:
    """Return the limits that clients are told."""
    rates, admission = settings.rates, settings.limits
    return Bounds(
        MAX_TO_SERVER,
        MAX_TO_CLIENT,
        messages=_quota(rates.messages, rates.burst),
        chat=_quota(rates.chat, rates.chat_burst),
        strikes=_quota(1 / FORGIVEN, MAX_STRIKES),
        frames=_quota(*astuple(admission.frames_here)),
        bytes=_quota(*astuple(admission.bytes_here)),
        requests=_quota(*astuple(admission.requests)),
        ping=round(settings.ping),
    )


def _quota(a_second: float, at_once: float) -> Quota:
    return Quota(int(a_second * 60), int(at_once))


def _webhook_sender(clock: Clock, hooks: Hooks | None) -> WebhookSender | None:
    return None if hooks is None else WebhookSender(clock, hooks.public, hooks.loopback, hooks.resolve)


def _push_sender(clock: Clock, push: Push | None, key: PushKey | None) -> PushSender | None:
    return None if push is None or key is None else PushSender(clock, key, push.loopback, push.resolve)


def _notifier(clock: Clock, settings: Settings, key: PushKey | None, public: Callable[[], str]) -> Notifier:
    push = _push_sender(clock, settings.push, key)
    mail = None if settings.mail is None else MailSender(clock, settings.mail)
    hooks = settings.hooks or Hooks()
    foreign = settings.hooks is not None
    return Notifier(clock, public, push, mail, foreign, hooks.loopback, hooks.resolve)


def options_of(settings: Settings, admission: Admission) -> dict[str, Any]:
    """Return the options for the library's server."""

    def guarded(*args: Any, **kwargs: Any) -> GuardedConnection:
        return GuardedConnection(admission, *args, **kwargs)

    return {
        "create_connection": guarded,
        # A frame without compression is the same for every connection, so all receivers share its bytes.
        "compression": None,
        "server_header": None,
        "open_timeout": 5,
        "ping_interval": settings.ping,
        "ping_timeout": settings.ping,
        "close_timeout": 2,
        "max_size": MAX_TO_SERVER,
        "backlog": QUEUE,
        "max_queue": (8, 2),
        # Any byte in a transport's buffer pauses the outbox, which otherwise writes past the transport.
        "write_limit": 0,
        "logger": log.LIBRARY,
    }


def is_healthy(store: Store, cluster: OtherNodes | None) -> bool:
    """Whether matches can be saved here, and will stay here. A node whose heartbeats fail is about to lose them.

    A lost bus does not count. All that runs here goes on, and clients would be no better off elsewhere.
    """
    return store.healthy and (cluster is None or cluster.alive)


def _health(healthy: bool, lobby: Lobby, admission: Admission, cluster: OtherNodes | None) -> Response:
    """Answer load balancers and people: 200 if the server is healthy, else 503."""
    status = http.HTTPStatus.OK if healthy else http.HTTPStatus.SERVICE_UNAVAILABLE
    body = json.dumps(
        {
            "status": "ok" if healthy else "degraded",
            "protocol": PROTOCOL,
            "tables": lobby.tables,
            "connections": admission.total,
        }
        | ({} if cluster is None else {"bus": cluster.connected})
    ).encode()
    headers = Headers({"Content-Type": "application/json", "Content-Length": str(len(body)), "Connection": "close"})
    return Response(status.value, status.phrase, headers, body)

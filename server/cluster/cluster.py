"""Node of a cluster: requests of its lobby to the other nodes, and their requests to it."""

import asyncio
import zlib
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Final

from msgspec import Struct

from server import log
from server.bus.bus_settings import BusSettings
from server.bus.port import Bus
from server.clock import Clock, Timer
from server.cluster import packets
from server.cluster.edge import Edge, Finder, visitor_of
from server.cluster.nats_transport import NatsTransport, Subscriber
from server.cluster.owner import Directory, Owner, RemotePeer
from server.cluster.postgres.node_heartbeat import DEAD, STALLED
from server.cluster.postgres.store import PostgresStore
from server.delivery.peer import Peer, TablePort
from server.lobby.lobby import Lobby
from server.lobby.other_nodes import OtherNodes
from server.lobby.remote_tables import Elsewhere
from server.matches.table import opens
from server.matches.task import MatchTask
from server.metrics import Gauge
from server.storage.port import DeedRecord, PersonRecord, StoreError, TableRecord
from shared.ids import NONE
from shared.messages import LobbyChange, TableInfo
from shared.refusal import Refusal

LOOK: Final = 0.5
"""Seconds between two checks of all node links."""
ROLL: Final = 1.0
"""Seconds between two `Heartbeat` messages to all nodes."""
ALIVE: Final = 2.25
"""Seconds without a heartbeat in the database after which a node counts as dead: one interval to write it, one to read
it."""
MISSED: Final = 5.0
"""Seconds without a `Heartbeat` after which a node's tables are removed from the list."""
PIECE: Final = 200
"""Tables in one `News` message."""


class Neighbour(Struct):
    """State of another node, as of its last message."""

    heard: float
    healthy: bool = True
    asked: bool = False
    """Whether the last `Heartbeat` disagreed with the known list. The second disagreement in a row requests the whole
    list."""


class Cluster(OtherNodes, Directory, Finder):
    """Connection of this node's lobby with the other nodes. Create it with `Cluster.join`, then call `serve` with the
    lobby."""

    has_others = True

    def __init__(self, store: PostgresStore, clock: Clock, bus: Bus) -> None:
        assert store.heartbeat is not None
        self.node = store.heartbeat.node.node
        self._heartbeat = store.heartbeat
        self._store = store
        self._clock = clock
        self._neighbours: dict[str, Neighbour] = {}
        self._edge = Edge(lambda: self._transport, clock, bus, self)
        self._owner = Owner(lambda: self._transport, clock, bus, self)
        self._lobby: Lobby
        self._transport: NatsTransport
        self._timers: list[Timer] = []
        self._work: set[asyncio.Task[None]] = set()
        self._lapses = 0
        self._stopped = False
        self._since = clock.now()

    @classmethod
    async def join(cls, store: PostgresStore, clock: Clock, bus: Bus, bus_settings: BusSettings) -> "Cluster":
        """Connect to the bus. Raises StoreError."""
        cluster = cls(store, clock, bus)
        heard = (cluster._on_parcel, cluster._on_shout, cluster._answer, cluster._on_lost, cluster._on_back)
        cluster._transport = await NatsTransport.connect(cluster.node, bus_settings, Subscriber(*heard))
        return cluster

    async def serve(self, lobby: Lobby) -> None:
        """Start to serve the other nodes. Raises StoreError."""
        self._lobby = lobby
        await self._transport.listen()
        self._transport.shout(packets.Call(""))
        self._look()
        self._roll()

    @property
    def connected(self) -> bool:
        """Whether the bus is connected."""
        return self._transport.connected

    @property
    def alive(self) -> bool:
        return self._heartbeat.beating and self._heartbeat.silence < STALLED

    @property
    def neighbours(self) -> tuple[str, ...]:
        """Names of the other nodes that sent something lately."""
        return tuple(self._neighbours)

    def say(self, text: str, match: str) -> None:
        self._transport.shout(packets.Spoken(text, match))

    def gauges(self) -> list[Gauge]:
        edge, owner = self._edge, self._owner
        return [
            ("conquest_bus", "Whether NATS is reached", (), {(): float(self.connected)}),
            ("conquest_neighbours", "Other nodes that sent a heartbeat recently", (), {(): len(self._neighbours)}),
            ("conquest_lines", "Links to other nodes", ("side",), {("edge",): edge.lines, ("owner",): owner.lines}),
            (
                "conquest_abroad",
                "People of this node in matches of other nodes, and the reverse",
                ("side",),
                {("edge",): edge.guests, ("owner",): owner.guests},
            ),
        ]

    # --- requests of the lobby ---

    @property
    def leads(self) -> bool:
        known = self.connected and self.alive and self._clock.now() - self._since > MISSED
        return known and self.node < min([name for name, each in self._neighbours.items() if each.healthy], default="~")

    def at(self, match: str) -> TablePort | None:
        return self._edge.tables.get(match)

    def seat_at(self, match: str, peer: Peer) -> int | None:
        table = self._edge.tables.get(match)
        guest = table.guest_of(peer) if table is not None else None
        return guest.place.seat if guest is not None and guest.place is not None else None

    def table(self, record: TableRecord, owner: str) -> TablePort:
        return self._edge.table(record.match, owner, partial(opens, record))

    async def look(self, match: str, owner: str, peer: Peer, code: str) -> Elsewhere | None:
        reply = await self._transport.ask(
            owner, packets.MatchQuery(self._transport.dialect, match, visitor_of(peer), code)
        )
        if reply.table is None:
            return None
        refusal = Refusal(*reply.refusal) if reply.refusal is not None else None
        return Elsewhere(reply.table, reply.standing, reply.seats, reply.version, refusal)

    async def key(self, match: str, owner: str, seat: int) -> bytes:
        reply = await self._transport.ask(owner, packets.MatchQuery(self._transport.dialect, match, _NOBODY, "", seat))
        if not reply.key:
            raise StoreError("The match's server gives no key to that seat now; please try again.")
        return reply.key

    async def with_hand(self, code: str) -> TablePort | None:
        nodes = self.neighbours
        asked = (
            self._transport.ask(node, packets.MatchQuery(self._transport.dialect, "", _NOBODY, code)) for node in nodes
        )
        for node, reply in zip(nodes, await asyncio.gather(*asked, return_exceptions=True), strict=True):
            if isinstance(reply, packets.MatchReply) and reply.table is not None:
                return self.table(reply.table, node)
        return None

    @property
    def guests(self) -> Iterator[Peer]:
        """Clients of this node that are at tables of other nodes."""
        return (guest.peer for table in self._edge.tables.values() for guest in table.guests)

    def tell_news(self, changes: Sequence[LobbyChange]) -> None:
        for piece in _pieces(changes):
            self._transport.shout(packets.News(piece))

    def tell_person(self, person: PersonRecord, gone: bool = False, erased: bool = False) -> None:
        self._transport.shout(packets.Known(person, gone, erased))

    def tell_deed(self, deed: DeedRecord) -> None:
        self._transport.shout(packets.NewDeed(deed))

    def tell_passage(self, code: str, person: str, seconds: float) -> None:
        self._transport.shout(packets.Passing(code, person, seconds))

    def tell_seat_code(self, code: str, match: str, seat: int) -> None:
        self._transport.shout(packets.SeatCode(code, match, seat))

    # --- for both ends of the node links ---

    def task(self, match: str) -> MatchTask | None:
        return self._lobby.task(match)

    def summon(self, match: str, then: Callable[[], None]) -> None:
        self._do(self._summon(match, then))

    async def _summon(self, match: str, then: Callable[[], None]) -> None:
        try:
            await self._lobby.wake(match)
        finally:
            then()  # The caller waits for this, whether or not it succeeded.

    async def locate(self, match: str) -> MatchTask | str | None:
        return await self._lobby.find(match)

    def lives(self, node: str) -> bool:
        # Only while this node reads heartbeats itself: otherwise every other one would seem dead.
        return self._heartbeat.steady and self._heartbeat.silence_of(node) < ALIVE

    # --- the end ---

    async def stop(self) -> None:
        """Announce the end of this node and disconnect from the bus."""
        self._stopped = True
        for timer in self._timers:
            timer.cancel()
        for task in self._work:
            task.cancel()
        # The goodbye last: the others break all links to this node when it comes.
        self._edge.stop()
        self._owner.flush()
        self._owner.close()
        self._transport.shout(packets.Leaving())
        await self._transport.close()

    # --- what arrives ---

    def _on_parcel(self, parcel: packets.Parcel) -> None:
        if parcel.upward:
            self._owner.hear(parcel)
        else:
            self._edge.hear(parcel)

    def _on_shout(self, node: str, word: packets.Saying) -> None:
        neighbour = self._neighbours.get(node)
        # A node that says goodbye must not be greeted as new.
        if neighbour is None and not isinstance(word, packets.Leaving):
            neighbour = self._neighbours[node] = Neighbour(self._clock.now())
            log.info("node-joined", node=node)
        if neighbour is not None:
            neighbour.heard = self._clock.now()
        match word:
            case packets.Heartbeat():
                self._compare(node, word)
            case packets.Call():
                if word.node in ("", self.node):
                    self._tell_all()
            case packets.Whole():
                self._lobby.board.keep_only(node, word.matches)
            case packets.News():
                self._lobby.board.hear(node, word.changes)
            case packets.Known():
                self._lobby.people.learn(word.person, word.gone, word.erased)
            case packets.Passing():
                self._lobby.people.learn_passage(word.code, word.person, word.seconds)
            case packets.SeatCode():
                self._lobby.seat_codes.learn(word.code, word.match, word.seat)
            case packets.Leaving():
                self._gone(node)
            case packets.NewDeed():
                self._lobby.operator.learn((word.deed,))
            case packets.Spoken():
                self._lobby.speak(word.text, word.match)

    async def _answer(self, question: packets.MatchQuery) -> packets.MatchReply:
        if not question.match:
            task = self._lobby.hand_at(question.code)
            return packets.MatchReply(None if task is None else task.table.record)
        task = self._lobby.task(question.match)
        if task is None:
            return packets.MatchReply()
        if question.seat != NONE:
            return packets.MatchReply(task.table.record, key=await task.new_key(question.seat))
        peer = RemotePeer.stranger(question.visitor)
        refusal = task.closed_to(peer, question.code)
        told = (refusal.code, refusal.rule, refusal.text) if refusal is not None else None
        version = task.table.match.version if task.table.match is not None else 0
        return packets.MatchReply(task.table.record, task.standing, task.table.seating.infos(), version, told)

    def _on_lost(self) -> None:
        if not self._stopped:
            log.warning("bus-lost")
            self._edge.break_all()

    def _on_back(self) -> None:
        log.info("bus-back")
        if not self._timers:
            return  # It does not serve yet, and has announced no tables.
        self._transport.shout(packets.Call(""))
        self._tell_all()
        self._do(self._lobby.people.refresh())
        self._do(self._lobby.operator.load())

    # --- periodic work ---

    def _look(self) -> None:
        self._owner.look()
        self._edge.look()
        now = self._clock.now()
        for node, neighbour in tuple(self._neighbours.items()):
            if now - neighbour.heard > MISSED and self._transport.connected:
                self._gone(node)
        self._let_go_of_what_others_have()
        self._again(LOOK, self._look)

    def _roll(self) -> None:
        own = self._lobby.board.own
        self._transport.shout(packets.Heartbeat(len(own), _check(own), self._heartbeat.beating))
        self._again(ROLL, self._roll)

    def _again(self, seconds: float, callback: Callable[[], None]) -> None:
        # Timers that have fired stay in the list for a while; only two are ever due.
        self._timers = [*self._timers[-4:], self._clock.call_later(seconds, callback)]

    def _let_go_of_what_others_have(self) -> None:
        """Detach from matches that another node may have taken over meanwhile.

        This happens if this node, unlike others, lost the database for long, or was suspended. Clients at such matches
        reconnect and find the new owner."""
        heartbeat = self._heartbeat
        alone = not heartbeat.beating and any(each.healthy for each in self._neighbours.values())
        if heartbeat.silence > DEAD and alone:
            # A match that waits for the database would not process the request to let go.
            self._store.give_up()
            for task in self._lobby.tasks:
                task.let_go()
        elif heartbeat.beating and heartbeat.lapses > self._lapses:
            self._lapses = heartbeat.lapses
            self._do(self._compare_owners())

    async def _compare_owners(self) -> None:
        owned = set(await self._store.owned(self.node))
        for task in self._lobby.tasks:
            if task.match not in owned:
                task.let_go()
        # Matches that this node let go of and no other node took still count as its own: only this node may run them.
        for match in owned:
            await self._lobby.wake(match)

    def _compare(self, node: str, roll: packets.Heartbeat) -> None:
        neighbour = self._neighbours[node]
        neighbour.healthy = roll.healthy
        known = tuple(self._lobby.board.of(node))
        if (len(known), _check(known)) == (roll.count, roll.check):
            neighbour.asked = False
        elif neighbour.asked:
            # Twice in a row: this is no change that is still on its way.
            self._transport.shout(packets.Call(node))
        else:
            neighbour.asked = True

    def _tell_all(self) -> None:
        own = self._lobby.board.own
        self._transport.shout(packets.Whole(tuple(info.match for info in own)))
        self.tell_news([LobbyChange(info) for info in own])

    def _gone(self, node: str) -> None:
        if self._neighbours.pop(node, None) is not None:
            log.info("node-left", node=node)
        self._lobby.board.keep_only(node, ())
        self._owner.gone(node)
        self._edge.gone(node)

    def _do(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(self._quietly(work))
        self._work.add(task)
        task.add_done_callback(self._work.discard)

    async def _quietly(self, work: Coroutine[None, None, None]) -> None:
        try:
            await work
        except StoreError as error:
            log.warning("not-read", error=str(error))


def _pieces(changes: Sequence[LobbyChange]) -> Iterator[tuple[LobbyChange, ...]]:
    rest = iter(changes)
    while piece := tuple(islice(rest, PIECE)):
        yield piece


_NOBODY: Final = packets.Visitor("", "", "", b"", "", True, 0.0)


def _check(tables: Iterable[TableInfo]) -> int:
    """Return a checksum of a list of tables that does not depend on their order."""
    total = 0
    for info in tables:
        # XOR, because nodes list the same tables in different orders.
        total ^= zlib.crc32(packets.encode(info))
    return total

"""Edge side of node links: clients of this node at matches that other nodes run."""

import asyncio
import itertools
from collections.abc import Callable, Mapping
from enum import Enum, auto
from typing import Final, Protocol
from weakref import WeakKeyDictionary, WeakValueDictionary

from msgspec import Struct

from protocol import codec
from protocol.limits import Close
from server import log
from server.bus.port import Bus
from server.clock import Clock
from server.cluster import packets
from server.cluster.nats_transport import NatsTransport
from server.cluster.node_link import NodeLink
from server.delivery.outgoing import Outgoing
from server.delivery.peer import Peer, TablePort
from server.matches.task import MatchTask
from server.storage.port import StoreError
from shared.messages import (
    Act,
    ClientMessage,
    Idempotent,
    Rename,
)
from shared.tables import LOOKING_ON

DEAF: Final = 2.0
"""Seconds of silence after which the edge looks for the owner again."""
TRIED: Final = 0.5
"""Seconds within which an owner must answer on a new link, before it is located again."""
PAUSES: Final = (0.05, 0.1, 0.2, 0.3)
"""Seconds between two attempts to locate an owner; the last one repeats."""
PATIENCE: Final = 5.0
"""Seconds after which clients at a match that this node cannot reach are disconnected: another node may reach it."""
CUT_OFF: Final = 1.5
"""The same if the owner lives and only the bus is down. With `DEAF` and the interval of checks this must stay below 5
s, which is promised to players."""


class Outcome(Enum):
    """Result of a client's request to an owner."""

    SERVED = auto()
    NOT_SERVED = auto()
    UNKNOWN = auto()


class Finder(Protocol):
    """Directory that locates the node of a match."""

    async def locate(self, match: str) -> "MatchTask | str | None":
        """Return the match if it runs here by now, else the name of its node, or None if no node can run it. Raises
        StoreError."""

    def lives(self, node: str) -> bool:
        """Whether that node's heartbeats in the database are recent."""

    @property
    def connected(self) -> bool:
        """Whether this node is connected to the bus."""


def visitor_of(peer: Peer) -> packets.Visitor:
    """Return the description of a local client for other nodes."""
    who = (peer.said, peer.name, peer.person, peer.proof)
    return packets.Visitor(*who, peer.address, peer.trusted, peer.latency, peer.agreed)


class EdgeClient(Struct, eq=False):
    """Local client at a remote match: its place there, and its pending request."""

    peer: Peer
    number: int
    place: packets.ClientPlace | None = None
    asked: "asyncio.Future[Outcome] | None" = None

    def visitor(self) -> packets.Visitor:
        """Return the description of the client for its owner."""
        return visitor_of(self.peer)

    def settle(self, outcome: Outcome) -> None:
        """Complete the pending request, if there is one."""
        if self.asked is not None and not self.asked.done():
            self.asked.set_result(outcome)
        self.asked = None


class RemoteTable(TablePort):
    """Proxy of a table that another node runs, for the clients of this node."""

    def __init__(self, match: str, opens: Callable[[str], bool], edge: "Edge") -> None:
        self.match = match
        self._opens = opens
        self._edge = edge
        self._guests: dict[Peer, EdgeClient] = {}
        self._line: EdgeLink | None = None
        self._owner: str | None = None
        """The node that was located last, though it may not answer; None if the database could not be read."""
        self._seeking: asyncio.Task[None] | None = None
        self._settled = asyncio.Event()

    @property
    def guests(self) -> tuple[EdgeClient, ...]:
        """Clients at this table, including those that ask to join."""
        return tuple(self._guests.values())

    def opens_to(self, code: str) -> bool:
        return self._opens(code)

    def is_idle_for(self, peer: Peer) -> bool:
        """Return False: a request to another node always takes time."""
        return False

    def act_now(self, peer: Peer, message: Act) -> None:
        """Not called, since the table is never idle."""
        raise NotImplementedError

    async def hear(self, peer: Peer, message: ClientMessage) -> None:
        """Pass a message on and wait until the current owner has processed it, even if the owner changes meanwhile."""
        while peer.table is self:
            # A client that asks to join is a guest already: it follows the match to a new owner like the others.
            guest = self._guest(peer)
            await self._settled.wait()
            if not peer.link.is_open:
                return None  # The player may be back on another connection, which repeats unanswered requests.
            if peer.table is self and self._line is None:
                return self._send_away(guest)
            if self._line is not None and peer.table is self:
                outcome = await self._ask(self._line, peer, message)
                if outcome is Outcome.UNKNOWN:
                    return peer.link.end(Close.MOVED)
                if outcome is not Outcome.NOT_SERVED:
                    return None
        # The match runs here by now, or on no node.
        return await peer.table.hear(peer, message) if peer.table is not None else None

    async def _ask(self, line: "EdgeLink", peer: Peer, message: ClientMessage) -> Outcome:
        guest = self._guest(peer)
        guest.asked = asked = asyncio.get_running_loop().create_future()
        line.send(packets.Ask(guest.number, self.match, guest.visitor(), codec.encode(message)))
        outcome = await asked
        if isinstance(message, Rename) and peer.called == message.name:
            peer.said = peer.name = message.name
        if outcome is Outcome.SERVED and guest.place is None and self._guests.get(peer) is guest:
            self._leave(guest)
        # After a broken link a message may have been carried out; only those that may come twice are repeated.
        return Outcome.NOT_SERVED if outcome is Outcome.UNKNOWN and isinstance(message, Idempotent) else outcome

    def catch_up(self, peer: Peer) -> None:
        guest = self._guests.get(peer)
        if guest is not None and self._line is not None:
            self._line.send(packets.Behind(guest.number))

    def pause_alone(self, peer: Peer) -> None:
        guest = self._guests.get(peer)
        if guest is not None and self._line is not None:
            self._line.send(packets.PauseAlone(guest.number))

    def gone(self, peer: Peer) -> None:
        guest = self._guests.get(peer)
        if guest is not None:
            if self._line is not None:
                self._line.send(packets.Gone(guest.number))
            self._leave(guest)

    def place(self, peer: Peer, place: packets.ClientPlace | None) -> None:
        """Apply the client's place as the owner reports it; None: the client left."""
        guest = self._guests.get(peer)
        if place is None:
            if guest is not None and self._line is not None:
                self._leave(guest)
            return
        guest = self._guest(peer)
        before, guest.place = guest.place, place
        peer.table, peer.seat, peer.called, peer.listens = self, place.seat, place.called, place.listens
        peer.reading = place.reading
        self._edge.bus.subscribe(place.channel, peer.receiver)
        if before is not None and before.channel != place.channel:
            self._edge.bus.unsubscribe(before.channel, peer.receiver)

    def guest_of(self, peer: Peer) -> EdgeClient | None:
        """Return the record of a client that is here or asks to join."""
        return self._guests.get(peer)

    def begin(self, owner: str) -> None:
        """Connect to that node, the owner as far as is known."""
        if self._seeking is None and self._line is None:
            line = self._edge.line_to(owner)
            if line.answered:
                self._line = line
                self._settled.set()
            else:
                self._settled.clear()
                self._seeking = asyncio.create_task(self._find_owner())

    def uses(self, line: "EdgeLink") -> bool:
        """Whether that is the link to the owner."""
        return line is self._line

    def hears(self, line: "EdgeLink") -> bool:
        """Whether messages of that link still count. Those of a former owner do not: they would detach clients from the
        new one."""
        return self._line in (line, None)

    @property
    def deserted(self) -> bool:
        """Whether no client is here and no search for the owner goes on."""
        return not self._guests and self._seeking is None

    def _guest(self, peer: Peer) -> EdgeClient:
        guest = self._guests.get(peer)
        if guest is None:
            guest = self._guests[peer] = EdgeClient(peer, self._edge.number_of(peer))
        return guest

    def moved(self) -> None:
        """Look for the new owner after the old one let go of the match; unserved requests were not executed."""
        self._lose(Outcome.NOT_SERVED)

    def lost(self, line: "EdgeLink") -> None:
        """Look for the owner after its link broke; unserved requests may have been executed."""
        if line is self._line:
            self._lose(Outcome.UNKNOWN)

    def stop(self) -> None:
        """Cancel the search and all pending requests, as the node ends."""
        if self._seeking is not None:
            self._seeking.cancel()
        for guest in self.guests:
            guest.settle(Outcome.UNKNOWN)

    def _lose(self, outcome: Outcome) -> None:
        self._line = None
        self._settled.clear()
        for guest in self.guests:
            guest.settle(outcome)
        if self._seeking is None:
            self._seeking = asyncio.create_task(self._find_owner())

    async def _find_owner(self) -> None:
        """Locate the node that runs the match now, and move all guests to it. It may be this one."""
        begun = self._edge.clock.now()
        try:
            for pause in itertools.chain(PAUSES, itertools.repeat(PAUSES[-1])):
                if self._is_hopeless(self._edge.clock.now() - begun) or await self._found():
                    break
                await asyncio.sleep(pause)
        finally:
            self._seeking = None
            if self._line is None:
                for guest in self.guests:
                    self._send_away(guest)
            self._settled.set()

    def _is_hopeless(self, seconds: float) -> bool:
        """Whether the search has lasted too long, in seconds: other nodes may reach the owner."""
        cut_off = not self._edge.finder.connected if self._owner is None else self._edge.finder.lives(self._owner)
        return seconds > (CUT_OFF if cut_off else PATIENCE)

    def _send_away(self, guest: EdgeClient) -> None:
        """Disconnect a client, as this node cannot reach the match. The client reconnects and may come to a node that
        can."""
        guest.peer.link.end(Close.MOVED)
        self._leave(guest)

    async def _found(self) -> bool:
        self._owner = None
        try:
            owner = await self._edge.finder.locate(self.match)
        except StoreError as error:
            log.info("not-located", match=self.match, error=str(error))
            return False
        if owner is None:
            return True
        if isinstance(owner, MatchTask):
            self._hand_to(owner)
            return True
        self._owner = owner
        line = self._edge.line_to(owner)
        if not line.answered and not await line.tried():
            return False
        self._line = line
        self._dismiss_closed()
        for guest in self.guests:
            if guest.place is not None and self._may_stay(guest, guest.place):
                line.send(packets.Again(guest.number, guest.visitor(), guest.place))
        return True

    def look(self) -> None:
        """Remove clients that disconnected while they waited for an answer. Called periodically."""
        for guest in self.guests:
            if not guest.peer.link.is_open:
                self.gone(guest.peer)

    def _dismiss_closed(self) -> None:
        """Remove disconnected clients before a new owner learns of them. It would give them their seats again, maybe
        taking these from the players' next connections."""
        for guest in self.guests:
            if not guest.peer.link.is_open:
                self._leave(guest)

    def _may_stay(self, guest: EdgeClient, place: packets.ClientPlace) -> bool:
        """Whether the client may keep its place. A client that only reads a hand must come again with its token."""
        if place.reading != LOOKING_ON:
            guest.peer.link.end(Close.MOVED)
        return place.reading == LOOKING_ON

    def _hand_to(self, task: MatchTask) -> None:
        """Move all guests to the match, which runs on this node now."""
        self._dismiss_closed()
        for guest in self.guests:
            peer, place = guest.peer, guest.place
            self._leave(guest)
            peer.table = task
            if place is not None and self._may_stay(guest, place):
                task.return_to(peer, place.seat, place.called, place.listens)

    def _leave(self, guest: EdgeClient) -> None:
        """Remove a client from this table."""
        peer = guest.peer
        self._guests.pop(peer, None)
        if guest.place is not None:
            self._edge.bus.unsubscribe(guest.place.channel, peer.receiver)
            guest.place = None
        if peer.table is self:
            peer.table, peer.seat, peer.reading = None, LOOKING_ON, LOOKING_ON
        guest.settle(Outcome.SERVED)


class EdgeLink(NodeLink):
    """Link of this node to one owner."""

    def __init__(self, transport: NatsTransport, clock: Clock, owner: str, number: int) -> None:
        super().__init__(transport, clock, owner, number, upward=True)
        self._heard = asyncio.Event()

    def takes(self, parcel: packets.Parcel) -> bool:
        taken = super().takes(parcel)
        if taken:
            self._heard.set()
        return taken

    async def tried(self) -> bool:
        """Whether the owner answers within `TRIED` seconds."""
        self.beat()
        try:
            await asyncio.wait_for(self._heard.wait(), TRIED)
        except TimeoutError:
            return False
        return not self.closed


class Edge:
    """All links of this node to owners, and the remote tables that they serve."""

    def __init__(self, transport: Callable[[], NatsTransport], clock: Clock, bus: Bus, finder: Finder) -> None:
        self.clock = clock
        self.bus = bus
        self.finder = finder
        self._transport = transport
        self._lines: dict[str, EdgeLink] = {}
        self._tables: dict[str, RemoteTable] = {}
        self._count = itertools.count(1)
        self._numbers = itertools.count(1)
        # Weak in both directions: a number lives as long as its client, and no table has to remove it.
        self._peers: WeakValueDictionary[int, Peer] = WeakValueDictionary()
        self._known: WeakKeyDictionary[Peer, int] = WeakKeyDictionary()

    @property
    def tables(self) -> Mapping[str, RemoteTable]:
        """Remote tables with clients of this node, by match."""
        return self._tables

    @property
    def lines(self) -> int:
        """Number of owners with a link to this node."""
        return len(self._lines)

    @property
    def guests(self) -> int:
        """Number of this node's clients at remote matches."""
        return sum(len(table.guests) for table in tuple(self._tables.values()))

    def table(self, match: str, owner: str, opens: Callable[[str], bool]) -> RemoteTable:
        """Return the proxy of a table that another node runs. `opens` tells whether a code admits a client."""
        table = self._tables.get(match)
        if table is None:
            table = self._tables[match] = RemoteTable(match, opens, self)
        table.begin(owner)
        return table

    def line_to(self, owner: str) -> EdgeLink:
        """Return the link to a node; open one if there is none."""
        line = self._lines.get(owner)
        if line is None:
            line = self._lines[owner] = EdgeLink(self._transport(), self.clock, owner, next(self._count))
        return line

    def hear(self, parcel: packets.Parcel) -> None:
        """Process a parcel of an owner."""
        line = self._lines.get(parcel.sender)
        # A parcel of an earlier link, still on its way: its clients were told to look for the owner anew.
        if line is None or line.number != parcel.line:
            return None
        if not line.takes(parcel):
            return self._break(line)
        for packet in parcel.packets:
            self._act(packet, line)
        return None

    def look(self) -> None:
        """Send heartbeats on all links, close unused ones, and break those that are silent. Called periodically."""
        for table in self._tables.values():
            table.look()
        self._tables = {match: table for match, table in self._tables.items() if not table.deserted}
        for owner, line in tuple(self._lines.items()):
            if line.silence > DEAF:
                self._break(line)
            elif not line.answered or any(table.uses(line) for table in self._tables.values()):
                line.beat()
            else:
                line.flush()
                line.closed = True
                del self._lines[owner]

    def gone(self, owner: str) -> None:
        """Break the link to a node that has ended."""
        line = self._lines.get(owner)
        if line is not None:
            self._break(line)

    def break_all(self) -> None:
        """Break all links, as the bus is down."""
        for line in tuple(self._lines.values()):
            self._break(line)

    def number_of(self, peer: Peer) -> int:
        """Return the number by which owners know a client; it never changes."""
        if peer not in self._known:
            self._known[peer] = number = next(self._numbers)
            self._peers[number] = peer
        return self._known[peer]

    def flush(self) -> None:
        """Flush queued packets of all links."""
        for line in self._lines.values():
            line.flush()

    def stop(self) -> None:
        """Stop all remote tables, as the node ends."""
        for table in tuple(self._tables.values()):
            table.stop()

    def _act(self, packet: packets.Packet, line: EdgeLink) -> None:
        match packet:
            case packets.Cast():
                table = self._tables.get(packet.channel.rpartition(".")[0])
                if table is not None and table.guests and table.hears(line):
                    self.bus.publish(packet.channel, Outgoing.framed(packet.frame, packet.droppable))
            case packets.Word():
                peer = self._peers.get(packet.peer)
                if peer is not None and self._may_tell(peer, line):
                    peer.send(Outgoing.framed(packet.frame, packet.droppable))
            case packets.Placed():
                self._place(packet, line)
            case packets.Served():
                guest = self._guest(packet.peer, line)
                if guest is not None:
                    guest.settle(Outcome.SERVED)
            case packets.End():
                self._end(packet, line)

    def _may_tell(self, peer: Peer, line: EdgeLink) -> bool:
        """Whether a client accepts a message of that link where it is now. Its last ones arrive when it is at no
        table."""
        table = peer.table
        return table is None or (isinstance(table, RemoteTable) and table.hears(line))

    def _place(self, packet: packets.Placed, line: EdgeLink) -> None:
        peer = self._peers.get(packet.peer)
        if peer is None:
            return
        if packet.place is not None:
            table = self._tables.get(packet.place.match)
        else:
            table = peer.table if isinstance(peer.table, RemoteTable) else None
        if table is not None and table.hears(line):
            table.place(peer, packet.place)

    def _end(self, packet: packets.End, line: EdgeLink) -> None:
        guest = self._guest(packet.peer, line)
        if guest is None:
            return
        if packet.code == Close.MOVED and isinstance(guest.peer.table, RemoteTable):
            guest.peer.table.moved()
        else:
            guest.peer.link.end(Close(packet.code))

    def _guest(self, number: int, line: EdgeLink) -> EdgeClient | None:
        peer = self._peers.get(number)
        table = peer.table if peer is not None else None
        if peer is None or not isinstance(table, RemoteTable) or not table.hears(line):
            return None
        return table.guest_of(peer)

    def _break(self, line: EdgeLink) -> None:
        line.closed = True
        if self._lines.get(line.other) is line:
            del self._lines[line.other]
        for table in tuple(self._tables.values()):
            table.lost(line)

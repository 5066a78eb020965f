"""The edge's side: clients of this node at matches that other nodes run."""

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
from server.cluster.nats_transport import NatsTransport
from server.cluster.node_link import NodeLink
from server.cluster.packets import (
    Again,
    Ask,
    Behind,
    Cast,
    End,
    Gone,
    Packet,
    Parcel,
    Place,
    Placed,
    Served,
    Visitor,
    Word,
)
from server.delivery.outgoing import Outgoing
from server.delivery.peer import Peer
from server.matches.task import MatchTask
from server.storage.port import StoreError
from shared.messages import Act, ClientMessage, Hasten, Introduce, Listen, Mute, Number, Resume, SetBot, Sync, Watch
from shared.tables import LOOKING_ON

DEAF: Final = 2.0
"""Seconds of silence after which an owner is looked for anew."""
TRIED: Final = 0.5
"""Seconds within which an owner answers on a new line, before it is looked for again."""
PAUSES: Final = (0.05, 0.1, 0.2, 0.3)
"""Seconds between two looks for an owner; the last again and again."""
PATIENCE: Final = 15.0
"""Seconds after which those at a match that nobody finds from here are sent away: maybe another node leads there."""
CUT_OFF: Final = 1.5
"""The same where the owner lives, and only the bus leads nowhere. With `DEAF` and the time until a look this must stay
below 5 s, which is promised to players."""

_AGAIN: Final = (Act, Resume, Watch, Sync, Introduce, Hasten, Listen, Mute, Number, SetBot)
"""What can be said twice: the second time changes nothing."""


class Outcome(Enum):
    """What became of something that a client asked."""

    SERVED = auto()
    NOT_SERVED = auto()
    UNKNOWN = auto()


class Finder(Protocol):
    """Whoever knows which node runs a match."""

    async def locate(self, match: str) -> "MatchTask | str | None":
        """The match itself, where it runs here (by now); else the node that runs it; None: nobody can. Raises
        StoreError."""

    def lives(self, node: str) -> bool:
        """Whether that node lives, as its signs of life in the database say."""

    @property
    def connected(self) -> bool:
        """Whether this node reaches the bus."""


def visitor_of(peer: Peer) -> Visitor:
    """A client of this node as others are to know it."""
    who = (peer.said, peer.name, peer.person, peer.proof)
    return Visitor(*who, peer.address, peer.trusted, peer.latency, peer.agreed)


class EdgeClient(Struct, eq=False):
    """A client of this node at a match elsewhere: where it follows, and what it waits for."""

    peer: Peer
    number: int
    place: Place | None = None
    asked: "asyncio.Future[Outcome] | None" = None

    def visitor(self) -> Visitor:
        """The client as its owner is to know it."""
        return visitor_of(self.peer)

    def settle(self, outcome: Outcome) -> None:
        """Its question is answered, if it had one."""
        if self.asked is not None and not self.asked.done():
            self.asked.set_result(outcome)
        self.asked = None


class RemoteTable:
    """A table that another node runs, as clients of this one know it."""

    def __init__(self, match: str, opens: Callable[[str], bool], edge: "Edge") -> None:
        self.match = match
        self._opens = opens
        self._edge = edge
        self._guests: dict[Peer, EdgeClient] = {}
        self._line: EdgeLine | None = None
        self._owner: str | None = None
        """The node that was found while looking, though it may not answer; None where nothing could be read."""
        self._seeking: asyncio.Task[None] | None = None
        self._settled = asyncio.Event()

    @property
    def guests(self) -> tuple[EdgeClient, ...]:
        """All who are here or ask to come."""
        return tuple(self._guests.values())

    def opens_to(self, code: str) -> bool:
        """See `TablePort`."""
        return self._opens(code)

    def is_idle_for(self, peer: Peer) -> bool:
        """Never: the way is too long for that."""
        return False

    def act_now(self, peer: Peer, message: Act) -> None:
        """Never asked, since it is never idle."""
        raise NotImplementedError

    async def hear(self, peer: Peer, message: ClientMessage) -> None:
        """See `TablePort`. It waits until the owner has dealt with it, whoever that is by then."""
        while peer.table is self:
            # Whoever asks to come is a guest already: he goes where all go.
            guest = self._guest(peer)
            await self._settled.wait()
            if not peer.link.is_open:
                return None  # Its player may be back on another connection, and repeats there what was not answered.
            if peer.table is self and self._line is None:
                return self._send_away(guest)
            if self._line is not None and peer.table is self:
                outcome = await self._ask(self._line, peer, message)
                if outcome is Outcome.UNKNOWN:
                    return peer.link.end(Close.MOVED)
                if outcome is not Outcome.NOT_SERVED:
                    return None
        # It runs here by now, or nobody runs it.
        return await peer.table.hear(peer, message) if peer.table is not None else None

    async def _ask(self, line: "EdgeLine", peer: Peer, message: ClientMessage) -> Outcome:
        guest = self._guest(peer)
        guest.asked = asked = asyncio.get_running_loop().create_future()
        line.send(Ask(guest.number, self.match, guest.visitor(), codec.encode(message)))
        outcome = await asked
        if outcome is Outcome.SERVED and guest.place is None and self._guests.get(peer) is guest:
            self._leave(guest)
        return Outcome.NOT_SERVED if outcome is Outcome.UNKNOWN and isinstance(message, _AGAIN) else outcome

    def catch_up(self, peer: Peer) -> None:
        """See `TablePort`."""
        guest = self._guests.get(peer)
        if guest is not None and self._line is not None:
            self._line.send(Behind(guest.number))

    def gone(self, peer: Peer) -> None:
        """See `TablePort`."""
        guest = self._guests.get(peer)
        if guest is not None:
            if self._line is not None:
                self._line.send(Gone(guest.number))
            self._leave(guest)

    def place(self, peer: Peer, place: Place | None) -> None:
        """The owner has given a client that place, or taken it."""
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
        """A client that is here, or asks to come."""
        return self._guests.get(peer)

    def begin(self, owner: str) -> None:
        """That node runs it, as far as is known."""
        if self._seeking is None and self._line is None:
            line = self._edge.line_to(owner)
            if line.answered:
                self._line = line
                self._settled.set()
            else:
                self._settled.clear()
                self._seeking = asyncio.create_task(self._seek())

    def uses(self, line: "EdgeLine") -> bool:
        """Whether that is the way to its owner."""
        return line is self._line

    def hears(self, line: "EdgeLine") -> bool:
        """Whether words of that line still count: not those of a former owner once there is a new one. They would take
        people from the table, who would hear nothing any more."""
        return self._line in (line, None)

    @property
    def deserted(self) -> bool:
        """Whether nobody is here."""
        return not self._guests and self._seeking is None

    def _guest(self, peer: Peer) -> EdgeClient:
        guest = self._guests.get(peer)
        if guest is None:
            guest = self._guests[peer] = EdgeClient(peer, self._edge.number_of(peer))
        return guest

    def moved(self) -> None:
        """Its owner has let go of it; what was not served was not done."""
        self._lose(Outcome.NOT_SERVED)

    def lost(self, line: "EdgeLine") -> None:
        """Nothing is heard of its owner; what was not served may have been done."""
        if line is self._line:
            self._lose(Outcome.UNKNOWN)

    def stop(self) -> None:
        """The node ends."""
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
            self._seeking = asyncio.create_task(self._seek())

    async def _seek(self) -> None:
        """Find whoever runs the match now, here or elsewhere, and go on with all who are at it."""
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
        """Whether nothing is gained by looking any longer than so many seconds: other nodes may reach the owner."""
        cut_off = not self._edge.finder.connected if self._owner is None else self._edge.finder.lives(self._owner)
        return seconds > (CUT_OFF if cut_off else PATIENCE)

    def _send_away(self, guest: EdgeClient) -> None:
        """Nobody runs it, as far as is known: it comes back and is led anew."""
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
                line.send(Again(guest.number, guest.visitor(), guest.place))
        return True

    def look(self) -> None:
        """Once in a while: those whose connection ended while they waited for an answer are gone."""
        for guest in self.guests:
            if not guest.peer.link.is_open:
                self.gone(guest.peer)

    def _dismiss_closed(self) -> None:
        """Those whose connection ended are not announced to a new owner: they would take their seats again, maybe from
        their own next connections."""
        for guest in self.guests:
            if not guest.peer.link.is_open:
                self._leave(guest)

    def _may_stay(self, guest: EdgeClient, place: Place) -> bool:
        """Who only reads a hand comes again with his token."""
        if place.reading != LOOKING_ON:
            guest.peer.link.end(Close.MOVED)
        return place.reading == LOOKING_ON

    def _hand_to(self, task: MatchTask) -> None:
        """It runs here now."""
        self._dismiss_closed()
        for guest in self.guests:
            peer, place = guest.peer, guest.place
            self._leave(guest)
            peer.table = task
            if place is not None and self._may_stay(guest, place):
                task.return_to(peer, place.seat, place.called, place.listens)

    def _leave(self, guest: EdgeClient) -> None:
        """It is at this table no longer."""
        peer = guest.peer
        self._guests.pop(peer, None)
        if guest.place is not None:
            self._edge.bus.unsubscribe(guest.place.channel, peer.receiver)
            guest.place = None
        if peer.table is self:
            peer.table, peer.seat, peer.reading = None, LOOKING_ON, LOOKING_ON
        guest.settle(Outcome.SERVED)


class EdgeLine(NodeLink):
    """What this node says to one owner, and hears of it."""

    def __init__(self, transport: NatsTransport, clock: Clock, owner: str, number: int) -> None:
        super().__init__(transport, clock, owner, number, upward=True)
        self._heard = asyncio.Event()

    def takes(self, parcel: Parcel) -> bool:
        """See `NodeLink`."""
        taken = super().takes(parcel)
        if taken:
            self._heard.set()
        return taken

    async def tried(self) -> bool:
        """Whether the owner answers at all."""
        self.beat()
        try:
            await asyncio.wait_for(self._heard.wait(), TRIED)
        except TimeoutError:
            return False
        return not self.closed


class Edge:
    """All lines of this node to owners, and the tables at their ends."""

    def __init__(self, transport: Callable[[], NatsTransport], clock: Clock, bus: Bus, finder: Finder) -> None:
        self.clock = clock
        self.bus = bus
        self.finder = finder
        self._transport = transport
        self._lines: dict[str, EdgeLine] = {}
        self._tables: dict[str, RemoteTable] = {}
        self._count = itertools.count(1)
        self._numbers = itertools.count(1)
        self._peers: WeakValueDictionary[int, Peer] = WeakValueDictionary()
        self._known: WeakKeyDictionary[Peer, int] = WeakKeyDictionary()

    @property
    def tables(self) -> Mapping[str, RemoteTable]:
        """Those at which clients of this node are, by their matches."""
        return self._tables

    @property
    def lines(self) -> int:
        """Owners that are spoken to."""
        return len(self._lines)

    @property
    def guests(self) -> int:
        """Clients of this node at matches of others."""
        return sum(len(table.guests) for table in tuple(self._tables.values()))

    def table(self, match: str, owner: str, opens: Callable[[str], bool]) -> RemoteTable:
        """A table that another node runs. `opens`: whether a code lets somebody in."""
        table = self._tables.get(match)
        if table is None:
            table = self._tables[match] = RemoteTable(match, opens, self)
        table.begin(owner)
        return table

    def line_to(self, owner: str) -> EdgeLine:
        """The line to a node, which is opened where there is none."""
        line = self._lines.get(owner)
        if line is None:
            line = self._lines[owner] = EdgeLine(self._transport(), self.clock, owner, next(self._count))
        return line

    def hear(self, parcel: Parcel) -> None:
        """Take a parcel of an owner."""
        line = self._lines.get(parcel.sender)
        if line is None or line.number != parcel.line:
            return None
        if not line.takes(parcel):
            return self._break(line)
        for packet in parcel.packets:
            self._act(packet, line)
        return None

    def look(self) -> None:
        """Once in a while: say that all lines stand, and find out which do not."""
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
        """That node has ended."""
        line = self._lines.get(owner)
        if line is not None:
            self._break(line)

    def break_all(self) -> None:
        """The bus is gone."""
        for line in tuple(self._lines.values()):
            self._break(line)

    def number_of(self, peer: Peer) -> int:
        """By which owners know a client; each has one for ever."""
        if peer not in self._known:
            self._known[peer] = number = next(self._numbers)
            self._peers[number] = peer
        return self._known[peer]

    def flush(self) -> None:
        """What was said goes out now."""
        for line in self._lines.values():
            line.flush()

    def stop(self) -> None:
        """The node ends."""
        for table in tuple(self._tables.values()):
            table.stop()

    def _act(self, packet: Packet, line: EdgeLine) -> None:
        match packet:
            case Cast():
                table = self._tables.get(packet.channel.rpartition(".")[0])
                if table is not None and table.guests and table.hears(line):
                    self.bus.publish(packet.channel, Outgoing.framed(packet.frame, packet.droppable))
            case Word():
                peer = self._peers.get(packet.peer)
                if peer is not None and self._may_tell(peer, line):
                    peer.send(Outgoing.framed(packet.frame, packet.droppable))
            case Placed():
                self._place(packet, line)
            case Served():
                guest = self._guest(packet.peer, line)
                if guest is not None:
                    guest.settle(Outcome.SERVED)
            case End():
                self._end(packet, line)

    def _may_tell(self, peer: Peer, line: EdgeLine) -> bool:
        """Whether a word of that line is for a client where it is now; the last ones come when it is at no table."""
        table = peer.table
        return table is None or (isinstance(table, RemoteTable) and table.hears(line))

    def _place(self, packet: Placed, line: EdgeLine) -> None:
        peer = self._peers.get(packet.peer)
        if peer is None:
            return
        if packet.place is not None:
            table = self._tables.get(packet.place.match)
        else:
            table = peer.table if isinstance(peer.table, RemoteTable) else None
        if table is not None and table.hears(line):
            table.place(peer, packet.place)

    def _end(self, packet: End, line: EdgeLine) -> None:
        guest = self._guest(packet.peer, line)
        if guest is None:
            return
        if packet.code == Close.MOVED and isinstance(guest.peer.table, RemoteTable):
            guest.peer.table.moved()
        else:
            guest.peer.link.end(Close(packet.code))

    def _guest(self, number: int, line: EdgeLine) -> EdgeClient | None:
        peer = self._peers.get(number)
        table = peer.table if peer is not None else None
        if peer is None or not isinstance(table, RemoteTable) or not table.hears(line):
            return None
        return table.guest_of(peer)

    def _break(self, line: EdgeLine) -> None:
        line.closed = True
        if self._lines.get(line.other) is line:
            del self._lines[line.other]
        for table in tuple(self._tables.values()):
            table.lost(line)

"""Owner side of node links: clients of other nodes at the matches that run here."""

from collections.abc import Callable
from typing import Final, Protocol

from protocol import codec
from protocol.limits import Close
from server.bus.port import Bus
from server.clock import Clock
from server.cluster.nats_transport import NatsTransport
from server.cluster.node_link import NodeLink
from server.cluster.packets import (
    Again,
    Ask,
    Beat,
    Behind,
    Cast,
    ClientPlace,
    End,
    Gone,
    Packet,
    Parcel,
    PauseAlone,
    Placed,
    Served,
    Visitor,
    Word,
)
from server.delivery.outgoing import Outgoing
from server.delivery.peer import Channels, Peer
from server.matches.task import MatchTask
from shared.refusal import Refusal

DEAF: Final = 4.0
"""Seconds of silence after which an edge and all its clients count as gone."""


class Directory(Protocol):
    """Part of the lobby that the owner side uses."""

    def task(self, match: str) -> MatchTask | None:
        """Return the match if it runs here."""

    def summon(self, match: str, then: Callable[[], None]) -> None:
        """Start to run a match here if this node may, then call `then`."""


class _Link:
    """Link that sends messages to a client of another node."""

    def __init__(self, line: "OwnerLink", number: int) -> None:
        self._line = line
        self._number = number
        self.latency = 0.0
        self.is_open = True

    def send(self, message: Outgoing) -> None:
        self._line.send(Word(self._number, message.frame, message.droppable))

    def end(self, code: Close) -> None:
        self._line.send(End(self._number, code))

    def hang_up(self) -> None:
        """Mark the link as closed, as the client's connection ended."""
        self.is_open = False


class RemotePeer(Peer):
    """Client of another node at a match that runs here."""

    is_remote = True

    def __init__(self, line: "OwnerLink", number: int) -> None:
        self._link = _Link(line, number)
        super().__init__(self._link)
        self._line = line
        self._number = number
        self._channel = ""
        self._told: ClientPlace | None = None
        self.match = ""

    def comes(self, visitor: Visitor, match: str) -> None:
        """Copy the client's identity from its edge."""
        _copy_identity(self, visitor)
        self._link.latency = visitor.latency
        self.match = match

    def hang_up(self) -> None:
        """Detach the client, as its connection ended. Requests that it sent and that have not begun are dropped."""
        self._link.hang_up()
        if self.table is not None:
            self.table.gone(self)

    @classmethod
    def stranger(cls, visitor: Visitor) -> Peer:
        """Return a peer that stands for a client of another node in a query; messages to it are dropped."""
        peer = Peer(_Silence())
        _copy_identity(peer, visitor)
        return peer

    def follow(self, bus: Channels, channel: str) -> None:
        """Subscribe the client's edge to the channel, for all its clients."""
        self._line.follow(channel)
        self._channel = channel
        self._tell_place()

    def unfollow(self, bus: Channels, channel: str) -> None:
        self._line.unfollow(channel)
        if channel == self._channel:
            self._channel = ""
            self._tell_place()

    def served(self) -> None:
        """Tell the edge that the client may send its next request."""
        self._tell_place()
        self._line.send(Served(self._number))

    def left_behind(self) -> None:
        """Tell the edge to look for the node that runs the match now."""
        self._link.end(Close.MOVED)

    def _tell_place(self) -> None:
        place = (
            ClientPlace(self.match, self.seat, self._channel, self.called, self.listens, self.reading)
            if self._channel
            else None
        )
        if place != self._told:
            self._told = place
            self._line.send(Placed(self._number, place))
        self._line.keep(self._number, self if self._channel else None)


def _copy_identity(peer: Peer, visitor: Visitor) -> None:
    peer.said, peer.name, peer.person, peer.proof = visitor.said, visitor.name, visitor.person, visitor.proof
    peer.address, peer.trusted, peer.agreed = visitor.address, visitor.trusted, visitor.agreed


class _Silence:
    """Link that drops all messages."""

    latency = 0.0
    is_open = True

    def send(self, message: Outgoing) -> None:
        pass

    def end(self, code: Close) -> None:
        pass


class _Caster:
    """Receiver that forwards a channel's messages to an edge."""

    def __init__(self, line: "OwnerLink", channel: str) -> None:
        self._line = line
        self._channel = channel

    def send(self, message: Outgoing) -> None:
        self._line.send(Cast(self._channel, message.frame, message.droppable))


class OwnerLink(NodeLink):
    """Link to one edge, with all its clients here."""

    def __init__(
        self, transport: NatsTransport, clock: Clock, edge: str, number: int, bus: Bus, directory: Directory
    ) -> None:
        super().__init__(transport, clock, edge, number, upward=False)
        self._bus = bus
        self._directory = directory
        self._peers: dict[int, RemotePeer] = {}
        self._early: dict[int, list[Ask | Again]] = {}
        """Packets of clients for a match that does not run here, or not yet."""
        self._following: dict[str, tuple[int, _Caster]] = {}
        """Number of clients per channel, and the receiver that forwards it."""

    def hear(self, packet: Packet) -> None:
        """Process a packet of the edge."""
        match packet:
            case Ask():
                self._ask(packet)
            case Again():
                self._again(packet)
            case Gone():
                self._early.pop(packet.peer, None)
                peer = self._peers.pop(packet.peer, None)
                if peer is not None:
                    peer.hang_up()
            case Behind():
                peer = self._peers.get(packet.peer)
                if peer is not None and peer.table is not None:
                    peer.table.catch_up(peer)
            case PauseAlone():
                peer = self._peers.get(packet.peer)
                if peer is not None and peer.table is not None:
                    peer.table.pause_alone(peer)
            case Beat():
                self.beat()

    @property
    def guests(self) -> int:
        """Number of the edge's clients at matches of this node."""
        return len(self._peers)

    def close(self) -> None:
        """Detach all clients of the edge, as it is gone or opens a new link."""
        self.closed = True
        for peer in self._peers.values():
            peer.hang_up()
        for channel, (_, caster) in self._following.items():
            self._bus.unsubscribe(channel, caster)
        self._peers, self._following = {}, {}

    def follow(self, channel: str) -> None:
        """Count one more client that follows a channel. Each message crosses the link once, whatever their number."""
        count, caster = self._following.get(channel, (0, None))
        if caster is None:
            caster = _Caster(self, channel)
            self._bus.subscribe(channel, caster)
        self._following[channel] = count + 1, caster

    def unfollow(self, channel: str) -> None:
        """Count one client less that follows a channel."""
        count, caster = self._following.pop(channel, (0, None))
        if caster is not None and count > 1:
            self._following[channel] = count - 1, caster
        elif caster is not None:
            self._bus.unsubscribe(channel, caster)

    def keep(self, number: int, peer: RemotePeer | None) -> None:
        """Remember a client that is at a match here; forget it (None) until its next request otherwise."""
        if peer is not None and not self.closed:
            self._peers[number] = peer
        else:
            self._peers.pop(number, None)

    def _ask(self, ask: Ask) -> None:
        task = self._directory.task(ask.match)
        # Behind queued packets of the same client, even if the match runs by now: order counts.
        if task is None or ask.peer in self._early:
            return self._summon(ask, ask.match)
        peer = self._peer(ask.peer, ask.visitor, ask.match)
        peer.table = task
        try:
            return task.take(peer, codec.decode_client(ask.message))
        except codec.BadMessage as error:
            # The edge is newer, and so is the client's message.
            peer.refuse(codec.reference_in(ask.message), Refusal(error.code, "", error.text))
            return peer.served()

    def _again(self, again: Again) -> None:
        place, task = again.place, self._directory.task(again.place.match)
        if task is None or again.peer in self._early:
            return self._summon(again, place.match)
        peer = self._peer(again.peer, again.visitor, place.match)
        peer.table = task
        return task.return_to(peer, place.seat, place.called, place.listens)

    def _summon(self, packet: Ask | Again, match: str) -> None:
        """Queue a packet, and start the match if it still counts as this node's own: then no other node may run it.
        Further packets of the client keep their order."""
        waiting = self._early.setdefault(packet.peer, [])
        waiting.append(packet)
        if len(waiting) == 1:
            self._directory.summon(match, lambda: self._hear_early(packet.peer, match))

    def _hear_early(self, peer: int, match: str) -> None:
        """Process the queued packets of a client, or disconnect it if the match could not be started here."""
        packets = self._early.pop(peer, ())
        if self.closed or not packets:
            return None
        if self._directory.task(match) is None:
            return self.send(End(peer, Close.MOVED))
        for packet in packets:
            self.hear(packet)
        return None

    def _peer(self, number: int, visitor: Visitor, match: str) -> RemotePeer:
        peer = self._peers.get(number)
        if peer is None:
            peer = self._peers[number] = RemotePeer(self, number)
        peer.comes(visitor, match)
        return peer


class Owner:
    """All links from edges to this node."""

    def __init__(self, transport: Callable[[], NatsTransport], clock: Clock, bus: Bus, directory: Directory) -> None:
        self._transport = transport
        self._clock = clock
        self._bus = bus
        self._directory = directory
        self._lines: dict[str, OwnerLink] = {}

    @property
    def lines(self) -> int:
        """Number of edges with a link to this node."""
        return len(self._lines)

    @property
    def guests(self) -> int:
        """Number of clients of other nodes at matches of this one."""
        return sum(line.guests for line in tuple(self._lines.values()))

    def hear(self, parcel: Parcel) -> None:
        """Process a parcel of an edge. A link that is unknown or lost a parcel is closed."""
        line = self._line_of(parcel)
        if line is None or not line.takes(parcel):
            self._refuse_unknown_link(parcel)
            return
        for packet in parcel.packets:
            line.hear(packet)

    def look(self) -> None:
        """Close links that are silent. Called periodically."""
        for edge, line in tuple(self._lines.items()):
            if line.silence > DEAF:
                self._close(edge)

    def flush(self) -> None:
        """Flush queued packets of all links."""
        for line in self._lines.values():
            line.flush()

    def close(self) -> None:
        """Close all links."""
        for edge in tuple(self._lines):
            self._close(edge)

    def gone(self, edge: str) -> None:
        """Close the link to a node that has ended."""
        if edge in self._lines:
            self._close(edge)

    def _line_of(self, parcel: Parcel) -> OwnerLink | None:
        line = self._lines.get(parcel.sender)
        # An older link's parcel is ignored; the edge has opened a newer one since.
        if line is not None and parcel.line <= line.number:
            return line if parcel.line == line.number else None
        if line is not None:
            self._close(parcel.sender)
        # A link is known from its first parcel on: that was lost, or this node has restarted meanwhile.
        if parcel.number != 1:
            return None
        line = OwnerLink(self._transport(), self._clock, parcel.sender, parcel.line, self._bus, self._directory)
        self._lines[parcel.sender] = line
        return line

    def _refuse_unknown_link(self, parcel: Parcel) -> None:
        line = self._lines.get(parcel.sender)
        if line is not None and line.number == parcel.line:
            self._close(parcel.sender)
        transport = self._transport()
        transport.send(parcel.sender, Parcel(transport.dialect, transport.node, False, parcel.line, 0, ()))

    def _close(self, edge: str) -> None:
        self._lines.pop(edge).close()

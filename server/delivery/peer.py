"""One connected client, as lobby and tables know it."""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct

from protocol.limits import Close
from protocol.words import refused
from server import metrics
from server.delivery.outbox import Receiver
from server.delivery.outgoing import Outgoing, outgoing
from shared.messages import Act, ClientMessage
from shared.refusal import Refusal
from shared.tables import LOOKING_ON


class Link(Protocol):
    """What carries messages to a client. Neither call waits or raises."""

    def send(self, message: Outgoing) -> None:
        """Send a message in its turn."""

    def end(self, code: Close) -> None:
        """Close the connection with that code."""

    @property
    def latency(self) -> float:
        """Seconds that a message takes to the client and back, as the last ping told."""

    @property
    def is_open(self) -> bool:
        """Whether the client is still there, as far as is known here."""


class Channels(Protocol):
    """Where a peer listens; see `Bus`."""

    def subscribe(self, channel: str, receiver: Receiver) -> None:
        """From now on."""

    def unsubscribe(self, channel: str, receiver: Receiver) -> None:
        """No longer."""


class TablePort(Protocol):
    """The table that a client is at, as all outside of it know it: whoever holds one does not ask where it runs."""

    def opens_to(self, code: str) -> bool:
        """Whether that code lets somebody in; open tables need none."""

    async def hear(self, peer: Peer, message: ClientMessage) -> None:
        """Take a message of a peer that is here or asks to come; waits while too much else is to be done."""

    def is_idle_for(self, peer: Peer) -> bool:
        """Whether an action of that peer would be judged right now."""

    def act_now(self, peer: Peer, message: Act) -> None:
        """Judge an action at once; only while `is_idle_for` its peer."""

    def catch_up(self, peer: Peer) -> None:
        """Show everything as it is now to a peer that missed a part of it."""

    def gone(self, peer: Peer) -> None:
        """A peer's connection ended."""


class Peer:
    """A client: its name, and the table and seat it is at (LOOKING_ON: none)."""

    abroad = False
    """Whether it is connected to another server."""

    def __init__(self, link: Link, name: str = "", outbox: Receiver | None = None) -> None:
        """`outbox`: what the link gives its messages to, where one can see it."""
        self.link = link
        self.receiver: Receiver = outbox or link
        """What takes shared messages."""
        self.said = name
        """The name that it said."""
        self.name = name
        """The name that it goes by: its own by its profile, or with a mark where that of somebody else's."""
        self.person = ""
        """Its profile, as far as it has shown that it has one."""
        self.proof = b""
        """The hash of the secret by which it did."""
        self.called = name
        """Its name at the table that it is at: no other there looks like it."""
        self.address = ""
        """Where it comes from, as limits count it."""
        self.trusted = True
        """Whether nothing is held against its address: it is this machine's own."""
        self.agreed: frozenset[str] = frozenset()
        """What its program understands, of what not every one does; see `Hello.can`."""
        self.table: TablePort | None = None
        self.seat = LOOKING_ON
        self.reading = LOOKING_ON
        """The seat whose hand it reads, without having it; LOOKING_ON: of none."""
        self.offered = b""
        """The hash of the token of its seat that it was told, empty if it was told none on this connection."""
        self.listens = False
        """Whether it wishes to hear those who look on while it plays."""

    @property
    def sees(self) -> int:
        """The seat with whose eyes it sees the match; LOOKING_ON: as all may."""
        return self.seat if self.reading == LOOKING_ON else self.reading

    @property
    def latency(self) -> float:
        """Seconds that a message takes there and back."""
        return self.link.latency

    def follow(self, bus: Channels, channel: str) -> None:
        """Hear what is published there from now on."""
        bus.subscribe(channel, self.receiver)

    def unfollow(self, bus: Channels, channel: str) -> None:
        """No longer."""
        bus.unsubscribe(channel, self.receiver)

    def served(self) -> None:
        """The last thing that it said has been dealt with."""

    def left_behind(self) -> None:
        """Close the connection: this server ends, and another one may run the match."""
        self.link.end(Close.RESTART)

    def send(self, message: Outgoing) -> None:
        """Send a shared message."""
        self.receiver.send(message)

    def tell(self, message: Struct) -> None:
        """Send a message to this client alone."""
        self.send(outgoing(message))

    def refuse(self, ref: int, refusal: Refusal) -> None:
        """Say why a request had no effect."""
        metrics.REFUSALS.labels(refusal.code).inc()
        self.tell(refused(ref, refusal))

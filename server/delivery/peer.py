"""Connected client, as the lobby and tables know it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from msgspec import Struct

from protocol.limits import Close
from protocol.refusal_text import refused
from server import metrics
from server.delivery.outbox import Receiver
from server.delivery.outgoing import Outgoing, outgoing
from shared.messages import Act, ClientMessage
from shared.refusal import Refusal
from shared.tables import LOOKING_ON


class Link(Protocol):
    """Connection to a client. Neither method blocks or raises."""

    def send(self, message: Outgoing) -> None:
        """Send a message after the earlier ones."""

    def end(self, code: Close) -> None:
        """Close the connection with that code."""

    @property
    def latency(self) -> float:
        """Round-trip time in seconds, as the last ping measured it."""

    @property
    def is_open(self) -> bool:
        """Whether the client is still connected, as far as this server knows."""


class Channels(Protocol):
    """Channels to which a peer subscribes; see `Bus`."""

    def subscribe(self, channel: str, receiver: Receiver) -> None:
        """Subscribe a receiver to a channel."""

    def unsubscribe(self, channel: str, receiver: Receiver) -> None:
        """End the subscription of a receiver to a channel."""


class TablePort(Protocol):
    """Table as its peers and the lobby use it, whichever node runs it."""

    def opens_to(self, code: str) -> bool:
        """Whether that code admits a client; open tables need none."""

    async def hear(self, peer: "Peer", message: ClientMessage) -> None:
        """Take a message of a peer that is here or asks to enter; block while the table is busy."""

    def is_idle_for(self, peer: "Peer") -> bool:
        """Whether an action of that peer would be judged at once."""

    def act_now(self, peer: "Peer", message: Act) -> None:
        """Judge an action at once; only while `is_idle_for` its peer."""

    def catch_up(self, peer: "Peer") -> None:
        """Send the present state to a peer that missed a part of it."""

    def pause_alone(self, peer: "Peer") -> None:
        """Pause the match if the peer plays with bots alone, because another table awaits them."""

    def gone(self, peer: "Peer") -> None:
        """Handle the end of a peer's connection."""


class Peer:
    """A client: its name, and the table and seat it is at (LOOKING_ON: none)."""

    is_remote = False
    """Whether it is connected to another server."""

    def __init__(self, link: Link, name: str = "", outbox: Receiver | None = None) -> None:
        """Create a peer. `outbox`: the link's outbox, if it is accessible, for sending without a detour."""
        self.link = link
        self.receiver: Receiver = outbox or link
        """Receiver of shared messages."""
        self.said = name
        """The name that the client sent."""
        self.name = name
        """The name in use: the profile's, or the client's."""
        self.person = ""
        """The profile that it has proved to be its own, "" for none."""
        self.proof = b""
        """The hash of the secret that proved it."""
        self.called = name
        """Its name at the table that it is at: no other there looks like it."""
        self.address = ""
        """The address from which it comes, as limits count it."""
        self.trusted = True
        """Whether limits per address do not apply, because it connects from this machine."""
        self.agreed: frozenset[str] = frozenset()
        """Optional features that its program understands; see `Hello.can`."""
        self.table: TablePort | None = None
        self.seat = LOOKING_ON
        self.reading = LOOKING_ON
        """The seat whose hand it reads without having the seat; LOOKING_ON: none."""
        self.offered = b""
        """The hash of the token that it was told for its seat, empty if it was told none on this connection."""
        self._gathered: list[Outgoing] | None = None
        self.listens = False
        """Whether it wishes to hear spectators while it plays."""

    @property
    def sees(self) -> int:
        """The seat whose view it sees; LOOKING_ON: the public's."""
        return self.seat if self.reading == LOOKING_ON else self.reading

    @property
    def latency(self) -> float:
        """Round-trip time in seconds."""
        return self.link.latency

    def follow(self, bus: Channels, channel: str) -> None:
        """Subscribe to a channel."""
        bus.subscribe(channel, self.receiver)

    def unfollow(self, bus: Channels, channel: str) -> None:
        """End the subscription to a channel."""
        bus.unsubscribe(channel, self.receiver)

    def served(self) -> None:
        """Note that the client's last request was handled."""

    def left_behind(self) -> None:
        """Close the connection: this server ends, and another one may run the match."""
        self.link.end(Close.RESTART)

    def send(self, message: Outgoing) -> None:
        """Send a shared message."""
        if self._gathered is None:
            self.receiver.send(message)
        else:
            self._gathered.append(message)

    @contextmanager
    def gathering(self) -> Iterator[None]:
        """Write all that is sent to this client meanwhile as one piece."""
        self._gathered = []
        try:
            yield
        finally:
            gathered, self._gathered = self._gathered, None
            if gathered:
                self.receiver.send(Outgoing.framed(b"".join([each.frame for each in gathered]), droppable=False))

    def tell(self, message: Struct) -> None:
        """Send a message to this client alone."""
        self.send(outgoing(message))

    def refuse(self, ref: int, refusal: Refusal) -> None:
        """Say why a request had no effect."""
        metrics.count_refusal(refusal)
        self.tell(refused(ref, refusal))

"""Who follows a match, by audience class: every seat is one, the public is the last."""

from msgspec import Struct

from server.bus import Bus
from server.outgoing import Outgoing, outgoing
from server.peer import Peer


class Audience:
    """The peers at a table. Messages are encoded once per class and handed to the bus, the players' classes first."""

    def __init__(self, match: str, seats: int, bus: Bus) -> None:
        self._channels = [f"{match}.{audience}" for audience in range(seats + 1)]
        self._public = seats
        self._bus = bus
        self._peers: dict[Peer, int] = {}

    @property
    def peers(self) -> tuple[Peer, ...]:
        """Everybody here."""
        return tuple(self._peers)

    @property
    def watchers(self) -> int:
        """How many look on."""
        return sum(audience == self._public for audience in self._peers.values())

    def player(self, seat: int) -> Peer | None:
        """The peer on a seat."""
        return next((peer for peer, audience in self._peers.items() if audience == seat), None)

    def audience_of(self, peer: Peer) -> int:
        """The class that a peer belongs to by its seat."""
        return peer.seat if peer.seat >= 0 else self._public

    def enter(self, peer: Peer) -> None:
        """Let a peer follow as its seat says."""
        audience = self.audience_of(peer)
        self._peers[peer] = audience
        self._bus.subscribe(self._channels[audience], peer.send)

    def leave(self, peer: Peer) -> None:
        """A peer no longer follows; unknown peers are ignored."""
        audience = self._peers.pop(peer, None)
        if audience is not None:
            self._bus.unsubscribe(self._channels[audience], peer.send)

    def publish(self, payloads: tuple[bytes, ...]) -> None:
        """One payload per class; equal objects share their frame."""
        built: dict[int, Outgoing] = {}
        for channel, payload in zip(self._channels, payloads, strict=True):
            message = built.get(id(payload))
            if message is None:
                message = built[id(payload)] = Outgoing(payload, droppable=True)
            self._bus.publish(channel, message)

    def tell(self, message: Struct) -> None:
        """The same to all."""
        shared = outgoing(message, droppable=True)
        for channel in self._channels:
            self._bus.publish(channel, shared)

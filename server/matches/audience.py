"""Who follows a match, by audience class: every seat is one, the public the last two: those who are told of comings
and goings alone, and the others."""

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct

from protocol import codec
from server.bus.port import Bus
from server.delivery.outgoing import Outgoing, outgoing
from server.delivery.peer import Peer
from shared.ids import NONE
from shared.tables import LOOKING_ON, PRESENCE


class Audience:
    """The peers at a table. Messages are encoded once per class and handed to the bus, the players' classes first."""

    def __init__(self, match: str, seats: int, bus: Bus) -> None:
        self._channels = [f"{match}.{audience}" for audience in range(seats + 2)]
        self._public = seats
        """Those who look on, with programs that know no `Presence`; behind it those with others."""
        self._bus = bus
        self._peers: dict[Peer, int] = {}
        self._count: Counter[int] = Counter()

    @property
    def peers(self) -> tuple[Peer, ...]:
        """Everybody here."""
        return tuple(self._peers)

    def __contains__(self, peer: object) -> bool:
        return peer in self._peers

    @property
    def onlookers(self) -> Iterator[Peer]:
        """Those without a seat, whoever came first before the others."""
        return (peer for peer, audience in self._peers.items() if audience >= self._public)

    @property
    def watchers(self) -> int:
        """How many look on."""
        return self._count[self._public] + self._count[self._public + 1]

    def player(self, seat: int) -> Peer | None:
        """The peer on a seat."""
        return next((peer for peer in self._peers if peer.seat == seat), None)

    def readers(self, seat: int) -> list[Peer]:
        """Those who read the hand of a seat."""
        return [peer for peer in self._peers if peer.reading == seat]

    def audience_of(self, peer: Peer) -> int:
        """The class that a peer belongs to by what it may see."""
        return self._public if peer.sees == LOOKING_ON else peer.sees

    def enter(self, peer: Peer) -> None:
        """Let a peer follow as its seat says, or the one whose hand it reads."""
        audience, before = self.audience_of(peer), self._peers.get(peer, NONE)
        audience += audience == self._public and PRESENCE in peer.agreed
        self._count[before] -= 1
        self._count[audience] += 1
        self._peers[peer] = audience
        peer.follow(self._bus, self._channels[audience])
        if before not in (NONE, audience):
            peer.unfollow(self._bus, self._channels[before])

    def leave(self, peer: Peer) -> None:
        """A peer no longer follows; unknown peers are ignored."""
        audience = self._peers.pop(peer, None)
        if audience is not None:
            self._count[audience] -= 1
            peer.unfollow(self._bus, self._channels[audience])

    def show(self, audience: int, payloads: Sequence[bytes]) -> None:
        """The versions of one class to it, before all others see theirs."""
        self._bus.publish(self._channels[audience], Outgoing(*payloads, droppable=True))

    def publish(self, *versions: tuple[bytes, ...], then: Struct | None = None, shown: int = NONE) -> None:
        """Per version one payload for each class, but for the one that was `shown` its own, and a word for all: written
        together, as one piece.

        Classes whose payloads are the same objects share their bytes.
        """
        word = () if then is None else (codec.encode_lean(then),)
        built: dict[tuple[int, ...], Outgoing] = {}
        classes = list(zip(*versions, strict=True))
        classes.append(classes[self._public])
        if shown != NONE:
            classes[shown] = ()
        for channel, payloads in zip(self._channels, classes, strict=True):
            key = tuple(map(id, payloads))
            message = built.get(key)
            if message is None:
                message = built[key] = Outgoing(*payloads, *word, droppable=True)
            if message.frame:
                self._bus.publish(channel, message)

    @property
    def players(self) -> Iterator[Peer]:
        """Those with a seat, and those who read the hand of one."""
        return (peer for peer, audience in self._peers.items() if audience < self._public)

    def tell_onlookers(self, state: Outgoing, news: Outgoing | None) -> None:
        """The table to all without a seat; to those who understand it, what is new of it."""
        plain, keen = self._channels[self._public :]
        self._bus.publish(plain, state)
        if news is not None:
            self._bus.publish(keen, news)

    def tell(self, message: Struct) -> None:
        """The same to all."""
        self._tell(message, self._channels)

    def tell_gallery(self, message: Struct) -> None:
        """The same to those who look on, and to players who listen to them."""
        listening = {audience for peer, audience in self._peers.items() if peer.listens}
        classes = sorted(listening | {self._public, self._public + 1})
        self._tell(message, [self._channels[audience] for audience in classes])

    def _tell(self, message: Struct, channels: Sequence[str]) -> None:
        shared = outgoing(message, droppable=True)
        for channel in channels:
            self._bus.publish(channel, shared)

"""Peers that follow a match, grouped by audience class.

Each seat is a class. The last two are the public: spectators whose programs do not know `Presence`, and those whose
programs do.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct

from protocol import codec
from server.addresses import AddressCounts
from server.bus.port import Bus
from server.delivery.outgoing import Outgoing, outgoing
from server.delivery.peer import Peer
from server.matches.names import keys
from shared.ids import NONE
from shared.tables import LOOKING_ON, PRESENCE, SENTENCES


class OnlookerCounts:
    """Counts of the spectators' names and addresses, so that each newcomer to a crowd costs as much as the first."""

    def __init__(self) -> None:
        self._counted: dict[Peer, tuple[frozenset[str], str]] = {}
        self._names: Counter[str] = Counter()
        self.addresses = AddressCounts()

    def add(self, peer: Peer) -> None:
        """Count a spectator, or count them anew after a change of their name."""
        self.remove(peer)
        looks, address = self._counted[peer] = keys(peer.called), peer.address
        self._names.update(looks)
        self.addresses.add(address)

    def remove(self, peer: Peer) -> None:
        """Stop counting a peer; unknown ones are ignored."""
        if peer in self._counted:
            looks, address = self._counted.pop(peer)
            self._names.subtract(looks)
            # `subtract` leaves zeros, which would pile up with every visitor of a crowd.
            for look in looks:
                if not self._names[look]:
                    del self._names[look]
            self.addresses.add(address, -1)

    def has_name(self, looks: frozenset[str], besides: Peer) -> bool:
        """Whether a spectator other than `besides` has a name with one of these keys."""
        # The name that a peer has already does not stand in its own way.
        own = self._counted[besides][0] if besides in self._counted else frozenset()
        return any(self._names[look] > (look in own) for look in looks)


class Audience:
    """The peers at a table. Messages are encoded once per class and given to the bus, players' classes first."""

    def __init__(self, match: str, seats: int, bus: Bus) -> None:
        self._channels = [f"{match}.{audience}" for audience in range(seats + 2)]
        self._public = seats
        """Class of spectators whose programs do not know `Presence`; the class after it is for the others."""
        self._bus = bus
        self._peers: dict[Peer, int] = {}
        self._count: Counter[int] = Counter()
        self.counts = OnlookerCounts()
        self.narrated: set[Peer] = set()
        """Peers whose programs want `Narrated`."""

    @property
    def peers(self) -> tuple[Peer, ...]:
        """All peers at the table."""
        return tuple(self._peers)

    def __contains__(self, peer: object) -> bool:
        return peer in self._peers

    @property
    def onlookers(self) -> Iterator[Peer]:
        """Spectators, in the order of their arrival."""
        return (peer for peer, audience in self._peers.items() if audience >= self._public)

    @property
    def watchers(self) -> int:
        """Number of spectators."""
        return self._count[self._public] + self._count[self._public + 1]

    def player(self, seat: int) -> Peer | None:
        """Return the peer on a seat, None if its player is not connected."""
        return next((peer for peer in self._peers if peer.seat == seat), None)

    def readers(self, seat: int) -> list[Peer]:
        """Return the peers that read the hand of a seat."""
        return [peer for peer in self._peers if peer.reading == seat]

    def audience_of(self, peer: Peer) -> int:
        """Return the class of a peer by what it may see."""
        return self._public if peer.sees == LOOKING_ON else peer.sees

    def enter(self, peer: Peer) -> None:
        """Add a peer to the class of its seat, or of the seat whose hand it reads."""
        audience, before = self.audience_of(peer), self._peers.get(peer, NONE)
        audience += audience == self._public and PRESENCE in peer.agreed
        self._count[before] -= 1
        self._count[audience] += 1
        self._peers[peer] = audience
        if audience >= self._public:
            self.counts.add(peer)
        else:
            self.counts.remove(peer)
        if SENTENCES in peer.agreed:
            self.narrated.add(peer)
        # The new channel first: a remote client without any channel counts as having left the match.
        peer.follow(self._bus, self._channels[audience])
        if before not in (NONE, audience):
            peer.unfollow(self._bus, self._channels[before])

    def leave(self, peer: Peer) -> None:
        """Remove a peer; unknown peers are ignored."""
        audience = self._peers.pop(peer, None)
        self.counts.remove(peer)
        self.narrated.discard(peer)
        if audience is not None:
            self._count[audience] -= 1
            peer.unfollow(self._bus, self._channels[audience])

    def show(self, audience: int, payloads: Sequence[bytes]) -> None:
        """Send one class its frames, before `publish` sends the other classes theirs."""
        self._bus.publish(self._channels[audience], Outgoing(*payloads, droppable=True))

    def publish(self, *versions: tuple[bytes, ...], then: Struct | None = None, shown: int = NONE) -> None:
        """Send each class its payloads, one for each version, followed by the message `then`.

        `shown`: the class that has its payloads already and gets only `then`. All of a class's data is written as one
        piece. Classes whose payloads are the same objects share their bytes.
        """
        word = () if then is None else (codec.encode_lean(then),)
        built: dict[tuple[int, ...], Outgoing] = {}
        classes = list(zip(*versions, strict=True))
        # Both classes of spectators see the same; they differ only in how they learn who comes.
        classes.append(classes[self._public])
        if shown != NONE:
            classes[shown] = ()
        for channel, payloads in zip(self._channels, classes, strict=True):
            # By identity: frames of classes that see the same are one object, and comparing bytes would cost more.
            key = tuple(map(id, payloads))
            message = built.get(key)
            if message is None:
                message = built[key] = Outgoing(*payloads, *word, droppable=True)
            if message.frame:
                self._bus.publish(channel, message)

    @property
    def players(self) -> Iterator[Peer]:
        """Seated peers and the readers of their hands."""
        return (peer for peer, audience in self._peers.items() if audience < self._public)

    def tell_onlookers(self, state: Outgoing, news: Outgoing | None) -> None:
        """Send the table's state to spectators. Those who know `Presence` get `news` instead, or nothing if it is
        None."""
        plain, keen = self._channels[self._public :]
        self._bus.publish(plain, state)
        if news is not None:
            self._bus.publish(keen, news)

    def tell(self, message: Struct) -> None:
        """Send one message to all peers."""
        self._tell(message, self._channels)

    def tell_gallery(self, message: Struct) -> None:
        """Send one message to spectators and to players who listen to them."""
        listening = {audience for peer, audience in self._peers.items() if peer.listens}
        classes = sorted(listening | {self._public, self._public + 1})
        self._tell(message, [self._channels[audience] for audience in classes])

    def _tell(self, message: Struct, channels: Sequence[str]) -> None:
        shared = outgoing(message, droppable=True)
        for channel in channels:
            self._bus.publish(channel, shared)

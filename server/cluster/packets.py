"""Packets between nodes: an internal protocol with a version of its own.

A node whose clients are at a match that another node runs is an *edge*; the other node is the match's *owner*. Between
an edge and an owner lies a *link*: numbered parcels in both directions. The edge opens a new link whenever a parcel was
lost. A message to all nodes is a *shout*."""

from typing import Final, TypeAlias, get_args

import msgspec
from msgspec import Struct

from protocol.codec import ENCODER
from server.storage.port import DeedRecord, OwedSeats, PersonRecord, TableRecord
from shared.ids import NONE
from shared.messages import LobbyChange, SeatInfo


class Dialect(Struct, array_like=True, frozen=True):
    """Protocol versions of a node: its own, and the oldest that can exchange messages with it.

    A new version may append fields to any structure, and add kinds of packets and shouts. Nodes skip those that they do
    not know."""

    version: int
    oldest: int

    def knows(self, other: "Dialect") -> bool:
        """Whether the two versions are compatible."""
        return other.oldest <= self.version and self.oldest <= other.version


OURS: Final = Dialect(1, 1)
"""A newer version leaves `oldest` at least one behind, since servers are updated one after the other."""


class Visitor(Struct, array_like=True, frozen=True):
    """Identity of a client as its edge knows it; the fields are those of `Peer`."""

    said: str
    name: str
    person: str
    proof: bytes
    address: str
    trusted: bool
    latency: float
    agreed: frozenset[str] = frozenset()


class ClientPlace(Struct, array_like=True, frozen=True):
    """Place of a client at a match: the channel whose audience it is in. `reading`: the seat whose hand it only
    reads."""

    match: str
    seat: int
    channel: str
    called: str
    listens: bool
    reading: int


class Ask(Struct, array_like=True, frozen=True, tag=1):
    """To the owner: a client's message to a match. The client waits with the next one until this is `Served`."""

    peer: int
    match: str
    visitor: Visitor
    message: bytes


class Again(Struct, array_like=True, frozen=True, tag=2):
    """To the owner: a client that was at the match on its former node, and keeps its place."""

    peer: int
    visitor: Visitor
    place: ClientPlace


class Gone(Struct, array_like=True, frozen=True, tag=3):
    """To the owner: a client's connection ended."""

    peer: int


class Behind(Struct, array_like=True, frozen=True, tag=4):
    """To the owner: a slow client reads again, and has missed messages."""

    peer: int


class PauseAlone(Struct, array_like=True, frozen=True, tag=5):
    """To the owner: another table awaits a client; its match pauses if it plays with bots alone."""

    peer: int


class Word(Struct, array_like=True, frozen=True, tag=11):
    """To the edge: a message for one client."""

    peer: int
    frame: bytes
    droppable: bool


class Cast(Struct, array_like=True, frozen=True, tag=12):
    """To the edge: a message for all its clients on that channel."""

    channel: str
    frame: bytes
    droppable: bool


class Placed(Struct, array_like=True, frozen=True, tag=13):
    """To the edge: the client's new place at a match; None if it left."""

    peer: int
    place: ClientPlace | None


class End(Struct, array_like=True, frozen=True, tag=14):
    """To the edge: close a client's connection. With MOVED the connection stays: another node has the match by now, and
    requests that were not `Served` can be repeated there."""

    peer: int
    code: int


class Served(Struct, array_like=True, frozen=True, tag=15):
    """To the edge: the client's request has been processed."""

    peer: int


class Beat(Struct, array_like=True, frozen=True, tag=21):
    """Both ways: heartbeat of the link."""


Packet: TypeAlias = Ask | Again | Gone | Behind | PauseAlone | Word | Cast | Placed | End | Served | Beat


class Parcel(Struct, array_like=True, frozen=True):
    """Packets that a link carries at once.

    `upward`: from edge to owner. `line`: number of the link; a later one of the same edge has a higher number.
    `number`: 1 for the first parcel of each direction, 0 from an owner that does not know the link."""

    dialect: Dialect
    sender: str
    upward: bool
    line: int
    number: int
    packets: tuple[Packet, ...]


class Heartbeat(Struct, array_like=True, frozen=True, tag=1):
    """To all, each second: heartbeat of a node. `count` and `check` describe the tables that it lists, so that others
    notice missed changes. `healthy`: whether it reaches the database."""

    count: int
    check: int
    healthy: bool


class Call(Struct, array_like=True, frozen=True, tag=2):
    """To one node (or all, if empty): request to send its whole list of tables."""

    node: str


class Whole(Struct, array_like=True, frozen=True, tag=3):
    """To all: the complete set of matches that the node lists; `News` of each follow."""

    matches: tuple[str, ...]


class News(Struct, array_like=True, frozen=True, tag=4):
    """To all: changes in the node's list of tables."""

    changes: tuple[LobbyChange, ...]


class Known(Struct, array_like=True, frozen=True, tag=5):
    """To all: a changed profile, or (`gone`) a deleted one. `erased`: also in all matches, for good."""

    person: PersonRecord
    gone: bool = False
    erased: bool = False


class Passing(Struct, array_like=True, frozen=True, tag=6):
    """To all: a code that gives another device access to a profile, valid for so many seconds; 0: it is used."""

    code: str
    person: str
    seconds: float


class SeatCode(Struct, array_like=True, frozen=True, tag=7):
    """To all: a code that opens one seat once; `match` is empty once it is used."""

    code: str
    match: str
    seat: int


class Leaving(Struct, array_like=True, frozen=True, tag=8):
    """To all: the node ends."""


class Spoken(Struct, array_like=True, frozen=True, tag=9):
    """To all: an operator's text for those at a match, or (without a match) for all clients."""

    text: str
    match: str


class NewDeed(Struct, array_like=True, frozen=True, tag=10):
    """To all: an entry was added to the operator's list."""

    deed: DeedRecord


Saying: TypeAlias = Heartbeat | Call | Whole | News | Known | Passing | SeatCode | Leaving | Spoken | NewDeed


class Shout(Struct, array_like=True, frozen=True):
    """Message of one node to all others."""

    dialect: Dialect
    sender: str
    word: Saying


class MatchQuery(Struct, array_like=True, frozen=True):
    """Query to an owner: the state of a match, and whether that client may watch it with that code.

    `seat`: also requests a key to that seat. Without a match: asks at which of its tables the code shows a hand."""

    dialect: Dialect
    match: str
    visitor: Visitor
    code: str
    seat: int = NONE


class MatchReply(Struct, array_like=True, frozen=True):
    """Answer of the owner; `table` is None where it does not run the match. `refusal`: the code, rule and text."""

    table: TableRecord | None = None
    standing: OwedSeats | None = None
    seats: tuple[SeatInfo, ...] = ()
    version: int = 0
    refusal: tuple[str, str, str] | None = None
    key: bytes = b""


class _Unread(Struct, array_like=True, frozen=True):
    """Parcel whose packets are not decoded yet."""

    dialect: Dialect
    sender: str
    upward: bool
    line: int
    number: int
    packets: tuple[msgspec.Raw, ...]


_PARCEL: Final = msgspec.msgpack.Decoder(Parcel)
_UNREAD: Final = msgspec.msgpack.Decoder(_Unread)
_KINDS: Final = frozenset(kind.__struct_config__.tag for kind in get_args(Packet))
_PACKET: Final[msgspec.msgpack.Decoder[Packet]] = msgspec.msgpack.Decoder(Packet)
SHOUT: Final = msgspec.msgpack.Decoder(Shout)
QUESTION: Final = msgspec.msgpack.Decoder(MatchQuery)
REPLY: Final = msgspec.msgpack.Decoder(MatchReply)
encode: Final = ENCODER.encode


def parcel_in(data: bytes) -> Parcel:
    """Decode a parcel, without packets of kinds that only newer versions know. Raises msgspec.MsgspecError."""
    try:
        # The fast way first: only newer nodes send unknown kinds.
        return _PARCEL.decode(data)
    except msgspec.ValidationError:
        unread = _UNREAD.decode(data)
    packets = tuple([packet for raw in unread.packets for packet in _read(raw)])
    return Parcel(unread.dialect, unread.sender, unread.upward, unread.line, unread.number, packets)


def _read(raw: msgspec.Raw) -> tuple[Packet, ...]:
    """Decode a packet; return an empty tuple for an unknown kind."""
    return (_PACKET.decode(raw),) if msgspec.msgpack.decode(raw)[0] in _KINDS else ()

"""What nodes say to each other: an internal protocol with a version of its own.

A node whose clients are at a match that another one runs is an *edge*; the other is the match's *owner*. Between an
edge and an owner lies a *line*: numbered parcels in both directions, opened anew by the edge whenever one was lost.
What goes to all nodes is a *shout*.
"""

from typing import Final, TypeAlias, get_args

import msgspec
from msgspec import Struct

from protocol.codec import ENCODER
from server.storage.port import PersonRecord, Standing, TableRecord
from shared.ids import NONE
from shared.messages import LobbyChange, SeatInfo


class Dialect(Struct, array_like=True, frozen=True):
    """What a node speaks: its version of this protocol, and the oldest version that it still reads and that still reads
    it. From one version to the next there may be more fields at the end of anything, and more kinds of packets and
    shouts, which who does not know them passes over."""

    version: int
    oldest: int

    def knows(self, other: "Dialect") -> bool:
        """Whether the two understand each other."""
        return other.oldest <= self.version and self.oldest <= other.version


OURS: Final = Dialect(1, 1)
"""Whoever makes a newer version leaves `oldest` at least one behind: servers are updated one after the other."""


class Visitor(Struct, array_like=True, frozen=True):
    """A client as its edge knows it; the fields are those of `Peer`."""

    said: str
    name: str
    person: str
    proof: bytes
    address: str
    trusted: bool
    latency: float
    agreed: frozenset[str] = frozenset()


class Place(Struct, array_like=True, frozen=True):
    """Where a client follows a match: as the audience of that channel. `reading`: the seat whose hand it only reads."""

    match: str
    seat: int
    channel: str
    called: str
    listens: bool
    reading: int


class Ask(Struct, array_like=True, frozen=True, tag=1):
    """To the owner: a client says something to a match. It says nothing more until it is `Served`."""

    peer: int
    match: str
    visitor: Visitor
    message: bytes


class Again(Struct, array_like=True, frozen=True, tag=2):
    """To the owner: a client that was at the match when another node ran it, and stays where it was."""

    peer: int
    visitor: Visitor
    place: Place


class Gone(Struct, array_like=True, frozen=True, tag=3):
    """To the owner: a client's connection ended."""

    peer: int


class Behind(Struct, array_like=True, frozen=True, tag=4):
    """To the owner: a slow client reads again, and has missed a part."""

    peer: int


class Word(Struct, array_like=True, frozen=True, tag=11):
    """To the edge: for one client."""

    peer: int
    frame: bytes
    droppable: bool


class Cast(Struct, array_like=True, frozen=True, tag=12):
    """To the edge: for all its clients on that channel."""

    channel: str
    frame: bytes
    droppable: bool


class Placed(Struct, array_like=True, frozen=True, tag=13):
    """To the edge: where a client follows a match from now on, None for nowhere."""

    peer: int
    place: Place | None


class End(Struct, array_like=True, frozen=True, tag=14):
    """To the edge: a client's connection is to be closed. With MOVED it is not: another node has the match by now, and
    what was not `Served` can be said again there."""

    peer: int
    code: int


class Served(Struct, array_like=True, frozen=True, tag=15):
    """To the edge: what a client asked has been dealt with."""

    peer: int


class Beat(Struct, array_like=True, frozen=True, tag=21):
    """Both ways: the line stands."""


Packet: TypeAlias = Ask | Again | Gone | Behind | Word | Cast | Placed | End | Served | Beat


class Parcel(Struct, array_like=True, frozen=True):
    """What a line carries at once. `upward`: from edge to owner. `line`: a later one of the same edge has a higher
    number; `number`: 1 for the first parcel of each direction, 0 from an owner who knows nothing of that line."""

    dialect: Dialect
    sender: str
    upward: bool
    line: int
    number: int
    packets: tuple[Packet, ...]


class Roll(Struct, array_like=True, frozen=True, tag=1):
    """To all, each second: that node is there. `count` and `check`: of the tables that it lists, so that whoever has
    missed a change notices; `healthy`: whether it reaches the database."""

    count: int
    check: int
    healthy: bool


class Call(Struct, array_like=True, frozen=True, tag=2):
    """To one node: tell again all that you list."""

    node: str


class Whole(Struct, array_like=True, frozen=True, tag=3):
    """To all: the matches that the node lists, and no others; `News` of each follow."""

    matches: tuple[str, ...]


class News(Struct, array_like=True, frozen=True, tag=4):
    """To all: changes of the node's list."""

    changes: tuple[LobbyChange, ...]


class Known(Struct, array_like=True, frozen=True, tag=5):
    """To all: a profile as it is now, or (`gone`) is no longer."""

    person: PersonRecord
    gone: bool = False


class Passing(Struct, array_like=True, frozen=True, tag=6):
    """To all: a code that leads another device to a profile, for so many seconds; 0: it is used."""

    code: str
    person: str
    seconds: float


class SeatCode(Struct, array_like=True, frozen=True, tag=7):
    """To all: a code that opens one seat once; `match` is empty once it is used."""

    code: str
    match: str
    seat: int


class Leaving(Struct, array_like=True, frozen=True, tag=8):
    """To all: that node ends."""


class Spoken(Struct, array_like=True, frozen=True, tag=9):
    """To all: a word of an operator to those at a match, or (without one) to everybody."""

    text: str
    match: str


Saying: TypeAlias = Roll | Call | Whole | News | Known | Passing | SeatCode | Leaving | Spoken


class Shout(Struct, array_like=True, frozen=True):
    """What one node says to all."""

    dialect: Dialect
    sender: str
    word: Saying


class Question(Struct, array_like=True, frozen=True):
    """To an owner: how a match stands, and whether that client may look on with that code. `seat`: a key to it, too;
    without a match: at which of its tables a hand is read with that code."""

    dialect: Dialect
    match: str
    visitor: Visitor
    code: str
    seat: int = NONE


class Reply(Struct, array_like=True, frozen=True):
    """The owner's answer; `table` is None where it does not run the match. `refusal`: the code, rule and text."""

    table: TableRecord | None = None
    standing: Standing | None = None
    seats: tuple[SeatInfo, ...] = ()
    version: int = 0
    refusal: tuple[str, str, str] | None = None
    key: bytes = b""


class _Unread(Struct, array_like=True, frozen=True):
    """A parcel whose packets are not read yet."""

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
QUESTION: Final = msgspec.msgpack.Decoder(Question)
REPLY: Final = msgspec.msgpack.Decoder(Reply)
encode: Final = ENCODER.encode


def parcel_in(data: bytes) -> Parcel:
    """What a node said to this one, without what only newer ones say. Raises msgspec.MsgspecError."""
    try:
        return _PARCEL.decode(data)
    except msgspec.ValidationError:
        unread = _UNREAD.decode(data)
    packets = tuple([packet for raw in unread.packets for packet in _read(raw)])
    return Parcel(unread.dialect, unread.sender, unread.upward, unread.line, unread.number, packets)


def _read(raw: msgspec.Raw) -> tuple[Packet, ...]:
    """One packet, or none of a kind that is not known here."""
    return (_PACKET.decode(raw),) if msgspec.msgpack.decode(raw)[0] in _KINDS else ()

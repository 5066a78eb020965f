"""Messages on their way out, built once for all who get them."""

from typing import Final

from msgspec import Struct

from protocol import codec

_BINARY: Final = 0x82
"""First byte of a whole binary WebSocket message."""


class Outgoing:
    """The bytes of one or more WebSocket messages, written together. `droppable`: a reader that falls behind does
    without, since what they tell is repeated once the reader is back (the match's stream, the table, the clock) or only
    talk."""

    __slots__ = ("droppable", "frame")

    def __init__(self, *payloads: bytes, droppable: bool = False) -> None:
        # A server's frames without compression hold nothing of the connection: the same bytes serve all receivers.
        self.frame = b"".join([_header(len(payload)) + payload for payload in payloads])
        self.droppable = droppable

    @classmethod
    def framed(cls, frame: bytes, droppable: bool) -> "Outgoing":
        """Bytes of messages as another node has built them."""
        made = cls(droppable=droppable)
        made.frame = frame
        return made


def outgoing(message: Struct, droppable: bool = False) -> Outgoing:
    """A message on its way; see `Outgoing` for `droppable`."""
    return Outgoing(codec.encode(message), droppable=droppable)


def _header(size: int) -> bytes:
    """What precedes an unmasked payload (RFC 6455, 5.2)."""
    if size < 126:
        return bytes((_BINARY, size))
    if size < 0x10000:
        return bytes((_BINARY, 126)) + size.to_bytes(2, "big")
    return bytes((_BINARY, 127)) + size.to_bytes(8, "big")

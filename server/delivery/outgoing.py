"""Outgoing messages, encoded once for all their receivers."""

from typing import Final

from msgspec import Struct

from protocol import codec

_BINARY: Final = 0x82
"""First byte of a whole binary WebSocket message."""


class Outgoing:
    """Bytes of one or more WebSocket messages, which are written together.

    `droppable`: a reader that falls behind does not need them. They are repeated once it is back (the match's stream,
    the table, the clock), or are only chat.
    """

    __slots__ = ("droppable", "frame")

    def __init__(self, *payloads: bytes, droppable: bool = False) -> None:
        # A server's frames are unmasked and, without compression, independent of the connection: all receivers share
        # the bytes.
        self.frame = b"".join([_frame_header(len(payload)) + payload for payload in payloads])
        self.droppable = droppable

    @classmethod
    def framed(cls, frame: bytes, droppable: bool) -> "Outgoing":
        """Wrap frames that another node has built."""
        made = cls(droppable=droppable)
        made.frame = frame
        return made


def outgoing(message: Struct, droppable: bool = False) -> Outgoing:
    """Encode a message; see `Outgoing` for `droppable`."""
    return Outgoing(codec.encode(message), droppable=droppable)


def _frame_header(size: int) -> bytes:
    """Return the header of an unmasked payload (RFC 6455, 5.2)."""
    if size < 126:
        return bytes((_BINARY, size))
    if size < 0x10000:
        return bytes((_BINARY, 126)) + size.to_bytes(2, "big")
    return bytes((_BINARY, 127)) + size.to_bytes(8, "big")

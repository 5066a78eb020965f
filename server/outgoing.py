"""A message on its way out, built once for all who get it."""

from msgspec import Struct
from websockets.frames import Frame, Opcode

from protocol import codec


class Outgoing:
    """The bytes of a WebSocket frame. `droppable`: a reader that falls behind does without it, since what it tells is
    repeated once the reader is back (the match's stream, the table, the clock) or only talk."""

    __slots__ = ("droppable", "frame")

    def __init__(self, payload: bytes, droppable: bool = False) -> None:
        # A server's frame without compression holds nothing of the connection: one serves all receivers.
        self.frame = Frame(Opcode.BINARY, payload).serialize(mask=False)
        self.droppable = droppable


def outgoing(message: Struct, droppable: bool = False) -> Outgoing:
    """A message on its way; see `Outgoing` for `droppable`."""
    return Outgoing(codec.encode(message), droppable)

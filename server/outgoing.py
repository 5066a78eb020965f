"""A message on its way out, built once for all who get it."""

from msgspec import Struct
from websockets.frames import Frame, Opcode

from protocol import codec


class Outgoing:
    """The bytes of a WebSocket frame. `stream`: part of a match's stream, which a snapshot can replace."""

    __slots__ = ("frame", "stream")

    def __init__(self, payload: bytes, stream: bool = False) -> None:
        # A server's frame without compression holds nothing of the connection: one serves all receivers.
        self.frame = Frame(Opcode.BINARY, payload).serialize(mask=False)
        self.stream = stream


def outgoing(message: Struct) -> Outgoing:
    """A message that nothing else can replace."""
    return Outgoing(codec.encode(message))

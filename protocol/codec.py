"""Bytes to messages and back: one MessagePack array in one binary WebSocket message."""

import zlib
from collections.abc import Sequence
from functools import cache
from typing import Any, Final, get_args

import msgspec
from msgspec import Struct

from protocol.limits import MAX_ECHO, MAX_TO_CLIENT, MAX_TO_SERVER
from shared.messages import Act, Back, ClientMessage, Frame, Hello, Packed, ServerMessage, Sync

ENCODER: Final = msgspec.msgpack.Encoder()
_CLIENT: Final[msgspec.msgpack.Decoder[ClientMessage]] = msgspec.msgpack.Decoder(ClientMessage)
_SERVER: Final[msgspec.msgpack.Decoder[ServerMessage]] = msgspec.msgpack.Decoder(ServerMessage)
_PLAIN: Final = msgspec.msgpack.Decoder()
_FRAME_TAG: Final = Frame.__struct_config__.tag
_ACT_HEAD: Final = bytes((0x90 | 1 + len(Act.__struct_fields__), int(str(Act.__struct_config__.tag))))
_NAMELESS: Final = frozenset(ENCODER.encode(kind.__struct_config__.tag) for kind in (Hello, Sync))
"""Tags of messages whose first field is no number by which they are answered."""
_ARRAYS: Final = {bytes((0x90 | count,)): 1 for count in range(2, 16)} | {b"\xdc": 3, b"\xdd": 5}
"""How an array begins, and how many bytes its head has."""
_LAST_TAG: Final = b"\x7f"
_WIDTHS: Final = {b"\xcc": 1, b"\xcd": 2, b"\xce": 4}
"""How a number above 127 begins, and in how many bytes it follows."""
_NEWEST: Final = max(int(str(kind.__struct_config__.tag)) for kind in get_args(ServerMessage))
_NEWEST_TAG: Final = bytes((_NEWEST,))

UNREADABLE: Final = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""All that decoding hostile bytes may raise; anything else is a bug of ours."""


class BadMessage(ValueError):
    """Bytes that are no message. `code` is a refusal code, `text` is safe to show and to log."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(f"{code}: {text}")
        self.code = code
        self.text = text


def harmless(text: str) -> str:
    """Text that may repeat a peer's input: printable and short."""
    shown = "".join(char if char.isprintable() else "?" for char in text[: MAX_ECHO + 1])
    return shown if len(shown) <= MAX_ECHO else shown[:MAX_ECHO] + "…"


def encode(message: Struct) -> bytes:
    """The bytes of a message, an action or a view."""
    return ENCODER.encode(message)


def encode_lean(message: Struct) -> bytes:
    """The bytes of a message without its last fields as long as they are as usual. It is shorter; and a server of the
    first version, which refuses fields that it does not know, reads it too."""
    usual, values = _usual(type(message)), list(msgspec.structs.astuple(message))
    while values and values[-1] == usual[len(values) - 1]:
        values.pop()
    return ENCODER.encode((message.__struct_config__.tag, *values))


@cache
def _usual(kind: type[Struct]) -> tuple[object, ...]:
    """The defaults of its fields; what equals nothing where one has none."""
    return tuple([field.default for field in msgspec.structs.fields(kind)])


def encode_frame(
    version: int, digest: int, delta: list[Any], events: Sequence[Struct], undo: int = 0, back: Back | None = None
) -> bytes:
    """The bytes of a `Frame` in one pass, without wrapping each part as raw bytes first, and without last fields that
    are as usual."""
    last = (undo, back) if back is not None else (undo,) if undo else ()
    return ENCODER.encode((_FRAME_TAG, version, digest, delta, events, *last))


def pack(payload: bytes) -> bytes:
    """A server's message as who understands `Packed` is told it: in that form where it is shorter."""
    packed = ENCODER.encode(Packed(zlib.compress(payload)))
    return packed if len(packed) < len(payload) else payload


def decode_client(data: bytes) -> ClientMessage:
    """What a client said. Raises BadMessage and nothing else."""
    if len(data) > MAX_TO_SERVER:
        raise BadMessage("too-big", f"A message has at most {MAX_TO_SERVER} bytes.")
    try:
        return _CLIENT.decode(data)
    except UNREADABLE as error:
        raise BadMessage("bad-message", harmless(str(error))) from None


def looks_like_act(data: bytes) -> bool:
    """Whether this begins as an `Act` in its shortest form does; decoding may still refuse it."""
    return data.startswith(_ACT_HEAD)


def reference_in(data: bytes) -> int:
    """The number that an answer to these bytes refers to, read off their head, whatever comes behind it; 0 for none."""
    head = _ARRAYS.get(data[:1], 0)
    tag, first = data[head : head + 1], data[head + 1 : head + 2]
    if not head or not first or tag in _NAMELESS or tag > _LAST_TAG:
        return 0
    if first < b"\x80":
        return first[0]
    number = data[head + 2 : head + 2 + _WIDTHS.get(first, 0)]
    return int.from_bytes(number, "big") if len(number) == _WIDTHS.get(first) else 0


def decode_server(data: bytes) -> ServerMessage:
    """What the server said. Raises BadMessage and nothing else."""
    if len(data) > MAX_TO_CLIENT:
        raise BadMessage("too-big", f"A message has at most {MAX_TO_CLIENT} bytes.")
    try:
        return _SERVER.decode(data)
    except UNREADABLE as error:
        raise BadMessage("bad-message", harmless(str(error))) from None


def unpack(message: Packed) -> bytes:
    """The bytes of the message that is packed in this one. Raises BadMessage and nothing else."""
    stream = zlib.decompressobj()
    try:
        payload = stream.decompress(message.data, MAX_TO_CLIENT)
        if not stream.eof:
            raise zlib.error("it is cut off, or more than a message may have")
    except zlib.error as error:
        raise BadMessage("bad-message", harmless(str(error))) from None
    return payload


def is_from_the_future(data: bytes) -> bool:
    """Whether this is a message of a kind that a newer server says: to be ignored."""
    head = _ARRAYS.get(data[:1], 0)
    if head and b"\x00" <= data[head : head + 1] <= _NEWEST_TAG:
        return False  # Most are read no further: it may be a megabyte.
    try:
        plain = _PLAIN.decode(data)
    except UNREADABLE:
        return False
    return isinstance(plain, list) and bool(plain) and isinstance(plain[0], int) and plain[0] > _NEWEST


def decode_plain(data: bytes | msgspec.Raw) -> Any:
    """A view or a delta as plain nested lists. Raises BadMessage and nothing else."""
    try:
        return _PLAIN.decode(data)
    except UNREADABLE as error:
        raise BadMessage("bad-message", harmless(str(error))) from None

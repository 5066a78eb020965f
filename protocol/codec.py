"""Encoding and decoding of messages: one MessagePack array in one binary WebSocket message."""

import re
import zlib
from collections.abc import Sequence
from functools import cache
from typing import Any, Final, get_args

import msgspec
from msgspec import Struct

from protocol.limits import MAX_ECHO, MAX_TO_CLIENT, MAX_TO_SERVER
from shared.language.sentence import Sentence, _
from shared.messages import Act, Back, Choices, ClientMessage, Frame, Hello, Packed, ServerMessage, Sync

ENCODER: Final = msgspec.msgpack.Encoder()
_CLIENT: Final[msgspec.msgpack.Decoder[ClientMessage]] = msgspec.msgpack.Decoder(ClientMessage)
_SERVER: Final[msgspec.msgpack.Decoder[ServerMessage]] = msgspec.msgpack.Decoder(ServerMessage)
_PLAIN: Final = msgspec.msgpack.Decoder()
_FRAME_TAG: Final = Frame.__struct_config__.tag
_ACT_HEAD: Final = bytes((0x90 | 1 + len(Act.__struct_fields__), int(str(Act.__struct_config__.tag))))
_NAMELESS: Final = frozenset(ENCODER.encode(kind.__struct_config__.tag) for kind in (Hello, Sync))
"""Tags of messages whose first field is not the number that answers refer to."""
_ARRAYS: Final = {bytes((0x90 | count,)): 1 for count in range(2, 16)} | {b"\xdc": 3, b"\xdd": 5}
"""First byte of an array, and the number of bytes of its head."""
_LAST_TAG: Final = b"\x7f"
_WIDTHS: Final = {b"\xcc": 1, b"\xcd": 2, b"\xce": 4}
"""First byte of a number above 127, and the number of bytes that follow."""
_NEWEST: Final = max(int(str(kind.__struct_config__.tag)) for kind in get_args(ServerMessage))
_TOO_LONG: Final = re.compile(r"`str` of length <= (\d+)")
_NEWEST_TAG: Final = bytes((_NEWEST,))

UNREADABLE: Final = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""Exceptions that decoding hostile bytes may raise; any other is a bug of ours."""


class BadMessage(ValueError):
    """Raised for bytes that are no message. `code` is a refusal code, `text` is safe to show and to log."""

    def __init__(self, code: str, text: Sentence | str) -> None:
        super().__init__(f"{code}: {text}")
        self.code = code
        self.text = text


def harmless(text: str) -> str:
    """Return text that may repeat a peer's input, printable and short."""
    shown = "".join(char if char.isprintable() else "?" for char in text[: MAX_ECHO + 1])
    return shown if len(shown) <= MAX_ECHO else shown[:MAX_ECHO] + "…"


def encode(message: Struct) -> bytes:
    """Return the bytes of a message, an action or a view."""
    return ENCODER.encode(message)


def encode_first(choices: Choices) -> bytes:
    """Return the bytes of the fields that `Choices` had at first, for clients that ask for nothing more."""
    fields = msgspec.structs.astuple(choices)[:5]
    return ENCODER.encode((choices.__struct_config__.tag, *fields))


def encode_lean(message: Struct) -> bytes:
    """Return the bytes of a message without the last fields that have their default.

    They are fewer, and servers of the first version can read them too: those refuse fields that they do not know.
    """
    usual, values = _usual(type(message)), list(msgspec.structs.astuple(message))
    while values and values[-1] == usual[len(values) - 1]:
        values.pop()
    return ENCODER.encode((message.__struct_config__.tag, *values))


@cache
def _usual(kind: type[Struct]) -> tuple[object, ...]:
    """Return the defaults of its fields; for a field without one, an object that equals nothing."""
    return tuple([field.default for field in msgspec.structs.fields(kind)])


def encode_frame(
    version: int, digest: int, delta: list[Any], events: Sequence[Struct], undo: int = 0, back: Back | None = None
) -> bytes:
    """Return the bytes of a `Frame`, without last fields that have their default.

    Encode in one pass, which saves wrapping each part as raw bytes first.
    """
    last = (undo, back) if back is not None else (undo,) if undo else ()
    # The tag first, by hand: the same bytes as encoding a `Frame`, but without one.
    return ENCODER.encode((_FRAME_TAG, version, digest, delta, events, *last))


def pack(payload: bytes) -> bytes:
    """Return a server's message as `Packed` if that is shorter, else unchanged; for clients that understand it."""
    packed = ENCODER.encode(Packed(zlib.compress(payload)))
    return packed if len(packed) < len(payload) else payload


def decode_client(data: bytes) -> ClientMessage:
    """Decode a client's message. Raises BadMessage and nothing else."""
    if len(data) > MAX_TO_SERVER:
        raise BadMessage("too-big", _("A message has at most {most} bytes.", most=MAX_TO_SERVER))
    try:
        return _CLIENT.decode(data)
    except UNREADABLE as error:
        # msgspec tells the limit only in its text, and people need a sentence.
        if long := _TOO_LONG.search(str(error)):
            raise BadMessage(
                "bad-message", _("A text is too long: it may have {most} letters.", most=long[1])
            ) from None
        raise BadMessage("bad-message", harmless(str(error))) from None


def looks_like_act(data: bytes) -> bool:
    """Whether this begins like an `Act` in its shortest form; decoding may still refuse it."""
    return data.startswith(_ACT_HEAD)


def reference_in(data: bytes) -> int:
    """Return the number that an answer to these bytes refers to, 0 for none. Only the head is read; the rest may be
    broken.
    """
    head = _ARRAYS.get(data[:1], 0)
    tag, first = data[head : head + 1], data[head + 1 : head + 2]
    # Tags up to 127 are one byte; anything else is no message of ours.
    if not head or not first or tag in _NAMELESS or tag > _LAST_TAG:
        return 0
    if first < b"\x80":
        return first[0]
    number = data[head + 2 : head + 2 + _WIDTHS.get(first, 0)]
    return int.from_bytes(number, "big") if len(number) == _WIDTHS.get(first) else 0


def decode_server(data: bytes) -> ServerMessage:
    """Decode a server's message. Raises BadMessage and nothing else."""
    if len(data) > MAX_TO_CLIENT:
        raise BadMessage("too-big", _("A message has at most {most} bytes.", most=MAX_TO_CLIENT))
    try:
        return _SERVER.decode(data)
    except UNREADABLE as error:
        raise BadMessage("bad-message", harmless(str(error))) from None


def unpack(message: Packed) -> bytes:
    """Return the bytes of the message that is packed in this one. Raises BadMessage and nothing else."""
    stream = zlib.decompressobj()
    try:
        # With a limit: a few bytes can unpack to gigabytes.
        payload = stream.decompress(message.data, MAX_TO_CLIENT)
        if not stream.eof:
            raise zlib.error("it is cut off, or more than a message may have")
    except zlib.error as error:
        raise BadMessage("bad-message", harmless(str(error))) from None
    return payload


def is_from_the_future(data: bytes) -> bool:
    """Whether this is a message of a kind that only newer servers send: to be ignored."""
    head = _ARRAYS.get(data[:1], 0)
    if head and b"\x00" <= data[head : head + 1] <= _NEWEST_TAG:
        return False  # Most messages end here: decoding one may cost a megabyte.
    try:
        plain = _PLAIN.decode(data)
    except UNREADABLE:
        return False
    return isinstance(plain, list) and bool(plain) and isinstance(plain[0], int) and plain[0] > _NEWEST


def decode_plain(data: bytes | msgspec.Raw) -> Any:
    """Decode a view or a delta to plain nested lists. Raises BadMessage and nothing else."""
    try:
        return _PLAIN.decode(data)
    except UNREADABLE as error:
        raise BadMessage("bad-message", harmless(str(error))) from None

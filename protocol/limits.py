"""Limits of sizes, times and rates; and the close codes with their meaning."""

from enum import IntEnum
from typing import Final

from msgspec import Struct

MAX_TO_SERVER: Final = 16 * 1024
"""Bytes of one message from a client."""
MAX_TO_CLIENT: Final = 1024 * 1024
"""Bytes of one message from the server."""
MAX_CHOICES: Final = 4096
"""Bytes of a `Choices` without its labels and forms."""
MAX_LABELS: Final = 16 * 1024
"""Bytes of the labels and forms of a `Choices`."""
MAX_FORMS: Final = 12 * 1024
"""Bytes of the forms among them, so that there is always room for labels."""
MAX_ECHO: Final = 120
"""Characters of a peer's own input that a refusal may repeat."""
MAX_STRIKES: Final = 8
"""Unreadable or unwelcome messages after which a connection is closed."""
FORGIVEN: Final = 10.0
"""Seconds after which one of them is forgotten."""


class Close(IntEnum):
    """The reason why a connection ends. Codes below 4000 are those of RFC 6455; a client need not reconnect after
    4002 and 4009.
    """

    NORMAL = 1000
    GOING_AWAY = 1001
    PROTOCOL_ERROR = 1002
    NOT_BINARY = 1003
    BAD_TEXT = 1007
    TOO_BIG = 1009
    INTERNAL = 1011
    RESTART = 1012
    REPLACED = 4001
    VERSION = 4002
    BAD_MESSAGE = 4003
    RATE = 4004
    NO_HELLO = 4005
    MOVED = 4006
    FULL = 4007
    ENDED = 4008
    BANNED = 4009


MEANING: Final[dict[Close, str]] = {
    Close.NORMAL: "The client said goodbye.",
    Close.GOING_AWAY: "The other side goes away.",
    Close.PROTOCOL_ERROR: "The bytes were not valid WebSocket frames.",
    Close.NOT_BINARY: "A text message came; all messages are binary.",
    Close.BAD_TEXT: "A text message was not UTF-8.",
    Close.TOO_BIG: "A message was longer than the limit.",
    Close.INTERNAL: "No answer to a ping in time, or an error of the server.",
    Close.RESTART: "The server stops or restarts: come back with your token in a moment.",
    Close.REPLACED: "The same seat was resumed on another connection.",
    Close.VERSION: "Client and server speak different versions.",
    Close.BAD_MESSAGE: "Too many unreadable messages, or a name that is not allowed.",
    Close.RATE: "Too many messages in too short a time.",
    Close.NO_HELLO: "The first message was not Hello.",
    Close.MOVED: "Another server runs the match now: come back with your token.",
    Close.FULL: "All places are taken, and no seat is held for you; try again later.",
    Close.ENDED: "Another device of the profile has ended this one.",
    Close.BANNED: "The operator has banned this person.",
}


class Rates(Struct, frozen=True):
    """Token buckets of one connection: rate per second on average, and burst at once."""

    messages: float = 30.0
    burst: float = 90.0
    chat: float = 0.5
    chat_burst: float = 5.0

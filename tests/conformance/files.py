"""The files by which authors of clients test theirs; see SPEC.md, section 14."""

from pathlib import Path
from typing import Any, Final

from msgspec import Struct

FOLDER: Final = Path(__file__).parents[2] / "protocol" / "conformance"
"""Where both are kept."""


class Try(Struct, frozen=True):
    """An action as an answer to `frame` (0: a standing one); `code`: that of the refusal, "" where it is accepted, and
    `rule` the one that it breaks."""

    frame: int
    action: Any
    code: str
    rule: str = ""


class Position(Struct, frozen=True):
    """Position as a seat sees it, with the verdicts on its attempts."""

    seat: int
    view: list[Any]
    tries: list[Try]


class Vectors(Struct, frozen=True):
    """Of a version of a rule set."""

    ruleset: str
    version: int
    positions: list[Position]


class Line(Struct, frozen=True):
    """A message: its sender ("client" or "server"), its bytes as hexadecimal digits, and the decoded message."""

    by: str
    bytes: str
    reads: list[Any]


class Conversation(Struct, frozen=True):
    """All messages of a client and a server on one `path`; `shows` describes it."""

    path: str
    shows: str
    lines: list[Line]

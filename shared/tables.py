"""What client and server must agree on about a table: its phases, its seats, the lengths of its words."""

from enum import IntEnum, StrEnum
from typing import Annotated, Final

from msgspec import Meta, Struct

MAX_NAME: Final = 24
"""Characters of a person's name."""
MAX_TITLE: Final = 40
"""Characters of a table's title."""
MAX_TEXT: Final = 300
"""Characters of a chat line."""

MAX_SECONDS: Final = 100 * 86400
"""Seconds that a clock can have at the start."""

ANY_SEAT: Final = -1
"""`Create.seat` and `Join.seat`: the first free one."""
NO_SEAT: Final = -2
"""`Create.seat`: the host stays beside the table."""
LOOKING_ON: Final = -1
"""`TableState.you` and `Said.seat`: somebody without a seat."""

THE_TABLE: Final = -2
"""`Said.seat`: the table itself speaks."""
ADVICE: Final = "advice"
"""`Welcome.can`: the server gives advice."""
RESIZE: Final = "resize"
"""`Welcome.can`: a table's number of seats can be changed."""
REMATCH: Final = "rematch"
"""`Welcome.can`: after a match the same people can have another table."""
UNDO: Final = "undo"
"""`Welcome.can`: players can take back what they did."""
HASTEN: Final = "hasten"
"""`Welcome.can`: bots make no pauses where players wish it."""
CHOICES: Final = "choices"
"""`Welcome.can`: players are told what is legal."""
DESCRIBE: Final = "describe"
"""`Welcome.can`: rule sets are described."""
PROFILE: Final = "profile"
"""`Welcome.can`: people can be known by a secret, on all their devices."""
MINE: Final = "mine"
"""`Welcome.can`: whoever holds seats can ask how their matches stand."""
HOOK: Final = "hook"
"""`Welcome.can`: a table can have people told outside of the game that they are to decide."""
RECALL: Final = "recall"
"""`Welcome.can`: what is kept of matches can be asked for."""
PROOF: Final = "proof"
"""`Welcome.can`: players have a part in the dice, which can be checked afterwards."""

VOTES: Final = "votes"
"""`Welcome.can`: the people at a table can decide things together."""
HAND: Final = "hand"
"""`Welcome.can`: what a seat sees can be read on another device."""
PACE: Final = "pace"
"""`Welcome.can`: tables can have a `Pace`."""
PING: Final = "ping"
"""`Welcome.can`: the server tells its time."""
REPEAT: Final = "repeat"
"""`Welcome.can`: what makes a table or takes a seat can be said again by its key."""
PRESENCE: Final = "presence"
"""`Hello.can`: the client understands `Presence`."""
PACKED: Final = "packed"
"""`Hello.can`: the client understands `Packed`."""


class TablePhase(IntEnum):
    """How far a table is."""

    GATHERING = 0
    PLAYING = 1
    OVER = 2


class SeatKind(IntEnum):
    """Who decides on a seat. AWAY: its person is not connected; STAND_IN: a bot plays for that person."""

    FREE = 0
    PERSON = 1
    AWAY = 2
    BOT = 3
    STAND_IN = 4


class Run(IntEnum):
    """How clocks run. LIVE: each decision brings `each` seconds, and what is left of them stays in the bank, up to what
    was there at first. POST: each decision has `each` seconds of its own; only what takes longer is taken from the
    bank."""

    NONE = 0
    LIVE = 1
    POST = 2


class Late(IntEnum):
    """What is done for a seat whose time is up. DEFAULT: the rule set's plainest choice. BOT: a bot takes this
    decision. SEAT: a bot takes the seat until its person is back."""

    DEFAULT = 0
    BOT = 1
    SEAT = 2


Seconds = Annotated[int, Meta(ge=0, le=MAX_SECONDS)]


class Pace(Struct, frozen=True, array_like=True):
    """A table's clocks, in seconds: what each seat has in its `bank` for the whole match and in its `reserve` for what
    it answers in the turn of another, and what `each` decision brings; see `Run` and `Late`."""

    run: Run = Run.NONE
    each: Seconds = 0
    bank: Seconds = 0
    reserve: Seconds = 0
    late: Late = Late.DEFAULT


class Matter(IntEnum):
    """What people at a table can decide together. PAUSE, GO_ON: clocks and bots stand still, and actions are refused.
    SEAT: a bot, or somebody who looks on, takes the seat of a person who is away. BACK: to an earlier version. END: the
    match is over, and counted as it stands. TIME: more for a seat. PACE: other clocks."""

    PAUSE = 0
    GO_ON = 1
    SEAT = 2
    BACK = 3
    END = 4
    TIME = 5
    PACE = 6


class Ending(IntEnum):
    """How a match came to its end. PLAYED: as its rules end it. GIVEN_UP: by a standing action, as when all but one
    concede or resign. AGREED: the people decided to end it."""

    PLAYED = 0
    GIVEN_UP = 1
    AGREED = 2


class Outcome(IntEnum):
    """How a question stands. LAPSED: its time is over; FAILED: it was carried, but can no longer be done."""

    OPEN = 0
    CARRIED = 1
    REJECTED = 2
    LAPSED = 3
    FAILED = 4


class HookForm(StrEnum):
    """The form in which a webhook is told."""

    JSON = "json"
    DISCORD = "discord"
    SLACK = "slack"
    NTFY = "ntfy"


HOOK_TITLES: Final = {
    HookForm.JSON: "a program", HookForm.DISCORD: "Discord", HookForm.SLACK: "Slack", HookForm.NTFY: "ntfy",
}  # fmt: skip
"""What is told there, in the words of the table."""


class Arrangement(IntEnum):
    """Where the same people sit at their next table. ROTATE: everybody one seat further, the last one on the first."""

    KEEP = 0
    ROTATE = 1
    SHUFFLE = 2


class Recollection(IntEnum):
    """What is kept of a match as it travels."""

    FILM = 0
    """What one audience was shown; see `protocol.film`."""
    RECORD = 1
    """The log with everything; see `protocol.record`."""


def fitting(name: str) -> str:
    """The name of a person as typed, without the spaces around it; ValueError where it is too long."""
    name = name.strip()
    if len(name) > MAX_NAME:
        raise ValueError(f"A name has at most {MAX_NAME} letters; {name!r} has {len(name)}.")
    return name


def shortened(name: str, room: int) -> str:
    """At most `room` characters of a name; an ellipsis tells that there is more."""
    return name if len(name) <= room else name[: room - 1].rstrip() + "…"

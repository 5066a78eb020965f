"""Facts about tables that client and server share: phases, kinds of seats, lengths of texts."""

from enum import IntEnum, StrEnum
from typing import Annotated, Final

from msgspec import Meta, Struct

MAX_NAME: Final = 24
"""Characters of a person's name."""
BOT_NAMES: Final = ("Aurelia", "Brutus", "Cassius", "Drusilla", "Ennius", "Flavia")
"""Names of bots, by seat, as programs show them."""
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
NEW: Final = -1
"""`SeatInfo.reliability`: a person with too few matches for a share of them."""
NOT_COUNTED: Final = 0
"""`SeatInfo.reliability`: no person, or one without a profile."""
LOOKING_ON: Final = -1
"""`TableState.you` and `Said.seat`: a spectator."""

THE_TABLE: Final = -2
"""`Said.seat`: a message of the table itself."""
ADVICE: Final = "advice"
"""`Welcome.can`: the server gives advice."""
RESIZE: Final = "resize"
"""`Welcome.can`: a table's number of seats can be changed."""
REMATCH: Final = "rematch"
"""`Welcome.can`: after a match the same people can have another table."""
UNDO: Final = "undo"
"""`Welcome.can`: players can undo their actions."""
HASTEN: Final = "hasten"
"""`Welcome.can`: bots make no pauses if players wish it."""
CHOICES: Final = "choices"
"""`Welcome.can`: the server sends legal actions."""
DESCRIBE: Final = "describe"
"""`Welcome.can`: rule sets are described."""
PROFILE: Final = "profile"
"""`Welcome.can`: people can authenticate with a secret, on all their devices."""
MINE: Final = "mine"
"""`Welcome.can`: holders of seats can ask for the state of their matches."""
HOOK: Final = "hook"
"""`Welcome.can`: a table can alert people outside of the game when they are to decide."""
PUSH: Final = "push"
"""`Welcome.can`: devices can be alerted by Web Push when their player is away and must decide."""
DEVICES: Final = "devices"
"""`Welcome.can`: players can list the devices of their profile, and end them."""
SEAT_REQUESTS: Final = "seat-requests"
"""`Welcome.can`: spectators can ask the players for the seat of a bot or of an absent person."""
NOTICES: Final = "notices"
"""`Welcome.can`: players can say where they want to be told that they must decide."""
LESSONS: Final = "lessons"
"""`Welcome.can`: lessons and problems with a coach."""
RENAME: Final = "rename"
"""`Welcome.can`: people can change their name at a table."""
RECALL: Final = "recall"
"""`Welcome.can`: records and films of matches can be fetched."""
PROOF: Final = "proof"
"""`Welcome.can`: players have a part in the dice, which can be checked afterwards."""

VOTES: Final = "votes"
"""`Welcome.can`: the people at a table can vote."""
HAND: Final = "hand"
"""`Welcome.can`: a seat's view can be read on another device."""
PACE: Final = "pace"
"""`Welcome.can`: tables can have a `Pace`."""
PING: Final = "ping"
"""`Welcome.can`: the server tells its time."""
REPEAT: Final = "repeat"
"""`Welcome.can`: requests that make a table or take a seat can be repeated by their key."""
PRESENCE: Final = "presence"
"""`Hello.can`: the client understands `Presence`."""
PACKED: Final = "packed"
"""`Hello.can`: the client understands `Packed`."""
SENTENCES: Final = "sentences"
"""`Hello.can`: the client wants `Narrated`."""
LABELS: Final = "labels"
"""`Welcome.can`: actions can be tried, and legal actions filtered. `Hello.can`: the client wants labels and forms."""
PUBLIC_ADDRESS: Final = "public-address"
"""`Hello.can`: the client understands `PublicAddress`."""
MEMBER: Final = "member"
"""`Welcome.can`: people can become members, get all that is stored of them, and be erased."""
SEEKS: Final = "seeks"
"""`Welcome.can`: people find tables by their wishes. `Hello.can`: the client understands `Waiting` and `Summons`."""
LADDER: Final = "ladder"
"""`Welcome.can`: bots can ask for rated matches."""
RATED: Final = "rated"
"""`Welcome.can`: tables can be rated for their people."""
OPERATOR_PAGES: Final = ("terms", "privacy", "contact")
"""`Welcome.can`: pages of the operator; each is at the path of that name."""
ABSENCE: Final = "absence"
"""`Welcome.can`: tables say what happens for absent players. `Hello.can`: the client understands `Absent`."""
PAGE: Final = "page"
"""`Hello.can`: the client is a web page, and wants to know the version of the server's."""
MISSED_CHAT: Final = "missed-chat"
"""`Hello.can`: a client that returns with a version wants a `Story` with the last lines of chat, and no events."""
BLOCKS: Final = "blocks"
"""`Welcome.can`: people can be reported and blocked. `Hello.can`: the client understands `Blocks`."""
ED25519: Final = "ed25519"
"""`Hello.can`: the client reads records that are signed with Ed25519."""


class TablePhase(IntEnum):
    """Phase of a table."""

    GATHERING = 0
    PLAYING = 1
    OVER = 2


class SeatKind(IntEnum):
    """Kind of player on a seat. AWAY: its person is not connected; STAND_IN: a bot plays for that person."""

    FREE = 0
    PERSON = 1
    AWAY = 2
    BOT = 3
    STAND_IN = 4


class Run(IntEnum):
    """Kind of clock. LIVE: each decision brings `each` seconds; unused ones stay in the bank, up to its value at first.
    POST: each decision has `each` seconds of its own; only longer decisions draw on the bank.
    """

    NONE = 0
    LIVE = 1
    POST = 2


class Late(IntEnum):
    """Action for a seat whose time is up. DEFAULT: the rule set's plainest choice. BOT: a bot takes this decision.
    SEAT: a bot takes the seat until its person is back.
    """

    DEFAULT = 0
    BOT = 1
    SEAT = 2


class Away(IntEnum):
    """Rule of a table for players who lost the connection during the match, unless it is played by post. BOT: a bot
    plays after `Create.takeover` seconds (0: never). ASK: the other players decide. WAIT: the match waits.
    """

    BOT = 0
    ASK = 1
    WAIT = 2


Seconds = Annotated[int, Meta(ge=0, le=MAX_SECONDS)]


class Rated(IntEnum):
    """Whether a match counts for the ratings of its people. HOUSEHOLD: also if two of them share a network address."""

    NO = 0
    YES = 1
    HOUSEHOLD = 2


class Pace(Struct, frozen=True, array_like=True):
    """A table's clocks, in seconds; see `Run` and `Late`.

    Each seat has a `bank` for the whole match, and a `reserve` for answers in the turn of another seat. Each decision
    brings `each`.
    """

    run: Run = Run.NONE
    each: Seconds = 0
    bank: Seconds = 0
    reserve: Seconds = 0
    late: Late = Late.DEFAULT


class Matter(IntEnum):
    """Subject of a vote. PAUSE, GO_ON: while a match is paused, clocks and bots stand still, and actions are refused.
    SEAT: a bot, or a spectator, takes the seat of a person who is away. BACK: to an earlier version. END: the match is
    over, and counted as it stands. TIME: more for a seat. PACE: other clocks.
    """

    PAUSE = 0
    GO_ON = 1
    SEAT = 2
    BACK = 3
    END = 4
    TIME = 5
    PACE = 6


class Ending(IntEnum):
    """The way in which a match ended. PLAYED: as its rules end it. GIVEN_UP: by a standing action, as when all but one
    concede or resign. AGREED: the people decided to end it.
    """

    PLAYED = 0
    GIVEN_UP = 1
    AGREED = 2


class Outcome(IntEnum):
    """State of a vote. LAPSED: its time is over; FAILED: it can no longer be done."""

    OPEN = 0
    CARRIED = 1
    REJECTED = 2
    LAPSED = 3
    FAILED = 4


class HookForm(StrEnum):
    """The format of a webhook's requests."""

    JSON = "json"
    DISCORD = "discord"
    SLACK = "slack"
    NTFY = "ntfy"


HOOK_TITLES: Final = {
    HookForm.JSON: "a program", HookForm.DISCORD: "Discord", HookForm.SLACK: "Slack", HookForm.NTFY: "ntfy",
}  # fmt: skip
"""Names of the receivers, as the table shows them."""


class NoticeWhen(StrEnum):
    """When a player is notified outside of the game. AWAY: only while no window of theirs is at the table."""

    NEVER = "never"
    AWAY = "away"
    ALWAYS = "always"


class NoticeWay(StrEnum):
    """A way by which notices reach a player."""

    PUSH = "push"
    NTFY = "ntfy"
    DISCORD = "discord"
    MAIL = "mail"


class Arrangement(IntEnum):
    """Seats of the same people at their next table. ROTATE: everybody one seat further, the last one on the first."""

    KEEP = 0
    ROTATE = 1
    SHUFFLE = 2


class Recollection(IntEnum):
    """Form in which a finished match travels."""

    FILM = 0
    """The match as one audience saw it; see `protocol.film`."""
    RECORD = 1
    """The log with everything; see `protocol.record`."""


def fitting(name: str) -> str:
    """Return the name of a person as typed, without the spaces around it; ValueError if it is too long."""
    name = name.strip()
    if len(name) > MAX_NAME:
        raise ValueError(f"A name has at most {MAX_NAME} letters; {name!r} has {len(name)}.")
    return name


def printable(text: str) -> str:
    """Return text of another program as terminals may have it: a blank for each control, direction or hidden sign."""
    return "\n".join("".join(c if c.isprintable() else " " for c in line) for line in text.split("\n"))


def shortened(name: str, room: int) -> str:
    """Shorten a name to `room` characters; an ellipsis marks a cut."""
    return name if len(name) <= room else name[: room - 1].rstrip() + "…"

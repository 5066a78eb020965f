"""Port of the durable store: tables, and the append-only logs of their matches. The log is the save file and the
replay."""

import asyncio
import math
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Final, Protocol, TypeAlias

from msgspec import Struct

from shared.history import Entry
from shared.ids import NONE
from shared.messages import Line, Motion, NoticeSettings, TableWish
from shared.tables import Away, Ending, HookForm, Pace, Rated, TablePhase

AWAKE: Final = 1
"""`TableRecord.due` of a match that is awake."""
FIRST_EPOCH: Final = 1
"""The epoch of a table's creator; each claim begins the next epoch."""


class DeedKind(StrEnum):
    """Kind of a `DeedRecord`. NETWORK: the server noted the network of a banned person. BANNER, READ_ONLY: `text` holds
    from then on; empty ends it. REPORT: by a person. HANDLED: `person` is the reporter."""

    BAN = "ban"
    UNBAN = "unban"
    MUTE = "mute"
    UNMUTE = "unmute"
    NETWORK = "network"
    BANNER = "banner"
    READ_ONLY = "read-only"
    REPORT = "report"
    HANDLED = "handled"
    ERASE = "erase"
    EXPORT = "export"
    INVITE = "invite"


class ChairRecord(Struct, array_like=True):
    """A stored seat.

    `token`: SHA-256 of the valid token. `offered`: SHA-256 of its successors, one after the other; none is known to
    have arrived. `stand_in`: the kind of bot that plays for an absent person. `person`: the profile to which the seat
    belongs. `heard`: the number of chat lines when its person was last here. `number`: the client's number for the
    dice, 32 bytes or none. `readers`: SHA-256 of the tokens of devices that may read the hand, one after the other.
    `key`: SHA-256 of the key of the request that took the seat, empty for none. `left_at`: the age of the match in
    milliseconds at which `stand_in` took over. `turn`: the round in which `stand_in` plays a single turn, None if it
    plays until the person is back. `held`: the seat is kept for its person as long as the table stands. `device`:
    SHA-256 of the secret of the device that has the valid token, if it is known.
    """

    name: str = ""
    bot: str = ""
    token: bytes = b""
    offered: bytes = b""
    stand_in: str = ""
    person: str = ""
    heard: int = 0
    number: bytes = b""
    readers: bytes = b""
    key: bytes = b""
    left_at: int = 0
    turn: tuple[int, ...] | None = None
    held: bool = False
    device: bytes = b""


class OwedSeats(Struct, array_like=True, frozen=True):
    """Seats that owed a decision at `version`, the match's last one, and since which date (seconds since 1970).

    `left`: seconds that they had, 0 without a clock.
    """

    version: int
    owed: tuple[int, ...]
    since: float
    left: int = 0


class PushRecord(Struct, array_like=True, frozen=True):
    """Push subscription of a player's device, a secret: its address, its two keys, and the language of its alerts.

    `device`: SHA-256 of the device's secret, empty if it is unknown.
    """

    endpoint: str
    p256dh: bytes
    auth: bytes
    language: str
    device: bytes = b""


class NoticeRecord(Struct, array_like=True, frozen=True):
    """Places and times at which a player is notified, a secret.

    `key`: 16 bytes that open the link that stops mails. `asked`: a mail address that waits for its code; `code`:
    SHA-256 of the code, `asked_at`: the date at which it was sent.
    """

    settings: NoticeSettings
    key: bytes
    asked: str = ""
    code: bytes = b""
    asked_at: float = 0.0


class DeviceRecord(Struct, array_like=True, frozen=True):
    """Device of a profile: SHA-256 of its secret, and the name that it gave itself.

    `made`: the date of its first visit. `seen`: the date of a visit, at most an hour before its last one.
    """

    secret: bytes
    name: str
    made: float
    seen: float


class RatedMatch(Struct, array_like=True, frozen=True):
    """Rated match as one of its players keeps it.

    `rank`: 1 for the winner. `ended`: seconds since 1970. `others`: profiles of the opponents, with their `names` then.
    `forfeited`: the player lost by running out of time or leaving. `won`: the player alone had the first place.
    """

    match: str
    rank: int
    ended: int
    others: tuple[str, ...]
    names: tuple[str, ...]
    forfeited: bool = False
    won: bool = False


class RatingRecord(Struct, array_like=True, frozen=True):
    """Rating of a profile in one game: estimated skill and its standard deviation. `recent`: last matches, the latest
    first."""

    ruleset: str
    mu: float
    sigma: float
    games: int = 0
    wins: int = 0
    recent: tuple[RatedMatch, ...] = ()


class CodeRecord(Struct, array_like=True, frozen=True):
    """Code that was mailed to `mail`, or of an operator's invitation. `code`: its SHA-256; `until`: a date.

    `opens`: it opens the profile to another device. Otherwise it confirms the address, which is `confirmed` afterwards.
    """

    code: bytes
    until: float
    mail: str = ""
    opens: bool = False
    confirmed: bool = False


class SeekRecord(Struct, array_like=True, frozen=True):
    """TableWish of a person, and the date since which they wait."""

    wish: TableWish
    since: float


class MusterRecord(Struct, array_like=True, frozen=True):
    """Table that was found for people: they must confirm until a date, then the match begins.

    `number`: tells it from others. `people`: their profiles. `match`: its id, once all have confirmed; then the people
    are in the order of their seats.
    """

    number: str
    ruleset: str
    seats: int
    pace: Pace | None
    people: tuple[str, ...]
    until: float
    match: str = ""


class SeekingRecord(Struct, array_like=True, frozen=True):
    """Person who waits for a table.

    `seen`: a date at which they were connected, at most a minute before the last one. `confirmed`: the date until which
    they need not confirm again. `ended`: why the wishes ended, as in `Seeking.code`; the record goes soon after that.
    """

    seeks: tuple[SeekRecord, ...]
    seen: float
    muster: MusterRecord | None = None
    confirmed: float = 0.0
    ended: str = ""


class ReliabilityRecord(Struct, array_like=True, frozen=True):
    """Matches of a person that ended: their number, and the weights of all and of those finished without leaving."""

    matches: int
    all: float
    finished: float


class BlockRecord(Struct, array_like=True, frozen=True):
    """Wishes of a person about another one: `avoid`, `hide` as in `Block`."""

    person: str
    avoid: bool
    hide: bool


class PersonRecord(Struct, array_like=True, frozen=True):
    """A stored profile.

    `secrets`: SHA-256 of each device's secret, the newest last. `seen`: the date of a visit, at most a day before the
    last one. `made`: the date of creation, 0 if unknown. While both dates are the same, the profile was never used
    after its first day. `pushes`: devices that are alerted when the person must decide, the newest last.
    `notices`: None if the person never set any. `devices`: those that have come since devices are kept. `ratings`: of
    the ladder, for each game that was played there; and of rated tables, under `people_rating.kind_of`.

    `mail`: the address of a member. `invited`: a member by the operator's invitation. `codes`: those that are awaited.
    `former`: names that the member had, each with the date until which it stays reserved. `earlier`: profiles of guests
    that became this one. `seeking`: None if the person waits for no table. `reliability`: None before the first match
    with other people. `blocks`: wishes about other people, the newest last.
    """

    person: str
    name: str
    secrets: tuple[bytes, ...]
    seen: float
    made: float = 0.0
    pushes: tuple[PushRecord, ...] = ()
    notices: NoticeRecord | None = None
    devices: tuple[DeviceRecord, ...] = ()
    ratings: tuple[RatingRecord, ...] = ()
    mail: str = ""
    invited: bool = False
    codes: tuple[CodeRecord, ...] = ()
    former: tuple[tuple[str, float], ...] = ()
    earlier: tuple[str, ...] = ()
    seeking: SeekingRecord | None = None
    reliability: ReliabilityRecord | None = None
    blocks: tuple[BlockRecord, ...] = ()

    @property
    def is_member(self) -> bool:
        """Whether the person has a confirmed address or an invitation."""
        return bool(self.mail) or self.invited


class DeedRecord(Struct, array_like=True, frozen=True):
    """Entry in the list of the operator's deeds and of what they rest on, which only grows.

    `deed`: its id; `at`: its date. `person`, `name`: the profile that it is about, and the name that it had then.
    `until`: the date at which it ends, 0 for never. `text`: the reason, or the words that it is about. `secrets`:
    SHA-256 of the secrets of the profile's devices. `network`: see `addresses.network_of`. Of a report: `by`: the
    profile that made it; `match` and `version`: its moment; `why`: the reporter's own words. `report`: the id of the
    report that was handled; then `until` is the date at which the reporter was told.
    """

    deed: str
    at: float
    kind: DeedKind
    person: str = ""
    name: str = ""
    until: float = 0.0
    text: str = ""
    secrets: tuple[bytes, ...] = ()
    network: str = ""
    by: str = ""
    match: str = ""
    version: int = 0
    why: str = ""
    report: str = ""


class MatchResult(Struct, array_like=True, frozen=True):
    """Result of a match: the number of rounds as the game counts them, (seat, rank, score) of all, the best first, and
    the kind of its end."""

    rounds: int
    places: tuple[tuple[int, int, str], ...]
    ended: Ending = Ending.PLAYED


class Glance(Struct, frozen=True):
    """Stored table, and the number of its log's entries. `owner`: the node that runs it, "" for none."""

    table: "TableRecord"
    version: int
    owner: str = ""


class HookRecord(Struct, array_like=True, frozen=True):
    """Webhook of a table: its address, and the form of the notes."""

    form: HookForm
    url: str


class NoticeMark(Struct, array_like=True, frozen=True):
    """Notices of a decision that a seat owes since that entry of the log.

    `hook`: whether the table's webhook was told, `told`: the player, `reminded`: the player again. A player who was at
    the table counts as told.
    """

    seat: int
    entry: int
    hook: bool = False
    told: bool = False
    reminded: bool = False


class PollRecord(Struct, array_like=True, frozen=True):
    """Poll that is open, or was accepted.

    `asked`: the age of the server at which it was opened. `unseen`: the seats of players who were away when it was
    accepted and do not know it yet.
    """

    number: int
    motion: Motion
    asker: int
    voters: tuple[int, ...]
    unanimous: bool
    asked: int
    ayes: tuple[int, ...] = ()
    noes: tuple[int, ...] = ()
    unseen: tuple[int, ...] = ()


class DiceRoot(Struct, array_like=True, frozen=True):
    """Root of a promise that is signed with Ed25519: 32 random bytes that the server never shows.

    It is an array, and not bytes, for servers before version 0.2 that share the database. They cannot read it, and
    refuse the match; otherwise they would derive another key from it, and roll other dice.
    """

    secret: bytes


class TableRecord(Struct, array_like=True):
    """A stored table.

    `version`: the rule set's. `host`: a seat, or NONE. `phase`: as in TableInfo. `talk`: the last lines of chat.
    `advice`: as in Create. `words`: the number of all lines of players. `standing`: the seats that owed a decision when
    the match went to sleep. `closed_hands`: as in Create. `pace`: as in Create, at the start of the match, which was at
    the age `begun` of the server.

    `due`: the server's age at which a player's time is up, while the match sleeps. It is `AWAKE` while the match is
    awake, so that it is loaded again after a crash of the server; 0 if no time runs.

    `root`: of the dice's promise (`server.storage.promise`), empty for a match without one. `started`, `ended`: dates
    in seconds since 1970, 0 for not yet. `signature`: of the whole match, once it is over; `result`: its result.
    `forward_only`, `unanimous`: as in Create. `hook`: the webhook; a secret.

    `lag`: milliseconds by which the match's age is less than the server's, because it had no owner while other matches
    ran. `kicked`, `muted`: marks of people removed or silenced by the host: keys of names, addresses, profiles.
    `polls`: the open polls. `missed`: accepted polls of which an absent player does not know yet.

    `rested`: the age of the match at which it came to rest, because no person had been present for several decisions; 0
    while it does not rest. `unplayed`: whether the match has begun and no person has acted yet; False if unknown.
    `away`: as in Create. `notices`: of the decisions that are owed, for each seat. `rated`: the match counts for the
    ladder. `forfeited`: seats that lost it by running out of time or leaving; `idle`: those of them that never decided.
    `limited`: (seat, opponent, whether it counts against that opponent if it is played to its end). `participants`: the
    profiles that sat, spoke or hosted here, each with a name that it had. `sought`: its people were found by
    their wishes; it has no host and begins by itself. `overdue`: seats whose time was up at least once.
    `lesson`: the key of the lesson or problem, "" for other matches. `people_rated`: as `Create.rated`, NO once the
    match no longer counts; then `forfeited` has the seats that left or ran out of time, in that order.
    """

    match: str
    ruleset: str
    version: int
    options: dict[str, int]
    title: str
    open: bool
    code: str
    think: int
    takeover: int
    chairs: list[ChairRecord]
    host: int = NONE
    phase: TablePhase = TablePhase.GATHERING
    talk: list[Line] = []
    advice: bool = False
    words: int = 0
    standing: OwedSeats | None = None
    closed_hands: bool = False
    pace: Pace | None = None
    begun: int = 0
    due: int = 0
    root: DiceRoot | bytes = b""
    started: int = 0
    ended: int = 0
    signature: bytes = b""
    forward_only: bool = False
    unanimous: bool = False
    result: MatchResult | None = None
    hook: HookRecord | None = None
    lag: int = 0
    kicked: tuple[str, ...] = ()
    muted: tuple[str, ...] = ()
    polls: tuple[PollRecord, ...] = ()
    missed: tuple[PollRecord, ...] = ()
    rested: int = 0
    unplayed: bool = False
    away: Away = Away.BOT
    notices: tuple[NoticeMark, ...] = ()
    rated: bool = False
    forfeited: tuple[int, ...] = ()
    idle: tuple[int, ...] = ()
    limited: tuple[tuple[int, int, bool], ...] = ()
    participants: tuple[tuple[str, str], ...] = ()
    sought: bool = False
    overdue: tuple[int, ...] = ()
    lesson: str = ""
    people_rated: Rated = Rated.NO


class Past(Struct, frozen=True):
    """Finished match in the list, with its place: matches that ended later have higher places."""

    place: int
    table: TableRecord
    version: int


class StoredMatch(Struct, frozen=True):
    """Stored table with its log; `check` is the log's last.

    `silent`: seconds for which its dead owner had given no sign of life when it was claimed, as far as another server
    ran meanwhile. It is 0 if the match had no owner.
    """

    table: TableRecord
    epoch: int
    entries: list[Entry]
    check: bytes
    silent: float = 0.0


Fit: TypeAlias = Callable[[TableRecord], object]
"""Function that is called before a table is claimed, maybe in another thread. It raises a StoreError if the table must
not be claimed."""


Bars: TypeAlias = Callable[[PersonRecord], bool]
"""Function that says whether another profile makes it impossible to store one."""


class StoreError(Exception):
    """Nothing was stored; the text is for players."""


class Taken(StoreError):
    """There is a match of that id, or another profile with that address, already."""


class Fenced(StoreError):
    """The match has another owner, or is gone: the caller must let go of it."""


class OwnedElsewhere(StoreError):
    """The match is owned by the node `owner`; "": its owner is changing right now."""

    def __init__(self, owner: str) -> None:
        super().__init__("This match is run by another server now.")
        self.owner = owner


class Damaged(StoreError):
    """The stored data of this match is not what was written."""


class Store(Protocol):
    """Durable store. Each call is durable when awaited. It raises StoreError, and then has stored nothing.

    A caller that changes a match names the epoch in which it became the owner. Once a later owner has claimed the
    match, such calls only raise Fenced. Arguments are stored as they are at the call, even if they change afterwards.
    """

    healthy: bool
    """Whether the store accepts changes: after a failure, not before it has read its data again."""
    shared: bool
    """Whether other running servers use this store too."""

    async def create(self, table: TableRecord) -> None:
        """Store a new table, owned by the caller in `FIRST_EPOCH`."""

    async def save(self, table: TableRecord, epoch: int) -> None:
        """Store a table's changed record."""

    async def release(self, table: TableRecord, epoch: int) -> None:
        """Store a table's record if it has changed, and give up ownership.

        Any server may claim the match at once. Call when finished: in that epoch the match must not be changed again.
        """

    async def release_all(self, held: Sequence[tuple[TableRecord, int]]) -> None:
        """Release many tables, each with its epoch, in one commit. Tables with another owner by now are left out."""

    def append(
        self, match: str, epoch: int, check: bytes, entries: Sequence[Entry], table: TableRecord | None
    ) -> "asyncio.Future[bytes]":
        """Append entries behind the one whose check is `check`, with a changed record; return the new check.

        The work begins with the call, not when it is awaited.
        """

    async def claim(self, match: str, fit: Fit | None = None) -> StoredMatch | None:
        """Become the owner of a match and fence off earlier owners; None if there is no such match.

        Raises Owned if another node is its owner, Damaged if it cannot be trusted, and all that `fit` raises for the
        table. Then owner and epoch stay the same.
        """

    async def read(self, match: str, first: int, count: int) -> list[bytes]:
        """Return `count` entries of a log, encoded, from number `first` on; fewer at its end. Raises Damaged.

        Read few at a time: writes wait meanwhile.
        """

    async def unfinished(self, within: float = math.inf) -> list[str]:
        """Return the matches that are gathering or playing and were changed within that many seconds."""

    async def due(self) -> dict[str, int]:
        """Return, by match with a running clock, the server's age at which it must wake; see `TableRecord.due`.

        A shared store leaves out matches of living owners.
        """

    async def age(self) -> int:
        """Return the stored age of the server in milliseconds, 0 for a new one."""

    async def keep_age(self, age: int) -> int:
        """Store the server's age, which never decreases; return the greatest age ever stored."""

    async def by_code(self, code: str) -> str | None:
        """The match with that code."""

    async def look(self, match: str) -> Glance | None:
        """Return a table as it is stored, whichever node owns it; None if there is none. Raises Damaged."""

    async def past(self, below: int, ruleset: str, count: int) -> list[Past]:
        """Return up to `count` finished matches of open tables, of one rule set or ("") of all, the latest first.

        Only places below `below` are returned (0: all). Damaged matches are left out.
        """

    async def over_since(self, date: float) -> list[str]:
        """Return all finished matches that were not changed after that date."""

    async def unplayed(self, since: float, before: float) -> list[str]:
        """Return matches in progress that are marked as unplayed and changed last from `since` until before `before`.

        Dates are in seconds.
        """

    async def matches_of(self, person: str) -> list[str]:
        """Return the matches in which that profile has a seat or a name, the last changed first."""

    async def people(self) -> list[PersonRecord]:
        """Return all profiles; damaged ones are left out."""

    async def keep_person(self, person: PersonRecord, bars: Bars | None = None) -> None:
        """Store a profile in place of its earlier record.

        `bars`: whether another profile makes that impossible, such as one with the same address; then it raises Taken.
        Only stores of several servers ask it, at which profiles may be stored of which this server has not heard.
        """

    async def forget_person(self, person: str) -> None:
        """Delete a profile; it need not exist."""

    async def deeds(self) -> list[DeedRecord]:
        """Return all entries of the operator's list, the oldest first; damaged ones are left out."""

    async def keep_deed(self, deed: DeedRecord) -> None:
        """Store an entry of that list, in place of an entry with the same id."""

    async def scrub(self) -> None:
        """Overwrite what was deleted or replaced, as far as the store can."""

    async def delete(self, match: str, epoch: int) -> None:
        """Forget a table and its log."""

    async def close(self) -> None:
        """Finish all earlier calls, then close the store."""

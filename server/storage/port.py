"""What must survive: tables and the append-only log of their matches. The log is the save file and the replay."""

import asyncio
import contextlib
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Final, Protocol, TypeAlias

import msgspec
from msgspec import Struct

from shared.history import GENESIS, Entry, chain
from shared.ids import NONE
from shared.messages import Line, Motion
from shared.tables import Ending, HookForm, Pace, TablePhase

AWAKE: Final = 1
"""`TableRecord.due` of a match that is awake."""
FIRST_EPOCH: Final = 1
"""The epoch of whoever creates a table; every claim begins the next one."""


class ChairRecord(Struct, array_like=True):
    """A seat. `token`: SHA-256 of the valid token; `offered`: of its successors, one after the other, none
    of which is known to have arrived.
    `stand_in`: the kind of bot that plays for an absent person; `person`: the profile to which the seat belongs;
    `heard`: how many words had been said when its person was last here; `number`: what its client gave to the dice, 32
    bytes or none; `readers`: SHA-256 of the token of each device that may read along, one after the other; `key`: of
    the key by which the seat was taken, empty where there was none; `left_at`: the age of the match at which `stand_in`
    took over, in milliseconds."""

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


class Standing(Struct, array_like=True, frozen=True):
    """Who had to decide, and since which date (seconds since 1970), when `version` was the last one of a match; `left`:
    seconds that they had, 0 without a clock."""

    version: int
    owed: tuple[int, ...]
    since: float
    left: int = 0


class PersonRecord(Struct, array_like=True, frozen=True):
    """A profile. `secrets`: SHA-256 of each, one for each device, the newest last; `seen`: the date of a visit not more
    than a day before the last one; `made`: the date when it was made, 0 where that was not noted. While both are the
    same, the profile was never used after its first day."""

    person: str
    name: str
    secrets: tuple[bytes, ...]
    seen: float
    made: float = 0.0


class Result(Struct, array_like=True, frozen=True):
    """How a match came out: after how many rounds as the game counts them, (seat, rank, score) of all, the best first,
    and how it came to that."""

    rounds: int
    places: tuple[tuple[int, int, str], ...]
    ended: Ending = Ending.PLAYED


class Glance(Struct, frozen=True):
    """A table as it is kept, and how many entries its log has; `owner`: the node that runs it, "" for none."""

    table: "TableRecord"
    version: int
    owner: str = ""


class HookRecord(Struct, array_like=True, frozen=True):
    """Where a table tells, outside of the game, whose turn it is, and in which form."""

    form: HookForm
    url: str


class PollRecord(Struct, array_like=True, frozen=True):
    """An open question of a table, or one that was carried. `asked`: the age of the server at which it was asked;
    `unseen`: the seats of players who were away when it was carried and have not been told yet."""

    number: int
    motion: Motion
    asker: int
    voters: tuple[int, ...]
    unanimous: bool
    asked: int
    ayes: tuple[int, ...] = ()
    noes: tuple[int, ...] = ()
    unseen: tuple[int, ...] = ()


class TableRecord(Struct, array_like=True):
    """A table as it is kept. `version` is the rule set's; `host`: a seat, or NONE; `phase` as in TableInfo; `talk`: the
    last lines of chat; `advice` as in Create; `words`: how many lines players have said in all;
    `standing`: how the match stood when it went to sleep; `closed_hands` as in Create; `pace` as in Create: the one
    with which it began, at the age `begun` of the server. `due`: the server's age at which somebody's time is up, as
    long as the match sleeps; `AWAKE` while it does not, so that a server which was killed looks at it again; 0 where
    nobody's time runs. `root`: what the promise of the dice is made from (`shared.proof`), empty for a match that began
    without one; `started`, `ended`: dates in seconds since 1970, 0 for not yet; `signature`: of the whole match once it
    is over, and `result` how it came out. `forward_only`, `unanimous` as in Create. `hook`: as in Hook; a secret.
    `lag`: milliseconds by which the match is younger than the server: others ran, and it had no owner.
    `kicked`, `muted`: marks of the people whom the host sent away or silenced: keys of names, addresses, profiles.
    `polls`: the open questions, `missed`: those that were carried while a player was away who has not been told yet.
    `rested`: the age of the match at which it fell to rest because no person had come for several decisions; 0 while it
    does not rest. `unplayed`: whether the match has begun and no person has acted yet; False where that is unknown."""

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
    standing: Standing | None = None
    closed_hands: bool = False
    pace: Pace | None = None
    begun: int = 0
    due: int = 0
    root: bytes = b""
    started: int = 0
    ended: int = 0
    signature: bytes = b""
    forward_only: bool = False
    unanimous: bool = False
    result: Result | None = None
    hook: HookRecord | None = None
    lag: int = 0
    kicked: tuple[str, ...] = ()
    muted: tuple[str, ...] = ()
    polls: tuple[PollRecord, ...] = ()
    missed: tuple[PollRecord, ...] = ()
    rested: int = 0
    unplayed: bool = False


class Past(Struct, frozen=True):
    """A finished match of the list, with its place on it: those that ended later have higher ones."""

    place: int
    table: TableRecord
    version: int


class Stored(Struct, frozen=True):
    """A table with its log; `check` is the log's last. `silent`: seconds for which its owner, who is dead, had given no
    sign of life when it was claimed, as far as any other server ran meanwhile; 0 where it had none."""

    table: TableRecord
    epoch: int
    entries: list[Entry]
    check: bytes
    silent: float = 0.0


Fit: TypeAlias = Callable[[TableRecord], object]
"""Asked before a table is claimed, maybe in another thread: raises the StoreError that says why it should not be."""


class StoreError(Exception):
    """Nothing was kept; the text is for players."""


class Taken(StoreError):
    """There is a match of that id already."""


class Fenced(StoreError):
    """The match has another owner, or is gone: whoever is told so must let go of it."""


class Owned(StoreError):
    """The match is the node's that `owner` names; "": its owner changes at this moment."""

    def __init__(self, owner: str) -> None:
        super().__init__("This match is run by another server now.")
        self.owner = owner


class Damaged(StoreError):
    """What was kept of this match is not what was written."""


def in_line(match: str, first: int, rows: Sequence[tuple[int, bytes, bytes]]) -> list[bytes]:
    """Entries of a log from number `first` on, encoded, out of (number, entry, check), the one before it included.

    Raises Damaged where they are not what was written.
    """
    before, found = (GENESIS, rows) if first == 1 else (rows[0][2] if rows else GENESIS, rows[1:])
    for n, (number, blob, kept) in enumerate(found, first):
        before = chain(before, blob)
        if (number, kept) != (n, before):
            raise Damaged(f"The log of match {match} is damaged at entry {n}.")
    return [blob for _, blob, _ in found]


Kept: TypeAlias = tuple[int, bytes, bytes]
"""A row of a log: number, encoded entry, check after it."""


def sound(rows: Iterable[Kept]) -> tuple[list[Entry], list[Kept]]:
    """Return a log up to the first row that is damaged or missing: its entries, and its rows as they are kept."""
    entries: list[Entry] = []
    kept: list[Kept] = []
    check = GENESIS
    with contextlib.suppress(msgspec.MsgspecError, UnicodeDecodeError, TypeError):
        for n, blob, after in rows:
            entry = msgspec.msgpack.decode(blob, type=Entry)
            if chain(check, blob) != after or not n == entry.n == len(entries) + 1:
                break
            check = after
            entries.append(entry)
            kept.append((n, blob, after))
    return entries, kept


class Store(Protocol):
    """Everything here is durable when awaited. Raises StoreError, and then nothing of that call was kept.

    Whoever changes a match names the epoch in which it became the owner: a later owner fences it off, and then nothing
    but Fenced comes of it. What is handed in is kept as it is at the call, whatever becomes of it afterwards.
    """

    healthy: bool
    """Whether promises are made: not after a failure, until what it left was read again."""
    shared: bool
    """Whether other servers, which live at the same time, keep their matches here too."""

    async def create(self, table: TableRecord) -> None:
        """Keep a new table, whose owner is the caller in `FIRST_EPOCH`."""

    async def save(self, table: TableRecord, epoch: int) -> None:
        """Keep a table's changed record."""

    async def release(self, table: TableRecord, epoch: int) -> None:
        """As `save`, where the record has changed; and the match has no owner from now on, so that anybody may claim it
        at once. For who is done with it: it is not to be changed in that epoch again."""

    async def release_all(self, held: Sequence[tuple[TableRecord, int]]) -> None:
        """Release many tables, each with its epoch, in one commit. Those with another owner by now are left out."""

    def append(
        self, match: str, epoch: int, check: bytes, entries: Sequence[Entry], table: TableRecord | None
    ) -> "asyncio.Future[bytes]":
        """Add to the log after the entry whose check is `check`, with a changed record; returns the new check.

        The work begins with the call, not when it is awaited."""

    async def claim(self, match: str, fit: Fit | None = None) -> Stored | None:
        """Become the owner of a match: earlier owners are fenced off. None if there is no such match.

        Raises Owned where another node is to keep it, Damaged where it cannot be trusted, and whatever `fit` raises
        when it sees the table; then owner and epoch stay the same."""

    async def read(self, match: str, first: int, count: int) -> list[bytes]:
        """So many entries of a log, encoded, from number `first` on; fewer at its end. Raises Damaged.

        Few at a time: whoever wants to write meanwhile waits."""

    async def unfinished(self, within: float = math.inf) -> list[str]:
        """The matches of all tables that are gathering or playing, and changed within so many seconds."""

    async def due(self) -> dict[str, int]:
        """When those matches are to be woken in which somebody's time runs; see `TableRecord.due`. In a store that is
        shared: of those that nobody runs who is alive."""

    async def age(self) -> int:
        """The server's age in milliseconds, as it was kept last; 0 for a new one."""

    async def keep_age(self, age: int) -> int:
        """Keep the server's age; it never becomes less. The greatest that was ever kept."""

    async def by_code(self, code: str) -> str | None:
        """The match with that code."""

    async def look(self, match: str) -> Glance | None:
        """A table as it is, whoever owns it; None if there is none. Raises Damaged."""

    async def past(self, below: int, ruleset: str, count: int) -> list[Past]:
        """Finished matches of open tables, of a rule set or ("") of all, those that ended last first: so many of those
        whose place is below that number (0: of all). One that is damaged is left out."""

    async def over_since(self, date: float) -> list[str]:
        """All finished matches that were not changed after that date."""

    async def unplayed(self, since: float, before: float) -> list[str]:
        """Matches in progress that are marked as unplayed and were changed last from `since` until before `before`
        (dates in seconds)."""

    async def matches_of(self, person: str) -> list[str]:
        """The matches in which that profile has a seat, the one last changed first."""

    async def people(self) -> list[PersonRecord]:
        """All profiles; one whose record is damaged is left out."""

    async def keep_person(self, person: PersonRecord) -> None:
        """Keep a profile, in the place of what was kept of it before."""

    async def forget_person(self, person: str) -> None:
        """Forget a profile; nothing happens where there is none."""

    async def delete(self, match: str, epoch: int) -> None:
        """Forget a table and its log."""

    async def close(self) -> None:
        """Finish what was asked for, then let go."""

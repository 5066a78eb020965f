"""Seats that this player holds on any servers: the keys to their matches.

Each is a small file of its own, so that two programs at once never overwrite each other's.
"""

import contextlib
import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from client.language import _
from client.player.files import Damaged, exclusive, read_own, write_whole
from client.player.lessons import lesson_of

PRIVATE: Final = "private"
"""Address of seats at the server that `conquest play` starts."""
HOSTED: Final = "hosted"
"""Address of seats at the server that `conquest host` starts."""
PRIVATE_HOMES: Final = (PRIVATE, *(f"{PRIVATE} {number}" for number in range(2, 9)))
"""Addresses and folders of private matches; each window that plays against bots at the same time uses another one.

No host has such a name.
"""
_END: Final = ".json"

State: TypeAlias = Literal["gathering", "playing", "over", "gone"]
"""Last known status of a match; gone: its server does not keep the seat any more."""
Date: TypeAlias = Annotated[float, Meta(ge=0, le=1e11)]
"""Seconds since 1970, within the years that calendars can show."""


def is_private(address: str) -> bool:
    """Whether matches there are against bots, at a server that we start on this computer."""
    return address in PRIVATE_HOMES or bool(lesson_of(address))


class SavedSeat(Struct, omit_defaults=True):
    """Seat to return to. `address` is what was typed, or HOSTED, one of PRIVATE_HOMES or that of a lesson.

    The other fields are for the list:

    * `game` is a rule set, and `people` are the names of the others;
    * `seen` is the time of the last visit at the table (seconds since 1970, 0: unknown);
    * `mine`: whether this seat's decision was awaited then; `turn`: name of the other awaited player;
    * `port`: where HOSTED listened; `public`: it opened the router's port;
    * `secure`: the seat was taken on an encrypted connection;
    * `since` and `until`: start and deadline of the awaited decision (0: unknown, or without a clock);
    * `unread`: number of chat lines of others since the last visit;
    * `version`: the last one that was seen;
    * `bound`: the server's commitment to the dice as we saw it first; `number`: our part in the dice;
    * `person`: their name if several people share this computer at the table; `curtain`: whether the table is hidden
      between two of them, also in a game without secrets;
    * `round`: the number of rounds begun, as the game counts them (0: unknown).
    """

    address: str
    match: str
    token: bytes
    title: str = ""
    seat: int = -1
    game: str = ""
    people: tuple[str, ...] = ()
    seen: Date = 0.0
    state: State = "playing"
    mine: bool = False
    turn: str = ""
    port: int = 0
    secure: bool = False
    since: Date = 0.0
    until: Date = 0.0
    unread: int = 0
    version: int = 0
    bound: bytes = b""
    number: bytes = b""
    person: str = ""
    curtain: bool = False
    public: bool = False
    round: int = 0

    @property
    def key(self) -> str:
        """Key of the seat, unique for each seat of each table of each server, and valid as a file name."""
        words = "\n".join((self.address, self.match, str(self.seat)))
        return hashlib.blake2b(words.encode(), digest_size=16).hexdigest()

    @property
    def live(self) -> bool:
        """Whether there is a match to go on with."""
        return self.state in ("gathering", "playing")

    @property
    def private(self) -> bool:
        """Whether it is a match against bots on this computer."""
        return is_private(self.address)


def one_row_each(seats: Iterable[SavedSeat]) -> list[SavedSeat]:
    """Return the seats with one for each match whose players share this computer: one that is to decide, if any.

    Its `people` are those elsewhere.
    """
    rows: dict[tuple[str, ...], SavedSeat] = {}
    here: dict[tuple[str, ...], set[str]] = {}
    for seat in seats:
        key = (seat.address, seat.match) if seat.person else (seat.key,)
        here.setdefault(key, set()).add(seat.person)
        if key not in rows or (seat.mine and not rows[key].mine):
            rows[key] = seat
    return [
        replace(row, people=tuple(name for name in row.people if name not in here[key])) if row.person else row
        for key, row in rows.items()
    ]


class Seats:
    """Store of all seats. `place`: their folder; None: kept in memory alone."""

    def __init__(self, place: Path | None = None) -> None:
        self._place = place
        self._memory: dict[str, SavedSeat] = {}
        self._reported: set[str] = set()
        self.words: list[str] = []
        """Messages for the player, oldest first; the code that shows one removes it."""

    def all(self) -> list[SavedSeat]:
        """Return all present seats, also those of other windows: running matches first, newest first.

        An unreadable file adds a message to `words`.
        """
        saved = list(self._memory.values()) if self._place is None else list(self._read_all(self._place))
        return sorted(saved, key=lambda seat: (not seat.live, -seat.seen, seat.title, seat.key))

    def shared(self, seat: SavedSeat) -> list[SavedSeat]:
        """Return the seats of all who share this computer in the match of that seat; empty if one person played it."""
        found = [each for each in self.all() if each.person] if seat.person else []
        same = [each for each in found if (each.address, each.match) == (seat.address, seat.match)]
        return sorted(same, key=lambda each: each.seat)

    def keep(self, seat: SavedSeat) -> None:
        """Save it in place of the old state of the same seat. Raises OSError."""
        with self._exclusive():
            self._put(seat)

    def note(self, seat: SavedSeat) -> None:
        """Save its status, unless another window holds the seat by now or it was forgotten."""
        with contextlib.suppress(OSError), self._exclusive():
            if self._is_ours(seat):
                self._put(seat)

    def rekey(self, seat: SavedSeat, token: bytes) -> None:
        """Save its new token, unless another window holds the seat by now."""
        with contextlib.suppress(OSError), self._exclusive():
            if self._is_ours(seat):
                self._put(replace(seat, token=token))

    def forget(self, seat: SavedSeat) -> None:
        """Forget the seat, unless another window holds it by now."""
        with contextlib.suppress(OSError), self._exclusive():
            if self._is_ours(seat):
                self._drop(seat)

    def tidy(self) -> int:
        """Forget finished matches, and seats that their server does not keep; return their number."""
        done = [seat for seat in self.all() if not seat.live]
        for seat in done:
            self.forget(seat)
        return len(done)

    def _exclusive(self) -> contextlib.AbstractContextManager[None]:
        """Lock, so that reading and writing in one window is one step for all others."""
        return contextlib.nullcontext() if self._place is None else exclusive(self._place / ".lock")

    def _is_ours(self, seat: SavedSeat) -> bool:
        """Whether the saved token is this one."""
        return any((saved.key, saved.token) == (seat.key, seat.token) for saved in self.all())

    def _put(self, seat: SavedSeat) -> None:
        if self._place is None:
            # A copy, as a file would be: the caller goes on to change its object.
            self._memory[seat.key] = replace(seat)
        else:
            write_whole(self._file(seat), msgspec.json.format(msgspec.json.encode(seat)))

    def _drop(self, seat: SavedSeat) -> None:
        if self._place is None:
            del self._memory[seat.key]
        else:
            self._file(seat).unlink(missing_ok=True)

    def _file(self, seat: SavedSeat) -> Path:
        assert self._place is not None
        return self._place / (seat.key + _END)

    def _read_all(self, place: Path) -> Iterator[SavedSeat]:
        with contextlib.suppress(OSError):
            for path in sorted(place.glob(f"*{_END}")):
                seat = self._read(path)
                if seat is not None:
                    yield seat

    def _read(self, path: Path) -> SavedSeat | None:
        try:
            return read_own(path, SavedSeat)
        except FileNotFoundError:
            pass  # Another window has just forgotten it.
        except Damaged as aside:
            words = _("A kept seat cannot be read, so its game is not in the list. Its file is {file}.", file=aside)
            if words not in self._reported:
                self._reported.add(words)
                self.words.append(words)
        return None

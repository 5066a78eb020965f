"""Seat held at the present server: saved as soon as we have it, and its status with it. Knows no window."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic, time
from typing import Final

from msgspec.structs import replace

from client.network.model import MatchModel
from client.network.server_access import ServerAccess
from client.player.seats import HOSTED, SavedSeat, Seats, State
from shared.ids import NATURE
from shared.messages import Seated, TableState
from shared.tables import SeatKind, TablePhase

_PAUSE: Final = 5.0
"""Seconds between two saves of whose turn it is."""
_STATES: Final[dict[TablePhase, State]] = {
    TablePhase.GATHERING: "gathering", TablePhase.PLAYING: "playing", TablePhase.OVER: "over",
}  # fmt: skip


class HeldSeat:
    """Seat that this client holds at the server. `seat`: the saved seat, also while we are returning to it."""

    def __init__(self, seats: Seats, complain: Callable[[str], object]) -> None:
        self.seat: SavedSeat | None = None
        self.person, self.curtain = "", False
        """As in `SavedSeat`, for the next seat."""
        self._seats = seats
        self._complain = complain
        self._written: SavedSeat | None = None
        self._noted_at = 0.0
        self._seen: tuple[TableState | None, int] = (None, -1)
        self.left_at = 0
        """Version last seen at the seat to which we returned; 0 if unknown."""
        self.left_on = 0.0
        """Time of that version, in seconds since 1970."""

    def begin(self, seat: SavedSeat | None) -> None:
        """Start a connection, perhaps to return to that seat."""
        self.seat = self._written = seat
        self._seen = (None, -1)
        self.left_at, self.left_on = (0, 0.0) if seat is None else (seat.version, seat.seen)

    def sit(self, access: ServerAccess, seated: Seated) -> None:
        """Save the seat that the server gave us, or the next token of ours."""
        before = self.seat if self.seat is not None and self.seat.match == seated.match else None
        port = access.port if access.address == HOSTED else 0
        seat = before or SavedSeat(access.address, seated.match, b"", port=port, public=access.opens_router)
        self.seat = replace(seat, token=seated.token, seat=seated.seat, seen=time(), state="playing",
                            secure=access.secure, person=self.person, curtain=self.curtain)  # fmt: skip
        try:
            self._seats.keep(self.seat)
            self._written = self.seat
        except OSError as error:
            self._complain(f"The way back to this seat cannot be kept ({error.strerror}).")
        if before is not None and before.key != self.seat.key:
            self._seats.forget(before)

    def follow(self, match: MatchModel) -> None:
        """Save the match's status: our own turns at once, those of others only every few seconds."""
        seen = (match.table, match.version)
        if self.seat is None or match.table is None or match.table.match != self.seat.match or seen == self._seen:
            return
        self._seen = seen
        fresh = self.seat = _as_it_stands(self.seat, match, match.table)
        written = self._written
        same = written is not None and fresh == replace(written, mine=fresh.mine, turn=fresh.turn, since=fresh.since,
                                                        until=fresh.until, version=fresh.version)  # fmt: skip
        if not same or (fresh != written and monotonic() > self._noted_at + _PAUSE):
            self._note()

    def end(self) -> None:
        """End the connection and save the seat."""
        if self.seat is not None and self.seat != self._written:
            self._note()
        self.seat = self._written = None

    def lose(self) -> None:
        """Mark the seat as gone: its server does not keep it. The list shows it until it is tidied."""
        if self.seat is not None:
            self.seat = replace(self.seat, state="gone", mine=False, turn="")
            self._note()

    def release(self) -> None:
        """Forget the seat: it is no longer ours."""
        if self.seat is not None:
            self._seats.forget(self.seat)
        self.seat = self._written = None

    def _note(self) -> None:
        if self.seat is not None:
            self._noted_at = monotonic()
            self._written = self.seat = replace(self.seat, seen=time() if self.seat.live else self.seat.seen)
            self._seats.note(self.seat)


def _as_it_stands(seat: SavedSeat, match: MatchModel, table: TableState) -> SavedSeat:
    others = tuple(match.name(i) for i, info in enumerate(table.seats) if i != table.you and info.kind != SeatKind.FREE)
    state: State = "over" if match.over else _STATES[table.phase]
    owed = match.owed() if state == "playing" else ()
    turn = ", ".join(match.name(i) for i in owed if i not in (seat.seat, NATURE))
    fresh = replace(seat, title=table.title, game=table.ruleset, people=others, state=state, mine=seat.seat in owed,
                    turn=turn, unread=0, version=match.version, bound=match.stake.commitment,
                    number=match.stake.number,
                    round=match.rules.rounds(match.view) if match.view is not None else seat.round)  # fmt: skip
    left = match.seconds_left()
    since = seat.since if (fresh.mine, fresh.turn) == (seat.mine, seat.turn) else time()
    return replace(fresh, since=since if owed else 0.0, until=time() + left if left is not None else 0.0)

"""Who of a table's people is here, counted and in words. Whoever lost the connection has a seat, but is not here."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from client.language import _
from shared.messages import SeatInfo, TableInfo
from shared.tables import SeatKind

_GONE = (SeatKind.AWAY, SeatKind.STAND_IN)


class Presence(Struct, frozen=True):
    """How many seats there are, how many of them are free, and at how many somebody is expected back."""

    seats: int
    free: int
    away: int

    @property
    def words(self) -> str:
        """As in "3 of 4 here, 1 away"."""
        here = self.seats - self.free - self.away
        if not self.away:
            return _("{what} of {seats} here", what=here, seats=self.seats)
        return _("{what} of {seats} here, {away} away", what=here, seats=self.seats, away=self.away)


def seated(seats: Iterable[SeatInfo]) -> Presence:
    """At a table."""
    kinds = [info.kind for info in seats]
    return Presence(len(kinds), kinds.count(SeatKind.FREE), sum(kind in _GONE for kind in kinds))


def listed(table: TableInfo) -> Presence:
    """At a table of the list."""
    return Presence(table.seats, table.seats - table.taken, table.away)

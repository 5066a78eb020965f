"""Absent players of a running match: since when they are away, and what is counted down for them."""

from server.delivery.peer import Peer
from server.matches.members import Members
from server.matches.running_match import RunningMatch
from server.matches.table import Table
from shared import levels
from shared.messages import Absent, AbsentSeat
from shared.tables import ABSENCE, Away, SeatKind, TablePhase


class Absences:
    """Source of `Absent`. All methods are called by the table's task, one after the other."""

    def __init__(self, table: Table, play: RunningMatch, members: Members) -> None:
        self._table = table
        self._play = play
        self._members = members
        self._told: list[tuple[int, SeatKind, bool]] = []
        """Absent seats as all peers were told last: the seat, its kind, and whether a bot plays a single turn."""

    def tell(self, peer: Peer) -> None:
        """Tell a new peer which players are away, if any are."""
        if ABSENCE in peer.agreed and self._gone():
            peer.tell(self._absent())

    def settle(self) -> None:
        """Tell all peers which players are away, if that has changed since the last call."""
        gone = self._gone()
        if gone == self._told:
            return
        self._told, absent = gone, self._absent()
        for peer in self._table.audience.peers:
            if ABSENCE in peer.agreed:
                peer.tell(absent)

    def _gone(self) -> list[tuple[int, SeatKind, bool]]:
        table = self._table
        if table.record.phase != TablePhase.PLAYING or levels.by_post(table.pace):
            return []
        return [
            (seat, chair.kind, chair.record.turn is not None)
            for seat, chair in enumerate(table.seating.chairs)
            if chair.kind in (SeatKind.AWAY, SeatKind.STAND_IN) and not chair.here
        ]

    def _absent(self) -> Absent:
        return Absent(tuple([self._seat(*gone) for gone in self._gone()]))

    def _seat(self, seat: int, kind: SeatKind, turn: bool) -> AbsentSeat:
        since = self._members.away_for(seat)
        left = self._countdown - since if kind is SeatKind.AWAY else 0.0
        return AbsentSeat(seat, int(since), max(0, round(left)), turn)

    @property
    def _countdown(self) -> float:
        """Seconds of absence after which a bot plays, or votes no longer wait; 0 if nothing happens then."""
        if self._table.record.away is Away.ASK:
            return self._table.services.grace
        return self._play.takeover

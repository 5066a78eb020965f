"""Absent players of a match, as the server told them last, with what is counted down for them."""

from time import monotonic

from shared.ids import Seat
from shared.messages import Absent, AbsentSeat, ServerMessage, Welcome


class AbsentPlayers:
    """Absent players by seat; their times go on by the clock of this process."""

    def __init__(self) -> None:
        self._seats: dict[Seat, AbsentSeat] = {}
        self._at = 0.0

    def hear(self, message: ServerMessage) -> None:
        """React to a message."""
        match message:
            case Welcome():
                self._seats = {}  # The server lists them again, if there are any.
            case Absent():
                self._seats, self._at = {each.seat: each for each in message.seats}, monotonic()
            case _:
                pass

    @property
    def seats(self) -> list[AbsentSeat]:
        """The absent players as they were told last."""
        return list(self._seats.values())

    def left(self, seat: Seat) -> int:
        """Return the seconds that are still counted down for a seat; 0 if nothing is, or it is over."""
        absent = self._seats.get(seat)
        return 0 if absent is None else max(0, round(absent.left - (monotonic() - self._at)))

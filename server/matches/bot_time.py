"""Time that searching bots have thought in the present round, by seat."""

from shared import levels
from shared.ids import Seat
from shared.tables import Pace


class BotTime:
    """Thinking time of the bots of a match: a hard bot has one budget for all its decisions of a round."""

    def __init__(self) -> None:
        self._spent: dict[Seat, tuple[tuple[int, ...], float]] = {}

    def limit(self, seat: Seat, kind: str, pace: Pace, round_: tuple[int, ...]) -> float:
        """Return the seconds for the bot's next decision."""
        return levels.share(kind, levels.thinking(kind, pace), self._spent_in(seat, round_))

    def spend(self, seat: Seat, round_: tuple[int, ...], seconds: float) -> None:
        """Count seconds that a bot has thought in a round."""
        self._spent[seat] = round_, self._spent_in(seat, round_) + seconds

    def _spent_in(self, seat: Seat, round_: tuple[int, ...]) -> float:
        then, seconds = self._spent.get(seat, (round_, 0.0))
        return seconds if then == round_ else 0.0

"""One question to those who sit at a table, and what came of it. No sockets, no clock."""

from collections.abc import Iterable

from shared.ids import Seat
from shared.messages import Motion, Poll
from shared.tables import Outcome


class Ballot:
    """Open: everybody sees who is for it and who is not. Who asks is for it. A vote can be changed until it is over."""

    def __init__(self, number: int, motion: Motion, asker: Seat, voters: Iterable[Seat], unanimous: bool) -> None:
        self.number = number
        self.motion = motion
        self.asker = asker
        self.voters = tuple(sorted({asker, *voters}))
        self.needed = len(self.voters) if unanimous else len(self.voters) // 2 + 1
        self.outcome = Outcome.OPEN
        self._votes: dict[Seat, bool] = {}
        self.vote(asker, True)

    @property
    def ayes(self) -> tuple[Seat, ...]:
        """Who is for it."""
        return tuple([seat for seat in self.voters if self._votes.get(seat)])

    @property
    def noes(self) -> tuple[Seat, ...]:
        """Who is against it."""
        return tuple([seat for seat in self.voters if self._votes.get(seat) is False])

    def vote(self, seat: Seat, yes: bool) -> None:
        """Somebody of the voters decides, or thinks better of it."""
        self._votes[seat] = yes
        if len(self.ayes) >= self.needed:
            self.outcome = Outcome.CARRIED
        elif len(self.voters) - len(self.noes) < self.needed:
            self.outcome = Outcome.REJECTED

    def told(self, left: int) -> Poll:
        """What all are told; `left`: seconds until it lapses."""
        return Poll(
            self.number, self.motion, self.asker, self.voters, self.ayes, self.noes, self.needed, left, self.outcome
        )

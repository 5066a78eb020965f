"""Decisions of the people at a table: the open questions, asking, and answering. Knows no window."""

from collections.abc import Callable
from time import monotonic

from msgspec import Struct

from client.network.absent_players import AbsentPlayers
from client.network.table_events import Asked
from protocol import codec
from protocol.session import ClientSession
from shared.ids import Seat
from shared.messages import Motion, Poll, Propose, ServerMessage, Vote, Welcome
from shared.tables import VOTES, Outcome


class _Open(Struct, frozen=True):
    """Open question; `until`: its latest time of decision, by the clock of this process."""

    poll: Poll
    until: float


class Voting:
    """Open questions of a table that the server sent. `send` takes encoded messages."""

    def __init__(self, session: ClientSession, send: Callable[[bytes], object]) -> None:
        self._session = session
        self._send = send
        self._open: dict[int, _Open] = {}
        self._numbers: set[int] = set()
        """Numbers of the known questions."""
        self.absent = AbsentPlayers()
        self.missed: list[Poll] = []
        """Questions decided while this player was away, until they have read them."""

    @classmethod
    def without_people(cls) -> "Voting":
        """Return an instance without a server, for matches without other people."""
        return cls(ClientSession(""), lambda _data: None)

    @property
    def known(self) -> bool:
        """Whether this server lets people decide together."""
        return VOTES in self._session.can

    def foremost(self, seat: Seat) -> Poll | None:
        """Return the open question for that seat: an unanswered one, else one that it may answer, else any."""
        polls = [one.poll for one in self._open.values()]
        open_to_seat = [poll for poll in polls if seat in poll.voters]
        waiting = [poll for poll in open_to_seat if seat not in (*poll.ayes, *poll.noes)]
        return next(iter((*waiting, *open_to_seat, *polls)), None)

    def seconds_left(self, poll: Poll) -> int:
        """Return the seconds until the latest decision of an open question."""
        one = self._open.get(poll.number)
        return max(0, round(one.until - monotonic())) if one is not None else 0

    def awaits(self, seat: Seat) -> bool:
        """Whether an open question waits for the first answer of that seat."""
        poll = self.foremost(seat)
        return poll is not None and seat in poll.voters and seat not in (*poll.ayes, *poll.noes)

    def asks(self, seat: Seat) -> bool:
        """Whether that seat may answer something now."""
        poll = self.foremost(seat)
        return poll is not None and seat in poll.voters

    def propose(self, motion: Motion) -> int:
        """Ask the others; return the number of the request."""
        return self._say(lambda ref: Propose(ref, motion))

    def vote(self, seat: Seat, yes: bool) -> int:
        """Answer the foremost question for that seat; return the number of the request, 0 if there is no question."""
        poll = self.foremost(seat)
        return 0 if poll is None else self._say(lambda ref: Vote(ref, poll.number, yes))

    def _say(self, make: Callable[[int], Propose | Vote]) -> int:
        ref = self._session.ref()
        self._send(codec.encode(make(ref)))
        return ref

    def hear(self, message: ServerMessage) -> Asked | None:
        """React to a message; return the event to show, if any."""
        self.absent.hear(message)
        match message:
            case Welcome():
                # The server sends open questions again, under the same numbers; a restarted server counts from one.
                self._open.clear()
                self._numbers.clear()
            case Poll() if message.missed:
                return self._hear_missed(message)
            case Poll():
                return self._hear(message)
        return None

    def _hear(self, poll: Poll) -> Asked | None:
        fresh = poll.number not in self._numbers
        self._numbers.add(poll.number)
        if poll.outcome is Outcome.OPEN:
            self._open[poll.number] = _Open(poll, monotonic() + poll.left)
            return Asked(poll, fresh) if fresh else None
        self._open.pop(poll.number, None)
        return Asked(poll, fresh)

    def _hear_missed(self, poll: Poll) -> Asked | None:
        """Note a missed question once: the server repeats it on each return until it knows of its arrival."""
        if poll in self.missed:
            return None
        self.missed.append(poll)
        return Asked(poll, fresh=True)


def choice(poll: Poll, seat: Seat) -> bool | None:
    """Return the answer of a seat; None if it has not answered."""
    return seat in poll.ayes if seat in (*poll.ayes, *poll.noes) else None

"""What the people at a table decide together: the question that is open, asking, and answering. Knows no window."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from client.network.of_table import Asked
from protocol import codec
from protocol.session import ClientSession
from shared.ids import Seat
from shared.messages import Motion, Poll, Propose, ServerMessage, Vote, Welcome
from shared.tables import VOTES, Outcome


class Voting:
    """`send` takes encoded messages."""

    def __init__(self, session: ClientSession, send: Callable[[bytes], object]) -> None:
        self._session = session
        self._send = send
        self._number = 0
        self._until = 0.0
        self.poll: Poll | None = None
        """The question that is open."""

    @classmethod
    def nobody(cls) -> Voting:
        """Where nobody can be asked."""
        return cls(ClientSession(""), lambda _data: None)

    @property
    def known(self) -> bool:
        """Whether this server lets people decide together."""
        return VOTES in self._session.can

    @property
    def seconds_left(self) -> int:
        """Until the question lapses."""
        return max(0, round(self._until - monotonic()))

    def choice(self, seat: Seat) -> bool | None:
        """How a seat has answered; None where it has not."""
        poll = self.poll
        return None if poll is None or seat not in (*poll.ayes, *poll.noes) else seat in poll.ayes

    def asks(self, seat: Seat) -> bool:
        """Whether that seat may answer now."""
        return self.poll is not None and seat in self.poll.voters

    def propose(self, motion: Motion) -> int:
        """Ask the others; the number of the request."""
        return self._say(lambda ref: Propose(ref, motion))

    def vote(self, yes: bool) -> int:
        """Answer the open question; the number of the request, 0 where there is none."""
        poll = self.poll
        return 0 if poll is None else self._say(lambda ref: Vote(ref, poll.number, yes))

    def _say(self, make: Callable[[int], Propose | Vote]) -> int:
        ref = self._session.ref()
        self._send(codec.encode(make(ref)))
        return ref

    def hear(self, message: ServerMessage) -> Asked | None:
        """A message arrived; what is to be told of it."""
        match message:
            case Welcome():
                # What is still open is told anew, under the same number; a server that began anew counts from one.
                self.poll, self._number = None, 0
            case Poll():
                return self._heard(message)
        return None

    def _heard(self, poll: Poll) -> Asked | None:
        fresh, self._number = poll.number != self._number, poll.number
        is_open = poll.outcome is Outcome.OPEN
        self.poll, self._until = poll if is_open else None, monotonic() + poll.left
        return Asked(poll, fresh) if fresh or not is_open else None

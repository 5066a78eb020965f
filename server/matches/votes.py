"""Questions that the people at a table decide together: who may ask what, who is asked, and what is done then."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

from protocol.session import TokenBucket
from server import log
from server.budgets import Rate
from server.clock import Timer
from server.delivery.peer import Peer
from server.matches.ballot import Ballot
from server.matches.members import Members
from server.matches.play import Play, Post
from server.matches.table import NOT_SEATED, NOT_STARTED, Table
from shared import levels
from shared.clocks import playable
from shared.ids import Seat
from shared.messages import Done, Motion, Propose, Vote
from shared.refusal import Refusal
from shared.tables import LOOKING_ON, Matter, Outcome, Run, SeatKind, TablePhase

LIVE: Final = 60.0
"""Seconds until a question lapses."""
BY_POST: Final = 86400.0
"""The same where nobody sits and waits."""
GONE: Final = 300.0
"""For so long somebody has been away whose seat another person takes."""
ASKED: Final = Rate(1 / 60, 3.0)
"""How often a seat may ask."""

_OVER: Final = Refusal("over", "", "The match is over.")
_OPEN: Final = Refusal("poll-open", "", "There is a question already; answer that first.")
_PATIENCE: Final = Refusal("rate", "", "You ask too often; wait a minute, please.")
_NO_POLL: Final = Refusal("no-poll", "", "That question is decided already.")
_NOT_ASKED: Final = Refusal("not-asked", "", "You are not asked about that.")
_PAUSED: Final = Refusal("no-change", "", "The match is paused already.")
_RUNS: Final = Refusal("no-change", "", "The match is not paused.")
_NO_CLOCK: Final = Refusal("no-change", "", "Nobody's time runs at this table.")
_NO_MORE: Final = Refusal("no-change", "", "No time at all would change nothing.")
_SAME_PACE: Final = Refusal("no-change", "", "That is the pace of this match already.")
_NO_PACE: Final = Refusal("bad-pace", "", "Everybody needs some time for each decision.")
_NOT_AWAY: Final = Refusal("no-person", "", "Nobody is away from that seat.")
_NO_LEVEL: Final = Refusal("no-such-level", "", f"There are no such bots here; there are {levels.NAMES} ones.")
_NOT_HERE: Final = Refusal("no-person", "", "Nobody of that name looks on.")
_TOO_SOON: Final = Refusal("too-soon", "", "He may come back: after five minutes somebody else can take that seat.")
_BY_POST: Final = Refusal(
    "too-soon", "", "In a match by post somebody else can take a seat once a bot plays for its person."
)
_NO_WAY_BACK: Final = Refusal("no-rewind", "", "At this table nobody goes back.")
_TOO_FAR: Final = Refusal("no-rewind", "", "The match goes back to this round or the last one, and no further.")


class Votes:
    """See the module's docstring. All methods are called by the table's task, one after the other."""

    def __init__(self, table: Table, play: Play, members: Members, post: Post) -> None:
        self._table = table
        self._play = play
        self._members = members
        self._post = post
        self._ballot: Ballot | None = None
        self._number = 0
        self._lapse: Timer | None = None
        self._until = 0.0
        self._budgets: dict[Seat, TokenBucket] = {}
        self._deeds: dict[Matter, Callable[[Motion], Awaitable[bool]]] = {
            Matter.PAUSE: lambda _: play.pause(),
            Matter.GO_ON: lambda _: play.go_on(),
            Matter.SEAT: self._fill_seat,
            Matter.BACK: lambda motion: play.go_back(motion.to),
            Matter.END: lambda _: play.end(),
            Matter.TIME: lambda motion: play.more_time(motion.seat, 1000 * motion.seconds),
            Matter.PACE: self._change_pace,
        }

    async def propose(self, peer: Peer, message: Propose) -> None:
        """Somebody asks all; who is the only one to be asked decides alone. Raises StoreError."""
        refusal = self._may_not_ask(peer) or self._cannot_be(message.motion) or self._too_often(peer.seat)
        if refusal is not None:
            return peer.refuse(message.ref, refusal)
        self._number += 1
        unanimous = self._table.record.unanimous or message.motion.matter is Matter.BACK
        self._ballot = Ballot(self._number, message.motion, peer.seat, self._asked(message.motion), unanimous)
        peer.tell(Done(message.ref))
        log.info("asked", match=self._table.record.match, seat=peer.seat, matter=message.motion.matter.name)
        if self._ballot.outcome is Outcome.OPEN:
            self._begin(self._ballot)
        return await self._go_on(self._ballot)

    async def vote(self, peer: Peer, message: Vote) -> None:
        """Somebody answers. Raises StoreError."""
        ballot = self._ballot
        if ballot is None or ballot.number != message.poll:
            return peer.refuse(message.ref, _NO_POLL)
        if peer.seat == LOOKING_ON or peer.seat not in ballot.voters:
            return peer.refuse(message.ref, _NOT_ASKED)
        ballot.vote(peer.seat, message.yes)
        peer.tell(Done(message.ref))
        return await self._go_on(ballot)

    def show(self, peer: Peer) -> None:
        """The question that is open, to somebody who came."""
        if self._ballot is not None and peer in self._table.audience:
            peer.tell(self._ballot.told(self._left))

    def stop(self) -> None:
        """No question lapses any more."""
        if self._lapse is not None:
            self._lapse.cancel()
            self._lapse = None

    @property
    def _by_post(self) -> bool:
        return levels.by_post(self._play.pace)

    @property
    def _left(self) -> int:
        return max(1, round(self._until - self._table.services.clock.now()))

    def _begin(self, ballot: Ballot) -> None:
        seconds = BY_POST if self._by_post else LIVE
        clock = self._table.services.clock
        self._until = clock.now() + seconds
        self._lapse = clock.call_later(seconds, lambda: self._post(partial(self._lapsed, ballot)))

    async def _lapsed(self, ballot: Ballot) -> None:
        """Nobody decided it in its time."""
        if ballot is self._ballot:
            ballot.outcome = Outcome.LAPSED
            await self._go_on(ballot)

    async def _go_on(self, ballot: Ballot) -> None:
        """Show how it stands; where it is decided, do what was asked for. Raises StoreError."""
        if ballot.outcome is Outcome.OPEN:
            return self._table.audience.tell(ballot.told(self._left))
        self._ballot = None
        self.stop()
        try:
            if ballot.outcome is Outcome.CARRIED and not await self._do(ballot.motion):
                ballot.outcome = Outcome.FAILED
        except BaseException:
            ballot.outcome = Outcome.FAILED
            raise
        finally:
            self._table.audience.tell(ballot.told(0))
        return None

    async def _do(self, motion: Motion) -> bool:
        playing = self._table.record.phase == TablePhase.PLAYING
        return playing and self._cannot_be(motion) is None and await self._deeds[motion.matter](motion)

    # Who may ask what, and who is asked

    def _may_not_ask(self, peer: Peer) -> Refusal | None:
        if peer.seat == LOOKING_ON:
            return NOT_SEATED
        if self._table.record.phase != TablePhase.PLAYING or self._table.match is None:
            return _OVER if self._table.record.phase == TablePhase.OVER else NOT_STARTED
        return _OPEN if self._ballot is not None else None

    def _too_often(self, seat: Seat) -> Refusal | None:
        budget = self._budgets.setdefault(seat, ASKED.bucket(self._table.services.clock.now))
        return None if budget.take() else _PATIENCE

    def _asked(self, motion: Motion) -> list[Seat]:
        """All people who sit there but him whose seat it is about; where one sits and waits, those who are away are
        asked only about what nobody may do behind their backs."""
        weighty = self._by_post or motion.matter in (Matter.BACK, Matter.END)
        kinds = (SeatKind.PERSON, SeatKind.AWAY) if weighty else (SeatKind.PERSON,)
        own = motion.seat if motion.matter is Matter.SEAT else LOOKING_ON
        return [seat for seat, chair in enumerate(self._table.seating.chairs) if chair.kind in kinds and seat != own]

    def _cannot_be(self, motion: Motion) -> Refusal | None:
        """Why that cannot be done as the match stands now."""
        match motion.matter:
            case Matter.PAUSE:
                return _PAUSED if self._play.paused else None
            case Matter.GO_ON:
                return None if self._play.paused else _RUNS
            case Matter.SEAT:
                return self._no_seat(motion)
            case Matter.BACK:
                return self._no_way_back(motion.to)
            case Matter.TIME:
                return self._no_time(motion)
            case Matter.PACE:
                return self._no_pace(motion)
            case _:
                return None

    def _no_seat(self, motion: Motion) -> Refusal | None:
        chairs = self._table.seating.chairs
        if not 0 <= motion.seat < len(chairs) or chairs[motion.seat].kind not in (SeatKind.AWAY, SeatKind.STAND_IN):
            return _NOT_AWAY
        if motion.name and self._members.onlooker(motion.name) is None:
            return _NOT_HERE
        if motion.name:
            return self._too_soon(motion.seat)
        return None if motion.level in levels.KNOWN else _NO_LEVEL

    def _too_soon(self, seat: Seat) -> Refusal | None:
        """Whoever loses his seat for good has left it to a bot or to nobody for a while. By post nobody sits and waits:
        there it must be a bot's already."""
        if self._by_post and self._table.seating.chairs[seat].kind is not SeatKind.STAND_IN:
            return _BY_POST
        return _TOO_SOON if self._members.away_for(seat) < GONE else None

    def _no_way_back(self, to: int) -> Refusal | None:
        match = self._table.match
        if self._table.record.forward_only or match is None:
            return _NO_WAY_BACK
        return None if match.earliest <= to < match.version else _TOO_FAR

    def _no_time(self, motion: Motion) -> Refusal | None:
        chairs = self._table.seating.chairs
        if self._play.pace.run is Run.NONE:
            return _NO_CLOCK
        if not motion.seconds:
            return _NO_MORE
        return None if 0 <= motion.seat < len(chairs) and chairs[motion.seat].record.name else _NOT_AWAY

    def _no_pace(self, motion: Motion) -> Refusal | None:
        if motion.pace is None or not playable(motion.pace):
            return _NO_PACE
        return _SAME_PACE if motion.pace == self._play.pace else None

    # What is done

    async def _fill_seat(self, motion: Motion) -> bool:
        """Somebody else plays for a person who is away."""
        chair = self._table.seating.chairs[motion.seat]
        if motion.name:
            return await self._members.give_seat(motion.seat, motion.name)
        await self._table.proclaim(f"A bot plays for {chair.record.name}.")
        await self._play.seat_bot(motion.seat, motion.level)
        return True

    async def _change_pace(self, motion: Motion) -> bool:
        return motion.pace is not None and await self._play.change_pace(motion.pace)

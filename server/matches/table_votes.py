"""TableVotes of the people at a table: the motions that players may make, the voters, and the execution.

An absent player must not let another one decide alone. Absent players are asked too, and a poll waits for them: in live
play for the grace period of a connection, by post for a day. After that they no longer count.
"""

from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import Final

from msgspec import structs

from protocol.session import TokenBucket
from server import log
from server.clock import Timer
from server.delivery.peer import Peer
from server.matches.members import MUTED, Members
from server.matches.running_match import Post, RunningMatch
from server.matches.seating import SeatHolder
from server.matches.table import NOT_SEATED, NOT_STARTED, Table
from server.rate_limits import Rate
from server.storage.port import PollRecord, StoreError
from shared import levels
from shared.clocks import SECOND, playable
from shared.ids import NONE, Seat
from shared.language.sentence import _
from shared.messages import Done, Motion, Poll, Propose, Vote
from shared.refusal import Refusal
from shared.tables import LOOKING_ON, Matter, Outcome, Run, SeatKind, TablePhase


def opened(number: int, motion: Motion, asker: Seat, voters: Collection[Seat], unanimous: bool, at: int) -> PollRecord:
    """Return a new poll, asked at the age `at` of the server. The asker votes yes; a spectator (NONE) has no vote."""
    ayes = () if asker == NONE else (asker,)
    return PollRecord(number, motion, asker, tuple(sorted({*ayes, *voters})), unanimous, at, ayes)


def voted(poll: PollRecord, seat: Seat, yes: bool) -> PollRecord:
    """Return the poll with a seat's vote, which replaces an earlier one."""
    ayes, noes = set(poll.ayes) - {seat}, set(poll.noes) - {seat}
    (ayes if yes else noes).add(seat)
    return structs.replace(poll, ayes=tuple(sorted(ayes)), noes=tuple(sorted(noes)))


def silent(poll: PollRecord) -> list[Seat]:
    """Return the voters that have not answered."""
    return [seat for seat in poll.voters if seat not in poll.ayes and seat not in poll.noes]


def needed(poll: PollRecord, voters: Sequence[Seat]) -> int:
    """Return how many of those voters must agree."""
    return len(voters) if poll.unanimous else len(voters) // 2 + 1


def outcome(poll: PollRecord, excused: Collection[Seat]) -> Outcome:
    """Return the result so far. `excused`: voters that were away too long and no longer count."""
    voters = [seat for seat in poll.voters if seat not in excused]
    if len(poll.ayes) >= needed(poll, voters):
        return Outcome.CARRIED
    return Outcome.REJECTED if len(voters) - len(poll.noes) < needed(poll, voters) else Outcome.OPEN


def told(
    poll: PollRecord, excused: Collection[Seat], awaited: Collection[Seat], left: int, result: Outcome, missed: bool
) -> Poll:
    """Return the message that tells players how a poll stands.

    awaited: seats of absent players for which the poll waits. left: seconds until it is decided at the latest. missed:
    whether the reader was away when it was decided.
    """
    voters = tuple([seat for seat in poll.voters if seat not in excused])
    most = needed(poll, voters)
    return Poll(
        poll.number, poll.motion, poll.asker, voters, poll.ayes, poll.noes, most, left, result, tuple(awaited), missed
    )


def subject(motion: Motion) -> tuple[Matter, Seat]:
    """Return the subject of a motion. At most one open poll may be about the same subject."""
    matter = Matter.PAUSE if motion.matter is Matter.GO_ON else motion.matter
    return matter, motion.seat if matter in (Matter.SEAT, Matter.TIME) else NONE


LIVE: Final = 60.0
"""Seconds that players who are here have for an answer."""
BY_POST: Final = 86400.0
"""The same in a match by post."""
GONE: Final = 300.0
"""Seconds for which a player must have been away before another person may take their seat."""
ASKED: Final = Rate(1 / 60, 3.0)
"""Rate at which a seat may propose motions."""
RETRY: Final = 5.0
"""Seconds until a due poll is checked again if the store failed."""
MISSED: Final = 16
"""Limit of stored results for absent players; the oldest go first."""
FINAL: Final = (Matter.BACK, Matter.END, Matter.PACE)
"""Motions that silence by post does not agree to. Absence is usual there, and no single player can reverse these."""

_OVER: Final = Refusal("over", "", "The match is over.")
_OPEN: Final = Refusal("poll-open", "", "There is a question about that already; answer it first.")
_PATIENCE: Final = Refusal("rate", "", "You ask too often; wait a minute, please.")
_NO_POLL: Final = Refusal("no-poll", "", "That question is decided already.")
_NOT_ASKED: Final = Refusal("not-asked", "", "You are not asked about that.")
_PAUSED: Final = Refusal("no-change", "", "The match is paused already.")
_RUNS: Final = Refusal("no-change", "", "The match is not paused.")
_NO_CLOCK: Final = Refusal("no-change", "", "This table has no clocks.")
_NO_MORE: Final = Refusal("no-change", "", "The extra time must be more than 0.")
_SAME_PACE: Final = Refusal("no-change", "", "That is the pace of this match already.")
_NO_PACE: Final = Refusal("bad-pace", "", "Everybody needs some time for each decision.")
_NOT_AWAY: Final = Refusal("no-person", "", "The player of that seat is not away.")
_NO_LEVEL: Final = Refusal(
    "no-such-level", "", _("There are no such bots here; there are {levels} ones.", levels=levels.NAMES)
)
_NOT_THEIR_TURN: Final = Refusal("no-change", "", "It is not that player's turn.")
_NO_PLAYERS: Final = Refusal("no-person", "", "No player is there whom you could ask for that seat.")
_NOT_HERE: Final = Refusal("no-person", "", "There is no spectator of that name.")
_TOO_SOON: Final = Refusal(
    "too-soon", "", "The player may come back: after five minutes a spectator can take that seat."
)
_BY_POST: Final = Refusal("too-soon", "", "In a match by post a spectator can take a seat once a bot plays on it.")
_NO_WAY_BACK: Final = Refusal("no-rewind", "", "This table does not allow going back.")
_TOO_FAR: Final = Refusal("no-rewind", "", "The match goes back to this round or the last one, and no further.")


class TableVotes:
    """Open polls of a table. All methods are called by the table's task, one after the other."""

    def __init__(self, table: Table, play: RunningMatch, members: Members, post: Post) -> None:
        self._table = table
        self._play = play
        self._members = members
        self._post = post
        self._number = 0
        self._alarm: Timer | None = None
        self._told: dict[int, Poll] = {}
        """By number of the poll, what all were told last."""
        self._budgets: dict[Seat, TokenBucket] = {}
        self._deeds: dict[Matter, Callable[[Motion], Awaitable[bool]]] = {
            Matter.PAUSE: lambda _: play.pause(),
            Matter.GO_ON: lambda _: play.go_on(),
            Matter.SEAT: self._fill_seat,
            Matter.BACK: self._go_back,
            Matter.END: lambda _: play.end(),
            Matter.TIME: lambda motion: play.more_time(motion.seat, 1000 * motion.seconds),
            Matter.PACE: self._change_pace,
        }

    async def propose(self, peer: Peer, message: Propose) -> None:
        """Open a poll among all players; without another voter it is decided at once. Raises StoreError."""
        motion = self._motion_of(peer, message)
        same = next((poll for poll in self._polls if poll.motion == motion and peer.seat in poll.voters), None)
        if same is not None:
            return await self.vote(peer, Vote(message.ref, same.number, True))  # The same wish is a yes.
        refusal = self._may_not_ask(peer, motion) or self._cannot_be(motion) or self._not_yet(motion)
        refusal = refusal or self._too_often(peer.seat)
        if refusal is not None:
            return peer.refuse(message.ref, refusal)
        record = self._table.record
        # Above all numbers that are known: an answer to a closed poll must not count for a new one.
        number = max([self._number, *[poll.number for poll in (*record.polls, *record.missed)]]) + 1
        unanimous = record.unanimous or motion.matter is Matter.BACK
        poll = opened(number, motion, peer.seat, self._asked(motion), unanimous, self._age)
        await self._keep((*record.polls, poll))
        self._number = number
        peer.tell(Done(message.ref))
        log.info("asked", match=record.match, seat=peer.seat, matter=motion.matter.name)
        return await self.settle()

    async def vote(self, peer: Peer, message: Vote) -> None:
        """Count the vote of a player. Raises StoreError."""
        poll = next((poll for poll in self._polls if poll.number == message.poll), None)
        if poll is None:
            return peer.refuse(message.ref, _NO_POLL)
        if peer.seat == LOOKING_ON or peer.seat not in poll.voters:
            return peer.refuse(message.ref, _NOT_ASKED)
        changed = voted(poll, peer.seat, message.yes)
        await self._keep(tuple([changed if each is poll else each for each in self._polls]))
        peer.tell(Done(message.ref))
        return await self.settle()

    def show(self, peer: Peer) -> None:
        """Tell a new peer the open polls."""
        if peer in self._table.audience:
            for poll in self._polls:
                peer.tell(self._poll(poll, Outcome.OPEN))

    async def welcome(self, peer: Peer) -> None:
        """Tell a returning player the open polls and the results that they missed. Raises StoreError."""
        self.show(peer)
        missed = [poll for poll in self._table.record.missed if peer.seat in poll.unseen]
        for poll in missed if peer in self._table.audience else ():
            peer.tell(told(poll, (), (), 0, Outcome.CARRIED, missed=True))
        await self.settle()

    async def seen(self, seat: Seat) -> None:
        """Forget the missed results of a player, whose request proves that they received them. Raises StoreError."""
        record = self._table.record
        if not any(seat in poll.unseen for poll in record.missed):
            return
        left = [
            structs.replace(poll, unseen=tuple([one for one in poll.unseen if one != seat])) for poll in record.missed
        ]
        async with self._table.changing():
            record.missed = tuple([poll for poll in left if poll.unseen])

    async def settle(self) -> None:
        """Decide polls that are due, tell all how the others stand, and set the alarm for the next one.

        Call this whenever a player has come, gone or voted, and when the match is over. Raises StoreError.
        """
        try:
            for poll in self._polls:
                result = self._result(poll)
                if result is not Outcome.OPEN and poll in self._polls:  # Going back closes others.
                    await self._close(poll, result)
            self._tell()
            self._set_alarm()
        except StoreError:
            self._set_alarm(RETRY)
            raise

    def wake(self) -> None:
        """Resume the polls of a match that slept."""
        if self._polls:
            self._post(self.settle)

    def stop(self) -> None:
        """Cancel the alarm."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    @property
    def due(self) -> int:
        """The age of the server in milliseconds at which a poll is due, 0 for none."""
        ages = [self._deadline(poll, seat) for poll in self._polls for seat in self._awaited(poll)]
        return max(1, min(ages)) if ages else 0

    @property
    def _polls(self) -> tuple[PollRecord, ...]:
        return self._table.record.polls

    @property
    def _age(self) -> int:
        return self._table.services.age.now

    @property
    def _by_post(self) -> bool:
        return levels.by_post(self._play.pace)

    async def _keep(self, polls: tuple[PollRecord, ...]) -> None:
        """Store the open polls. Raises StoreError: then they are as before."""
        async with self._table.changing():
            self._table.record.polls = polls

    # When a poll is decided

    def _result(self, poll: PollRecord) -> Outcome:
        """Return how a poll stands, with its time taken into account."""
        if self._table.record.phase != TablePhase.PLAYING or self._cannot_be(poll.motion) is not None:
            return Outcome.FAILED
        result, awaited = outcome(poll, self._voters_not_awaited(poll)), self._awaited(poll)
        if result is Outcome.CARRIED and self._subject(poll) in awaited:
            return Outcome.OPEN
        return Outcome.LAPSED if result is Outcome.OPEN and not awaited else result

    def _awaited(self, poll: PollRecord) -> list[Seat]:
        """Return the seats whose answer can still come: silent voters, and the player whose seat it is about."""
        seats = [*silent(poll), *([self._subject(poll)] if self._subject(poll) != LOOKING_ON else [])]
        return [seat for seat in seats if self._deadline(poll, seat) > self._age]

    def _subject(self, poll: PollRecord) -> Seat:
        """Return the seat of the player who can end the poll by coming back."""
        seat = poll.motion.seat
        absent = poll.motion.matter is Matter.SEAT and self._chairs[seat].kind is not SeatKind.BOT
        return seat if absent else LOOKING_ON

    def _voters_not_awaited(self, poll: PollRecord) -> list[Seat]:
        """Return absent voters whose answer is no longer waited for."""
        gone = [seat for seat in silent(poll) if not self._chairs[seat].here]
        if self._by_post and poll.motion.matter in FINAL:
            gone = [seat for seat in gone if self._chairs[seat].bot]
        return [seat for seat in gone if self._deadline(poll, seat) <= self._age]

    def _deadline(self, poll: PollRecord, seat: Seat) -> int:
        """Return the age of the server in milliseconds until which the poll waits for that seat."""
        if self._by_post:
            return poll.asked + round(BY_POST * SECOND)
        services, members = self._table.services, self._members
        last = poll.asked + round((LIVE + services.grace) * SECOND)
        if self._chairs[seat].here:
            since = self._age - round((services.clock.now() - members.here_since(seat)) * SECOND)
            return min(last, max(poll.asked, since) + round(LIVE * SECOND))
        if members.has_left(seat):
            return poll.asked
        return min(last, self._age + round((services.grace - members.away_for(seat)) * SECOND))

    def _set_alarm(self, delay: float | None = None) -> None:
        """Set the alarm for the next poll that is due, or after `delay` seconds."""
        self.stop()
        if delay is None and self.due:
            delay = self._table.services.age.until(self.due)
        if delay is not None:
            self._alarm = self._table.services.clock.call_later(delay, lambda: self._post(self.settle))

    # Messages

    def _poll(self, poll: PollRecord, result: Outcome) -> Poll:
        awaited = self._awaited(poll) if result is Outcome.OPEN else []
        ages = [self._deadline(poll, seat) - self._age for seat in awaited]
        left = max(1, round(max(ages) / SECOND)) if ages else 0
        away = [seat for seat in awaited if not self._chairs[seat].here]
        return told(poll, self._voters_not_awaited(poll), away, left, result, missed=False)

    def _tell(self) -> None:
        """Tell all which polls have changed."""
        before, self._told = self._told, {poll.number: self._poll(poll, Outcome.OPEN) for poll in self._polls}
        for number, poll in self._told.items():
            # The seconds left change all the time and are no news.
            if number not in before or structs.replace(before[number], left=poll.left) != poll:
                self._table.audience.tell(poll)

    async def _close(self, poll: PollRecord, result: Outcome) -> None:
        """Carry out a poll if it was accepted, and tell all the result. Raises StoreError."""
        poll_state, away = self._poll(poll, result), self._away(poll)
        # Closed before it is carried out: what it does may settle polls again, and must not find this one.
        await self._keep(tuple([each for each in self._polls if each.number != poll.number]))
        try:
            if result is Outcome.CARRIED and not await self._deeds[poll.motion.matter](poll.motion):
                result = Outcome.FAILED
            if result is Outcome.CARRIED and away:
                async with self._table.changing():
                    missed = (*self._table.record.missed, structs.replace(poll, unseen=away))
                    self._table.record.missed = missed[-MISSED:]
        except BaseException:
            result = Outcome.FAILED
            raise
        finally:
            self._told.pop(poll.number, None)
            self._table.audience.tell(structs.replace(poll_state, outcome=result))

    def _away(self, poll: PollRecord) -> tuple[Seat, ...]:
        """Return the seats of absent players that a result concerns."""
        people = [seat for seat, chair in enumerate(self._chairs) if chair.record.name and not chair.here]
        taken = self._subject(poll) if poll.motion.name else LOOKING_ON
        return tuple([seat for seat in people if seat != taken])

    # Permissions and voters

    @property
    def _chairs(self) -> list[SeatHolder]:
        return self._table.seating.chairs

    def _may_not_ask(self, peer: Peer, motion: Motion) -> Refusal | None:
        if peer.seat == LOOKING_ON and (refusal := self._may_not_ask_for_seat(peer, motion)) is not None:
            return refusal
        if self._table.record.phase != TablePhase.PLAYING or self._table.match is None:
            return _OVER if self._table.record.phase == TablePhase.OVER else NOT_STARTED
        about = [subject(poll.motion) for poll in self._polls]
        return _OPEN if subject(motion) in about else None

    def _may_not_ask_for_seat(self, peer: Peer, motion: Motion) -> Refusal | None:
        """Return why a spectator may not ask for a seat, None if they may."""
        if motion.matter is not Matter.SEAT or not motion.name:
            return NOT_SEATED
        if self._members.is_muted(peer):
            return MUTED
        return None if 0 <= motion.seat < len(self._chairs) and self._asked(motion) else _NO_PLAYERS

    @staticmethod
    def _motion_of(peer: Peer, message: Propose) -> Motion:
        """Return what is proposed: spectators can ask for a seat for themselves only."""
        motion = message.motion
        own = peer.seat == LOOKING_ON and motion.matter is Matter.SEAT and motion.name
        return structs.replace(motion, name=peer.called) if own else motion

    def _too_often(self, seat: Seat) -> Refusal | None:
        """Return why a seat may not propose another motion now; all spectators (LOOKING_ON) share one rate."""
        budget = self._budgets.setdefault(seat, ASKED.bucket(self._table.services.clock.now))
        return None if budget.take() else _PATIENCE

    def _asked(self, motion: Motion) -> list[Seat]:
        """Return all people with a seat but the one whose seat it is about.

        An absent player is not asked whether they may have more time.
        """
        people = [seat for seat, chair in enumerate(self._chairs) if chair.kind not in (SeatKind.FREE, SeatKind.BOT)]
        about = motion.matter is Matter.SEAT or (motion.matter is Matter.TIME and not self._chairs[motion.seat].here)
        return [seat for seat in people if not (about and seat == motion.seat)]

    def _cannot_be(self, motion: Motion) -> Refusal | None:
        """Return why a motion is impossible as the match stands now, None if it is possible."""
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
                if motion.pace is None or not playable(motion.pace):
                    return _NO_PACE
                return _SAME_PACE if motion.pace == self._play.pace else None
            case _:
                return None

    def _no_seat(self, motion: Motion) -> Refusal | None:
        chairs = self._table.seating.chairs
        open_to = (SeatKind.AWAY, SeatKind.STAND_IN, *([SeatKind.BOT] if motion.name else []))
        if not 0 <= motion.seat < len(chairs) or chairs[motion.seat].kind not in open_to:
            return _NOT_AWAY
        if motion.turn and not self._play.is_turn_of(motion.seat):
            return _NOT_THEIR_TURN
        return None if motion.name or motion.level in levels.KNOWN else _NO_LEVEL

    def _not_yet(self, motion: Motion) -> Refusal | None:
        """Return why a motion cannot be proposed yet, None if it can."""
        if motion.matter is not Matter.SEAT or not motion.name:
            return None
        return _NOT_HERE if self._members.onlooker(motion.name) is None else self._too_soon(motion.seat)

    def _too_soon(self, seat: Seat) -> Refusal | None:
        """Return why a seat cannot be given away yet, None if it can.

        Live, its player must have been away for `GONE` seconds. By post, absence is usual, so a bot must play for them
        already. A bot's own seat is free for others at any time.
        """
        if self._table.seating.chairs[seat].kind is SeatKind.BOT:
            return None
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

    # Execution

    async def _fill_seat(self, motion: Motion) -> bool:
        """Let a spectator or a bot play for an absent person, or a spectator in place of a bot."""
        chair = self._table.seating.chairs[motion.seat]
        if motion.name:
            return await self._members.give_seat(motion.seat, motion.name)
        if motion.turn:
            await self._table.proclaim(f"A bot plays this turn for {chair.record.name}.")
        else:
            await self._table.proclaim(f"A bot plays for {chair.record.name}.")
        await self._play.seat_bot(motion.seat, motion.level, one_turn=motion.turn)
        return True

    async def _go_back(self, motion: Motion) -> bool:
        """Take the match back. A question whether to end it was asked about the later position, and goes."""
        done = await self._play.go_back(motion.to)
        for poll in self._polls if done else ():
            if poll.motion.matter is Matter.END:
                await self._close(poll, Outcome.FAILED)
        return done

    async def _change_pace(self, motion: Motion) -> bool:
        return motion.pace is not None and await self._play.change_pace(motion.pace)

"""Actor of a table: one task and one mailbox, so that jobs run one after the other."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Final, TypeVar

from msgspec import Struct

from protocol.limits import Close
from protocol.session import reference
from server import log
from server.clock import Timer
from server.delivery.peer import Peer
from server.matches.advice import Adviser
from server.matches.coach import coach
from server.matches.hand_sharing import READING_ONLY, HandSharing
from server.matches.members import Absences, Members
from server.matches.people_rating import AGREED
from server.matches.rematch import Founder
from server.matches.running_match import Accepting, Job, RunningMatch
from server.matches.table import NOT_STARTED, Table
from server.matches.table_votes import TableVotes
from server.matches.turn_notices import TurnNotices
from server.storage.port import Fenced, OwedSeats, StoreError
from shared import messages as m
from shared.history import Entry
from shared.refusal import Refusal
from shared.tables import LOOKING_ON, TablePhase

_T = TypeVar("_T")

ARRIVAL: Final = 10.0
"""Seconds after which the match of people who found each other begins although some are not there."""
MAILBOX: Final = 256
"""Jobs that may wait. Senders block while the mailbox is full, and their sockets are not read meanwhile."""

LINGER: Final = 180.0
"""Seconds for which a deserted match stays in memory; then it sleeps until a peer comes."""

NOT_HERE: Final = Refusal("no-table", "", "You are not at a table.")
NOT_RATED: Final = (m.Advise, m.Undo, m.Propose, m.Vote, m.Rematch)
"""Requests that rated matches refuse: help from the server, and agreements of the players."""
_RATED: Final = Refusal("rated", "", "Not allowed in a rated match.")
_UNKNOWN: Final = Refusal("order", "", "Not allowed now.")
_BROKEN: Final = Refusal("server-error", "", "The server failed to do that; nothing changed.")


class MailboxItem(Struct, frozen=True):
    """Entry of the mailbox: a job, and the peer and request that caused it, if any."""

    job: Job
    peer: Peer | None = None
    ref: int = 0
    said: bool = True
    """Whether the peer sent the request itself."""


class MatchTask:
    """Public side of a table: peers' messages go in, everything else comes out through the peers.

    `ended` is called as soon as nothing more is to be done here: the table is deserted, or another server owns it.
    `founder` opens the table for a rematch.
    """

    def __init__(self, table: Table, ended: Callable[["MatchTask"], None], founder: Founder) -> None:
        self.table = table
        self._mailbox: asyncio.Queue[MailboxItem] = asyncio.Queue(MAILBOX)
        self._turn_notices = TurnNotices(table, self.post, lambda seat: self._play.time_of(seat))
        self._hands = HandSharing(table)
        self._play = RunningMatch(table, self.post, self._turn_notices.ring, self._match_ended)
        self._members = Members(table, self._play, self._hands, self.post, founder)
        self._counsellor = Adviser(table, self.post)
        self._votes = TableVotes(table, self._play, self._members, self.post)
        self._absences = Absences(table, self._play, self._members)
        self._ended = ended
        self._founder = founder
        self._posting: set[asyncio.Task[None]] = set()
        self._task: asyncio.Task[None] | None = None
        self._idle = False
        self._stopping = False
        self._raise_fenced = False
        self._over = False
        """Whether the mailbox is no longer read."""
        self._linger: Timer | None = None
        self._lingered = False

    @property
    def match(self) -> str:
        """The match's id."""
        return self.table.record.match

    @property
    def standing(self) -> OwedSeats | None:
        """Seats that must decide now, and since when; None if there are none."""
        return self._play.standing

    def start(self) -> None:
        """Start the task that works on the mailbox."""
        self._task = asyncio.create_task(self._run(), name=f"match {self.match}")

    async def recover(self, entries: list[Entry]) -> None:
        """Take over a stored log, before `start`; other tasks get turns meanwhile. Raises if the rules refuse the
        log."""
        if self.table.record.phase != TablePhase.GATHERING:
            await self._play.recover(entries)

    def wake(self) -> None:
        """Resume clocks, bots and waiting for absent persons, after `recover` and `start`."""
        self._turn_notices.wake()
        self._play.wake()
        self._votes.wake()
        self._members.sweep_later(self.table.seating.chairs)
        self._members.close_later()
        self.expect_sought()

    def look_around(self) -> None:
        """Post an empty job, so that a match that was woken only for a check sleeps again if no peer comes.

        Called after `wake`.
        """
        self.post(_nothing)

    def expect(self) -> None:
        """Hold seats for people who have not come yet. Called after `start`."""
        self._members.close_later()

    def begin_rated(self) -> None:
        """Begin a rated match at once, without a host. Called after `start`."""
        self.post(partial(self._play.begin, _no_answer))

    def expect_sought(self) -> None:
        """Begin the match of people who found each other once they are here. Called after `start`."""
        record = self.table.record
        if record.sought and record.phase == TablePhase.GATHERING:
            self.table.services.clock.call_later(ARRIVAL, lambda: self.post(self._begin_sought))

    async def _begin_sought(self) -> None:
        """Begin the match of people who found each other. Raises StoreError; it is tried again."""
        if self.table.record.phase == TablePhase.GATHERING:
            try:
                await self._play.begin(_no_answer)
            finally:
                self.expect_sought()

    def _all_here(self) -> bool:
        """Whether all people have come and sent their numbers for the dice."""
        people = [chair for chair in self.table.seating.chairs if not chair.record.bot]
        return self.table.record.sought and all(chair.here and chair.record.number for chair in people)

    def pause_alone(self, peer: Peer) -> None:
        """Pause the match if that player is at a table of bots: another table awaits them."""
        self.post(partial(self._pause_alone, peer))

    async def _pause_alone(self, peer: Peer) -> None:
        chairs = self.table.seating.chairs
        others = [chair for seat, chair in enumerate(chairs) if seat != peer.seat]
        alone = peer in self.table.audience and peer.seat != LOOKING_ON and all(chair.record.bot for chair in others)
        if alone and await self._play.pause():
            await self.table.proclaim("The match is paused: another table awaits you.")

    def opens_to(self, code: str) -> bool:
        """Whether that code admits a client; open tables need none."""
        return self.table.opens_to(code)

    def hand_opens_to(self, code: str) -> bool:
        """Whether that code opens a hand at this table."""
        return self._hands.opens_to(code)

    def closed_to(self, peer: Peer, code: str) -> Refusal | None:
        """Return why a peer may not watch with that code, None if it may."""
        return self._members.closed_to(peer, code)

    def is_idle_for(self, peer: Peer) -> bool:
        """Whether an action of that peer would be judged at once: no job runs and none waits."""
        return (
            self._idle
            and self._mailbox.empty()
            and not self._stopping
            and peer in self.table.audience
            and peer.reading == LOOKING_ON
            and self._members.is_confirmed(peer)
        )

    def act_now(self, peer: Peer, message: m.Act) -> None:
        """Judge an action at once, without a turn of the event loop. Only while `is_idle_for` its peer."""
        accepting: Accepting | None = None
        with self._answering(peer, message.command):
            accepting = self._play.judge(peer, message)
            if accepting is not None and accepting.kept.done():
                self._show(accepting)
                accepting = None
        if self._raise_fenced:
            self.post(_nothing)
        elif accepting is not None:
            # The log is being written already; later messages queue up behind this job.
            self._post(MailboxItem(partial(self._show_when_durable, accepting), peer, message.command))

    async def hear(self, peer: Peer, message: m.ClientMessage) -> None:
        """Put a peer's message into the mailbox; block while the mailbox is full."""
        await self._put(MailboxItem(partial(self._dispatch, peer, message), peer, reference(message)))

    def take(self, peer: Peer, message: m.ClientMessage) -> None:
        """As `hear`, but without blocking: for a peer that sends nothing more until this is answered."""
        self._post(MailboxItem(partial(self._dispatch, peer, message), peer, reference(message)))

    def return_to(self, peer: Peer, seat: int, called: str, listens: bool) -> None:
        """Return a peer to its place after another server ran the match."""
        self._post(MailboxItem(partial(self._return_to, peer, seat, called, listens), peer, said=False))

    async def found(self, peer: Peer, message: m.Create) -> None:
        """Seat the host of a new table."""
        peer.table = self
        await self._put(MailboxItem(partial(self._members.found, peer, message), peer, message.ref))

    async def new_key(self, seat: int) -> bytes:
        """Return a new token for a seat and end the reading of its hand. Raises StoreError, as `_in_turn`."""

        async def make() -> bytes:
            async with self.table.changing():
                token = self.table.seating.chairs[seat].new_key()
            self._hands.close(seat)
            return token

        return await self._in_turn(make)

    async def erase(self, person: str) -> None:
        """Take a person out of the table. Raises StoreError, as `_in_turn`."""

        async def remove() -> None:
            await self._members.erase(person)
            await self._votes.settle()

        await self._in_turn(remove)

    async def _in_turn(self, job: Callable[[], Awaitable[_T]]) -> _T:
        """Do a job after the earlier ones and return its result.

        Raises StoreError, also if the match ends or moves to another server meanwhile.
        """
        result: asyncio.Future[_T] = asyncio.get_running_loop().create_future()

        async def work() -> None:
            try:
                result.set_result(await job())
            except StoreError as error:
                result.set_exception(error)
                raise

        self.post(work)
        assert self._task is not None
        either: list[asyncio.Future[Any]] = [result, self._task]
        # The task may end first, and then the job would never run.
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if not result.done():
            raise StoreError("The match has ended or moved just now; please try again.")
        return result.result()

    def let_go(self) -> None:
        """End the task, because another server owns the match."""
        self.post(_raise_fenced)

    def gone(self, peer: Peer) -> None:
        """Post the end of a peer's connection."""
        self.post(partial(self._dropped, peer))

    def catch_up(self, peer: Peer) -> None:
        """Resync a client that fell behind: send the present state instead of all that it missed."""
        self.table.show_state(peer)
        self.table.show(peer)
        self.table.tell_end(peer)
        self._play.tell_clock(peer)
        self._votes.show(peer)
        self._absences.tell(peer)

    def post(self, job: Job) -> None:
        """Post a job of a timer or a bot."""
        self._post(MailboxItem(job))

    def halt_at_once(self) -> bool:
        """Halt without waiting, unless a job is running; return whether that was possible.

        Stopping hundreds of idle tables must not take a second.
        """
        if self._task is None or not self._idle or self._stopping:
            return False
        self._stopping = True
        self._play.cancel()
        self._counsellor.cancel()
        self._stop_notices()
        self._task.cancel()
        self._members.settle_record()
        return True

    async def halt(self) -> None:
        """Finish the running job and drop the rest. The record is ready to be released then."""
        self._stopping = True
        await self._quiet()
        if self._task is not None:
            self.post(_nothing)
            await self._task
            self._members.settle_record()

    def leave(self) -> None:
        """Tell all peers that this server has let go of the table. Called after `halt`."""
        for peer in self._peers_and_senders():
            peer.left_behind()
        self._close()
        for task in self._posting:
            task.cancel()

    def _close(self) -> None:
        """Stop using the mailbox.

        Senders, also later ones, would wait for an answer for ever: they are disconnected to look for the match anew.
        """
        self._over = True
        while not self._mailbox.empty():
            self._turn_away(self._mailbox.get_nowait().peer)

    def _turn_away(self, peer: Peer | None) -> None:
        if peer is not None and peer.table in (self, None):
            peer.table = None
            peer.link.end(Close.MOVED)

    async def _put(self, letter: MailboxItem) -> None:
        await self._mailbox.put(letter)
        if self._over:
            self._close()

    def _post(self, letter: MailboxItem) -> None:
        if self._over:
            return self._turn_away(letter.peer)
        try:
            self._mailbox.put_nowait(letter)
        except asyncio.QueueFull:
            # Timers and bots cannot block, so a task waits for them until there is room.
            task = asyncio.create_task(self._put(letter))
            # Kept in a set: the loop holds tasks only weakly.
            self._posting.add(task)
            task.add_done_callback(self._posting.discard)

    async def _run(self) -> None:
        while not self._stopping:
            self._idle = True
            letter = await self._mailbox.get()
            self._idle = False
            with self._answering(letter.peer, letter.ref):
                await letter.job()
            self._forget_if_not_here(letter.peer)
            self._absences.settle()
            if letter.peer is not None and letter.said and not self._raise_fenced:
                letter.peer.served()
            if self._raise_fenced or self._is_deserted():
                return await self._end()
        return None

    @contextmanager
    def _answering(self, peer: Peer | None, ref: int) -> Iterator[None]:
        """Context that logs errors with the position and reports them to the peer that asked.

        A server that lost the match tells the peer nothing: the peer will ask the match's new owner.
        """
        try:
            yield
        except Fenced:
            self._raise_fenced = True
        except StoreError as error:
            log.warning("not-kept", match=self.match, error=str(error))
            if peer is not None:
                peer.refuse(ref, Refusal("storage", "", str(error)))
        except Exception:
            match = self.table.match
            log.failure("failed", match=self.match, version=match.version if match else 0)
            if peer is not None:
                peer.refuse(ref, _BROKEN)

    def _forget_if_not_here(self, peer: Peer | None) -> None:
        """Detach a peer whose request to join was refused.

        If this server lost the match, the peer is disconnected too, to ask the new owner.
        """
        if peer is not None and peer.table is self and peer not in self.table.audience:
            peer.table = None
            if self._raise_fenced:
                peer.link.end(Close.MOVED)

    async def _end(self) -> None:
        """End the task: the registry forgets it, and the match is released, deleted or left to its new owner."""
        self._stopping = True
        # First: the registry must send no more peers to this mailbox.
        self._ended(self)
        await self._quiet()
        if self._raise_fenced:
            log.warning("fenced", match=self.match)
            self._members.send_all_away()
        elif self.table.record.phase == TablePhase.GATHERING:
            with self._answering(None, 0):
                await self.table.delete()
        else:
            with self._answering(None, 0):
                self._play.sleep()
                self.table.record.due = self.due
                await self._members.go_to_sleep()
        self._close()

    @property
    def due(self) -> int:
        """The server's age in milliseconds at which the match must wake if it sleeps; 0 for never."""
        dues = [due for due in (self._play.due(), self._votes.due, self._turn_notices.due) if due]
        return min(dues, default=0) if not self._raise_fenced else 0

    async def _quiet(self) -> None:
        """Stop bots, advisers and timers, so that they post no more jobs."""
        await self._play.stop()
        await self._counsellor.stop()
        self._stop_notices()

    def _stop_notices(self) -> None:
        self._turn_notices.stop()
        self._votes.stop()
        self._stop_lingering()

    def _peers_and_senders(self) -> list[Peer]:
        """Return all peers at the table and those whose messages still wait in the mailbox."""
        waiting = [self._mailbox.get_nowait().peer for _ in range(self._mailbox.qsize())]
        return list(dict.fromkeys([*self.table.audience.peers, *filter(None, waiting)]))

    async def _dropped(self, peer: Peer) -> None:
        if peer.reading != LOOKING_ON:
            return self._hands.dropped(peer)
        await self._members.dropped(peer)
        return await self._votes.settle()

    def _match_ended(self) -> None:
        """End reading of hands, settle votes and count the match once all know that it is over."""
        self._hands.close_all()
        self.post(self._votes.settle)
        if self.table.record.rated:
            self._founder.rate(self.table.record)
        self._founder.count(self.table.record, self._play.unfinished)
        if self.table.record.people_rated:
            self._founder.rate_people(self.table.record)
        elif self._play.unrated_because:
            self.post(self._tell_unrated)

    async def _tell_unrated(self) -> None:
        if self._play.unrated_because == AGREED:
            return await self.table.proclaim("This match does not count: its end was agreed before round 3.")
        return await self.table.proclaim("This match does not count: not every seat has had a full turn.")

    def show_ratings(self, changes: str) -> None:
        """Show the ratings as they are after the match, and a line about them."""

        async def tell() -> None:
            self.table.announce()
            await self.table.proclaim(f"Ratings: {changes}.")

        self.post(tell)

    async def _read_on(self, peer: Peer, message: m.ClientMessage) -> None:
        """Handle a message of a reader of a hand."""
        match message:
            case m.Sync():
                self._sync(peer)
            case m.Leave():
                await self._hands.leave(peer, message)
            case m.Introduce():
                pass
            case _:
                peer.refuse(reference(message), READING_ONLY)

    async def _dispatch(self, peer: Peer, message: m.ClientMessage) -> None:
        if peer.table is not self:
            return peer.refuse(reference(message), NOT_HERE)
        if peer.reading != LOOKING_ON:
            return await self._read_on(peer, message)
        # Before the confirmation below, which writes: a store that fails must not refuse a stored action.
        if isinstance(message, m.Act) and self._play.answers_again(peer, message):
            return None
        if not isinstance(message, m.Join | m.Watch | m.Resume | m.Introduce | m.ReadHand):
            await self._greet(peer)
        if self.table.record.rated and isinstance(message, NOT_RATED):
            return peer.refuse(reference(message), _RATED)
        match message:
            case m.Act():
                await self._act(peer, message)
            case m.Sync():
                self._sync(peer)
            case m.Advise():
                await self._counsellor.ask(peer, message)
            case m.Consider():
                self._play.consider(peer, message)
            case m.Coach():
                coach(self.table, peer, message)
            case m.TryAction():
                self._play.try_action(peer, message)
            case m.Say():
                self._members.say(peer, message)
            case m.Mute():
                await self._members.mute(peer, message)
            case m.Report():
                await self._members.report(peer, message)
            case m.Block():
                await self._members.block(peer, message)
            case m.Listen():
                self._members.listen(peer, message)
            case m.Join():
                await self._members.join(peer, message)
            case m.Watch():
                with peer.gathering():
                    await self._members.watch(peer, message)
                    self._votes.show(peer)
                    self._absences.tell(peer)
            case m.Resume():
                await self._members.resume(peer, message)
                await self._votes.welcome(peer)
                self._turn_notices.show(peer)
                self._absences.tell(peer)
            case m.SetBot():
                await self._members.set_bot(peer, message)
            case m.Resize():
                await self._members.resize(peer, message)
            case m.Rematch():
                await self._members.rematch(peer, message)
            case m.Number():
                await self._members.number(peer, message)
                if self._all_here():
                    await self._begin_sought()
            case m.Rename():
                await self._members.rename(peer, message)
            case m.Kick():
                await self._members.kick(peer, message)
            case m.Start():
                await self._members.start(peer, message)
            case m.Propose():
                await self._votes.propose(peer, message)
            case m.Vote():
                await self._votes.vote(peer, message)
            case m.Undo():
                await self._play.undo(peer, message)
            case m.Hasten():
                self._play.hasten(peer, message)
            case m.Hook():
                await self._turn_notices.hang(peer, message)
            case m.Introduce():
                await self._members.adopt(peer)
            case m.ShowHand():
                await self._hands.show(peer, message)
            case m.ReadHand():
                if await self._hands.read(peer, message):
                    self._play.tell_clock(peer)
                    self._votes.show(peer)
            case m.Leave():
                await self._leave(peer, message)
            case _:
                peer.refuse(reference(message), _UNKNOWN)
        return None

    async def _leave(self, peer: Peer, message: m.Leave) -> None:
        """Handle `Leave`. In a rated match a player who leaves loses."""
        seat = peer.seat
        await self._members.leave(peer, message)
        await self._votes.settle()
        if self.table.record.rated and seat != LOOKING_ON:
            await self._play.forfeit(seat)

    async def _greet(self, peer: Peer) -> None:
        """Confirm that a player's token and missed polls have arrived, since they sent a request. Raises StoreError."""
        if peer.seat == LOOKING_ON:
            return
        if not self._members.is_confirmed(peer):
            await self._members.confirm(peer)
            await self._votes.settle()
        await self._votes.seen(peer.seat)

    async def _return_to(self, peer: Peer, seat: int, called: str, listens: bool) -> None:
        if self._members.return_to(peer, seat, called, listens):
            self.catch_up(peer)
            await self._votes.settle()

    async def _act(self, peer: Peer, message: m.Act) -> None:
        accepting = self._play.judge(peer, message)
        if accepting is not None:
            await self._show_when_durable(accepting)

    async def _show_when_durable(self, accepting: Accepting) -> None:
        await accepting.kept
        self._show(accepting)

    def _show(self, accepting: Accepting) -> None:
        """Show a durable action. If that fails, the log is read again: a stored action must not be refused."""
        # Outside of the `try`: a failed write is an honest refusal, a failed show is not.
        accepting.kept.result()
        try:
            self._play.accept(accepting)
        except Exception:
            log.failure("failed", match=self.match, version=accepting.match.version)
            raise Fenced("What is kept could not be shown.") from None

    def _sync(self, peer: Peer) -> None:
        if self.table.match is None:
            return peer.refuse(0, NOT_STARTED)
        return self.table.show(peer)

    def _is_deserted(self) -> bool:
        """Whether no peer is here or expected: the table never started, or the match was deserted for `LINGER`
        seconds."""
        table = self.table
        # A job that waits may be a peer that is about to enter.
        if not self._mailbox.empty():
            return False
        if table.audience.peers:
            self._stop_lingering()
            return False
        if table.record.phase == TablePhase.GATHERING:
            return not any(chair.record.name for chair in table.seating.chairs)
        return self._has_lingered()

    def _has_lingered(self) -> bool:
        """Whether the time to linger is over; start it if it does not run.

        A match stays in memory for a while, because replaying a long log costs time.
        """
        if self._linger is None and not self._lingered:
            clock = self.table.services.clock
            self._linger = clock.call_later(LINGER, lambda: self.post(self._end_linger))
        return self._lingered

    def _stop_lingering(self) -> None:
        if self._linger is not None:
            self._linger.cancel()
        self._linger, self._lingered = None, False

    async def _end_linger(self) -> None:
        self._linger, self._lingered = None, True


def _no_answer() -> None:
    """Answer no one: the server itself began the match."""


async def _nothing() -> None:
    """Do nothing: a job that wakes the task."""


async def _raise_fenced() -> None:
    raise Fenced("The match is no longer here.")

"""The match at a table: actions, durability before publication, clocks, and bots."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from time import perf_counter
from typing import Any

import msgspec
from msgspec import Struct, structs

from protocol import codec
from server import log, metrics
from server.clock import Timer
from server.delivery.peer import Peer
from server.matches.hourglass import Hourglass
from server.matches.match import OVER, SLICE, STALE, Match, Repeated, Step
from server.matches.table import NOT_SEATED, NOT_STARTED, NOT_YOURS, STAND_IN_KIND, Table
from server.matches.undo import NO_UNDO
from server.storage.port import AWAKE, Fenced, Result, Standing, StoreError, TableRecord
from shared import levels
from shared.clocks import Timing
from shared.history import Course, Deed, Entry
from shared.ids import NONE, Seat
from shared.messages import Accepted, Act, Clock, Consider, Done, Hasten, Undo
from shared.refusal import Refusal
from shared.tables import LOOKING_ON, Ending, Late, Pace, Run, SeatKind, TablePhase

PATIENCE = 12.0
"""Times the pause of one bot that people wait for all of them, until it is a person's turn to decide again."""
SHORTEST = 0.05
"""Of its usual length, what is left of a pause in the end."""

AGAIN = 1.0
"""Seconds after which somebody who is late is looked at again, where that has led to nothing; and a bot whose decision
could not be kept."""
_TOO_LATE = Refusal("too-late", "", "There is not enough time left on your clock to take that back.")
_PAUSED = Refusal("paused", "", "The match is paused.")

RESTS_AFTER = 4
"""Decisions for late players without a person present, one of each of them at least, after which a match rests."""
RESTS_AT_LAST = 60
"""The same where some players never owe a decision, as those who are out of the match."""

PAGE = 256
"""Entries of a log that are read at a time."""

Job = Callable[[], Awaitable[None]]
Post = Callable[[Job], None]


class Accepting(Struct, frozen=True):
    """A judged action that waits to be durable."""

    peer: Peer
    seat: int
    command: int
    match: Match
    step: Step
    kept: "asyncio.Future[bytes]"


class Play:
    """Runs the match of a table. All methods are called by the table's task, one after the other.

    `post` puts a job into the table's mailbox: how timers and bots come back.
    """

    def __init__(
        self, table: Table, post: Post, ring: Callable[[Sequence[Seat]], None], ended: Callable[[], None]
    ) -> None:
        self._table = table
        self._post = post
        self._ring = ring
        """Told of those whose decision is awaited from now on."""
        self._ended = ended
        """Told once all know that the match is over."""
        self._services = table.services
        self._deciding: dict[int, int] = {}
        self._bots: set[asyncio.Task[None]] = set()
        self._owed: tuple[int, ...] = ()
        self._frame = -1
        self._hourglass = Hourglass(table, lambda: post(self._expired))
        self._takeovers: dict[int, Timer] = {}
        self._retry: Timer | None = None
        """Until bots are asked again whose decision could not be kept."""
        self._since = 0.0
        """The date at which the decision that is awaited began to be."""
        self._closed: TableRecord | None = None
        """The record as it is when the entries that end the match are kept."""
        self._waited = 0.0
        """Seconds that bots have waited since a person decided something."""
        self._hasty: set[Seat] = set()
        """Who does not look on until he is to decide again."""
        self._missed: list[Seat] = []
        """Seats that were decided for because they were late, since a person was here or acted."""
        self._pauses: set[asyncio.Future[None]] = set()
        """What bots wait for that make a pause."""

    @property
    def standing(self) -> Standing | None:
        """Who must decide now, and since when; None while nobody must."""
        match = self._table.match
        if match is None or match.finished:
            return None
        return Standing(match.version, self._owed, self._since, self._hourglass.told().left)

    async def begin(self, kept: Callable[[], None]) -> None:
        """Set up the match, with the chance that comes first; `kept` is called as soon as it is durable.

        Raises StoreError: then nothing has begun.
        """
        table = self._table
        record = table.record
        match = Match(table.rules, len(record.chairs), record.options, table.chance())
        step, check = match.chance(), table.check
        record.phase, record.begun = TablePhase.PLAYING, self._services.age.now
        record.unplayed = True
        record.started = int(self._services.date())
        record.due = AWAKE if table.pace.run is not Run.NONE else 0
        self._hourglass.begin(match)
        if step is not None:
            step = self._hourglass.stamp(step)
        try:
            if step is None:
                await table.save()
            else:
                check = await self._log(match, step)
        except StoreError:
            record.phase, record.begun, record.due, record.started = TablePhase.GATHERING, 0, 0, 0
            record.unplayed = False
            raise
        table.match = match
        kept()
        table.announce()
        table.audience.publish(tuple([match.snapshot(audience) for audience in range(match.seats + 1)]))
        if step is not None:
            self._commit(match, step, check, actor=NONE)
        else:
            self._go_on()

    async def recover(self, entries: list[Entry]) -> None:
        """Rebuild the match from its log; nobody is here yet. Raises where the rules refuse the log."""
        table = self._table
        record = table.record
        match = Match(table.rules, len(record.chairs), record.options, table.chance())
        self._hourglass.begin(match)
        for _ in match.replay(entries, partial(self._read, match)):
            await asyncio.sleep(0)
        table.match = match
        table.pace = self._hourglass.pace

    def _read(self, match: Match, entry: Entry) -> None:
        self._hourglass.read(match, entry)
        self._count_missed(entry)

    def _count_missed(self, entry: Entry) -> None:
        """Count decisions that the server took for late players: only those used a clock without a command."""
        if entry.command:
            self._missed.clear()
        elif entry.seat >= 0 and entry.used and entry.deed is Deed.PLAY and not self._attended:
            self._missed.append(entry.seat)

    @property
    def _attended(self) -> bool:
        """Whether a person with a seat is here."""
        return any(chair.here for chair in self._table.seating.chairs)

    def wake(self) -> None:
        """After `recover`: clocks go on where they stood when the server did, bots go on, absent persons get their
        time."""
        if self._table.record.phase == TablePhase.PLAYING:
            self._hourglass.wake()
            if not self._hourglass.resting:
                if self._hourglass.clocks.runs and (self._table.record.due != AWAKE or self._table.silent):
                    self._post(self._stay_awake)
                self._await_absent()
            kept = self._remembered()
            self._owed = kept.owed if kept is not None else ()
            self._go_on()
            self._since = kept.since if kept is not None else self._since

    def _remembered(self) -> Standing | None:
        """After `recover`: who has had to decide since before the match fell asleep, as they were told then."""
        kept, match = self._table.record.standing, self._table.match
        return kept if kept is not None and match is not None and kept.version == match.version else None

    def judge(self, peer: Peer, message: Act) -> Accepting | None:
        """A player's action: answered at once, or on its way to the log; then wait for `kept`, and `accept` it."""
        match = self._table.match
        if peer.seat == LOOKING_ON or match is None:
            peer.refuse(message.command, NOT_SEATED if peer.seat == LOOKING_ON else NOT_STARTED)
            return None
        outcome = self._judged(match, peer.seat, message)
        if isinstance(outcome, Step):
            step = self._hourglass.stamp(outcome, peer.latency)
            return Accepting(peer, peer.seat, message.command, match, step, self._log(match, step))
        if isinstance(outcome, Repeated):
            peer.tell(Accepted(message.command, outcome.version))
        else:
            peer.refuse(message.command, outcome)
        return None

    def _judged(self, match: Match, seat: Seat, message: Act) -> Step | Repeated | Refusal:
        """Judge an action. A pause refuses new ones only: the answer to an accepted one may have been lost."""
        action = bytes(message.action)
        if self.paused:
            return match.answer_again(seat, message.command, message.frame, action) or _PAUSED
        return match.submit(seat, message.command, message.frame, action)

    def answers_again(self, peer: Peer, message: Act) -> bool:
        """Answer an action that was accepted before, before anything else can be in its way: that the store fails now
        must not refuse what it has kept."""
        match = self._table.match
        if peer.seat == LOOKING_ON or match is None:
            return False
        outcome = match.answer_again(peer.seat, message.command, message.frame, bytes(message.action))
        if isinstance(outcome, Repeated):
            peer.tell(Accepted(message.command, outcome.version))
        return isinstance(outcome, Repeated)

    def accept(self, accepting: Accepting) -> None:
        """What is durable is shown to the player, who is told so, before anything else; then it becomes the truth, and
        all others are shown it."""
        step, check, seat = accepting.step, accepting.kept.result(), accepting.seat
        self._table.audience.show(seat, [turned.frames[seat] for turned in step.turned])
        accepting.peer.tell(Accepted(accepting.command, step.entries[0].n))
        # A standing action decides nothing: it gives nobody more time.
        actor = seat if step.entries[0].frame else NONE
        self._waited = 0.0
        self._commit(accepting.match, step, check, actor, seat)

    async def undo(self, peer: Peer, message: Undo) -> None:
        """A player takes his last action back. Raises StoreError."""
        match = self._table.match
        if peer.seat == LOOKING_ON or match is None:
            return peer.refuse(message.ref, NOT_SEATED if peer.seat == LOOKING_ON else NOT_STARTED)
        if self.paused and not match.has_undone(peer.seat, message.version):
            return peer.refuse(message.ref, _PAUSED)
        outcome = match.undo(peer.seat, message.version)
        if isinstance(outcome, Repeated):
            return peer.tell(Done(message.ref))
        if isinstance(outcome, Refusal) and message.again and outcome.code == NO_UNDO:
            outcome = await self._undo_alone(match, peer.seat) or outcome
        if isinstance(outcome, Refusal):
            return peer.refuse(message.ref, outcome)
        if not self._hourglass.may_take_back(peer.seat, outcome.entries[0].to, peer.latency):
            return peer.refuse(message.ref, _TOO_LATE)
        self._waited = 0.0
        step = self._hourglass.stamp(outcome)
        self._commit(match, step, await self._log(match, step), actor=NONE)
        return peer.tell(Done(message.ref))

    async def _undo_alone(self, match: Match, seat: Seat) -> Step | None:
        """Go back to the last decision of the only person at a table of bots; None where the table or the distance
        does not allow that. Raises StoreError."""
        chairs, to = self._table.seating.chairs, match.decided(seat)
        alone = all(chair.kind is SeatKind.BOT for other, chair in enumerate(chairs) if other != seat)
        if to is None or not alone or self._table.record.forward_only:
            return None
        then = await self._position(match, to)
        return match.rewind(seat, to, then) if then is not None else None

    def consider(self, peer: Peer, message: Consider) -> None:
        """A player asks what is legal; he is told what his view tells, and only while he owes that very decision."""
        match = self._table.match
        if peer.seat == LOOKING_ON or match is None:
            return peer.refuse(message.ref, NOT_SEATED if peer.seat == LOOKING_ON else NOT_STARTED)
        if match.finished:
            return peer.refuse(message.ref, OVER)
        if peer.seat not in match.owed or message.frame != match.frame:
            return peer.refuse(message.ref, STALE if peer.seat in match.owed else NOT_YOURS)
        return peer.tell(structs.replace(match.choices(peer.seat), ref=message.ref))

    def hasten(self, peer: Peer, message: Hasten) -> None:
        """A player does not look on until he is to decide again: once nobody does, bots make no pauses."""
        match = self._table.match
        if peer.seat == LOOKING_ON or match is None:
            return peer.refuse(message.ref, NOT_SEATED if peer.seat == LOOKING_ON else NOT_STARTED)
        if peer.seat not in match.owed:
            self._hasty.add(peer.seat)
        if self._hastened:
            for pause in self._pauses:
                _end(pause)
        return peer.tell(Done(message.ref))

    @property
    def _hastened(self) -> bool:
        """Whether nobody who plays looks on."""
        here = {seat for seat, chair in enumerate(self._table.seating.chairs) if chair.kind is SeatKind.PERSON}
        return bool(here) and here <= self._hasty

    def tell_clock(self, peer: Peer) -> None:
        """Who owes, to somebody who came."""
        if self._table.match is not None:
            peer.tell(self._hourglass.told())

    def person_dropped(self, seat: int) -> None:
        """A person is gone without a word: a bot may stand in after a while."""
        delay = 0 if levels.by_post(self._table.pace) else self._table.record.takeover
        chair = self._table.seating.chairs[seat]
        if delay and not chair.record.stand_in:
            self.forget_takeover(seat)
            self._takeovers[seat] = self._services.clock.call_later(
                delay, lambda: self._post(lambda: self._take_over(seat))
            )

    def _await_absent(self) -> None:
        for seat, chair in enumerate(self._table.seating.chairs):
            if chair.kind != SeatKind.BOT and not chair.here:
                self.person_dropped(seat)

    async def _rest_if_abandoned(self, match: Match) -> None:
        """Fall to rest where decisions are taken for players of whom none has come for long. Raises StoreError."""
        chairs = self._table.seating.chairs
        people = {seat for seat, chair in enumerate(chairs) if chair.kind in (SeatKind.PERSON, SeatKind.AWAY)}
        all_missed = len(self._missed) >= RESTS_AFTER and people.issubset(self._missed)
        if match.finished or self._attended or not (all_missed or len(self._missed) >= RESTS_AT_LAST):
            return
        record = self._table.record
        self._hourglass.rest()
        record.rested, record.due = self._hourglass.now, 0
        try:
            await self._table.save()
        except StoreError:
            self._hourglass.end_rest()
            record.rested, record.due = 0, AWAKE
            raise
        for seat in list(self._takeovers):
            self.forget_takeover(seat)
        self._table.audience.tell(self._hourglass.told())
        log.info("rests", match=record.match, version=match.version)

    def person_came(self, seat: int) -> None:
        """A person takes a seat: a match that rests goes on."""
        self.forget_takeover(seat)
        self._missed.clear()
        if self._hourglass.resting:
            self._hourglass.end_rest()
            self._table.record.rested = 0
            self._post(self._stay_awake)
            self._await_absent()
            self._hourglass.set_alarm()
            self._table.audience.tell(self._hourglass.told())

    def forget_takeover(self, seat: int) -> None:
        """The person is back."""
        timer = self._takeovers.pop(seat, None)
        if timer is not None:
            timer.cancel()

    # What a table agrees on about its time. All four are entries of the log, so that a restart knows of them, and are
    # durable and told to all when they return; they change nothing, and say so by False, where no match is played or
    # there is nothing to change. Raises StoreError: nothing changed. To be called in the table's task, as all here is.

    @property
    def pace(self) -> Pace:
        """The clocks of the match as they are at present."""
        return self._hourglass.pace

    @property
    def paused(self) -> bool:
        """Whether clocks and bots stand still, and actions are refused."""
        return self._hourglass.paused

    async def pause(self) -> bool:
        """Clocks and bots stand still, and actions of the rule set are refused, until `go_on`, also after a restart.
        Nobody's time is up meanwhile."""
        return not self.paused and await self._mark(Timing(paused=True))

    async def go_on(self) -> bool:
        """Clocks go on with what they had when they were stopped, and so do bots."""
        return self.paused and await self._mark(Timing())

    async def more_time(self, seat: Seat, milliseconds: int) -> bool:
        """So much more in a seat's bank, however full it is; at once, also for the decision at hand."""
        runs = self._hourglass.pace.run is not Run.NONE
        return runs and await self._mark(Timing(self.paused, more=((seat, milliseconds),)))

    async def change_pace(self, pace: Pace) -> bool:
        """From now on other clocks: all banks are full, and the decision at hand begins anew. `TableState` and `Clock`
        tell of it. `shared.clocks.playable` says which ones can be had."""
        return pace != self._hourglass.pace and await self._mark(Timing(self.paused, pace))

    async def _mark(self, timing: Timing) -> bool:
        match, table = self._table.match, self._table
        if match is None or match.finished:
            return False
        step = self._hourglass.stamp(match.mark(Deed.TIME, codec.encode(timing)))
        runs = timing.pace is not None and timing.pace.run is not Run.NONE
        table.record.due = AWAKE if runs else table.record.due
        self._commit(match, step, await self._log(match, step), NONE)
        table.announce()
        return True

    async def end(self) -> bool:
        """The match is over, and counted as it stands; False where it is over already. Raises StoreError."""
        match = self._table.match
        if match is None or match.finished:
            return False
        return await self._enter_log(match, match.mark(Deed.END, b""))

    async def go_back(self, to: int) -> bool:
        """The position of an earlier version again; False where there is none. Raises StoreError."""
        match = self._table.match
        then = await self._position(match, to) if match is not None and not match.finished else None
        if match is None or then is None:
            return False
        return await self._enter_log(match, match.rewind(NONE, to, then))

    async def _enter_log(self, match: Match, step: Step) -> bool:
        step = self._hourglass.stamp(step)
        self._commit(match, step, await self._log(match, step), NONE)
        return True

    async def _position(self, match: Match, to: int) -> Any:
        """The position of a version that the log has, by going through it; None where it has not. Others go on
        meanwhile. Raises StoreError."""
        record, read = self._table.record, list[Entry]()
        while len(read) < to:
            page = await self._services.store.read(record.match, len(read) + 1, PAGE)
            read += [msgspec.msgpack.decode(data, type=Entry) for data in page[: to - len(read)]]
            if not page:
                return None
        course = Course(match.rules, match.seats, record.options)
        for i, _ in enumerate(course.follow(read)):
            if i % SLICE == SLICE - 1:
                await asyncio.sleep(0)
        return course.state

    def sleep(self) -> None:
        """Nobody is here any more: note when the match is to be woken."""
        self._table.record.due = self.due()

    @property
    def lag(self) -> int:
        """See `TableRecord.lag`."""
        return self._hourglass.lag

    def due(self) -> int:
        """The server's age at which somebody's time is up, 0 for never."""
        playing = self._table.record.phase == TablePhase.PLAYING
        return self._hourglass.due() if playing else 0

    async def _stay_awake(self) -> None:
        """A server that is killed must look at this match again; whoever takes it over charges nobody for that."""
        self._table.record.due, self._table.record.lag = AWAKE, self.lag
        await self._table.save()

    @property
    def now(self) -> int:
        """The age of the match, in milliseconds."""
        return self._hourglass.now

    def clocks_changed(self) -> None:
        """A bot has taken a person's seat, or the person is back. The person's clock has run on all the time."""
        self._hourglass.set_alarm()

    def call_bots(self) -> None:
        """Let bots decide what they owe, unless they are at it."""
        match = self._table.match
        if match is None or match.finished or self.paused:
            return
        for seat in match.owed:
            bot = self._table.seating.chairs[seat].bot
            if bot and self._deciding.get(seat) != match.version:
                self._send_bot(match, seat, bot, self._pause_of_bot())

    def _send_bot(self, match: Match, seat: Seat, kind: str, pause: float) -> None:
        """Let a bot of that kind decide for a seat, after so many seconds."""
        self._deciding[seat] = match.version
        task = asyncio.create_task(self._ask_bot(match, seat, kind, pause))
        self._bots.add(task)
        task.add_done_callback(self._bots.discard)

    async def stop(self) -> None:
        """Cancel timers and bots, and wait for the bots."""
        await asyncio.gather(*self.cancel(), return_exceptions=True)

    def cancel(self) -> tuple[asyncio.Task[None], ...]:
        """Cancel timers and bots; the bots, whose tasks end soon."""
        for timer in self._takeovers.values():
            timer.cancel()
        self._takeovers.clear()
        self._hourglass.stop()
        if self._retry is not None:
            self._retry.cancel()
        bots = tuple(self._bots)
        for task in bots:
            task.cancel()
        return bots

    def _log(self, match: Match, step: Step) -> "asyncio.Future[bytes]":
        """Hand a step to the store, with the record where that changes: at the beginning and at the end."""
        table = self._table
        record: TableRecord | None = table.record if match.version == 0 else None
        if step.entries[0].deed is Deed.TIME:
            record = table.record
        if match.rules.finished(step.state) or step.entries[0].deed is Deed.END:
            record = self._closed = structs.replace(table.closed(step.entries), result=_result(match, step))
        begun = perf_counter()
        if step.entries[0].command and table.record.unplayed:
            record = structs.replace(record or table.record, unplayed=False)
        kept = table.append(step.entries, record)
        kept.add_done_callback(lambda _: metrics.COMMITS.observe(perf_counter() - begun))
        _make_frames(step)
        return kept

    def _commit(self, match: Match, step: Step, check: bytes, actor: int, shown: int = NONE) -> None:
        """A durable step becomes the truth and is shown, but to the class `shown`, which has seen it; and who is to
        decide next begins to."""
        self._table.check = check
        match.advance(step)
        self._hourglass.follow(match, step)
        for entry in step.entries:
            self._count_missed(entry)
            self._table.record.unplayed &= not entry.command
        self._table.pace = self._hourglass.pace
        if match.finished:
            self._close()
        clock = self._pass_on(match, actor, timed=step.entries[0].deed is Deed.TIME)
        begun = perf_counter()
        self._table.audience.publish(*[turned.frames for turned in step.turned], then=clock, shown=shown)
        # All that players do not wait for comes after their bytes are on the way.
        metrics.PUBLISHES.observe(perf_counter() - begun)
        metrics.ACTIONS.labels(match.rules.id).inc()
        match.remember(step)
        if match.finished:
            log.info("over", match=self._table.record.match, version=match.version)
            self._table.announce()
            for peer in self._table.audience.peers:
                self._table.tell_end(peer)
            self._ended()
        self.call_bots()

    def _close(self) -> None:
        """The match is over, as the log says already."""
        record, closed = self._table.record, self._closed
        assert closed is not None
        record.phase, record.ended, record.signature = closed.phase, closed.ended, closed.signature
        record.result = closed.result

    def _go_on(self) -> None:
        """Without an action before: who is to decide, and how long they have."""
        assert self._table.match is not None
        clock = self._pass_on(self._table.match, actor=NONE)
        if clock is not None:
            self._table.audience.tell(clock)
        self.call_bots()

    def _pass_on(self, match: Match, actor: int, timed: bool = False) -> Clock | None:
        """Start the clock of those who are to decide now; what all are to be told of it, None if they know. `timed`:
        something about the clocks has changed."""
        owed, frame = match.owed, match.frame
        self._hasty.difference_update(owed)
        self._hourglass.set_alarm()
        if owed == self._owed and frame == self._frame and actor not in owed and not timed:
            return None
        told = owed != self._owed or timed
        if owed != self._owed or frame != self._frame or actor in owed:
            self._since = self._services.date()
        before, self._owed, self._frame = self._owed, owed, frame
        self._ring([seat for seat in owed if seat not in before])
        return self._hourglass.told() if told or self._hourglass.runs else None

    async def _expired(self) -> None:
        """Somebody's time may be up: what the table wishes is done for those who are late."""
        match = self._table.match
        if match is None or match.finished:
            return
        try:
            for seat in self._hourglass.late():
                if seat in self._hourglass.late():
                    log.info("time-up", match=self._table.record.match, seat=seat, version=match.version)
                    await self._decide_late(match, seat)
        finally:
            # What could not be kept is tried again.
            self._hourglass.set_alarm(AGAIN if self._hourglass.late() else 0.0)

    async def _decide_late(self, match: Match, seat: Seat) -> None:
        late = self._table.pace.late
        if late is Late.DEFAULT:
            await self._decide(match, seat, match.default(seat))
            await self._table.proclaim(f"Time is up for {self._name(seat)}: the usual was done.")
            await self._rest_if_abandoned(match)
        elif late is Late.SEAT:
            await self.seat_bot(seat)
        elif self._deciding.get(seat) != match.version:
            # At once: each standing action of the late player asks anew, and must not win a pause.
            self._send_bot(match, seat, STAND_IN_KIND, 0.0)

    async def _take_over(self, seat: int) -> None:
        """A person stayed away too long."""
        self._takeovers.pop(seat, None)
        chair = self._table.seating.chairs[seat]
        if chair.here or chair.kind == SeatKind.BOT or levels.by_post(self._table.pace):
            return
        await self.seat_bot(seat)

    async def seat_bot(self, seat: Seat, kind: str = STAND_IN_KIND) -> None:
        """A bot of that kind plays for that person until he is back. Raises StoreError."""
        self.forget_takeover(seat)
        async with self._table.changing():
            self._table.seating.chairs[seat].give_to_bot(kind, self.now)
        self.clocks_changed()
        self._table.announce()
        self.call_bots()

    async def _ask_bot(self, match: Match, seat: int, kind: str, pause: float) -> None:
        """Wait a little, so that people can follow; ask; bring the answer to the mailbox."""
        version = match.version
        services = self._services
        if pause:
            await self._pause(pause)
        raw: bytes | None = None
        try:
            if match.version == version:
                seed = services.dice.bot_seed(version, seat)
                seconds = levels.thinking(self._table.pace)
                raw = await services.decide(match.rules.id, kind, seat, match.view(seat), seed, seconds)
        except Exception:
            log.failure("bot-failed", match=self._table.record.match, seat=seat, version=version)
        self._post(lambda: self._bot_decided(match, seat, version, raw))

    def _pause_of_bot(self) -> float:
        """How long a bot waits before it acts: less, the longer those who play have waited for all of them."""
        pace = self._services.pace
        if self._hastened:
            return 0.0
        if not pace or all(chair.bot for chair in self._table.seating.chairs):
            return pace
        pause = pace * max(SHORTEST, 1 - self._waited / (PATIENCE * pace))
        self._waited += pause
        return pause

    async def _pause(self, delay: float) -> None:
        """Wait by the injected clock, unless people are in a hurry."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        timer = self._services.clock.call_later(delay, partial(_end, done))
        self._pauses.add(done)
        try:
            await done
        finally:
            self._pauses.remove(done)
            timer.cancel()

    async def _bot_decided(self, match: Match, seat: int, version: int, raw: bytes | None) -> None:
        if self._deciding.get(seat) == version:
            del self._deciding[seat]
        if match.version != version or not (self._table.seating.chairs[seat].bot or seat in self._hourglass.late()):
            return self.call_bots()
        try:
            await self._decide(match, seat, raw if raw is not None else match.default(seat))
        except StoreError:
            # Nothing else would move the match on: people wait for the bot.
            self._retry = self._services.clock.call_later(AGAIN, lambda: self._post(self._call_bots_again))
            raise
        if not self._table.seating.chairs[seat].bot:
            await self._table.proclaim(f"Time is up for {self._name(seat)}: a bot decided.")
            await self._rest_if_abandoned(match)
        return None

    async def _call_bots_again(self) -> None:
        self.call_bots()

    def _name(self, seat: Seat) -> str:
        return self._table.seating.chairs[seat].record.name

    async def _decide(self, match: Match, seat: int, raw: bytes) -> None:
        """What the server does for a seat; an illegal answer of a bot becomes the default."""
        outcome = match.submit(seat, 0, match.frame, raw)
        if isinstance(outcome, Refusal):
            log.warning("bot-refused", match=self._table.record.match, seat=seat, code=outcome.code)
            outcome = match.submit(seat, 0, match.frame, match.default(seat))
        if not isinstance(outcome, Step):
            raise RuntimeError(f"the default of seat {seat} was refused: {outcome!r}")
        step = self._hourglass.stamp(outcome)
        self._commit(match, step, await self._log(match, step), seat)


def _make_frames(step: Step) -> None:
    """Make a step's frames while the store writes it. Raises Fenced where that fails: the log has the step already, so
    nobody may be told that it was refused; the match is read from the log again, which shows it by a snapshot."""
    try:
        _ = step.turned
    except Exception as error:
        log.failure("no-frame", version=step.entries[0].n)
        raise Fenced("The match is read again.") from error


def _end(pause: "asyncio.Future[None]") -> None:
    if not pause.done():
        pause.set_result(None)


def _result(match: Match, step: Step) -> Result:
    """How a step ends the match."""
    places = tuple((place.seat, place.rank, place.score) for place in match.rules.standings(step.state))
    return Result(match.rules.rounds(step.state), places, _ending(match, step))


def _ending(match: Match, step: Step) -> Ending:
    """By what a step ends the match."""
    last = step.entries[0]
    if last.deed is Deed.END:
        return Ending.AGREED
    action = match.rules.action_decoder.decode(last.action) if last.seat >= 0 else None
    return Ending.GIVEN_UP if isinstance(action, match.rules.standing.kinds) else Ending.PLAYED

"""The running match of a table: actions, durability before publication, clocks, and bots."""

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
from server.delivery.outgoing import Outgoing
from server.delivery.peer import Peer
from server.matches.bargain_reasons import say_why
from server.matches.bot_time import BotTime
from server.matches.match import OVER, SLICE, STALE, AcceptedAction, Match, RepeatedCommand
from server.matches.match_clock import DecisionTime, MatchClock
from server.matches.people_rating import gone, unrated, unrated_because
from server.matches.table import NOT_SEATED, NOT_STARTED, NOT_YOURS, STAND_IN_KIND, Table
from server.matches.undo import NO_UNDO
from server.storage.port import AWAKE, Fenced, MatchResult, OwedSeats, StoreError, TableRecord
from shared import levels
from shared.actions.description import Filter
from shared.clocks import Timing
from shared.history import Course, Deed, Entry
from shared.ids import NONE, Seat
from shared.messages import Accepted, Act, Clock, Consider, Done, Hasten, Tried, TryAction, Undo
from shared.refusal import Refusal
from shared.sentences.bargains import declined
from shared.tables import BOT_NAMES, LABELS, LOOKING_ON, PACKED, Away, Ending, Late, Pace, Run, SeatKind, TablePhase

PATIENCE = 12.0
"""Total that people wait for bots until a person must decide again, as a multiple of one bot's pause."""
SHORTEST = 0.05
"""Shortest pause, as a fraction of the usual one."""

AGAIN = 1.0
"""Seconds until a late seat is checked again if that led to nothing, and until a failed bot decision is retried."""
_TOO_LATE = Refusal("too-late", "", "There is not enough time left on your clock to take that back.")
_PAUSED = Refusal("paused", "", "The match is paused.")

RESTS_AFTER = 4
"""Decisions for late players, without a person present, after which a match rests; at least one for each of them."""
RESTS_AT_LAST = 60
"""The same limit if some players never owe a decision, such as players who are out of the match."""

MOST_RATED = 20_000
"""Entries of the log after which a rated match is ended and counted as it stands: some bots would never end one."""

PAGE = 256
"""Entries of a log that are read at a time."""

Job = Callable[[], Awaitable[None]]
Post = Callable[[Job], None]


class Accepting(Struct, frozen=True):
    """Judged action that waits to be durable."""

    peer: Peer
    seat: int
    command: int
    match: Match
    step: AcceptedAction
    kept: "asyncio.Future[bytes]"


class TurnPassed(Struct, frozen=True):
    """Consequence of an action for those who decide next.

    `clock`: the clocks if all must be told of them, None if they know. `newcomers`: the seats whose decision is awaited
    from now on, None if nothing has changed.
    """

    clock: Clock | None
    newcomers: Sequence[Seat] | None


class RunningMatch:
    """Controller of a table's match. All methods are called by the table's task, one after the other.

    `post` puts a job into the table's mailbox: timers and bots report that way.
    """

    def __init__(
        self, table: Table, post: Post, ring: Callable[[Sequence[Seat]], None], ended: Callable[[], None]
    ) -> None:
        self._table = table
        self._post = post
        self._ring = ring
        """Called with the seats whose decision is awaited from now on."""
        self._ended = ended
        """Called once all peers were told that the match is over."""
        self._services = table.services
        self._deciding: dict[int, int] = {}
        self._bots: set[asyncio.Task[None]] = set()
        self._bot_time = BotTime()
        self._owed: tuple[int, ...] = ()
        self._frame = -1
        self._match_clock = MatchClock(table, lambda: post(self._apply_expired_clocks))
        self._takeovers: dict[int, Timer] = {}
        self._retry: Timer | None = None
        """Timer of the next call of bots whose decision could not be stored."""
        self._since = 0.0
        """The date since which the present decision is awaited."""
        self._closed: TableRecord | None = None
        """The record that is stored with the entries that end the match."""
        self._waited = 0.0
        """Seconds that bots have waited since a person decided something."""
        self._hasty: set[Seat] = set()
        """Seats whose players skip the bots' pauses until their own next decision."""
        self._missed: list[Seat] = []
        """Seats for which the server decided because they were late, since a person was last here or acted."""
        self._replaced: set[Seat] = set()
        """Seats for which the server has decided since their person was last here."""
        self._pauses: set[asyncio.Future[None]] = set()
        """Futures of the bots' pauses."""
        self.unrated_because = ""
        """Why the end of a rated match does not count."""

    @property
    def standing(self) -> OwedSeats | None:
        """Seats that must decide now, and since when; None if there are none."""
        match = self._table.match
        if match is None or match.finished:
            return None
        return OwedSeats(match.version, self._owed, self._since, self._match_clock.told().left)

    async def begin(self, kept: Callable[[], None]) -> None:
        """Start the match, with the chance that comes first; call `kept` as soon as it is durable.

        Raises StoreError: then nothing has begun.
        """
        table = self._table
        record = table.record
        match = Match(table.rules, len(record.chairs), record.options, table.chance())
        step, check = match.chance(), table.check
        # Before the write, because the record is stored with the first entry; undone below if that fails.
        record.phase, record.begun = TablePhase.PLAYING, self._services.age.now
        record.unplayed = True
        record.started = int(self._services.date())
        record.due = AWAKE if table.pace.run is not Run.NONE else 0
        self._match_clock.begin(match)
        if step is not None:
            step = self._match_clock.stamp(step)
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
        # First: the host's request is answered once it is durable, before anything that could fail.
        kept()
        table.announce()
        table.audience.publish(tuple([match.snapshot(audience) for audience in range(match.seats + 1)]))
        table.narrator.tell_all(match, table.audience, match.version)
        if step is not None:
            self._commit(match, step, check, actor=NONE)
        else:
            self._go_on()

    async def recover(self, entries: list[Entry]) -> None:
        """Rebuild the match from its log, before any peer has entered. Raises if the rules refuse the log."""
        table = self._table
        record = table.record
        match = Match(table.rules, len(record.chairs), record.options, table.chance())
        self._match_clock.begin(match)
        for _ in match.replay(entries, partial(self._read, match)):
            await asyncio.sleep(0)
        table.match = match
        table.pace = self._match_clock.pace

    def _read(self, match: Match, entry: Entry) -> None:
        self._match_clock.read(match, entry)
        self._count_missed(entry)

    def _count_missed(self, entry: Entry) -> None:
        """Count decisions that the server made for late players. Only those used a clock without a command."""
        if entry.command:
            self._missed.clear()
        elif entry.seat >= 0 and entry.used and entry.deed is Deed.PLAY and not self._has_person_present:
            self._missed.append(entry.seat)

    @property
    def _has_person_present(self) -> bool:
        """Whether a person with a seat is here."""
        return any(chair.here for chair in self._table.seating.chairs)

    def wake(self) -> None:
        """Resume after `recover`: clocks continue from where the server stopped, bots go on, and takeovers are
        scheduled."""
        if self._table.record.phase == TablePhase.PLAYING:
            self._match_clock.wake()
            if not self._match_clock.resting:
                if self._match_clock.clocks.runs and (self._table.record.due != AWAKE or self._table.silent):
                    self._post(self._stay_awake)
                self._await_absent()
            standing = self._standing_before_sleep()
            self._owed = standing.owed if standing is not None else ()
            self._end_turns()
            self._go_on()
            # After `_go_on`, which would date the decision from this moment.
            self._since = standing.since if standing is not None else self._since

    def _standing_before_sleep(self) -> OwedSeats | None:
        """Return the seats that owed a decision before the match fell asleep, as players were told then.

        None if the match has no such note, or the note is of another version.
        """
        standing, match = self._table.record.standing, self._table.match
        return standing if standing is not None and match is not None and standing.version == match.version else None

    def judge(self, peer: Peer, message: Act) -> Accepting | None:
        """Judge a player's action: answer it at once, or start to log it.

        The caller waits for `kept` of the result and then calls `accept`.
        """
        match = self._table.match
        if peer.seat == LOOKING_ON or match is None:
            peer.refuse(message.command, NOT_SEATED if peer.seat == LOOKING_ON else NOT_STARTED)
            return None
        outcome = self._judged(match, peer.seat, message)
        if isinstance(outcome, AcceptedAction):
            step = self._match_clock.stamp(outcome, peer.latency)
            # The write begins here, without a turn of the loop: the caller awaits it later.
            return Accepting(peer, peer.seat, message.command, match, step, self._log(match, step))
        if isinstance(outcome, RepeatedCommand):
            peer.tell(Accepted(message.command, outcome.version))
        else:
            peer.refuse(message.command, outcome)
        return None

    def _judged(self, match: Match, seat: Seat, message: Act) -> AcceptedAction | RepeatedCommand | Refusal:
        """Judge an action. During a pause only new actions are refused: the answer to an accepted one may have been
        lost."""
        action = bytes(message.action)
        if self.paused:
            return match.answer_again(seat, message.command, message.frame, action) or _PAUSED
        return match.submit(seat, message.command, message.frame, action)

    def answers_again(self, peer: Peer, message: Act) -> bool:
        """Answer a repeated action before anything else is checked; return whether it was one.

        A store that fails now must not refuse an action that it has stored.
        """
        match = self._table.match
        if peer.seat == LOOKING_ON or match is None:
            return False
        outcome = match.answer_again(peer.seat, message.command, message.frame, bytes(message.action))
        if isinstance(outcome, RepeatedCommand):
            peer.tell(Accepted(message.command, outcome.version))
        return isinstance(outcome, RepeatedCommand)

    def accept(self, accepting: Accepting) -> None:
        """Commit a durable action: show it to its player first, then to all others."""
        step, check, seat = accepting.step, accepting.kept.result(), accepting.seat
        # The player who waits for the answer first; building and sending the rest takes longer with every spectator.
        self._table.audience.show(seat, [turned.frames[seat] for turned in step.turned])
        accepting.peer.tell(Accepted(accepting.command, step.entries[0].n))
        # A standing action decides nothing, so it gives its player no more time.
        actor = seat if step.entries[0].frame else NONE
        self._waited = 0.0
        self._commit(accepting.match, step, check, actor, seat)

    async def undo(self, peer: Peer, message: Undo) -> None:
        """Take back a player's last action. Raises StoreError."""
        match = self._table.match
        if peer.seat == LOOKING_ON or match is None:
            return peer.refuse(message.ref, NOT_SEATED if peer.seat == LOOKING_ON else NOT_STARTED)
        if self.paused and not match.has_undone(peer.seat, message.version):
            return peer.refuse(message.ref, _PAUSED)
        outcome = match.undo(peer.seat, message.version)
        if isinstance(outcome, RepeatedCommand):
            return peer.tell(Done(message.ref))
        if isinstance(outcome, Refusal) and message.again and outcome.code == NO_UNDO:
            outcome = await self._undo_alone(match, peer.seat) or outcome
        if isinstance(outcome, Refusal):
            return peer.refuse(message.ref, outcome)
        if not self._match_clock.may_take_back(peer.seat, outcome.entries[0].to, peer.latency):
            return peer.refuse(message.ref, _TOO_LATE)
        self._waited = 0.0
        step = self._match_clock.stamp(outcome)
        self._commit(match, step, await self._log(match, step), actor=NONE)
        return peer.tell(Done(message.ref))

    async def _undo_alone(self, match: Match, seat: Seat) -> AcceptedAction | None:
        """Return a step back to the last decision of the only person at a table of bots.

        None if the table or the distance does not allow it. Raises StoreError.
        """
        chairs, to = self._table.seating.chairs, match.decided(seat)
        alone = all(chair.kind is SeatKind.BOT for other, chair in enumerate(chairs) if other != seat)
        if to is None or not alone or self._table.record.forward_only:
            return None
        then = await self._position(match, to)
        return match.rewind(seat, to, then) if then is not None else None

    def consider(self, peer: Peer, message: Consider) -> None:
        """Tell a player their legal choices as their view shows them, only while they owe that very decision."""
        match = self._table.match
        if peer.seat == LOOKING_ON or match is None:
            return peer.refuse(message.ref, NOT_SEATED if peer.seat == LOOKING_ON else NOT_STARTED)
        if match.finished:
            return peer.refuse(message.ref, OVER)
        plain = LABELS not in peer.agreed and not message.filter and not message.start
        if (message.frame or plain) and (peer.seat not in match.owed or message.frame != match.frame):
            return peer.refuse(message.ref, STALE if peer.seat in match.owed else NOT_YOURS)
        if plain:
            return peer.send(Outgoing(codec.encode_first(structs.replace(match.choices(peer.seat), ref=message.ref))))
        query, labelled = message.filter or Filter(), LABELS in peer.agreed
        listing = match.listed(peer.seat, message.frame, query, message.start, labelled)
        payload = codec.encode(structs.replace(listing, ref=message.ref))
        return peer.send(Outgoing(codec.pack(payload) if labelled and PACKED in peer.agreed else payload))

    def try_action(self, peer: Peer, message: TryAction) -> None:
        """Tell a player whether an action is legal, as `judge` would find; nothing is played."""
        match = self._table.match
        if peer.seat == LOOKING_ON or match is None:
            return peer.refuse(message.ref, NOT_SEATED if peer.seat == LOOKING_ON else NOT_STARTED)
        outcome = match.trial(peer.seat, message.frame, bytes(message.action))
        if isinstance(outcome, Refusal):
            return peer.refuse(message.ref, outcome)
        if LABELS not in peer.agreed:
            return peer.tell(Tried(message.ref, message.frame))
        label, odds = match.label(peer.seat, outcome), match.chances(peer.seat, outcome)
        return peer.tell(Tried(message.ref, message.frame, label, odds))

    def hasten(self, peer: Peer, message: Hasten) -> None:
        """Skip the bots' pauses until the player's next decision, once all players who are here have asked for that."""
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
        """Whether all players who are here skip the bots' pauses."""
        here = {seat for seat, chair in enumerate(self._table.seating.chairs) if chair.kind is SeatKind.PERSON}
        return bool(here) and here <= self._hasty

    def tell_clock(self, peer: Peer) -> None:
        """Tell a new peer the clocks, and which seats owe a decision."""
        if self._table.match is not None:
            peer.tell(self._match_clock.told())

    def person_dropped(self, seat: int) -> None:
        """Schedule a bot for a person whose connection broke, if the table has such a time."""
        delay, chair = self.takeover, self._table.seating.chairs[seat]
        if delay and not chair.record.stand_in:
            self.forget_takeover(seat)
            self._takeovers[seat] = self._services.clock.call_later(
                delay, lambda: self._post(lambda: self._take_over(seat))
            )

    @property
    def takeover(self) -> int:
        """Seconds after which a bot plays for an absent person without a question; 0 for never."""
        record = self._table.record
        return record.takeover if record.away is Away.BOT and not levels.by_post(self._table.pace) else 0

    def _await_absent(self) -> None:
        for seat, chair in enumerate(self._table.seating.chairs):
            if chair.kind != SeatKind.BOT and not chair.here:
                self.person_dropped(seat)

    async def _rest_if_abandoned(self, match: Match) -> None:
        """Let the match rest if the server has long been deciding for absent players only. Raises StoreError."""
        chairs = self._table.seating.chairs
        people = {seat for seat, chair in enumerate(chairs) if chair.kind in (SeatKind.PERSON, SeatKind.AWAY)}
        all_missed = len(self._missed) >= RESTS_AFTER and people.issubset(self._missed)
        if match.finished or self._has_person_present or not (all_missed or len(self._missed) >= RESTS_AT_LAST):
            return
        record = self._table.record
        # Before the write, since the record is to contain the time at which the clock stopped.
        self._match_clock.rest()
        try:
            async with self._table.changing():
                record.rested, record.due = self._match_clock.now, 0
        except BaseException:
            self._match_clock.end_rest()
            raise
        # A list, because the loop changes the dictionary.
        for seat in list(self._takeovers):
            self.forget_takeover(seat)
        self._table.audience.tell(self._match_clock.told())
        log.info("rests", match=record.match, version=match.version)

    def person_came(self, seat: int) -> None:
        """Note that a person takes a seat; a match that rests goes on."""
        self.forget_takeover(seat)
        self._replaced.discard(seat)
        self._missed.clear()
        if self._match_clock.resting:
            self._match_clock.end_rest()
            self._table.record.rested = 0
            self._post(self._stay_awake)
            self._await_absent()
            self._match_clock.set_alarm()
            self._table.audience.tell(self._match_clock.told())

    def forget_takeover(self, seat: int) -> None:
        """Cancel the takeover of a seat whose person is back."""
        timer = self._takeovers.pop(seat, None)
        if timer is not None:
            timer.cancel()

    # Changes of time that a table votes for. Each is an entry of the log, so a restart knows it, and is durable and
    # announced on return. They return False if no match is played or nothing changes. A StoreError leaves everything as
    # it was. Like all methods here, they are called in the table's task.

    @property
    def pace(self) -> Pace:
        """The pace of the match at present."""
        return self._match_clock.pace

    @property
    def paused(self) -> bool:
        """Whether clocks and bots stand still and actions are refused."""
        return self._match_clock.paused

    async def pause(self) -> bool:
        """Stop clocks and bots and refuse actions until `go_on`, also after a restart.

        No seat's time runs out meanwhile.
        """
        return not self.paused and await self._mark(Timing(paused=True))

    async def go_on(self) -> bool:
        """Resume clocks, with the time that they had when they were stopped, and bots."""
        return self.paused and await self._mark(Timing())

    async def more_time(self, seat: Seat, milliseconds: int) -> bool:
        """Add time to a seat's bank, however full it is; it counts at once, for the present decision too."""
        runs = self._match_clock.pace.run is not Run.NONE
        return runs and await self._mark(Timing(self.paused, more=((seat, milliseconds),)))

    async def change_pace(self, pace: Pace) -> bool:
        """Change the pace: all banks are full, and the time of the present decision starts anew.

        `TableState` and `Clock` tell of it. `shared.clocks.playable` says which paces are allowed.
        """
        return pace != self._match_clock.pace and await self._mark(Timing(self.paused, pace))

    async def _mark(self, timing: Timing) -> bool:
        match, table = self._table.match, self._table
        if match is None or match.finished:
            return False
        step = self._match_clock.stamp(match.mark(Deed.TIME, codec.encode(timing)))
        runs = timing.pace is not None and timing.pace.run is not Run.NONE
        table.record.due = AWAKE if runs else table.record.due
        self._commit(match, step, await self._log(match, step), NONE)
        table.announce()
        return True

    async def end(self) -> bool:
        """End the match and rank it as it stands; return False if it is over already. Raises StoreError."""
        match = self._table.match
        if match is None or match.finished:
            return False
        return await self._enter_log(match, match.mark(Deed.END, b""))

    async def go_back(self, to: int) -> bool:
        """Return to the position of an earlier version; False if there is none. Raises StoreError."""
        match = self._table.match
        then = await self._position(match, to) if match is not None and not match.finished else None
        if match is None or then is None:
            return False
        return await self._enter_log(match, match.rewind(NONE, to, then))

    async def _enter_log(self, match: Match, step: AcceptedAction) -> bool:
        step = self._match_clock.stamp(step)
        self._commit(match, step, await self._log(match, step), NONE)
        return True

    async def _position(self, match: Match, to: int) -> Any:
        """Return the position of a logged version by replaying the log; None if the log is shorter.

        Other tasks get turns meanwhile. Raises StoreError.
        """
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

    def time_of(self, seat: Seat) -> DecisionTime | None:
        """Return the time that a seat has for its decision, None if it owes none."""
        return self._match_clock.time_of(seat)

    def sleep(self) -> None:
        """Note when a deserted match must wake."""
        self._table.record.due = self.due()

    @property
    def lag(self) -> int:
        """Milliseconds by which the match's age is less than the server's; stored as `TableRecord.lag`."""
        return self._match_clock.lag

    def due(self) -> int:
        """Return the server's age in milliseconds at which a seat's time is up, 0 for never."""
        playing = self._table.record.phase == TablePhase.PLAYING
        return self._match_clock.due() if playing else 0

    async def _stay_awake(self) -> None:
        """Note in the record that the match is awake.

        After a crash the server must wake this match again; a node that takes it over charges no seat for the gap.
        """
        self._table.record.due, self._table.record.lag = AWAKE, self.lag
        await self._table.save()

    @property
    def now(self) -> int:
        """The age of the match in milliseconds."""
        return self._match_clock.now

    def clocks_changed(self) -> None:
        """Adjust the alarm after a bot took a person's seat or the person returned.

        The person's clock has run on all the time.
        """
        self._match_clock.set_alarm()

    def call_bots(self) -> None:
        """Let bots make the decisions that they owe, unless they are at it."""
        match = self._table.match
        if match is None or match.finished or self.paused:
            return
        outstayed = self._bots_past_their_turn()
        for seat in match.owed:
            bot = self._table.seating.chairs[seat].bot if seat not in outstayed else ""
            if bot and self._deciding.get(seat) != match.version:
                self._send_bot(match, seat, bot, self._pause_of_bot())

    def _send_bot(self, match: Match, seat: Seat, kind: str, pause: float) -> None:
        """Let a bot of that kind decide for a seat after `pause` seconds."""
        self._deciding[seat] = match.version
        task = asyncio.create_task(self._ask_bot(match, seat, kind, pause))
        self._bots.add(task)
        task.add_done_callback(self._bots.discard)

    async def stop(self) -> None:
        """Cancel timers and bots, and wait for the bots."""
        await asyncio.gather(*self.cancel(), return_exceptions=True)

    def cancel(self) -> tuple[asyncio.Task[None], ...]:
        """Cancel timers and bots; return the bots' tasks, which end soon."""
        for timer in self._takeovers.values():
            timer.cancel()
        self._takeovers.clear()
        self._match_clock.stop()
        if self._retry is not None:
            self._retry.cancel()
        bots = tuple(self._bots)
        for task in bots:
            task.cancel()
        return bots

    def _log(self, match: Match, step: AcceptedAction) -> "asyncio.Future[bytes]":
        """Give a step to the store, with the record where that changes, as at the beginning and the end."""
        table = self._table
        # Usually no record: writing it with every action would multiply what the store has to write.
        record: TableRecord | None = table.record if match.version == 0 else None
        if step.entries[0].deed is Deed.TIME:
            record = table.record
        if match.rules.finished(step.state) or step.entries[0].deed is Deed.END:
            record = structs.replace(table.closed(step.entries), result=_result(match, step))
            if record.people_rated:
                self.unrated_because = unrated_because(record, match.rules, step.state)
                record = unrated(record) if self.unrated_because else record
            self._closed = record
        begun = perf_counter()
        if step.entries[0].command and table.record.unplayed:
            record = structs.replace(record or table.record, unplayed=False)
        written = table.append(step.entries, record)
        written.add_done_callback(lambda _: metrics.COMMITS.observe(perf_counter() - begun))
        # While the disk writes: the frames are ready when the write is.
        _make_frames(step)
        return written

    def _commit(self, match: Match, step: AcceptedAction, check: bytes, actor: int, shown: int = NONE) -> None:
        """Apply a durable step, publish it and pass the turn on.

        `shown`: the audience class that has seen the step already.
        """
        # Only after the write: the next entry is chained to what is really stored.
        self._table.check = check
        match.advance(step)
        self._match_clock.follow(match, step)
        for entry in step.entries:
            self._count_missed(entry)
            self._table.record.unplayed &= not entry.command
        self._table.pace = self._match_clock.pace
        if match.finished:
            self._close()
        # Before publishing, since the clocks travel in the same piece as the frames.
        passed = self._pass_on(match, actor, timed=step.entries[0].deed is Deed.TIME)
        with metrics.PUBLISHES.time():
            self._table.audience.publish(*[turned.frames for turned in step.turned], then=passed.clock, shown=shown)
        # Work that players do not wait for is done after their bytes are on the way.
        self._set_off(passed)
        metrics.ACTIONS.labels(match.rules.id).inc()
        # After the bytes are on their way, but before any other job can run.
        match.remember(step)
        self._table.narrator.tell_all(match, self._table.audience, step.entries[0].n - 1)
        if match.finished:
            log.info("over", match=self._table.record.match, version=match.version)
            self._table.announce()
            for peer in self._table.audience.peers:
                self._table.tell_end(peer)
            self._ended()
        elif self._table.record.rated and match.version >= MOST_RATED > step.entries[0].n - 1:
            self._post(self._end_rated)
        self._end_turns()
        self.call_bots()

    async def _end_rated(self) -> None:
        await self.end()

    def _close(self) -> None:
        """Copy the end of the match into the record; the log has it already."""
        record, closed = self._table.record, self._closed
        assert closed is not None
        record.phase, record.ended, record.signature = closed.phase, closed.ended, closed.signature
        record.result, record.people_rated = closed.result, closed.people_rated

    def _go_on(self) -> None:
        """Pass the turn on without a preceding action, as after the start or a restart."""
        assert self._table.match is not None
        passed = self._pass_on(self._table.match, actor=NONE)
        if passed.clock is not None:
            self._table.audience.tell(passed.clock)
        self._set_off(passed)
        self.call_bots()

    def _pass_on(self, match: Match, actor: int, timed: bool = False) -> TurnPassed:
        """Note the seats that must decide now. `timed`: something about the clocks has changed.

        What no client needs for its next picture follows in `_set_off`, once all have their bytes.
        """
        owed, frame = match.owed, match.frame
        self._hasty.difference_update(owed)
        if owed == self._owed and frame == self._frame and actor not in owed and not timed:
            return TurnPassed(None, None)
        is_told = owed != self._owed or timed or self._match_clock.is_any_running
        if owed != self._owed or frame != self._frame or actor in owed:
            self._since = self._services.date()
        before, self._owed, self._frame = self._owed, owed, frame
        newcomers = [seat for seat in owed if seat not in before]
        return TurnPassed(self._match_clock.told() if is_told else None, newcomers)

    def _set_off(self, passed: TurnPassed) -> None:
        """Start the clocks of the seats that must decide now, and their notices."""
        self._match_clock.set_alarm()
        if passed.newcomers is not None:
            self._ring(passed.newcomers)

    async def _apply_expired_clocks(self) -> None:
        """Apply the table's rule for late players to all seats whose time is up."""
        match = self._table.match
        if match is None or match.finished:
            return
        try:
            for seat in self._match_clock.late():
                # Asked again: the decision for one late seat may have ended the wait of another.
                if seat in self._match_clock.late():
                    log.info("time-up", match=self._table.record.match, seat=seat, version=match.version)
                    await self._decide_late(match, seat)
        finally:
            # A decision that could not be stored is tried again.
            self._match_clock.set_alarm(AGAIN if self._match_clock.late() else 0.0)

    async def forfeit(self, seat: Seat) -> None:
        """Let a seat of a rated match lose it. The match ends with the last but one player. Raises StoreError."""
        match, record = self._table.match, self._table.record
        if match is None or match.finished:
            return
        lost = record.forfeited if seat in record.forfeited else (*record.forfeited, seat)
        async with self._table.changing():
            record.forfeited = lost
            if not match.highest_command(seat):
                record.idle = (*record.idle, seat)
        await self._table.proclaim(f"{self._name(seat)} has lost: out of time, or gone.")
        if len(lost) < len(record.chairs) - 1:
            await self.seat_bot(seat)
        else:
            await self.end()

    @property
    def unfinished(self) -> set[Seat]:
        """Seats whose person left the match to others, or ran out of time."""
        return self._replaced.union(self._table.record.overdue)

    async def _decide_late(self, match: Match, seat: Seat) -> None:
        record = self._table.record
        if record.people_rated:
            record.forfeited = gone(record, seat)
        record.overdue = record.overdue if seat in record.overdue else (*record.overdue, seat)
        if self._table.record.rated:
            return await self.forfeit(seat)
        late = self._table.pace.late
        if late is Late.DEFAULT:
            await self._decide(match, seat, match.default(seat))
            await self._table.proclaim(f"Time is up for {self._name(seat)}: the usual was done.")
            await self._rest_if_abandoned(match)
        elif late is Late.SEAT:
            await self.seat_bot(seat)
        elif self._deciding.get(seat) != match.version:
            # Without a pause: each standing action of the late player restarts the bot, and must not gain time that
            # way.
            self._send_bot(match, seat, STAND_IN_KIND, 0.0)
        return None

    async def _take_over(self, seat: int) -> None:
        """Seat a bot for a person who stayed away too long."""
        self._takeovers.pop(seat, None)
        chair = self._table.seating.chairs[seat]
        if chair.here or chair.kind == SeatKind.BOT or not self.takeover:
            return
        await self.seat_bot(seat)

    async def seat_bot(self, seat: Seat, kind: str = STAND_IN_KIND, *, one_turn: bool = False) -> None:
        """Let a bot of that kind play for a person until they are back, or for the turn in progress.

        Raises StoreError.
        """
        match, table = self._table.match, self._table
        turn = match.rules.round_of(match.state) if match is not None and one_turn else None
        self.forget_takeover(seat)
        async with table.changing():
            table.seating.chairs[seat].give_to_bot(kind, self.now, turn)
            if table.record.people_rated:
                table.record.forfeited = gone(table.record, seat)
        self.clocks_changed()
        table.announce()
        self.call_bots()

    def is_turn_of(self, seat: Seat) -> bool:
        """Whether the seat owes a decision, or others owe one in its turn."""
        match = self._table.match
        return match is not None and not match.finished and _is_turn_of(match, seat)

    def _end_turns(self) -> None:
        """Post the end of bots that played for a single turn, if the turn is over.

        The record is looked at again whenever the match wakes, so a crash before that is stored does no harm.
        """
        if self._bots_past_their_turn():
            self._post(self._dismiss)

    def _bots_past_their_turn(self) -> list[Seat]:
        """Return the seats with a bot for a single turn that is over."""
        match, chairs = self._table.match, self._table.seating.chairs
        bound = [seat for seat, chair in enumerate(chairs) if chair.record.turn is not None]
        if not bound or match is None or match.finished:
            return []
        now = match.rules.round_of(match.state)
        return [seat for seat in bound if chairs[seat].record.turn != now or not _is_turn_of(match, seat)]

    async def _dismiss(self) -> None:
        """Let the bots go whose turn is over; the seats wait for their persons. Raises StoreError."""
        over = self._bots_past_their_turn()
        if not over:
            return
        async with self._table.changing():
            for seat in over:
                self._table.seating.chairs[seat].end_stand_in()
        self.clocks_changed()
        self._table.announce()
        for seat in over:
            self.person_dropped(seat)

    async def _ask_bot(self, match: Match, seat: int, kind: str, pause: float) -> None:
        """Ask the bot, let people follow before it acts, and post its answer to the mailbox.

        A bot that searches thinks during the pause. Others are asked after it, because the position may change.
        """
        version = match.version
        raw: bytes | None = None
        try:
            if levels.level(kind) in levels.SEARCHING:
                async with asyncio.TaskGroup() as both:
                    thought = both.create_task(self._thought(match, seat, kind))
                    both.create_task(self._pause(pause))
                raw = thought.result()
            else:
                await self._pause(pause)
                raw = await self._thought(match, seat, kind) if match.version == version else None
        except Exception:
            log.failure("bot-failed", match=self._table.record.match, seat=seat, version=version)
        self._post(lambda: self._bot_decided(match, seat, version, raw))

    async def _thought(self, match: Match, seat: Seat, kind: str) -> bytes:
        """Return the bot's encoded action in the present position."""
        services, round_ = self._services, match.rules.round_of(match.state)
        seed = self._table.dice.bot_seed(match.version, seat)
        seconds = self._bot_time.limit(seat, kind, self._table.pace, round_)
        began = services.clock.now()
        try:
            named = levels.tempered(kind, self._table.record.match, seat)
            return await services.decide(match.rules.id, named, seat, match.view(seat), seed, seconds)
        finally:
            self._bot_time.spend(seat, round_, min(seconds, services.clock.now() - began))

    def _pause_of_bot(self) -> float:
        """Return the seconds that a bot waits before it acts.

        The pause shrinks with the time for which people have already waited for bots.
        """
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
        if not delay:
            return
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        timer = self._services.clock.call_later(delay, partial(_end, done))
        self._pauses.add(done)
        try:
            await done
        finally:
            self._pauses.remove(done)
            timer.cancel()

    async def _bot_decided(self, match: Match, seat: int, version: int, raw: bytes | None) -> None:
        # A newer question may have been asked meanwhile; its mark must stay.
        if self._deciding.get(seat) == version:
            del self._deciding[seat]
        if match.version != version or not (self._table.seating.chairs[seat].bot or seat in self._match_clock.late()):
            return self.call_bots()
        raw = raw if raw is not None else match.default(seat)
        # Read before the action is carried out: afterwards the bargain is no longer owed.
        before, refused = match.state, declined(match.rules, match.state, raw)
        try:
            await self._decide(match, seat, raw)
        except StoreError:
            # People wait for the bot: without a retry nothing would move the match on.
            self._retry = self._services.clock.call_later(AGAIN, lambda: self._post(self._call_bots_again))
            raise
        if not self._table.seating.chairs[seat].bot:
            await self._table.proclaim(f"Time is up for {self._name(seat)}: a bot decided.")
            await self._rest_if_abandoned(match)
        elif refused is not None and not self._table.seating.chairs[refused[0]].bot:
            await say_why(self._table.proclaim, self._name(seat) or BOT_NAMES[seat], before, seat, refused[1])
        return None

    async def _call_bots_again(self) -> None:
        self.call_bots()

    def _name(self, seat: Seat) -> str:
        return self._table.seating.chairs[seat].record.name

    async def _decide(self, match: Match, seat: int, raw: bytes) -> None:
        """Carry out the server's decision for a seat. A bot's illegal answer becomes the default."""
        if not self._table.seating.chairs[seat].here:
            self._replaced.add(seat)
        outcome = match.submit(seat, 0, match.frame, raw)
        if isinstance(outcome, Refusal):
            log.warning("bot-refused", match=self._table.record.match, seat=seat, code=outcome.code)
            outcome = match.submit(seat, 0, match.frame, match.default(seat))
        if not isinstance(outcome, AcceptedAction):
            raise RuntimeError(f"the default of seat {seat} was refused: {outcome!r}")
        step = self._match_clock.stamp(outcome)
        self._commit(match, step, await self._log(match, step), seat)


def _make_frames(step: AcceptedAction) -> None:
    """Build a step's frames while the store writes it. Raises Fenced if that fails.

    The log has the step already, so no peer may be told that it was refused. After Fenced the match is read from the
    log again, which shows the step by a snapshot.
    """
    try:
        _ = step.turned
    except Exception as error:
        log.failure("no-frame", version=step.entries[0].n)
        raise Fenced("The match is read again.") from error


def _is_turn_of(match: Match, seat: Seat) -> bool:
    return seat in match.owed or not match.rules.answers(match.state, seat)


def _end(pause: "asyncio.Future[None]") -> None:
    if not pause.done():
        pause.set_result(None)


def _result(match: Match, step: AcceptedAction) -> MatchResult:
    """Return the result of the match that a step ends."""
    places = tuple((place.seat, place.rank, place.score) for place in match.rules.standings(step.state))
    return MatchResult(match.rules.rounds(step.state), places, _ending(match, step))


def _ending(match: Match, step: AcceptedAction) -> Ending:
    """Return how a step ends the match: by agreement, by giving up, or by the rules."""
    last = step.entries[0]
    if last.deed is Deed.END:
        return Ending.AGREED
    action = match.rules.action_decoder.decode(last.action) if last.seat >= 0 else None
    return Ending.GIVEN_UP if isinstance(action, match.rules.standing.kinds) else Ending.PLAYED

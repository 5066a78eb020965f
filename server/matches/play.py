"""The match at a table: actions, durability before publication, the think clock, and bots."""

import asyncio
import math
from collections.abc import Awaitable, Callable
from functools import partial

from msgspec import Struct, structs

from server import log
from server.clock import Timer
from server.delivery.peer import Peer
from server.matches.match import Match, Repeated, Step
from server.matches.table import NOT_SEATED, NOT_STARTED, STAND_IN_KIND, Table
from server.storage.port import Standing, StoreError, TableRecord
from shared import levels
from shared.history import Entry
from shared.ids import NONE
from shared.messages import Accepted, Act, Clock, Done, Undo
from shared.refusal import Refusal
from shared.tables import LOOKING_ON, SeatKind, TablePhase

PATIENCE = 12.0
"""Times the pause of one bot that people wait for all of them, until it is a person's turn to decide again."""
SHORTEST = 0.05
"""Of its usual length, what is left of a pause in the end."""

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

    def __init__(self, table: Table, post: Post) -> None:
        self._table = table
        self._post = post
        self._services = table.services
        self._deciding: dict[int, int] = {}
        self._bots: set[asyncio.Task[None]] = set()
        self._owed: tuple[int, ...] = ()
        self._frame = -1
        self._deadline: float | None = None
        self._timer: Timer | None = None
        self._takeovers: dict[int, Timer] = {}
        self._since = 0.0
        """The date at which the decision that is awaited began to be."""
        self._waited = 0.0
        """Seconds that bots have waited since a person decided something."""

    @property
    def standing(self) -> Standing | None:
        """Who must decide now, and since when; None while nobody must."""
        match = self._table.match
        if match is None or match.finished:
            return None
        return Standing(match.version, self._owed, self._since, self._clock().left)

    async def begin(self, kept: Callable[[], None]) -> None:
        """Set up the match, with the chance that comes first; `kept` is called as soon as it is durable.

        Raises StoreError: then nothing has begun.
        """
        table = self._table
        record = table.record
        match = Match(table.rules, len(record.chairs), record.options, self._services.dice)
        step, check = match.chance(), table.check
        record.phase = TablePhase.PLAYING
        try:
            if step is None:
                await table.save()
            else:
                check = await self._log(match, step)
        except StoreError:
            record.phase = TablePhase.GATHERING
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
        match = Match(table.rules, len(record.chairs), record.options, self._services.dice)
        for _ in match.replay(entries):
            await asyncio.sleep(0)
        table.match = match

    def wake(self) -> None:
        """After `recover`: clocks start anew, bots go on, absent persons get their time."""
        if self._table.record.phase == TablePhase.PLAYING:
            for seat, chair in enumerate(self._table.seating.chairs):
                if chair.kind != SeatKind.BOT:
                    self.person_dropped(seat)
            self._go_on()
            self._remember()

    def _remember(self) -> None:
        """After `recover`: the decision has been awaited since before the match fell asleep."""
        kept, match = self._table.record.standing, self._table.match
        if kept is not None and match is not None and kept.version == match.version:
            self._since = kept.since

    def judge(self, peer: Peer, message: Act) -> Accepting | None:
        """A player's action: answered at once, or on its way to the log; then wait for `kept`, and `accept` it."""
        match = self._table.match
        if peer.seat == LOOKING_ON or match is None:
            peer.refuse(message.command, NOT_SEATED if peer.seat == LOOKING_ON else NOT_STARTED)
            return None
        outcome = match.submit(peer.seat, message.command, message.frame, bytes(message.action))
        if isinstance(outcome, Step):
            return Accepting(peer, peer.seat, message.command, match, outcome, self._log(match, outcome))
        if isinstance(outcome, Repeated):
            peer.tell(Accepted(message.command, outcome.version))
        else:
            peer.refuse(message.command, outcome)
        return None

    def accept(self, accepting: Accepting) -> None:
        """What is durable becomes the truth; all are shown, and the player told."""
        step = accepting.step
        # A standing action decides nothing: it gives nobody more time.
        actor = accepting.seat if step.entries[0].frame else NONE
        self._waited = 0.0
        self._commit(accepting.match, step, accepting.kept.result(), actor)
        accepting.peer.tell(Accepted(accepting.command, step.entries[0].n))

    async def undo(self, peer: Peer, message: Undo) -> None:
        """A player takes his last action back. Raises StoreError."""
        match = self._table.match
        if peer.seat == LOOKING_ON or match is None:
            return peer.refuse(message.ref, NOT_SEATED if peer.seat == LOOKING_ON else NOT_STARTED)
        outcome = match.undo(peer.seat, message.version)
        if isinstance(outcome, Refusal):
            return peer.refuse(message.ref, outcome)
        self._waited = 0.0
        self._commit(match, outcome, await self._log(match, outcome), actor=NONE)
        return peer.tell(Done(message.ref))

    def tell_clock(self, peer: Peer) -> None:
        """Who owes, to somebody who came."""
        if self._table.match is not None:
            peer.tell(self._clock())

    def person_dropped(self, seat: int) -> None:
        """A person is gone without a word: a bot may stand in after a while."""
        delay = self._table.record.takeover
        chair = self._table.seating.chairs[seat]
        if delay and not chair.record.stand_in:
            self.forget_takeover(seat)
            self._takeovers[seat] = self._services.clock.call_later(
                delay, lambda: self._post(lambda: self._take_over(seat))
            )

    def forget_takeover(self, seat: int) -> None:
        """The person is back."""
        timer = self._takeovers.pop(seat, None)
        if timer is not None:
            timer.cancel()

    def call_bots(self) -> None:
        """Let bots decide what they owe, unless they are at it."""
        match = self._table.match
        if match is None or match.finished:
            return
        for seat in match.owed:
            bot = self._table.seating.chairs[seat].bot
            if bot and self._deciding.get(seat) != match.version:
                self._deciding[seat] = match.version
                task = asyncio.create_task(self._ask_bot(match, seat, bot))
                self._bots.add(task)
                task.add_done_callback(self._bots.discard)

    async def stop(self) -> None:
        """Cancel timers and bots."""
        for timer in self._takeovers.values():
            timer.cancel()
        self._takeovers.clear()
        self._stop_clock()
        bots = tuple(self._bots)
        for task in bots:
            task.cancel()
        await asyncio.gather(*bots, return_exceptions=True)

    def _log(self, match: Match, step: Step) -> "asyncio.Future[bytes]":
        """Hand a step to the store, with the record where that changes: at the beginning and at the end."""
        table = self._table
        record: TableRecord | None = table.record if match.version == 0 else None
        if match.rules.finished(step.state):
            record = structs.replace(table.record, phase=TablePhase.OVER)
        return self._services.store.append(table.record.match, table.epoch, table.check, step.entries, record)

    def _commit(self, match: Match, step: Step, check: bytes, actor: int) -> None:
        """A durable step becomes the truth and is shown, and who is to decide next begins to."""
        self._table.check = check
        match.commit(step)
        if match.finished:
            self._table.record.phase = TablePhase.OVER
        self._table.audience.publish(*[turned.frames for turned in step.turned], then=self._pass_on(match, actor))
        if match.finished:
            log.info("over", match=self._table.record.match, version=match.version)
            self._table.announce()
        self.call_bots()

    def _go_on(self) -> None:
        """Without an action before: who is to decide, and how long they have."""
        assert self._table.match is not None
        clock = self._pass_on(self._table.match, actor=NONE)
        if clock is not None:
            self._table.audience.tell(clock)
        self.call_bots()

    def _pass_on(self, match: Match, actor: int) -> Clock | None:
        """Start the clock of those who are to decide now; what all are to be told of it, None if they know."""
        owed, frame = match.owed, match.frame
        if owed == self._owed and frame == self._frame and actor not in owed:
            return None
        told = owed != self._owed
        self._owed, self._frame, self._since = owed, frame, self._services.date()
        self._stop_clock()
        think = self._table.record.think
        if think and any(not self._table.seating.chairs[seat].bot for seat in owed):
            self._start_clock(match.version)
        return self._clock() if told or self._timer is not None else None

    def _clock(self) -> Clock:
        left = 0
        if self._deadline is not None:
            left = max(1, math.ceil(self._deadline - self._services.clock.now()))
        return Clock(self._owed, left)

    def _start_clock(self, version: int) -> None:
        think = self._table.record.think
        self._deadline = self._services.clock.now() + think
        self._timer = self._services.clock.call_later(think, lambda: self._post(lambda: self._expired(version)))

    def _stop_clock(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._deadline = None

    async def _expired(self, version: int) -> None:
        """The clock of a decision ran out: the default for all who owe it."""
        match = self._table.match
        # A standing action by somebody else may have made versions meanwhile; the decision is the same.
        if match is None or match.finished or match.frame != self._frame or self._deadline is None:
            return
        if self._services.clock.now() < self._deadline:
            return
        log.info("time-up", match=self._table.record.match, seats=self._owed, version=version)
        for seat in self._owed:
            if seat in match.owed and match.frame == self._frame:
                await self._decide(match, seat, match.default(seat))

    async def _take_over(self, seat: int) -> None:
        """A person stayed away too long."""
        self._takeovers.pop(seat, None)
        chair = self._table.seating.chairs[seat]
        if chair.here or chair.kind == SeatKind.BOT:
            return
        async with self._table.changing():
            chair.record.stand_in = STAND_IN_KIND
        self._table.announce()
        self.call_bots()

    async def _ask_bot(self, match: Match, seat: int, kind: str) -> None:
        """Wait a little, so that people can follow; ask; bring the answer to the mailbox."""
        version = match.version
        services = self._services
        if pause := self._pause_of_bot():
            await _pause(services.clock.call_later, pause)
        raw: bytes | None = None
        try:
            if match.version == version:
                seed = services.dice.bot_seed(version, seat)
                seconds = levels.thinking(self._table.record.think)
                raw = await services.decide(match.rules.id, kind, seat, match.view(seat), seed, seconds)
        except Exception:
            log.failure("bot-failed", match=self._table.record.match, seat=seat, version=version)
        self._post(lambda: self._bot_decided(match, seat, version, raw))

    def _pause_of_bot(self) -> float:
        """How long a bot waits before it acts: less, the longer those who play have waited for all of them."""
        pace = self._services.pace
        if not pace or all(chair.bot for chair in self._table.seating.chairs):
            return pace
        pause = pace * max(SHORTEST, 1 - self._waited / (PATIENCE * pace))
        self._waited += pause
        return pause

    async def _bot_decided(self, match: Match, seat: int, version: int, raw: bytes | None) -> None:
        if self._deciding.get(seat) == version:
            del self._deciding[seat]
        if match.version != version or not self._table.seating.chairs[seat].bot:
            return self.call_bots()
        await self._decide(match, seat, raw if raw is not None else match.default(seat))
        return None

    async def _decide(self, match: Match, seat: int, raw: bytes) -> None:
        """What the server does for a seat; an illegal answer of a bot becomes the default."""
        outcome = match.submit(seat, 0, match.frame, raw)
        if isinstance(outcome, Refusal):
            log.warning("bot-refused", match=self._table.record.match, seat=seat, code=outcome.code)
            outcome = match.submit(seat, 0, match.frame, match.default(seat))
        if not isinstance(outcome, Step):
            raise RuntimeError(f"the default of seat {seat} was refused: {outcome!r}")
        self._commit(match, outcome, await self._log(match, outcome), seat)


async def _pause(call_later: Callable[[float, Callable[[], object]], Timer], delay: float) -> None:
    """Wait by the injected clock."""
    done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    timer = call_later(delay, partial(done.set_result, None))
    try:
        await done
    finally:
        timer.cancel()

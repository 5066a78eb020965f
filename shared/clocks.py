"""What each seat has left on its clock: computed from a table's pace and the log alone, on either side of the wire."""

from collections import deque
from collections.abc import Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

from shared.history import UNDO_DEPTH, Course, Deed, Entry
from shared.ids import NATURE, NONE, Seat
from shared.kernel import engine
from shared.kernel.engine import AnyRuleset
from shared.tables import Pace, Run

SECOND: Final = 1000
"""Milliseconds."""


class Timing(Struct, array_like=True, frozen=True):
    """What a `Deed.TIME` says, encoded in `Entry.action`: whether clocks and bots stand still from now on; the pace
    that goes on from here, None as before; (seat, milliseconds) that are given to banks."""

    paused: bool = False
    pace: Pace | None = None
    more: tuple[tuple[Seat, int], ...] = ()

    @classmethod
    def of(cls, entry: Entry) -> "Timing":
        """Read it. Raises msgspec.MsgspecError."""
        return msgspec.msgpack.decode(entry.action, type=cls)


class Fund(Struct):
    """Milliseconds that a seat has left beside those of the single decision; `full`: at first."""

    full: int
    left: int

    def charge(self, run: Run, each: int, used: int) -> None:
        """A decision is over that took so long; what it brought is negative where one was taken back."""
        if run is Run.LIVE:
            self.left = max(0, min(max(self.full, self.left), self.left + each - used))
        else:
            self.left = max(0, self.left - max(0, used - abs(each)))


class Owing(Struct):
    """Somebody decides since that age; from the `reserve`, or from the bank."""

    since: int
    reserve: bool


class Begun(Struct, frozen=True):
    """A seat's clock as it was before the action that made the version after `version`; `owing`: None where the seat
    decided nothing."""

    version: int
    seat: Seat
    bank: int
    reserve: int
    owing: Owing | None


class Clocks:
    """The clocks of all seats. Told of each entry of the log in its order, and then of what is owed at that version.

    Ages are those of the server, in milliseconds, as in `Entry.at`.
    """

    def __init__(self, pace: Pace, seats: int) -> None:
        self.pace = pace
        self.seats = seats
        self.paused = False
        self.at = 0
        """The age at the last entry."""
        self.owing: dict[Seat, Owing] = {}
        self.frame = NONE
        self._decided: set[Seat] = set()
        self._begun: deque[Begun] = deque(maxlen=UNDO_DEPTH)
        self._returned = False
        """Whether the last entry took something back: then those who decide go on, under another frame number."""
        self._stopped = 0
        self._fill()

    @property
    def runs(self) -> bool:
        """Whether anybody's time is measured."""
        return self.pace.run is not Run.NONE

    def begin(self, at: int) -> None:
        """The match begins at that age."""
        self.at = at

    def take(self, entry: Entry) -> None:
        """What an entry took from clocks, or says about them. Raises msgspec.MsgspecError."""
        self.at = max(self.at, entry.at)
        self._returned = entry.deed is Deed.BACK and entry.seat >= 0 and not entry.used and self._go_back(entry)
        if self._returned:
            return
        if entry.command and 0 <= entry.seat < self.seats:
            self._begun.append(self._clock_of(entry.seat, entry.n - 1))
        # Earlier servers charged an undo, took back what its decision had brought, and let the decision begin anew.
        brought = (-1 if entry.deed is Deed.BACK else 1) * self.pace.each * SECOND
        for seat, used in entry.used:
            if 0 <= seat < self.seats:
                self.fund(seat).charge(self.pace.run, brought, used)
        if entry.deed is Deed.TIME:
            self._change(Timing.of(entry))
        elif is_decision(entry):
            self._decided.add(entry.seat)
        elif entry.deed is not Deed.PLAY:
            self._decided |= self.owing.keys()

    def owe(self, rules: AnyRuleset, position: Any, since: int | None = None) -> None:
        """What the last entry led to, which took effect with it, or (where a disk was slow) later, at the age `since`.
        Whoever decided before goes on; chance takes no time."""
        owed = engine.owed(rules, position)
        if NATURE in owed:
            return
        frame = engine.top(position).no
        going_on = self.owing if frame == self.frame or self._returned else {}
        self.owing = {
            seat: going_on[seat]
            if seat in going_on and seat not in self._decided
            else Owing(since or self.at, self.pace.run is Run.LIVE and rules.answers(position, seat))
            for seat in owed
        }
        self.frame = frame
        self._decided.clear()

    def _clock_of(self, seat: Seat, version: int) -> Begun:
        owing = self.owing.get(seat)
        kept = None if owing is None else Owing(owing.since, owing.reserve)
        return Begun(version, seat, self.banks[seat].left, self.reserves[seat].left, kept)

    def _begun_at(self, version: int, seat: Seat) -> Begun | None:
        """How a decision began that a seat may take back."""
        return next((begun for begun in self._begun if (begun.version, begun.seat) == (version, seat)), None)

    def _go_back(self, entry: Entry) -> bool:
        """A seat takes something back: its clock goes on as if it had been deciding all the time. False if unknown."""
        seat, begun = entry.seat, self._begun_at(entry.to, entry.seat)
        if begun is None:
            return False
        self._begun = deque([kept for kept in self._begun if kept.version < entry.to], UNDO_DEPTH)
        self.banks[seat].left, self.reserves[seat].left = begun.bank, begun.reserve
        if begun.owing is not None:
            self.owing[seat] = Owing(begun.owing.since, begun.owing.reserve)
        return True

    def left_after_undo(self, seat: Seat, to: int, at: int) -> int | None:
        """Milliseconds that a seat would have left if it went back to version `to` at that age; negative where its time
        would long be up. None where it would decide nothing."""
        begun = self._begun_at(to, seat)
        if begun is None or begun.owing is None:
            return None
        left = begun.reserve if begun.owing.reserve else begun.bank
        return left + self.pace.each * SECOND - max(0, at - begun.owing.since)

    def used(self, seat: Seat, at: int) -> int:
        """How long a seat has been deciding at that age; 0 if it is not."""
        owing = self.owing.get(seat)
        return 0 if owing is None else max(0, min(at, self._stopped if self.paused else at) - owing.since)

    def left(self, seat: Seat, at: int) -> int:
        """Until its time is up, if it decides now, or began to in its own turn; only where anybody's time `runs`."""
        return max(0, self.until(seat, at))

    def until(self, seat: Seat, at: int) -> int:
        """As `left`; negative where its time is long up."""
        return self.fund(seat).left + self.pace.each * SECOND - self.used(seat, at)

    def bank(self, seat: Seat, at: int) -> int:
        """What is in its bank now."""
        return self._now(seat, at, self.banks[seat])

    def reserve(self, seat: Seat, at: int) -> int:
        """What is in its reserve now."""
        return self._now(seat, at, self.reserves[seat])

    def _now(self, seat: Seat, at: int, fund: Fund) -> int:
        over = self.used(seat, at) - self.pace.each * SECOND if fund is self.fund(seat) else 0
        return max(0, fund.left - max(0, over))

    def fund(self, seat: Seat) -> Fund:
        """What a seat decides from now; its bank where it does not decide."""
        owing = self.owing.get(seat)
        return (self.reserves if owing is not None and owing.reserve else self.banks)[seat]

    def _fill(self) -> None:
        bank, reserve = self.pace.bank * SECOND, self.pace.reserve * SECOND
        self.banks = [Fund(bank, bank) for _ in range(self.seats)]
        self.reserves = [Fund(reserve, reserve) for _ in range(self.seats)]

    def _change(self, timing: Timing) -> None:
        if self.paused and not timing.paused:
            for owing in self.owing.values():
                owing.since += max(0, self.at - max(self._stopped, owing.since))
        elif timing.paused and not self.paused:
            self._stopped = self.at
        self.paused = timing.paused
        if timing.pace is not None:
            self.pace = timing.pace
            self._fill()
            self._decided |= self.owing.keys()
        for seat, more in timing.more:
            if 0 <= seat < self.seats:
                self.banks[seat].left = max(0, self.banks[seat].left + more)


def playable(pace: Pace) -> bool:
    """Whether a match can have those clocks: nobody's time may be up before he has looked."""
    return pace.run is Run.NONE or pace.each > 0


def is_decision(entry: Entry) -> bool:
    """Whether a seat answered what it owed: chance did not, and a standing action decides nothing."""
    return entry.deed is Deed.PLAY and entry.seat >= 0 and bool(entry.frame or not entry.command)


def pace_of(pace: Pace | None, think: int) -> Pace:
    """The pace of a table: tables of older clients have nothing but so many seconds for each decision, or none."""
    if pace is not None:
        return pace
    return Pace(Run.POST, think) if think else Pace()


def clocks_after(course: Course, pace: Pace, begun: int, entries: Sequence[Entry]) -> Clocks:
    """The clocks at the end of the log of a match that began at the age `begun`; `course`: at its start."""
    clocks = Clocks(pace, course.seats)
    clocks.begin(begun)
    clocks.owe(course.rules, course.state)
    for passed in course.follow(entries):
        clocks.take(passed.entry)
        clocks.owe(course.rules, passed.state)
    return clocks

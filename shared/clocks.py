"""Time left on each seat's clock, computed from a table's pace and the log alone. Client and server both use it."""

from collections import deque
from typing import Any, Final

import msgspec
from msgspec import Struct

from shared.history import UNDO_DEPTH, Deed, Entry
from shared.ids import NATURE, NONE, Seat
from shared.kernel import engine
from shared.kernel.ruleset import AnyRuleset
from shared.tables import Pace, Run

SECOND: Final = 1000
"""Milliseconds of a second."""


class Timing(Struct, array_like=True, frozen=True):
    """Contents of a `Deed.TIME`, encoded in `Entry.action`.

    paused: whether clocks and bots stand still from now on. pace: the pace that begins now, None for no change. more:
    (seat, milliseconds) that are added to banks.
    """

    paused: bool = False
    pace: Pace | None = None
    more: tuple[tuple[Seat, int], ...] = ()

    @classmethod
    def of(cls, entry: Entry) -> "Timing":
        """Decode it from an entry. Raises msgspec.MsgspecError."""
        return msgspec.msgpack.decode(entry.action, type=cls)


class Fund(Struct):
    """Milliseconds that a seat has left beside those of the single decision; `full`: at first."""

    full: int
    left: int

    def charge(self, run: Run, each: int, used: int) -> None:
        """Charge the fund for a finished decision.

        each: milliseconds that the decision brought, negative if it was taken back. used: milliseconds that it took.
        """
        if run is Run.LIVE:
            self.left = max(0, min(max(self.full, self.left), self.left + each - used))
        else:
            self.left = max(0, self.left - max(0, used - abs(each)))


class Owing(Struct):
    """A decision under way since that age; its time comes from the `reserve`, or from the bank.

    `entry`: number of the log's entry after which it is owed, which is the same however often the log is read.
    """

    since: int
    reserve: bool
    entry: int = 0


class Begun(Struct, frozen=True):
    """A seat's clock as it was before the action that made the version after `version`.

    owing: None if the seat had no decision to make.
    """

    version: int
    seat: Seat
    bank: int
    reserve: int
    owing: Owing | None


class Clocks:
    """The clocks of all seats. Pass each entry of the log to `take` in its order, and then its position to `owe`.

    Ages are those of the server, in milliseconds, as in `Entry.at`.
    """

    def __init__(self, pace: Pace, seats: int) -> None:
        self.pace = pace
        self.seats = seats
        self.paused = False
        self.at = 0
        """The age at the last entry."""
        self.owing: dict[Seat, Owing] = {}
        self._entry = 0
        """Number of the last entry."""
        self.frame = NONE
        self._decided: set[Seat] = set()
        self._begun: deque[Begun] = deque(maxlen=UNDO_DEPTH)
        self._returned = False
        """Whether the last entry took something back: then decisions under way go on, under another frame number."""
        self._stopped = 0
        self._ended = False
        """Whether the players agreed to end the match: then nothing is owed, though the position says otherwise."""
        self._fill()

    @property
    def runs(self) -> bool:
        """Whether time is measured at all."""
        return self.pace.run is not Run.NONE

    def begin(self, at: int) -> None:
        """Begin the match at that age."""
        self.at = at

    def take(self, entry: Entry) -> None:
        """Apply an entry: charge clocks and carry out changes of them. Raises msgspec.MsgspecError."""
        self.at = max(self.at, entry.at)
        self._entry = entry.n
        self._ended |= entry.deed is Deed.END
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
        """Start the clocks of the seats that owe at the position after the last entry.

        That position took effect with the entry or, after a slow disk, later at the age `since`. Seats that decided
        before
        go on; chance takes no time.
        """
        owed = () if self._ended else engine.owed(rules, position)
        if NATURE in owed:
            return
        frame = engine.top(position).no
        going_on = self.owing if frame == self.frame or self._returned else {}
        self.owing = {
            seat: going_on[seat]
            if seat in going_on and seat not in self._decided
            else Owing(since or self.at, self.pace.run is Run.LIVE and rules.answers(position, seat), self._entry)
            for seat in owed
        }
        self.frame = frame
        self._decided.clear()

    def _clock_of(self, seat: Seat, version: int) -> Begun:
        owing = self.owing.get(seat)
        kept = None if owing is None else Owing(owing.since, owing.reserve, owing.entry)
        return Begun(version, seat, self.banks[seat].left, self.reserves[seat].left, kept)

    def _begun_at(self, version: int, seat: Seat) -> Begun | None:
        """Return the state in which a decision began that a seat may take back, None if unknown."""
        return next((begun for begun in self._begun if (begun.version, begun.seat) == (version, seat)), None)

    def _go_back(self, entry: Entry) -> bool:
        """Restore the clock of a seat that takes something back, as if it had been deciding all the time. False if
        unknown.
        """
        seat, begun = entry.seat, self._begun_at(entry.to, entry.seat)
        if begun is None:
            return False
        self._begun = deque([kept for kept in self._begun if kept.version < entry.to], UNDO_DEPTH)
        self.banks[seat].left, self.reserves[seat].left = begun.bank, begun.reserve
        if begun.owing is not None:
            # A copy: a later pause moves the start of a decision under way.
            self.owing[seat] = Owing(begun.owing.since, begun.owing.reserve, begun.owing.entry)
        return True

    def left_after_undo(self, seat: Seat, to: int, at: int) -> int | None:
        """Return the milliseconds that a seat would have left if it went back to version `to` at that age.

        Negative if its time would be up already. None if it would have nothing to decide.
        """
        begun = self._begun_at(to, seat)
        if begun is None or begun.owing is None:
            return None
        left = begun.reserve if begun.owing.reserve else begun.bank
        return left + self.pace.each * SECOND - max(0, at - begun.owing.since)

    def used(self, seat: Seat, at: int) -> int:
        """Return the milliseconds that a seat has been deciding at that age; 0 if it is not."""
        owing = self.owing.get(seat)
        return 0 if owing is None else max(0, min(at, self._stopped if self.paused else at) - owing.since)

    def left(self, seat: Seat, at: int) -> int:
        """Return the milliseconds until a seat's time is up, at least 0; only if time is measured (`runs`).

        Meant for a seat that decides now, or began to in its own turn.
        """
        return max(0, self.until(seat, at))

    def until(self, seat: Seat, at: int) -> int:
        """Return the milliseconds as `left`, but negative if the time is up already."""
        return self.fund(seat).left + self.pace.each * SECOND - self.used(seat, at)

    def bank(self, seat: Seat, at: int) -> int:
        """Return the milliseconds in its bank now."""
        return self._now(seat, at, self.banks[seat])

    def reserve(self, seat: Seat, at: int) -> int:
        """Return the milliseconds in its reserve now."""
        return self._now(seat, at, self.reserves[seat])

    def _now(self, seat: Seat, at: int, fund: Fund) -> int:
        over = self.used(seat, at) - self.pace.each * SECOND if fund is self.fund(seat) else 0
        return max(0, fund.left - max(0, over))

    def fund(self, seat: Seat) -> Fund:
        """Return the fund from which a seat decides now; its bank if it does not decide."""
        owing = self.owing.get(seat)
        return (self.reserves if owing is not None and owing.reserve else self.banks)[seat]

    def _fill(self) -> None:
        bank, reserve = self.pace.bank * SECOND, self.pace.reserve * SECOND
        self.banks = [Fund(bank, bank) for _ in range(self.seats)]
        self.reserves = [Fund(reserve, reserve) for _ in range(self.seats)]

    def _change(self, timing: Timing) -> None:
        if self.paused and not timing.paused:
            for owing in self.owing.values():
                # A decision that began during the pause has stood still only since then.
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
    """Whether a match can have those clocks. Without seconds for each decision, time could be up before the player
    looks.
    """
    return pace.run is Run.NONE or pace.each > 0


def is_decision(entry: Entry) -> bool:
    """Whether a seat answered what it owed. Answers of chance do not count, and standing actions decide nothing."""
    return entry.deed is Deed.PLAY and entry.seat >= 0 and bool(entry.frame or not entry.command)


def pace_of(pace: Pace | None, think: int) -> Pace:
    """Return the pace of a table. Tables of older clients have only seconds for each decision, or none."""
    if pace is not None:
        return pace
    return Pace(Run.POST, think) if think else Pace()

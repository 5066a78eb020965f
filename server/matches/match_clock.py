"""Clocks of a match at its table: the time that decisions take, and when a seat's time is up."""

from collections.abc import Callable
from typing import Final

from msgspec import Struct, structs

from server.clock import Timer
from server.matches.match import AcceptedAction, Match
from server.matches.table import Table
from shared.clocks import SECOND, Clocks, is_decision, pace_of
from shared.history import Entry
from shared.ids import Seat
from shared.messages import Clock, SeatClock
from shared.tables import Pace

CREDIT: Final = 500
"""Milliseconds of a decision that may be credited to the network at most."""
UNDO_LEAVES: Final = 2000
"""Milliseconds that an undo must leave. With less, time would be up before the player has looked."""


class DecisionTime(Struct, frozen=True):
    """Time of a decision that is owed after that `entry` of the log: the seconds that it has taken.

    `left`: seconds until the time is up, None if no time runs.
    """

    entry: int
    used: float
    left: float | None


class MatchClock:
    """Measures people's decisions and calls `ring` when a seat's time may be up. Bots use no clock.

    All that is stored is in the log: `stamp` writes it, `follow` and `recover` read it. Ages and times are in
    milliseconds of the server's age, which stands still while no server runs. The age of a match also leaves out the
    time for which it had no owner while other matches ran.
    """

    def __init__(self, table: Table, ring: Callable[[], object]) -> None:
        self._table = table
        self._ring = ring
        self._age = table.services.age
        self._timer: Timer | None = None
        self._rested = 0
        """The age at which the match came to rest, 0 while it does not rest."""
        record = table.record
        self.clocks = Clocks(pace_of(record.pace, record.think), len(record.chairs))

    @property
    def now(self) -> int:
        """The age of the match in milliseconds: the server's age less its `lag`.

        It is never less than the log tells, even where less of the server's age was stored.
        """
        # `_rested` is 0 while the match does not rest; ages begin at 1.
        return self._rested or self._age.now

    @property
    def resting(self) -> bool:
        """Whether the age stands still until a person comes."""
        return self._rested > 0

    def rest(self) -> None:
        """Stop the age, because no person has been present for several decisions."""
        self._rested = self.now
        self.stop()

    def end_rest(self) -> None:
        """Resume the clocks from where they stopped."""
        services = self._table.services
        self._age = services.age.of_match(services.age.now - self._rested, self.clocks.at)
        self._rested = 0

    @property
    def lag(self) -> int:
        """Milliseconds by which the match's age is less than the server's; stored as `TableRecord.lag`."""
        if self.resting:
            return max(0, self._table.services.age.now - self._rested)
        return max(0, self._table.services.age.lag_of(self._age))

    @property
    def pace(self) -> Pace:
        """The pace of the match at present."""
        return self.clocks.pace

    @property
    def paused(self) -> bool:
        """Whether clocks and bots stand still."""
        return self.clocks.paused

    def begin(self, match: Match) -> None:
        """Set the clocks to the start of a match that is new or about to be replayed."""
        record = self._table.record
        self._age = self._table.services.age.of_match(record.lag, record.begun)
        self.clocks = Clocks(pace_of(record.pace, record.think), match.seats)
        self.clocks.begin(record.begun)
        self.clocks.owe(match.rules, match.state)

    def read(self, match: Match, entry: Entry) -> None:
        """Replay one entry of the log; `match` is already at the position after it."""
        self.clocks.take(entry)
        self.clocks.owe(match.rules, match.state)

    def wake(self) -> None:
        """Set the age after the last replayed entry.

        Clocks of deciding seats have run on for as long as a server ran the match.
        """
        clocks, services, silent = self.clocks, self._table.services, self._table.silent
        # A node that takes a match over may be behind the age that its last owner had logged.
        if services.store.shared:
            services.age.reach(clocks.at)
        lag = self._table.record.lag + round(silent * SECOND)
        self._age = services.age.of_match(lag, clocks.at, taken=silent > 0)
        if self._table.record.rested:
            self._rested = max(clocks.at, self._table.record.rested)
        if not clocks.at:
            # A log written before matches had clocks: its entries have no ages.
            clocks.begin(self.now)
            for owing in clocks.owing.values():
                owing.since = self.now

    def stamp(self, step: AcceptedAction, credit: float = 0.0) -> AcceptedAction:
        """Return the step with its age and the time that a person took for it.

        `credit`: seconds that the network may have taken; they are not charged.
        """
        # Never before the last entry: a cluster's ages may differ by what was not stored yet.
        at = max(self.now, self.clocks.at)
        # Only the first entry is a decision; the others are chance that follows at the same moment.
        first, *others = step.entries
        used = self._used(first.seat, at, credit) if is_decision(first) else ()
        stamped = (structs.replace(first, at=at, used=used), *[structs.replace(entry, at=at) for entry in others])
        return step.stamped(stamped)

    def _used(self, seat: Seat, at: int, credit: float) -> tuple[tuple[Seat, int], ...]:
        chair = self._table.seating.chairs[seat].record
        if not (chair.bot or chair.stand_in):
            return ((seat, max(0, self.clocks.used(seat, at) - _latency_credit(credit))),)
        # A bot uses no clock. The time that its person used before the bot took the seat is charged to the person.
        used = self.clocks.used(seat, min(at, chair.left_at)) if chair.stand_in else 0
        return ((seat, used),) if used else ()

    def may_take_back(self, seat: Seat, to: int, credit: float) -> bool:
        """Whether a seat would have enough time left if it took back the decision of version `to`."""
        left = self.clocks.left_after_undo(seat, to, self.now) if self.clocks.runs else None
        return left is None or left + _latency_credit(credit) >= UNDO_LEAVES

    def follow(self, match: Match, step: AcceptedAction) -> None:
        """Advance the clocks by a step that was just committed."""
        for entry in step.entries:
            self.clocks.take(entry)
        self.clocks.owe(match.rules, match.state, max(self.now, self.clocks.at))

    @property
    def is_any_running(self) -> bool:
        """Whether any seat's time runs now."""
        return bool(self._seats_on_the_clock)

    def set_alarm(self, soonest: float = 0.0) -> None:
        """Call `ring` when the next seat's time is up, in `soonest` seconds at the earliest.

        Call this when anything about clocks or chairs has changed.
        """
        self.stop()
        lasts = [self._milliseconds_left(seat) for seat in self._seats_on_the_clock]
        if lasts:
            # By the age, not by the clock: the age stands still while people reconnect after a restart.
            delay = self._age.until(self.now + min(lasts))
            self._timer = self._table.services.clock.call_later(max(soonest, delay), self._ring)

    def stop(self) -> None:
        """Cancel the alarm."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def late(self) -> list[Seat]:
        """Return the seats whose time is up."""
        return [seat for seat in self._seats_on_the_clock if self._milliseconds_left(seat) <= 0]

    def due(self) -> int:
        """Return the server's age in milliseconds at which the next seat's time is up, 0 for never."""
        lasts = [self.clocks.left(seat, self.now) for seat in self._seats_on_the_clock]
        return max(1, self._table.services.age.now + min(lasts)) if lasts else 0

    def time_of(self, seat: Seat) -> DecisionTime | None:
        """Return the time that a seat has for its decision, None if it owes none."""
        owing, now = self.clocks.owing.get(seat), self.now
        if owing is None:
            return None
        left = self.clocks.left(seat, now) / SECOND if seat in self._seats_on_the_clock else None
        return DecisionTime(owing.entry, self.clocks.used(seat, now) / SECOND, left)

    def told(self) -> Clock:
        """Return the state of the clocks as all may see it."""
        clocks, now = self.clocks, self.now
        left = [clocks.left(seat, now) for seat in self._seats_on_the_clock]
        seats = range(clocks.seats) if clocks.runs else ()
        each = [SeatClock(clocks.left(seat, now), clocks.bank(seat, now), clocks.reserve(seat, now)) for seat in seats]
        # Rounded up, and never 0, which means that no time runs.
        seconds = max(1, -(-min(left) // SECOND)) if left else 0
        return Clock(tuple(clocks.owing), seconds, tuple(each), clocks.paused or self.resting)

    @property
    def _seats_on_the_clock(self) -> list[Seat]:
        """Seats whose time runs."""
        clocks, chairs = self.clocks, self._table.seating.chairs
        if clocks.paused or self.resting or not clocks.runs:
            return []
        return [seat for seat in clocks.owing if not chairs[seat].bot]

    def _milliseconds_left(self, seat: Seat) -> int:
        """Return milliseconds until a seat's time is up.

        The player's latency is credited: an action that is still on its way counts.
        """
        player = self._table.audience.player(seat)
        return self.clocks.until(seat, self.now) + (_latency_credit(player.latency) if player is not None else 0)


def _latency_credit(latency: float) -> int:
    return min(CREDIT, round(latency * SECOND))

"""Film of a match: the view of each audience at any version, and the events that led to it.

Positions are numbered by the versions of the match. Some of them are kept on the way, so that any other one is a few
steps away.
"""

from bisect import bisect_right, insort
from collections.abc import Callable, Iterator, Mapping, Sequence
from threading import Lock
from typing import Any, Final, Generic, Protocol, Self, TypeVar

from msgspec import Raw, Struct

from client.language import _
from protocol import codec, delta
from shared.history import Deed, Entry, returned
from shared.ids import NATURE, Seat
from shared.kernel import engine
from shared.kernel.frames import Event
from shared.kernel.ruleset import AnyRuleset, IllegalAction
from shared.messages import Back, Frame, Snapshot
from shared.refusal import BrokenRules

KEY: Final = 32
"""Versions between two kept positions."""
Audience = Seat | None
"""A seat, or the public."""

_NOTHING: Final = codec.ENCODER.encode([])
"""A delta that changes nothing."""

P = TypeVar("P")


class BadFilm(ValueError):
    """Raised for data that is no film of these rules; the message says why, in a sentence."""


class Reel(Protocol[P]):
    """Source of a film. `P`: an immutable position as it is kept."""

    audiences: tuple[Audience, ...]
    """Audiences that can be chosen, the usual one first."""
    first: int
    last: int

    @property
    def start(self) -> P:
        """Return the position of version `first`."""

    def step(self, n: int, before: P, at: Callable[[int], P]) -> tuple[P, list[Event]]:
        """Return version `n` and its events; `at`: returns any position before it. Raises BadFilm."""

    def back(self, n: int) -> Back | None:
        """Return the seat and the target if version `n` returned to an earlier position; None otherwise."""

    def idle(self, n: int) -> bool:
        """Whether that version left everything as it was."""

    def agreed(self, n: int) -> bool:
        """Whether all agreed at that version to end the match."""

    def view(self, position: P, audience: Audience) -> Any:
        """Return the view of an audience."""

    def told(self, event: Event, audience: Audience) -> Event | None:
        """Return what an audience may know of an event, None if nothing."""


class LogReel:
    """Source with the whole log of a match, for any audience. `hands`: whether secrets may be shown."""

    def __init__(
        self, rules: AnyRuleset, seats: int, options: Mapping[str, int], entries: Sequence[Entry], *, hands: bool
    ) -> None:  # fmt: skip
        if any(entry.n != n for n, entry in enumerate(entries, 1)):
            raise BadFilm(_("The log of this match has a gap."))
        self._rules = rules
        self._entries = entries
        self.audiences: tuple[Audience, ...] = (None, *range(seats)) if hands else (None,)
        self.first, self.last = 0, len(entries)
        self.start: Any = engine.start(rules, seats, options, engine.ignore_event)

    def step(self, n: int, before: Any, at: Callable[[int], Any]) -> tuple[Any, list[Event]]:
        """Return version `n` and its events."""
        entry = self._entries[n - 1]
        try:
            return self._done(entry, before, at)
        except (*codec.UNREADABLE, IllegalAction, BrokenRules, LookupError) as error:
            is_rule_error = isinstance(error, (IllegalAction, BrokenRules))
            why = codec.harmless(str(error)) if is_rule_error else _("that decision is impossible there.")
            raise BadFilm(_("Decision {n} of this match cannot be followed: {why}", n=n, why=why)) from None

    def _done(self, entry: Entry, before: Any, at: Callable[[int], Any]) -> tuple[Any, list[Event]]:
        events: list[Event] = []
        if entry.deed is Deed.BACK:
            if not 0 <= entry.to < entry.n:
                raise LookupError(f"it goes back to {entry.to}")
            return returned(before, at(entry.to)), events
        if entry.deed is not Deed.PLAY:
            return before, events  # It concerns the match, not the position.
        # The position before may be one of those that are kept.
        state = before.clone()
        action = self._rules.action_decoder.decode(entry.action)
        engine.play(self._rules, state, entry.seat, action, events.append)
        return state, events

    def back(self, n: int) -> Back | None:
        """Return the seat and the target of a return at version `n`."""
        entry = self._entries[n - 1] if n else None
        return Back(entry.seat, entry.to) if entry is not None and entry.deed is Deed.BACK else None

    def idle(self, n: int) -> bool:
        """Whether that version left everything as it was."""
        return n > 0 and self._entries[n - 1].deed is Deed.TIME

    def agreed(self, n: int) -> bool:
        """Whether all agreed at that version to end the match."""
        return n > 0 and self._entries[n - 1].deed is Deed.END

    def view(self, position: Any, audience: Audience) -> Any:
        """Return the view of an audience."""
        return self._rules.view(position, audience)

    def told(self, event: Event, audience: Audience) -> Event | None:
        """Return what an audience may know of an event."""
        return self._rules.event_for(event, audience)


class FrameReel:
    """Source with the messages to one audience of a running match: a snapshot and the following frames."""

    def __init__(self, rules: AnyRuleset, audience: Audience, begin: Snapshot, frames: Sequence[Frame]) -> None:
        if any(frame.version != n for n, frame in enumerate(frames, begin.version + 1)):
            raise BadFilm(_("This film has a gap."))
        self._rules = rules
        self._frames = frames
        self.audiences: tuple[Audience, ...] = (audience,)
        self.first, self.last = begin.version, begin.version + len(frames)
        self.start = bytes(begin.view)

    def step(self, n: int, before: bytes, at: Callable[[int], bytes]) -> tuple[bytes, list[Event]]:
        """Return version `n` and its events."""
        frame = self._frames[n - 1 - self.first]
        try:
            fields: list[Any] = codec.decode_plain(before)
            delta.patch(fields, codec.decode_plain(frame.delta))
            after = codec.ENCODER.encode(fields)
            events = [self._event(data) for data in frame.events]
        except (*codec.UNREADABLE, codec.BadMessage, delta.BadDelta):
            raise BadFilm(_("Version {n} of this film cannot be read.", n=n)) from None
        if delta.digest(after) != frame.digest:
            raise BadFilm(_("Version {n} of this film is not what the server saw.", n=n))
        return after, events

    def _event(self, data: Raw) -> Event:
        event: Event = self._rules.event_decoder.decode(data)
        return event

    def back(self, n: int) -> Back | None:
        """Return the seat and the target of a return at version `n`."""
        return self._frames[n - 1 - self.first].back if n > self.first else None

    def idle(self, n: int) -> bool:
        """Whether that version left everything as it was."""
        frame = self._frames[n - 1 - self.first] if n > self.first else None
        return frame is not None and bytes(frame.delta) == _NOTHING and not frame.events and frame.back is None

    def agreed(self, n: int) -> bool:
        """Return False: the frames do not contain it."""
        return False

    def view(self, position: bytes, audience: Audience) -> Any:
        """Return the view of the audience."""
        return self._rules.view_decoder.decode(position)

    def told(self, event: Event, audience: Audience) -> Event | None:
        """Return the event, which was filtered for this audience already."""
        return event


class Moment(Struct, frozen=True):
    """Version of the match as an audience sees it, with its events."""

    version: int
    view: Any
    events: tuple[Event, ...]


class Film(Generic[P]):
    """Film of a match from a `Reel`. Two threads may use it at once."""

    def __init__(self, rules: AnyRuleset, seats: int, reel: Reel[P]) -> None:
        self.rules = rules
        self.seats = seats
        self.audiences = reel.audiences
        self.first, self.last = reel.first, reel.last
        self._reel = reel
        self._positions: dict[int, P] = {reel.first: reel.start}
        self._places = [reel.first]
        self._events: dict[int, list[Event]] = {reel.first: []}
        self._near = reel.first, reel.start
        self._lock = Lock()

    def view(self, n: int, audience: Audience) -> Any:
        """Return the view of an audience at a version. Raises BadFilm."""
        return self._reel.view(self.position(n), audience)

    def told(self, n: int, audience: Audience) -> list[Event]:
        """Return the events of a version for an audience."""
        if n not in self._events:
            # The way to a version notes its events.
            self.position(n)
        shown = (self._reel.told(event, audience) for event in self._events[n])
        return [event for event in shown if event is not None]

    def back(self, n: int) -> Back | None:
        """Return the seat and the target if version `n` returned to an earlier position; None otherwise."""
        return self._reel.back(n)

    def agreed(self, n: int) -> bool:
        """Whether all agreed at that version to end the match, if the film knows it."""
        return self._reel.agreed(n)

    def settled(self, n: int) -> bool:
        """Whether something new happened and no roll is due: a seat decides, or the match is over."""
        return not self._reel.idle(n) and engine.owed(self.rules, self.view(n, self.audiences[0])) != (NATURE,)

    def checked(self) -> Self:
        """Return the film after going through it once: later calls do not raise. Raises BadFilm."""
        for _moment in self.walk(self.audiences[0]):
            pass
        return self

    def walk(self, audience: Audience) -> Iterator[Moment]:
        """Yield all versions in order; other threads may look at other versions meanwhile."""
        # A position of its own, not `_near`: other threads jump about in the film meanwhile.
        now = self._reel.start
        for n in range(self.first, self.last + 1):
            if n > self.first:
                now = self._step(n, now)
            yield Moment(n, self._reel.view(now, audience), tuple(self.told(n, audience)))

    def position(self, n: int) -> P:
        """Return a version as it is kept. Raises BadFilm."""
        if not self.first <= n <= self.last:
            raise IndexError(f"version {n} of {self.first} to {self.last}")
        at, now = self._nearest(n)
        while at < n:
            at += 1
            now = self._step(at, now)
        self._near = at, now
        return now

    def _nearest(self, n: int) -> tuple[int, P]:
        """Return the last available position before that one."""
        # Read once: another thread may replace the pair, though never half of it.
        near = self._near
        with self._lock:
            place = self._places[bisect_right(self._places, n) - 1]
            return near if place <= near[0] <= n else (place, self._positions[place])

    def _step(self, n: int, before: P) -> P:
        now, self._events[n] = self._reel.step(n, before, self.position)
        # A kept position of a return saves going back again.
        if n % KEY == 0 or self._reel.back(n) is not None:
            with self._lock:
                if n not in self._positions:
                    self._positions[n] = now
                    insort(self._places, n)
        return now


AnyFilm = Film[Any]


def film_of_log(
    rules: AnyRuleset, seats: int, options: Mapping[str, int], entries: Sequence[Entry], *, hands: bool = True
) -> AnyFilm:  # fmt: skip
    """Return the film of a whole log; `hands`: whether it may be seen by any audience.

    Raise ValueError for an invalid table.
    """
    return Film(rules, seats, LogReel(rules, seats, options, entries, hands=hands))


def film_of_frames(rules: AnyRuleset, audience: Audience, begin: Snapshot, frames: Sequence[Frame]) -> AnyFilm:
    """Return the film of the messages to an audience. Raises BadFilm."""
    reel = FrameReel(rules, audience, begin, frames)
    try:
        seats = rules.view_decoder.decode(reel.start).seats
    except codec.UNREADABLE:
        raise BadFilm(_("This film cannot be read.")) from None
    return Film(rules, seats, reel)

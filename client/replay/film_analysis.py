"""Reading of a film in one pass, in a thread: highlights and statistics of the match, while the film is shown."""

import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import replace

from client.language import _
from client.replay.film import AnyFilm, BadFilm, Moment
from client.replay.game_replay import AnySubject, HighlightKind, Income
from client.replay.luck import Account, RecordedBattle, RecordedRoll, account
from shared.ids import Seat
from shared.kernel.frames import Event
from shared.messages import Back
from shared.vocabulary.events import BattleBegan, DiceFell

AGREED: Final = _("All agreed to end the match here.")


class MatchHighlight(Struct, frozen=True):
    """Highlight: the version that it led to, and its text. `deed`: how it ended, once that is known."""

    version: int
    kind: HighlightKind
    words: str
    deed: str = ""


class VersionIncome(Struct, frozen=True):
    """Income, and the version that brought it."""

    version: int
    income: Income


class MatchStatistics(Struct):
    """Statistics of a match, as far as it was read.

    `series`: by measure and seat the points (version, value) at which the value changed, the first and the last version
    among them. `marks` and all else in the order of the match.
    """

    marks: list[MatchHighlight] = field(default_factory=list)
    series: list[list[list[tuple[int, int]]]] = field(default_factory=list)
    earned: list[VersionIncome] = field(default_factory=list)
    battles: list[RecordedBattle] = field(default_factory=list)

    def rolls(self, seat: Seat) -> list[RecordedRoll]:
        """Return all rolls of a seat."""
        return [roll for battle in self.battles for roll in battle.rolls if roll.seat == seat]

    def account(self, seat: Seat) -> Account:
        """Return the account of a seat's dice."""
        return account(self.rolls(seat))


class _Reader:
    """Reads one moment after the other."""

    def __init__(self, subject: AnySubject, seats: int, tell: Callable[[Event], str]) -> None:
        self._subject = subject
        self._seats = seats
        self._tell = tell
        self._before: Any = None
        self._heading = ""
        self.report = MatchStatistics(series=[[[] for _seat in range(seats)] for _measure in subject.measures])

    def take(self, moment: Moment, back: Back | None, *, agreed: bool) -> None:
        """Read a moment. `back`: the seat and target if the match went back; `agreed`: all agreed to end it."""
        if back is not None:
            self._undo(back.to)
        heading = self._subject.heading(moment.view)
        if heading != self._heading:
            self._heading = heading
            self.report.marks.append(MatchHighlight(moment.version, HighlightKind.ROUND, heading))
        for event in moment.events:
            self._hear(event, moment.version)
        if agreed:
            self.report.marks.append(MatchHighlight(moment.version, HighlightKind.END, AGREED))
        self._measure(moment)
        self._before = moment.view

    def _hear(self, event: Event, version: int) -> None:
        report = self.report
        kind = self._subject.mark(event, self._before) if self._before is not None else None
        if kind is not None:
            report.marks.append(MatchHighlight(version, kind, self._tell(event)))
        if self._subject.outcome(event):
            # The heading of a new round may stand between an event and its outcome.
            last = next(
                (i for i in reversed(range(len(report.marks))) if report.marks[i].kind is not HighlightKind.ROUND), None
            )
            if last is not None:
                report.marks[last] = replace(report.marks[last], deed=self._tell(event))
        report.earned += [VersionIncome(version, income) for income in self._subject.incomes(event)]
        if isinstance(event, BattleBegan):
            report.battles.append(RecordedBattle(version, event.space, event.attacker, event.defender, ()))
        elif isinstance(event, DiceFell) and report.battles:
            chances = self._subject.rolling(self._before, event.seat)
            roll = RecordedRoll(version, event.seat, len(event.faces), event.hits, chances)
            report.battles[-1] = replace(report.battles[-1], rolls=(*report.battles[-1].rolls, roll))

    def _measure(self, moment: Moment) -> None:
        for measure, seats in zip(self._subject.measures, self.report.series, strict=True):
            for seat, points in enumerate(seats):
                value = measure.value(moment.view, seat)
                if not points or points[-1][1] != value:
                    points.append((moment.version, value))

    def _undo(self, back: int) -> None:
        """Remove incomes and rolls after that version."""
        report = self.report
        report.earned = [one for one in report.earned if one.version <= back]
        # A battle that began before goes on, without the rolls that were undone.
        battles = [battle for battle in report.battles if battle.version <= back]
        report.battles = [replace(b, rolls=tuple(r for r in b.rolls if r.version <= back)) for b in battles]

    def end(self, last: int) -> None:
        """Extend all series to the last version."""
        for seats in self.report.series:
            for points in seats:
                if points and points[-1][0] != last:
                    points.append((last, points[-1][1]))


def read(film: AnyFilm, subject: AnySubject, tell: Callable[[Event], str]) -> Iterator[MatchStatistics]:
    """Yield the report as it grows, version by version; the last one is complete. Raises BadFilm."""
    reader = _Reader(subject, film.seats, tell)
    for moment in film.walk(film.audiences[0]):
        n = moment.version
        reader.take(moment, film.back(n), agreed=film.agreed(n))
        yield reader.report
    reader.end(film.last)
    yield reader.report


class Reading:
    """Reading in a thread. `progress` from 0 to 1; `trouble`: the reason of a failure, in a sentence."""

    def __init__(self, film: AnyFilm, subject: AnySubject, tell: Callable[[Event], str]) -> None:
        self.report = MatchStatistics()
        self.progress = 0.0
        self.trouble = ""
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._read, args=(film, subject, tell), name="reading", daemon=True)
        self._thread.start()

    @property
    def done(self) -> bool:
        """Whether everything is read."""
        return self.progress >= 1.0

    @property
    def marks(self) -> Sequence[MatchHighlight]:
        """Highlights, as far as they are known."""
        return self.report.marks

    def stop(self) -> None:
        """Stop reading: the result is not needed any more."""
        self._stopped.set()
        self._thread.join()

    def wait(self) -> None:
        """Wait until everything is read."""
        self._thread.join()

    def _read(self, film: AnyFilm, subject: AnySubject, tell: Callable[[Event], str]) -> None:
        # One report for each version, and the complete one at the end.
        versions = film.last - film.first + 2
        try:
            for n, self.report in enumerate(read(film, subject, tell), 1):
                if self._stopped.is_set():
                    return
                # Never 1 before the end: that means that everything is read.
                self.progress = min(n / versions, 0.999)
        except BadFilm as error:
            self.trouble = str(error)
        self.progress = 1.0

"""Control of a replay at the table: it runs by itself or follows the player's commands. The table draws it like a
match."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from client.language import _
from client.replay.film_analysis import Mark, Reading
from client.replay.film_match import FilmMatch
from client.replay.film_player import RATES, Player, ReplayPlaySettings
from client.table.event_text import event_line
from client.table.guide import Guide
from client.table.match import TableCallbacks
from client.table.replay_bar import ReplayBar
from client.table.tabletop import Tabletop
from shared.kernel.ruleset import told_to_all


class ReplayControl:
    """Running replay, and the `Deck` of its bar. `play_settings`: the settings of speed, which `callbacks` has too."""

    def __init__(
        self, screening: FilmMatch, guide: Guide[Any], callbacks: TableCallbacks, play_settings: ReplayPlaySettings, *,
        charts: Callable[[Reading], object], close: Callable[[], object],
    ) -> None:  # fmt: skip
        self.screening = screening
        self.player = Player()
        self._play_settings = play_settings
        self._charts = charts
        self._aim: int | None = None
        """The version that is requested for the next frame."""
        self._close = close
        self.reading = Reading(screening.film, guide.film, lambda event: event_line(event, screening.name, guide.tell))
        self.bar = ReplayBar(lambda: self)
        self.top: Tabletop[Any] = Tabletop(screening, guide, callbacks, bar=self.bar)

    # Data of the bar

    @property
    def at(self) -> int:
        """The version that is shown."""
        return self.screening.version

    @property
    def first(self) -> int:
        """The first version of the film."""
        return self.screening.film.first

    @property
    def last(self) -> int:
        """The last version of the film."""
        return self.screening.film.last

    @property
    def playing(self) -> bool:
        """Whether the film is running."""
        return self.player.playing

    @property
    def rate(self) -> float:
        """Speed of the film, a factor."""
        return self.player.rate

    @property
    def marks(self) -> Sequence[Mark]:
        """Notable moments, as far as they are known."""
        return self.reading.marks

    @property
    def progress(self) -> float:
        """Share of the film that has been read, from 0 to 1."""
        return self.reading.progress

    @property
    def eyes(self) -> Sequence[str]:
        """Names of the available points of view; empty if all see the same."""
        film = self.screening.film
        if film.rules.event_for is told_to_all or len(film.audiences) < 2:
            return ()
        return [_("Seen by all") if seat is None else self.screening.name(seat) for seat in film.audiences]

    @property
    def eye(self) -> int:
        """Index of the present point of view."""
        return self.screening.film.audiences.index(self.screening.audience)

    # Actions of the bar

    def play(self) -> None:
        """Start or stop the film; at the end start it from the beginning."""
        if self.at == self.last and not self.playing:
            self.seek(self.first)
        self.player.turn()
        self.bar.show()

    def step(self, by: int) -> None:
        """Go to the next decision with all steps on the way, or jump to the one before."""
        self.player.playing = False
        if by < 0:
            self.seek(self.screening.turn(by))
            return
        self.top.hurry()
        goal = self.screening.turn(by)
        while self.at < goal:
            self._go_on()
        self.bar.show()

    def play_to(self, n: int) -> None:
        """Go to a later version; the rate decides whether events on the way are shown or skipped."""
        while self.at < min(n, self.last):
            self._go_on()
        self.bar.show()

    def jump(self, by: int) -> None:
        """Go to the next mark, or to the one before; beyond them to the end or the beginning."""
        versions = [mark.version for mark in self.marks]
        if by > 0:
            self.seek(next((n for n in versions if n > self.at), self.last))
        else:
            self.seek(next((n for n in reversed(versions) if n < self.at), self.first))

    def seek(self, n: int) -> None:
        """Jump to any version."""
        if n != self.at:
            self.screening.leap(n)
            self._show()

    def aim(self, n: int) -> None:
        """Jump to a version with the next frame."""
        self._aim = n

    def _show(self) -> None:
        self.top.leap(self.screening.story())
        self.bar.show()

    def run_at(self, rate: float) -> None:
        """Set the speed. If moves are too fast to be seen, end the present ones."""
        self.player.rate = self._play_settings.rate = rate
        if not self.player.shown:
            self.top.hurry()
        self.bar.show()

    def faster(self, by: int) -> None:
        """Change to the next rate, or to the one before."""
        self.run_at(RATES[min(len(RATES) - 1, max(0, RATES.index(self.rate) + by))])

    def see_with(self, eye: int) -> None:
        """Set the point of view."""
        self.screening.see_with(self.screening.film.audiences[eye])
        self._show()

    def blink(self) -> None:
        """Change to the next point of view, if there are several."""
        if self.eyes:
            self.see_with((self.eye + 1) % len(self.eyes))

    def chart(self) -> None:
        """Show the charts of the match."""
        self.player.playing = False
        self.bar.show()
        self._charts(self.reading)

    def close(self) -> None:
        """Close the replay."""
        self.reading.stop()
        self._close()

    # Life cycle

    def begin(self) -> None:
        """Show the first version."""
        self._show()

    def update(self, seconds: float) -> bool:
        """Advance by some seconds; return whether the display changed."""
        aim, self._aim = self._aim, None
        if aim is not None:
            self.seek(aim)
        busy = self.top.busy or self.top.motion.flying
        due = self.player.due(seconds, busy=busy)
        for _version in range(min(due, self.last - self.at)):
            self._go_on()
        if self.playing and self.at == self.last:
            self.player.playing = False
        self.bar.show()
        return self.top.update(seconds) or due > 0 or aim is not None

    def _go_on(self) -> None:
        self.screening.go_on()
        self.top.hear(missed=not self.player.shown)

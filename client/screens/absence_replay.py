"""Replay of what concerned the player while they were away: at most a minute, then the present."""

from collections.abc import Callable, Sequence

from client.drawing import shapes, theme
from client.drawing.widgets import Label, Panel
from client.language import _
from client.replay.absence_scenes import SceneTiming
from client.replay.film import AnyFilm
from client.replay.film_player import RATES
from client.screens.application import Application
from client.screens.replay import ReplayScreen
from shared.ids import Seat
from shared.messages import SeatInfo

LONG_ENOUGH = 2.0
"""Minimum seconds, counted at normal speed, for which each scene is shown."""


class AbsenceScreen(ReplayScreen):
    """Plays scene after scene by itself; any key or click leads to the present."""

    def __init__(
        self, app: Application, film: AnyFilm, seats: Sequence[SeatInfo], *, seat: Seat, scenes: list[int],
        close: Callable[[], object], words: str = "",
    ) -> None:  # fmt: skip
        """`words`: text below the board, with places for {n} and {all} scenes."""
        super().__init__(app, film, seats, close=close)
        if seat in film.audiences:
            self.screening.see_with(seat)
        self._pattern = words or _("While you were away: {n} of {all}. Any key skips to the present.")
        self.course = SceneTiming(scenes)
        self._rate = next((rate for rate in (1.0, 2.0) if self.course.each * rate >= LONG_ENOUGH), RATES[-1])
        self._shown = 0
        """Number of scenes that have begun."""

    def layout(self, width: float, height: float) -> None:
        super().layout(width, height)
        plate = self.replay_control.bar.rect  # Nothing of it is of use here.
        self.ui.add(Panel(plate, shapes.PANEL))
        self._words = self.ui.add(
            Label(self._said(), plate.x, plate.y, size=theme.LARGE, align="center", limit=plate.width - theme.px(30))
        )

    def on_show(self) -> None:
        super().on_show()
        self.replay_control.run_at(self._rate)

    def _said(self) -> str:
        course = self.course
        if self._shown == len(course.scenes):
            return _("This is how it stands now.")
        return self._pattern.format(n=max(1, self._shown), all=len(course.scenes))

    def on_update(self, seconds: float) -> bool:
        changed = super().on_update(seconds)
        self.course.pass_time(seconds)
        while self._shown < min(self.course.number + 1, len(self.course.scenes)):
            self._show_next()
            changed = True
        if self.course.number == len(self.course.scenes) and self.replay_control.at != self.replay_control.last:
            self.replay_control.seek(self.replay_control.last)
        before, self._words.words = self._words.words, self._said()
        if self.course.over:
            self.leave_table()
        return changed or self._words.words != before

    def _show_next(self) -> None:
        """Show the next scene and hasten what still moves of the last one."""
        version = self.course.scenes[self._shown]
        self._shown += 1
        self.top.events.hurry()
        # From the version before, so that its events are seen to happen.
        if version - 1 != self.replay_control.at:
            self.replay_control.seek(version - 1)
        self.replay_control.play_to(version)

    def on_draw(self) -> None:
        super().on_draw()
        self.ui.draw()

    def back(self) -> None:
        self.leave_table()

    def on_key_press(self, symbol: int, modifiers: int) -> bool:
        self.leave_table()
        return True

    def on_mouse_press(self, x: float, y: float, button: int, modifiers: int) -> bool:
        self.leave_table()
        return True

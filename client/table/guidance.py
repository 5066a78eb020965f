"""Guidance at the table: the coach of a lesson, or hints without one, and marks on what they point at."""

from collections.abc import Sequence
from typing import Generic

from arcade.types import Rect

from client.network.model import VersionedEvent
from client.network.table_events import TableEvent
from client.table.coach import Coach, Mark, marks_on, meant
from client.table.display import Display
from client.table.event_playback import EventPlayback
from client.table.layout import SidePart
from client.table.match import TableMatch
from client.table.news import Hinting
from client.table.pane import Pane
from client.table.pane_layout import PaneLayout
from client.table.position import T
from client.table.task_host import TaskHost
from shared.lessons.lesson import Lit


class Guidance(Generic[T]):
    """Guidance of a player through the decisions of one match."""

    def __init__(
        self, match: TableMatch[T], events: EventPlayback[T], tasks: TaskHost[T], display: Display[T],
        layout: PaneLayout[T], hinting: Hinting[T] | None,
    ) -> None:  # fmt: skip
        self._match = match
        self._events = events
        self._tasks = tasks
        self._display = display
        self._layout = layout
        self._hinting = hinting

    def hear(self, story: Sequence[VersionedEvent], news: Sequence[VersionedEvent]) -> None:
        """Note events: those from before this client came, and new ones."""
        coach = self._layout.side.coach
        if coach is not None:
            coach.hear([*story, *news])
        if self._hinting is not None:
            self._hinting.hear([one.event for one in news if not isinstance(one.event, TableEvent)])

    def follow(self) -> None:
        """Let the coach see the position, and look for a hint that fits; after a battle only once it was shown."""
        match, coach, hinting = self._match, self._layout.side.coach, self._hinting
        table, task, busy = match.view, self._tasks.task, self._events.busy
        if table is None:
            return
        if coach is not None and not busy and coach.follow(table, match.seat, task):
            self._layout.side.unfold(SidePart.COACH)
        if hinting is None:
            return
        if not busy:
            hinting.leave(table)
        if match.finished:
            # The next version, so that no hint comes at the end of a match either.
            hinting.put_away(match.version + 1)
        elif match.is_mine and not busy:
            hinting.follow(table, match.seat, task, match.version, self._is_usable)

    def _is_usable(self, lit: Lit) -> bool:
        """Whether a button that is pointed at exists, and no sheet lies in the place of the hint."""
        layout = self._layout
        if layout.sheets.coming is not None and layout.sheet_area.right > layout.board.rect.right:
            return False
        widgets = [widget for pane in layout.button_panes for widget in pane.ui.widgets]
        return not lit.buttons or any(meant(lit, widgets))

    def marks(self) -> list[Mark]:
        """Return the marks of the coach, or of a hint."""
        hinting, coach = self._hinting, self._layout.side.coach
        if self._events.busy:
            return []
        if hinting is not None and self._match.is_mine:
            lit = hinting.lit
            return marks_on(lit, self._points(lit), self.names(lit), self._layout.button_panes, {})
        return self._lessons_marks(coach) if coach is not None else []

    def _points(self, lit: Lit) -> list[tuple[float, float]]:
        """Return the points of the board that are pointed at, in the window."""
        points = [*map(self._display.middle, lit.spaces), *map(self._display.berth, lit.coasts)]
        return [self._display.board.camera.to_window(*point) for point in points]

    def names(self, lit: Lit) -> list[Rect]:
        """Return the rectangles of the painted names, in the window; none if nothing on the board is pointed at."""
        names = self._display.board.geography.names if lit.spaces or lit.coasts else ()
        return [self._display.window_rect(box) for box in names]

    def _lessons_marks(self, coach: Coach[T]) -> list[Mark]:
        layout, side, lit = self._layout, self._layout.side, coach.lit
        bar, strip, header = layout.button_panes
        sheet = layout.sheets.lying
        panes: Sequence[Pane] = (bar, strip) if sheet is None else (sheet, bar, strip)
        named: dict[str, Pane] = {"strip": strip, "header": header}
        for name, pane in (("roster", side.roster), ("chronicle", side.chronicle)):
            named[name] = side.tabs if pane.is_hidden else pane
        marks = marks_on(lit, self._points(lit), self.names(lit), panes, named)
        if not (self._match.is_mine or lit.pane):
            marks = [mark for mark in marks if mark.round]
        return [mark for mark in marks if not (mark.round and layout.covers(mark.rect.x, mark.rect.y))]

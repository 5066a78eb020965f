"""Mouse at the table: the thing under it, and its tooltip once the mouse has rested there."""

from math import inf
from typing import Any, Final, Generic

from client.drawing.tooltip import draw_tooltip
from client.language import _
from client.table.battle_panel import BattlePanel
from client.table.display import Display
from client.table.event_playback import EventPlayback
from client.table.guide import Look
from client.table.match import TableMatch
from client.table.pane_layout import PaneLayout
from client.table.person_choices import people
from client.table.pieces import Force
from client.table.position import T
from client.table.province_preview import draw_province_list
from client.table.words import called
from shared.board import BOARD
from shared.ids import NONE, Seat, Space

_TIP_DELAY: Final = 0.45
"""Seconds that the mouse rests before a tooltip appears."""


class Pointer(Generic[T]):
    """Mouse over the table. `at`: its place in the window."""

    def __init__(
        self, match: TableMatch[T], look: Look[T], display: Display[T], stage: BattlePanel[Any, Any],
        layout: PaneLayout[T], events: EventPlayback[T],
    ) -> None:  # fmt: skip
        self._match = match
        self._look = look
        self._display = display
        self._stage = stage
        self._layout = layout
        self._events = events
        self.at = (0.0, 0.0)
        self.rested = 0.0
        """Seconds since the mouse moved; -inf after an action, which ends the tooltip."""
        self._first_words = ""
        """Words of the tooltip when it appeared."""

    def move(self, x: float, y: float) -> None:
        """Note a move of the mouse."""
        self.at, self.rested = (x, y), 0.0

    def end_tip(self) -> None:
        """Hide the tooltip until the mouse moves."""
        self.rested = -inf

    def update(self, seconds: float) -> bool:
        """Count the seconds since the mouse moved; return whether a tooltip may appear now."""
        rested, self.rested = self.rested, self.rested + seconds
        if rested == 0.0:
            self._first_words = ""
        return rested <= _TIP_DELAY < self.rested and bool(self.tip())

    @property
    def space(self) -> Space:
        """The space of the board under the mouse, if nothing lies over it."""
        x, y = self.at
        free = self._match.view is not None and self._display.board.camera.holds(x, y) and not self._stage.holds(x, y)
        return self._display.under(x, y)[1] if free and self._layout.pane_at(x, y) is None else NONE

    def forces(self) -> list[Force]:
        """Return all forces in the province under the mouse, if they are drawn as plates and need a full list."""
        space = self.space
        forces = self._look.forces(self._events.board_position, space) if 0 <= space < BOARD.provinces else []
        return forces if self._display.plated(space) else []

    def tip(self) -> str:
        """Return the words about the thing under the mouse."""
        x, y = self.at
        pane = self._layout.pane_at(x, y)
        if pane is not None:
            name = pane.person_at(x, y)[0]
            about = _("Click to report {name}, or to hide what they say.", name=name)
            return "\n".join(filter(None, (pane.tip(x, y), about if name in people(self._match) else "")))
        return self._stage.tip(x, y) or self.describe(self.space)

    def describe(self, space: Space) -> str:
        """Return the words about a space; "" for none."""
        return self._look.describe(self._events.board_position, space, self._called) if space != NONE else ""

    def _called(self, seat: Seat) -> str:
        return called(seat, self._match.seat, self._match.name)

    def draw_tip(self) -> None:
        """Draw the tooltip if it is due."""
        if self.rested <= _TIP_DELAY:
            return
        words = self.tip()
        self._first_words = self._first_words or words
        # The first line names the thing; the others may change while it is read.
        if words.partition("\n")[0] != self._first_words.partition("\n")[0]:
            self.end_tip()  # Something else came under the pointer by itself.
        elif words:
            self._draw(words)

    def _draw(self, words: str) -> None:
        forces, space, pane = self.forces(), self.space, self._layout.pane_at(*self.at)
        widget = pane.ui.at(*self.at) if pane is not None else None
        spoken = widget.rect if widget is not None else self._stage.rect
        if widget is None and space != NONE:
            spoken = self._display.extent(space)
        avoid = self._layout.tip_obstacles(pane)
        if forces:
            draw_province_list(words, forces, self._called, self._look.leaders, self.at, spoken, avoid)
        else:
            draw_tooltip(words, self.at, spoken, avoid)

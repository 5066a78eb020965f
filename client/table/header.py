"""Header above the board: round, the phases of the turn, the clock, help and menu."""

from collections.abc import Callable, Sequence
from typing import Final

import arcade

from client.drawing import shapes, theme
from client.drawing.widgets import Button
from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.language import _, heard
from client.player.clock_presets import HURRY, brief
from client.table.guide import Heading
from client.table.pane import Pane, Plates, seat_disc
from client.table.scene import Scene
from shared.ids import NONE

HEIGHT: Final = 46.0
_BUTTON: Final = 76.0
"""Least width of a button; longer words get as much as they need."""
_GAP: Final = 5.0
_AIR: Final = (4.0, 20.0)
"""Space around the name of a phase, at least and at most."""
_BACK: Final = shapes.Plate((66, 44, 30, 255), (44, 30, 21, 255), theme.BRONZE, 1.0, grain=0.3)
_CHIP_ON: Final = shapes.Plate(theme.PARCHMENT_LIGHT, theme.PARCHMENT_DEEP, theme.GOLD, 1.5, radius=5, bevel=0.2)


class Header(Pane):
    """Pane above the board with round, phases, clock and buttons."""

    def __init__(
        self, menu: Callable[[], object], rules: Callable[[], object], odds: Callable[[], object],
        advice: Callable[[], object] | None,
    ) -> None:  # fmt: skip
        """`advice`: asks for advice; None leaves out its button."""
        super().__init__()
        self.scene: Scene | None = None
        self.clock = ""
        self._hurry = False
        self._menu = menu
        self._rules = rules
        self._odds = odds
        self._advice = advice
        self._unadvised = ""
        self._free = 0.0
        """Left edge of the buttons at the right."""

    def show(self, scene: Scene, seconds: float | None, paused: bool = False) -> None:
        """Show this scene; `seconds` are left for the decision, unless the match is `paused`."""
        clock = _("Paused") if paused else "" if seconds is None else brief(seconds)
        hurry = seconds is not None and seconds < HURRY and not paused
        if (scene, clock, hurry) != (self.scene, self.clock, self._hurry):
            self.scene, self.clock, self._hurry = scene, clock, hurry
            self.touch()

    def offer(self, reason: str) -> None:
        """Set the reason why advice is not available now; "" enables its button."""
        if reason != self._unadvised:
            self._unadvised = reason
            self.rebuild()

    def build(self) -> None:
        height = theme.px(32)
        right = self.rect.right - theme.px(8)
        reason = heard(self._unadvised) if self._unadvised else ""
        advice = _("What the strongest bot would do, and why (H)")
        for words, action, tip, usable in (
            (_("Menu"), self._menu, _("Concede, leave … ({key})", key=told(Command.MENU)), True),
            (_("Rules"), self._rules, told(Command.HELP), True),
            (_("Odds"), self._odds, _("The odds of a battle ({key})", key=told(Command.ODDS)), True),
            (_("Advice"), self._advice, reason or advice, not reason),
        ):
            if action is None:
                continue
            width = Button.width(words, _BUTTON)
            rect = arcade.LBWH(right - width, self.rect.y - height / 2, width, height)
            self.ui.add(Button(rect, words, action, tip=tip, size=theme.BODY, enabled=usable))
            right -= width + theme.px(_GAP)
        self._free = right

    def plates(self) -> Plates:
        return [(self.rect, _BACK)]

    def paint(self) -> None:
        rect = self.rect
        if self.scene is None:
            return
        x, y = rect.left + theme.px(14), rect.y
        heading = self.scene.heading
        line = shapes.say(heading.words, x, y, size=theme.LARGE, title=True, colour=theme.GOLD)
        x += line.content_width + theme.px(16)
        if heading.active != NONE:
            seat_disc(heading.active, x + theme.px(14), y, theme.px(30))
            x += theme.px(40)
        free = self._clock(y)
        self._watchers(self._phases(heading, x, y, free), free)

    def _clock(self, y: float) -> float:
        """Draw the time left for the decision, if it is limited; return its left edge."""
        right = self._free - theme.px(8)
        if not self.clock:
            return right
        colour = theme.TERRACOTTA_LIGHT if self._hurry else theme.PARCHMENT_LIGHT
        line = shapes.say(self.clock, right, y, size=theme.LARGE + 2, bold=True, align="right", colour=colour)
        return right - line.content_width - theme.px(12)

    def _watchers(self, left: float, right: float) -> None:
        """Draw the number of spectators, if there is room for it."""
        count = self.scene.watchers if self.scene is not None else 0
        if count:
            words = _("{n} watching", n=count)
            line = shapes.kept(words, size=theme.SMALL, colour=theme.alpha(theme.PARCHMENT, 190), anchor_y="center")
            if right - line.content_width > left:
                line.position = round(right - line.content_width), round(self.rect.y)
                line.draw()

    def _phases(self, heading: Heading, x: float, y: float, free: float) -> float:
        """Draw the phases from `x` on, up to `free`, closer together where there is little room; return where they
        end."""
        height, arrow = theme.px(28), theme.px(12)
        lines = [self._phase(heading, i) for i in range(len(heading.phases))]
        room = free - x
        shown = _nearest([line.content_width + theme.px(_AIR[0]) + arrow for line in lines], heading.on, room)
        words = sum(lines[i].content_width for i in shown) + arrow * (len(shown) - 1)
        air = min(theme.px(_AIR[1]), max(theme.px(_AIR[0]), (room - words) / max(1, len(shown))))
        for i in shown:
            line = lines[i]
            width = line.content_width + air
            if i == heading.on:
                shapes.plate(arcade.LBWH(x, y - height / 2, width, height), _CHIP_ON)
            line.position = round(x + air / 2), round(y)
            line.draw()
            x += width
            if i < shown[-1]:
                r = theme.px(4)
                arcade.draw_polygon_filled([(x + r, y + r), (x + 2 * r, y), (x + r, y - r)], theme.BRONZE_LIGHT)
                x += arrow
        return x

    @staticmethod
    def _phase(heading: Heading, i: int) -> arcade.Text:
        """Return the name of a phase; past phases are paler."""
        on = i == heading.on
        colour = theme.INK if on else theme.alpha(theme.PARCHMENT, 235 if i > heading.on else 130)
        return shapes.kept(heading.phases[i], size=theme.BODY, colour=colour, bold=on, anchor_y="center")


def _nearest(widths: Sequence[float], on: int, room: float) -> range:
    """Return the visible range of words in a row: those around the one that is `on`, as many as fit. Later words come
    before earlier ones."""
    first = last = max(0, on)
    while True:
        if last + 1 < len(widths) and sum(widths[first : last + 2]) <= room:
            last += 1
        elif first > 0 and sum(widths[first - 1 : last + 1]) <= room:
            first -= 1
        else:
            return range(first, min(last + 1, len(widths)))

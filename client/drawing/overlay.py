"""What is said above all screens: passing notices, and the banner while the server is away."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, TypeAlias

import arcade
from arcade.types import Rect
from msgspec import Struct
from msgspec.structs import replace

from client.drawing import shapes, theme
from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.language import _

Tone: TypeAlias = Literal["plain", "good", "bad"]
"""Whether a notice is neither, or good or bad news."""
_LIFE: Final[dict[Tone, float]] = {"plain": 6.0, "good": 5.0, "bad": 12.0}
"""Seconds that a notice stays."""
_RISING: Final = 0.18
"""Seconds that it takes to rise."""
_MOST: Final = 3
_EDGE: Final[dict[Tone, theme.Colour]] = {
    "plain": theme.BRONZE_LIGHT,
    "good": theme.OLIVE,
    "bad": theme.TERRACOTTA_LIGHT,
}

_BANNER: Final = shapes.Plate(theme.WINE, theme.mix(theme.WINE, theme.NIGHT, 0.35), theme.GOLD, 1.2, radius=8,
                             shadow=12)  # fmt: skip


class _Notice(Struct, frozen=True):
    """What is said in passing, and for how many seconds by now. `rule`: the id of the one that it is about."""

    words: str
    tone: Tone
    rule: str = ""
    age: float = 0.0

    @property
    def full(self) -> str:
        """With how one comes to the page of the rule."""
        more = _("{key} or a click opens the page of the rule.", key=told(Command.HELP))
        return f"{self.words}\n{more}" if self.rule else self.words


class Toasts:
    """Short notices that rise at the lower edge and go away by themselves."""

    def __init__(self, rising: Callable[[], bool] = lambda: True) -> None:
        """`rising`: whether they may move."""
        self._rises = rising
        self._said: list[_Notice] = []

    @property
    def words(self) -> list[str]:
        """What is being said, oldest first."""
        return [notice.words for notice in self._said]

    @property
    def cited(self) -> str:
        """The rule that the last of it is about; empty where it is about none."""
        return self._said[-1].rule if self._said else ""

    def say(self, words: str, tone: Tone, rule: str = "") -> None:
        """Add a notice; the same words again only stay longer."""
        kept = [notice for notice in self._said if notice.words != words]
        self._said = [*kept[1 - _MOST :], _Notice(words, tone, rule)]

    def forget(self, rule: str) -> None:
        """What is about that rule was read."""
        self._said = [notice for notice in self._said if notice.rule != rule]

    def update(self, seconds: float) -> bool:
        """Time passes; whether anything looks different now: one rises, or is gone."""
        before = self._said
        older = [replace(notice, age=notice.age + seconds) for notice in before]
        self._said = [notice for notice in older if notice.age < _LIFE[notice.tone]]
        return len(self._said) < len(before) or any(notice.age < _RISING for notice in before)

    def draw(self, area: Rect) -> None:
        """Draw them from the lower edge of an area up."""
        for notice, rect in zip(reversed(self._said), self.places(area), strict=False):
            line, high = _line(notice.full, area.width), rect.height
            edge = _EDGE[notice.tone]
            shapes.plate(rect, replace(shapes.TIP, line=edge))
            stripe = arcade.LBWH(rect.left + theme.px(9), rect.bottom + theme.px(9), theme.px(4), high - theme.px(18))
            arcade.draw_rect_filled(stripe, edge)
            line.position = round(rect.left + theme.px(26)), round(rect.top - theme.px(11))
            line.draw()

    def at(self, x: float, y: float, area: Rect) -> str:
        """The rule that the notice under a point is about; empty where there is none."""
        pairs = zip(reversed(self._said), self.places(area), strict=False)
        return next((notice.rule for notice, rect in pairs if rect.point_in_rect((x, y))), "")

    def places(self, area: Rect) -> list[Rect]:
        """Where they lie, the newest first; what would leave the area gives way."""
        rects: list[Rect] = []
        bottom = area.bottom
        for notice in reversed(self._said):
            line = _line(notice.full, area.width)
            high, box = line.content_height + theme.px(22), line.content_width + theme.px(56)
            if rects and bottom + high > area.top:
                break
            rise = theme.px(18) * (1 - min(1.0, notice.age / _RISING)) if self._rises() else 0.0
            rects.append(arcade.LBWH(area.x - box / 2, bottom - rise, box, high))
            bottom += high + theme.px(8)
        return rects


def _line(words: str, width: float) -> arcade.Text:
    wide = min(theme.px(640), width - theme.px(40))
    return shapes.kept(words, size=theme.read(theme.BODY), colour=theme.IVORY, width=wide - theme.px(56))


def banner(words: str, width: float, height: float) -> None:
    """One line at the upper edge of a window of that size; nothing without words."""
    if not words:
        return
    line = shapes.kept(words, colour=theme.IVORY, align="center", anchor_y="center", limit=width * 0.6)
    wide, high = line.content_width + theme.px(56), theme.px(36)
    rect = arcade.LBWH((width - wide) / 2, height - high - theme.px(6), wide, high)
    shapes.plate(rect, _BANNER)
    line.position = round(rect.x), round(rect.y)
    line.draw()

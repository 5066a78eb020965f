"""What is said above all screens: passing notices, and the banner while the server is away."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, TypeAlias

import arcade
from arcade.types import Rect
from msgspec.structs import replace

from client.drawing import brush, theme

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

_BANNER: Final = brush.Plate(theme.WINE, theme.mix(theme.WINE, theme.NIGHT, 0.35), theme.GOLD, 1.2, radius=8,
                             shadow=12)  # fmt: skip


class Toasts:
    """Short notices that rise at the lower edge and go away by themselves."""

    def __init__(self, rising: Callable[[], bool] = lambda: True) -> None:
        """`rising`: whether they may move."""
        self._rises = rising
        self._said: list[tuple[str, Tone, float]] = []

    @property
    def words(self) -> list[str]:
        """What is being said, oldest first."""
        return [words for words, _, _ in self._said]

    def say(self, words: str, tone: Tone) -> None:
        """Add a notice; the same words again only stay longer."""
        kept = [entry for entry in self._said if entry[0] != words]
        self._said = [*kept[1 - _MOST :], (words, tone, 0.0)]

    def update(self, seconds: float) -> bool:
        """Time passes; whether anything looks different now: one rises, or is gone."""
        before = self._said
        self._said = [(w, t, age + seconds) for w, t, age in before if age + seconds < _LIFE[t]]
        return len(self._said) < len(before) or any(age < _RISING for _, _, age in before)

    def draw(self, area: Rect) -> None:
        """Draw them from the lower edge of an area up."""
        for (words, tone, _), rect in zip(reversed(self._said), self.places(area), strict=False):
            line, high = _line(words, area.width), rect.height
            brush.plate(rect, replace(brush.TIP, line=_EDGE[tone]))
            stripe = arcade.LBWH(rect.left + theme.px(9), rect.bottom + theme.px(9), theme.px(4), high - theme.px(18))
            arcade.draw_rect_filled(stripe, _EDGE[tone])
            line.position = round(rect.left + theme.px(26)), round(rect.top - theme.px(11))
            line.draw()

    def places(self, area: Rect) -> list[Rect]:
        """Where they lie, the newest first; what would leave the area gives way."""
        rects: list[Rect] = []
        bottom = area.bottom
        for words, _, age in reversed(self._said):
            line = _line(words, area.width)
            high, box = line.content_height + theme.px(22), line.content_width + theme.px(56)
            if rects and bottom + high > area.top:
                break
            rise = theme.px(18) * (1 - min(1.0, age / _RISING)) if self._rises() else 0.0
            rects.append(arcade.LBWH(area.x - box / 2, bottom - rise, box, high))
            bottom += high + theme.px(8)
        return rects


def _line(words: str, width: float) -> arcade.Text:
    wide = min(theme.px(640), width - theme.px(40))
    return brush.kept(words, size=theme.BODY, colour=theme.IVORY, width=wide - theme.px(56))


def banner(words: str, width: float, height: float) -> None:
    """One line at the upper edge of a window of that size; nothing without words."""
    if not words:
        return
    line = brush.kept(words, colour=theme.IVORY, align="center", anchor_y="center", limit=width * 0.6)
    wide, high = line.content_width + theme.px(56), theme.px(36)
    rect = arcade.LBWH((width - wide) / 2, height - high - theme.px(6), wide, high)
    brush.plate(rect, _BANNER)
    line.position = round(rect.x), round(rect.y)
    line.draw()

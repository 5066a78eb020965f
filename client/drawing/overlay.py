"""Messages above all screens: toasts, and the banner while the server is unreachable."""

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
"""Tone of a toast: neutral, good or bad news."""
_LIFE: Final[dict[Tone, float]] = {"plain": 6.0, "good": 5.0, "bad": 12.0}
"""Seconds that a toast stays."""
_RISING: Final = 0.18
"""Seconds that it takes to rise."""
_SEEN: Final = 0.3
"""Seconds after which a click on it counts; before, it was meant for what lies below."""
_MOST: Final = 3
_EDGE: Final[dict[Tone, theme.Colour]] = {
    "plain": theme.BRONZE_LIGHT,
    "good": theme.OLIVE,
    "bad": theme.TERRACOTTA_LIGHT,
}

_BANNER: Final = shapes.Plate(theme.WINE, theme.mix(theme.WINE, theme.NIGHT, 0.35), theme.GOLD, 1.2, radius=8,
                             shadow=12)  # fmt: skip


class _Notice(Struct, frozen=True):
    """Toast, and the seconds that it has been shown. `rule`: id of the rule that it is about."""

    words: str
    tone: Tone
    rule: str = ""
    age: float = 0.0

    @property
    def full(self) -> str:
        """Text with the key that opens the rule's page."""
        more = _("{key} or a click opens the page of the rule.", key=told(Command.HELP))
        return f"{self.words}\n{more}" if self.rule else self.words


class Toasts:
    """Short messages that rise at the lower edge and disappear by themselves."""

    def __init__(self, rising: Callable[[], bool] = lambda: True) -> None:
        """`rising`: returns whether they may move."""
        self._rises = rising
        self._notices: list[_Notice] = []

    @property
    def words(self) -> list[str]:
        """Texts of the visible toasts, oldest first."""
        return [notice.words for notice in self._notices]

    @property
    def cited(self) -> str:
        """Rule of the latest toast; empty if it has none."""
        return self._notices[-1].rule if self._notices else ""

    def say(self, words: str, tone: Tone, rule: str = "") -> None:
        """Add a toast; a repeated text only stays longer."""
        others = [notice for notice in self._notices if notice.words != words]
        self._notices = [*others[1 - _MOST :], _Notice(words, tone, rule)]

    def forget(self, rule: str) -> None:
        """Remove the toasts about that rule: it was read."""
        self._notices = [notice for notice in self._notices if notice.rule != rule]

    def clear(self) -> None:
        """Remove all toasts."""
        self._notices = []

    def update(self, seconds: float) -> bool:
        """Advance time; return whether anything looks different now: a toast rises or is gone."""
        before = self._notices
        older = [replace(notice, age=notice.age + seconds) for notice in before]
        self._notices = [notice for notice in older if notice.age < _LIFE[notice.tone]]
        return len(self._notices) < len(before) or any(notice.age < _RISING for notice in before)

    def draw(self, area: Rect) -> None:
        """Draw them from the lower edge of an area upwards."""
        for notice, rect in zip(reversed(self._notices), self.places(area), strict=False):
            line, height = _line(notice.full, area.width), rect.height
            edge = _EDGE[notice.tone]
            shapes.plate(rect, replace(shapes.TIP, line=edge))
            stripe = arcade.LBWH(rect.left + theme.px(9), rect.bottom + theme.px(9), theme.px(4), height - theme.px(18))
            arcade.draw_rect_filled(stripe, edge)
            line.position = round(rect.left + theme.px(26)), round(rect.top - theme.px(11))
            line.draw()

    def at(self, x: float, y: float, area: Rect) -> str:
        """Return the rule of the toast under a point, once it was seen; empty if there is none."""
        pairs = zip(reversed(self._notices), self.places(area), strict=False)
        shown = ((notice, rect) for notice, rect in pairs if notice.age >= _SEEN)
        return next((notice.rule for notice, rect in shown if rect.point_in_rect((x, y))), "")

    def places(self, area: Rect) -> list[Rect]:
        """Return the rectangles, the newest first; old toasts that do not fit into the area are left out."""
        rects: list[Rect] = []
        bottom = area.bottom
        for notice in reversed(self._notices):
            line = _line(notice.full, area.width)
            height, box = line.content_height + theme.px(22), line.content_width + theme.px(56)
            if rects and bottom + height > area.top:
                break
            rise = theme.px(18) * (1 - min(1.0, notice.age / _RISING)) if self._rises() else 0.0
            rects.append(arcade.LBWH(area.x - box / 2, bottom - rise, box, height))
            bottom += height + theme.px(8)
        return rects


def _line(words: str, width: float) -> arcade.Text:
    wide = min(theme.px(640), width - theme.px(40))
    return shapes.kept(words, size=theme.read(theme.BODY), colour=theme.IVORY, width=wide - theme.px(56))


def banner(words: str, width: float, height: float) -> None:
    """Draw one line at the upper edge of a window of that size; nothing for an empty text."""
    if not words:
        return
    line = shapes.kept(words, colour=theme.IVORY, align="center", anchor_y="center", limit=width * 0.6)
    wide, high = line.content_width + theme.px(56), theme.px(36)
    rect = arcade.LBWH((width - wide) / 2, height - high - theme.px(6), wide, high)
    shapes.plate(rect, _BANNER)
    line.position = round(rect.x), round(rect.y)
    line.draw()

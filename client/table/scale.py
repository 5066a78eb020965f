"""The tribute scale below the board: everybody's marker, and where prices rise."""

from __future__ import annotations

from typing import Final

import arcade

from client import brush, theme
from client.table.pane import WOOD, Pane, seat_disc
from client.table.scene import Player, Scene
from shared.ids import NONE
from shared.rulesets.classic.property import INFLATION_MARKS

HEIGHT: Final = 38.0
_END: Final = 260
_PAPER: Final = brush.Plate(theme.PARCHMENT_LIGHT, theme.PARCHMENT_DEEP, theme.BRONZE_DEEP, 1.5, radius=4, grain=0.14)


class TributeScale(Pane):
    """See the module's docstring."""

    def __init__(self) -> None:
        super().__init__()
        self.scene: Scene | None = None

    def show(self, scene: Scene) -> None:
        """Show this."""
        if scene != self.scene:
            self.scene = scene
            self.touch()

    @property
    def _end(self) -> int:
        most = max((p.tribute for p in self.scene.players), default=0) if self.scene is not None else 0
        return max(_END, (most + 19) // 20 * 20)

    def _x(self, tribute: int) -> float:
        left, right = self.rect.left + theme.px(114), self.rect.right - theme.px(22)
        return left + (right - left) * tribute / self._end

    def paint(self) -> None:
        rect, y = self.rect, self.rect.y
        brush.plate(rect, WOOD)
        brush.plate(
            arcade.LRBT(
                rect.left + theme.px(4), rect.right - theme.px(4), rect.bottom + theme.px(3), rect.top - theme.px(3)
            ),
            _PAPER,
        )
        brush.say("TRIBUTE", rect.left + theme.px(14), y, size=theme.BODY, title=True, colour=theme.TERRACOTTA_DEEP)
        if self.scene is None:
            return
        base = rect.bottom + theme.px(7)
        for tribute in range(0, self._end + 1, 5):
            tall = theme.px(10 if tribute % 50 == 0 else 6 if tribute % 10 == 0 else 3)
            arcade.draw_line(self._x(tribute), base, self._x(tribute), base + tall, theme.INK_FAINT, 1)
            if tribute % 50 == 0 and all(abs(tribute - mark) > 5 for mark in INFLATION_MARKS):
                brush.say(
                    str(tribute),
                    self._x(tribute) + theme.px(3),
                    rect.top - theme.px(12),
                    size=theme.SMALL - 1,
                    colour=theme.INK_FAINT,
                )
        self._marks()
        for player, x, lift in self._spots():
            seat_disc(player.seat, x, y - theme.px(1) + lift, theme.px(25))

    def _marks(self) -> None:
        """Where inflation begins."""
        assert self.scene is not None
        rect = self.rect
        for level, mark in enumerate(INFLATION_MARKS):
            done = self.scene.triggered[level] != NONE
            colour = theme.INK_FAINT if done else theme.TERRACOTTA
            x = self._x(mark)
            arcade.draw_line(x, rect.bottom + theme.px(5), x, rect.top - theme.px(5), colour, 2)
            brush.say(
                f"{mark}  prices ×{level + 2}",
                x + theme.px(4),
                rect.top - theme.px(13),
                size=theme.SMALL,
                bold=True,
                colour=colour,
            )

    def _spots(self) -> list[tuple[Player, float, float]]:
        """Where the discs go: those that would cover each other fan out."""
        assert self.scene is not None
        living = sorted((p for p in self.scene.players if not p.out), key=lambda p: p.tribute)
        spots: list[tuple[Player, float, float]] = []
        for player in living:
            x = self._x(player.tribute)
            if spots and x - spots[-1][1] < theme.px(15):
                x = spots[-1][1] + theme.px(15)
            spots.append((player, x, 0.0))
        return spots

    def tip(self, x: float, y: float) -> str:
        if self.scene is None or not self.holds(x, y):
            return ""
        for player, at, _ in self._spots():
            if abs(x - at) < theme.px(12):
                return f"{player.name} collects {player.tribute} talents of tribute a turn."
        for level, mark in enumerate(INFLATION_MARKS):
            if abs(x - self._x(mark)) < theme.px(9):
                times = ("double", "triple")[level]
                return f"Once somebody's tribute reaches {mark}, prices {times} from his next turn on, for all."
        return ""

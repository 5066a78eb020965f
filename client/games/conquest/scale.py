"""The tribute scale below the board: everybody's marker, and where prices rise."""

from __future__ import annotations

from typing import Final

import arcade
from msgspec import Struct

from client.drawing import brush, theme
from client.games.conquest.position import Table, living
from client.table.pane import WOOD, seat_disc
from client.table.strip import Strip
from client.table.words import Who
from shared.ids import NONE, Seat

INFLATION_MARKS: Final = (105, 205)
"""Where prices rise, in both games."""
_END: Final = 260
_PAPER: Final = brush.Plate(theme.PARCHMENT_LIGHT, theme.PARCHMENT_DEEP, theme.BRONZE_DEEP, 1.5, radius=4, grain=0.14)


class _Payer(Struct, frozen=True):
    seat: Seat
    name: str
    tribute: int


class TributeScale(Strip[Table]):
    """See the module's docstring."""

    _payers: tuple[_Payer, ...] = ()
    """From the lowest tribute to the highest."""
    _done: tuple[bool, ...] = (False, False)
    """Which inflation marks were reached."""

    def read(self, table: Table, who: Who) -> object:
        payers = [_Payer(seat, who(seat), table.marker[seat]) for seat in living(table)]
        self._payers = tuple(sorted(payers, key=lambda payer: payer.tribute))
        self._done = tuple([seat != NONE for seat in table.triggered])
        return self._payers, self._done

    @property
    def _end(self) -> int:
        most = max((payer.tribute for payer in self._payers), default=0)
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
        for payer, x in self._spots():
            seat_disc(payer.seat, x, y - theme.px(1), theme.px(25))

    def _marks(self) -> None:
        """Where inflation begins."""
        rect = self.rect
        for level, mark in enumerate(INFLATION_MARKS):
            colour = theme.INK_FAINT if self._done[level] else theme.TERRACOTTA
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

    def _spots(self) -> list[tuple[_Payer, float]]:
        """Where the discs go: those that would cover each other fan out."""
        spots: list[tuple[_Payer, float]] = []
        for payer in self._payers:
            x = self._x(payer.tribute)
            if spots and x - spots[-1][1] < theme.px(15):
                x = spots[-1][1] + theme.px(15)
            spots.append((payer, x))
        return spots

    def tip(self, x: float, y: float) -> str:
        if not self.holds(x, y):
            return ""
        for payer, at in self._spots():
            if abs(x - at) < theme.px(12):
                return f"{payer.name} collects {payer.tribute} talents of tribute a turn."
        for level, mark in enumerate(INFLATION_MARKS):
            if abs(x - self._x(mark)) < theme.px(9):
                times = ("double", "triple")[level]
                return f"Once somebody's tribute reaches {mark}, prices {times} from his next turn on, for everybody."
        return ""

"""The tribute scale below the board: each player's marker, and the marks where prices rise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import arcade
from arcade.types import Rect
from msgspec import Struct

from client.drawing import shapes, theme
from client.language import Who, _
from client.table.pane import Plates, seat_disc
from client.table.status_strip import StatusStrip
from shared.ids import NONE, Seat
from shared.mechanics.pieces import living
from shared.mechanics.tribute import INFLATION_MARKS
from shared.rulesets.conquest.table import Table

_END: Final = 260
_DISC: Final = 17.0
"""Design width of a player's disc. The discs lie below the numbers, side by side."""
_PAPER: Final = shapes.Plate(theme.PARCHMENT_LIGHT, theme.PARCHMENT_DEEP, theme.BRONZE_DEEP, 1.5, radius=4, grain=0.14)


class _Payer(Struct, frozen=True):
    seat: Seat
    name: str
    tribute: int


class TributeScale(StatusStrip[Table]):
    """Strip below the board with the tribute scale."""

    _payers: tuple[_Payer, ...] = ()
    """Players from the lowest tribute to the highest."""
    _done: tuple[bool, ...] = (False, False)
    """Whether each inflation mark was reached."""

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

    def plates(self) -> Plates:
        rect, edge = self.rect, theme.px(3)
        paper = arcade.LRBT(rect.left + theme.px(4), rect.right - theme.px(4), rect.bottom + edge, rect.top - edge)
        return [*super().plates(), (paper, _PAPER)]

    def paint(self) -> None:
        rect, y = self.rect, self.rect.y
        shapes.say(_("TRIBUTE"), rect.left + theme.px(14), y, size=theme.BODY, title=True, colour=theme.TERRACOTTA_DEEP)
        base = rect.bottom + theme.px(7)
        for tribute in range(0, self._end + 1, 5):
            tall = theme.px(10 if tribute % 50 == 0 else 6 if tribute % 10 == 0 else 3)
            arcade.draw_line(self._x(tribute), base, self._x(tribute), base + tall, theme.INK_FAINT, 1)
        for level, mark in enumerate(INFLATION_MARKS):
            x = self._x(mark)
            arcade.draw_line(x, rect.bottom + theme.px(5), x, rect.top - theme.px(5), self._mark_colour(level), 2)
        for number in self.numbers():
            number.draw()
        for seat, disc in self.discs():
            seat_disc(seat, disc.x, disc.y, disc.width)

    def _mark_colour(self, level: int) -> theme.Colour:
        return theme.INK_FAINT if self._done[level] else theme.TERRACOTTA

    def numbers(self) -> list[arcade.Text]:
        """Return the texts above the scale: its numbers, and where inflation begins."""
        steps = range(0, self._end + 1, 50)
        plain = [step for step in steps if all(abs(step - mark) > 5 for mark in INFLATION_MARKS)]
        texts = [self._number(str(tribute), tribute, theme.INK_FAINT) for tribute in plain]
        for level, mark in enumerate(INFLATION_MARKS):
            texts.append(
                self._number(
                    _("{mark}  prices ×{what}", mark=mark, what=level + 2), mark, self._mark_colour(level), bold=True
                )
            )
        return texts

    def _number(self, words: str, tribute: int, colour: theme.Colour, bold: bool = False) -> arcade.Text:
        size = theme.SMALL if bold else theme.SMALL - 1
        text = shapes.kept(words, size=size, colour=colour, bold=bold, anchor_y="center")
        text.position = round(self._x(tribute) + theme.px(4)), round(self.rect.top - theme.px(9))
        return text

    def discs(self) -> list[tuple[Seat, Rect]]:
        """Return the players' discs below the numbers, clear of them and of each other."""
        y, side = self.rect.bottom + theme.px(11), theme.px(_DISC)
        return [(payer.seat, arcade.XYWH(x, y, side, side)) for payer, x in self._spots()]

    def _spots(self) -> list[tuple[_Payer, float]]:
        """Return the middle of each disc. Discs that would overlap move apart to both sides."""
        step = theme.px(_DISC)
        heaps: list[list[_Payer]] = []
        for payer in self._payers:
            heaps.append([payer])
            while len(heaps) > 1 and self._touch(heaps[-2], heaps[-1], step):
                heaps[-2:] = [heaps[-2] + heaps[-1]]
        return [(payer, self._first(heap, step) + i * step) for heap in heaps for i, payer in enumerate(heap)]

    def _touch(self, heap: Sequence[_Payer], other: Sequence[_Payer], step: float) -> bool:
        """Whether a heap of discs overlaps the next."""
        return self._first(heap, step) + len(heap) * step > self._first(other, step)

    def _first(self, heap: Sequence[_Payer], step: float) -> float:
        """Return the middle of the first of several discs side by side, as near to their tributes as possible."""
        middle = sum(self._x(payer.tribute) for payer in heap) / len(heap)
        first = middle - (len(heap) - 1) * step / 2
        return min(max(first, self._x(0)), self.rect.right - theme.px(8) - (len(heap) - 0.5) * step)

    def tip(self, x: float, y: float) -> str:
        if not self.holds(x, y):
            return ""
        for payer, at in self._spots():
            if abs(x - at) < theme.px(_DISC / 2):
                return _("{name} collects {tribute} talents of tribute a turn.", name=payer.name, tribute=payer.tribute)
        for level, mark in enumerate(INFLATION_MARKS):
            if abs(x - self._x(mark)) < theme.px(9):
                times = (_("double"), _("triple"))[level]
                return _(
                    "Once a player's tribute reaches {mark}, prices {times} from that player's next turn on, for all.",
                    mark=mark,
                    times=times,
                )
        return ""

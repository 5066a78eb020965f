"""Advice at the table: asked for by a button or a key, shown on a plate and on the board, followed through the desk."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final, Generic

import arcade
from arcade.types import Rect

from client.drawing import theme
from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.language import _, heard
from client.network.advice_request import AdviceTexts
from client.table.corner_buttons import HIGH as CORNER
from client.table.desk import Desk
from client.table.geography import Point
from client.table.match import TableMatch
from client.table.position import T
from client.table.text_plate import TextPlate
from shared.ids import Position, Seat
from shared.kernel.frames import Action

_WIDE: Final = 388.0
_NEAR: Final = 40.0
"""Margin in pixels around the points that the plate should not cover."""
_LOWER: Final = 128.0
"""Distance from the upper right corner at which the plate begins if something lies there already."""


class AdvicePlate(TextPlate):
    """Plate with the advice of a bot. `words`: sentences, of which the first is the advice; without any the plate is
    hidden."""

    def __init__(self, do: Callable[[], object], close: Callable[[], object]) -> None:
        super().__init__()
        self._do = do
        self._close = close
        self._lines = self.rect
        self._at = 0
        """Index of its place among the possible ones."""
        self._points: tuple[Point, ...] = ()
        self._taken: tuple[Rect, ...] = ()
        self.words: tuple[str, ...] = ()
        self.seat: Seat = 0
        self.thinking = False

    @property
    def lines(self) -> Sequence[str]:
        return self.words

    @property
    def pending(self) -> bool:
        return self.thinking

    @property
    def has_buttons(self) -> bool:
        return self.shown and not self.thinking

    def show(self, words: Sequence[str], seat: Seat, thinking: bool) -> None:
        """Show these sentences to a seat, or that an answer is still to come."""
        if (tuple(words), seat, thinking) != (self.words, self.seat, self.thinking):
            self.words, self.seat, self.thinking = tuple(words), seat, thinking
            self.over(self._board)

    def beside(self, lines: Rect) -> None:
        """Note where the lines of the chronicle lie."""
        self._lines = lines

    def over(self, board: Rect) -> None:
        """Choose the place that covers the least of importance, beside the board or on it. The height follows the
        words."""
        self._board = board
        width = min(theme.px(_WIDE), board.width * 0.6)
        places = [*_places(board, width, self.tall(width)), *self._aside()]
        covered = [self._covered(place) for place in places]
        if self._at >= len(places) or covered[self._at] > min(covered):
            self._at = covered.index(min(covered))  # Else it stays where the player found it before.
        self.place(places[self._at])

    def _aside(self) -> Iterator[Rect]:
        """Yield the place over the chronicle if it is high enough. Its lines can wait until the advice has been
        read."""
        lines = self._lines
        height = self.tall(lines.width)
        if height <= lines.height:
            yield arcade.LBWH(lines.left, lines.top - height, lines.width, height)

    def spare(self, points: Sequence[Point], taken: Sequence[Rect]) -> None:
        """Avoid covering these points and rectangles of the window where possible."""
        if (tuple(points), tuple(taken)) != (self._points, self._taken):
            self._points, self._taken = tuple(points), tuple(taken)
            self.over(self._board)

    def _covered(self, rect: Rect) -> int:
        near = theme.px(_NEAR)
        wider = arcade.LRBT(rect.left - near, rect.right + near, rect.bottom - near, rect.top + near)
        points = sum(bool(wider.point_in_rect(point)) for point in self._points)
        return 2 * points + sum(bool(rect.overlaps(other)) for other in self._taken)

    def build(self) -> None:
        if not self.has_buttons:
            return
        keys = _("{key} or {other}", key=told(Command.CONFIRM), other=told(Command.ADVISED))
        self.button(0, 2, _("Do it"), self._do, "primary", keys)
        tip = _("{key} or {other}", key=told(Command.ADVICE), other=told(Command.BACK))
        self.button(1, 2, _("Not now"), self._close, "plain", tip)

    def paint(self) -> None:
        self.paint_words(self.seat, _("Advice"))


def _places(board: Rect, width: float, height: float) -> list[Rect]:
    """Return the possible places on the board, the best first."""
    gap = theme.px(8)
    left, right, low, top = board.left + gap, board.right - width - gap, board.bottom + gap, board.top - height - gap
    below = top - theme.px(CORNER) - gap
    corners = (right, top), (left, low), (left, below), (right, low), (right, top - theme.px(_LOWER))
    return [arcade.LBWH(x, y, width, height) for x, y in corners]


_THINKING: Final = (_("Thinking about your place …"),)
_CLOSE: Final = "\N{NO-BREAK SPACE}"


class Advice(Generic[T]):
    """Advice of a bot at the table. `stops`: the positions of an action; `changed`: called when something else is
    shown."""

    def __init__(
        self, match: TableMatch[T], desk: Desk[T], stops: Callable[[T, Action], Sequence[Position]],
        changed: Callable[[], object],
    ) -> None:  # fmt: skip
        self._match = match
        self._desk = desk
        self._stops = stops
        self._changed = changed
        self._shown: AdviceTexts | None = None
        self.hidden = False
        """Whether advice is hidden because a battle is being shown, whose outcome it would give away."""
        self.plate = AdvicePlate(self.do, self.put_away)

    @property
    def stops(self) -> Sequence[Position]:
        """Positions to mark on the board: a way from the first to the last."""
        return self._stops(self._desk.table, self._shown.action) if self._shown is not None else ()

    def ask(self) -> bool:
        """Ask for advice, or say why that is impossible. If advice is shown already, put it away."""
        if self.put_away():
            return True
        reason = self._match.no_advice()
        if reason:
            self._desk.toast(heard(reason), "bad")
        else:
            self._match.ask_advice()
        self.follow()
        return True

    def do(self) -> bool:
        """Do the advised action; return False if no advice is shown."""
        advised = self._shown
        return advised is not None and self._desk.act(advised.action)

    def put_away(self) -> bool:
        """Put the advice away after reading; return False if none is shown."""
        if self._shown is None:
            return False
        self._match.forget_advice()
        self.follow()
        return True

    def follow(self) -> None:
        """Show the present state of the advice."""
        match = self._match
        advised = None if self.hidden else match.advised
        thinking = match.thinking and not self.hidden
        before, self._shown = self._shown, advised
        lines = [] if advised is None else advised.lines(self._desk.who)
        self.plate.show(_THINKING if thinking else [_closed(line) for line in lines], max(0, match.seat), thinking)
        if before != advised:
            self._changed()


def _closed(words: str) -> str:
    """Keep numbers in one line."""
    return words.replace(" %", f"{_CLOSE}%").replace("> ", f">{_CLOSE}").replace("< ", f"<{_CLOSE}")

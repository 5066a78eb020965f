"""Coach beside the board: a plate with its words, and marks on the things that it or a hint mentions."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import cos, hypot, radians, sin
from typing import Any, Final, Generic

import arcade
from arcade.types import Rect
from msgspec import Struct

from client.drawing import theme
from client.drawing.theme import Colour
from client.drawing.widgets import Button, ButtonKind, Label, Widget
from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.language import _, say
from client.network.model import VersionedEvent
from client.table.lesson import Progress
from client.table.pane import CARD, Figure, Pane, Plates, Stepper
from client.table.position import T
from client.table.problem import Attempt
from client.table.task import AnyTask
from shared.ids import Seat
from shared.lessons.lesson import Draft, Glance, Lesson, LessonStep, Lit, no_draft

_EDGE: Final = (92, 30, 18, 255)
_LIGHT: Final = (255, 214, 74, 255)
_LINE: Final = 4.0
"""Width of the bright line."""
_RADII: Final = (31.0, 26.0, 21.0, 16.0, 12.0)
_SHIFTS: Final = (0.0, 6.0, 12.0, 18.0, 24.0, 30.0)
_TRIED: Final = sorted(
    ((radius, shift) for radius, shift in product(_RADII, _SHIFTS) if shift <= radius / 2),
    key=lambda way: 2 * (_RADII[0] - way[0]) + way[1],
)
"""Radii of a ring, and distances by which it may be moved to keep off names, the best first."""


class Mark(Struct, frozen=True):
    """A marked place, in pixels; `round`: on the board, else around a control."""

    rect: Rect
    round: bool


def marks_on(
    lit: Lit, points: Iterable[tuple[float, float]], names: Sequence[Rect], panes: Iterable[Pane],
    named: Mapping[str, Pane],
) -> list[Mark]:  # fmt: skip
    """Return the marks. `points`: those of the board in the window; `names`: rectangles of the painted names there;
    `panes`: those whose controls can be marked."""
    found = [Mark(ring(*point, names), True) for point in points]
    widgets = [widget for pane in panes for widget in pane.ui.widgets]
    found += [Mark(widget.rect, False) for widget in meant(lit, widgets)]
    if lit.pane:
        found.append(Mark(named[lit.pane].rect, False))
    return found


def ring(x: float, y: float, names: Sequence[Rect]) -> Rect:
    """Return the square of a ring that holds a point and touches no name, as large and as close as possible."""
    near = 2 * theme.px(_RADII[0] + _SHIFTS[-1])
    # Only names in reach of any ring: the loop below asks each of them hundreds of times.
    names = [name for name in names if name.overlaps(arcade.XYWH(x, y, near, near))]
    for (radius, shift), turn in product(_TRIED, range(0, 360, 30)):
        side, away = 2 * theme.px(radius), theme.px(shift)
        found = arcade.XYWH(x + away * cos(radians(turn)), y + away * sin(radians(turn)), side, side)
        if not any(_ring_meets_name(found, name) for name in names):
            return found
    return arcade.XYWH(x, y, 2 * theme.px(_RADII[0]), 2 * theme.px(_RADII[0]))


def _ring_meets_name(found: Rect, name: Rect) -> bool:
    """Whether a ring, with its line, meets a name."""
    across = found.x - max(name.left, min(found.x, name.right))
    up = found.y - max(name.bottom, min(found.y, name.top))
    return hypot(across, up) < found.width / 2 + theme.px(_LINE)


def meant(lit: Lit, widgets: Sequence[Widget]) -> Iterator[Widget]:
    """Yield the button and the piece that can be clicked now."""
    for start in lit.buttons:
        buttons = [w for w in widgets if isinstance(w, Button) and w.enabled and w.words.startswith(say(start))]
        if buttons:
            yield buttons[0]
            break
    if lit.piece:
        pieces = [w for w in widgets if isinstance(w, Figure | Stepper) and w.picture.startswith(lit.piece)]
        yield from pieces[:1]


def draw_marks(marks: Iterable[Mark]) -> None:
    """Draw a bright edge around each."""
    for mark in marks:
        rect = mark.rect
        for extra, colour, width in ((1.5, _EDGE, 2 * _LINE), (0.0, _LIGHT, _LINE)):
            if mark.round:
                arcade.draw_circle_outline(rect.x, rect.y, rect.width / 2 + extra, colour, theme.px(width), 0, 48)
            else:
                arcade.draw_rect_outline(rect, colour, theme.px(width))


HEIGHT: Final = 279.0
_PAD: Final = 8.0
_TEXT: Final = (theme.BODY + 0.5, theme.BODY - 0.5, theme.SMALL)
"""Font sizes of the coach's words; the smaller ones only where there is much to say at once."""
_HIGH: Final = 32.0


class Coach(Pane, Generic[T]):
    """Pane of the coach. `leave`: goes back to the menu; `dismiss`: sends the coach away; `read`: lets the coach look
    again, once something was read."""

    def __init__(
        self, lesson: Lesson[T], leave: Callable[[], object], dismiss: Callable[[], object],
        read: Callable[[], object], drafts: Callable[[Glance[Any], Draft], bool] = no_draft,
    ) -> None:  # fmt: skip
        super().__init__()
        self.progress = Progress(lesson, drafts)
        self.words = ""
        self._leave = leave
        self._dismiss = dismiss
        self._after_reading = read
        self.lit = Lit()
        self.spread = (0.0, 0.0)
        """The lower edge of the words and the upper edge of the buttons: the first should be above the second."""
        self._shown: tuple[object, ...] = ()
        self._told: dict[int, str] = {}
        """Words of the steps so far."""
        self._followed = 0
        """Index of the step that waited last."""
        self._back = 0
        """Number of steps before the waiting one whose words are shown again."""

    @property
    def said(self) -> str:
        """The coach's remark about the last action."""
        return "" if self._back else say(self.progress.said)

    @property
    def index(self) -> int:
        """Index of the step whose words are shown."""
        return self.progress.place - self._back

    def hear(self, told: Sequence[VersionedEvent]) -> None:
        """Note events that happened."""
        if told:
            self.progress.hear(told)

    def follow(self, table: T, seat: Seat, task: AnyTask) -> bool:
        """Look at the position, and show what comes next; return whether the display changed."""
        progress = self.progress
        glance = progress.glance(table, seat, task)
        progress.follow(glance)
        step = progress.step
        words = say(step.said(glance))
        if progress.place != self._followed:
            self._followed, self._back = progress.place, 0
        # Words of a step may change with the position; those shown last are the ones to go back to.
        self._told[progress.place] = words
        self.words = self._told[self.index]
        self.lit = Lit() if self._back else step.points(glance)
        shown = self.index, self.said, self.words, self.lit
        if shown == self._shown:
            return False
        self._shown = shown
        self.rebuild()
        return True

    # The plate

    @property
    def matter(self) -> Hashable:
        return self.index

    @property
    def _inside(self) -> Rect:
        pad, rect = theme.px(_PAD), self.rect
        return arcade.LRBT(rect.left + pad, rect.right - pad, rect.bottom + pad / 2, rect.top - pad)

    def plates(self) -> Plates:
        return [*super().plates(), (self._inside, CARD)]

    def build(self) -> None:
        inside, progress = self._inside, self.progress
        left, right, top = inside.left + theme.px(14), inside.right - theme.px(14), inside.top - theme.px(20)
        self.ui.add(Label(_("Your coach"), left, top, size=theme.LARGE, title=True, colour=theme.TERRACOTTA_DEEP))
        place = _("{n} of {steps}", n=self.index + 1, steps=len(progress.lesson.steps))
        self.ui.add(Label(place, right, top, size=theme.SMALL, align="right", colour=theme.INK_SOFT))  # fmt: skip
        bottom = inside.bottom + theme.px(9)
        self._say(left, right, top - theme.px(18), bottom + theme.px(_HIGH))
        self._buttons(left, right, bottom)

    def _say(self, left: float, right: float, top: float, bottom: float) -> None:
        """Add the coach's words in the largest font that fits; a remark that leaves them no room is left out."""
        remark, words = (self.said, theme.TERRACOTTA_DEEP), (self.words, theme.INK)
        for size, said in (*((size, (remark, words)) for size in _TEXT), *((size, (words,)) for size in _TEXT)):
            labels, low = self._lines(said, left, right, top, size)
            if low >= bottom:
                break
        for label in labels:
            self.ui.add(label)
        self.spread = low, bottom

    def _lines(
        self, said: Sequence[tuple[str, Colour]], left: float, right: float, top: float, size: float
    ) -> tuple[list[Label], float]:
        """Make labels of these words, each with its colour; also return where the last line ends."""
        labels = []
        for words, colour in said:
            if words:
                labels.append(Label(words, left, top, anchor_y="top", width=right - left, size=size, colour=colour))
                top = labels[-1].rect.bottom - theme.px(5)
        return labels, top

    def _buttons(self, left: float, right: float, bottom: float) -> None:
        gap, height = theme.px(8), theme.px(_HIGH)
        width = (right - left - 2 * gap) / 3
        tip = _("The lesson waits for you as you leave it.")
        self._button(arcade.LBWH(left, bottom, width * 1.25, height), _("Back to the menu"), self._leave, "quiet", tip)
        if min(self._told, default=0) < self.index:
            before = arcade.LBWH(left + width * 1.25 + gap, bottom, width * 0.75, height)
            self._button(before, _("Back"), self.go_back, "plain", told(Command.LESSON_BACK))
        last = arcade.LBWH(right - width, bottom, width, height)
        if self._back or (self.progress.step.done is None and not self.progress.last):
            self._button(last, _("Go on"), self.go_on, tip=told(Command.CONFIRM))
        elif self.progress.last:
            self._button(last, _("Play on"), self._dismiss)

    def _button(
        self, rect: Rect, words: str, action: Callable[[], object], kind: ButtonKind = "primary", tip: str = ""
    ) -> None:  # fmt: skip
        self.ui.add(Button(rect, words, action, kind=kind, tip=tip, size=theme.BODY))

    def go_back(self) -> bool:
        """Show the words before the present ones; return False if there are none."""
        earlier = [place for place in self._told if place < self.index]
        if earlier:
            self._back = self.progress.place - max(earlier)
            self._after_reading()
        return bool(earlier)

    def go_on(self) -> bool:
        """Mark the present words as read; return False if there is nothing to read."""
        read = self._back > 0
        if read:
            self._back = self.progress.place - min(place for place in self._told if place > self.index)
        else:
            read = self.progress.read()
        if read:
            self._after_reading()
        return read


class ProblemCoach(Coach[T]):
    """Pane with a problem. `again`: begins it anew."""

    def __init__(
        self, attempt: Attempt, leave: Callable[[], object], again: Callable[[], object], looked: Callable[[], object]
    ) -> None:  # fmt: skip
        """`looked`: lets the table look at the marks again."""
        super().__init__(Lesson(lambda _event: False, (LessonStep(attempt.problem.task),)), leave, again, looked)
        self.attempt = attempt
        self._again = again

    @property
    def said(self) -> str:
        """The verdict."""
        return say(self.attempt.verdict)

    def follow(self, table: T, seat: Seat, task: AnyTask) -> bool:
        """Show the task, what was asked for, and the verdict; return whether the display changed."""
        attempt, problem = self.attempt, self.attempt.problem
        self.words = say(problem.solution if attempt.shown else problem.hint if attempt.hinted else problem.task)
        self.lit = Lit(spaces=problem.spaces, piece=problem.piece) if attempt.shown and not attempt.done else Lit()
        shown = self.said, self.words, self.lit
        if shown == self._shown:
            return False
        self._shown = shown
        self.rebuild()
        return True

    def build(self) -> None:
        inside = self._inside
        left, right, top = inside.left + theme.px(14), inside.right - theme.px(14), inside.top - theme.px(20)
        title = say(self.attempt.problem.title)
        self.ui.add(Label(title, left, top, size=theme.LARGE, title=True, colour=theme.TERRACOTTA_DEEP,
                          limit=right - left))  # fmt: skip
        bottom = inside.bottom + theme.px(9)
        rows = 2 * theme.px(_HIGH) + theme.px(6)
        self._say(left, right, top - theme.px(18), bottom + rows)
        self._buttons(left, right, bottom)

    def _buttons(self, left: float, right: float, bottom: float) -> None:
        gap, height = theme.px(8), theme.px(_HIGH)
        width, upper = (right - left - gap) / 2, bottom + height + theme.px(6)
        self._button(arcade.LBWH(left, bottom, width, height), _("Back to the menu"), self._leave, "quiet")
        self._button(arcade.LBWH(right - width, bottom, width, height), _("Try again"), self._again)
        hint = _("The task") if self.attempt.hinted else _("A hint")
        self._button(arcade.LBWH(left, upper, width, height), hint, self._turn_hint)
        self._button(arcade.LBWH(right - width, upper, width, height), _("The solution"), self._show)

    def _turn_hint(self) -> None:
        """Show the hint, or the task again."""
        self.attempt.hinted, self.attempt.shown = not self.attempt.hinted, False
        self._after_reading()

    def _show(self) -> None:
        self.attempt.shown, self.attempt.hinted = True, True
        self._after_reading()

    def go_on(self) -> bool:
        """Return False: a problem has nothing to read on."""
        return False

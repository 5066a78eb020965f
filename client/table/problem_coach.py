"""Coach of a problem: its task, a hint, the solution, and the verdict on the player's decision."""

from __future__ import annotations

from collections.abc import Callable

import arcade

from client.drawing import theme
from client.drawing.widgets import Label
from client.language import _
from client.table.coach import Coach
from client.table.lesson import Lesson, Lit, Step
from client.table.position import T
from client.table.problem import Attempt
from client.table.task import AnyTask
from shared.ids import Seat

_HIGH = 32.0


class ProblemCoach(Coach[T]):
    """Pane with a problem. `again`: begins it anew."""

    def __init__(
        self, attempt: Attempt, leave: Callable[[], object], again: Callable[[], object], looked: Callable[[], object]
    ) -> None:  # fmt: skip
        """`looked`: lets the table look at the marks again."""
        super().__init__(Lesson(lambda _event: False, (Step(attempt.problem.task),)), leave, again, looked)
        self.attempt = attempt
        self._again = again

    @property
    def said(self) -> str:
        """The verdict."""
        return self.attempt.verdict

    def follow(self, table: T, seat: Seat, task: AnyTask) -> bool:
        """Show the task, what was asked for, and the verdict; return whether the display changed."""
        attempt, problem = self.attempt, self.attempt.problem
        self.words = problem.solution if attempt.shown else problem.hint if attempt.hinted else problem.task
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
        title = self.attempt.problem.title
        self.ui.add(Label(title, left, top, size=theme.LARGE, title=True, colour=theme.TERRACOTTA_DEEP,
                          limit=right - left))  # fmt: skip
        bottom = inside.bottom + theme.px(9)
        rows = 2 * theme.px(_HIGH) + theme.px(6)
        self._say(left, right, top - theme.px(18), bottom + rows)
        self._buttons(left, right, bottom)

    def _buttons(self, left: float, right: float, bottom: float) -> None:
        gap, high = theme.px(8), theme.px(_HIGH)
        wide, upper = (right - left - gap) / 2, bottom + high + theme.px(6)
        self._button(arcade.LBWH(left, bottom, wide, high), _("Back to the menu"), self._leave, "quiet")
        self._button(arcade.LBWH(right - wide, bottom, wide, high), _("Try again"), self._again)
        hint = _("The task") if self.attempt.hinted else _("A hint")
        self._button(arcade.LBWH(left, upper, wide, high), hint, self._turn_hint)
        self._button(arcade.LBWH(right - wide, upper, wide, high), _("The solution"), self._show)

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

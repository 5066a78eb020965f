"""Choice of a lesson, a match with a coach, two in each game; and choice of a problem, a position with a task."""

from functools import partial
from typing import Final

import arcade

from client.drawing import theme
from client.drawing.widgets import Button, Label
from client.language import _, say
from client.player.lessons import TAUGHT, lesson_home
from client.screens.base import FramedScreen
from shared.lessons.registry import ABOUT, PROBLEMS, SECOND
from shared.rulesets.registry import RULESETS

_PROBLEM_ROW: Final = 46.0


class ProblemsScreen(FramedScreen):
    """List of problems, with a row for each."""

    def layout(self, width: float, height: float) -> None:
        inside = self.frame(860, 250 + _PROBLEM_ROW * len(PROBLEMS), _("Problems"))
        solved = self.app.settings.solved
        done = sum(problem.key in solved for problem in PROBLEMS)
        words = _("A position and a task: find the best decision. Solved: {done} of {all}.", done=done,
                  all=len(PROBLEMS))  # fmt: skip
        label = Label(words, inside.left, inside.top, anchor_y="top", width=inside.width, colour=theme.INK_SOFT)
        self.ui.add(label)
        top, wide = label.rect.bottom - theme.px(16), theme.px(150)
        for number, problem in enumerate(PROBLEMS, 1):
            middle = top - theme.px(_PROBLEM_ROW) * (number - 0.5)
            game = RULESETS[problem.ruleset].title
            self.ui.add(Label(f"{number}. {say(problem.title)}", inside.left, middle + theme.px(9), title=True,
                              colour=theme.TERRACOTTA_DEEP))  # fmt: skip
            state = _("{game}, solved", game=game) if problem.key in solved else game
            self.ui.add(Label(state, inside.left, middle - theme.px(11), size=theme.SMALL, colour=theme.INK_SOFT))
            rect = arcade.LBWH(inside.right - wide, middle - theme.px(19), wide, theme.px(38))
            again = _("Again") if problem.key in solved else _("Solve")
            self.ui.add(Button(rect, again, partial(self.app.go.solve, problem.key), kind="plain"))
        self.back_button(inside)


_ROW: Final = 112.0
_WORDS: Final = _(
    "A real match against easy bots, with a coach beside the board who explains one thing at a time. A first game "
    "takes about ten minutes, a second lesson five. Leave it whenever you like, it waits for you."
)


class LessonsScreen(FramedScreen):
    """List of lessons, with a row for each game."""

    def layout(self, width: float, height: float) -> None:
        inside = self.frame(860, 262 + _ROW * len(TAUGHT), _("Learn to play"))
        words = Label(_WORDS, inside.left, inside.top, anchor_y="top", width=inside.width, colour=theme.INK_SOFT)
        self.ui.add(words)
        top = words.rect.bottom - theme.px(22)
        begun = {seat.address for seat in self.app.seats.all() if seat.live}
        for ruleset in TAUGHT:
            self._row(ruleset, arcade.LRBT(inside.left, inside.right, top - theme.px(_ROW), top), begun)
            top -= theme.px(_ROW)
        self.back_button(inside)
        tip = _("Positions with a task each, and a solution: ten small battles, flights and votes.")
        self.ui.add(Button(self.foot(inside, 190, right=True), _("Problems"), self.app.go.problems, tip=tip))

    def _row(self, ruleset: str, row: arcade.Rect, begun: set[str]) -> None:
        width = theme.px(170)
        self.ui.add(Label(RULESETS[ruleset].title, row.left, row.top - theme.px(12), size=theme.LARGE, title=True,
                          colour=theme.TERRACOTTA_DEEP))  # fmt: skip
        self.ui.add(Label(say(ABOUT[ruleset][1]), row.left, row.top - theme.px(28), anchor_y="top",
                          width=row.width - width - theme.px(36)))  # fmt: skip
        words = _("Go on") if lesson_home(ruleset) in begun else _("Begin")
        rect = arcade.LBWH(row.right - width, row.top - theme.px(54), width, theme.px(theme.ROW))
        self.ui.add(Button(rect, words, partial(self.app.go.learn, ruleset), kind="primary"))
        title, tip = map(say, ABOUT[SECOND[ruleset]])
        below = rect.move(0, -rect.height - theme.px(6))
        self.ui.add(Button(below, title, partial(self.app.go.learn, SECOND[ruleset]), tip=tip))

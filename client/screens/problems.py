"""Choice of a problem: a position and a task each, with a mark on those that are solved."""

from __future__ import annotations

from functools import partial
from typing import Final

import arcade

from client.drawing import theme
from client.drawing.widgets import Button, Label
from client.games.problems import PROBLEMS
from client.language import _
from client.screens.framed import FramedScreen
from shared.rulesets.registry import RULESETS

_ROW: Final = 46.0


class ProblemsScreen(FramedScreen):
    """List of problems, with a row for each."""

    def layout(self, width: float, height: float) -> None:
        inside = self.frame(860, 250 + _ROW * len(PROBLEMS), _("Problems"))
        solved = self.app.settings.solved
        done = sum(problem.key in solved for problem in PROBLEMS)
        words = _("A position and a task: find the best decision. Solved: {done} of {all}.", done=done,
                  all=len(PROBLEMS))  # fmt: skip
        label = Label(words, inside.left, inside.top, anchor_y="top", width=inside.width, colour=theme.INK_SOFT)
        self.ui.add(label)
        top, wide = label.rect.bottom - theme.px(16), theme.px(150)
        for number, problem in enumerate(PROBLEMS, 1):
            middle = top - theme.px(_ROW) * (number - 0.5)
            game = RULESETS[problem.ruleset].title
            self.ui.add(Label(f"{number}. {problem.title}", inside.left, middle + theme.px(9), title=True,
                              colour=theme.TERRACOTTA_DEEP))  # fmt: skip
            state = _("{game}, solved", game=game) if problem.key in solved else game
            self.ui.add(Label(state, inside.left, middle - theme.px(11), size=theme.SMALL, colour=theme.INK_SOFT))
            rect = arcade.LBWH(inside.right - wide, middle - theme.px(19), wide, theme.px(38))
            again = _("Again") if problem.key in solved else _("Solve")
            self.ui.add(Button(rect, again, partial(self.app.go.solve, problem.key), kind="plain"))
        self.back_button(inside)

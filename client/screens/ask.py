"""Screen that asks a question; it fills the window so that no stray click can answer it."""

from collections.abc import Callable
from functools import partial
from typing import Final

import arcade

from client.drawing import theme
from client.drawing.widgets import Button, Label
from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.language import _
from client.screens.application import Application
from client.screens.base import FramedScreen
from client.screens.question import Answer, Question

_WIDE: Final = 680.0
_SPACE: Final = 10.0
_ROW: Final = theme.ROW + theme.GAP


class AskScreen(FramedScreen):
    """Text with a button below it for each answer; the answer that changes nothing has the focus."""

    def __init__(self, app: Application, question: Question, close: Callable[[], object]) -> None:
        super().__init__(app)
        self.question = question
        self._close = close

    def layout(self, width: float, height: float) -> None:
        question = self.question
        wide = min(theme.px(_WIDE), width - theme.px(24)) - theme.px(80)
        labels = [Label(words, 0, 0, anchor_y="top", width=wide, size=theme.BODY + 0.5) for words in question.words]
        tall = sum(label.rect.height / theme.px(1) + _SPACE for label in labels)
        rows = len(question.answers) + 1
        inside = self.frame(_WIDE, 82 + tall + 16 + rows * _ROW + 28, question.title)
        top = inside.top
        for label in labels:
            label.move(inside.left, top)
            self.ui.add(label)
            top = label.rect.bottom - theme.px(_SPACE)
        self._buttons(inside.left, top - theme.px(16), inside.width)

    def _buttons(self, left: float, top: float, width: float) -> None:
        height, step = theme.px(theme.ROW), theme.px(_ROW)
        row = arcade.LBWH(left, top - height, width, height)
        self.ui.set_focus(
            self.ui.add(Button(row, self.question.keep or _("Back"), self.back, kind="primary", tip=told(Command.BACK)))
        )
        for answer in self.question.answers:
            top -= step
            row = arcade.LBWH(left, top - height, width, height)
            self.ui.add(
                Button(row, answer.words, partial(self._choose, answer), kind="danger" if answer.grave else "plain")
            )

    def _choose(self, answer: Answer) -> None:
        self._close()
        answer.action()

    def back(self) -> None:
        self._close()
        self.question.otherwise()

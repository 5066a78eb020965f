"""Question for the player's name, at the first start of the program."""

from __future__ import annotations

from collections.abc import Callable

import arcade

from client.drawing import theme
from client.drawing.fields import TextField
from client.drawing.widgets import Button, Label
from client.language import _
from client.screens.application import Application
from client.screens.framed import FramedScreen
from shared.tables import MAX_NAME


class NameScreen(FramedScreen):
    """Field with the login name, to confirm or to change. `close` goes on to the screen that was asked for."""

    def __init__(self, app: Application, *, close: Callable[[], object]) -> None:
        super().__init__(app)
        self._close = close
        self._name = app.settings.name

    def layout(self, width: float, height: float) -> None:
        inside = self.frame(620, 330, _("Your name"))
        words = _("What do the others call you? You can change it later, when you join or open a table.")
        told = self.ui.add(
            Label(words, inside.left, inside.top, anchor_y="top", width=inside.width, colour=theme.INK_SOFT)
        )
        high = theme.px(theme.ROW)
        line = arcade.LBWH(inside.left, told.rect.bottom - theme.px(18) - high, inside.width, high)
        field = TextField(line, self._name, limit=MAX_NAME, changed=self._type, done=self.confirm)
        self.ui.set_focus(self.ui.add(field))
        self.ui.add(Button(self.foot(inside, 200, right=True), _("Continue"), self.confirm, kind="primary"))

    def _type(self, words: str) -> None:
        self._name = words

    def confirm(self) -> None:
        """Keep the name and go on; an empty field keeps the offered one."""
        settings = self.app.settings
        settings.name, settings.guessed = self._name.strip() or settings.name, False
        settings.save()
        self._close()

    def back(self) -> None:
        self.confirm()

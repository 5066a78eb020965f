"""Curtain between two people who share this computer: it hides the table until the next one is alone there."""

from collections.abc import Callable

import arcade

from client.drawing import theme
from client.drawing.widgets import Button, Label
from client.language import _
from client.screens.application import Application
from client.screens.base import FramedScreen

_WIDE = 620.0
_HIGH = 272.0


class CurtainScreen(FramedScreen):
    """Asks for one person. It knows no match, so it cannot show anything of it."""

    def __init__(self, app: Application, name: str, there: Callable[[], object]) -> None:
        """`there`: called when the person says that they are there."""
        super().__init__(app)
        self.name = name
        self._there = there

    def layout(self, width: float, height: float) -> None:
        inside = self.frame(_WIDE, _HIGH, _("Hand over to {name}", name=self.name))
        words = _("It is your turn, {name}. Go on once you alone can see the screen.", name=self.name)
        label = Label(words, inside.left, inside.top, anchor_y="top", width=inside.width, size=theme.BODY + 0.5)
        self.ui.add(label)
        high, step = theme.px(theme.ROW), theme.px(theme.ROW + theme.GAP)
        row = arcade.LBWH(inside.left, label.rect.bottom - theme.px(26) - high, inside.width, high)
        go = self.ui.add(Button(row, _("I am {name}", name=self.name), self._there, kind="primary"))
        row = arcade.LBWH(inside.left, row.bottom - step, inside.width, high)
        self.ui.add(Button(row, _("Stop for now"), self.back, tip=_("Every match is kept.")))
        if self.ui.focus is None:
            self.ui.set_focus(go)

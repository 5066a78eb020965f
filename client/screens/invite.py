"""Invitation to a table that is under way: its link and code, and who may come."""

from __future__ import annotations

from collections.abc import Callable

import arcade

from client.drawing import theme
from client.drawing.widgets import Label
from client.language import _
from client.network.invitation_link import who_may_come
from client.network.model import MatchModel
from client.screens.application import Application
from client.screens.framed import FramedScreen
from client.screens.invitation import Invitation


class InviteScreen(FramedScreen):
    """Invitation of the room, shown over the table."""

    def __init__(self, app: Application, match: MatchModel, *, close: Callable[[], object]) -> None:
        """`close` returns to the previous screen."""
        super().__init__(app)
        self._match = match
        self._close = close

    def layout(self, width: float, height: float) -> None:
        inside = self.frame(720, 480, _("Invite friends"))
        table = self._match.table
        if table is not None:
            words = self.ui.add(Label(who_may_come(table), inside.left, inside.top, anchor_y="top", width=inside.width,
                                      colour=theme.INK_SOFT))  # fmt: skip
            top = words.rect.bottom - theme.px(14)
            Invitation(self.ui, self.app, arcade.LRBT(inside.left, inside.right, inside.bottom, top), table)
        self.back_button(inside)

    def back(self) -> None:
        self._close()

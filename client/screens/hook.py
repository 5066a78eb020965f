"""Webhook settings of a table: where the host lets turn notices be sent."""

from collections.abc import Callable
from typing import Final

import arcade

from client.drawing import theme
from client.drawing.fields import Selector, TextField
from client.drawing.widgets import Button, Label
from client.language import _
from client.network.model import MatchModel
from client.screens.application import Application
from client.screens.base import FramedScreen
from shared.messages import Hook
from shared.tables import NOTICES, HookForm

FORMS: Final[dict[HookForm, str]] = {
    HookForm.DISCORD: "Discord", HookForm.SLACK: "Slack", HookForm.NTFY: "ntfy", HookForm.JSON: _("a program (JSON)"),
}  # fmt: skip
_LONGEST: Final = 500


class HookScreen(FramedScreen):
    """Form and address of a webhook. The server never sends the address back: it is retyped to change it."""

    def __init__(self, app: Application, match: MatchModel, *, close: Callable[[], object]) -> None:
        """`close` returns to the previous screen."""
        super().__init__(app)
        self._close = close
        self._match = match
        forms = list(FORMS)
        self._chosen = forms.index(HookForm(match.hooked)) if match.hooked in forms else 0
        self._url = ""

    def layout(self, width: float, height: float) -> None:
        inside = self.frame(760, 450, _("Messages outside of the game"))
        top = self._words(inside.left, inside.top, inside.width)
        high = theme.px(theme.ROW)
        field = arcade.LBWH(inside.left, top - high, inside.width, high)
        self.ui.add(Selector(field, list(FORMS.values()), self._chosen, self._choose))
        top = field.bottom - theme.px(14)
        self.ui.add(Label(_("Address of the webhook"), inside.left, top - theme.px(10), size=theme.SMALL,
                          colour=theme.INK_SOFT))  # fmt: skip
        line = arcade.LBWH(inside.left, top - theme.px(22) - high, inside.width, high)
        typed = TextField(line, self._url, hint="https://", limit=_LONGEST, changed=self._type, done=self._save)
        self.ui.set_focus(self.ui.add(typed))
        self.back_button(inside)
        if self.app.remote.can(NOTICES):
            tip = _("Where you are told that it is your turn: by mail, ntfy or Discord.")
            self.ui.add(Button(self.foot(inside, 200, 1, parts=4), _("Messages to you …"), self._own, tip=tip))
        self.ui.add(Button(self.foot(inside, 180, right=True), _("Tell them"), self._save, kind="primary"))
        if self._match.hooked:
            self.ui.add(Button(self.foot(inside, 200, 1, right=True, parts=3), _("No messages"), self._end))

    def _own(self) -> None:
        """Go to the player's own settings instead."""
        self._close()
        self.app.go.notices()

    def _words(self, left: float, top: float, width: float) -> float:
        """Show what the webhook does and its present state; return the lower edge."""
        text = _(
            "Absent players are told there that the others wait, at most once in two minutes. All at the table see "
            "that there are such messages, but not the address."
        )
        now = FORMS.get(HookForm(self._match.hooked), "") if self._match.hooked else _("nobody")
        for words in (text, _("Messages now go to: {who}.", who=now)):
            label = self.ui.add(Label(words, left, top, anchor_y="top", width=width, colour=theme.INK_SOFT))
            top = label.rect.bottom - theme.px(12)
        return top - theme.px(6)

    def _choose(self, index: int) -> None:
        self._chosen = index

    def _type(self, words: str) -> None:
        self._url = words

    def _save(self) -> None:
        if self._url.strip():
            self._send(list(FORMS)[self._chosen], self._url.strip())

    def _end(self) -> None:
        self._send(HookForm.JSON, "")

    def _send(self, form: HookForm, url: str) -> None:
        remote = self.app.remote
        if remote.send(Hook(remote.ref(), form, url)):
            self._close()

    def back(self) -> None:
        self._close()

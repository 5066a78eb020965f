"""Hand on a phone: the code for it, its remaining time, the number of readers, and a way to end it."""

from collections.abc import Callable
from math import ceil

import arcade
from arcade.types import Rect

from client.drawing import theme
from client.drawing.qr import QrCode
from client.drawing.widgets import Button, Label
from client.language import _, ngettext
from client.network.model import MatchModel
from client.player.clock_presets import brief
from client.screens.application import Application
from client.screens.base import FramedScreen
from protocol.links import page_of
from shared.messages import HandShown, ServerMessage, TableState


class HandScreen(FramedScreen):
    """Requests a code as it opens, unless a device already reads along."""

    narrowest = 760.0

    def __init__(self, app: Application, match: MatchModel, *, close: Callable[[], object]) -> None:
        """`close` returns to the previous screen."""
        super().__init__(app)
        self._close = close
        self._match = match
        self._seconds_shown = 0
        """Displayed seconds until the code expires."""
        if not self._code and not self._reader_count:
            app.remote.show_hand()

    @property
    def _code(self) -> str:
        hand = self._match.hand
        return hand.code if hand is not None and self._match.hand_left else ""

    @property
    def _reader_count(self) -> int:
        return self._match.hand.readers if self._match.hand is not None else 0

    def layout(self, width: float, height: float) -> None:
        inside = self.frame(820, 520, _("Your hand on a phone"))
        self._seconds_shown = ceil(self._match.hand_left)
        about = _("This page shows what only you may see, and you cannot play there. Keep the code secret.")
        label = self.ui.add(Label(about, inside.left, inside.top, anchor_y="top", width=inside.width,
                                 colour=theme.INK_SOFT))  # fmt: skip
        below = arcade.LRBT(inside.left, inside.right, inside.bottom + theme.px(60), label.rect.bottom - theme.px(18))
        if self._code:
            self._way(below)
        else:
            self.ui.add(Label(self._now(), below.x, below.y, align="center", size=theme.LARGE))
        self.back_button(inside)
        new = Button(self.foot(inside, 180, right=True), _("A new code"), self._ask, kind="primary")
        self.ui.set_focus(self.ui.add(new))
        if self._code or self._reader_count:
            end = self.foot(inside, 200, 1, right=True, parts=3)
            self.ui.add(Button(end, _("Stop showing it"), self._end, kind="danger"))

    def _way(self, rect: Rect) -> None:
        """Show the QR code for a camera, and link and code to type."""
        side = min(theme.px(270), rect.height)
        link = page_of(self.app.remote.access.public, "hand", self._code)
        self.ui.add(QrCode(arcade.LBWH(rect.left, rect.top - side, side, side), link))
        left = rect.left + side + theme.px(26)
        width, top = rect.right - left, rect.top - theme.px(14)
        soft = theme.INK_SOFT
        self.ui.add(Label(_("Scan this, or type there"), left, top, colour=soft, limit=width))
        self.ui.add(Label(link, left, top - theme.px(30), size=theme.SMALL + 1, limit=width))
        self.ui.add(Label(self._code, left, top - theme.px(84), size=34, title=True, colour=theme.TERRACOTTA_DEEP))
        good = _("Valid for {time}, and only once.", time=brief(self._seconds_shown))
        self.ui.add(Label(good, left, top - theme.px(134), colour=soft, limit=width))
        if self._reader_count:
            self.ui.add(Label(self._now(), left, top - theme.px(164), limit=width))

    def _now(self) -> str:
        """Number of devices that read along, in words."""
        count = self._reader_count
        if not count:
            return _("No device reads along.")
        return ngettext("{n} device reads along.", "{n} devices read along.", count)

    def on_update(self, seconds: float) -> bool:
        changed = super().on_update(seconds)
        if ceil(self._match.hand_left) != self._seconds_shown:
            self.relayout()
            return True
        return changed

    def hear(self, message: ServerMessage) -> None:
        if isinstance(message, HandShown):
            self.relayout()
        elif isinstance(message, TableState) and self._match.over:
            self._close()

    def _ask(self) -> None:
        self.app.remote.show_hand()

    def _end(self) -> None:
        self.app.remote.show_hand(on=False)

    def back(self) -> None:
        self._close()

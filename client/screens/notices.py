"""Settings of notices: where and when the server tells the player that they must decide."""

from collections.abc import Callable
from typing import Final

import arcade
from arcade.types import Rect
from msgspec import structs

from client.drawing import theme
from client.drawing.fields import Selector, TextField
from client.drawing.widgets import Button, Label
from client.language import _, told
from client.player import notices
from client.player.notices import NoSetting
from client.screens.application import Application
from client.screens.base import FramedScreen
from shared.codes import code_in
from shared.messages import NoticeSettings, Notify, Notifying, Refused, ServerMessage
from shared.tables import NoticeWay, NoticeWhen

_LONGEST: Final = 500
_STEP: Final = 68.0


class NoticesScreen(FramedScreen):
    """Form of the player's settings on this server; it is empty until the server has told them."""

    narrowest = 900.0

    def __init__(self, app: Application, match: str, *, close: Callable[[], object]) -> None:
        """`match`: the one at hand, "" for none. `close` returns to the previous screen."""
        super().__init__(app)
        self._close = close
        self._match = match
        self._now: Notifying | None = None
        self._typed: dict[str, str] = {}
        self._when = self._here = 0
        self._status = ""
        self._sent: Notify | None = None
        self._ref = app.remote.ref()
        app.remote.send(Notify(self._ref))

    def layout(self, width: float, height: float) -> None:
        inside = self.frame(880, 640, _("Messages to you"))
        self.back_button(inside)
        if self._now is None:
            self.ui.add(Label(self._status or _("The server is asked …"), inside.left, inside.top, anchor_y="top",
                              width=inside.width))  # fmt: skip
            return
        half = (inside.width - theme.px(24)) / 2
        left = arcade.LBWH(inside.left, inside.bottom, half, inside.height)
        right = arcade.LBWH(inside.right - half, inside.bottom, half, inside.height)
        self._times(left)
        self._places(right, self._now)
        text = self._status or _("The page of the server also offers alerts of your browser.")
        self.ui.add(Label(text, inside.left, inside.bottom + theme.px(74), size=theme.SMALL, anchor_y="top",
                          width=inside.width, colour=theme.INK_SOFT))  # fmt: skip
        self.ui.add(Button(self.foot(inside, 170, right=True), _("Save"), self._save, kind="primary"))
        self.ui.add(Button(self.foot(inside, 170, 1, right=True, parts=3), _("Try it"), self._try))

    def _times(self, rect: Rect) -> None:
        """Show when notices are sent."""
        usual = list(notices.WHEN.values())
        top = self._choice(rect, rect.top, _("When it is your turn"), usual, self._when, self._set_when)
        if self._match:
            here = [_("as usual"), *usual]
            top = self._choice(rect, top, _("In this match"), here, self._here, self._set_here)
        top = self._field(rect, top, "quiet", _("Quiet hours"), "22:00-7:00")
        self._field(rect, top, "remind", _("Reminder before the deadline"), "30 min")

    def _places(self, rect: Rect, now: Notifying) -> None:
        """Show where notices are sent."""
        top = rect.top
        if NoticeWay.MAIL in now.ways:
            top = self._field(rect, top, "mail", _("E-mail"), "anna@example.org")
            if now.waiting:
                top = self._field(rect, top, "code", _("Code from the mail to {address}", address=now.waiting), "")
        if NoticeWay.NTFY in now.ways:
            top = self._field(rect, top, "ntfy", _("Link of your ntfy topic"), "https://ntfy.sh/...")
            top = self._field(
                rect, top, "discord", _("Link of a Discord webhook"), "https://discord.com/api/webhooks/..."
            )
            self._field(rect, top, "mention", _("Your user id there, to be mentioned"), "80351110224678912")

    def _field(self, rect: Rect, top: float, key: str, words: str, hint: str) -> float:
        self.ui.add(Label(words, rect.left, top - theme.px(10), size=theme.SMALL, colour=theme.INK_SOFT,
                          limit=rect.width))  # fmt: skip
        line = arcade.LBWH(rect.left, top - theme.px(24 + 36), rect.width, theme.px(36))

        def typed(text: str) -> None:
            self._typed[key] = text

        now = self._typed.get(key, "")
        self.ui.add(TextField(line, now, hint=hint, limit=_LONGEST, changed=typed, done=self._save))
        return top - theme.px(_STEP)

    def _choice(
        self, rect: Rect, top: float, words: str, labels: list[str], at: int, choose: Callable[[int], object]
    ) -> float:
        self.ui.add(Label(words, rect.left, top - theme.px(10), size=theme.SMALL, colour=theme.INK_SOFT))
        line = arcade.LBWH(rect.left, top - theme.px(24 + 36), rect.width, theme.px(36))
        self.ui.add(Selector(line, labels, at, choose))
        return top - theme.px(_STEP)

    def _set_when(self, index: int) -> None:
        self._when = index

    def _set_here(self, index: int) -> None:
        self._here = index

    def _save(self) -> None:
        """Send what was typed, or say what is wrong with it."""
        if self._now is None:
            return
        code = code_in(self._typed.get("code", ""))
        try:
            settings = self._settings(self._now.settings)
        except NoSetting as error:
            self._say(str(error))
            return
        self._send(Notify(self._begin(), code=code) if code else Notify(self._begin(), settings))

    def _settings(self, before: NoticeSettings) -> NoticeSettings:
        """Return the settings as they were typed. Raises NoSetting."""
        typed, whens = self._typed, list(notices.WHEN)
        settings = structs.replace(
            notices.local(before),
            when=whens[self._when],
            mail=typed["mail"].strip(),
            ntfy=typed["ntfy"].strip(),
            discord=typed["discord"].strip(),
            mention=notices.digits(typed["mention"]),
            quiet=notices.quiet_of(typed["quiet"]),
            remind=notices.minutes_of(typed["remind"]),
        )
        if not self._match:
            return settings
        return notices.for_match(settings, self._match, whens[self._here - 1].value if self._here else "")

    def _try(self) -> None:
        self._send(Notify(self._begin(), test=True))

    def _begin(self) -> int:
        self._ref = self.app.remote.ref()
        return self._ref

    def _send(self, message: Notify) -> None:
        self._sent = message
        self.app.remote.send(message)

    def _say(self, words: str) -> None:
        self._status = words
        self.relayout()

    def hear(self, message: ServerMessage) -> None:
        if isinstance(message, Notifying):
            if self._sent is not None and message.ref == self._ref:
                self._status = notices.tried(message) if self._sent.test else _("Saved.")
            self._show(message)
        elif isinstance(message, Refused) and message.ref == self._ref:
            self._say(told(message))

    def _show(self, now: Notifying) -> None:
        it, whens = now.settings, list(notices.WHEN)
        if now.waiting and not (self._sent is not None and self._sent.test):
            self._status = _(
                "A mail with a code goes to {address}: enter the code here when it has come.", address=now.waiting
            )
        self._now, self._when = now, whens.index(it.when)
        titles = dict(it.matches)
        self._here = whens.index(NoticeWhen(titles[self._match])) + 1 if self._match in titles else 0
        self._typed = {
            "mail": it.mail, "ntfy": it.ntfy, "discord": it.discord, "mention": it.mention, "code": "",
            "quiet": notices.quiet_words(it.quiet), "remind": notices.reminder_words(it.remind),
        }  # fmt: skip
        self.relayout()

    def back(self) -> None:
        self._close()

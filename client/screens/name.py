"""Question for the player's name: at the first start of the program, and at a table."""

from collections.abc import Callable

import arcade

from client.drawing import theme
from client.drawing.fields import TextField
from client.drawing.widgets import Button, Label
from client.language import _
from client.screens.application import Application
from client.screens.base import FramedScreen
from shared.tables import MAX_NAME


class NameScreen(FramedScreen):
    """Field with a name, to confirm or to change. `keep` gets it, then `close` goes on to the next screen."""

    def __init__(
        self,
        app: Application,
        *,
        close: Callable[[], object],
        keep: Callable[[str], object] | None = None,
        name: str = "",
        about: str = "",
    ) -> None:
        """By default it is the first question of the program, about the name in the settings."""
        super().__init__(app)
        self._close = close
        self._keep = keep or app.settings.keep_name
        self._before = self._name = name or app.settings.name
        self._about = about or _("What do the others call you? You can change it later, also at a table.")

    def layout(self, width: float, height: float) -> None:
        inside = self.frame(620, 330, _("Your name"))
        label = self.ui.add(
            Label(self._about, inside.left, inside.top, anchor_y="top", width=inside.width, colour=theme.INK_SOFT)
        )
        high = theme.px(theme.ROW)
        line = arcade.LBWH(inside.left, label.rect.bottom - theme.px(18) - high, inside.width, high)
        field = TextField(line, self._name, limit=MAX_NAME, changed=self._type, done=self.confirm)
        self.ui.set_focus(self.ui.add(field))
        if self._name == self._before:
            field.select_all()  # A suggested name is replaced by the first letter.
        self.ui.add(Button(self.foot(inside, 200, right=True), _("Continue"), self.confirm, kind="primary"))

    def _type(self, words: str) -> None:
        self._name = words

    def confirm(self) -> None:
        """Keep the name and go on; an empty field is refused."""
        if not self._name.strip():
            self.app.toast(_("Please enter your name."), "bad")
            return
        self._keep(self._name.strip())
        self._close()

    def back(self) -> None:
        self._keep(self._before)
        self._close()

"""Where to? The address of a server and, for a table that is not listed, its code."""

from __future__ import annotations

import arcade

from client.drawing import theme
from client.drawing.fields import TextField
from client.drawing.widgets import Button, Label
from client.screens.framed import FramedScreen
from client.screens.shell import Shell
from protocol.routes import PORT, routes_of
from shared.tables import MAX_NAME


class ConnectScreen(FramedScreen):
    """Name, address, code; then on to the table, or to the list of tables where no code was given."""

    def __init__(self, shell: Shell, *, watch: bool, address: str = "", code: str = "") -> None:
        super().__init__(shell)
        self.watch = watch
        self._name = shell.settings.name
        self._address = address or shell.settings.address
        self._code = code

    def layout(self, width: float, height: float) -> None:
        inside = self.frame(640, 474, "Watch a game" if self.watch else "Join a game")
        top = inside.top
        fields = (
            ("Your name", self._name, MAX_NAME, "", self._set_name),
            ("Server", self._address, 80, f"192.168.1.20 or play.example.org:{PORT}", self._set_address),
            ("Code of the table", self._code, 16, "leave empty to see the open tables", self._set_code),
        )
        made: list[TextField] = []
        for words, value, limit, hint, changed in fields:
            self.ui.add(Label(words, inside.left, top - theme.px(12), title=True, colour=theme.INK_SOFT))
            rect = arcade.LBWH(inside.left, top - theme.px(24 + theme.ROW), inside.width, theme.px(theme.ROW))
            made.append(TextField(rect, value, hint=hint, limit=limit, changed=changed, done=self.confirm))
            self.ui.add(made[-1])
            top -= theme.px(theme.ROW + 46)
        self.back_button(inside)
        words = "Watch" if self.watch else "Join"
        self.ui.add(Button(self.foot(inside, 220, right=True), words, self.confirm, kind="primary", tip="Enter"))
        self.ui.set_focus(made[1] if not self._address else made[2])

    def _set_name(self, words: str) -> None:
        self._name = words

    def _set_address(self, words: str) -> None:
        self._address = words

    def _set_code(self, words: str) -> None:
        self._code = words

    def confirm(self) -> None:
        """Connect, if what was typed can be right."""
        shell = self.shell
        if not self._name.strip():
            shell.toast("Please say who you are.", "bad")
            return
        try:
            routes_of(self._address)
        except ValueError as error:
            shell.toast(str(error), "bad")
            return
        shell.settings.name, shell.settings.address = self._name.strip(), self._address.strip()
        shell.settings.save()
        shell.go.server(shell.settings.address, self._arrive)

    def _arrive(self) -> None:
        """The server has greeted us."""
        visit, code = self.shell.visit, self._code.strip()
        if not code:
            self.shell.go.lobby()
        elif self.watch:
            visit.watch("", code)
        else:
            visit.join("", code)

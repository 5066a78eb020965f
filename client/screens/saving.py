"""Choice of a file to save the record of a match to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import arcade

from client.drawing import theme
from client.drawing.fields import TextField
from client.drawing.widgets import Button, Label
from client.language import _
from client.player.files import write_whole
from client.player.saved_matches import usual_name, usual_place
from client.replay.record_files import place_of
from client.screens.application import Application
from client.screens.framed import FramedScreen
from client.screens.question import Answer, Question
from protocol.record import SUFFIX, Record

_LONGEST = 1000
"""Maximum length of a path, in characters."""


class SaveScreen(FramedScreen):
    """Line for the path, with a suggested name that identifies the match."""

    def __init__(self, app: Application, record: Record, data: bytes, *, close: Callable[[], object]) -> None:
        """`close` returns to the previous screen."""
        super().__init__(app)
        self._data = data
        self._close = close
        self._typed = str(usual_place() / usual_name(record))

    def layout(self, width: float, height: float) -> None:
        inside = self.frame(860, 330, _("Save the record of this match"))
        high = theme.px(40)
        self.ui.add(Label(_("Path of the file"), inside.left, inside.top - theme.px(8), title=True,
                          colour=theme.INK_SOFT, size=theme.SMALL + 0.5))  # fmt: skip
        line = arcade.LBWH(inside.left, inside.top - theme.px(20) - high, inside.width, high)
        field = self.ui.add(TextField(line, self._typed, limit=_LONGEST, changed=self._keep, done=self.save))
        words = _("Anyone with this file can watch the match again, and check every decision and every roll in it.")
        self.ui.add(Label(words, inside.left, line.bottom - theme.px(34), width=inside.width))
        self.back_button(inside)
        self.ui.add(Button(self.foot(inside, 210, right=True), _("Save"), self.save, kind="primary"))
        self.ui.set_focus(field)

    def _keep(self, typed: str) -> None:
        self._typed = typed

    @property
    def path(self) -> Path:
        """Path of the file, with the suffix of records."""
        path = place_of(self._typed)
        return path if path.name.endswith(SUFFIX) else path.with_name(path.name + SUFFIX)

    def save(self) -> None:
        """Write the file; ask first if it exists."""
        if not self._typed.strip():
            return
        path = self.path
        if not path.exists():
            self._write(path)
            return
        sure = Answer(_("Replace it"), lambda: self._write(path), grave=True)
        words = _("There is a file {name} in {folder} already.", name=path.name, folder=path.parent)
        self.app.go.ask(Question(_("Replace that file?"), (words,), (sure,), keep=_("Keep it")))

    def _write(self, path: Path) -> None:
        try:
            write_whole(path, self._data)
        except OSError as error:
            self.app.toast(_("The record cannot be saved there ({why}).", why=error.strerror), "bad")
            return
        self.app.toast(_("The record is saved as {name}.", name=path.name), "good")
        self._close()

    def back(self) -> None:
        self._close()

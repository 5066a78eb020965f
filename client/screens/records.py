"""Files of recorded matches: choice of one to watch, and of a place to save one to."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import arcade
from arcade.types import Rect

from client.drawing import shapes, theme
from client.drawing.fields import TextField
from client.drawing.scrolling import ScrollList
from client.drawing.widgets import Button, Label
from client.language import _
from client.player.files import write_whole
from client.player.saved_matches import usual_name, usual_place
from client.replay.record_files import place_of, recorded_matches
from client.screens.application import Application
from client.screens.base import FramedScreen
from client.screens.question import Answer, Question
from protocol.record import SUFFIX, Record

_ROW: Final = 46.0
_LONGEST: Final = 1000
"""Maximum length of a path, in characters."""


class OpenScreen(FramedScreen):
    """List of files, and a line for the path of another one."""

    def __init__(self, app: Application, *, close: Callable[[], object]) -> None:
        """`close` returns to the previous screen."""
        super().__init__(app)
        self._close = close
        self._typed = ""
        self.files = recorded_matches()

    def layout(self, width: float, height: float) -> None:
        inside = self.frame(860, 620, _("Open a recorded match"), elastic=True)
        high = theme.px(40)
        self.ui.add(Label(_("Path of the file"), inside.left, inside.top - theme.px(8), title=True,
                          colour=theme.INK_SOFT, size=theme.SMALL + 0.5))  # fmt: skip
        line = arcade.LBWH(inside.left, inside.top - theme.px(20) - high, inside.width, high)
        self.field = self.ui.add(
            TextField(
                line, self._typed, hint=_("match.conquest"), limit=_LONGEST, changed=self._keep, done=self.confirm
            )
        )
        body = arcade.LRBT(inside.left, inside.right, inside.bottom, line.bottom - theme.px(14))
        self._list = self.ui.add(ScrollList[Path](body, _ROW, self._paint, self._open))
        self._list.items = self.files
        if not self.files:
            words = _("Files of matches end in .conquest. None lies in your folders; type where yours is.")
            self.ui.add(Label(words, body.x, body.y, align="center", colour=theme.INK_SOFT))
        self.back_button(inside)
        self.ui.add(Button(self.foot(inside, 210, right=True), _("Watch"), self.confirm, kind="primary"))
        self.ui.set_focus(self._list if self.files else self.field)

    def _keep(self, typed: str) -> None:
        self._typed = typed

    def _paint(self, path: Path, rect: Rect, chosen: bool) -> None:
        """Draw the file's name, folder and date."""
        y, pad = rect.y, theme.px(14)
        shapes.say(path.stem, rect.left + pad, y, bold=True, limit=rect.width * 0.4)
        shapes.say(str(path.parent), rect.left + rect.width * 0.44, y, size=theme.SMALL, colour=theme.INK_SOFT,
                  limit=rect.width * 0.36)  # fmt: skip
        shapes.say(_date_of_file(path), rect.right - pad, y, size=theme.SMALL, colour=theme.INK_SOFT, align="right")

    def confirm(self) -> None:
        """Open the typed path, or the selected file."""
        if self._typed.strip():
            self._open(place_of(self._typed))
        elif 0 <= self._list.index < len(self.files):
            self._open(self.files[self._list.index])

    def _open(self, path: Path) -> None:
        self.app.go.open_file(path)

    def back(self) -> None:
        self._close()


def _date_of_file(path: Path) -> str:
    try:
        return time.strftime("%Y-%m-%d", time.localtime(path.stat().st_mtime))
    except OSError:
        return ""


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

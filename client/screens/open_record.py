"""Choice of a recorded match: files in the usual folders, or any file by its path."""

from __future__ import annotations

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
from client.replay.record_files import place_of, recorded_matches
from client.screens.application import Application
from client.screens.framed import FramedScreen

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
        shapes.say(_day(path), rect.right - pad, y, size=theme.SMALL, colour=theme.INK_SOFT, align="right")

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


def _day(path: Path) -> str:
    try:
        return time.strftime("%Y-%m-%d", time.localtime(path.stat().st_mtime))
    except OSError:
        return ""

"""Form: entries below each other, each with a name, a control, and a sentence of explanation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

import arcade
from arcade.types import Rect

from client.drawing import theme
from client.drawing.fields import Selector, TextField, Toggle
from client.drawing.widgets import Button, Label, Ui
from client.language import _
from client.player.table_options import label, nearest, thinned
from shared.kernel.ruleset import Option

_PLACE = 64.0
"""Design height of a name and its control."""
_SWITCH = 40.0
"""Design height of a switch."""
_AIR = 10.0
"""Design distance between two entries."""

Chosen: TypeAlias = dict[str, int]


class Column:
    """Column of form entries, filled downwards from `top`. Lengths in pixels."""

    def __init__(self, ui: Ui, left: float, top: float, wide: float) -> None:
        self._ui = ui
        self._left, self.top, self._wide = left, top, wide

    def text(
        self, words: str, value: str, limit: int, changed: Callable[[str], object], *, hint: str = "", about: str = ""
    ) -> None:
        """Add a text field."""
        self._ui.add(TextField(self._named(words), value, hint=hint, limit=limit, changed=changed))
        self._end(about)

    def choice(self, words: str, labels: Sequence[str], index: int, changed: Callable[[int], object], *,
               about: str = "", wrap: bool = True) -> None:  # fmt: skip
        """Add a selector for one of several values."""
        self._ui.add(Selector(self._named(words), labels, index, changed, wrap=wrap))
        self._end(about)

    def toggle(self, words: str, on: bool, changed: Callable[[bool], object], *, about: str = "") -> None:
        """Add a switch."""
        high = theme.px(_SWITCH - 4)
        self._ui.add(Toggle(arcade.LBWH(self._left, self.top - high, self._wide, high), words, on, changed))
        self.top -= theme.px(_SWITCH - 2)
        self._end(about)

    def button(self, words: str, action: Callable[[], object], about: str = "") -> None:
        """Add a button."""
        high = theme.px(36)
        rect = arcade.LBWH(self._left, self.top - high, self._wide, high)
        self._ui.add(Button(rect, words, action, kind="quiet", size=theme.BODY))
        self.top = rect.bottom - theme.px(6)
        self._end(about)

    def option(self, option: Option, chosen: Chosen) -> None:
        """Add the selector for a rule set's option; the choice is stored in `chosen`."""
        value = chosen.get(option.key, option.default)
        if _switch(option):

            def switch(on: bool) -> None:
                chosen[option.key] = option.values[on]

            self.toggle(_(option.label), value == option.values[1], switch, about=_(option.help))
            return
        values = thinned(option)
        place = values.index(value) if value in values else nearest(values, value)

        def choose(index: int) -> None:
            chosen[option.key] = values[index]

        self.choice(_(option.label), [_(label(option, v)) for v in values], place, choose, about=_(option.help))

    def _named(self, words: str) -> Rect:
        """Draw the name of an entry; return the place of its control."""
        self._ui.add(Label(words, self._left, self.top - theme.px(9), size=theme.SMALL + 0.5, colour=theme.INK_SOFT,
                           title=True, limit=self._wide))  # fmt: skip
        high = theme.px(38)
        rect = arcade.LBWH(self._left, self.top - theme.px(20) - high, self._wide, high)
        self.top -= theme.px(_PLACE)
        return rect

    def _end(self, about: str) -> None:
        """Add the sentence below a control and the distance to the next entry."""
        if about:
            said = self._ui.add(_sentence(about, self._left, self.top, self._wide))
            self.top = said.rect.bottom
        self.top -= theme.px(_AIR)


def flow(options: Iterable[Option], wide: float, room: float) -> list[list[Option]]:
    """Distribute the options over columns of width `wide`, none higher than `room` (pixels)."""
    columns: list[list[Option]] = [[]]
    used = 0.0
    for option in options:
        high = _height(option, wide)
        if used + high > room and columns[-1]:
            columns.append([])
            used = 0.0
        columns[-1].append(option)
        used += high
    return columns


def _height(option: Option, wide: float) -> float:
    control = _SWITCH if _switch(option) else _PLACE
    return theme.px(control + _AIR) + _sentence(_(option.help), 0, 0, wide).rect.height


def _sentence(words: str, left: float, top: float, wide: float) -> Label:
    return Label(words, left, top, anchor_y="top", width=wide, size=theme.SMALL, colour=theme.INK_SOFT)


def _switch(option: Option) -> bool:
    return option.labels == ("no", "yes")

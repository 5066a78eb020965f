"""Tabs over the folded parts of the right side: each turns to one part."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final, Generic, TypeVar

import arcade

from client.drawing import theme
from client.drawing.widgets import Button, ButtonKind
from client.table.pane import Pane

HEIGHT: Final = 38.0
_GAP: Final = 6.0
K = TypeVar("K")


class Tabs(Pane, Generic[K]):
    """Row of tabs. `turn` turns to a part; `captions`: names of the parts."""

    def __init__(self, captions: Mapping[K, str], turn: Callable[[K], object]) -> None:
        super().__init__()
        self._captions = captions
        self._turn = turn
        self.parts: Sequence[K] = ()
        self.turned: K | None = None
        self._news: set[K] = set()

    def show(self, parts: Sequence[K], turned: K) -> None:
        """Show tabs for these parts, of which `turned` is visible."""
        self.parts, self.turned = parts, turned
        self._news.discard(turned)
        self.rebuild()

    def tell(self, part: K) -> None:
        """Mark a part that has something new."""
        if part in self.parts and part != self.turned and part not in self._news:
            self._news.add(part)
            self.rebuild()

    def build(self) -> None:
        gap, rect = theme.px(_GAP), self.rect
        width = (rect.width - gap) / max(1, len(self.parts)) - gap
        for place, part in enumerate(self.parts):
            at = arcade.LRBT(
                rect.left + gap + place * (width + gap), rect.left + (place + 1) * (width + gap),
                rect.bottom + theme.px(3), rect.top - theme.px(5),
            )  # fmt: skip
            words = self._captions[part] + (" •" if part in self._news else "")
            kind: ButtonKind = "primary" if part == self.turned else "plain"
            self.ui.add(Button(at, words, partial(self._turn, part), kind=kind, size=theme.BODY))

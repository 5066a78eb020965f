"""Editable line of text: caret, selection, and their movement by keys. Knows no window."""

from __future__ import annotations

import re
from typing import Final

_WORD: Final = re.compile(r"\w+|[^\w\s]+")


class Line:
    """Line being edited. `caret`, `anchor`: places between letters, from 0; the selection is between them.

    `limit`: the maximum number of letters.
    """

    def __init__(self, words: str, limit: int) -> None:
        self.limit = limit
        self.full = False
        """Whether the last typed text did not fit."""
        self.words = words
        self.caret = self.anchor = len(words)

    @property
    def selected(self) -> tuple[int, int]:
        """Start and end of the selection; both the same without a selection."""
        return min(self.caret, self.anchor), max(self.caret, self.anchor)

    @property
    def chosen(self) -> str:
        """Selected text."""
        start, end = self.selected
        return self.words[start:end]

    def set(self, words: str) -> None:
        """Replace the text and put the caret at its end."""
        self.words = words[: self.limit]
        self.caret = self.anchor = len(self.words)

    def go(self, place: int, *, select: bool = False) -> None:
        """Move the caret; with `select`, extend the selection."""
        self.caret = min(len(self.words), max(0, place))
        if not select:
            self.anchor = self.caret

    def step(self, by: int, *, select: bool = False) -> None:
        """Move one letter left or right; without `select`, start from the selection's end on that side."""
        if self.chosen and not select:
            self.go(self.selected[by > 0])
        else:
            self.go(self.caret + by, select=select)

    def word(self, by: int) -> int:
        """Return the start of the word to the left of the caret, or the end of the one to its right."""
        if by > 0:
            found = _WORD.search(self.words, self.caret)
            return found.end() if found else len(self.words)
        return max((found.start() for found in _WORD.finditer(self.words[: self.caret])), default=0)

    def select_word(self, place: int) -> None:
        """Select the word around a place, or the gap between two."""
        for found in re.finditer(r"\w+|\s+|[^\w\s]+", self.words):
            if found.start() <= place < found.end() or found.end() == place == len(self.words):
                self.anchor, self.caret = found.span()

    def select_all(self) -> None:
        """Select the whole text."""
        self.anchor, self.caret = 0, len(self.words)

    def write(self, words: str) -> None:
        """Replace the selection with text."""
        start, end = self.selected
        whole = self.words[:start] + words + self.words[end:]
        self.full = len(whole) > self.limit
        if not self.full:  # A text that is too long is refused, not cut: without its end it could mean something else.
            self.words = whole
            self.go(start + len(words))

    def erase(self, to: int) -> None:
        """Erase the selection; without one, erase from the caret to that place."""
        if not self.chosen:
            self.go(to, select=True)
        self.write("")

"""A line of text that is being edited: a caret, what is selected, and how keys move both. Knows no window."""

from __future__ import annotations

import re
from typing import Final

_WORD: Final = re.compile(r"\w+|[^\w\s]+")


class Line:
    """See the module's docstring. `caret`, `anchor`: places between letters, from 0; between them is what is selected.
    `limit`: the most letters there may be."""

    def __init__(self, words: str, limit: int) -> None:
        self.limit = limit
        self.full = False
        """Whether something that was typed last found no room."""
        self.words = words
        self.caret = self.anchor = len(words)

    @property
    def selected(self) -> tuple[int, int]:
        """Where what is selected begins and ends; the same place twice where nothing is."""
        return min(self.caret, self.anchor), max(self.caret, self.anchor)

    @property
    def chosen(self) -> str:
        """What is selected."""
        start, end = self.selected
        return self.words[start:end]

    def set(self, words: str) -> None:
        """Stand for something else, with the caret behind it."""
        self.words = words[: self.limit]
        self.caret = self.anchor = len(self.words)

    def go(self, place: int, *, select: bool = False) -> None:
        """Move the caret; with `select` what lies between stays selected."""
        self.caret = min(len(self.words), max(0, place))
        if not select:
            self.anchor = self.caret

    def step(self, by: int, *, select: bool = False) -> None:
        """A letter to the left or right; without `select` from the end of what is selected on that side."""
        if self.chosen and not select:
            self.go(self.selected[by > 0])
        else:
            self.go(self.caret + by, select=select)

    def word(self, by: int) -> int:
        """Where the word to the left of the caret begins, or the one to its right ends."""
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
        """Select all of it."""
        self.anchor, self.caret = 0, len(self.words)

    def write(self, words: str) -> None:
        """Put words in the place of what is selected."""
        start, end = self.selected
        whole = self.words[:start] + words + self.words[end:]
        self.full = len(whole) > self.limit
        self.words = whole[: self.limit]
        self.go(start + len(words))

    def erase(self, to: int) -> None:
        """Erase what is selected; where nothing is, what lies between the caret and that place."""
        if not self.chosen:
            self.go(to, select=True)
        self.write("")

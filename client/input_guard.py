"""Guard of the window's input: a click or key counts only for what the player has had time to see."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from time import monotonic
from typing import Final

from arcade.types import Rect

SETTLED: Final = 0.3
"""Seconds after which a control may be used. The second click of a double click comes earlier."""


class InputGuard:
    """Memory of the drawn controls: since when each has had its place and its meaning.

    A meaning is any value that changes when a click would do something else. `clock`: returns seconds.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._screen: object = None
        self._since: dict[Hashable, list[tuple[Rect, float]]] = {}
        self._scrolled = False
        self._pressed: tuple[object, Hashable] = None, None
        """Screen and meaning of the last press that counted."""

    def draw(self, screen: object, controls: Iterable[tuple[Hashable, Rect]]) -> None:
        """Note what was drawn; everything on another screen is new."""
        before = self._since if screen is self._screen else {}
        now, self._since, self._screen = self._clock(), {}, screen
        for meaning, rect in controls:
            known = (since for old, since in before.get(meaning, ()) if self._scrolled or _same_place(old, rect))
            self._since.setdefault(meaning, []).append((rect, min(known, default=now)))
        self._scrolled = False

    def scroll(self) -> None:
        """Note that the player moves things: they stay known in their new places."""
        self._scrolled = True

    def drawn(self, screen: object) -> bool:
        """Whether that screen is the one that was drawn last."""
        return screen is self._screen

    def settled(self, screen: object, meaning: Hashable) -> bool:
        """Whether the player has had time to see that meaning; None: nothing of importance, so a drawn screen is
        enough."""
        if meaning is None or screen is not self._screen:
            return screen is self._screen
        return any(self._clock() - since >= SETTLED for _rect, since in self._since.get(meaning, ()))

    def press(self, screen: object, meaning: Hashable) -> bool:
        """Note a press of the mouse; return whether it counts."""
        self._pressed = screen, meaning
        return self.settled(screen, meaning)

    def release(self, screen: object, meaning: Hashable) -> bool:
        """Whether a release, with the present meaning of the pressed thing, completes a click."""
        return self._pressed == (screen, meaning)


def _same_place(old: Rect, new: Rect) -> bool:
    """Whether a control has moved by less than half of its size."""
    return abs(old.x - new.x) < new.width / 2 and abs(old.y - new.y) < new.height / 2

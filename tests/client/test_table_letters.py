"""At the table, what is read grows as the player wishes; nothing lies on something else for it."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import combinations
from typing import Any

import arcade
import pytest

from client.drawing import theme
from client.games.registry import guide
from client.games.still import LocalMatch, QuietHouse
from client.player.looks import SIZES
from client.table.tabletop import Tabletop
from shared.rulesets.registry import RULESETS

Box = tuple[str, float, float, float, float]
"""A text, and its left, right, lower and upper edge."""


@contextmanager
def texts(into: set[Box]) -> Iterator[None]:
    """Every text that is drawn meanwhile, and where."""
    draw = arcade.Text.draw

    def note(self: arcade.Text) -> None:
        into.add((self.text, self.left, self.right, self.bottom, self.top))
        draw(self)

    arcade.Text.draw = note  # type: ignore[method-assign]
    try:
        yield
    finally:
        arcade.Text.draw = draw  # type: ignore[method-assign]


def covered(boxes: set[Box]) -> set[tuple[str, str]]:
    """Texts that lie on each other; a line of text has air above and below the letters."""
    found = set()
    for a, b in combinations(sorted(boxes), 2):
        across = min(a[2], b[2]) - max(a[1], b[1])
        air = 0.2 * min(a[4] - a[3], b[4] - b[3], 16)
        if a[0].strip() and b[0].strip() and across > 1 and min(a[4], b[4]) - max(a[3], b[3]) - 2 * air > 1:
            found.add((a[0], b[0]))
    return found


def seen(game: str, share: float) -> list[set[Box]]:
    """What the table shows through a match of bots, with letters so large."""
    theme.set_window(*theme.BASE_SIZE)
    theme.enlarge(1.0, share)
    match = LocalMatch(RULESETS[game], 6, seed=3, seat=0)
    top: Tabletop[Any] = Tabletop(match, guide(game), QuietHouse())
    top.place(*theme.BASE_SIZE)
    found = []
    for _ in range(10):
        for _ in range(12):
            match.step()
        top.hear()
        top.hurry()
        for pane in top.panes:
            pane.touch()
        found.append(boxes := set[Box]())
        with texts(boxes):
            top.draw()
    return found


@pytest.mark.usefixtures("window")
@pytest.mark.parametrize("game", RULESETS)
def test_larger_letters_lie_on_nothing(game: str) -> None:
    usual = seen(game, 1.0)
    words = {box[0] for boxes in usual for box in boxes}
    assert len(words) > 60
    for size in SIZES[1:]:
        for before, after in zip(usual, seen(game, size / 100), strict=True):
            assert covered(after) <= covered(before)


@pytest.mark.usefixtures("window")
def test_the_chronicle_and_what_is_asked_are_larger() -> None:
    def high(share: float) -> dict[str, float]:
        return {words: top - bottom for boxes in seen("classic", share) for words, _, _, bottom, top in boxes}

    usual, large = high(1.0), high(1.75)
    grown = {words for words in usual if large.get(words, 0) > 1.4 * usual[words]}
    assert len(grown) > 5, "lines of the chronicle, and what is asked"

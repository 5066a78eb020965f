"""The space that has the keyboard: a ring on the board, and a plate beside it with what is there, by number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import arcade
from arcade.types import Rect
from msgspec import Struct

from client.drawing import shapes, theme
from client.language import _
from client.table.compass import Way, named, towards
from client.table.ground import Tint
from client.table.pieces import Token
from client.table.words import Who, where_words
from shared.ids import NONE, Space

FOCUS: Final = Tint(theme.alpha(theme.IVORY, 40), theme.alpha(theme.IVORY, 255))
"""The space itself."""
_RINGS: Final = ((3.5, theme.NIGHT_DEEP), (0.0, theme.IVORY), (-3.5, theme.NIGHT_DEEP))
"""Of what the ring is made: light between dark, so that it is seen on any ground. How much wider each is."""
_RADIUS: Final = 25.0
_MOST: Final = 9
"""Things that have a number."""
_NOTHING: Final = _("nothing is called so")


class Thing(Struct, frozen=True):
    """A piece at the cursor, or the shadow of one, that can be picked by its number. `words`: what it is."""

    token: Token
    words: str


def things(tokens: Sequence[Token], space: Space, who: Who) -> tuple[Thing, ...]:
    """What can be picked in a space: each force, leader and galley once."""
    found: dict[object, Thing] = {}
    for token in tokens:
        if token.space == space and token.pick.kind in ("army", "leader", "galley"):
            found.setdefault((token.pick, token.key if token.faded else ""), Thing(token, _words(token, who)))
    return tuple(found.values())[:_MOST]


def _words(token: Token, who: Who) -> str:
    if token.faded:
        return _("go to {where}", where=where_words(token.pick.place))
    kind = token.pick.kind if token.pick.kind == "army" else token.picture.partition("_")[0]
    return f"{kind}, {who(token.pick.seat)}" if token.pick.seat != NONE else kind


class Cursor:
    """See the module's docstring. `on`: whether the board has the keyboard; `space`: where it is, or was; `armed`:
    whether numbers pick what is there: until something was done there; `letters`: what was typed to find a space."""

    def __init__(self) -> None:
        self.on = False
        self.space: Space = NONE
        self.armed = False
        self.letters = ""
        self.things: tuple[Thing, ...] = ()

    def put(self, space: Space, *, armed: bool = True) -> None:
        """Go there."""
        self.on, self.space, self.armed, self.letters = True, space, armed, ""

    def leave(self) -> None:
        """Let others have the keyboard."""
        self.on, self.letters = False, ""

    def move(self, way: Way) -> None:
        """To the neighbour on that side; at the edge of the board it stays."""
        to = towards(self.space, way)
        self.put(to if to != NONE else self.space)

    # Finding by name

    def write(self, letter: str) -> None:
        """One more letter of a name; where none goes on like that, the first one of another."""
        letters = self.letters + letter if named(self.letters + letter) else letter
        self._find(letters, 0)

    def erase(self) -> None:
        """One letter fewer."""
        self._find(self.letters[:-1], 0)

    def again(self) -> None:
        """The next one that is called so."""
        found = named(self.letters)
        self._find(self.letters, found.index(self.space) + 1 if self.space in found else 0)

    def _find(self, letters: str, place: int) -> None:
        found = named(letters)
        self.put(found[place % len(found)] if found else self.space)
        self.letters = letters

    # How it looks

    def draw(self, at: tuple[float, float], board: Rect, about: str) -> None:
        """The ring around a point of the window, and the plate: what was typed, what is told of the space, and what has
        a number there."""
        for wider, colour in _RINGS:
            arcade.draw_circle_outline(*at, theme.px(_RADIUS) + wider, colour, 3.5)
        lines = [about]
        if self.letters:
            lines.insert(0, f"“{self.letters}”" + ("" if named(self.letters) else f": {_NOTHING}"))
        if self.armed:
            lines += [f"{number}  {thing.words}" for number, thing in enumerate(self.things, 1)]
        _plate("\n".join(lines), at, board)


def _plate(words: str, at: tuple[float, float], board: Rect) -> None:
    """Beside a point, inside the board's part of the window."""
    pad, away = theme.px(10), theme.px(_RADIUS + 12)
    label = shapes.kept(words, size=theme.SMALL, colour=theme.IVORY, width=theme.px(290))
    wide, high = label.content_width + 2 * pad, label.content_height + 2 * pad
    left = at[0] + away if at[0] + away + wide < board.right else at[0] - away - wide
    top = min(max(at[1] + high / 2, board.bottom + high + 4), board.top - 4)
    shapes.plate(arcade.LBWH(left, top - high, wide, high), shapes.TIP)
    label.position = round(left + pad), round(top - pad)
    label.draw()

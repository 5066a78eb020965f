"""Keyboard at the table: the focus among its controls, and a cursor on the board. The cursor is a ring around a space.
A plate beside it lists the pieces there by number."""

from collections.abc import Callable, Sequence
from typing import Final

import arcade
from arcade.types import Rect
from msgspec import Struct

from client.drawing import shapes, theme
from client.drawing.scrolling import clipped
from client.drawing.tooltip import draw_tooltip
from client.drawing.widgets import Widget
from client.language import Who, _
from client.table.board_view import BoardView
from client.table.compass import BoardDirection, named, towards
from client.table.pane import Pane
from client.table.pieces import Token
from client.table.words import where_words
from shared.ids import NONE, Space

_RINGS: Final = ((3.5, theme.NIGHT_DEEP), (0.0, theme.IVORY), (-3.5, theme.NIGHT_DEEP))
"""Circles of the ring, each with its extra radius: light between dark, so that it is visible on any ground."""
_RADIUS: Final = 25.0
_MOST: Final = 9
"""Largest number of numbered things."""
_NOTHING: Final = _("no such place")


class Thing(Struct, frozen=True):
    """A piece at the cursor, or the shadow of one, that can be picked by its number. `words`: its name."""

    token: Token
    words: str


def things(tokens: Sequence[Token], space: Space, who: Who) -> tuple[Thing, ...]:
    """Return the things that can be picked in a space: each force, leader and galley once."""
    found: dict[object, Thing] = {}
    for token in tokens:
        if token.space == space and token.pick.kind in ("army", "leader", "galley"):
            # The tokens of one army share a pick and count once; shadows of targets are things of their own.
            found.setdefault((token.pick, token.key if token.faded else ""), Thing(token, _words(token, who)))
    return tuple(found.values())[:_MOST]


def _words(token: Token, who: Who) -> str:
    if token.faded:
        return _("go to {where}", where=where_words(token.pick.place))
    kind = token.pick.kind if token.pick.kind == "army" else token.picture.partition("_")[0]
    return f"{kind}, {who(token.pick.seat)}" if token.pick.seat != NONE else kind


class Cursor:
    """Keyboard cursor on the board.

    `on`: whether the board has the keyboard. `space`: its present or last space. `armed`: whether number keys pick
    pieces there, which ends with an action there. `letters`: those typed to find a space.
    """

    def __init__(self) -> None:
        self.on = False
        self.space: Space = NONE
        self.armed = False
        self.letters = ""
        self.things: tuple[Thing, ...] = ()

    def put(self, space: Space, *, armed: bool = True) -> None:
        """Move the cursor to a space."""
        self.on, self.space, self.armed, self.letters = True, space, armed, ""

    def leave(self) -> None:
        """Release the keyboard."""
        self.on, self.letters = False, ""

    def move(self, way: BoardDirection) -> None:
        """Move to the neighbour on that side; at the edge of the board it stays."""
        to = towards(self.space, way)
        self.put(to if to != NONE else self.space)

    # Finding by name

    def write(self, letter: str) -> None:
        """Add a letter to the typed name. If no name fits, begin a new name with the letter."""
        letters = self.letters + letter if named(self.letters + letter) else letter
        self._find(letters, 0)

    def erase(self) -> None:
        """Remove the last letter."""
        self._find(self.letters[:-1], 0)

    def next_namesake(self) -> None:
        """Move to the next space with that name."""
        found = named(self.letters)
        self._find(self.letters, found.index(self.space) + 1 if self.space in found else 0)

    def _find(self, letters: str, place: int) -> None:
        found = named(letters)
        self.put(found[place % len(found)] if found else self.space)
        self.letters = letters

    # How it looks

    def draw(self, board: BoardView, describe: Callable[[Space], str]) -> None:
        """Draw the ring on the board, and the plate. The plate shows the typed letters, the words that `describe` the
        space, and the numbered things."""
        if self.on:
            with clipped(board.rect):
                self._draw(board.camera.to_window(*board.geography.heart(self.space)), board.rect, describe(self.space))

    def _draw(self, at: tuple[float, float], board: Rect, about: str) -> None:
        for wider, colour in _RINGS:
            arcade.draw_circle_outline(*at, theme.px(_RADIUS) + wider, colour, 3.5)
        lines = [about]
        if self.letters:
            lines.insert(0, f"“{self.letters}”" + ("" if named(self.letters) else f": {_NOTHING}"))
        if self.armed:
            lines += [f"{number}  {thing.words}" for number, thing in enumerate(self.things, 1)]
        _draw_plate("\n".join(lines), at, board)


def _draw_plate(words: str, at: tuple[float, float], board: Rect) -> None:
    """Draw the plate beside a point, inside the board's part of the window."""
    pad, away = theme.px(10), theme.px(_RADIUS + 12)
    label = shapes.kept(words, size=theme.SMALL, colour=theme.IVORY, width=theme.px(290))
    width, height = label.content_width + 2 * pad, label.content_height + 2 * pad
    left = at[0] + away if at[0] + away + width < board.right else at[0] - away - width
    top = min(max(at[1] + height / 2, board.bottom + height + 4), board.top - 4)
    shapes.plate(arcade.LBWH(left, top - height, width, height), shapes.TIP)
    label.position = round(left + pad), round(top - pad)
    label.draw()


class KeyboardFocus:
    """Keyboard focus around the board. `pane`: the part of the table that has it, or None; the focus of its `ui` is
    marked there."""

    def __init__(self, panes: Callable[[], Sequence[Pane]]) -> None:
        """`panes`: returns all parts of the table with controls, in their tab order."""
        self._panes = panes
        self.pane: Pane | None = None

    @property
    def focus(self) -> Widget | None:
        """The control that has the keyboard."""
        return self.pane.ui.focus if self.pane is not None else None

    def draw_tip(self, obstacles: Callable[[Pane | None], list[Rect]]) -> None:
        """Draw the tooltip of the control that has the keyboard. `obstacles`: returns what it should not cover."""
        focus = self.focus
        if focus is not None and focus.marked and focus.tip:
            at = focus.rect.left, focus.rect.bottom
            draw_tooltip(focus.tip, at, focus.rect, obstacles(self.pane))

    def leave(self) -> None:
        """Leave the controls, so that the board has the keyboard."""
        if self.pane is not None:
            self.pane.ui.set_focus(None)
            self.pane.touch()
        self.pane = None

    def enter(self, pane: Pane, place: int = 0) -> bool:
        """Go to a control of a part of the table; return False if it has none."""
        ring = pane.ui.ring
        if not ring:
            return False
        if self.pane is not pane:
            self.leave()
        self.pane = pane
        pane.ui.mark(ring[place])
        pane.touch()
        return True

    def step(self, by: int) -> bool:
        """Go to the next control, or (-1) to the one before; beyond the last one to the next part."""
        pane = self.pane
        if pane is not None and pane.ui.focus in (ring := pane.ui.ring):
            place = ring.index(pane.ui.focus) + by
            if 0 <= place < len(ring):
                return self.enter(pane, place)
        return self.turn(by) or self._first(by)

    def turn(self, by: int) -> bool:
        """Go to the next part of the table, or to the one before; return False beyond the last one, where the board
        follows."""
        panes = [pane for pane in self._panes() if pane.ui.ring]
        at = panes.index(self.pane) + by if self.pane in panes else 0 if by > 0 else len(panes) - 1
        if 0 <= at < len(panes):
            return self.enter(panes[at], 0 if by > 0 else -1)
        return False

    def _first(self, by: int) -> bool:
        """Start again at the first part, or at the last."""
        self.leave()
        return self.turn(by)

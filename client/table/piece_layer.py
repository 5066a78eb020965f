"""Layer of pieces: draws the tokens of a position in one call, updates only changed ones, and finds the token under the
mouse.

While the zoom changes, existing pictures are scaled. Once it rests, sharp ones replace them, a few in each frame.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import arcade
from msgspec import Struct

from client.drawing import theme
from client.table import figures
from client.table.camera import Camera
from client.table.geography import Point
from client.table.pieces import NUMBER_HIGH, PLATE, Pick, Token

HEIGHT: Final = 30.0
"""Height of a figure while the whole board is in sight, in design pixels at the usual font size."""
LARGEST: Final = 66.0
GROWTH: Final = 0.55
"""Exponent with which figures grow with the zoom: at 1 they would be painted on the board."""
_FADED: Final = 165
_PICTURES: Final = 3
"""Largest number of pictures that are made in a frame when the zoom rests. Each takes some milliseconds."""


def _high(nearer: float) -> float:
    """Return the height of a figure (pixels); `nearer`: the zoom divided by that of the whole board.

    At 1 figures have the usual height even with large letters, so that they cover no names. With the zoom they grow
    until they match the size of letters.
    """
    usual, wished = theme.window_px(HEIGHT), theme.px(1) / theme.window_px(1)
    grown: float = usual * nearer**GROWTH * min(wished, max(1.0, nearer ** (1 - GROWTH)))
    return min(theme.px(LARGEST), max(usual * 0.9, grown))


class _Drawn(Struct):
    """A token and its sprites."""

    token: Token
    sprite: arcade.Sprite
    number: arcade.Sprite | None


class PieceLayer:
    """Layer with the pieces of the board."""

    def __init__(self) -> None:
        self._sprites: arcade.SpriteList[arcade.Sprite] = arcade.SpriteList()
        self._drawn: dict[str, _Drawn] = {}
        self._view = (0.0, 0.0, "")
        self._glow: frozenset[Pick] = frozenset()
        self.figure = HEIGHT
        """Height of a figure now, in pixels of the window."""
        self._made = HEIGHT
        """Height of a figure for which the pictures were made."""
        self._blunt: list[str] = []
        """Keys of the tokens whose pictures were made for another zoom."""

    @property
    def blunt(self) -> bool:
        """Whether pictures are still to be made for the present zoom."""
        return bool(self._blunt)

    def show(self, tokens: Sequence[Token], camera: Camera, glow: frozenset[Pick] = frozenset()) -> None:
        """Show these tokens; `glow` are those that can still act."""
        self._fit(camera)
        before = self._drawn
        after: dict[str, _Drawn] = {}
        changed = [token.key for token in tokens] != list(before) or glow != self._glow
        self._glow = glow
        for token in tokens:
            old = before.get(token.key)
            if old is not None and old.token == token:
                after[token.key] = old
                continue
            changed = changed or old is None or (old.number is None) == token.numbered
            after[token.key] = self._make(token, old)
        self._drawn = after
        if changed:
            self._list()

    def _fit(self, camera: Camera) -> None:
        """Adapt the sizes if the zoom changed; make all pictures anew if the window or the colours changed."""
        view = (camera.zoom, theme.px(1), theme.palette())
        if view == self._view:
            return
        zooms = view[1:] == self._view[1:]
        self._view = view
        self.figure = _high(camera.zoom / camera.home_zoom)
        if zooms:
            for drawn in self._drawn.values():
                self._resize(drawn)
            self._blunt = list(self._drawn)
        else:
            for drawn in self._drawn.values():
                self._make(drawn.token, drawn)
            self._sharp()
        self._list()

    def sharpen(self) -> None:
        """Make a few pictures for the present zoom; the glows last."""
        first = figures.made()
        while self._blunt and figures.made() - first < _PICTURES:
            drawn = self._drawn.get(self._blunt.pop())
            if drawn is not None:
                self._make(drawn.token, drawn)
        if not self._blunt:
            self._sharp()
            self._list()

    def _sharp(self) -> None:
        self._blunt, self._made = [], self.figure

    def _resize(self, drawn: _Drawn) -> None:
        """Scale a token to the present zoom, with its existing pictures."""
        token, sprite, zoom = drawn.token, drawn.sprite, self._view[0]
        size = self.figure * token.size
        sprite.position = self._spot(token.at, token.dx, token.dy)
        sprite.height, sprite.width = size / zoom, size * token.wide / zoom
        if drawn.number is not None:
            picture = drawn.number.texture
            drawn.number.position = self._spot(token.at, *token.number[:2])
            drawn.number.height = self._number / zoom
            drawn.number.width = self._number / zoom * picture.width / picture.height

    @property
    def _number(self) -> float:
        """Height of a number, in pixels of the window."""
        return max(theme.window_px(HEIGHT) * NUMBER_HIGH, self.figure * 0.42)

    def _make(self, token: Token, old: _Drawn | None) -> _Drawn:
        zoom = self._view[0]
        size = self.figure * token.size
        sprite = old.sprite if old is not None else arcade.Sprite()
        ratio = arcade.get_window().get_pixel_ratio()
        if token.picture == PLATE:
            wide, high = round(size * token.wide * ratio), round(size * ratio)
            sprite.texture = figures.plate(token.pick.seat, wide, high)
        else:
            sprite.texture = figures.figure(token.picture, figures.size_for(size))
        sprite.position = self._spot(token.at, token.dx, token.dy)
        sprite.height, sprite.width = size / zoom, size * token.wide / zoom
        sprite.alpha = _FADED if token.faded else 255
        if not token.numbered:
            return _Drawn(token, sprite, None)
        number = old.number if old is not None and old.number is not None else arcade.Sprite()
        number.texture = figures.number(token.count, round(self._number * ratio))
        number.position = self._spot(token.at, *token.number[:2])
        number.height = number.texture.height / ratio / zoom
        number.width = number.texture.width / ratio / zoom
        drawn = _Drawn(token, sprite, number)
        if old is not None:
            old.token, old.number = token, number
        return drawn

    def _spot(self, at: Point, dx: float, dy: float) -> Point:
        unit = self.figure / self._view[0]
        return at[0] + dx * unit, at[1] + dy * unit

    def _list(self) -> None:
        """Rebuild the list of sprites, glows below, numbers above their figures."""
        self._sprites.clear()
        for drawn in self._drawn.values():
            if drawn.token.pick in self._glow and drawn.token.key.startswith(("army", "leader", "galley")):
                self._sprites.append(self._glowing(drawn))
        for drawn in self._drawn.values():
            self._sprites.append(drawn.sprite)
            if drawn.number is not None:
                self._sprites.append(drawn.number)

    def _glowing(self, drawn: _Drawn) -> arcade.Sprite:
        size = self.figure * drawn.token.size * 1.75
        glow = arcade.Sprite(figures.ring(figures.size_for(size * self._made / self.figure)))
        glow.position = drawn.sprite.position
        glow.height = size / self._view[0]
        glow.width = glow.height + drawn.sprite.width - drawn.sprite.height
        return glow

    def draw(self, camera: Camera) -> None:
        """Draw the pieces; the projection is already the world's."""
        self._fit(camera)
        self._sprites.draw()

    def pick(self, x: float, y: float, kinds: Iterable[str] = ()) -> Token | None:
        """Return the topmost token at a point of the world; only of the given kinds, if any."""
        wanted = set(kinds)
        for drawn in reversed(self._drawn.values()):
            if wanted and drawn.token.pick.kind not in wanted:
                continue
            sprite = drawn.sprite
            if abs(x - sprite.center_x) < sprite.width * 0.46 and abs(y - sprite.center_y) < sprite.height * 0.5:
                return drawn.token
        return None

"""The board in its part of the window: ground, layers of the game, pieces.

A picture of it is kept while nothing changes. The ground has a picture of its own, as it takes most of the time and
pieces change more often.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import pairwise
from math import atan2, ceil, cos, dist, floor, sin
from typing import Final

import arcade
from arcade.types import Rect
from msgspec import Struct

from client.drawing import shapes, theme
from client.drawing.cached_surface import CachedSurface
from client.drawing.curves import bowed, curved, eased, strip
from client.drawing.scrolling import clipped
from client.table import figures
from client.table.camera import Camera
from client.table.geography import Point, geography
from client.table.ground import Ground, Tint
from client.table.pane import WOOD
from client.table.pieces import NUMBER_HIGH, PLATE, Pick, Token
from shared.ids import NONE, Space

HEIGHT: Final = 30.0
"""Height of a figure while the whole board is in sight, in design pixels at the usual font size."""
LARGEST: Final = 66.0
GROWTH: Final = 0.55
"""Exponent with which figures grow with the zoom: at 1 they would be painted on the board."""
_FADED: Final = 165
_PICTURES: Final = 3
"""Largest number of pictures that are made in a frame when the zoom rests. Each takes some milliseconds."""


def _figure_height(nearer: float) -> float:
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
        self._height_made = HEIGHT
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
        # The order counts too: it decides which piece covers another.
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
        self.figure = _figure_height(camera.zoom / camera.home_zoom)
        if zooms:
            for drawn in self._drawn.values():
                self._resize(drawn)
            # While the zoom changes, pictures are only scaled; exact ones follow when it rests, a few in each frame.
            self._blunt = list(self._drawn)
        else:
            for drawn in self._drawn.values():
                self._make(drawn.token, drawn)
            self._forget_blunt()
        self._list()

    def sharpen(self) -> None:
        """Make a few pictures for the present zoom; the glows last."""
        first = figures.made()
        while self._blunt and figures.made() - first < _PICTURES:
            drawn = self._drawn.get(self._blunt.pop())
            if drawn is not None:
                self._make(drawn.token, drawn)
        if not self._blunt:
            self._forget_blunt()
            self._list()

    def _forget_blunt(self) -> None:
        self._blunt, self._height_made = [], self.figure

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
            width, height = round(size * token.wide * ratio), round(size * ratio)
            sprite.texture = figures.plate(token.pick.seat, width, height)
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
                self._sprites.append(self._glow_sprite(drawn))
        for drawn in self._drawn.values():
            self._sprites.append(drawn.sprite)
            if drawn.number is not None:
                self._sprites.append(drawn.number)

    def _glow_sprite(self, drawn: _Drawn) -> arcade.Sprite:
        size = self.figure * drawn.token.size * 1.75
        glow = arcade.Sprite(figures.ring(figures.size_for(size * self._height_made / self.figure)))
        glow.position = drawn.sprite.position
        glow.height = size / self._view[0]
        glow.width = glow.height + drawn.sprite.width - drawn.sprite.height
        return glow

    def draw(self, camera: Camera) -> None:
        """Draw the pieces; the projection is already the world's."""
        # The camera may have moved since the tokens were shown.
        self._fit(camera)
        self._sprites.draw()

    def pick(self, x: float, y: float, kinds: Iterable[str] = ()) -> Token | None:
        """Return the topmost token at a point of the world; only of the given kinds, if any."""
        kind_set = set(kinds)
        # The topmost first: later tokens are drawn over earlier ones.
        for drawn in reversed(self._drawn.values()):
            if kind_set and drawn.token.pick.kind not in kind_set:
                continue
            sprite = drawn.sprite
            if abs(x - sprite.center_x) < sprite.width * 0.46 and abs(y - sprite.center_y) < sprite.height * 0.5:
                return drawn.token
        return None


SECONDS: Final = 0.45
"""Seconds that a glide takes."""
_ROOM: Final = 1.5
"""Width and height of the view near a battle, for each unit of what must be in sight."""

_View = tuple[float, float, float]
"""Middle of a view of the world, and its zoom."""


class Glide:
    """Move of a camera. On the way near, the camera itself moves at the end; on the way back, at once."""

    def __init__(self, camera: Camera) -> None:
        self._camera = camera
        self._home: _View | None = None
        """The view to which it goes back."""
        self._near: _View | None = None
        self._way: tuple[_View, _View] | None = None
        self._age = 0.0

    @property
    def moving(self) -> bool:
        """Whether the view moves."""
        return self._way is not None

    def approach(self, points: Sequence[Point]) -> bool:
        """Go near these points of the world; return False if that changes nothing."""
        camera = self._camera
        start = camera.view
        if self._home is None:
            self._home = start
        xs, ys = [x for x, _y in points], [y for _x, y in points]
        width, height = (max(xs) - min(xs)) * _ROOM, (max(ys) - min(ys)) * _ROOM
        zoom = min(camera.width / max(width, 1.0), camera.height / max(height, 1.0), camera.closest)
        # Never out: a battle that fits into the present view needs no move.
        goal = camera.fitting((max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2, max(zoom, start[2]))
        self._near = goal
        self._begin(start, goal)
        return goal != start

    def leave(self) -> bool:
        """Go back, unless the player has moved the view; return whether the camera changed."""
        self.arrive()
        home, near, self._home, self._near = self._home, self._near, None, None
        if home is None or near is None or self._camera.view != near or home == near:
            return False
        self._camera.turn_to(home)
        self._begin(near, home)
        return True

    def forget(self) -> None:
        """Stay where the view is."""
        self._home = self._near = self._way = None

    def _begin(self, start: _View, goal: _View) -> None:
        self._way, self._age = (start, goal) if start != goal else None, 0.0

    def update(self, seconds: float) -> bool:
        """Advance by some seconds; return whether the camera has arrived and changed now."""
        self._age += seconds
        return self._way is not None and self._age >= SECONDS and self.arrive()

    def arrive(self) -> bool:
        """End the move; return whether the camera changed."""
        way, self._way = self._way, None
        if way is None or self._camera.view == way[1]:
            return False
        self._camera.turn_to(way[1])
        return True

    def seen(self, rect: Rect) -> Rect:
        """Return where the picture of the camera's view appears now, which fills `rect` at rest."""
        assert self._way is not None
        t = min(1.0, self._age / SECONDS)
        gone = eased(t)
        (x0, y0, z0), (x1, y1, z1) = self._way
        zoom = z0 * (z1 / z0) ** gone
        # With a zoom that grows by equal factors, the middle moves evenly on the screen along 1 / zoom.
        share = gone if z0 == z1 else (1 / z0 - 1 / zoom) / (1 / z0 - 1 / z1)
        x, y = x0 + (x1 - x0) * share, y0 + (y1 - y0) * share
        camera = self._camera
        scale = zoom / camera.zoom
        return arcade.XYWH(
            rect.x + (camera.x - x) * zoom, rect.y + (camera.y - y) * zoom, rect.width * scale, rect.height * scale
        )


_HOVER: Final = Tint(theme.alpha(theme.IVORY, 26), theme.alpha(theme.IVORY, 150))
_ARROW: Final = (255, 236, 150, 255)
_ARROW_EDGE: Final = (92, 30, 18, 255)
_BOW: Final = 0.12
"""Share of the length by which an arrow between two stops bends."""
_BENDS: Final = 12
"""Pieces of an arrow between two points."""


class BoardView:
    """View of the board. Change it through its methods; each requests a new picture where needed. `painting`: the
    file's name. `layers`: draw what a game has between ground and pieces."""

    def __init__(self, painting: str, layers: Sequence[Callable[[], object]]) -> None:
        self.geography = geography()
        self.camera = Camera(self.geography.width, self.geography.height)
        self.ground = Ground(self.geography, painting)
        self._layers = tuple(layers)
        self.pieces = PieceLayer()
        self.rect = arcade.LBWH(0, 0, 1, 1)
        self.hovered: Space = NONE
        self.way: Sequence[Point] = ()
        """A way over the board, drawn as an arrow."""
        self.tethers: Sequence[tuple[Point, Point]] = ()
        """Lines from pieces to the provinces in which they belong."""
        self._surface = self._bare = self._paper = CachedSurface(self.rect)
        self._viewport_camera = arcade.Camera2D()
        self.glide = Glide(self.camera)
        """The move of the view to a battle and back."""
        self.patient = False
        """Whether a finer picture has to wait because other parts are painted first."""
        self._stale = True
        self._fine = False
        """Whether the ground is painted as finely as possible."""
        self._sight: tuple[float, float, float] | None = None
        """Camera position for which the ground was painted; None requests a new picture."""
        self._fine_sight: tuple[float, float, float] | None = None
        """Camera position for which the paper below the colours was painted finely."""
        self._tints: Mapping[Space, Tint] = {}
        """Colours with which the ground was painted."""

    def place(self, rect: Rect) -> None:
        """Use that rectangle of the window."""
        self.rect = rect
        self.geography.letter(theme.wished())
        self._surface, self._bare, self._paper = CachedSurface(rect), CachedSurface(rect), CachedSurface(rect)
        self.camera.place(rect.left, rect.bottom, rect.width, rect.height, theme.px(1))
        self.touch()

    @property
    def unit(self) -> float:
        """Height of a figure in pixels of the painting, while the whole board is in sight."""
        return theme.window_px(HEIGHT) / self.camera.home_zoom

    def show(
        self,
        tokens: Sequence[Token],
        tints: Mapping[Space, Tint],
        glow: frozenset[Pick] = frozenset(),
    ) -> None:
        """Show these pieces on a board with these colours."""
        self.ground.tints = dict(tints)
        self.pieces.show(tokens, self.camera, glow)
        self._stale = True

    def touch(self) -> None:
        """Request a new picture of everything, as the camera moved."""
        self._stale, self._sight, self._fine_sight = True, None, None

    @property
    def stale(self) -> bool:
        """Whether there is a better picture than the last one drawn."""
        return self._stale or not self._fine or self.pieces.blunt

    @property
    def changed(self) -> bool:
        """Whether the board differs from the last picture drawn."""
        return self._stale

    def draw(self) -> None:
        """Draw the board; paint a better picture first, if one is due."""
        if self._stale or (self.stale and not self.patient):
            changed, self._stale = self._stale, False
            if self._paint_ground() or changed:
                self._paint()
        if self.glide.moving:
            with clipped(self.rect):
                self._surface.draw(self.glide.seen(self.rect))
            return
        self._surface.draw()
        if self.hovered != NONE:
            with self._world(self.rect), clipped(self.rect):
                self.ground.draw_space(self.hovered, _HOVER)
        if len(self.way) > 1:
            with clipped(self.rect):
                self._draw_way()

    def _paint(self) -> None:
        """Paint everything that stands on the ground."""
        with self._surface.painting():
            self._bare.draw()
            with self._world(_there(self.rect)):
                for layer in self._layers:
                    layer()
                self._draw_tethers()
                self.pieces.draw(self.camera)

    def _paint_ground(self) -> bool:
        """Paint the ground where it changed, or come one step nearer to the best picture.

        While the camera moves, the ground is painted a little less finely. Once it rests, each frame takes one step, so
        that none takes long. First comes the paper below the colours, then the colours, then pictures of pieces. Return
        whether there is anything new to see.
        """
        camera, tints = self.camera, self.ground.tints
        sight = camera.x, camera.y, camera.zoom
        rests = sight == self._sight
        if self._fine and rests and tints == self._tints:
            blunt = self.pieces.blunt
            if blunt:
                self.pieces.sharpen()
            return blunt
        # The fine paper takes a frame of its own; the tints are painted over it in the next one.
        if rests and sight != self._fine_sight:
            self._fine_sight = sight
            with self._paper.painting(), self._world(_there(self.rect)):
                self.ground.draw_paper()
            return False
        self._fine, self._sight, self._tints = rests, sight, tints
        with self._bare.painting():
            if camera.sees_beyond:
                self._draw_beyond()
            with self._world(_there(self.rect)):
                self._draw_ground()
        return True

    def _draw_beyond(self) -> None:
        """Draw the wood beside the board, and only there: painting it below the board as well would take long."""
        rect, board = self.rect, self._board_edges()
        for part in (
            arcade.LRBT(rect.left, board.left, rect.bottom, rect.top),
            arcade.LRBT(board.right, rect.right, rect.bottom, rect.top),
            arcade.LRBT(rect.left, rect.right, rect.bottom, board.bottom),
            arcade.LRBT(rect.left, rect.right, board.top, rect.top),
        ):
            if part.width >= 1 and part.height >= 1:
                with clipped(part.move(-rect.left, -rect.bottom)):
                    shapes.plate(rect, WOOD)

    def _board_edges(self) -> Rect:
        """Return the whole pixels of the view that the board covers."""
        rect, camera, world = self.rect, self.camera, self.geography
        left, bottom = camera.to_window(0, 0)
        right, top = camera.to_window(world.width, world.height)
        return arcade.LRBT(
            min(rect.right, max(rect.left, ceil(left))), max(rect.left, min(rect.right, floor(right))),
            min(rect.top, max(rect.bottom, ceil(bottom))), max(rect.bottom, min(rect.top, floor(top))),
        )  # fmt: skip

    def _draw_ground(self) -> None:
        if self._fine:
            self.ground.draw_over(self._paper)
        else:
            self.ground.draw()

    @contextmanager
    def _world(self, viewport: Rect) -> Iterator[None]:
        """Draw in world coordinates, into that part of the current target."""
        camera, rect = self.camera, self.rect
        half = rect.width / 2 / camera.zoom, rect.height / 2 / camera.zoom
        window = arcade.get_window()
        target = window.ctx.active_framebuffer
        # Arcade scales viewports of the screen by the pixel ratio itself, those of other targets not.
        ratio = 1.0 if target is window.ctx.screen else window.get_pixel_ratio()
        viewport_camera = self._viewport_camera
        viewport_camera.viewport = arcade.LBWH(
            viewport.left * ratio, viewport.bottom * ratio, viewport.width * ratio, viewport.height * ratio
        )
        viewport_camera.projection = arcade.LRBT(-half[0], half[0], -half[1], half[1])
        viewport_camera.position = camera.x, camera.y
        viewport_camera.render_target = target
        with viewport_camera.activate():
            yield

    def _draw_tethers(self) -> None:
        pixel = theme.px(1) / self.camera.zoom
        for start, end in self.tethers:
            arcade.draw_line(*start, *end, theme.NIGHT, 3.5 * pixel)
            arcade.draw_line(*start, *end, theme.GOLD, 1.5 * pixel)
            arcade.draw_circle_filled(*end, 3.5 * pixel, theme.NIGHT)
            arcade.draw_circle_filled(*end, 2.2 * pixel, theme.GOLD)

    def _draw_way(self) -> None:
        """Draw one curved arrow from stop to stop."""
        line = _curve_through([self.camera.to_window(*point) for point in self.way], theme.px(10))
        if len(line) < _BENDS:
            return
        back = min(dist(line[0], line[-1]), theme.px(20))
        neck = next((i for i, point in enumerate(line) if dist(point, line[-1]) < back * 0.8), len(line) - 1)
        (ax, ay), (x, y) = line[max(0, neck - 1)], line[-1]
        turn = atan2(y - ay, x - ax)
        for extra, colour in ((theme.px(3), _ARROW_EDGE), (0.0, _ARROW)):
            edges = list(strip(line[: neck + 1], theme.px(5) + extra))
            if neck:
                outline = [*(left for left, _right in edges), *(right for _left, right in reversed(edges))]
                arcade.draw_polygon_filled(outline, colour)
            arcade.draw_polygon_filled(_head((x, y), turn, back + extra), colour)


def _curve_through(stops: Sequence[Point], start: float) -> list[Point]:
    """Return a curve through stops that differ, without its first pixels; between only two it bends a little."""
    stops = [stops[0], *(stop for before, stop in pairwise(stops) if dist(before, stop) > 1)]
    if len(stops) == 2:
        stops = [stops[0], bowed(stops[0], stops[1], _BOW), stops[1]]
    line = curved(stops, _BENDS) if len(stops) > 1 else list(stops)
    return [point for point in line if dist(point, line[0]) >= start]


def _there(rect: Rect) -> Rect:
    """Return a part of the window in the coordinates of its own picture."""
    return arcade.LBWH(0, 0, rect.width, rect.height)


def _head(tip: Point, turn: float, size: float) -> list[Point]:
    spread = 2.6
    return [
        (tip[0] + cos(turn) * size * 0.15, tip[1] + sin(turn) * size * 0.15),
        (tip[0] + cos(turn + spread) * size, tip[1] + sin(turn + spread) * size),
        (tip[0] + cos(turn - spread) * size, tip[1] + sin(turn - spread) * size),
    ]

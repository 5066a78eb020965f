"""The board in its part of the window: ground, roads, pieces; kept as a picture while nothing changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import arcade
from arcade.types import Rect

from client import theme
from client.table.camera import Camera
from client.table.geography import geography
from client.table.ground import Ground, Tint
from client.table.piece_layer import PieceLayer
from client.table.pieces import Pick, Token
from client.table.roads import Roads
from client.table.surface import Surface
from shared.ids import Space


class BoardView:
    """See the module's docstring. Change it through its methods; each asks for a new picture where needed."""

    def __init__(self) -> None:
        self.geography = geography()
        self.camera = Camera(self.geography.width, self.geography.height)
        self.ground = Ground(self.geography)
        self.roads = Roads(self.geography)
        self.pieces = PieceLayer()
        self.rect = arcade.LBWH(0, 0, 1, 1)
        self._surface = Surface(self.rect)
        self._projector = arcade.Camera2D()
        self._stale = True

    def place(self, rect: Rect) -> None:
        """Use that rectangle of the window."""
        self.rect = rect
        self._surface = Surface(rect)
        self.camera.place(rect.left, rect.bottom, rect.width, rect.height, theme.px(1))
        self._stale = True

    def show(
        self,
        tokens: Sequence[Token],
        roads: Sequence[int],
        tints: Mapping[Space, Tint],
        glow: frozenset[Pick] = frozenset(),
    ) -> None:
        """Show these pieces on a board coloured like this."""
        self.ground.tints = dict(tints)
        self.roads.show(roads)
        self.pieces.show(tokens, self.camera, glow)
        self._stale = True

    def touch(self) -> None:
        """The camera moved: a new picture is needed."""
        self._stale = True

    def draw(self) -> None:
        """Draw it."""
        if self._stale:
            self._stale = False
            with self._surface.painting():
                self._paint()
        self._surface.draw()

    def _paint(self) -> None:
        camera, rect = self.camera, self.rect
        half = rect.width / 2 / camera.zoom, rect.height / 2 / camera.zoom
        projector = self._projector
        ratio = arcade.get_window().get_pixel_ratio()
        projector.viewport = arcade.LBWH(0, 0, rect.width * ratio, rect.height * ratio)
        projector.projection = arcade.LRBT(-half[0], half[0], -half[1], half[1])
        projector.position = camera.x, camera.y
        projector.render_target = arcade.get_window().ctx.active_framebuffer  # type: ignore[assignment]
        with projector.activate():
            self.ground.draw(camera)
            self.roads.draw()
            self.pieces.draw(camera)

"""What lies on the board: the pieces of a position, those that are still on their way, and what a task lights."""

from __future__ import annotations

from typing import Generic

from client.table.board_view import BoardView
from client.table.geography import Point, geography
from client.table.guide import Look
from client.table.motion import Motion
from client.table.pieces import Token
from client.table.position import T
from client.table.task import AnyTask
from shared.board import BOARD
from shared.ids import Space


class Display(Generic[T]):
    """See the module's docstring."""

    def __init__(self, look: Look[T]) -> None:
        self._look = look
        self._layers = [layer(geography()) for layer in look.layers]
        self.board = BoardView(look.board, [layer.draw for layer in self._layers])
        self.motion: Motion[T] = Motion(geography(), look.leaps)
        self.standing: list[Token] = []
        """The pieces as they are shown."""

    def show(self, table: T, task: AnyTask) -> None:
        """Show this position, and what the task puts over it."""
        for layer in self._layers:
            layer.show(table)
        self.standing = self._tokens(table)
        tints = {**self._look.tints(table), **task.lit()}
        self.board.show([*self.standing, *task.ghosts()], tints, task.glow())
        self.board.way = task.arrow()

    def _tokens(self, table: T) -> list[Token]:
        """The pieces; where something is still on its way, those that stood there before."""
        tokens = self._look.arrange(table, geography())
        landing = self.motion.landing
        if not landing:
            return tokens
        held = [token for token in self.standing if token.space in landing]
        keys = {token.key for token in held}
        return [t for t in tokens if t.space not in landing and t.key not in keys] + held

    def under(self, x: float, y: float) -> tuple[Token | None, Space]:
        """The piece under a point of the window, and the space: that of the piece, else the one painted there."""
        world = self.board.camera.to_world(x, y)
        token = self.board.pieces.pick(*world)
        return token, token.space if token is not None else geography().space_at(*world)

    def around(self, space: Space) -> list[Point]:
        """The middles of a space and of those beside it, all land or all sea, as points of the window."""
        beside = [other for other in BOARD.neighbours[space] if BOARD.is_sea(other) == BOARD.is_sea(space)]
        return [self.board.camera.to_window(*geography().heart(there)) for there in (space, *beside)]

    def draw(self) -> None:
        """Draw the board, and over it what moves."""
        self.board.draw()
        self.motion.draw(self.board.camera, self.board.rect, self.board.pieces.figure)

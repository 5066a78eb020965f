"""Contents of the board: the pieces of a position, those still moving, and the spaces that a task lights."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Generic

import arcade
from arcade.types import Rect

from client.drawing.icons import SIGNS
from client.drawing.lettering import Box
from client.player.settings import PlaySettings
from client.table.board_view import BoardView
from client.table.geography import Point, geography
from client.table.ground import PLAIN, Tint
from client.table.guide import Look
from client.table.motion import Flights
from client.table.piece_placement import covered, place_group, settle, sign, tethers
from client.table.pieces import PLATE, Pick, Token
from client.table.position import T
from client.table.task import ADVISED, AnyTask, outlined
from shared.board import BOARD
from shared.ids import Position, Space


class Display(Generic[T]):
    """The board with all that lies on it."""

    def __init__(self, look: Look[T], play_settings: PlaySettings | None = None) -> None:
        self._look = look
        self._layers = [layer(geography()) for layer in look.layers]
        self.board = BoardView(look.board, [layer.draw for layer in self._layers])
        self.motion: Flights[T] = Flights(geography(), look.leaps, play_settings or PlaySettings())
        self._arranged: tuple[T, float, list[Token]] | None = None
        """The position that was arranged last, the height of a figure then, and the resulting pieces."""
        self.standing: list[Token] = []
        """The pieces as they are shown."""
        self.tokens: list[Token] = []
        """The same with the signs and shadows of a task."""

    def show(
        self, table: T, task: AnyTask, advised: Sequence[Position] = (), changed: Iterable[Space] = (),
        preview: Mapping[Space, Tint] | None = None,
    ) -> None:  # fmt: skip
        """Show this position, the signs of the task, the advised positions, and the outlines of changed provinces. A
        `preview` takes the place of the task's tints."""
        for layer in self._layers:
            layer.show(table)
        self.standing = self._tokens(table)
        stops = {BOARD.ashore[at]: ADVISED for at in advised}
        lit, tints = preview or task.lit(), self._look.tints(table)
        outlines = {space: outlined(tints.get(space, PLAIN)) for space in changed if space not in lit}
        # Later ones win: the task covers owners and changes, and advice covers the task.
        tints = {**tints, **outlines, **lit, **stops}
        self.tokens = [*self.standing, *self._clear(task.ghosts())]
        self.board.show(self.tokens, tints, task.glow())
        self.board.tethers = tethers(self.standing, geography())
        self.board.way = task.arrow() or (_way(advised) if len(advised) == 2 else ())

    def _clear(self, ghosts: Sequence[Token]) -> list[Token]:
        """Move signs and shadows of pieces to where they cover neither names nor pieces. Shadows that belong together
        stay together."""
        unit, shadows = self.board.unit, dict[tuple[Pick, Point], list[Token]]()
        for ghost in ghosts:
            if ghost.picture not in SIGNS:
                shadows.setdefault((ghost.pick, ghost.at), []).append(ghost)
        crowds = [place_group(pieces[0].space, at, pieces) for (_pick, at), pieces in shadows.items()]
        crowds += [sign(ghost, unit) for ghost in ghosts if ghost.picture in SIGNS]
        return settle(crowds, unit, geography(), [covered(token, unit) for token in self.standing])

    def arrange(self, table: T) -> list[Token]:
        """Return all pieces of a position where they stand while the whole board is in sight. The last result is kept:
        pieces land in a position that was arranged before."""
        unit = self.board.unit
        if self._arranged is None or self._arranged[0] is not table or self._arranged[1] != unit:
            self._arranged = table, unit, settle(self._look.arrange(table, geography()), unit, geography())
        return self._arranged[2]

    def _tokens(self, table: T) -> list[Token]:
        """Return the pieces; spaces to which something is still moving keep their former pieces."""
        tokens = self.arrange(table)
        landing = self.motion.landing
        if not landing:
            return tokens
        held = [token for token in self.standing if token.space in landing]
        keys = {token.key for token in held}
        return [t for t in tokens if t.space not in landing and t.key not in keys] + held

    def plated(self, space: Space) -> bool:
        """Whether a force in a space is shown by its leaders and its number alone."""
        return any(token.picture == PLATE for token in self.standing if token.space == space)

    def under(self, x: float, y: float) -> tuple[Token | None, Space]:
        """Return the piece under a point of the window, and the space: that of the piece, else the one whose name
        or ground is painted there."""
        world = self.board.camera.to_world(x, y)
        token = self.board.pieces.pick(*world)
        return token, token.space if token is not None else geography().meant_at(*world)

    def middle(self, space: Space) -> Point:
        """Return the point of a space's pieces, or its middle if there are none."""
        there = (token.at for token in self.standing if token.space == space and token.pick.kind in ("army", "leader"))
        return next(there, geography().heart(space))

    def extent(self, space: Space) -> Rect:
        """Return the rectangle of the window around the name and the pieces of a space."""
        unit = self.board.unit
        boxes = [geography().names[space], *(covered(token, unit) for token in self.standing if token.space == space)]
        lefts, bottoms, rights, tops = zip(*boxes, strict=True)
        return self.window_rect((min(lefts), min(bottoms), max(rights), max(tops)))

    def window_rect(self, box: Box) -> Rect:
        """Return a box of the painted board as a rectangle of the window."""
        (left, bottom), (right, top) = self.board.camera.to_window(*box[:2]), self.board.camera.to_window(*box[2:])
        return arcade.LRBT(left, right, bottom, top)

    def berth(self, position: Position) -> Point:
        """Return the point of a galley at that position, or of its harbour if there is none."""
        galleys = (token for token in self.tokens if token.pick.kind == "galley" and token.pick.place == position)
        unit = self.board.unit
        there = ((token.at[0] + token.dx * unit, token.at[1] + token.dy * unit) for token in galleys)
        return next(there, geography().place(position))

    def around(self, space: Space) -> list[Point]:
        """Return the middles of a space and of its neighbours, all land or all sea, as points of the window."""
        return [self.board.camera.to_window(*point) for point in self.vicinity(space)]

    def vicinity(self, space: Space) -> list[Point]:
        """Return the same middles as points of the world."""
        beside = [other for other in BOARD.neighbours[space] if BOARD.is_sea(other) == BOARD.is_sea(space)]
        return [geography().heart(there) for there in (space, *beside)]

    def draw(self) -> None:
        """Draw the board, and over it moving pieces."""
        self.board.draw()
        self.motion.draw(self.board.camera, self.board.rect, self.board.pieces.figure)

    def points(self, positions: Sequence[Position]) -> list[Point]:
        """Return the middles of these spaces, as points of the window."""
        return [self.board.camera.to_window(*geography().heart(BOARD.ashore[at])) for at in positions]


def _way(stops: Sequence[Position]) -> list[Point]:
    """Return the way from stop to stop: for galleys from berth to berth, else through the middles of the provinces."""
    sails = any(at >= BOARD.provinces for at in stops)
    return [geography().place(at) if sails else geography().heart(at) for at in stops]

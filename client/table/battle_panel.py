"""Panel that shows a battle: over the whole board, or small at its edge while the player looks at the map."""

from collections.abc import Sequence
from typing import Final, Generic

import arcade
from arcade.types import Rect

from client.drawing import shapes, theme
from client.table.battle_playback import BattlePlayback, BattleSide, Block, F, PlaybackStep, Spot, Target
from client.table.battle_stage import AwaitedDecision, BattleStage, draw_title
from client.table.match import TableMatch
from client.table.odds_bar import pale_words
from client.table.pane import seat_disc
from client.table.pieces import UNITS, leader_figure
from client.table.position import SeatPosition, T
from client.table.thrown_dice import lie_small
from client.table.words import fights
from shared.ids import NONE
from shared.odds.outcome import ATTACKER, DEFENDER, percent

_LARGE: Final = (600.0, 430.0)
"""Design width and height that the battle over the whole board needs at least; on smaller boards all is smaller."""
_WIDTH: Final = 600.0
_HEAD: Final = 46.0
_NAME: Final = 40.0
_CELL: Final = (66.0, 52.0)
_WORDS: Final = 18.0
"""Design sizes of the small panel: its title, the names, a kind of unit, and a line of words below it."""
_LYING: Final = 34.0
_HITS: Final = 70.0
_FOOT: Final = 12.0
_ASKED: Final = 30.0
"""Height of the question below both sides."""
_EDGE: Final = 10.0
"""Distance between the small panel and the edge of the board."""


class BattlePanel(Generic[T, F]):
    """Panel that draws the battle of the playback inside the board's part of the window."""

    def __init__(self, match: TableMatch[SeatPosition], playback: BattlePlayback[T, F]) -> None:
        self._match = match
        self.playback = playback
        self._stage = BattleStage(match, playback)
        self._room = arcade.LBWH(0, 0, 1, 1)
        self._points: Sequence[tuple[float, float]] = ()
        self._small_spots: list[Spot] = []
        self.mark: Target | None = None
        """Target that the player would fire at."""
        self.largest = 1.0
        """Largest scale at which the panel is drawn where there is room for it."""
        self.brief = False
        """Whether the player chooses a space of the board, so the panel covers as little as possible."""
        self.question = AwaitedDecision()
        """The decision that the battle waits for."""
        self._folded: PlaybackStep[F] | None = None
        """The step at which the player made the panel small, to see the map."""

    @property
    def small(self) -> bool:
        """Whether the panel lies small at the edge of the board."""
        return not self.playback.busy and (self.brief or self._folded is self.playback.beat)

    def fold(self) -> None:
        """Make the panel small until the battle goes on, or large again."""
        self._folded = None if self._folded is self.playback.beat else self.playback.beat

    @property
    def spots(self) -> list[Spot]:
        """Targets that were drawn and can be fired at."""
        return self._small_spots if self.small else self._stage.spots

    @property
    def rect(self) -> Rect:
        """Its rectangle: the board's part of the window, or as high as its content."""
        beat = self.playback.beat
        if not self.small or beat is None:
            room = self._room
            return arcade.LRBT(round(room.left), round(room.right), round(room.bottom), round(room.top))
        return self._spot(beat)[0]

    def _spot(self, beat: PlaybackStep[F]) -> tuple[Rect, float]:
        """Return the rectangle of the small panel and its scale. With enlarged letters it is drawn in the usual size
        if it covers less of the map then."""
        gap, board = theme.px(_EDGE), self._room
        share = self._largest(_WIDTH, self._height(beat), 2 * gap)
        found = []
        # The first scale keeps enlarged letters; the second one gives them up where the panel would cover too much.
        for each in (share, min(share, theme.window_px(1) / theme.px(1))):
            width, height = theme.px(_WIDTH) * each, theme.px(self._height(beat)) * each
            found += [
                (arcade.LBWH(round(left), round(bottom), round(width), round(height)), each)
                for left in (board.right - width - gap, board.left + gap, board.x - width / 2)
                for bottom in (board.bottom + gap, board.top - gap - height)
            ]
        return min(found, key=lambda spot: _covered(spot[0], self._points))

    def _largest(self, width: float, height: float, gap: float) -> float:
        """Return the largest scale at which that design size fits into the board without `gap` pixels. All of it stays
        visible, even with large letters on a small board."""
        room = self._room
        return min(self.largest, (room.width - gap) / theme.px(width), (room.height - gap) / theme.px(height))

    @property
    def _share(self) -> float:
        """Scale at which it is drawn."""
        beat = self.playback.beat
        return self._spot(beat)[1] if self.small and beat is not None else self._largest(*_LARGE, 0.0)

    def place(self, board: Rect, points: Sequence[tuple[float, float]]) -> None:
        """Use that part of the window. While the panel is small, it lies where it covers the fewest of these points.
        The first point, the battle itself, counts most."""
        self._room, self._points = board, points

    def holds(self, x: float, y: float) -> bool:
        """Whether the point is on it."""
        return self.playback.beat is not None and bool(self.rect.point_in_rect((x, y)))

    def at(self, x: float, y: float) -> Target | None:
        """Return the target that can be fired at under a point of the window."""
        return next((target for rect, target in self.spots if rect.point_in_rect((x, y))), None)

    def tip(self, x: float, y: float) -> str:
        """Return the words about a point of it."""
        bar = self._stage.bar if self.holds(x, y) and not self.small else None
        return pale_words() if bar is not None and bar.point_in_rect((x, y)) else ""

    def draw(self) -> None:
        """Draw the panel if a battle is being shown."""
        beat, rect, small = self.playback.beat, self.rect, self.small
        if beat is None:
            return
        with theme.shrunk(self._share):
            if small:
                self._draw(beat, rect)
            else:
                origin = self._points[0] if self._points else (rect.x, rect.y)
                self._stage.draw(rect, origin, beat, self.mark, self.question)

    # The small panel

    def _draw(self, beat: PlaybackStep[F], rect: Rect) -> None:
        fight = beat.fight
        shapes.plate(rect, shapes.PANEL)
        draw_title(self.playback.battle_scene.title(fight), rect)
        shapes.rule(rect.x, rect.top - theme.px(42), rect.width - theme.px(60))
        foot = _FOOT + (_ASKED if self.question.words else 0.0)
        if self.question.words:
            y = rect.bottom + theme.px(_FOOT + _ASKED / 2 - 2)
            seat_disc(self.question.seat, rect.left + theme.px(34), y, theme.px(24))
            room = rect.width - theme.px(110)
            shapes.say(self.question.words, rect.x, y, size=theme.BODY + 1, bold=True, align="center",
                       colour=theme.TERRACOTTA_DEEP, limit=room, height=theme.px(_ASKED + 4))  # fmt: skip
        top, edge, half = rect.top - theme.px(_HEAD), theme.px(22), rect.width / 2 - theme.px(30)
        self._small_spots = []
        for camp, side in enumerate((fight.attacker, fight.defender)):
            left = rect.left + edge if camp == ATTACKER else rect.right - edge - half
            area = arcade.LRBT(left, left + half, rect.bottom + theme.px(foot), top)
            self._name(area, side, camp, beat)
            self._cells(arcade.LRBT(area.left, area.right, area.bottom, top - theme.px(_NAME)), side, beat)
            for roll in beat.lying:
                if (roll.seat == fight.attacker.seat) == (camp == ATTACKER):
                    row = arcade.LBWH(area.left, area.bottom, area.width, theme.px(_LYING - 4))
                    lie_small(row, roll, theme.px(_LYING - 4), theme.px(_HITS))

    def _name(self, area: Rect, side: BattleSide, camp: int, beat: PlaybackStep[F]) -> None:
        """Draw the name of a side with its chance to win, and its leaders."""
        y = area.top - theme.px(19)
        seat_disc(side.seat, area.left + theme.px(15), y, theme.px(30))
        strangers = self.playback.battle_scene.strangers
        name = strangers.get(side.seat) or self._match.name(side.seat)
        text = fights(camp, name, mine=side.seat == self._match.seat, many=side.seat in strangers)
        words = f": {percent(beat.odds.wins(ATTACKER if camp == ATTACKER else DEFENDER))}" if beat.odds else ""
        chance = shapes.kept(words, size=theme.LARGE - 1, bold=True, anchor_y="center")
        room = area.width - theme.px(40 + 24 * len(side.leaders)) - chance.content_width
        shown = shapes.say(text, area.left + theme.px(36), y, size=theme.LARGE - 1, bold=True, limit=room,
                          height=theme.px(_NAME + 4))  # fmt: skip
        chance.position = round(shown.left + shown.content_width), y
        chance.draw()
        for i, leader in enumerate(side.leaders):
            picture = leader_figure(leader, side.seat, self.playback.battle_scene.leaders)
            shapes.piece(picture, arcade.XYWH(area.right - theme.px(14 + 24 * i), y, theme.px(28), theme.px(28)))

    def _cells(self, area: Rect, side: BattleSide, beat: PlaybackStep[F]) -> None:
        """Draw the kinds of units of a side with their numbers and notes."""
        blocks = self.playback.battle_scene.blocks(beat, side.seat)
        row = max(1, int(area.width // theme.px(_CELL[0])))
        height = theme.px(_CELL[1] + _WORDS * _lines(blocks))
        for i, block in enumerate(blocks):
            left, top = area.left + theme.px(_CELL[0]) * (i % row), area.top - height * (i // row)
            cell = arcade.LRBT(left, left + theme.px(_CELL[0] - 4), top - height, top)
            self._cell(cell, block, side)

    def _cell(self, cell: Rect, block: Block, side: BattleSide) -> None:
        edge, target = theme.px(_CELL[1] - 8), (block.kind, NONE)
        if block.free:
            self._small_spots.append((cell, target))
            shapes.plate(cell, shapes.CARD)
            if self.mark is not None and self.mark[0] == block.kind:
                arcade.draw_rect_outline(cell, theme.TERRACOTTA, theme.px(3))
        picture = arcade.XYWH(cell.left + edge / 2 + theme.px(2), cell.top - edge / 2 - theme.px(2), edge, edge)
        shapes.piece(f"{UNITS[block.kind]}_{block.owner}", picture)
        if block.owner != side.seat:
            seat_disc(block.owner, cell.right - theme.px(8), cell.top - theme.px(10), theme.px(16))
        count = f"{block.count}" if not block.down else f"{block.count - block.down}+{block.down}"
        shapes.say(count, cell.right - theme.px(2), cell.top - theme.px(34), size=theme.LARGE, bold=True, align="right",
                   limit=cell.width)  # fmt: skip
        y = cell.top - theme.px(_CELL[1] + 6)
        for words in (block.words, block.why, block.helps):
            if words:
                shapes.say(words, cell.x, y, size=theme.SMALL, bold=words is block.words, align="center",
                           limit=cell.width)  # fmt: skip
                y -= theme.px(_WORDS)

    def _height(self, beat: PlaybackStep[F]) -> float:
        """Return the design height of the small panel."""
        most, half = 0.0, _WIDTH / 2 - 30
        for side in (beat.fight.attacker, beat.fight.defender):
            blocks = self.playback.battle_scene.blocks(beat, side.seat)
            rows = -(-len(blocks) // int(half // _CELL[0]))
            most = max(most, rows * (_CELL[1] + _WORDS * _lines(blocks)))
        return _HEAD + _NAME + most + (_LYING if beat.lying else 0.0) + _FOOT + _ASKED * bool(self.question.words)


def _lines(blocks: Sequence[Block]) -> int:
    """Return the largest number of lines below a block."""
    return max((bool(b.words) + bool(b.why) + bool(b.helps) for b in blocks), default=0)


def _covered(rect: Rect, points: Sequence[tuple[float, float]]) -> int:
    margin = theme.px(24)
    wider = arcade.LRBT(rect.left - margin, rect.right + margin, rect.bottom - margin, rect.top + margin)
    return sum((1 if i else 4) for i, point in enumerate(points) if wider.point_in_rect(point))

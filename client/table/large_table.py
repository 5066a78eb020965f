"""The table on a large screen for all: the board with news in large letters, and nothing to click."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import arcade
from arcade.types import Rect
from msgspec import Struct
from msgspec.structs import replace

from client.drawing import theme
from client.language import _
from client.player.clock_presets import brief
from client.table.guide import Guide
from client.table.large_panes import End, Entrance, Headline, Now, RecentEvents, Standings, tall
from client.table.layout import divide
from client.table.match import TableCallbacks, TableMatch
from client.table.pane import Pane
from client.table.position import T
from client.table.scene import Scene
from client.table.tabletop import Tabletop
from shared.ids import MAX_SEATS, NONE
from shared.kernel.ruleset import Place

_TOP: Final = 72.0
_LOW: Final = 138.0
_NOW: Final = 156.0
_DOOR: Final = (146.0, 300.0)
"""Design heights: the line above the board, the chronicle below it, the decision owed, and the entrance at least and at
most. A larger code can be read by a camera from farther away."""
_SIDE: Final = 0.35
"""Width of the right side, as a share of the window's."""
_BATTLE: Final = 1.7
"""Scale of battles on the large screen."""
_READ: Final = 20.0
"""Seconds after which a sheet that a player would have to close elsewhere closes by itself."""


class Parts(Struct, frozen=True):
    """Rectangles of the window for all parts."""

    headline: Rect
    board: Rect
    recent_events: Rect
    now: Rect
    standings: Rect
    door: Rect


def split(width: float, height: float, seats: int) -> Parts:
    """Return the parts of a window of that size, for so many players."""
    top, low, now = (round(theme.px(high)) for high in (_TOP, _LOW, _NOW))
    left, under = round(width * (1 - _SIDE)), height - top
    least, most = (theme.px(high) for high in _DOOR)
    door = round(min(most, max(least, under - now - theme.px(tall(seats)))))
    return Parts(
        headline=arcade.LBWH(0, under, width, top),
        board=arcade.LRBT(0, left, low, under),
        recent_events=arcade.LBWH(0, 0, left, low),
        now=arcade.LRBT(left, width, under - now, under),
        standings=arcade.LRBT(left, width, door, under - now),
        door=arcade.LRBT(left, width, 0, door),
    )


class LargeTable(Tabletop[T]):
    """Public view of a match. It has no controls: everything of interest comes into sight by itself."""

    def __init__(self, match: TableMatch[T], guide: Guide[T], callbacks: TableCallbacks, entrance: Entrance) -> None:
        super().__init__(match, guide, callbacks)
        self.headline, self.now, self.standings, self.recent_events = (
            Headline(guide.name), Now(match.name), Standings(match.name), RecentEvents(self.chronicle),
        )  # fmt: skip
        self._shown = (self.headline, self.now, self.standings, self.recent_events, entrance)
        self.stage.largest = _BATTLE
        self._checked = ""
        """Result of checking the match, once it is over."""
        self._lain = 0.0
        """Seconds for which a sheet has been open that may close."""
        for sheet in self.sheets:
            sheet.by_itself = True

    @property
    def panes(self) -> tuple[Pane, ...]:
        return self._shown if self.sheet is None else (self.sheet, *self._shown)

    def place(self, width: float, height: float) -> None:
        self._size = width, height
        parts = split(width, height, self.table.seats if self.match.view is not None else MAX_SEATS)
        self._layout = replace(divide(width, height, MAX_SEATS), board=parts.board, sheet=parts.board)
        places = (parts.headline, parts.now, parts.standings, parts.recent_events, parts.door)
        for pane, rect in zip(self._shown, places, strict=True):
            pane.place(rect)
        self.board.glide.leave()
        self.board.glide.arrive()
        self.board.place(parts.board)
        self.attack_preview.over(parts.board)
        if self.sheet is not None:
            self.sheet.over(parts.board)
        if self.match.view is not None:
            self._place_stage()
            self.follow()
            self._show_board()

    def follow(self) -> None:
        super().follow()
        if self.match.view is not None:
            scene = self._scene()
            places, over = self.match.rules.standings(self.seen), self.match.finished and not self.busy
            self.now.show(scene, self._end(scene, places) if over else None)
            self.standings.show(scene, {place.seat: place.rank for place in places}, over)

    def tell_checked(self, words: str) -> None:
        """Show the result of checking the match."""
        if words != self._checked:
            self._checked = words
            self.follow()

    def _end(self, scene: Scene, places: Sequence[Place]) -> End:
        """Return the winner, or the seat in the lead if the players agreed to end the match."""
        if scene.winner != NONE:
            return End(scene.winner, f"{scene.prompt.what}. {scene.prompt.how}", self._checked)
        best = [place.seat for place in places if place.rank == 1]
        if len(best) != 1:
            return End(NONE, _("Ended by agreement: a tie"), self._checked)
        return End(best[0], _("In the lead at the agreed end"), self._checked)

    def _tell_time(self, scene: Scene) -> None:
        self.header.scene = scene  # The header is not drawn; its scene only tells `_live` to update the clocks.
        self.headline.show(scene, self.match.seconds_left(), self.match.paused)
        self.standings.tell_time(tuple(map(brief, self.match.times())))

    def _tell(self) -> None:
        super()._tell()
        self.recent_events.follow()

    def update(self, seconds: float) -> bool:
        changed = super().update(seconds)
        self.recent_events.witness(self.playback.battle_scene.title, self.playback.beat)
        self._turn_over(seconds)
        return changed or self.stale

    def _turn_over(self, seconds: float) -> None:
        """Close a sheet after enough time to read it."""
        read = self.sheet is not None and not self.sheet.stays()
        self._lain = self._lain + seconds if read else 0.0
        if self._lain > _READ:
            self.lay(None)
            self.follow()

    def _rest(self, seconds: float) -> bool:
        return False  # There is no mouse.

    def notices_at(self) -> Rect:
        return self.board.rect

    def draw(self) -> None:
        self.display.draw()
        self.stage.draw()
        for pane in self._shown:
            pane.draw()
        if self.sheet is not None:
            self.sheet.draw()
        self.moments.draw(self.board.rect)

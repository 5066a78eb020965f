"""Panes of the table around and over the board: their places in the window, their order, and the turns of painting."""

from collections.abc import Sequence
from typing import Any, Generic, Protocol

import arcade
from arcade.types import Rect

from client.drawing import shapes
from client.keyboard.commands import Command
from client.language import _
from client.table.action_bar import ActionBar
from client.table.advising import Advice
from client.table.attack_preview import AttackPreview
from client.table.battle_panel import BattlePanel
from client.table.board_view import BoardView
from client.table.calculator import Calculator
from client.table.corner_buttons import CornerButtons
from client.table.desk import Desk
from client.table.guide import Guide
from client.table.header import Header
from client.table.match import TableCallbacks, TableMatch
from client.table.menu import Menu
from client.table.pane import WOOD, Pane
from client.table.position import T
from client.table.province_preview import ProvincePreview
from client.table.scene import Scene
from client.table.sheet import AnySheet, Sheets
from client.table.side_column import SideColumn
from client.table.task import AnyTask
from client.table.text_plate import BallotPlate
from shared.tables import TablePhase


class TableCommands(Protocol):
    """Reactions of the table to buttons of its panes."""

    def calculate(self) -> None:
        """Open the calculator of odds, or close it."""

    def turn_sheet(self, sheet: AnySheet) -> None:
        """Open a sheet, or close it if it is open."""

    def step_aside(self) -> bool:
        """Deal with a matter beside the decision owed, or go back to that decision."""


class PaneLayout(Generic[T]):
    """Panes of the table in their places. They show the position and the clocks."""

    def __init__(
        self, match: TableMatch[T], guide: Guide[T], callbacks: TableCallbacks, commands: TableCommands,
        board: BoardView, stage: BattlePanel[Any, Any], desk: Desk[T], side: SideColumn[T], advice: Advice[T],
        undo: CornerButtons, menu: Menu[T], action_bar: ActionBar, bar: Pane | None,
    ) -> None:  # fmt: skip
        """`undo`: the button in the corner. `bar`: the pane at the bottom in a replay; None if the action bar is
        there."""
        self._match = match
        self._callbacks = callbacks
        self._stage = stage
        self._aside = guide.aside if bar is None else None
        self.board = board
        own = [sheet(desk) for sheet in guide.look.sheets]
        self.calculator: Calculator[T] = Calculator(desk, guide.battle_scene)
        self.sheets = Sheets([*own, self.calculator])
        self.side = side
        self.header = Header(menu.show, callbacks.show_help, commands.calculate, advice.ask if bar is None else None)
        self.strip = guide.look.strip(own, commands.turn_sheet)
        self.bar = bar or action_bar
        self.advice = advice.plate
        self.undo = undo
        tip = guide.aside.tip if guide.aside is not None else ""
        self.corner = CornerButtons(commands.step_aside, tip, Command.ASIDE)
        self.attack = AttackPreview(guide.battle_scene.battle_odds, commands.calculate)
        self.province = ProvincePreview(guide, match.name)
        self.ballot = BallotPlate(match)
        self.button_panes = action_bar, self.strip, self.header
        """Panes whose buttons a coach or a hint can mean."""
        self.sheet_area = arcade.LBWH(0, 0, 1, 1)
        """The area in which sheets lie."""
        self._replaced = False
        """Whether the player was told that a bot has our seat."""

    @property
    def fixed(self) -> tuple[Pane, ...]:
        """Parts that are always there, the lowest first."""
        side = self.side
        coach = () if side.coach is None else (side.coach,)
        return (
            *coach, self.header, self.strip, self.bar, side.tabs, side.roster, side.chronicle, self.corner,
            self.undo, self.attack,
        )  # fmt: skip

    @property
    def _popups(self) -> tuple[Pane, ...]:
        """Plates that come and go over all others, the uppermost first."""
        return self.ballot, self.advice, self.province, *self.side.plates(self.sheets.lying)

    @property
    def _sheet(self) -> tuple[Pane, ...]:
        return () if self.sheets.lying is None else (self.sheets.lying,)

    @property
    def upper(self) -> tuple[Pane, ...]:
        """Parts that receive mouse and keyboard before the board, the uppermost first."""
        return *self._popups, *self._sheet, *self.fixed

    def controls(self) -> tuple[Pane, ...]:
        """Return the parts of the table with controls, in their tab order."""
        side = self.side
        coach = () if side.coach is None else (side.coach,)
        return (
            *self._sheet, self.ballot, self.advice, self.bar, self.corner, self.undo, *coach,
            *side.plates(self.sheets.lying), self.strip, self.header, side.tabs, side.roster, side.chronicle,
        )  # fmt: skip

    def place(self, width: float, height: float, seats: int) -> None:
        """Divide a window of that size among the parts, for so many players."""
        layout, board = self.side.divide(width, height, seats), self.board
        self.header.place(layout.header)
        self.bar.place(layout.action_bar)
        self.strip.place(layout.strip)
        self.side.place()
        board.glide.leave()
        board.glide.arrive()  # Else the move would end at the view of the former window.
        board.place(layout.board)
        self.corner.over(board.rect)
        self.undo.over(board.rect, self.corner)
        self.ballot.over(board.rect)
        self.attack.over(board.rect)
        self.side.place_plates(board.rect)
        self.province.over(board.rect)
        self.sheet_area = layout.sheet
        self.place_sheet()

    @property
    def _has_corner_buttons(self) -> bool:
        """Whether there are buttons in the corner of the board."""
        return bool(self.corner.words or self.undo.words)

    def place_sheet(self) -> None:
        """Place the sheet over the board, above the buttons in its corner."""
        if self.sheets.lying is not None:
            self.sheets.lying.over(self.sheet_area, cornered=self._has_corner_buttons)

    @property
    def battle_area(self) -> Rect:
        """The area in which a battle is shown: the board, above the buttons in its corner."""
        board, corner = self.board.rect, self.corner.rect
        return arcade.LRBT(board.left, board.right, corner.top, board.top) if self._has_corner_buttons else board

    def covers(self, x: float, y: float) -> bool:
        """Whether the battle or a sheet lies over that point of the board."""
        sheet = self.sheets.lying
        return self._stage.holds(x, y) or (sheet is not None and sheet.holds(x, y))

    def pane_at(self, x: float, y: float) -> Pane | None:
        """Return the uppermost part at a point of the window, None on the board."""
        return next((pane for pane in self.upper if pane.holds(x, y)), None)

    def tip_obstacles(self, about: Pane | None) -> list[Rect]:
        """Return what a tooltip should not cover: all parts over and beside the board, and of a sheet the controls.
        `about`: the part that the tooltip is about."""
        sheet = self.sheets.lying
        rects = [pane.rect for pane in self.upper if pane is not sheet and pane.holds(*pane.rect.center)]
        if sheet is not None:
            controls = [widget.rect for widget in sheet.ui.widgets if widget.focusable]
            rects += controls if about is sheet else [sheet.seen]
        if self._stage.holds(*self._stage.rect.center):
            rects.append(self._stage.rect)
        return rects

    def advice_obstacles(self) -> list[Rect]:
        """Return what the advice should not cover."""
        sheet = self.sheets.lying
        lying: Sequence[tuple[Rect, object]] = (
            (self._stage.rect, self._stage.playback.beat), (self.attack.rect, self.attack.question),
            (self.corner.rect, self.corner.words), (self.ballot.rect, self.ballot.shown),
            (self.undo.rect, self.undo.words),
        )  # fmt: skip
        taken = [rect for rect, there in lying if there] + self.side.hint_areas
        if sheet is not None:
            # Controls on a sheet are mostly in its middle and to the right.
            whole = sheet.seen
            taken += (whole, arcade.LRBT(whole.x, whole.right, whole.bottom, whole.top))
        return taken

    # The match

    def show(self, scene: Scene, position: T) -> None:
        """Show this scene, and the matters beside the decision owed at a position."""
        self.side.roster.show(scene)
        self.tell_time(scene)
        table = self._match.table
        playing = table is not None and table.phase == TablePhase.PLAYING and scene.seat >= 0
        self.side.chronicle.offer(playing and scene.watchers > 0)
        if self._aside is not None:
            self.corner.show(*self._aside.caption(position, scene.seat))

    def show_strip(self, position: T) -> None:
        """Show the facts of a position in the strip."""
        self.strip.show(position, self._match.name, self.sheets.lying)

    def show_threat(self, task: AnyTask, position: T) -> None:
        """Show the odds of the attack in the making, unless a sheet covers them."""
        self.attack.show(position, self._match.seat, task.threat() if self.sheets.lying is None else None)

    def tell_time(self, scene: Scene) -> None:
        """Update the clocks."""
        match = self._match
        self.header.show(scene, match.seconds_left(), match.paused)
        self.side.roster.tell_time(match.times())
        if match.replaced != self._replaced:
            self._replaced = match.replaced
            if self._replaced:
                self._callbacks.toast(
                    _("Your time was up: a bot plays for you. A click, or a key, and you are back."), "bad"
                )

    # Painting

    def queue(self, *, moving: bool) -> None:
        """Choose the parts to paint in this frame. `moving`: whether something moves.

        Then one part is painted in a frame, first the board, so that no frame takes long. Parts with controls come
        before parts to read. A sheet comes after a change of the board, and before a finer board.
        """
        board, bar, sheet, side = self.board, self.bar, self.sheets.lying, self.side
        busy = board.stale if moving else sheet is not None and board.changed
        board.patient = not moving and sheet is not None and sheet.stale
        for pane in (*self._sheet, bar, self.header, self.strip, side.roster, side.chronicle):
            # The bar does not wait when a battle begins: it would go on offering the attack that is made.
            waits = busy and not (pane is bar and self._stage.playback.busy)
            pane.patient, pane.sparing = waits, moving or pane is sheet
            # One part in each frame while something moves: two would make the motion stutter.
            busy = moving and (busy or pane.stale)

    def draw(self) -> None:
        """Draw the fixed parts, and the sheet over them."""
        if self.side.layout.news.width > 0:
            shapes.plate(self.side.layout.news, WOOD)
        for pane in (*self.fixed, *self._sheet):
            pane.draw()

    def draw_popups(self) -> None:
        """Draw the plates over all others."""
        for plate in (self.province, self.ballot, self.advice, *self.side.plates(self.sheets.lying)):
            plate.draw()

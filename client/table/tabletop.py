"""The whole table: what is shown where, and the life of it as versions and time go by. Input is in controls.py."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import arcade
from msgspec.structs import replace

from client.drawing import theme
from client.games import registry
from client.games.conquest.position import Table
from client.table import header, roster, strip
from client.table.asking import task_for
from client.table.board_view import BoardView
from client.table.corner import Corner
from client.table.ground import Tint
from client.table.header import Header
from client.table.journal import Journal, Line
from client.table.match import House, TableMatch, Tone
from client.table.menu import Menu
from client.table.motion import Motion
from client.table.pane import Pane, draw_tip
from client.table.pieces import Token
from client.table.prompts import Prompt
from client.table.roster import Roster
from client.table.scene import Scene, gather
from client.table.sheet import Sheet
from client.table.stage import Stage
from client.table.task import Task, Watching
from client.table.theatre import Theatre
from client.table.tray import HEIGHT as TRAY
from client.table.tray import Tray
from shared.board import BOARD
from shared.ids import NATURE, NONE, Seat, Space
from shared.kernel.frames import Action, Event
from shared.refusal import Refusal
from shared.vocabulary import events as e

SIDE: Final = (322.0, 400.0)
"""Smallest and largest width of the right side."""
_SHAPE: Final = 1.56
"""Width of the board's part for each unit of its height; what is wider goes to the right side."""
_TIP_DELAY: Final = 0.45


class Tabletop:
    """See the module's docstring. It is the `Desk` of its tasks."""

    def __init__(self, match: TableMatch, house: House) -> None:
        self.match = match
        self.guide = registry.guide(match.rules.id)
        self.house = house
        self.board = BoardView(self.guide.look.board)
        self.motion = Motion(self.board.geography, self.guide.look.leaps)
        self.theatre = Theatre(match.seat, self.guide.drama)
        self.stage = Stage(match, self.theatre)
        self.menu = Menu(match, self.guide, house, self.act)
        self.header = Header(self.menu.show, house.show_help)
        self.sheets = tuple(sheet(self) for sheet in self.guide.look.sheets)
        self.sheet: Sheet | None = None
        """The sheet that lies over the board."""
        self._wanted: Sheet | None = None
        """The sheet that opened by itself last; closed by hand it stays closed until another one is wanted."""
        self.strip = self.guide.look.strip(self.sheets, self.turn_sheet)
        self.tray = Tray()
        self.roster = Roster(match, self.guide)
        self.journal = Journal(house.say)
        self.corner = Corner(self.parley)
        self._fixed: tuple[Pane, ...] = (
            self.header, self.strip, self.tray, self.roster, self.journal, self.corner,
        )  # fmt: skip
        self._side: Task | None = None
        """A task about captives, in the place of the one that is owed."""
        self.task: Task = Watching(self, "")
        self.mouse = (0.0, 0.0)
        self.rested = 0.0
        """Seconds since the mouse moved."""
        self._before: Table | None = match.view
        self._version = self._heard = -1
        self._calm: Scene | None = None
        """What the panes showed before the battle that is seen now: they do not give its end away."""
        self._untold: list[Line] = []
        self._owed: object = None
        self._chat = 0
        self._shown: list[Token] = []
        self._size = (1.0, 1.0)

    @property
    def panes(self) -> tuple[Pane, ...]:
        """All that has mouse and keyboard before the board, the uppermost first."""
        return self._fixed if self.sheet is None else (self.sheet, *self._fixed)

    # The desk of the tasks

    @property
    def table(self) -> Table:
        """The position."""
        table: Table = self.match.view
        return table

    @property
    def seat(self) -> Seat:
        """The seat of this client, or -1."""
        return self.match.seat

    def who(self, seat: Seat) -> str:
        """The name of a player."""
        return self.match.name(seat)

    def check(self, action: Action) -> Refusal | None:
        """Whether an action is legal now."""
        return self.match.check(action)

    def act(self, action: Action) -> bool:
        """Do it, or say why not."""
        if self.match.pending:
            return False
        refusal = self.match.act(action)
        if refusal is not None:
            self.house.toast(refusal.text, "bad")
            return False
        self.follow()
        return True

    def toast(self, words: str, tone: Tone = "plain") -> None:
        """Say something in passing."""
        if words:
            self.house.toast(words, tone)

    def look_at(self, places: Sequence[int]) -> None:
        """Bring positions into sight."""
        for place in places:
            self.board.camera.look_at(*self.board.geography.place(place))
        self.board.touch()

    def changed(self) -> None:
        """Show what the task has come to."""
        self.tray.rebuild()
        self.tray.mouse_motion(*self.mouse)
        self._show_sheet()
        self._show_board()

    # Sheets over the board

    def lay(self, key: str) -> None:
        """Open the sheet with that key; with no key put away the one that lies over the board."""
        self._open(next((sheet for sheet in self.sheets if sheet.key == key), None))
        self._follow_sheet()

    def turn_sheet(self, sheet: Sheet) -> None:
        """Open a sheet, or close it where it is open."""
        self._open(None if sheet is self.sheet else sheet)
        self._follow_sheet()

    def _open(self, sheet: Sheet | None) -> None:
        before, self.sheet = self.sheet, sheet
        if before is not None and before is not sheet:
            before.put_away()
        if sheet is not None:
            sheet.over(self.board.rect)
        self._show_sheet()
        self.strip.show(self.table, self.match.name, sheet)

    def _show_sheet(self) -> None:
        if self.sheet is not None:
            self.sheet.show(self.task)
            self.sheet.mouse_motion(*self.mouse)

    def _follow_sheet(self) -> None:
        """Open and close sheets by themselves."""
        wanted = next((sheet for sheet in self.sheets if sheet.wanted()), None) if not self.theatre.busy else None
        if wanted is not self._wanted:
            mine, self._wanted = self._wanted, wanted
            if wanted is not None or self.sheet is mine:
                self._open(wanted)

    # Layout

    def place(self, width: float, height: float) -> None:
        """Divide the window."""
        self._size = width, height
        top, tray, rule = (round(theme.px(high)) for high in (header.HEIGHT, TRAY, strip.HEIGHT))
        spare = width - (height - top - tray - rule) * _SHAPE
        side = round(min(theme.px(SIDE[1]), max(theme.px(SIDE[0]), spare)))
        left = width - side
        self.header.place(arcade.LBWH(0, height - top, width, top))
        self.tray.place(arcade.LBWH(0, 0, left, tray))
        self.strip.place(arcade.LBWH(0, tray, left, rule))
        players = self.table.seats if self.match.view is not None else 6
        upper = round(theme.px(roster.height(players)))
        self.roster.place(arcade.LBWH(left, height - top - upper, side, upper))
        self.journal.place(arcade.LBWH(left, 0, side, height - top - upper))
        self.board.place(arcade.LBWH(0, tray + rule, left, height - top - tray - rule))
        self.corner.over(self.board.rect)
        if self.sheet is not None:
            self.sheet.over(self.board.rect)
        self.menu.place(width, height)
        self._place_stage()
        self.follow()
        if self.match.view is not None:
            self._show_board()

    def _place_stage(self) -> None:
        fight = self.guide.drama.read(self.table) if self.match.view is not None else None
        if fight is not None:
            around = [
                space for space in BOARD.neighbours[fight.space] if BOARD.is_sea(space) == BOARD.is_sea(fight.space)
            ]
            hearts = [self.board.geography.heart(space) for space in (fight.space, *around)]
            self.stage.place(self.board.rect, [self.board.camera.to_window(*heart) for heart in hearts])

    # Life

    def hear(self) -> None:
        """Something arrived: tell its events, and show the position."""
        match = self.match
        if match.view is None:
            return
        if self._before is None:
            self.place(*self._size)
        told = match.take_events()
        events = [t.event for t in told]
        words = [self.guide.sentence(event, match.name) for event in events]
        for event, line in zip(events, words, strict=True):
            self.motion.hear(event, self._before)
            for sheet in self.sheets:
                sheet.hear(event)
            if isinstance(event, e.Offered) and event.to == self.seat and self.guide.council is not None:
                self.toast(line)
            if line:
                self._untold.append(Line(line, _seat_of(event), loud=isinstance(event, self.guide.look.loud)))
        if events or match.version != self._heard:
            self._heard = match.version
            self.theatre.hear(self._before, self.table, events, words)
            self._place_stage()
        for said in match.chat[self._chat :]:
            words_said = said.text if said.seat == -2 else f"{said.name}: {said.text}"
            self.journal.add(Line(words_said, said.seat, said=True))
        self._chat = len(match.chat)
        self._before = self.table
        self._tell()
        self.follow()

    def _tell(self) -> None:
        """Write down what happened, once it has been seen."""
        if not self.theatre.busy:
            for line in self._untold:
                self.journal.add(line)
            self._untold.clear()

    def follow(self) -> None:
        """Show the position, and choose the task that it asks for."""
        match = self.match
        if match.view is None:
            return
        scene = gather(match, self.guide)
        if self.theatre.busy:
            scene = replace(
                self._calm or scene,
                prompt=Prompt(NATURE, "Battle!", "The dice are falling. A click on the board, or Enter, hurries them."),
                mine=False,
            )
        else:
            self._calm = scene
            self.strip.show(self.table, match.name, self.sheet)
        self._show_panes(scene)
        council = self.guide.council
        if council is not None:
            self.corner.show(*council.caption(self.table, self.seat))
        mine = match.is_mine and not self.theatre.busy
        owed = (self.table.frames[-1].no, type(self.table.frames[-1]), mine, scene.prompt, match.finished)
        if match.version != self._version or owed != self._owed:
            self._choose_task(owed, mine)
            self._version = match.version
            self._show_board()
        self._follow_sheet()

    def _choose_task(self, owed: tuple[object, ...], mine: bool) -> None:
        same = isinstance(self._owed, tuple) and self._owed[:2] == owed[:2]
        mine_before = isinstance(self._owed, tuple) and bool(self._owed[2])
        self._owed = owed
        if self._side is not None and self.task is self._side and self.corner.words and (same or mine_before == mine):
            self._side.renew()
            self.tray.rebuild()
            return
        self._side = None
        waiting = self.match.pending and same and not isinstance(self.task, Watching)
        if waiting:
            return
        if mine and same and not isinstance(self.task, Watching):
            self.task.renew()
        elif self.theatre.busy:
            self.task = Watching(self, "The dice are falling …")
        else:
            self.task = task_for(self, mine)
        self.tray.task = self.task
        self.tray.rebuild()
        self._show_sheet()

    def parley(self) -> bool:
        """Deal with captives, or go back to what is owed; False where the game, or the moment, knows no such thing."""
        council = self.guide.council
        if self._side is not None:
            self._side, self._owed = None, None
            self._version = -1
            self.follow()
            return True
        if council is None or not self.corner.words:
            return False
        self.task = self._side = council.open(self, self.parley)
        self.tray.task = self.task
        self.changed()
        return True

    def _show_panes(self, scene: Scene) -> None:
        self.header.show(scene, self.match.seconds_left())
        self.roster.show(scene)

    def _tints(self) -> dict[Space, Tint]:
        """The colours of the spaces, and over them what is lit."""
        tints = self.guide.look.tints(self.table)
        tints.update(self.task.lit())
        return tints

    def _tokens(self) -> list[Token]:
        """The pieces; where something is still on its way, those that stood there before."""
        tokens = self.guide.look.arrange(self.table, self.board.geography)
        landing = self.motion.landing
        if landing:
            held = [token for token in self._shown if token.space in landing]
            keys = {token.key for token in held}
            tokens = [t for t in tokens if t.space not in landing and t.key not in keys] + held
        return tokens

    def _show_board(self) -> None:
        if self.match.view is None:
            return
        self._shown = self._tokens()
        tokens = [*self._shown, *self.task.ghosts()]
        self.board.show(tokens, self.guide.look.roads(self.table), self._tints(), self.task.glow())
        self.board.way = self.task.arrow()
        self.stage.mark = self.task.mark()

    def update(self, seconds: float) -> None:
        """Time passes."""
        self.rested += seconds
        for pane in self.panes:
            pane.update(seconds)
        if self.menu.open:
            self.menu.ui.update(seconds)
        if self.match.view is None:
            return
        if self.motion.update(seconds):
            self._show_board()
        busy = self.theatre.busy
        self.theatre.update(seconds, self.table)
        if busy and not self.theatre.busy:
            self._tell()
            self.follow()
        self.header.show(self.header.scene or gather(self.match, self.guide), self.match.seconds_left())
        refusal = self.match.refusal
        if refusal is not None:
            self.match.refusal = None
            self.house.toast(refusal.text, "bad")
            self.follow()

    def hurry(self) -> bool:
        """Skip whatever is moving; False where nothing was."""
        flew = self.motion.skip()
        skipped = self.theatre.skip()
        if flew or skipped:
            self._tell()
            self.follow()
            self._show_board()
        return skipped

    def draw(self) -> None:
        """Draw everything."""
        self.board.draw()
        self.motion.draw(self.board.camera, self.board.rect, self.board.pieces.figure)
        self.stage.draw()
        for pane in self._fixed:
            pane.draw()
        if self.sheet is not None:
            self.sheet.draw()
        self.menu.draw()
        if not self.menu.open and self.rested > _TIP_DELAY:
            words = self.tip()
            if words:
                # Beside the mouse it would cover the neighbours in the tray.
                tray = self.tray.rect.top if self.tray.holds(*self.mouse) else 0
                draw_tip(words, *self.mouse, self._size[0], tray)

    def under(self, x: float, y: float) -> tuple[Token | None, Space]:
        """The piece under a point of the window, and the space: that of the piece, else the one painted there."""
        world = self.board.camera.to_world(x, y)
        token = self.board.pieces.pick(*world)
        return token, token.space if token is not None else self.board.geography.space_at(*world)

    def tip(self) -> str:
        """What lies under the mouse, in words."""
        x, y = self.mouse
        for pane in self.panes:
            if pane.holds(x, y):
                return pane.tip(x, y)
        if self.match.view is None or not self.board.camera.holds(x, y) or self.stage.holds(x, y):
            return ""
        space = self.under(x, y)[1]
        return self.guide.look.describe(self.table, space, self.match.name) if space != NONE else ""


def _seat_of(event: Event) -> Seat:
    seat = getattr(event, "attacker", getattr(event, "seat", getattr(event, "winner", NONE)))
    return seat if isinstance(seat, int) else NONE

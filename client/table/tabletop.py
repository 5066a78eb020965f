"""The whole table of a match: joins its parts, and keeps them in step with the match and with time."""

from collections.abc import Callable, Sequence
from typing import Generic

from client.keyboard.commands import Command
from client.language import _
from client.network.table_events import WentBack
from client.player.hints import FirstGame
from client.table.advising import Advice
from client.table.battle_panel import BattlePanel
from client.table.chronicle import Chronicle, EventFeed
from client.table.coach import Coach, draw_marks
from client.table.cursor import Cursor, KeyboardFocus, things
from client.table.display import Display
from client.table.event_playback import EventPlayback, ShownEvent
from client.table.guidance import Guidance
from client.table.guide import Guide
from client.table.hints import ADVICE
from client.table.layout import SidePart
from client.table.match import TableCallbacks, TableMatch
from client.table.menu import Menu
from client.table.news import TurnNews
from client.table.own_desk import OwnDesk
from client.table.pane import Pane
from client.table.pane_layout import PaneLayout
from client.table.pointer import Pointer
from client.table.position import T
from client.table.sheet import AnySheet
from client.table.side_column import SideColumn
from client.table.task import HERE, AnyTask
from client.table.task_host import TaskHost
from client.table.undo import Undo
from shared.ids import MAX_SEATS
from shared.kernel.frames import Event
from shared.lessons.registry import LESSONS


class Tabletop(Generic[T]):
    """The whole table of one match.

    `events` plays what happens, `tasks` hosts the player's decision, and `undo` goes back behind it. `layout` holds the
    panes. `news` and `guidance` help the player, and `pointer` is the mouse.
    """

    def __init__(
        self, match: TableMatch[T], guide: Guide[T], callbacks: TableCallbacks, *, lesson: str = "",
        problem: Coach[T] | None = None, first: FirstGame | None = None,
        more: "Callable[[Tabletop[T]], AnySheet] | None" = None, bar: Pane | None = None,
    ) -> None:  # fmt: skip
        """`lesson`: key of the lesson whose coach is beside the board, or empty. `problem`: the coach of a problem
        instead. `first`: with hints for a player. `more`: makes one more sheet. `bar`: replaces the action bar in a
        replay, in which nothing can be done."""
        self.match = match
        self.guide = guide
        self.callbacks = callbacks
        past = self._past = bar is not None
        coach = problem
        if coach is None and lesson in LESSONS:
            coach = Coach(
                LESSONS[lesson],
                callbacks.leave_table,
                self._dismiss_coach,
                # The guidance is made later, from parts that need the coach.
                lambda: self.guidance.follow(),
                guide.drafts,
            )
        # What happens, and what the player decides.
        self.display = Display(guide.look, callbacks.play_settings)
        self.board = self.display.board
        self.chronicle = Chronicle(callbacks, past=past)
        self._feed = EventFeed(guide, self.chronicle)
        self.events = EventPlayback(match, guide, callbacks, self.display, self._feed, self, past=past)
        self.playback = self.events.battles
        self.stage = BattlePanel(match, self.playback)
        self.undo = Undo(match, self.events, self.hear, self._show_undo)
        self.desk = OwnDesk(
            match, callbacks, self.board, position=lambda: self.events.position, acted=self._acted,
            changed=self._changed, lay=self.lay, ahead=self.events.go_ahead, first=first,
        )  # fmt: skip
        self.tasks = TaskHost(
            match, guide, self.desk, self.events, self.undo, past=past, renewed=lambda: self.pointer.end_tip()
        )
        # Panes.
        words = None if more is None else lambda: self.lay(Command.WORDS)
        self.menu = Menu(match, guide, callbacks, self.desk.act, words, past=past)
        self.advice = Advice(match, self.desk, guide.stops, self.show_board)
        self.news = TurnNews(
            match, guide, callbacks, first if coach is None else None,
            shown=lambda there: self.side.show_news(there), closed=self.show_board,
        )  # fmt: skip
        self.side = SideColumn(match, self.chronicle, coach, self.news, self.advice.plate)
        self.layout = PaneLayout(
            match, guide, callbacks, self, self.board, self.stage, self.desk, self.side, self.advice,
            self.undo.button, self.menu, self.tasks.bar, bar,
        )  # fmt: skip
        # The player's attention.
        self.guidance = Guidance(match, self.events, self.tasks, self.display, self.layout, self.news.hinting)
        self.pointer = Pointer(match, guide.look, self.display, self.stage, self.layout, self.events)
        self.cursor = Cursor()
        self.reach = KeyboardFocus(self.layout.controls)
        self._size = (1.0, 1.0)
        if more is not None:
            self.layout.sheets.add(more(self))

    @property
    def panes(self) -> tuple[Pane, ...]:
        """Parts that receive mouse and keyboard before the board, the uppermost first."""
        return self.layout.upper

    @property
    def task(self) -> AnyTask:
        """The present task of this seat."""
        return self.tasks.task

    @property
    def sheets(self) -> tuple[AnySheet, ...]:
        """All sheets of the game."""
        return self.layout.sheets.all

    @property
    def sheet(self) -> AnySheet | None:
        """The sheet over the board."""
        return self.layout.sheets.lying

    def _dismiss_coach(self) -> None:
        """Send the coach away."""
        self.side.coach = None
        self.place(*self._size)

    # Sheets over the board

    def lay(self, key: Command | None) -> None:
        """Open the sheet with that key; without a key close the sheet over the board."""
        self._open(self.layout.sheets.by_key(key))

    def turn_sheet(self, sheet: AnySheet) -> None:
        """Open a sheet, or close it if it is open."""
        self._open(None if sheet is self.sheet else sheet)

    def calculate(self) -> None:
        """Open the calculator of odds, or close it."""
        if self.match.view is not None:
            self.turn_sheet(self.layout.calculator)

    def _open(self, sheet: AnySheet | None) -> None:
        self.layout.sheets.open(sheet)
        self._spread()
        self._follow_sheet()
        self._show_advice()

    def _follow_sheet(self) -> None:
        if self.events.moments.holding and not self.playback.busy:
            return  # What lies there stays: the count of a season is still read while the next one's cards are opened.
        if self.layout.sheets.follow(not self.playback.busy):
            self._spread()

    def _spread(self) -> None:
        """Update the parts of the table after a sheet was opened or closed."""
        self.layout.place_sheet()
        self._show_sheet()
        self.layout.show_threat(self.task, self.events.latest_position)
        self.layout.show_strip(self.events.position)

    def _show_sheet(self) -> None:
        if self.sheet is not None:
            self.sheet.show(self.task)
            self.sheet.mouse_motion(*self.pointer.at)

    # Layout

    def place(self, width: float, height: float) -> None:
        """Divide the window of that size among the parts."""
        self._size = width, height
        there = self.match.view is not None
        self.layout.place(width, height, self.events.latest_position.seats if there else MAX_SEATS)
        self.menu.place(width, height)
        if there:
            self._place_stage()
            self.follow()
            self.show_board()

    def _place_stage(self) -> None:
        fight = self.guide.battle_scene.read(self.events.latest_position)
        if fight is not None:
            self.stage.place(self.layout.battle_area, self.display.around(fight.space))

    # Events

    def hear(self, *, missed: bool = False) -> None:
        """Handle new messages: tell their events, and show the position. `missed`: the table was not in sight."""
        match = self.match
        if match.view is None:
            return
        if not self.events.begun:
            self.place(*self._size)
        elif self.playback.seat != match.seat:
            self.events.change_seat()
        story = match.take_story()
        self.undo.recall(story, self._feed.recall([one.event for one in story], match.name, match.seat))
        news = match.take_events()
        if self.events.hear(news, missed=missed):
            self.layout.province.close()
            self._place_stage()
        self.guidance.hear(story, news)
        if self._feed.overhear(match.chat, match.seat):
            self.side.tabs.tell(SidePart.CHRONICLE)
        # After the panes heard the events, before they show the position: lines and standings belong together.
        self.events.tell()
        self.follow()
        self.guidance.follow()
        if self.events.ahead:
            self.events.skip_ahead()

    def leap(self, story: Sequence[Event]) -> None:
        """Jump to another moment of the match, without showing or playing anything between. `story`: the events before
        it."""
        # Dropped: they lead to the moment that is left.
        self.match.take_events()
        self.layout.sheets.put_away()
        self.news.turns.forget()
        self.events.leap(story)
        self.layout.province.close()
        self._place_stage()
        self.tasks.forget()
        self.follow()

    def went_back(self, back: WentBack, line: str) -> None:
        """Note that an earlier position came back, and tell who went back."""
        self.undo.go_back(back.to)
        if back.seat != self.match.seat:
            self.desk.toast(line)
        self.news.turns.forget()

    def decided(self, line: str) -> None:
        """Note the line about a decision of this seat, unless it has a label already."""
        self.undo.labels.setdefault(self.match.version, line)

    def pass_on(self, events: Sequence[ShownEvent]) -> None:
        """Let the sheets and the news hear what has been shown, and tell the player what is beside the decision
        owed."""
        aside = self.guide.aside if not self._past else None
        for one in events:
            for sheet in self.sheets:
                sheet.hear(one.event)
            self.news.turns.hear(one.version, one.event)
            if aside is not None and aside.news(one.event, self.match.seat):
                self.desk.toast(one.line)
        if self.match.view is not None and not self._past and self.side.coach is None:
            self.news.follow(self.events.latest_position)

    def _acted(self, at: int, label: str) -> None:
        """Note the label of an action that was sent at version `at`."""
        self.undo.labels[at + 1] = label
        self.follow()

    # The position

    def follow(self) -> None:
        """Show the position, and ask for the decision that it owes."""
        if self.match.view is None:
            return
        scene = self.events.scene()
        if not self.events.busy:
            self.layout.show_strip(self.events.latest_position)
        self.layout.show(scene, self.events.position)
        self._show_undo()
        if self.tasks.follow(scene, aside=bool(self.layout.corner.words), coached=self.side.coach is not None):
            self._show_sheet()
            self.show_board()
        self._show_advice()
        self._follow_sheet()

    def _show_undo(self) -> None:
        """Show the button for undo."""
        turned = self.undo.follow()
        self.undo.button.over(self.board.rect, self.layout.corner)
        if turned:
            self._place_stage()  # It lies above the button, as sheets do.
            self.layout.place_sheet()

    def _show_advice(self) -> None:
        """Update the button for advice, and the plate with advice."""
        self.advice.hidden = self.events.busy
        self.layout.header.offer(self.match.no_advice())
        self.advice.follow()
        if self.news.hinting is not None and self.advice.plate.shown:
            self.news.hinting.heed(ADVICE.key)
        self.advice.plate.spare(self.display.points(self.advice.stops), self.layout.advice_obstacles())

    def step_aside(self) -> bool:
        """Deal with a matter beside the decision owed, or go back to that decision. Return False if there is no such
        matter."""
        if self.tasks.step_back():
            self.follow()
            return True
        begun = self.tasks.step_aside(self.step_aside)
        if begun:
            self._changed()
        return begun

    def _changed(self) -> None:
        """Update the display after the task has changed. A question whether to end takes the key of the advice."""
        if self.task.asked:
            self.advice.put_away()
        self.tasks.bar.rebuild()
        self.tasks.bar.mouse_motion(*self.pointer.at)
        self._show_sheet()
        self.show_board()

    def show_board(self) -> None:
        """Show the position and the task on the board."""
        changed = self.news.turns.changed if not self.events.busy else ()
        self.display.show(self.events.board_position, self.task, self.advice.stops, changed, self.layout.province.tints)
        self.show_cursor()
        self.stage.mark = self.task.mark()
        self.stage.brief = any(tint is not HERE for tint in self.task.lit().values())
        self.stage.question = self.tasks.awaited
        self.layout.show_threat(self.task, self.events.latest_position)
        self.guidance.follow()

    def show_view(self) -> None:
        """Show the board as the map has turned to another view."""
        self.board.touch()
        self.show_board()
        self._place_stage()

    def show_cursor(self) -> None:
        """Update the things at the cursor after a change."""
        self.cursor.things = things(self.display.tokens, self.cursor.space, self.desk.who)

    def look_ahead(self) -> bool:
        """Show the next step of the preview for the province under the mouse or the cursor."""
        if self.match.view is None or self.events.busy:
            return False
        space = self.cursor.space if self.cursor.on else self.pointer.space
        if self.layout.province.turn(self.events.position, space, self.match.seat):
            self.show_board()
        else:
            self.desk.toast(_("Point at a province first."))
        return True

    def end_preview(self) -> bool:
        """Hide the preview; return False if there is none."""
        closed = self.layout.province.close()
        if closed:
            self.show_board()
        return closed

    # Time

    def update(self, seconds: float) -> bool:
        """Advance by some seconds; return whether the display changed."""
        changed = self.pointer.update(seconds) and not self.menu.open
        for pane in self.panes:
            pane.update(seconds)
        if self.menu.open:
            changed |= self.menu.ui.update(seconds)
        if self.match.view is not None:
            changed |= self.events.update(seconds)
            if self.layout.header.scene is not None:
                self.layout.tell_time(self.layout.header.scene)
            self.layout.ballot.follow()
            if self.desk.hear_refusal():
                self.follow()
        if self.layout.attack.pending:
            self.layout.show_threat(self.task, self.events.latest_position)
        return changed or self.stale

    @property
    def stale(self) -> bool:
        """Whether any part has a new picture to show."""
        return self.board.stale or any(pane.stale for pane in self.panes)

    def draw(self) -> None:
        """Draw everything."""
        self.layout.queue(moving=self.events.moving)
        self.display.draw()
        if self.match.view is not None:
            self.cursor.draw(self.board, self.pointer.describe)
        self.stage.draw()
        below = self.sheet is None or self.match.is_mine  # A sheet with an own decision stays uncovered.
        if below:
            self.events.moments.draw(self.board.rect)
        self.layout.draw()
        if not below:
            self.events.moments.draw(self.board.rect)
        draw_marks(self.guidance.marks())
        self.layout.draw_popups()
        self.reach.draw_tip(self.layout.tip_obstacles)
        self.menu.draw()
        if not self.menu.open:
            self.pointer.draw_tip()

"""The whole table: its parts, and their updates by versions and time. Input is in controls.py."""

from collections.abc import Callable, Mapping, Sequence
from math import inf
from typing import Final, Generic

import arcade
from arcade.types import Rect

from client import language
from client.drawing import shapes, theme
from client.drawing.scrolling import clipped
from client.drawing.tooltip import draw_tooltip
from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.language import _
from client.network.model import VersionedEvent
from client.network.table_events import TableEvent, WentBack
from client.player.hints import FirstGame
from client.sound.sounds import Sound
from client.table.action_bar import ActionBar
from client.table.advising import Advice
from client.table.attack_preview import AttackPreview
from client.table.battle_panel import BattlePanel
from client.table.battle_playback import BattlePlayback
from client.table.battle_stage import AwaitedDecision
from client.table.calculator import Calculator
from client.table.chronicle import Chronicle, EventFeed, TableSounds
from client.table.coach import Coach, Mark, draw_marks, marks_on, meant
from client.table.corner_buttons import CornerButtons
from client.table.cursor import Cursor, KeyboardFocus, things
from client.table.display import Display
from client.table.event_text import whose
from client.table.guide import Guide
from client.table.header import Header
from client.table.hints import ADVICE
from client.table.layout import Layout, SidePart, divide
from client.table.lesson import Lit
from client.table.match import TableCallbacks, TableMatch
from client.table.menu import Menu
from client.table.moments import Moments
from client.table.news import Hinting, TurnSummary, TurnSummaryPlate
from client.table.odds_worker import Counting
from client.table.own_desk import OwnDesk
from client.table.pane import WOOD, Pane
from client.table.pieces import Force, Token
from client.table.position import T
from client.table.province_preview import ProvincePreview, draw_province_list
from client.table.roster import Roster
from client.table.scene import Scene, gather, hushed
from client.table.sheet import AnySheet, Sheets
from client.table.tabs import Tabs
from client.table.task import HERE, AnyTask
from client.table.task_chooser import Asking, TaskInputs
from client.table.text_plate import BallotPlate
from client.table.vote_menu import VoteMenu
from client.table.words import called
from shared.board import BOARD
from shared.ids import MAX_SEATS, NONE, Seat, Space
from shared.kernel.frames import Event
from shared.odds.attack import asked
from shared.sentences.registry import SENTENCES
from shared.tables import TablePhase
from shared.vocabulary.events import BattleBegan

_TIP_DELAY: Final = 0.45
"""Seconds that the mouse rests before a tooltip appears."""
_CAPTIONS: Final = {
    SidePart.COACH: _("Coach"),
    SidePart.PLAYERS: _("Players"),
    SidePart.CHRONICLE: _("Chronicle"),
    SidePart.NEWS: _("News"),
}
"""Captions of the folded parts. At the top of a module, so that they are renewed with the language."""
_NOTICE: Final = 180.0
"""Design height that is enough for any notice."""


class Tabletop(Generic[T]):
    """The whole table of one match."""

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
        self.display = Display(guide.look, callbacks.play_settings)
        self.board, self.motion = self.display.board, self.display.motion
        self._sounding = TableSounds(guide, callbacks.sound)
        self.playback = BattlePlayback(match.seat, guide.battle_scene, callbacks.sound, callbacks.play_settings)
        self.stage = BattlePanel(match, self.playback)
        self.desk = OwnDesk(
            match, callbacks, self.board, seen=lambda: self.seen, acted=self._acted, changed=self._changed,
            looked=self._looked, lay=self.lay, ahead=self.go_ahead, first=first,
        )  # fmt: skip
        self.asking = Asking(self.desk, guide)
        self._ahead = False
        """Whether everything is skipped until this seat owes a decision."""
        words = None if more is None else lambda: self.lay(Command.WORDS)
        self._pause = 0.0
        """Seconds for which something that a bot did is still shown."""
        self._past = bar is not None
        self.menu = Menu(match, guide, callbacks, self.desk.act, words, past=self._past)
        self.advice = Advice(match, self.desk, guide.stops, self._show_board)
        self.header = Header(
            self.menu.show, callbacks.show_help, self.calculate, None if self._past else self.advice.ask
        )  # fmt: skip
        own = [sheet(self.desk) for sheet in guide.look.sheets]
        self.calculator: Calculator[T] = Calculator(self.desk, guide.battle_scene)
        self._sheets = Sheets([*own, self.calculator])
        self.strip = guide.look.strip(own, self.turn_sheet)
        self.action_bar = ActionBar()
        self.bar: Pane = bar or self.action_bar
        self.roster = Roster(match.name)
        self.chronicle = Chronicle(None if self._past else callbacks.say, self._listen)
        self._turned = SidePart.PLAYERS
        """The part to show of those that are folded on the right side."""
        self._news = False
        """Whether there is a hint, or something that happened since the player's turn."""
        self._before_news = SidePart.PLAYERS
        self.tabs = Tabs(_CAPTIONS, self.unfold)
        self.corner = CornerButtons(self.step_aside, guide.aside.tip if guide.aside is not None else "", Command.ASIDE)
        self.undoing = CornerButtons(self._take_back, self._undo_tip, Command.UNDO)
        self.attack_preview = AttackPreview(self.calculate)
        self._counting = Counting(guide.battle_scene.battle_odds.odds)
        self._uncounted = False
        """Whether the odds of the attack in the making are still being counted."""
        self.deciding = VoteMenu(match)
        self.ballot = BallotPlate(match.vote, match.propose, self._read_missed, self._wait)
        self._fixed: tuple[Pane, ...] = (
            self.header, self.strip, self.bar, self.tabs, self.roster, self.chronicle, self.corner, self.undoing,
            self.attack_preview,
        )  # fmt: skip
        self.coach: Coach[T] | None = None
        if problem is not None:
            self.coach = problem
        elif lesson in guide.lessons:
            self.coach = Coach(guide.lessons[lesson], callbacks.leave_table, self._dismiss_coach, self.teach)
        if self.coach is not None:
            self._turned = SidePart.COACH
            self._fixed = self.coach, *self._fixed
        self.hinting: Hinting[T] | None = None
        if first is not None and match.seat >= 0 and self.coach is None:
            self.hinting = Hinting(guide.hints, first, self._show_summary)
        self._turns: TurnSummary[T] = TurnSummary(
            SENTENCES[match.rules.id], lambda table: guide.look.heading(table).active, match.name
        )
        self.preview = ProvincePreview(guide, match.name)
        self.summary = TurnSummaryPlate(callbacks.look_back, self._close_summary)
        self.cursor = Cursor()
        self.looked_at: Space = NONE
        """The space that a task brought into sight last."""
        self.reach = KeyboardFocus(self._controls)
        self._telling = EventFeed(guide, self.chronicle)
        self.mouse = (0.0, 0.0)
        self._decided: dict[int, str] = {}
        """Words for this seat's decisions, by the version that they led to: their label, or their line if they were
        made elsewhere."""
        self._returned = NONE
        """Version by which the match went back, if it is the last one."""
        self._doubted = NONE
        """Version at which the player was asked whether to go back over others' moves."""
        self._replaced = False
        """Whether the player was told that a bot has our seat."""
        self.rested = 0.0
        """Seconds since the mouse moved; -inf after an action, which ends the tooltip."""
        self._tipped = ""
        """Words of the tooltip when it appeared."""
        self._before = match.view
        self._heard = -1
        if more is not None:
            self._sheets.add(more(self))
        self._calm: Scene | None = None
        """Scene before the battle or moment that is shown now. The panes keep it, so that they do not reveal the
        outcome."""
        self._held: T | None = None
        """Position that the board shows during a battle or moment until its outcome is told."""
        self._unfought: T | None = None
        """Position before the battle or moment that is shown now."""
        self._unheard: list[tuple[int, Event, str]] = []
        """Versions and events with their lines, for all who hear of them once they have been shown."""
        self.moments = Moments(callbacks.play_settings, callbacks.sound)
        self._visited: Space = NONE
        """The space of the battle to which the map has glided."""
        self._size = (1.0, 1.0)
        self._layout = divide(1.0, 1.0, MAX_SEATS)

    @property
    def panes(self) -> tuple[Pane, ...]:
        """Parts that receive mouse and keyboard before the board, the uppermost first."""
        return (
            self.ballot,
            self.advice.plate,
            self.preview,
            *self._hints,
            *([] if self.sheet is None else [self.sheet]),
            *self._fixed,
        )

    @property
    def _hints(self) -> tuple[Pane, ...]:
        """The plates with news. They wait while their part is folded away, or a sheet lies in their place."""
        if self._layout.folded and self._layout.news.width <= 0:
            return ()
        plates = (self.summary,) if self.hinting is None else (self.hinting.plate, self.summary)
        return tuple(p for p in plates if self.sheet is None or not self.sheet.seen.overlaps(p.rect))

    def _controls(self) -> tuple[Pane, ...]:
        """Return the parts of the table with controls, in their tab order."""
        sheet = () if self.sheet is None else (self.sheet,)
        coach = () if self.coach is None else (self.coach,)
        return (
            *sheet, self.ballot, self.advice.plate, self.bar, self.corner, self.undoing, *coach, *self._hints,
            self.strip, self.header, self.tabs, self.roster, self.chronicle,
        )  # fmt: skip

    @property
    def task(self) -> AnyTask:
        """The present task of this seat."""
        return self.asking.task

    @property
    def sheets(self) -> tuple[AnySheet, ...]:
        """All sheets of the game."""
        return self._sheets.all

    @property
    def sheet(self) -> AnySheet | None:
        """The sheet over the board."""
        return self._sheets.lying

    @property
    def table(self) -> T:
        """The position of the match, perhaps ahead of what the player has seen."""
        view = self.match.view
        assert view is not None, "nothing is asked before the position has come"
        return view

    @property
    def seen(self) -> T:
        """The position without the outcome of a battle or moment that is still shown. All words and numbers come from
        it."""
        return self._unfought if self.busy and self._unfought is not None else self.table

    @property
    def busy(self) -> bool:
        """Whether a battle, or a moment that tells an outcome, remains to be shown."""
        return self.playback.busy or self.moments.holding

    @property
    def _title(self) -> str:
        """Title of the moment that is shown or comes next, "" while a battle is shown."""
        return "" if self.playback.busy else self.moments.title

    @property
    def _suspense(self) -> bool:
        """Whether the board must not show the outcome yet."""
        return self.playback.suspense or self.moments.holding

    def _listen(self) -> None:
        """Turn chat of spectators on or off."""
        self.callbacks.listen(not self.callbacks.listens)
        self._offer()

    def _offer(self) -> None:
        """Show the button for chat of spectators while they are at our match."""
        table = self.match.table
        there = table is not None and table.phase == TablePhase.PLAYING and self.match.seat >= 0 and table.watchers
        self.chronicle.offer(
            (_("Hide spectators") if self.callbacks.listens else _("Hear spectators")) if there else ""
        )

    # The coach, and hints without a coach

    def _dismiss_coach(self) -> None:
        """Send the coach away."""
        self._fixed = tuple(pane for pane in self._fixed if pane is not self.coach)
        self.coach = None
        self.place(*self._size)

    def teach(self) -> None:
        """Let the coach see the position, but a battle only after it has been shown."""
        there = self.match.view is not None and not self.busy
        if self.coach is not None and there and self.coach.follow(self.table, self.match.seat, self.task):
            self.unfold(SidePart.COACH)
        if self.hinting is not None and self.match.view is not None:
            self._hint(self.hinting)

    def _hint(self, hinting: Hinting[T]) -> None:
        """Look for a hint that fits the present decision."""
        if not self.busy:
            hinting.leave(self.table)
        if self.match.finished:
            hinting.put_away(self.match.version + 1)
        elif self.match.is_mine and not self.busy:
            hinting.follow(self.table, self.match.seat, self.task, self.match.version, self._usable)

    def _usable(self, lit: Lit) -> bool:
        """Whether a button that is pointed at exists, and no sheet lies in the place of the hint."""
        over = self.sheet or next((sheet for sheet in self.sheets if sheet.wanted()), None)
        if over is not None and self._layout.sheet.right > self.board.rect.right:
            return False
        widgets = [widget for pane in (self.action_bar, self.strip, self.header) for widget in pane.ui.widgets]
        return not lit.buttons or any(meant(lit, widgets))

    def marks(self) -> list[Mark]:
        """Return the marks of the coach, or of a hint."""
        if self.busy:
            return []
        if self.hinting is not None and self.match.is_mine:
            lit = self.hinting.lit
            return marks_on(lit, self._points(lit), self._names(lit), (self.action_bar, self.strip, self.header), {})
        return self._lessons_marks(self.coach) if self.coach is not None else []

    def _points(self, lit: Lit) -> list[tuple[float, float]]:
        """Return the points of the board that are pointed at, in the window."""
        points = [*map(self.display.middle, lit.spaces), *map(self.display.berth, lit.coasts)]
        return [self.board.camera.to_window(*point) for point in points]

    def _names(self, lit: Lit) -> list[Rect]:
        """Return the rectangles of the painted names, in the window; none if nothing on the board is pointed at."""
        names = self.board.geography.names if lit.spaces or lit.coasts else ()
        return [self.display.window_rect(box) for box in names]

    def _lessons_marks(self, coach: Coach[T]) -> list[Mark]:
        panes = (self.action_bar, self.strip) if self.sheet is None else (self.sheet, self.action_bar, self.strip)
        side: Mapping[str, Pane] = {"roster": self.roster, "chronicle": self.chronicle}
        side = {name: self.tabs if pane.is_hidden else pane for name, pane in side.items()}
        named = {**side, "strip": self.strip, "header": self.header}
        marks = marks_on(coach.lit, self._points(coach.lit), self._names(coach.lit), panes, named)
        if not (self.match.is_mine or coach.lit.pane):
            marks = [mark for mark in marks if mark.round]
        return [mark for mark in marks if not (mark.round and self._covered(mark.rect.x, mark.rect.y))]

    def _covered(self, x: float, y: float) -> bool:
        """Whether the battle or a sheet lies over that point of the board."""
        return self.stage.holds(x, y) or (self.sheet is not None and self.sheet.holds(x, y))

    # Sheets over the board

    def lay(self, key: Command | None) -> None:
        """Open the sheet with that key; without a key close the sheet over the board."""
        self._open(self._sheets.by_key(key))

    def turn_sheet(self, sheet: AnySheet) -> None:
        """Open a sheet, or close it if it is open."""
        self._open(None if sheet is self.sheet else sheet)

    def calculate(self) -> None:
        """Open the calculator of odds, or close it."""
        if self.match.view is not None:
            self.turn_sheet(self.calculator)

    def _open(self, sheet: AnySheet | None) -> None:
        self._sheets.open(sheet)
        self._spread()
        self._follow_sheet()
        self._advise()

    def _follow_sheet(self) -> None:
        if self.moments.holding and not self.playback.busy:
            return  # What lies there stays: the count of a season is still read while the next one's cards are opened.
        if self._sheets.follow(not self.playback.busy):
            self._spread()

    def _spread(self) -> None:
        """Update the parts of the table after a sheet was opened or closed."""
        self._place_sheet()
        self._show_sheet()
        self._show_threat()
        self.strip.show(self.seen, self.match.name, self.sheet)

    def _show_threat(self) -> None:
        """Show the odds of the attack in the making, unless a sheet covers them."""
        threat, battle_odds = self.task.threat(), self.guide.battle_scene.battle_odds
        self._uncounted = False
        if threat is None or self.sheet is not None:
            self.attack_preview.show(None, None)
        else:
            question = asked(battle_odds.present, self.table, self.match.seat, threat)
            odds = self._counting.ask(*question.hosts, question.naval)
            self.attack_preview.show(question, odds)
            self._uncounted = odds is None

    def _show_sheet(self) -> None:
        if self.sheet is not None:
            self.sheet.show(self.task)
            self.sheet.mouse_motion(*self.mouse)

    # Layout

    def place(self, width: float, height: float) -> None:
        """Divide the window of that size among the parts."""
        self._size = width, height
        there = self.match.view is not None
        layout = self._layout = self._divided(width, height)
        self.header.place(layout.header)
        self.bar.place(layout.action_bar)
        self.strip.place(layout.strip)
        self._place_side(layout)
        self.board.glide.leave()
        self.board.glide.arrive()  # Else the move would end at the view of the former window.
        self.board.place(layout.board)
        self.corner.over(self.board.rect)
        self.undoing.over(self.board.rect, self.corner)
        self.ballot.over(self.board.rect)
        self.attack_preview.over(self.board.rect)
        self._place_side_plates()
        self.preview.over(self.board.rect)
        self._place_sheet()
        self.menu.place(width, height)
        if there:
            self._place_stage()
            self.follow()
            self._show_board()

    def _divided(self, width: float, height: float) -> Layout:
        seats = self.table.seats if self.match.view is not None else MAX_SEATS
        return divide(width, height, seats, coached=self.coach is not None, news=self._news, turned=self._turned)

    def _place_side(self, layout: Layout) -> None:
        if self.coach is not None:
            self.coach.place(layout.coach)
        self.tabs.place(layout.tabs)
        if layout.folded:
            self._turned = self._turned if self._turned in layout.folded else SidePart.PLAYERS
            self.tabs.show(layout.folded, self._turned)
        self.roster.place(layout.roster)
        self.chronicle.place(layout.chronicle)

    def unfold(self, part: SidePart) -> None:
        """Turn to a part of the right side, if it is folded away."""
        if part in self._layout.folded and part is not self._turned:
            self._turned = part
            self._fold()

    def _fold(self) -> None:
        """Place the right side anew, as another part is turned to."""
        self._layout = self._divided(*self._size)
        self._place_side(self._layout)
        self._place_side_plates()

    def _place_side_plates(self) -> None:
        if self.hinting is not None:
            self.hinting.plate.over(self._unplayed)
        self.summary.over(self._unplayed)
        self.advice.plate.beside(self.roster.inside if self.chronicle.is_hidden else self.chronicle.rect)
        self.advice.plate.over(self.board.rect)

    def _place_sheet(self) -> None:
        if self.sheet is not None:
            self.sheet.over(self._layout.sheet, cornered=bool(self.corner.words or self.undoing.words))

    def _place_stage(self) -> None:
        fight = self.guide.battle_scene.read(self.table)
        if fight is not None:
            board, corner = self.board.rect, self.corner.rect
            if self.corner.words or self.undoing.words:
                board = arcade.LRBT(board.left, board.right, corner.top, board.top)
            self.stage.place(board, self.display.around(fight.space))

    # Life cycle

    def hear(self, *, missed: bool = False) -> None:
        """Handle new messages: tell their events, and show the position. `missed`: the table was not in sight."""
        if self.match.view is None:
            return
        if self._before is None:
            self.place(*self._size)
        elif self.playback.seat != self.match.seat:
            self._before = self.table  # Another seat saw the position before otherwise: it cannot be held back.
            self.hurry()
        story = self.match.take_story()
        self._recall(story)
        told = self.match.take_events()
        sounds = [None] * len(told) if missed or self._ahead else self._sounding.of(told, self._before, self.match.seat)
        events = [one.event for one in told]
        self.playback.seat = self.match.seat
        self._hear_events(events, sounds, missed=missed or self._ahead)
        if self.coach is not None:
            self.coach.hear([*story, *told])
        if self.hinting is not None:
            self.hinting.hear([event for event in events if not isinstance(event, TableEvent)])
        if self._telling.overhear(self.match.chat, self.match.seat):
            self.tabs.tell(SidePart.CHRONICLE)
        self._before = self.table
        self._tell()
        self.follow()
        self.teach()
        if self._ahead:
            self._skip_ahead()

    def _recall(self, story: Sequence[VersionedEvent]) -> None:
        """Write down what happened before this client came, and what this seat decided then."""
        words = self._telling.recall([one.event for one in story], self.match.name, self.match.seat)
        for one, line in zip(story, words, strict=True):
            if isinstance(one.event, WentBack):
                self._decided[one.version] = self._decided.get(one.event.to, "")
            elif line and not isinstance(one.event, TableEvent) and whose(one.event) == self.match.seat >= 0:
                self._decided.setdefault(one.version, line)

    def leap(self, story: Sequence[Event]) -> None:
        """Jump to another moment of the match, without showing or playing anything between. `story`: the events before
        it."""
        self.match.take_events()
        self.motion.skip()
        self.playback.forget()
        self.moments.skip()
        self._sounding.forget()
        for sheet in self.sheets:
            sheet.put_away()
        self._before, self._held, self._calm, self._unfought = self.table, None, None, None
        self._unheard.clear()
        self._turns.forget()
        self._telling.anew(story, self.match.name, self.match.seat)
        self._heard = -1
        self._hear_events((), ())
        self.asking.moment = None
        self.follow()

    def _hear_events(
        self, events: Sequence[Event], sounds: Sequence[Sound | None], *, missed: bool = False
    ) -> None:  # fmt: skip
        last = max((i for i, event in enumerate(events) if isinstance(event, WentBack)), default=NONE)
        if last != NONE:
            self._go_back(events[: last + 1])
            events, sounds = events[last + 1 :], sounds[last + 1 :]
        lines = self._telling.hear(events, self.match.name, self.match.seat)
        told = zip(events, lines, sounds, strict=True)
        played = [one for one in told if not isinstance(one[0], TableEvent)]
        own = [line for event, line, _sound in played if line and whose(event) == self.match.seat >= 0]
        if own:
            self._decided.setdefault(self.match.version, own[0])  # Later lines are what follows from the decision.
        events, words, sounds = [one[0] for one in played], [one[1] for one in played], [one[2] for one in played]
        busy = self.busy
        self._unheard += [(self.match.version, *one) for one in zip(events, words, strict=True)]
        for event in [] if busy else events:  # Pieces that move while a battle is shown would tell how it ended.
            self.motion.hear(event, self._before)
        told = zip(events, words, sounds, strict=True)
        sounds = [None if not missed and self._momentous(*one) else one[2] for one in told]
        if events or self.match.version != self._heard:
            self._heard = self.match.version
            self.preview.close()
            rest = self.playback.hear(self._before, self.table, events, words, sounds)
            self._place_stage()
            if self.busy and not busy:
                self._unfought = self._before
                self._hold(events)
            self._sounding.hear(rest, busy=self.busy, flying=self.motion.flying)

    def _momentous(self, event: Event, line: str, sound: Sound | None) -> bool:
        """Queue the moment of an event, if it has one; return whether the moment plays the event's sound."""
        moment = self.guide.moment(event, self._before)
        return moment is not None and self.moments.hear(moment, line, sound)

    def _go_back(self, events: Sequence[Event]) -> None:
        """Show an earlier position that came back. Nothing moves there, and waiting steps are dropped, as they were
        undone."""
        words = self._telling.hear(events, self.match.name, self.match.seat)
        back = events[-1]
        if isinstance(back, WentBack):
            self._decided[self.match.version] = self._decided.get(back.to, "")
            self._returned = self.match.version
            if back.seat != self.match.seat:
                self.desk.toast(words[-1])
        self.motion.skip()
        self.playback.forget()
        self.moments.skip()
        self._sounding.skip()
        self._before = self._held = self._calm = self._unfought = None
        self._turns.forget()

    def _hold(self, events: Sequence[Event]) -> None:
        """Keep the position before a battle on the board until the battle has been shown. At the beginning of a battle
        the board already shows the forces that have come for it."""
        fresh = self._before is not None and self.guide.battle_scene.read(self._before) is None
        began = any(isinstance(event, BattleBegan) for event in events)
        if fresh and began and self.guide.battle_scene.read(self.table) is not None:
            self._held = self.table
        else:
            self._held = self._before
            self.motion.skip()

    @property
    def shown(self) -> T:
        """The position on the board."""
        return self._held if self._suspense and self._held is not None else self.table

    def _tell(self) -> None:
        """Write down the events, once they have been shown."""
        if not self.busy:
            self._telling.tell()
            self._sounding.seen()
            self._pass_on()

    def _pass_on(self) -> None:
        """Let the sheets hear what has been shown, and tell the player about news beside the decision owed."""
        unheard, self._unheard = self._unheard, []
        aside = self.guide.aside if not self._past else None
        for version, event, line in unheard:
            for sheet in self.sheets:
                sheet.hear(event)
            self._turns.hear(version, event)
            if aside is not None and aside.news(event, self.match.seat):
                self.desk.toast(line)
        self._sum_up()

    def _sum_up(self) -> None:
        """Show at the beginning of the player's turn what has changed since their last one."""
        match = self.match
        if match.view is None or self._past or self.coach is not None:
            return
        self._turns.follow(self.table, match.version, match.seat, match.is_mine)
        if self.hinting is not None and self._turns.deeds:
            self.hinting.put_away(match.version)
        self._show_summary()

    def _show_summary(self) -> None:
        """Show the lines about the other players, unless a hint lies in their place."""
        hint = self.hinting is not None and self.hinting.plate.shown
        self.summary.show(() if hint else self._turns.deeds)
        if self._news != (hint or self.summary.shown):
            self._news = not self._news
            before, self._before_news = self._before_news, self._turned
            self._turned = SidePart.NEWS if self._news else before if self._turned is SidePart.NEWS else self._turned
            self._fold()

    def look_ahead(self) -> bool:
        """Show the next step of the preview for the province under the mouse or the cursor."""
        if self.match.view is None or self.busy:
            return False
        space = self.cursor.space if self.cursor.on else self._beheld()
        space = space if 0 <= space < BOARD.provinces else self.preview.space
        if space == NONE:
            self.desk.toast(_("Point at a province first."))
            return True
        self.preview.turn(self.seen, space, self.match.seat)
        self._show_board()
        return True

    def end_preview(self) -> bool:
        """Hide the preview; return False if there is none."""
        closed = self.preview.close()
        if closed:
            self._show_board()
        return closed

    def _close_summary(self) -> None:
        self._turns.close()
        self._show_summary()
        self._show_board()

    def follow(self) -> None:
        """Show the position, and ask for the decision that it owes."""
        if self.match.view is None:
            return
        scene = self._scene()
        self.roster.show(scene)
        self._tell_time(scene)
        self._offer()
        if self.guide.aside is not None and not self._past:
            self.corner.show(*self.guide.aside.caption(self.seen, self.match.seat))
        self._offer_undo()
        self._ask(scene)
        self._advise()
        self._follow_sheet()

    def _offer_undo(self) -> None:
        """Show the button while it works: to take back, or to go back in a match against bots only."""
        if self._doubted != self.match.version:
            self._doubted = NONE
        back = _("Go back to my last decision") if self._doubted == NONE else _("Really go back?")
        words = self._undo_words() if self.match.undoable else back if self._goes_back else ""
        shown = bool(self.undoing.words)
        self.undoing.show("" if self.busy else words, self._doubted != NONE)
        self.undoing.over(self.board.rect, self.corner)
        if shown != bool(self.undoing.words):
            self._place_stage()  # It lies above the button, as sheets do.
            self._place_sheet()

    def _undo_words(self) -> str:
        """Return the words of the button that takes the last decision back, with that decision if it has a line."""
        what = self._decided.get(self.match.version, "")
        return _("Take back: {what}", what=what) if what else _("Take back")

    def _acted(self, at: int, label: str) -> None:
        """Note the label of an action that was sent at version `at`."""
        self._decided[at + 1] = label
        self.follow()

    @property
    def _goes_back(self) -> bool:
        """Whether the player may go back to their last decision although dice have fallen since."""
        return self.match.is_mine and self.match.alone and self.match.moments.decided

    def _undo_tip(self) -> str:
        if not self.match.undoable:
            return _("Go back to before your last decision. Dice will be rolled again, and bots decide anew.")
        taken = _("Take back your last decision. Nothing else has happened since, and no secret was shown.")
        return f"{self._undo_words()}\n{taken} ({told(Command.UNDO)})"  # The button may be too short for all words.

    def _take_back(self) -> None:
        if self.match.undoable:
            self.undo()
        elif self._doubted != self.match.version:
            self._doubted = self.match.version  # Others' moves and dice go too, so the first click only asks.
            self._offer_undo()
        elif not self.busy:
            self._doubted = NONE
            self.match.undo(True)
            self.hear()

    def vote(self, yes: bool) -> bool:
        """Answer the open question, or close the notice that was read; return False if nothing is asked."""
        if self.match.voting.missed:
            self._read_missed()
            return True
        asked = self.match.voting.asks(self.match.seat)
        if asked:
            self.match.vote(yes)
        elif not yes and self.ballot.notice is not None and self.ballot.notice.waits:
            self._wait()
            return True
        return asked

    def _wait(self) -> None:
        self.deciding.wait()
        self.ballot.show(self.deciding.notice())

    def _read_missed(self) -> None:
        self.deciding.read()
        self.ballot.show(self.deciding.notice())

    def undo(self) -> bool:
        """Take back the last action, or say why it stands; return False if nothing was asked."""
        asked = not self.busy and self.match.undo()
        self.hear()
        return asked

    def _advise(self) -> None:
        """Update the button for advice, and the plate with advice."""
        self.advice.hidden = self.busy
        self.header.offer(self.match.no_advice())
        self.advice.follow()
        if self.hinting is not None and self.advice.plate.shown:
            self.hinting.heed(ADVICE.key)
        lying = (
            (self.stage.rect, self.playback.beat), (self.attack_preview.rect, self.attack_preview.question),
            (self.corner.rect, self.corner.words), (self.ballot.rect, self.ballot.shown),
            (self.undoing.rect, self.undoing.words),
        )  # fmt: skip
        taken = [rect for rect, there in lying if there]
        if self.hinting is not None and self.hinting.plate.shown:
            taken.append(self.hinting.plate.rect)
        if self.sheet is not None:
            # Controls on a sheet are mostly in its middle and to the right.
            whole = self.sheet.seen
            taken += (whole, arcade.LRBT(whole.x, whole.right, whole.bottom, whole.top))
        self.advice.plate.spare(self.display.points(self.advice.stops), taken)

    def _scene(self) -> Scene:
        """Return the scene for the panes; while a battle is shown, the one before it."""
        scene = gather(self.match, self.seen, self.guide)
        if self.busy:
            return hushed(self._calm or scene, self._title)
        self._calm = scene
        self.strip.show(self.table, self.match.name, self.sheet)
        return scene

    def _leave_out(self) -> bool:
        """Answer a question without a real choice, or go further back if the player came back to it.

        Return False if there is no such question, or it must be asked.
        """
        action = self.task.unasked() if self.coach is None else None
        if action is None:
            return False
        at = self.match.version
        if at == self._returned:
            return self.match.undoable > 0 and self.undo()
        before = self._decided.get(at, "")
        further = self.match.undoable > 0
        answered = self.desk.act(action)
        if answered and further and before:
            self._decided[at + 1] = before  # Players take back what they decided themselves.
        return answered

    def _ask(self, scene: Scene) -> None:
        match, frame, busy = self.match, self.table.frames[-1], self.busy
        now = TaskInputs(
            version=match.version,
            decision=(frame.no, type(frame)),
            prompt=scene.prompt,
            mine=match.is_mine and not busy,
            pending=match.pending,
            finished=match.finished and not busy,
            busy=busy,
            title=self._title if busy else "",
            aside=bool(self.corner.words),
        )
        if now == self.asking.moment:
            return
        fresh = self.asking.choose(now)
        if fresh and self._leave_out():
            return
        if fresh:
            self.end_tip()
            self._show_task()
        else:
            self._show_sheet()
        self._show_board()

    def _show_task(self) -> None:
        if not self._past:
            self.action_bar.task = self.task
            self.action_bar.rebuild()
        self._show_sheet()

    def _looked(self, space: Space) -> None:
        self.looked_at = space

    def show_cursor(self) -> None:
        """Update the things at the cursor after a change."""
        self.cursor.things = things(self.display.tokens, self.cursor.space, self.desk.who)

    def step_aside(self) -> bool:
        """Deal with a matter beside the decision owed, or go back to that decision. Return False if there is no such
        matter."""
        if self.asking.step_back():
            self.follow()
            return True
        if not self.asking.step_aside(self.step_aside):
            return False
        self.action_bar.task = self.task
        self._changed()
        return True

    def _changed(self) -> None:
        """Update the display after the task has changed. A question whether to end takes the key of the advice."""
        if self.task.asked:
            self.advice.put_away()
        self.action_bar.rebuild()
        self.action_bar.mouse_motion(*self.mouse)
        self._show_sheet()
        self._show_board()

    def _show_board(self) -> None:
        changed = self._turns.changed if not self.busy else ()
        self.display.show(self.shown, self.task, self.advice.stops, changed, self.preview.tints)
        self.show_cursor()
        self.stage.mark = self.task.mark()
        self.stage.brief = any(tint is not HERE for tint in self.task.lit().values())
        self.stage.question = self._question()
        self._show_threat()
        self.teach()

    def _question(self) -> AwaitedDecision:
        """Return the decision that the battle waits for."""
        moment = self.asking.moment
        if moment is None:
            return AwaitedDecision()
        prompt = moment.prompt
        return AwaitedDecision(prompt.how if moment.mine else prompt.what, prompt.seat)

    def update(self, seconds: float) -> bool:
        """Advance by some seconds; return whether the display changed."""
        changed = self._rest(seconds)
        for pane in self.panes:
            pane.update(seconds)
        if self.menu.open:
            changed |= self.menu.ui.update(seconds)
        if self.match.view is not None:
            changed |= self._live(seconds)
        if self._uncounted:
            self._show_threat()
        return changed or self.stale

    @property
    def stale(self) -> bool:
        """Whether any part has a new picture to show."""
        return self.board.stale or any(pane.stale for pane in self.panes)

    def _rest(self, seconds: float) -> bool:
        """Count the seconds since the mouse moved; return whether a tooltip appears now."""
        rested, self.rested = self.rested, self.rested + seconds
        if rested == 0.0:
            self._tipped = ""
        return rested <= _TIP_DELAY < self.rested and not self.menu.open and bool(self.tip())

    def _live(self, seconds: float) -> bool:
        """Advance everything that moves on the board; return whether anything moved."""
        flying = self.motion.flying or self.board.glide.moving
        if not (flying or self.busy):
            self._pause = max(0.0, self._pause - seconds)
        if self.motion.update(seconds):
            self._show_board()
        if self.board.glide.update(seconds * max(1.0, self.callbacks.play_settings.speed)):
            self._turned_to()
        played = self._play(seconds)
        self._visit()
        if self.header.scene is not None:
            self._tell_time(self.header.scene)
        self.ballot.show(self.deciding.notice())
        self._hear_refusal()
        return flying or played

    def _visit(self) -> None:
        """Let the map glide to the battle that begins to be shown, and back after it."""
        beat = self.playback.beat
        space = beat.fight.space if beat is not None else NONE
        if space == self._visited or not self.callbacks.play_settings.moves:
            return
        self._visited = space
        if space == NONE:
            if self.board.glide.leave():
                self._turned_to()
        elif self.playback.busy:
            self.board.glide.approach(self.display.vicinity(space))

    def _turned_to(self) -> None:
        """Show the board as the map has turned to another view."""
        self.board.touch()
        self._show_board()
        self._place_stage()

    def _tell_time(self, scene: Scene) -> None:
        """Update the clocks."""
        self.header.show(scene, self.match.seconds_left(), self.match.paused)
        self.roster.tell_time(self.match.times())
        if self.match.replaced != self._replaced:
            self._replaced = self.match.replaced
            if self._replaced:
                self.callbacks.toast(
                    _("Your time was up: a bot plays for you. A click, or a key, and you are back."), "bad"
                )

    def _play(self, seconds: float) -> bool:
        """Advance the playback and the moments, and at their end tell the events; return whether the display
        changed."""
        busy, suspense, title = self.busy, self._suspense, self._title
        played = self.playback.update(seconds, self.table)
        played |= self.moments.update(seconds, held=self.playback.busy or self.board.glide.moving)
        if suspense and not self._suspense:
            self._show_board()
        if busy and not self.busy:
            self._tell()
        if busy and (not self.busy or title != self._title):
            self.follow()
        return played

    def _hear_refusal(self) -> None:
        refusal = self.match.refusal
        if refusal is not None:
            self.match.refusal = None
            self.callbacks.toast(language.told(refusal), "bad", refusal.rule)
            self.follow()

    def linger(self) -> None:
        """Show for a while what a bot did."""
        self._pause = 0.0 if self._ahead else self.callbacks.play_settings.bot_pause

    @property
    def lingers(self) -> bool:
        """Whether the player still looks at what a bot did; never while their own decision is awaited."""
        waits = not (self._ahead or self.match.is_mine or self.match.finished)
        return waits and self._pause > 0.0

    def go_ahead(self) -> bool:
        """Skip to the next decision of this seat; return False if it is owed already, or no decision can come."""
        if self.match.view is None or self.match.seat < 0 or self.match.finished or self._past:
            return False
        waits = not self.match.is_mine or self.busy or self.motion.flying
        self._pause = 0.0
        if waits:
            self._skip_ahead()
            if self._ahead:
                self.match.hasten()
        return waits

    def _skip_ahead(self) -> None:
        """Skip to the present position, and keep skipping while others decide."""
        self._ahead = not (self.match.is_mine or self.match.finished)
        self.hurry()

    def hurry(self) -> bool:
        """End all moves and playback, and the pause after what a bot did; return False if none of them was skipped but
        moves."""
        paused, self._pause = self.lingers, 0.0
        flew = self.motion.skip()
        skipped = self.moments.skip()
        if self.board.glide.arrive():
            self._turned_to()
        skipped |= self.playback.skip()
        if skipped:
            self._sounding.skip()
        if flew or skipped:
            self._tell()
            self.follow()
            self._show_board()
        return skipped or paused

    @property
    def moving(self) -> bool:
        """Whether pieces are flying over the board, or dice are falling."""
        playback = self.playback
        return self.motion.flying or playback.tumbling or playback.stirring or self.board.glide.moving

    def _queue(self) -> None:
        """Choose the parts to paint in this frame.

        While something moves, one part is painted in a frame, first the board, so that no frame takes long. Parts with
        controls come before parts to read. A sheet comes after a change of the board, and before a finer board.
        """
        busy = self.board.stale if self.moving else self.sheet is not None and self.board.changed
        self.board.patient = not self.moving and self.sheet is not None and self.sheet.stale
        sheet = () if self.sheet is None else (self.sheet,)
        for pane in (*sheet, self.bar, self.header, self.strip, self.roster, self.chronicle):
            # The bar does not wait when a battle begins: it would go on offering the attack that is made.
            waits = busy and not (pane is self.bar and self.playback.busy)
            pane.patient, pane.sparing = waits, self.moving or pane is self.sheet
            busy = self.moving and (busy or pane.stale)

    def draw(self) -> None:
        """Draw everything."""
        self._queue()
        self.display.draw()
        self._draw_cursor()
        self.stage.draw()
        below = self.sheet is None or self.match.is_mine  # A sheet with an own decision stays uncovered.
        if below:
            self.moments.draw(self.board.rect)
        if self._layout.news.width > 0:
            shapes.plate(self._layout.news, WOOD)
        for pane in self._fixed:
            pane.draw()
        if self.sheet is not None:
            self.sheet.draw()
        if not below:
            self.moments.draw(self.board.rect)
        draw_marks(self.marks())
        for plate in (self.preview, self.ballot, self.advice.plate, *self._hints):
            plate.draw()
        self._draw_help()
        self.menu.draw()
        if not self.menu.open and self.rested > _TIP_DELAY:
            self._draw_tip()

    def _draw_cursor(self) -> None:
        """Draw the keyboard's cursor on the board."""
        cursor, board = self.cursor, self.board
        if cursor.on and self.match.view is not None:
            at = board.camera.to_window(*board.geography.heart(cursor.space))
            with clipped(board.rect):
                cursor.draw(at, board.rect, self.guide.look.describe(self.shown, cursor.space, self._called))

    def _draw_help(self) -> None:
        """Draw the tooltip of the control that has the keyboard."""
        focus = self.reach.focus
        if focus is not None and focus.marked and focus.tip:
            at = focus.rect.left, focus.rect.bottom
            draw_tooltip(focus.tip, at, focus.rect, self._untipped(self.reach.pane))

    def _draw_tip(self) -> None:
        words = self.tip()
        self._tipped = self._tipped or words
        if words.partition("\n")[0] != self._tipped.partition("\n")[0]:
            self.end_tip()  # Something else came under the pointer by itself.
        elif words:
            self._draw_words(words)

    def _draw_words(self, words: str) -> None:
        """Draw the words about the thing under the mouse."""
        forces = self.mustered()
        over, space = self._pane_at(*self.mouse), self._beheld()
        widget = over.ui.at(*self.mouse) if over is not None else None
        spoken = widget.rect if widget is not None else self.display.extent(space) if space != NONE else self.stage.rect
        avoid = self._untipped(over)
        if forces:
            each = self.guide.look.leaders
            draw_province_list(words, forces, self._called, each, self.mouse, spoken, avoid)
        else:
            draw_tooltip(words, self.mouse, spoken, avoid)

    def end_tip(self) -> None:
        """Hide the tooltip until the mouse moves."""
        self.rested = -inf

    def _untipped(self, over: Pane | None) -> list[Rect]:
        """Return what a tooltip should not cover: all parts over and beside the board, and of a sheet the controls.
        `over`: the part that the tooltip is about."""
        rects = [pane.rect for pane in self.panes if pane is not self.sheet and pane.holds(*pane.rect.center)]
        if self.sheet is not None:
            controls = [widget.rect for widget in self.sheet.ui.widgets if widget.focusable]
            rects += controls if over is self.sheet else [self.sheet.seen]
        return [*rects, *([self.stage.rect] if self.stage.holds(*self.stage.rect.center) else [])]

    @property
    def _unplayed(self) -> Rect:
        """The area of the chronicle's lines, or of the part that replaces them."""
        news, edge = self._layout.news, theme.px(12)
        if news.width > 0:
            return arcade.LRBT(news.left + edge, news.right - edge, news.bottom + edge, news.top)
        return self.roster.inside if self.chronicle.is_hidden else self.chronicle.inside

    def notices_at(self) -> Rect:
        """Return the area for short notices: over the chronicle, or over the players if they have more room. Elsewhere
        a notice could cover controls."""
        spots = [pane.inside for pane in (self.chronicle, self.roster) if not pane.is_hidden]
        if not spots:
            return self.board.rect
        room = max(spots, key=lambda rect: min(rect.height, theme.px(_NOTICE)))
        more = theme.px(20)
        return arcade.LRBT(room.left - more, room.right + more, room.bottom + theme.px(4), room.top)

    def under(self, x: float, y: float) -> tuple[Token | None, Space]:
        """Return the piece and the space under a point of the window, see `Display.under`."""
        return self.display.under(x, y)

    def _pane_at(self, x: float, y: float) -> Pane | None:
        """Return the uppermost part at a point of the window, None on the board."""
        return next((pane for pane in self.panes if pane.holds(x, y)), None)

    def mustered(self) -> list[Force]:
        """Return all forces in the province under the mouse, if they are drawn as plates and need a full list."""
        space = self._beheld()
        forces = self.guide.look.forces(self.shown, space) if 0 <= space < BOARD.provinces else []
        return forces if self.display.plated(space) else []

    def _beheld(self) -> Space:
        """Return the space of the board under the mouse, if nothing lies over it."""
        x, y = self.mouse
        free = self.match.view is not None and self.board.camera.holds(x, y) and not self.stage.holds(x, y)
        return self.under(x, y)[1] if free and self._pane_at(x, y) is None else NONE

    def _called(self, seat: Seat) -> str:
        return called(seat, self.match.seat, self.match.name)

    def tip(self) -> str:
        """Return the words about the thing under the mouse."""
        x, y = self.mouse
        pane = self._pane_at(x, y)
        if pane is not None:
            return pane.tip(x, y)
        if words := self.stage.tip(x, y):
            return words
        space = self._beheld()
        return self.guide.look.describe(self.shown, space, self._called) if space != NONE else ""

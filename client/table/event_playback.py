"""Playback of a match's events at the table: flights of pieces, battles, moments and sounds."""

from collections.abc import Sequence
from typing import Generic, Protocol

from msgspec import Struct

from client.network.model import VersionedEvent
from client.network.table_events import TableEvent, WentBack
from client.sound.sounds import Sound
from client.table.battle_playback import BattlePlayback
from client.table.chronicle import EventFeed, TableSounds
from client.table.display import Display
from client.table.event_text import whose
from client.table.guide import Guide
from client.table.match import TableCallbacks, TableMatch
from client.table.moments import Moments
from client.table.position import T
from client.table.scene import Scene, gather, hushed
from shared.ids import NONE, Space
from shared.kernel.frames import Event
from shared.vocabulary.events import BattleBegan


class ShownEvent(Struct, frozen=True):
    """Event that has been shown: the version that it led to, and its line, "" without one."""

    version: int
    event: Event
    line: str


class PlaybackObserver(Protocol):
    """Reactions of the table to its playback."""

    def went_back(self, back: WentBack, line: str) -> None:
        """React to the return of an earlier position; `line`: the words about it."""

    def decided(self, line: str) -> None:
        """Note the line about a decision of this seat."""

    def pass_on(self, events: Sequence[ShownEvent]) -> None:
        """React to events whose outcome the player has seen by now."""

    def follow(self) -> None:
        """Show the position in all panes."""

    def show_board(self) -> None:
        """Show the position on the board."""

    def show_view(self) -> None:
        """Show the board in another view."""


class EventPlayback(Generic[T]):
    """Playback of the events of one match, at the player's pace. Until it has shown an outcome, it holds back the
    position that would tell it."""

    def __init__(
        self, match: TableMatch[T], guide: Guide[T], callbacks: TableCallbacks, display: Display[T],
        feed: EventFeed[T], observer: PlaybackObserver, *, past: bool,
    ) -> None:  # fmt: skip
        """`past`: the match is only a replay, which has no decision to skip to."""
        self._match = match
        self._guide = guide
        self._play_settings = callbacks.play_settings
        self._display = display
        self._motion, self._glide = display.motion, display.board.glide
        self._feed = feed
        self._observer = observer
        self._past = past
        self.battles = BattlePlayback(match.seat, guide.battle_scene, callbacks.sound, callbacks.play_settings)
        self.moments = Moments(callbacks.play_settings, callbacks.sound)
        self._sounds = TableSounds(guide, callbacks.sound)
        self.ahead = False
        """Whether everything is skipped until this seat owes a decision."""
        self._pause = 0.0
        """Seconds for which something that a bot did is still shown."""
        self._before = match.view
        """Position before the next events."""
        self._heard = -1
        """Version of the events that were heard last."""
        self._held: T | None = None
        """Position that the board shows during a battle or moment until its outcome is told."""
        self._unfought: T | None = None
        """Position before the battle or moment that is shown now."""
        self._calm: Scene | None = None
        """Scene before the battle or moment that is shown now. The panes keep it, so that they do not reveal the
        outcome."""
        self._unheard: list[ShownEvent] = []
        """Events that the observer hears of once they have been shown."""
        self._visited: Space = NONE
        """The space of the battle to which the map has glided."""

    @property
    def begun(self) -> bool:
        """Whether a position has come."""
        return self._before is not None

    @property
    def latest_position(self) -> T:
        """The position of the match, perhaps ahead of what the player has seen."""
        view = self._match.view
        assert view is not None, "nothing is asked before the position has come"
        return view

    @property
    def position(self) -> T:
        """The position without the outcome of a battle or moment that is still shown. All words and numbers come from
        it."""
        return self._unfought if self.busy and self._unfought is not None else self.latest_position

    @property
    def board_position(self) -> T:
        """The position on the board. During a battle it may already have the forces that came for it."""
        return self._held if self.suspense and self._held is not None else self.latest_position

    @property
    def busy(self) -> bool:
        """Whether a battle, or a moment that tells an outcome, remains to be shown."""
        return self.battles.busy or self.moments.holding

    @property
    def suspense(self) -> bool:
        """Whether the board must not show the outcome yet."""
        return self.battles.suspense or self.moments.holding

    @property
    def title(self) -> str:
        """Title of the moment that is shown or comes next, "" while a battle is shown."""
        return "" if self.battles.busy else self.moments.title

    @property
    def moving(self) -> bool:
        """Whether pieces are flying over the board, or dice are falling."""
        return self._motion.flying or self.battles.tumbling or self.battles.stirring or self._glide.moving

    def scene(self) -> Scene:
        """Return the scene for the panes; while a battle is shown, the one before it."""
        scene = gather(self._match, self.position, self._guide)
        if self.busy:
            return hushed(self._calm or scene, self.title)
        self._calm = scene
        return scene

    # New events

    def change_seat(self) -> None:
        """Show the present position to another seat. It saw earlier ones otherwise, so none can be held back."""
        self._before = self.latest_position
        self.hurry()

    def hear(self, news: Sequence[VersionedEvent], *, missed: bool = False) -> bool:
        """Begin to play new events; return whether the position changed. `missed`: nothing of them is played, because
        the table was not in sight."""
        missed = missed or self.ahead
        sounds = [None] * len(news) if missed else self._sounds.of(news, self._before, self._match.seat)
        self.battles.seat = self._match.seat
        changed = self._hear([one.event for one in news], sounds, missed=missed)
        self._before = self.latest_position
        return changed

    def leap(self, story: Sequence[Event]) -> None:
        """Jump to another moment of the match, without showing or playing anything between. `story`: the events before
        it."""
        self._motion.skip()
        self.battles.forget()
        self.moments.skip()
        self._sounds.forget()
        self._before, self._held, self._calm, self._unfought = self.latest_position, None, None, None
        self._unheard.clear()
        self._feed.anew(story, self._match.name, self._match.seat)
        self._heard = -1
        self._hear((), (), missed=False)

    def _hear(self, events: Sequence[Event], sounds: Sequence[Sound | None], *, missed: bool) -> bool:
        # The last one: what was taken back before it is not played any more.
        last = max((i for i, event in enumerate(events) if isinstance(event, WentBack)), default=NONE)
        if last != NONE:
            self._go_back(events[: last + 1])
            events, sounds = events[last + 1 :], sounds[last + 1 :]
        match, busy = self._match, self.busy
        lines = self._feed.hear(events, match.name, match.seat)
        played = [one for one in zip(events, lines, sounds, strict=True) if not isinstance(one[0], TableEvent)]
        own = [line for event, line, _sound in played if line and whose(event) == match.seat >= 0]
        if own:
            self._observer.decided(own[0])  # Later lines are what follows from the decision.
        self._unheard += [ShownEvent(match.version, event, line) for event, line, _sound in played]
        if not busy:  # Pieces that move while a battle is shown would tell how it ended.
            for event, _line, _sound in played:
                self._motion.hear(event, self._before)
        sounds = [None if not missed and self._queue_moment(*one) else one[2] for one in played]
        if not played and match.version == self._heard:
            return False
        self._heard = match.version
        events, lines = [one[0] for one in played], [one[1] for one in played]
        rest = self.battles.hear(self._before, self.latest_position, events, lines, sounds)
        if self.busy and not busy:
            self._unfought = self._before
            self._hold(events)
        self._sounds.hear(rest, busy=self.busy, flying=self._motion.flying)
        return True

    def _queue_moment(self, event: Event, line: str, sound: Sound | None) -> bool:
        """Queue the moment of an event, if it has one; return whether the moment plays the event's sound."""
        moment = self._guide.moment(event, self._before)
        return moment is not None and self.moments.hear(moment, line, sound)

    def _go_back(self, events: Sequence[Event]) -> None:
        """Show an earlier position that came back. Nothing moves there, and waiting steps are dropped, as they were
        undone."""
        lines = self._feed.hear(events, self._match.name, self._match.seat)
        back = events[-1]
        if isinstance(back, WentBack):
            self._observer.went_back(back, lines[-1])
        self._motion.skip()
        self.battles.forget()
        self.moments.skip()
        self._sounds.skip()
        self._before = self._held = self._calm = self._unfought = None

    def _hold(self, events: Sequence[Event]) -> None:
        """Keep the position before a battle on the board until the battle has been shown. At the beginning of a battle
        the board already shows the forces that have come for it."""
        read = self._guide.battle_scene.read
        fresh = self._before is not None and read(self._before) is None
        began = any(isinstance(event, BattleBegan) for event in events)
        # The battle goes on: the position already shows what led to it, such as a march, and tells no outcome.
        if fresh and began and read(self.latest_position) is not None:
            self._held = self.latest_position
        else:
            self._held = self._before
            self._motion.skip()

    def tell(self) -> None:
        """Tell the events in words and sounds, once they have been shown."""
        if not self.busy:
            self._feed.tell()
            self._sounds.seen()
            # Emptied first: the observer's reaction may tell more events.
            unheard, self._unheard = self._unheard, []
            self._observer.pass_on(unheard)

    # Time

    def update(self, seconds: float) -> bool:
        """Advance everything that moves on the board; return whether anything moved."""
        flying = self._motion.flying or self._glide.moving
        if not (flying or self.busy):
            self._pause = max(0.0, self._pause - seconds)
        if self._motion.update(seconds):
            self._observer.show_board()
        # At least at its own speed: with animations off a move of the map would never end.
        if self._glide.update(seconds * max(1.0, self._play_settings.speed)):
            self._observer.show_view()
        played = self._play(seconds)
        self._visit()
        return flying or played

    def _play(self, seconds: float) -> bool:
        """Advance the battles and the moments, and at their end tell the events; return whether the display changed."""
        busy, suspense, title = self.busy, self.suspense, self.title
        played = self.battles.update(seconds, self.latest_position)
        played |= self.moments.update(seconds, held=self.battles.busy or self._glide.moving)
        if suspense and not self.suspense:
            self._observer.show_board()
        if busy and not self.busy:
            self.tell()
        if busy and (not self.busy or title != self.title):
            self._observer.follow()
        return played

    def _visit(self) -> None:
        """Let the map glide to the battle that begins to be shown, and back after it."""
        step = self.battles.beat
        space = step.fight.space if step is not None else NONE
        if space == self._visited or not self._play_settings.moves:
            return
        self._visited = space
        if space == NONE:
            if self._glide.leave():
                self._observer.show_view()
        elif self.battles.busy:
            self._glide.approach(self._display.vicinity(space))

    # Pace

    def linger(self) -> None:
        """Show for a while what a bot did."""
        self._pause = 0.0 if self.ahead else self._play_settings.bot_pause

    @property
    def lingers(self) -> bool:
        """Whether the player still looks at what a bot did; never while their own decision is awaited."""
        waits = not (self.ahead or self._match.is_mine or self._match.finished)
        return waits and self._pause > 0.0

    def go_ahead(self) -> bool:
        """Skip to the next decision of this seat; return False if it is owed already, or no decision can come."""
        match = self._match
        if match.view is None or match.seat < 0 or match.finished or self._past:
            return False
        waits = not match.is_mine or self.busy or self._motion.flying
        self._pause = 0.0
        if waits:
            self.skip_ahead()
            if self.ahead:
                match.hasten()
        return waits

    def skip_ahead(self) -> None:
        """Skip to the present position, and keep skipping while others decide."""
        self.ahead = not (self._match.is_mine or self._match.finished)
        self.hurry()

    def hurry(self) -> bool:
        """End all moves and playback, and the pause after what a bot did; return False if none of them was skipped but
        moves."""
        paused, self._pause = self.lingers, 0.0
        flew = self._motion.skip()
        skipped = self.moments.skip()
        if self._glide.arrive():
            self._observer.show_view()
        skipped |= self.battles.skip()
        if skipped:
            self._sounds.skip()
        if flew or skipped:
            self.tell()
            self._observer.follow()
            self._observer.show_board()
        return skipped or paused

"""Battles at a human pace: every change of a battle becomes a beat, shown one after the other. Knows no window."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal, Protocol, TypeAlias

from arcade.types import Rect
from msgspec import Struct
from msgspec.structs import replace

from client.games.conquest.position import Table
from shared.ids import NONE, Leader, Seat, Space
from shared.kernel.frames import Event
from shared.vocabulary import events as e

TUMBLE: Final = 0.85
"""Seconds until the dice lie still."""
_DICE: Final = 1.7
_OPENING: Final = 0.8
_LOSSES: Final = 0.7
_ENDING: Final = 2.2
_LOOKING_ON: Final = 1.5
"""How much faster battles go in which one takes no part."""
_PASSING: Final = 3.3
"""The same for what is neither dice nor the end."""
_MOST: Final = 24
"""Beats that wait at most; older ones are not shown any more."""
_MANY: Final = 12
_MANY_OF_OTHERS: Final = 8
"""With so many beats waiting they are hurried; in battles in which one takes no part, with fewer."""
_HURRY: Final = 3.0
"""How much faster they go then."""

Target: TypeAlias = tuple[int, int]
"""What can be fired at: a kind of unit and a galley."""
Spot: TypeAlias = tuple[Rect, Target]


class Side(Protocol):
    """One side of a battle, in any game."""

    @property
    def seat(self) -> Seat:
        """Whose it is."""

    @property
    def leaders(self) -> tuple[Leader, ...]:
        """Its leaders."""

    @property
    def owners(self) -> Sequence[Seat]:
        """Whose units fight on it."""


class Fight(Protocol):
    """A battle as it stands, in any game."""

    @property
    def space(self) -> Space:
        """Where it is fought."""

    @property
    def round(self) -> int:
        """The round of battle."""

    @property
    def attacker(self) -> Side:
        """Who came."""

    @property
    def defender(self) -> Side:
        """Who was there."""


class Roll(Struct, frozen=True):
    """Dice that fell, as names of pictures. `die`: all faces of such a die. `scoring`: for each, whether it hit.
    `words`: what came of it."""

    seat: Seat
    faces: tuple[str, ...]
    scoring: tuple[bool, ...]
    hits: int
    die: tuple[str, ...]
    words: str


class Beat(Struct, frozen=True):
    """One step of the show. `roll`: dice that fall now; `lying`: those that fell before in this round."""

    fight: Any
    seconds: float
    roll: Roll | None = None
    verdict: str = ""
    winner: Seat = NONE
    lying: tuple[Roll, ...] = ()


Cue = Literal["began", "dice", "ended", "line", ""]
"""How an event of a battle is shown: a battle opens, dice fall, a battle ends, words for its verdict, or otherwise."""


def cue(event: Event) -> Cue:
    """The cue of an event that several games know."""
    match event:
        case e.BattleBegan():
            return "began"
        case e.DiceFell():
            return "dice"
        case e.BattleEnded():
            return "ended"
        case e.Captured() | e.Retreated() | e.Conquered() | e.Eliminated():
            return "line"
        case _:
            return ""


class Drama(Struct, frozen=True):
    """How battles of one game are seen.

    `cue`: how an event is shown. `read`: the battle that is going on in a position, or None. `roll`: dice that fell
    in it. `after`: the battle after an event that is not shown by itself. `pause`: seconds for which an event of
    this game is shown with its words. `changed`: whether units fell between two states. `title`: its name. `body`:
    draws one side into an area below its name and says what can be clicked there; `height`: what that takes, in
    design pixels. `strangers`: names of those who fight and belong to no player.
    """

    cue: Callable[[Event], Cue]
    read: Callable[[Any], Any]
    roll: Callable[[Any, Any], Roll]
    after: Callable[[Any, Event], Any]
    pause: Callable[[Event], float]
    changed: Callable[[Any, Any], bool]
    title: Callable[[Any], str]
    body: Callable[[Rect, Any, Beat], list[Spot]]
    height: Callable[[Beat], float]
    strangers: Mapping[Seat, str] = {}


class Theatre:
    """See the module's docstring. `hear` once per version; `beat` is what to show now."""

    def __init__(self, seat: Seat, drama: Drama) -> None:
        self.seat = seat
        self.drama = drama
        self.beat: Beat | None = None
        self.age = 0.0
        """Seconds of the beat that are over; they pass faster where it is hurried."""
        self._waiting: deque[Beat] = deque()
        self._lying: tuple[Roll, ...] = ()
        """The dice of the present round, as far as they were seen to fall."""

    def hear(self, before: Table | None, after: Table, events: Sequence[Event], words: Sequence[str]) -> None:
        """A version came. `words`: the events' lines, for verdicts."""
        drama = self.drama
        old, new = drama.read(before) if before is not None else None, drama.read(after)
        fight = new or old
        if fight is None:
            return
        shown = old or fight
        told = fell = False
        verdicts: list[str] = []
        winner = NONE
        for event, line in zip(events, words, strict=True):
            match drama.cue(event):
                case "began":
                    if told:
                        self._end(shown, verdicts, winner)
                    verdicts, told, shown, self._lying = [], False, fight, ()
                    self._queue(Beat(fight, _OPENING, verdict=line))
                case "dice":
                    fell = True
                    self._cast(shown, drama.roll(event, shown))
                case "ended":
                    told, winner = True, getattr(event, "winner", NONE)
                    verdicts.append(line)
                case "line":
                    verdicts.append(line)
                case _:
                    shown = drama.after(shown, event)
                    pause = drama.pause(event)
                    if pause:
                        self._queue(Beat(shown, pause, verdict=line))
        if told:
            self._end(shown if new is None else fight, verdicts, winner)
        elif new is not None:
            if old is not None and drama.changed(old, new):
                self._queue(Beat(replace(new, round=old.round), _LOSSES))
            if old is not None and old.round != new.round and not fell:
                self._lying = ()
            self._queue(Beat(new, 0.0))

    def _cast(self, fight: Any, roll: Roll) -> None:
        """Dice fall; whoever rolls again does so in a new round, or in pursuit."""
        if any(lying.seat == roll.seat for lying in self._lying):
            self._lying = ()
        self._queue(Beat(fight, _DICE, roll))
        self._lying += (roll,)

    def _end(self, fight: Any, verdicts: Sequence[str], winner: Seat) -> None:
        self._queue(Beat(fight, _ENDING, verdict=" ".join(verdicts[:3]), winner=winner))

    def _queue(self, beat: Beat) -> None:
        """A beat without a length is seen only where nothing follows it."""
        if self._waiting and not self._waiting[-1].seconds:
            self._waiting.pop()
        self._waiting.append(replace(beat, lying=self._lying))
        while len(self._waiting) > _MOST:
            self._waiting.popleft()
        if self.beat is None:
            self._next()

    @property
    def busy(self) -> bool:
        """Whether something is still to be seen before the battle stands as it is now."""
        return bool(self._waiting) or (self.beat is not None and self.age < self.beat.seconds)

    def _pace(self, beat: Beat) -> float:
        """How fast time passes for it."""
        sides = (beat.fight.attacker, beat.fight.defender)
        if any(self.seat in (side.seat, *side.owners) for side in sides):
            pace, many = 1.0, _MANY
        else:
            telling = beat.seconds in (_DICE, _ENDING)
            pace, many = _LOOKING_ON if telling else _PASSING, _MANY_OF_OTHERS
        return pace * (_HURRY if len(self._waiting) >= many else 1.0)

    def _next(self) -> None:
        self.beat = self._waiting.popleft()
        self.age = 0.0

    def update(self, seconds: float, current: Table) -> None:
        """Time passes."""
        if self.beat is None:
            return
        self.age += seconds * self._pace(self.beat)
        if self.age < self.beat.seconds:
            return
        if self._waiting:
            self._next()
        elif self.drama.read(current) is None:
            self.beat = None

    def skip(self) -> bool:
        """Show how it stands now; False where nothing was left to show."""
        if not self.busy:
            return False
        if self._waiting:
            self.beat = self._waiting[-1]
            self._waiting.clear()
        if self.beat is not None:
            self.age = self.beat.seconds
        return True

"""One game as the table needs it: a value for each rule set, made in its own package. The table asks it, and nothing
else, for what only that game knows. `T`: the positions of the game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum, auto
from typing import Any, Generic

from msgspec import Struct

from client.drawing.scrolling import Chapter
from client.replay.subject import Subject
from client.sound.sounds import Sound
from client.table.battle_playback import BattleScene
from client.table.desk import Desk
from client.table.geography import Geography
from client.table.ground import Tint
from client.table.hints import Hint
from client.table.layer import Layer
from client.table.lesson import Lesson
from client.table.motion import Leap
from client.table.piece_placement import PiecePlacement
from client.table.pieces import Force
from client.table.position import T
from client.table.prompts import Prompt
from client.table.sheet import AnySheet
from client.table.status_strip import StatusStrip
from client.table.task import AnyTask
from client.table.words import Who
from shared.ids import Position, Seat, Space
from shared.kernel.frames import Action, Event, Frame


class Heading(Struct, frozen=True):
    """The strip above the board: words such as ``"Round 3"``, whose turn it is (or NONE), the phases of a turn, and
    which of them it is (or -1)."""

    words: str
    active: Seat
    phases: tuple[str, ...]
    on: int


class Person(Struct, frozen=True):
    """A player's line in the list of players. `about`: a few words below the name. `numbers`: by column. `badges`:
    pictures at its end. `out`: whether he plays no more. `tip`: more, for the tablet beside the mouse."""

    about: str
    numbers: tuple[int, ...]
    badges: tuple[str, ...]
    out: bool
    tip: str


class Look(Struct, Generic[T], frozen=True):
    """How a position of the game is shown.

    `board`: the file with the painted board. `columns`: names of a person's numbers. `strip`: what lies below the
    board. `sheets`: what lies over it. `layers`: what is drawn on the ground, below the pieces. `arrange`: all pieces;
    `forces`: those in a province, by whom; `leaders`: of a colour. `tints`: colours of the spaces. `describe`: a space
    in words. `leaps`: what an event moves, from the position before it. `loud`: events that are turning points.
    """

    board: str
    heading: Callable[[T], Heading]
    columns: tuple[str, ...]
    person: Callable[[T, Seat, Who], Person]
    strip: Callable[[Sequence[AnySheet], Callable[[AnySheet], object]], StatusStrip[T]]
    sheets: tuple[Callable[[Desk[T]], AnySheet], ...]
    layers: tuple[Callable[[Geography], Layer[T]], ...]
    arrange: Callable[[T, Geography], list[PiecePlacement]]
    forces: Callable[[T, Space], list[Force]]
    leaders: int
    tints: Callable[[T], dict[Space, Tint]]
    describe: Callable[[T, Space, Who], str]
    leaps: Callable[[Event, T | None, Geography], Sequence[Leap]]
    loud: tuple[type[Event], ...]


class Aside(Struct, Generic[T], frozen=True):
    """What may be dealt with at any time, beside what is owed, by a button in the corner of the board.

    `caption`: the words of the button for a seat (none: there is nothing), and whether somebody waits. `tip`: what it
    is good for. `open`: the task, with what closes it. `news`: whether an event is to be said to a seat at once.
    """

    caption: Callable[[T, Seat], tuple[str, bool]]
    tip: str
    open: Callable[[Desk[T], Callable[[], object]], AnyTask]
    news: Callable[[Event, Seat], bool]


class Spirit(Enum):
    """How much an action brings to a picture of a game that nobody plays."""

    QUIET = auto()
    LOW = auto()
    HIGH = auto()


def high_spirit(_action: Action) -> Spirit:
    """Of a game whose actions all bring something."""
    return Spirit.HIGH


class Guide(Struct, Generic[T], frozen=True):
    """See the module's docstring. `name`: what it is called in passing. `living`: who is still in the match. `winners`:
    who has won, once somebody has. `prompt`, `task`: what is asked at a frame that a player owes, else None. `tell`: a
    sentence for an event, empty for those that need none. `aside`, `spirit`: see there. `pages`: the rules in short.
    `stops`: the positions at which an action takes place, where it begins first.
    `lesson`: what a coach says in a first game; `hints`: what is said in the first one without him, the rarest moments
    before the others. `sounds`: of every event, None for those that are silent; `peril`: whether an event, at the
    position until then, is an attack on the Caesar of a seat.
    """

    name: str
    look: Look[T]
    living: Callable[[T], list[Seat]]
    winners: Callable[[T], Sequence[Seat]]
    prompt: Callable[[T, Frame, Who], Prompt | None]
    task: Callable[[Desk[T], Frame], AnyTask | None]
    tell: Callable[[Event, Who], str]
    battle_scene: BattleScene[T, Any]
    aside: Aside[T] | None
    pages: tuple[tuple[str, tuple[Chapter, ...]], ...]
    stops: Callable[[T, Action], Sequence[Position]]
    sounds: Mapping[type[Event], Sound | None]
    peril: Callable[[Event, T, Seat], bool]
    film: Subject[T]
    spirit: Callable[[Action], Spirit] = high_spirit
    lesson: Lesson[T] | None = None
    hints: tuple[Hint[T], ...] = ()

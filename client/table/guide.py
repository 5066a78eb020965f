"""Interface between the table and one game: a value for each rule set, made in its own package. Only through it does
the table learn what is particular to a game. `T`: the positions of the game."""

from collections.abc import Callable, Mapping, Sequence
from enum import Enum, auto
from typing import Any, Generic, Protocol

from msgspec import Struct

from client.drawing.chapters import Chapter
from client.language import Who
from client.replay.game_replay import GameReplay
from client.sound.sounds import Sound
from client.table.army_reach import ArmyReach, Landing, no_landings, nowhere
from client.table.battle_playback import BattleScene
from client.table.desk import Desk
from client.table.geography import Geography
from client.table.ground import Tint
from client.table.hints import Hint
from client.table.moments import TitledEvent
from client.table.motion import Leap
from client.table.piece_placement import PiecePlacement
from client.table.pieces import Force
from client.table.position import T, T_contra
from client.table.sheet import AnySheet
from client.table.status_strip import StatusStrip
from client.table.task import AnyTask
from shared.ids import Position, Seat, Space
from shared.kernel.frames import Action, Event, Frame
from shared.language.sentence import Prompt, Sentence
from shared.lessons.lesson import Draft, Glance, no_draft


class Layer(Protocol[T_contra]):
    """Layer in world coordinates that is rebuilt only when the position requires it."""

    def show(self, table: T_contra) -> None:
        """Show this position."""

    def draw(self) -> None:
        """Draw it; the projection is already the world's."""


class Heading(Struct, frozen=True):
    """Content of the header above the board.

    `words`: such as ``"Round 3"``. `active`: the seat whose turn it is, or NONE. `phases`: those of a turn. `on`: index
    of the present phase, or -1.
    """

    words: str
    active: Seat
    phases: tuple[str, ...]
    on: int


class Person(Struct, frozen=True):
    """A player's line in the list of players.

    `about`: a few words below the name. `numbers`: by column. `badges`: pictures at its end. `out`: whether the player
    is out. `tip`: more words, for the tooltip.
    """

    about: str
    numbers: tuple[int, ...]
    badges: tuple[str, ...]
    out: bool
    tip: str


class Look(Struct, Generic[T], frozen=True):
    """Display of a position of the game.

    `board`: the file with the painted board. `columns`: names of a player's numbers. `strip`: the status strip below
    the board. `sheets`: those that can lie over it. `layers`: drawings on the ground, below the pieces. `arrange`: all
    pieces; `forces`: those in a province, by seat; `leaders`: number per colour. `tints`: colours of the spaces.
    `describe`: a space in words. `leaps`: moves of pieces by an event, from the position before it. `loud`: events that
    are turning points.
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
    """Matters that can be dealt with at any time, beside the decision owed, by a button in the corner of the board.

    `caption`: the words of the button for a seat ("" hides it), and whether another player waits. `tip`: its purpose.
    `open`: makes the task, given the function that closes it. `news`: whether an event is to be told to a seat at once.
    """

    caption: Callable[[T, Seat], tuple[str, bool]]
    tip: str
    open: Callable[[Desk[T], Callable[[], object]], AnyTask]
    news: Callable[[Event, Seat], bool]


class Spirit(Enum):
    """Amount that an action adds to a picture of a match without players."""

    QUIET = auto()
    LOW = auto()
    HIGH = auto()


def high_spirit(_action: Action) -> Spirit:
    """Return HIGH, for a game in which every action adds something."""
    return Spirit.HIGH


class Guide(Struct, Generic[T], frozen=True):
    """Interface of one game.

    `name`: its short name. `living`: seats still in the match. `prompt`: the decision owed; `task`: for a frame that a
    player owes, else None. `tell`: a sentence for an event, None for
    those that need none. `aside`, `spirit`: see there. `pages`: the rules in short. `stops`: the positions of an
    action, its start first. `drafts`: whether the player has put a draft together. `hints`: those in a first game
    without a coach, the rarest moments first. `sounds`: of every event, None for silent ones. `peril`: whether an
    event attacks the Caesar of a seat, given the position before it. `moment`: that of an event, given the position
    before it. `reach`: that of an army of a seat in a province, in its next turn. `landings`: armies of a seat that
    can land in a province then; `marches`: largest number of armies that can go to one province in a turn.
    """

    name: str
    look: Look[T]
    living: Callable[[T], list[Seat]]
    prompt: Callable[[T], Prompt]
    task: Callable[[Desk[T], Frame], AnyTask | None]
    tell: Callable[[Event], Sentence | None]
    battle_scene: BattleScene[T, Any]
    aside: Aside[T] | None
    pages: tuple[tuple[str, tuple[Chapter, ...]], ...]
    stops: Callable[[T, Action], Sequence[Position]]
    sounds: Mapping[type[Event], Sound | None]
    peril: Callable[[Event, T, Seat], bool]
    film: GameReplay[T]
    spirit: Callable[[Action], Spirit] = high_spirit
    drafts: Callable[[Glance[Any], Draft], bool] = no_draft
    hints: tuple[Hint[T], ...] = ()
    moment: Callable[[Event, T | None], TitledEvent | None] = lambda _event, _before: None
    reach: Callable[[T, Seat, Space], ArmyReach] = nowhere
    landings: Callable[[T, Seat, Space], list[Landing]] = no_landings
    marches: int = 99

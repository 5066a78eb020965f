"""One game as the table needs it: a value for each rule set, made in its own package and chosen by `registry`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct

from client.games.conquest.position import Table
from client.games.conquest.tale import sentence
from shared.ids import Army, Leader, Position, Seat, Space
from shared.kernel.frames import Action, Event, Frame
from shared.mechanics.marching import Ready

if TYPE_CHECKING:
    from client.drawing.scrolling import Chapter
    from client.table.geography import Geography
    from client.table.ground import Tint
    from client.table.match import Desk
    from client.table.motion import Leap
    from client.table.pieces import Token
    from client.table.prompts import Prompt
    from client.table.sheet import Sheet
    from client.table.strip import Strip
    from client.table.task import Task
    from client.table.theatre import Drama

Who: TypeAlias = Callable[[Seat], str]
Cell: TypeAlias = tuple[int, ...]
Drop: TypeAlias = tuple[int, int, int, int]


class Good(Struct, frozen=True):
    """Something for sale: its field in the order, its picture (with a gap for the seat), name and basic price."""

    field: str
    picture: str
    name: str
    price: int


class Marching(Struct, frozen=True):
    """What moves, and how. The first argument of every function is a position of that game.

    `ready`: units in a province that can still march. `road_trip`: cities reached by road. `boardable`, `can_board`:
    what may go aboard a galley. `clash`: whether entering a space leads to a fight. `march`: the action; `stops`:
    whether it may leave units in cities on its way. `points`: steps of leaders and galleys; `legion`: units for
    each leader. `cites`: rules for a leader who has moved, units without a leader, a galley.
    """

    steps: Callable[[Any], Sequence[Sequence[Space]]]
    ready: Callable[[Any, Seat, Space], Ready]
    road_trip: Callable[[Any, Seat, Space], set[Space]]
    can_march: Callable[[Any, Leader], bool]
    boardable: Callable[[Any, Seat, int, Space], Army]
    can_board: Callable[[Any, Seat, int, Leader], bool]
    clash: Callable[[Any, Seat, Space], bool]
    march: type[Any]
    stops: bool
    points: int
    legion: int
    cites: tuple[str, str, str]

    def order(
        self, source: Space, to: Space, leaders: tuple[Leader, ...], units: Army, tired: int, drops: tuple[Drop, ...]
    ) -> Action:
        """A march as an action."""
        action: Action = self.march(source, to, leaders, *units, tired, *((drops,) if self.stops else ()))
        return action


class Market(Struct, frozen=True):
    """What is for sale, and where it may stand. `stock`: what a seat could buy of each good. `left`: galleys, cities,
    walls and roads that a placement still has; `bargains`: whether it may offer bargains. `warning`: what razing a
    city costs."""

    goods: tuple[Good, ...]
    buy: type[Any]
    stock: Callable[[Any, Seat], tuple[int, ...]]
    own_cities: Callable[[Any, Seat], list[Space]]
    yards: Callable[[Any, Seat], list[Position]]
    city_sites: Callable[[Any, Seat], list[Space]]
    wall_sites: Callable[[Any, Seat], list[Space]]
    road_sites: Callable[[Any, Seat], list[tuple[Space, Space]]]
    left: Callable[[Any, Any], tuple[int, int, int, int]]
    bargains: Callable[[Any, Any], bool]
    homes: Callable[[Any], list[Space]]


class Council(Struct, frozen=True):
    """Captives dealt with at any time. `caption`: the words of the button for a seat, and whether somebody waits;
    `open`: the task, with what closes it."""

    caption: Callable[[Any, Seat], tuple[str, bool]]
    open: Callable[[Desk, Callable[[], object]], Task]


class Realm(Struct, frozen=True):
    """What only games of conquest have."""

    marching: Marching
    market: Market


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


class Look(Struct, frozen=True):
    """How a position of the game is shown.

    `board`: the file with the painted board. `columns`: names of a person's numbers. `strip`: what lies below the
    board. `sheets`: what lies over it. `arrange`: all pieces. `roads`: edges of the board with a road. `tints`: colours
    of the spaces. `describe`: a space in words. `leaps`: what an event moves, from the position before it. `loud`:
    events that are turning points.
    """

    board: str
    heading: Callable[[Any], Heading]
    columns: tuple[str, ...]
    person: Callable[[Any, Seat, Who], Person]
    strip: type[Strip]
    sheets: tuple[type[Sheet], ...]
    arrange: Callable[[Any, Geography], list[Token]]
    roads: Callable[[Any], Sequence[int]]
    tints: Callable[[Any], dict[Space, Tint]]
    describe: Callable[[Any, Space, Who], str]
    leaps: Callable[[Event, Any, Geography], Sequence[Leap]]
    loud: tuple[type[Event], ...]


class Guide(Struct, frozen=True):
    """See the module's docstring. `name`: what it is called in passing. `leaders`: of each colour, the Caesar first.
    `living`: who is still in the match. `prompt`, `task`, `tell`: for what only this game knows, else None or nothing.
    `council`: where captives are dealt with at any time. `pages`: the rules in short. `realm`: see there."""

    name: str
    leaders: int
    look: Look
    living: Callable[[Any], list[Seat]]
    prompt: Callable[[Any, Frame, Who], Prompt | None]
    task: Callable[[Desk, Frame], Task | None]
    tell: Callable[[Event, Who], str]
    drama: Drama
    council: Council | None
    pages: tuple[tuple[str, tuple[Chapter, ...]], ...]
    realm: Realm | None = None

    def sentence(self, event: Event, who: Who) -> str:
        """The log's line for an event; empty for those that need none."""
        return self.tell(event, who) or sentence(event, who, self.leaders)


def realm(guide: Guide) -> Realm:
    """What a game of conquest has; only its own tasks may ask."""
    assert guide.realm is not None, guide.name
    return guide.realm


__all__ = [
    "Council",
    "Good",
    "Guide",
    "Heading",
    "Look",
    "Marching",
    "Market",
    "Person",
    "Realm",
    "Table",
    "Who",
    "realm",
]

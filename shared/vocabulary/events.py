"""Events that more than one game has, with their tags; for the log, sound and motion."""

from enum import IntEnum

from shared.ids import Army, Leader, Position, Seat, Space
from shared.kernel.frames import Event


class HomesSet(Event, frozen=True, array_like=True, gc=False, tag=0):
    """Every seat has its home."""

    homes: tuple[Space, ...]


class TurnStart(Event, frozen=True, array_like=True, gc=False):
    """The turn of `seat` begins. Each game has its own event of this kind."""

    seat: Seat


class TurnBegan(TurnStart, frozen=True, array_like=True, gc=False, tag=1):
    """The turn of `seat` begins."""

    round: int


class Marched(Event, frozen=True, array_like=True, gc=False, tag=2):
    """A legion moved on land."""

    seat: Seat
    source: Space
    to: Space
    leaders: tuple[Leader, ...]
    army: Army
    road: bool


class Sailed(Event, frozen=True, array_like=True, gc=False, tag=3):
    """A galley moved; leaders and army are what it carried."""

    seat: Seat
    galley: int
    source: Position
    to: Position
    leaders: tuple[Leader, ...]
    army: Army


class BattleBegan(Event, frozen=True, array_like=True, gc=False, tag=4):
    """A battle begins in a province or, with galleys, in a sea zone."""

    space: Space
    attacker: Seat
    defender: Seat


class DiceFell(Event, frozen=True, array_like=True, gc=False, tag=5):
    """`seat` rolled; `hits` after matching."""

    seat: Seat
    space: Space
    faces: tuple[int, ...]
    hits: int


class Fell(Event, frozen=True, array_like=True, gc=False, tag=6):
    """Units were lost."""

    seat: Seat
    space: Space
    army: Army


class Sank(Event, frozen=True, array_like=True, gc=False, tag=7):
    """Galleys were lost with their units, in a naval battle or on a lost shore."""

    seat: Seat
    space: Space
    galleys: tuple[int, ...]


class Retreated(Event, frozen=True, array_like=True, gc=False, tag=8):
    """A side's remaining units leave a battle for `to`."""

    seat: Seat
    source: Space
    to: Space
    leaders: tuple[Leader, ...]
    army: Army


class BattleEnded(Event, frozen=True, array_like=True, gc=False, tag=9):
    """A battle is over; `winner` is NONE if neither side won."""

    space: Space
    winner: Seat


class Conquered(Event, frozen=True, array_like=True, gc=False, tag=10):
    """A province changed hands; `loser` is NONE if it had no owner."""

    seat: Seat
    space: Space
    loser: Seat


class Captured(Event, frozen=True, array_like=True, gc=False, tag=11):
    """Leaders were captured by `seat`."""

    seat: Seat
    leaders: tuple[Leader, ...]


class Killed(Event, frozen=True, array_like=True, gc=False, tag=12):
    """Captured generals were eliminated from the game by `seat`."""

    seat: Seat
    leaders: tuple[Leader, ...]


class Freed(Event, frozen=True, array_like=True, gc=False, tag=13):
    """A general is back with `seat`, in `space`."""

    seat: Seat
    leader: Leader
    space: Space


class Eliminated(Event, frozen=True, array_like=True, gc=False, tag=14):
    """`seat` is out; all that it had goes to `by` (NONE: most of it leaves the game)."""

    seat: Seat
    by: Seat


class Tribute(Event, frozen=True, array_like=True, gc=False, tag=15):
    """`seat` collected tribute."""

    seat: Seat
    talents: int


class Razed(Event, frozen=True, array_like=True, gc=False, tag=16):
    """`seat` destroyed its city."""

    seat: Seat
    space: Space


class Bought(Event, frozen=True, array_like=True, gc=False, tag=17):
    """A purchase: infantry, cavalry, catapults, galleys, cities, fortifications, roads, and its cost."""

    seat: Seat
    counts: tuple[int, ...]
    cost: int


class Piece(IntEnum):
    """A piece that is placed after a purchase, land units aside."""

    GALLEY = 0
    CITY = 1
    FORTIFICATION = 2
    ROAD = 3


class Placed(Event, frozen=True, array_like=True, gc=False, tag=18):
    """A galley, city or fortification placed at a position, or a road along an edge of the board."""

    seat: Seat
    what: Piece
    where: int


class InflationTriggered(Event, frozen=True, array_like=True, gc=False, tag=20):
    """`seat` reached the mark of `level` 1 or 2 first."""

    seat: Seat
    level: int


class PricesRose(Event, frozen=True, array_like=True, gc=False, tag=21):
    """All prices are now `factor` times the basic ones."""

    factor: int


class Offered(Event, frozen=True, array_like=True, gc=False, tag=22):
    """A bargain was proposed; fields as in the frame `Bargain`."""

    seat: Seat
    to: Seat
    pays: int
    gives: tuple[Leader, ...]
    wants: int
    takes: tuple[Leader, ...]


class Answered(Event, frozen=True, array_like=True, gc=False, tag=23):
    """A bargain was accepted or declined by `seat`."""

    seat: Seat
    accepted: bool


class Conceded(Event, frozen=True, array_like=True, gc=False, tag=24):
    """`seat` agrees that `to` has won, or (NONE) no longer does."""

    seat: Seat
    to: Seat


class Why(IntEnum):
    """Why a match is over."""

    LAST_CAESAR = 0
    CONCEDED = 1
    ROUND_LIMIT = 2


class Won(Event, frozen=True, array_like=True, gc=False, tag=25):
    """The match is over, and `seat` has won."""

    seat: Seat
    why: Why

"""Events of a Classic match, for the log, sound and motion. Spaces, seats and pieces as in state.py."""

import msgspec

from shared.ids import Seat
from shared.kernel.frames import Event
from shared.vocabulary.events import (
    Answered,
    BattleBegan,
    BattleEnded,
    Bought,
    Captured,
    Conceded,
    Conquered,
    DiceFell,
    Eliminated,
    Fell,
    Freed,
    HomesSet,
    InflationTriggered,
    Killed,
    Marched,
    Offered,
    Placed,
    PricesRose,
    Razed,
    Retreated,
    Sailed,
    Sank,
    Tribute,
    TurnBegan,
    Won,
)


class Refunded(Event, frozen=True, array_like=True, gc=False, tag=19):
    """Pieces that could not be placed went back for their price."""

    seat: Seat
    talents: int


AnyEvent = (
    HomesSet | TurnBegan | Marched | Sailed | BattleBegan | DiceFell | Fell | Sank | Retreated | BattleEnded
    | Conquered | Captured | Killed | Freed | Eliminated | Tribute | Razed | Bought | Placed | Refunded
    | InflationTriggered | PricesRose | Offered | Answered | Conceded | Won
)  # fmt: skip

DECODER = msgspec.msgpack.Decoder(AnyEvent)

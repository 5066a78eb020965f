"""Data types of the Conquest II player: plans, marches, postings, battles, fleets, cards."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from server.bots.cote2.position_analysis import SeatAnalysis
from shared.ids import Army, Leader, Seat, Space
from shared.kernel.frames import Action
from shared.rulesets.cote2.actions import Use


class Plan(Struct, frozen=True):
    """An action and its value."""

    worth: float
    action: Action


class MarchPlan(Struct, frozen=True):
    """Leaders and an army from one province to another; afloat: by sea."""

    source: Space
    to: Space
    leaders: tuple[Leader, ...]
    army: Army
    afloat: bool


class Posting(Struct, frozen=True):
    """Guards that any march from a province could drop on the way: (value, province), the best first."""

    spare: int
    places: tuple[tuple[float, Space], ...]


class Clash(Struct, frozen=True):
    """Expected result of a battle: the chances of both sides, and their costs in talents."""

    won: float
    lost: float
    ours: float
    theirs: float


class Backing(Struct, frozen=True):
    """Additions of cards to a fleet."""

    galleys: int = 0
    dice: int = 0


class Worth(Struct, frozen=True):
    """Value of a card, in victory points.

    taken(analysis, action): of obtaining it, without its price.
    used(analysis, action): of using it now instead of keeping it; it is used if this is positive.
    won(analysis, seat): of the vote that it calls, to the seat that wins it.
    """

    taken: Callable[[SeatAnalysis, Any], float]
    used: Callable[[SeatAnalysis, Use], float]
    won: Callable[[SeatAnalysis, Seat], float]

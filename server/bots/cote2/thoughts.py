"""What the player of Conquest II weighs up: plans, marches, postings, battles, fleets, cards."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from server.bots.cote2.survey import Eye
from shared.ids import Army, Leader, Seat, Space
from shared.kernel.frames import Action
from shared.rulesets.cote2.actions import Use


class Plan(Struct, frozen=True):
    """An action and what it is worth."""

    worth: float
    action: Action


class March(Struct, frozen=True):
    """Leaders and an army from one province to another; afloat: over sea."""

    source: Space
    to: Space
    leaders: tuple[Leader, ...]
    army: Army
    afloat: bool


class Posting(Struct, frozen=True):
    """Guards that could be dropped along with any march from a province: (worth, province), the best first."""

    spare: int
    places: tuple[tuple[float, Space], ...]


class Clash(Struct, frozen=True):
    """How a battle will probably end: the chances of both sides, and what it costs them, in talents."""

    won: float
    lost: float
    ours: float
    theirs: float


class Backing(Struct, frozen=True):
    """What cards would add to a fleet."""

    galleys: int = 0
    dice: int = 0


class Worth(Struct, frozen=True):
    """What a card is worth, in victory points.

    taken(eye, action): obtaining it like that, the price not taken off.
    used(eye, action): using it now, against leaving it; more than 0 is reason enough.
    won(eye, seat): to that seat, winning the vote that it calls.
    """

    taken: Callable[[Eye, Any], float]
    used: Callable[[Eye, Use], float]
    won: Callable[[Eye, Seat], float]

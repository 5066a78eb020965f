"""The tasks' interface to the rules: values that each conquest game makes in its own package."""

from collections.abc import Callable, Sequence
from typing import Any, Final, Generic, TypeAlias

from msgspec import Struct

from client.games.conquest.position_queries import T
from client.language import _
from client.table.guide import Spirit
from shared.ids import Army, Leader, Position, Seat, Space
from shared.kernel.frames import Action
from shared.odds.attack import Threat
from shared.vocabulary.actions import Judge, MarchFields, Offer, Raze

Drop: TypeAlias = tuple[int, int, int, int]
"""A city on the way, with the infantry, cavalry and catapults left there."""


class Marching(Struct, Generic[T], frozen=True):
    """Movement rules of a game.

    `road_trip`: cities reached by road. `boardable`, `can_board`:
    what may go aboard a galley. `clash`: whether entering a space leads to a fight. `threat`: the attack of an action.

    `march`: the action. `stops`: whether a march may leave units in cities on its way.

    `cites`: rules for a leader who has moved,
    units without a leader, a galley.
    """

    steps: Callable[[T], Sequence[Sequence[Space]]]
    road_trip: Callable[[T, Seat, Space], set[Space]]
    boardable: Callable[[T, Seat, int, Space], Army]
    can_board: Callable[[T, Seat, int, Leader], bool]
    clash: Callable[[T, Seat, Space], bool]
    threat: Callable[[T, Seat, Action], Threat | None]
    march: type[Any]
    stops: bool
    cites: tuple[str, str, str]

    def order(
        self, source: Space, to: Space, leaders: tuple[Leader, ...], units: Army, tired: int, drops: tuple[Drop, ...]
    ) -> Action:
        """Return a march as an action. `drops` count only if a march may leave units on its way."""
        order: Action = self.march(source, to, leaders, *units, tired, *((drops,) if self.stops else ()))
        return order

    def read(self, action: Action) -> MarchFields | None:
        """Return an action as a march, None if it is another one."""
        march: MarchFields | None = action if isinstance(action, self.march) else None
        return march


WARES: Final = (
    ("infantry_{}", _("Infantry")),
    ("cavalry_{}", _("Cavalry")),
    ("catapult_{}", _("Catapult")),
    ("galley_{}", _("Galley")),
    ("city", _("City")),
    ("fortified", _("Walls")),
    ("road", _("Road")),
)
"""Picture (with a gap for the seat) and name of each ware."""


class Market(Struct, Generic[T], frozen=True):
    """Goods for sale and their building sites.

    `buy`: the action, with the number of each good. `stock`: the amount of each good that a seat could buy. `left`:
    galleys, cities, walls and roads that the present placement still has, or None outside of a placement. `bargains`:
    whether bargains may be offered.
    """

    buy: type[Action]
    stock: Callable[[T, Seat], tuple[int, ...]]
    galley_coasts: Callable[[T, Seat], list[Position]]
    road_sites: Callable[[T, Seat], list[tuple[Space, Space]]]
    left: Callable[[T], tuple[int, int, int, int] | None]
    bargains: Callable[[T], bool]
    homes: Callable[[T], list[Space]]


class RulesAdapter(Struct, Generic[T], frozen=True):
    """Rules of a conquest game, as its tasks use them."""

    marching: Marching[T]
    market: Market[T]

    def spirit(self, action: Action) -> Spirit:
        """Return how spirited an action is.

        Razing, offering and judging are quiet; a march of one unit or none is low; all else is high.
        """
        if isinstance(action, Raze | Offer | Judge):
            return Spirit.QUIET
        march = self.marching.read(action)
        alone = march is not None and march.infantry + march.cavalry + march.catapults < 2
        return Spirit.LOW if alone else Spirit.HIGH

"""Odds of a battle as a seat is told them, with its actions and choices."""

from msgspec import Struct

from shared.ids import Seat, Space


class Prospect(Struct, frozen=True, array_like=True):
    """Prospect of a side. `units`: those it has; `kept`: the mean number left, in tenths; `cost`: the mean loss of
    its own units, in talents at basic prices."""

    units: int
    kept: int
    cost: int


class Chances(Struct, frozen=True, array_like=True):
    """Odds of a battle in `space` against `enemy`, for a seat. `wins`, `neither`, `loses`: per mille, 0 and 1000 only
    where it is certain. `own`, `theirs`: of the seat and of the enemy."""

    wins: int
    neither: int
    loses: int
    enemy: Seat
    space: Space
    own: Prospect
    theirs: Prospect

"""Units of a province's army that can still march: tallies of units that marched in or came ashore this turn.

`moved` counts units that marched in: (infantry, cavalry with one point left, cavalry with none, catapults).
Its zeros at the end are left out. `landed` is () or the army that came ashore. Units are counts without identity:
the units that stood there longest are taken to be those that can still go.
"""

from collections.abc import Sequence
from functools import lru_cache

from shared.ids import Army
from shared.mechanics.armies import take_by_kind
from shared.mechanics.table import Pieces

BEST_FIRST = (2, 1, 0)
"""Catapults before cavalry before infantry."""

Ready = tuple[int, int, int, int]
"""Infantry, cavalry with two points left, catapults, cavalry with one point left."""
MISSING = ((0, 0, 0, 0), (0, 0, 0), (0, 0), (0,), ())
"""The zeros left out at the end of a tally, by its length."""


def ready(army: Army, moved: tuple[int, ...], landed: Sequence[int]) -> Ready:
    """Return the units of the army that can still march."""
    infantry, cavalry, catapults = army
    tired = 0
    if moved:
        marched, tired, spent, rolled = moved + MISSING[len(moved)]
        infantry -= marched
        cavalry -= tired + spent
        catapults -= rolled
    # Units that came ashore stand in the army but not in `moved`; they do not march (CL-SEA-04, MB-SEA-06).
    if landed:
        infantry -= landed[0]
        cavalry -= landed[1]
        catapults -= landed[2]
    return infantry, cavalry, catapults, tired


def after_departure(moved: tuple[int, ...], tired: int) -> tuple[int, ...]:
    """Return the tally after `tired` cavalry units with one point left have gone on."""
    if not tired:
        return moved
    infantry, one, none, catapults = moved + MISSING[len(moved)]
    return _tally(infantry, one - tired, none, catapults)


def after_arrival(moved: tuple[int, ...], army: Army, spent: int) -> tuple[int, ...]:
    """Return the tally after `army` marched in; `spent` of its cavalry have no point left."""
    infantry, one, none, catapults = moved + MISSING[len(moved)]
    return _tally(infantry + army[0], one + army[1] - spent, none + spent, catapults + army[2])


def _tally(*counts: int) -> tuple[int, ...]:
    """Return the counts without the zeros at the end. Most entries are infantry alone, and they travel in views."""
    kept = len(counts)
    while kept and not counts[kept - 1]:
        kept -= 1
    return counts[:kept]


@lru_cache(maxsize=4096)
def load(here: Ready, size: int) -> tuple[Army, int]:
    """Return the strongest `size` units that can march, and the number of cavalry among them with one point left."""
    army = take_by_kind((here[0], here[1] + here[3], here[2]), size, BEST_FIRST)
    # Fresh cavalry goes first, so tired ones are counted only beyond it.
    return army, max(0, army[1] - here[1])


def forget(state: Pieces) -> None:
    """Reset the used movement points; they do not matter after the movement (CL-MOVE-06, MB-MOVE-01)."""
    state.moved = [()] * len(state.moved)
    state.landed = [()] * len(state.landed)
    state.leader_used = [0] * len(state.leader_used)
    state.galley_used = [0] * len(state.galley_used)

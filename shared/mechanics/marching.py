"""Who of a province's army can still march: the tallies of units that marched in or came ashore this turn.

`moved` is () or (infantry, cavalry with one point left, cavalry with none, catapults) that marched in; `landed` is ()
or the army that came ashore. Units are counts: those that stand longest are the ones that can still go.
"""

from collections.abc import Sequence

from shared.ids import Army
from shared.mechanics.armies import greedy
from shared.mechanics.pieces import Pieces

BEST_FIRST = (2, 1, 0)
"""Catapults before horsemen before infantry."""

Ready = tuple[int, int, int, int]
"""Infantry, cavalry with two points left, catapults, cavalry with one point left."""


def ready(army: Army, moved: Sequence[int], landed: Sequence[int]) -> Ready:
    """Units of the army that can still march."""
    infantry, cavalry, catapults = army
    tired = 0
    if moved:
        infantry -= moved[0]
        tired = moved[1]
        cavalry -= moved[1] + moved[2]
        catapults -= moved[3]
    if landed:
        infantry -= landed[0]
        cavalry -= landed[1]
        catapults -= landed[2]
    return infantry, cavalry, catapults, tired


def left(moved: Sequence[int], tired: int) -> tuple[int, ...]:
    """The tally after `tired` horsemen with one point left have gone on."""
    if not tired:
        return tuple(moved)
    return _tally(moved[0], moved[1] - tired, moved[2], moved[3])


def arrived(moved: Sequence[int], army: Army, spent: int) -> tuple[int, ...]:
    """The tally after `army` marched in; `spent` of its horsemen have no point left."""
    infantry, one, none, catapults = moved or (0, 0, 0, 0)
    return _tally(infantry + army[0], one + army[1] - spent, none + spent, catapults + army[2])


def _tally(*counts: int) -> tuple[int, ...]:
    return counts if any(counts) else ()


def load(here: Ready, size: int) -> tuple[Army, int]:
    """The strongest `size` units that can march, and how many of the horsemen are tired."""
    army = greedy((here[0], here[1] + here[3], here[2]), size, BEST_FIRST)
    return army, max(0, army[1] - here[1])


def forget(state: Pieces) -> None:
    """Points used are of no interest after the movement (CL-MOVE-06, MB-MOVE-01)."""
    state.moved = [()] * len(state.moved)
    state.landed = [()] * len(state.landed)
    state.leader_used = [0] * len(state.leader_used)
    state.galley_used = [0] * len(state.galley_used)

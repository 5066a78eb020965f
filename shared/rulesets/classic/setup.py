"""The start: homes, first pieces, order of play (rulebook: Set up)."""

from collections.abc import Mapping

from shared.ids import Space
from shared.mechanics import homes
from shared.mechanics.amendments import chosen
from shared.rulesets.classic.options import AMENDED, HOMES, OPTIONS
from shared.rulesets.classic.state import GALLEYS, LEADERS
from shared.rulesets.classic.table import State
from shared.rulesets.conquest.setup import Start, empty

ORDER = homes.home_provinces("macedonia", "galatia", "mesopotamia", "egyptus", "numidia", "hispania", "italia")
"""Homes in the order of play (CL-ORDER-01)."""

HOMES_ON_OFFER: Mapping[int, tuple[Space, ...]] = {
    6: homes.homes_without(ORDER, "mesopotamia"),
    5: homes.homes_without(ORDER, "numidia", "galatia"),
    4: homes.homes_without(ORDER, "galatia", "egyptus", "italia"),
    3: homes.homes_without(ORDER, "galatia", "mesopotamia", "numidia", "italia"),
    2: homes.homes_without(ORDER, "macedonia", "galatia", "mesopotamia", "numidia", "italia"),
}
"""Homes by number of players (CL-SETUP-01), in the order of play."""

START = Start(ORDER, HOMES_ON_OFFER, 5, HOMES, first="CL-D32", offered="CL-SETUP-01")
"""Start of the game (CL-SETUP-02, CL-SETUP-03, CL-ORDER-01)."""


def new_state(seats: int, options: Mapping[str, int], amendments: int = 0) -> State:
    """Return an empty table for `seats` players with homes still to be handed out."""
    fields = empty(seats, chosen(OPTIONS, options, amendments, AMENDED), LEADERS, GALLEYS)
    return State(**fields, captured=[0] * (seats * 4))

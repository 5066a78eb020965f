"""The start: homes, first pieces, order of play (rulebook: Set up)."""

from collections.abc import Mapping

from shared.ids import Space
from shared.mechanics import homes
from shared.mechanics.amendments import chosen
from shared.rulesets.conquest.setup import Start, empty
from shared.rulesets.mb1984.options import AMENDED, HOMES, OPTIONS
from shared.rulesets.mb1984.state import GALLEYS, LEADERS
from shared.rulesets.mb1984.table import State

ORDER = homes.home_provinces("macedonia", "galatia", "egyptus", "numidia", "hispania", "italia")
"""Homes in the order of play (MB-ORDER-01)."""

HOMES_ON_OFFER: Mapping[int, tuple[Space, ...]] = {
    6: ORDER,
    5: homes.homes_without(ORDER, "numidia"),
    4: homes.homes_without(ORDER, "egyptus", "italia"),
    3: homes.homes_without(ORDER, "galatia", "numidia", "italia"),
    2: homes.homes_without(ORDER, "macedonia", "galatia", "numidia", "italia"),
}
"""Homes by number of players (MB-SETUP-01), in the order of play."""

START = Start(ORDER, HOMES_ON_OFFER, 4, HOMES, first="MB-SETUP-01", offered="MB-SETUP-01")
"""Start of the game (MB-SETUP-02, MB-SETUP-03, MB-ORDER-01, MB-D23)."""


def new_state(seats: int, options: Mapping[str, int], amendments: int = 0) -> State:
    """Return an empty table for `seats` players with homes still to be handed out."""
    fields = empty(seats, chosen(OPTIONS, options, amendments, AMENDED), LEADERS, GALLEYS)
    return State(**fields, docked=[()] * (seats * GALLEYS), offers=0, proposals=[()] * seats)

"""Battle odds code that both conquest games share."""

from typing import Final

from client.language import _
from client.table.odds_description import LEADERS, WALLS, Count
from shared.ids import Seat
from shared.mechanics.pieces import living
from shared.rulesets.conquest.table import TableFields


def could_fight(table: TableFields, one: Seat, other: Seat) -> bool:
    """Whether both seats are still in the match. In these games all players are enemies."""
    return one != other and {one, other} <= {*living(table)}


WALLED: Final = Count(WALLS, "fortified", _("walls"), 1, _("The defender stands in their own fortified city"), (1,))
LED: Final = Count(
    LEADERS, "general_{}", _("leaders"), 6, _("Leaders: each makes room for one more in the battle legion")
)
GROUPS: Final = (_("Own"),)

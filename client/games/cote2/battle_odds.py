"""Battle odds for the table in the second game."""

from __future__ import annotations

from typing import Final

from client.language import _
from client.table.odds_description import LEADERS, RETREAT, SHIPS, TRAINING, UNITS, WALLS, BattleOdds, Count
from shared.ids import Seat
from shared.odds import cote2
from shared.rulesets.cote2.options import city_worth
from shared.rulesets.cote2.state import allied
from shared.rulesets.cote2.table import Table


def _could_fight(table: Table, one: Seat, other: Seat) -> bool:
    """Whether the two seats are not allied."""
    return not allied(table, one, other)


_LED: Final = Count(LEADERS, "general_{}", _("leader"), 1, _("A leader brings one more die"))
_CITY: Final = Count(
    WALLS, "city", _("city"), 1, _("In their own city the defender has one more die, and strikes first"), (1,)
)
_ARMY: Final = Count(TRAINING, "die_infantry", _("training"), 5, _("Army Training: one more die each"))
_NAVY: Final = Count(TRAINING, "die_galley", _("training"), 3, _("Naval Training: one more die each"))

BATTLE_ODDS: Final[BattleOdds[Table]] = BattleOdds(
    foes=_could_fight,
    odds=cote2.odds,
    present=cote2.present,
    standing=cote2.standing,
    question=cote2.question,
    land=(*UNITS, SHIPS, _LED, _ARMY, _CITY, RETREAT),
    sea=(SHIPS, _NAVY),
    walls=city_worth,
    groups=(_("Own"), _("Lent"), _("Of cards")),
    policy=_(
        "Counted as if both lost units of cards first, then what allies lent, then their own, each time infantry, "
        "cavalry, catapults and at last galleys, and fought on while they have more units than they retreat at. An "
        "attack that is put together is counted with all galleys beside it, and without allies."
    ),
)

"""The odds of battles in Classic, as the table needs them."""

from __future__ import annotations

from typing import Final

from client.games.conquest.reckoning import GROUPS, LED, WALLED, could_fight
from client.language import _
from client.table.reckoning import RETREAT, SHIPS, UNITS, Reckoning
from shared.odds import classic
from shared.rulesets.classic.state import Table

RECKONING: Final[Reckoning[Table]] = Reckoning(
    foes=could_fight,
    odds=classic.odds,
    present=classic.present,
    standing=classic.standing,
    engaged=classic.engaged,
    land=(*UNITS, LED, WALLED, RETREAT),
    sea=(SHIPS,),
    groups=GROUPS,
    policy=_(
        "Counted as if both formed the battle legion that hits most, lost their cheapest units first, at sea the "
        "emptiest galleys, and fought on while they have more units than they retreat at. Whoever retreats is pursued."
    ),
)

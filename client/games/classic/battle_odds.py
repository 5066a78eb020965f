"""Battle odds for the table in Classic."""

from __future__ import annotations

from typing import Final

from client.games.conquest.battle_odds import GROUPS, LED, WALLED, could_fight
from client.language import _
from client.table.odds_description import RETREAT, SHIPS, UNITS, BattleOdds
from shared.odds import classic
from shared.rulesets.classic.options import wall_worth
from shared.rulesets.classic.table import Table

BATTLE_ODDS: Final[BattleOdds[Table]] = BattleOdds(
    foes=could_fight,
    odds=classic.odds,
    present=classic.present,
    standing=classic.standing,
    question=classic.question,
    land=(*UNITS, LED, WALLED, RETREAT),
    sea=(SHIPS,),
    walls=wall_worth,
    groups=GROUPS,
    policy=_(
        "Counted as if both formed the battle legion that hits most, lost their cheapest units first, at sea the "
        "emptiest galleys, and fought on while they have more units than they retreat at. A side that retreats is "
        "pursued."
    ),
)

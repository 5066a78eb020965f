"""Battle odds for the table in the 1984 game."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from client.games.conquest.battle_odds import GROUPS, WALLED, could_fight
from client.language import _
from client.table.odds_description import RETREAT, SHIPS, UNITS, BattleOdds
from shared.odds import mb1984
from shared.rulesets.mb1984.options import wall_worth
from shared.rulesets.mb1984.table import Table

BATTLE_ODDS: Final[BattleOdds[Table]] = BattleOdds(
    foes=could_fight,
    odds=mb1984.odds,
    present=mb1984.present,
    standing=mb1984.standing,
    question=mb1984.question,
    land=(*UNITS, WALLED, replace(RETREAT, sides=(0,))),
    sea=(*UNITS, SHIPS),
    walls=wall_worth,
    groups=GROUPS,
    policy=_(
        "Counted as if both fired at catapults first, then at cavalry, infantry, and galleys last, and the attacker "
        "fought on while he has more units than he retreats at."
    ),
)

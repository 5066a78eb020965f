"""Replay contents of a match of 1984."""

from __future__ import annotations

from typing import Final

from client.games.conquest.replay_contents import subject, tribute
from client.language import _
from client.replay.game_replay import Concerns, GameReplay, Income
from shared.kernel.frames import Event
from shared.odds.mb1984 import rolling
from shared.rulesets.mb1984.economy import PRICES
from shared.rulesets.mb1984.events import Looted, Rewarded
from shared.rulesets.mb1984.table import Table


def _incomes(event: Event) -> list[Income]:
    match event:
        case Looted(seat=seat, loser=loser, talents=talents) if talents:
            plunder = _("Plunder")
            return [Income(seat, plunder, plunder, talents), Income(loser, plunder, plunder, -talents)]
        case Rewarded(seat=seat, talents=talents):
            return [Income(seat, _("Captured Caesars"), _("Captured Caesars"), talents)]
        case _:
            return tribute(event)


CONCERNS: Final[Concerns] = {Looted: ("seat", "loser"), Rewarded: ("seat",)}
"""Events that concern seats, in addition to those of every conquest game."""
FILM: Final[GameReplay[Table]] = subject(PRICES[:4], _incomes, rolling, CONCERNS)

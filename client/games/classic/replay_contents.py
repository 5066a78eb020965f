"""Replay contents of a Classic match."""

from __future__ import annotations

from typing import Final

from client.games.conquest.replay_contents import subject, tribute
from client.language import _
from client.replay.game_replay import GameReplay, Income
from shared.kernel.frames import Event
from shared.odds.classic import rolling
from shared.rulesets.classic.economy import PRICES
from shared.rulesets.classic.events import Refunded
from shared.rulesets.classic.table import Table


def _incomes(event: Event) -> list[Income]:
    if isinstance(event, Refunded):
        return [Income(event.seat, _("Refunds"), _("What could not be placed"), event.talents)]
    return tribute(event)


FILM: Final[GameReplay[Table]] = subject(PRICES[:4], _incomes, rolling)

"""Hints for a first game of 1984."""

from __future__ import annotations

from typing import Final

from client.games.conquest import first_game_hints as when
from client.games.conquest.position_queries import prisoners
from client.language import _
from client.table.hints import ADVICE, ODDS, Hint
from client.table.lesson import Glance
from shared.rulesets.mb1984.frames import Aiming
from shared.rulesets.mb1984.table import Table

Seen = Glance[Table]


def _shooting(glance: Seen) -> bool:
    return isinstance(glance.table.frames[-1], Aiming)


def _holding(glance: Seen) -> bool:
    return bool(prisoners(glance.table, glance.seat))


HINTS: Final[tuple[Hint[Table], ...]] = (
    ODDS,
    Hint(
        "captives",
        _holding,
        _(
            "You hold a captive. His owner may pay well for him, or give back one of yours: the button above the "
            "board opens such bargains at any time. A dead general is worth nothing."
        ),
    ),
    Hint(
        "shots",
        _shooting,
        _(
            "One shot at a time, at the unit that you name. Catapults decide: each one more than the enemy has lowers "
            "what you must throw, at every shot. Shoot his catapults while you can, infantry when nothing else counts."
        ),
    ),
    Hint(
        "buying",
        when.buying,
        _(
            "A city costs 30, pays 5 in every turn, and leads seven units by itself, so that your generals are free "
            "to march. Do not save for long: the conqueror of your home takes all that lies there."
        ),
    ),
    Hint(
        "sea",
        when.embarking,
        _(
            "Red arrows do not count in this game: every crossing takes a galley. It carries seven units with a "
            "leader, makes two steps, and meets enemy galleys only to fight them."
        ),
    ),
    Hint(
        "alone",
        when.leader_without_units,
        _(
            "A leader without units conquers nothing, not even an empty province, and is captured by the first legion "
            "that comes. Send units with him, or keep him where some stand."
        ),
    ),
    Hint(
        "claim",
        when.picked,
        _(
            "A legion conquers every undefended province that it enters, on its way too. But units stay only with a "
            "leader or in a city: plan who remains, and for what."
        ),
    ),
    when.CAESAR,
    ADVICE,
)

"""Conquest of the Empire II as the table needs it."""

from __future__ import annotations

from typing import Any, Final

from client.games.cote2.drama import DRAMA
from client.games.cote2.look import LOOK
from client.games.cote2.rules_text import PAGES
from client.games.cote2.tasks.owed import task
from client.games.cote2.words import prompt, tell
from client.table.guide import Guide
from shared.ids import Seat
from shared.rulesets.cote2.state import LEADERS


def _living(table: Any) -> list[Seat]:
    """Nobody is ever out."""
    return list(range(table.seats))


COTE2: Final = Guide(
    name="Conquest II",
    leaders=LEADERS,
    look=LOOK,
    living=_living,
    prompt=prompt,
    task=task,
    tell=tell,
    drama=DRAMA,
    council=None,
    pages=PAGES,
)

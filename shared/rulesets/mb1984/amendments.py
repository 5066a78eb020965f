"""Amendments of the 1984 game: matches that began before one of them end without it."""

from typing import Final

from shared.kernel.ruleset import Amendment
from shared.mechanics.amendments import in_force
from shared.rulesets.mb1984.options import AMENDED
from shared.rulesets.mb1984.table import TableFields

CAPTURED_GENERALS = 1

AMENDMENTS: Final = (
    Amendment(
        CAPTURED_GENERALS,
        "MB-D34",
        "Generals who are captured together with their Caesar are the victor's own at once and stay where they stand.",
    ),
)


def amended(table: TableFields, number: int) -> bool:
    """Whether that amendment is in force in a match."""
    return in_force(table.options, AMENDED, number)

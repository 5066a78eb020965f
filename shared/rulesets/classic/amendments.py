"""Amendments of Classic: matches that began before one of them end without it."""

from typing import Final

from shared.kernel.ruleset import Amendment
from shared.mechanics.amendments import in_force
from shared.rulesets.classic.options import AMENDED
from shared.rulesets.classic.table import TableFields

CAPTURED_GALLEYS, CAPTURED_GENERALS, LAST_TURN = 1, 2, 3

AMENDMENTS: Final = (
    Amendment(
        CAPTURED_GALLEYS,
        "CL-D16",
        "Galleys of a captured Caesar on the shore of the province where he fell go to the victor; they are not "
        "destroyed.",
    ),
    Amendment(
        CAPTURED_GENERALS,
        "CL-H14",
        "Generals who are captured together with their Caesar are the victor's own at once and stay where they stand.",
    ),
    Amendment(
        LAST_TURN,
        "CL-D26",
        "A player who reaches an inflation mark after their own turn of the round has one more turn at the old prices.",
    ),
)


def amended(table: TableFields, number: int) -> bool:
    """Whether that amendment is in force in a match."""
    return in_force(table.options, AMENDED, number)

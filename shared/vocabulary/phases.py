"""The phases of a turn, as Classic and the game of 1984 number them, and the step at which a turn begins."""

from enum import IntEnum
from typing import Final

BEGINNING: Final = 0
"""`Turn.step` of a turn that has not begun, whatever steps a game's turn has."""


class Phase(IntEnum):
    """The six actions of a turn in the order of both rulebooks (CL-TURN-01, MB-TURN-01)."""

    MOVEMENT = 0
    COMBAT = 1
    TRIBUTE = 2
    DESTRUCTION = 3
    PURCHASE = 4
    PLACEMENT = 5

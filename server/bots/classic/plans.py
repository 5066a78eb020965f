"""Data types of the Classic player: forces, attack plans."""

from msgspec import Struct

from shared.ids import Army
from shared.kernel.frames import Action


class Force(Struct, frozen=True):
    """A legion that can be in the battle this turn: its next step, its units, and the number of its leaders."""

    action: Action
    army: Army
    leaders: int


class Plan(Struct, frozen=True):
    """An attack on a province: its first action, the chance to win, and its value."""

    action: Action
    chance: float
    value: float

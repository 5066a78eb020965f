"""What the player of Classic weighs up: forces, attacks."""

from msgspec import Struct

from shared.ids import Army
from shared.kernel.frames import Action


class Force(Struct, frozen=True):
    """A legion that can be in the battle this turn: its next step, and how many leaders come with it."""

    action: Action
    army: Army
    leaders: int


class Plan(Struct, frozen=True):
    """An attack on a province: how it begins, the chance to win it, and what that is worth."""

    action: Action
    chance: float
    value: float

"""Data types of the 1984 player: forces, attack plans and tempers."""

from msgspec import Struct

from shared.ids import Army, Space
from shared.kernel.frames import Action


class Temper(Struct, frozen=True):
    """Deviations from the normal player's judgement; a search tries several.

    boldness: amount by which an attack needs less chance. caution: weight of the losses left behind. zeal: weight of
    coming nearer to the enemy. whim: share by which values are blurred at random.
    """

    boldness: float = 0.0
    caution: float = 1.0
    zeal: float = 1.0
    whim: float = 0.0


CALM = Temper()


class Force(Struct, frozen=True):
    """A legion that can be in the battle this turn: its next step, its units, and where it comes from."""

    action: Action
    army: Army
    source: Space
    """A province, or a sea zone."""


class Plan(Struct, frozen=True):
    """An attack on a province: the chance to win it, its value, and the forces with their first actions."""

    space: Space
    chance: float
    value: float
    forces: tuple[Force, ...]

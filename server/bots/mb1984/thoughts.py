"""What the player of the 1984 game weighs up, and in what temper: forces, attacks."""

from msgspec import Struct

from shared.ids import Army, Space
from shared.kernel.frames import Action


class Temper(Struct, frozen=True):
    """How somebody plays who is not quite himself: a search tries several.

    boldness: by how much less chance an attack needs. caution: how much more what is left behind is minded.
    zeal: how much more it is worth to come nearer to the enemy. whim: the share by which values are blurred.
    """

    boldness: float = 0.0
    caution: float = 1.0
    zeal: float = 1.0
    whim: float = 0.0


CALM = Temper()


class Force(Struct, frozen=True):
    """A legion that can be in the battle this turn: its next step, and what it leaves behind where it comes from."""

    action: Action
    army: Army
    source: Space
    """A province, or a sea zone."""


class Plan(Struct, frozen=True):
    """An attack on a province: the chance to win it, what that is worth, and how it begins."""

    space: Space
    chance: float
    value: float
    forces: tuple[Force, ...]

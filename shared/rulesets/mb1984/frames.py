"""Frames of a 1984 match."""

from shared.ids import Seat, Space
from shared.kernel.frames import Frame
from shared.rulesets.conquest.vocabulary import CommonFrame
from shared.rulesets.mb1984.stages import Stage


class Combat(Frame, frozen=True, array_like=True, gc=False, tag=14):
    """Action 2. `pending`: (space, enemy) pairs, flat, of battles that must be fought on land and at sea."""

    seat: Seat
    pending: tuple[int, ...]


class Battle(Frame, frozen=True, array_like=True, gc=False, tag=15):
    """A battle on land or at sea. `stage` comes next in the round. `kind` and `galley`: the target
    just declared. `by_land`: whether a part of the attackers came by land and so may retreat (MB-RETREAT-04)."""

    space: Space
    attacker: Seat
    defender: Seat
    round: int
    stage: Stage
    kind: int
    galley: int
    by_land: bool


class Aiming(Frame, frozen=True, array_like=True, gc=False, tag=28):
    """`seat` declares the unit of `enemy` that it fires at in `space` (MB-BATTLE-03). `ahead`: its advantage."""

    seat: Seat
    space: Space
    enemy: Seat
    ahead: int


class CargoLoss(Frame, frozen=True, array_like=True, gc=False, tag=29):
    """A unit of this kind was hit in a battle at sea; `seat` says from which of its galleys in `space` it falls."""

    seat: Seat
    space: Space
    kind: int


class Placement(Frame, frozen=True, array_like=True, gc=False, tag=26):
    """Action 6: `seat` places what it bought (units stand in the home already) and builds roads."""

    seat: Seat
    galleys: int
    cities: int
    fortifications: int


AnyFrame = CommonFrame | Combat | Battle | Aiming | CargoLoss | Placement

"""What can be owed in a 1984 match."""

from shared.ids import Leader, Seat, Space
from shared.kernel.frames import Dice, Draw, Frame


class Setup(Frame, frozen=True, array_like=True, gc=False, tag=10):
    """Homes are being handed out (MB-SETUP-01). `lots`: the random order, once drawn."""

    lots: tuple[int, ...] = ()


class HomeChoice(Frame, frozen=True, array_like=True, gc=False, tag=11):
    """`seat` picks one of the homes still on offer (option `homes`)."""

    seat: Seat


class Turn(Frame, frozen=True, array_like=True, gc=False, tag=12):
    """The turn of `seat`; `step` is the next action of its sequence (MB-TURN-01)."""

    seat: Seat
    step: int


class Movement(Frame, frozen=True, array_like=True, gc=False, tag=13):
    """Action 1: `seat` moves legions and galleys."""

    seat: Seat


class Combat(Frame, frozen=True, array_like=True, gc=False, tag=14):
    """Action 2. `pending`: (space, enemy) pairs, flat, of battles that must be fought on land and at sea."""

    seat: Seat
    pending: tuple[int, ...]


class Battle(Frame, frozen=True, array_like=True, gc=False, tag=15):
    """A battle on land or at sea. `stage` is the step within the round (see war.py). `kind` and `galley`: the target
    just declared. `by_land`: whether a part of the attackers came by land and so may retreat (MB-RETREAT-04)."""

    space: Space
    attacker: Seat
    defender: Seat
    round: int
    stage: int
    kind: int
    galley: int
    by_land: bool


class Aiming(Frame, frozen=True, array_like=True, gc=False, tag=28):
    """`seat` declares the unit of `enemy` that it fires at in `space` (MB-BATTLE-03). `ahead`: its advantage."""

    seat: Seat
    space: Space
    enemy: Seat
    ahead: int


class Onward(Frame, frozen=True, array_like=True, gc=False, tag=18):
    """The attacker `seat` fights on or retreats from `space`, after a defender's shot (MB-RETREAT-01)."""

    seat: Seat
    space: Space


class Captives(Frame, frozen=True, array_like=True, gc=False, tag=21):
    """`seat` says which of the generals just captured die; the others are held (MB-GEN-01)."""

    seat: Seat
    leaders: tuple[Leader, ...]


class Destruction(Frame, frozen=True, array_like=True, gc=False, tag=24):
    """Action 4: `seat` may destroy own cities."""

    seat: Seat


class Purchase(Frame, frozen=True, array_like=True, gc=False, tag=25):
    """Action 5: `seat` buys, once."""

    seat: Seat


class Placement(Frame, frozen=True, array_like=True, gc=False, tag=26):
    """Action 6: `seat` places what it bought (units stand in the home already) and builds roads."""

    seat: Seat
    galleys: int
    cities: int
    fortifications: int


class Bargain(Frame, frozen=True, array_like=True, gc=False, tag=27):
    """`seat` is asked by the active `proposer`: `pays` talents and `gives` generals for `wants` talents and `takes`
    generals (MB-GEN-02); amounts and pieces as the proposer sees them."""

    seat: Seat
    proposer: Seat
    pays: int
    gives: tuple[Leader, ...]
    wants: int
    takes: tuple[Leader, ...]


AnyFrame = (
    Dice | Draw | Setup | HomeChoice | Turn | Movement | Combat | Battle | Aiming | Onward | Captives | Destruction
    | Purchase | Placement | Bargain
)  # fmt: skip

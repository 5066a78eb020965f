"""Frames that more than one game has, with their tags."""

from enum import IntEnum
from typing import Final, Protocol

from shared.ids import Leader, Seat, Space
from shared.kernel.frames import Frame

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


class Setup(Frame, frozen=True, array_like=True, gc=False, tag=10):
    """Homes are being handed out. `lots`: the random order, once drawn."""

    lots: tuple[int, ...] = ()


class HomeChoice(Frame, frozen=True, array_like=True, gc=False, tag=11):
    """`seat` picks one of the homes still on offer."""

    seat: Seat


class Turn(Frame, frozen=True, array_like=True, gc=False, tag=12):
    """The turn of `seat`; `step` is what comes next, by the number of the game."""

    seat: Seat
    step: int


class Movement(Frame, frozen=True, array_like=True, gc=False, tag=13):
    """Phase 1: `seat` moves legions and galleys."""

    seat: Seat


class Onward(Frame, frozen=True, array_like=True, gc=False, tag=18):
    """`seat` fights on or retreats from `space`."""

    seat: Seat
    space: Space


class Captives(Frame, frozen=True, array_like=True, gc=False, tag=21):
    """`seat` says which of the generals just captured die; the others are held."""

    seat: Seat
    leaders: tuple[Leader, ...]


class Destruction(Frame, frozen=True, array_like=True, gc=False, tag=24):
    """Phase 4: `seat` may destroy own cities."""

    seat: Seat


class Purchase(Frame, frozen=True, array_like=True, gc=False, tag=25):
    """Phase 5: `seat` buys, once."""

    seat: Seat


class Bargain(Frame, frozen=True, array_like=True, gc=False, tag=27):
    """`seat` is asked by `proposer`: `pays` talents and `gives` generals for `wants` talents and `takes`
    generals; amounts and pieces as the proposer sees them."""

    seat: Seat
    proposer: Seat
    pays: int
    gives: tuple[Leader, ...]
    wants: int
    takes: tuple[Leader, ...]


class _Asked(Protocol):
    """A frame that a seat owes."""

    @property
    def seat(self) -> Seat: ...


def seat_owes(_table: object, frame: _Asked) -> tuple[Seat, ...]:
    """Return the seat of a frame: `owed` of a frame that its seat owes, whatever the position."""
    return (frame.seat,)

"""Aimed single shots with an ordinary die and combat advantage."""

from shared.ids import CATAPULT, CAVALRY, GALLEY, INFANTRY

TO_HIT = {INFANTRY: 4, CAVALRY: 5, CATAPULT: 6, GALLEY: 3}
"""The lowest die that destroys a target, without advantage."""
CAVALRY_AT_SEA = 4
NO_ROLL = 1
"""A target that needs this or less is destroyed without a die."""


def advantage(mine: int, theirs: int) -> int:
    """The difference for the side with the larger sum; the other side has none."""
    return max(0, mine - theirs)


def needed(kind: int, at_sea: bool, ahead: int) -> int:
    """The lowest die that destroys a target with that advantage; `NO_ROLL` where none is cast."""
    number = CAVALRY_AT_SEA if kind == CAVALRY and at_sea else TO_HIT[kind]
    return max(NO_ROLL, number - ahead)


def winning_faces(number: int) -> int:
    """How many of the six faces are high enough."""
    return 7 - number


def hits(face: int, number: int) -> bool:
    """Whether a face 0 to 5 (a die of 1 to 6) is high enough."""
    return face + 1 >= number

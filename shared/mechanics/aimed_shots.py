"""Aimed single shots with an ordinary die and combat advantage."""

from shared.ids import CATAPULT, CAVALRY, GALLEY, INFANTRY

TO_HIT = {INFANTRY: 4, CAVALRY: 5, CATAPULT: 6, GALLEY: 3}
"""The lowest die that destroys a target, without advantage."""
CAVALRY_AT_SEA = 4
NO_ROLL = 1
"""A target that needs this or less is destroyed without a die."""


def advantage(mine: int, theirs: int) -> int:
    """Return the difference in strength for the side with the larger sum; the other side gets 0."""
    return max(0, mine - theirs)


def needed_roll(kind: int, at_sea: bool, ahead: int) -> int:
    """Return the lowest die that destroys a target with that advantage; `NO_ROLL` where no die is cast."""
    number = CAVALRY_AT_SEA if kind == CAVALRY and at_sea else TO_HIT[kind]
    return max(NO_ROLL, number - ahead)


def winning_faces(number: int) -> int:
    """Return the number of the six faces that are high enough."""
    return 7 - number


def hits(face: int, number: int) -> bool:
    """Whether a face 0 to 5 (a die of 1 to 6) is high enough."""
    return face + 1 >= number

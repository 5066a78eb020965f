"""The special battle die: infantry on two faces, cavalry, catapult, galley, blank on one each."""

from collections.abc import Sequence
from typing import Final

from shared.ids import Army

DIE: Final = ("infantry", "infantry", "cavalry", "catapult", "galley", "blank")
"""The symbol on each face 0 to 5."""

FACE_CAVALRY, FACE_CATAPULT, FACE_GALLEY = 2, 3, 4


def land_hits(faces: Sequence[int], legion: Army, reserve_catapults: int = 0) -> int:
    """Count dice that match a unit. Each die matches one unit, each unit one die.

    Reserve catapults match catapult faces too.
    """
    infantry = sum(face <= 1 for face in faces)
    return (
        min(infantry, legion[0])
        + min(faces.count(FACE_CAVALRY), legion[1])
        + min(faces.count(FACE_CATAPULT), legion[2] + reserve_catapults)
    )


def galley_hits(faces: Sequence[int]) -> int:
    """Count galley faces."""
    return faces.count(FACE_GALLEY)


def pursuit_hits(faces: Sequence[int], cavalry: int) -> int:
    """Count cavalry faces that match one of the pursuer's cavalry units."""
    return min(faces.count(FACE_CAVALRY), cavalry)

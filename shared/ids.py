"""Small integers that name things, and their names at the edges."""

from typing import Final, TypeAlias

Seat: TypeAlias = int
"""A place at the table, 0 to 5; also the number of its colour."""

Space: TypeAlias = int
"""A province (0 to 41) or a sea zone (42 to 59)."""

Position: TypeAlias = int
"""Position of a galley: a sea zone, the first coast of a province (its space), or a second coast (60 to 62)."""

Leader: TypeAlias = int
"""A leader piece: ``colour * LEADERS_PER_COLOUR + k``; ``k == 0`` is the Caesar."""

Army: TypeAlias = tuple[int, int, int]
"""Counts of infantry, cavalry and catapults."""

NATURE: Final[Seat] = -1
"""Chance, as a seat: it owes rolls and deals."""

NONE: Final = -1
"""No seat, no space."""

MAX_SEATS: Final = 6
INFANTRY, CAVALRY, CATAPULT, GALLEY = 0, 1, 2, 3
UNIT_NAMES: Final = ("infantry", "cavalry", "catapult", "galley")
NO_ARMY: Final[Army] = (0, 0, 0)

"""Levels of bots. On the wire a level is a name, so that more can follow; this module has the known ones."""

from typing import Final

from shared.tables import Pace, Run

EASY: Final = "easy"
NORMAL: Final = "normal"
HARD: Final = "hard"
RANDOM: Final = "random"
"""No level: plays by chance, for tests."""

LEVELS: Final = (EASY, NORMAL, HARD)
"""Levels offered to players, the weakest first."""
FORMERLY: Final = {"greedy": NORMAL}
"""Names of earlier versions, with their present names."""
NAMES: Final = f"{', '.join(LEVELS[:-1])} and {LEVELS[-1]}"
"""The levels in words."""
KNOWN: Final = frozenset((*LEVELS, RANDOM, *FORMERLY))
"""All names that a server understands."""

SECONDS: Final = 1.0
"""Seconds that a bot may think while people wait for it."""
AT_LEISURE: Final = 10.0
"""Seconds that it may think while players do not wait."""
HOURS: Final = 3600
"""Seconds for one decision from which on players do not wait: they look in every now and then."""


def thinking(pace: Pace) -> float:
    """Return the seconds that a bot may think at a table with those clocks."""
    return AT_LEISURE if by_post(pace) else SECONDS


def by_post(pace: Pace) -> bool:
    """Whether players do not wait at a table with those clocks, but look in every now and then."""
    return pace.run is Run.POST and pace.each >= HOURS


def level(name: str) -> str:
    """Return the present name of a level; an unknown name is returned unchanged."""
    return FORMERLY.get(name, name)


def levels(text: str, seats: int) -> tuple[str, ...]:
    """Parse the levels of `seats` bots: ``"normal,easy"`` for two; a single level goes for all.

    ValueError lists the levels, or the number that is needed.
    """
    names = [level(name.strip().casefold()) for name in text.split(",")]
    for name in names:
        if name not in LEVELS:
            raise ValueError(f"There are no {name!r} bots; there are {NAMES} ones.")
    if len(names) not in (1, seats):
        raise ValueError(f"Levels named: {len(names)}, bots that play: {seats}. Name one for each, or one for all.")
    return tuple(names if len(names) == seats else names * seats)

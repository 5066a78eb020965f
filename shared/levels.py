"""Levels of bots. On the wire a level is a name, so that there can be more of them; this is what we know today."""

from typing import Final

from shared.tables import Pace, Run

EASY: Final = "easy"
NORMAL: Final = "normal"
HARD: Final = "hard"
RANDOM: Final = "random"
"""No level: plays by chance, for tests."""

LEVELS: Final = (EASY, NORMAL, HARD)
"""What players are offered, the weakest first."""
FORMERLY: Final = {"greedy": NORMAL}
"""Names of earlier versions, and what they mean now."""
NAMES: Final = f"{', '.join(LEVELS[:-1])} and {LEVELS[-1]}"
"""In words."""
KNOWN: Final = frozenset((*LEVELS, RANDOM, *FORMERLY))
"""All names that a server understands."""

SECONDS: Final = 1.0
"""What a bot that thinks may take while people wait for it."""
AT_LEISURE: Final = 10.0
"""What it may take where nobody waits."""
HOURS: Final = 3600
"""Seconds for one decision from which on nobody waits: people look in every now and then."""


def thinking(pace: Pace) -> float:
    """Seconds that a bot may think at a table with those clocks."""
    return AT_LEISURE if by_post(pace) else SECONDS


def by_post(pace: Pace) -> bool:
    """Whether nobody sits and waits at a table with those clocks: people look in every now and then."""
    return pace.run is Run.POST and pace.each >= HOURS


def level(name: str) -> str:
    """The present name of a level; one that we do not know is called as it is."""
    return FORMERLY.get(name, name)


def levels(text: str, seats: int) -> tuple[str, ...]:
    """The levels of so many bots as one types them: ``"normal,easy"`` for two; one alone goes for all.

    ValueError says which there are, and how many are needed.
    """
    names = [level(name.strip().casefold()) for name in text.split(",")]
    for name in names:
        if name not in LEVELS:
            raise ValueError(f"There are no {name!r} bots; there are {NAMES} ones.")
    if len(names) not in (1, seats):
        raise ValueError(f"Levels named: {len(names)}, bots that play: {seats}. Name one for each, or one for all.")
    return tuple(names if len(names) == seats else names * seats)

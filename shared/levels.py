"""Levels of bots. On the wire a level is a name, so that more can follow; this module has the known ones."""

import zlib
from typing import Final

from shared.tables import Pace, Run

EASY: Final = "easy"
MODERATE: Final = "moderate"
NORMAL: Final = "normal"
HARD: Final = "hard"
EXPERT: Final = "expert"
RANDOM: Final = "random"
"""No level: plays by chance, for tests."""

LEVELS: Final = (EASY, MODERATE, NORMAL, HARD, EXPERT)
"""Levels offered to players, the weakest first."""
FORMERLY: Final = {"greedy": NORMAL}
"""Names of earlier versions, with their present names."""
SHOWN: Final = (EASY, "medium", "strong", HARD, EXPERT)
"""Names that say which level is harder, in the same order; "moderate" and "normal" do not. Commands accept both."""
BY_NAME: Final = {**FORMERLY, **dict(zip(SHOWN, LEVELS, strict=True))}
NAMES: Final = f"{', '.join(SHOWN[:-1])} and {SHOWN[-1]}"
"""The levels in words."""
KNOWN: Final = frozenset((*LEVELS, RANDOM, *BY_NAME))
"""All names that a server understands."""

BOLD: Final = "bold"
CAREFUL: Final = "careful"
TEMPERS: Final = ("", BOLD, CAREFUL)
"""Tempers; a name such as "bold normal" has one, and without a word the bot is calm."""
TEMPERED: Final = frozenset((EASY, MODERATE, NORMAL))
"""Levels whose bots have tempers; the others compare what each temper would do."""

SECONDS: Final = 1.0
"""Seconds that a hard bot may think about a decision."""
A_ROUND: Final = 1.8
"""Seconds that a hard bot may think about all its decisions of a round."""
A_DECISION: Final = 0.4
"""Share of what is left of them that a single decision may take."""
PATIENCE: Final = 10
"""Times the thinking time of a hard bot that an expert has."""
AT_LEISURE: Final = PATIENCE * SECONDS
"""Seconds that an expert may think."""
SEARCHING: Final = frozenset((HARD, EXPERT))
"""Levels that search, and need their thinking time."""
HOURS: Final = 3600
"""Seconds for one decision from which on players do not wait: they look in every now and then."""


def thinking(name: str, pace: Pace) -> float:
    """Return the seconds that a bot of that level may think at a table with those clocks.

    An expert keeps half of the time that each decision brings, so that its clock never runs out.
    """
    if level(name) != EXPERT:
        return SECONDS
    return max(SECONDS, min(AT_LEISURE, pace.each / 2)) if pace.each else AT_LEISURE


def share(name: str, seconds: float, spent: float) -> float:
    """Return the seconds for a decision after `spent` seconds in the same round; `seconds` at most.

    What a decision leaves goes to the later ones. An expert has the whole time for each: its players do not wait.
    """
    return seconds if level(name) == EXPERT else min(seconds, max(0.0, A_ROUND - spent) * A_DECISION)


def by_post(pace: Pace) -> bool:
    """Whether players do not wait at a table with those clocks, but look in every now and then."""
    return pace.run is Run.POST and pace.each >= HOURS


def level(name: str) -> str:
    """Return the present name of a level; an unknown name is returned unchanged."""
    return BY_NAME.get(name, name)


def shown(name: str) -> str:
    """Return the name by which players know a level."""
    return SHOWN[LEVELS.index(level(name))]


def parted(name: str) -> tuple[str, str]:
    """Return the temper of a bot, "" for a calm one, and the present name of its level; the inverse of `tempered`."""
    temper, _, plain = name.rpartition(" ")
    return (temper, level(plain)) if temper in TEMPERS else ("", level(name))


def tempered(name: str, match: str, seat: int) -> str:
    """Return the level with the temper that its bot has on a seat of a match, or the level alone.

    The temper follows from the arguments, so a bot keeps it for the match and after a restart of the server.
    """
    # Not `hash`, which Python salts anew at each start.
    temper = TEMPERS[zlib.crc32(f"{match}:{seat}".encode()) % len(TEMPERS)]
    return f"{temper} {name}" if temper and level(name) in TEMPERED else name


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

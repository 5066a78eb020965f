"""Options of tables that more than one game has."""

from shared.kernel.ruleset import Option

ON_OFF = (0, 1)
DEALT, CHOSEN, BY_SEAT = 0, 1, 2
"""Values of `HOMES`."""

HOMES = Option(
    "homes",
    "Home provinces",
    "Dealt at random, chosen in a random order, or by seat in the order of play.",
    (DEALT, CHOSEN, BY_SEAT),
    ("dealt", "chosen", "by seat"),
    DEALT,
)
RESIGN = Option(
    "resign",
    "Resigning",
    "A player may leave the match: the pieces leave the board and no player gains from it.",
    ON_OFF,
    ("no", "yes"),
    0,
)
ARABIA = Option(
    "mesopotamia_arabia_adjacent",
    "Mesopotamia touches Arabia Petraea",
    "The printed border there is disputed; normally it does not count.",
    ON_OFF,
    ("no", "yes"),
    0,
)


def round_limit(most: int) -> Option:
    """Return the option of a round limit, 0 (none) to `most`."""
    return Option(
        "round_limit",
        "Round limit (house rule)",
        "Not in the rulebook: after so many rounds the highest tribute wins, then talents, then provinces.",
        tuple(range(most + 1)),
        ("none", *map(str, range(1, most + 1))),
        0,
    )

"""What a table may choose in Classic, and how a position reads it."""

from shared.board import BOARD, land_steps
from shared.ids import Space
from shared.kernel.engine import Option
from shared.rulesets.classic.state import Table

ON_OFF = (0, 1)
MOST_ROUNDS = 1000
OPTIONS = (
    Option(
        "round_limit",
        "Round limit (house rule)",
        "Not in the rulebook: after so many rounds the highest tribute wins, then talents, then provinces.",
        tuple(range(MOST_ROUNDS + 1)),
        ("none", *map(str, range(1, MOST_ROUNDS + 1))),
        0,
    ),
    Option(
        "homes",
        "Home provinces",
        "Dealt at random, chosen in a random order, or by seat in the order of play.",
        (0, 1, 2),
        ("dealt", "chosen", "by seat"),
        0,
    ),
    Option(
        "captured_supply",
        "Buy captured colours",
        "Whoever captures a Caesar may buy from that colour's supply too.",
        ON_OFF,
        ("no", "yes"),
        1,
    ),
    Option(
        "resign",
        "Resigning",
        "A player may leave the match: the pieces leave the board and nobody is rewarded.",
        ON_OFF,
        ("no", "yes"),
        0,
    ),
    Option(
        "mesopotamia_arabia_adjacent",
        "Mesopotamia touches Arabia Petraea",
        "The printed border there is disputed; normally it does not count.",
        ON_OFF,
        ("no", "yes"),
        0,
    ),
)

ROUND_LIMIT, HOMES, CAPTURED_SUPPLY, RESIGN, ARABIA = range(len(OPTIONS))
DEALT, CHOSEN, BY_SEAT = 0, 1, 2

_STEPS = (
    land_steps(True),
    land_steps(True, tuple((a, b) for key, a, b in BOARD.disputed if key == OPTIONS[ARABIA].key)),
)


def steps(table: Table) -> tuple[tuple[Space, ...], ...]:
    """Provinces one step away by land or strait, by province (CL-MAP-01, CL-MAP-02, CL-D22)."""
    return _STEPS[table.options[ARABIA]]

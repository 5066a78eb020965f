"""Options of a table in Classic, and reading them from a position."""

from shared.board import BOARD, land_steps
from shared.ids import Army, Space
from shared.kernel.ruleset import Option
from shared.mechanics.amendments import HasOptions, later_option
from shared.rulesets.classic.table import POOL
from shared.vocabulary import options as words
from shared.vocabulary.options import ON_OFF

MOST_ROUNDS = 1000
OPTIONS = (
    words.round_limit(MOST_ROUNDS),
    words.HOMES,
    Option(
        "captured_supply",
        "Buy captured colours",
        "The captor of a Caesar may buy from that colour's supply too.",
        ON_OFF,
        ("no", "yes"),
        1,
    ),
    words.RESIGN,
    words.ARABIA,
    Option(
        "cleared_shores",
        "Galleys on a conquered shore",
        "A conquest destroys all galleys there that are not the victor's; or only those of players who fought there in "
        "this turn.",
        ON_OFF,
        ("all are destroyed", "only of those who fought"),
        0,
    ),
)

# Indices into the `options` of a position, which travel: their order is part of every recorded match.
ROUND_LIMIT, HOMES, CAPTURED_SUPPLY, RESIGN, ARABIA = range(5)
AMENDED = 5
"""Index of the number of amendments in a position's `options`. Later options follow it; `later_option` reads them."""

CLEARED_SHORES = AMENDED + 1
PRICES = (10, 20, 30, 20, 30, 20, 10)
"""Basic prices by `Ware` (CL-UNIT-01 to -08)."""
DICE_PER_GALLEY = 2
NAVAL_ROUNDS = 3
WALL_DICE = 2
"""Extra dice of a defender behind walls; one less against catapults (CL-BATTLE-09)."""

_STEPS = (
    land_steps(True),
    land_steps(True, tuple((a, b) for key, a, b in BOARD.disputed if key == OPTIONS[ARABIA].key)),
)


def steps(table: HasOptions) -> tuple[tuple[Space, ...], ...]:
    """Return the provinces one step away by land or strait, by province (CL-MAP-01, CL-MAP-02, CL-D22)."""
    return _STEPS[table.options[ARABIA]]


def clears_all(table: HasOptions) -> bool:
    """Whether a conquest destroys the galleys of all others on the shore, not only of those who fought (CL-D16)."""
    return not later_option(table.options, CLEARED_SHORES)


def wall_worth(_table: HasOptions) -> int:
    """Return the extra dice that walls give on this table. Rules, odds and bots all take them from here."""
    return WALL_DICE


def prices(_table: HasOptions) -> tuple[int, int, int, int, int, int, int]:
    """Return the basic prices by `Ware`, in talents."""
    return PRICES


def unit_pool(_table: HasOptions) -> Army:
    """Return the infantry, cavalry and catapults of a colour (CL-COMP-02)."""
    return POOL[:3]


def naval_dice(_table: HasOptions) -> int:
    """Return the dice of a galley in each round of a battle at sea (CL-NAVAL-02)."""
    return DICE_PER_GALLEY


def naval_rounds(_table: HasOptions) -> int:
    """Return the most rounds of a battle at sea (CL-NAVAL-03)."""
    return NAVAL_ROUNDS

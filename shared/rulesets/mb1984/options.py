"""Options of a table in the 1984 game, and reading them from a position."""

from shared.board import BOARD, land_steps
from shared.ids import Army, Space
from shared.kernel.ruleset import Option
from shared.mechanics.amendments import HasOptions, later_option
from shared.mechanics.tribute import INFLATION_MARKS
from shared.vocabulary import options as words
from shared.vocabulary.options import ON_OFF

OPTIONS = (
    words.round_limit(100),
    words.HOMES,
    Option(
        "city_limit",
        "Units in a city",
        "A city leads seven units like any leader, or as many as stand there.",
        ON_OFF,
        ("seven", "no limit"),
        0,
    ),
    Option(
        "galley_leaders",
        "Leaders aboard a galley",
        "Any number of leaders may share a galley, or only one.",
        ON_OFF,
        ("any number", "one"),
        0,
    ),
    Option(
        "enemy_coasts",
        "Galleys on an enemy coast",
        "Only a legion lands on another player's coast; or also, where it is undefended, a galley that is empty or "
        "carries only leaders.",
        ON_OFF,
        ("with a legion", "also where undefended"),
        0,
    ),
    Option(
        "galley_targets",
        "Galleys as targets",
        "A galley is safe while its side has units in the battle, or only while it carries units itself.",
        ON_OFF,
        ("after all units", "after its own units"),
        0,
    ),
    Option(
        "income_cap",
        "End of the tribute scale",
        "Tribute without an upper limit, or at most 260 talents a turn as on the printed scale.",
        ON_OFF,
        ("no limit", "260"),
        0,
    ),
    words.RESIGN,
    words.ARABIA,
    Option(
        "catapults",
        "Catapults (house rule)",
        "Catapults at their printed price; or none are for sale, so that walls alone give an advantage.",
        ON_OFF,
        ("as printed", "not for sale"),
        0,
    ),
    Option(
        "inflation",
        "Inflation (house rule)",
        "Prices double once a tribute reaches 105, and are three times as high at 205; or they never rise.",
        ON_OFF,
        ("as printed", "none"),
        0,
    ),
    Option(
        "captured_caesar",
        "A captured Caesar hands over (house rule)",
        "The captor gets everything; or only what stands where the Caesar fell, and 100 talents. The rest leaves the "
        "game.",
        ON_OFF,
        ("everything, as printed", "only what stands there"),
        0,
    ),
    Option(
        "lone_leaders",
        "Leaders alone where armies meet",
        "A leader without units may join a legion of theirs that already faces an enemy; or may not.",
        ON_OFF,
        ("may join a legion", "must stay away"),
        0,
    ),
    Option(
        "executions",
        "Killing prisoners later",
        "A prisoner who was not killed at once dies in any player's turn; or only in a turn of the captor.",
        ON_OFF,
        ("in any turn", "only in the captor's turns"),
        0,
    ),
)

# Indices into the `options` of a position, which travel: their order is part of every recorded match.
# Indices into the `options` of a position, which travel: their order is part of every recorded match.
ROUND_LIMIT, HOMES, CITY_LIMIT, GALLEY_LEADERS, ENEMY_COASTS, GALLEY_TARGETS, INCOME_CAP, RESIGN, ARABIA = range(9)
AMENDED = 9
"""Index of the number of amendments in a position's `options`. Later options follow it; `later_option` reads them."""
# Options that came after the first amendment stand behind the count of amendments (`shared.mechanics.amendments`).
CATAPULTS, INFLATION, CAPTURED_CAESAR, LONE_LEADERS, EXECUTIONS = range(AMENDED + 1, AMENDED + 6)
POOL = (60, 30, 20)
"""Infantry, cavalry, catapults of all players (MB-COMP-03)."""
PRICES = (10, 25, 40, 25, 30, 25)
"""Basic prices by `Ware` (MB-UNIT-01 to -06); roads are free, and no wares."""
SCALE_END = 260
"""End of the printed scale of tribute, in talents a turn (MB-D46)."""
WALL = 1
"""The worth of a fortified city for its defender (MB-CA-01)."""

_STEPS = (
    land_steps(False),
    land_steps(False, tuple((a, b) for key, a, b in BOARD.disputed if key == OPTIONS[ARABIA].key)),
)


def steps(table: HasOptions) -> tuple[tuple[Space, ...], ...]:
    """Return the provinces one step away by land, by province; the straits are closed (MB-MAP-02, MB-MAP-03,
    MB-D51).
    """
    return _STEPS[table.options[ARABIA]]


def wall_worth(_table: HasOptions) -> int:
    """Return the worth of walls in combat advantage on this table. Rules, odds and bots all take it from here."""
    return WALL


def prices(_table: HasOptions) -> tuple[int, int, int, int, int, int]:
    """Return the basic prices by `Ware`, in talents."""
    return PRICES


def unit_pool(table: HasOptions) -> Army:
    """Return the infantry, cavalry and catapults that all players share (MB-COMP-03); by a house rule no catapults."""
    infantry, cavalry, catapults = POOL
    return infantry, cavalry, 0 if later_option(table.options, CATAPULTS) else catapults


def inflation_marks(table: HasOptions) -> tuple[int, ...]:
    """Return the tributes from which prices rise (MB-INFL-01); by a house rule they never do."""
    return () if later_option(table.options, INFLATION) else INFLATION_MARKS


def leaves_empire(table: HasOptions) -> bool:
    """Whether the captor of a Caesar gets all that the fallen player had (MB-CAESAR-02); not by a house rule."""
    return not later_option(table.options, CAPTURED_CAESAR)


def leaders_join(table: HasOptions) -> bool:
    """Whether leaders without units may join a legion of theirs that faces an enemy (MB-D02)."""
    return not later_option(table.options, LONE_LEADERS)


def killed_in_any_turn(table: HasOptions) -> bool:
    """Whether prisoners may be killed in any player's turn, not only in the captor's (MB-D37)."""
    return not later_option(table.options, EXECUTIONS)


def most_tribute(table: HasOptions, marker: int) -> int:
    """Return the tribute of a turn for a marker, with the end of the scale (MB-D46)."""
    return min(marker, SCALE_END) if table.options[INCOME_CAP] else marker

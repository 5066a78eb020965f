"""Options of a table in the second game, and reading them from a position."""

from typing import Final

from shared.board import BOARD, land_steps
from shared.ids import Space
from shared.kernel.ruleset import Option
from shared.rulesets.cote2.data import DATA
from shared.rulesets.cote2.table import TableFields

_GUESSED = DATA.reconstructed

OPTIONS = (
    Option(
        "seasons",
        "Campaign seasons",
        "Four by the rulebook; five for a longer game.",
        (DATA.seasons, DATA.seasons + 1),
        (str(DATA.seasons), str(DATA.seasons + 1)),
        DATA.seasons,
    ),
    Option(
        "victory",
        "Victory numbers",
        "What most influence in a key province scores at the end of a season, and second most; only the numbers of "
        "Egypt and Neapolis are known for certain.",
        tuple(range(len(_GUESSED.victory))),
        tuple(table.label for table in _GUESSED.victory),
        0,
    ),
    Option(
        "tokens_each",
        "Province tokens of each key province",
        "How often the bank sells influence in each key province; eight times are just enough for six players and five "
        "seasons.",
        _GUESSED.tokens_each,
        tuple(map(str, _GUESSED.tokens_each)),
        _GUESSED.tokens_each[0],
    ),
    Option(
        "influence",
        "Influence tokens of each player",
        "How much influence a player can have at once: twenty tokens, or eighteen and two as markers beside the board.",
        _GUESSED.influence,
        tuple(map(str, _GUESSED.influence)),
        _GUESSED.influence[0],
    ),
    Option(
        "strait_zones",
        "Straits are closed from",
        "A galley of the other alliance closes a strait from the one sea zone of its arrows; or from any zone that "
        "touches both shores.",
        (0, 1),
        ("any zone", "one zone"),
        1,
    ),
    Option(
        "mesopotamia_arabia_adjacent",
        "Mesopotamia touches Arabia Petraea",
        "The printed border there is disputed; normally it does not count.",
        (0, 1),
        ("no", "yes"),
        0,
    ),
    Option(
        "galley_landings",
        "A galley brings ashore",
        "Each galley serves four units in an action, wherever they land; or four for each province where they land.",
        (0, 1),
        ("4 an action", "4 a province"),
        0,
    ),
    Option(
        "zero_chaos",
        "A player without chaos",
        "Having no chaos costs nothing; or it is counted like any other number when the most chaos is looked for.",
        (0, 1),
        ("loses nothing", "is counted"),
        0,
    ),
)

SEASONS, VICTORY, TOKENS_EACH, INFLUENCE, STRAIT_ZONES, ARABIA, LANDINGS, ZERO_CHAOS = range(8)
AMENDED = 8
"""Index of the number of amendments in a position's `options`. Later options follow it; `later_option` reads them."""

CITY_DICE: Final = 1
"""Extra dice of a side that defends its own city (II-BATTLE-05)."""

_LAND: Final = (
    land_steps(False),
    land_steps(False, tuple((a, b) for key, a, b in BOARD.disputed if key == OPTIONS[ARABIA].key)),
)
_STRAIT_KEYS = tuple(_GUESSED.strait_zones)
_STRAIT_SEAS: Final = (
    BOARD.strait_seas,
    tuple((BOARD.space(_GUESSED.strait_zones[key]),) for key in _STRAIT_KEYS),
)
_NUMBERS: Final = tuple(
    {BOARD.space(key): numbers for key, numbers in table.numbers.items()} for table in _GUESSED.victory
)


def land_neighbours(table: TableFields) -> tuple[tuple[Space, ...], ...]:
    """Return the provinces one step away over land, straits not counted, by province."""
    return borders(table.options[ARABIA])


def borders(arabia: int) -> tuple[tuple[Space, ...], ...]:
    """Return the same provinces by the option alone."""
    return _LAND[arabia]


def strait_seas(table: TableFields) -> tuple[tuple[Space, ...], ...]:
    """Return, by strait, the zones from which a galley closes it (II-D30)."""
    return _STRAIT_SEAS[table.options[STRAIT_ZONES]]


def each_landing(table: TableFields) -> bool:
    """Whether a galley serves its units for each province anew (II-D31)."""
    return bool(table.options[LANDINGS])


def city_worth(_table: TableFields) -> int:
    """Return the extra dice of a side that defends its own city. Rules, odds and bots all take them from here."""
    return CITY_DICE


def zero_counts(table: TableFields) -> bool:
    """Whether zero chaos is counted like any other number (II-D55)."""
    return bool(table.options[ZERO_CHAOS])


def victory_numbers(table: TableFields, space: Space) -> tuple[int, ...]:
    """Return the points of the first, the second (and in Italia the third) in a key province (II-TERM-04)."""
    return _NUMBERS[table.options[VICTORY]][space]

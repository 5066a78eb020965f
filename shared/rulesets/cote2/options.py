"""Options of a table in the second game, and reading them from a position."""

from typing import Final

from shared.board import BOARD, land_steps
from shared.ids import Space
from shared.kernel.ruleset import Option
from shared.mechanics.amendments import HasOptions, later_option
from shared.rulesets.cote2.data import DATA

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
    Option(
        "revolts",
        "Where slaves rise",
        "A Slave Revolt needs infantry, cavalry or catapults in its province; or it may break out anywhere.",
        (0, 1),
        ("where troops are", "anywhere"),
        0,
    ),
    Option(
        "caesar_builds",
        "A Caesar builds a city",
        "Build City needs an infantry, cavalry or catapult of yours in the province; or your Caesar is enough.",
        (0, 1),
        ("with troops", "even alone"),
        0,
    ),
    Option(
        "march_on",
        "Marching on after a landing",
        "Units that galleys bring ashore stay there in that action; or they may march on over land, as far as others.",
        (0, 1),
        ("no", "yes"),
        0,
    ),
)

SEASONS, VICTORY, TOKENS_EACH, INFLUENCE, STRAIT_ZONES, ARABIA, LANDINGS, ZERO_CHAOS = range(8)
AMENDED = 8
"""Index of the number of amendments in a position's `options`. Later options follow it; `later_option` reads them."""
REVOLTS, CAESAR_BUILDS, MARCH_ON = range(AMENDED + 1, AMENDED + 4)

PRICES: Final = DATA.prices
"""Infantry, cavalry, catapult, galley, general (II-RECRUIT-01)."""
INFLUENCE_PRICE: Final = DATA.influence_price
RECRUIT_CHAOS: Final = 2
TAX_STEP, TAX_MOST = 5, 25
"""Special tax: in these steps, each for 1 chaos, up to this (II-TAX-01)."""
CAMPAIGN: Final = 4
"""Units that march against the Barbarians (II-D18)."""
TAX: Final = 5
"""Talents for each influence token, twice as many with the city (II-TAXES-01)."""
COIN: Final = 5
"""Smallest coin, and the step of bids (II-D12)."""
PER_GALLEY: Final = 4
"""Military units that one galley brings ashore in one action (II-MOVE-04)."""
DICE: Final = 3
"""Dice of either side in a land battle, however many units it has (II-BATTLE-05)."""
NAVAL_ROUNDS: Final = 3
"""Most rounds of a naval battle (II-NAVAL-04)."""
BATTLE_CHAOS: Final = 2
"""Chaos of the loser of a battle (II-CHAOS-01)."""
CITY_CALM: Final = 3
"""Chaos that each city takes off its owner (II-CHAOS-02)."""
CHAOS_PENALTIES: Final = (-10, -5)
"""Points for the most chaos and for the second most."""
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


def land_neighbours(table: HasOptions) -> tuple[tuple[Space, ...], ...]:
    """Return the provinces one step away over land, straits not counted, by province."""
    return borders(table.options[ARABIA])


def borders(arabia: int) -> tuple[tuple[Space, ...], ...]:
    """Return the same provinces by the option alone."""
    return _LAND[arabia]


def strait_seas(table: HasOptions) -> tuple[tuple[Space, ...], ...]:
    """Return, by strait, the zones from which a galley closes it (II-D30)."""
    return _STRAIT_SEAS[table.options[STRAIT_ZONES]]


def each_landing(table: HasOptions) -> bool:
    """Whether a galley serves its units for each province anew (II-D31)."""
    return bool(table.options[LANDINGS])


def slaves_rise_anywhere(table: HasOptions) -> bool:
    """Whether slaves rise in provinces without troops, too (II-D50)."""
    return bool(later_option(table.options, REVOLTS))


def caesar_builds(table: HasOptions) -> bool:
    """Whether a Caesar without troops may build a city (II-D20)."""
    return bool(later_option(table.options, CAESAR_BUILDS))


def marches_on(table: HasOptions) -> bool:
    """Whether units that landed may march on in the same action (II-D31)."""
    return bool(later_option(table.options, MARCH_ON))


def city_worth(_table: HasOptions) -> int:
    """Return the extra dice of a side that defends its own city. Rules, odds and bots all take them from here."""
    return CITY_DICE


def zero_counts(table: HasOptions) -> bool:
    """Whether zero chaos is counted like any other number (II-D55)."""
    return bool(table.options[ZERO_CHAOS])


def victory_numbers(table: HasOptions, space: Space) -> tuple[int, ...]:
    """Return the points of the first, the second (and in Italia the third) in a key province (II-TERM-04)."""
    return _NUMBERS[table.options[VICTORY]][space]


def prices(_table: HasOptions) -> tuple[int, int, int, int, int]:
    """Return the prices of infantry, cavalry, a catapult, a galley and a general, in talents."""
    return PRICES


def influence_price(_table: HasOptions) -> int:
    """Return the price of an influence token (II-INFL-01)."""
    return INFLUENCE_PRICE


def recruit_chaos(_table: HasOptions) -> int:
    """Return the chaos of an action of recruiting."""
    return RECRUIT_CHAOS


def special_taxes(_table: HasOptions) -> range:
    """Return the sums that a special tax can bring, in rising order; each step costs 1 chaos (II-TAX-01)."""
    return range(TAX_STEP, TAX_MOST + 1, TAX_STEP)


def tax_chaos(table: HasOptions, talents: int) -> int:
    """Return the chaos of a special tax that brings so many talents (II-TAX-01)."""
    return talents // special_taxes(table).step


def campaign_units(_table: HasOptions) -> int:
    """Return the number of units that march against the Barbarians (II-D18)."""
    return CAMPAIGN


def token_tax(_table: HasOptions) -> int:
    """Return the talents of an influence token in taxes, twice as many with the city (II-TAXES-01)."""
    return TAX


def bid_step(_table: HasOptions) -> int:
    """Return the talents by which bids rise (II-D12)."""
    return COIN


def galley_load(_table: HasOptions) -> int:
    """Return the units that a galley serves in an action (II-D31)."""
    return PER_GALLEY


def land_dice_each(_table: HasOptions) -> int:
    """Return the dice of each side in a battle on land, before leaders, cities and cards (II-BATTLE-05)."""
    return DICE


def naval_rounds(_table: HasOptions) -> int:
    """Return the most rounds of a battle at sea (II-NAVAL-04)."""
    return NAVAL_ROUNDS


def battle_chaos(_table: HasOptions) -> int:
    """Return the chaos of the loser of a battle (II-CHAOS-01)."""
    return BATTLE_CHAOS


def city_calm(_table: HasOptions) -> int:
    """Return the chaos that a city takes off at the end of a season (II-CHAOS-02)."""
    return CITY_CALM


def chaos_penalties(_table: HasOptions) -> tuple[int, int]:
    """Return the points for most chaos, and for the second most."""
    return CHAOS_PENALTIES


def rounds_each(_table: HasOptions) -> int:
    """Return the rounds of a season."""
    return DATA.rounds


def actions_each(_table: HasOptions) -> int:
    """Return the actions of a turn."""
    return DATA.actions

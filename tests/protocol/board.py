"""Printed facts of the games by the numbers of the wire: the board; pieces, prices and cards of each rule set.

`python -m tests.protocol.spec_tables` writes it to protocol/board.json.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec.structs import asdict

from shared.board import BOARD
from shared.ids import Space
from shared.mechanics.aimed_shots import CAVALRY_AT_SEA, TO_HIT
from shared.mechanics.battledice import DIE
from shared.mechanics.tribute import CITY_TRIBUTE, INFLATION_MARKS
from shared.rulesets.classic import definition as classic_setup
from shared.rulesets.classic import economy as classic_economy
from shared.rulesets.classic import options as classic_options
from shared.rulesets.classic import table as classic_state
from shared.rulesets.cote2 import options as cote2_options
from shared.rulesets.cote2.data import CARDS, DATA, KEYS, NAMED
from shared.rulesets.mb1984 import definition as setup_1984
from shared.rulesets.mb1984 import options as options_1984
from shared.rulesets.mb1984 import property as property_1984
from shared.rulesets.mb1984 import table as state_1984
from tests.protocol.schema import Json

WARES: Final = ("infantry", "cavalry", "catapults", "galleys", "cities", "fortifications", "roads")
"""In the order of purchases."""
RECRUITS: Final = ("infantry", "cavalry", "catapults", "galleys", "generals")


def _space(space: Space) -> Json:
    found: Json = {"number": space, "key": BOARD.keys[space], "name": BOARD.names[space]}
    if space >= BOARD.provinces:
        return {**found, "kind": "zone", "zones": BOARD.coast_seas[space], "coasts": BOARD.landings[space]}
    return {
        **found,
        "kind": "province",
        "tribute": BOARD.tribute[space],
        "land": BOARD.land[space],
        "coasts": BOARD.coasts[space],
    }


def _coast(position: int) -> Json:
    return {
        "number": position,
        "space": BOARD.ashore[position],
        "name": BOARD.where(position),
        "zones": BOARD.coast_seas[position],
    }


def _straits() -> list[Json]:
    return [
        {"number": number, "joins": joins, "zones": zones}
        for number, (joins, zones) in enumerate(zip(BOARD.straits, BOARD.strait_seas, strict=True))
    ]


def _homes(offer: Mapping[int, Sequence[Space]]) -> dict[str, Sequence[Space]]:
    return {str(seats): offer[seats] for seats in sorted(offer)}


def _named(names: Sequence[str], numbers: Sequence[int]) -> dict[str, int]:
    return dict(zip(names, numbers, strict=False))


def _old(homes: Any, state: Any, prices: Sequence[int]) -> Json:
    """Return the entries that Classic and the game of 1984 have in the same form."""
    return {
        "homes": _homes(homes.HOMES_ON_OFFER),
        "order": homes.ORDER,
        "start": {"infantry": homes.START.infantry, "leaders": state.LEADERS, "built": 2},
        "colour": {"leaders": state.LEADERS, "galleys": state.GALLEYS},
        "common": _named(WARES[4:], (state.CITIES, state.FORTIFICATIONS, state.ROADS)),
        "prices": _named(WARES, prices),
        "city_tribute": CITY_TRIBUTE,
        "inflation_marks": INFLATION_MARKS,
    }


def _classic() -> Json:
    old = _old(classic_setup, classic_state, classic_options.PRICES)
    old["colour"] |= _named(WARES, classic_state.POOL)
    return {
        **old,
        "straits": "open",
        "die": DIE,
        "mesopotamian_yards": classic_economy.MESOPOTAMIAN_YARDS,
    }


def _mb1984() -> Json:
    old = _old(setup_1984, state_1984, (*options_1984.PRICES, 0))
    old["common"] |= _named(WARES, options_1984.POOL)
    return {
        **old,
        "straits": "closed",
        "to_hit": {**_named(WARES, [TO_HIT[kind] for kind in range(4)]), "cavalry_at_sea": CAVALRY_AT_SEA},
        "reward": property_1984.REWARD,
    }


def _cote2() -> Json:
    return {
        "straits": "open unless a galley of the other alliance is in one of the zones",
        "die": DIE,
        "strait_zones": cote2_options._STRAIT_SEAS,
        "keys": KEYS,
        "victory": [{str(space): numbers[space] for space in KEYS} for numbers in cote2_options._NUMBERS],
        "chaos": cote2_options.CHAOS_PENALTIES,
        "city_calm": cote2_options.CITY_CALM,
        "tax": cote2_options.TAX,
        "start": asdict(DATA.start),
        "supply": asdict(DATA.supply),
        "prices": _named(RECRUITS, cote2_options.PRICES),
        "influence_price": DATA.influence_price,
        "cards": [{"number": number, **asdict(card), "places": NAMED[number]} for number, card in enumerate(CARDS)],
    }


def board() -> Json:
    """Return the contents of protocol/board.json."""
    return {
        "provinces": BOARD.provinces,
        "zones": BOARD.spaces - BOARD.provinces,
        "spaces": [_space(space) for space in range(BOARD.spaces)],
        "coasts": [
            _coast(position)
            for position in range(BOARD.positions)
            if not BOARD.is_sea(position) and BOARD.coast_seas[position]
        ],
        "edges": BOARD.edges,
        "straits": _straits(),
        "disputed": [{"option": option, "joins": (a, b)} for option, a, b in BOARD.disputed],
        "rulesets": {"classic": _classic(), "mb1984": _mb1984(), "cote2": _cote2()},
    }

"""Data of the rules for the page to read and describe a match: names and numbers, from the types themselves."""

from typing import Any, Final, get_args

from msgspec import inspect as types

from client.games.classic.game_guide import PHASE_OF_STEP as CLASSIC_PHASES
from client.games.mb1984.game_guide import PHASE_OF_STEP as MB1984_PHASES
from client.games.registry import GUIDES
from shared.board import BOARD
from shared.kernel.ruleset import AnyRuleset
from shared.mechanics.battledice import DIE
from shared.rulesets.cote2.data import CARDS, DATA, KEYS
from shared.rulesets.cote2.options import VICTORY
from shared.rulesets.cote2.stages import SeasonStep
from shared.rulesets.mb1984.options import INFLATION
from shared.rulesets.registry import RULESETS
from shared.tables import BOT_NAMES

_PHASES: Final[dict[str, list[int]]] = {
    "classic": [int(phase) for phase in CLASSIC_PHASES],
    "mb1984": [int(phase) for phase in MB1984_PHASES],
    "cote2": [int(step.phase) for step in SeasonStep],
}


def data() -> dict[str, object]:
    """Return the data for the page."""
    return {
        "names": BOARD.names,
        "tribute": BOARD.tribute,
        "provinces": BOARD.provinces,
        "ashore": BOARD.ashore,
        "coasts": BOARD.coast_names,
        "edges": BOARD.edges,
        "die": DIE,
        "bots": BOT_NAMES,
        "cards": [[card.name, card.text, card.kind, card.cost] for card in CARDS],
        "keys": KEYS,
        "victory": [{str(BOARD.space(key)): numbers for key, numbers in table.numbers.items()}
                    for table in DATA.reconstructed.victory],
        "victory_option": VICTORY,
        "inflation_option": INFLATION,
        "seasons": DATA.seasons,
        "rounds": DATA.rounds,
        "supply": [DATA.supply.infantry, DATA.supply.cavalry, DATA.supply.catapults],
        "games": {key: _game(rules) for key, rules in RULESETS.items()},
    }  # fmt: skip


def _game(rules: AnyRuleset) -> dict[str, object]:
    fields = _fields(rules.view_decoder.type)
    # The types of a decoder name everything that can come, so that the page cannot miss a frame.
    (stack,) = [field.type for field in fields if field.name == "frames"]
    assert isinstance(stack, types.ListType) and isinstance(stack.item_type, types.UnionType)
    frames = [kind.cls for kind in stack.item_type.types if isinstance(kind, types.StructType)]
    return {
        "title": rules.title,
        "name": GUIDES[rules.id].name,
        "leaders": GUIDES[rules.id].look.leaders,
        "phases": _PHASES[rules.id],
        "view": [field.name for field in fields],
        "events": _fields_by_tag(get_args(rules.event_decoder.type)),
        "loud": sorted(kind.__name__ for kind in GUIDES[rules.id].look.loud),
        "frames": _fields_by_tag(frames),
    }


def _fields_by_tag(kinds: Any) -> dict[str, list[str]]:
    """Return name and fields by tag."""
    return {str(kind.__struct_config__.tag): [kind.__name__, *kind.__struct_fields__] for kind in kinds}


def _fields(view: Any) -> tuple[types.Field, ...]:
    info = types.type_info(view)
    assert isinstance(info, types.StructType)
    return info.fields

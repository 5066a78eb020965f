"""The printed facts of the second game: pieces, prices, cards, victory numbers. Read once, never changed."""

from importlib import resources
from typing import Final

import msgspec
from msgspec import Struct

from shared.board import BOARD
from shared.ids import Army, Space


class _Start(Struct):
    army: Army
    generals: int
    galleys: int
    talents: int
    senators: tuple[int, int, int, int]
    influence: int


class _Supply(Struct):
    infantry: int
    cavalry: int
    catapults: int
    galleys: int
    generals: int


class _Victory(Struct):
    label: str
    numbers: dict[str, tuple[int, ...]]


class _Reconstructed(Struct):
    victory: list[_Victory]
    tokens_each: tuple[int, ...]
    influence: tuple[int, ...]
    strait_zones: dict[str, str]


class Card(Struct, frozen=True):
    """A kind of card. kind: how long it stays; act: what it does; gain: the numbers of its effect, by act."""

    key: str
    name: str
    kind: str
    cost: int
    copies: int
    act: str
    places: tuple[str, ...]
    gain: tuple[int, ...]
    text: str

    def spaces(self) -> tuple[Space, ...]:
        """The provinces or the sea zone that it names."""
        return tuple([BOARD.space(key) for key in self.places])


class _File(Struct):
    seasons: int
    rounds: int
    actions: int
    start: _Start
    supply: _Supply
    prices: tuple[int, int, int, int, int]
    influence_price: int
    printed_victory: tuple[str, ...]
    reconstructed: _Reconstructed
    cards: list[Card]


def _load() -> _File:
    raw = resources.files("shared").joinpath("data/cote2.json").read_bytes()
    return msgspec.json.decode(raw, type=_File)


DATA: Final = _load()
CARDS: Final[tuple[Card, ...]] = tuple(DATA.cards)
"""Kinds of cards; a card is known by its place here (II-C-01 is 0, II-C-43 is 42)."""
INDEX: Final[dict[str, int]] = {card.key: i for i, card in enumerate(CARDS)}
NAMED: Final[tuple[tuple[Space, ...], ...]] = tuple([card.spaces() for card in CARDS])
"""The spaces that each kind of card names."""

KEYS: Final[tuple[Space, ...]] = tuple(sorted(BOARD.space(key) for key in DATA.reconstructed.victory[0].numbers))
"""The key provinces (II-TERM-03)."""
KEY_SET: Final = frozenset(KEYS)
ITALIA: Final[Space] = BOARD.space("italia")
NEAPOLIS: Final[Space] = BOARD.space("neapolis")

MULTI_USE, SENATOR, DIPLOMACY, IMMEDIATE, LASTING = "multi_use", "senator", "diplomacy", "immediate", "lasting"
VOTES: Final = tuple([i for i, card in enumerate(CARDS) if card.act == "senate"])
SENATORS: Final = tuple([i for i, card in enumerate(CARDS) if card.act == "senator"])
"""Senator cards, by value from I to IV."""
EMERGENCY_TAX, BREAD, HAIL_CAESAR, NEW_LEGIONS, INFLUENCE_IN_ROME = VOTES
ASSASSIN: Final = INDEX["assassin"]
LOOT: Final = INDEX["loot_the_countryside"]
PIRATES: Final = INDEX["diplomacy_pirates"]
POLITICIAN: Final = INDEX["politician"]
BRIBE: Final = INDEX["bribe_senator"]
REVOLT: Final = INDEX["slave_revolt"]
ARMY_TRAINING: Final = INDEX["army_training"]
NAVAL_TRAINING: Final = INDEX["naval_training"]
WIND: Final = INDEX["favorable_wind"]
TROOPS: Final[dict[Space, int]] = {NAMED[i][0]: i for i, card in enumerate(CARDS) if card.act == "troops"}
"""The diplomacy card that lends troops in a province."""

SEAS: Final[tuple[tuple[Space, ...], ...]] = tuple(
    tuple(s for s in BOARD.neighbours[space] if s >= BOARD.provinces) if space < BOARD.provinces else ()
    for space in range(BOARD.spaces)
)
"""The sea zones adjacent to each province; galleys never stand on a coast here (II-TERM-02)."""
SHORES: Final[tuple[tuple[Space, ...], ...]] = tuple(
    tuple(p for p in range(BOARD.provinces) if space in SEAS[p]) for space in range(BOARD.spaces)
)
"""The provinces adjacent to each sea zone."""

"""The printed facts of the second game: pieces, prices, cards, victory numbers. Read once, never changed."""

from importlib import resources
from typing import Final, Generic, TypeVar

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


T = TypeVar("T")


class ByKind(Struct, Generic[T], frozen=True, kw_only=True):
    """A value for each duration of cards; the list is closed."""

    multi_use: T
    senator: T
    diplomacy: T
    immediate: T
    lasting: T

    def of(self, card: int) -> T:
        """Return the value for a kind of card."""
        found: T = getattr(self, CARDS[card].kind)
        return found


class ByAct(Struct, Generic[T], frozen=True, kw_only=True):
    """A value for each effect of cards; the list is closed, so a table that forgets one does not type-check."""

    merchant: T
    assassin: T
    loot: T
    emergency_tax: T
    bread_and_circuses: T
    hail_caesar: T
    new_legions: T
    influence_in_rome: T
    senator: T
    troops: T
    pirates: T
    fleet: T
    city: T
    barbarians: T
    politician: T
    bribe: T
    revolt: T
    army: T
    navy: T
    wind: T

    def of(self, card: int) -> T:
        """Return the value for a kind of card."""
        found: T = getattr(self, CARDS[card].act)
        return found


class Card(Struct, frozen=True):
    """A kind of card. kind: its duration, a field of `ByKind`; act: its effect, a field of `ByAct`; gain: the numbers
    of its effect, by act.
    """

    key: str
    name: str
    kind: str
    cost: int
    copies: int
    act: str
    places: tuple[str, ...]
    gain: tuple[int, ...]
    text: str

    def __post_init__(self) -> None:
        if self.act not in ByAct.__struct_fields__ or self.kind not in ByKind.__struct_fields__:
            raise ValueError(f"{self.name} is {self.kind} and would {self.act}: no card is and does that")

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

MULTI_USE, SENATOR, DIPLOMACY, IMMEDIATE = "multi_use", "senator", "diplomacy", "immediate"
SENATORS: Final = tuple([i for i, card in enumerate(CARDS) if card.kind == SENATOR])
"""Senator cards, by value from I to IV."""
REVOLT: Final = INDEX["slave_revolt"]
NEW_LEGIONS: Final = INDEX["senate_new_legions"]
INFLUENCE_IN_ROME: Final = INDEX["senate_influence_in_rome"]

SEAS: Final[tuple[tuple[Space, ...], ...]] = tuple(
    tuple(s for s in BOARD.neighbours[space] if s >= BOARD.provinces) if space < BOARD.provinces else ()
    for space in range(BOARD.spaces)
)
"""The sea zones adjacent to each province; galleys never stand on a coast here (II-TERM-02)."""
SHORES: Final[tuple[tuple[Space, ...], ...]] = tuple(
    tuple(p for p in range(BOARD.provinces) if space in SEAS[p]) for space in range(BOARD.spaces)
)
"""The provinces adjacent to each sea zone."""

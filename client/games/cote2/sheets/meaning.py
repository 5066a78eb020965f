"""What cards are called, and who holds which. Pure."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from shared.ids import NONE, Seat
from shared.rulesets.cote2.data import CARDS, ByKind
from shared.rulesets.cote2.state import Table

NUMERALS: Final = ("I", "II", "III", "IV", "V", "VI")


def title(card: int) -> tuple[str, str]:
    """What sort of thing a card is, and its name: "Merchant" and "Egypt"; the first is empty for most."""
    sort, _, name = CARDS[card].name.rpartition(": ")
    return sort, name


class Hand(Struct, frozen=True):
    """What lies before a player. `cards`: kinds, and whether each was used. `senators`: by value, or () where the
    viewer may not know more than their number. `number`: of all senators."""

    seat: Seat
    cards: tuple[tuple[int, bool], ...]
    senators: tuple[int, ...]
    number: int


def hand(table: Table, seat: Seat) -> Hand:
    """The hand of a seat, as far as the position tells it."""
    spent = list(table.used[seat])
    cards = []
    for card in table.cards[seat]:
        used = card in spent
        if used:
            spent.remove(card)
        cards.append((card, used))
    senators = table.senators[seat]
    return Hand(seat, tuple(cards), senators if len(senators) == 4 else (), sum(senators))


def hands(table: Table, viewer: Seat) -> tuple[Hand | None, tuple[Hand, ...]]:
    """The viewer's own hand (None for those who look on), and those of the others, clockwise from him."""
    first = viewer if viewer != NONE else 0
    around = [(first + i) % table.seats for i in range(table.seats)]
    others = tuple([hand(table, seat) for seat in around if seat != viewer])
    return (hand(table, viewer) if viewer != NONE else None), others


def on_offer(table: Table) -> list[tuple[int, int]]:
    """Open cards, kind and number, those of one sort together."""
    open_cards = [(card, number) for card, number in enumerate(table.row) if number]
    kinds = ByKind.__struct_fields__
    return sorted(open_cards, key=lambda entry: (kinds.index(CARDS[entry[0]].kind), entry[0]))


def in_sight(table: Table, viewer: Seat) -> list[int]:
    """Kinds of cards that everybody can see: the open ones, and those before the players, the viewer's own first."""
    mine, others = hands(table, viewer)
    held = [card for hand in ((mine,) if mine is not None else ()) + others for card, _ in hand.cards]
    return [card for card, _ in on_offer(table)] + held

"""Names of cards, and their holders. Pure."""

from typing import Final

from msgspec import Struct

from shared.ids import NONE, Seat
from shared.rulesets.cote2.data import CARDS, ByKind
from shared.rulesets.cote2.state import TableFields

NUMERALS: Final = ("I", "II", "III", "IV", "V", "VI")


def title(card: int) -> tuple[str, str]:
    """Return a card's sort and name: "Merchant" and "Egypt". The sort is empty for most cards."""
    sort, _, name = CARDS[card].name.rpartition(": ")
    return sort, name


class Hand(Struct, frozen=True):
    """Cards and senators of a player.

    `cards`: kinds, and whether each was used. `senators`: by value, or () if the viewer may know only their number.
    `number`: of all senators.
    """

    seat: Seat
    cards: tuple[tuple[int, bool], ...]
    senators: tuple[int, ...]
    number: int


def hand(table: TableFields, seat: Seat) -> Hand:
    """Return the hand of a seat, as far as the position shows it."""
    # A player may have two copies of a card and have used one of them.
    spent = list(table.used[seat])
    cards = []
    for card in table.cards[seat]:
        used = card in spent
        if used:
            spent.remove(card)
        cards.append((card, used))
    senators = table.senators[seat]
    return Hand(seat, tuple(cards), senators if len(senators) == 4 else (), sum(senators))


def hands(table: TableFields, viewer: Seat) -> tuple[Hand | None, tuple[Hand, ...]]:
    """Return the viewer's hand (None for spectators), and the other hands clockwise from the viewer."""
    first = viewer if viewer != NONE else 0
    around = [(first + i) % table.seats for i in range(table.seats)]
    others = tuple([hand(table, seat) for seat in around if seat != viewer])
    return (hand(table, viewer) if viewer != NONE else None), others


def on_offer(table: TableFields) -> list[tuple[int, int]]:
    """Return the open cards as (kind, number), grouped by sort."""
    open_cards = [(card, number) for card, number in enumerate(table.row) if number]
    kinds = ByKind.__struct_fields__
    return sorted(open_cards, key=lambda entry: (kinds.index(CARDS[entry[0]].kind), entry[0]))


def in_sight(table: TableFields, viewer: Seat) -> list[int]:
    """Return all kinds of cards in sight: the open ones, then those of the players, the viewer's own first."""
    mine, others = hands(table, viewer)
    held = [card for hand in ((mine,) if mine is not None else ()) + others for card, _ in hand.cards]
    return [card for card, _ in on_offer(table)] + held

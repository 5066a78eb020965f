"""The ranking of the seats, and the name of a seat."""

from collections.abc import Sequence

from shared.board import BOARD
from shared.ids import NONE, Seat, Space
from shared.kernel.ruleset import Place
from shared.language.sentence import BETWEEN, Sentence, Value, _, listing
from shared.mechanics.armies import enemies_in
from shared.mechanics.pieces import alive
from shared.mechanics.table import Pieces


def prizes(counts: Sequence[int], numbers: Sequence[int]) -> list[int]:
    """Return the prize of each: equal counts get the same prize, the next lower count the next one.

    A count of 0 or less gets none.
    """
    levels = sorted({count for count in counts if count > 0}, reverse=True)
    prize = dict(zip(levels, numbers, strict=False))
    return [prize.get(count, 0) for count in counts]


def shared_ranks(merits: Sequence[tuple[int, ...]]) -> list[int]:
    """Return the rank of each merit, 1 for the greatest. Equal merits share a rank, and the next one counts them: 1, 2,
    2, 4.
    """
    return [1 + sum(other > merit for other in merits) for merit in merits]


def ranking(table: Pieces) -> list[Seat]:
    """Return the seats by tribute, then talents, then provinces. Equal seats stand in the order of play."""
    # There is no order of play before homes are known.
    order = table.order or tuple(range(table.seats))
    # A reversed sort is stable too: equal seats keep the order of play, the last tie-break (CL-H19).
    return sorted(order, key=lambda seat: _sort_key(table, seat), reverse=True)


def _sort_key(table: Pieces, seat: Seat) -> tuple[bool, int, int, int]:
    """Return the sort key of a seat. Eliminated seats are all level: they have nothing left that could rank them."""
    if not alive(table, seat) and seat != table.winner:
        return (False, -1, 0, 0)
    return seat == table.winner, table.marker[seat], table.talents[seat], table.owner.count(seat)


def standings(table: Pieces) -> list[Place]:
    """Return the ranking, each seat with its score in words."""
    seats = ranking(table)
    ranks = shared_ranks([_sort_key(table, seat) for seat in seats])
    return [
        Place(seat, rank, _score(table, seat) if alive(table, seat) else "eliminated")
        for seat, rank in zip(seats, ranks, strict=True)
    ]


def _score(table: Pieces, seat: Seat) -> str:
    tribute, talents, lands = table.marker[seat], table.talents[seat], table.owner.count(seat)
    if lands == 1:
        return f"tribute {tribute}, {talents} talents, 1 province"
    return f"tribute {tribute}, {talents} talents, {lands} provinces"


def names(table: Pieces, seats: Sequence[Seat]) -> Value:
    """Return the names of seats: ``"Egyptus and Italia"``."""
    return listing((seat_name(table, seat) for seat in seats), BETWEEN)


def troops(table: Pieces, seat: Seat, space: Space) -> Sentence:
    """Return the enemies of `seat` with units in a province, in words: ``"Units of Egyptus and Italia"``."""
    return _("Units of {owners}", owners=names(table, enemies_in(table.units[space], seat)))


def seat_name(table: Pieces, seat: Seat) -> str:
    """Return the name of a seat: its home, once it has one."""
    home = table.home[seat]
    return BOARD.names[home] if home != NONE else f"Seat {seat + 1}"

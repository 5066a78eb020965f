"""Open bidding round a table: the next seat to speak, and the end of the bidding."""

from collections.abc import Callable

from shared.ids import NONE, Seat


def next_voice(seats: int, after: Seat, until: Seat, able: Callable[[Seat], bool]) -> Seat:
    """Return the next seat clockwise that is able to speak, NONE once the turn comes back to `until`.

    `until` is the high bidder, or the seat that opened while there is no bid.
    """
    seat = (after + 1) % seats
    while seat != until:
        if able(seat):
            return seat
        seat = (seat + 1) % seats
    return NONE


def raises(high: int, step: int, bid: int) -> bool:
    """Whether a bid is higher, in whole steps; the first bid, above -step, may be 0."""
    return bid > high and bid % step == 0

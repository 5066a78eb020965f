"""Draft of a bid: talents, and the players in the boxes."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from shared.ids import NONE, Seat
from shared.rulesets.cote2.actions import Bid
from shared.rulesets.cote2.alliances import COIN, unallied
from shared.rulesets.cote2.frames import Auction
from shared.rulesets.cote2.table import Table


class Proposal(Struct, frozen=True):
    """Draft of a bid. `boxes`: the seats in A and in B, or NONE."""

    talents: int
    boxes: tuple[Seat, Seat]

    def order(self) -> Bid:
        """Return the bid as an action."""
        return Bid(self.talents, *self.boxes)

    def put(self, seat: Seat, box: int) -> Proposal:
        """Put a marker into a box (-1: beside the boxes). A marker in the way takes its old place."""
        boxes = list(self.boxes)
        before = boxes.index(seat) if seat in boxes else NONE
        if before != NONE:
            boxes[before] = boxes[box] if box != NONE else NONE
        if box != NONE:
            boxes[box] = seat
        return replace(self, boxes=(boxes[0], boxes[1]))

    def swap(self) -> Proposal:
        """Swap the two boxes."""
        return replace(self, boxes=self.boxes[::-1])


def opening(table: Table, frame: Auction) -> Proposal:
    """Return the first draft: the lowest bid that beats the present one, for the same boxes.

    Without a bid, the boxes hold the first two free players, beginning with the seat that bids.
    """
    talents = frame.talents + COIN
    if frame.bidder != NONE:
        return Proposal(talents, (frame.a, frame.b))
    left = sorted(unallied(table), key=lambda seat: (seat - frame.seat) % table.seats)
    return Proposal(talents, (left[0], left[1] if len(left) > 1 else NONE))

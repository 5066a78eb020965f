"""A bid in the making: talents, and who stands in the boxes."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from shared.ids import NONE, Seat
from shared.rulesets.cote2.actions import Bid
from shared.rulesets.cote2.alliances import COIN, unallied
from shared.rulesets.cote2.frames import Auction
from shared.rulesets.cote2.state import Table


class Proposal(Struct, frozen=True):
    """`boxes`: who stands in A and in B, or NONE."""

    talents: int
    boxes: tuple[Seat, Seat]

    def order(self) -> Bid:
        """The action."""
        return Bid(self.talents, *self.boxes)

    def put(self, seat: Seat, box: int) -> Proposal:
        """A marker into a box (-1: beside the boxes); who stood there takes its old place."""
        boxes = list(self.boxes)
        before = boxes.index(seat) if seat in boxes else NONE
        if before != NONE:
            boxes[before] = boxes[box] if box != NONE else NONE
        if box != NONE:
            boxes[box] = seat
        return replace(self, boxes=(boxes[0], boxes[1]))

    def swap(self) -> Proposal:
        """A for B."""
        return replace(self, boxes=self.boxes[::-1])


def opening(table: Table, frame: Auction) -> Proposal:
    """The lowest bid for what lies in the boxes; where nothing does, oneself, if free, with the next free player."""
    talents = frame.talents + COIN
    if frame.bidder != NONE:
        return Proposal(talents, (frame.a, frame.b))
    left = sorted(unallied(table), key=lambda seat: (seat - frame.seat) % table.seats)
    return Proposal(talents, (left[0], left[1] if len(left) > 1 else NONE))

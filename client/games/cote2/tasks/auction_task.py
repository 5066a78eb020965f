"""The alliance auctions: talents, and two markers in the proposal boxes."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from client.drawing.widgets import ButtonKind
from client.games.cote2.game_desk import Desk
from client.games.cote2.player_text import SIDES, boxes_words
from client.games.cote2.tasks.task_base import Decision
from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.language import _
from client.table.action_bar import ActionBar, BarButton
from client.table.form_task import Steps
from client.table.words import talents_words
from shared.ids import NONE, Seat
from shared.kernel.frames import Action
from shared.rulesets.cote2.actions import Bid, Pass
from shared.rulesets.cote2.alliances import unallied
from shared.rulesets.cote2.frames import Auction
from shared.rulesets.cote2.options import bid_step
from shared.rulesets.cote2.state import TableFields


class Proposal(Struct, frozen=True):
    """Draft of a bid. `boxes`: the seats in A and in B, or NONE."""

    talents: int
    boxes: tuple[Seat, Seat]

    def order(self) -> Bid:
        """Return the bid as an action."""
        return Bid(self.talents, *self.boxes)

    def put(self, seat: Seat, box: int) -> "Proposal":
        """Put a marker into a box (-1: beside the boxes). A marker in the way takes its old place."""
        boxes = list(self.boxes)
        before = boxes.index(seat) if seat in boxes else NONE
        if before != NONE:
            boxes[before] = boxes[box] if box != NONE else NONE
        if box != NONE:
            boxes[box] = seat
        return replace(self, boxes=(boxes[0], boxes[1]))

    def swap(self) -> "Proposal":
        """Swap the two boxes."""
        return replace(self, boxes=self.boxes[::-1])


def opening(table: TableFields, frame: Auction) -> Proposal:
    """Return the first draft: the lowest bid that beats the present one, for the same boxes.

    Without a bid, the boxes hold the first two free players, beginning with the seat that bids.
    """
    talents = frame.talents + bid_step(table)
    if frame.bidder != NONE:
        return Proposal(talents, (frame.a, frame.b))
    # A modulus of a negative number counts on from the end: the seat that bids is first, then those after it.
    left = sorted(unallied(table), key=lambda seat: (seat - frame.seat) % table.seats)
    return Proposal(talents, (left[0], left[1] if len(left) > 1 else NONE))


_BESIDE: Final = -1
_BOX: Final = 18.0
"""Design width by which a box exceeds a marker, for the letter of the box."""


class Auctioning(Decision):
    """Bid in an alliance auction. It meets `Bidding`."""

    def __init__(self, desk: Desk, frame: Auction) -> None:
        super().__init__(desk)
        self._frame = frame
        self.steps = Steps(opening(self.table, frame))

    def renew(self) -> None:
        """Restart the draft from the present boxes if another bid came in between."""
        frame = self.table.frames[-1]
        # A draft for an auction that did not change is kept: other events renew the task, too.
        if isinstance(frame, Auction) and frame != self._frame:
            self._frame = frame
            self.steps = Steps(opening(self.table, frame))

    # Interface for the sheets over the board (see `Bidding`)

    @property
    def talents(self) -> int:
        """Talents of the bid in the making."""
        return self.steps.now.talents

    @property
    def boxes(self) -> tuple[Seat, Seat]:
        """Seats in the boxes of the bid in the making, or NONE."""
        return self.steps.now.boxes

    def free(self) -> tuple[Seat, ...]:
        """Return the players who can be proposed and stand in no box yet."""
        return tuple([seat for seat in unallied(self.table) if seat not in self.boxes])

    def idle(self) -> bool:
        """Whether another player already leads with the same boxes. Passing then costs nothing."""
        frame = self._frame
        return frame.bidder not in (NONE, self.desk.seat) and self.boxes == (frame.a, frame.b)

    def put(self, seat: Seat, box: int) -> None:
        """Put a player's marker into a box, or with -1 back beside the boxes. A marker in the way makes room."""
        if seat in unallied(self.table):
            self._take(self.steps.now.put(seat, box))

    def raise_by(self, talents: int) -> None:
        """Raise the bid by so many talents; negative lowers it."""
        now = self.steps.now
        self._take(Proposal(max(0, now.talents + talents), now.boxes))

    def _take(self, proposal: Proposal) -> bool:
        self.forget_question()
        self.steps.put(proposal)
        self.desk.changed()
        return True

    # Display

    def line(self) -> str:
        frame, order = self._frame, self.steps.now.order()
        if self.idle():
            return _("The same as {who} proposes: it costs you nothing to pass.", who=self.desk.who(frame.bidder))
        return self.why_not(order) or self._offer(boxes_words(self.boxes, self.desk.seat, self.desk.who))

    def _offer(self, proposed: str) -> str:
        """Return the leading bid and the own bid in the making, in words."""
        frame, talents = self._frame, talents_words(self.talents)
        if frame.bidder == NONE:
            return _("You open. You offer {talents}: {proposed}.", talents=talents, proposed=proposed)
        who = self.desk.who(frame.bidder)
        return _(
            "{who} offers {high}. You offer {talents}: {proposed}.",
            who=who,
            high=frame.talents,
            talents=talents,
            proposed=proposed,
        )

    def build(self, action_bar: ActionBar) -> None:
        free = self.free()
        width = action_bar.room_for(4 + len(free), 96)
        for box, seat in enumerate(self.boxes):
            tip = _(
                "Box {box}: the player here joins alliance {box} if you win. Click to clear it.",
                box=SIDES[box],
            )
            name, clear = SIDES[box], partial(self.put, seat, _BESIDE)
            if seat == NONE:
                action_bar.figure("die_blank", _("Box {box}", box=name), False, clear, width=width + _BOX, tip=tip)
            else:
                action_bar.figure(
                    f"marker_{seat}", f"{name}: {self.name(seat)}", True, clear, width=width + _BOX, tip=tip
                )
        action_bar.gap()
        for seat in free:
            tip = _("Click to put this player into the empty box, or into B.")
            action_bar.figure(
                f"marker_{seat}", self.name(seat), False, partial(self._place, seat), width=width, tip=tip
            )
        action_bar.gap()
        money = self.table.talents[self.desk.seat]
        action_bar.stepper(
            "coin5",
            self.talents,
            _("of {money}", money=money),
            lambda by: self.raise_by(by * bid_step(self.table)),
            more=self.talents + bid_step(self.table) <= money,
            width=width + 10,
            tip=_("What you offer. Only the winner of the auction pays."),
        )

    def _place(self, seat: Seat) -> None:
        self.put(seat, 0 if self.boxes[0] == NONE else 1)

    def buttons(self) -> Sequence[BarButton]:
        idle, why = self._should_pass(), self.why_not(self.steps.now.order())
        kind: ButtonKind = "plain" if idle else "primary"
        found = [
            BarButton(
                _("Bid {talents}", talents=talents_words(self.talents)),
                self._bid,
                kind,
                why or ("" if idle else told(Command.CONFIRM)),
                not why,
            )
        ]
        if self.ending() is not None:
            key = told(Command.CONFIRM if idle else Command.END)
            tip = _("{key}. You may bid again later, while the auction lasts.", key=key)
            found.append(BarButton(_("Pass"), self.end, "primary" if idle else "plain", tip))
        tip = _(
            "Allies do not fight each other. The player in A acts before the player in B. ({key})",
            key=told(Command.NEXT_PIECE),
        )
        return [*found, BarButton(_("Swap A and B"), self.next, "quiet", tip)]

    # Actions

    def confirm(self) -> bool:
        """Pass where a bid would only raise the price, else make the bid."""
        return self.end() if self._should_pass() else self._bid()

    def _should_pass(self) -> bool:
        return self.idle() and self.ending() is not None

    def _bid(self) -> bool:
        return self.desk.act(self.steps.now.order())

    def next(self) -> bool:
        return self._take(self.steps.now.swap())

    def undo(self) -> bool:
        was_asking = self.forget_question()
        undone = self.steps.undo()
        self.desk.changed()
        return undone or was_asking

    def ending(self) -> Action | None:
        return Pass() if self.desk.check(Pass()) is None else None

"""Bargains for captured generals: making one, and answering one."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias

from client.games.conquest.position_queries import held, leader_colour
from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.language import _, say
from client.table.action_bar import ActionBar, BarButton
from client.table.desk import Check, Desk
from client.table.task import Task
from client.table.words import talents_words
from shared.ids import NONE, Leader, Seat
from shared.kernel.frames import Action
from shared.mechanics.pieces import living
from shared.refusal import Refusal
from shared.rulesets.conquest.table import TableFields
from shared.sentences.conquest import bargain_words
from shared.vocabulary.actions import Answer, Offer
from shared.vocabulary.events import Offered
from shared.vocabulary.frames import Bargain

Make: TypeAlias = Callable[[Seat, int, tuple[Leader, ...], int, tuple[Leader, ...]], Action]


class Proposal:
    """Draft of a bargain: talents one way, captured generals both ways.

    `make`: the action, from its receiver, the talents paid, the generals given, the talents wanted, the generals taken.
    `only`: the only possible partner, or NONE.
    """

    STEP = 5

    def __init__(self, table: TableFields, seat: Seat, check: Check, make: Make = Offer, only: Seat = NONE) -> None:
        self.table = table
        self.seat = seat
        self._check = check
        self._make = make
        self._only = only
        self.to: Seat = next(iter(self.partners()), NONE)
        self.talents = 0
        """Talents that the proposer pays; negative: talents that they want."""
        self.gives: tuple[Leader, ...] = ()
        self.takes: tuple[Leader, ...] = ()

    def partners(self) -> list[Seat]:
        """Return the players who hold my generals, or whose generals I hold."""
        others = [s for s in living(self.table) if s != self.seat and self._only in (NONE, s)]
        return [s for s in others if self.mine_held_by(s) or self.captives_of(s)]

    def mine_held_by(self, other: Seat) -> tuple[Leader, ...]:
        """Return my generals that the other player holds."""
        return held(self.table, other, self.seat)

    def captives_of(self, other: Seat) -> tuple[Leader, ...]:
        """Return the other player's generals that I hold."""
        return held(self.table, self.seat, other)

    def choose(self, to: Seat) -> None:
        """Choose the partner. A new partner starts an empty bargain."""
        if to != self.to:
            self.to, self.gives, self.takes, self.talents = to, (), (), 0

    def toggle(self, leader: Leader) -> None:
        """Add a general to the bargain, or remove it."""
        self.gives = _toggled(self.gives, leader, self.captives_of(self.to))
        self.takes = _toggled(self.takes, leader, self.mine_held_by(self.to))

    def pay(self, more: int) -> None:
        """Offer more talents; a negative sum is demanded. Both are limited to what the payer has."""
        least, most = self.limits
        self.talents = min(most, max(least, self.talents + more))

    @property
    def limits(self) -> tuple[int, int]:
        """The least and the most that the proposer can pay; below zero the partner pays."""
        return -self.table.talents[self.to], self.table.talents[self.seat]

    @property
    def sells(self) -> bool:
        """Whether there is only something to sell to this partner, and nothing to buy."""
        return not self.mine_held_by(self.to)

    @property
    def terms(self) -> Offered:
        """The terms, in the form of the event that tells of them."""
        pays, wants = max(0, self.talents), max(0, -self.talents)
        return Offered(self.seat, self.to, pays, self.gives, wants, self.takes)

    def offer(self) -> Action:
        """Return the bargain as an action."""
        terms = self.terms
        return self._make(terms.to, terms.pays, terms.gives, terms.wants, terms.takes)

    def refusal(self) -> Refusal | None:
        """Return why it cannot be proposed, or None."""
        return self._check(self.offer())


def _toggled(chosen: tuple[int, ...], piece: int, pieces: Sequence[int]) -> tuple[int, ...]:
    if piece in chosen:
        return tuple(x for x in chosen if x != piece)
    return (*chosen, piece) if piece in pieces else chosen


class Bargaining:
    """Form for a bargain. `make`, `only`: as in `Proposal`."""

    def __init__(self, desk: Desk[TableFields], make: Make = Offer, only: Seat = NONE) -> None:
        self.desk = desk
        self.proposal = Proposal(desk.table, desk.seat, desk.check, make, only)

    def line(self) -> str:
        """Return the refusal of the bargain, or say its terms in one line."""
        refusal = self.proposal.refusal()
        if refusal is not None:
            return say(refusal.sentence)
        terms = self.proposal.terms
        return _(
            "To {who}: {bargain}.",
            who=self.desk.who(terms.to),
            bargain=say(bargain_words(terms, self.desk.table.leaders_each)),
        )

    def build(self, action_bar: ActionBar) -> None:
        """Add the partners, both players' generals, and the talents to the action bar."""
        self._partners(action_bar)
        action_bar.gap()
        to = self.proposal.to
        for leader in self.proposal.mine_held_by(to):
            on = leader in self.proposal.takes
            self._general(
                action_bar, leader, on, _("returns") if on else _("yours"), _("Your general, held by the other player")
            )
        for leader in self.proposal.captives_of(to):
            on = leader in self.proposal.gives
            self._general(
                action_bar,
                leader,
                on,
                _("goes free") if on else _("held"),
                _("The other player's general, held by you"),
            )
        action_bar.gap()
        self._talents(action_bar)

    def _partners(self, action_bar: ActionBar) -> None:
        tip = _("Bargain with this player")
        for seat in self.proposal.partners():
            on, choose = seat == self.proposal.to, partial(self._choose, seat)
            action_bar.figure(f"marker_{seat}", self.desk.who(seat), on, choose, width=76, tip=tip)

    def _general(self, action_bar: ActionBar, leader: Leader, on: bool, caption: str, tip: str) -> None:
        picture = f"general_{leader_colour(self.desk.table, leader)}"
        action_bar.figure(picture, caption, on, partial(self._toggle, leader), width=78, tip=tip)

    def _talents(self, action_bar: ActionBar) -> None:
        pays, (least, most), sells = self.proposal.talents, self.proposal.limits, self.proposal.sells
        caption = _("you want") if pays < 0 or (sells and not pays) else _("you pay")
        if sells:
            tip = _("Plus: you want more talents. Minus: fewer, and below zero you pay.")
        else:
            tip = _("Plus: you pay more. Minus: less, and below zero you want talents for it.")
        more, less = pays < most, pays > least
        action_bar.stepper("coin10", abs(pays), caption, self._pay, width=96, more=less if sells else more,
                           less=more if sells else less, tip=f"{tip}\n{self._purses()}")  # fmt: skip

    def _purses(self) -> str:
        """Return what both sides could pay."""
        who, (least, most) = self.desk.who(self.proposal.to), self.proposal.limits
        return _("You have {mine}, {who} has {theirs}.", mine=talents_words(most), who=who,
                 theirs=talents_words(-least))  # fmt: skip

    def buttons(self, back: Callable[[], object]) -> Sequence[BarButton]:
        """Return the buttons that propose the bargain or go back."""
        legal = self.proposal.refusal() is None
        return (
            BarButton(_("Propose it"), self.propose, "primary", told(Command.CONFIRM), legal),
            BarButton(_("No bargain"), back, "quiet", told(Command.BACK)),
        )

    def propose(self) -> bool:
        """Send the proposal to the partner."""
        return self.desk.act(self.proposal.offer())

    def _choose(self, seat: int) -> None:
        self.proposal.choose(seat)
        self.desk.changed()

    def _toggle(self, leader: int) -> None:
        self.proposal.toggle(leader)
        self.desk.changed()

    def _pay(self, by: int) -> None:
        before = self.proposal.talents
        self.proposal.pay(by * self.proposal.STEP * (-1 if self.proposal.sells else 1))
        if self.proposal.talents == before:
            self.desk.toast(self._purses())
        self.desk.changed()


class Answering(Task[TableFields]):
    """Answer to a bargain that was offered to this seat."""

    def __init__(self, desk: Desk[TableFields], frame: Bargain) -> None:
        super().__init__(desk)
        self._frame = frame

    def line(self) -> str:
        frame = self._frame
        terms = Offered(frame.proposer, frame.seat, frame.pays, frame.gives, frame.wants, frame.takes)
        return _(
            "{who} offers {bargain}.",
            who=self.desk.who(frame.proposer),
            bargain=say(bargain_words(terms, self.desk.table.leaders_each)),
        )

    def build(self, action_bar: ActionBar) -> None:
        frame = self._frame
        for leader in frame.gives:
            self._general(action_bar, leader, True, _("to you"), _("Comes home to you"))
        for leader in frame.takes:
            self._general(action_bar, leader, False, _("from you"), _("You let this general go"))
        talents = frame.pays - frame.wants
        if talents:
            words = (
                _("You get {talents}.", talents=talents_words(talents))
                if talents > 0
                else _("You pay {talents}.", talents=talents_words(-talents))
            )
            action_bar.gap()
            action_bar.note(words, 260)

    def _general(self, action_bar: ActionBar, leader: Leader, on: bool, caption: str, tip: str) -> None:
        picture = f"general_{leader_colour(self.desk.table, leader)}"
        action_bar.figure(picture, caption, on, _nothing, width=78, tip=tip)

    def buttons(self) -> Sequence[BarButton]:
        return (
            BarButton(_("Accept"), lambda: self.answer(True), "primary", "Y"),
            BarButton(_("Decline"), lambda: self.answer(False), "plain", "N"),
        )

    def answer(self, yes: bool) -> bool:
        return self.desk.act(Answer(yes))


def _nothing() -> None:
    """Do nothing: the piece is only shown."""

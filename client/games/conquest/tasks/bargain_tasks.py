"""Bargains for captured generals: making one, and answering one."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from msgspec.structs import replace

from client.games.conquest.position_queries import leader_colour
from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.language import _, say
from client.table.action_bar import ActionBar, BarButton
from client.table.desk import Desk
from client.table.form_task import Cell, FormTask, Look
from client.table.task import Task
from client.table.words import talents_words
from shared.actions.description import Form
from shared.ids import NONE, Leader, Seat
from shared.kernel.frames import Action
from shared.rulesets.conquest.table import TableFields
from shared.sentences.conquest import bargain_words
from shared.vocabulary.actions import Answer, Offer
from shared.vocabulary.events import Offered
from shared.vocabulary.frames import Bargain

_STEP: Final = 5
"""Talents by which a click changes the sum."""


def partners(desk: Desk[TableFields], kind: type[Action] = Offer, only: Seat = NONE) -> dict[Seat, Form]:
    """Return the form of a bargain with each player who holds generals of this seat, or whose generals it holds.

    `kind`: `Offer`, or an action with its fields. `only`: the only possible partner, or NONE.
    """
    forms = {form.fields[0].options[0].value: form for form in desk.forms(kind)}
    return {seat: form for seat, form in forms.items() if seat != NONE and only in (NONE, seat)}


class Bargaining(FormTask[TableFields, Any]):
    """Bargain for captured generals: they go both ways, talents one way.

    `back`: called to do without a bargain. `kind`, `only`: as in `partners`.
    """

    verb = _("Propose it")

    def __init__(
        self, desk: Desk[TableFields], back: Callable[[], object], kind: type[Action] = Offer, only: Seat = NONE
    ) -> None:
        self._back = back
        self._kind = kind
        self._partners = partners(desk, kind, only)
        to, form = next(iter(self._partners.items()))
        super().__init__(desk, kind, form, kind(to))

    def begin(self, form: Form, first: Any) -> None:
        super().begin(form, first)
        generals = [cell for cell in self.cells if cell.field.name in ("gives", "takes")]
        # Own generals (`takes`) before those of the partner (`gives`).
        self.cells = sorted(generals, key=lambda cell: cell.field.name, reverse=True)

    def choose(self, to: Seat) -> None:
        """Choose the partner. A new partner starts an empty bargain."""
        if to != self.draft.to:
            self.begin(self._partners[to], self._kind(to))
        self.desk.changed()

    @property
    def talents(self) -> int:
        """Talents that the proposer pays; negative: talents that they want."""
        pays, wants = self.draft.pays, self.draft.wants
        return int(pays - wants)

    @property
    def limits(self) -> tuple[int, int]:
        """The least and the most that the proposer can pay; below zero the partner pays."""
        return -self.desk.table.talents[self.draft.to], self.desk.table.talents[self.desk.seat]

    @property
    def sells(self) -> bool:
        """Whether there is only something to sell to this partner, and nothing to buy."""
        return not any(cell.field.name == "takes" for cell in self.cells)

    def pay(self, by: int) -> None:
        """Offer more talents by so many steps; a negative sum is demanded. Each side can pay what it has."""
        least, most = self.limits
        talents = min(most, max(least, self.talents + by * _STEP))
        if talents == self.talents:
            self.desk.toast(self._purse_words())
        self.put(replace(self.draft, pays=max(0, talents), wants=max(0, -talents)))

    def line(self) -> str:
        refusal, draft = self.desk.check(self.draft), self.draft
        if refusal is not None:
            return say(refusal.sentence)
        terms = Offered(self.desk.seat, draft.to, draft.pays, draft.gives, draft.wants, draft.takes)
        bargain = say(bargain_words(terms, self.desk.table.leaders_each))
        return _("To {who}: {bargain}.", who=self.desk.who(draft.to), bargain=bargain)

    def look(self, cell: Cell) -> Look:
        on, picture = self.count(cell), f"general_{leader_colour(self.desk.table, cell.options[0])}"
        if cell.field.name == "takes":
            caption = _("returns") if on else _("yours")
            return Look(picture, caption, _("Your general, held by the other player"))
        return Look(picture, _("goes free") if on else _("held"), _("The other player's general, held by you"))

    def build(self, action_bar: ActionBar) -> None:
        tip = _("Bargain with this player")
        for seat in self._partners:
            on, choose = seat == self.draft.to, partial(self.choose, seat)
            action_bar.figure(f"marker_{seat}", self.desk.who(seat), on, choose, width=76, tip=tip)
        action_bar.gap()
        for cell in self.cells:
            self.show(action_bar, cell, self.look(cell), 78)
        action_bar.gap()
        pays, (least, most), sells = self.talents, self.limits, self.sells
        caption = _("you want") if pays < 0 or (sells and not pays) else _("you pay")
        if sells:
            tip = _("Plus: you want more talents. Minus: fewer, and below zero you pay.")
        else:
            tip = _("Plus: you pay more. Minus: less, and below zero you want talents for it.")
        ends = pays < most, pays > least
        less, more = ends if sells else ends[::-1]
        step = partial(self._step, -1 if sells else 1)
        action_bar.stepper("coin10", abs(pays), caption, step, width=96, more=more, less=less,
                           tip=f"{tip}\n{self._purse_words()}")  # fmt: skip

    def _step(self, sign: int, by: int) -> None:
        self.pay(sign * by)

    def _purse_words(self) -> str:
        """Return what both sides could pay."""
        who, (least, most) = self.desk.who(self.draft.to), self.limits
        return _("You have {mine}, {who} has {theirs}.", mine=talents_words(most), who=who,
                 theirs=talents_words(-least))  # fmt: skip

    def action(self) -> Any:
        return self.draft if self.desk.check(self.draft) is None else None

    def buttons(self) -> Sequence[BarButton]:
        return *super().buttons(), BarButton(_("No bargain"), self._back, "quiet", told(Command.BACK))


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

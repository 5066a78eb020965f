"""Bargains for captured generals: making one, and answering one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from client.games.conquest.drafts.proposal import Make, Proposal
from client.games.conquest.position import Table, each, leader_colour
from client.games.conquest.tale import bargain_words
from client.table.desk import Desk
from client.table.task import Task
from client.table.tray import Choice, Tray
from shared.ids import NONE, Seat
from shared.vocabulary.actions import Answer, Offer
from shared.vocabulary.events import Offered
from shared.vocabulary.frames import Bargain


class Bargaining:
    """An offer in the making. `make`, `only`: as in `Proposal`."""

    def __init__(self, desk: Desk[Table], make: Make = Offer, only: Seat = NONE) -> None:
        self.desk = desk
        self.proposal = Proposal(desk.table, desk.seat, desk.check, make, only)

    def line(self) -> str:
        refusal = self.proposal.refusal()
        if refusal is not None:
            return refusal.text
        terms = self.proposal.terms
        return f"To {self.desk.who(terms.to)}: {bargain_words(terms, each(self.desk.table))}."

    def build(self, tray: Tray) -> None:
        """Partners, the generals of both, and talents."""
        proposal = self.proposal
        for seat in proposal.partners():
            tray.figure(
                f"marker_{seat}",
                self.desk.who(seat),
                seat == proposal.to,
                partial(self._choose, seat),
                width=76,
                tip="Bargain with this player",
            )
        tray.gap()
        for leader in proposal.mine_held_by(proposal.to):
            on = leader in proposal.takes
            tray.figure(
                f"general_{leader_colour(self.desk.table, leader)}",
                "returns" if on else "yours",
                on,
                partial(self._toggle, leader),
                width=78,
                tip="Your general, held by him",
            )
        for leader in proposal.theirs_held(proposal.to):
            on = leader in proposal.gives
            tray.figure(
                f"general_{leader_colour(self.desk.table, leader)}",
                "goes free" if on else "held",
                on,
                partial(self._toggle, leader),
                width=78,
                tip="His general, held by you",
            )
        tray.gap()
        pays = proposal.talents
        caption = "I pay" if pays >= 0 else "I want"
        tray.stepper(
            "coin10",
            abs(pays),
            caption,
            lambda by: self._pay(by * proposal.STEP),
            width=96,
            less=True,
            tip="Plus pays more; minus, below zero, demands talents from him.",
        )

    def buttons(self, back: Callable[[], object]) -> Sequence[Choice]:
        """Propose, or think again."""
        legal = self.proposal.refusal() is None
        return (
            Choice("Propose it", self.propose, "primary", "Enter", legal),
            Choice("No bargain", back, "quiet", "Esc"),
        )

    def propose(self) -> bool:
        """Ask the partner."""
        return self.desk.act(self.proposal.offer())

    def _choose(self, seat: int) -> None:
        self.proposal.choose(seat)
        self.desk.changed()

    def _toggle(self, leader: int) -> None:
        self.proposal.toggle(leader)
        self.desk.changed()

    def _pay(self, more: int) -> None:
        self.proposal.pay(more)
        self.desk.changed()


class Answering(Task[Table]):
    """A bargain was offered to this seat."""

    def __init__(self, desk: Desk[Table], frame: Bargain) -> None:
        super().__init__(desk)
        self._frame = frame

    def line(self) -> str:
        frame = self._frame
        terms = Offered(frame.proposer, frame.seat, frame.pays, frame.gives, frame.wants, frame.takes)
        return f"{self.desk.who(frame.proposer)} offers {bargain_words(terms, each(self.desk.table))}."

    def build(self, tray: Tray) -> None:
        frame = self._frame
        for leader in frame.gives:
            tray.figure(
                f"general_{leader_colour(self.desk.table, leader)}",
                "to you",
                True,
                _nothing,
                width=78,
                tip="Comes home to you",
            )
        for leader in frame.takes:
            tray.figure(
                f"general_{leader_colour(self.desk.table, leader)}",
                "from you",
                False,
                _nothing,
                width=78,
                tip="You let him go",
            )
        talents = frame.pays - frame.wants
        if talents:
            words = f"You get {talents} talents." if talents > 0 else f"You pay {-talents} talents."
            tray.gap()
            tray.note(words, 260)

    def buttons(self) -> Sequence[Choice]:
        return (
            Choice("Accept", lambda: self.answer(True), "primary", "Y"),
            Choice("Decline", lambda: self.answer(False), "plain", "N"),
        )

    def answer(self, yes: bool) -> bool:
        return self.desk.act(Answer(yes))


def _nothing() -> None:
    """A piece that is only shown."""

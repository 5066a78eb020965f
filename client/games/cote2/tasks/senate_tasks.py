"""Senate votes, and the new legions that one of them brings."""

from collections.abc import Sequence
from functools import partial
from itertools import product

from client.games.cote2.game_desk import Desk
from client.games.cote2.sheet_interfaces import Votes
from client.games.cote2.sheets.card_names import NUMERALS
from client.games.cote2.tasks.task_base import Decision, Deed, OfferedAction, Picking, remark
from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.language import _, ngettext
from client.table.action_bar import ActionBar, BarButton
from client.table.form_task import Steps
from shared.board import BOARD
from shared.ids import NONE
from shared.kernel.frames import Action
from shared.mechanics.heaps import without
from shared.mechanics.vote import weight
from shared.rulesets.cote2.actions import Assemble, Pass, Show
from shared.rulesets.cote2.data import NAMED, NEW_LEGIONS
from shared.rulesets.cote2.frames import Muster, Vote
from shared.rulesets.cote2.senate import NO_SENATORS, high


class SenateVoting(Decision):
    """Choice of senators for a vote. It meets `Voting`."""

    def __init__(self, desk: Desk, frame: Vote) -> None:
        super().__init__(desk)
        self._frame = frame
        self.steps: Steps[Votes] = Steps(NO_SENATORS)

    def renew(self) -> None:
        frame = self.table.frames[-1]
        # What is chosen for a show stays until a show or a pass changes the vote.
        if isinstance(frame, Vote) and frame != self._frame:
            self._frame = frame
            self.steps = Steps(NO_SENATORS)

    @property
    def chosen(self) -> Votes:
        """Senators to be shown in addition."""
        return self.steps.now

    def hidden(self) -> tuple[int, ...]:
        """Return the own senators that are not shown yet, by value."""
        return without(self.table.senators[self.desk.seat], self._frame.shown[self.desk.seat])

    def add(self, value: int, by: int) -> None:
        """Show `by` more (or fewer) senators of a value, 0 for I to 3 for IV."""
        counts = list(self.chosen)
        counts[value] = max(0, min(self.hidden()[value], counts[value] + by))
        self.steps.put((counts[0], counts[1], counts[2], counts[3]))
        self.forget_question()
        self.desk.changed()

    @property
    def votes(self) -> int:
        """Own votes, including those of the chosen senators."""
        return weight(self._frame.shown[self.desk.seat]) + weight(self.chosen)

    def line(self) -> str:
        frame = self._frame
        need = high(frame) + 1
        leads = (
            _("{who} leads with {what}. ", who=self.desk.who(frame.bidder), what=need - 1)
            if frame.bidder != NONE
            else ""
        )
        mine = _("you show {count}", count=ngettext("{n} vote", "{n} votes", self.votes))
        return _("{leads}It takes {need} to lead; {mine}.", leads=leads, need=need, mine=mine)

    def build(self, action_bar: ActionBar) -> None:
        shown = self._frame.shown[self.desk.seat]
        for value, hidden in enumerate(self.hidden()):
            if hidden or shown[value]:
                action_bar.stepper(
                    f"senator_{value + 1}",
                    self.chosen[value],
                    _("{numeral} · {n} hidden", numeral=NUMERALS[value], n=hidden),
                    partial(self.add, value),
                    more=self.chosen[value] < hidden,
                    width=104,
                    tip=_(
                        "Senators worth {what}; you show {shown} already. Only the winner spends them.",
                        what=value + 1,
                        shown=shown[value],
                    ),
                )
        remark(action_bar, _("Only the winner spends the senators that were shown. If you pass you may come back."))

    def buttons(self) -> Sequence[BarButton]:
        enough = self.votes > high(self._frame)
        words = _("Show {count}", count=ngettext("{n} vote", "{n} votes", self.votes))
        tip = (
            told(Command.CONFIRM)
            if enough
            else _("Not enough to lead. {key} chooses the fewest senators that do.", key=told(Command.NEXT_PIECE))
        )
        return (
            BarButton(words, self.confirm, "primary", tip, enough),
            BarButton(_("Pass"), self.end, "plain", told(Command.END)),
        )

    def confirm(self) -> bool:
        """Show the chosen senators."""
        return self.desk.act(Show(*self.chosen))

    def next(self) -> bool:
        """Choose the fewest votes that take the lead. Return False if there are not enough."""
        need = high(self._frame) - weight(self._frame.shown[self.desk.seat])
        ways = product(*[range(hidden + 1) for hidden in self.hidden()])
        enough = [way for way in ways if weight(way) > need]
        if not enough:
            return False
        # Of as many votes the fewest senators.
        best = min(enough, key=lambda way: (weight(way), sum(way)))
        self.steps.put((best[0], best[1], best[2], best[3]))
        self.desk.changed()
        return True

    def undo(self) -> bool:
        was_asking = self.forget_question()
        undone = self.steps.undo()
        self.desk.changed()
        return undone or was_asking

    def ending(self) -> Action | None:
        return Pass()


def mustering(desk: Desk, frame: Muster) -> Deed:
    """Return the choice of the province in which the new legions assemble."""
    about = _(
        "{count}: click the province for them.",
        count=ngettext("{n} new infantry unit", "{n} new infantry units", frame.infantry),
    )
    ways = [OfferedAction(BOARD.names[space], Assemble(space), space) for space in NAMED[NEW_LEGIONS]]
    return Picking(desk, _("Assemble here"), about, ways)

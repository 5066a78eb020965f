"""Dealings in captured generals, possible at any time: offers, answers to proposals, killing prisoners."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from client.drawing.widgets import ButtonKind
from client.games.conquest.player_text import active
from client.games.conquest.position_queries import held, leader_colour, prisoners
from client.games.conquest.tasks.bargain_tasks import Bargaining, partners
from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.language import _, ngettext, say
from client.table.action_bar import ActionBar, BarButton
from client.table.desk import Desk
from client.table.guide import Aside
from client.table.task import Task
from shared.ids import NONE, Leader, Seat
from shared.kernel.frames import Action, Event
from shared.mechanics.pieces import living
from shared.rulesets.mb1984.actions import Execute, Propose, Reply
from shared.rulesets.mb1984.diplomacy import proposal_of
from shared.rulesets.mb1984.table import LEADERS, TableFields
from shared.sentences.conquest import bargain_words
from shared.vocabulary.actions import Offer
from shared.vocabulary.events import Offered


def proposed_to(table: TableFields, seat: Seat) -> list[Seat]:
    """Return the players with an open proposal to this seat."""
    return [proposer for proposer, flat in enumerate(table.proposals) if flat and flat[0] == seat]


def caption(table: TableFields, seat: Seat) -> tuple[str, bool]:
    """Return the button's words, empty if there is nothing to deal with; and whether a proposal waits for an answer."""
    if seat not in living(table):
        return "", False
    offers = len(proposed_to(table, seat))
    if offers:
        return _("An offer for you!") if offers == 1 else _("{asked} offers for you!", asked=offers), True
    mine = sum(len(held(table, captor, seat)) for captor in living(table))
    others = len(prisoners(table, seat))
    return (_("Captives ({what})", what=mine + others) if mine or others else ""), False


class PrisonerBargaining(Task[TableFields]):
    """Task for dealings in captured generals. It takes the place of the present task until it is closed."""

    def __init__(self, desk: Desk[TableFields], close: Callable[[], object]) -> None:
        super().__init__(desk)
        self._close = close
        self.bargaining: Bargaining | None = None
        self._doomed: tuple[Leader, ...] = ()
        self.renew()

    @property
    def _own_turn(self) -> bool:
        return active(self.desk.table) == self.desk.seat

    def renew(self) -> None:
        self.bargaining = None
        self._held = prisoners(self.desk.table, self.desk.seat)
        self._doomed = tuple([x for x in self._doomed if x in self._held])

    def line(self) -> str:
        if self.bargaining is not None:
            return self.bargaining.line()
        proposers = proposed_to(self.desk.table, self.desk.seat)
        if proposers:
            return _("{who} proposes {terms}.", who=self.desk.who(proposers[0]), terms=self._terms(proposers[0]))
        mine = self.desk.table.proposals[self.desk.seat]
        if mine:
            return _("You proposed to {who}: {terms}.", who=self.desk.who(mine[0]), terms=self._terms(self.desk.seat))
        lost = sum(len(held(self.desk.table, captor, self.desk.seat)) for captor in living(self.desk.table))
        holds = ngettext("{n} general of others", "{n} generals of others", len(self._held))
        return _("You hold {holds}; others hold {lost} of yours.", holds=holds, lost=lost)

    def _terms(self, proposer: Seat) -> str:
        terms = proposal_of(self.desk.table.proposals[proposer])
        offer = Offered(proposer, terms.to, terms.pays, terms.gives, terms.wants, terms.takes)
        return say(bargain_words(offer, LEADERS))

    def build(self, action_bar: ActionBar) -> None:
        if self.bargaining is not None:
            self.bargaining.build(action_bar)
            return
        for proposer in proposed_to(self.desk.table, self.desk.seat)[:1]:
            for accept, words in ((True, _("Accept")), (False, _("Decline"))):
                reply = Reply(proposer, accept)
                refusal = self.desk.check(reply)
                tip = (
                    say(refusal.sentence)
                    if refusal is not None
                    else _("{who} plays on without waiting for your answer.", who=self.desk.who(proposer))
                )
                kind: ButtonKind = "primary" if accept else "plain"
                choice = BarButton(words, partial(self.desk.act, reply), kind, tip, refusal is None)
                action_bar.option(choice, 150)
            action_bar.gap()
        width = action_bar.room_for(len(self._held) + 3, 84)
        for leader in self._held:
            dies = leader in self._doomed
            colour = leader_colour(self.desk.table, leader)
            tip = _("A general of {who}. A click chooses him to die.", who=self.desk.who(colour))
            picture = f"general_{colour}"
            action_bar.figure(
                picture, _("dies") if dies else _("held"), dies, partial(self._toggle, leader), tip=tip, width=width
            )
        action_bar.gap()
        if self._own_turn:
            words = _("In your turn an offer is answered at once. Up to three offers a turn.")
        else:
            words = _(
                "Propose a bargain to {who}; the match goes on meanwhile.", who=self.desk.who(active(self.desk.table))
            )
        action_bar.note(words)

    def buttons(self) -> Sequence[BarButton]:
        if self.bargaining is not None:
            return self.bargaining.buttons()
        found: list[BarButton] = []
        if self._doomed:
            verdict = Execute(self._doomed)
            refusal = self.desk.check(verdict)
            tip = say(refusal.sentence) if refusal is not None else _("They leave the game for good.")
            found.append(
                BarButton(_("Have them killed"), partial(self.desk.act, verdict), "danger", tip, refusal is None)
            )
        elif self.desk.table.proposals[self.desk.seat]:
            found.append(BarButton(_("Take it back"), partial(self.desk.act, Propose(NONE)), "plain"))
        else:
            closed = self._why_closed()
            tip = closed or told(Command.CONFIRM)
            found.append(BarButton(_("Bargain"), self._bargain, "primary", tip, not closed))
        found.append(
            BarButton(
                _("Close"), self.undo, "quiet", _("{key} or {other}", key=told(Command.BACK), other=told(Command.ASIDE))
            )
        )
        return found

    @property
    def _way(self) -> tuple[type[Action], Seat]:
        """The action by which a bargain is made now, and its only partner or NONE."""
        return (Offer, NONE) if self._own_turn else (Propose, active(self.desk.table))

    def _why_closed(self) -> str:
        """Return why no bargain can be made now; empty if one can."""
        kind, only = self._way
        if partners(self.desk, kind, only):
            return ""
        others = [seat for seat in living(self.desk.table) if seat != self.desk.seat and only in (NONE, seat)]
        refusal = self.desk.check(kind(*others[:1]))
        return say(refusal.sentence) if refusal is not None else ""

    def _bargain(self) -> bool:
        if self._why_closed():
            return False
        self.bargaining = Bargaining(self.desk, self._no_bargain, *self._way)
        self.desk.changed()
        return True

    def _no_bargain(self) -> None:
        self.bargaining = None
        self.desk.changed()

    def _toggle(self, leader: int) -> None:
        others = tuple([x for x in self._doomed if x != leader])
        self._doomed = others if leader in self._doomed else (*others, leader)
        self.desk.changed()

    def confirm(self) -> bool:
        if self.bargaining is not None:
            return self.bargaining.confirm()
        return self._bargain()

    def undo(self) -> bool:
        if self.bargaining is not None:
            self._no_bargain()
        else:
            self._close()
        return True


def _news(event: Event, seat: Seat) -> bool:
    return isinstance(event, Offered) and event.to == seat


_TIP: Final = _("Captured generals: bargain for them or have them killed at any time, answer offers")
PRISONER_BARGAINS: Final = Aside(caption, _TIP, PrisonerBargaining, _news)

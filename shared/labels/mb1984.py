"""Labels of the actions of 1984."""

from __future__ import annotations

from typing import Final

from msgspec.structs import astuple

from shared.board import BOARD
from shared.ids import GALLEY, NONE, Seat
from shared.kernel.frames import Action
from shared.labels import conquest
from shared.labels.conquest import BARGAIN, CAPTIVES, LOSSES, buy_label, galley_words, leader_names, terms_words
from shared.labels.description import Label
from shared.language.sentence import Person, Sentence, _, pgettext
from shared.mechanics import aimed
from shared.mechanics.aimed import NO_ROLL
from shared.rulesets.mb1984 import actions as a
from shared.rulesets.mb1984.diplomacy import proposal_of
from shared.rulesets.mb1984.economy import cost
from shared.rulesets.mb1984.frames import Aiming, CargoLoss
from shared.rulesets.mb1984.table import Table
from shared.sentences.mb1984 import TARGETS, number_words
from shared.vocabulary.actions import Stand
from shared.vocabulary.frames import Onward

AIM: Final = pgettext("heading", "Target")


def label(table: Table, seat: Seat, action: Action) -> Label:
    """Return the label of an action."""
    return _LABELS[type(action)](table, seat, action)


def _stand(table: Table, _seat: Seat, _action: Stand) -> Label:
    frame = table.frames[-1]
    assert isinstance(frame, Onward)
    return Label(_("Fire again"), conquest.FIGHT, to=frame.space)


def _aim(table: Table, seat: Seat, aim: a.Aim) -> Label:
    frame = table.frames[-1]
    assert isinstance(frame, Aiming)
    target, number = _target(table, seat, aim), _needed(frame, aim)
    if number == NO_ROLL:
        text = _("Destroy {target} without a roll", target=target)
    else:
        text = _("Fire at {target}, needing {number}", target=target, number=number_words(number))
    return Label(text, AIM, to=frame.space, piece=aim.galley)


def _needed(frame: Aiming, aim: a.Aim) -> int:
    return aimed.needed_roll(aim.kind, frame.space >= BOARD.provinces, frame.ahead)


def _target(table: Table, seat: Seat, aim: a.Aim) -> Sentence:
    if aim.galley == NONE:
        return TARGETS[aim.kind]
    galley = galley_words(table, seat, aim.galley)
    return galley if aim.kind == GALLEY else _("{target} on {galley}", target=TARGETS[aim.kind], galley=galley)


def _lose(table: Table, seat: Seat, lose: a.Lose) -> Label:
    frame = table.frames[-1]
    assert isinstance(frame, CargoLoss)
    text = _("Lose {target} from {galley}", target=TARGETS[frame.kind], galley=galley_words(table, seat, lose.galley))
    return Label(text, LOSSES, to=frame.space, piece=lose.galley)


def _buy(table: Table, _seat: Seat, buy: a.Buy) -> Label:
    counts = astuple(buy)
    return buy_label(counts, cost(table, counts))


def _propose(table: Table, seat: Seat, propose: a.Propose) -> Label:
    if propose.to == NONE:
        return Label(_("Take the proposal back"), BARGAIN)
    bargain = terms_words(table, seat, propose)
    return Label(_("Propose to {who}: {bargain}", who=Person(propose.to), bargain=bargain), BARGAIN)


def _reply(table: Table, seat: Seat, reply: a.Reply) -> Label:
    who = Person(reply.proposer)
    proposed = conquest.turned(proposal_of(table.proposals[reply.proposer]), reply.proposer)
    bargain = terms_words(table, seat, proposed)
    if reply.accept:
        return Label(_("Accept what {who} proposes: {bargain}", who=who, bargain=bargain), BARGAIN)
    return Label(_("Decline what {who} proposes: {bargain}", who=who, bargain=bargain), BARGAIN)


def _execute(table: Table, seat: Seat, execute: a.Execute) -> Label:
    return Label(_("Execute {captives}", captives=leader_names(seat, execute.kill, table.leaders_each)), CAPTIVES)


_LABELS: Final[conquest.Labels] = {
    **conquest.LABELS,
    Stand: _stand,
    a.March: conquest.march_label,
    a.Aim: _aim,
    a.Lose: _lose,
    a.Buy: _buy,
    a.Propose: _propose,
    a.Reply: _reply,
    a.Execute: _execute,
}

"""Labels of the actions of Classic."""

from __future__ import annotations

from typing import Final

from msgspec.structs import astuple

from shared.board import BOARD
from shared.ids import NONE, Seat
from shared.kernel.frames import Action
from shared.labels import conquest
from shared.labels.conquest import LOSSES, RETREAT, buy_label, fleet_words, march_label, plain, stops_label
from shared.labels.description import Label
from shared.language.sentence import Person, _, pgettext
from shared.mechanics.wares import ware_words
from shared.rulesets.classic import actions as a
from shared.rulesets.classic.economy import cost
from shared.rulesets.classic.frames import Casualties, Formation, Sinking, Withdrawal
from shared.rulesets.classic.table import Table

LEGION: Final = pgettext("heading", "Battle legion")


def label(table: Table, seat: Seat, action: Action) -> Label:
    """Return the label of an action."""
    return _LABELS[type(action)](table, seat, action)


def _march(table: Table, seat: Seat, march: a.March) -> Label:
    return stops_label(march_label(table, seat, march), march.drops)


def _form(table: Table, _seat: Seat, form: a.Form) -> Label:
    frame = table.frames[-1]
    assert isinstance(frame, Formation)
    army = ware_words((form.infantry, form.cavalry, form.catapults))
    return Label(_("Fight with {army}", army=army), LEGION, to=frame.space)


def _lose(table: Table, seat: Seat, lose: a.Lose) -> Label:
    frame = table.frames[-1]
    assert isinstance(frame, Casualties)
    army = ware_words((lose.infantry, lose.cavalry, lose.catapults))
    if frame.owner == seat:
        return Label(_("Lose {army}", army=army), LOSSES, to=frame.space)
    text = _("Catch {army} of {who}", army=army, who=Person(frame.owner))
    return Label(text, pgettext("heading", "Pursuit"), to=frame.space)


def _withdraw(table: Table, _seat: Seat, withdraw: a.Withdraw) -> Label:
    frame = table.frames[-1]
    assert isinstance(frame, Withdrawal)
    if withdraw.to == NONE:
        return Label(_("Surrender the leaders: no way is open"), RETREAT, frame.space)
    source, to = BOARD.names[frame.space], BOARD.names[withdraw.to]
    text = _("Lead the leaders from {source} to {to}", source=source, to=to)
    return Label(text, RETREAT, frame.space, withdraw.to)


def _sink(table: Table, seat: Seat, sink: a.Sink) -> Label:
    frame = table.frames[-1]
    assert isinstance(frame, Sinking)
    text = _("Let {galleys} sink", galleys=fleet_words(table, seat, sink.galleys))
    return Label(text, LOSSES, to=frame.zone, piece=conquest.only(sink.galleys))


def _buy(table: Table, _seat: Seat, buy: a.Buy) -> Label:
    counts = astuple(buy)
    return buy_label(counts, cost(table, counts))


_LABELS: Final[conquest.Labels] = {
    **conquest.LABELS,
    a.March: _march,
    a.EndCombat: plain(_("End the combat"), conquest.END),
    a.Form: _form,
    a.Lose: _lose,
    a.Withdraw: _withdraw,
    a.Sink: _sink,
    a.Buy: _buy,
}

"""Labels of the actions of Conquest II, from what the view of the acting seat holds."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from shared.actions.cote2 import groups
from shared.actions.cote2.card_labels import label_campaign, label_incite, label_obtain, label_use
from shared.actions.cote2.unit_labels import (
    label_commit,
    label_deploy,
    label_lend,
    label_lose,
    label_move,
    label_recruit,
    label_sail,
)
from shared.actions.description import Label
from shared.board import BOARD
from shared.ids import NO_ARMY, NONE, Seat, Space
from shared.kernel.frames import Action
from shared.language.sentence import Person, Value, _, listing, ngettext
from shared.mechanics.vote import weight
from shared.rulesets.cote2 import actions as a
from shared.rulesets.cote2.frames import Muster, Vote, Wind, Withdrawal
from shared.rulesets.cote2.options import influence_price, tax_chaos
from shared.rulesets.cote2.senate import NO_SENATORS
from shared.rulesets.cote2.state import LEADERS, TableFields, leaders_at
from shared.sentences.common import leaders_words, talents_words
from shared.sentences.cote2 import host_words, sellers_words, senators_words, tokens_words
from shared.vocabulary.actions import Concede, EndTurn, Retreat, Stand
from shared.vocabulary.frames import Onward


def label(view: TableFields, seat: Seat, action: Action) -> Label:
    """Return the label of a legal action of a seat, from its view. KeyError for the answers of chance."""
    return _LABELS[type(action)](view, seat, action)


# --- alliances ---


def _bid(_table: TableFields, _seat: Seat, action: a.Bid) -> Label:
    boxes = zip("AB", (action.a, action.b), strict=True)
    named = [_("{who} in box {box}", who=Person(who), box=box) for box, who in boxes if who != NONE]
    text = _("Bid {talents}: {boxes}", talents=talents_words(action.talents), boxes=listing(named))
    return Label(text, groups.ALLIANCES)


def _pass(_table: TableFields, _seat: Seat, _action: a.Pass) -> Label:
    return Label(_("Pass"), groups.END)


# --- the turn ---


def _influence(table: TableFields, _seat: Seat, action: a.Influence) -> Label:
    text = _(
        "Buy {tokens} in {place} from {sellers} for {talents} talents",
        tokens=tokens_words(len(action.sellers)),
        place=BOARD.names[action.space],
        sellers=sellers_words(action.sellers),
        talents=influence_price(table) * len(action.sellers),
    )
    return Label(text, groups.INFLUENCE, to=action.space)


def _levy(table: TableFields, _seat: Seat, action: a.Levy) -> Label:
    chaos = tax_chaos(table, action.talents)
    return Label(
        _("Raise a special tax: {talents} talents, and {what} chaos", talents=action.talents, what=chaos), groups.MONEY
    )


def _attack(_table: TableFields, _seat: Seat, action: a.Attack) -> Label:
    text = _("Attack {who} in {place}", who=Person(action.enemy), place=BOARD.names[action.space])
    return Label(text, groups.ATTACK, to=action.space)


def _end_turn(_table: TableFields, _seat: Seat, _action: EndTurn) -> Label:
    return Label(_("End your turn"), groups.END, grave=True)


# --- battles ---


def _slip(table: TableFields, _seat: Seat, action: a.Slip) -> Label:
    frame = table.frames[-1]
    text = _("Slip away with your galleys") if action.away else _("Accept the battle")
    return Label(text, groups.BATTLE, to=frame.zone if isinstance(frame, Wind) else NONE)


def _stand(table: TableFields, _seat: Seat, _action: Stand) -> Label:
    return Label(_("Fight on"), groups.BATTLE, to=_battlefield(table))


def _retreat(table: TableFields, _seat: Seat, action: Retreat) -> Label:
    return Label(_("Retreat to {place}", place=BOARD.names[action.to]), groups.BATTLE, _battlefield(table), action.to)


def _withdraw(table: TableFields, seat: Seat, action: a.Withdraw) -> Label:
    source = _battlefield(table)
    leaders = leaders_at(table, seat, source)
    words = leaders_words(leaders, LEADERS)
    text = _("Lead {leaders} to {place}", leaders=words, place=BOARD.names[action.to])
    return Label(text, groups.BATTLE, source, action.to)


def _battlefield(table: TableFields) -> Space:
    """Return the province that units must leave, or where they fight."""
    frame = table.frames[-1]
    return frame.space if isinstance(frame, Onward | Withdrawal) else NONE


# --- the senate ---


def _show(table: TableFields, seat: Seat, action: a.Show) -> Label:
    frame = table.frames[-1]
    more = action.one, action.two, action.three, action.four
    votes = weight(frame.shown[seat] if isinstance(frame, Vote) else NO_SENATORS) + weight(more)
    count = ngettext("{n} vote", "{n} votes", votes)
    return Label(_("Show {senators}: {votes} in all", senators=senators_words(more), votes=count), groups.SENATE)


def _assemble(table: TableFields, _seat: Seat, action: a.Assemble) -> Label:
    frame = table.frames[-1]
    army = (frame.infantry, 0, 0) if isinstance(frame, Muster) else NO_ARMY
    units: Value = host_words(army, 0)
    text = _("Assemble {units} in {place}", units=units, place=BOARD.names[action.space])
    return Label(text, groups.SENATE, to=action.space)


# --- at any time ---


def _concede(_table: TableFields, _seat: Seat, action: Concede) -> Label:
    if action.to == NONE:
        return Label(_("Fight on after all"), groups.END)
    return Label(_("Grant {who} the victory", who=Person(action.to)), groups.END, grave=True)


_LABELS: Final[Mapping[type[Action], Callable[[TableFields, Seat, Any], Label]]] = {
    a.Bid: _bid,
    a.Pass: _pass,
    a.Deploy: label_deploy,
    a.Obtain: label_obtain,
    a.Campaign: label_campaign,
    a.Incite: label_incite,
    a.Recruit: label_recruit,
    a.Influence: _influence,
    a.Levy: _levy,
    a.Move: label_move,
    a.Attack: _attack,
    a.Sail: label_sail,
    a.Use: label_use,
    EndTurn: _end_turn,
    a.Slip: _slip,
    a.Commit: label_commit,
    a.Lend: label_lend,
    a.Lose: label_lose,
    Stand: _stand,
    Retreat: _retreat,
    a.Withdraw: _withdraw,
    a.Show: _show,
    a.Assemble: _assemble,
    Concede: _concede,
}

"""Events of the conquest games in words, a sentence for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from client.language import _, ngettext
from client.table.event_text import sentence
from client.table.words import Who, and_words, force_words, leaders_words, talents_words, ware_words, where_words
from shared.board import BOARD
from shared.ids import NONE, Space
from shared.kernel.frames import Event
from shared.vocabulary import events as e

_PLACED: Final = {
    e.Piece.GALLEY: _("A new galley lies off"),
    e.Piece.CITY: _("A new city rises in"),
    e.Piece.FORTIFICATION: _("Walls go up around the city in"),
}
_WHY: Final = {
    e.Why.LAST_CAESAR: _("the last Caesar standing"),
    e.Why.CONCEDED: _("by the consent of all others"),
    e.Why.ROUND_LIMIT: _("with the highest tribute"),
}


def _name(space: Space) -> str:
    return BOARD.names[space]


def _marched(event: e.Marched, who: Who, each: int) -> str:
    force = force_words(event.leaders, event.army, each)
    named = {"who": who(event.seat), "source": _name(event.source), "to": _name(event.to), "force": force}
    if event.road:
        return _("{who} takes the road from {source} to {to}: {force}.", **named)
    return _("{who} marches from {source} to {to}: {force}.", **named)


def _sailed(event: e.Sailed, who: Who, each: int) -> str:
    aboard = _(" with {force}", force=force_words(event.leaders, event.army, each)) if event.leaders else ""
    if not BOARD.is_sea(event.to) and event.leaders:
        return _("{who} lands in {where}{aboard}.", who=who(event.seat), where=where_words(event.to), aboard=aboard)
    return _(
        "A galley of {who} sails to {where}{aboard}.", who=who(event.seat), where=where_words(event.to), aboard=aboard
    )


def _ended(event: e.BattleEnded, who: Who) -> str:
    if event.winner == NONE:
        return _("Nobody wins the battle of {name}.", name=_name(event.space))
    return _("{who} holds the field at {name}.", who=who(event.winner), name=_name(event.space))


def _conquered(event: e.Conquered, who: Who) -> str:
    if event.loser == NONE:
        return _("{name} is now {who}'s.", name=_name(event.space), who=who(event.seat))
    return _("{who} takes {name} from {who2}.", who=who(event.seat), name=_name(event.space), who2=who(event.loser))


def _sank(event: e.Sank, who: Who) -> str:
    count = len(event.galleys)
    galleys = ngettext("a galley", "{n} galleys", count)
    return _("{who} loses {galleys} off {name}.", who=who(event.seat), galleys=galleys, name=_name(event.space))


def _eliminated(event: e.Eliminated, who: Who) -> str:
    if event.by == NONE:
        return _("{who} leaves the game.", who=who(event.seat))
    return _("{who} has fallen, and everything goes to {who2}.", who=who(event.seat), who2=who(event.by))


def _placed(event: e.Placed, _who: Who) -> str:
    if event.what is e.Piece.ROAD:
        a, b = BOARD.edges[event.where]
        return _("A road joins {name} and {name2}.", name=_name(a), name2=_name(b))
    where = where_words(event.where) if event.what is e.Piece.GALLEY else _name(event.where)
    return f"{_PLACED[event.what]} {where}."


def _offered(event: e.Offered, who: Who, each: int) -> str:
    return _(
        "{who} offers {who2} a bargain: {bargain}.",
        who=who(event.seat),
        who2=who(event.to),
        bargain=bargain_words(event, each),
    )


def bargain_words(terms: e.Offered, each: int) -> str:
    """Return the exchange in words: ``"20 talents for a general"``."""
    given = [talents_words(terms.pays)] if terms.pays else []
    given += [leaders_words(terms.gives, each)] if terms.gives else []
    wanted = [talents_words(terms.wants)] if terms.wants else []
    wanted += [leaders_words(terms.takes, each)] if terms.takes else []
    return _("{given} for {wanted}", given=_together(given), wanted=_together(wanted))


def _together(parts: Sequence[str]) -> str:
    return and_words(parts) or _("nothing")


def _won(event: e.Won, who: Who) -> str:
    return _("{who} rules the empire, {why}!", who=who(event.seat), why=_WHY[event.why])


def tell(event: Event, who: Who, each: int) -> str:
    """Return the sentence for an event of both games; empty for other events. `each`: leaders of a colour."""
    match event:
        case e.HomesSet():
            return (
                _("The homes are settled: ")
                + ", ".join(
                    _("{who} in {name}", who=who(seat), name=_name(home)) for seat, home in enumerate(event.homes)
                )
                + "."
            )
        case e.TurnBegan():
            return _("Round {round}: the turn of {who}.", round=event.round, who=who(event.seat))
        case e.Marched():
            return _marched(event, who, each)
        case e.Sailed():
            return _sailed(event, who, each)
        case e.Sank():
            return _sank(event, who)
        case e.BattleEnded():
            return _ended(event, who)
        case e.Conquered():
            return _conquered(event, who)
        case _:
            return _of_people(event, who, each)


def _of_people(event: Event, who: Who, each: int) -> str:
    match event:
        case e.Captured():
            return _("{who} captures {leaders}.", who=who(event.seat), leaders=leaders_words(event.leaders, each))
        case e.Killed():
            return _(
                "{who} shows no mercy to {leaders}.", who=who(event.seat), leaders=leaders_words(event.leaders, each)
            )
        case e.Freed():
            return _("A general of {who} is free again, in {name}.", who=who(event.seat), name=_name(event.space))
        case e.Eliminated():
            return _eliminated(event, who)
        case e.Offered():
            return _offered(event, who, each)
        case e.Answered():
            said = _("{who} accepts the bargain.") if event.accepted else _("{who} declines the bargain.")
            return said.format(who=who(event.seat))
        case e.Won():
            return _won(event, who)
        case _:
            return _of_money(event, who)


def _of_money(event: Event, who: Who) -> str:
    match event:
        case e.Tribute():
            return _("{who} collects {talents} talents of tribute.", who=who(event.seat), talents=event.talents)
        case e.Razed():
            return _("{who} razes the city in {name}.", who=who(event.seat), name=_name(event.space))
        case e.Bought():
            return _(
                "{who} buys {wares} for {cost} talents.",
                who=who(event.seat),
                wares=ware_words(event.counts),
                cost=event.cost,
            )
        case e.Placed():
            return _placed(event, who)
        case e.PricesRose():
            return _("Prices rise: everything now costs {factor} times the basic price.", factor=event.factor)
        case _:
            return sentence(event, who)

"""What happens in a game of conquest, a sentence for each event."""

from __future__ import annotations

from typing import Final

from client.table.tale import sentence
from client.table.words import Who, force_words, leaders_words, talents_words
from shared.board import BOARD
from shared.ids import NONE, Space
from shared.kernel.frames import Event
from shared.mechanics.wares import listed
from shared.vocabulary import events as e

_PLACED: Final = {
    e.Piece.GALLEY: "A new galley lies off",
    e.Piece.CITY: "A new city rises in",
    e.Piece.FORTIFICATION: "Walls go up around the city in",
}
_WHY: Final = {
    e.Why.LAST_CAESAR: "the last Caesar standing",
    e.Why.CONCEDED: "by the consent of all others",
    e.Why.ROUND_LIMIT: "with the highest tribute",
}


def _name(space: Space) -> str:
    return BOARD.names[space]


def _marched(event: e.Marched, who: Who, each: int) -> str:
    force = force_words(event.leaders, event.army, each)
    way = "takes the road" if event.road else "marches"
    return f"{who(event.seat)} {way} from {_name(event.source)} to {_name(event.to)}: {force}."


def _sailed(event: e.Sailed, who: Who, each: int) -> str:
    aboard = f" with {force_words(event.leaders, event.army, each)}" if event.leaders else ""
    if not BOARD.is_sea(event.to) and event.leaders:
        return f"{who(event.seat)} lands in {BOARD.where(event.to)}{aboard}."
    return f"A galley of {who(event.seat)} sails to {BOARD.where(event.to)}{aboard}."


def _ended(event: e.BattleEnded, who: Who) -> str:
    if event.winner == NONE:
        return f"Nobody wins the battle of {_name(event.space)}."
    return f"{who(event.winner)} holds the field at {_name(event.space)}."


def _conquered(event: e.Conquered, who: Who) -> str:
    if event.loser == NONE:
        return f"{_name(event.space)} is now {who(event.seat)}'s."
    return f"{who(event.seat)} takes {_name(event.space)} from {who(event.loser)}."


def _sank(event: e.Sank, who: Who) -> str:
    count = len(event.galleys)
    return f"{who(event.seat)} loses {'a galley' if count == 1 else f'{count} galleys'} off {_name(event.space)}."


def _eliminated(event: e.Eliminated, who: Who) -> str:
    if event.by == NONE:
        return f"{who(event.seat)} leaves the game."
    return f"{who(event.seat)} has fallen, and everything goes to {who(event.by)}."


def _placed(event: e.Placed, _who: Who) -> str:
    if event.what is e.Piece.ROAD:
        a, b = BOARD.edges[event.where]
        return f"A road joins {_name(a)} and {_name(b)}."
    where = BOARD.where(event.where) if event.what is e.Piece.GALLEY else _name(event.where)
    return f"{_PLACED[event.what]} {where}."


def _offered(event: e.Offered, who: Who, each: int) -> str:
    return f"{who(event.seat)} offers {who(event.to)} a bargain: {bargain_words(event, each)}."


def bargain_words(terms: e.Offered, each: int) -> str:
    """What changes hands: ``"20 talents for a general"``."""
    given = [talents_words(terms.pays)] if terms.pays else []
    given += [leaders_words(terms.gives, each)] if terms.gives else []
    wanted = [talents_words(terms.wants)] if terms.wants else []
    wanted += [leaders_words(terms.takes, each)] if terms.takes else []
    return f"{' and '.join(given) or 'nothing'} for {' and '.join(wanted) or 'nothing'}"


def _won(event: e.Won, who: Who) -> str:
    return f"{who(event.seat)} rules the empire, {_WHY[event.why]}!"


def tell(event: Event, who: Who, each: int) -> str:
    """The sentence for an event that both games know, else nothing. `each`: leaders of a colour."""
    match event:
        case e.HomesSet():
            return (
                "The homes are settled: "
                + ", ".join(f"{who(seat)} in {_name(home)}" for seat, home in enumerate(event.homes))
                + "."
            )
        case e.TurnBegan():
            return f"Round {event.round}: the turn of {who(event.seat)}."
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
            return f"{who(event.seat)} captures {leaders_words(event.leaders, each)}."
        case e.Killed():
            return f"{who(event.seat)} shows no mercy to {leaders_words(event.leaders, each)}."
        case e.Freed():
            return f"A general of {who(event.seat)} is free again, in {_name(event.space)}."
        case e.Eliminated():
            return _eliminated(event, who)
        case e.Offered():
            return _offered(event, who, each)
        case e.Answered():
            return f"{who(event.seat)} {'accepts' if event.accepted else 'declines'} the bargain."
        case e.Won():
            return _won(event, who)
        case _:
            return _of_money(event, who)


def _of_money(event: Event, who: Who) -> str:
    match event:
        case e.Tribute():
            return f"{who(event.seat)} collects {event.talents} talents of tribute."
        case e.Razed():
            return f"{who(event.seat)} razes the city in {_name(event.space)}."
        case e.Bought():
            return f"{who(event.seat)} buys {listed(event.counts)} for {event.cost} talents."
        case e.Placed():
            return _placed(event, who)
        case e.PricesRose():
            return f"Prices rise: everything now costs {event.factor} times the basic price."
        case _:
            return sentence(event, who)

"""The match in words: one sentence for every event that is worth one, and what a player may do now."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from shared.board import BOARD
from shared.ids import NONE, Seat, Space
from shared.kernel.frames import Event
from shared.mechanics.armies import total, words
from shared.mechanics.wares import listed
from shared.vocabulary import events as e

Who = Callable[[Seat], str]
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


def leaders_words(leaders: Sequence[int], each: int) -> str:
    """``"the Caesar and 2 generals"``; `each`: leaders of a colour, the Caesar first."""
    generals = sum(1 for leader in leaders if leader % each)
    parts = ["the Caesar"] if len(leaders) > generals else []
    if generals:
        parts.append("a general" if generals == 1 else f"{generals} generals")
    return " and ".join(parts) or "nobody"


def force_words(leaders: Sequence[int], army: Sequence[int], each: int) -> str:
    """``"a general with 3 infantry, 1 cavalry"``."""
    if not total(army):
        return leaders_words(leaders, each)
    if not leaders:
        return words(army)
    return f"{leaders_words(leaders, each)} with {words(army)}"


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


def _dice(event: e.DiceFell, who: Who) -> str:
    hits = "no hit" if event.hits == 0 else "1 hit" if event.hits == 1 else f"{event.hits} hits"
    return f"{who(event.seat)} rolls {len(event.faces)} {'die' if len(event.faces) == 1 else 'dice'}: {hits}."


def _battle(event: e.BattleBegan, who: Who) -> str:
    where = "in" if event.space < BOARD.provinces else "on"
    return f"{who(event.attacker)} attacks {who(event.defender)} {where} {_name(event.space)}!"


def _retreated(event: e.Retreated, who: Who) -> str:
    return f"{who(event.seat)} falls back from {_name(event.source)} to {_name(event.to)}."


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
    return f"{who(event.seat)} has fallen: all that was theirs is now {who(event.by)}'s."


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
    given = [f"{terms.pays} talents"] if terms.pays else []
    given += [leaders_words(terms.gives, each)] if terms.gives else []
    wanted = [f"{terms.wants} talents"] if terms.wants else []
    wanted += [leaders_words(terms.takes, each)] if terms.takes else []
    return f"{' and '.join(given) or 'nothing'} for {' and '.join(wanted) or 'nothing'}"


def _conceded(event: e.Conceded, who: Who) -> str:
    if event.to == NONE:
        return f"{who(event.seat)} fights on after all."
    return f"{who(event.seat)} would grant {who(event.to)} the victory."


def _won(event: e.Won, who: Who) -> str:
    return f"{who(event.seat)} rules the empire, {_WHY[event.why]}!"


def sentence(event: Event, who: Who, each: int) -> str:
    """The log's line for an event that more than one game knows, else nothing. `who` names a seat; `each`: leaders of
    a colour."""
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
        case e.BattleBegan():
            return _battle(event, who)
        case e.DiceFell():
            return _dice(event, who)
        case e.Fell():
            return f"{who(event.seat)} loses {words(event.army)} in {_name(event.space)}."
        case e.Sank():
            return _sank(event, who)
        case e.Retreated():
            return _retreated(event, who)
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
        case e.Conceded():
            return _conceded(event, who)
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
        case e.InflationTriggered():
            factor = "double" if event.level == 1 else "triple"
            return f"{who(event.seat)}'s wealth drives prices up: soon everything costs {factor}."
        case e.PricesRose():
            return f"Prices rise: everything now costs {event.factor} times the basic price."
        case _:
            return ""

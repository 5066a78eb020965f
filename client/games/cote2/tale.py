"""What happened in the second game, a sentence for each event."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Final

from client.table.tale import sentence
from client.table.words import Who, count_words, force_words
from shared.board import BOARD
from shared.ids import NONE, Seat, Space
from shared.kernel.frames import Event
from shared.mechanics.armies import total, words
from shared.rulesets.cote2 import events as e
from shared.rulesets.cote2.data import CARDS
from shared.rulesets.cote2.economy import TAX_STEP
from shared.rulesets.cote2.property import BATTLE_CHAOS
from shared.rulesets.cote2.state import ALIENS, LEADERS, REBELS

VALUES: Final = ("I", "II", "III", "IV")
"""Senators by value."""
_NOBODYS: Final = {ALIENS: "the auxiliary force", REBELS: "the slave army"}
_REASONS: Final = {
    e.Why.POINTS: "with the most victory points",
    e.Why.CONCEDED: "by the consent of all others",
}


def called(seat: Seat, who: Who) -> str:
    """The name of a player, or of those who fight for themselves or for a card."""
    return _NOBODYS.get(seat) or who(seat)


def tell(event: Event, who: Who) -> str:
    """The line for an event; a card's name may bring the sign that ends it."""
    name: Who = partial(called, who=who)
    line = (_of_season(event, name) or _of_cards(event, name) or _of_war(event, name)).replace("!.", "!")
    return line[:1].upper() + line[1:] if line.startswith(tuple(_NOBODYS.values())) else line


# --- parts of sentences ---


def listed(parts: Iterable[str]) -> str:
    """``"a, b and c"``."""
    *most, last = parts
    return f"{', '.join(most)} and {last}" if most else last


def counted(names: Sequence[str]) -> str:
    """``"Asia (2) and Sicilia"``, in the order in which they come first."""
    return listed(f"{name} ({n})" if n > 1 else name for name, n in Counter(names).items())


def several(number: int, one: str, many: str) -> str:
    """``"a galley"``, ``"3 galleys"``."""
    return f"{'an' if one[0] in 'aeiou' else 'a'} {one}" if number == 1 else f"{number} {many}"


def galleys_words(number: int) -> str:
    """``"a galley"``, ``"3 galleys"``."""
    return several(number, "galley", "galleys")


def senators_words(by_value: Sequence[int]) -> str:
    """``"Senator IV"``, ``"Senators I, II (2) and III"``."""
    shown = [VALUES[k] for k, n in enumerate(by_value) for _ in range(n)]
    return f"{'Senator' if len(shown) == 1 else 'Senators'} {counted(shown)}"


def _names(spaces: Iterable[Space]) -> str:
    return counted([BOARD.names[space] for space in spaces])


def _cards(cards: Iterable[int]) -> str:
    return counted([CARDS[card].name for card in cards])


def _host(army: Sequence[int], galleys: int, generals: int = 0) -> str:
    """Units of every kind; nothing where there are none."""
    parts = [words(army)] if total(army) else []
    parts += [several(generals, "general", "generals")] if generals else []
    parts += [galleys_words(galleys)] if galleys else []
    return ", ".join(parts)


def _points(number: int) -> str:
    return f"{number} {'point' if abs(number) == 1 else 'points'}"


# --- the season ---


def _of_season(event: Event, who: Who) -> str:
    match event:
        case e.FirstPlayer(seat=seat):
            return f"The lot falls on {who(seat)}, the first player."
        case e.InfluenceDrawn(seat=seat, spaces=spaces):
            return f"{who(seat)} begins with influence in {_names(spaces)}."
        case e.SeasonBegan(season=season):
            return f"Campaign season {season} begins."
        case e.TokensPlaced(spaces=spaces):
            return f"Province tokens come up for sale: {_names(sorted(spaces))}."
        case e.CardsOpened(cards=cards):
            return f"Cards are laid open: {_cards(sorted(cards))}."
        case e.AuctionBegan(seat=seat):
            return f"{who(seat)} opens an alliance auction."
        case e.BidMade(seat=seat, talents=talents):
            return f"{who(seat)} bids {talents}: {_boxes(event, who)}."
        case e.Allied(seat=seat, talents=talents):
            return f"{who(seat)} wins the auction for {talents} talents: {_boxes(event, who)}."
        case e.Passed(seat=seat):
            return f"{who(seat)} passes."
        case e.Deployed(seat=seat):
            return _deployed(event, who)
        case e.TurnBegan(seat=seat, season=season, round=number):
            return f"Season {season}, round {number}: the turn of {who(seat)}."
        case _:
            return _of_points(event, who)


def _boxes(event: e.BidMade | e.Allied, who: Who) -> str:
    pairs = zip("AB", (event.a, event.b), strict=True)
    return listed(f"{who(seat)} in {box}" for box, seat in pairs if seat != NONE)


def _deployed(event: e.Deployed, who: Who) -> str:
    camps = _names(sorted({space for space, *_army in event.armies}))
    galley = f", the galley lies in {BOARD.names[event.galley]}" if event.galley != NONE else ""
    return f"The first units of {who(event.seat)} stand in {camps}, the Caesar in {BOARD.names[event.caesar]}{galley}."


def _of_points(event: Event, who: Who) -> str:
    match event:
        case e.Taxed(talents=talents):
            return f"Taxes: {listed(f'{who(seat)} {n}' for seat, n in enumerate(talents))} talents."
        case e.Scored(space=space, points=points):
            gained = sorted((-n, seat) for seat, n in enumerate(points) if n)
            return f"{BOARD.names[space]}: {listed(f'{who(seat)} {_points(-n)}' for n, seat in gained)}."
        case e.ChaosShown(chaos=chaos, points=points):
            shown = [
                f"{who(s)} {n}" + (f" ({_points(lost)})" if lost else "") for s, (n, lost) in _pairs(chaos, points)
            ]
            return f"Chaos is counted: {listed(shown)}."
        case e.SeasonEnded(season=season, cards=cards):
            back = f" Back among the open cards: {_cards(cards)}." if cards else ""
            return f"Campaign season {season} is over.{back}"
        case e.Won(seats=seats, why=why):
            reason = _REASONS[why]
            if len(seats) == 1:
                return f"{who(seats[0])} rules the empire, {reason}!"
            return f"{listed(map(who, seats))} share the empire, level in points and influence!"
        case _:
            return ""


def _pairs(chaos: Sequence[int], points: Sequence[int]) -> Iterable[tuple[Seat, tuple[int, int]]]:
    return enumerate(zip(chaos, points, strict=True))


# --- cards, money, the senate ---


def _of_cards(event: Event, who: Who) -> str:
    match event:
        case e.CardTaken(seat=seat, card=card, talents=talents):
            price = f" for {talents} talents" if talents else ""
            return f"{who(seat)} takes {CARDS[card].name}{price}."
        case e.CardUsed(seat=seat, card=card, talents=talents):
            gain = f" and gains {talents} talents" if talents else ""
            return f"{who(seat)} uses {CARDS[card].name}{gain}."
        case e.CityBuilt(seat=seat, space=space):
            return f"{who(seat)} builds a city in {BOARD.names[space]}."
        case e.CityTaken(seat=seat, space=space, loser=loser):
            return f"{who(seat)} takes {who(loser)}'s city in {BOARD.names[space]}."
        case e.Rewarded():
            return _brought(event, who)
        case e.Reinforced(seat=seat, space=space, army=army, galleys=galleys):
            return f"{who(seat)} receives {_host(army, len(galleys)) or 'nobody'} in {BOARD.names[space]}."
        case e.Recruited():
            return _recruited(event, who)
        case e.InfluenceBought():
            return _bought(event, who)
        case e.InfluenceGained(seat=seat, space=space, tokens=tokens):
            gain = several(tokens, "influence token", "influence tokens")
            return f"{who(seat)} gains {gain} in {BOARD.names[space]}."
        case e.Levied(seat=seat, talents=talents):
            return f"{who(seat)} raises a special tax: {talents} talents, and {talents // TAX_STEP} chaos."
        case _:
            return _of_senate(event, who)


def _brought(event: e.Rewarded, who: Who) -> str:
    """What a card brought: talents, victory points, or calm."""
    card = CARDS[event.card]
    if card.act == "bread_and_circuses":
        return f"Bread and games calm the people: {who(event.seat)} sheds up to {card.gain[0]} chaos."
    gain = f"{event.talents} talents" if event.talents else f"{event.points} victory points"
    return f"{card.name} brings {who(event.seat)} {gain}."


def _recruited(event: e.Recruited, who: Who) -> str:
    places = [f"{_host(army, 0, generals)} in {BOARD.names[space]}" for space, *army, generals in event.armies
              if any(army) or generals]  # fmt: skip
    places += [f"{galleys_words(n)} in {BOARD.names[zone]}" for zone, n in event.fleets if n]
    return f"{who(event.seat)} recruits for {event.talents} talents: {'; '.join(places)}."


def _bought(event: e.InfluenceBought, who: Who) -> str:
    sellers = listed(dict.fromkeys("the bank" if seller == NONE else who(seller) for seller in event.sellers))
    tokens = several(len(event.sellers), "influence token", "influence tokens")
    return f"{who(event.seat)} buys {tokens} in {BOARD.names[event.space]} from {sellers} for {event.talents} talents."


def _of_senate(event: Event, who: Who) -> str:
    match event:
        case e.GeneralKilled(seat=seat, leader=leader):
            return f"An assassin in the pay of {who(seat)} kills a general of {who(leader // LEADERS)}."
        case e.SenatorTaken(seat=seat, victim=victim, value=value):
            return f"A senator of {who(victim)} changes over to {who(seat)}{_which(value)}."
        case e.SenatorKilled(seat=seat, victim=victim, value=value):
            return f"An assassin in the pay of {who(seat)} kills a senator of {who(victim)}{_which(value)}."
        case e.VoteBegan(seat=seat, card=card):
            return f"{who(seat)} calls the senate to a vote. {CARDS[card].text.partition('. ')[2]}"
        case e.SenatorsShown(seat=seat, shown=shown, votes=votes):
            return f"{who(seat)} leads with {count_words(votes, 'vote', 'votes')}: {senators_words(shown)}."
        case e.VoteWon(seat=seat, card=card, paid=paid):
            if seat == NONE:
                return f"No votes are cast on {CARDS[card].name}."
            return f"{who(seat)} wins the vote and spends {senators_words(paid)}."
        case e.SenatorDrawn(seat=seat, value=value):
            return f"{who(seat)} leads in Italia and takes one of the spent senators{_which(value)}."
        case _:
            return ""


def _which(value: int) -> str:
    """The value of a senator, for those who are told."""
    return f": Senator {VALUES[value - 1]}" if value else ""


# --- war ---


def _of_war(event: Event, who: Who) -> str:
    match event:
        case e.Marched(seat=seat, source=source, to=to):
            way = "sails" if event.by_sea else "marches"
            force = force_words(event.leaders, event.army, LEADERS)
            return f"{who(seat)} {way} from {BOARD.names[source]} to {BOARD.names[to]}: {force}."
        case e.Sailed(seat=seat, galleys=galleys, to=to):
            return f"{who(seat)} sends {galleys_words(len(galleys))} to {BOARD.names[to]}."
        case e.SlippedAway(seat=seat):
            return f"A Favorable Wind carries {who(seat)} away."
        case e.Committed(seat=seat, galleys=galleys):
            return f"{who(seat)} brings {galleys_words(len(galleys))} into the battle."
        case e.Lent(seat=seat, to=to, army=army, galleys=galleys):
            return f"{who(seat)} lends {who(to)} {_host(army, len(galleys))}."
        case e.Sank(seat=seat, galleys=galleys, extra=extra):
            return f"{who(seat)} loses {galleys_words(len(galleys) + extra)}."
        case e.BattleEnded():
            return _ended(event, who)
        case e.RevoltBegan(seat=seat, space=space):
            return f"{who(seat)} stirs up a slave revolt in {BOARD.names[space]}!"
        case e.RevoltEnded(space=space, slaves=slaves):
            fate = "the last slaves vanish" if slaves else "no slave is left"
            return f"The revolt in {BOARD.names[space]} is over: {fate}."
        case _:
            return sentence(event, who)


def _ended(event: e.BattleEnded, who: Who) -> str:
    place = BOARD.names[event.space]
    if event.winner == NONE:
        return f"Nobody is beaten in {place}."
    chaos = f"; {who(event.loser)} gains {BATTLE_CHAOS} chaos" if event.loser != REBELS else ""
    return f"{who(event.winner)} wins in {place}{chaos}."

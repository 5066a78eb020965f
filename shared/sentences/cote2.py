"""Events of Conquest II in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from shared.board import BOARD
from shared.ids import NONE, Seat, Space
from shared.kernel.frames import Event
from shared.language.sentence import Person, Sentence, Value, _, and_list, listing, ngettext, pattern
from shared.mechanics.armies import total
from shared.rulesets.cote2 import events as e
from shared.rulesets.cote2.data import CARDS
from shared.rulesets.cote2.economy import TAX_STEP
from shared.rulesets.cote2.property import BATTLE_CHAOS
from shared.rulesets.cote2.state import ALIENS, LEADERS, REBELS
from shared.sentences import common
from shared.sentences.parts import army_words, force_words, galleys_words, talents_words

VALUES: Final = ("I", "II", "III", "IV")
"""Senators by value."""
_STRANGERS: Final = {ALIENS: _("the auxiliary force"), REBELS: _("the slave army")}
_REASONS: Final = {
    e.Why.POINTS: _("with the most victory points"),
    e.Why.CONCEDED: _("by the consent of all others"),
}


def called(seat: Seat) -> Value:
    """Return the name of a player, of the rebels, or of units of a card."""
    return _STRANGERS.get(seat) or Person(seat)


def tell(event: Event) -> Sentence | None:
    """Return the sentence for an event; None for events that need none."""
    return _of_season(event) or _of_cards(event) or _of_war(event)


# --- parts of sentences ---


def counted(names: Sequence[str]) -> Value:
    """Return names with their counts: ``"Asia (2) and Sicilia"``, in order of first appearance."""
    return and_list(f"{name} ({n})" if n > 1 else name for name, n in Counter(names).items())


def senators_words(by_value: Sequence[int]) -> Sentence:
    """Return senators in words: ``"Senator IV"``, ``"Senators I, II (2) and III"``."""
    shown = [VALUES[k] for k, n in enumerate(by_value) for _one in range(n)]
    return ngettext("Senator {numerals}", "Senators {numerals}", len(shown), numerals=counted(shown))


def benefit(card: int) -> Sentence:
    """Return what the winner of a vote gains, as its card says."""
    return _(CARDS[card].text.partition(". ")[2])


def _names(spaces: Iterable[Space]) -> Value:
    return counted([BOARD.names[space] for space in spaces])


def _cards(cards: Iterable[int]) -> Value:
    return counted([CARDS[card].name for card in cards])


def _host(army: Sequence[int], galleys: int, generals: int = 0) -> Value:
    """Return units of every kind in words; empty if there are none."""
    parts: list[Value] = [army_words(army)] if total(army) else []
    parts += [ngettext("a general", "{n} generals", generals)] if generals else []
    parts += [galleys_words(galleys)] if galleys else []
    return listing(parts)


def _points(number: int) -> Sentence:
    return _("{n} point", n=number) if abs(number) == 1 else _("{n} points", n=number)


# --- the season ---


def _of_season(event: Event) -> Sentence | None:
    match event:
        case e.FirstPlayer(seat=seat):
            return _("The lot falls on {who}, the first player.", who=Person(seat))
        case e.InfluenceDrawn(seat=seat, spaces=spaces):
            return _("{who} begins with influence in {names}.", who=Person(seat), names=_names(spaces))
        case e.SeasonBegan(season=season):
            return _("Campaign season {season} begins.", season=season)
        case e.TokensPlaced(spaces=spaces):
            return _("Province tokens come up for sale: {names}.", names=_names(sorted(spaces)))
        case e.CardsOpened(cards=cards):
            return _("Cards are laid open: {cards}.", cards=_cards(sorted(cards)))
        case e.AuctionBegan(seat=seat):
            return _("{who} opens an alliance auction.", who=Person(seat))
        case e.BidMade(seat=seat, talents=talents):
            return _("{who} bids {talents}: {boxes}.", who=Person(seat), talents=talents, boxes=_boxes(event))
        case e.Allied(seat=seat, talents=talents):
            return _(
                "{who} wins the auction for {talents} talents: {boxes}.",
                who=Person(seat),
                talents=talents,
                boxes=_boxes(event),
            )
        case e.Passed(seat=seat):
            return _("{who} passes.", who=Person(seat))
        case e.Deployed(seat=seat):
            return _deployed(event)
        case e.TurnBegan(seat=seat, season=season, round=number):
            return _(
                "Season {season}, round {number}: the turn of {who}.", season=season, number=number, who=Person(seat)
            )
        case _:
            return _of_points(event)


def _boxes(event: e.BidMade | e.Allied) -> Value:
    pairs = zip("AB", (event.a, event.b), strict=True)
    return and_list(_("{who} in {box}", who=Person(seat), box=box) for box, seat in pairs if seat != NONE)


def _deployed(event: e.Deployed) -> Sentence:
    camps = _names(sorted({space for space, *_army in event.armies}))
    galley = _(", the galley lies in {galley}", galley=BOARD.names[event.galley]) if event.galley != NONE else ""
    return _(
        "The first units of {who} stand in {camps}, the Caesar in {caesar}{galley}.",
        who=Person(event.seat),
        camps=camps,
        caesar=BOARD.names[event.caesar],
        galley=galley,
    )


def _of_points(event: Event) -> Sentence | None:
    match event:
        case e.Taxed(talents=talents):
            each = and_list(pattern("{who} {n}", who=Person(seat), n=n) for seat, n in enumerate(talents))
            return _("Taxes: {listed} talents.", listed=each)
        case e.Scored(space=space, points=points):
            gained = sorted((-n, seat) for seat, n in enumerate(points) if n)
            shares = [pattern("{who} {points}", who=Person(seat), points=_points(-n)) for n, seat in gained]
            return pattern("{place}: {shares}.", place=BOARD.names[space], shares=and_list(shares))
        case e.ChaosShown(chaos=chaos, points=points):
            shown = [_chaos(seat, n, lost) for seat, (n, lost) in enumerate(zip(chaos, points, strict=True))]
            return _("Chaos is counted: {listed}.", listed=and_list(shown))
        case e.SeasonEnded(season=season, cards=cards):
            back = _(" Back among the open cards: {cards}.", cards=_cards(cards)) if cards else ""
            return _("Campaign season {season} is over.{back}", season=season, back=back)
        case e.Won(seats=seats, why=why):
            reason = _REASONS[why]
            if len(seats) == 1:
                return _("{who} rules the empire, {reason}!", who=Person(seats[0]), reason=reason)
            return _("{listed} share the empire, level in points and influence!", listed=and_list(map(Person, seats)))
        case _:
            return None


def _chaos(seat: Seat, number: int, lost: int) -> Sentence:
    """Return a player's chaos, with the points that it costs."""
    if not lost:
        return pattern("{who} {n}", who=Person(seat), n=number)
    return pattern("{who} {n} ({points})", who=Person(seat), n=number, points=_points(lost))


# --- cards, money, the senate ---


def _of_cards(event: Event) -> Sentence | None:
    match event:
        case e.CardTaken(seat=seat, card=card, talents=talents):
            price = _(" for {talents} talents", talents=talents) if talents else ""
            return _("{who} takes {name}{price}.", who=Person(seat), name=CARDS[card].name, price=price)
        case e.CardUsed(seat=seat, card=card, talents=talents):
            gain = _(" and gains {talents} talents", talents=talents) if talents else ""
            return _("{who} uses {name}{gain}.", who=Person(seat), name=CARDS[card].name, gain=gain)
        case e.CityBuilt(seat=seat, space=space):
            return _("{who} builds a city in {place}.", who=Person(seat), place=BOARD.names[space])
        case e.CityTaken(seat=seat, space=space, loser=loser):
            return _(
                "{who} takes {who2}'s city in {place}.", who=Person(seat), who2=Person(loser), place=BOARD.names[space]
            )
        case e.Rewarded():
            return _brought(event)
        case e.Reinforced(seat=seat, space=space, army=army, galleys=galleys):
            return _(
                "{who} receives {what} in {place}.",
                who=Person(seat),
                what=_host(army, len(galleys)) or _("nobody"),
                place=BOARD.names[space],
            )
        case e.Recruited():
            return _recruited(event)
        case e.InfluenceBought():
            return _bought(event)
        case e.InfluenceGained(seat=seat, space=space, tokens=tokens):
            gain = ngettext("an influence token", "{n} influence tokens", tokens)
            return _("{who} gains {gain} in {place}.", who=Person(seat), gain=gain, place=BOARD.names[space])
        case e.Levied(seat=seat, talents=talents):
            return _(
                "{who} raises a special tax: {talents} talents, and {what} chaos.",
                who=Person(seat),
                talents=talents,
                what=talents // TAX_STEP,
            )
        case _:
            return _of_senate(event)


def _brought(event: e.Rewarded) -> Sentence:
    """Return a card's effect in words: talents, victory points, or calm."""
    card = CARDS[event.card]
    if card.act == "bread_and_circuses":
        return _(
            "Bread and games calm the people: {who} sheds up to {gain} chaos.",
            who=Person(event.seat),
            gain=card.gain[0],
        )
    points = _("{points} victory points", points=event.points)
    gain = talents_words(event.talents) if event.talents else points
    return _("{name} brings {who} {gain}.", name=card.name, who=Person(event.seat), gain=gain)


def _recruited(event: e.Recruited) -> Sentence:
    places = [
        _("{host} in {place}", host=_host(army, 0, generals), place=BOARD.names[space])
        for space, *army, generals in event.armies
        if any(army) or generals
    ]
    places += [
        _("{galleys} in {zone}", galleys=galleys_words(n), zone=BOARD.names[zone]) for zone, n in event.fleets if n
    ]
    return _(
        "{who} recruits for {talents} talents: {join}.",
        who=Person(event.seat),
        talents=event.talents,
        join=listing(places, "; "),
    )


def _bought(event: e.InfluenceBought) -> Sentence:
    named = [_("the bank") if seller == NONE else Person(seller) for seller in dict.fromkeys(event.sellers)]
    tokens = ngettext("an influence token", "{n} influence tokens", len(event.sellers))
    return _(
        "{who} buys {tokens} in {place} from {sellers} for {talents} talents.",
        who=Person(event.seat),
        tokens=tokens,
        place=BOARD.names[event.space],
        sellers=and_list(named),
        talents=event.talents,
    )


def _of_senate(event: Event) -> Sentence | None:
    match event:
        case e.GeneralKilled(seat=seat, leader=leader):
            return _(
                "An assassin in the pay of {who} kills a general of {who2}.",
                who=Person(seat),
                who2=Person(leader // LEADERS),
            )
        case e.SenatorTaken(seat=seat, victim=victim, value=value):
            return _(
                "A senator of {who} changes over to {who2}{which}.",
                who=Person(victim),
                who2=Person(seat),
                which=_which(value),
            )
        case e.SenatorKilled(seat=seat, victim=victim, value=value):
            return _(
                "An assassin in the pay of {who} kills a senator of {who2}{which}.",
                who=Person(seat),
                who2=Person(victim),
                which=_which(value),
            )
        case e.VoteBegan(seat=seat, card=card):
            return _(
                "{who} calls the senate to a vote. {partition}",
                who=Person(seat),
                partition=benefit(card),
            )
        case e.SenatorsShown(seat=seat, shown=shown, votes=votes):
            return _(
                "{who} leads with {count}: {senators}.",
                who=Person(seat),
                count=ngettext("{n} vote", "{n} votes", votes),
                senators=senators_words(shown),
            )
        case e.VoteWon(seat=seat, card=card, paid=paid):
            if seat == NONE:
                return _("No votes are cast on {name}.", name=CARDS[card].name)
            return _("{who} wins the vote and spends {senators}.", who=Person(seat), senators=senators_words(paid))
        case e.SenatorDrawn(seat=seat, value=value):
            return _(
                "{who} leads in Italia and takes one of the spent senators{which}.",
                who=Person(seat),
                which=_which(value),
            )
        case _:
            return None


def _which(value: int) -> Value:
    """Return the value of a senator in words; empty if the viewer may not know it."""
    return _(": Senator {values}", values=VALUES[value - 1]) if value else ""


# --- war ---


def _of_war(event: Event) -> Sentence | None:
    match event:
        case e.Marched(seat=seat, source=source, to=to):
            force = force_words(event.leaders, event.army, LEADERS)
            named: dict[str, Value] = {
                "who": Person(seat), "source": BOARD.names[source], "to": BOARD.names[to], "force": force
            }  # fmt: skip
            if event.by_sea:
                return _("{who} sails from {source} to {to}: {force}.", **named)
            return _("{who} marches from {source} to {to}: {force}.", **named)
        case e.Sailed(seat=seat, galleys=galleys, to=to):
            return _(
                "{who} sends {galleys} to {to}.",
                who=Person(seat),
                galleys=galleys_words(len(galleys)),
                to=BOARD.names[to],
            )
        case e.SlippedAway(seat=seat):
            return _("A Favorable Wind carries {who} away.", who=Person(seat))
        case e.Committed(seat=seat, galleys=galleys):
            return _("{who} brings {galleys} into the battle.", who=Person(seat), galleys=galleys_words(len(galleys)))
        case e.Lent(seat=seat, to=to, army=army, galleys=galleys):
            return _("{who} lends {who2} {host}.", who=Person(seat), who2=Person(to), host=_host(army, len(galleys)))
        case e.Sank(seat=seat, galleys=galleys, extra=extra):
            return _("{who} loses {galleys}.", who=Person(seat), galleys=galleys_words(len(galleys) + extra))
        case e.BattleEnded():
            return _ended(event)
        case e.RevoltBegan(seat=seat, space=space):
            return _("{who} stirs up a slave revolt in {place}!", who=Person(seat), place=BOARD.names[space])
        case e.RevoltEnded(space=space, slaves=slaves):
            fate = _("the last slaves vanish") if slaves else _("no slave is left")
            return _("The revolt in {place} is over: {fate}.", place=BOARD.names[space], fate=fate)
        case _:
            return common.tell(event, called)


def _ended(event: e.BattleEnded) -> Sentence:
    place = BOARD.names[event.space]
    if event.winner == NONE:
        return _("Nobody is beaten in {place}.", place=place)
    chaos = (
        _("; {who} gains {battle_chaos} chaos", who=called(event.loser), battle_chaos=BATTLE_CHAOS)
        if event.loser != REBELS
        else ""
    )
    return _("{who} wins in {place}{chaos}.", who=called(event.winner), place=place, chaos=chaos)

"""Events, prompts and phases of Conquest II in words."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from shared.board import BOARD
from shared.ids import NATURE, NONE, Seat, Space
from shared.kernel.frames import Deal, Event, Frame
from shared.language.sentence import Person, Prompt, Sentence, Value, _, and_list, listing, ngettext, pattern
from shared.mechanics.armies import army_words, total
from shared.rulesets.cote2 import events as e
from shared.rulesets.cote2 import frames as f
from shared.rulesets.cote2.alliances import harbours, unallied
from shared.rulesets.cote2.data import CARDS, NAMED, NEW_LEGIONS
from shared.rulesets.cote2.options import BATTLE_CHAOS, TAX_STEP
from shared.rulesets.cote2.senate import high
from shared.rulesets.cote2.stages import Phase
from shared.rulesets.cote2.state import ALIENS, LEADERS, REBELS, TableFields, start_army
from shared.sentences import common
from shared.sentences.common import OPEN, asked, force_words, galleys_words, talents_words
from shared.vocabulary.frames import Onward

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


def price_words(talents: int) -> Value:
    """Return a price as the end of a sentence: ``" for 20 talents"``; empty for nothing."""
    return _(" for {talents} talents", talents=talents) if talents else ""


def _names(spaces: Iterable[Space]) -> Value:
    return counted([BOARD.names[space] for space in spaces])


def _cards(cards: Iterable[int]) -> Value:
    return counted([CARDS[card].name for card in cards])


def host_words(army: Sequence[int], galleys: int, generals: int = 0) -> Value:
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
            return _("{who} takes {name}{price}.", who=Person(seat), name=CARDS[card].name, price=price_words(talents))
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
            return _card_effect(event)
        case e.Reinforced(seat=seat, space=space, army=army, galleys=galleys):
            return _(
                "{who} receives {what} in {place}.",
                who=Person(seat),
                what=host_words(army, len(galleys)) or _("nobody"),
                place=BOARD.names[space],
            )
        case e.Recruited():
            return _(
                "{who} recruits for {talents} talents: {join}.",
                who=Person(event.seat),
                talents=event.talents,
                join=recruits_words(event.armies, event.fleets),
            )
        case e.InfluenceBought():
            return _(
                "{who} buys {tokens} in {place} from {sellers} for {talents} talents.",
                who=Person(event.seat),
                tokens=tokens_words(len(event.sellers)),
                place=BOARD.names[event.space],
                sellers=sellers_words(event.sellers),
                talents=event.talents,
            )
        case e.InfluenceGained(seat=seat, space=space, tokens=tokens):
            gain = tokens_words(tokens)
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


def _card_effect(event: e.Rewarded) -> Sentence:
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


def recruits_words(armies: Iterable[Sequence[int]], fleets: Iterable[Sequence[int]]) -> Value:
    """Return recruits in words, place by place. `armies`: groups of a province, infantry, cavalry, catapults, generals;
    `fleets`: sea zones and numbers of galleys."""
    places = [
        _("{host} in {place}", host=host_words(army, 0, generals), place=BOARD.names[space])
        for space, *army, generals in armies
        if any(army) or generals
    ]
    places += [_("{galleys} in {zone}", galleys=galleys_words(n), zone=BOARD.names[zone]) for zone, n in fleets if n]
    return listing(places, "; ")


def sellers_words(sellers: Iterable[Seat]) -> Value:
    """Return the sellers of influence in words, each once; NONE is the bank."""
    return and_list(
        _("the bank") if seller == NONE else pattern("{seller}", seller=Person(seller))
        for seller in dict.fromkeys(sellers)
    )


def tokens_words(number: int) -> Sentence:
    """Return influence in words: ``"an influence token"``, ``"2 influence tokens"``."""
    return ngettext("an influence token", "{n} influence tokens", number)


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
                which=_senator_words(value),
            )
        case e.SenatorKilled(seat=seat, victim=victim, value=value):
            return _(
                "An assassin in the pay of {who} kills a senator of {who2}{which}.",
                who=Person(seat),
                who2=Person(victim),
                which=_senator_words(value),
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
                which=_senator_words(value),
            )
        case _:
            return None


def _senator_words(value: int) -> Value:
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
            return _(
                "{who} lends {who2} {host}.", who=Person(seat), who2=Person(to), host=host_words(army, len(galleys))
            )
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
        return _("Neither side is beaten in {place}.", place=place)
    chaos = (
        _("; {who} gains {battle_chaos} chaos", who=called(event.loser), battle_chaos=BATTLE_CHAOS)
        if event.loser != REBELS
        else ""
    )
    return _("{who} wins in {place}{chaos}.", who=called(event.winner), place=place, chaos=chaos)


# --- prompts ---

_PHASES: Final = {
    Phase.TOKENS: _("Tokens"),
    Phase.CARDS: _("Cards"),
    Phase.ALLIANCES: _("Alliances"),
    Phase.PLACEMENT: _("Placement"),
    Phase.ACTIONS: _("Actions"),
    Phase.TAXES: _("Taxes"),
    Phase.POINTS: _("Points"),
}
"""Names of the phases that take time; the end of a season takes none."""


def phase_words(table: TableFields) -> tuple[tuple[Sentence, ...], int]:
    """Return the phases of this season, and the index of the present one.

    The index is -1 before the first season and after the end.
    """
    shown = {phase: name for phase, name in _PHASES.items() if table.season <= 1 or phase != Phase.PLACEMENT}
    season = table.frames[0] if table.frames else None
    if table.winner != NONE or not isinstance(season, f.Season):
        return tuple(shown.values()), -1
    return tuple(shown.values()), sum(phase <= season.step.phase for phase in shown) - 1


def round_words(table: TableFields) -> Sentence:
    """Return season and round: ``"Season 2 · Round 3"``. The round shows only while actions are taken."""
    if not table.season:
        return _("Setting up")
    season = _("Season {season}", season=table.season)
    if not any(isinstance(frame, f.Rounds) for frame in table.frames):
        return season
    return pattern("{season}{round}", season=season, round=_(" · Round {round}", round=table.round))


def losses_words(hits: int) -> Sentence:
    """Return the losses in words: ``"2 units fall"``."""
    return _("1 unit falls") if hits == 1 else _("{hits} units fall", hits=hits)


def motion(card: int) -> str:
    """Return the subject of a senate vote: ``"Hail Caesar!"``."""
    return CARDS[card].name.partition(": ")[2]


def prompt(table: TableFields) -> Prompt:
    """Return the decision that is owed now."""
    return asked(table, table.winners, frame_prompt)


def frame_prompt(table: TableFields, frame: Frame) -> Prompt | None:
    """Return the prompt for a frame of the second game."""
    match frame:
        case f.Auction(seat=seat):
            return _auction(table, frame)
        case f.Deployment(seat=seat):
            return Prompt(seat, _("First units"), _deployment(table, seat))
        case f.Turn(seat=seat):
            return _turn(frame)
        case f.Vote(seat=seat):
            return _vote(frame)
        case f.Muster(seat=seat, infantry=infantry):
            sites = listing([BOARD.names[space] for space in NAMED[NEW_LEGIONS]], _(" or in "))
            return Prompt(
                seat,
                _("New legions"),
                _(
                    "{infantry} infantry join you: choose where they assemble, in {sites}.",
                    infantry=infantry,
                    sites=sites,
                ),
            )
        case _:
            return _of_battle(table, frame) or _of_chance(table, frame)


def _auction(table: TableFields, frame: f.Auction) -> Prompt:
    left = unallied(table)
    alone = len(left) == 1
    last = _("yourself") if left[0] == frame.seat else Person(left[0])
    boxes = _("{last} in box A or B", last=last) if alone else _("two players, one in box A and one in box B")
    if frame.bidder == NONE:
        how = _("Put {boxes}, and bid; 0 talents will do.", boxes=boxes)
        return Prompt(frame.seat, _("Open the auction"), how)
    bidder, talents = Person(frame.bidder), frame.talents
    how = _(
        "{who} offers {talents} talents: {proposed}. Put {boxes}, and offer more, or pass.",
        who=bidder,
        talents=talents,
        proposed=_proposed_alliance(frame),
        boxes=boxes,
    )
    offer = _(
        "{who} offers {talents} talents: {proposed}.", who=bidder, talents=talents, proposed=_proposed_alliance(frame)
    )
    return Prompt(frame.seat, _("Bid or pass"), how, news=offer)


def _proposed_alliance(frame: f.Auction) -> Value:
    """Return the alliance that the leading bid proposes."""
    return listing(
        [
            _("{who} for {box}", who=Person(seat), box=box)
            for box, seat in zip("AB", (frame.a, frame.b), strict=True)
            if seat != NONE
        ],
        _(" and "),
    )


def _deployment(table: TableFields, seat: Seat) -> Sentence:
    galley = _(", the galley beside one of them") if harbours(table, seat) else ""
    return _(
        "Place the Caesar, a general and {text} where you have influence{galley}.",
        text=army_words(start_army()),
        galley=galley,
    )


def _turn(frame: f.Turn) -> Prompt:
    if not frame.left:
        how = _("Your actions are done. Use a card that lies before you, or end your turn.")
        return Prompt(frame.seat, _("Use a card?"), how)
    left = _("Two actions") if frame.left == 2 else _("One more action")
    card = _("You have taken a card this turn.") if frame.obtained else ""
    hand = _("Choose an action below, or a province, a galley or a card to act with.")
    return Prompt(frame.seat, left, card, hand)


def _vote(frame: f.Vote) -> Prompt:
    what, gain = _("Vote on {motion}", motion=motion(frame.card)), benefit(frame.card)
    if frame.bidder == NONE:
        return Prompt(frame.seat, what, _("{benefit} Show senators, or pass.", benefit=gain), news=gain)
    bidder = Person(frame.bidder)
    lead = ngettext("{who} leads with {n} vote", "{who} leads with {n} votes", high(frame), who=bidder)
    how = _("{benefit} {lead}: show more in all, or pass.", benefit=gain, lead=lead)
    return Prompt(frame.seat, what, how, news=pattern("{benefit} {lead}.", benefit=gain, lead=lead))


def _of_battle(table: TableFields, frame: Frame) -> Prompt | None:
    match frame:
        case f.Wind(seat=seat, zone=zone, attacker=attacker):
            how = _(
                "{who} attacks you in {zone}. Your Favorable Wind can take you out of it.",
                who=Person(attacker),
                zone=BOARD.names[zone],
            )
            return Prompt(seat, _("Slip away?"), how)
        case f.Commitment(seat=seat, space=space):
            how = _("{place}: choose galleys of the waters beside it that join your battle.", place=BOARD.names[space])
            return Prompt(seat, _("Galleys to the battle?"), how)
        case f.Aid(seat=seat, to=to, space=space):
            sides = (each.attacker + each.defender for each in reversed(table.frames) if isinstance(each, f.Battle))
            how = _(
                "{who} fights {enemy} in {place}. Lend what you like; what survives comes back to you. Your leaders "
                "there add a die only if you lend something.",
                who=Person(to),
                enemy=called(next(sides, to + NONE) - to),
                place=BOARD.names[space],
            )
            return Prompt(seat, _("Lend units to {who}?", who=Person(to)), how)
        case f.Casualties(seat=seat, space=space, hits=hits):
            return Prompt(
                seat,
                losses_words(hits),
                _("{place}: choose your losses among all units on your side.", place=BOARD.names[space]),
            )
        case Onward(seat=seat, space=space):
            how = _("{place}: fight another round, or retreat with all your units.", place=BOARD.names[space])
            return Prompt(seat, _("Fight on?"), how, OPEN)
        case f.Withdrawal(seat=seat, space=space):
            how = _("You have no units left there: lead your leaders away.")
            return Prompt(seat, _("Leave {place}", place=BOARD.names[space]), how, OPEN)
        case _:
            return None


def _of_chance(table: TableFields, frame: Frame) -> Prompt | None:
    """Return the prompt for a frame of chance, or for one that the game resolves by itself."""
    match frame:
        case Deal():
            return Prompt(NATURE, _drawn_words(table))
        case f.Setup() | f.Season():
            return Prompt(NONE, _("The board is laid out"))
        case f.Alliances():
            return Prompt(NONE, _("Alliances are made"))
        case f.Deployments():
            return Prompt(NONE, _("First units are placed"))
        case f.Rounds():
            return Prompt(NONE, _("The next turn"))
        case f.Battle(space=space):
            return Prompt(NONE, _("Battle: {place}", place=BOARD.names[space]))
        case f.Revolt(space=space):
            return Prompt(NONE, _("Slaves rise in {place}", place=BOARD.names[space]))
        case f.Motion(card=card):
            return Prompt(NONE, _("Vote on {motion}", motion=motion(card)))
        case f.Theft():
            return Prompt(NONE, _("A senator is drawn"))
        case _:
            return None


def _drawn_words(table: TableFields) -> Sentence:
    """Return what is drawn, in words. The frame below decides it."""
    match table.frames[-2]:
        case f.Setup(first=first):
            return _("The first player is drawn") if first == NONE else _("First influence is drawn")
        case f.Season(step=step):
            return _("{phases} are dealt", phases=_PHASES[step.phase])
        case _:
            return _("A senator is drawn")

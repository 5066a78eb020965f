"""Events and prompts that Classic and 1984 share in words."""

from collections.abc import Callable, Sequence
from typing import Final

from shared.board import BOARD
from shared.ids import NONE, Leader, Seat, Space
from shared.kernel.frames import Event, Frame
from shared.language.sentence import Person, Prompt, Sentence, Value, _, and_list, listing
from shared.mechanics.bargains import Terms
from shared.mechanics.galleys import where_words
from shared.mechanics.wares import ware_words
from shared.sentences import common
from shared.sentences.common import force_words, galleys_words, leaders_words, talents_words
from shared.vocabulary import events as e
from shared.vocabulary import frames

_WHY: Final = {
    e.Why.LAST_CAESAR: _("the last Caesar standing"),
    e.Why.CONCEDED: _("by the consent of all others"),
    e.Why.ROUND_LIMIT: _("with the highest tribute"),
}


def _name(space: Space) -> str:
    return BOARD.names[space]


def _marched(event: e.Marched, each: int) -> Sentence:
    force = force_words(event.leaders, event.army, each)
    named: dict[str, Value] = {
        "who": Person(event.seat), "source": _name(event.source), "to": _name(event.to), "force": force
    }  # fmt: skip
    if event.road:
        return _("{who} takes the road from {source} to {to}: {force}.", **named)
    return _("{who} marches from {source} to {to}: {force}.", **named)


def _sailed(event: e.Sailed, each: int) -> Sentence:
    aboard = _(" with {force}", force=force_words(event.leaders, event.army, each)) if event.leaders else ""
    if not BOARD.is_sea(event.to) and event.leaders:
        return _("{who} lands in {where}{aboard}.", who=Person(event.seat), where=where_words(event.to), aboard=aboard)
    return _(
        "A galley of {who} sails to {where}{aboard}.",
        who=Person(event.seat),
        where=where_words(event.to),
        aboard=aboard,
    )


def _ended(event: e.BattleEnded) -> Sentence:
    if event.winner == NONE:
        return _("The battle of {name} has no winner.", name=_name(event.space))
    return _("{who} holds the field at {name}.", who=Person(event.winner), name=_name(event.space))


def _conquered(event: e.Conquered) -> Sentence:
    if event.loser == NONE:
        return _("{name} is now {who}'s.", name=_name(event.space), who=Person(event.seat))
    return _(
        "{who} takes {name} from {who2}.", who=Person(event.seat), name=_name(event.space), who2=Person(event.loser)
    )


def _sank(event: e.Sank) -> Sentence:
    galleys = galleys_words(len(event.galleys))
    return _("{who} loses {galleys} off {name}.", who=Person(event.seat), galleys=galleys, name=_name(event.space))


def _eliminated(event: e.Eliminated) -> Sentence:
    if event.by == NONE:
        return _("{who} leaves the game.", who=Person(event.seat))
    return _("{who} has fallen, and everything goes to {who2}.", who=Person(event.seat), who2=Person(event.by))


def _placed(event: e.Placed) -> Sentence:
    if event.what is e.Piece.ROAD:
        a, b = BOARD.edges[event.where]
        return _("A road joins {name} and {name2}.", name=_name(a), name2=_name(b))
    if event.what is e.Piece.GALLEY:
        return _("{who} has a new galley off {where}.", who=Person(event.seat), where=where_words(event.where))
    if event.what is e.Piece.CITY:
        return _("{who} builds a city in {place}.", who=Person(event.seat), place=_name(event.where))
    return _("Walls go up around the city in {name}.", name=_name(event.where))


def bargain_words(terms: Terms, each: int) -> Sentence:
    """Return the exchange in words: ``"20 talents for a general"``."""
    return exchange_words(terms, lambda leaders: leaders_words(leaders, each))


def exchange_words(terms: Terms, called: Callable[[Sequence[Leader]], Value]) -> Sentence:
    """Return the exchange in words. `called`: words for the generals of one side."""
    given: list[Value] = [talents_words(terms.pays)] if terms.pays else []
    given += [called(terms.gives)] if terms.gives else []
    demands: list[Value] = [talents_words(terms.wants)] if terms.wants else []
    demands += [called(terms.takes)] if terms.takes else []
    return _("{given} for {wanted}", given=_together(given), wanted=_together(demands))


def _together(parts: Sequence[Value]) -> Value:
    return and_list(parts) or _("nothing")


def tell(event: Event, each: int) -> Sentence | None:
    """Return the sentence for an event of both games; None for events that need none. `each`: leaders of a colour."""
    match event:
        case e.HomesSet():
            homes = [_("{who} in {name}", who=Person(seat), name=_name(at)) for seat, at in enumerate(event.homes)]
            return _("The homes are settled: {homes}.", homes=listing(homes))
        case e.TurnBegan():
            return _("Round {round}: the turn of {who}.", round=event.round, who=Person(event.seat))
        case e.Marched():
            return _marched(event, each)
        case e.Sailed():
            return _sailed(event, each)
        case e.Sank():
            return _sank(event)
        case e.BattleEnded():
            return _ended(event)
        case e.Conquered():
            return _conquered(event)
        case _:
            return _of_people(event, each)


def _of_people(event: Event, each: int) -> Sentence | None:
    match event:
        case e.Captured():
            return _("{who} captures {leaders}.", who=Person(event.seat), leaders=leaders_words(event.leaders, each))
        case e.Killed():
            return _(
                "{who} shows no mercy to {leaders}.", who=Person(event.seat), leaders=leaders_words(event.leaders, each)
            )
        case e.Freed():
            return _("A general of {who} is free again, in {name}.", who=Person(event.seat), name=_name(event.space))
        case e.Eliminated():
            return _eliminated(event)
        case e.Offered():
            return _(
                "{who} offers {who2} a bargain: {bargain}.",
                who=Person(event.seat),
                who2=Person(event.to),
                bargain=bargain_words(event, each),
            )
        case e.Answered():
            if event.accepted:
                return _("{who} accepts the bargain.", who=Person(event.seat))
            return _("{who} declines the bargain.", who=Person(event.seat))
        case e.Won():
            return _("{who} rules the empire, {why}!", who=Person(event.seat), why=_WHY[event.why])
        case _:
            return _of_money(event)


def _of_money(event: Event) -> Sentence | None:
    match event:
        case e.Tribute():
            return _("{who} collects {talents} talents of tribute.", who=Person(event.seat), talents=event.talents)
        case e.Razed():
            return _("{who} razes the city in {name}.", who=Person(event.seat), name=_name(event.space))
        case e.Bought():
            return _(
                "{who} buys {wares} for {cost} talents.",
                who=Person(event.seat),
                wares=ware_words(event.counts),
                cost=event.cost,
            )
        case e.Placed():
            return _placed(event)
        case e.PricesRose():
            return _("Prices rise: everything now costs {factor} times the basic price.", factor=event.factor)
        case _:
            return common.tell(event)


# --- prompts ---


def prompt(frame: Frame) -> Prompt | None:
    """Return the prompt for a frame that both games have, else None."""
    match frame:
        case frames.HomeChoice(seat=seat):
            return Prompt(
                seat, _("Choose a home"), _("Your empire will begin there."), _("Click one of the lit provinces.")
            )
        case frames.Movement(seat=seat):
            hand = _("Click a province with a leader, or a galley, then a lit target.")
            return Prompt(seat, _("Movement"), _("March, sail, or end the movement."), hand)
        case frames.Destruction(seat=seat):
            return Prompt(seat, _("Destroy cities?"), _("A razed city pays no more tribute."))
        case frames.Purchase(seat=seat):
            return Prompt(seat, _("Purchase"), _("New units appear in your home."), _("Fill your order below."))
        case frames.Captives(seat=seat, leaders=leaders):
            what = _("A captive") if len(leaders) == 1 else _("{n} captives", n=len(leaders))
            return Prompt(seat, what, _("Captured generals: hold them for ransom, or have them killed."))
        case frames.Bargain(seat=seat):
            return Prompt(seat, _("A bargain"), _("Accept it or decline it."))
        case _:
            return None


def placing(seat: Seat, left: Sequence[int], idle: Sentence) -> Prompt:
    """Return the prompt for a placement.

    `left`: galleys, cities, walls and roads still to place. `idle`: what to do once nothing is left.
    """
    if any(left):
        pieces = ware_words((0, 0, 0, *left))
        still = _("Still to place: {pieces}.", pieces=pieces)
        return Prompt(seat, _("Placement"), still, _("Click a lit site."), still)
    return Prompt(seat, _("End your turn"), idle)


def winners(table: common.SentencePosition) -> tuple[Seat, ...]:
    """Return the winner, if there is one."""
    return () if table.winner == NONE else (table.winner,)

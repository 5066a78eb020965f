"""Labels of the actions by which cards are obtained and used."""

from collections.abc import Callable
from typing import Final

from shared.actions.cote2.groups import CARDS as GROUP
from shared.actions.description import Label
from shared.board import BOARD
from shared.ids import NONE, Seat
from shared.language.sentence import Person, Sentence, Value, _, listing
from shared.rulesets.cote2.actions import Campaign, Incite, Obtain, Use
from shared.rulesets.cote2.data import CARDS, NAMED, REVOLT, ByAct
from shared.rulesets.cote2.effects import VOTES
from shared.rulesets.cote2.state import LEADERS, TableFields
from shared.sentences.common import force_words
from shared.sentences.cote2 import motion, price_words

THEN: Final = _(", then ")
"""Stands between two enemies of the slaves, in the order in which they are attacked."""


def _card(card: int) -> dict[str, Value]:
    """Return name and price of a card, as values of a sentence."""
    return {"name": CARDS[card].name, "price": price_words(CARDS[card].cost)}


# --- obtaining ---


def label_obtain(table: TableFields, seat: Seat, action: Obtain) -> Label:
    """Return the label of taking a card."""
    return _TAKEN.of(action.card)(table, seat, action)


def _alone(_table: TableFields, _seat: Seat, action: Obtain) -> Label:
    return Label(_("Take {name}{price}", **_card(action.card)), GROUP, places=NAMED[action.card])


def _with_fleet(table: TableFields, _seat: Seat, action: Obtain) -> Label:
    source, to = table.galley_at[action.target], NAMED[action.card][0]
    text = _("Take {name}{price}, and lead a galley there from {zone}", **_card(action.card), zone=BOARD.names[source])
    return Label(text, GROUP, source, to, action.target)


def _with_city(_table: TableFields, _seat: Seat, action: Obtain) -> Label:
    place = BOARD.names[action.target]
    text = _("Take {name}{price}, and build a city in {place}", **_card(action.card), place=place)
    return Label(text, GROUP, to=action.target)


def _with_politician(table: TableFields, seat: Seat, action: Obtain) -> Label:
    space = table.leader_at[seat * LEADERS]
    text = _("Take {name}{price}, and gain influence in {place}", **_card(action.card), place=BOARD.names[space])
    return Label(text, GROUP, to=space)


def _with_bribe(_table: TableFields, _seat: Seat, action: Obtain) -> Label:
    who = Person(action.target)
    return Label(_("Take {name}{price}, and win over a senator of {who}", **_card(action.card), who=who), GROUP)


_TAKEN: Final[ByAct[Callable[[TableFields, Seat, Obtain], Label]]] = ByAct(
    merchant=_alone,
    assassin=_alone,
    loot=_alone,
    emergency_tax=_alone,
    bread_and_circuses=_alone,
    hail_caesar=_alone,
    new_legions=_alone,
    influence_in_rome=_alone,
    senator=_alone,
    troops=_alone,
    pirates=_alone,
    fleet=_with_fleet,
    city=_with_city,
    barbarians=_alone,
    politician=_with_politician,
    bribe=_with_bribe,
    revolt=_alone,
    army=_alone,
    navy=_alone,
    wind=_alone,
)


def label_campaign(_table: TableFields, _seat: Seat, action: Campaign) -> Label:
    """Return the label of a march against the Barbarians."""
    to = NAMED[action.card][0]
    text = _(
        "Take {name}{price}, and march from {source} to {to}: {force}",
        **_card(action.card),
        source=BOARD.names[action.source],
        to=BOARD.names[to],
        force=force_words(action.leaders, (action.infantry, action.cavalry, action.catapults), LEADERS),
    )
    return Label(text, GROUP, action.source, to, action.leaders[0] if len(action.leaders) == 1 else NONE)


def label_incite(_table: TableFields, seat: Seat, action: Incite) -> Label:
    """Return the label of a slave revolt, with the armies in the order in which the slaves attack."""
    place = BOARD.names[action.space]
    armies = listing([Person(who) for who in action.victims], THEN)
    if armies:
        text = _("Take {name}{price}, and stir up slaves in {place} against {armies}", **_card(REVOLT), place=place,
                 armies=armies)  # fmt: skip
    else:
        text = _("Take {name}{price}, and stir up slaves in {place}", **_card(REVOLT), place=place)
    return Label(text, GROUP, to=action.space)


# --- using ---


def label_use(table: TableFields, _seat: Seat, action: Use) -> Label:
    """Return the label of using a card."""
    if action.leader != NONE:
        return _against_leader(table, action)
    return Label(_use_words(action), GROUP, places=NAMED[action.card])


def _use_words(action: Use) -> Sentence:
    if action.card in VOTES:
        return _("Call the vote: {motion}", motion=motion(action.card))
    if action.seat == NONE:
        return _("Use {name}", name=CARDS[action.card].name)
    return _("Use {name} against a senator of {who}", name=CARDS[action.card].name, who=Person(action.seat))


def _against_leader(table: TableFields, action: Use) -> Label:
    space = table.leader_at[action.leader]
    text = _(
        "Use {name} against a general of {who} in {place}",
        name=CARDS[action.card].name,
        who=Person(action.leader // LEADERS),
        place=BOARD.names[space],
    )
    return Label(text, GROUP, to=space)

"""The table of card effects: obtaining, using, votes in the senate, and support of battles."""

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from typing import Final

from shared.ids import Seat, Space
from shared.kernel.frames import Action, Emit
from shared.language.sentence import _
from shared.refusal import Refusal
from shared.rulesets.cote2 import benefits, cards, events, support, uses
from shared.rulesets.cote2.actions import Campaign, Incite, Obtain, Use
from shared.rulesets.cote2.data import CARDS, IMMEDIATE, REVOLT, ByAct
from shared.rulesets.cote2.effect import Effect, Taken, Taking, Using
from shared.rulesets.cote2.frames import Turn
from shared.rulesets.cote2.property import copies, gain_card, ready, unused
from shared.rulesets.cote2.support import NO_SUPPORT, Support, combined
from shared.rulesets.cote2.table import State, TableFields

# --- parts of the table ---

Targets = Callable[[TableFields, Seat, int], Iterable[int]]
_NOT_THEIRS: Final = Refusal("wrong-action", "II-C-93", "That is not a card of the Barbarians.")


def _obtained(
    check: Callable[[TableFields, Seat, Obtain], Refusal | None],
    apply: Callable[[State, Seat, Obtain, Emit], None],
    targets: Targets,
) -> Taking[Obtain]:
    """Return the way to obtain a card with at most one target, which `check` must accept."""

    def ways(table: TableFields, seat: Seat, card: int) -> list[Obtain]:
        return [Obtain(card, target) for target in targets(table, seat, card)]

    return Taking(Obtain, _NOT_THEIRS, check, apply, ways)


_ALONE: Final = tuple([(Obtain(card),) for card in range(len(CARDS))])


def _kept_ways(_table: TableFields, _seat: Seat, card: int) -> Sequence[Obtain]:
    return _ALONE[card]


_KEPT: Final = Taking(Obtain, _NOT_THEIRS, cards.check_alone, cards.keep, _kept_ways)
_CITY: Final = _obtained(cards.check_site, cards.build_city, cards.sites)
_FLEET: Final = _obtained(cards.check_flagship, cards.commandeer, cards.flagships)
_BRIBE: Final = _obtained(cards.check_bribe, cards.bribe, cards.bribed)
_POLITICIAN: Final = _obtained(cards.check_politician, cards.convince, cards.rostrums)
_CAMPAIGN: Final = Taking(
    Campaign,
    Refusal("wrong-action", "II-C-93", "Say which units march against the Barbarians."),
    cards.check_campaign,
    cards.campaign,
    cards.campaigns,
)
_REVOLT: Final = Taking(
    Incite,
    Refusal("wrong-action", "II-C-95", "Say where the slaves rise, and against whom first."),
    cards.check_revolt,
    cards.incite,
    cards.revolts,
)
_TRADE: Final = Using(uses.has_customers, uses.check_customers, uses.trade, uses.customers)
_LOOT: Final = Using(uses.always, uses.check_alone, uses.loot, uses.without_target)
_ASSASSIN: Final = Using(uses.always, uses.check_victim, uses.assassinate, uses.victims)
_CALL: Final = Using(uses.always, uses.check_alone, uses.call_vote, uses.without_target)
_UNUSED: Final = Using(uses.never, uses.refuse, uses.do_nothing, uses.no_ways)


def _none(_state: State, _seat: Seat, _card: int, _emit: Emit) -> None:
    """Do nothing: the card calls no vote."""


def _nothing(_card: int, _space: Space) -> Support:
    return NO_SUPPORT


EFFECTS: Final = ByAct(
    merchant=Effect(_KEPT, _TRADE, _none, _nothing),
    assassin=Effect(_KEPT, _ASSASSIN, _none, _nothing),
    loot=Effect(_KEPT, _LOOT, _none, _nothing),
    emergency_tax=Effect(_KEPT, _CALL, benefits.talents, _nothing),
    bread_and_circuses=Effect(_KEPT, _CALL, benefits.calm, _nothing),
    hail_caesar=Effect(_KEPT, _CALL, benefits.points, _nothing),
    new_legions=Effect(_KEPT, _CALL, benefits.legions, _nothing),
    influence_in_rome=Effect(_KEPT, _CALL, benefits.influence, _nothing),
    senator=Effect(_KEPT, _UNUSED, _none, _nothing),
    troops=Effect(_KEPT, _UNUSED, _none, support.troops),
    pirates=Effect(_KEPT, _UNUSED, _none, support.pirates),
    fleet=Effect(_FLEET, _UNUSED, _none, _nothing),
    city=Effect(_CITY, _UNUSED, _none, _nothing),
    barbarians=Effect(_CAMPAIGN, _UNUSED, _none, _nothing),
    politician=Effect(_POLITICIAN, _UNUSED, _none, _nothing),
    bribe=Effect(_BRIBE, _UNUSED, _none, _nothing),
    revolt=Effect(_REVOLT, _UNUSED, _none, _nothing),
    army=Effect(_KEPT, _UNUSED, _none, support.army_training),
    navy=Effect(_KEPT, _UNUSED, _none, support.naval_training),
    wind=Effect(_KEPT, _UNUSED, _none, support.wind),
)
COSTS: Final = tuple([card.cost for card in CARDS])
BY_CARD: Final = tuple([EFFECTS.of(card) for card in range(len(CARDS))])
"""Effects for each kind of card; a tuple, because it is read so often."""
VOTES: Final = tuple([card for card, effect in enumerate(BY_CARD) if effect.used is _CALL])
"""Cards that call a vote."""


# --- obtaining ---


def card_of(action: Taken) -> int:
    """Return the card that would be obtained; a revolt of slaves has only one."""
    return REVOLT if isinstance(action, Incite) else action.card


def _check_row(table: TableFields, frame: Turn, seat: Seat, card: int) -> Refusal | None:
    """Check the conditions for every card (II-CARD-01, II-ACT-01)."""
    if frame.obtained:
        return Refusal("once-a-round", "II-ACT-01", "You have taken a card in this round already.")
    if not 0 <= card < len(CARDS) or not table.row[card]:
        return Refusal("no-such-card", "II-CARD-01", "That card is not on offer.")
    if CARDS[card].cost > table.talents[seat]:
        text = _(
            "{card} costs {price} talents; you have {talents}.",
            card=CARDS[card].name,
            price=CARDS[card].cost,
            talents=table.talents[seat],
        )
        return Refusal("too-dear", "II-CARD-01", text)
    return None


def obtain_check(table: TableFields, frame: Turn, seat: Seat, action: Taken) -> Refusal | None:
    """Check obtaining; a card that must be used at once may be taken only if it can be (II-D17)."""
    card = card_of(action)
    refusal = _check_row(table, frame, seat, card)
    if refusal is not None:
        return refusal
    taken = BY_CARD[card].taken
    return taken.check(table, seat, action) if isinstance(action, taken.action) else taken.otherwise


def obtain_apply(state: State, seat: Seat, action: Taken, emit: Emit) -> None:
    """Carry it out: immediate cards leave play, the others stay with their owner (II-CARD-02 to -06)."""
    card = card_of(action)
    state.row[card] -= 1
    state.talents[seat] -= CARDS[card].cost
    if CARDS[card].kind == IMMEDIATE:
        state.gone[card] += 1
    else:
        gain_card(state, seat, card)
    emit(events.CardTaken(seat, card, CARDS[card].cost))
    BY_CARD[card].taken.apply(state, seat, action, emit)


def ways_to_obtain(table: TableFields, frame: Turn, seat: Seat, card: int) -> Sequence[Taken]:
    """Return the ways to take a card now, with every target; for marches only a few ways."""
    if table.row[card] and not frame.obtained and COSTS[card] <= table.talents[seat]:
        return BY_CARD[card].taken.ways(table, seat, card)
    return ()


def card_options(table: TableFields, frame: Turn, seat: Seat) -> list[Action]:
    """Return every open card in every way."""
    found: list[Action] = []
    if frame.obtained:
        return found
    money = table.talents[seat]
    for card, number in enumerate(table.row):
        if number and COSTS[card] <= money:
            found += BY_CARD[card].taken.ways(table, seat, card)
    return found


# --- using ---


def usable(table: TableFields, seat: Seat) -> bool:
    """Whether `seat` has a multi-use card with which it could do something now."""
    return any(BY_CARD[card].used.gains(table, seat, card) for card in unused(table, seat))


def use_check(table: TableFields, _frame: Turn, seat: Seat, action: Use) -> Refusal | None:
    """Check the use of a card; it needs no action (II-CARD-05, II-PASS-01)."""
    card = action.card
    if not copies(table, seat, card):
        return Refusal("no-such-card", "II-CARD-05", "You do not have that card.")
    if not ready(table, seat, card):
        return Refusal("used", "II-CARD-05", _("{card} was used this season.", card=CARDS[card].name))
    return BY_CARD[card].used.check(table, seat, action)


def use_apply(state: State, seat: Seat, action: Use, emit: Emit) -> None:
    """Use the card, and turn it down for the season."""
    state.used[seat] = tuple(sorted((*state.used[seat], action.card)))
    BY_CARD[action.card].used.apply(state, seat, action, emit)


def ways_to_use(table: TableFields, seat: Seat, card: int) -> Sequence[Use]:
    """Return useful ways to use a card before `seat` now; the assassin with every victim but the seat itself."""
    return BY_CARD[card].used.ways(table, seat, card) if ready(table, seat, card) else ()


def use_options(table: TableFields, _frame: Turn, seat: Seat) -> list[Action]:
    """Return every multi-use card in every way."""
    found: list[Action] = []
    for card in unused(table, seat):
        found += BY_CARD[card].used.ways(table, seat, card)
    return found


# --- fighting ---


def support_of(table: TableFields, seat: Seat, space: Space) -> Support:
    """Return the sum of support by the cards before `seat` for a battle there."""
    brought = [BY_CARD[card].brings(card, space) for card in table.cards[seat]]
    return reduce(combined, [one for one in brought if one is not NO_SUPPORT], NO_SUPPORT)

"""The table of card effects: obtaining, using, votes in the senate, and support of battles."""

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from typing import Any, Final, Generic, TypeAlias, TypeVar

from msgspec import Struct

from shared.ids import Seat, Space
from shared.kernel.frames import Action, Emit, push
from shared.language.sentence import _
from shared.refusal import Refusal
from shared.rulesets.cote2 import cards, events, support, uses
from shared.rulesets.cote2.actions import Campaign, Incite, Obtain, Use
from shared.rulesets.cote2.data import CARDS, IMMEDIATE, NAMED, REVOLT, ByAct
from shared.rulesets.cote2.frames import Muster, Turn
from shared.rulesets.cote2.property import (
    add_chaos,
    add_influence,
    army_supply,
    copies,
    gain_card,
    influence_supply,
    ready,
    reward,
    unused,
)
from shared.rulesets.cote2.state import State, TableFields
from shared.rulesets.cote2.support import NO_SUPPORT, Support, combined


def talents(state: State, seat: Seat, card: int, emit: Emit) -> None:
    """Pay the talents of the card (II-C-09)."""
    reward(state, seat, card, CARDS[card].gain[0], 0, emit)


def calm(state: State, seat: Seat, card: int, emit: Emit) -> None:
    """Take the card's number off the chaos of the seat (II-C-10)."""
    add_chaos(state, seat, -CARDS[card].gain[0])
    reward(state, seat, card, 0, 0, emit)


def points(state: State, seat: Seat, card: int, emit: Emit) -> None:
    """Give the victory points of the card (II-C-11)."""
    reward(state, seat, card, 0, CARDS[card].gain[0], emit)


def legions(state: State, seat: Seat, card: int, _emit: Emit) -> None:
    """Place new legions, as many as there are (II-C-12)."""
    infantry = min(CARDS[card].gain[0], army_supply(state, seat)[0])
    if infantry:
        push(state, Muster, seat, infantry)


def influence(state: State, seat: Seat, card: int, emit: Emit) -> None:
    """Place influence, as many tokens as there are (II-C-13)."""
    space = NAMED[card][0]
    tokens = min(CARDS[card].gain[0], influence_supply(state, seat))
    add_influence(state, seat, space, tokens)
    emit(events.InfluenceGained(seat, space, tokens))


Taken: TypeAlias = Obtain | Campaign | Incite
"""The actions by which cards are obtained."""
A = TypeVar("A", bound=Taken)


class Taking(Struct, Generic[A], frozen=True):
    """The way in which a card is obtained.

    action: the kind of action that does it; otherwise: the refusal of another kind.
    check(table, seat, action): conditions beside those that hold for every card.
    apply(state, seat, action, emit): the effect once the card is paid.
    ways(table, seat, card): the actions that obtain it now, with every target.
    """

    action: type[A]
    otherwise: Refusal
    check: Callable[[TableFields, Seat, A], Refusal | None]
    apply: Callable[[State, Seat, A, Emit], None]
    ways: Callable[[TableFields, Seat, int], Sequence[A]]


class Using(Struct, frozen=True):
    """The way in which a multi-use card is used: check, apply and ways as of `Taking`.

    gains(table, seat, card): whether it could bring anything.
    """

    gains: Callable[[TableFields, Seat, int], bool]
    check: Callable[[TableFields, Seat, Use], Refusal | None]
    apply: Callable[[State, Seat, Use, Emit], None]
    ways: Callable[[TableFields, Seat, int], Sequence[Use]]


class Effect(Struct, frozen=True):
    """Effects of a card.

    taken: when it is obtained. used: once a season.
    won(state, seat, card, emit): benefit of the winner of the vote that it calls.
    brings(card, space): its support of a battle of its owner there.
    """

    taken: Taking[Any]
    used: Using
    won: Callable[[State, Seat, int, Emit], None]
    brings: Callable[[int, Space], Support]


# --- parts of the table ---

Targets = Callable[[TableFields, Seat, int], Iterable[int]]
_NOT_THEIRS: Final = Refusal("wrong-action", "II-C-93", "That is not a card of the Barbarians.")


def _way_to_obtain(
    check: Callable[[TableFields, Seat, Obtain], Refusal | None],
    apply: Callable[[State, Seat, Obtain, Emit], None],
    targets: Targets,
) -> Taking[Obtain]:
    """Return the way to obtain a card with at most one target, which `check` must accept."""

    def ways(table: TableFields, seat: Seat, card: int) -> list[Obtain]:
        return [Obtain(card, target) for target in targets(table, seat, card)]

    return Taking(Obtain, _NOT_THEIRS, check, apply, ways)


# Made once: actions are frozen, and listing options asks for these in every turn.
_ALONE: Final = tuple([(Obtain(card),) for card in range(len(CARDS))])


def _kept_ways(_table: TableFields, _seat: Seat, card: int) -> Sequence[Obtain]:
    return _ALONE[card]


_KEPT: Final = Taking(Obtain, _NOT_THEIRS, cards.check_alone, cards.keep, _kept_ways)
_CITY: Final = _way_to_obtain(cards.check_site, cards.build_city, cards.sites)
_FLEET: Final = _way_to_obtain(cards.check_flagship, cards.commandeer, cards.flagships)
_BRIBE: Final = _way_to_obtain(cards.check_bribe, cards.bribe, cards.bribed)
_POLITICIAN: Final = _way_to_obtain(cards.check_politician, cards.convince, cards.rostrums)
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
    emergency_tax=Effect(_KEPT, _CALL, talents, _nothing),
    bread_and_circuses=Effect(_KEPT, _CALL, calm, _nothing),
    hail_caesar=Effect(_KEPT, _CALL, points, _nothing),
    new_legions=Effect(_KEPT, _CALL, legions, _nothing),
    influence_in_rome=Effect(_KEPT, _CALL, influence, _nothing),
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
# By identity with the shared record, so the table above stays the only list of votes.
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
    # Paid and moved before the effect, which may push a frame that ends much later.
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
    # Sorted, because equal sets of used cards must be equal values for deltas and digests.
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
    # Every copy of a card counts, so the tuple of cards is read, not a set.
    brought = [BY_CARD[card].brings(card, space) for card in table.cards[seat]]
    return reduce(combined, [one for one in brought if one is not NO_SUPPORT], NO_SUPPORT)

"""Obtaining cards, and using at once those that must be (II-CARD; II-C-24 to II-C-40)."""

from collections.abc import Iterator
from typing import Any

from shared.board import BOARD
from shared.ids import NONE, Seat, Space
from shared.kernel.frames import Action, Emit, push
from shared.mechanics.cells import army_of, has_army
from shared.refusal import Refusal
from shared.rulesets.cote2 import events
from shared.rulesets.cote2.actions import Campaign, Incite, Obtain
from shared.rulesets.cote2.data import CARDS, IMMEDIATE, KEY_SET, NAMED, REVOLT
from shared.rulesets.cote2.frames import Revolt, Theft, Turn
from shared.rulesets.cote2.movement import apply_move, check_move, landings, reach
from shared.rulesets.cote2.property import (
    add_army,
    add_influence,
    army_supply,
    gain_card,
    influence_supply,
    launch,
    reward,
)
from shared.rulesets.cote2.state import (
    GALLEYS,
    LEADERS,
    OFF,
    State,
    Table,
    is_province,
    is_seat,
    leaders_at,
)

CAMPAIGN = 4
"""Units that march against the Barbarians (II-D18)."""
TARGETED = ("city", "fleet", "bribe")
"""Cards that are taken with a target."""

# --- any card ---


def _check_row(table: Table, frame: Turn, seat: Seat, card: int) -> Refusal | None:
    """What holds for every card (II-CARD-01, II-ACT-01)."""
    if frame.obtained:
        return Refusal("once-a-round", "II-ACT-01", "You have taken a card in this round already.")
    if not 0 <= card < len(CARDS) or not table.row[card]:
        return Refusal("no-such-card", "II-CARD-01", "That card is not on offer.")
    if CARDS[card].cost > table.talents[seat]:
        text = f"{CARDS[card].name} costs {CARDS[card].cost} talents; you have {table.talents[seat]}."
        return Refusal("too-dear", "II-CARD-01", text)
    return None


def _pay(state: State, seat: Seat, card: int, emit: Emit) -> None:
    """Immediate cards leave play, the others stay with their owner (II-CARD-02 to -06)."""
    state.row[card] -= 1
    state.talents[seat] -= CARDS[card].cost
    if CARDS[card].kind == IMMEDIATE:
        state.gone[card] += 1
    else:
        gain_card(state, seat, card)
    emit(events.CardTaken(seat, card, CARDS[card].cost))


def obtain_check(table: Table, frame: Turn, seat: Seat, action: Obtain) -> Refusal | None:
    """A card that must be used at once may be taken only if it can be (II-D17)."""
    refusal = _check_row(table, frame, seat, action.card)
    if refusal is not None:
        return refusal
    match CARDS[action.card].act:
        case "city":
            return _check_site(table, seat, action.card, action.target)
        case "fleet":
            return _check_flagship(table, seat, action.target)
        case "bribe":
            return _check_bribe(table, seat, action.target)
        case "politician":
            refusal = _check_politician(table, seat)
        case "barbarians":
            refusal = Refusal("wrong-action", "II-C-93", "Say which units march against the Barbarians.")
        case "revolt":
            refusal = Refusal("wrong-action", "II-C-95", "Say where the slaves rise, and against whom first.")
    if refusal is None and action.target != NONE:
        return Refusal("no-target", "II-CARD-01", f"{CARDS[action.card].name} has no target.")
    return refusal


def obtain_apply(state: State, seat: Seat, action: Obtain, emit: Emit) -> None:
    """Pay, and use an immediate card."""
    card, target = action.card, action.target
    _pay(state, seat, card, emit)
    match CARDS[card].act:
        case "city":
            state.built[target] = 1
            state.owner[target] = seat
            emit(events.CityBuilt(seat, target))
        case "fleet":
            _commandeer(state, seat, card, target, emit)
        case "bribe":
            push(state, Theft, seat, target, True)
        case "politician":
            space = state.leader_at[seat * LEADERS]
            add_influence(state, seat, space, CARDS[card].gain[0])
            emit(events.InfluenceGained(seat, space, CARDS[card].gain[0]))


def _check_site(table: Table, seat: Seat, card: int, space: Space) -> Refusal | None:
    """II-C-26 to II-C-31, II-C-92, II-D20."""
    if space not in NAMED[card]:
        return Refusal("bad-place", "II-C-92", f"{CARDS[card].name} is not a card for that province.")
    if table.built[space]:
        return Refusal("city-there", "II-C-92", f"There is a city in {BOARD.names[space]} already.")
    if not has_army(table.units[space], seat):
        text = f"You have no infantry, cavalry or catapult in {BOARD.names[space]}."
        return Refusal("no-army", "II-D20", text)
    return None


def _check_flagship(table: Table, seat: Seat, galley: int) -> Refusal | None:
    """II-C-24, II-C-25, II-D19."""
    if 0 <= galley < len(table.galley_at) and galley // GALLEYS == seat and table.galley_at[galley] != OFF:
        return None
    return Refusal("no-such-galley", "II-D19", "A galley of yours on the board must lead the fleet.")


def _commandeer(state: State, seat: Seat, card: int, galley: int, emit: Emit) -> None:
    """The galley comes, new ones join it; no battle (II-C-94, II-D19)."""
    zone = NAMED[card][0]
    state.galley_at[galley] = zone
    emit(events.Sailed(seat, (galley,), zone))
    new = launch(state, seat, zone, CARDS[card].gain[0])
    emit(events.Reinforced(seat, zone, (0, 0, 0), new))


def _check_bribe(table: Table, seat: Seat, victim: int) -> Refusal | None:
    """II-C-39, II-D22."""
    if not is_seat(table, victim) or victim == seat:
        return Refusal("no-victim", "II-D22", "Name another player.")
    if sum(table.senators[victim]) == 0:
        return Refusal("no-senator", "II-D22", "That player has no senator.")
    return None


def _check_politician(table: Table, seat: Seat) -> Refusal | None:
    """II-C-38, II-D21."""
    if table.leader_at[seat * LEADERS] not in KEY_SET:
        return Refusal("no-key-province", "II-D21", "Your Caesar is not in a key province.")
    if influence_supply(table, seat) < 1:
        return Refusal("no-supply", "II-D10", "You have no influence tokens left.")
    return None


# --- the Barbarians ---


def _campaign_of(action: Campaign, to: Space) -> tuple[tuple[tuple[int, int, int, int], ...], tuple[Any, ...]]:
    armies = ((to, action.infantry, action.cavalry, action.catapults),)
    return armies, tuple([(leader, to) for leader in action.leaders])


def campaign_check(table: Table, frame: Turn, seat: Seat, action: Campaign) -> Refusal | None:
    """Exactly four units of one army, by a legal move (II-C-93, II-D18)."""
    refusal = _check_row(table, frame, seat, action.card)
    if refusal is not None:
        return refusal
    if CARDS[action.card].act != "barbarians":
        return Refusal("wrong-action", "II-C-93", "That is not a card of the Barbarians.")
    if action.infantry + action.cavalry + action.catapults != CAMPAIGN:
        return Refusal("wrong-number", "II-D18", f"Exactly {CAMPAIGN} units march against the Barbarians.")
    armies, leaders = _campaign_of(action, NAMED[action.card][0])
    return check_move(table, seat, action.source, armies, leaders)


def campaign_apply(state: State, seat: Seat, action: Campaign, emit: Emit) -> None:
    """The march, then the reward, as far as the supply goes."""
    _pay(state, seat, action.card, emit)
    space = NAMED[action.card][0]
    apply_move(state, seat, action.source, *_campaign_of(action, space), emit)
    infantry, cavalry, talents, points = CARDS[action.card].gain
    if infantry or cavalry:
        supply = army_supply(state, seat)
        army = (min(infantry, supply[0]), min(cavalry, supply[1]), 0)
        add_army(state, seat, space, army)
        emit(events.Reinforced(seat, space, army, ()))
    if talents or points:
        reward(state, seat, action.card, talents, points, emit)


def _campaigns(table: Table, seat: Seat, card: int) -> Iterator[Action]:
    to = NAMED[card][0]
    first = seat * LEADERS
    for source in sorted({at for at in table.leader_at[first : first + LEADERS] if at not in (OFF, to)}):
        army = army_of(table.units[source], seat)
        if sum(army) < CAMPAIGN:
            continue
        if to in reach(table, seat, source) or to in landings(table, seat, source):
            infantry = min(CAMPAIGN, army[0])
            cavalry = min(CAMPAIGN - infantry, army[1])
            catapults = CAMPAIGN - infantry - cavalry
            yield Campaign(card, source, infantry, cavalry, catapults)
            yield Campaign(card, source, infantry, cavalry, catapults, leaders_at(table, seat, source)[-1:])


# --- slaves ---


def _armies_in(table: Table, seat: Seat, space: Space) -> tuple[Seat, ...]:
    return tuple([other for other in table.units[space][::4] if other != seat])


def incite_check(table: Table, frame: Turn, seat: Seat, action: Incite) -> Refusal | None:
    """II-C-40, II-C-95, II-D50."""
    refusal = _check_row(table, frame, seat, REVOLT)
    if refusal is not None:
        return refusal
    if not is_province(action.space) or not table.units[action.space]:
        text = "Slaves rise in a province with infantry, cavalry or catapults."
        return Refusal("no-army", "II-D50", text)
    if sorted(action.victims) != sorted(_armies_in(table, seat, action.space)):
        text = "Name every other player with an army there, in the order in which the slaves attack."
        return Refusal("wrong-victims", "II-C-95", text)
    return None


def incite_apply(state: State, seat: Seat, action: Incite, emit: Emit) -> None:
    """The own army comes last."""
    _pay(state, seat, REVOLT, emit)
    victims = (*action.victims, seat)
    emit(events.RevoltBegan(seat, action.space, victims))
    push(state, Revolt, action.space, CARDS[REVOLT].gain[0], victims)


def _revolts(table: Table, seat: Seat) -> Iterator[Action]:
    for space, cell in enumerate(table.units):
        if cell:
            others = _armies_in(table, seat, space)
            yield Incite(space, others)
            if len(others) > 1:
                yield Incite(space, others[::-1])


def card_options(table: Table, frame: Turn, seat: Seat) -> Iterator[Action]:
    """Every open card that can be taken, with every target; a few ways to march."""
    if frame.obtained:
        return
    money = table.talents[seat]
    for card, number in enumerate(table.row):
        if number and CARDS[card].cost <= money:
            yield from _ways(table, seat, card)


def _ways(table: Table, seat: Seat, card: int) -> Iterator[Action]:
    match CARDS[card].act:
        case "city":
            for space in NAMED[card]:
                if _check_site(table, seat, card, space) is None:
                    yield Obtain(card, space)
        case "fleet":
            seen = set()
            for galley in range(seat * GALLEYS, (seat + 1) * GALLEYS):
                at = table.galley_at[galley]
                if at != OFF and at not in seen:
                    seen.add(at)
                    yield Obtain(card, galley)
        case "bribe":
            for victim in range(table.seats):
                if _check_bribe(table, seat, victim) is None:
                    yield Obtain(card, victim)
        case "politician":
            if _check_politician(table, seat) is None:
                yield Obtain(card)
        case "barbarians":
            yield from _campaigns(table, seat, card)
        case "revolt":
            yield from _revolts(table, seat)
        case _:
            yield Obtain(card)

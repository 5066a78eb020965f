"""Effects of cards when they are obtained (II-CARD; II-C-24 to II-C-40)."""

from collections.abc import Sequence

from shared.board import BOARD
from shared.ids import NONE, Leader, Seat, Space
from shared.kernel.frames import Emit, push
from shared.language.sentence import _, listing
from shared.mechanics.armies import army_of, has_army, total
from shared.refusal import Refusal
from shared.rulesets.cote2 import events
from shared.rulesets.cote2.actions import Campaign, Incite, Obtain
from shared.rulesets.cote2.data import CARDS, KEY_SET, NAMED, REVOLT
from shared.rulesets.cote2.frames import Revolt, Theft
from shared.rulesets.cote2.movement import apply_move, check_move
from shared.rulesets.cote2.options import caesar_builds, campaign_units, slaves_rise_anywhere
from shared.rulesets.cote2.property import (
    add_army,
    add_influence,
    army_supply,
    influence_supply,
    launch,
    reward,
)
from shared.rulesets.cote2.state import GALLEYS, LEADERS, OFF, State, TableFields, is_province, is_seat, leaders_at
from shared.rulesets.cote2.ways import landings, reach

# --- cards with at most one target ---


def check_alone(_table: TableFields, _seat: Seat, action: Obtain) -> Refusal | None:
    """Check a card without a target."""
    if action.target == NONE:
        return None
    return Refusal("no-target", "II-CARD-01", _("{card} has no target.", card=CARDS[action.card].name))


def keep(_state: State, _seat: Seat, _action: Obtain, _emit: Emit) -> None:
    """Do nothing: the card has no effect yet (II-CARD-03 to -06)."""


def sites(table: TableFields, seat: Seat, card: int) -> Sequence[Space]:
    """Return the provinces that a card for a city names, in which `seat` can build and there is no city."""
    return [space for space in NAMED[card] if _has_builder(table, seat, space) and not table.built[space]]


def _has_builder(table: TableFields, seat: Seat, space: Space) -> bool:
    """Whether `seat` has units there, or by an option its Caesar (II-D20)."""
    caesar = caesar_builds(table) and table.leader_at[seat * LEADERS] == space
    return caesar or has_army(table.units[space], seat)


def check_site(table: TableFields, seat: Seat, action: Obtain) -> Refusal | None:
    """Check the province of a city (II-C-26 to II-C-31, II-C-92, II-D20)."""
    card, space = action.card, action.target
    if space == NONE:
        sites = listing((BOARD.names[site] for site in NAMED[card]), _(" or in "))
        return Refusal("no-target", "II-C-92", _("Say where the city is built: in {places}.", places=sites))
    if space not in NAMED[card]:
        return Refusal("bad-place", "II-C-92", _("{card} is not a card for that province.", card=CARDS[card].name))
    if table.built[space]:
        return Refusal("city-there", "II-C-92", _("There is a city in {place} already.", place=BOARD.names[space]))
    if not _has_builder(table, seat, space):
        if caesar_builds(table):
            text = _("You have neither units nor your Caesar in {place}.", place=BOARD.names[space])
        else:
            text = _("You have no infantry, cavalry or catapult in {place}.", place=BOARD.names[space])
        return Refusal("no-army", "II-D20", text)
    return None


def build_city(state: State, seat: Seat, action: Obtain, emit: Emit) -> None:
    """Build a city (II-C-92)."""
    state.built[action.target] = 1
    state.owner[action.target] = seat
    emit(events.CityBuilt(seat, action.target))


def flagships(table: TableFields, seat: Seat, _card: int) -> list[int]:
    """Return the first galley of each zone."""
    first, at = seat * GALLEYS, table.galley_at
    # Galleys of a zone are alike, so the first one stands for all.
    return [g for g in range(first, first + GALLEYS) if at[g] != OFF and at.index(at[g], first) == g]


def check_flagship(table: TableFields, seat: Seat, action: Obtain) -> Refusal | None:
    """Check the galley of a fleet (II-C-24, II-C-25, II-D19)."""
    if action.target // GALLEYS == seat and table.galley_at[action.target] != OFF:
        return None
    return Refusal("no-such-galley", "II-D19", "A galley of yours on the board must lead the fleet.")


def commandeer(state: State, seat: Seat, action: Obtain, emit: Emit) -> None:
    """Move the galley there; new ones join it, without a battle (II-C-94, II-D19)."""
    zone = NAMED[action.card][0]
    state.galley_at[action.target] = zone
    emit(events.Sailed(seat, (action.target,), zone))
    # After the flagship has moved; galleys that meet others there do not fight (II-D19).
    new = launch(state, seat, zone, CARDS[action.card].gain[0])
    emit(events.Reinforced(seat, zone, (0, 0, 0), new))


def bribed(table: TableFields, seat: Seat, _card: int) -> Sequence[Seat]:
    """Return the other players who have a senator."""
    return [other for other in range(table.seats) if other != seat and any(table.senators[other])]


def check_bribe(table: TableFields, seat: Seat, action: Obtain) -> Refusal | None:
    """Check the victim of a bribe (II-C-39, II-D22)."""
    victim = action.target
    if not is_seat(table, victim) or victim == seat:
        return Refusal("no-victim", "II-D22", "Name another player.")
    if sum(table.senators[victim]) == 0:
        return Refusal("no-senator", "II-D22", "That player has no senator.")
    return None


def bribe(state: State, seat: Seat, action: Obtain, _emit: Emit) -> None:
    """Draw a senator from the victim of a bribe (II-C-39)."""
    push(state, Theft, seat, action.target, True)


def rostrums(table: TableFields, seat: Seat, _card: int) -> Sequence[int]:
    """Return the way to use a card without a target, while the Caesar is in a key province and there are tokens."""
    return (NONE,) if table.leader_at[seat * LEADERS] in KEY_SET and influence_supply(table, seat) > 0 else ()


def check_politician(table: TableFields, seat: Seat, action: Obtain) -> Refusal | None:
    """Check a politician (II-C-38, II-D21)."""
    if table.leader_at[seat * LEADERS] not in KEY_SET:
        return Refusal("no-key-province", "II-D21", "Your Caesar is not in a key province.")
    if influence_supply(table, seat) < 1:
        return Refusal("no-supply", "II-D10", "You have no influence tokens left.")
    return check_alone(table, seat, action)


def convince(state: State, seat: Seat, action: Obtain, emit: Emit) -> None:
    """Gain influence by a politician; no province token is used (II-C-38)."""
    space = state.leader_at[seat * LEADERS]
    tokens = CARDS[action.card].gain[0]
    add_influence(state, seat, space, tokens)
    emit(events.InfluenceGained(seat, space, tokens))


# --- the Barbarians ---


def _march(action: Campaign) -> tuple[tuple[tuple[int, int, int, int], ...], tuple[tuple[Leader, Space], ...]]:
    """Return armies and leaders with their destinations, as in a `Move`."""
    to = NAMED[action.card][0]
    armies = ((to, action.infantry, action.cavalry, action.catapults),)
    return armies, tuple([(leader, to) for leader in action.leaders])


def check_campaign(table: TableFields, seat: Seat, action: Campaign) -> Refusal | None:
    """Check a campaign: exactly four units of one army, by a legal move (II-C-93, II-D18)."""
    if action.infantry + action.cavalry + action.catapults != campaign_units(table):
        text = _("Exactly {count} units march against the Barbarians.", count=campaign_units(table))
        return Refusal("wrong-number", "II-D18", text)
    return check_move(table, seat, action.source, *_march(action))


def campaign(state: State, seat: Seat, action: Campaign, emit: Emit) -> None:
    """Carry out the march, then give the reward, as far as the supply goes."""
    space = NAMED[action.card][0]
    apply_move(state, seat, action.source, *_march(action), emit)
    infantry, cavalry, talents, points = CARDS[action.card].gain
    if infantry or cavalry:
        supply = army_supply(state, seat)
        army = (min(infantry, supply[0]), min(cavalry, supply[1]), 0)
        add_army(state, seat, space, army)
        emit(events.Reinforced(seat, space, army, ()))
    if talents or points:
        reward(state, seat, action.card, talents, points, emit)


def campaigns(table: TableFields, seat: Seat, card: int) -> list[Campaign]:
    """Return campaigns from all provinces with four units that can march, without a leader and with the last of those
    there. They all pass `check_campaign`: any galley next to the Barbarians has room for the four.
    """
    found: list[Campaign] = []
    first, to = seat * LEADERS, NAMED[card][0]
    party = campaign_units(table)
    for source in sorted({at for at in table.leader_at[first : first + LEADERS] if at != OFF}):
        army = army_of(table.units[source], seat)
        if total(army) < party or not (to in reach(table, seat, source) or to in landings(table, seat, source)):
            continue
        infantry = min(party, army[0])
        cavalry = min(party - infantry, army[1])
        catapults = party - infantry - cavalry
        leaders = leaders_at(table, seat, source)[-1:]
        found.append(Campaign(card, source, infantry, cavalry, catapults))
        found.append(Campaign(card, source, infantry, cavalry, catapults, leaders))
    return found


# --- slaves ---


def _armies_in(table: TableFields, seat: Seat, space: Space) -> tuple[Seat, ...]:
    return tuple([other for other in table.units[space][::4] if other != seat])


def check_revolt(table: TableFields, seat: Seat, action: Incite) -> Refusal | None:
    """Check a revolt (II-C-40, II-C-95, II-D50)."""
    if not is_province(action.space) or not (table.units[action.space] or slaves_rise_anywhere(table)):
        text = "Slaves rise in a province with infantry, cavalry or catapults."
        return Refusal("no-army", "II-D50", text)
    if sorted(action.victims) != sorted(_armies_in(table, seat, action.space)):
        text = "Name every other player with an army there, in the order in which the slaves attack."
        return Refusal("wrong-victims", "II-C-95", text)
    return None


def incite(state: State, seat: Seat, action: Incite, emit: Emit) -> None:
    """Begin a revolt; the own army comes last."""
    # The own army comes last, even if the player has none there (II-D50): the revolt then skips it.
    victims = (*action.victims, seat)
    emit(events.RevoltBegan(seat, action.space, victims))
    push(state, Revolt, action.space, CARDS[REVOLT].gain[0], victims)


def revolts(table: TableFields, seat: Seat, _card: int) -> list[Incite]:
    """Return revolts in all provinces where slaves may rise, in two orders."""
    found: list[Incite] = []
    anywhere = slaves_rise_anywhere(table)
    for space, cell in enumerate(table.units):
        if cell or anywhere:
            others = _armies_in(table, seat, space)
            found.append(Incite(space, others))
            if len(others) > 1:
                found.append(Incite(space, others[::-1]))
    return found

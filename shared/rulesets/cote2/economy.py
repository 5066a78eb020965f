"""Actions of money: recruiting, buying influence, special tax (II-RECRUIT, II-INFL, II-TAX)."""

from collections.abc import Sequence
from typing import Final

from shared.board import BOARD
from shared.ids import NO_ARMY, NONE, Seat, Space
from shared.kernel.frames import Action, Emit
from shared.language.sentence import Sentence, Value, _, ngettext, pgettext
from shared.mechanics.amendments import HasOptions
from shared.mechanics.armies import has_army, plus
from shared.mechanics.treasury import cost
from shared.refusal import Refusal
from shared.rulesets.cote2 import events
from shared.rulesets.cote2.actions import Influence, Levy, Recruit
from shared.rulesets.cote2.data import KEY_SET, SEAS
from shared.rulesets.cote2.frames import Turn
from shared.rulesets.cote2.options import influence_price, prices, recruit_chaos, special_taxes, tax_chaos
from shared.rulesets.cote2.property import (
    add_army,
    add_chaos,
    add_influence,
    army_supply,
    galley_supply,
    general_supply,
    influence_supply,
    launch,
    occupy_city,
)
from shared.rulesets.cote2.state import GALLEYS, LEADERS, OFF, State, TableFields, allied, is_province, led

GOODS: Final = (
    ngettext("infantry", "infantry", 1).key,
    ngettext("cavalry", "cavalry", 1).key,
    ngettext("catapult", "catapults", 1).key,
    ngettext("galley", "galleys", 1).key,
    ngettext("general", "generals", 1).key,
)


# --- recruiting ---


def bases(table: TableFields, seat: Seat) -> list[Space]:
    """Return the provinces with influence and a leader of `seat` (II-RECRUIT-02)."""
    first = seat * LEADERS
    there = KEY_SET.intersection(table.leader_at[first : first + LEADERS])
    return sorted([space for space in there if table.influence[space][seat]])


def recruit_check(table: TableFields, _frame: Turn, seat: Seat, action: Recruit) -> Refusal | None:
    """Check a recruitment (II-RECRUIT-01 to -03, II-D24)."""
    sites = bases(table, seat)
    army, generals = NO_ARMY, 0
    for space, infantry, cavalry, catapults, leaders in action.armies:
        if space not in sites:
            return _no_base(table, seat, space)
        army = plus(army, (infantry, cavalry, catapults))
        generals += leaders
    galleys = 0
    zones = {zone for space in sites for zone in SEAS[space]}
    for zone, number in action.fleets:
        if zone not in zones:
            other = "Galleys are recruited in sea zones next to a province where you could recruit."
            return Refusal("no-base", "II-RECRUIT-02", other)
        galleys += number
    recruits = (*army, galleys, generals)
    if not any(recruits):
        return Refusal("nothing-bought", "II-D24", "Recruit at least one unit.")
    supply = (*army_supply(table, seat), len(galley_supply(table, seat)), len(general_supply(table, seat)))
    for kind, number in enumerate(recruits):
        if number > supply[kind]:
            some = supply[kind] or pgettext("pieces", "no")
            goods = Sentence(GOODS[kind], {"n": supply[kind]})
            left = _("Your supply has {number} {pieces} left.", number=some, pieces=goods)
            return Refusal("no-supply", "II-RECRUIT-01", left)
    price = cost(recruits, prices(table), 1)
    if price > table.talents[seat]:
        text = _("That costs {price} talents; you have {talents}.", price=price, talents=table.talents[seat])
        return Refusal("too-dear", "II-RECRUIT-01", text)
    return None


def _no_base(table: TableFields, seat: Seat, space: Space) -> Refusal:
    """Return the reason why units cannot be recruited in a province."""
    if space not in KEY_SET or not table.influence[space][seat]:
        where: Value = BOARD.names[space] if is_province(space) else _("that place")
        return Refusal(
            "no-influence",
            "II-RECRUIT-02",
            _("Units are recruited where you have influence, not in {place}.", place=where),
        )
    text = _("There is no general and no Caesar of yours in {place}.", place=BOARD.names[space])
    return Refusal("no-leader", "II-RECRUIT-02", text)


def price_of(table: HasOptions, action: Recruit) -> int:
    """Return the price of a recruitment in talents (II-RECRUIT-01)."""
    armies = sum([cost((*army, 0, leaders), prices(table), 1) for _space, *army, leaders in action.armies])
    return armies + prices(table)[3] * sum([number for _zone, number in action.fleets])


def recruit_apply(state: State, seat: Seat, action: Recruit, emit: Emit) -> None:
    """Pay, place, and take the chaos. Empty groups are skipped."""
    price = price_of(state, action)
    armies = tuple([group for group in action.armies if any(group[1:])])
    for space, infantry, cavalry, catapults, leaders in armies:
        add_army(state, seat, space, (infantry, cavalry, catapults))
        for leader in general_supply(state, seat)[:leaders]:
            state.leader_at[leader] = space
        # Recruits count as land units that came in (II-D51), so they may take a city without its owner's units.
        occupy_city(state, seat, space, emit)
    fleets = tuple([group for group in action.fleets if group[1]])
    for zone, number in fleets:
        launch(state, seat, zone, number)
    state.talents[seat] -= price
    add_chaos(state, seat, recruit_chaos(state))
    emit(events.Recruited(seat, armies, fleets, price))


def recruit_options(table: TableFields, frame: Turn, seat: Seat) -> list[Action]:
    """Return recruitments in each base: one of each kind, as much infantry as can be paid, an army of all kinds."""
    found: list[Action] = []
    money = table.talents[seat]
    foot, horse, machine, ship, leader = prices(table)
    if money < foot:
        return found
    sites = bases(table, seat)
    if not sites:
        return found
    infantry, cavalry, catapults = army_supply(table, seat)
    generals = OFF in table.leader_at[seat * LEADERS + 1 : (seat + 1) * LEADERS]
    galleys = OFF in table.galley_at[seat * GALLEYS : (seat + 1) * GALLEYS]
    zones: list[Space] = []
    for space in sites:
        if infantry:
            most = min(infantry, money // foot)
            found += [Recruit(((space, number, 0, 0, 0),)) for number in ((1, most) if most > 1 else (1,))]
        if cavalry and money >= horse:
            found.append(Recruit(((space, 0, min(cavalry, money // horse), 0, 0),)))
        if catapults and money >= machine:
            found.append(Recruit(((space, 0, 0, 1, 0),)))
        if infantry > 1 and cavalry and catapults and money >= 2 * foot + horse + machine:
            found.append(Recruit(((space, 2, 1, 1, 0),)))
        if generals and money >= leader:
            found.append(Recruit(((space, 0, 0, 0, 1),)))
        if galleys and money >= ship and SEAS[space]:
            # One zone of each base, another one each turn: the choice of zones would multiply the list.
            zone = SEAS[space][frame.no % len(SEAS[space])]
            if zone not in zones:
                zones.append(zone)
                found.append(Recruit((), ((zone, 1),)))
    return found


# --- buying influence ---


def buyable(table: TableFields, seat: Seat, space: Space) -> list[int]:
    """Return the sellers in a province, once for each token: NONE for a province token (II-INFL-03, -04, II-D26)."""
    # Province tokens are not protected by units (II-D26), players' tokens are.
    found = [NONE] * table.tokens[space]
    cell = table.units[space]
    for other, tokens in enumerate(table.influence[space]):
        if tokens and not allied(table, other, seat) and not has_army(cell, other):
            found += [other] * tokens
    return found


def most_tokens(table: TableFields, seat: Seat, space: Space) -> int:
    """Return the number of tokens that one action may buy there: two with the Caesar, else one with a general
    (II-INFL-01).
    """
    if table.leader_at[seat * LEADERS] == space:
        return 2
    return 1 if led(table, seat, space) else 0


def influence_check(table: TableFields, _frame: Turn, seat: Seat, action: Influence) -> Refusal | None:
    """Check a purchase of influence (II-INFL-01 to -04)."""
    space = action.space
    if space not in KEY_SET:
        return Refusal("no-key-province", "II-TERM-05", "There is influence only in key provinces.")
    most = most_tokens(table, seat, space)
    if not most:
        text = _("There is no general and no Caesar of yours in {place}.", place=BOARD.names[space])
        return Refusal("no-leader", "II-INFL-01", text)
    if not 1 <= len(action.sellers) <= most:
        return Refusal("wrong-number", "II-INFL-01", "A general buys one token an action, the Caesar up to two.")
    refusal = _check_sellers(table, seat, action)
    if refusal is not None:
        return refusal
    if len(action.sellers) > influence_supply(table, seat):
        return Refusal("no-supply", "II-D10", "You have no influence tokens left.")
    price = influence_price(table) * len(action.sellers)
    if price > table.talents[seat]:
        return Refusal(
            "too-dear",
            "II-INFL-02",
            _("That costs {price} talents; you have {talents}.", price=price, talents=table.talents[seat]),
        )
    return None


def _check_sellers(table: TableFields, seat: Seat, action: Influence) -> Refusal | None:
    offered = buyable(table, seat, action.space)
    for seller in action.sellers:
        if seller in offered:
            # Each token is for sale once, so it is struck off before the next seller is judged.
            offered.remove(seller)
            continue
        if seller in (NONE, seat) or not 0 <= seller < table.seats:
            return Refusal("no-token", "II-INFL-03", "Not enough tokens are for sale.")
        if not table.influence[action.space][seller]:
            return Refusal("no-token", "II-INFL-03", "That player has no token there.")
        if allied(table, seat, seller):
            return Refusal("ally", "II-INFL-04", "Tokens of allies are not for sale.")
        if has_army(table.units[action.space], seller):
            return Refusal("guarded", "II-INFL-04", "Units of that player protect the tokens there.")
        return Refusal("no-token", "II-INFL-03", "That player does not have that many tokens there.")
    return None


def influence_apply(state: State, seat: Seat, action: Influence, emit: Emit) -> None:
    """Pay the bank; a province token leaves play, a player's token goes back to that player (II-TOKENS-02)."""
    for seller in action.sellers:
        if seller == NONE:
            state.tokens[action.space] -= 1
        else:
            add_influence(state, seller, action.space, -1)
        add_influence(state, seat, action.space, 1)
    price = influence_price(state) * len(action.sellers)
    state.talents[seat] -= price
    emit(events.InfluenceBought(seat, action.space, action.sellers, price))


def influence_options(table: TableFields, _frame: Turn, seat: Seat) -> list[Action]:
    """Return purchases: one token of each seller, and two in the province of the Caesar."""
    found: list[Action] = []
    if table.talents[seat] < influence_price(table):
        return found
    first = seat * LEADERS
    sites = sorted(KEY_SET.intersection(table.leader_at[first : first + LEADERS]))
    if not sites:
        return found
    supply = min(influence_supply(table, seat), table.talents[seat] // influence_price(table))
    if supply <= 0:
        return found
    for space in sites:
        offered = buyable(table, seat, space)
        found += [Influence(space, (seller,)) for seller in sorted(set(offered))]
        if len(offered) > 1 and supply > 1 and table.leader_at[first] == space:
            found.append(Influence(space, tuple(offered[:2])))
            # The second pair is another decision only if its seller differs.
            if offered[-1] != offered[1]:
                found.append(Influence(space, (offered[0], offered[-1])))
    return found


# --- special tax ---


def levy_check(table: TableFields, _frame: Turn, _seat: Seat, action: Levy) -> Refusal | None:
    """Check a special tax (II-TAX-01)."""
    sums = special_taxes(table)
    if action.talents in sums:
        return None
    text = _(
        "A special tax brings {least} to {most} talents, in steps of {step}.",
        least=sums[0],
        most=sums[-1],
        step=sums.step,
    )
    return Refusal("wrong-tax", "II-TAX-01", text)


def levy_apply(state: State, seat: Seat, action: Levy, emit: Emit) -> None:
    """Take talents for chaos."""
    state.talents[seat] += action.talents
    add_chaos(state, seat, tax_chaos(state, action.talents))
    emit(events.Levied(seat, action.talents))


def levy_options(table: TableFields, _frame: Turn, _seat: Seat) -> Sequence[Action]:
    """Return all five taxes."""
    return [Levy(talents) for talents in special_taxes(table)]

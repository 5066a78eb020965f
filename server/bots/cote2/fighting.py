"""Battles: their expected results, and the decisions in them."""

from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from server.bots.cote2.plans import Clash
from server.bots.cote2.position_analysis import LATER, UNIT, UNREST, SeatAnalysis
from shared.ids import Army, Seat, Space
from shared.kernel.frames import Action
from shared.mechanics.armies import put_army, total
from shared.mechanics.treasury import cost
from shared.odds import cote2 as odds
from shared.odds.outcome import ATTACKER, DEFENDER, NO_FORCE, Force, Host
from shared.rulesets.cote2.actions import Commit, Lend, Slip, Withdraw
from shared.rulesets.cote2.combat_phase import lendable
from shared.rulesets.cote2.data import KEY_SET, SEAS
from shared.rulesets.cote2.frames import Aid, Battle, Commitment, Wind, Withdrawal
from shared.rulesets.cote2.options import battle_chaos, prices
from shared.rulesets.cote2.property import present
from shared.rulesets.cote2.state import TableFields, allied, galleys_in, is_province, others_in
from shared.rulesets.cote2.withdrawal import escapes, retreat_targets
from shared.vocabulary.actions import Retreat, Stand
from shared.vocabulary.frames import Onward

LOSS: Final = 0.041
"""Value of fallen units, for each talent of their price."""


ALLY: Final = 1.0
"""Value of an ally's victory in itself."""


@lru_cache(maxsize=32768)
def clash(attacker: Host, defender: Host, naval: bool) -> Clash:
    """Return a summary of the exact odds."""
    found = odds.odds(attacker, defender, naval)
    return Clash(found.wins(ATTACKER), found.wins(DEFENDER), *found.costs)


def helped(table: TableFields, host: Host, seat: Seat, space: Space) -> Host:
    """Return the host with all units that allies on the spot could lend."""
    lent: Force = host.lent
    for other in range(table.seats):
        if other != seat and allied(table, seat, other):
            army, galleys = lendable(table, other, space)
            lent = (lent[0] + army[0], lent[1] + army[1], lent[2] + army[2], lent[3] + len(galleys))
    return replace(host, lent=lent)


def coming(analysis: SeatAnalysis, space: Space, enemy: Seat, army: Army, led: bool, more: Force = NO_FORCE) -> Clash:
    """Return the expected battle for a province, attacked with `army` and with `more` troops of cards."""
    table = analysis.table
    ours = odds.present(table, analysis.seat, space)
    cards = (ours.cards[0] + more[0], ours.cards[1] + more[1], ours.cards[2] + more[2], ours.cards[3] + more[3])
    ours = replace(ours, army=army, leaders=int(led), walls=0, cards=cards)
    theirs = helped(table, odds.present(table, enemy, space), enemy, space)
    return clash(ours, theirs, False)


def assault(
    analysis: SeatAnalysis,
    space: Space,
    enemy: Seat,
    army: Army,
    led: bool,
    most: int,
    over: bool,
    more: Force = NO_FORCE,
) -> tuple[float, float]:
    """Return the value of an attack at once, and the expected value of a purchase after it.

    most: tokens that a leader can buy. over: the attack comes after points are counted.
    """
    table, seat = analysis.table, analysis.seat
    battle = coming(analysis, space, enemy, army, led, more)
    envy = -analysis.weights[enemy]
    worth = battle.theirs * LOSS * envy - battle.ours * LOSS
    unrest = battle_chaos(table)
    worth += battle.won * analysis.discord(enemy, unrest) - battle.lost * analysis.chaos(unrest)
    if space not in KEY_SET:
        return worth, 0.0
    counts = table.influence[space]
    here = analysis.with_units(space, seat, total(army))
    beaten = analysis.with_units(space, enemy, 0, here)
    now = analysis.holding(space, counts, here, over)
    worth += battle.won * (analysis.holding(space, counts, beaten, over) - now)
    worth += battle.lost * (analysis.holding(space, counts, analysis.with_units(space, seat, 0), over) - now)
    worth += battle.won * (table.owner[space] == enemy) * analysis.city(space) * 1.5
    spoils = analysis.best_purchase(space, most, beaten, [enemy] * counts[enemy], over)[0]
    return worth, battle.won * spoils


def targets(analysis: SeatAnalysis, space: Space) -> list[Seat]:
    """Return the enemies present in a province."""
    table = analysis.table
    return [
        enemy for enemy in range(table.seats)
        if not allied(table, analysis.seat, enemy) and present(table, enemy, space)
    ]  # fmt: skip


# --- in a battle ---


def present_battle(table: TableFields) -> Battle:
    """Return the battle being fought."""
    return next(frame for frame in reversed(table.frames) if isinstance(frame, Battle))


def outlook(table: TableFields, battle: Battle, seat: Seat) -> tuple[float, float, float]:
    """Return a seat's chance to lose a battle as it stands, and the costs of its side and the other, in talents."""
    found = odds.standing(replace(table, frames=[battle]))
    if found is None:
        return 0.0, 0.0, 0.0
    attacks = seat == battle.attacker
    ours, theirs = found.costs if attacks else found.costs[::-1]
    return found.wins(DEFENDER if attacks else ATTACKER), ours, theirs


def stake(analysis: SeatAnalysis, battle: Battle) -> float:
    """Return the cost of losing an own battle, apart from fallen units."""
    space = battle.space
    worth = analysis.chaos(battle_chaos(analysis.table)) + 1.0
    if is_province(space):
        worth -= analysis.change(space, analysis.seat, 0)
        if battle.attacker == analysis.seat:
            worth += analysis.change(space, battle.defender, 0)
    return worth


def weigh(analysis: SeatAnalysis, battle: Battle) -> float:
    """Return the value of fighting an own battle as it stands."""
    lost, ours, theirs = outlook(analysis.table, battle, analysis.seat)
    enemy = battle.defender if analysis.seat == battle.attacker else battle.attacker
    envy = -analysis.weights[enemy] if enemy < analysis.table.seats else 0.0
    return theirs * LOSS * envy - ours * LOSS - lost * stake(analysis, battle)


def commit(analysis: SeatAnalysis, frame: Commitment) -> Action:
    """Commit the galleys nearby, unless they would be lost with the rest."""
    able = galleys_in(analysis.table, analysis.seat, SEAS[frame.space])
    battle = present_battle(analysis.table)
    if analysis.seat == battle.attacker:
        joined = replace(battle, attack_fleet=able)
    else:
        joined = replace(battle, defence_fleet=able)
    return Commit(able) if weigh(analysis, joined) > weigh(analysis, battle) else Commit(())


def lend(analysis: SeatAnalysis, frame: Aid) -> Action:
    """Lend all units on the spot if their effect on the battle is worth more than their losses."""
    army, galleys = lendable(analysis.table, analysis.seat, frame.space)
    battle = present_battle(analysis.table)
    enemy = battle.attacker if frame.to == battle.defender else battle.defender
    joined = _joined(analysis, battle, frame.to, army, galleys)
    before, after = outlook(analysis.table, battle, frame.to), outlook(analysis.table, joined, frame.to)
    worth = (before[0] - after[0]) * _ally_value(analysis, frame, enemy)
    worth -= (after[2] - before[2]) * LOSS * analysis.weights[enemy]
    worth -= after[0] * (LOSS * cost((*army, len(galleys), 0), prices(analysis.table), 1) + UNIT * total(army))
    return Lend(*army, galleys) if worth > 0.0 else Lend()


def _ally_value(analysis: SeatAnalysis, frame: Aid, enemy: Seat) -> float:
    """Return the value of an ally's victory over an enemy who would otherwise attack this seat."""
    worth = ALLY + UNREST * battle_chaos(analysis.table) * (analysis.weights[frame.to] - analysis.weights[enemy])
    if is_province(frame.space):
        worth += analysis.change(frame.space, enemy, 0) - analysis.change(frame.space, frame.to, 0)
    return worth


def _joined(analysis: SeatAnalysis, battle: Battle, to: Seat, army: Army, galleys: tuple[int, ...]) -> Battle:
    lenders = (*battle.lenders, analysis.seat)
    if to == battle.attacker:
        cell = put_army(battle.attacking, analysis.seat, army)
        return replace(battle, attacking=cell, attack_fleet=battle.attack_fleet + galleys, lenders=lenders)
    cell = put_army(battle.defending, analysis.seat, army)
    return replace(battle, defending=cell, defence_fleet=battle.defence_fleet + galleys, lenders=lenders)


def fight_on(analysis: SeatAnalysis, frame: Onward) -> Action:
    """Stand, unless a retreat saves more."""
    battle = present_battle(analysis.table)
    if weigh(analysis, battle) >= -stake(analysis, battle):
        return Stand()
    spaces = retreat_targets(analysis.table, analysis.seat, frame.space)
    return Retreat(max(spaces, key=lambda to: (refuge(analysis, to), -to)))


def withdraw(analysis: SeatAnalysis, frame: Withdrawal) -> Action:
    """Withdraw leaders to where they are of most use."""
    spaces = escapes(analysis.table, frame.space)
    return Withdraw(max(spaces, key=lambda to: (refuge(analysis, to), -to)))


def refuge(analysis: SeatAnalysis, space: Space) -> float:
    """Return the value of leaders in a province: purchases and own units, less the danger from enemies."""
    army = analysis.army(space)
    hunted = others_in(analysis.table, analysis.table.units[space], analysis.seat) and not any(army)
    return analysis.best_purchase(space, 1)[0] * LATER + total(army) * UNIT - 2.0 * bool(hunted)


def slip(analysis: SeatAnalysis, frame: Wind) -> Action:
    """Slip away, unless the battle is expected to gain."""
    return Slip(weigh(analysis, present_battle(analysis.table)) <= 0.0)

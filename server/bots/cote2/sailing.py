"""Galleys: battles at sea, and passages for armies."""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from server.bots.cote2.fighting import LOSS, clash, helped
from server.bots.cote2.march_plans import follow_up, units_that_fit
from server.bots.cote2.plans import Backing, MarchPlan, Plan
from server.bots.cote2.position_analysis import SeatAnalysis
from shared.board import BOARD
from shared.ids import GALLEY, NONE, Seat, Space
from shared.odds import cote2 as odds
from shared.odds.outcome import Host
from shared.rulesets.cote2.actions import Sail
from shared.rulesets.cote2.effects import support_of
from shared.rulesets.cote2.options import battle_chaos, galley_load, prices, strait_seas
from shared.rulesets.cote2.state import GALLEYS, OFF, TableFields, allied, leaders_at

STRAIT: Final = 1.0
"""Value of opening a strait."""
CAUGHT: Final = 0.2
"""Chance that a fleet stays although it could slip away."""
PRONE: Final = 0.15
"""Chance that an enemy who would win a battle at sea attacks in a season."""
NO_BACKING: Final = Backing()


def sails(analysis: SeatAnalysis, alternative: float) -> Iterator[Plan]:
    """Yield battles and passages with all galleys."""
    own = afloat(analysis.table, analysis.seat)
    if not own:
        return
    yield from battles(analysis, own)
    yield from passages(analysis, own, alternative)


def battles(analysis: SeatAnalysis, own: list[int], backing: Backing = NO_BACKING) -> Iterator[Plan]:
    """Yield attacks on every enemy fleet with all own galleys, and with the `backing` of cards."""
    table = analysis.table
    for zone, enemy in sorted({(at, g // GALLEYS) for g, at in enumerate(table.galley_at) if at != OFF}):
        if not allied(table, analysis.seat, enemy):
            able = tuple([g for g in own if table.galley_at[g] != zone])
            sail = Sail(zone if able else NONE, able, zone, enemy)
            yield Plan(_battle(analysis, zone, enemy, len(own), backing), sail)


def _battle(analysis: SeatAnalysis, zone: Space, enemy: Seat, galleys: int, backing: Backing) -> float:
    """Return the value of a sea battle: losses and opened straits, weighted by the chance that the enemy stays."""
    ours = replace(odds.present(analysis.table, analysis.seat, zone, True), galleys=galleys)
    theirs = helped(analysis.table, odds.present(analysis.table, enemy, zone, True), enemy, zone)
    fight = clash(backed(ours, backing), theirs, True)
    envy = -analysis.weights[enemy]
    opened = STRAIT * any(zone in zones for zones in strait_seas(analysis.table))
    unrest = battle_chaos(analysis.table)
    worth = fight.won * (analysis.discord(enemy, unrest) + opened) - fight.lost * analysis.chaos(unrest)
    worth += (fight.theirs * envy - fight.ours) * (LOSS + analysis.galley / prices(analysis.table)[GALLEY])
    slips = worth > 0.0 and support_of(analysis.table, enemy, zone).slips
    return worth * (CAUGHT if slips else 1.0)


def backed(host: Host, backing: Backing) -> Host:
    """Return the host with the effect of cards."""
    return replace(host, training=host.training + backing.dice, cards=(0, 0, 0, host.cards[GALLEY] + backing.galleys))


def best_battle(analysis: SeatAnalysis, backing: Backing = NO_BACKING) -> float:
    """Return the value of the best battle at sea, at least 0."""
    own = afloat(analysis.table, analysis.seat)
    return max([plan.worth for plan in battles(analysis, own, backing)], default=0.0) if own else 0.0


def threat(analysis: SeatAnalysis, backing: Backing = NO_BACKING) -> float:
    """Return the expected cost in a season of the worst battle at sea that an enemy could begin."""
    table, seat = analysis.table, analysis.seat
    zones = {table.galley_at[galley] for galley in afloat(table, seat)}
    enemies = [enemy for enemy in range(table.seats) if not allied(table, seat, enemy)]
    return PRONE * max([0.0, *[_cost_of_raid(analysis, zone, enemy, backing) for zone in zones for enemy in enemies]])


def _cost_of_raid(analysis: SeatAnalysis, zone: Space, enemy: Seat, backing: Backing) -> float:
    """Return the cost if all galleys of an enemy attack those in a sea zone."""
    galleys = len(afloat(analysis.table, enemy))
    if not galleys:
        return 0.0
    theirs = replace(odds.present(analysis.table, enemy, zone, True), galleys=galleys)
    fight = clash(theirs, backed(odds.present(analysis.table, analysis.seat, zone, True), backing), True)
    sunk = fight.theirs * (LOSS + analysis.galley / prices(analysis.table)[GALLEY])
    return fight.won * analysis.chaos(battle_chaos(analysis.table)) + sunk if fight.won > fight.lost else 0.0


def afloat(table: TableFields, seat: Seat) -> list[int]:
    """Return a seat's galleys on the board."""
    return [galley for galley in range(seat * GALLEYS, (seat + 1) * GALLEYS) if table.galley_at[galley] != OFF]


def passages(analysis: SeatAnalysis, own: list[int], alternative: float) -> Iterator[Plan]:
    """Yield moves of the fleet to zones where an army without another way can land next."""
    for zone in range(BOARD.provinces, BOARD.spaces):
        able = tuple([g for g in own if analysis.table.galley_at[g] != zone])
        worth = analysis.patience * max(0.0, passage(analysis, zone, len(own)) - alternative) if able else 0.0
        if worth > 0.0:
            yield Plan(worth, Sail(zone, able))


def passage(analysis: SeatAnalysis, zone: Space, galleys: int) -> float:
    """Return the value of landings that need `galleys` in a sea zone."""
    return analysis.after * max(
        [_landing(analysis, source, to, galleys) for source, to, zones in analysis.overseas if zone in zones],
        default=0.0,
    )


def _landing(analysis: SeatAnalysis, source: Space, to: Space, galleys: int) -> float:
    army = units_that_fit(analysis.army(source), galley_load(analysis.table) * galleys)
    leaders = leaders_at(analysis.table, analysis.seat, source)
    return follow_up(analysis, MarchPlan(source, to, leaders[:1], army, True))

"""Faults of a position; each one is a bug."""

from shared.board import BOARD
from shared.ids import NONE
from shared.mechanics import position_checks
from shared.mechanics.armies import total
from shared.mechanics.cells import armies, contested, has_army, well_formed
from shared.mechanics.galleys import meetings
from shared.mechanics.pieces import alive, living
from shared.mechanics.places import ABOARD, OFF, PRISON
from shared.rulesets.conquest.legions import LEGION
from shared.rulesets.conquest.pieces import galley_lord, is_caesar, leader_lord, leaders_at
from shared.rulesets.mb1984.frames import Combat
from shared.rulesets.mb1984.options import ENEMY_COASTS
from shared.rulesets.mb1984.property import capacity, in_play
from shared.rulesets.mb1984.state import CITIES, FORTIFICATIONS, GALLEYS, LEADERS, POOL, ROADS
from shared.rulesets.mb1984.table import Table
from shared.vocabulary.frames import Movement


def invariants(table: Table) -> list[str]:
    """Return all faults; [] for a sound position."""
    wrong = position_checks.check_markers(table)
    wrong += _check_armies(table)
    if table.round:
        wrong += _check_leaders(table)
    wrong += position_checks.check_cargo(table, LEGION)
    wrong += _check_galleys(table)
    wrong += position_checks.check_frames(table.frames)
    wrong += position_checks.check_buildings(table, CITIES, FORTIFICATIONS, ROADS)
    return wrong + _check_roads(table)


def _check_roads(table: Table) -> list[str]:
    """Check that both cities of a road have the same owner (MB-ROAD-01, MB-ROAD-07)."""
    ends = [BOARD.edges[road] for road in table.roads]
    return [
        f"the road between {BOARD.keys[a]} and {BOARD.keys[b]} does not join two cities of one player"
        for a, b in ends
        if not table.owner[a] == table.owner[b] != NONE
    ]


def _check_armies(table: Table) -> list[str]:
    """Check armies (MB-D03, MB-D04, MB-D47); two armies meet only between movement and battle."""
    wrong = []
    meeting = any(isinstance(frame, Movement | Combat) for frame in table.frames)
    for space, cell in enumerate(table.units):
        if not cell:
            continue
        if not well_formed(cell) or (contested(cell) and not meeting):
            wrong.append(f"bad armies {cell} in {BOARD.keys[space]}")
        for seat, army in armies(cell):
            if not alive(table, seat):
                wrong.append(f"seat {seat}, which is out, has an army in {BOARD.keys[space]}")
            elif total(army) > capacity(table, seat, space, len(leaders_at(table, seat, space))):
                wrong.append(f"too few leaders for {cell} in {BOARD.keys[space]}")
            if not meeting and table.owner[space] != seat:
                wrong.append(f"seat {seat} has an army in {BOARD.keys[space]} and does not own it")
    here = in_play(table)
    if any(n > POOL[k] for k, n in enumerate(here)):
        wrong.append(f"{here} units on the board are more than there are pieces")
    return wrong


def _check_leaders(table: Table) -> list[str]:
    wrong = []
    for leader, at in enumerate(table.leader_at):
        lord, colour, caesar = leader_lord(table, leader), leader // LEADERS, is_caesar(table, leader)
        if caesar and lord == colour and not (0 <= at < PRISON):
            wrong.append(f"the Caesar of seat {lord} is at {at}")
        if at == OFF:
            continue
        if at >= PRISON:
            own = at - PRISON == lord
            if not alive(table, at - PRISON) or own != caesar:
                wrong.append(f"leader {leader} is a prisoner of seat {at - PRISON}")
        elif at >= ABOARD:
            galley = at - ABOARD
            if not BOARD.is_sea(table.galley_at[galley]) or galley_lord(table, galley) != lord:
                wrong.append(f"leader {leader} is aboard galley {galley}, which cannot carry it")
        elif not 0 <= at < BOARD.provinces or (caesar and lord != colour):
            wrong.append(f"leader {leader} is at {at}")
    return wrong


def _check_galleys(table: Table) -> list[str]:
    wrong = []
    for galley, at in enumerate(table.galley_at):
        if at == OFF:
            continue
        seat = galley_lord(table, galley)
        if seat == NONE or not alive(table, seat):
            wrong.append(f"galley {galley} has no owner")
        if not BOARD.is_sea(at):
            space = BOARD.ashore[at]
            foreign = table.owner[space] not in (NONE, seat) and not has_army(table.units[space], seat)
            if foreign and not table.options[ENEMY_COASTS]:
                wrong.append(f"galley {galley} lies on the enemy coast of {BOARD.keys[space]}")
    meeting = any(isinstance(frame, Movement | Combat) for frame in table.frames)
    if not meeting and any(meetings(table.galley_at, table.lord, seat, GALLEYS) for seat in living(table)):
        wrong.append("enemy galleys share a sea zone")
    return wrong

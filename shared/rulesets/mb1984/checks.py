"""What is wrong with a position: nothing, unless there is a bug."""

from shared.board import BOARD
from shared.ids import NONE
from shared.mechanics.armies import total
from shared.mechanics.cells import has_army, well_formed
from shared.rulesets.mb1984.frames import Combat, Movement, Setup, Turn
from shared.rulesets.mb1984.property import capacity, in_play, worth
from shared.rulesets.mb1984.state import (
    ABOARD,
    CITIES,
    FORTIFICATIONS,
    LEADERS,
    LEGION,
    OFF,
    POOL,
    PRISON,
    ROADS,
    Table,
    alive,
    galley_lord,
    leader_lord,
    leaders_at,
)


def invariants(table: Table) -> list[str]:
    """All that is wrong; [] for a sound position."""
    wrong = _check_property(table)
    if not isinstance(table.frames[0], Turn | Setup):
        wrong.append(f"the lowest frame is {table.frames[0]!r}")
    numbers = [frame.no for frame in table.frames]
    if numbers != sorted(set(numbers)):
        wrong.append(f"frame numbers {numbers} do not rise")
    built = table.built
    if built.count(1) + built.count(2) > CITIES or built.count(2) > FORTIFICATIONS or len(table.roads) > ROADS:
        wrong.append("more cities, fortifications or roads than there are pieces")
    for road in table.roads:
        a, b = BOARD.edges[road]
        if not (table.built[a] and table.built[b] and table.owner[a] == table.owner[b] != NONE):
            wrong.append(f"the road between {BOARD.keys[a]} and {BOARD.keys[b]} does not join two cities of one player")
        if table.roads.count(road) > 1:
            wrong.append(f"two roads between {BOARD.keys[a]} and {BOARD.keys[b]}")
    return wrong


def _check_property(table: Table) -> list[str]:
    """What is wrong with markers, supplies, leaders, galleys and cities of a position; [] for a sound one."""
    wrong: list[str] = []
    marker = [0] * table.seats
    for space, owner in enumerate(table.owner):
        if owner != NONE:
            marker[owner] += worth(table, space)
            if not alive(table, owner):
                wrong.append(f"{BOARD.keys[space]} belongs to seat {owner}, which is out")
    if marker != table.marker:
        wrong.append(f"markers {table.marker} are not the value of the property {marker}")
    if min(table.talents) < 0:
        wrong.append(f"negative talents {table.talents}")
    wrong += _check_armies(table)
    if table.round:
        wrong += _check_leaders(table)
    wrong += _check_galleys(table)
    return wrong


def _check_armies(table: Table) -> list[str]:
    """MB-D03, MB-D04, MB-D47; two armies meet only between movement and battle."""
    wrong = []
    meeting = any(isinstance(frame, Movement | Combat) for frame in table.frames)
    for space, cell in enumerate(table.units):
        if not well_formed(cell) or (len(cell) > 4 and not meeting):
            wrong.append(f"bad armies {cell} in {BOARD.keys[space]}")
        for i in range(0, len(cell), 4):
            seat, units = cell[i], total(cell[i + 1 : i + 4])
            if not alive(table, seat):
                wrong.append(f"seat {seat}, which is out, has an army in {BOARD.keys[space]}")
            elif units > capacity(table, seat, space, len(leaders_at(table, seat, space))):
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
        lord, colour, caesar = leader_lord(table, leader), leader // LEADERS, leader % LEADERS == 0
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
    led = {at - ABOARD for at in table.leader_at if ABOARD <= at < PRISON}
    for galley, cargo in enumerate(table.cargo):
        at = table.galley_at[galley]
        if at == OFF:
            if cargo:
                wrong.append(f"galley {galley} is off the board and carries {cargo}")
            continue
        if not alive(table, galley_lord(table, galley)):
            wrong.append(f"galley {galley} has no owner")
        if cargo and (galley not in led or not 0 < total(cargo) <= LEGION or min(cargo) < 0 or not BOARD.is_sea(at)):
            wrong.append(f"galley {galley} at {at} carries {cargo}, leaders aboard: {galley in led}")
        if not BOARD.is_sea(at):
            space, seat = BOARD.ashore[at], galley_lord(table, galley)
            if table.owner[space] not in (NONE, seat) and not has_army(table.units[space], seat):
                wrong.append(f"galley {galley} lies on the enemy coast of {BOARD.keys[space]}")
    zones: dict[int, set[int]] = {}
    for galley, at in enumerate(table.galley_at):
        if at != OFF and BOARD.is_sea(at):
            zones.setdefault(at, set()).add(galley_lord(table, galley))
    meeting = any(isinstance(frame, Movement | Combat) for frame in table.frames)
    if not meeting and any(len(lords) > 1 for lords in zones.values()):
        wrong.append(f"enemy galleys share a sea zone: {zones}")
    return wrong

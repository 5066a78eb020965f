"""Faults of a position; each one is a bug."""

from collections.abc import Sequence
from itertools import chain

from shared.board import BOARD
from shared.ids import NONE, Seat
from shared.mechanics import position_checks
from shared.mechanics.pieces import alive
from shared.mechanics.places import ABOARD, OFF, PRISON
from shared.rulesets.classic.options import CAPTURED_SUPPLY
from shared.rulesets.classic.property import captured_by, remaining
from shared.rulesets.classic.state import CITIES, FORTIFICATIONS, GALLEYS, LEADERS, POOL, ROADS
from shared.rulesets.classic.table import Table
from shared.rulesets.conquest.legions import LEGION, ready
from shared.rulesets.conquest.pieces import galley_lord, leader_lord
from shared.vocabulary.frames import Movement


def invariants(table: Table) -> list[str]:
    """Return all faults; [] for a sound position."""
    wrong = position_checks.check_markers(table)
    _check_armies(table, wrong)
    _check_leaders(table, wrong)
    if any(table.cargo):
        wrong += position_checks.check_cargo(table, LEGION)
    _check_tallies(table, wrong)
    _check_captured(table, wrong)
    wrong += position_checks.check_frames(table.frames)
    return wrong + position_checks.check_buildings(table, CITIES, FORTIFICATIONS, ROADS)


def _check_armies(table: Table, wrong: list[str]) -> None:
    """Check that armies are in order, of living seats, never empty, and no more than there are pieces."""
    flat = list(chain.from_iterable(table.units))
    seats = flat[::4]
    crowded = len(seats) + table.units.count(()) > len(table.units)
    if min(flat, default=0) < 0 or (crowded and not all(_in_order(cell) for cell in table.units if len(cell) > 4)):
        wrong.append(f"armies not in order, or negative: {table.units}")
    wrong += [f"seat {seat}, which is out, has units" for seat in set(seats) if not alive(table, seat)]
    armies = zip(seats, flat[1::4], flat[2::4], flat[3::4], strict=False)
    infantry, cavalry, catapults = [0] * table.seats, [0] * table.seats, [0] * table.seats
    for seat, i, h, c in chain(armies, _cargoes(table)):
        infantry[seat] += i
        cavalry[seat] += h
        catapults[seat] += c
        if not (i or h or c):
            wrong.append(f"an empty army of seat {seat}: {table.units}")
    for seat, *here in zip(range(table.seats), infantry, cavalry, catapults, _galleys(table), strict=True):
        if not _in_pool(table, seat, here):
            wrong.append(f"seat {seat} has {here} on the board with {table.lord.count(seat)} colours")


def _in_order(cell: tuple[int, ...]) -> bool:
    return list(cell[::4]) == sorted(set(cell[::4]))


def _cargoes(table: Table) -> list[tuple[int, ...]]:
    """Return (seat, infantry, cavalry, catapults) of every loaded galley."""
    if not any(table.cargo):
        return []
    return [(galley_lord(table, galley), *cargo) for galley, cargo in enumerate(table.cargo) if cargo]


def _galleys(table: Table) -> list[int]:
    """Return the galleys on the board, by seat."""
    count = [0] * (table.seats + 1)
    for colour, lord in enumerate(table.lord):
        count[lord] += GALLEYS - table.galley_at[colour * GALLEYS : (colour + 1) * GALLEYS].count(OFF)
    return count[:-1]  # without NONE


def _in_pool(table: Table, seat: Seat, here: Sequence[int]) -> bool:
    """Whether a seat has no more pieces than its colours hold, and than it may have (CL-D24)."""
    n = table.lord.count(seat)
    infantry, cavalry, catapults, galleys = POOL
    if here[0] > infantry * n or here[1] > cavalry * n or here[2] > catapults * n or here[3] > galleys * n:
        return False
    return bool(table.options[CAPTURED_SUPPLY]) or min(remaining(table, seat, here)) >= 0


def _check_tallies(table: Table, wrong: list[str]) -> None:
    """Check that movement points are used during a movement only, and by pieces that are there only."""
    mover = next((frame.seat for frame in table.frames if isinstance(frame, Movement)), NONE)
    if mover == NONE:
        if any(table.leader_used) or any(table.galley_used) or any(table.moved) or any(table.landed):
            wrong.append("points were used outside a movement")
        return
    came = [space for space in range(BOARD.provinces) if table.moved[space] or table.landed[space]]
    crowded = [space for space in came if min(ready(table, mover, space)) < 0]
    wrong += [f"more units came to {BOARD.names[space]} than there are of seat {mover}" for space in crowded]


def _check_captured(table: Table, wrong: list[str]) -> None:
    """Check that captured pieces are counted only if the table bars buying in their colours, and only for the
    living.
    """
    if min(table.captured) < 0 or (any(table.captured) and table.options[CAPTURED_SUPPLY]):
        wrong.append(f"captured pieces {table.captured}")
    lost = [seat for seat in range(table.seats) if not alive(table, seat) and any(captured_by(table, seat))]
    wrong += [f"seat {seat}, which is out, has captured pieces" for seat in lost]


def _check_leaders(table: Table, wrong: list[str]) -> None:
    for leader, at in enumerate(table.leader_at):
        if 0 <= at < BOARD.provinces or (at == OFF and leader % LEADERS):
            continue
        lord = leader_lord(table, leader)
        if at == OFF or (lord == NONE and table.winner != NONE):
            if table.round and leader % LEADERS == 0 and lord == leader // LEADERS:
                wrong.append(f"the Caesar of seat {lord} is off the board")
        elif at >= PRISON:
            if at - PRISON == lord or not alive(table, at - PRISON):
                wrong.append(f"leader {leader} is a prisoner of seat {at - PRISON}")
        elif at < ABOARD:
            wrong.append(f"leader {leader} is at {at}")
        elif not BOARD.is_sea(table.galley_at[at - ABOARD]) or galley_lord(table, at - ABOARD) != lord:
            wrong.append(f"leader {leader} is aboard galley {at - ABOARD}, which cannot carry it")

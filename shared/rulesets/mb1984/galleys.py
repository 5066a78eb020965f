"""Action 1 at sea: galleys, their coasts and their cargo (MB-SEA)."""

from collections.abc import Iterator

from shared.board import BOARD
from shared.ids import NO_ARMY, NONE, Army, Seat, Space
from shared.kernel.frames import Action, Emit
from shared.mechanics import galleys
from shared.mechanics.armies import greedy, plus, total, within
from shared.mechanics.cells import has_army, hostile, joined, parted
from shared.mechanics.marching import BEST_FIRST
from shared.refusal import Refusal
from shared.rulesets.mb1984 import events
from shared.rulesets.mb1984.actions import Sail
from shared.rulesets.mb1984.legions import (
    check_stay,
    combat_situation,
    ready,
    refuse_alone,
)
from shared.rulesets.mb1984.options import GALLEY_LEADERS
from shared.rulesets.mb1984.property import enter
from shared.rulesets.mb1984.state import (
    ABOARD,
    AT_SEA,
    LEGION,
    OFF,
    POINTS,
    State,
    Table,
    galley_lord,
    leaders_at,
)


def hostile_zone(table: Table, seat: Seat, zone: Space) -> bool:
    """Whether enemy galleys are in a sea zone (MB-D13)."""
    return zone in table.galley_at and any(
        at == zone and galley_lord(table, galley) != seat for galley, at in enumerate(table.galley_at)
    )


def boardable(table: Table, seat: Seat, galley: int, space: Space) -> Army:
    """Units that may go aboard: those that did not move this turn, and those that this galley put ashore
    (MB-SEA-06, MB-SEA-02 c)."""
    infantry, cavalry, catapults, _tired = ready(table, seat, space)
    docked = table.docked[galley]
    if docked and not combat_situation(table, seat, space, True):
        return infantry + docked[1], cavalry + docked[2], catapults + docked[3]
    return infantry, cavalry, catapults


def can_board(table: Table, seat: Seat, galley: int, leader: int) -> bool:
    """Whether a leader in a province may go aboard that galley."""
    if table.leader_used[leader] == 0:
        return True
    return leader in table.docked[galley][4:] and not combat_situation(table, seat, table.leader_at[leader], True)


def check_sail(table: Table, seat: Seat, sail: Sail) -> Refusal | None:
    """MB-SEA-01 to -11, MB-LEAD-02."""
    galley = sail.galley
    if not 0 <= galley < len(table.galley_at) or galley_lord(table, galley) != seat or table.galley_at[galley] == OFF:
        return Refusal("no-such-galley", "MB-SEA-01", "That is no galley of yours on the board.")
    at = table.galley_at[galley]
    if table.galley_used[galley] >= POINTS:
        return _spent(table, at, sail.to)
    boarding = (sail.infantry, sail.cavalry, sail.catapults)
    if BOARD.is_sea(at):
        if sail.leaders or any(boarding):
            return Refusal("at-sea", "MB-SEA-07", "Nobody goes aboard on the open sea.")
        if sail.to in BOARD.coast_seas[at]:
            return None
        if sail.to not in BOARD.landings[at]:
            return Refusal("not-adjacent", "MB-SEA-01", f"{galleys.where(sail.to)} does not touch {BOARD.names[at]}.")
        return _check_landing(table, seat, galley, BOARD.ashore[sail.to])
    if sail.to not in BOARD.coast_seas[at]:
        other_coast = BOARD.is_sea(sail.to) and sail.to in BOARD.neighbours[BOARD.ashore[at]]
        rule = "MB-SEA-09" if other_coast else "MB-SEA-11"
        return Refusal("not-adjacent", rule, f"From {BOARD.where(at)} a galley puts to a sea zone of that coast.")
    docked = table.docked[galley]
    if docked and sail.to != docked[0]:
        text = f"A galley that docked this turn sails back only to {BOARD.names[docked[0]]}."
        return Refusal("not-back", "MB-SEA-10", text)
    return _check_boarding(table, seat, sail, boarding, BOARD.ashore[at])


def _spent(table: Table, at: int, to: int) -> Refusal:
    if BOARD.is_sea(at) and 0 <= to < BOARD.positions and not BOARD.is_sea(to):
        return Refusal("no-points", "MB-SEA-03", "That galley has no movement left to land this turn.")
    return Refusal("no-points", "MB-SEA-01", "That galley cannot move any further this turn.")


def _check_landing(table: Table, seat: Seat, galley: int, space: Space) -> Refusal | None:
    """Only a legion lands on another player's coast; leaders alone attack nobody (MB-D02, MB-D15)."""
    if table.cargo[galley]:
        return None
    cell = table.units[space]
    if (ABOARD + galley) in table.leader_at and hostile(cell, seat):
        return refuse_alone(space)
    if table.owner[space] not in (NONE, seat) and not has_army(cell, seat):
        text = f"{BOARD.names[space]} is another player's: only a legion lands there."
        return Refusal("enemy-coast", "MB-D15", text)
    return None


def _check_boarding(table: Table, seat: Seat, sail: Sail, boarding: Army, space: Space) -> Refusal | None:
    if any(boarding) and not sail.leaders:
        return Refusal("no-leader", "MB-SEA-05", "Units go aboard only with a Caesar or a general.")
    if len(set(sail.leaders)) != len(sail.leaders):
        return Refusal("leader-twice", "MB-SEA-04", "A leader was named twice.")
    if len(sail.leaders) > 1 and table.options[GALLEY_LEADERS]:
        return Refusal("one-leader", "MB-D36", "At this table a galley carries only one leader.")
    for leader in sail.leaders:
        if leader not in leaders_at(table, seat, space):
            text = f"That leader is not yours or not in {BOARD.names[space]}."
            return Refusal("no-such-leader", "MB-SEA-05", text)
        if not can_board(table, seat, sail.galley, leader):
            text = "A leader that moved this turn cannot go aboard."
            return Refusal("marched", "MB-SEA-06", text)
    if total(boarding) > LEGION:
        return Refusal("galley-full", "MB-SEA-04", f"A galley carries at most {LEGION} units.")
    if not within(boarding, boardable(table, seat, sail.galley, space)):
        text = "Not so many units there can go aboard; those that moved this turn cannot."
        return Refusal("not-so-many", "MB-SEA-06", text)
    return check_stay(table, seat, space, sail.leaders, boarding)


def apply_sail(state: State, seat: Seat, sail: Sail, emit: Emit) -> None:
    """Carry out a checked sail; enemy galleys in the zone stop it (MB-D13)."""
    galley, at, to = sail.galley, state.galley_at[sail.galley], sail.to
    army = (sail.infantry, sail.cavalry, sail.catapults)
    leaders = sail.leaders
    if BOARD.is_sea(at):
        leaders = leaders_at(state, seat, ABOARD + galley)
        cargo = state.cargo[galley]
        army = (cargo[0], cargo[1], cargo[2]) if cargo else NO_ARMY
    else:
        _embark(state, seat, galley, BOARD.ashore[at], leaders, army)
    state.galley_at[galley] = to
    stop = BOARD.is_sea(to) and hostile_zone(state, seat, to)
    state.galley_used[galley] = POINTS if stop else state.galley_used[galley] + 1
    emit(events.Sailed(seat, galley, at, to, leaders, army))
    if not BOARD.is_sea(to):
        _land(state, seat, galley, at, BOARD.ashore[to], leaders, army, emit)


def _embark(state: State, seat: Seat, galley: int, space: Space, leaders: tuple[int, ...], army: Army) -> None:
    """Units that this galley put ashore go first: they can do nothing else any more."""
    docked, state.docked[galley] = state.docked[galley], ()
    for leader in leaders:
        state.leader_at[leader] = ABOARD + galley
        state.leader_used[leader] = AT_SEA
    if not any(army):
        return
    if docked and any(docked[1:4]):
        landed = state.landed[space]
        rest = [landed[k] - min(docked[k + 1], army[k]) for k in range(3)]
        state.landed[space] = tuple(rest) if any(rest) else ()
    state.units[space] = parted(state.units[space], seat, army)
    state.cargo[galley] = army


def _land(
    state: State, seat: Seat, galley: int, zone: Space, space: Space, leaders: tuple[int, ...], army: Army, emit: Emit
) -> None:
    """Whoever was aboard is ashore (MB-D16); an undefended province is conquered (MB-D05)."""
    state.docked[galley] = (zone, *army, *leaders)
    for leader in leaders:
        state.leader_at[leader] = space
        state.leader_used[leader] = AT_SEA
    if not any(army):
        return
    stop = combat_situation(state, seat, space, True)
    state.units[space] = joined(state.units[space], seat, army)
    state.landed[space] = plus(state.landed[space] or NO_ARMY, army)
    state.cargo[galley] = ()
    if not stop:
        enter(state, seat, space, emit)


def sail_options(table: Table, seat: Seat, galley: int, at: int) -> Iterator[Action]:
    """Empty, and with the last leader on the coast and the strongest legion, to every zone or coast."""
    if BOARD.is_sea(at):
        for to in BOARD.coast_seas[at]:
            yield Sail(galley, to)
        for to in BOARD.landings[at]:
            if _check_landing(table, seat, galley, BOARD.ashore[to]) is None:
                yield Sail(galley, to)
        return
    space = BOARD.ashore[at]
    crew = [x for x in leaders_at(table, seat, space) if can_board(table, seat, galley, x)]
    army = greedy(boardable(table, seat, galley, space), LEGION, BEST_FIRST)
    docked = table.docked[galley]
    manned = bool(crew) and check_stay(table, seat, space, crew[-1:], army) is None
    for to in docked[:1] or BOARD.coast_seas[at]:
        yield Sail(galley, to)
        if manned:
            yield Sail(galley, to, (crew[-1],), *army)

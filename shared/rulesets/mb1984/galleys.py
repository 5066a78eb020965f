"""Action 1 at sea: galleys, their coasts and their cargo (MB-SEA)."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from shared.board import BOARD
from shared.ids import NONE, Army, Leader, Seat, Space
from shared.kernel.frames import Emit
from shared.language.sentence import _
from shared.mechanics import galleys
from shared.mechanics.armies import army_of, has_army, plus, take_by_kind, total, within
from shared.mechanics.marching import BEST_FIRST
from shared.mechanics.pieces import ABOARD, OFF
from shared.refusal import Refusal
from shared.rulesets.conquest.galleys import aboard, boarding, embark, land
from shared.rulesets.conquest.pieces import LEGION, POINTS, galley_lord, leaders_at, ready
from shared.rulesets.mb1984 import refusals
from shared.rulesets.mb1984.contact import barred, combat_situation, hostile_zone
from shared.rulesets.mb1984.legions import check_stay
from shared.rulesets.mb1984.options import ENEMY_COASTS, GALLEY_LEADERS
from shared.rulesets.mb1984.property import capacity, enter
from shared.rulesets.mb1984.table import Docking, State, TableFields
from shared.vocabulary import events
from shared.vocabulary.actions import Sail

Courses: TypeAlias = Sequence[Sail]


def docking(table: TableFields, galley: int) -> Docking | None:
    """Return the docking of a galley this turn; None if it did not dock."""
    flat = table.docked[galley]
    return Docking(flat[0], (flat[1], flat[2], flat[3]), flat[4:]) if flat else None


def boardable(table: TableFields, seat: Seat, galley: int, space: Space) -> Army:
    """Return the units that may go aboard (MB-SEA-06, MB-SEA-02 c).

    These are units that did not move this turn, and those that this galley put ashore.
    """
    infantry, cavalry, catapults, _tired = ready(table, seat, space)
    docked = docking(table, galley)
    if docked is None or combat_situation(table, seat, space, True):
        return infantry, cavalry, catapults
    return plus((infantry, cavalry, catapults), docked.army)


def can_board(table: TableFields, seat: Seat, galley: int, leader: int) -> bool:
    """Whether a leader in a province may go aboard that galley."""
    if table.leader_used[leader] == 0:
        return True
    docked = docking(table, galley)
    if docked is None or leader not in docked.leaders:
        return False
    return not combat_situation(table, seat, table.leader_at[leader], False)


def check_sail(table: TableFields, seat: Seat, sail: Sail) -> Refusal | None:
    """Check a sail (MB-SEA-01 to -11, MB-LEAD-02)."""
    galley = sail.galley
    if not 0 <= galley < len(table.galley_at) or galley_lord(table, galley) != seat or table.galley_at[galley] == OFF:
        return Refusal("no-such-galley", "MB-SEA-01", "That is no galley of yours on the board.")
    at = table.galley_at[galley]
    if table.galley_used[galley] >= POINTS:
        return refusals.becalmed(table, seat, at, sail.to)
    units = boarding(sail)
    if BOARD.is_sea(at):
        if sail.leaders or any(units):
            return Refusal("at-sea", "MB-SEA-07", "Units cannot go aboard on the open sea.")
        if sail.to in BOARD.coast_seas[at]:
            return None
        if sail.to not in BOARD.landings[at]:
            return Refusal(
                "not-adjacent",
                "MB-SEA-01",
                _("{place} does not touch {other}.", place=galleys.where_words(sail.to), other=BOARD.names[at]),
            )
        return _check_landing(table, seat, galley, BOARD.ashore[sail.to])
    if sail.to not in BOARD.coast_seas[at]:
        return _not_from_coast(at, sail.to)
    docked = docking(table, galley)
    if docked and sail.to != docked.zone:
        text = _("A galley that docked this turn sails back only to {place}.", place=BOARD.names[docked.zone])
        return Refusal("not-back", "MB-SEA-10", text)
    return _check_boarding(table, seat, sail, units, BOARD.ashore[at])


def _not_from_coast(at: int, to: int) -> Refusal:
    """Return the refusal of a target that is no sea zone at that coast: a coast, a zone of the other coast, or anything
    else.

    Rules MB-SEA-09, MB-SEA-11.
    """
    if 0 <= to < BOARD.positions and not BOARD.is_sea(to):
        return Refusal("not-adjacent", "MB-SEA-11", "No galley goes from coast to coast without putting to sea.")
    text = _("From {place} a galley puts to a sea zone of that coast.", place=galleys.where_words(at))
    other_coast = to in BOARD.neighbours[BOARD.ashore[at]]
    return Refusal("not-adjacent", "MB-SEA-09" if other_coast else "MB-SEA-01", text)


def _check_landing(table: TableFields, seat: Seat, galley: int, space: Space) -> Refusal | None:
    """Check a landing: another player's coast needs a legion aboard or one already there (MB-D02, MB-D15).

    Leaders alone do not attack.
    """
    if table.cargo[galley] or _open_to_all(table, seat, galley, space):
        return None
    if table.units[space] and (ABOARD + galley) in table.leader_at:
        return refusals.leaders_without_units(table, seat, space)
    text = _("{place} is another player's: only a legion lands there.", place=BOARD.names[space])
    return Refusal("enemy-coast", "MB-D15", text)


def _open_to_all(table: TableFields, seat: Seat, galley: int, space: Space) -> bool:
    """Whether a galley of `seat` lands there without a legion (MB-D15).

    It does beside an own legion, if leaders aboard may join it, or if the province has no defender and is not another
    player's. An option of the table allows it for another player's too.
    """
    cell = table.units[space]
    if cell:
        return has_army(cell, seat) and not (ABOARD + galley in table.leader_at and barred(table, seat, space))
    return table.owner[space] in (NONE, seat) or bool(table.options[ENEMY_COASTS])


def _check_boarding(table: TableFields, seat: Seat, sail: Sail, units: Army, space: Space) -> Refusal | None:
    if any(units) and not sail.leaders:
        return Refusal("no-leader", "MB-SEA-05", "Units go aboard only with a Caesar or a general.")
    if len(set(sail.leaders)) != len(sail.leaders):
        return Refusal("leader-twice", "MB-SEA-04", "A leader was named twice.")
    if len(sail.leaders) > 1 and table.options[GALLEY_LEADERS]:
        return Refusal("one-leader", "MB-D36", "At this table a galley carries only one leader.")
    for leader in sail.leaders:
        if leader not in leaders_at(table, seat, space):
            text = _("That leader is not yours or not in {place}.", place=BOARD.names[space])
            return Refusal("no-such-leader", "MB-SEA-05", text)
        if not can_board(table, seat, sail.galley, leader):
            return refusals.not_aboard(table, seat, leader)
    if total(units) > LEGION:
        return Refusal("galley-full", "MB-SEA-04", _("A galley carries at most {most} units.", most=LEGION))
    if not within(units, boardable(table, seat, sail.galley, space)):
        return refusals.not_embarked(table, seat, space, units)
    return check_stay(table, seat, space, sail.leaders, units)


def apply_sail(state: State, seat: Seat, sail: Sail, emit: Emit) -> None:
    """Carry out a checked sail; enemy galleys in the zone stop it (MB-D13)."""
    galley, at, to = sail.galley, state.galley_at[sail.galley], sail.to
    if BOARD.is_sea(at):
        leaders, army = aboard(state, seat, galley)
    else:
        leaders, army = sail.leaders, boarding(sail)
        docked, state.docked[galley] = docking(state, galley), ()
        embark(state, seat, galley, BOARD.ashore[at], leaders, army, docked.army if docked else ())
    state.galley_at[galley] = to
    stop = BOARD.is_sea(to) and hostile_zone(state, seat, to)
    state.galley_used[galley] = POINTS if stop else state.galley_used[galley] + 1
    emit(events.Sailed(seat, galley, at, to, leaders, army))
    if not BOARD.is_sea(to):
        _land(state, seat, galley, at, BOARD.ashore[to], leaders, army, emit)


def _land(
    state: State, seat: Seat, galley: int, zone: Space, space: Space, leaders: tuple[int, ...], army: Army, emit: Emit
) -> None:
    """Put all aboard ashore (MB-D16); an undefended province is conquered (MB-D05)."""
    state.docked[galley] = (zone, *army, *leaders)
    stop = not any(army) or combat_situation(state, seat, space, True)
    land(state, seat, galley, space, leaders)
    if not stop:
        enter(state, seat, space, emit)


def sail_options(
    table: TableFields, seat: Seat, galley: int, at: int, gathered: Mapping[int, Sequence[Leader]]
) -> Courses:
    """Return courses to every zone or coast: empty, and with the last leader on the coast and the strongest legion.

    gathered: own leaders by their places.
    """
    plain = galleys.courses(galley, at)
    if BOARD.provinces <= at < BOARD.spaces:
        if table.cargo[galley]:
            return plain
        zones, ashore = len(BOARD.coast_seas[at]), BOARD.ashore
        return [*plain[:zones], *[s for s in plain[zones:] if _open_to_all(table, seat, galley, ashore[s.to])]]
    here = gathered.get(BOARD.ashore[at], ())
    docked = table.docked[galley]
    courses = _laden(table, seat, galley, at, here) or plain if here else plain
    return [sail for sail in courses if sail.to == docked[0]] if docked else courses


def _laden(table: TableFields, seat: Seat, galley: int, at: int, here: Sequence[Leader]) -> Courses:
    """Return the courses from a coast, each empty and with a legion; none if nothing can go aboard."""
    leader = next((leader for leader in reversed(here) if can_board(table, seat, galley, leader)), None)
    if leader is None:
        return ()
    space = BOARD.ashore[at]
    army = take_by_kind(boardable(table, seat, galley, space), LEGION, BEST_FIRST)
    left = total(army_of(table.units[space], seat)) - total(army)
    if left > 0 and left > capacity(table, seat, space, len(here) - 1):
        return ()
    return galleys.crossings(galley, at, leader, army)

"""Phase 1 at sea: galleys and their cargo (CL-SEA)."""

from collections.abc import Sequence

from shared.board import BOARD
from shared.ids import NO_ARMY, Army, Leader, Position, Seat, Space
from shared.kernel.frames import Action, Emit
from shared.language.sentence import Value, _
from shared.mechanics import galleys
from shared.mechanics.armies import army_of, plus, take_by_kind, total, within
from shared.mechanics.marching import BEST_FIRST
from shared.mechanics.pieces import ABOARD, AT_SEA
from shared.mechanics.standings import troops
from shared.refusal import Refusal
from shared.rulesets.classic.legions import check_arrival, hostile
from shared.rulesets.classic.table import State, TableFields
from shared.rulesets.conquest.galleys import aboard, boarding, embark, land
from shared.rulesets.conquest.pieces import LEGION, POINTS, galley_lord, leaders_at, ready
from shared.vocabulary import events
from shared.vocabulary.actions import Sail


def boardable(table: TableFields, seat: Seat, space: Space) -> Army:
    """Return the units that may go aboard: those that did not march this turn (CL-SEA-04, CL-MOVE-05)."""
    infantry, cavalry, catapults, _tired = ready(table, seat, space)
    landed = table.landed[space]
    # Units that came ashore may go aboard again unless they met an enemy army (CL-H03).
    if landed and not hostile(table, seat, space):
        return infantry + landed[0], cavalry + landed[1], catapults + landed[2]
    return infantry, cavalry, catapults


def can_board(table: TableFields, seat: Seat, leader: int) -> bool:
    """Whether a leader in a province may go aboard."""
    used = table.leader_used[leader]
    return used == 0 or (used == AT_SEA and not hostile(table, seat, table.leader_at[leader]))


# --- checks ---


def check_sail(table: TableFields, seat: Seat, sail: Sail) -> Refusal | None:
    """Check a sail (CL-SEA-01 to -05, CL-LEAD-02, CL-D17)."""
    refusal = _check_galley(table, seat, sail.galley)
    if refusal is not None:
        return refusal
    at = table.galley_at[sail.galley]
    return _check_at_sea(table, seat, sail, at) if BOARD.is_sea(at) else _check_at_coast(table, seat, sail, at)


def _check_galley(table: TableFields, seat: Seat, galley: int) -> Refusal | None:
    if not 0 <= galley < len(table.galley_at) or galley_lord(table, galley) != seat:
        return Refusal("no-such-galley", "CL-SEA-01", "That galley is not yours.")
    if not 0 <= table.galley_at[galley] < BOARD.positions:
        return Refusal("no-such-galley", "CL-SEA-01", "That galley is not on the board.")
    if table.galley_used[galley] >= POINTS:
        return Refusal("no-points", "CL-SEA-01", "That galley has sailed two spaces this turn.")
    return None


def _check_at_sea(table: TableFields, seat: Seat, sail: Sail, at: Position) -> Refusal | None:
    if sail.leaders or any(boarding(sail)):
        return Refusal("at-sea", "CL-H02", "Units cannot go aboard on the open sea.")
    if sail.to in BOARD.coast_seas[at]:
        return None
    if sail.to in BOARD.landings[at]:
        return _check_landing(table, seat, sail.galley, BOARD.ashore[sail.to])
    if 0 <= sail.to < BOARD.positions and (other := _other_coast(sail.to, at)):
        text = _(
            "{zone} touches {other}, not {place}.",
            zone=BOARD.names[at],
            other=other,
            place=galleys.where_words(sail.to),
        )
        return Refusal("other-coast", "CL-D17", text)
    return Refusal(
        "not-adjacent",
        "CL-MAP-01",
        _("{place} does not touch {other}.", place=galleys.where_words(sail.to), other=BOARD.names[at]),
    )


def _check_at_coast(table: TableFields, seat: Seat, sail: Sail, at: Position) -> Refusal | None:
    if sail.to in BOARD.coast_seas[at]:
        return _check_boarding(table, seat, sail, BOARD.ashore[at])
    if not BOARD.is_sea(sail.to):
        return Refusal(
            "to-sea-first", "CL-SEA-01", _("From {place} a galley puts to sea first.", place=galleys.where_words(at))
        )
    if other := _other_coast(at, sail.to):
        text = _(
            "{zone} is reached from {other}, not from {place}.",
            zone=BOARD.names[sail.to],
            other=other,
            place=galleys.where_words(at),
        )
        return Refusal("other-coast", "CL-D17", text)
    return Refusal(
        "not-adjacent",
        "CL-MAP-01",
        _("{place} does not touch {other}.", place=BOARD.names[sail.to], other=galleys.where_words(at)),
    )


def _other_coast(coast: Position, zone: Space) -> Value:
    """Return the name of another coast of the same province that touches the zone; empty if there is none."""
    if BOARD.is_sea(coast):
        return ""
    touching = [other for other in BOARD.coasts[BOARD.ashore[coast]] if zone in BOARD.coast_seas[other]]
    return galleys.where_words(touching[0]) if touching else ""


def _check_landing(table: TableFields, seat: Seat, galley: int, space: Space) -> Refusal | None:
    # An empty galley lands anywhere, and a legion attacks. Only leaders alone can be refused (CL-H01).
    if table.cargo[galley] or (ABOARD + galley) not in table.leader_at:
        return None
    return check_arrival(table, seat, space, NO_ARMY)


def _check_boarding(table: TableFields, seat: Seat, sail: Sail, space: Space) -> Refusal | None:
    units = boarding(sail)
    if any(units) and not sail.leaders:
        return Refusal("no-leader", "CL-LEAD-02", "Units go aboard only with a leader.")
    if len(set(sail.leaders)) != len(sail.leaders):
        return Refusal("leader-twice", "CL-LEAD-02", "A leader was named twice.")
    refusals = (_check_passenger(table, seat, space, leader) for leader in sail.leaders)
    return next(filter(None, refusals), None) or _check_load(table, seat, space, units)


def _check_passenger(table: TableFields, seat: Seat, space: Space, leader: Leader) -> Refusal | None:
    if leader not in leaders_at(table, seat, space):
        return Refusal(
            "no-such-leader", "CL-LEAD-02", _("That leader is not yours or not in {place}.", place=BOARD.names[space])
        )
    if can_board(table, seat, leader):
        return None
    if table.leader_used[leader] == AT_SEA:
        return _among_enemies(table, seat, space)
    return Refusal("marched", "CL-SEA-04", "A leader that marched this turn cannot go aboard.")


def _among_enemies(table: TableFields, seat: Seat, space: Space) -> Refusal:
    text = _(
        "{enemies} are in {place}: pieces that came ashore there stay.",
        enemies=troops(table, seat, space),
        place=BOARD.names[space],
    )
    return Refusal("in-contact", "CL-H03", text)


def _check_load(table: TableFields, seat: Seat, space: Space, units: Army) -> Refusal | None:
    if total(units) > LEGION:
        return Refusal("galley-full", "CL-SEA-03", _("A galley carries at most {most} units.", most=LEGION))
    able = boardable(table, seat, space)
    if within(units, able):
        return None
    if not within(units, army_of(table.units[space], seat)):
        return Refusal(
            "not-so-many", "CL-H02", _("You do not have that many units in {place}.", place=BOARD.names[space])
        )
    if hostile(table, seat, space) and within(units, plus(able, table.landed[space] or NO_ARMY)):
        return _among_enemies(table, seat, space)
    return Refusal("marched", "CL-SEA-04", "Units that marched this turn cannot go aboard.")


# --- effects ---


def apply_sail(state: State, seat: Seat, sail: Sail, emit: Emit) -> None:
    """Carry out a checked sail."""
    galley, at = sail.galley, state.galley_at[sail.galley]
    if BOARD.is_sea(at):
        leaders, army = aboard(state, seat, galley)
        if not BOARD.is_sea(sail.to):
            land(state, seat, galley, BOARD.ashore[sail.to], leaders)
    else:
        leaders, army = sail.leaders, boarding(sail)
        space = BOARD.ashore[at]
        # Among enemies no landed unit goes aboard, so those stay in the tally (CL-H03).
        embark(state, seat, galley, space, leaders, army, () if hostile(state, seat, space) else state.landed[space])
    state.galley_at[galley] = sail.to
    state.galley_used[galley] += 1
    emit(events.Sailed(seat, galley, at, sail.to, leaders, army))


# --- suggested actions ---


def sail_options(table: TableFields, seat: Seat, galley: int, at: int) -> Sequence[Action]:
    """Return courses to every zone or coast: empty, and with the last leader on the coast and the strongest legion."""
    plain = galleys.courses(galley, at)
    if BOARD.is_sea(at):
        if table.cargo[galley] or (ABOARD + galley) not in table.leader_at:
            return plain
        ashore = BOARD.ashore
        return [s for s in plain if BOARD.is_sea(s.to) or _check_landing(table, seat, galley, ashore[s.to]) is None]
    space = BOARD.ashore[at]
    # The last of them goes: the Caesar has the lowest number and stays ashore if a general can sail.
    crew = [x for x in leaders_at(table, seat, space) if can_board(table, seat, x)]
    if not crew:
        return plain
    return galleys.crossings(galley, at, crew[-1], take_by_kind(boardable(table, seat, space), LEGION, BEST_FIRST))

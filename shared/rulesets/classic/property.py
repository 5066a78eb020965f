"""Who owns what, and how it changes hands: provinces, markers, pieces, prisoners, whole empires."""

from collections.abc import Sequence
from itertools import chain

from shared.board import BOARD
from shared.ids import NONE, Army, Leader, Seat, Space
from shared.kernel.frames import Emit, push
from shared.mechanics.armies import minus, plus, total
from shared.rulesets.classic import events
from shared.rulesets.classic.frames import Captives
from shared.rulesets.classic.options import CAPTURED_SUPPLY
from shared.rulesets.classic.state import (
    ABOARD,
    GALLEYS,
    LEADERS,
    OFF,
    POOL,
    PRISON,
    State,
    Table,
    alive,
    army_of,
    enemies_in,
    galley_lord,
    galleys_at,
    leader_lord,
    living,
    own,
    put_army,
)

CITY_TRIBUTE = 5
INFLATION_MARKS = (105, 205)
WHY_LAST_CAESAR, WHY_CONCEDED, WHY_ROUND_LIMIT = 0, 1, 2


def worth(table: Table, space: Space) -> int:
    """Tribute of a province: its printed value, and 5 for a city (CL-TRIB-01, CL-CITY-01)."""
    return BOARD.tribute[space] + (CITY_TRIBUTE if table.built[space] else 0)


def raise_marker(state: State, seat: Seat, talents: int, emit: Emit) -> None:
    """Move a tribute marker up; the first to reach a mark triggers inflation (CL-INFL-01, CL-INFL-02)."""
    state.marker[seat] += talents
    for level, mark in enumerate(INFLATION_MARKS):
        if state.marker[seat] >= mark and state.triggered[level] == NONE:
            state.triggered[level] = seat
            emit(events.InflationTriggered(seat, level + 1))


def take_province(state: State, seat: Seat, space: Space, emit: Emit) -> None:
    """`seat` conquers: marker moves, enemy galleys on its shores are destroyed (CL-WIN-01, CL-D16)."""
    loser = state.owner[space]
    if loser != seat:
        state.owner[space] = seat
        if loser != NONE:
            state.marker[loser] -= worth(state, space)
        emit(events.Conquered(seat, space, loser))
        raise_marker(state, seat, worth(state, space), emit)
    for coast in BOARD.coasts[space]:
        for enemy in living(state):
            docked = galleys_at(state, enemy, coast)
            if enemy != seat and docked:
                sink(state, enemy, space, docked, emit)


def sink(state: State, seat: Seat, space: Space, galleys: Sequence[int], emit: Emit) -> None:
    """Galleys go down with the units aboard; leaders aboard are the caller's business (CL-NAVAL-04)."""
    for galley in galleys:
        state.galley_at[galley] = OFF
        if state.cargo[galley]:
            _forget_captured(state, seat, state.cargo[galley])
            state.cargo[galley] = ()
    if state.captured[seat * 4 + 3]:
        state.captured[seat * 4 + 3] = max(0, state.captured[seat * 4 + 3] - len(galleys))
    emit(events.Sank(seat, space, tuple(galleys)))


def fall(state: State, seat: Seat, space: Space, army: Army, emit: Emit) -> None:
    """Units are lost and go back to the supply (CL-COMP-05)."""
    if not any(army):
        return
    state.units[space] = put_army(state.units[space], seat, minus(army_of(state.units[space], seat), army))
    _forget_captured(state, seat, army)
    emit(events.Fell(seat, space, army))


def _forget_captured(state: State, seat: Seat, army: Sequence[int]) -> None:
    """Captured pieces are the first to be lost, and do not come back (option of CL-D24)."""
    for kind in range(3):
        i = seat * 4 + kind
        if state.captured[i]:
            state.captured[i] = max(0, state.captured[i] - army[kind])


def on_board(table: Table, seat: Seat) -> tuple[int, int, int, int]:
    """Infantry, cavalry, catapults and galleys of `seat` on the board, cargo included."""
    infantry = cavalry = catapults = 0
    galleys = [galley for galley in own(table, seat, GALLEYS) if table.galley_at[galley] != OFF]
    armies = [army_of(cell, seat) for cell in table.units if cell]
    for army in armies + [table.cargo[galley] for galley in galleys if table.cargo[galley]]:
        infantry += army[0]
        cavalry += army[1]
        catapults += army[2]
    return infantry, cavalry, catapults, len(galleys)


def supply(table: Table, seat: Seat) -> tuple[int, int, int, int]:
    """What `seat` may still buy of each kind (CL-COMP-02, CL-D24, CL-D31)."""
    return _left(table, seat, on_board(table, seat))


def _left(table: Table, seat: Seat, here: Sequence[int]) -> tuple[int, int, int, int]:
    """The supply of a seat that has `here` on the board."""
    infantry, cavalry, catapults, galleys = POOL
    if table.options[CAPTURED_SUPPLY]:
        n = table.lord.count(seat)
        return infantry * n - here[0], cavalry * n - here[1], catapults * n - here[2], galleys * n - here[3]
    won = table.captured[seat * 4 : seat * 4 + 4]
    return (
        infantry - here[0] + won[0], cavalry - here[1] + won[1],
        catapults - here[2] + won[2], galleys - here[3] + won[3],
    )  # fmt: skip


def refuge(table: Table, seat: Seat) -> int:
    """Where a freed leader stands: the home, else with the Caesar (MB-D34 by way of CL-D25)."""
    home = table.home[seat]
    return home if table.owner[home] == seat else table.leader_at[seat * LEADERS]


def free(state: State, leader: Leader, emit: Emit) -> None:
    """A leader is back with its owner."""
    seat = leader_lord(state, leader)
    state.leader_at[leader] = refuge(state, seat)
    emit(events.Freed(seat, leader, state.leader_at[leader]))


def capture(state: State, by: Seat, leaders: Sequence[Leader], emit: Emit) -> None:
    """`by` captures leaders: a Caesar eliminates its player, generals are killed or held (CL-LEAD-05)."""
    if not leaders:
        return
    emit(events.Captured(by, tuple(leaders)))
    for leader in leaders:
        state.leader_at[leader] = OFF if leader % LEADERS == 0 else PRISON + by
    for leader in leaders:
        if leader % LEADERS == 0 and leader_lord(state, leader) != by:
            eliminate(state, leader_lord(state, leader), by, emit)
    prisoners = tuple(x for x in leaders if state.leader_at[x] == PRISON + by)
    if prisoners and state.winner == NONE:
        push(state, Captives, by, prisoners)


def eliminate(state: State, loser: Seat, by: Seat, emit: Emit) -> None:
    """A Caesar is lost: all that `loser` had is `by`'s now (CL-CAESAR-01, CL-D24, CL-D25)."""
    emit(events.Eliminated(loser, by))
    for kind, pieces in enumerate(on_board(state, loser)):
        if not state.options[CAPTURED_SUPPLY]:
            state.captured[by * 4 + kind] += pieces
        state.captured[loser * 4 + kind] = 0
    state.talents[by] += state.talents[loser]
    state.talents[loser] = 0
    for space, cell in enumerate(state.units):
        army = army_of(cell, loser)
        if any(army):
            cell = put_army(cell, loser, (0, 0, 0))
            state.units[space] = put_army(cell, by, plus(army, army_of(cell, by)))
    for space, owner in enumerate(state.owner):
        if owner == loser:
            state.owner[space] = by
    for colour, lord in enumerate(state.lord):
        if lord == loser:
            state.lord[colour] = by
    gain, state.marker[loser] = state.marker[loser], 0
    raise_marker(state, by, gain, emit)
    _pass_on_prisoners(state, loser, by, emit)
    _forget_concessions(state, loser)
    declare_last(state, emit)
    declare_agreed(state, emit)


def _pass_on_prisoners(state: State, loser: Seat, by: Seat, emit: Emit) -> None:
    """Prisoners follow the treasury; those of the new lord's own colours are free (MB-D34, MB-D35)."""
    for leader, at in enumerate(state.leader_at):
        if at in (PRISON + loser, PRISON + by):
            state.leader_at[leader] = PRISON + by
            if leader_lord(state, leader) == by:
                free(state, leader, emit)


def _forget_concessions(state: State, gone: Seat) -> None:
    for seat, to in enumerate(state.conceded):
        if seat == gone or to == gone:
            state.conceded[seat] = NONE


def declare_last(state: State, emit: Emit) -> None:
    """The last Caesar wins (CL-END-01)."""
    left = living(state)
    if len(left) == 1:
        declare(state, left[0], WHY_LAST_CAESAR, emit)


def declare_agreed(state: State, emit: Emit) -> None:
    """All others agree that one has won (CL-END-02)."""
    left = living(state)
    for winner in left:
        if state.winner == NONE and all(state.conceded[s] == winner for s in left if s != winner):
            declare(state, winner, WHY_CONCEDED, emit)


def declare(state: State, seat: Seat, why: int, emit: Emit) -> None:
    """`seat` has won."""
    state.winner = seat
    emit(events.Won(seat, why))


def vanish(state: State, seat: Seat, emit: Emit) -> None:
    """`seat` leaves: its pieces leave the board, its provinces are nobody's, no one is rewarded (CL-D34)."""
    emit(events.Eliminated(seat, NONE))
    for space, cell in enumerate(state.units):
        if cell:
            state.units[space] = put_army(cell, seat, (0, 0, 0))
    for space, owner in enumerate(state.owner):
        if owner == seat:
            state.owner[space] = NONE
    for galley in range(len(state.galley_at)):
        if galley_lord(state, galley) == seat:
            state.galley_at[galley] = OFF
            state.cargo[galley] = ()
    for leader, at in enumerate(state.leader_at):
        if leader_lord(state, leader) == seat:
            state.leader_at[leader] = OFF
        elif at == PRISON + seat:
            free(state, leader, emit)
    for colour, lord in enumerate(state.lord):
        if lord == seat:
            state.lord[colour] = NONE
    state.talents[seat] = state.marker[seat] = 0
    state.captured[seat * 4 : seat * 4 + 4] = [0] * 4
    _forget_concessions(state, seat)
    declare_last(state, emit)
    declare_agreed(state, emit)


def open_ground(table: Table, seat: Seat, spaces: Sequence[Space]) -> list[Space]:
    """Those provinces without another player's land units."""
    return [space for space in spaces if not enemies_in(table.units[space], seat)]


def check_property(table: Table) -> list[str]:
    """What is wrong with markers, pools, leaders, galleys and cities of a position; [] for a sound one."""
    wrong: list[str] = []
    _check_markers(table, wrong)
    _check_armies(table, wrong)
    _check_leaders(table, wrong)
    if any(table.cargo):
        _check_cargo(table, wrong)
    return wrong


def _check_markers(table: Table, wrong: list[str]) -> None:
    marker = [0] * (table.seats + 1)
    for owner, tribute, built in zip(table.owner, BOARD.tribute, table.built, strict=False):
        marker[owner] += tribute + CITY_TRIBUTE if built else tribute
    marker.pop()  # what belongs to NONE
    if marker != table.marker:
        wrong.append(f"markers {table.marker} are not the value of the property {marker}")
    wrong += [f"seat {seat}, which is out, owns provinces" for seat in set(table.owner) if not _in_play(table, seat)]
    if min(table.talents) < 0:
        wrong.append(f"negative talents {table.talents}")


def _in_play(table: Table, seat: int) -> bool:
    return seat == NONE or alive(table, seat)


def _check_armies(table: Table, wrong: list[str]) -> None:
    """Armies in order, of living seats, never empty, and no more pieces than there are."""
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
    """(seat, infantry, cavalry, catapults) of every loaded galley."""
    if not any(table.cargo):
        return []
    return [(galley_lord(table, galley), *cargo) for galley, cargo in enumerate(table.cargo) if cargo]


def _galleys(table: Table) -> list[int]:
    """Galleys on the board, by seat."""
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
    return bool(table.options[CAPTURED_SUPPLY]) or min(_left(table, seat, here)) >= 0


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


def _check_cargo(table: Table, wrong: list[str]) -> None:
    led = {at - ABOARD for at in table.leader_at if ABOARD <= at < PRISON}
    for galley, cargo in enumerate(table.cargo):
        if cargo and (galley not in led or not 0 < total(cargo) <= 7 or min(cargo) < 0):
            wrong.append(f"galley {galley} carries {cargo}, leaders aboard: {galley in led}")
        if cargo and not BOARD.is_sea(table.galley_at[galley]):
            wrong.append(f"galley {galley} carries {cargo} at {table.galley_at[galley]}")

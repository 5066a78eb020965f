"""Who owns what, and how it changes hands: provinces, markers, pieces, prisoners, whole empires."""

from collections.abc import Sequence

from shared.board import BOARD
from shared.ids import NONE, Army, Leader, Seat, Space
from shared.kernel.frames import Emit, push
from shared.mechanics.armies import minus, plus, total
from shared.rulesets.classic import events
from shared.rulesets.classic.frames import Captives
from shared.rulesets.classic.options import CAPTURED_SUPPLY
from shared.rulesets.classic.state import (
    ABOARD,
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
    army = (0, 0, 0)
    for cell in table.units:
        if cell:
            army = plus(army, army_of(cell, seat))
    galleys = 0
    for galley, at in enumerate(table.galley_at):
        if at != OFF and galley_lord(table, galley) == seat:
            galleys += 1
            if table.cargo[galley]:
                army = plus(army, table.cargo[galley])
    return *army, galleys


def supply(table: Table, seat: Seat) -> tuple[int, int, int, int]:
    """What `seat` may still buy of each kind (CL-COMP-02, CL-D24, CL-D31)."""
    here = on_board(table, seat)
    if table.options[CAPTURED_SUPPLY]:
        colours = table.lord.count(seat)
        bought = [POOL[k] * colours - here[k] for k in range(4)]
    else:
        bought = [POOL[k] - here[k] + table.captured[seat * 4 + k] for k in range(4)]
    return bought[0], bought[1], bought[2], bought[3]


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
    wrong += _check_leaders(table)
    wrong += _check_galleys(table)
    return wrong


def _check_armies(table: Table) -> list[str]:
    wrong = []
    for space, cell in enumerate(table.units):
        if cell and (list(cell[::4]) != sorted(set(cell[::4])) or min(cell) < 0):
            wrong.append(f"bad armies {cell} in {BOARD.keys[space]}")
        for i in range(0, len(cell), 4):
            if not alive(table, cell[i]) or not total(cell[i + 1 : i + 4]):
                wrong.append(f"bad army {cell} in {BOARD.keys[space]}")
    for seat in range(table.seats):
        here = on_board(table, seat)
        colours = table.lord.count(seat)
        if any(n > POOL[k] * colours for k, n in enumerate(here)) or min(supply(table, seat)) < 0:
            wrong.append(f"seat {seat} has {here} on the board with {colours} colours")
    return wrong


def _check_leaders(table: Table) -> list[str]:
    wrong = []
    for leader, at in enumerate(table.leader_at):
        lord = leader_lord(table, leader)
        if at == OFF or (lord == NONE and table.winner != NONE):
            if table.round and leader % LEADERS == 0 and lord == leader // LEADERS:
                wrong.append(f"the Caesar of seat {lord} is off the board")
        elif at >= PRISON:
            if at - PRISON == lord or not alive(table, at - PRISON):
                wrong.append(f"leader {leader} is a prisoner of seat {at - PRISON}")
        elif at >= ABOARD:
            galley = at - ABOARD
            if not BOARD.is_sea(table.galley_at[galley]) or galley_lord(table, galley) != lord:
                wrong.append(f"leader {leader} is aboard galley {galley}, which cannot carry it")
        elif not 0 <= at < BOARD.provinces:
            wrong.append(f"leader {leader} is at {at}")
    return wrong


def _check_galleys(table: Table) -> list[str]:
    wrong = []
    led = {at - ABOARD for at in table.leader_at if ABOARD <= at < PRISON}
    for galley, cargo in enumerate(table.cargo):
        if cargo and (galley not in led or not 0 < total(cargo) <= 7 or min(cargo) < 0):
            wrong.append(f"galley {galley} carries {cargo}, leaders aboard: {galley in led}")
        if cargo and not BOARD.is_sea(table.galley_at[galley]):
            wrong.append(f"galley {galley} carries {cargo} at {table.galley_at[galley]}")
    return wrong

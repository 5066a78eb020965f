"""The start: homes, first pieces, order of play (rulebook: Set up)."""

from collections.abc import Mapping
from typing import Any

from shared.board import BOARD
from shared.ids import NONE, Seat, Space
from shared.kernel.chance import never
from shared.kernel.frames import STAY, Action, Draw, Emit, Handler, automatic, push, replace_top
from shared.refusal import Refusal
from shared.rulesets.mb1984 import events
from shared.rulesets.mb1984.actions import ChooseHome
from shared.rulesets.mb1984.frames import HomeChoice, Setup, Turn
from shared.rulesets.mb1984.options import BY_SEAT, CHOSEN, HOMES, OPTIONS
from shared.rulesets.mb1984.state import GALLEYS, LEADERS, OFF, State, Table

ORDER: tuple[Space, ...] = tuple(
    BOARD.space(key) for key in ("macedonia", "galatia", "egyptus", "numidia", "hispania", "italia")
)
"""Homes in the order of play (MB-ORDER-01)."""


def _offer(*without: str) -> tuple[Space, ...]:
    return tuple(home for home in ORDER if BOARD.keys[home] not in without)


HOMES_ON_OFFER: Mapping[int, tuple[Space, ...]] = {
    6: ORDER,
    5: _offer("numidia"),
    4: _offer("egyptus", "italia"),
    3: _offer("galatia", "numidia", "italia"),
    2: _offer("macedonia", "galatia", "numidia", "italia"),
}
"""Homes by number of players (MB-SETUP-01), in the order of play."""

START_INFANTRY = 4
HOME_MARKER = 15
"""A home and its city; the marker counts from the start (MB-SETUP-03, MB-D23)."""


def new_state(seats: int, options: Mapping[str, int]) -> State:
    """An empty table for `seats` players with homes still to be handed out."""
    return State(
        seats=seats,
        options=tuple(options[option.key] for option in OPTIONS),
        frames=[Setup(1)],
        round=0,
        order=(),
        home=[NONE] * seats,
        owner=[NONE] * BOARD.provinces,
        units=[()] * BOARD.provinces,
        built=[0] * BOARD.provinces,
        roads=[],
        leader_at=[OFF] * (seats * LEADERS),
        leader_used=[0] * (seats * LEADERS),
        galley_at=[OFF] * (seats * GALLEYS),
        galley_used=[0] * (seats * GALLEYS),
        cargo=[()] * (seats * GALLEYS),
        docked=[()] * (seats * GALLEYS),
        moved=[()] * BOARD.provinces,
        landed=[()] * BOARD.provinces,
        talents=[0] * seats,
        marker=[0] * seats,
        lord=list(range(seats)),
        inflation=1,
        triggered=[NONE, NONE],
        offers=0,
        proposals=[()] * seats,
        conceded=[NONE] * seats,
        winner=NONE,
        pushed=1,
    )


def _resume(state: State, frame: Setup, result: Any, emit: Emit) -> object:
    """Hand out the homes, then deploy."""
    offered = HOMES_ON_OFFER[state.seats]
    if state.options[HOMES] == BY_SEAT:
        state.home[:] = offered
    elif result is None:
        push(state, Draw, state.seats)
        return STAY
    elif state.options[HOMES] == CHOSEN:
        lots = frame.lots or result
        replace_top(state, Setup(frame.no, lots))
        waiting = [seat for seat in lots if state.home[seat] == NONE]
        if len(waiting) > 1:
            push(state, HomeChoice, waiting[0])
            return STAY
        for seat in waiting:
            state.home[seat] = next(home for home in offered if home not in state.home)
    else:
        for seat, lot in enumerate(result):
            state.home[seat] = offered[lot]
    deploy(state, emit)
    return STAY


def deploy(state: State, emit: Emit) -> None:
    """First pieces on every home, and the first turn (MB-SETUP-02, MB-SETUP-03, MB-ORDER-01)."""
    for seat, home in enumerate(state.home):
        state.owner[home] = seat
        state.built[home] = 2
        state.units[home] = (seat, START_INFANTRY, 0, 0)
        state.marker[seat] = HOME_MARKER
        for k in range(LEADERS):
            state.leader_at[seat * LEADERS + k] = home
    state.order = tuple(sorted(range(state.seats), key=lambda seat: ORDER.index(state.home[seat])))
    state.round = 1
    emit(events.HomesSet(tuple(state.home)))
    state.frames.pop()
    push(state, Turn, state.order[0], 0)


def _choice_owed(_table: Table, frame: HomeChoice) -> tuple[Seat, ...]:
    return (frame.seat,)


def free_homes(table: Table) -> list[Space]:
    """Homes still on offer."""
    return [home for home in HOMES_ON_OFFER[table.seats] if home not in table.home]


def _choice_options(table: Table, _frame: HomeChoice, _seat: Seat) -> list[Action]:
    return [ChooseHome(home) for home in free_homes(table)]


def _choice_check(table: Table, _frame: HomeChoice, _seat: Seat, action: Action) -> Refusal | None:
    if not isinstance(action, ChooseHome):
        return Refusal("wrong-action", "MB-SETUP-01", "Choose your home province first.")
    if action.home not in free_homes(table):
        return Refusal("no-such-home", "MB-SETUP-01", "That home is not on offer, or already taken.")
    return None


def _choice_apply(state: State, frame: HomeChoice, seat: Seat, action: ChooseHome, _emit: Emit) -> object:
    state.home[seat] = action.home
    return action.home


def _choice_default(table: Table, _frame: HomeChoice, _seat: Seat) -> Action:
    return ChooseHome(free_homes(table)[0])


SETUP: Handler[Table, State] = automatic(_resume)
HOME_CHOICE: Handler[Table, State] = Handler(
    _choice_owed, _choice_options, _choice_check, _choice_apply, _choice_default, never
)

"""The start: homes, first pieces, order of play (rulebook: Set up)."""

from collections.abc import Mapping

from shared.board import BOARD
from shared.ids import NONE, Space
from shared.kernel.frames import STAY, Emit, Handler, automatic
from shared.mechanics import homes
from shared.mechanics.amendments import chosen
from shared.mechanics.places import OFF
from shared.mechanics.table import Built
from shared.rulesets.mb1984.options import HOMES, OPTIONS
from shared.rulesets.mb1984.state import GALLEYS, LEADERS
from shared.rulesets.mb1984.table import State, Table
from shared.vocabulary.frames import Setup

ORDER = homes.spaces("macedonia", "galatia", "egyptus", "numidia", "hispania", "italia")
"""Homes in the order of play (MB-ORDER-01)."""

HOMES_ON_OFFER: Mapping[int, tuple[Space, ...]] = {
    6: ORDER,
    5: homes.without(ORDER, "numidia"),
    4: homes.without(ORDER, "egyptus", "italia"),
    3: homes.without(ORDER, "galatia", "numidia", "italia"),
    2: homes.without(ORDER, "macedonia", "galatia", "numidia", "italia"),
}
"""Homes by number of players (MB-SETUP-01), in the order of play."""

START_INFANTRY = 4


def new_state(seats: int, options: Mapping[str, int], amendments: int = 0) -> State:
    """Return an empty table for `seats` players with homes still to be handed out."""
    return State(
        seats=seats,
        options=chosen(OPTIONS, options, amendments),
        frames=[Setup(1)],
        round=0,
        order=(),
        home=[NONE] * seats,
        owner=[NONE] * BOARD.provinces,
        units=[()] * BOARD.provinces,
        built=[Built.NOTHING] * BOARD.provinces,
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


def _resume(state: State, frame: Setup, lots: object, emit: Emit) -> object:
    """Hand out the homes, then deploy (MB-SETUP-02, MB-SETUP-03, MB-ORDER-01, MB-D23)."""
    if homes.hand_out(state, frame, lots, HOMES_ON_OFFER[state.seats], state.options[HOMES]):
        homes.deploy(state, ORDER, START_INFANTRY, LEADERS, emit)
    return STAY


def free_homes(table: Table) -> list[Space]:
    """Return the homes still on offer."""
    return homes.free_homes(table, HOMES_ON_OFFER)


SETUP: Handler[Table, State] = automatic(_resume)
HOME_CHOICE: Handler[Table, State] = homes.choice(HOMES_ON_OFFER, first="MB-SETUP-01", on_offer="MB-SETUP-01")

"""The start: money, senators, the first player, the first influence (II-SETUP)."""

from collections.abc import Mapping
from typing import Any

from shared.board import BOARD
from shared.ids import NONE
from shared.kernel.frames import STAY, Deal, Emit, Handler, automatic, push, replace_top
from shared.mechanics.amendments import chosen
from shared.mechanics.heaps import kinds_of
from shared.rulesets.cote2 import events
from shared.rulesets.cote2.data import CARDS, DATA, ITALIA, KEY_SET, KEYS, SENATORS
from shared.rulesets.cote2.effects import VOTES
from shared.rulesets.cote2.frames import Season, Setup
from shared.rulesets.cote2.options import AMENDED, OPTIONS, TOKENS_EACH
from shared.rulesets.cote2.property import add_influence
from shared.rulesets.cote2.state import GALLEYS, LEADERS, OFF, State, TableFields


def new_state(seats: int, options: Mapping[str, int], amendments: int = 0) -> State:
    """Return an empty board for `seats` players; the senate votes lie open (II-SETUP-01, II-SETUP-02)."""
    values = chosen(OPTIONS, options, amendments, AMENDED)
    deck = [card.copies for card in CARDS]
    row = [0] * len(CARDS)
    for card in VOTES:
        # All vote cards lie open from the start (II-SETUP-02), so none of them can be drawn.
        row[card], deck[card] = deck[card], 0
    for card, number in zip(SENATORS, DATA.start.senators, strict=True):
        # Senators of the start come out of the 83 cards (II-D06).
        deck[card] -= number * seats
    return State(
        seats=seats,
        options=values,
        frames=[Setup(1)],
        season=0,
        round=0,
        order=(),
        side=[NONE] * seats,
        owner=[NONE] * BOARD.provinces,
        units=[()] * BOARD.provinces,
        built=[0] * BOARD.provinces,
        influence=[(0,) * seats if space in KEY_SET else () for space in range(BOARD.provinces)],
        tokens=[0] * BOARD.provinces,
        pool=[values[TOKENS_EACH]] * len(KEYS),
        deck=deck,
        row=row,
        cards=[()] * seats,
        used=[()] * seats,
        senators=[DATA.start.senators] * seats,
        chaos=[0] * seats,
        leader_at=[OFF] * (seats * LEADERS),
        galley_at=[OFF] * (seats * GALLEYS),
        talents=[DATA.start.talents] * seats,
        points=[0] * seats,
        ledger=[],
        conceded=[NONE] * seats,
        winner=NONE,
        winners=(),
        gone=[0] * len(CARDS),
        pushed=1,
    )


def _without_italia(table: TableFields) -> list[int]:
    return [0 if space == ITALIA else n for space, n in zip(KEYS, table.pool, strict=True)]


def _resume(state: State, frame: Setup, result: Any, emit: Emit) -> object:
    """Draw the first player, then each seat's four tokens (II-SETUP-03, II-SETUP-04, II-D01, II-D04).

    Tokens of Italia would be put back and drawn again, so they are left out of the draw.
    """
    if frame.first == NONE:
        if result is None:
            push(state, Deal, state.seats, 1)
            return STAY
        emit(events.FirstPlayer(result[0]))
        replace_top(state, Setup(frame.no, result[0], 0))
        return STAY
    if result is not None:
        _place(state, (frame.first + frame.drawn) % state.seats, result, emit)
        frame = Setup(frame.no, frame.first, frame.drawn + 1)
        replace_top(state, frame)
    if frame.drawn < state.seats:
        push(state, Deal, sum(_without_italia(state)), DATA.start.influence)
        return STAY
    state.frames.pop()
    push(state, Season, frame.first)
    return STAY


def _place(state: State, seat: int, numbers: tuple[int, ...], emit: Emit) -> None:
    kinds = kinds_of(_without_italia(state), numbers)
    for kind in kinds:
        state.pool[kind] -= 1
        add_influence(state, seat, KEYS[kind], 1)
    emit(events.InfluenceDrawn(seat, tuple([KEYS[kind] for kind in kinds])))


SETUP: Handler[TableFields, State] = automatic(_resume)

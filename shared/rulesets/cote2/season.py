"""A campaign season: its phases in rulebook order, and the rounds of actions (II-SEASON-01)."""

from collections.abc import Callable
from typing import Any

from shared.ids import NONE
from shared.kernel.frames import DONE, STAY, Deal, Emit, Handler, automatic, push, replace_top
from shared.mechanics.heaps import kinds_of
from shared.rulesets.cote2 import events
from shared.rulesets.cote2.data import CARDS, DATA, DIPLOMACY, KEYS
from shared.rulesets.cote2.frames import Alliances, Deployments, Rounds, Season, Turn
from shared.rulesets.cote2.options import SEASONS
from shared.rulesets.cote2.scoring import collect_taxes, count_chaos, declare_best, score
from shared.rulesets.cote2.stages import SeasonStep
from shared.rulesets.cote2.table import State, Table

PER_PLAYER = 2
"""Province tokens, and cards, laid out for each player (II-TOKENS-01, II-ROW-01)."""

Step = Callable[[State, Season, Any, Emit], None]


def _begin(state: State, _frame: Season, _result: Any, emit: Emit) -> None:
    state.season += 1
    state.round = 1
    state.order = ()
    state.side = [NONE] * state.seats
    emit(events.SeasonBegan(state.season))
    _deal(state, sum(state.pool))


def _deal(state: State, left: int) -> None:
    """Deal two for each player, or the rest (II-D03)."""
    size = min(PER_PLAYER * state.seats, left)
    if size:
        push(state, Deal, left, size)


def _tokens(state: State, _frame: Season, numbers: Any, emit: Emit) -> None:
    kinds = kinds_of(state.pool, numbers or ())
    for kind in kinds:
        state.pool[kind] -= 1
        state.tokens[KEYS[kind]] += 1
    if kinds:
        emit(events.TokensPlaced(tuple([KEYS[kind] for kind in kinds])))
    _deal(state, sum(state.deck))


def _cards(state: State, _frame: Season, numbers: Any, emit: Emit) -> None:
    kinds = kinds_of(state.deck, numbers or ())
    for kind in kinds:
        state.deck[kind] -= 1
        state.row[kind] += 1
    if kinds:
        emit(events.CardsOpened(tuple(kinds)))


def _alliances(state: State, frame: Season, _result: Any, _emit: Emit) -> None:
    push(state, Alliances, frame.opener)


def _deployments(state: State, _frame: Season, _result: Any, _emit: Emit) -> None:
    if state.season == 1:
        push(state, Deployments)


def _rounds(state: State, _frame: Season, _result: Any, _emit: Emit) -> None:
    push(state, Rounds)


def _taxes(state: State, _frame: Season, _result: Any, emit: Emit) -> None:
    collect_taxes(state, emit)


def _victory(state: State, _frame: Season, _result: Any, emit: Emit) -> None:
    score(state, emit)
    count_chaos(state, emit)


def _end(state: State, _frame: Season, _result: Any, emit: Emit) -> None:
    """End a season: used cards are turned up, diplomacy cards are for sale again (II-EOS-01, II-CARD-04,
    II-CARD-05).
    """
    returned = []
    for seat, held in enumerate(state.cards):
        back = [card for card in held if CARDS[card].kind == DIPLOMACY]
        for card in back:
            state.row[card] += 1
        state.cards[seat] = tuple([card for card in held if CARDS[card].kind != DIPLOMACY])
        returned += back
    state.used = [()] * state.seats
    emit(events.SeasonEnded(state.season, tuple(sorted(returned))))


STEPS: dict[SeasonStep, Step] = {
    SeasonStep.BEGIN: _begin,
    SeasonStep.TOKENS: _tokens,
    SeasonStep.CARDS: _cards,
    SeasonStep.ALLIANCES: _alliances,
    SeasonStep.DEPLOYMENTS: _deployments,
    SeasonStep.ROUNDS: _rounds,
    SeasonStep.TAXES: _taxes,
    SeasonStep.VICTORY: _victory,
    SeasonStep.END: _end,
}
"""The rulebook's contents page."""


def _resume(state: State, frame: Season, result: Any, emit: Emit) -> object:
    """Carry out one phase after the other; after the last season the match is over (II-END-01)."""
    if frame.step in STEPS:
        replace_top(state, Season(frame.no, frame.opener, frame.step.following))
        STEPS[frame.step](state, frame, result, emit)
    elif state.season >= state.options[SEASONS]:
        declare_best(state, emit)
    else:
        state.frames.pop()
        push(state, Season, state.order[-1])
    return STAY


def _rounds_resume(state: State, frame: Rounds, _result: object, emit: Emit) -> object:
    """Give all seats their actions in the turn order, four times (II-ACT-01, II-ACT-03)."""
    place = frame.place
    if place == len(state.order):
        if state.round == DATA.rounds:
            return DONE
        state.round += 1
        place = 0
    replace_top(state, Rounds(frame.no, place + 1))
    seat = state.order[place]
    emit(events.TurnBegan(seat, state.season, state.round))
    push(state, Turn, seat, DATA.actions)
    return STAY


SEASON: Handler[Table, State] = automatic(_resume)
ROUNDS: Handler[Table, State] = automatic(_rounds_resume)

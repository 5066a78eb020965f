"""A campaign season: its phases in rulebook order, the rounds of actions, and a turn (II-SEASON-01)."""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from shared.ids import NONE, Seat
from shared.kernel.frames import DONE, STAY, Action, Deal, Emit, Handler, automatic, push, replace_top
from shared.mechanics.heaps import kinds_of
from shared.refusal import Refusal
from shared.rulesets.cote2 import economy, effects, events, joining, movement
from shared.rulesets.cote2.actions import (
    Attack,
    Campaign,
    Incite,
    Influence,
    Levy,
    Move,
    Obtain,
    Pass,
    Recruit,
    Sail,
    Use,
)
from shared.rulesets.cote2.data import CARDS, DIPLOMACY, KEYS
from shared.rulesets.cote2.frames import Alliances, Deployments, Rounds, Season, Turn
from shared.rulesets.cote2.options import SEASONS, actions_each, rounds_each
from shared.rulesets.cote2.scoring import collect_taxes, count_chaos, declare_best, score
from shared.rulesets.cote2.stages import SeasonStep
from shared.rulesets.cote2.state import State, TableFields
from shared.vocabulary.actions import EndTurn

PER_PLAYER = 2
"""Province tokens, and cards, laid out for each player (II-TOKENS-01, II-ROW-01)."""

Step = Callable[[State, Season, Any, Emit], None]


def _begin(state: State, _frame: Season, _result: Any, emit: Emit) -> None:
    state.season += 1
    state.round = 1
    # Auctions build the order anew, so nothing of the last season may stay in it.
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
    # None if nothing was left to deal (II-D03).
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
        # Before the step: it may push a frame, and the season must stand below it with its next step.
        replace_top(state, Season(frame.no, frame.opener, frame.step.following))
        STEPS[frame.step](state, frame, result, emit)
    elif state.season >= state.options[SEASONS]:
        declare_best(state, emit)
    else:
        state.frames.pop()
        # The new season's auctions are opened by the last player of the turn order.
        push(state, Season, state.order[-1])
    return STAY


def _rounds_resume(state: State, frame: Rounds, _result: object, emit: Emit) -> object:
    """Give all seats their actions in the turn order, four times (II-ACT-01, II-ACT-03)."""
    place = frame.place
    if place == len(state.order):
        if state.round == rounds_each(state):
            return DONE
        state.round += 1
        place = 0
    replace_top(state, Rounds(frame.no, place + 1))
    seat = state.order[place]
    emit(events.TurnBegan(seat, state.season, state.round))
    push(state, Turn, seat, actions_each(state))
    return STAY


SEASON: Handler[TableFields, State] = automatic(_resume)
ROUNDS: Handler[TableFields, State] = automatic(_rounds_resume)


Check = Callable[[TableFields, Turn, Seat, Any], Refusal | None]
Apply = Callable[[State, Seat, Any, Emit], None]
List = Callable[[TableFields, Turn, Seat], Sequence[Action]]


def _pass_check(_table: TableFields, _frame: Turn, _seat: Seat, _action: Pass) -> Refusal | None:
    return None


def _pass_apply(_state: State, seat: Seat, _action: Pass, emit: Emit) -> None:
    emit(events.Passed(seat))


ACTIONS: dict[type[Action], tuple[Check, Apply]] = {
    Obtain: (effects.obtain_check, effects.obtain_apply),
    Campaign: (effects.obtain_check, effects.obtain_apply),
    Incite: (effects.obtain_check, effects.obtain_apply),
    Recruit: (economy.recruit_check, economy.recruit_apply),
    Influence: (economy.influence_check, economy.influence_apply),
    Levy: (economy.levy_check, economy.levy_apply),
    Move: (movement.move_check, movement.move_apply),
    Attack: (joining.attack_check, joining.attack_apply),
    Sail: (joining.sail_check, joining.sail_apply),
    Pass: (_pass_check, _pass_apply),
}
"""The eight actions; obtaining a card is one of them in three shapes (II-ACT-02)."""
OBTAINING = (Obtain, Campaign, Incite)
LISTS: tuple[List, ...] = (
    effects.card_options,
    economy.recruit_options,
    economy.influence_options,
    economy.levy_options,
    movement.move_options,
    joining.attack_options,
    joining.sail_options,
)


def _owed(table: TableFields, frame: Turn) -> tuple[Seat, ...]:
    """Return the seat; after both actions only as long as a card could still be used."""
    return (frame.seat,) if frame.left or effects.usable(table, frame.seat) else ()


def _options(table: TableFields, frame: Turn, seat: Seat) -> list[Action]:
    """Return the options; each list takes care that no action is listed twice."""
    found: list[Action] = [Pass() if frame.left else EndTurn()]
    if frame.left:
        for listed in LISTS:
            found += listed(table, frame, seat)
    found += effects.use_options(table, frame, seat)
    return found


def _check(table: TableFields, frame: Turn, seat: Seat, action: Action) -> Refusal | None:
    if isinstance(action, Use):
        return effects.use_check(table, frame, seat, action)
    if isinstance(action, EndTurn):
        if not frame.left:
            return None
        return Refusal("actions-left", "II-ACT-01", "You have actions left; pass if you do not want them.")
    check = ACTIONS.get(type(action))
    if check is None:
        return Refusal("wrong-action", "II-ACT-02", "It is your turn: choose an action.")
    if not frame.left:
        return Refusal("no-actions-left", "II-ACT-01", "You have used both actions of this round.")
    return check[0](table, frame, seat, action)


def _apply(state: State, frame: Turn, seat: Seat, action: Action, emit: Emit) -> object:
    if isinstance(action, EndTurn):
        return DONE
    if isinstance(action, Use):
        effects.use_apply(state, seat, action, emit)
        return STAY
    obtained = frame.obtained or isinstance(action, OBTAINING)
    # Spent before it is carried out: a battle that follows is above this frame, and may note spared leaders in it.
    replace_top(state, replace(frame, left=frame.left - 1, obtained=obtained))
    ACTIONS[type(action)][1](state, seat, action, emit)
    return STAY


def _turn_resume(_state: State, _frame: Turn, result: object, _emit: Emit) -> object:
    """Go on with the turn after a battle or a vote; end it if nothing is left to do."""
    return True if result is None else STAY


def _default(_table: TableFields, frame: Turn, _seat: Seat) -> Action:
    return Pass() if frame.left else EndTurn()


TURN: Handler[TableFields, State] = Handler(_owed, _options, _check, _apply, _default, _turn_resume)

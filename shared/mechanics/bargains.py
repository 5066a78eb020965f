"""Bargains for captured generals: the answer, and the exchange."""

from shared.ids import Seat
from shared.kernel.chance import never
from shared.kernel.frames import Action, Emit, Handler
from shared.mechanics import prisoners
from shared.mechanics.pieces import Pieces
from shared.refusal import Refusal
from shared.vocabulary.actions import Answer
from shared.vocabulary.events import Answered
from shared.vocabulary.frames import Bargain, seat_owes


def pay(state: Pieces, giver: Seat, taker: Seat, talents: int) -> None:
    """Talents change hands; a negative sum goes the other way."""
    state.talents[giver] -= talents
    state.talents[taker] += talents


def answering(each: int, used: int, rule: str) -> Handler[Pieces, Pieces]:
    """The handler of `Bargain`: yes or no, and in the first case talents and generals change hands at once.

    each: leaders of a colour. used: movement points that a freed general has used. rule: that bargains are answered.
    """

    def options(_table: Pieces, _frame: Bargain, _seat: Seat) -> list[Action]:
        return [Answer(True), Answer(False)]

    def check(_table: Pieces, _frame: Bargain, _seat: Seat, action: Action) -> Refusal | None:
        if isinstance(action, Answer):
            return None
        return Refusal("wrong-action", rule, "Accept the bargain or decline it first.")

    def apply(state: Pieces, frame: Bargain, seat: Seat, action: Answer, emit: Emit) -> object:
        emit(Answered(seat, action.accept))
        if action.accept:
            pay(state, frame.proposer, seat, frame.pays - frame.wants)
            for leader in frame.gives + frame.takes:
                prisoners.free(state, leader, each, used, emit)
        return True

    def default(_table: Pieces, _frame: Bargain, _seat: Seat) -> Action:
        return Answer(False)

    return Handler(seat_owes, options, check, apply, default, never)

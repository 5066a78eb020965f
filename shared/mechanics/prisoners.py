"""Captured generals: held, judged, freed, passed on.

`each` is the number of leaders of a colour; number 0 of them is the Caesar. A Caesar is never a prisoner: in games that
keep a captured Caesar in `PRISON`, the Caesar already belongs to the captor.
"""

from collections.abc import Sequence

from shared.board import BOARD
from shared.ids import Leader, Seat
from shared.kernel.frames import STAY, Action, Emit, Handler, always
from shared.mechanics.homes import holds_home
from shared.mechanics.pieces import OFF, PRISON, others_at, own, own_pieces_at, pieces_at, some_of
from shared.mechanics.table import Pieces
from shared.refusal import Refusal
from shared.vocabulary.actions import Judge
from shared.vocabulary.events import Freed, Killed
from shared.vocabulary.frames import Captives


def held_generals(table: Pieces, captor: Seat, lord: Seat, each: int) -> tuple[Leader, ...]:
    """Return the generals of `lord` that `captor` holds."""
    return own_pieces_at(table.leader_at, PRISON + captor, table.lord, lord, each)


def prisoners_of(table: Pieces, captor: Seat, each: int) -> tuple[Leader, ...]:
    """Return the generals of others that `captor` holds."""
    return tuple(others_at(table.leader_at, PRISON + captor, table.lord, captor, each))


def captured_generals(table: Pieces, seat: Seat, each: int) -> tuple[Leader, ...]:
    """Return the generals of `seat` that others hold."""
    return tuple([leader for leader in own(table, seat, each) if PRISON <= table.leader_at[leader] < OFF])


def is_prisoner(table: Pieces, leader: Leader, captor: Seat, each: int) -> bool:
    """Whether `captor` holds that general of another player."""
    # An inherited general may still lie in the new lord's prison until it is freed.
    return table.leader_at[leader] == PRISON + captor and table.lord[leader // each] != captor


def refuge(table: Pieces, seat: Seat, each: int) -> int:
    """Return the place of a freed general: the home if owned, else the Caesar's place (CL-D25, MB-GEN-03, MB-GEN-04,
    MB-D34).
    """
    return table.home[seat] if holds_home(table, seat) else table.leader_at[seat * each]


def free(state: Pieces, leader: Leader, each: int, used: int, emit: Emit) -> None:
    """Return a general to its owner; `used`: the movement points that it has used this turn."""
    seat = state.lord[leader // each]
    state.leader_at[leader] = refuge(state, seat, each)
    state.leader_used[leader] = used
    emit(Freed(seat, leader, state.leader_at[leader]))


def kill(state: Pieces, by: Seat, leaders: tuple[Leader, ...], emit: Emit) -> None:
    """Eliminate captured generals from the game (CL-LEAD-05, MB-GEN-01)."""
    for leader in leaders:
        state.leader_at[leader] = OFF
    if leaders:
        emit(Killed(by, leaders))


def pass_on(state: Pieces, loser: Seat, by: Seat, each: int) -> list[Leader]:
    """Give the prisoners of `loser` to `by`, as they follow the treasury (MB-D34, and CL-D25 by way of it).

    Return the generals of the new lord's own colours: they are free.
    """
    for leader in pieces_at(state.leader_at, PRISON + loser):
        state.leader_at[leader] = PRISON + by
    # Without Caesars, whose number is a multiple of `each`: a captured Caesar never acts again.
    return [leader for leader in own_pieces_at(state.leader_at, PRISON + by, state.lord, by, each) if leader % each]


def with_their_caesar(table: Pieces, captured: Sequence[Leader], each: int) -> tuple[Leader, ...]:
    """Return the generals on land that are captured together with their Caesar; they change owner where they stand.

    Generals sunk at sea or aboard a galley are not among them.
    """
    # By lord, not by colour: a player who inherited colours has generals of several.
    fallen = {table.lord[leader // each] for leader in captured if leader % each == 0}
    return tuple(
        [
            leader
            for leader in captured
            if leader % each and table.lord[leader // each] in fallen and 0 <= table.leader_at[leader] < BOARD.provinces
        ]
    )


def extreme_judgements(table: Pieces, frame: Captives, each: int) -> list[Action]:
    """Return `Ruleset.extreme_actions` of `Captives`: the extremes of a choice among more than two generals."""
    here = [leader for leader in frame.leaders if is_prisoner(table, leader, frame.seat, each)]
    return [Judge(()), Judge(tuple(here))] if len(here) > 2 else []


def captives_handler(each: int, rule: str) -> Handler[Pieces, Pieces]:
    """Return the handler of `Captives`: which of the generals just captured die. `rule`: the rule that they are
    judged.
    """

    def still_held(table: Pieces, frame: Captives) -> tuple[Leader, ...]:
        """Return the generals that no elimination in the same moment has freed or passed on."""
        return tuple([leader for leader in frame.leaders if is_prisoner(table, leader, frame.seat, each)])

    def owed(table: Pieces, frame: Captives) -> tuple[Seat, ...]:
        # An elimination in the same moment can free all of them: the frame then ends by itself.
        return (frame.seat,) if still_held(table, frame) else ()

    def options(table: Pieces, frame: Captives, _seat: Seat) -> list[Action]:
        here = still_held(table, frame)
        one_each: list[Action] = [Judge((leader,)) for leader in here] if len(here) > 1 else []
        return [Judge(()), *one_each, Judge(here)]

    def check(table: Pieces, frame: Captives, _seat: Seat, action: Action) -> Refusal | None:
        if not isinstance(action, Judge):
            return Refusal("wrong-action", rule, "Say first what becomes of the captured generals.")
        if not some_of(action.kill, still_held(table, frame)):
            return Refusal("not-captured", rule, "Only generals captured just now are judged.")
        return None

    def apply(state: Pieces, _frame: Captives, seat: Seat, action: Judge, emit: Emit) -> object:
        kill(state, seat, action.kill, emit)
        return True

    def resume(state: Pieces, frame: Captives, _result: object, _emit: Emit) -> object:
        return STAY if still_held(state, frame) else True

    return Handler(owed, options, check, apply, always(Judge(())), resume)

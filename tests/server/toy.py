"""Small game with everything that a server must cope with: sealed choices, chance, secrets, standing actions.

Each round every seat secretly names a number from 1 to 9. Then a die is rolled, and the highest number not above face *
2 wins that many points. It proves that the server knows no rule set."""

from collections.abc import Mapping

import msgspec
from msgspec import Struct

from shared.ids import NONE, Seat
from shared.kernel import chance
from shared.kernel.frames import (
    STAY,
    Action,
    Dice,
    Drawn,
    Emit,
    Event,
    Frame,
    Handler,
    Rolled,
    push,
    replace_top,
)
from shared.kernel.ruleset import Option, Place, Ruleset, StandingActions
from shared.refusal import Refusal

HIDDEN = -1


class Round(Frame, frozen=True, array_like=True, gc=False, tag=10):
    """Rounds follow each other."""


class Naming(Frame, frozen=True, array_like=True, gc=False, tag=11):
    """All but `done` name a number."""

    done: tuple[Seat, ...]


class Name(Action, frozen=True, array_like=True, gc=False, tag=10):
    """I name this number."""

    number: int


class Boast(Action, frozen=True, array_like=True, gc=False, tag=12):
    """I will name a high number! All hear it, and it decides nothing."""


class Quit(Action, frozen=True, array_like=True, gc=False, tag=11):
    """Action that ends the match in another seat's favour. Legal at any time."""


class Named(Event, frozen=True, array_like=True, gc=False, tag=0):
    """Event: a seat named a number."""

    seat: Seat


class Scored(Event, frozen=True, array_like=True, gc=False, tag=1):
    """The round is over."""

    face: int


class View(Struct, array_like=True):
    """Shown to a seat; the numbers of others are HIDDEN."""

    frames: list[Naming | Round | Dice]
    round: int
    named: list[int]
    points: list[int]
    past: list[tuple[int, ...]]
    winner: int


class State(Struct):
    """The position."""

    frames: list[Frame]
    rounds: int
    named: list[int]
    points: list[int]
    past: list[tuple[int, ...]]
    winner: int = NONE
    round: int = 0
    pushed: int = 0

    def clone(self) -> "State":
        """A copy that shares nothing mutable."""
        return State(
            self.frames[:],
            self.rounds,
            self.named[:],
            self.points[:],
            self.past[:],
            self.winner,
            self.round,
            self.pushed,
        )


def _setup(seats: int, options: Mapping[str, int], _amendments: int) -> State:
    state = State([], options["rounds"], [0] * seats, [0] * seats, [])
    push(state, Round)
    if options["opening"]:
        push(state, Dice, 1)
    return state


def _view(state: State, seat: Seat | None) -> View:
    named = [n if s == seat or not n else HIDDEN for s, n in enumerate(state.named)]
    return View(state.frames, state.round, named, state.points, state.past, state.winner)  # type: ignore[arg-type]


def _no_seats(_position: object, _frame: object) -> tuple[Seat, ...]:
    return ()


def _go_on(state: State, _frame: Round, result: object, emit: Emit) -> object:
    if result == "named":
        push(state, Dice, 1)
        return STAY
    if isinstance(result, tuple):
        _score(state, result[0] + 1, emit)
    if state.round == state.rounds:
        state.winner = state.points.index(max(state.points))
        return STAY
    state.round += 1
    state.named = [0] * len(state.named)
    push(state, Naming, ())
    return STAY


def _score(state: State, face: int, emit: Emit) -> None:
    state.past.append(tuple(state.named))
    fitting = [n for n in state.named if n <= 2 * face]
    if fitting:
        seat = state.named.index(max(fitting))
        state.points[seat] += state.named[seat]
    emit(Scored(face))


def _naming_owed(position: View | State, frame: Naming) -> tuple[Seat, ...]:
    return tuple(s for s in range(len(position.points)) if s not in frame.done)


def _names(_position: object, _frame: Naming, _seat: Seat) -> list[Action]:
    return [Name(n) for n in range(1, 10)]


def _check_name(_position: object, _frame: Naming, _seat: Seat, action: Action) -> Refusal | None:
    if isinstance(action, Boast):
        return None
    if not isinstance(action, Name):
        return Refusal("wrong-action", "TOY-1", "Name a number.")
    return None if 1 <= action.number <= 9 else Refusal("bad-number", "TOY-2", "Name a number from 1 to 9.")


def _name(state: State, frame: Naming, seat: Seat, action: Name | Boast, emit: Emit) -> object:
    if isinstance(action, Boast):
        state.past.append((seat,))
        return STAY
    state.named[seat] = action.number
    emit(Named(seat))
    done = (*frame.done, seat)
    if len(done) == len(state.points):
        return "named"
    replace_top(state, Naming(frame.no, done))
    return STAY


def _one(_position: object, _frame: Naming, _seat: Seat) -> Action:
    return Name(1)


def _check_quit(_position: object, _seat: Seat, _action: Action) -> Refusal | None:
    return None


def _quit(state: State, seat: Seat, _action: Action, _emit: Emit) -> None:
    state.winner = (seat + 1) % len(state.points)


def _none(*_: object) -> list[Action]:
    return []


def _refuse(*_: object) -> Refusal:
    return Refusal("never", "", "Nobody owes this.")


def _standings(state: View | State) -> list[Place]:
    order = sorted(range(len(state.points)), key=lambda s: -state.points[s])
    return [Place(s, rank, f"{state.points[s]} points") for rank, s in enumerate(order, 1)]


AnyAction = Rolled | Drawn | Name | Boast | Quit
AnyEvent = Named | Scored

TOY = Ruleset(
    id="toy",
    title="Numbers",
    version=1,
    min_seats=2,
    max_seats=6,
    options=(
        Option("rounds", "Rounds", "How many.", tuple(range(1, 1001)), (), 5),
        Option("opening", "Opening roll", "A die falls before anybody decides.", (0, 1), (), 0),
    ),
    setup=_setup,
    handlers={
        **chance.HANDLERS,
        Round: Handler(_no_seats, _none, _refuse, _name, _one, _go_on),
        Naming: Handler(_naming_owed, _names, _check_name, _name, _one, chance.raise_broken_rules),
    },
    standing=StandingActions((Quit,), _check_quit, _quit),
    view=_view,
    winner=lambda position: int(position.winner),
    finished=lambda position: bool(position.winner != NONE),
    round_of=lambda position: (position.round,),
    standings=_standings,
    invariants=lambda _state: [],
    seat_name=lambda _position, seat: f"Seat {seat}",
    action_decoder=msgspec.msgpack.Decoder(AnyAction),
    event_decoder=msgspec.msgpack.Decoder(AnyEvent),
    view_decoder=msgspec.msgpack.Decoder(View),
    rounds=lambda position: int(position.round),
)

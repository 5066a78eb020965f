"""Frames: a stack of small frozen records of decisions owed. The top one alone says which seat decides next."""

from collections.abc import Callable, Sequence
from typing import Any, Generic, Protocol, Self, TypeVar

from msgspec import Struct

from shared.ids import Seat
from shared.refusal import BrokenRules, Refusal


# `gc=False`: frozen records of numbers and tuples cannot form cycles. Clones of positions then cost the collector
# nothing.
class Frame(Struct, frozen=True, array_like=True, gc=False):
    """A decision that is owed. `no` is unique in the match: by it an action names the frame that it answers."""

    no: int


# Tags stand in recorded logs and on the wire: a number is never given to another kind.
class Dice(Frame, frozen=True, array_like=True, gc=False, tag=0):
    """A roll of `count` dice owed by NATURE; its answer has `count` faces 0 to 5."""

    count: int


class Draw(Frame, frozen=True, array_like=True, gc=False, tag=1):
    """A random order of the numbers 0 to `count` - 1, owed by NATURE."""

    count: int


class Deal(Frame, frozen=True, array_like=True, gc=False, tag=2):
    """`size` different numbers below `count`, owed by NATURE: pieces out of a heap in an unknown order.

    The rule set numbers the pieces of the heap, so the frame does not reveal what they are.
    """

    count: int
    size: int


class Action(Struct, frozen=True, array_like=True, gc=False):
    """A player's or NATURE's action: a sentence of the rulebook."""


def tag_of(action: Action | type[Action]) -> int:
    """Return the tag of an action or of a kind of actions: the first element of its array on the wire."""
    # msgspec types a tag as str, int or None; all of ours are numbers.
    return int(str(action.__struct_config__.tag))


class Rolled(Action, frozen=True, array_like=True, gc=False, tag=0):
    """NATURE's answer to `Dice`: the faces, in the order in which they fell."""

    faces: tuple[int, ...]


class Drawn(Action, frozen=True, array_like=True, gc=False, tag=1):
    """NATURE's answer to `Draw`."""

    order: tuple[int, ...]


class Dealt(Action, frozen=True, array_like=True, gc=False, tag=2):
    """NATURE's answer to `Deal`, in the order in which the pieces came."""

    numbers: tuple[int, ...]


class Event(Struct, frozen=True, array_like=True, gc=False):
    """Something that happened, for words, motion and sound. Positions never depend on it."""


class Position(Protocol):
    """The part of a state or a view that the engine needs."""

    @property
    def frames(self) -> Sequence[Frame]:
        """Owed frames, the top one last."""


class State(Position, Protocol):
    """The authority's position: a `Position` that numbers its frames and can be copied."""

    frames: list[Any]
    pushed: int

    def clone(self) -> Self:
        """Return a copy that shares nothing mutable."""


P_contra = TypeVar("P_contra", contravariant=True)
S_contra = TypeVar("S_contra", contravariant=True)
Emit = Callable[[Event], None]


class _Word:
    """The type of `STAY` and `DONE`: neither yes nor no."""

    def __bool__(self) -> bool:
        raise BrokenRules("a frame that only ended was asked for its result")


STAY = _Word()
"""Returned by a handler while its frame is not over. Anything else is the result with which the frame ended."""
DONE = _Word()
"""The result of a frame that has nothing to tell the one below."""


class Handler(Struct, Generic[P_contra, S_contra], frozen=True):
    """Functions of a rule set for one kind of frame. `P` is what may be read (state or view), `S` the state.

    A handler that reads only what several positions have in common serves each of them.

    owed: seats that must decide; an empty tuple means that the engine calls `resume` at once.
    options: legal actions, never empty for a seat that owes. Complete if short, else a fair choice: every kind of
    action
    is present, and `check` accepts more.
    check: None if the action is legal, else the reason; reads only what the mover may see.
    apply: carries out a checked action on the state; returns STAY, DONE or the result of the frame.
    default: the action taken when the clock runs out.
    resume: a child frame ended with that result (None: an automatic frame is asked to go on); returns as `apply`.
    Frames and actions are those of the handler's own kind, results those of the frames that it pushes.
    """

    owed: Callable[[P_contra, Any], tuple[Seat, ...]]
    options: Callable[[P_contra, Any, Seat], Sequence[Action]]
    check: Callable[[P_contra, Any, Seat, Any], Refusal | None]
    apply: Callable[[S_contra, Any, Seat, Any, Emit], object]
    default: Callable[[P_contra, Any, Seat], Action]
    resume: Callable[[S_contra, Any, Any, Emit], object]


def push(state: State, kind: type[Frame], *fields: object) -> None:
    """Put a new frame on top."""
    # Numbers are never used again, so a late answer cannot meet another frame.
    state.pushed += 1
    state.frames.append(kind(state.pushed, *fields))


def replace_top(state: State, frame: Frame) -> None:
    """Replace the top frame by `frame`, which keeps the number: it is the same decision, further on."""
    state.frames[-1] = frame


def automatic(resume: Callable[[S_contra, Any, Any, Emit], object]) -> Handler[object, S_contra]:
    """Return the handler of a frame that no seat ever owes."""

    def bug(*_args: object) -> Any:
        raise BrokenRules("an automatic frame was asked for a decision")

    return Handler(lambda _position, _frame: (), bug, bug, bug, bug, resume)


def goes_on(_state: object, _frame: Frame, _result: object, _emit: Emit) -> object:
    """Return STAY: `resume` of a frame that stays owed whatever the result of the frame above."""
    return STAY


def ends_alone(_state: object, _frame: Frame, result: object, _emit: Emit) -> object:
    """Return DONE if no seat owes the frame, STAY after a frame above it: `resume` of a frame with bargains."""
    return DONE if result is None else STAY


def take_action(_state: object, _frame: Frame, _seat: Seat, action: Action, _emit: Emit) -> object:
    """Return the action: `apply` of a frame whose result is the decision itself."""
    return action


def always(action: Action) -> Callable[[object, Frame, Seat], Action]:
    """Return a `default` that is the same action in every position."""
    return lambda _position, _frame, _seat: action

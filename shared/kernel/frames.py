"""What is owed: a stack of small frozen records. The top one says who decides next; nothing else does."""

from collections.abc import Callable, Sequence
from typing import Any, Generic, Protocol, Self, TypeVar

from msgspec import Struct

from shared.ids import Seat
from shared.refusal import BrokenRules, Refusal


class Frame(Struct, frozen=True, array_like=True, gc=False):
    """Something owed. `no` is unique in the match: an action names the frame that it answers by it."""

    no: int


class Dice(Frame, frozen=True, array_like=True, gc=False, tag=0):
    """A roll of `count` dice owed by NATURE; its answer has `count` faces 0 to 5."""

    count: int


class Draw(Frame, frozen=True, array_like=True, gc=False, tag=1):
    """A random order of the numbers 0 to `count` - 1, owed by NATURE."""

    count: int


class Deal(Frame, frozen=True, array_like=True, gc=False, tag=2):
    """`size` different numbers below `count`, owed by NATURE: pieces out of a heap whose order nobody knows.

    The rule set numbers the pieces of the heap; so the frame says nothing about what they are.
    """

    count: int
    size: int


class Action(Struct, frozen=True, array_like=True, gc=False):
    """One sentence of the rulebook."""


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
    """Something that happened, for words, motion and sound. Narration: never the truth."""


class Position(Protocol):
    """What the engine needs of a state or a view."""

    @property
    def frames(self) -> Sequence[Frame]:
        """What is owed, the top one last."""


class State(Position, Protocol):
    """The authority's position: a `Position` that numbers its frames and can be copied."""

    frames: list[Any]
    pushed: int

    def clone(self) -> Self:
        """A copy that shares nothing mutable."""


P_contra = TypeVar("P_contra", contravariant=True)
S_contra = TypeVar("S_contra", contravariant=True)
Emit = Callable[[Event], None]


class _Word:
    """The type of `STAY` and `DONE`: neither yes nor no."""

    def __bool__(self) -> bool:
        raise BrokenRules("a frame that only ended was asked for its result")


STAY = _Word()
"""What a handler returns while its frame is not over. Anything else is the result with which the frame ended."""
DONE = _Word()
"""The result of a frame that has nothing to tell the one below."""


class Handler(Struct, Generic[P_contra, S_contra], frozen=True):
    """What a rule set knows about one kind of frame. `P` is what may be read (state or view), `S` the state; a handler
    of what several positions have in common serves each of them.

    owed: who must decide; an empty tuple means that the engine calls `resume` at once.
    options: legal actions, never empty for a seat that owes; complete where it is short, else a fair choice
    (every kind of action present; `check` accepts more).
    check: None where the action is legal, else why not; reads only what the mover may see.
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
    state.pushed += 1
    state.frames.append(kind(state.pushed, *fields))


def replace_top(state: State, frame: Frame) -> None:
    """Put `frame` in the place of the top frame (same number: it is the same decision, further on)."""
    state.frames[-1] = frame


def automatic(resume: Callable[[S_contra, Any, Any, Emit], object]) -> Handler[object, S_contra]:
    """The handler of a frame that nobody ever owes."""

    def bug(*_args: object) -> Any:
        raise BrokenRules("an automatic frame was asked for a decision")

    return Handler(lambda _position, _frame: (), bug, bug, bug, bug, resume)


def goes_on(_state: object, _frame: Frame, _result: object, _emit: Emit) -> object:
    """`resume` of a frame that stays owed whatever came back from above."""
    return STAY

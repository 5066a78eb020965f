"""The one loop: who owes, what is legal, what an action does, and settling until somebody owes again."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, TypeAlias, TypeVar

import msgspec
from msgspec import Struct

from shared.ids import Seat
from shared.kernel import chance
from shared.kernel.frames import STAY, Action, Emit, Event, Frame, Handler, P_contra, Position, S_contra, State
from shared.refusal import BrokenRules, Refusal

MAX_STEPS = 1000
"""Automatic steps after one action; more means that the rules run in a circle."""


S = TypeVar("S", bound=State)
V = TypeVar("V", bound=Position)
A = TypeVar("A", bound=Action, covariant=True)
E = TypeVar("E", bound=Event, covariant=True)


class Option(Struct, frozen=True):
    """A table's choice: `values` are the allowed integers (0/1 for a switch), each with its label."""

    key: str
    label: str
    help: str
    values: tuple[int, ...]
    labels: tuple[str, ...]
    default: int


class Standing(Struct, Generic[P_contra, S_contra], frozen=True):
    """Actions of these `kinds` answer no frame: legal at any time for any living seat (frame number 0 on the wire).

    check, apply: as those of a `Handler`, without a frame.
    """

    kinds: tuple[type[Action], ...]
    check: Callable[[P_contra, Seat, Any], Refusal | None]
    apply: Callable[[S_contra, Seat, Any, Emit], None]


class Place(Struct, frozen=True):
    """One line of the final standings. `score` is what ranked it, in the rule set's own words."""

    seat: Seat
    rank: int
    score: str


def told_to_all(event: Event, _seat: Seat | None) -> Event | None:
    """`Ruleset.event_for` of a game without secrets."""
    return event


class Ruleset(Struct, Generic[S, V, A, E], frozen=True):
    """A game as a value. Rule sets call shared mechanics; they never inherit from each other.

    `S` is the authority's state, `V` the view of it that travels, `A` and `E` the tagged unions of all actions and
    events. A position is either: what is asked of it reads only what a view has too.

    id: the name on the wire and in the store. title: the name for people. version: counts the changes that make logs
    play differently or views and actions read differently. min_seats, max_seats: how many play. options: what a table
    may choose.
    setup(seats, options): the first position, not yet settled; `options` has a value for every key.
    handlers: by the kind of frame. standing: actions that answer no frame.
    view(state, seat): what a seat, or the public (None), may know.
    view_decoder, action_decoder, event_decoder: read one of these from MessagePack; their `type` is the Struct of the
    view (array_like: its fields, in order, are the paths of the deltas), or the union of all actions or events.
    finished(position): whether the match is over. winner(position): a seat, or NONE.
    standings(position): the ranking of all seats, best first, meaningful at any time.
    seat_name(position, seat): what the game calls a seat.
    invariants(state): what is wrong with it, in words; empty for a sound one.
    event_for(event, seat): what of an event a seat, or the public (None), is told: the event itself, a variant with
    the secrets struck out, or None.
    """

    id: str
    title: str
    version: int
    min_seats: int
    max_seats: int
    options: tuple[Option, ...]
    setup: Callable[[int, Mapping[str, int]], S]
    handlers: Mapping[type[Frame], Handler[S | V, S]]
    standing: Standing[S | V, S]
    view: Callable[[S, Seat | None], V]
    winner: Callable[[S | V], Seat]
    finished: Callable[[S | V], bool]
    standings: Callable[[S | V], Sequence[Place]]
    invariants: Callable[[S], list[str]]
    seat_name: Callable[[S | V, Seat], str]
    action_decoder: msgspec.msgpack.Decoder[A]
    event_decoder: msgspec.msgpack.Decoder[E]
    view_decoder: msgspec.msgpack.Decoder[V]
    event_for: Callable[[Event, Seat | None], Event | None] = told_to_all


AnyRuleset: TypeAlias = Ruleset[Any, Any, Any, Any]
"""A rule set where it may be any: whoever has one of these looks at positions only through it."""


class IllegalAction(ValueError):
    """`play` was given an action that `check` refuses."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"{refusal.code} ({refusal.rule}): {refusal.text}")
        self.refusal = refusal


def top(position: Position) -> Frame:
    """The frame that is owed."""
    return position.frames[-1]


def owed(rules: Ruleset[S, V, Action, Event], position: S | V) -> tuple[Seat, ...]:
    """The seats that must decide now; (NATURE,) for chance, () once the match is over."""
    if rules.finished(position):
        return ()
    frame = position.frames[-1]
    return rules.handlers[type(frame)].owed(position, frame)


def options(rules: Ruleset[S, V, Action, Event], position: S | V, seat: Seat) -> Sequence[Action]:
    """Legal actions of a seat that owes; see `Handler.options`."""
    frame = position.frames[-1]
    return rules.handlers[type(frame)].options(position, frame, seat)


def default(rules: Ruleset[S, V, Action, Event], position: S | V, seat: Seat) -> Action:
    """What is done for a seat whose time is up."""
    frame = position.frames[-1]
    return rules.handlers[type(frame)].default(position, frame, seat)


def check(rules: Ruleset[S, V, Action, Event], position: S | V, seat: Seat, action: Action) -> Refusal | None:
    """Whether `seat` may do `action` now, on a state or on that seat's view: None, or why not."""
    if rules.finished(position):
        return Refusal("over", "", "The match is over.")
    if isinstance(action, rules.standing.kinds):
        return rules.standing.check(position, seat, action)
    frame = position.frames[-1]
    handler = rules.handlers[type(frame)]
    if seat not in handler.owed(position, frame):
        return Refusal("not-yours", "", "It is not your decision now.")
    return handler.check(position, frame, seat, action)


def play(rules: Ruleset[S, V, Action, Event], state: S, seat: Seat, action: Action, emit: Emit) -> None:
    """Carry out a legal action on `state` itself and settle. Clone first where the old position still matters."""
    refusal = check(rules, state, seat, action)
    if refusal is not None:
        raise IllegalAction(refusal)
    perform(rules, state, seat, action, emit)


def perform(rules: Ruleset[S, V, Action, Event], state: S, seat: Seat, action: Action, emit: Emit) -> tuple[Seat, ...]:
    """As `play`, but nothing is judged: for one of the `options` of this very position, or what chance drew. Whoever
    plays by the rules alone needs no more; what anybody sent is given to `play`. Returns who must decide now.
    """
    if isinstance(action, rules.standing.kinds):
        rules.standing.apply(state, seat, action, emit)
        return settle(rules, state, emit)
    frame = state.frames[-1]
    result = rules.handlers[type(frame)].apply(state, frame, seat, action, emit)
    if result is not STAY:
        _unwind(rules, state, result, emit)
    return settle(rules, state, emit)


def _unwind(rules: Ruleset[S, V, Action, Event], state: S, result: object, emit: Emit) -> None:
    """Pop ended frames, handing each result to the frame below."""
    frames = state.frames
    while result is not STAY:
        frames.pop()
        if not frames:
            raise BrokenRules("the stack of frames is empty")
        frame = frames[-1]
        result = rules.handlers[type(frame)].resume(state, frame, result, emit)


def settle(rules: Ruleset[S, V, Action, Event], state: S, emit: Emit) -> tuple[Seat, ...]:
    """Run automatic frames until somebody owes a decision or the match is over. Returns who owes one, as `owed`."""
    handlers, finished = rules.handlers, rules.finished
    for _ in range(MAX_STEPS):
        if finished(state):
            return ()
        frame = state.frames[-1]
        handler = handlers[type(frame)]
        if seats := handler.owed(state, frame):
            return seats
        _unwind(rules, state, handler.resume(state, frame, None, emit), emit)
    raise BrokenRules(f"the rules run in a circle at {state.frames!r}")


def start(rules: Ruleset[S, V, Action, Event], seats: int, chosen: Mapping[str, int], emit: Emit) -> S:
    """A settled first position. ValueError names a bad number of seats or an unknown option or value."""
    state = rules.setup(seats, checked_options(rules, seats, chosen))
    settle(rules, state, emit)
    return state


def checked_options(rules: AnyRuleset, seats: int, chosen: Mapping[str, int]) -> dict[str, int]:
    """All options with their values; ValueError says what was wrong with the chosen ones."""
    if not rules.min_seats <= seats <= rules.max_seats:
        raise ValueError(f"{rules.title} takes {rules.min_seats} to {rules.max_seats} players, not {seats}.")
    known = {option.key: option for option in rules.options}
    for key, value in chosen.items():
        if key not in known:
            raise ValueError(f"{rules.title} has no option {key!r}; it has {', '.join(known)}.")
        if value not in known[key].values:
            raise ValueError(f"Option {key!r} takes {_allowed(known[key].values)}, not {value}.")
    return {key: chosen.get(key, option.default) for key, option in known.items()}


def _allowed(values: Sequence[int]) -> str:
    if list(values) == list(range(values[0], values[-1] + 1)):
        return f"{values[0]} to {values[-1]}"
    return "one of " + ", ".join(map(str, values))


def chance_action(state: Position, source: chance.Source) -> Action | None:
    """An outcome for the top frame if chance owes it, else None."""
    frame = state.frames[-1]
    return chance.draw(frame, source) if type(frame) in chance.HANDLERS else None


def silent(_event: Event) -> None:
    """An `emit` for those who only want the position."""


__all__ = [
    "AnyRuleset",
    "IllegalAction",
    "Option",
    "Place",
    "Ruleset",
    "Standing",
    "chance_action",
    "check",
    "checked_options",
    "default",
    "options",
    "owed",
    "perform",
    "play",
    "settle",
    "silent",
    "start",
    "told_to_all",
    "top",
]

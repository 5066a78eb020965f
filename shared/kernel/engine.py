"""The one loop: who owes, what is legal, what an action does, and settling until somebody owes again."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from shared.ids import Seat
from shared.kernel import chance
from shared.kernel.frames import STAY, Action, Emit, Event, Frame, Position, State
from shared.kernel.ruleset import (
    Amendment,
    AnyRuleset,
    IllegalAction,
    Option,
    Place,
    Ruleset,
    Standing,
    told_to_all,
)
from shared.refusal import BrokenRules, Refusal

MAX_STEPS = 1000
"""Automatic steps after one action; more means that the rules run in a circle."""


S = TypeVar("S", bound=State)
V = TypeVar("V", bound=Position)


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
    state = rules.setup(seats, checked_options(rules, seats, chosen), len(rules.amendments))
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
    "Amendment",
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

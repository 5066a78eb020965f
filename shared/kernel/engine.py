"""The engine loop: seats that owe, legal actions, their effects, and settling until a seat owes again."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from shared.ids import Seat
from shared.kernel import chance
from shared.kernel.frames import STAY, Action, Emit, Event, Frame, Position, State
from shared.kernel.ruleset import (
    AnyRuleset,
    IllegalAction,
    Ruleset,
)
from shared.language.sentence import _
from shared.refusal import BrokenRules, Refusal

MAX_STEPS = 1000
"""Automatic steps after one action; more means that the rules run in a circle."""


S = TypeVar("S", bound=State)
V = TypeVar("V", bound=Position)


def top(position: Position) -> Frame:
    """Return the frame that is owed."""
    return position.frames[-1]


def owed(rules: Ruleset[S, V, Action, Event], position: S | V) -> tuple[Seat, ...]:
    """Return the seats that must decide now; (NATURE,) for chance, () once the match is over."""
    if rules.finished(position):
        return ()
    frame = position.frames[-1]
    return rules.handlers[type(frame)].owed(position, frame)


def options(rules: Ruleset[S, V, Action, Event], position: S | V, seat: Seat) -> Sequence[Action]:
    """Return legal actions of a seat that owes; see `Handler.options`."""
    frame = position.frames[-1]
    return rules.handlers[type(frame)].options(position, frame, seat)


def default(rules: Ruleset[S, V, Action, Event], position: S | V, seat: Seat) -> Action:
    """Return the action for a seat whose time is up."""
    frame = position.frames[-1]
    return rules.handlers[type(frame)].default(position, frame, seat)


def check(rules: Ruleset[S, V, Action, Event], position: S | V, seat: Seat, action: Action) -> Refusal | None:
    """Check whether `seat` may do `action` now, on a state or on that seat's view. None if it may, else the reason."""
    if rules.finished(position):
        return Refusal("over", "", "The match is over.")
    # Before the frame is read: a standing action answers none, so its seat need not owe anything.
    if isinstance(action, rules.standing.kinds):
        return rules.standing.check(position, seat, action)
    frame = position.frames[-1]
    handler = rules.handlers[type(frame)]
    if seat not in handler.owed(position, frame):
        return Refusal("not-yours", "", "It is not your decision now.")
    return handler.check(position, frame, seat, action)


def play(rules: Ruleset[S, V, Action, Event], state: S, seat: Seat, action: Action, emit: Emit) -> None:
    """Carry out a legal action on `state` itself and settle. Clone first if the old position still matters.

    Raises IllegalAction.
    """
    refusal = check(rules, state, seat, action)
    if refusal is not None:
        raise IllegalAction(refusal)
    perform(rules, state, seat, action, emit)


def perform(rules: Ruleset[S, V, Action, Event], state: S, seat: Seat, action: Action, emit: Emit) -> tuple[Seat, ...]:
    """Carry out an action without judging it, and settle. Return the seats that must decide now.

    Only for one of the `options` of this very position, or an outcome that chance drew. Actions that a client sent go
    to
    `play`.
    """
    if isinstance(action, rules.standing.kinds):
        rules.standing.apply(state, seat, action, emit)
        return settle(rules, state, emit)
    frame = state.frames[-1]
    result = rules.handlers[type(frame)].apply(state, frame, seat, action, emit)
    # Compared by identity: a result may be empty or 0, and STAY refuses to be a truth value.
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
    """Run automatic frames until a seat owes a decision or the match is over. Return the seats that owe, as `owed`."""
    # Looked up once: searches of bots settle thousands of positions.
    handlers, finished = rules.handlers, rules.finished
    for _step in range(MAX_STEPS):
        if finished(state):
            return ()
        # Read before `apply`, which may push other frames or replace this one.
        frame = state.frames[-1]
        handler = handlers[type(frame)]
        if seats := handler.owed(state, frame):
            return seats
        result = handler.resume(state, frame, None, emit)
        # Most automatic frames push another one and stay, so the call is saved for them.
        if result is not STAY:
            _unwind(rules, state, result, emit)
    raise BrokenRules(f"the rules run in a circle at {state.frames!r}")


def start(rules: Ruleset[S, V, Action, Event], seats: int, chosen: Mapping[str, int], emit: Emit) -> S:
    """Return a settled first position. ValueError names a bad number of seats or an unknown option or value."""
    state = rules.setup(seats, checked_options(rules, seats, chosen), len(rules.amendments))
    settle(rules, state, emit)
    return state


def checked_options(rules: AnyRuleset, seats: int, chosen: Mapping[str, int]) -> dict[str, int]:
    """Return all options with their values; ValueError says what was wrong with the chosen ones."""
    if not rules.min_seats <= seats <= rules.max_seats:
        raise ValueError(
            _(
                "{game} takes {least} to {most} players, not {seats}.",
                game=rules.title,
                least=rules.min_seats,
                most=rules.max_seats,
                seats=seats,
            )
        )
    options = {option.key: option for option in rules.options}
    for key, value in chosen.items():
        if key not in options:
            raise no_option(rules, key)
        if value not in options[key].values:
            raise ValueError(
                _(
                    "Option {option} takes {values}, not {value}.",
                    option=repr(key),
                    values=_allowed_words(options[key].values),
                    value=value,
                )
            )
    return {key: chosen.get(key, option.default) for key, option in options.items()}


def no_option(rules: AnyRuleset, key: str) -> ValueError:
    """Return the error for an option that a game does not have."""
    options = ", ".join(option.key for option in rules.options)
    return ValueError(
        _("{game} has no option {option}; it has {options}.", game=rules.title, option=repr(key), options=options)
    )


def _allowed_words(values: Sequence[int]) -> str:
    if list(values) == list(range(values[0], values[-1] + 1)):
        return f"{values[0]} to {values[-1]}"
    return "one of " + ", ".join(map(str, values))


def chance_action(state: Position, source: chance.Source) -> Action | None:
    """Return an outcome for the top frame if chance owes it, else None."""
    frame = state.frames[-1]
    return chance.draw(frame, source) if type(frame) in chance.HANDLERS else None


def ignore_event(_event: Event) -> None:
    """Ignore an event: an `emit` for callers that only want the position."""

"""Scripted play of any game, and what a test wants to ask of its rules."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import msgspec

from shared.ids import NATURE, Seat
from shared.kernel import engine
from shared.kernel.frames import Action, Deal, Dealt, Dice, Event, Frame, Rolled
from shared.kernel.ruleset import AnyRuleset
from shared.refusal import Refusal

Step: TypeAlias = "tuple[Seat, Action] | str | tuple[int, ...]"


class Referee:
    """The rules of one game. `letters`: the face of a die (0 to 5) by the letter that a test writes for it."""

    def __init__(self, rules: AnyRuleset, letters: Mapping[str, int]) -> None:
        self.rules = rules
        self.letters = letters

    def sound(self, state: Any) -> None:
        """The position breaks no invariant."""
        assert self.rules.invariants(state) == [], self.rules.invariants(state)

    def faces(self, letters: str) -> Rolled:
        """A roll by letters."""
        return Rolled(tuple([self.letters[letter] for letter in letters]))

    def play(self, state: Any, *steps: Step) -> list[Event]:
        """Play actions, rolls (words of letters) and deals (numbers) in turn; each must be legal. Return the events."""
        happened: list[Event] = []
        for step in steps:
            if isinstance(step, str):
                frame = top(state)
                assert isinstance(frame, Dice), f"no dice are rolled now but {frame} is owed"
                assert frame.count == len(step), f"{frame.count} dice are rolled, not {len(step)}"
                engine.play(self.rules, state, NATURE, self.faces(step), happened.append)
            elif len(step) == 2 and isinstance(step[1], Action):
                engine.play(self.rules, state, step[0], step[1], happened.append)
            else:
                assert isinstance(top(state), Deal), f"nothing is dealt now but {top(state)} is owed"
                engine.play(self.rules, state, NATURE, Dealt(step), happened.append)
            self.sound(state)
        return happened

    def end_turn(self, state: Any, seat: Seat) -> list[Event]:
        """`seat` does no more than it must until its turn is over."""
        happened: list[Event] = []
        while self.owed(state) == (seat,):
            happened += self.play(state, (seat, engine.default(self.rules, state, seat)))
        return happened

    def owed(self, state: Any) -> tuple[Seat, ...]:
        """Return the seats that owe a decision."""
        return engine.owed(self.rules, state)

    def verdict(self, state: Any, seat: Seat, action: Action) -> Refusal | None:
        """Return the result of `check`, after comparing it for the state, the seat's view, and an encoded and decoded
        view."""
        told = engine.check(self.rules, state, seat, action)
        seen = self.rules.view(state, seat)
        assert engine.check(self.rules, seen, seat, action) == told
        travelled = self.rules.view_decoder.decode(msgspec.msgpack.encode(seen))
        assert engine.check(self.rules, travelled, seat, action) == told
        return told

    def legal(self, state: Any, seat: Seat, action: Action) -> bool:
        """Whether the action is accepted."""
        return self.verdict(state, seat, action) is None

    def refused(self, state: Any, seat: Seat, action: Action) -> str:
        """The rule that forbids the action; fails where it is legal. A refusal has a code and a text."""
        told = self.verdict(state, seat, action)
        assert told is not None, f"{action} is legal"
        assert told.code and told.text.endswith(".")
        return told.rule

    def options(self, state: Any, seat: Seat) -> list[Action]:
        """The listed options of a seat."""
        return list(engine.options(self.rules, state, seat))


def top(state: Any) -> Frame:
    """The frame that is owed."""
    return engine.top(state)


def of(events: Sequence[Event], kind: type[Any]) -> list[Any]:
    """The events of one kind."""
    return [event for event in events if isinstance(event, kind)]

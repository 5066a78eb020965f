"""The log of a match: its decisions in order, and the steps from one position to the next."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum
from typing import Any, Final, TypeVar

from msgspec import Struct, structs

from shared.ids import Seat
from shared.kernel import engine
from shared.kernel.frames import Event, State
from shared.kernel.ruleset import AnyRuleset

S = TypeVar("S", bound=State)

GENESIS: Final = bytes(16)
"""The check before the first entry of a log."""


UNDO_DEPTH: Final = 32
"""Decisions of one seat in a row that it can take back."""


class Deed(IntEnum):
    """The effect of an entry."""

    PLAY = 0
    """An action of the rule set, or chance."""
    BACK = 1
    """A return to the position of version `to`."""
    END = 2
    """The match is over by agreement, and counted as it stands."""
    TIME = 3
    """A change of the clocks, as `action` says (`shared.clocks.Timing`); the position stays as it is."""


class Entry(Struct, array_like=True, frozen=True):
    """An accepted decision, which made version `n`. `command` and `frame` are those that the player sent, else 0.

    `to`: the target of `BACK`. `at`: the time of acceptance, in milliseconds of a clock that runs while a server has
    the
    match; 0 if it was not measured. `used`: (seat, milliseconds) that were taken from clocks. A seat that takes
    something
    back uses none by it, because the decision goes on; entries of earlier servers differ.
    """

    n: int
    seat: Seat
    command: int
    frame: int
    action: bytes
    deed: Deed = Deed.PLAY
    to: int = 0
    at: int = 0
    used: tuple[tuple[Seat, int], ...] = ()


def chain(check: bytes, entry: bytes) -> bytes:
    """Return the check after an encoded entry: 16 bytes that depend on it and all before it."""
    return hashlib.blake2b(entry, digest_size=16, key=check).digest()


class LogStep(Struct, frozen=True):
    """A step through a log: the entry, the position after it, and its events."""

    entry: Entry
    state: Any
    events: list[Event]


class Course:
    """The way through a log, from its start. Passed positions do not change: each step makes a new one."""

    def __init__(self, rules: AnyRuleset, seats: int, options: Mapping[str, int]) -> None:
        self.rules = rules
        self.seats = seats
        self.state: Any = engine.start(rules, seats, options, engine.ignore_event)

    def follow(self, entries: Sequence[Entry]) -> Iterator[LogStep]:
        """Yield each step through a whole log.

        Raises msgspec.MsgspecError, IllegalAction, KeyError if the rules refuse an entry.
        """
        # Only targets of a return are kept: a long match has thousands of positions.
        wanted = {entry.to for entry in entries if entry.deed is Deed.BACK}
        passed = {0: self.state} if 0 in wanted else {}
        for entry in entries:
            events: list[Event] = []
            if entry.deed is Deed.PLAY:
                action = self.rules.action_decoder.decode(entry.action)
                self.state = self.state.clone()
                engine.play(self.rules, self.state, entry.seat, action, events.append)
            elif entry.deed is Deed.BACK:
                self.state = returned(self.state, passed[entry.to])
            if entry.n in wanted:
                passed[entry.n] = self.state
            yield LogStep(entry, self.state, events)


def returned(now: S, then: S) -> S:
    """Return an old position as a new one. Its frame gets a number that no decision had before."""
    state = then.clone()
    state.pushed = max(now.pushed, then.pushed) + 1
    state.frames[-1] = structs.replace(state.frames[-1], no=state.pushed)
    return state

"""The log of a match: what was decided, in its order, and the way from one position to the next."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum
from typing import Any, Final, TypeVar

from msgspec import Struct, structs

from shared.ids import Seat
from shared.kernel import engine
from shared.kernel.engine import AnyRuleset
from shared.kernel.frames import Event, State

S = TypeVar("S", bound=State)

GENESIS: Final = bytes(16)
"""The check before the first entry of a log."""


UNDO_DEPTH: Final = 32
"""Decisions of one seat in a row that it can take back."""


class Deed(IntEnum):
    """What an entry does."""

    PLAY = 0
    """An action of the rule set, or chance."""
    BACK = 1
    """The position of version `to` again."""
    END = 2
    """The match is over by agreement, and counted as it stands."""
    TIME = 3
    """Something about the clocks, as `action` says (`shared.clocks.Timing`); the position stays as it is."""


class Entry(Struct, array_like=True, frozen=True):
    """One accepted decision: it made version `n`. `command` and `frame` as the player sent them, else 0.

    `to`: where `BACK` goes. `at`: when it was accepted, in milliseconds of a clock that runs while there is a server
    for the match, 0 where nobody looked; `used`: (seat, milliseconds) that were taken from clocks. A seat that takes
    something back uses none by it: the decision goes on. Entries of earlier servers say otherwise.
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
    """The check after an encoded entry: 16 bytes that depend on it and all before it."""
    return hashlib.blake2b(entry, digest_size=16, key=check).digest()


class Passed(Struct, frozen=True):
    """A step of the way: the entry, the position after it, what it told."""

    entry: Entry
    state: Any
    events: list[Event]


class Course:
    """The way through a log, from its start. Positions that were passed stay as they are: each step makes a new one."""

    def __init__(self, rules: AnyRuleset, seats: int, options: Mapping[str, int]) -> None:
        self.rules = rules
        self.seats = seats
        self.state: Any = engine.start(rules, seats, options, engine.silent)

    def follow(self, entries: Sequence[Entry]) -> Iterator[Passed]:
        """Through a whole log. Raises msgspec.MsgspecError, IllegalAction, KeyError where the rules refuse it."""
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
            yield Passed(entry, self.state, events)


def returned(now: S, then: S) -> S:
    """An old position as a new one: what it owes has a number that no decision had before."""
    state = then.clone()
    state.pushed = max(now.pushed, then.pushed) + 1
    state.frames[-1] = structs.replace(state.frames[-1], no=state.pushed)
    return state

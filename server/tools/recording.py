"""A match as data: what was done, and what everybody saw of it. Played again, it must come out the same."""

import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from protocol import codec
from shared.ids import Seat
from shared.kernel import engine
from shared.kernel.engine import AnyRuleset
from shared.kernel.frames import Action, Event
from shared.kernel.versions import as_of


class Recording(Struct, omit_defaults=True):
    """A match from its start, as JSON. `version` is the rule set's.

    log: (seat, action) in order, chance as seat -1, each action as the array that travels. digests: after the start
    and after each action what all audiences had seen until then; empty where nobody kept it. wrong: what a
    simulation found broken after the last action, with the whole `state` before it.
    """

    ruleset: str
    version: int
    seats: int
    options: dict[str, int]
    seed: int
    log: list[tuple[Seat, Any]]
    digests: list[int] = []
    wrong: str = ""
    state: dict[str, Any] | None = None


class Broken(Exception):
    """The rules failed, or tell another story than the recording: what is wrong, in words."""


class Replayed:
    """A game as it is played or played again, and the digest of all that was shown of it."""

    def __init__(self, rules: AnyRuleset, seats: int, options: Mapping[str, int]) -> None:
        self.rules = rules
        self.state: Any = engine.start(rules, seats, options, engine.silent)
        self.digest = 0
        self._audiences: tuple[Seat | None, ...] = (*range(seats), None)
        self._show([])

    def play(self, seat: Seat, action: Action) -> None:
        """Carry out an action. Raises IllegalAction where it is refused."""
        events: list[Event] = []
        engine.play(self.rules, self.state, seat, action, events.append)
        self._show(events)

    def check(self) -> None:
        """Broken says what is impossible about the position."""
        wrong = self.rules.invariants(self.state)
        if wrong:
            raise Broken("; ".join(wrong))

    def check_options(self) -> None:
        """Broken says who has nothing to choose from, or is offered what is refused."""
        rules, state = self.rules, self.state
        for seat in engine.owed(rules, state):
            found = engine.options(rules, state, seat)
            if not found:
                raise Broken(f"seat {seat} owes {engine.top(state)!r} and has no options")
            for action in found:
                refusal = engine.check(rules, state, seat, action)
                if refusal is not None:
                    raise Broken(f"seat {seat} is offered {action!r}, which is refused: {refusal.text}")

    def _show(self, events: list[Event]) -> None:
        for audience in self._audiences:
            told = [said for event in events if (said := self.rules.event_for(event, audience)) is not None]
            seen = codec.ENCODER.encode([self.rules.view(self.state, audience), told])
            self.digest = zlib.crc32(seen, self.digest)


def read(path: Path) -> Recording:
    """A recording from its file; ValueError says in a sentence why it is none."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Recording)
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}.") from None
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(f"{path} is not a recorded match: {error}.") from None


def replay(rules: AnyRuleset, recording: Recording) -> int:
    """Play a recording again, by the version of the rules with which it was made; the number of its actions.

    Broken says after how many actions what is wrong: one is refused, the rules fail, the position is impossible or
    without a way on, or somebody is shown something else than then. ValueError: the recording is of other rules.
    """
    played_by = as_of(rules, recording.version) if rules.id == recording.ruleset else None
    if played_by is None:
        made_by = f"{recording.ruleset} {recording.version}"
        raise ValueError(f"The match was recorded with {made_by}; these rules are {rules.id} {rules.version}.")
    game = Replayed(played_by, recording.seats, recording.options)
    n = 0
    try:
        _compare(game, recording, n)
        for n, (seat, written) in enumerate(recording.log, 1):
            game.play(seat, rules.action_decoder.decode(codec.ENCODER.encode(written)))
            game.check()
            _compare(game, recording, n)
        game.check_options()
    except Exception as error:  # whatever the rules may raise is what one looks for
        told = str(error) if isinstance(error, Broken | engine.IllegalAction) else repr(error)
        raise Broken(f"after {n} of {len(recording.log)} actions: {told}") from error
    return n


def _compare(game: Replayed, recording: Recording, n: int) -> None:
    if recording.digests and recording.digests[n] != game.digest:
        raise Broken("somebody is shown something else than was recorded")

"""Recorded matches: the actions, and digests of all views. A replay must give the same digests."""

import json
import secrets
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from protocol import codec
from server.lobby.lesson_tables import SEAT, entries, lesson_record
from server.matches.seating import SeatHolder
from server.storage.platform import MOST, read_small
from server.storage.port import FIRST_EPOCH, Store
from shared.history import GENESIS
from shared.ids import Seat
from shared.kernel import engine
from shared.kernel.frames import Action, Event
from shared.kernel.ruleset import AnyRuleset, IllegalAction, as_of, rules_of

LARGEST: Final = 64 * MOST
"""Bytes of a recording."""


class Recording(Struct, omit_defaults=True):
    """A match from its start, as JSON. `version` is the rule set's.

    log: (seat, action) in order, chance as seat -1, each action as the array of the protocol. digests: of everything
    shown to all audiences until then, after the start and after each action; empty if not recorded. wrong: the fault
    that a simulation found after the last action, with the whole `state` before it.
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
    """The rules failed, or a replay differs from the recording; the message says how."""


class RecordedGame:
    """A game being played or replayed, and the digest of everything shown so far."""

    def __init__(self, rules: AnyRuleset, seats: int, options: Mapping[str, int]) -> None:
        self.rules = rules
        self.state: Any = engine.start(rules, seats, options, engine.ignore_event)
        self.digest = 0
        self._audiences: tuple[Seat | None, ...] = (*range(seats), None)
        self._show([])

    def play(self, seat: Seat, action: Action) -> None:
        """Carry out an action. Raises IllegalAction if it is refused."""
        events: list[Event] = []
        engine.play(self.rules, self.state, seat, action, events.append)
        self._show(events)

    def check(self) -> None:
        """Raise Broken if the position is impossible."""
        wrong = self.rules.invariants(self.state)
        if wrong:
            raise Broken("; ".join(wrong))

    def check_options(self) -> None:
        """Raise Broken if a seat that must decide has no options, or if an option is refused."""
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
    """Return the recording in a file; ValueError says why it is none."""
    try:
        return msgspec.json.decode(read_small(path, LARGEST), type=Recording)
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}.") from None
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(f"{path} is not a recorded match: {error}.") from None


def replay(rules: AnyRuleset, recording: Recording) -> int:
    """Replay a recording with its version of the rules, and return the number of its actions.

    Broken says what is wrong after how many actions: a refusal, failing rules, an impossible position, no options, or a
    different view. ValueError: the recording is of other rules.
    """
    played_by = as_of(rules, recording.version) if rules.id == recording.ruleset else None
    if played_by is None:
        made_by = f"{recording.ruleset} {recording.version}"
        raise ValueError(f"The match was recorded with {made_by}; these rules are {rules.id} {rules.version}.")
    game = RecordedGame(played_by, recording.seats, recording.options)
    n = 0
    try:
        _compare(game, recording, n)
        for n, (seat, written) in enumerate(recording.log, 1):
            game.play(seat, rules.action_decoder.decode(codec.ENCODER.encode(written)))
            game.check()
            _compare(game, recording, n)
        game.check_options()
    except Exception as error:  # Any exception of the rules is a finding.
        told = str(error) if isinstance(error, Broken | IllegalAction) else repr(error)
        raise Broken(f"after {n} of {len(recording.log)} actions: {told}") from error
    return n


def _compare(game: RecordedGame, recording: Recording, n: int) -> None:
    if recording.digests and recording.digests[n] != game.digest:
        raise Broken("somebody is shown something else than was recorded")


async def lay_out(store: Store, rulesets: Mapping[str, AnyRuleset], recording: Recording, name: str) -> str:
    """Keep a recording as a match, and return a JSON line with its seat and key, as the command `seats` prints.

    Raises ValueError if it is of other rules or these refuse its actions. Raises StoreError if nothing was kept.
    """
    rules = rules_of(rulesets, recording.ruleset, recording.version)
    try:
        replay(rules, recording)
    except Broken as error:
        raise ValueError(f"The recorded match cannot be loaded: {error}.") from None
    record = lesson_record(secrets.token_hex(6), rules.id, rules.version, recording.seats, recording.options, name)
    token = SeatHolder(record.chairs[SEAT]).offer_token()
    await store.create(record)
    await store.append(record.match, FIRST_EPOCH, GENESIS, entries(recording.log), None)
    return json.dumps({"match": record.match, "seat": SEAT, "token": token.hex()})

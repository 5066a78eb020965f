"""Films of recorded matches, and of matches between bots with a spectator."""

import random
from functools import cache

from msgspec import Struct

from client.replay.film import AnyFilm, film_of_log
from protocol import codec
from server.bots.policy import play_normal
from server.matches.dice import Dice
from server.matches.match import AcceptedAction, Match
from server.tools.recording import Recording, read
from shared.history import Deed, Entry
from shared.ids import NONE
from shared.messages import Frame, Snapshot
from shared.rulesets.registry import RULESETS, ruleset
from tests.play.record import path_of, wanted

GAMES = tuple(RULESETS)


def entries_of(recording: Recording) -> list[Entry]:
    """The log of a recorded match."""
    return [Entry(n, seat, 0, 0, codec.ENCODER.encode(action)) for n, (seat, action) in enumerate(recording.log, 1)]


def recorded(game: str, name: str = "4-seats") -> Recording:
    """A recorded match."""
    return read(path_of(ruleset(game), name))


def film_of(recording: Recording) -> AnyFilm:
    """Its film."""
    rules = ruleset(recording.ruleset)
    return film_of_log(rules, recording.seats, recording.options, entries_of(recording))


@cache
def longest(game: str) -> Recording:
    """The longest match that is recorded of a game."""
    rules = ruleset(game)
    return max((read(path_of(rules, name)) for name, _, _ in wanted(rules)), key=lambda one: len(one.log))


class Live(Struct):
    """A match as it was played and sent: the log, and for each audience the snapshot, the frames, all digests."""

    seats: int
    entries: list[Entry]
    begin: list[Snapshot]
    frames: list[list[Frame]]
    digests: list[list[int]]


@cache
def live(game: str, seats: int, decisions: int) -> Live:
    """Bots play so many decisions, and every audience is sent what a server sends."""
    rules, rng = ruleset(game), random.Random(seats)
    match = Match(rules, seats, {}, Dice(1))
    audiences = range(seats + 1)
    begin = [codec.decode_server(match.snapshot(audience)) for audience in audiences]
    assert all(isinstance(one, Snapshot) for one in begin)
    seen = Live(seats, [], begin, [[] for _ in audiences], [[match.digest(a)] for a in audiences])  # type: ignore[arg-type]
    passed = [match.state]
    step: object = match.chance()
    while len(seen.entries) < decisions and not match.finished:
        if isinstance(step, AcceptedAction):
            match.commit(step)
            _keep(seen, step)
            passed += [None] * (match.version - len(passed)) + [match.state]
        if step_back := _steps_back(match, passed):
            step = step_back
            continue
        seat = rng.choice(match.owed)
        action = play_normal(rules, rules.view(match.state, seat), seat, rng)
        step = match.submit(seat, match.version + 1, match.frame, codec.encode(action))
    return seen


def _steps_back(match: Match, passed: list[object]) -> AcceptedAction | None:
    """Now and then clocks are talked about, all agree to go back, and a seat takes its decision back where it may."""
    n = match.version
    if n % 23 == 0 and n:
        return match.mark(Deed.TIME, b"")
    to = n - 9
    if n % 29 == 0 and n and passed[to] is not None:
        return match.rewind(NONE, to, passed[to])
    if n % 7 == 0 and n and n % 29 != 1:
        undone = [match.undo(seat, n) for seat in range(match.seats)]
        return next((step for step in undone if isinstance(step, AcceptedAction)), None)
    return None


def _keep(seen: Live, step: AcceptedAction) -> None:
    seen.entries += step.entries
    for turned in step.turned:
        for audience, (data, view) in enumerate(zip(turned.frames, turned.seen, strict=True)):
            frame = codec.decode_server(data)
            assert isinstance(frame, Frame)
            seen.frames[audience].append(frame)
            seen.digests[audience].append(view.digest)

"""Offers, legality and refusals at every step of matches, as checksums: `python -m tests.play.verdicts` writes them
anew.

Recordings keep what people see; this keeps what they may do. It may change within a version of the rules. After an
intended change of an offer or a refusal, write it anew; the difference shows the matches concerned.
"""

import random
import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any, Final

import msgspec

from server.tools.recording import read
from shared.board import BOARD
from shared.ids import NATURE, Seat
from shared.kernel import engine
from shared.kernel.frames import Action, Event
from shared.kernel.ruleset import AnyRuleset, rules_of
from shared.rulesets.registry import RULESETS, ruleset
from tests.play.record import first_of, wanted
from tests.support import cote2_games, random_games

FILE: Final = Path(__file__).with_name("verdicts.txt")
CHAPTER: Final = 25
"""Steps that share a checksum."""
LENGTH: Final = 600
"""Steps that are examined in each match."""
TRIED: Final = 8
"""In one of this many steps, the first and the last offer of each kind is tried."""
ACCUSED: Final = 150
"""In one of this many steps, the rules search changed positions for faults."""
DOUBTED: Final = 0.3
"""Share of the possible changes that are tried then."""
FACTS: Final = re.compile("|".join((r"\d+", *map(re.escape, sorted(BOARD.names, key=len, reverse=True)))))
"""Numbers and names of places, players among them, in a text."""
ENCODER: Final = msgspec.msgpack.Encoder()

Step = tuple[Any, Seat, Action]
"""A position, the seat that acts, and its action."""


def stories() -> dict[str, tuple[AnyRuleset, Iterator[Step]]]:
    """Return recorded matches, crowded boards, and random courses from the middle of recorded matches, by name."""
    recorded = {
        f"{rules.id} {name}": (rules, _recorded(rules, first_of(rules, name)))
        for rules in RULESETS.values()
        for name, _, _ in wanted(rules)
    }
    crowds: dict[str, Callable[[int, int], Any]] = {"classic": random_games.crowded, "cote2": cote2_games.crowded}
    crowded = {
        f"{key} crowded-{seats}": (ruleset(key), _whims(ruleset(key), crowd(seats, seats), seats))
        for key, crowd in crowds.items()
        for seats in range(2, 7)
    }
    rules = ruleset("mb1984")
    branched = {
        f"mb1984 branched-{seats}": (rules, _branched(rules, first_of(rules, f"{seats}-seats"), seats))
        for seats in range(2, 7)
    }
    return recorded | crowded | branched


def checksums(rules: AnyRuleset, story: Iterator[Step]) -> str:
    """Return one checksum for each chapter, in one line."""
    answers, found = _answers(rules, story), []
    while chapter := list(islice(answers, CHAPTER)):
        found.append(f"{zlib.crc32(b''.join(chapter)):08x}")
    return " ".join(found)


def bent(rules: AnyRuleset, action: Action) -> Iterator[Action]:
    """Yield the action with each number one less and one more, each list shorter and longer, within the wire's
    limits."""
    for field in action.__struct_fields__:
        for value in _bent(getattr(action, field)):
            with suppress(msgspec.ValidationError):
                other = msgspec.structs.replace(action, **{field: value})
                yield rules.action_decoder.decode(ENCODER.encode(other))


def _bent(value: Any) -> Iterator[Any]:
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value - 1, value + 1)
    elif isinstance(value, tuple):
        yield from ((*value[:at], other, *value[at + 1 :]) for at, item in enumerate(value) for other in _bent(item))
        yield from (value[:-1], value * 2) if value else ()


def _recorded(rules: AnyRuleset, path: Path) -> Iterator[Step]:
    recording = read(path)
    began = rules_of(RULESETS, rules.id, recording.version)
    state = engine.start(began, recording.seats, recording.options, engine.ignore_event)
    for seat, written in islice(recording.log, LENGTH):
        action = rules.action_decoder.decode(ENCODER.encode(written))
        yield state, seat, action
        engine.play(rules, state, seat, action, engine.ignore_event)


def _branched(rules: AnyRuleset, path: Path, seed: int) -> Iterator[Step]:
    """Yield the steps of another, random course of a recorded match from its middle on."""
    middle = min(LENGTH, len(read(path).log)) // 2
    state, _, _ = next(islice(_recorded(rules, path), middle, None))
    yield from _whims(rules, state.clone(), seed)


def _whims(rules: AnyRuleset, state: Any, seed: int) -> Iterator[Step]:
    rng = random.Random(seed)
    for _ in range(LENGTH // 3):
        if not (owed := engine.owed(rules, state)):
            break
        seat = rng.choice(owed)
        action = engine.chance_action(state, rng) or rng.choice(engine.options(rules, state, seat))
        yield state, seat, action
        engine.play(rules, state, seat, action, engine.ignore_event)


def _answers(rules: AnyRuleset, story: Iterator[Step]) -> Iterator[bytes]:
    """Yield all answers of the rules to each position, encoded."""
    for n, (state, seat, action) in enumerate(story):
        owed = engine.owed(rules, state)
        offers = [(each, engine.options(rules, state, each)) for each in owed if each != NATURE]
        idle = [engine.default(rules, state, each) for each, _ in offers]
        alike = [(each, one) for each, found in offers for one in _samples(found)]
        asked = [(each, other) for each, one in (*alike, (seat, action)) for other in bent(rules, one)]
        asked += [((seat + 1) % state.seats, action)]
        verdicts = [_verdict(rules, state, *question) for question in asked]
        tried = [_tried(rules, state, *each) for each in (alike if n % TRIED == 0 else [(seat, action)])]
        accused = _accusations(rules, state, n) if n % ACCUSED == ACCUSED // 2 else []
        yield ENCODER.encode((owed, offers, idle, verdicts, tried, accused, rules.standings(state)))


def _tried(rules: AnyRuleset, state: Any, seat: Seat, action: Action) -> tuple[list[Event], Any]:
    """Return the events of an action and the position after it."""
    events: list[Event] = []
    after = state.clone()
    engine.play(rules, after, seat, action, events.append)
    return events, after


def _accusations(rules: AnyRuleset, state: Any, seed: int) -> list[list[str]]:
    """Return the rules' complaints about copies of the position in which one number is changed."""
    rng = random.Random(seed)
    doubts = [doubt for field in state.__struct_fields__ for doubt in _doubts(state, field) if rng.random() < DOUBTED]
    return [_accused(rules, state, *doubt) for doubt in doubts]


def _doubts(state: Any, field: str) -> Iterator[tuple[str, int, Any]]:
    """Yield field, place and another value for each number in a list of the position."""
    values = getattr(state, field)
    if isinstance(values, list) and field != "frames":
        yield from ((field, at, other) for at, value in enumerate(values) for other in _bent(value))


def _accused(rules: AnyRuleset, state: Any, field: str, at: int, value: Any) -> list[str]:
    other = state.clone()
    getattr(other, field)[at] = value
    try:
        return rules.invariants(other)
    except (IndexError, KeyError, ValueError) as error:
        return [type(error).__name__]


def _samples(offers: Sequence[Action]) -> list[Action]:
    """Return the first and the last offer of each kind."""
    kinds: dict[type[Action], list[Action]] = {}
    for action in offers:
        kinds.setdefault(type(action), []).append(action)
    return [alike[at] for alike in kinds.values() for at in sorted({0, len(alike) - 1})]


def _verdict(rules: AnyRuleset, state: Any, seat: Seat, action: Action) -> tuple[str, str, list[str]] | None:
    """Return code, rule, numbers and names of a refusal; its other words may change."""
    refusal = engine.check(rules, state, seat, action)
    return (refusal.code, refusal.rule, FACTS.findall(refusal.text)) if refusal else None


def kept() -> dict[str, str]:
    """Return the checksums in the file, by name."""
    lines = (line.partition(": ") for line in FILE.read_text(encoding="ascii").splitlines())
    return {name: sums for name, _, sums in lines}


def main() -> None:
    """Write all checksums again."""
    lines = [f"{name}: {checksums(rules, story)}\n" for name, (rules, story) in stories().items()]
    FILE.write_text("".join(lines), encoding="ascii")


if __name__ == "__main__":
    main()

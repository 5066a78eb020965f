"""Verdicts of the rules on actions, as data for authors of clients. `python -m tests.conformance.vectors` adds to
`protocol/conformance/RULESET.json` what it does not show yet. See SPEC.md, section 14.

The positions are those of recorded and of random matches. A position is added for what it shows first: an action of
some kind that is accepted (twice), or one that is refused with some code. Positions whose verdicts hold stay.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final

import msgspec

from protocol import codec
from server.matches.dice import Dice
from server.matches.match import AcceptedAction, Match
from server.tools.recording import read
from shared.ids import NATURE, Seat
from shared.kernel import engine
from shared.kernel.frames import Action
from shared.kernel.ruleset import AnyRuleset, rules_of
from shared.refusal import Refusal
from shared.rulesets.registry import RULESETS
from tests.conformance.files import FOLDER, Position, Try, Vectors
from tests.odds.battles import spread
from tests.play.record import FOLDER as RECORDED
from tests.play.test_choices import WAYS, Way
from tests.play.verdicts import bent
from tests.protocol.schema import words
from tests.support import wild1984

SHOWN: Final = 2
"""Number of accepted actions of each kind that are kept."""
BENT: Final = 6
"""Number of changed forms of a legal action that are tried in a position."""
LENGTH: Final = 400
"""Decisions that are examined in each match."""
SEEDS: Final = 6
"""Random games of each way, if they show all kinds of actions."""
MOST_SEEDS: Final = 80
"""The same while some kind is still missing."""
CHANCES: Final = ("Rolled", "Drawn", "Dealt")

Tried = tuple[Seat, int, Any]
"""Seat, frame that is answered, and the action as it travels."""


def judged(rules: AnyRuleset, view: Any, seat: Seat, frame: int, raw: bytes) -> Refusal | None:
    """Return the rules' refusal of an action of `seat`, by its view alone; None if it is legal."""
    try:
        action = rules.action_decoder.decode(raw)
    except codec.UNREADABLE:
        return Refusal("bad-action", "", "")
    if frame != engine.top(view).no and not (frame == 0 and isinstance(action, rules.standing.kinds)):
        return Refusal("stale-frame", "", "")
    return engine.check(rules, view, seat, action)


class Collection:
    """Positions and verdicts of a rule set that were found so far; `known`: those of earlier runs."""

    def __init__(self, rules: AnyRuleset, rng: random.Random, known: Sequence[Position] = ()) -> None:
        self.rules = rules
        self._rng = rng
        self._seen = Counter(
            (self._name(codec.ENCODER.encode(each.action)), each.code) for position in known for each in position.tries
        )
        self._last: dict[type[Action], Action] = {}
        self.positions = list(known)

    def look(self, state: Any, way: Way | None) -> None:
        """Keep the verdicts that are new in a position."""
        found: dict[Seat, list[Try]] = {}
        for seat, frame, plain in self._tries(state, way):
            told = self._told(state, seat, frame, plain)
            if told is not None:
                found.setdefault(seat, []).append(told)
        for seat, tries in found.items():
            view = codec.decode_plain(codec.encode(self.rules.view(state, seat)))
            self.positions.append(Position(seat, view, tries))

    def _told(self, state: Any, seat: Seat, frame: int, plain: Any) -> Try | None:
        """Return the verdict, or None if one like it was seen before."""
        raw = codec.ENCODER.encode(plain)
        refusal = judged(self.rules, self.rules.view(state, seat), seat, frame, raw)
        key = (self._name(raw), refusal.code if refusal else "")
        if self._seen[key] >= (1 if refusal else SHOWN):
            return None
        self._seen[key] += 1
        assert _code(self._submitted(state, seat, frame, raw)) == _code(refusal), (key, plain)
        return Try(frame, plain, key[1], refusal.rule if refusal else "")

    def _name(self, raw: bytes) -> str:
        try:
            return type(self.rules.action_decoder.decode(raw)).__name__
        except codec.UNREADABLE:
            return raw.hex()

    def _submitted(self, state: Any, seat: Seat, frame: int, raw: bytes) -> Refusal | None:
        """Return the refusal of the server's own match."""
        match = Match(self.rules, state.seats, {}, Dice(1))
        match.state = state
        answer = match.submit(seat, 0, frame, raw)
        assert isinstance(answer, AcceptedAction | Refusal)
        return answer if isinstance(answer, Refusal) else None

    def _tries(self, state: Any, way: Way | None) -> Iterator[Tried]:
        rules, top = self.rules, engine.top(state).no
        for seat in engine.owed(rules, state):
            if seat == NATURE:
                continue
            for action in self._ideas(state, seat, way):
                yield seat, 0 if isinstance(action, rules.standing.kinds) else top, _plain(action)
            for plain in ([99], [], ["x"], [10, 200], [17, 1, 2, "x"], [0, [1, 2]]):
                yield seat, top, plain
            found = engine.options(rules, state, seat)
            for action in found[:1]:
                yield seat, top + 1, _plain(action)
                yield (seat + 1) % state.seats, top, _plain(action)
        if rules.finished(state):
            yield 0, top, _plain(next(iter(self._last.values())))
        elif way is not None:
            yield from self._standing(state, way)

    def _ideas(self, state: Any, seat: Seat, way: Way | None) -> Iterator[Action]:
        """Yield actions that a player might try: legal, nearly legal, out of place."""
        kinds: dict[type[Action], Action] = {}
        offers = list(engine.options(self.rules, state, seat))
        self._rng.shuffle(offers)
        for action in offers:
            kinds.setdefault(type(action), action)
        self._last |= kinds
        for action in kinds.values():
            yield action
            others = list(bent(self.rules, action))
            yield from self._rng.sample(others, min(BENT, len(others)))
        yield from self._last.values()
        if way is not None:
            yield from (way.wild(self._rng, state, seat) for _ in range(BENT))

    def _standing(self, state: Any, way: Way) -> Iterator[Tried]:
        """Yield standing actions, which any seat may try at any time."""
        kinds = self.rules.standing.kinds
        for seat in range(state.seats):
            for action in (way.wild(self._rng, state, seat) for _ in range(BENT)):
                if isinstance(action, kinds):
                    self._last[type(action)] = action
                    yield seat, 0, _plain(action)


def _code(refusal: Refusal | None) -> tuple[str, str]:
    return (refusal.code, refusal.rule) if refusal else ("", "")


def _plain(action: Action) -> Any:
    return codec.decode_plain(codec.encode(action))


def recorded(rules: AnyRuleset) -> Iterator[Any]:
    """Yield the positions of the recorded matches, of earlier versions of the rules too."""
    for match in sorted(RECORDED.glob(f"{rules.id}-*/*.json"), reverse=True):
        recording = read(match)
        began = rules_of(RULESETS, rules.id, recording.version)
        state: Any = engine.start(began, recording.seats, recording.options, engine.ignore_event)
        for seat, written in islice(recording.log, LENGTH):
            yield state
            engine.play(
                rules, state, seat, rules.action_decoder.decode(codec.ENCODER.encode(written)), engine.ignore_event
            )
        yield state


def played(way: Way, seed: int) -> Iterator[Any]:
    """Yield the positions of a random game, in which players also try unusual actions."""
    rng = random.Random(seed)
    state = way.begin(2 + seed % 5, seed)
    for _ in range(LENGTH):
        yield state
        owed = engine.owed(way.rules, state)
        if not owed:
            return
        action = engine.chance_action(state, rng)
        if action is None:
            for seat in range(state.seats):
                _venture(way, state, seat, rng)
            owed = engine.owed(way.rules, state)
            if not owed or owed[0] == NATURE:
                continue
            action = rng.choice(engine.options(way.rules, state, owed[0]))
        engine.play(way.rules, state, owed[0], action, engine.ignore_event)


def _venture(way: Way, state: Any, seat: Seat, rng: random.Random) -> None:
    """Play a random standing action if it is legal; only those that cannot end the match are played."""
    action = way.wild(rng, state, seat)
    names = {"Propose", "Execute"}
    if type(action).__name__ in names and engine.check(way.rules, state, seat, action) is None:
        engine.play(way.rules, state, seat, action, engine.ignore_event)


def ways(rules: AnyRuleset) -> list[Way]:
    """Return the random games of a rule set, and a battle that they hardly ever reach."""
    at_sea = Way(RULESETS["mb1984"], lambda _seats, _seed: spread(False).state.clone(), LENGTH, wild1984.wild)
    return [way for way in (*WAYS.values(), at_sea) if way.rules is rules]


def verdicts(rules: AnyRuleset, position: Position) -> list[tuple[str, str]]:
    """Return the rules' verdict on each try of a position, judged by the view of the seat alone."""
    view = rules.view_decoder.decode(codec.ENCODER.encode(position.view))
    assert codec.decode_plain(codec.encode(view)) == position.view
    return [
        _code(judged(rules, view, position.seat, each.frame, codec.ENCODER.encode(each.action)))
        for each in position.tries
    ]


def holds(rules: AnyRuleset, position: Position) -> bool:
    """Whether the rules still say what is written there."""
    return verdicts(rules, position) == [(each.code, each.rule) for each in position.tries]


def collected(rules: AnyRuleset, known: Vectors) -> Vectors:
    """Return vectors of a rule set: those that still hold, and then new ones."""
    found = Collection(rules, random.Random(rules.id), [each for each in known.positions if holds(rules, each)])
    for seed in range(MOST_SEEDS):
        if seed >= SEEDS and not missing(Vectors(rules.id, rules.version, found.positions), rules):
            break
        for way in ways(rules):
            for state in played(way, seed):
                found.look(state, way)
    for state in recorded(rules):
        found.look(state, None)
    return Vectors(rules.id, rules.version, found.positions)


def kept(rules: AnyRuleset) -> Vectors:
    """Return the vectors in the rule set's file; none if there is no file yet."""
    if not path(rules).exists():
        return Vectors(rules.id, rules.version, [])
    return msgspec.json.decode(path(rules).read_bytes(), type=Vectors)


def missing(vectors: Vectors, rules: AnyRuleset) -> list[str]:
    """Return kinds of actions that are never accepted, or never refused, there."""
    told = {(_tag(each.action), bool(each.code)) for position in vectors.positions for each in position.tries}
    return [
        f"{kind.__name__} {'refused' if refused else 'accepted'}"
        for kind in words(rules)["actions"]
        for refused in (False, True)
        if (kind.__struct_config__.tag, refused) not in told and (refused or kind.__name__ not in CHANCES)
    ]


def _tag(action: Any) -> int | None:
    return action[0] if action and isinstance(action[0], int) else None


def path(rules: AnyRuleset) -> Path:
    """Return the path of the rule set's vectors."""
    return FOLDER / f"{rules.id}.json"


def written(vectors: Vectors) -> bytes:
    """Return JSON with one position in a line."""
    head = msgspec.json.encode(msgspec.structs.replace(vectors, positions=[])).removesuffix(b"]}")
    return head + b"\n" + b",\n".join(map(msgspec.json.encode, vectors.positions)) + b"\n]}\n"


def main() -> None:
    """Add new vectors to all files."""
    for rules in RULESETS.values():
        known = kept(rules)
        made = collected(rules, known)
        path(rules).write_bytes(written(made))
        false = sum(not holds(rules, each) for each in known.positions)
        tries = sum(len(position.tries) for position in made.positions)
        print(
            f"{rules.id}: {tries} tries in {len(made.positions)} positions, of which {false} no longer held and "
            f"{len(made.positions) - len(known.positions) + false} are new; missing: {missing(made, rules)}"
        )


if __name__ == "__main__":
    main()

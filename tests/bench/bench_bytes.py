"""Bytes of a match on the wire: `python -m tests.bench.bench_bytes`.

Whole matches between bots, of every game and number of seats, without sockets. Prints one JSON object for each:
- average bytes of a delta and of a frame, for the audience that sees most;
- the share of a delta that goes to each field of the view;
- the least bytes of a delta in any format that names changes: a byte for each step down to a changed value, and the
value;
- the longest snapshot of any version and audience, plain and packed, and the same for the last story."""

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from protocol import codec, delta
from server.bots import policy
from server.matches.dice import Dice
from server.matches.match import AcceptedAction, Match
from shared.kernel import engine
from shared.kernel.ruleset import AnyRuleset
from shared.messages import Frame, Story
from shared.rulesets.registry import RULESETS, ruleset


class Passed(Struct):
    """Version of a match, as the audience that sees most of it is shown it."""

    before: Any
    after: Any
    frame: Frame
    size: int


def widest(match: Match, step: AcceptedAction) -> Iterator[Passed]:
    """The versions of a step."""
    old = [match.rules.view(match.state, audience) for audience in (*range(match.seats), None)]
    for turned in step.turned:
        at = max(range(match.seats + 1), key=lambda audience: len(turned.frames[audience]))
        frame = codec.decode_server(turned.frames[at])
        assert isinstance(frame, Frame)
        yield Passed(old[at], turned.seen[at].view, frame, len(turned.frames[at]))
        old = [seen.view for seen in turned.seen]


def by_field(passed: Passed) -> Counter[str]:
    """Return the bytes that each changed field adds to the delta."""
    names = passed.after.__struct_fields__
    return Counter({names[part[0]]: len(codec.ENCODER.encode(part)) - 1 for part in parts(passed) if part})


def parts(passed: Passed) -> Iterator[list[Any]]:
    """The delta of each field alone."""
    for name in passed.after.__struct_fields__:
        alone = type(passed.after)(**{**asdict(passed.before), name: getattr(passed.after, name)})
        yield delta.diff(passed.before, alone)


def least(before: Any, after: Any) -> int:
    """Bytes of the changed values of a plain view, each with one for every step that leads to it."""
    whole = len(codec.ENCODER.encode(after))
    if not (isinstance(before, list) and isinstance(after, list)):
        return whole
    changed = [(a, b) for a, b in zip(before, after, strict=False) if a != b]
    added = sum(len(codec.ENCODER.encode(item)) for item in after[len(before) :])
    return min(whole, sum(1 + least(a, b) for a, b in changed) + added + (len(before) != len(after)))


def plain(view: Any) -> Any:
    """Return a view in the form that a client keeps."""
    return codec.decode_plain(codec.encode(view))


def steps(match: Match, seed: int) -> Iterator[AcceptedAction]:
    """Play a match between sensible bots. The caller commits each step that it takes."""
    rng, step = random.Random(seed), match.chance()
    while step is not None:
        yield step
        step = None if match.finished else decision(match, rng)


def decision(match: Match, rng: random.Random) -> AcceptedAction:
    """Return the next step of a bot."""
    seat = match.owed[0]
    action = policy.choose("normal", match.rules, match.rules.view(match.state, seat), seat, rng)
    frame = 0 if isinstance(action, match.rules.standing.kinds) else match.frame
    outcome = match.submit(seat, 0, frame, codec.encode(action))
    assert isinstance(outcome, AcceptedAction)
    return outcome


def measure(rules: AnyRuleset, seats: int, seed: int) -> dict[str, object]:
    """Measure one match."""
    options = {option.key: 10 for option in rules.options if option.key == "round_limit"}
    match = Match(rules, seats, engine.checked_options(rules, seats, options), Dice(seed))
    seen, longest = list[Passed](), [0, 0]
    for step in steps(match, seed):
        seen += widest(match, step)
        match.commit(step)
        for i, packed in enumerate((False, True)):
            sizes = [len(match.snapshot(audience, packed)) for audience in range(seats + 1)]
            longest[i] = max(longest[i], *sizes)
    fields = sum(map(by_field, seen), Counter[str]())
    story = codec.encode(Story(match.story(match.public), (), ()))
    return {
        "ruleset": rules.id,
        "seats": seats,
        "versions": len(seen),
        "delta_mean": round(sum(len(bytes(each.frame.delta)) for each in seen) / len(seen), 2),
        "delta_least": round(sum(least(plain(each.before), plain(each.after)) for each in seen) / len(seen), 2),
        "frame_mean": round(sum(each.size for each in seen) / len(seen), 2),
        "delta_by_field": {name: round(size / len(seen), 2) for name, size in fields.most_common(6)},
        "snapshot_most": longest[0],
        "snapshot_most_packed": longest[1],
        "story": len(story),
        "story_packed": len(codec.pack(story)),
    }


def main() -> None:
    """Measure and print, a line for each match."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ruleset", choices=sorted(RULESETS), action="append")
    parser.add_argument("--seats", type=int, choices=range(2, 7), action="append")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    for game in args.ruleset or RULESETS:
        for seats in args.seats or range(2, 7):
            print(json.dumps(measure(ruleset(game), seats, args.seed)), flush=True)


if __name__ == "__main__":
    main()

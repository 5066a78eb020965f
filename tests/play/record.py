"""Recorded matches of every rule set, number of seats and option: `python -m tests.play.record` makes the missing ones.

A recording that exists already is played again and never overwritten. A change of the rules is a new amendment, which
raises the version of the rule set; recordings of older versions stay, since matches end under the rules with which they
began.
"""

import random
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import msgspec

from protocol.record import SUFFIX, write
from server.bots.policy import play_normal, play_random
from server.tools.recording import RecordedGame, Recording, read, replay
from shared.ids import NATURE
from shared.kernel import engine
from shared.kernel.frames import Action
from shared.kernel.ruleset import AnyRuleset, Option, as_of, oldest
from shared.rulesets.registry import RULESETS
from tests.play.matches import played

FOLDER: Final = Path(__file__).parent / "recorded"
FILES: Final = FOLDER / "files"
"""Matches as players keep them. Those of older versions of the rules stay: they must be readable for ever."""
LENGTH: Final = 600
"""Actions of a recording at most."""


def wanted(rules: AnyRuleset) -> Iterator[tuple[str, int, dict[str, int]]]:
    """Yield name, seats and options of each match that must be recorded."""
    seats = range(rules.min_seats, rules.max_seats + 1)
    for number in seats:
        yield f"{number}-seats", number, {}
    others = [(option, value) for option in rules.options for value in _others(option)]
    for i, (option, value) in enumerate(others):
        yield f"{option.key}-{value}", seats[i % len(seats)], {option.key: value}


def path_of(rules: AnyRuleset, name: str) -> Path:
    """Return the path of the match of that name, for the present version of the rules."""
    return FOLDER / f"{rules.id}-{rules.version}" / f"{name}.json"


def first_of(rules: AnyRuleset, name: str) -> Path:
    """Return the path of the oldest match of that name that the rules can play."""
    versions = filter(None, [as_of(rules, version) for version in range(oldest(rules), rules.version + 1)])
    return next(path for path in [path_of(each, name) for each in versions] if path.exists())


def record(rules: AnyRuleset, seats: int, options: Mapping[str, int], seed: int) -> Recording:
    """Return a match in which every third decision is random and the others are sensible."""
    rng = random.Random(seed)
    game = RecordedGame(rules, seats, options)
    made = Recording(rules.id, rules.version, seats, dict(options), seed, [], [game.digest])
    while (owed := engine.owed(rules, game.state)) and len(made.log) < LENGTH:
        seat = rng.choice(owed)
        action = _decide(game, seat, rng)
        game.play(seat, action)
        made.log.append((seat, msgspec.to_builtins(action)))
        made.digests.append(game.digest)
    return made


def files() -> Iterator[tuple[Path, AnyRuleset, int]]:
    """Yield the files that must be recorded for the present version of the rules: two of each game."""
    for rules in RULESETS.values():
        for seats in (rules.min_seats + 1, rules.max_seats):
            yield FILES / f"{rules.id}-{rules.version}-{seats}{SUFFIX}", rules, seats


def _others(option: Option) -> list[int]:
    """Return the values to be recorded beside the default: all of a short list, the ends of a long one."""
    values = [value for value in option.values if value != option.default]
    return values if len(values) <= 3 else [values[0], values[-1]]


def _decide(game: RecordedGame, seat: int, rng: random.Random) -> Action:
    rules = game.rules
    if seat == NATURE:
        action = engine.chance_action(game.state, rng)
        assert action is not None
        return action
    policy = play_random if rng.random() < 1 / 3 else play_normal
    return policy(rules, rules.view(game.state, seat), seat, rng)


def main() -> None:
    """Record all matches that are missing."""
    for rules in RULESETS.values():
        for seed, (name, seats, options) in enumerate(wanted(rules)):
            path = path_of(rules, name)
            if path.exists():
                replay(rules, read(path))
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(msgspec.json.encode(record(rules, seats, options, seed)) + b"\n")
            print("recorded", path.relative_to(FOLDER))
        for path, _, seats in filter(lambda file: file[1] is rules, files()):
            if not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(write(played(rules, seats, {}, seats, 400)))
                print("recorded", path.relative_to(FOLDER))


if __name__ == "__main__":
    main()

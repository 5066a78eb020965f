"""Typed commands keep their meaning: those of recorded matches, in full and shortened, mean the same actions for ever.

`python -m tests.actions.test_typed` writes the list anew. Only new commands may be added to it.
"""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from protocol import codec
from server.tools.recording import read
from shared.actions.grammar import PhraseContext
from shared.actions.name_lookup import Misread
from shared.actions.registry import ACTIONS
from shared.ids import NATURE, Seat
from shared.kernel import engine
from shared.kernel.ruleset import AnyRuleset, rules_of
from shared.rulesets.registry import RULESETS
from tests.play.record import first_of

FILE = Path(__file__).with_name("typed.txt")
MATCHES = {
    "classic": ("4-seats", "homes-1"),
    "mb1984": ("3-seats", "galley_targets-1"),
    "cote2": ("3-seats", "tokens_each-12"),
}
EVERY = 3
"""One of so many actions of a kind is said, and the first one."""
MOST = 5
"""Actions of a kind that are said in each match."""
NAMES = ("Livia", "Marcus", "Ned of York", "Gaius", "Livia the Tall", "Nero")


def meant(rules: AnyRuleset, view: Any, seat: Seat, typed: str) -> str:
    """Return the first legal meaning of typed words, else the first one, encoded; or why they have none."""
    scene, grammar = PhraseContext(view, seat, NAMES.__getitem__), ACTIONS[rules.id].grammar
    try:
        found = grammar.read(typed, scene, grammar.of(engine.options(rules, view, seat)))
        ways = [] if found is None else list(islice(found, 40))
    except Misread as misread:
        return str(misread)
    legal = [way for way in ways if engine.check(rules, view, seat, way) is None]
    return codec.encode((legal or ways)[0]).hex() if ways else "nothing"


def lines(game: str) -> Iterator[str]:
    """Yield typed words with their meanings: match, step, words and the action, from recorded matches."""
    rules = RULESETS[game]
    for name in MATCHES[game]:
        recording, counts = read(first_of(rules, name)), dict[type, int]()
        began = rules_of(RULESETS, game, recording.version)
        state = engine.start(began, recording.seats, recording.options, engine.ignore_event)
        for step, (seat, written) in enumerate(recording.log):
            action = rules.action_decoder.decode(codec.ENCODER.encode(written))
            count = counts[type(action)] = counts.get(type(action), -1) + 1
            if seat != NATURE and count % EVERY == 0 and count < EVERY * MOST:
                view = rules.view(state, seat)
                full = ACTIONS[game].grammar.say(action, PhraseContext(view, seat, NAMES.__getitem__))
                short = " ".join([word[:4] for word in full.split()])
                for typed in filter(None, dict.fromkeys((full, short.upper(), full.rpartition(" ")[0]))):
                    yield f"{game} {name} {step}: {typed} = {meant(rules, view, seat, typed)}\n"
            engine.play(rules, state, seat, action, engine.ignore_event)


@pytest.mark.parametrize("game", MATCHES)
def test_typed_commands_keep_their_meaning(game: str) -> None:
    kept = [line for line in FILE.read_text("utf-8").splitlines(keepends=True) if line.startswith(f"{game} ")]
    assert list(lines(game)) == kept


def main() -> None:
    """Write the list anew."""
    FILE.write_text("".join([line for game in MATCHES for line in lines(game)]), "utf-8")


if __name__ == "__main__":
    main()

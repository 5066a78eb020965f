"""Wrong arguments: every public function answers with a sentence of the library, never with an error from inside."""

from collections.abc import Callable, Iterator
from inspect import isfunction, signature
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

import conquest
from conquest import IllegalAction

WRONG: Final[tuple[Any, ...]] = (
    "3", "a", -1, 99, 1.5, float("nan"), None, b"x", [], ["a"], {}, {"a": "b"}, {"infantry": -1}, object, Random(1),
)  # fmt: skip
MADE: Final = (
    "Action", "Battle", "Command", "Game", "IllegalAction", "Leader", "Legal", "Misread", "Place", "Record", "Ship",
    "Space", "Verdict", "View",
)  # fmt: skip
"""Values that only functions make."""


def game() -> conquest.Game:
    return conquest.new("classic", seats=2, seed=1)


def functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Yield every public function and method with its name."""
    for name in conquest.__all__:
        found = getattr(conquest, name)
        if callable(found) and name not in MADE:
            yield name, found
    match = game()
    record = match.record()
    for owner in (match, match.observe(0), match.legal(), conquest.player(), record, conquest.MAP):
        for name in dir(type(owner)):
            if not name.startswith("_") and isfunction(getattr(type(owner), name)):
                yield f"{type(owner).__name__}.{name}", getattr(owner, name)
    yield "Game.after", conquest.Game.after
    yield "Game.sample", conquest.Game.sample
    yield "MAP[]", lambda name: conquest.MAP[name]


def calls(function: Callable[..., Any]) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    """Yield arguments: each parameter takes each wrong value, the others without a default another one."""
    parameters = [each for each in signature(function).parameters.values() if each.kind is not each.VAR_KEYWORD]
    for parameter in parameters:
        for wrong in WRONG:
            needed = [each.name for each in parameters if each.default is each.empty]
            for others in ("classic", {"infantry": 1}):
                given = dict.fromkeys(needed, others) | {parameter.name: wrong}
                positional = [
                    given.pop(each.name)
                    for each in parameters
                    if each.name in given and each.kind is not each.KEYWORD_ONLY
                ]
                yield tuple(positional), given


@pytest.mark.parametrize("environments", [False, pytest.param(True, marks=pytest.mark.long)])
def test_every_public_name_answers_wrong_arguments_with_a_sentence(
    environments: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # Records are saved under the odd names.
    wrong = []
    for name, function in [each for each in functions() if each[0].endswith("env") is environments]:
        for args, kwargs in calls(function):
            try:
                function(*args, **kwargs)
            except OSError:
                pass  # There is no such file.
            except (ValueError, TypeError, LookupError) as error:
                words = str(error.args[0])
                if not words.endswith((".", "!")) or " " not in words:
                    wrong.append(f"{name}{args}{kwargs}: {error!r}")
            except Exception as error:
                wrong.append(f"{name}{args}{kwargs}: {error!r}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: conquest.new(seats="3"), "seats must be a whole number, not '3'."),  # type: ignore[arg-type]
        (lambda: conquest.new(seed=1.5), "seed must be a whole number or None, not 1.5."),  # type: ignore[arg-type]
        (lambda: game().observe("a"), "There is no seat 'a'; seats are 0 to 1, or None for the public."),  # type: ignore[arg-type]
        (
            lambda: conquest.odds("classic", {"infantry": -1}, {"infantry": 1}),
            "The number of infantry must be 0 or more, not -1.",
        ),
        (lambda: conquest.MAP[-1], "There is no place -1; places have names and numbers from 0 to "),
        (lambda: game().pop(), "There is nothing to go back to: `push` comes before `pop`."),
        (lambda: game().play("end movement", 7), "Seat 7 owes no decision now; 0 does."),
        (lambda: conquest.kinds(7), "There is no game 7; there is classic, mb1984, cote2."),
    ],
)
def test_sentences_say_what_is_wrong(call: Callable[[], object], words: str) -> None:
    with pytest.raises((TypeError, ValueError, LookupError)) as error:
        call()
    assert str(error.value.args[0]).startswith(words)


def test_an_action_of_another_game_is_refused() -> None:
    other = conquest.new("cote2", seats=3, seed=1)
    action, match = other.legal().choices[0], game()
    before = match.count
    for asked in (match.play, match.legal().check, match.push, lambda each: conquest.odds(match, each)):
        with pytest.raises(ValueError, match="is an action of another game, not of"):
            asked(action)
    assert action not in match.legal() and match.count == before
    with pytest.raises(IllegalAction, match="another game"):
        match.play(action.raw)

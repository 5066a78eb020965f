"""Keys that buttons, panels and the document name: each does there what they say."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from client.drawing.widgets import Button
from client.games.static_match import LocalMatch
from client.keyboard.commands import Command
from client.keyboard.keys import KEYS, told
from client.table.action_bar import BarButton
from protocol import codec
from shared.kernel import engine
from shared.rulesets.registry import RULESETS, ruleset
from tests.client.mouse import Mouse
from tests.support.marks import mostly_long

pytestmark = pytest.mark.usefixtures("window")
HERE = (Command.CONFIRM, Command.END, Command.BACK, Command.NEXT_PIECE, Command.ASIDE)
"""Commands of the keys that buttons of tasks name."""


def positions(key: str, steps: int) -> Iterator[Any]:
    """Yield positions of a match in which seat 0 owes a decision of a kind that was not there before."""
    match, seen = LocalMatch(ruleset(key), 3, seed=4, seat=0), set[object]()
    for _ in range(steps):
        if match.is_mine and type(engine.top(match.state)) not in seen:
            seen.add(type(engine.top(match.state)))
            yield match.state.clone()
        if not match.step():
            return


def after(key: str, state: Any, clicks: tuple[str, ...]) -> Mouse:
    """A table in that position, after clicks on buttons of these words."""
    hands = Mouse(state.clone(), 0, ruleset(key))
    for words in clicks:
        hands.button(words)
    return hands


def effect(hands: Mouse) -> tuple[object, ...]:
    top = hands.top
    words = [w.words for w in top.tasks.bar.ui.widgets if isinstance(w, Button)]
    return codec.encode(hands.match.view), type(top.task), top.task.line(), words, top.sheet and top.sheet.key


def named(choice: BarButton) -> list[Command]:
    """Commands whose keys the tip of a button names."""
    return [each for each in HERE if re.search(rf"(^|\(| or ){re.escape(told(each))}($|[,;.)]| )", choice.tip)]


@pytest.mark.parametrize("key", mostly_long(RULESETS, "classic"))
def test_a_key_does_what_the_button_that_names_it_does(key: str) -> None:
    tried = set[Command]()
    for state in positions(key, 30 if key == "classic" else 250):
        drafts: list[tuple[str, ...]] = [()]
        for clicks in drafts:
            hands = after(key, state, clicks)
            version = hands.match.version
            for choice in [each for each in hands.top.task.buttons() if each.enabled]:
                clicked = after(key, state, (*clicks, choice.words))
                if clicked.match.version == version and len(clicks) < 2 and clicks[-1:] != (choice.words,):
                    drafts.append((*clicks, choice.words))
                for command in named(choice):
                    for cursor in (False, True):
                        typed = after(key, state, clicks)
                        if cursor and (command is not Command.CONFIRM or typed.top.task.asked):
                            typed.top.cursor.put(0)
                        typed.key(KEYS.of(command)[0].symbol)
                        if cursor and command is Command.NEXT_PIECE:
                            continue  # It moves the cursor along.
                        assert effect(typed) == effect(clicked), (clicks, choice.words, command, cursor)
                        tried.add(command)
    assert {Command.CONFIRM, Command.END} <= tried


def test_the_document_names_the_keys_as_they_are() -> None:
    text = " ".join((Path(__file__).parents[2] / "client" / "PLAYING.md").read_text(encoding="utf-8").split())
    for words, command in (
        ("{} confirms", Command.CONFIRM), ("{} takes back a step", Command.BACK),
        ("{} goes to the next army", Command.NEXT_PIECE), ("{} and a few letters find one", Command.FIND),
        ("{} and Tab reach every button", Command.PANELS), ("{} opens a calculator", Command.ODDS),
        ("{} shows where the army", Command.PREVIEW), ("{} skips to your turn", Command.AHEAD),
        ("a click on it or {} makes it small", Command.WHOLE), ("{} asks the strongest bot", Command.ADVICE),
        ("{} switches all sound off", Command.MUTE), ("{}, or the button that names it, undoes", Command.UNDO),
        ("the people at the table vote (key {})", Command.ASK),
    ):  # fmt: skip
        assert words.format(told(command)) in text, words

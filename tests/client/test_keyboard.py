"""The table of commands: what is in it, who may be changed into what, and that nothing in the client goes round it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import Mock

import pytest
from arcade import key
from pyglet.window.key import user_key

from client.keyboard.chord import by_place, chord, idle, latin, pressed
from client.keyboard.commands import COMMANDS, Command, KeyContext
from client.keyboard.keys import Keys
from client.workshop.trees import nodes

CLIENT = Path(__file__).parents[2] / "client"


def test_every_command_has_a_key_and_words_of_its_own() -> None:
    keys = Keys()
    assert set(COMMANDS) == set(Command)
    assert len({entry.words for entry in COMMANDS.values()}) == len(Command)
    for command, entry in COMMANDS.items():
        assert entry.keys
        assert [keys.why_not(command, each) for each in entry.keys] == [""] * len(entry.keys)
        assert all(keys.command(each.symbol, _modifiers(each.held), entry.place) is command for each in entry.keys)


def _modifiers(held: tuple[str, ...]) -> int:
    return sum({"ctrl": key.MOD_CTRL, "alt": key.MOD_ALT, "shift": key.MOD_SHIFT}[each] for each in held)


def test_no_key_is_named_outside_the_table() -> None:
    """Arcade's names of keys are read where they get their words, and what is held down where the window tells it."""
    named = {
        (path.relative_to(CLIENT).as_posix(), node.attr)
        for path in CLIENT.rglob("*.py")
        if "key." in (source := path.read_text(encoding="utf-8"))
        for node in nodes(ast.parse(source))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "key"
        if node.attr.isupper()
    }
    assert {attr for path, attr in named if not path.startswith("keyboard/")} <= {"MOD_SHIFT"}
    assert any(path.startswith("keyboard/") for path, _ in named)


def _said(path: Path) -> Iterator[str]:
    """Texts in a file, without what documents it."""
    found = nodes(ast.parse(path.read_text(encoding="utf-8")))
    lone = {id(node.value) for node in found if isinstance(node, ast.Expr)}
    for node in found:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in lone:
            yield node.value


@pytest.mark.long
def test_no_text_says_which_key_does_something() -> None:
    """The table is asked, so that it stays true when the key is changed."""
    key_name = re.compile(r"\b(Esc|Escape|Tab|F\d+|Backspace|(Ctrl|Alt|Shift)\+\w+)\b|^(Enter|Space)( again)?$")
    told = {
        f"{path.relative_to(CLIENT)}: {words}"
        for path in CLIENT.rglob("*.py")
        if path.parts[len(CLIENT.parts)] not in ("keyboard", "mapmaking", "translating")
        for words in _said(path)
        if key_name.search(words)
    }
    assert told <= {"screens/lobby.py: Enter"}, "a button that leads to a table"


@pytest.mark.parametrize(
    ("symbol", "modifiers", "kept", "told"),
    [
        (key.H, 0, "h", "H"),
        (key.Z, key.MOD_CTRL | key.MOD_NUMLOCK, "ctrl+z", "Ctrl+Z"),
        (key.Z, key.MOD_COMMAND, "ctrl+z", "Ctrl+Z"),
        (key.ENTER, 0, "enter", "Enter"),
        (key.NUM_ENTER, 0, "num_enter", "Num Enter"),
        (key.PAGEDOWN, key.MOD_SHIFT | key.MOD_ALT, "alt+shift+pagedown", "Alt+Shift+Page Down"),
        (key.KEY_5, 0, "5", "5"),
        (key.F12, key.MOD_CAPSLOCK, "f12", "F12"),
    ],
)
def test_a_key_has_a_name_to_be_kept_and_one_for_people(symbol: int, modifiers: int, kept: str, told: str) -> None:
    held = pressed(symbol, modifiers)
    assert (str(held), held.told, chord(kept)) == (kept, told, held)


@pytest.mark.parametrize("words", ["", "hyper+x", "xyzzy", "ctrl+", "+"])
def test_unknown_key_names_are_no_keys(words: str) -> None:
    with pytest.raises(ValueError, match="is no key"):
        chord(words)


def test_shift_alone_and_keys_without_a_name_can_do_nothing() -> None:
    assert idle(key.LSHIFT)
    assert idle(key.NUMLOCK)
    assert idle(0x1000001)
    assert not idle(key.F5)


def test_a_key_is_changed_and_the_old_one_does_nothing_any_more() -> None:
    keys = Keys()
    assert keys.change(Command.ADVICE, chord("j")) == ""
    assert keys.command(key.J, 0, KeyContext.TABLE) is Command.ADVICE
    assert keys.command(key.H, 0, KeyContext.TABLE) is None
    assert keys.told(Command.ADVICE) == "J"
    keys.reset(Command.ADVICE)
    assert keys.told(Command.ADVICE) == "H"


def test_shift_that_means_nothing_is_let_go() -> None:
    keys = Keys()
    assert keys.command(key.H, key.MOD_SHIFT, KeyContext.TABLE) is Command.ADVISED
    assert keys.command(key.O, key.MOD_SHIFT, KeyContext.TABLE) is Command.ODDS
    assert keys.command(key.O, key.MOD_CTRL, KeyContext.TABLE) is None


@pytest.mark.parametrize(
    ("command", "wanted", "refusal"),
    [
        (Command.ADVICE, "o", "O is in use: The odds of battles."),
        (Command.ADVICE, "f1", "F1 is in use: The rules."),
        (Command.HELP, "f10", "F10 is in use: The menu."),
        (Command.ADVICE, "3", "3 chooses numbered things: 1 to 9 cannot be changed."),
        (Command.COPY, "c", "C is needed for typing. Hold Ctrl or Alt with it."),
        (Command.NEXT, "shift+space", "Shift+Space is needed for typing. Hold Ctrl or Alt with it."),
        (Command.ADVICE, "lshift", "This key does nothing by itself. Press another key, with or without it."),
        (Command.ADVICE, "h", ""),
        (Command.ADVICE, "home", "Home is in use: The whole board."),
        (Command.PASTE, "f6", ""),
    ],
)
def test_clashing_keys_are_refused_in_words(command: Command, wanted: str, refusal: str) -> None:
    keys = Keys()
    assert keys.change(command, chord(wanted)) == refusal
    assert (str(keys.of(command)[0]) == wanted) == (not refusal)


def test_changes_are_kept_and_what_is_usual_is_not() -> None:
    keys, again = Keys(), Keys()
    keys.change(Command.ODDS, chord("j"))
    keys.change(Command.ADVICE, chord("o"))
    assert keys.kept() == {"odds": ["j"], "advice": ["o"]}
    again.take(keys.kept())
    assert (again.told(Command.ODDS), again.told(Command.ADVICE)) == ("J", "O")
    keys.reset()
    assert keys.kept() == {}


def test_a_file_that_was_written_by_hand_does_no_harm() -> None:
    keys = Keys()
    keys.take({"odds": ["h"], "advice": ["hyper"], "nonsense": ["q"], "cards": [], "talk": ["f7"], "menu": ["f7"]})
    told = {command: keys.told(command) for command in (Command.ODDS, Command.ADVICE, Command.CARDS)}
    assert told == {Command.ODDS: "O", Command.ADVICE: "H", Command.CARDS: "K"}
    assert sorted((keys.told(Command.TALK), keys.told(Command.MENU))) in (["F10", "F7"], ["F7", "T"])


def test_letters_of_other_layouts_count_by_place() -> None:
    for code, letter in ((24, "q"), (33, "p"), (38, "a"), (46, "l"), (52, "z"), (58, "m"), (59, ","), (60, ".")):
        assert latin(user_key(code)) == ord(letter), "X11's code of the key"
    for symbol in (key.A, key.ENTER, key.KEY_1, key.F10, user_key(9), user_key(200)):
        assert latin(symbol) == symbol
    for code, letter in ((0, "a"), (12, "q"), (6, "z"), (46, "m")):
        event = Mock(**{"keyCode.return_value": code})
        assert by_place(lambda _event: None)(event) == ord(letter), "macOS's code of the key"
        assert by_place(lambda _event: key.F1)(event) == key.F1, "what the layout has counts first"
    assert by_place(lambda _event: None)(Mock(**{"keyCode.return_value": 200})) is None
    assert latin(None) == 0 and Keys().command(0, 0, KeyContext.TABLE) is None

"""Keys are changed on a page of their own, kept, and as at first again."""

from collections.abc import Iterator
from pathlib import Path

import arcade
import msgspec
import pytest
from arcade import key

from client.app import App
from client.drawing.widgets import Button
from client.keyboard.commands import COMMANDS, Command
from client.keyboard.keys import KEYS
from client.player.settings import Settings, load
from client.screens.ask import AskScreen
from client.screens.help import HelpScreen
from client.screens.keys import KeysScreen
from client.screens.settings import SettingsScreen
from tests.client.conftest import Shoot
from tests.client.screen_steps import screen_of


@pytest.fixture(autouse=True)
def _usual_keys() -> Iterator[None]:
    yield
    KEYS.reset()


@pytest.fixture
def page(app: App) -> KeysScreen:
    """The page, opened as a player would."""
    app.go.settings()
    press(app, "Keys")
    assert isinstance(app.screen, KeysScreen)
    return app.screen


def press(app: App, words: str) -> None:
    """Tab to that button, and Enter."""
    for _ in range(60):
        app.screen.on_key_press(key.TAB, 0)
        focus = app.screen.ui.focus
        if isinstance(focus, Button) and focus.words == words:
            app.screen.on_key_press(key.ENTER, 0)
            return
    raise AssertionError(words)


def choose(app: App, page: KeysScreen, command: Command) -> None:
    """With the arrows, in the list."""
    page.ui.set_focus(page._list)
    app.screen.on_key_press(key.HOME, 0)
    while page._list.index > 0:
        app.screen.on_key_press(key.UP, 0)
    while page._list.items[page._list.index] is not command:
        app.screen.on_key_press(key.DOWN, 0)


@pytest.mark.long
def test_a_key_is_changed_kept_and_said_everywhere(app: App, page: KeysScreen, shoot: Shoot, home: Path) -> None:
    app.settings.file = str(home / "settings.json")
    home.mkdir()
    choose(app, page, Command.ODDS)
    app.screen.on_key_press(key.ENTER, 0)
    assert page.awaited is Command.ODDS
    shoot(app, "keys-awaited")
    app.screen.on_key_press(key.LSHIFT, key.MOD_SHIFT)
    assert page.awaited is Command.ODDS, "alone it means nothing yet"
    app.screen.on_key_press(key.H, 0)
    assert app.toasts.words == ["H is in use: Advice."]
    app.screen.on_key_press(key.J, key.MOD_CTRL)
    assert page.awaited is None
    shoot(app, "keys")
    assert KEYS.told(Command.ODDS) == "Ctrl+J"
    assert page._list.items[page._list.index] is Command.ODDS, "one stays where one was"
    assert load().keys == {"odds": ["ctrl+j"]}
    app.screen.on_key_press(key.ESCAPE, 0)
    assert isinstance(app.screen, SettingsScreen)
    app.go.help()
    assert isinstance(app.screen, HelpScreen)
    rows = [row for chapter in app.screen.pages[-1][1] for row in chapter.rows]
    assert ("Ctrl+J", "The odds of battles", "") in rows


def test_escape_leaves_it_as_it_was(app: App, page: KeysScreen) -> None:
    choose(app, page, Command.ODDS)
    app.screen.on_key_press(key.ENTER, 0)
    app.screen.on_key_press(key.ESCAPE, 0)
    assert app.screen is page
    assert page.awaited is None
    assert KEYS.kept() == {}


def test_as_at_first(app: App, page: KeysScreen) -> None:
    for command, symbol in ((Command.ODDS, key.J), (Command.ADVICE, key.O)):
        choose(app, page, command)
        app.screen.on_key_press(key.ENTER, 0)
        app.screen.on_key_press(symbol, 0)
    choose(app, page, Command.ODDS)
    press(app, "Reset this key")
    assert app.toasts.words[-1] == "O does something else now: Advice."
    choose(app, page, Command.ADVICE)
    press(app, "Reset this key")
    assert KEYS.kept() == {"odds": ["j"]} == app.settings.keys
    press(app, "Reset all keys")
    asked = screen_of(app, AskScreen)
    press(app, "Reset all keys")
    assert app.screen is not asked
    assert KEYS.kept() == app.settings.keys == {}


def test_a_click_elsewhere_waits_no_longer(app: App, page: KeysScreen) -> None:
    choose(app, page, Command.ODDS)
    app.screen.on_key_press(key.ENTER, 0)
    app.screen.on_mouse_press(4, 4, arcade.MOUSE_BUTTON_LEFT, 0)
    assert page.awaited is None


def test_all_commands_are_on_the_page(page: KeysScreen) -> None:
    assert set(page._list.items) == set(COMMANDS)


def test_the_program_begins_with_the_keys_that_were_kept(window: arcade.Window) -> None:
    made = App(window, msgspec.convert({"keys": {"advice": ["j"]}}, Settings))
    assert KEYS.told(Command.ADVICE) == "J"
    made.close()
    App(window, Settings()).close()
    assert KEYS.told(Command.ADVICE) == "H", "another player's keys are his own"

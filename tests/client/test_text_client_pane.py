"""The table in words as a pane in the window: opened by its key, typed into, read, closed."""

import arcade
import pytest
from arcade import key

from client.app import App
from client.player.table_options import TableOptions
from client.screens.table import TableScreen
from client.table.chronicle import ChronicleLine
from client.table.position import SeatPosition
from client.text_client.pane import WordsSheet
from shared.board import BOARD
from shared.rulesets.classic.actions import March
from tests.client.conftest import Shoot, at_the_board, until
from tests.support.marks import with_releases


def at_table(app: App, ruleset: str = "classic") -> TableScreen:
    """A private match in which the player decides first."""
    app.go.play(TableOptions(ruleset, seats=3, bots=("easy",)))
    until(app, lambda: at_the_board(app) and app.remote.match is not None and app.remote.match.is_mine)
    assert isinstance(app.screen, TableScreen)
    return app.screen


def press(screen: TableScreen, symbol: int) -> None:
    """A key, and what it writes."""
    screen.on_key_press(symbol, 0)
    if 0x20 <= symbol < 0x7F:
        screen.on_text(chr(symbol))
    screen.on_key_release(symbol, 0)


def write(screen: TableScreen, words: str) -> None:
    """Type a line and Enter."""
    for letter in words:
        screen.on_key_press(ord(letter.lower()), 0)
        screen.on_text(letter)
    press(screen, key.ENTER)


def opened(screen: TableScreen) -> WordsSheet[SeatPosition]:
    """The pane, by its key."""
    press(screen, key.L)
    sheet = screen.top.sheet
    assert isinstance(sheet, WordsSheet)
    return sheet


@pytest.mark.long
def test_the_pane_shows_the_chronicle_and_what_is_owed_and_takes_commands(app: App, shoot: Shoot) -> None:
    screen = at_table(app)
    sheet = opened(screen)
    assert sheet.field is not None
    assert sheet.field.value == "", "the letter that opened it is not written"
    until(app, lambda: any(line.words.startswith("The homes are settled") for line in sheet.lines))
    assert "You: Movement. March, sail, or end the movement." in [line.words for line in sheet.lines]
    match = app.remote.match
    assert match is not None
    home = match.home(match.seat)
    write(screen, f"look {home}")
    assert f"» look {home}" in [line.words for line in sheet.lines]
    shoot(app, "words")
    march = next(option for option in match.options() if isinstance(option, March))
    write(screen, f"march all from {home} to {BOARD.names[march.to]}")
    until(app, lambda: not match.pending and match.view.units[march.to])
    until(app, lambda: any(f"march from {home}" in line.words for line in sheet.lines))
    assert any(line.words.startswith(f"> march 5 infantry from {home}") for line in sheet.lines)
    press(screen, key.ESCAPE)
    assert screen.top.sheet is None
    assert not screen.top.menu.open


def test_keys_and_wheel_scroll_and_a_new_line_does_not_move_them(app: App) -> None:
    screen = at_table(app)
    sheet = opened(screen)
    write(screen, "help all")
    assert len(sheet.lines) > 20
    press(screen, key.PAGEUP)
    assert sheet._back == 10
    sheet.mouse_scroll(sheet.rect.x, sheet.rect.y, 1)
    assert sheet._back == 12
    sheet._add([sheet.lines[0]])
    assert sheet._back == 13
    press(screen, key.PAGEDOWN)
    press(screen, key.PAGEDOWN)
    assert sheet._back == 0


def test_a_page_of_the_game_does_not_push_it_away(app: App) -> None:
    screen = at_table(app, "cote2")
    sheet = opened(screen)
    until(app, lambda: any(line.words.startswith("You: ") for line in sheet.lines))
    assert screen.top.sheet is sheet
    press(screen, key.ESCAPE)
    screen.top.follow()
    assert screen.top.sheet is not sheet


def test_the_menu_opens_it_too(app: App) -> None:
    screen = at_table(app)
    screen.top.menu.show()
    entry = next(entry for entry in screen.top.menu.page.entries if entry.words == "The table as text")
    assert entry.tip == "L"
    entry.action()
    assert isinstance(screen.top.sheet, WordsSheet)
    assert not screen.top.menu.open


@pytest.mark.long
@pytest.mark.parametrize("size", with_releases([(1280, 800), (960, 600)], (960, 600)))
def test_all_lines_stand_inside_the_card(app: App, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    screen = at_table(app)
    sheet = opened(screen)
    write(screen, "help")
    app.on_resize(*size)
    drawn: list[arcade.Text] = []
    make = sheet._label

    def noted(line: ChronicleLine, width: float) -> arcade.Text:
        drawn.append(make(line, width))
        return drawn[-1]

    monkeypatch.setattr(sheet, "_label", noted)
    sheet.touch()
    while sheet.stale:  # It is painted little by little.
        app.on_draw()
    inside = sheet.inside
    # Each text is made once. The last line that was measured did not fit.
    shown = list(dict.fromkeys(drawn))[:-1]
    assert shown
    for label in shown:
        assert inside.bottom <= label.bottom and label.top <= inside.top
        assert inside.left <= label.left and label.right <= inside.right

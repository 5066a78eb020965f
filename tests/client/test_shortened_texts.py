"""No text is shortened that carries meaning: only what people typed may end in an ellipsis for want of room."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice

import arcade
import pytest

from client import language
from client.app import App
from client.drawing import fields, shapes, theme, widgets
from client.games.static_match import LocalMatch
from client.screens.help import HelpScreen
from client.screens.result import ResultScreen
from shared.kernel import engine
from shared.rulesets.registry import RULESETS
from shared.tables import TablePhase
from tests.client.test_screens import SCREENS, a_match
from tests.client.test_text_sizes import decisions, lettered, parts, table
from tests.support.marks import with_releases

Setting = tuple[str, tuple[int, int], int]
"""A language, the size of the window and the size of the letters in percent."""
SETTINGS: tuple[Setting, ...] = (
    ("de", theme.MIN_SIZE, 100),
    ("de", (1920, 1080), 175),
)
MORE: tuple[Setting, ...] = (
    ("en", theme.BASE_SIZE, 100),
    ("en", theme.MIN_SIZE, 175),
    ("de", theme.BASE_SIZE, 175),
    ("de", (3840, 2160), 100),
)
DECISIONS = 10
"""Kinds of decisions that are looked at in each game."""
SHEETS = 4
"""Once in so many decisions all sheets are opened."""
BATTLES = 6
"""Moments of battles that are looked at."""
TYPED = ("Marcus Tullius Cicero Min.", "The long war of the eagles and the wolf", "Table ")
"""Parts of names and titles that people typed."""


def settings() -> list[object]:
    """Return the pairs as parameters: those of the long suite, and those for releases."""
    named = [*((each, pytest.mark.long) for each in SETTINGS), *((each, pytest.mark.exhaustive) for each in MORE)]
    return [pytest.param(each, id=f"{each[0]}-{each[1][0]}x{each[1][1]}-{each[2]}", marks=mark) for each, mark in named]


@contextmanager
def shortened() -> Iterator[set[str]]:
    """The whole texts of all lines that are drawn cut meanwhile."""
    found: set[str] = set()
    cut: dict[int, tuple[arcade.Text, str]] = {}
    fit, draw = shapes.fit, arcade.Text.draw

    def note(line: arcade.Text, width: float, high: float = 0) -> arcade.Text:
        words = line.text
        fit(line, width, high)
        cut.pop(id(line), None)
        if line.text != words:
            cut[id(line)] = line, words
        return line

    def look(self: arcade.Text) -> None:
        _, words = cut.get(id(self), (self, self.text))
        if self.text.endswith("…") and self.text != words and not any(typed in words for typed in TYPED):
            found.add(f"{words} -> {self.text}")
        draw(self)

    modules = [shapes, fields, widgets]
    shapes._kept.cache_clear()
    for module in modules:
        module.fit = note  # type: ignore[attr-defined]
    arcade.Text.draw = look  # type: ignore[method-assign]
    try:
        yield found
    finally:
        for module in modules:
            module.fit = fit  # type: ignore[attr-defined]
        arcade.Text.draw = draw  # type: ignore[method-assign]
        shapes._kept.cache_clear()


@pytest.fixture
def speak() -> Iterator[Callable[[str], None]]:
    """Change the language; this takes a third of a second, so it is done only where it is another one."""
    now = "en"

    def change(code: str) -> None:
        nonlocal now
        if code != now:
            language.switch(code, ())
            now = code

    yield change
    change("en")


def results(app: App) -> Iterator[ResultScreen]:
    """Yield the end of a match of each rule set: each player has won, none has, or it ended by agreement."""
    for rules in RULESETS.values():
        match = a_match(phase=TablePhase.OVER, ruleset=rules.id)
        match.rules = rules
        match.view = rules.view(engine.start(rules, 6, engine.checked_options(rules, 6, {}), engine.ignore_event), 0)
        yield ResultScreen(app, match)
        for seat in range(6):
            match.view.winner = seat
            yield ResultScreen(app, match)


@pytest.mark.parametrize("setting", settings())
def test_no_screen_shortens_what_it_says(app: App, setting: Setting, speak: Callable[[str], None]) -> None:
    code, size, percent = setting
    app.settings.display_settings.size = percent
    app.on_resize(*size)
    speak(code)
    with shortened() as found:
        for make in SCREENS.values():
            app.go.show(make(app))
            app.on_draw()
        for screen in (*(HelpScreen(app, game, close=app.go.menu) for game in RULESETS), *results(app)):
            app.go.show(screen)
            app.on_draw()
    assert not found, "\n".join(sorted(found))


def look_at(match: LocalMatch, setting: Setting, *, sheets: bool) -> None:
    """Draw all parts of the table."""
    _, size, percent = setting
    lettered(percent, size)
    top = table(match)
    top.place(*size)
    for _ in parts(top, sheets=sheets):
        pass


@pytest.mark.long
@pytest.mark.usefixtures("window")
@pytest.mark.parametrize("game", with_releases(RULESETS, "cote2"))
def test_no_table_shortens_what_it_says(game: str, speak: Callable[[str], None]) -> None:
    """Each decision is looked at in one setting, all sheets at once in so many decisions."""
    with shortened() as found:
        for n, match in enumerate(islice(decisions(game, 6, 400), DECISIONS)):
            setting = SETTINGS[n * len(SETTINGS) // DECISIONS]
            speak(setting[0])
            look_at(match, setting, sheets=not n % SHEETS)
    assert not found, "\n".join(sorted(found))


@pytest.mark.exhaustive
@pytest.mark.timeout(1800)
@pytest.mark.usefixtures("window")
@pytest.mark.parametrize("game", RULESETS)
def test_no_table_shortens_what_it_says_in_other_settings(game: str, speak: Callable[[str], None]) -> None:
    with shortened() as found:
        for n, match in enumerate(islice(decisions(game, 6, 700), 2 * DECISIONS)):
            for setting in sorted(MORE):
                speak(setting[0])
                look_at(match, setting, sheets=not n % SHEETS)
    assert not found, "\n".join(sorted(found))


@pytest.mark.long
@pytest.mark.usefixtures("window")
@pytest.mark.parametrize("game", with_releases(RULESETS, "classic"))
def test_no_battle_shortens_what_it_says(game: str, speak: Callable[[str], None]) -> None:
    speak("de")
    match = LocalMatch(RULESETS[game], 6, seed=3, seat=0)
    for _ in range(120):
        match.step()
    lettered(100)
    top, seen = table(match), 0
    with shortened() as found:
        while seen < BATTLES and match.step():
            top.hear()
            top.update(0.3)
            if top.playback.beat is not None:
                _, size, percent = SETTINGS[seen % len(SETTINGS)]
                lettered(percent, size)
                top.place(*size)
                for top.stage.brief in (True, False):
                    top.stage.draw()
                seen += 1
                top.events.hurry()
    assert seen == BATTLES
    assert not found, "\n".join(sorted(found))

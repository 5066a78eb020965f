"""Settings of the player: each applies at once, is stored, restored, and can be reset; and their effects."""

import json
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import arcade
import numpy as np
import numpy.typing as npt
import pytest
from msgspec.structs import replace

from client import language
from client.app import App
from client.drawing import theme
from client.drawing.fields import Selector
from client.drawing.icons import picture
from client.drawing.widgets import Button, Label, Panel
from client.games.classic.game_guide import BATTLE_SCENE
from client.games.classic.game_guide import CLASSIC as GUIDE
from client.games.static_match import LocalMatch
from client.keyboard.commands import Command
from client.keyboard.keys import KEYS
from client.player import settings
from client.player.settings import PACES, PALETTES, DisplaySettings, PlaySettings, Settings
from client.screens.ask import AskScreen
from client.screens.settings import PAGES, SettingsScreen
from client.table.battle_playback import BattlePlayback
from client.table.display import Display
from client.table.event_text import event_line
from client.table.retreat_task import Leaving
from shared.ids import MAX_SEATS
from shared.kernel.frames import Action, Event
from shared.rulesets.classic.actions import Form
from shared.rulesets.classic.definition import CLASSIC
from shared.vocabulary.actions import EndMovement, Fight, Stand
from shared.vocabulary.events import Marched
from tests.client.desk import StillDesk
from tests.client.screen_steps import screen_of
from tests.support.layout import sp
from tests.support.position import general, march, play, position


@pytest.fixture
def kept(window: arcade.Window, monkeypatch: pytest.MonkeyPatch) -> Iterator[App]:
    """The program with settings in the player's own folder."""
    monkeypatch.setattr(window, "set_fullscreen", lambda on: None)
    made = App(window, settings.load())
    made.go.settings()
    yield made
    made.close()
    theme.set_palette("")


def turn(app: App, page: int) -> list[Selector]:
    """The controls of a page."""
    assert isinstance(app.screen, SettingsScreen)
    app.screen._turn(page)
    return [widget for widget in app.screen.ui.widgets if isinstance(widget, Selector)]


def press(app: App, words: str) -> None:
    next(w for w in app.screen.ui.widgets if isinstance(w, Button) and w.words == words).on_click()


def otherwise(app: App) -> None:
    """Choose something else everywhere."""
    for page in range(len(PAGES)):
        for control in turn(app, page):
            control.step(-1 if control.index else 1)


CHANGED = Settings(
    play_settings=PlaySettings("quick", others=False, still=True, ending=False, dooming=False, bots="short"),
    display_settings=DisplaySettings(125, "deuteranopia", True),
)


def test_everything_that_is_chosen_is_kept_at_once(kept: App) -> None:
    otherwise(kept)
    found = settings.load()
    assert found.play_settings == CHANGED.play_settings
    assert found.display_settings == CHANGED.display_settings
    assert found.language == "en"
    assert found.sound_settings.muted and set(found.sound_settings.each.values()) == {90}


def test_saved_settings_apply_after_a_restart(kept: App) -> None:
    otherwise(kept)
    again = App(kept.window, settings.load())
    assert again.settings.play_settings == CHANGED.play_settings
    assert theme.palette() == "deuteranopia"
    again.go.settings()
    assert [control.index for control in turn(again, 0)] == [1, 1, 1, 1, 1, 1, 1, 1]
    again.close()


def test_a_page_is_reset_only_after_a_question(kept: App) -> None:
    otherwise(kept)
    turn(kept, 0)
    press(kept, "Reset this page")
    assert isinstance(kept.screen, AskScreen)
    press(kept, "Back")
    assert settings.load().play_settings == CHANGED.play_settings
    press(kept, "Reset this page")
    press(kept, "Reset")
    assert isinstance(kept.screen, SettingsScreen)
    assert settings.load().play_settings == PlaySettings()
    assert settings.load().display_settings == CHANGED.display_settings, "of the other pages nothing"


def test_all_is_reset_after_a_question_but_what_is_no_setting(kept: App) -> None:
    kept.settings.name = "Livia"
    otherwise(kept)
    press(kept, "Reset everything")
    press(kept, "Reset")
    found = settings.load()
    assert found == Settings(name="Livia", file=found.file)
    assert theme.palette() == ""


def test_a_damaged_file_is_reported_and_put_aside(home: Path, window: arcade.Window) -> None:
    home.mkdir()
    (home / "settings.json").write_text('{"looks": {"palette": 1}}', "utf-8")
    app = App(window, settings.load())
    app.on_update(0.1)
    assert "settings.json.damaged-1" in app.toasts.words[0]
    assert json.loads((home / "settings.json.damaged-1").read_text("utf-8"))["looks"] == {"palette": 1}
    app.close()


def test_values_that_are_none_count_as_the_usual_ones(kept: App) -> None:
    display_settings = kept.settings.display_settings
    kept.settings.play_settings.pace, display_settings.palette, display_settings.size = "swift", "pink", 99
    kept.dress()
    assert kept.settings.play_settings.speed == PACES["normal"]
    assert theme.palette() == ""
    assert turn(kept, 0)[0].index == 2
    assert [control.index for control in turn(kept, 1)[:2]] == [0, 0]


@pytest.mark.parametrize("page", range(len(PAGES)))
def test_no_words_of_the_settings_are_cut(kept: App, page: int) -> None:
    for control in turn(kept, page):
        for i in range(len(control._labels)):
            control.index = i
            control._show()
            assert "…" not in control._line.text
    assert not [w.words for w in kept.screen.ui.widgets if isinstance(w, Label | Button) and "…" in w.words]


# Colours

Floats = npt.NDArray[np.float64]
EYES: dict[str, Floats] = {
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
"""What such eyes make of linear light: Machado, Oliveira and Fernandes (2009), at full severity."""
APART = 0.2
"""Distance in OKLab of two colours that cannot be confused; 0.02 is just visible."""


def lab(colour: theme.Colour, eyes: Floats) -> Floats:
    """The place of a colour in OKLab (Ottosson 2020), as those eyes see it."""
    light = np.array(colour[:3]) / 255
    light = np.where(light <= 0.04045, light / 12.92, ((light + 0.055) / 1.055) ** 2.4)
    light = np.clip(eyes @ light, 0, 1)
    to_cones = np.array([[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
                         [0.0883024619, 0.2817188376, 0.6299787005]])  # fmt: skip
    to_lab = np.array([[0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
                       [0.0259040371, 0.7827717662, -0.8086757660]])  # fmt: skip
    return np.asarray(to_lab @ np.cbrt(to_cones @ light))


def nearest(palette: str, eyes: Floats) -> float:
    """Return the distance of the two most similar colours of a set."""
    seen = [lab(colour, eyes) for colour in theme.palettes()[palette]]
    return min(float(np.linalg.norm(a - b)) for a, b in combinations(seen, 2))


@pytest.mark.parametrize("kind", EYES)
def test_all_six_colours_are_told_apart_with_such_eyes(kind: str) -> None:
    assert len(theme.palettes()[kind]) == MAX_SEATS
    assert nearest(kind, EYES[kind]) > APART
    assert nearest(kind, np.eye(3)) > APART, "and by all others at the table"
    assert nearest("", EYES[kind]) < 0.12, "which the usual ones are not"


def test_there_are_pieces_in_all_colours() -> None:
    try:
        for palette in PALETTES:
            theme.set_palette(palette)
            for seat in range(MAX_SEATS):
                far = np.abs(np.asarray(picture(f"marker_{seat}").convert("RGB"), int) - theme.seat_colour(seat)[:3])
                assert (far.max(axis=2) < 60).mean() > 0.15, (palette, seat)
    finally:
        theme.set_palette("")


def test_the_marks_are_larger_with_these_colours() -> None:
    """Of an owner's disc, more is the bright mark."""

    def bright(palette: str) -> int:
        theme.set_palette(palette)
        grey = picture("marker_0").convert("L")
        return sum(grey.histogram()[200:])

    try:
        usual = bright("")
        assert all(bright(palette) > 1.2 * usual for palette in PALETTES[1:])
    finally:
        theme.set_palette("")


# How things are shown


def at_war(play_settings: PlaySettings, seat: int = 0) -> tuple[BattlePlayback[Any, Any], LocalMatch]:
    """A battle that was just fought to its first dice, as a seat sees it."""
    match = LocalMatch(CLASSIC, 3, seat=seat)
    match.state = position(
        3,
        homes=("italia", "egyptus", "macedonia"),
        units={"italia": {0: (6, 2, 1)}, "neapolis": {1: (4, 1, 1)}},
        leaders={"italia": [general(0)], "neapolis": [general(1)]},
        owners={"neapolis": 1},
        built={"neapolis": 2},
    )
    play(match.state, (0, march("italia", "neapolis", general(0), 4, 2, 1)), (0, EndMovement()))
    playback: BattlePlayback[Any, Any] = BattlePlayback(seat, BATTLE_SCENE, play_settings=play_settings)
    before = match.view
    match.state = match.state.clone()
    happened: list[Event] = play(match.state, (0, Fight(sp("neapolis"), 1)), (0, Form(4, 2, 0)), "ii....")
    playback.hear(before, match.view, happened, [event_line(event, match.name, GUIDE.tell) for event in happened])
    return playback, match


def lasts(play_settings: PlaySettings) -> float:
    """Seconds until all of it was seen."""
    playback, match = at_war(play_settings)
    seconds = 0.0
    while playback.busy:
        playback.update(0.05, match.view)
        seconds += 0.05
    return seconds


def test_the_pace_is_as_one_wishes() -> None:
    off, quick, normal, slow = (lasts(PlaySettings(pace=pace)) for pace in PACES)
    assert off == 0
    assert quick == pytest.approx(normal / 2.5, abs=0.15)
    assert slow == pytest.approx(normal / 0.6, abs=0.15)


def test_battles_of_others_do_not_pile_up() -> None:
    """However much of them is to be seen, it is over soon; one's own are seen at their pace."""
    seen = {}
    for seat in (0, 2):
        playback, match = at_war(PlaySettings(), seat)
        assert playback.beat is not None
        for _ in range(24):
            playback._queue(replace(playback.beat, seconds=1.7))
        seconds = 0.0
        while playback.busy:
            playback.update(1 / 60, match.view)
            seconds += 1 / 60
        seen[seat] = seconds
    assert seen[2] < 7 < seen[0]


def test_running_animations_end_when_switched_off() -> None:
    play_settings = PlaySettings()
    playback, match = at_war(play_settings)
    assert playback.busy
    play_settings.pace = "off"
    playback.update(0.01, match.view)
    assert not playback.busy
    assert playback.beat is not None, "the battle stands as it is now"


@pytest.mark.parametrize(("seat", "shown"), [(0, True), (1, True), (2, False), (-1, True)])
def test_battles_of_others_are_skipped_where_one_wishes(seat: int, shown: bool) -> None:
    playback, _ = at_war(PlaySettings(others=False), seat)
    assert playback.busy is shown
    assert at_war(PlaySettings(), seat)[0].busy


def test_without_motion_dice_lie_at_once_and_are_read_as_long() -> None:
    assert lasts(PlaySettings(still=True)) == lasts(PlaySettings())
    playback, match = at_war(PlaySettings(still=True))
    while playback.busy:
        assert playback.fallen == 1.0 and not playback.tumbling
        playback.update(0.05, match.view)


@pytest.mark.parametrize(
    ("play_settings", "flies"),
    [(PlaySettings(), True), (PlaySettings(still=True), False), (PlaySettings(pace="off"), False)],
)
def test_nothing_flies_where_nothing_moves(window: arcade.Window, play_settings: PlaySettings, flies: bool) -> None:
    match = LocalMatch(CLASSIC, 2, seat=0)
    display = Display(GUIDE.look, play_settings)
    event = Marched(0, sp("italia"), sp("neapolis"), (general(0),), (1, 0, 0), False)
    display.motion.hear(event, match.view)
    assert display.motion.flying is flies
    play_settings.still = True
    display.motion.update(0.01)
    assert not display.motion.flying


def test_losing_an_army_is_confirmed_unless_switched_off() -> None:
    for dooming in (True, False):
        desk = StillDesk(LocalMatch(CLASSIC, 2, seat=0))
        desk.play_settings.dooming = dooming
        acted: list[Action] = []
        desk.act = acted.append  # type: ignore[method-assign, assignment]
        leaving = Leaving(desk, sp("italia"), (), lambda to: Stand(), on=True, fate="all is lost", tip="")
        leaving._give_up()
        assert len(acted) == (not dooming)
        leaving._give_up()
        assert len(acted) == 1 + (not dooming)


@pytest.mark.long
def test_a_language_is_spoken_as_soon_as_it_is_chosen(kept: App) -> None:
    app = kept
    try:
        app.go.settings()
        selector = next(w for w in turn(app, 1) if "Deutsch" in w._labels)
        selector.step(list(selector._labels).index("Deutsch") - selector.index)
        assert app.settings.language == "de"
        app.on_update(0.1)
        said = [w.words for w in app.screen.ui.widgets if isinstance(w, Label | Button)]
        assert "Zurück" in said and "Back" not in said
        assert GUIDE.look.columns[0] == "Talente"
        app.go.menu()
        assert "Mitspielen" in [w.words for w in app.screen.ui.widgets if isinstance(w, Button)]
    finally:
        language.switch("en", [app])
    assert GUIDE.look.columns[0] == "Talents"


def test_all_as_at_first_means_the_keys_too(kept: App) -> None:
    app = kept
    usual = KEYS.of(Command.AHEAD)
    KEYS.take({Command.AHEAD.value: ["j"]})
    app.settings.keys = KEYS.kept()
    assert KEYS.of(Command.AHEAD) != usual
    app.go.settings()
    press(app, "Reset everything")
    press(app, "Reset")
    assert KEYS.of(Command.AHEAD) == usual and app.settings.keys == {} == KEYS.kept()


@pytest.mark.parametrize("percent", [100, 125, 150, 175])
def test_back_and_keys_are_in_sight_with_large_letters(app: App, percent: int) -> None:
    app.settings.display_settings.size = percent
    app.dress()
    app.go.settings()
    screen = screen_of(app, SettingsScreen)
    for page in range(len(PAGES)):
        screen._turn(page)
        buttons = [w for w in screen.ui.widgets if isinstance(w, Button)]
        assert len(buttons) == 4
        for button in buttons:
            if button.words in ("Back", "Keys"):
                assert button.rect.bottom >= 0 and button.rect.top <= screen.height, (page, button.words)
            others = [w for w in screen.ui.widgets if w is not button and not isinstance(w, Panel)]
            assert not any(button.rect.overlaps(other.rect) for other in others), (page, button.words)
        assert percent != 125 or page != 1 or not screen.below, "the page fits"

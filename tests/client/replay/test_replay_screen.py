"""A replay at the table: by mouse, by keys, at every speed; nothing is sent, nothing of what was skipped is played."""

from collections.abc import Iterator
from itertools import pairwise

import arcade
import pytest
from arcade import key

from client.app import App
from client.drawing import theme
from client.replay.player import RATES
from client.replay.screening import seats_called
from client.replay.subject import Kind
from client.screens.replay import ReplayScreen
from client.table.filmbar import FilmBar, Knob, Rate, Track
from client.table.projector import Projector
from shared.vocabulary.actions import Stand
from tests.client.conftest import Shoot
from tests.client.replay.films import GAMES, film_of, longest

NAMES = ("Livia", "Marcus", "Cornelia", "Gaius", "Octavia", "Titus")


def opened(app: App, game: str) -> ReplayScreen:
    """A replay of the longest recorded match, all of it read."""
    film = film_of(longest(game))
    app.go.replay(film, seats_called([(name, "") for name in NAMES[: film.seats]]))
    screen = app.screen
    assert isinstance(screen, ReplayScreen)
    screen.projector.reading.wait()
    app.on_update(0.01)
    return screen


@pytest.fixture
def screen(app: App) -> Iterator[ReplayScreen]:
    made = opened(app, "classic")
    yield made
    made.projector.reading.stop()


@pytest.fixture
def projector(screen: ReplayScreen) -> Projector:
    return screen.projector


def click(app: App, x: float, y: float) -> None:
    app.screen.on_mouse_motion(x, y, 0, 0)
    app.on_mouse_press(x, y, arcade.MOUSE_BUTTON_LEFT, 0)
    app.screen.on_mouse_release(x, y, arcade.MOUSE_BUTTON_LEFT, 0)
    app.on_update(0.01)


def press(app: App, symbol: int) -> None:
    app.screen.on_key_press(symbol, 0)
    app.on_update(0.01)


def knob(bar: FilmBar, number: int) -> tuple[float, float]:
    """The middle of one of the seven buttons that move."""
    rect = [widget for widget in bar.ui.widgets if isinstance(widget, Knob)][number].rect
    return rect.x, rect.y


def track(projector: Projector) -> Track:
    assert projector.bar.track is not None
    return projector.bar.track


def run(app: App, seconds: float) -> None:
    """Time passes in steps of a tenth."""
    for _step in range(round(seconds * 10)):
        app.on_update(0.1)


# By mouse


def test_every_button_moves_as_it_says(app: App, projector: Projector) -> None:
    decisions = [n for n in range(1, projector.last + 1) if projector.screening.film.settled(n)]
    click(app, *knob(projector.bar, 4))
    assert projector.at == decisions[0]
    click(app, *knob(projector.bar, 4))
    assert projector.at == decisions[1]
    click(app, *knob(projector.bar, 2))
    assert projector.at == decisions[0]
    click(app, *knob(projector.bar, 6))
    assert projector.at == projector.last
    click(app, *knob(projector.bar, 1))
    assert projector.at == max(mark.version for mark in projector.marks if mark.version < projector.last)
    click(app, *knob(projector.bar, 0))
    assert projector.at == 0
    click(app, *knob(projector.bar, 5))
    assert projector.at == next(mark.version for mark in projector.marks if mark.version > 0)


def test_one_is_where_one_presses_and_drags_to(app: App, screen: ReplayScreen) -> None:
    projector = screen.projector
    line = track(projector).line
    click(app, line.x, line.y)
    assert projector.at == round(projector.last / 2)
    app.on_mouse_press(line.x, line.y, arcade.MOUSE_BUTTON_LEFT, 0)
    for x in (line.x + 40, line.right + 500, line.left - 500):
        screen.on_mouse_drag(x, line.y + 70, 0, 0, 1, 0)
        app.on_update(0.01)
        assert projector.at == track(projector).version_at(x)
    screen.on_mouse_release(line.left, line.y, arcade.MOUSE_BUTTON_LEFT, 0)
    assert projector.at == 0
    screen.on_mouse_scroll(line.x, line.y, 0, -1)
    assert projector.at == 1


def test_a_mark_says_what_it_is_and_leads_there(app: App, projector: Projector) -> None:
    bar = projector.bar
    for mark in (mark for mark in projector.marks if mark.kind is not Kind.ROUND):
        x, y = track(projector).x_of(mark.version), track(projector).line.top + theme.px(10)
        found = track(projector).mark_at(x)
        assert found is not None and found.kind is not Kind.ROUND
        assert bar.tip(x, y) == found.words != ""
        click(app, x, y)
        assert projector.at == found.version
    rounds = [mark for mark in projector.marks if mark.kind is Kind.ROUND]
    middle = (rounds[3].version + rounds[4].version) // 2
    words = bar.tip(track(projector).x_of(middle), track(projector).line.y)
    assert words.startswith(f"{rounds[3].words} · ")
    assert words.endswith(f" of {projector.last}")


def test_rates_are_chosen(app: App, projector: Projector) -> None:
    for place, rate in enumerate(RATES):
        rates = [widget.rect for widget in projector.bar.ui.widgets if isinstance(widget, Rate)]
        click(app, rates[place].x, rates[place].y)
        assert projector.rate == rate
        assert projector.player.shown == (rate <= 2)


def test_close_leads_back(app: App, screen: ReplayScreen) -> None:
    rects = [w.rect for w in screen.projector.bar.ui.widgets if getattr(w, "words", "") == "Close"]
    click(app, rects[0].x, rects[0].y)
    assert app.screen is not screen


# By keys


def test_keys_move_and_run(app: App, projector: Projector) -> None:
    press(app, key.END)
    assert projector.at == projector.last
    press(app, key.HOME)
    assert projector.at == 0
    press(app, key.RIGHT)
    press(app, key.RIGHT)
    press(app, key.LEFT)
    assert projector.at == projector.screening.turn(1) - 1 == 1
    press(app, key.PERIOD)
    first = projector.at
    press(app, key.PERIOD)
    assert projector.at > first
    press(app, key.COMMA)
    assert projector.at == first
    for place, rate in enumerate(RATES):
        press(app, key.KEY_1 + place)
        assert projector.rate == rate
    press(app, key.DOWN)
    assert projector.rate == 8
    press(app, key.UP)
    press(app, key.UP)
    assert projector.rate == 16
    press(app, key.SPACE)
    assert projector.playing
    press(app, key.SPACE)
    assert not projector.playing
    press(app, key.ESCAPE)
    assert projector.top.menu.open
    at = projector.at
    press(app, key.RIGHT)
    assert projector.at == at
    press(app, key.ESCAPE)
    press(app, key.A)
    assert not projector.top.menu.open


# Running


@pytest.mark.parametrize("game", GAMES)
def test_it_runs_to_the_end_and_stops(app: App, game: str) -> None:
    projector = opened(app, game).projector
    projector.run_at(16)
    projector.seek(projector.last - 40)
    projector.play()
    run(app, 4)
    assert projector.at == projector.last
    assert not projector.playing
    projector.play()
    assert projector.playing and projector.at == 0


def test_the_faster_it_runs_the_sooner_it_is_there(app: App, projector: Projector) -> None:
    passed = {}
    for rate in RATES[3:]:
        projector.run_at(rate)
        projector.seek(0)
        projector.play()
        run(app, 7)
        passed[rate] = projector.at
        projector.play()
    assert passed[4.0] == 40
    assert passed[8.0] == 80
    assert passed[16.0] == 160


def test_what_runs_slowly_is_heard_and_what_is_skipped_is_not(
    app: App, screen: ReplayScreen, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    heard: list[object] = []
    monkeypatch.setattr(app.sounds, "play", heard.append)
    projector = screen.projector
    for n in (400, 20, 333):
        projector.seek(n)
        run(app, 1)
    projector.run_at(8)
    projector.play()
    run(app, 5)
    projector.play()
    assert not heard
    projector.run_at(2)
    projector.play()
    run(app, 20)
    assert heard


def test_a_battle_is_seen_before_the_film_goes_on(app: App, screen: ReplayScreen) -> None:
    projector = screen.projector
    battle = next(mark for mark in projector.marks if mark.kind is Kind.BATTLE)
    projector.seek(battle.version)
    assert projector.top.theatre.beat is not None
    assert not projector.top.theatre.busy
    while not projector.top.theatre.busy:
        projector.step(1)
    at = projector.at
    projector.play()
    app.on_update(0.5)
    assert projector.at == at
    run(app, 12)
    assert projector.at > at


# What it shows


def test_the_chronicle_follows(projector: Projector) -> None:
    journal = projector.top.journal
    projector.seek(0)
    for _ in range(60):
        projector.step(1)
    projector.top.hurry()
    walked = [line.words for line in journal.lines]
    at = projector.at
    projector.seek(projector.last)
    ended = [line.words for line in journal.lines]
    projector.seek(at)
    assert [line.words for line in journal.lines] == walked != ended
    projector.seek(0)
    assert len(journal.lines) < len(walked)


@pytest.mark.parametrize("game", GAMES)
def test_the_same_board_from_anywhere(app: App, game: str) -> None:
    projector = opened(app, game).projector
    top = projector.top

    def board() -> object:
        return [(token.key, token.at) for token in top.display.standing], top.header.scene, top.roster.scene

    projector.seek(200)
    for _ in range(5):
        projector.step(1)
        top.hurry()
    at, walked = projector.at, board()
    projector.seek(projector.last)
    projector.seek(at)
    assert board() == walked


def test_nothing_can_be_done(app: App, screen: ReplayScreen) -> None:
    top = screen.top
    assert top.match.check(Stand()) is not None
    assert not top.desk.act(Stand())
    for symbol in (key.ENTER, key.Y, key.N, key.X, key.H, key.C, key.T, key.BACKSPACE, key.TAB):
        press(app, symbol)
    words = [getattr(widget, "words", "") for pane in top.panes for widget in pane.ui.widgets]
    assert "Advice" not in words
    assert not top.journal.typing
    top.menu.show()
    assert [entry.words for entry in top.menu.page.entries] == [
        "Back to the replay", "Rules and help", "Settings", "Close the replay",
    ]  # fmt: skip


def test_dice_that_roll_are_nobodys(app: App, projector: Projector) -> None:
    """Chance has no seat, nor has who looks on."""
    film = projector.screening.film
    rolling = next(n for n in range(film.last) if not film.settled(n))
    for n in (rolling, rolling + 1):
        projector.seek(n)
        scene = projector.top.roster.scene
        assert scene is not None and not scene.mine


def test_with_other_eyes_other_hands_lie_open(app: App) -> None:
    projector = opened(app, "cote2").projector
    assert projector.eyes == ["Seen by all", *NAMES[: projector.screening.film.seats]]
    projector.seek(200)
    assert all(len(hand) == 1 for hand in projector.screening.view.senators)
    for seat in range(3):
        press(app, key.E)
        hands = projector.screening.view.senators
        assert [len(hand) for hand in hands].count(4) == 1 and len(hands[seat]) == 4
        assert projector.top.desk.seat == seat
    projector.seek(300)
    assert projector.eye == 3


def test_where_all_see_the_same_nobodys_eyes_are_asked_for(app: App, projector: Projector) -> None:
    assert projector.eyes == ()
    press(app, key.E)
    assert projector.screening.audience is None


def test_the_bar_fits_in_small_and_large_windows(app: App) -> None:
    projector = opened(app, "cote2").projector
    for size in (theme.MIN_SIZE, theme.BASE_SIZE, (1920, 1080)):
        app.on_resize(*size)
        app.on_update(0.01)
        rects = sorted((w.rect for w in projector.bar.ui.widgets if not isinstance(w, Track)), key=lambda r: r.left)
        assert projector.bar.rect.left <= rects[0].left and rects[-1].right <= projector.bar.rect.right
        assert all(one.right <= other.left for one, other in pairwise(rects)), size
        assert all(rect.width > theme.px(30) for rect in rects)


@pytest.mark.parametrize("game", GAMES)
def test_pictures(app: App, shoot: Shoot, game: str) -> None:
    projector = opened(app, game).projector
    battles = [mark.version for mark in projector.marks if mark.kind is Kind.BATTLE]
    projector.seek(battles[len(battles) // 2])
    shoot(app, f"replay_{game}")

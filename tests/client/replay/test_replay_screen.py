"""A replay at the table: by mouse, by keys, at every speed; nothing is sent, nothing of what was skipped is played."""

from collections.abc import Iterator
from itertools import pairwise

import arcade
import pytest
from arcade import key

from client.app import App
from client.drawing import theme
from client.replay.film_match import seats_called
from client.replay.film_player import RATES
from client.replay.game_replay import HighlightKind
from client.screens.replay import ReplayScreen
from client.table.replay_control import Knob, Rate, ReplayBar, ReplayControl, Track
from shared.vocabulary.actions import Stand
from tests.client.conftest import Shoot
from tests.client.replay.films import GAMES, film_of, longest
from tests.client.screen_steps import screen_of
from tests.support.marks import with_releases

NAMES = ("Livia", "Marcus", "Cornelia", "Gaius", "Octavia", "Titus")


def opened(app: App, game: str) -> ReplayScreen:
    """A replay of the longest recorded match, all of it read."""
    film = film_of(longest(game))
    app.go.replay(film, seats_called([(name, "") for name in NAMES[: film.seats]]))
    screen = screen_of(app, ReplayScreen)
    screen.replay_control.reading.wait()
    app.on_update(0.01)
    return screen


@pytest.fixture
def screen(app: App) -> Iterator[ReplayScreen]:
    made = opened(app, "classic")
    yield made
    made.replay_control.reading.stop()


@pytest.fixture
def replay_control(screen: ReplayScreen) -> ReplayControl:
    return screen.replay_control


def click(app: App, x: float, y: float) -> None:
    app.screen.on_mouse_motion(x, y, 0, 0)
    app.on_mouse_press(x, y, arcade.MOUSE_BUTTON_LEFT, 0)
    app.screen.on_mouse_release(x, y, arcade.MOUSE_BUTTON_LEFT, 0)
    app.on_update(0.01)


def press(app: App, symbol: int) -> None:
    app.screen.on_key_press(symbol, 0)
    app.on_update(0.01)


def knob(bar: ReplayBar, number: int) -> tuple[float, float]:
    """The middle of one of the seven buttons that move."""
    rect = [widget for widget in bar.ui.widgets if isinstance(widget, Knob)][number].rect
    return rect.x, rect.y


def track(replay_control: ReplayControl) -> Track:
    assert replay_control.bar.track is not None
    return replay_control.bar.track


def run(app: App, seconds: float) -> None:
    """Time passes in steps of a tenth."""
    for _step in range(round(seconds * 10)):
        app.on_update(0.1)


# By mouse


def test_every_button_moves_as_it_says(app: App, replay_control: ReplayControl) -> None:
    decisions = [n for n in range(1, replay_control.last + 1) if replay_control.screening.film.settled(n)]
    click(app, *knob(replay_control.bar, 4))
    assert replay_control.at == decisions[0]
    click(app, *knob(replay_control.bar, 4))
    assert replay_control.at == decisions[1]
    click(app, *knob(replay_control.bar, 2))
    assert replay_control.at == decisions[0]
    click(app, *knob(replay_control.bar, 6))
    assert replay_control.at == replay_control.last
    click(app, *knob(replay_control.bar, 1))
    assert replay_control.at == max(mark.version for mark in replay_control.marks if mark.version < replay_control.last)
    click(app, *knob(replay_control.bar, 0))
    assert replay_control.at == 0
    click(app, *knob(replay_control.bar, 5))
    assert replay_control.at == next(mark.version for mark in replay_control.marks if mark.version > 0)


def test_pressing_and_dragging_move_the_position(app: App, screen: ReplayScreen) -> None:
    replay_control = screen.replay_control
    line = track(replay_control).line
    click(app, line.x, line.y)
    assert replay_control.at == round(replay_control.last / 2)
    app.on_mouse_press(line.x, line.y, arcade.MOUSE_BUTTON_LEFT, 0)
    for x in (line.x + 40, line.right + 500, line.left - 500):
        screen.on_mouse_drag(x, line.y + 70, 0, 0, 1, 0)
        app.on_update(0.01)
        assert replay_control.at == track(replay_control).version_at(x)
    screen.on_mouse_release(line.left, line.y, arcade.MOUSE_BUTTON_LEFT, 0)
    assert replay_control.at == 0
    screen.on_mouse_scroll(line.x, line.y, 0, -1)
    assert replay_control.at == 1


@pytest.mark.long
def test_a_mark_says_what_it_is_and_leads_there(app: App, replay_control: ReplayControl) -> None:
    bar = replay_control.bar
    for mark in (mark for mark in replay_control.marks if mark.kind is not HighlightKind.ROUND):
        x, y = track(replay_control).x_of(mark.version), track(replay_control).line.top + theme.px(10)
        found = track(replay_control).mark_at(x)
        assert found is not None and found.kind is not HighlightKind.ROUND
        assert bar.tip(x, y) == found.words != ""
        click(app, x, y)
        assert replay_control.at == found.version
    rounds = [mark for mark in replay_control.marks if mark.kind is HighlightKind.ROUND]
    middle = (rounds[3].version + rounds[4].version) // 2
    words = bar.tip(track(replay_control).x_of(middle), track(replay_control).line.y)
    assert words.startswith(f"{rounds[3].words} · ")
    assert words.endswith(f" of {replay_control.last}")


def test_rates_are_chosen(app: App, replay_control: ReplayControl) -> None:
    for place, rate in enumerate(RATES):
        rates = [widget.rect for widget in replay_control.bar.ui.widgets if isinstance(widget, Rate)]
        click(app, rates[place].x, rates[place].y)
        assert replay_control.rate == rate
        assert replay_control.player.shown == (rate <= 2)


def test_close_leads_back(app: App, screen: ReplayScreen) -> None:
    rects = [w.rect for w in screen.replay_control.bar.ui.widgets if getattr(w, "words", "") == "Close"]
    click(app, rects[0].x, rects[0].y)
    assert app.screen is not screen


# By keys


def test_keys_move_and_run(app: App, replay_control: ReplayControl) -> None:
    press(app, key.END)
    assert replay_control.at == replay_control.last
    press(app, key.HOME)
    assert replay_control.at == 0
    press(app, key.RIGHT)
    press(app, key.RIGHT)
    press(app, key.LEFT)
    assert replay_control.at == replay_control.screening.turn(1) - 1 == 1
    press(app, key.PERIOD)
    first = replay_control.at
    press(app, key.PERIOD)
    assert replay_control.at > first
    press(app, key.COMMA)
    assert replay_control.at == first
    for place, rate in enumerate(RATES):
        press(app, key.KEY_1 + place)
        assert replay_control.rate == rate
    press(app, key.DOWN)
    assert replay_control.rate == 8
    press(app, key.UP)
    press(app, key.UP)
    assert replay_control.rate == 16
    press(app, key.SPACE)
    assert replay_control.playing
    press(app, key.SPACE)
    assert not replay_control.playing
    press(app, key.ESCAPE)
    assert replay_control.top.menu.open
    at = replay_control.at
    press(app, key.RIGHT)
    assert replay_control.at == at
    press(app, key.ESCAPE)
    press(app, key.A)
    assert not replay_control.top.menu.open


# Running


@pytest.mark.long
@pytest.mark.parametrize("game", with_releases(GAMES, "classic"))
def test_it_runs_to_the_end_and_stops(app: App, game: str) -> None:
    replay_control = opened(app, game).replay_control
    replay_control.run_at(16)
    replay_control.seek(replay_control.last - 40)
    replay_control.play()
    run(app, 4)
    assert replay_control.at == replay_control.last
    assert not replay_control.playing
    replay_control.play()
    assert replay_control.playing and replay_control.at == 0


@pytest.mark.long
def test_the_faster_it_runs_the_sooner_it_is_there(app: App, replay_control: ReplayControl) -> None:
    passed = {}
    for rate in RATES[3:]:
        replay_control.run_at(rate)
        replay_control.seek(0)
        replay_control.play()
        run(app, 7)
        passed[rate] = replay_control.at
        replay_control.play()
    assert passed[4.0] == 40
    assert passed[8.0] == 80
    assert passed[16.0] == 160


@pytest.mark.long
def test_slow_playback_is_heard_and_skipped_parts_are_not(
    app: App, screen: ReplayScreen, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    heard: list[object] = []
    monkeypatch.setattr(app.sounds, "play", heard.append)
    replay_control = screen.replay_control
    for n in (400, 20, 333):
        replay_control.seek(n)
        run(app, 1)
    replay_control.run_at(8)
    replay_control.play()
    run(app, 5)
    replay_control.play()
    assert not heard
    replay_control.run_at(2)
    replay_control.play()
    run(app, 20)
    assert heard


def test_a_battle_is_seen_before_the_film_goes_on(app: App, screen: ReplayScreen) -> None:
    replay_control = screen.replay_control
    battle = next(mark for mark in replay_control.marks if mark.kind is HighlightKind.BATTLE)
    replay_control.seek(battle.version)
    assert replay_control.top.playback.beat is not None
    assert not replay_control.top.playback.busy
    while not replay_control.top.playback.busy:
        replay_control.step(1)
    at = replay_control.at
    replay_control.play()
    app.on_update(0.5)
    assert replay_control.at == at
    run(app, 12)
    assert replay_control.at > at


# What it shows


@pytest.mark.long
def test_the_chronicle_follows(replay_control: ReplayControl) -> None:
    chronicle = replay_control.top.chronicle
    replay_control.seek(0)
    for _ in range(60):
        replay_control.step(1)
    replay_control.top.events.hurry()
    walked = [line.words for line in chronicle.lines]
    at = replay_control.at
    replay_control.seek(replay_control.last)
    ended = [line.words for line in chronicle.lines]
    replay_control.seek(at)
    assert [line.words for line in chronicle.lines] == walked != ended
    replay_control.seek(0)
    assert len(chronicle.lines) < len(walked)


@pytest.mark.parametrize("game", GAMES)
def test_the_same_board_from_anywhere(app: App, game: str) -> None:
    replay_control = opened(app, game).replay_control
    top = replay_control.top

    def board() -> object:
        return [(token.key, token.at) for token in top.display.standing], top.layout.header.scene, top.side.roster.scene

    replay_control.seek(200)
    for _ in range(5):
        replay_control.step(1)
        top.events.hurry()
    at, walked = replay_control.at, board()
    replay_control.seek(replay_control.last)
    replay_control.seek(at)
    assert board() == walked


def test_nothing_can_be_done(app: App, screen: ReplayScreen) -> None:
    top = screen.top
    assert top.match.check(Stand()) is not None
    assert not top.desk.act(Stand())
    for symbol in (key.ENTER, key.Y, key.N, key.X, key.H, key.C, key.T, key.BACKSPACE, key.TAB):
        press(app, symbol)
    words = [getattr(widget, "words", "") for pane in top.panes for widget in pane.ui.widgets]
    assert "Advice" not in words
    assert not top.chronicle.typing
    top.menu.show()
    assert [entry.words for entry in top.menu.page.entries] == [
        "Back to the replay", "Rules and help", "Settings", "Close the replay",
    ]  # fmt: skip


def test_rolling_dice_belong_to_no_seat(app: App, replay_control: ReplayControl) -> None:
    """Chance has no seat, nor has who looks on."""
    film = replay_control.screening.film
    rolling = next(n for n in range(film.last) if not film.settled(n))
    for n in (rolling, rolling + 1):
        replay_control.seek(n)
        scene = replay_control.top.side.roster.scene
        assert scene is not None and not scene.mine


def test_with_other_eyes_other_hands_lie_open(app: App) -> None:
    replay_control = opened(app, "cote2").replay_control
    assert replay_control.eyes == ["Seen by all", *NAMES[: replay_control.screening.film.seats]]
    replay_control.seek(200)
    assert all(len(hand) == 1 for hand in replay_control.screening.view.senators)
    for seat in range(3):
        press(app, key.E)
        hands = replay_control.screening.view.senators
        assert [len(hand) for hand in hands].count(4) == 1 and len(hands[seat]) == 4
        assert replay_control.top.desk.seat == seat
    replay_control.seek(300)
    assert replay_control.eye == 3


def test_no_audience_choice_in_games_without_secrets(app: App, replay_control: ReplayControl) -> None:
    assert replay_control.eyes == ()
    press(app, key.E)
    assert replay_control.screening.audience is None


def test_the_bar_fits_in_small_and_large_windows(app: App) -> None:
    replay_control = opened(app, "cote2").replay_control
    for size in (theme.MIN_SIZE, theme.BASE_SIZE, (1920, 1080)):
        app.on_resize(*size)
        app.on_update(0.01)
        rects = sorted(
            (w.rect for w in replay_control.bar.ui.widgets if not isinstance(w, Track)), key=lambda r: r.left
        )
        assert replay_control.bar.rect.left <= rects[0].left and rects[-1].right <= replay_control.bar.rect.right
        assert all(one.right <= other.left for one, other in pairwise(rects)), size
        assert all(rect.width > theme.px(30) for rect in rects)


@pytest.mark.long
@pytest.mark.parametrize("game", with_releases(GAMES, "cote2"))
def test_pictures(app: App, shoot: Shoot, game: str) -> None:
    replay_control = opened(app, game).replay_control
    battles = [mark.version for mark in replay_control.marks if mark.kind is HighlightKind.BATTLE]
    replay_control.seek(battles[len(battles) // 2])
    shoot(app, f"replay_{game}")

"""The turning points of a match, by mouse: three cards that lead into the replay, and a picture to share."""

from pathlib import Path

import pytest
from PIL import Image

from client.app import App
from client.drawing.widgets import Button
from client.replay.film_match import seats_called
from client.screens import turning_points
from client.screens.replay import ReplayScreen
from client.screens.turning_points import TurningPointsScreen
from tests.client.conftest import Shoot
from tests.client.replay.films import GAMES, film_of, longest
from tests.client.replay.test_replay_screen import NAMES, click
from tests.client.screen_steps import screen_of
from tests.support.marks import mostly_long


def shown(app: App, game: str) -> TurningPointsScreen:
    """The turning points of the longest recorded match."""
    film = film_of(longest(game))
    app.go.turning_points(film, seats_called([(name, "") for name in NAMES[: film.seats]]))
    screen = screen_of(app, TurningPointsScreen)
    screen.reading.wait()
    app.on_update(0.01)
    return screen


@pytest.mark.parametrize("game", mostly_long(GAMES, "cote2"))
def test_three_moments_lead_into_the_replay(app: App, game: str, shoot: Shoot) -> None:
    screen = shown(app, game)
    assert screen.points is not None
    versions = [point.version for point in screen.points]
    assert len(versions) == 3 and versions == sorted(versions)
    begun = [mark.words for mark in screen.reading.marks if mark.deed]
    assert not {point.words for point in screen.points} & {*begun}, "how it ended, not that it began"
    shoot(app, f"turning_points_{game}")
    watch = [widget for widget in screen.ui.widgets if isinstance(widget, Button) and "Watch" in widget.words]
    assert len(watch) == 3
    click(app, watch[1].rect.x, watch[1].rect.y)
    replay: object = app.screen
    assert isinstance(replay, ReplayScreen)
    assert replay.replay_control.at == versions[1]
    assert replay.replay_control.playing
    replay.leave_table()
    assert app.screen is screen


@pytest.mark.long
def test_a_picture_of_the_match_is_saved(app: App, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turning_points, "usual_place", lambda: tmp_path)
    screen = shown(app, "cote2")
    button = next(widget for widget in screen.ui.widgets if isinstance(widget, Button) and "Save" in widget.words)
    click(app, button.rect.x, button.rect.y)
    (path,) = tmp_path.glob("*.png")
    assert str(path) in " ".join(app.toasts.words)
    with Image.open(path) as image:
        assert image.width == 1140 and image.height > 900
    monkeypatch.setattr(turning_points, "usual_place", lambda: tmp_path / "none")
    click(app, button.rect.x, button.rect.y)
    assert "could not be saved" in " ".join(app.toasts.words)

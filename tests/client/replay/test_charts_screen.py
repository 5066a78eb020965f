"""The match in numbers, by mouse: curves that tell their values, bars, and whose dice were lucky."""

import arcade
import pytest
from arcade import key

from client.app import App
from client.drawing import theme
from client.drawing.charts import LineChart, StackChart
from client.drawing.scrolling import ScrollList
from client.replay.luck import conclusion, verdict
from client.screens.charts import ChartsScreen, Ledger
from client.screens.replay import ReplayScreen
from tests.client.conftest import Shoot
from tests.client.replay.films import GAMES
from tests.client.replay.test_replay_screen import click, opened, press
from tests.client.screen_steps import screen_of
from tests.support.marks import with_releases


def charts(app: App, game: str) -> ChartsScreen:
    """The charts of a replay, opened by their key."""
    opened(app, game)
    press(app, key.G)
    return screen_of(app, ChartsScreen)


def turn(app: App, screen: ChartsScreen, page: int) -> None:
    """Click a tab."""
    bar = screen.ui.focus
    assert bar is not None
    click(app, bar.rect.left + bar.rect.width * (page + 0.5) / len(screen.pages), bar.rect.y)
    assert screen.page == page


@pytest.mark.long
@pytest.mark.parametrize("game", with_releases(GAMES, "classic"))
def test_every_page_has_a_picture(app: App, game: str, shoot: Shoot) -> None:
    screen = charts(app, game)
    for page in range(len(screen.pages)):
        if page:
            turn(app, screen, page)
        app.screen.on_mouse_motion(app.size[0] * 0.4, app.size[1] * 0.5, 0, 0)
        shoot(app, f"charts_{game}_{page}")


def test_a_curve_tells_its_values_and_leads_there(app: App) -> None:
    screen = charts(app, "cote2")
    chart = screen.chart
    assert isinstance(chart, LineChart)
    film = screen._screening.film
    for n in (150, 400, film.last):
        x, y = chart.x_of(n), chart.plot.y
        heading, *lines = chart.told(x, y)
        view = film.view(n, None)
        assert heading[1].startswith(f"Season {view.season}")
        assert {(seat, int(number)) for seat, _name, number in lines} == set(enumerate(view.points))
        assert [int(number) for *_rest, number in lines] == sorted(view.points, reverse=True)
    assert chart.told(chart.plot.left - 20, chart.plot.y) == []
    assert [chart.y_of(value) for value in (0, 200)] == [chart.plot.bottom, chart.plot.top]
    x, goal = chart.x_of(300), chart.moment_at(chart.x_of(300))
    click(app, x, chart.plot.y)
    replay: object = app.screen
    assert isinstance(replay, ReplayScreen)
    assert replay.replay_control.at == goal == 300


def test_bars_add_up(app: App) -> None:
    screen = charts(app, "cote2")
    turn(app, screen, 3)
    chart = screen.chart
    assert isinstance(chart, StackChart)
    assert chart.sources == ["Provinces", "Cards", "Chaos"]
    assert [bar.total for bar in chart.bars] == [125, 185, 120, 190, 130, 140]
    for rect, bar, part in chart._places():
        heading, *details = chart.told(rect.x, rect.y)
        assert heading == (bar.seat, f"{bar.name}: {part.source}", str(part.amount))
        assert not details or sum(int(number) for *_rest, number in details) == part.amount
        assert rect.width == pytest.approx(abs(part.amount) * chart.plot.width / 300)


def test_the_ledger_names_luck(app: App) -> None:
    screen = charts(app, "classic")
    turn(app, screen, 4)
    ledger = next(widget for widget in screen.ui.widgets if isinstance(widget, Ledger))
    report = screen.reading.report
    assert [found for _name, found in ledger.rows] == [report.account(seat) for seat in range(2)]
    assert [name for name, _found in ledger.rows] == ["Livia", "Marcus"]
    words = [getattr(widget, "words", "") for widget in screen.ui.widgets]
    assert conclusion([found for _name, found in ledger.rows]) in words
    assert all(verdict(found) for _name, found in ledger.rows)
    battles = next(widget for widget in screen.ui.widgets if isinstance(widget, ScrollList))
    assert list(battles.items) == report.battles
    row = theme.px(30)
    click(app, battles.rect.x, battles.rect.top - row * 1.5)
    replay: object = app.screen
    assert isinstance(replay, ReplayScreen)
    assert replay.replay_control.at == report.battles[1].version


@pytest.mark.long
def test_the_way_back(app: App) -> None:
    screen = charts(app, "mb1984")
    at = screen._screening.version
    press(app, key.ESCAPE)
    replay: object = app.screen
    assert isinstance(replay, ReplayScreen)
    assert replay.replay_control.at == at


@pytest.mark.long
@pytest.mark.parametrize("size", [theme.MIN_SIZE, (1920, 1080)])
def test_it_fits_small_and_large_windows(app: App, size: tuple[int, int]) -> None:
    screen = charts(app, "cote2")
    app.on_resize(*size)
    app.on_update(0.01)
    for page in range(len(screen.pages)):
        turn(app, screen, page)
        rects = [widget.rect for widget in screen.ui.widgets]
        whole = arcade.LBWH(0, 0, *size)
        assert all(rect.left >= whole.left and rect.right <= whole.right and rect.height > 0 for rect in rects)
        app.on_draw()

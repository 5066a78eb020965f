"""Several people at one computer, in the window: the curtain, the film after it, and whole matches."""

import random
from pathlib import Path

import arcade
import pytest
from arcade import key

from client import message_router
from client.app import App
from client.drawing.widgets import Button, Label
from client.player import settings
from client.player.table_options import TableOptions
from client.screens.absence_replay import AbsenceScreen
from client.screens.create import CreateScreen
from client.screens.curtain import CurtainScreen
from client.screens.games import GamesScreen
from client.screens.table import TableScreen
from tests.client.conftest import Server, Shoot, until
from tests.client.screen_steps import arrive, screen_of
from tests.support.marks import in_stages


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(message_router, "HAND_OVER", 0.0)


def sit_down(app: App, server: Server, ruleset: str, *, curtain: bool = False, **options: int) -> None:
    plan = TableOptions(ruleset, 3, options=options, bots=("easy",))
    app.go.server(server.address, lambda: app.remote.create(plan, plan.bots), people=("Ada", "Bob"), curtain=curtain)
    until(app, lambda: isinstance(app.screen, CurtainScreen | TableScreen))


class Pair:
    """Two people who do what is asked for, and see nothing that is not theirs."""

    def __init__(self, app: App, seed: int = 4) -> None:
        self.app, self.chance = app, random.Random(seed)
        self.handed: list[str] = []
        self.films = 0

    @property
    def over(self) -> bool:
        match = self.app.remote.match
        return match is not None and match.over

    def _asked(self) -> bool:
        """Whether there is something to do; whatever is shown belongs to the person at the screen."""
        app, screen, people = self.app, self.app.screen, self.app.people
        assert people.hidden == isinstance(screen, CurtainScreen)
        if isinstance(screen, TableScreen):
            screen.top.events.hurry()
            screen.top.update(0.0)
            assert screen.match is app.remote.match and screen.match.name(screen.match.seat) == people.name(people.at)
            mine = screen.match.is_mine and people.due_player() is None
            return self.over or (mine and not screen.top.events.busy)
        return isinstance(screen, CurtainScreen | AbsenceScreen)

    def decide(self) -> None:
        app = self.app
        until(app, self._asked, 60)
        screen, match = app.screen, app.remote.match
        if isinstance(screen, CurtainScreen):
            self.handed.append(screen.name)
            screen.on_key_press(key.ENTER, 0)
        elif isinstance(screen, AbsenceScreen):
            assert match is not None and screen.top.match.seat == match.seat
            self.films += 1
            screen.on_key_press(key.SPACE, 0)
        elif match is not None and not match.over:
            self.handed += [] if app.people.curtained else [app.people.name(app.people.at)]
            assert match.act(self.chance.choice(match.options())) is None
            until(app, lambda: not match.pending)


def play(pair: Pair, decisions: int) -> None:
    for _ in range(decisions):
        if pair.over:
            return
        pair.decide()


def words(app: App) -> set[str]:
    return {widget.words for widget in app.screen.ui.widgets if isinstance(widget, Label | Button)}


@pytest.mark.long
def test_the_curtain_shows_nothing_of_the_match(app: App, server: Server, painted: arcade.Window, shoot: Shoot) -> None:
    sit_down(app, server, "cote2")
    pair = Pair(app)
    play(pair, 24)
    until(app, lambda: isinstance(app.screen, CurtainScreen | TableScreen))
    while not isinstance(app.screen, CurtainScreen):
        app.toast("Ada has two senators.")
        pair.decide()
        until(app, pair._asked)
    assert not app.toasts.words, "what was said to Ada is gone"
    shoot(app, "curtain")
    seen = arcade.get_image(0, 0, painted.width, painted.height).tobytes()
    name = app.screen.name
    assert words(app) == {
        f"It is your turn, {name}. Go on once you alone can see the screen.", f"I am {name}", "Stop for now",
    }  # fmt: skip
    app.go.show(CurtainScreen(app, name, app.go.menu))
    app.on_draw()
    assert arcade.get_image(0, 0, painted.width, painted.height).tobytes() == seen, "as without any match"
    assert {"Ada", "Bob"} <= set(pair.handed) and pair.films


@pytest.mark.timeout(600)
@pytest.mark.parametrize("ruleset", in_stages(["classic", "mb1984", "cote2"], ["classic"], ["mb1984"]))
def test_a_whole_match_is_shared(app: App, server: Server, ruleset: str) -> None:
    if ruleset == "cote2":
        sit_down(app, server, ruleset)
    else:
        sit_down(app, server, ruleset, round_limit=1)
    pair = Pair(app)
    play(pair, 3000)
    assert pair.over and {"Ada", "Bob"} <= set(pair.handed)
    assert bool(pair.films) == app.people.curtained


@pytest.mark.long
def test_a_shared_match_goes_on_after_the_program_and_the_server_were_killed(
    window: arcade.Window, server: Server, home: Path
) -> None:
    before = App(window, settings.load())
    sit_down(before, server, "classic", curtain=True, round_limit=1)
    play(Pair(before), 8)
    before.people.end()
    app = App(window, settings.load())
    app.go.games()
    assert isinstance(app.screen, GamesScreen)
    (seat,) = app.screen._list.items
    app.screen._continue()
    arrive(app, CurtainScreen)
    assert seat.person and app.people.many
    pair = Pair(app)
    play(pair, 6)
    server.kill()
    revived = Server(server.data, server.port)
    play(pair, 1000)
    assert pair.over and {"Ada", "Bob"} <= set(pair.handed)
    app.close()
    revived.kill()


def test_the_form_seats_several_people(app: App) -> None:
    app.go.create("play")
    form = screen_of(app, CreateScreen)
    form._share("livia")
    form.confirm()
    assert app.screen is form and "different names" in app.toasts.words[-1]
    form._share("Bob, Carla")
    form.plan.seats = 2
    form.confirm()
    assert form.plan.people == ("Livia", "Bob", "Carla") and form.plan.seats == 3
    arrive(app, TableScreen)
    assert [info.name for info in app.remote.match.table.seats] == ["Livia", "Bob", "Carla"]  # type: ignore[union-attr]

"""A long evening costs no more than a short one, and a table that was left is gone."""

import gc
import weakref
from collections import Counter
from collections.abc import Callable

import arcade
import pytest

from client.app import App
from client.drawing import shapes, theme
from client.games.registry import guide
from client.games.static_match import LocalMatch, RecordedCallbacks
from client.network.model import MatchModel
from client.screens.table import TableScreen
from client.table.tabletop import Tabletop
from protocol.session import ClientSession
from shared.kernel import engine
from shared.messages import SeatInfo, TableState
from shared.rulesets.registry import RULESETS, ruleset
from shared.tables import SeatKind, TablePhase
from tests.client.conftest import shown
from tests.client.screen_steps import screen_of
from tests.support.marks import with_releases

MOST_WORDS = 320
"""Texts alive at once: each takes about 100 KiB. A table with a leaf over it shows some 160."""
FIRST_TIMES = 10
"""Things on the graphics card that are made when they are drawn for the first time, and stay."""
STEP = 0.5
"""Seconds of one frame: battles and flights do not pile up."""
SEATS = tuple(SeatInfo(SeatKind.PERSON, name) for name in ("Livia", "Marcus", "Cornelia", "Gaius"))


def alive(*kinds: type) -> list[int]:
    """Return the number of live objects of each type."""
    gc.collect()
    found = Counter(type(thing) for thing in gc.get_objects())
    return [found[kind] for kind in kinds]


def on_the_card(window: arcade.Window) -> int:
    """Textures, framebuffers and the like that the graphics card holds for us, once it has thrown away what it may."""
    gc.collect()
    window.ctx.gc()
    stats = window.ctx.stats
    kinds = (stats.texture, stats.framebuffer, stats.buffer, stats.vertex_array, stats.geometry, stats.program)
    return sum(made - freed for made, freed in kinds)


class Evening:
    """A table at which bots play match after match, each action drawn."""

    def __init__(self, window: arcade.Window, game: str) -> None:
        self._window = window
        self._game = game
        self._seed = 0
        theme.set_window(*theme.BASE_SIZE)
        self._sit_down()

    def _sit_down(self) -> None:
        self._seed += 1
        self._match = LocalMatch(ruleset(self._game), 4, seed=self._seed)
        self._top = Tabletop(self._match, guide(self._game), RecordedCallbacks())
        self._top.place(*theme.BASE_SIZE)

    def play(self, actions: int) -> None:
        """That many actions, with every leaf laid out now and then."""
        for done in range(actions):
            if not self._match.step():
                self._sit_down()
            self._top.hear()
            if done % 40 == 0:
                for sheet in self._top.sheets:
                    self._top.lay(sheet.key)
                    self._frame()
                self._top.lay(None)
            self._frame()

    def _frame(self) -> None:
        self._top.update(STEP)
        self._window.clear()
        self._top.draw()
        shown(self._window)


def grown(evening: Evening, window: arcade.Window, actions: int) -> tuple[list[int], list[int]]:
    """Texts, and things on the graphics card, before and after so many actions."""
    before = [*alive(arcade.Text), on_the_card(window)]
    evening.play(actions)
    return before, [*alive(arcade.Text), on_the_card(window)]


def many_words() -> int:
    """Say more than is kept; how many texts are alive that are not, and belong to other tests."""
    for i in range(MOST_WORDS + 80):
        shapes.kept(f"It is the year {i}.")
    return max(0, alive(arcade.Text)[0] - shapes.KEPT)


@pytest.mark.long
def test_a_match_keeps_no_words_and_pictures_that_it_does_not_show(window: arcade.Window) -> None:
    others = many_words()
    for game in RULESETS:
        evening = Evening(window, game)
        evening.play(1)
        before, after = grown(evening, window, 12)
        assert before[0] <= MOST_WORDS + others, game
        assert after[0] <= MOST_WORDS + others, game
        assert after[1] <= before[1] + FIRST_TIMES, game


@pytest.mark.exhaustive
@pytest.mark.parametrize("game", RULESETS)
def test_a_long_evening_costs_no_more_than_a_short_one(window: arcade.Window, game: str) -> None:
    others = many_words()
    evening = Evening(window, game)
    evening.play(60)
    many_words()
    things = len(gc.get_objects())
    before, after = grown(evening, window, 240)
    assert after[0] <= MOST_WORDS + others
    assert after[1] <= before[1] + FIRST_TIMES
    gc.collect()
    assert len(gc.get_objects()) < things * 1.3, "more than the pieces of a fuller board"


def a_match(game: str) -> MatchModel:
    """A match that has just begun, without a server."""
    rules = ruleset(game)
    table = TableState("m1", "Ides", game, {}, True, "", TablePhase.PLAYING, 0, False, 0, 0, SEATS, 0)
    model = MatchModel(rules, table, ClientSession("Livia"), lambda data: None)
    state = engine.start(rules, len(SEATS), engine.checked_options(rules, len(SEATS), {}), engine.ignore_event)
    model.view = rules.view(state, 0)
    return model


def look_around(app: App) -> list[weakref.ref[object]]:
    """Sit down, read the rules, turn every leaf; what could outlive that."""
    app.go.table()
    app.go.help()
    app.on_draw()
    app.screen.back()
    screen = screen_of(app, TableScreen)
    for key in (None, *(sheet.key for sheet in screen.top.sheets)):
        screen.top.lay(key)
        app.on_update(STEP)
        app.on_draw()
    things = (app.remote.match, screen, screen.top, screen.top.board, screen.top.task, *screen.top.panes)
    return [weakref.ref(thing) for thing in things]


def to_the_menu(app: App) -> None:
    app.go.menu()


def to_the_lobby(app: App) -> None:
    app.remote.access.session = ClientSession("Livia")
    app.go.lobby()


@pytest.mark.long
@pytest.mark.parametrize("leave", with_releases([to_the_menu, to_the_lobby], to_the_menu))
@pytest.mark.parametrize("game", with_releases(RULESETS, "cote2"))
def test_nothing_is_left_of_a_table_that_was_left(app: App, game: str, leave: Callable[[App], None]) -> None:
    app.remote.match = a_match(game)
    look_around(app)
    leave(app)
    card = on_the_card(app.window)
    app.remote.match = a_match(game)
    things = look_around(app)
    assert all(thing() is not None for thing in things)
    leave(app)
    assert [thing() for thing in things if thing() is not None] == []
    assert on_the_card(app.window) == card

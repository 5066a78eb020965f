"""Nothing is drawn while nothing changes, and nothing stays as it was once it did."""

import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import arcade
import numpy
import pytest

from client.app import App
from client.drawing import shapes, theme
from client.drawing.fields import TextField
from client.drawing.widgets import Button
from client.games.static_match import LocalMatch
from client.network.server_connection import Arrival
from client.screens.base import Screen
from client.screens.help import HelpScreen
from client.screens.table import TableScreen
from client.table import figures
from client.table.chronicle import ChronicleLine
from client.table.pane import TEXTS, Pane
from client.table.tabletop import Tabletop
from client.window import HIDDEN, MOVING, RESTING, Pace
from shared.ids import NONE
from shared.kernel.ruleset import AnyRuleset
from shared.messages import Done
from shared.rulesets.classic.definition import CLASSIC
from shared.rulesets.registry import RULESETS
from shared.vocabulary.actions import Fight
from tests.client.test_table_render import invaded
from tests.support.layout import sp
from tests.support.marks import with_releases
from tests.support.position import general, march, position

FRAME = MOVING
ROOT = Path(__file__).parents[2]


class Timed(LocalMatch):
    """A match with a clock, which runs down as the test says."""

    left: float | None = None

    def seconds_left(self) -> float | None:
        return self.left


class Lazy:
    """The program, drawn as its real window is: after events, after what arrived, and where it says that it moves."""

    def __init__(self, app: App, monkeypatch: pytest.MonkeyPatch) -> None:
        self.app = app
        self.pace = Pace()
        self.draws = 0
        self._came: list[Arrival] = []
        monkeypatch.setattr(app.remote, "poll", self._poll)

    def _poll(self) -> list[Arrival]:
        came, self._came = self._came, []
        return came

    def tick(self, seconds: float = RESTING) -> bool:
        """Run one turn of the loop; return whether it drew."""
        if self.app.on_update(seconds):
            self.pace.stir()
        drawn = self.pace.take()
        if drawn:
            self.app.on_draw()
            self.draws += 1
        return drawn

    def pass_time(self, seconds: float, each: float = RESTING) -> int:
        """Let so much pass; how often it drew."""
        return sum(self.tick(each) for _ in range(round(seconds / each)))

    def settle(self) -> None:
        """Let time pass until nothing moves."""
        for _ in range(2000):
            if not self.tick():
                return
        pytest.fail("it never comes to rest")

    def rest(self) -> None:
        """Until nothing moves, and nothing more would."""
        while self.pass_time(15.0, 0.5):
            pass

    def arrive(self) -> None:
        """Something came over the network."""
        self._came.append(Done(0))

    def do(self, event: str, *values: Any) -> None:
        """An event of the window."""
        self.pace.hear(event)
        if event in ("on_mouse_motion", "on_mouse_drag"):
            self.app.mouse = values[0], values[1]
        getattr(self.app.screen, event)(*values)

    def point(self, x: float, y: float) -> None:
        """Move the mouse there."""
        self.do("on_mouse_motion", x, y, 0, 0)

    def click(self, x: float, y: float, button: int = arcade.MOUSE_BUTTON_LEFT) -> None:
        self.point(x, y)
        self.do("on_mouse_press", x, y, button, 0)
        self.do("on_mouse_release", x, y, button, 0)

    def lay(self, match: LocalMatch) -> Tabletop[Any]:
        """Show a table with that match on it."""
        theirs: Any = match
        screen = TableScreen(self.app, theirs)
        self.app.go.show(screen)
        self.pace.stir()
        return screen.top


@pytest.fixture
def lazy(app: App, monkeypatch: pytest.MonkeyPatch) -> Lazy:
    return Lazy(app, monkeypatch)


def played(rules: AnyRuleset, steps: int, seed: int = 3) -> Timed:
    """Return a match after some steps, seen by a player who must decide."""
    match = Timed(rules, 4, seed=seed)
    for _ in range(steps):
        match.step()
    match.seat = match.owed()[0]
    return match


# When the window draws, and how often it looks around


def test_a_change_is_drawn_once_and_only_in_a_visible_window() -> None:
    pace = Pace()
    assert [pace.take(), pace.take()] == [True, False]
    pace.hear("on_mouse_motion")
    assert [pace.take(), pace.take()] == [True, False]
    pace.hear("on_hide")
    assert not pace.take()
    pace.hear("on_show")
    assert [pace.take(), pace.take()] == [True, False]


def test_window_calls_of_the_loop_itself_are_no_change() -> None:
    pace = Pace()
    pace.take()
    for event in ("on_update", "on_fixed_update", "on_draw", "on_refresh"):
        pace.hear(event)
        assert not pace.take(), event


def test_the_window_looks_around_often_while_something_moves_and_seldom_at_rest() -> None:
    pace = Pace()
    assert pace.interval == MOVING
    assert not pace.rest(0.4)
    assert pace.interval == MOVING
    assert pace.rest(0.4), "it comes to rest"
    assert not pace.rest(0.4), "it is at rest"
    assert pace.interval == RESTING
    pace.stir()
    assert pace.interval == MOVING
    pace.hear("on_hide")
    assert pace.interval == HIDDEN
    pace.hear("on_key_press")
    assert pace.interval == MOVING, "a key comes only where the window can be seen"


# Nothing while nothing changes


@pytest.mark.parametrize("game", RULESETS)
def test_a_table_at_rest_is_not_drawn(lazy: Lazy, game: str) -> None:
    lazy.lay(played(RULESETS[game], 120))
    lazy.rest()
    assert lazy.pass_time(60.0) == 0


def test_the_menu_is_drawn_once(lazy: Lazy) -> None:
    assert lazy.pass_time(60.0) == 1


def test_a_wheel_turns_all_the_while_one_waits(lazy: Lazy) -> None:
    lazy.app.go.server("ws://127.0.0.1:9", lambda: None)
    assert lazy.pass_time(10.0, FRAME) in range(105, 116), "eleven times a second"


# Once for each change


def stirred(lazy: Lazy, change: Callable[[], object]) -> int:
    """Return the number of frames drawn shortly after a change."""
    change()
    return lazy.pass_time(0.2, FRAME)


@pytest.mark.parametrize(
    ("event", "values"),
    [
        ("on_mouse_motion", (400, 400, 0, 0)),
        ("on_mouse_press", (5, 5, arcade.MOUSE_BUTTON_RIGHT, 0)),
        ("on_key_press", (arcade.key.F12, 0)),
        ("on_key_release", (arcade.key.F12, 0)),
        ("on_text", ("x",)),
    ],
)
def test_every_event_is_drawn_once(lazy: Lazy, event: str, values: tuple[object, ...]) -> None:
    lazy.lay(played(CLASSIC, 120))
    lazy.rest()
    assert stirred(lazy, lambda: lazy.do(event, *values)) == 1


def test_arrivals_are_drawn_at_once(lazy: Lazy) -> None:
    lazy.lay(played(CLASSIC, 120))
    lazy.rest()
    lazy.arrive()
    assert lazy.tick()
    assert not lazy.tick()


def test_another_size_is_drawn_finely(lazy: Lazy) -> None:
    lazy.lay(played(CLASSIC, 120))
    lazy.rest()
    lazy.app.on_resize(1400, 900)
    assert lazy.pass_time(1.0, FRAME) == 3, "the board comes as while it moves, then its ground, then its colours"


@pytest.mark.long
def test_zooming_makes_no_pictures_and_rest_makes_a_few_in_each_frame(lazy: Lazy, painted: arcade.Window) -> None:
    top = lazy.lay(played(CLASSIC, 120))
    lazy.rest()
    x, y = round(top.board.rect.x), round(top.board.rect.y)
    before = figures.made()
    for _notch in range(9):
        lazy.do("on_mouse_scroll", x, y, 0, 1)
        assert lazy.tick(FRAME)
    assert figures.made() == before
    made = [before]
    while lazy.tick(FRAME):
        made.append(figures.made())
    assert made[-1] > before
    assert max(after - earlier for earlier, after in pairwise(made)) <= 5, "three pictures, and glows with the last"
    zoomed = [(each.sprite.texture, each.number and each.number.texture) for each in top.board.pieces._drawn.values()]
    top.board.pieces._view = (0.0, 0.0, "")  # As when the window has another size: all pictures are made anew.
    top.board.touch()
    lazy.settle()
    anew = [(each.sprite.texture, each.number and each.number.texture) for each in top.board.pieces._drawn.values()]
    assert anew == zoomed


@pytest.mark.long
def test_a_sheet_is_painted_little_by_little(lazy: Lazy) -> None:
    top = lazy.lay(played(CLASSIC, 120))
    lazy.rest()
    shapes._kept.cache_clear()
    shapes._piece.cache_clear()
    top.board.touch()
    lazy.settle()
    top.calculate()
    top.board.touch()
    made = [shapes._kept.cache_info().misses]
    while top.layout.calculator.stale:
        lazy.pace.stir()
        assert lazy.tick(FRAME)
        made.append(shapes._kept.cache_info().misses)
    assert len(made) > 4
    assert top.board.stale, "a finer board comes last"
    lazy.settle()
    assert not top.stale
    assert max(after - before for before, after in pairwise(made)) <= 9, "eight texts, and one that was too many"


def test_another_screen_is_drawn(lazy: Lazy) -> None:
    lazy.rest()
    lazy.app.go.help()
    lazy.pace.stir()
    assert lazy.pass_time(1.0) == 1


def test_the_caret_blinks_while_a_field_has_the_focus(lazy: Lazy) -> None:
    lazy.app.go.connect(watch=False)
    lazy.tick()
    assert lazy.pass_time(10.4) in (19, 20), "two changes in 1.06 seconds"
    lazy.pass_time(0.4)
    field = lazy.app.screen.ui.focus
    assert isinstance(field, TextField) and field._lit
    assert lazy.pass_time(60.0) == 0
    lazy.do("on_text", "x")
    lazy.tick()
    assert lazy.pass_time(10.4) in (19, 20)


def test_the_caret_blinks_in_the_line_of_chat_too(lazy: Lazy) -> None:
    top = lazy.lay(played(CLASSIC, 120))
    lazy.rest()
    lazy.do("on_key_press", arcade.key.T, 0)
    lazy.tick()
    assert lazy.pass_time(10.6) in (20, 21)
    top.chronicle.stop_typing()
    lazy.tick()
    assert lazy.pass_time(10.6) == 0


def test_the_clock_is_drawn_each_second(lazy: Lazy) -> None:
    match = played(CLASSIC, 120)
    match.left = 90.0
    lazy.lay(match)
    lazy.rest()
    drawn = 0
    for left in range(899, 800, -1):
        match.left = left / 10
        drawn += lazy.tick(0.1)
    assert drawn == 10


def test_a_notice_rises_stays_and_goes(lazy: Lazy) -> None:
    lazy.lay(played(CLASSIC, 120))
    lazy.rest()
    lazy.app.toast("Rome was not built in a day.", "plain")
    assert 11 <= lazy.pass_time(0.5, FRAME) <= 12, "for 0.18 seconds"
    assert lazy.pass_time(5.0) == 0
    assert lazy.pass_time(2.0) == 1
    assert not lazy.app.toasts.words


def test_words_appear_beside_a_mouse_that_rests_on_a_button(lazy: Lazy) -> None:
    lazy.rest()
    button = next(w for w in lazy.app.screen.ui.widgets if isinstance(w, Button) and w.tip)
    lazy.point(button.rect.x, button.rect.y)
    assert lazy.pass_time(10.0) == 2, "the button is lit, then the words appear"


def test_words_appear_beside_a_mouse_that_rests_at_the_table(lazy: Lazy) -> None:
    top = lazy.lay(played(CLASSIC, 120))
    lazy.rest()
    lazy.point(*top.board.camera.to_window(*top.board.geography.heart(sp("italia"))))
    assert top.pointer.tip()
    assert lazy.pass_time(10.0) == 2
    lazy.point(top.layout.strip.rect.right - 2, top.layout.strip.rect.bottom + 2)
    assert not top.pointer.tip()
    assert lazy.pass_time(10.0) == 1, "nothing is to be said there"


@pytest.mark.long
def test_watching_the_rest_keeps_the_controls_and_updates_the_sheet(
    lazy: Lazy, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = played(RULESETS["cote2"], 120)
    match.seat = NONE
    top = lazy.lay(match)
    top.lay(top.sheets[0].key)
    assert top.sheet is not None
    lazy.rest()
    shown: list[str] = []
    monkeypatch.setattr(top.sheet, "rebuild", lambda: shown.append("sheet"))
    monkeypatch.setattr(top.tasks.bar, "rebuild", lambda: shown.append("tray"))
    before = top.task.line()
    while top.task.line() == before:
        shown.clear()
        match.step()
        lazy.arrive()
        lazy.tick()
        assert "sheet" in shown
        assert ("tray" in shown) == (top.task.line() != before)


@pytest.mark.parametrize("game", RULESETS)
def test_notices_cover_nothing_that_one_could_click(lazy: Lazy, game: str) -> None:
    top = lazy.lay(played(RULESETS[game], 120))
    lazy.rest()
    for words in ("Only three legions", "A strait bars the way", "Titus has taken your capital"):
        lazy.app.toast(f"{words}: that is what it says here, at some length as such words have it.", "bad")
    lazy.tick(1.0)
    places = lazy.app.toasts.places(lazy.app.screen.toasts_at())
    assert 1 <= len(places) <= 3
    things = [w for pane in top.panes for w in pane.ui.widgets if isinstance(w, Button | TextField) and w.visible]
    assert len(things) > 4
    areas = [top.board.rect, top.tasks.bar.rect, top.layout.strip.rect, *(thing.rect for thing in things)]
    for place in places:
        assert place.left >= 0 and place.right <= theme.BASE_SIZE[0]
        assert [area for area in areas if place.overlaps(area)] == []


# What moves is drawn in all its frames


def march_off(lazy: Lazy, watch: Callable[[Tabletop[Any]], object] = lambda top: None) -> Tabletop[Any]:
    """A table at rest, at which a march has just arrived; `watch` sees it before that."""
    match = LocalMatch(CLASSIC, 2, seat=0)
    match.take_events()
    match.state = position(units={"hispania": {0: (5, 0, 0)}}, leaders={"hispania": [general(0)]})
    top = lazy.lay(match)
    lazy.rest()
    watch(top)
    match.play(0, march("hispania", "aquitania", general(0), 5))
    lazy.arrive()
    return top


@pytest.mark.long
def test_a_flight_is_drawn_in_every_frame(lazy: Lazy) -> None:
    top = march_off(lazy)
    frames = 0
    assert lazy.tick(FRAME)
    while top.display.motion.flying:
        assert lazy.tick(FRAME), f"frame {frames}"
        frames += 1
    assert frames >= 20, "a third of a second at least"
    lazy.settle()
    assert lazy.pass_time(10.0) == 0


def noted(painted: list[str], name: str, paint: Callable[[], object]) -> Callable[[], None]:
    """The same, and its name is written down."""

    def note() -> None:
        painted.append(name)
        paint()

    return note


def test_while_something_flies_one_part_is_painted_in_a_frame(lazy: Lazy, monkeypatch: pytest.MonkeyPatch) -> None:
    painted: list[str] = []

    def watch(top: Tabletop[Any]) -> None:
        monkeypatch.setattr(top.board, "_paint", noted(painted, "board", top.board._paint))
        panes: dict[str, Pane] = {
            "action_bar": top.tasks.bar, "header": top.layout.header, "strip": top.layout.strip,
            "roster": top.side.roster, "chronicle": top.chronicle,
        }  # fmt: skip
        for name, pane in panes.items():
            monkeypatch.setattr(pane, "paint", noted(painted, name, pane.paint))

    top = march_off(lazy, watch)
    frames: list[list[str]] = []
    while lazy.tick(FRAME) and top.display.motion.flying:
        frames.append(painted.copy())
        painted.clear()
    assert frames[:3] == [["board"], ["action_bar"], ["chronicle"]]
    assert not any(frames[3:])


def test_slow_drawing_is_spread_over_frames_during_animations(lazy: Lazy) -> None:
    top = march_off(lazy)
    while lazy.tick(FRAME) and top.chronicle.stale:
        pass
    for i in range(30):
        top.chronicle.add(ChronicleLine(f"A new line of chat, number {i}."))
    made = [shapes._kept.cache_info().misses]
    while top.chronicle.stale:
        assert lazy.tick(FRAME)
        assert top.display.motion.flying
        made.append(shapes._kept.cache_info().misses)
    each = [after - before for before, after in pairwise(made)]
    assert len(each) > 1
    assert max(each) <= TEXTS, "a text of ordinary length counts as more than one"


def test_a_sheet_that_is_painted_in_parts_goes_on_where_it_stopped(
    window: arcade.Window, lazy: Lazy, monkeypatch: pytest.MonkeyPatch
) -> None:
    top = lazy.lay(LocalMatch(RULESETS["cote2"], 4, seat=0))
    sheet = next(each for each in top.sheets if each.caption == "Cards")
    painted: list[int] = []
    layers = sheet._all_layers

    def counted() -> list[Callable[[], object]]:
        return [partial(_draw, painted, n, layer) for n, layer in enumerate(layers())]

    monkeypatch.setattr(sheet, "_all_layers", counted)
    shapes._kept.cache_clear()
    top.lay(sheet.key)
    frames: list[list[int]] = []
    while sheet.stale:
        assert lazy.tick(FRAME)
        frames.append(painted.copy())
        painted.clear()
    assert len(frames) > 5
    begun = [frame[0] for frame in frames[2:] if frame]
    assert begun == sorted(begun), "no layer is drawn again after the next one"
    assert begun[-1] > 0
    in_parts = photograph(window)
    sheet.touch()
    sheet.sparing = False
    sheet._paint_on(sheet._surface)
    lazy.tick(FRAME)
    assert photograph(window) == in_parts, "nothing translucent was drawn twice"


def _draw(painted: list[int], number: int, layer: Callable[[], object]) -> None:
    painted.append(number)
    layer()


@pytest.mark.long
def test_dice_are_drawn_in_every_frame_until_they_lie_still(lazy: Lazy) -> None:
    match = LocalMatch(CLASSIC, 2, seat=0)
    match.take_events()
    match.state = invaded()
    top = lazy.lay(match)
    match.play(0, Fight(sp("neapolis"), 1))
    lazy.arrive()
    while not top.playback.tumbling:
        lazy.tick(FRAME)
        if not top.playback.busy:
            match.step()
            lazy.arrive()
    frames = 0
    while top.playback.tumbling:
        assert lazy.tick(FRAME), f"frame {frames}"
        frames += 1
    assert frames > 30
    top.events.hurry()
    lazy.pace.stir()
    lazy.rest()
    assert lazy.pass_time(10.0) == 0


# Nothing stays as it was: what is shown is what would be drawn anew


def photograph(window: arcade.Window) -> bytes:
    """Return the pixels of the window."""
    return window.ctx.screen.read(components=3)


INVISIBLE = 4
"""Steps of a colour, of 255, by which two pictures of the same scene may differ.

Arcade keeps the textures of pieces in one atlas, and moves them when it grows. With other tests' textures that may
happen between two pictures. A pixel's offset between two texels is computed from the place in the atlas with the bits
of a float, and rounded to 256ths. About one in fifty on the edges of a piece falls into the next one, each way. That is
one step of a colour, and one more for an edge that is transparent or lies over another. The most that was seen is 2.
Only an atlas that never grows would avoid it, and no size is enough for all tests together."""


def same(shown: bytes, drawn: bytes) -> bool:
    """Whether two pictures look the same."""
    before, after = (numpy.frombuffer(picture, numpy.uint8).astype(numpy.int16) for picture in (shown, drawn))
    return int(abs(before - after).max()) <= INVISIBLE


def renew(screen: Screen) -> None:
    """Let everything be painted anew that is kept as a picture."""
    if isinstance(screen, TableScreen):
        screen.top.board.touch()
        for pane in screen.top.panes:
            pane.touch()
    screen.touch()


def assert_true(lazy: Lazy, window: arcade.Window, when: str) -> None:
    """Check that the window shows what it would show if all were drawn now."""
    shown = photograph(window)
    renew(lazy.app.screen)
    lazy.app.on_draw()
    while isinstance(lazy.app.screen, TableScreen) and lazy.app.screen.top.stale:
        lazy.app.on_draw()  # The board becomes finer, and a sheet is painted little by little.
    assert same(photograph(window), shown), f"{type(lazy.app.screen).__name__} after {when}"


KEYS = (
    arcade.key.TAB, arcade.key.ENTER, arcade.key.ESCAPE, arcade.key.SPACE, arcade.key.KEY_1, arcade.key.KEY_2,
    arcade.key.PLUS, arcade.key.MINUS, arcade.key.HOME, arcade.key.F10, arcade.key.C, arcade.key.T, arcade.key.O,
    arcade.key.M, arcade.key.V, arcade.key.S,
)  # fmt: skip


class Cat:
    """Walks over mouse and keyboard."""

    def __init__(self, lazy: Lazy, chance: Random) -> None:
        self.lazy = lazy
        self.chance = chance

    def spot(self) -> tuple[float, float]:
        width, height = self.lazy.app.size
        return self.chance.randrange(2, int(width) - 2), self.chance.randrange(2, int(height) - 2)

    def step(self) -> str:
        """Does something; says what."""
        lazy, chance, (x, y) = self.lazy, self.chance, self.spot()
        key = chance.choice(KEYS)
        deeds: list[tuple[str, Callable[[], object]]] = [
            (f"moving the mouse to {x}, {y}", lambda: lazy.point(x, y)),
            (f"a click at {x}, {y}", lambda: lazy.click(x, y)),
            (f"a click at {x}, {y}", lambda: lazy.click(x, y)),
            (f"a right click at {x}, {y}", lambda: lazy.click(x, y, arcade.MOUSE_BUTTON_RIGHT)),
            (f"pulling from {x}, {y}", lambda: self.pull(x, y)),
            (f"the wheel at {x}, {y}", lambda: lazy.do("on_mouse_scroll", x, y, 0, chance.choice((-1, 1)))),
            (f"the key {key}", lambda: self.press(key)),
            (f"the key {key}", lambda: self.press(key)),
            ("a letter", lambda: lazy.do("on_text", chance.choice("rome"))),
            ("a notice", lambda: lazy.app.toast(chance.choice(("Ave!", "Vale!")), "plain")),
        ]
        words, deed = chance.choice(deeds)
        deed()
        return words

    def press(self, key: int) -> None:
        self.lazy.do("on_key_press", key, 0)
        self.lazy.do("on_key_release", key, 0)

    def pull(self, x: float, y: float) -> None:
        self.lazy.do("on_mouse_press", x, y, arcade.MOUSE_BUTTON_LEFT, 0)
        self.lazy.do("on_mouse_drag", x + 40, y - 30, 40, -30, arcade.MOUSE_BUTTON_LEFT, 0)
        self.lazy.do("on_mouse_release", x + 40, y - 30, arcade.MOUSE_BUTTON_LEFT, 0)


@pytest.mark.long
@pytest.mark.parametrize("seed", with_releases(range(6), 0))
@pytest.mark.parametrize("game", with_releases(RULESETS, "cote2"))
def test_the_table_never_shows_what_was(lazy: Lazy, painted: arcade.Window, game: str, seed: int) -> None:
    chance = Random(seed)
    match = played(RULESETS[game], 60 + 10 * seed, seed)
    match.left = 90.0
    cat = Cat(lazy, chance)
    lazy.lay(match)
    heard = 0
    deeds = 30 if seed else 18
    for _ in range(deeds):
        if not isinstance(lazy.app.screen, TableScreen | HelpScreen):
            lazy.lay(match)
        words = cat.step()
        if chance.random() < 0.35 and match.step():
            words += ", then a step of the match"
        if match.owed() and chance.random() < 0.3:
            match.seat = chance.choice(match.owed())
            match.version += 1
        if match.version != heard:
            heard = match.version
            lazy.arrive()
        match.left -= chance.random()
        while lazy.tick(chance.choice((FRAME, RESTING, 0.4))):
            pass
        assert_true(lazy, painted, words)
    assert match.version > 60
    assert lazy.draws > deeds


@pytest.mark.long
@pytest.mark.parametrize("seed", with_releases([0, 1], 0))
def test_no_screen_shows_what_was(lazy: Lazy, painted: arcade.Window, seed: int) -> None:
    chance = Random(seed)
    cat, go = Cat(lazy, chance), lazy.app.go
    ways: list[Callable[[], object]] = [
        go.menu, lambda: go.create("play"), lambda: go.create("host"), lambda: go.connect(watch=True), go.help,
        go.credits, go.settings,
    ]  # fmt: skip
    for way in ways:
        way()
        lazy.pace.stir()
        for _ in range(6):
            there = lazy.app.screen
            words = cat.step()
            while lazy.tick(chance.choice((FRAME, RESTING, 0.4))):
                pass
            assert_true(lazy, painted, words)
            if lazy.app.screen is not there:
                break


EVENING = """
import os
os.environ["ARCADE_HEADLESS"] = os.environ["ARCADE_TEST"] = "True"  # No screen, and a single turn of the loop.

from client.player.settings import Settings
from client.window import GameWindow

drawn = []

class Counted(GameWindow):
    def on_draw(self):
        drawn.append(1)
        super().on_draw()

window = Counted()

def frames(count):
    del drawn[:]
    for _ in range(count):
        window.on_update(1 / 60)
        window.draw(1 / 60)
        window.dispatch_events()  # Until the loop runs they wait in a queue.
    return len(drawn)

def begin(go):
    frames(10)
    found = [frames(60)]
    window.dispatch_event("on_mouse_motion", 200, 300, 1, 1)
    found.append(frames(10))
    window.dispatch_event("on_hide")
    window.dispatch_event("on_resize", 1400, 900)
    found.append(frames(10))
    window.dispatch_event("on_show")
    found.append(frames(10))
    print(*found)

window.live(Settings(name="Livia"), begin)
"""


@pytest.mark.long
def test_the_real_window_draws_once_for_each_event(tmp_path: Path) -> None:
    env = os.environ | {"PYTHONPATH": str(ROOT), "CONQUEST_HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", EVENING], cwd=tmp_path, env=env, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["0", "1", "0", "1"]

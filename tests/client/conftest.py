"""Fixtures for all tests of the client: one headless window, a real server, and helpers for both."""

import ctypes
import gc
import os
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Protocol

import pytest

os.environ["ARCADE_HEADLESS"] = "True"
os.environ.setdefault("PYGLET_DEBUG_GL", "false")  # As the program does, which is imported only after the library.

import arcade
import arcade.text
from pyglet import gl

from client.app import App
from client.drawing import theme
from client.player.settings import BOT_PAUSES, USUAL_PAUSE, Settings
from client.screens.base import ScreenStage
from shared.ids import NATURE
from tests.support.forks import FORKING, ForkedServer

SHOTS = Path(__file__).parent.parent / "shots"


# Looks for a file of that name for each text, a tenth of the time to make one. The fonts of the game are no such files.
arcade.text._attempt_font_name_resolution = cache(arcade.text._attempt_font_name_resolution)


def memory(call: str, *values: int) -> None:
    """Ask the C library to give memory back, where it can: without a graphics card textures are in ours, with the small
    things of Python between them."""
    if sys.platform == "linux" and hasattr(library := ctypes.CDLL(None), call):
        getattr(library, call)(*values)


@pytest.fixture(scope="session")
def window() -> Iterator[arcade.Window]:
    """The one window; it costs half a second, and some drivers allow no second one."""
    memory("mallopt", -3, 1 << 19)  # M_MMAP_THRESHOLD: what is larger goes back as soon as it is freed.
    made = arcade.Window(*theme.BASE_SIZE, "tests", antialiasing=False)  # As the game's own.
    yield made
    made.close()


@pytest.fixture(scope="module", autouse=True)
def _tidied() -> Iterator[None]:
    """Free the objects of a file of tests before the next one makes as many."""
    yield
    gc.collect()
    memory("malloc_trim", 0)


@pytest.fixture(scope="session")
def painted(window: arcade.Window) -> arcade.Window:
    """The window, for a test that looks at what it shows."""
    return window


@pytest.fixture(autouse=True)
def _seeded_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server with a seed rolls the same again, if only its clients add the same, too: matches in which the hands of
    the tests come to do everything."""
    monkeypatch.setattr("client.network.server_access.number", lambda: bytes([3]) * 32)


def _place_no_letters(*_: object) -> None:
    """Take the place of `_GlyphBox.place`: a text is measured, but it has nothing to draw."""


@pytest.fixture(autouse=True)
def _unseen(
    request: pytest.FixtureRequest, pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """Draw without pixels in tests that look at no picture: without a graphics card pixels take most of the time.

    Texts get no vertices, which take half of the time to make one. Images and texts that are cached lack pixels from
    then on, so the tests that look at pictures come first."""
    seen = "painted" in request.fixturenames or pytestconfig.getoption("pictures")
    if "window" not in request.fixturenames or seen:
        yield
        return
    request.getfixturevalue("window")
    gl.glEnable(gl.GL_RASTERIZER_DISCARD)
    monkeypatch.setattr("pyglet.text.layout.base._GlyphBox.place", _place_no_letters)
    yield
    gl.glDisable(gl.GL_RASTERIZER_DISCARD)


@pytest.fixture(autouse=True)
def _hasty_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let tests of the whole program look at no bot for longer than they need."""
    monkeypatch.setitem(BOT_PAUSES, USUAL_PAUSE, 0.0)


@pytest.fixture(autouse=True)
def forked_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let programs that the client starts fork from the tests' fork server."""
    monkeypatch.setattr("client.network.server_process.subprocess", FORKING)
    monkeypatch.setattr("client.network.orphaned_matches.subprocess", FORKING)
    monkeypatch.setattr("client.table.odds_worker.subprocess", FORKING)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of the user's own for each test."""
    monkeypatch.setenv("CONQUEST_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture(autouse=True)
def _as_before(request: pytest.FixtureRequest) -> Iterator[None]:
    """After a test everything has its size again, and the driver has let go of what was drawn.

    An error of the graphics library fails the test. The library keeps it until it is asked: to ask after each call, as
    pyglet does with `PYGLET_DEBUG_GL=true`, takes a fifth of the time, but names the call."""
    yield
    theme.enlarge()
    theme.set_palette("")
    theme.set_window(*theme.BASE_SIZE)
    if "window" in request.fixturenames:
        window = request.getfixturevalue("window")
        shown(window)
        assert window.ctx.error is None, "PYGLET_DEBUG_GL=true names the call"


def shown(window: arcade.Window) -> None:
    """Finish a frame. Without a screen only this makes the driver free what it has drawn."""
    window.flip()
    window.ctx.finish()


@pytest.fixture
def app(window: arcade.Window) -> Iterator[App]:
    """The program on its menu, with settings that are kept nowhere."""
    made = App(window, Settings(name="Livia"))
    yield made
    made.close()


@pytest.fixture
def other(window: arcade.Window) -> Iterator[App]:
    """A friend's program."""
    made = App(window, Settings(name="Marcus"))
    yield made
    made.close()


def until(app: App, reached: Callable[[], object], seconds: float = 30.0) -> None:
    """Let the program live until something is the case; fails where it never is."""
    end = time.monotonic() + seconds
    while not reached():
        assert time.monotonic() < end, f"never came about; said: {app.toasts.words}, shown: {app.screen}"
        app.on_update(1 / 60)
        time.sleep(0.002)


def at_the_board(app: App) -> bool:
    """Whether the table is shown with the match on it."""
    return app.screen.part is ScreenStage.TABLE and app.remote.match is not None and app.remote.match.view is not None


def has_begun(app: App) -> bool:
    """Return whether the board shows a match whose first dice have fallen: before that no seat owes a decision."""
    return at_the_board(app) and app.remote.match is not None and NATURE not in app.remote.match.owed()


class Photograph(Protocol):
    """Takes a picture of the window as it is; where pictures are wanted, it is kept for people to look at."""

    def __call__(self, name: str) -> None: ...


@pytest.fixture(scope="session")
def photograph(painted: arcade.Window, pytestconfig: pytest.Config) -> Photograph:
    """See there."""
    window = painted
    wanted = pytestconfig.getoption("pictures")

    def take(name: str) -> None:
        image = arcade.get_image(0, 0, window.width, window.height).convert("RGB")
        assert image.getcolors(1) is None, "nothing was drawn"
        if wanted:
            SHOTS.mkdir(exist_ok=True)
            image.save(SHOTS / f"{name}.png")
        shown(window)

    return take


class Shoot(Protocol):
    """Draws what is shown and takes a picture of it."""

    def __call__(self, app: App, name: str) -> None: ...


@pytest.fixture(scope="session")
def shoot(photograph: Photograph) -> Shoot:
    """See there."""

    def take(app: App, name: str) -> None:
        app.on_update(0.4)
        app.on_draw()
        photograph(name)

    return take


class Server:
    """A server process of a test."""

    def __init__(self, data: Path, port: int = 0, *more: str) -> None:
        self.data = data
        self._process = ForkedServer(data, "--port", str(port), "--seed", "7", *more)
        self._process.begin()
        self.port = int(self._process.url.rpartition(":")[2])

    @property
    def address(self) -> str:
        """Address as a player would type it."""
        return f"127.0.0.1:{self.port}"

    def kill(self) -> None:
        """End it without a goodbye."""
        self._process.end()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server of the test's own."""
    made = Server(tmp_path / "server")
    yield made
    made.kill()

"""Programs that need no Python are made and used: the server serves, and the game plays in a window."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PIL import Image, ImageGrab, ImageStat

from tests.support.screens import screen
from tests.support.wheels import copied, run

pytestmark = [
    pytest.mark.exhaustive,
    pytest.mark.timeout(900),
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="made on Linux"),
]
BARE = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
"""An environment that knows of no Python."""


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the folder from the files that git knows."""
    home = tmp_path_factory.mktemp("programs")
    copied(home / "source")
    command = (sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "ERROR")
    where = ("--distpath", str(home / "dist"), "--workpath", str(home / "work"))
    run(*command, *where, "deploy/desktop/conquest.spec", cwd=home / "source")
    return home / "dist" / "conquest"


@contextmanager
def started(*command: str | Path, home: Path, **env: str) -> Iterator[subprocess.Popen[str]]:
    """Start a program with an environment of its own; end it afterwards."""
    process = subprocess.Popen(
        command, cwd=home, env=BARE | {"HOME": str(home)} | env, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.PIPE,
    )  # fmt: skip
    try:
        yield process
    finally:
        process.terminate()
        process.wait(30)


def test_a_match_is_played_without_python(programs: Path, tmp_path: Path) -> None:
    told = subprocess.run(
        [programs / "conquest-server", "demo", "--ruleset", "classic", "--rounds", "1", "--seed", "1", "--json"],
        cwd=tmp_path, env=BARE | {"HOME": str(tmp_path)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert told.returncode == 0, told.stdout + told.stderr


def test_the_libraries_of_this_python_stay_at_home(programs: Path) -> None:
    assert not list(programs.rglob("*workshop*")) and not list(programs.rglob("mypy*"))
    within = programs / "_internal"
    assert (within / "client" / "assets" / "board.jpg").exists()
    assert list((within / "anyascii").rglob("*")), "names in scripts without a font are read by it"


@pytest.mark.skipif(shutil.which("Xvfb") is None, reason="needs Xvfb")
def test_the_game_opens_its_window_and_bots_play(programs: Path, tmp_path: Path) -> None:
    """Wait until the window shows the table: the game has started its server, and that has started bots."""
    with (
        screen(1280, 800) as display,
        started(
            programs / "conquest",
            "play",
            "--ruleset",
            "mb1984",
            home=tmp_path,
            DISPLAY=display,
            LIBGL_ALWAYS_SOFTWARE="1",
        ) as game,
    ):
        while not (_is_table(ImageGrab.grab(xdisplay=display)) and "server.bots.worker" in _offspring(game.pid)):
            assert game.poll() is None, game.stdout and game.stdout.read()


def _is_table(picture: Image.Image) -> bool:
    """Whether the sea of the board is there, where it always is, and the panel beside it."""
    red, green, blue = ImageStat.Stat(picture.convert("RGB").crop((430, 440, 470, 470))).mean
    return blue > red + 20 and green > red


def _offspring(pid: int) -> str:
    """Return the commands of a process's children and of their children."""
    found = ""
    for thread in Path(f"/proc/{pid}/task").iterdir():
        for each in (thread / "children").read_text().split():
            found += Path(f"/proc/{each}/cmdline").read_text().replace("\0", " ") + _offspring(int(each))
    return found

"""The built wheel, in an empty environment far from the source tree, plays and draws."""

import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.support.marks import with_releases
from tests.support.wheels import built, run

DATA = {
    "shared/data/board.json",
    "shared/data/cote2.json",
    "conquest/outlines.json",
    "conquest/README.md",
    "conquest/py.typed",
    "client/assets/map.json",
    "client/assets/board.jpg",
    "client/assets/CREDITS.md",
    "client/language/de/client.po",
    "client/assets/sounds/trumpet.wav",
    "shared/rulesets/classic/RULINGS.md",
    "shared/py.typed",
    "server/web/files/index.html",
    "server/web/files/styles/base.css",
    "server/web/files/world.json",
    "server/web/files/main.js",
    "server/web/files/view/map.js",
    "server/web/files/icon.svg",
    "server/web/files/painting.webp",
}
WORKSHOPS = ("client/workshop",)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def commands(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the commands of an environment with only the wheel and its requirements."""
    home = tmp_path_factory.mktemp("empty")
    run(sys.executable, "-m", "venv", str(home / "venv"), cwd=home)
    python = home / "venv" / "bin" / "python"
    run(python, "-m", "pip", "install", "-q", "--no-compile", f"{wheel}[all]", cwd=home)
    return python.parent


@pytest.mark.long
@pytest.mark.timeout(600)
def test_the_wheel_has_the_data_and_not_the_workshop(wheel: Path) -> None:
    assert wheel.name.endswith("-py3-none-any.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    assert names >= DATA
    assert not [name for name in names if name.startswith(("tests/", "deploy/", *WORKSHOPS))]
    assert not [name for name in names if name.endswith(".csv") or name.startswith("server/library/")]
    assert {name.partition("/")[0] for name in names if "dist-info" not in name} == {
        "conquest", "shared", "protocol", "server", "client",
    }  # fmt: skip


LIBRARY = """
import conquest
from protocol import record
game, bots = conquest.new("classic", seats=2, seed=1), [conquest.player("normal", seed=seat) for seat in range(2)]
for _ in range(40):
    game.play(bots[game.to_move].decide(game.observe(game.to_move), game.legal()))
game.record().save("match.conquest")
print(game.view.round, conquest.verify("match.conquest").rules, conquest.svg(game)[:4])
try:
    record.signed(bytes(32), bytes(32), bytes(64))
except ImportError as error:
    print(error)
"""


@pytest.mark.long
@pytest.mark.timeout(600)
def test_the_library_needs_msgspec_alone(wheel: Path, tmp_path: Path) -> None:
    run(sys.executable, "-m", "venv", str(tmp_path / "venv"), cwd=tmp_path)
    python = tmp_path / "venv" / "bin" / "python"
    run(python, "-m", "pip", "install", "-q", "--no-compile", str(wheel), cwd=tmp_path)
    installed = json.loads(run(python, "-m", "pip", "list", "--format", "json", cwd=tmp_path))
    assert {each["name"] for each in installed} <= {"conquest-empire", "msgspec", "pip", "setuptools"}
    told = run(python, "-c", LIBRARY, cwd=tmp_path)
    assert " True <svg" in told and "pip install 'conquest-empire[verify]'" in told
    for command, extra in (("conquest", "client"), ("conquest-server", "server")):
        needed = subprocess.run([python.parent / command], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert needed.returncode and f"pip install 'conquest-empire[{extra}]'" in needed.stderr


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("game", with_releases(["classic", "mb1984", "cote2"], "cote2"))
def test_the_installed_client_draws_every_game(commands: Path, tmp_path: Path, game: str) -> None:
    picture = tmp_path / "table.png"
    run(commands / "conquest", "shot", "--ruleset", game, "--out", str(picture), "--size", "1024x680", cwd=tmp_path)
    assert picture.read_bytes().startswith(b"\x89PNG") and picture.stat().st_size > 100_000


@pytest.mark.long
@pytest.mark.timeout(900)
def test_the_installed_server_plays_over_real_sockets(commands: Path, tmp_path: Path) -> None:
    told: dict[str, Any] = json.loads(
        run(commands / "conquest-server", "demo", "--players", "3", "--rounds", "2", "--json", cwd=tmp_path)
    )
    assert told["finished"] and told["viewers_in_sync"] == told["viewers"] > 0


@pytest.mark.long
@pytest.mark.timeout(900)
def test_the_installed_server_has_the_page_for_browsers(commands: Path, tmp_path: Path) -> None:
    told = run(commands / "python", "-c", "from server.web.site import site; print(*site())", cwd=tmp_path)
    assert {"/", "/watch"} <= set(told.split())
    assert len(told.split()) > 5

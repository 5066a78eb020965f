"""Pictures of the table without a screen, as the command line makes them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from shared.rulesets.registry import RULESETS


def shot(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run `conquest shot`, in a process of its own: it opens a window of its own."""
    bare = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "ARCADE_HEADLESS")}
    command = [sys.executable, "-m", "client", "shot", *arguments]
    return subprocess.run(command, env=bare, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.exhaustive
@pytest.mark.parametrize("game", RULESETS)
def test_a_picture_is_written_and_the_same_each_time(game: str, tmp_path: Path) -> None:
    pictures = []
    for name in ("one.png", "two.png"):
        out = tmp_path / name
        wanted = ("--ruleset", game, "--players", "3", "--seed", "7", "--after", "40", "--size", "1280x800")
        done = shot(*wanted, "--out", str(out))
        assert done.returncode == 0, done.stderr
        assert "after 40 decisions" in done.stdout
        with Image.open(out) as image:
            assert image.size == (1280, 800)
            assert len(image.getcolors(1 << 24) or ()) > 2000, "more than an empty window"
            pictures.append(image.tobytes())
    assert pictures[0] == pictures[1]


@pytest.mark.long
def test_too_small_a_picture_is_refused_in_words(tmp_path: Path) -> None:
    done = shot("--size", "200x100", "--out", str(tmp_path / "small.png"))
    assert done.returncode == 2
    assert "at least" in done.stderr

"""The page tells the outcome of a battle only after its dice were shown."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

NODE = shutil.which("node")
HERE = Path(__file__).parent
SHOWING = HERE.parents[1] / "server" / "web" / "files" / "model" / "showing.js"


@pytest.mark.skipif(NODE is None, reason="no Node.js on this machine")
def test_words_wait_until_the_dice_were_shown_or_skipped() -> None:
    assert NODE is not None
    done = subprocess.run(
        [NODE, HERE / "showing.mjs", SHOWING], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    told_and_staged = [[1, 1], [2, 2], [2, 3], [2, 3], [4, 4], [5, 6], [6, 6], [5, 5], [6, 6], [40, 40]]
    assert json.loads(done.stdout) == {"seen": told_and_staged, "drawn": 2, "waiting": 0}

"""The page sends each decision once, in whatever order the answer and the new version come."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

NODE = shutil.which("node")
HERE = Path(__file__).parent
CHOICES = HERE.parents[1] / "server" / "web" / "files" / "model" / "choices.js"


@pytest.mark.skipif(NODE is None, reason="no Node.js on this machine")
def test_a_decision_is_over_until_its_version_is_followed() -> None:
    assert NODE is not None
    done = subprocess.run(
        [NODE, HERE / "choices.mjs", CHOICES], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {"sent": 3, "busy": [True, False, True, False]}

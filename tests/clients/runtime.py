"""Node.js, if this computer has a version that is new enough for the JavaScript clients."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest

OLDEST: Final = 20
"""First version with all functions that the clients use."""


def answer(*arguments: str | Path) -> Any:
    """Run Node with these arguments, which must succeed, and return its output, decoded from JSON."""
    done = subprocess.run([NODE, *arguments], capture_output=True, encoding="utf-8", timeout=100, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def found() -> str:
    """Return the path of `node`; "" if it is missing or too old."""
    path = shutil.which("node")
    if path is None:
        return ""
    said = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout
    major = said.strip().removeprefix("v").partition(".")[0]
    return path if major.isdecimal() and int(major) >= OLDEST else ""


NODE: Final = found()
needs_node = pytest.mark.skipif(not NODE, reason=f"there is no Node {OLDEST} or newer on this computer")

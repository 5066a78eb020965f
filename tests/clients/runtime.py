"""Node.js, if this computer has a version that is new enough for the JavaScript clients."""

import shutil
import subprocess
from typing import Final

import pytest

OLDEST: Final = 20
"""First version with all functions that the clients use."""


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

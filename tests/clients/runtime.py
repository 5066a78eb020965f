"""Node, where this computer has one that is new enough for the clients in JavaScript."""

import shutil
import subprocess
from typing import Final

import pytest

OLDEST: Final = 20
"""The first version that has all that they use."""


def found() -> str:
    """Its path, "" where there is none or an older one."""
    path = shutil.which("node")
    if path is None:
        return ""
    said = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout
    major = said.strip().removeprefix("v").partition(".")[0]
    return path if major.isdecimal() and int(major) >= OLDEST else ""


NODE: Final = found()
needs_node = pytest.mark.skipif(not NODE, reason=f"there is no Node {OLDEST} or newer on this computer")

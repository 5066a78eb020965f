"""Where this program keeps files of the user."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def folder() -> Path:
    """Where this program may keep files of the user."""
    if chosen := os.environ.get("CONQUEST_HOME"):
        return Path(chosen)
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA", home / "AppData" / "Roaming")) / "Conquest"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "Conquest"
    return Path(os.environ.get("XDG_DATA_HOME", home / ".local" / "share")) / "conquest"


def settings_file() -> Path:
    """What the player chose before."""
    return folder() / "settings.json"

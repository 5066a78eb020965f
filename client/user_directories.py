"""Folders for the user's files."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def folder() -> Path:
    """Return the folder for the user's files; `CONQUEST_HOME` overrides it."""
    if chosen := os.environ.get("CONQUEST_HOME"):
        return Path(chosen)
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA", home / "AppData" / "Roaming")) / "Conquest"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "Conquest"
    return Path(os.environ.get("XDG_DATA_HOME", home / ".local" / "share")) / "conquest"


def settings_file() -> Path:
    """Return the path of the settings file."""
    return folder() / "settings.json"

"""Folders for the user's files."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import platformdirs


def folder() -> Path:
    """Return the folder for the user's files; `CONQUEST_HOME` overrides it."""
    if chosen := os.environ.get("CONQUEST_HOME"):
        return Path(chosen)
    if sys.platform not in ("win32", "darwin"):
        return platformdirs.user_data_path("conquest")
    former = _former()
    return former if former.is_dir() else platformdirs.user_data_path("Conquest", appauthor=False, roaming=True)


def _former() -> Path:
    """Return the folder of version 0.1. The library ignores %APPDATA%, and it follows XDG_DATA_HOME on macOS too."""
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA", home / "AppData" / "Roaming")) / "Conquest"
    return home / "Library" / "Application Support" / "Conquest"


def settings_file() -> Path:
    """Return the path of the settings file."""
    return folder() / "settings.json"

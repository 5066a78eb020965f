"""Folders for the user's files."""

import errno
import os
import sys
import tempfile
from pathlib import Path

import platformdirs


def folder() -> Path:
    """Return the folder for the user's files; `CONQUEST_HOME` overrides it."""
    if chosen := os.environ.get("CONQUEST_HOME"):
        return Path(chosen)
    if sys.platform not in ("win32", "darwin"):
        try:
            return platformdirs.user_data_path("conquest")
        except RuntimeError:  # The user has no home.
            return Path(os.devnull) / "conquest"
    former = _former()
    return former if former.is_dir() else platformdirs.user_data_path("Conquest", appauthor=False, roaming=True)


def _former() -> Path:
    """Return the folder of version 0.1. The library ignores %APPDATA%, and it follows XDG_DATA_HOME on macOS too."""
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA", home / "AppData" / "Roaming")) / "Conquest"
    return home / "Library" / "Application Support" / "Conquest"


def make_folder() -> str:
    """Make the folder for the user's files. If that fails, use a temporary one; return why and which, else "".

    Raises OSError if there is no temporary one either.
    """
    try:
        folder().mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryFile(dir=folder()) as probe:
            # A full disk lets a file be made, but not filled.
            probe.write(bytes(4096))
    except OSError as error:
        why = f"{folder()}: {error.strerror}"
        os.environ["CONQUEST_HOME"] = tempfile.mkdtemp(prefix="conquest-")
        return f"{why}. Seats, matches and settings are kept in {folder()} this time."
    return ""


def read_small(path: Path) -> bytes:
    """Return the beginning of a file, as much as these files have. Raises OSError, also for what may never end."""
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), str(path))
    with path.open("rb") as file:
        return file.read(1 << 20)


def settings_file() -> Path:
    """Return the path of the settings file."""
    return folder() / "settings.json"

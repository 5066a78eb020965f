"""What this player chose before: name, server, seats to come back to. One small file in the user's own folder."""

from __future__ import annotations

import contextlib
import getpass
import os
import sys
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

PRIVATE: Final = "private"
"""Address of seats at the server that `conquest play` starts."""
HOSTED: Final = "hosted"
"""Address of seats at the server that `conquest host` starts."""


class SavedSeat(Struct):
    """A seat to come back to. `address` is what was typed, or PRIVATE or HOSTED."""

    address: str
    match: str
    token: bytes
    title: str = ""


class Settings(Struct, omit_defaults=True):
    """See the module's docstring; `file` is where it is kept (None: nowhere)."""

    name: str = ""
    address: str = ""
    seat: SavedSeat | None = None
    file: str | None = None

    def keep(self, seat: SavedSeat) -> None:
        """Remember a seat to come back to."""
        self.seat = seat
        self.save()

    def forget(self, address: str) -> None:
        """There is no seat to come back to at that server."""
        if self.seat is not None and self.seat.address == address:
            self.seat = None
            self.save()

    def entitle(self, match: str, title: str) -> None:
        """The table of the seat that is kept is called so."""
        if self.seat is not None and self.seat.match == match and self.seat.title != title:
            self.seat.title = title
            self.save()

    def save(self) -> None:
        """Keep it for the next time; a folder that cannot be written is no reason to stop."""
        if self.file is None:
            return
        path = Path(self.file)
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            fresh = path.with_suffix(".new")
            fresh.touch(mode=0o600)  # The token of a seat is nobody else's business.
            kept = replace(self, file=None)
            fresh.write_bytes(msgspec.json.format(msgspec.json.encode(kept)))
            fresh.replace(path)


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


def load() -> Settings:
    """The settings of the user; fresh ones where there are none or they cannot be read."""
    path = folder() / "settings.json"
    settings = Settings()
    with contextlib.suppress(OSError, msgspec.MsgspecError):
        settings = msgspec.json.decode(path.read_bytes(), type=Settings)
    settings.file = str(path)
    settings.name = settings.name or _login()
    return settings


def _login() -> str:
    try:
        name = getpass.getuser()
    except (OSError, KeyError, ImportError):
        name = ""
    return name[:24].capitalize() if name not in ("", "root") else "Caesar"

"""Settings of this player, such as name, server and volumes, in one small file in the user's own folder."""

from __future__ import annotations

import contextlib
import getpass
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from client.language import _
from client.player.display_settings import DisplaySettings
from client.player.files import put_aside, write_whole
from client.player.hints import Hints
from client.player.play_settings import PlaySettings
from client.player.profiles import Profiles
from client.player.seats import SavedSeat, Seats
from client.player.sound_settings import SoundSettings
from client.user_directories import settings_file
from shared.tables import MAX_NAME, shortened

_STORED_NAMES: Final = {"sound_settings": "volumes", "play_settings": "manner", "display_settings": "looks"}
"""Names in the file of fields that were renamed: earlier versions' settings stay readable."""


class Settings(Struct, omit_defaults=True, rename=_STORED_NAMES):
    """Settings; `file`: their path (None: not saved), `damaged`: message about an unreadable file.

    `language`: code of the program's language; empty for the system's. `listens`: whether to show the spectators' chat
    to the player. `known`: whether the player has profiles on servers. `keys`: changed keys, in the form of
    `Keys.kept`. `guessed`: whether the name is only the login name, which the player has not confirmed. `seat`: the
    only seat that earlier versions saved, until `seats_of` takes it over. `certificate`, `key`, `domain`: files and
    name for TLS of a server that we host for friends elsewhere, as of `conquest host`; "" for none. `solved`: keys of
    the solved problems.
    """

    name: str = ""
    address: str = ""
    language: str = ""
    listens: bool = False
    known: bool = True
    keys: dict[str, list[str]] = field(default_factory=dict)
    sound_settings: SoundSettings = field(default_factory=SoundSettings)
    play_settings: PlaySettings = field(default_factory=PlaySettings)
    hints: Hints = field(default_factory=Hints)
    display_settings: DisplaySettings = field(default_factory=DisplaySettings)
    seat: SavedSeat | None = None
    solved: list[str] = field(default_factory=list)
    file: str | None = None
    damaged: str = ""
    guessed: bool = False
    certificate: str = ""
    key: str = ""
    domain: str = ""

    def tls(self) -> tuple[str, ...]:
        """Return the options of our server for TLS."""
        given = {"--certificate": self.certificate, "--key": self.key, "--public": self.domain}
        return tuple(f"{option}={value}" for option, value in given.items() if value and self.certificate)

    @property
    def _is_offered(self) -> bool:
        """Whether the player has neither confirmed nor changed the name that was offered."""
        return self.guessed and self.name == login_name()

    def keep_name(self, name: str) -> None:
        """Use a name that the player has confirmed from now on."""
        self.name, self.guessed = name, False
        self.save()

    def keep_solved(self, key: str) -> None:
        """Note that the player has solved a problem."""
        if key not in self.solved:
            self.solved.append(key)
            self.save()

    def save(self) -> None:
        """Save them for the next time; a folder that cannot be written does not stop the program."""
        if self.file is None:
            return
        kept = replace(self, file=None, damaged="", name="" if self._is_offered else self.name, guessed=False)
        with contextlib.suppress(OSError):
            write_whole(Path(self.file), msgspec.json.format(msgspec.json.encode(kept)))


def load() -> Settings:
    """Return the user's settings; defaults if there are none or they are unreadable."""
    path = settings_file()
    settings = Settings()
    try:
        settings = msgspec.json.decode(path.read_bytes(), type=Settings)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        aside = put_aside(path)
        settings.damaged = _(
            "The settings could not be read and were reset. The old file is {file}.", file=aside or path.name
        )
    except OSError:
        pass  # There are no settings yet.
    settings.file = str(path)
    settings.guessed = not settings.name
    settings.name = settings.name or login_name()
    return settings


def seats_of(settings: Settings) -> Seats:
    """Return the seats beside the settings' file, with the one that an earlier version saved in the settings."""
    seats = Seats(None if settings.file is None else Path(settings.file).parent / "seats")
    if settings.damaged:
        seats.words.append(settings.damaged)
    if settings.seat is not None:
        with contextlib.suppress(OSError):  # It is tried again next time.
            seats.keep(settings.seat)
            settings.seat = None
            settings.save()
    return seats


def profiles_of(settings: Settings) -> Profiles:
    """Return the profiles beside the settings' file."""
    return Profiles(None if settings.file is None else Path(settings.file).parent / "profiles")


def login_name() -> str:
    """Return the login name as a name to offer; where it says nothing of a person, a neutral one."""
    try:
        name = getpass.getuser()
    except (OSError, KeyError, ImportError):
        name = ""
    return shortened(name, MAX_NAME).capitalize() if name not in ("", "root") else _("Player")

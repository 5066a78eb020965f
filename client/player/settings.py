"""Settings of this player, such as name, server, display and volumes, in one small file in the user's own folder."""

import contextlib
import getpass
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from client.language import _
from client.player.files import Damaged, read_own, write_whole
from client.player.hints import Hints
from client.player.profiles import Profiles, place_of
from client.player.seats import HOSTED, SavedSeat, Seats
from client.user_directories import settings_file
from shared.tables import MAX_NAME, shortened

SIZES: Final = (100, 125, 150, 175)
"""Sizes of texts in percent."""
PALETTES: Final = ("", "deuteranopia", "protanopia", "tritanopia")
"""Palettes for the owners' colours: the usual one, and one for each of three kinds of colour blindness."""


class DisplaySettings(Struct, omit_defaults=True):
    """Display settings.

    `size`: one of SIZES. `palette`: one of PALETTES. `full`: whether the window fills the screen.
    """

    size: int = SIZES[0]
    palette: str = PALETTES[0]
    full: bool = False

    @property
    def share(self) -> float:
        """Factor by which texts are larger than usual; 1 if the file has an invalid size."""
        return self.size / SIZES[0] if self.size in SIZES else 1.0

    def reset(self) -> None:
        """Restore the defaults."""
        self.size, self.palette, self.full = SIZES[0], PALETTES[0], False


LOUDEST: Final = 100
"""Volume at which a sound was recorded."""
_USUAL: Final = 80
"""Default overall volume; sounds differ in loudness by their recordings."""


class SoundSettings(Struct, omit_defaults=True):
    """Volumes from 0 to LOUDEST: of all sounds, and of each by its name; unnamed ones are at LOUDEST."""

    muted: bool = False
    all: int = _USUAL
    each: dict[str, int] = field(default_factory=dict)

    def of(self, name: str) -> int:
        """Return the volume of a sound relative to the others."""
        return _within(self.each.get(name, LOUDEST))

    def set(self, name: str, volume: int) -> None:
        """Set the volume of a sound."""
        self.each[name] = _within(volume)
        if self.each[name] == LOUDEST:
            del self.each[name]

    def gain(self, name: str) -> float:
        """Return the factor for a sound's samples; it is squared, because a quarter sounds half as loud."""
        share = 0.0 if self.muted else self.of(name) * _within(self.all) / LOUDEST**2
        return share**2

    def reset(self) -> None:
        """Restore the defaults."""
        self.muted, self.all, self.each = False, _USUAL, {}


def _within(volume: int) -> int:
    """Return the volume within its limits; the file may hold any number."""
    return min(LOUDEST, max(0, volume))


PACES: Final = {"off": 0.0, "quick": 2.5, "normal": 1.0, "slow": 0.6}
"""Speed of animations as a factor; 0: none are shown."""
USUAL_PACE: Final = "normal"
BOT_PAUSES: Final = {"none": 0.0, "short": 0.4, "normal": 0.9, "long": 1.8}
"""Seconds for which the table shows what a bot did before it shows more."""
USUAL_PAUSE: Final = "normal"


class PlaySettings(Struct, omit_defaults=True):
    """Settings at the table.

    `pace`: one of PACES. `others`: whether battles without this player are shown. `still`: nothing moves, but texts
    stay as long as usual. `ending`, `dooming`: whether to ask before ending a phase with something undone, and before
    giving up an army. `bots`: one of BOT_PAUSES.
    """

    pace: str = USUAL_PACE
    others: bool = True
    still: bool = False
    ending: bool = True
    dooming: bool = True
    bots: str = USUAL_PAUSE

    @property
    def speed(self) -> float:
        """Speed of animations; the usual one if the file has an invalid value."""
        return PACES.get(self.pace, PACES[USUAL_PACE])

    @property
    def bot_pause(self) -> float:
        """Seconds for which something that a bot did is shown; the usual ones if the file has an invalid value."""
        return BOT_PAUSES.get(self.bots, BOT_PAUSES[USUAL_PAUSE])

    @property
    def moves(self) -> bool:
        """Whether anything moves."""
        return bool(self.speed) and not self.still

    def reset(self) -> None:
        """Restore the defaults."""
        self.pace, self.others, self.still, self.ending, self.dooming = USUAL_PACE, True, False, True, True
        self.bots = USUAL_PAUSE


MOST: Final = 8
"""Maximum number of offered servers."""


def known_servers(settings: "Settings", seats: Seats, profiles: Profiles) -> list[str]:
    """Return the addresses of other servers, the last used first, each once."""
    seated = sorted(seats.all(), key=lambda seat: -seat.seen)
    used = [seat.address for seat in seated if not seat.private and seat.address != HOSTED]
    addresses = [settings.address, *used, *(profile.address for profile in profiles.all())]
    found: dict[str, str] = {}
    for address in addresses:
        if address and address != HOSTED:
            found.setdefault(place_of(address), address)
    return list(found.values())[:MOST]


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
        # A name that was only offered is not stored, so that it is offered again.
        stored = replace(self, file=None, damaged="", name="" if self._is_offered else self.name, guessed=False)
        with contextlib.suppress(OSError):
            write_whole(Path(self.file), msgspec.json.format(msgspec.json.encode(stored)))


def load() -> Settings:
    """Return the user's settings; defaults if there are none or they are unreadable."""
    path = settings_file()
    settings = Settings()
    try:
        settings = read_own(path, Settings)
    except Damaged as aside:
        settings.damaged = _("The settings could not be read and were reset. The old file is {file}.", file=aside)
    except FileNotFoundError:
        pass  # There are no settings yet.
    settings.file = str(path)
    settings.guessed = not settings.name
    settings.name = shortened(settings.name, MAX_NAME) or login_name()
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


def profiles_of(settings: Settings, seats: Seats) -> Profiles:
    """Return the profiles beside the settings' file; their messages are among those of the seats."""
    return Profiles(None if settings.file is None else Path(settings.file).parent / "profiles", seats.words)


def login_name() -> str:
    """Return the login name as a name to offer; where it says nothing of a person, a neutral one."""
    try:
        name = getpass.getuser()
    except (OSError, KeyError, ImportError):
        name = ""
    return shortened(name, MAX_NAME).capitalize() if name not in ("", "root") else _("Player")

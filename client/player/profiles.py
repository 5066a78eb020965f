"""Profiles of this player on servers that they used: a secret for each, in files beside those of their seats."""

import contextlib
import hashlib
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from client.language import _
from client.player.files import Damaged, exclusive, read_own, write_whole
from client.player.match_status import ago
from shared.messages import Device

SECRET_BYTES: Final = 32
DISMISSED: Final = 200
"""Maximum number of remembered dismissed matches of a server."""
_END: Final = ".json"


class Profile(Struct, frozen=True, omit_defaults=True):
    """Profile of this player on a server.

    `address`: of the server, as typed. `secure`: the secret was made on an encrypted connection and is never sent over
    an unencrypted one. `dismissed`: matches that were left for good, which are not listed again.
    """

    address: str
    secret: Annotated[bytes, Meta(min_length=SECRET_BYTES, max_length=SECRET_BYTES)]
    secure: bool = False
    dismissed: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """Key of the server, the same for all spellings of its address."""
        return place_of(self.address)


def device_words(device: Device, now: float) -> str:
    """Return a device of a profile in words, with its last visit. `now`: seconds since 1970."""
    name = device.name or _("A device without a name")
    if device.here:
        return _("{device}: this device", device=name)
    return _("{device}, last here {ago}", device=name, ago=ago(now - device.seen, now)) if device.seen >= 0 else name


class Profiles:
    """Store of all profiles.

    `place`: their folder; None: kept in memory alone. `words`: messages for the player, which the store appends.
    """

    def __init__(self, place: Path | None = None, words: list[str] | None = None) -> None:
        self._place = place
        self._words = [] if words is None else words
        self._memory: dict[str, Profile] = {}

    def all(self) -> list[Profile]:
        """Return all profiles, by address; an unreadable file is renamed."""
        found = self._memory.values() if self._place is None else self._read_all(self._place)
        return sorted(found, key=lambda profile: profile.address)

    def of(self, address: str) -> Profile | None:
        """Return the profile for that server, None if there is none."""
        key = _key(address)
        if self._place is None:
            return self._memory.get(key)
        return self._read(self._place / (key + _END))

    def made(self, address: str, secure: bool) -> Profile:
        """Return the profile for that server, created if there is none. Raise OSError if it cannot be saved."""
        with self._exclusive():
            profile = self.of(address)
            if profile is None:
                # Under the lock: two windows must not give a server two secrets.
                profile = Profile(address, fresh_secret(), secure)
                self._put(profile)
        return profile

    def keep(self, profile: Profile) -> None:
        """Save a profile in place of the old one for that server. Raises OSError."""
        with self._exclusive():
            self._put(profile)

    def forget(self, address: str) -> None:
        """Forget the profile for a server, which it has deleted."""
        with contextlib.suppress(OSError), self._exclusive():
            self._memory.pop(_key(address), None)
            if self._place is not None:
                (self._place / (_key(address) + _END)).unlink(missing_ok=True)

    def dismiss(self, address: str, match: str) -> None:
        """Note that a match was left for good: it is not listed again, although the server knows the seat's owner."""
        with contextlib.suppress(OSError), self._exclusive():
            profile = self.of(address)
            if profile is not None:
                self._put(replace(profile, dismissed=(*profile.dismissed, match)[-DISMISSED:]))

    def _exclusive(self) -> contextlib.AbstractContextManager[None]:
        """Lock, so that reading and writing in one window is one step for all others."""
        return contextlib.nullcontext() if self._place is None else exclusive(self._place / ".lock")

    def _put(self, profile: Profile) -> None:
        key = _key(profile.address)
        if self._place is None:
            self._memory[key] = profile
        else:
            write_whole(self._place / (key + _END), msgspec.json.format(msgspec.json.encode(profile)))

    def _read_all(self, place: Path) -> Iterator[Profile]:
        with contextlib.suppress(OSError):
            for path in sorted(place.glob(f"*{_END}")):
                profile = self._read(path)
                if profile is not None:
                    yield profile

    def _read(self, path: Path) -> Profile | None:
        try:
            return read_own(path, Profile)
        except FileNotFoundError:
            pass  # There is no profile yet.
        except Damaged as aside:
            self._words.append(_("A profile on a server cannot be read. Its file is {file}.", file=aside))
        return None


def fresh_secret() -> bytes:
    """Return a random new secret."""
    return secrets.token_bytes(SECRET_BYTES)


def place_of(address: str) -> str:
    """Return an address for comparison: capital letters and spaces do not matter."""
    return address.strip().lower()


def _key(address: str) -> str:
    """Return a key that is valid as a file name."""
    # An address may have characters that file names must not have.
    return hashlib.blake2b(place_of(address).encode(), digest_size=16).hexdigest()

"""Who this player is on the servers that he has visited: a secret for each, in files beside those of his seats."""

from __future__ import annotations

import contextlib
import hashlib
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from client.player.files import alone, put_aside, write_whole

SECRET_BYTES: Final = 32
DISMISSED: Final = 200
"""Matches of a server that were left for good and are remembered."""
_END: Final = ".json"


class Profile(Struct, frozen=True, omit_defaults=True):
    """`address`: of the server, as typed. `secure`: the secret was made where nobody on the way could listen, and is
    never sent where somebody could. `dismissed`: matches that were left for good, and are not listed again."""

    address: str
    secret: bytes
    secure: bool = False
    dismissed: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """One for each server, however its address was typed."""
        return place_of(self.address)


class Profiles:
    """See the module's docstring. `place`: their folder; None: kept in memory alone."""

    def __init__(self, place: Path | None = None) -> None:
        self._place = place
        self._memory: dict[str, Profile] = {}

    def all(self) -> list[Profile]:
        """All that there are, by address; a file that cannot be understood is put aside."""
        found = self._memory.values() if self._place is None else self._read_all(self._place)
        return sorted(found, key=lambda profile: profile.address)

    def of(self, address: str) -> Profile | None:
        """The one for that server."""
        key = _key(address)
        if self._place is None:
            return self._memory.get(key)
        return _read(self._place / (key + _END))

    def made(self, address: str, secure: bool) -> Profile:
        """The one for that server, made now where there is none. Raises OSError: it cannot be kept."""
        with self._alone():
            known = self.of(address)
            if known is None:
                known = Profile(address, fresh_secret(), secure)
                self._put(known)
        return known

    def keep(self, profile: Profile) -> None:
        """In the place of what was known of that server. Raises OSError."""
        with self._alone():
            self._put(profile)

    def dismiss(self, address: str, match: str) -> None:
        """A match was left for good: it is not listed again, although the server knows whose seat it was."""
        with contextlib.suppress(OSError), self._alone():
            known = self.of(address)
            if known is not None:
                self._put(replace(known, dismissed=(*known.dismissed, match)[-DISMISSED:]))

    def _alone(self) -> contextlib.AbstractContextManager[None]:
        """What one window reads and then writes is one step for all others."""
        return contextlib.nullcontext() if self._place is None else alone(self._place / ".lock")

    def _put(self, profile: Profile) -> None:
        key = _key(profile.address)
        if self._place is None:
            self._memory[key] = profile
        else:
            write_whole(self._place / (key + _END), msgspec.json.format(msgspec.json.encode(profile)))

    def _read_all(self, place: Path) -> Iterator[Profile]:
        with contextlib.suppress(OSError):
            for path in sorted(place.glob(f"*{_END}")):
                profile = _read(path)
                if profile is not None:
                    yield profile


def fresh_secret() -> bytes:
    """A secret that nobody has."""
    return secrets.token_bytes(SECRET_BYTES)


def place_of(address: str) -> str:
    """An address as it is compared: capital letters and spaces make no other server."""
    return address.strip().lower()


def _key(address: str) -> str:
    """Fit to be the name of a file."""
    return hashlib.blake2b(place_of(address).encode(), digest_size=16).hexdigest()


def _read(path: Path) -> Profile | None:
    try:
        profile = msgspec.json.decode(path.read_bytes(), type=Profile)
        if len(profile.secret) == SECRET_BYTES:
            return profile
    except OSError:
        return None  # There is none.
    except (msgspec.MsgspecError, UnicodeDecodeError):
        pass
    put_aside(path)
    return None

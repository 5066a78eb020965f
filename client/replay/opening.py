"""Recorded matches as files: finding them, and opening one that anybody may have written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import unquote, urlsplit

from msgspec import Struct

from client.home import folder
from client.language import _
from client.replay.film import AnyFilm, BadFilm, film_of_log
from client.replay.screening import seats_called
from protocol.record import MAX_FILE, SUFFIX, Record, entries, read
from shared.messages import SeatInfo
from shared.rulesets import registry

_MOST = 60
"""Files that are listed."""


class Opened(Struct, frozen=True):
    """A film with who sat at the table."""

    film: AnyFilm
    seats: Sequence[SeatInfo]
    title: str


def place_of(words: str) -> Path:
    """The file that somebody typed, dropped, or had handed over by the system."""
    parts = urlsplit(words.strip().strip("\"'"))
    return Path(unquote(parts.path) if parts.scheme == "file" else words.strip().strip("\"'")).expanduser()


def opened(path: Path) -> Opened:
    """The match in a file. Raises ValueError, in a sentence, where it cannot be shown."""
    try:
        if path.stat().st_size > MAX_FILE:
            raise BadFilm(_("{file} is too large to be a recorded match.", file=path.name))
        data = path.read_bytes()
    except OSError as error:
        raise BadFilm(_("{file} cannot be read: {why}.", file=path, why=error.strerror)) from None
    return shown(read(data))


def shown(record: Record) -> Opened:
    """The film of a recorded match, gone through once. Raises ValueError, in a sentence, where it cannot be shown."""
    rules = registry.ruleset(record.ruleset)
    if rules.version != record.version:
        raise BadFilm(
            _("This match was played by other rules ({rules} {version}) than this game has.", rules=record.ruleset,
              version=record.version)
        )  # fmt: skip
    film = film_of_log(rules, len(record.seats), record.options, entries(record), hands=record.open_hands)
    for _moment in film.walk(None):
        pass
    return Opened(film, seats_called([(seat.name, seat.bot) for seat in record.seats]), record.title)


def found() -> list[Path]:
    """Recorded matches in the folders where one would look for them, the newest first."""
    paths = {path.resolve() for place in _folders() for path in _matches(place)}
    return sorted(paths, key=_age)[:_MOST]


def _folders() -> tuple[Path, ...]:
    home = Path.home()
    return (folder(), folder() / "matches", home, home / "Downloads", home / "Documents", home / "Desktop", Path.cwd())


def _matches(place: Path) -> Iterator[Path]:
    try:
        yield from (path for path in place.glob(f"*{SUFFIX}") if path.is_file())
    except OSError:
        return


def _age(path: Path) -> float:
    try:
        return -path.stat().st_mtime
    except OSError:
        return 0.0

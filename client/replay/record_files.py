"""Saved matches: found and opened as files from any source, or as a server sends them."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import unquote, urlsplit

from msgspec import Struct

from client.language import _
from client.replay.film import AnyFilm, BadFilm, film_of_frames, film_of_log
from client.replay.film_match import seats_called
from client.user_directories import folder
from protocol import codec
from protocol.film import Film as Sent
from protocol.film import unpack
from protocol.record import MAX_FILE, SUFFIX, Record, entries, is_as_signed, read
from shared.kernel.ruleset import AnyRuleset, UnknownRules, rules_of
from shared.levels import NORMAL
from shared.messages import Frame, SeatInfo, Snapshot
from shared.rulesets import registry
from shared.tables import Recollection

_MOST = 60
"""Maximum number of listed files."""


class OpenedFilm(Struct, frozen=True):
    """Film and the players of the table."""

    film: AnyFilm
    seats: Sequence[SeatInfo]
    title: str


def place_of(words: str) -> Path:
    """Return the path of a file that was typed, dropped, or passed by the system."""
    parts = urlsplit(words.strip().strip("\"'"))
    path = Path(unquote(parts.path) if parts.scheme == "file" else words.strip().strip("\"'"))
    try:
        return path.expanduser()
    except RuntimeError:
        return path  # There is no such user, or no home.


def opened(path: Path) -> OpenedFilm:
    """Return the match in a file. Raise ValueError, with a sentence, if it cannot be shown."""
    return shown(record_in(path))


def record_in(path: Path) -> Record:
    """Return the record in a file. Raise ValueError, with a sentence, if it is no recorded match."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE + 1)  # Devices and pipes may never end.
    except OSError as error:
        raise BadFilm(_("{file} cannot be read: {why}.", file=path, why=error.strerror)) from None
    if len(data) > MAX_FILE:
        raise BadFilm(_("{file} is too large to be a recorded match.", file=path.name))
    return read(data)


def title_of(record: Record) -> str:
    """Return the title of the table."""
    return record.title or _("A table")


def shown(record: Record) -> OpenedFilm:
    """Return the checked film of a recorded match. Raise ValueError, with a sentence, if it cannot be shown."""
    rules = _rules(record.ruleset, record.version)
    if not is_as_signed(record):
        raise BadFilm(_("This match was changed after its server had signed it."))
    film = film_of_log(rules, len(record.seats), record.options, entries(record), hands=record.open_hands)
    return OpenedFilm(film.checked(), seats_called([(seat.name, seat.bot) for seat in record.seats]), record.title)


def shown_to(sent: Sent) -> OpenedFilm:
    """Return the film of the messages to one audience, as a server sends it. Raise ValueError, with a sentence."""
    rules = _rules(sent.ruleset, sent.version)
    begin, *frames = (codec.decode_server(data) for data in (sent.first, *sent.frames))
    if not isinstance(begin, Snapshot):
        raise BadFilm(_("This film cannot be read."))
    audience = sent.audience if sent.audience >= 0 else None
    film = film_of_frames(rules, audience, begin, [frame for frame in frames if isinstance(frame, Frame)])
    return OpenedFilm(film.checked(), seats_called([(name, "" if name else NORMAL) for name in sent.names]), sent.title)


def received(kind: Recollection, data: bytes) -> OpenedFilm:
    """Return a match as downloaded from a server. Raise ValueError if it cannot be shown."""
    return shown(read(data)) if kind == Recollection.RECORD else shown_to(unpack(data))


def _rules(ruleset: str, version: int) -> AnyRuleset:
    """Return the rules of a match. Raises BadFilm where this program cannot play them."""
    try:
        return rules_of(registry.RULESETS, ruleset, version)
    except UnknownRules:
        raise BadFilm(
            _(
                "This match was played by other rules ({rules} {version}) than this game has.",
                rules=ruleset,
                version=version,
            )
        ) from None


def recorded_matches() -> list[Path]:
    """Return the recorded matches in the usual folders, the newest first."""
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

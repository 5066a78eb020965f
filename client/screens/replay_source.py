"""Way from a match to its replay: the server's record or, until it arrives, the frames received so far."""

from collections.abc import Sequence
from weakref import WeakKeyDictionary

from client.games.registry import guide
from client.network.model import MatchModel
from client.player.lessons import lesson_of
from client.replay.absence_scenes import scenes
from client.replay.film import AnyFilm, BadFilm, film_of_frames
from client.replay.finished_record import FinishedRecord, witness_of
from client.screens.application import Application
from shared.messages import Recall, SeatInfo
from shared.tables import RECALL

_OVER: WeakKeyDictionary[MatchModel, FinishedRecord] = WeakKeyDictionary()


def afterwards(app: Application, match: MatchModel) -> FinishedRecord | None:
    """Return the record of a finished match and its evaluation, None if there is none; the first call requests it."""
    source = _OVER.get(match)
    if source is None and match.over and match.table is not None and app.remote.can(RECALL):
        fetch = app.remote.memory.fetch(Recall(1, match.table.match))
        ours = match.seat >= 0 and not lesson_of(app.remote.access.address)
        subject = guide(match.rules.id).film if ours else None
        source = _OVER[match] = FinishedRecord(fetch, witness_of(app.remote.access.session), match.seat, subject)
    return source


def can_look_back(match: MatchModel) -> bool:
    """Whether there is anything to replay."""
    source = _OVER.get(match)
    return (source is not None and source.match is not None) or (
        match.received is not None and bool(match.received.frames)
    )


def since_last_turn(match: MatchModel) -> tuple[AnyFilm, list[int]] | None:
    """Return the film since the player was last at a shared screen, with its scenes; None if nothing concerned them."""
    unseen = match.unseen
    if unseen is None or match.seat < 0:
        return None
    try:
        film = film_of_frames(match.rules, match.seat, unseen.begin, tuple(unseen.frames))
        found = scenes(film, guide(match.rules.id).film, match.seat)
    except BadFilm:
        return None
    return (film, found) if found else None


def film_to_see(app: Application, match: MatchModel) -> tuple[AnyFilm, Sequence[SeatInfo]] | None:
    """Return the film of a match and its seats; without a film, say why and return None."""
    source, received = _OVER.get(match), match.received
    if source is not None and source.match is not None:
        return source.match.film, source.match.seats
    if received is None or match.table is None:
        return None
    try:
        audience = match.seat if match.seat >= 0 else None
        return film_of_frames(
            match.rules, audience, received.begin, tuple(received.frames)
        ).checked(), match.table.seats
    except BadFilm as error:
        app.toast(str(error), "bad")
        return None


def look_back(app: Application, match: MatchModel, at: int | None = None) -> None:
    """Show the replay, which runs from version `at` if that is given; without a film, say why."""
    found = film_to_see(app, match)
    if found is not None:
        app.go.replay(*found, at)

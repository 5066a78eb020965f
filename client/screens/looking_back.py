"""From a match to its replay: what one was sent oneself can be seen again at once."""

from __future__ import annotations

from client.network.model import MatchModel
from client.replay.film import BadFilm, film_of_frames
from client.screens.shell import Shell


def can_look_back(match: MatchModel) -> bool:
    """Whether there is anything to be seen again."""
    return match.seen is not None and bool(match.seen.frames)


def look_back(shell: Shell, match: MatchModel) -> None:
    """Show it; without a film, say why."""
    seen = match.seen
    if seen is None or match.table is None:
        return
    try:
        film = film_of_frames(match.rules, match.seat if match.seat >= 0 else None, seen.begin, tuple(seen.frames))
    except BadFilm as error:
        shell.toast(str(error), "bad")
        return
    shell.go.replay(film, match.table.seats)

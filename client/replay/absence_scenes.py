"""Scenes of an absence that concern the player, replayed within a minute."""

import threading
from collections.abc import Callable
from typing import Any, Final, Literal

from client.network.match_history import Fetch
from client.replay.film import AnyFilm, BadFilm
from client.replay.game_replay import AnySubject
from client.replay.record_files import OpenedFilm, received
from shared.ids import Seat

LONGEST: Final = 60.0
"""Maximum seconds of the whole replay."""
LAST: Final = 2.0
"""Seconds of these for the present, at the end."""
_SCENE: Final = 2.5
_SHORTEST: Final = 0.25
"""Seconds of one scene: the usual and the minimum."""
MOST: Final = int((LONGEST - LAST) / _SHORTEST)
"""Maximum number of scenes; of more, the first are left out."""


def scenes(film: AnyFilm, subject: AnySubject, seat: Seat) -> list[int]:
    """Return the versions with events that concern a seat. Raises BadFilm."""
    found: list[int] = []
    before: Any = None
    for moment in film.walk(seat if seat in film.audiences else film.audiences[0]):
        if before is not None and any(subject.concerns(event, seat, before) for event in moment.events):
            found.append(moment.version)
        before = moment.view
    # The latest explain the present position best.
    return found[-MOST:]


class SceneTiming:
    """Timing of such a replay: which scene is due. Knows no clock."""

    def __init__(self, found: list[int]) -> None:
        self.scenes = found
        self.each = min(_SCENE, (LONGEST - LAST) / max(1, len(found)))
        """Seconds of a scene."""
        self._elapsed = 0.0

    @property
    def number(self) -> int:
        """Number of the scene that is due, from 0; the number of scenes when all are over."""
        return min(len(self.scenes), int(self._elapsed / self.each))

    @property
    def over(self) -> bool:
        """Whether the replay is over."""
        return self._elapsed >= self.each * len(self.scenes) + LAST

    def pass_time(self, seconds: float) -> None:
        """Advance time."""
        self._elapsed += seconds


Due = Literal["", "offer", "show"]
"""Action once all is known: none, offer to show it, or show it."""


class Absence:
    """Missed events, downloaded and searched in the background on request. `due`: the action afterwards."""

    def __init__(self, ask: Callable[[int], Fetch], subject: AnySubject, seat: Seat, due: Due = "") -> None:
        """`ask` starts the download, up to a version."""
        self.seat = seat
        self.due: Due = due
        self._ask = ask
        self._fetch: Fetch | None = None
        self._upto = 0
        self._subject = subject
        self._thread: threading.Thread | None = None
        self.match: OpenedFilm | None = None
        self.scenes: list[int] = []
        self.done = False
        """Whether everything is loaded, or failed."""

    @property
    def known(self) -> bool:
        """Whether there is, or may be, something to show."""
        return bool(self.scenes) or not self.done

    @property
    def begun(self) -> bool:
        """Whether the download was requested."""
        return self._fetch is not None

    def end(self, version: int) -> None:
        """Note the end of the absence: that version is the last one that was missed."""
        self._upto = self._upto or version

    def update(self) -> None:
        """Continue the download and the search."""
        if self._fetch is None:
            self._fetch = self._ask(self._upto)
        if self._thread is None and self._fetch.done and not self.done:
            self.done = bool(self._fetch.why)
            if not self.done:
                self._thread = threading.Thread(target=self._read, args=(self._fetch,), name="absence", daemon=True)
                self._thread.start()

    def wait(self) -> None:
        """Wait until everything is known."""
        self.update()
        if self._thread is not None:
            self._thread.join()

    def _read(self, fetch: Fetch) -> None:
        try:
            match = received(fetch.kind, fetch.data)
            self.scenes, self.match = scenes(match.film, self._subject, self.seat), match
        except (ValueError, BadFilm):
            self.scenes = []
        # Last: the window reads the scenes as soon as it sees this.
        self.done = True

"""Alert for the player's turn: a trumpet, the window's title, and a request for attention."""

from typing import Final, Protocol, TypeAlias

from client.games.registry import guide
from client.language import _
from client.network.local_players import LocalPlayers
from client.network.model import MatchModel
from client.player.clock_presets import HURRY
from client.player.match_status import waits
from client.sound.mixer import Mixer
from client.sound.sounds import Sound
from shared.ids import NATURE, Seat

YOUR_TURN: Final = _("Your turn")

Turn: TypeAlias = tuple[str, Seat]
"""Turn of the match: the heading above the board, and the seat."""


class WindowState(Protocol):
    """State of the window among the other windows of the screen."""

    @property
    def attended(self) -> bool:
        """Whether the window is visible and has the keyboard."""

    def entitle(self, words: str) -> None:
        """Show text in the window's title; empty text restores the usual title."""

    def beckon(self, on: bool) -> None:
        """Request the user's attention or withdraw the request; does nothing if the system cannot."""


class NoWindow:
    """Window state for programs without a window."""

    attended = True

    def entitle(self, words: str) -> None:
        """Do nothing."""

    def beckon(self, on: bool) -> None:
        """Do nothing."""


class TurnAlert:
    """Alert that the player's decision is awaited.

    A trumpet sounds for the player's own turn. For other decisions it sounds only if the window is not active, because
    battles need many. Missed turns make no sound.
    """

    def __init__(self, people: LocalPlayers, sounds: Mixer, front: WindowState) -> None:
        self._people = people
        self._sounds = sounds
        self._front = front
        self._awaited = False
        """Whether a decision of this seat was awaited at the last update."""
        self._turn: Turn | None = None
        """Last turn of this seat."""
        self._beckons = False
        self._warned = False
        """Whether the player was warned that their time is nearly up."""
        self._title = ""
        self._elsewhere = 0
        """Number of other matches that waited for the player at the last update."""

    def update(self, showing: bool, elsewhere: int = 0) -> None:
        """Update the alert from the state of the match.

        `showing`: an old state is still shown while a new one is awaited; `elsewhere`: number of other matches that
        wait for the player.
        """
        match = self._people.current.match
        if match is None or match.view is None:
            self._turn = None
            self._await(False, elsewhere)
            # Other matches wait. No trumpet: they have waited for a while.
            more, self._elsewhere = elsewhere > self._elsewhere, elsewhere
            if more and not self._front.attended:
                self._set_beckoning(True)
        elif not showing and match.owed() != (NATURE,):
            self._look(match)
        if self._beckons and self._front.attended:
            self._set_beckoning(False)

    def _look(self, match: MatchModel) -> None:
        """Alert the player if their decision or turn has begun."""
        awaited = match.seat >= 0 and match.seat in match.owed()
        self._warn_of_time(match, awaited)
        begins = awaited and self._begins(match)
        unseen = awaited and not self._awaited and not self._front.attended
        self._await(awaited)
        if (begins or unseen) and match.fresh:
            self._sounds.play(Sound.TRUMPET)
        if (begins or unseen) and not self._front.attended:
            self._set_beckoning(True)

    def _warn_of_time(self, match: MatchModel, awaited: bool) -> None:
        """Warn that the player's time is nearly up, once for each decision."""
        times = match.times()
        left = times[match.seat] if awaited and match.seat < len(times) else HURRY
        if left >= HURRY or match.paused:
            self._warned = False
        elif not self._warned and left > 0:
            self._warned = True
            self._sounds.play(Sound.ALARM)
            self._set_beckoning(not self._front.attended)

    def _begins(self, match: MatchModel) -> bool:
        """Whether a turn of this seat has begun since the last call."""
        heading = guide(match.rules.id).look.heading(match.view)
        if heading.active != match.seat or (heading.words, heading.active) == self._turn:
            return False
        self._turn = heading.words, heading.active
        return True

    def _await(self, awaited: bool, elsewhere: int = 0) -> None:
        title = YOUR_TURN if awaited else waits(elsewhere) if elsewhere else ""
        if title != self._title:
            self._title = title
            self._front.entitle(title)
        if awaited != self._awaited:
            self._awaited = awaited
            if not awaited and self._beckons:
                self._set_beckoning(False)

    def _set_beckoning(self, on: bool) -> None:
        self._beckons = on
        self._front.beckon(on)

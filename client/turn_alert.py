"""Says that it is one's turn: by a trumpet, in the window's title, and by asking for attention where nobody looks."""

from __future__ import annotations

from typing import Final, Protocol, TypeAlias

from client.games.registry import guide
from client.language import _
from client.network.model import MatchModel
from client.network.remote_server import RemoteServer
from client.player.clock_presets import HURRY
from client.player.match_status import waits
from client.sound.mixer import Mixer
from client.sound.sounds import Sound
from shared.ids import NATURE, Seat

YOUR_TURN: Final = _("Your turn")

Turn: TypeAlias = tuple[str, Seat]
"""A turn of the match: what stands above the board, and whose it is."""


class WindowState(Protocol):
    """The window as it is among the other windows of the screen."""

    @property
    def attended(self) -> bool:
        """Whether the player has it before him."""

    def entitle(self, words: str) -> None:
        """Say something in its title, or (no words) no longer."""

    def beckon(self, on: bool) -> None:
        """Ask the system to show that it wants attention, or no longer; nothing where no system can."""


class NoWindow:
    """A window that stands nowhere."""

    attended = True

    def entitle(self, words: str) -> None:
        """Nothing."""

    def beckon(self, on: bool) -> None:
        """Nothing."""


class TurnAlert:
    """See the module's docstring. A trumpet for one's own turn; for other decisions only where nobody looks, so that a
    battle is no concert. Nothing sounds for what one has missed."""

    def __init__(self, remote: RemoteServer, sounds: Mixer, front: WindowState) -> None:
        self._remote = remote
        self._sounds = sounds
        self._front = front
        self._awaited = False
        """Whether a decision of this seat is awaited, as far as was said."""
        self._turn: Turn | None = None
        """The last turn that was its own."""
        self._beckons = False
        self._warned = False
        """Whether it was said that one's time is nearly up."""
        self._title = ""
        self._elsewhere = 0
        """In how many other matches it was one's turn when we looked last."""

    def update(self, showing: bool, elsewhere: int = 0) -> None:
        """Look around. `showing`: something is still shown that came before what is awaited now; `elsewhere`: in so
        many matches at which one is not it is one's turn."""
        match = self._remote.match
        if match is None or match.view is None:
            self._turn = None
            self._await(False, elsewhere)
            self._look_elsewhere(elsewhere)
        elif not showing and match.owed() != (NATURE,):
            self._look(match)
        if self._beckons and self._front.attended:
            self._beckon(False)

    def _look(self, match: MatchModel) -> None:
        """What is awaited now?"""
        awaited = match.seat >= 0 and match.seat in match.owed()
        self._warn(match, awaited)
        begins = awaited and self._begins(match)
        unseen = awaited and not self._awaited and not self._front.attended
        self._await(awaited)
        if (begins or unseen) and match.fresh:
            self._sounds.play(Sound.TRUMPET)
        if (begins or unseen) and not self._front.attended:
            self._beckon(True)

    def _warn(self, match: MatchModel, awaited: bool) -> None:
        """One's time is nearly up: once for each decision."""
        times = match.times()
        left = times[match.seat] if awaited and match.seat < len(times) else HURRY
        if left >= HURRY or match.paused:
            self._warned = False
        elif not self._warned and left > 0:
            self._warned = True
            self._sounds.play(Sound.ALARM)
            self._beckon(not self._front.attended)

    def _look_elsewhere(self, waiting: int) -> None:
        """Without a match before us: others may wait for us. No trumpet, they have waited for a while."""
        more, self._elsewhere = waiting > self._elsewhere, waiting
        if more and not self._front.attended:
            self._beckon(True)

    def _entitle(self, words: str) -> None:
        if words != self._title:
            self._title = words
            self._front.entitle(words)

    def _begins(self, match: MatchModel) -> bool:
        """Whether a turn of one's own begins, which had not begun the last time."""
        heading = guide(match.rules.id).look.heading(match.view)
        if heading.active != match.seat or (heading.words, heading.active) == self._turn:
            return False
        self._turn = heading.words, heading.active
        return True

    def _await(self, awaited: bool, elsewhere: int = 0) -> None:
        self._entitle(YOUR_TURN if awaited else waits(elsewhere) if elsewhere else "")
        if awaited != self._awaited:
            self._awaited = awaited
            if not awaited and self._beckons:
                self._beckon(False)

    def _beckon(self, on: bool) -> None:
        self._beckons = on
        self._front.beckon(on)

"""The port behind which a screen finds the program around it. `client.app.App` is behind it."""

from __future__ import annotations

from typing import Protocol

from client.drawing.overlay import Tone
from client.network.nearby import Nearby
from client.network.remote_server import RemoteServer
from client.network.status_poller import StatusPoller
from client.player.profiles import Profiles
from client.player.seats import Seats
from client.player.settings import Settings
from client.screens.navigator import Navigator
from client.sound.mixer import Mixer


class Shell(Protocol):
    """The window, what the player chose, the server, and the ways to other screens."""

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the window in pixels."""

    @property
    def mouse(self) -> tuple[float, float]:
        """Where the mouse is."""

    @property
    def settings(self) -> Settings:
        """What this player chose before."""

    @property
    def sounds(self) -> Mixer:
        """What is heard."""

    @property
    def seats(self) -> Seats:
        """The seats that this player holds."""

    @property
    def profiles(self) -> Profiles:
        """Who this player is on the servers that he has visited."""

    @property
    def rounds(self) -> StatusPoller:
        """How his matches stand on other servers."""

    @property
    def remote(self) -> RemoteServer:
        """The server: its tables, our match, and what one may ask for there."""

    @property
    def nearby(self) -> Nearby:
        """The tables near."""

    @property
    def go(self) -> Navigator:
        """The ways to other screens."""

    def toast(self, words: str, tone: Tone = "plain", rule: str = "") -> None:
        """Say something in passing; `rule`: the id of the one that it is about."""

    @property
    def cited(self) -> str:
        """The rule that what is being said is about; empty where it is about none."""

    def copy(self, words: str) -> None:
        """Put words where the player can paste them from."""

    def mute(self) -> None:
        """Switch all sound off, or on again, and say so."""

    def dress(self) -> None:
        """Look as the player wishes, from now on."""

    def speak(self) -> None:
        """Speak the player's language from now on."""

    @property
    def filled(self) -> bool:
        """Whether the window fills the screen."""

    def fill_screen(self) -> None:
        """Fill the whole screen, or be a window again; it is kept for the next time."""

    def show_mouse(self, on: bool) -> None:
        """Whether the mouse is seen."""

    def quit(self) -> None:
        """Close the window, and with it the program."""

"""Interface of a screen to the program around it; `client.app.App` implements it."""

from typing import Protocol

from client.drawing.overlay import Tone
from client.network.local_players import LocalPlayers
from client.network.nearby import Nearby
from client.network.remote_server import RemoteServer
from client.network.status_poller import StatusPoller
from client.player.profiles import Profiles
from client.player.seats import Seats
from client.player.settings import Settings
from client.screens.navigator import Navigator
from client.sound.mixer import Mixer


class Application(Protocol):
    """Window, settings, server, and navigation to other screens."""

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the window in pixels."""

    @property
    def mouse(self) -> tuple[float, float]:
        """Position of the mouse in pixels."""

    @property
    def settings(self) -> Settings:
        """Settings of this player."""

    @property
    def sounds(self) -> Mixer:
        """Mixer that plays the sounds."""

    @property
    def seats(self) -> Seats:
        """Seats that this player holds."""

    @property
    def profiles(self) -> Profiles:
        """Profiles of this player on the servers that they used."""

    @property
    def rounds(self) -> StatusPoller:
        """Poller for the status of the player's matches on other servers."""

    @property
    def remote(self) -> RemoteServer:
        """Connection to the server with its tables and our match."""

    @property
    def people(self) -> LocalPlayers:
        """People who share this computer, usually one."""

    @property
    def nearby(self) -> Nearby:
        """Tables announced nearby."""

    @property
    def go(self) -> Navigator:
        """Navigation to other screens."""

    def toast(self, words: str, tone: Tone = "plain", rule: str = "") -> None:
        """Show a toast; `rule`: id of the rule that it is about."""

    def hush(self) -> None:
        """Remove all toasts."""

    @property
    def cited(self) -> str:
        """Id of the rule that the visible toast is about; empty if none."""

    def copy(self, words: str) -> None:
        """Copy text to the clipboard."""

    def mute(self) -> None:
        """Switch all sound off or on, and show a toast about it."""

    def dress(self) -> None:
        """Apply the display settings."""

    def speak(self) -> None:
        """Apply the language of the settings."""

    @property
    def filled(self) -> bool:
        """Whether the window fills the screen."""

    def fill_screen(self) -> None:
        """Switch between full screen and window; the choice is saved."""

    def show_mouse(self, on: bool) -> None:
        """Show or hide the mouse pointer."""

    def quit(self) -> None:
        """Close the window, and with it the program."""

"""Program in its window: the parts that all screens share, and its update once a frame."""

from typing import TextIO

import arcade

from client import language
from client.drawing import overlay, theme
from client.drawing.overlay import Toasts, Tone
from client.keyboard.commands import Command
from client.keyboard.keys import KEYS, told
from client.lan_announcer import LanAnnouncer
from client.language import _
from client.message_router import MessageRouter
from client.navigation import Navigation
from client.network.local_players import LocalPlayers
from client.network.nearby import NO_INTERFACES, Nearby
from client.network.remote_server import RemoteServer
from client.network.server_connection import Arrival, ConnectionState
from client.network.status_poller import StatusPoller
from client.player.settings import Settings, profiles_of, seats_of
from client.screens.base import Screen
from client.sound.mixer import Mixer
from client.sound.speaker import Speaker
from client.turn_alert import NoWindow, TurnAlert, WindowState


class App:
    """Application that creates all parts by hand and implements `Application` for all screens.

    `window` may be a shared one in tests. Without a `speaker` there is no sound, without a `front` no alert. Without
    `nearby` there is no local network, without a `terminal` no printed text.
    """

    def __init__(
        self,
        window: arcade.Window,
        settings: Settings,
        speaker: Speaker | None = None,
        front: WindowState | None = None,
        nearby: Nearby | None = None,
        terminal: TextIO | None = None,
    ) -> None:
        self.window = window
        self.settings = settings
        self.size = (float(window.width), float(window.height))
        self.mouse = (0.0, 0.0)
        self.toasts = Toasts(lambda: not settings.play_settings.still)
        self.sounds = Mixer(settings.sound_settings, speaker)
        self.seats = seats_of(settings)
        self.profiles = profiles_of(settings, self.seats)
        self.rounds = StatusPoller(self.seats, self.profiles, settings)
        first = RemoteServer(self.seats, self._complain, lambda: self.profiles if self._is_known() else None)
        first.access.tls = settings.tls
        self.people = LocalPlayers(first, self.seats, self._complain)
        self.remote.listens = settings.listens
        theme.set_palette(settings.display_settings.palette)
        self.nearby = first.nearby = nearby or Nearby(NO_INTERFACES)
        theme.set_window(*self.size)
        KEYS.take(settings.keys)
        self.go = Navigation(self)
        self._usher = MessageRouter(self.people, self.seats, self.toasts, self.go)
        self._herald = TurnAlert(self.people, self.sounds, front or NoWindow())
        self._crier = LanAnnouncer(self.people.first, settings, self.nearby, terminal)
        self._resized = False
        self.filled = settings.display_settings.full
        """Whether the window fills the screen."""
        self.go.menu()

    @property
    def screen(self) -> Screen:
        """The visible screen."""
        return self.go.screen

    @property
    def remote(self) -> RemoteServer:
        """Connection of the person at the screen."""
        return self.people.current

    def _is_known(self) -> bool:
        """Whether the player wants a profile; several people at one computer have none."""
        return self.settings.known and not self.people.many

    def _complain(self, words: str) -> None:
        self.toast(words, "bad")

    # For the screens

    def toast(self, words: str, tone: Tone = "plain", rule: str = "") -> None:
        """Show a toast; `rule`: id of the rule that it is about."""
        self.toasts.say(words, tone, rule)

    def hush(self) -> None:
        """Remove all toasts: they were for another person."""
        self.toasts.clear()

    @property
    def cited(self) -> str:
        """Id of the rule that the visible toast is about; empty if none."""
        return self.toasts.cited

    def copy(self, words: str) -> None:
        """Copy text to the clipboard."""
        self.window.set_clipboard_text(words)

    def mute(self) -> None:
        """Switch all sound off or on, and show a toast about it."""
        off = _("Sound is off. {key} switches it on again.", key=told(Command.MUTE))
        self.toast(off if self.sounds.mute() else _("Sound is on."))
        self.settings.save()

    def dress(self) -> None:
        """Apply the display settings."""
        theme.set_palette(self.settings.display_settings.palette)
        self.on_resize(*self.size)

    def speak(self) -> None:
        """Apply the language of the settings."""
        language.switch(self.settings.language, [self])
        self.dress()

    def fill_screen(self) -> None:
        """Switch between full screen and window; the choice is saved, unless a table is shown to all."""
        self.filled = not self.filled
        self.window.set_fullscreen(self.filled)
        if not self.go.exhibiting:
            self.settings.display_settings.full = self.filled
            self.settings.save()

    def show_mouse(self, on: bool) -> None:
        """Show or hide the mouse pointer."""
        self.window.set_mouse_visible(on)

    def quit(self) -> None:
        """Close the window, and with it the program; ask first if others play on our server."""
        self.go.depart(self._end)

    def _end(self) -> None:
        self.close()
        self.window.close()

    def close(self) -> None:
        """Clean up as the window closes: disconnect, stop our server, save the settings."""
        self.people.end()
        self.nearby.close()
        self.sounds.speaker.close()
        self.settings.save()

    # Events of the window

    def on_mouse_press(self, x: float, y: float, button: int, modifiers: int) -> None:
        """Handle a press of a mouse button; a click on a toast about a rule opens the rule's page."""
        rule = self.toasts.at(x, y, self.screen.toasts_at())
        if rule:
            self.toasts.forget(rule)
            self.go.help(rule)
        else:
            self.screen.on_mouse_press(x, y, button, modifiers)

    def on_update(self, seconds: float) -> bool:
        """Advance time: process arrivals, then update the screen. Return whether anything looks different now."""
        screen, resized = self.screen, self._resized
        came = self._take_in()
        if resized:
            self._resized = False
            self.screen.relayout()
        self._usher.update()
        came = self.rounds.update() or came
        while self.seats.words:
            self.toast(self.seats.words.pop(0), "bad")
        said = self.toasts.update(seconds)
        lived = self.screen.on_update(seconds)
        self._herald.update(self.screen.showing, self.rounds.waiting)
        self._crier.update()
        return came or resized or said or lived or self.screen is not screen

    def _take_in(self) -> bool:
        """Process arrivals until the screen wants time to show them; return whether there were any."""
        came = self.people.update()
        if self.screen.holding:
            return came
        for arrival in self.remote.poll():
            came = True
            self._hear(arrival)
            if self.screen.holding:
                break  # The rest stays queued, unread by session and models.
        return came

    def _hear(self, arrival: Arrival) -> None:
        """Pass an arrival to the models first, then to the message router, then to the screen visible by then."""
        self.remote.hear(arrival)
        self._usher.hear(arrival)
        if not isinstance(arrival, ConnectionState):
            self.screen.hear(arrival)

    def on_draw(self) -> None:
        """Draw the screen, and above it the banner and the toasts."""
        self.window.clear(color=theme.NIGHT_DEEP)
        self.screen.on_draw()
        overlay.banner(self.remote.trouble, *self.size)
        self.toasts.draw(self.screen.toasts_at())

    def on_resize(self, width: float, height: float) -> None:
        """Note the window's new size; the screen is rebuilt once a frame at most."""
        self.size = width, height
        theme.set_window(width, height)
        self._resized = True

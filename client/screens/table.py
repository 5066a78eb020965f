"""The table, as a screen of the program."""

from __future__ import annotations

from functools import partial

import arcade
from arcade.types import Rect

from client.drawing import theme
from client.drawing.overlay import Tone
from client.games.registry import guide
from client.network.model import MatchModel
from client.player.hints import FirstGame
from client.player.lessons import lesson_of
from client.player.manner import Manner
from client.screens.base import Part, Screen
from client.screens.looking_back import look_back
from client.screens.missed import can_see, see
from client.screens.shell import Shell
from client.sound.sounds import Sound
from client.table.controls import Controls
from client.table.layout import NARROWEST
from client.table.tabletop import Tabletop
from client.textual.pane import WordsSheet
from shared.messages import Say, ServerMessage
from shared.tables import HOOK


class TableScreen(Screen):
    """Wires the table to the program: it is the table's `House`."""

    part = Part.TABLE
    narrowest = NARROWEST

    def __init__(self, shell: Shell, match: MatchModel) -> None:
        super().__init__(shell)
        self.match = match
        coached = lesson_of(shell.visit.access.address) == match.rules.id
        words = partial(WordsSheet, match)
        self.top = Tabletop(match, guide(match.rules.id), self, coached=coached, first=self._first(match), more=words)
        self.controls = Controls(self.top)

    def _first(self, match: MatchModel) -> FirstGame | None:
        """What was said to the player in such games; nothing is in a lesson."""
        settings = self.shell.settings
        if match.table is None or lesson_of(self.shell.visit.access.address):
            return None
        return FirstGame(settings.hints, match.rules.id, match.table.match, settings.save)

    def layout(self, width: float, height: float) -> None:
        self.top.place(width, height)

    @property
    def showing(self) -> bool:
        return self.top.theatre.busy

    def on_show(self) -> None:
        self.top.hear(missed=True)

    def hear(self, message: ServerMessage) -> None:
        self.top.hear()

    def on_update(self, seconds: float) -> bool:
        self.controls.update(seconds)
        return self.top.update(seconds)

    def on_draw(self) -> None:
        if self.match.view is None:
            arcade.draw_rect_filled(arcade.LBWH(0, 0, self.width, self.height), theme.NIGHT)
            return
        self.top.draw()

    def back(self) -> None:
        self.top.menu.show()

    def toasts_at(self) -> Rect:
        hinting = self.top.hinting
        if hinting is not None and hinting.plate.shown:
            return self.top.roster.rect
        return self.top.notices_at()

    # The house of the table

    def toast(self, words: str, tone: Tone = "plain", rule: str = "") -> None:
        """Say something in passing."""
        self.shell.toast(words, tone, rule)

    def sound(self, sound: Sound) -> None:
        """Let a sound be heard."""
        self.shell.sounds.play(sound)

    def show_help(self) -> None:
        """Open the rules, on the page of the one that was cited just now."""
        self.shell.go.help(self.shell.cited)

    def show_settings(self) -> None:
        """Open what the player may wish."""
        self.shell.go.settings()

    def leave_table(self) -> None:
        """Get up from the table."""
        self.shell.go.leave()

    def look_back(self) -> None:
        """Look at what happened so far, as far as one was there."""
        look_back(self.shell, self.match)

    @property
    def tells(self) -> bool:
        """Whether the server can tell people who are away that it is their turn."""
        return self.shell.visit.can(HOOK)

    def show_hook(self) -> None:
        """Open the page on which the host says where."""
        self.shell.go.hook()

    @property
    def missed(self) -> bool:
        """Whether there is something to be seen of what happened while one was away."""
        return can_see(self.match)

    def see_missed(self) -> bool:
        """Look at that, as soon as it is known."""
        return see(self.match)

    def say(self, words: str) -> None:
        """Say something to all at the table."""
        self.shell.visit.send(Say(self.shell.visit.ref(), words))

    @property
    def manner(self) -> Manner:
        """How the player wishes things to be shown and asked."""
        return self.shell.settings.manner

    @property
    def listens(self) -> bool:
        """Whether the player hears those who look on."""
        return self.shell.visit.listens

    def listen(self, on: bool) -> None:
        """Hear those who look on, or no longer."""
        self.shell.visit.listen(on)
        self.shell.settings.listens = on
        self.shell.settings.save()

    # Events

    def on_mouse_motion(self, x: float, y: float, dx: float, dy: float) -> bool:
        return self.controls.mouse_motion(x, y)

    def on_mouse_press(self, x: float, y: float, button: int, modifiers: int) -> bool:
        self.match.come_back()
        return self.controls.mouse_press(x, y, button, modifiers)

    def on_mouse_drag(self, x: float, y: float, dx: float, dy: float, buttons: int, modifiers: int) -> bool:
        return self.controls.mouse_drag(x, y, dx, dy)

    def on_mouse_release(self, x: float, y: float, button: int, modifiers: int) -> bool:
        return self.controls.mouse_release(x, y, button)

    def on_mouse_scroll(self, x: float, y: float, scroll_x: float, scroll_y: float) -> bool:
        return self.controls.mouse_scroll(x, y, scroll_y)

    def on_key_press(self, symbol: int, modifiers: int) -> bool:
        self.match.come_back()
        return self.controls.key_press(symbol, modifiers)

    def on_key_release(self, symbol: int, modifiers: int) -> bool:
        return self.controls.key_release(symbol)

    def on_text(self, words: str) -> bool:
        return self.controls.text(words)

"""Screen of a replay: the table with a bar below it."""

from collections.abc import Callable, Sequence

from client.games.registry import guide
from client.keyboard.chord import pressed
from client.keyboard.commands import Command, KeyContext
from client.keyboard.keys import KEYS
from client.player.settings import PlaySettings
from client.replay.film import AnyFilm
from client.replay.film_analysis import Reading
from client.replay.film_match import FilmMatch
from client.replay.film_player import RATES, ReplayPlaySettings
from client.screens.application import Application
from client.screens.table_base import TableBaseScreen
from client.sound.sounds import Sound
from client.table.mouse_input import MouseInput
from client.table.replay_control import ReplayControl
from shared.messages import SeatInfo


class ReplayScreen(TableBaseScreen):
    """Connects a replayed table to the program: implements the table's `TableCallbacks`."""

    def __init__(
        self, app: Application, film: AnyFilm, seats: Sequence[SeatInfo], *, close: Callable[[], object],
        at: int | None = None,
    ) -> None:  # fmt: skip
        """`close` returns to the previous screen. `at`: the version from which the film runs at once."""
        super().__init__(app)
        mine = app.settings.play_settings
        self._play_settings = ReplayPlaySettings(pace=mine.pace, still=mine.still)
        self.screening = FilmMatch(film, seats)
        self.replay_control = ReplayControl(
            self.screening, guide(film.rules.id), self, self._play_settings, charts=self._open_charts, close=close
        )
        self.top = self.replay_control.top
        self.controls = MouseInput(self.top)
        self._begun = False
        self._at = at

    def _open_charts(self, reading: Reading) -> None:
        self.app.go.charts(reading, self.screening, see=self.replay_control.seek)

    def on_show(self) -> None:
        # The charts lie over this screen, and show it again when they close.
        if not self._begun:
            self._begun = True
            self.replay_control.begin()
            if self._at is not None:
                self.replay_control.seek(min(max(self._at, self.replay_control.first), self.replay_control.last))
                self.replay_control.play()

    def on_update(self, seconds: float) -> bool:
        self.controls.update(seconds)
        return self.replay_control.update(seconds)

    # Implementation of the table's `TableCallbacks`

    def sound(self, sound: Sound) -> None:
        """Play a sound if its cause is visible."""
        if self.replay_control.player.shown:
            self.app.sounds.play(sound)

    def leave_table(self) -> None:
        """Close the replay."""
        self.replay_control.close()

    @property
    def lends(self) -> bool:
        """Return False: a replay has no hand to show on another device."""
        return False

    def show_hand(self) -> None:
        """Do nothing: there is no hand."""

    def show_on_wall(self) -> None:
        """Do nothing: a replay is not shown on a large screen."""

    def look_back(self, at: int | None = None) -> None:
        """Do nothing: this is the replay."""

    @property
    def tells(self) -> bool:
        """Return False: a replay sends no turn notices."""
        return False

    @property
    def notifies(self) -> bool:
        """Return False: no notices are sent."""
        return False

    def show_notices(self) -> None:
        """Do nothing: no notices are sent."""

    @property
    def invites(self) -> bool:
        """Return False: no friends can come."""
        return False

    def show_invitation(self) -> None:
        """Do nothing: no friends can come."""

    def show_hook(self) -> None:
        """Do nothing: a replay has no webhook."""

    @property
    def missed(self) -> bool:
        """Return False: the replay shows everything."""
        return False

    def see_missed(self) -> bool:
        """Return False: the replay shows everything."""
        return False

    def say(self, words: str) -> None:
        """Do nothing: a replay has no chat."""

    @property
    def play_settings(self) -> PlaySettings:
        """Display settings that follow the speed of the film."""
        return self._play_settings

    @property
    def listens(self) -> bool:
        """Return False: a replay has no chat."""
        return False

    def listen(self, on: bool) -> None:
        """Do nothing: a replay has no chat."""

    # Events

    def on_key_press(self, symbol: int, modifiers: int) -> bool:
        return (self._free and self._run(symbol, modifiers)) or super().on_key_press(symbol, modifiers)

    @property
    def _free(self) -> bool:
        """Whether neither the menu nor a control has the keyboard focus."""
        focus = self.top.sheet.ui.focus if self.top.sheet is not None else None
        typing = focus is not None and focus.typing
        return not (self.top.menu.open or typing or self.top.reach.pane is not None)

    def _run(self, symbol: int, modifiers: int) -> bool:
        """Run the commands that exist in a replay only."""
        replay_control, digit = self.replay_control, pressed(symbol, modifiers).digit
        if 0 < digit <= len(RATES):
            replay_control.run_at(RATES[digit - 1])
            return True
        deeds: dict[Command | None, Callable[[], object]] = {
            Command.PLAY: replay_control.play,
            Command.LEFT: lambda: replay_control.step(-1),
            Command.RIGHT: lambda: replay_control.step(1),
            Command.UP: lambda: replay_control.faster(1),
            Command.DOWN: lambda: replay_control.faster(-1),
            Command.MARK_BACK: lambda: replay_control.jump(-1),
            Command.MARK_ON: lambda: replay_control.jump(1),
            Command.OPENING: lambda: replay_control.seek(replay_control.first),
            Command.CLOSING: lambda: replay_control.seek(replay_control.last),
            Command.EYES: replay_control.blink,
            Command.CHARTS: replay_control.chart,
        }
        deed = deeds.get(KEYS.command(symbol, modifiers, KeyContext.FILM))
        if deed is not None:
            deed()
        return deed is not None

"""Screen of the table."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from arcade.types import Rect

from client.games.registry import guide
from client.network.invitation_link import invitation_link
from client.network.model import MatchModel
from client.player.hints import FirstGame
from client.player.lessons import lesson_of
from client.player.seats import is_private
from client.player.settings import PlaySettings
from client.screens import backdrop
from client.screens.application import Application
from client.screens.base import ScreenStage
from client.screens.missed_events import can_see, see
from client.screens.replay_source import look_back
from client.screens.table_base import TableBaseScreen
from client.sound.sounds import Sound
from client.table.coach import ProblemCoach
from client.table.mouse_input import MouseInput
from client.table.problem import attempted
from client.table.tabletop import Tabletop
from client.text_client.pane import WordsSheet
from shared.ids import Seat
from shared.lessons.registry import BY_KEY
from shared.messages import Frame, Say, ServerMessage
from shared.tables import HAND, HOOK, NOTICES


class TableScreen(TableBaseScreen):
    """Connects the table to the program: implements the table's `TableCallbacks`."""

    part = ScreenStage.TABLE

    def __init__(self, app: Application, match: MatchModel) -> None:
        super().__init__(app)
        self.match = match
        self._owed: tuple[Seat, ...] = ()
        """Seats that owed the decision before the last message."""
        self.top = self._new_tabletop(match)
        self.controls = MouseInput(self.top)

    def _new_tabletop(self, match: MatchModel) -> Tabletop[Any]:
        """Return the table itself."""
        key, words = lesson_of(self.app.remote.access.address), partial(WordsSheet, match)
        return Tabletop(
            match, guide(match.rules.id), self, lesson=key, problem=self._problem(match, key),
            first=self._first(match), more=words,
        )  # fmt: skip

    def _problem(self, match: MatchModel, key: str) -> ProblemCoach[Any] | None:
        """Return the coach of a problem; None elsewhere. From now on it judges the player's actions."""
        if key not in BY_KEY:
            return None
        attempt = attempted(match, BY_KEY[key], self.app.settings.keep_solved)
        return ProblemCoach(
            attempt, self.leave_table, partial(self.app.go.solve, key), lambda: self.top.guidance.follow()
        )

    def _first(self, match: MatchModel) -> FirstGame | None:
        """Return the hints for the player's first games; None in a lesson."""
        settings = self.app.settings
        if match.table is None or lesson_of(self.app.remote.access.address):
            return None
        return FirstGame(settings.hints, match.rules.id, match.table.match, settings.save)

    @property
    def showing(self) -> bool:
        return self.top.events.busy

    def on_show(self) -> None:
        self.top.hear(missed=True)

    @property
    def holding(self) -> bool:
        # Where clocks run, players must see at once what is owed.
        return not self.match.times() and self.top.events.lingers

    def hear(self, message: ServerMessage) -> None:
        before, self._owed = self._owed, self.match.owed()
        self.top.hear()
        if isinstance(message, Frame) and message.events and self.match.fresh and self._are_bots(before):
            self.top.events.linger()

    def _are_bots(self, seats: Sequence[Seat]) -> bool:
        """Whether one of these seats is a bot's."""
        table = self.match.table
        return table is not None and any(0 <= seat < len(table.seats) and table.seats[seat].bot for seat in seats)

    def on_update(self, seconds: float) -> bool:
        self.controls.update(seconds)
        return self.top.update(seconds)

    def on_draw(self) -> None:
        if self.match.view is None:
            backdrop.draw(self.width, self.height, dim=0.5)  # As on the screen before, until the position comes.
            return
        super().on_draw()

    def toasts_at(self) -> Rect:
        hinting = self.top.news.hinting
        if hinting is not None and hinting.plate.shown:
            return self.top.side.roster.rect
        return super().toasts_at()

    # Implementation of the table's `TableCallbacks`

    def sound(self, sound: Sound) -> None:
        """Play a sound."""
        self.app.sounds.play(sound)

    def leave_table(self) -> None:
        """Get up from the table."""
        self.app.go.leave()

    @property
    def lends(self) -> bool:
        """Whether our hand can be read on another device; never on a private server, which they cannot reach."""
        return self.app.remote.can(HAND) and not is_private(self.app.remote.access.address)

    def show_hand(self) -> None:
        """Open the page that connects another device to the hand."""
        self.app.go.hand()

    def show_on_wall(self) -> None:
        """Show the table on a large screen."""
        self.app.go.exhibit()

    def look_back(self, at: int | None = None) -> None:
        """Replay the match so far, as far as this client received it; a battle that is shown is skipped."""
        self.top.events.hurry()
        look_back(self.app, self.match, at)

    @property
    def tells(self) -> bool:
        """Whether the server can notify absent players of their turn."""
        return self.app.remote.can(HOOK)

    def show_hook(self) -> None:
        """Open the host's webhook settings."""
        self.app.go.hook()

    @property
    def notifies(self) -> bool:
        """Whether the server can notify this player outside of the game."""
        return self.app.remote.can(NOTICES)

    def show_notices(self) -> None:
        """Open the player's settings for these notices."""
        self.app.go.notices()

    @property
    def invites(self) -> bool:
        """Whether other computers can reach the table."""
        return self.match.table is not None and bool(invitation_link(self.app.remote, self.match.table))

    def show_invitation(self) -> None:
        """Open the link for friends."""
        self.app.go.invite()

    @property
    def missed(self) -> bool:
        """Whether there are events to show from the player's absence."""
        return can_see(self.match)

    def see_missed(self) -> bool:
        """Show the events of the player's absence once they arrive."""
        return see(self.match)

    def say(self, words: str) -> None:
        """Send a chat message to the table."""
        self.app.remote.send(Say(self.app.remote.ref(), words))

    @property
    def play_settings(self) -> PlaySettings:
        """Settings of the player for display and confirmations."""
        return self.app.settings.play_settings

    @property
    def listens(self) -> bool:
        """Whether the player sees the spectators' chat."""
        return self.app.remote.listens

    def listen(self, on: bool) -> None:
        """Switch the spectators' chat on or off."""
        self.app.remote.listen(on)
        self.app.settings.listens = on
        self.app.settings.save()

    # Events

    def on_mouse_press(self, x: float, y: float, button: int, modifiers: int) -> bool:
        self.match.come_back()
        return super().on_mouse_press(x, y, button, modifiers)

    def on_key_press(self, symbol: int, modifiers: int) -> bool:
        self.match.come_back()
        return super().on_key_press(symbol, modifiers)

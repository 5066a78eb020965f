"""Desk of the player at this table."""

from collections.abc import Callable, Sequence
from typing import Generic

from client import language
from client.drawing.overlay import Tone
from client.keyboard.commands import Command
from client.language import _, say
from client.player.hints import FirstGame
from client.player.settings import PlaySettings
from client.table.board_view import BoardView
from client.table.match import TableCallbacks, TableMatch
from client.table.position import T
from shared.actions.description import Form
from shared.actions.registry import forms_of, label_of
from shared.board import BOARD
from shared.ids import NONE, Seat, Space
from shared.kernel.frames import Action
from shared.refusal import Refusal


class OwnDesk(Generic[T]):
    """A `Desk` over the match.

    `position`: returns it as far as the player has seen it. `changed`, `lay`, `ahead`: reactions of the table; `acted`:
    called after an action was sent, with the version at which that was, and the words of its label. `first`: the
    player's first games.
    """

    def __init__(
        self, match: TableMatch[T], callbacks: TableCallbacks, board: BoardView, *, position: Callable[[], T],
        acted: Callable[[int, str], object], changed: Callable[[], object], lay: Callable[[Command | None], object],
        ahead: Callable[[], object], first: FirstGame | None = None,
    ) -> None:  # fmt: skip
        self._match = match
        self._callbacks = callbacks
        self._board = board
        self._position = position
        self._acted = acted
        self._changed = changed
        self._lay = lay
        self._first = first
        self.go_ahead = ahead
        self.looked_at: Space = NONE
        """The space that a task brought into sight last."""
        self._rules: dict[str, str] = {}
        """Ids of rules that forbid something, by the words of the refusal."""

    @property
    def table(self) -> T:
        """The position as far as the player has seen it."""
        return self._position()

    @property
    def seat(self) -> Seat:
        """The seat of this client, or NONE."""
        return self._match.seat

    @property
    def play_settings(self) -> PlaySettings:
        """The player's settings for display and questions."""
        return self._callbacks.play_settings

    @property
    def first_game(self) -> bool:
        """Whether the player plays this game for the first time."""
        return self._first is not None and self._first.on

    def who(self, seat: Seat) -> str:
        """Return the name of a player."""
        return self._match.name(seat)

    def _or_you(self, seat: Seat) -> str:
        return _("you") if seat == self.seat else self.who(seat)

    def check(self, action: Action) -> Refusal | None:
        """Return why an action is not legal now, or None."""
        refusal = self._match.check(action)
        if refusal is not None:
            self._rules[say(refusal.sentence)] = refusal.rule
        return refusal

    def forms(self, kind: type[Action]) -> Sequence[Form]:
        """Return the forms in which actions of a kind are composed now."""
        return forms_of(self._match.rules.id, self._match.view, self.seat, kind)

    def act(self, action: Action) -> bool:
        """Do an action. If it is not legal, tell the player and return False."""
        # One action at a time: the position that the player sees does not contain the pending one yet.
        if self._match.pending:
            return False
        refusal = self._match.check(action)
        if refusal is None:  # Only legal actions have labels, and only before they are done.
            at, label = self._match.version, label_of(self._match.rules.id, self._match.view, self.seat, action)
            refusal = self._match.act(action)
            if refusal is None:
                self._acted(at, "" if label is None else say(label.text, self._or_you))
                return True
        self.refuse(refusal)
        return False

    def changed(self) -> None:
        """Update the display, as the task has changed."""
        self._changed()

    def toast(self, words: str, tone: Tone = "plain") -> None:
        """Show a short notice."""
        if words:
            self._callbacks.toast(words, tone, self._rules.get(words, ""))

    def refuse(self, refusal: Refusal) -> None:
        """Tell why something is not legal, and by which rule."""
        self._callbacks.toast(say(refusal.sentence), "bad", refusal.rule)

    def hear_refusal(self) -> bool:
        """Tell why the server refused an action; return False if it refused none."""
        refusal, self._match.refusal = self._match.refusal, None
        if refusal is not None:
            self._callbacks.toast(language.told(refusal), "bad", refusal.rule)
        return refusal is not None

    def lay(self, key: Command | None) -> None:
        """Open the sheet with that key; without a key close the sheet over the board."""
        self._lay(key)

    def look_at(self, places: Sequence[int]) -> None:
        """Bring positions into sight."""
        for place in places:
            self._board.camera.look_at(*self._board.geography.place(place))
            self.looked_at = BOARD.ashore[place]
        self._board.touch()

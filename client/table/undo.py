"""Undo at the table: the button that takes a decision back, or goes back behind dice and others' moves."""

from collections.abc import Callable, Sequence
from typing import Generic

from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.language import _
from client.network.model import VersionedEvent
from client.network.table_events import TableEvent, WentBack
from client.table.corner_buttons import CornerButtons
from client.table.event_playback import EventPlayback
from client.table.event_text import whose
from client.table.match import TableMatch
from client.table.position import T
from shared.ids import NONE


class Undo(Generic[T]):
    """Way back to the player's own decisions, with the words for each."""

    def __init__(
        self, match: TableMatch[T], events: EventPlayback[T], hear: Callable[[], object], changed: Callable[[], object]
    ) -> None:
        """`hear`: handles the answer to an undo that was sent; `changed`: called when the button has other words."""
        self._match = match
        self._events = events
        self._hear = hear
        self._changed = changed
        self.button = CornerButtons(self._press, self.tip, Command.UNDO)
        self.labels: dict[int, str] = {}
        """Words for this seat's decisions, by the version that they led to: their label, or their line if they were
        made elsewhere."""
        self.returned = NONE
        """Version by which the match went back, if it is the last one."""
        self._doubted = NONE
        """Version at which the player was asked whether to go back over others' moves."""

    def recall(self, story: Sequence[VersionedEvent], lines: Sequence[str]) -> None:
        """Note what this seat decided before this client came. `lines`: the words about each event."""
        for one, line in zip(story, lines, strict=True):
            if isinstance(one.event, WentBack):
                self.labels[one.version] = self.labels.get(one.event.to, "")
            elif line and not isinstance(one.event, TableEvent) and whose(one.event) == self._match.seat >= 0:
                self.labels.setdefault(one.version, line)

    def go_back(self, to: int) -> None:
        """Note that the match went back to a version."""
        self.returned = self._match.version
        self.labels[self.returned] = self.labels.get(to, "")

    def follow(self) -> bool:
        """Show the button while it works: to take back, or to go back in a match against bots only. Return whether it
        came or went."""
        match = self._match
        if self._doubted != match.version:
            self._doubted = NONE
        back = _("Go back to my last decision") if self._doubted == NONE else _("Really go back?")
        goes_back = match.is_mine and match.alone and match.moments.decided
        words = self._words() if match.undoable else back if goes_back else ""
        shown = bool(self.button.words)
        self.button.show("" if self._events.busy else words, self._doubted != NONE)
        return shown != bool(self.button.words)

    def _words(self) -> str:
        """Return the words of the button that takes the last decision back, with that decision if it has a line."""
        what = self.labels.get(self._match.version, "")
        return _("Take back: {what}", what=what) if what else _("Take back")

    def tip(self) -> str:
        """Return the tooltip of the button."""
        if not self._match.undoable:
            return _("Go back to before your last decision. Dice will be rolled again, and bots decide anew.")
        taken = _("Take back your last decision. Nothing else has happened since, and no secret was shown.")
        return f"{self._words()}\n{taken} ({told(Command.UNDO)})"  # The button may be too short for all words.

    def _press(self) -> None:
        if self._match.undoable:
            self.take_back()
        elif self._doubted != self._match.version:
            self._doubted = self._match.version  # Others' moves and dice go too, so the first click only asks.
            self._changed()
        elif not self._events.busy:
            self._doubted = NONE
            self._match.undo(True)
            self._hear()

    def take_back(self) -> bool:
        """Take back the last action, or say why it stands; return False if nothing was asked."""
        was_sent = not self._events.busy and self._match.undo()
        self._hear()
        return was_sent

"""Feed of events and chat for the chronicle. The outcome of a battle is added only once it has been shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic

from client.language import Who
from client.table.chronicle import Chronicle, Line
from client.table.event_text import event_line, since, spoken, whose
from client.table.guide import Guide
from client.table.position import T
from shared.ids import Seat
from shared.kernel.frames import Event
from shared.messages import Said


class EventFeed(Generic[T]):
    """Writer of the chronicle."""

    def __init__(self, guide: Guide[T], chronicle: Chronicle) -> None:
        self._guide = guide
        self._chronicle = chronicle
        self._untold: list[Line] = []
        self._last: Said | None = None

    def recall(self, events: Sequence[Event], who: Who, reader: Seat) -> list[str]:
        """Write down earlier events at once, from before this client came; return the sentences. Noted events wait
        on."""
        words = self._words(events, who, reader)
        for line in self._lines(events, words):
            self._chronicle.add(line)
        return words

    def anew(self, events: Sequence[Event], who: Who, reader: Seat) -> None:
        """Replace the chronicle by these events."""
        self._chronicle.clear()
        self._untold.clear()
        self.recall(events, who, reader)

    def hear(self, events: Sequence[Event], who: Who, reader: Seat) -> list[str]:
        """Note these events. Return the sentence for each, empty for events that need none.

        reader: the seat that is addressed as "you".
        """
        words = self._words(events, who, reader)
        self._untold += self._lines(events, words)
        return words

    def _words(self, events: Sequence[Event], who: Who, reader: Seat) -> list[str]:
        return [event_line(event, who, self._guide.tell, reader) for event in events]

    def _lines(self, events: Sequence[Event], words: Sequence[str]) -> list[Line]:
        loud = self._guide.look.loud
        told = zip(events, words, strict=True)
        return [Line(line, whose(event), loud=isinstance(event, loud)) for event, line in told if line]

    def tell(self) -> None:
        """Write down the noted events, as they have been shown."""
        for line in self._untold:
            self._chronicle.add(line)
        self._untold.clear()

    def overhear(self, chat: Sequence[Said], reader: Seat) -> bool:
        """Write down chat since the last call; return whether there was any."""
        fresh = since(chat, self._last)
        for said in fresh:
            words = spoken(said, reader)
            self._chronicle.add(Line(words, said.seat, said=True))
            self._last = said
        return bool(fresh)

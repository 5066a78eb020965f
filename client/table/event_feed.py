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

    def recall(self, events: Sequence[Event], who: Who, reader: Seat) -> None:
        """Write down earlier events at once, from before this client came."""
        self.hear(events, who, reader)
        self.tell()

    def anew(self, events: Sequence[Event], who: Who, reader: Seat) -> None:
        """Replace the chronicle by these events."""
        self._chronicle.clear()
        self._untold.clear()
        self.recall(events, who, reader)

    def hear(self, events: Sequence[Event], who: Who, reader: Seat) -> list[str]:
        """Note these events. Return the sentence for each, empty for events that need none.

        reader: the seat that is addressed as "you".
        """
        words = [event_line(event, who, self._guide.tell, reader) for event in events]
        for event, line in zip(events, words, strict=True):
            if line:
                loud = isinstance(event, self._guide.look.loud)
                self._untold.append(Line(line, whose(event), loud=loud))
        return words

    def tell(self) -> None:
        """Write down the noted events, as they have been shown."""
        for line in self._untold:
            self._chronicle.add(line)
        self._untold.clear()

    def overhear(self, chat: Sequence[Said]) -> bool:
        """Write down chat since the last call; return whether there was any."""
        fresh = since(chat, self._last)
        for said in fresh:
            words = spoken(said)
            self._chronicle.add(Line(words, said.seat, said=True))
            self._last = said
        return bool(fresh)

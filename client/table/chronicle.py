"""Lower part of the right side: past events in words, chat, and a line for chat; and the sounds of events."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, Generic

import arcade
from arcade.types import Rect
from msgspec import Struct

from client.drawing import shapes, theme
from client.drawing.fields import TextField
from client.drawing.scrolling import ENDS, PAGES, ROWS
from client.drawing.theme import Colour
from client.drawing.widgets import Button, Label
from client.keyboard.commands import KeyContext
from client.keyboard.keys import KEYS
from client.language import Who, _
from client.network.model import VersionedEvent
from client.network.table_events import TableEvent
from client.sound.sounds import Sound
from client.table.event_text import event_line, since, spoken, whose
from client.table.guide import Guide
from client.table.match import TableCallbacks
from client.table.pane import CARD, Pane, Plates, seat_disc
from client.table.position import T
from shared.ids import NONE, Seat
from shared.kernel.frames import Event
from shared.messages import Said
from shared.tables import MAX_TEXT

_KEPT: Final = 400
_PAGE: Final = 8
"""Lines that a page key scrolls."""
_FIELD: Final = 34.0
LEAST: Final = 128.0
"""Design height that a few lines need."""


class ChronicleLine(Struct, frozen=True):
    """A line of the chronicle. `seat`: the seat whose mark stands before it; `loud`: a turning point; `said`: chat, of
    the person `name` with the words `text`."""

    words: str
    seat: Seat = NONE
    said: bool = False
    loud: bool = False
    name: str = ""
    text: str = ""


class _Heading(Label):
    """Heading of the chronicle; while it has the keyboard, scroll keys move the lines below it. `turn`: called with the
    number of lines to go back."""

    focusable = True

    def __init__(self, x: float, y: float, turn: Callable[[int], object]) -> None:
        super().__init__(_("CHRONICLE"), x, y, title=True, colour=theme.TERRACOTTA_DEEP)
        self._turn = turn

    def on_key(self, symbol: int, modifiers: int) -> bool:
        command = KEYS.command(symbol, modifiers, KeyContext.CONTROLS)
        lines = ROWS.get(command, 0) + _PAGE * PAGES.get(command, 0) + _KEPT * ENDS.get(command, 0)
        if lines:
            self._turn(-lines)
        return bool(lines)


class Chronicle(Pane):
    """Pane with past events and chat."""

    def __init__(self, callbacks: TableCallbacks, *, past: bool = False) -> None:
        """`past`: the match is only a replay, without a line for chat."""
        super().__init__()
        self._callbacks = callbacks
        self._gallery: Button | None = None
        self._offered = ""
        self.lines: list[ChronicleLine] = []
        self._past = past
        self._back = 0
        self._spots: list[tuple[Rect, ChronicleLine]] = []
        """Lines of chat that are in sight."""
        self._field: TextField | None = None
        self._live = False
        """Whether the line of chat is drawn in every frame over the picture of the rest, as while typing."""
        self._blinked = False

    def add(self, line: ChronicleLine) -> None:
        """Append a line."""
        self.lines = [*self.lines[1 - _KEPT :], line]
        if self._back:
            # A player who reads earlier lines keeps them in sight while new ones come.
            self._back += 1
        self.touch()

    def clear(self) -> None:
        """Remove all lines."""
        self.lines, self._back = [], 0
        self.touch()

    def offer(self, there: bool) -> None:
        """Show the button that turns chat of spectators on and off, if spectators are there."""
        words = (_("Hide spectators") if self._callbacks.listens else _("Hear spectators")) if there else ""
        if words != self._offered:
            self._offered = words
            self._show_offer()

    def _listen(self) -> None:
        self._callbacks.listen(not self._callbacks.listens)
        self.offer(bool(self._offered))

    def _show_offer(self) -> None:
        if self._gallery is not None:
            self._gallery.visible = bool(self._offered)
            self._gallery.words = self._offered
            self.touch()

    @property
    def typing(self) -> bool:
        """Whether the line of chat has the keyboard."""
        return self._field is not None and self.ui.focus is self._field

    def start_typing(self) -> None:
        """Give the keyboard to the line of chat."""
        self.ui.set_focus(self._field)
        self.touch()

    def stop_typing(self) -> None:
        """Take the keyboard from the line of chat."""
        self.ui.set_focus(None)
        self.touch()

    def typed(self) -> None:
        """Do nothing: the line is drawn over the picture of the rest."""

    def build(self) -> None:
        pad = theme.px(8)
        if not self._past:
            self._build_field(pad)
        y = self.rect.top - pad - theme.px(10)
        self.ui.add(_Heading(self.rect.left + pad + theme.px(12), y, self.turn))

        width, height = theme.px(132), theme.px(22)
        rect = arcade.LBWH(self.rect.right - pad - theme.px(8) - width, y - height / 2, width, height)
        tip = _("What spectators say. While you play, you see it only if you wish.")
        self._gallery = Button(rect, "", self._listen, kind="quiet", size=theme.SMALL, tip=tip)
        self.ui.add(self._gallery)
        self._show_offer()

    def _build_field(self, pad: float) -> None:
        # A rebuild, as on a resize, must not lose a line that is being typed.
        value = self._field.value if self._field is not None else ""
        rect = arcade.LBWH(
            self.rect.left + pad + theme.px(6),
            self.rect.bottom + pad + theme.px(6),
            self.rect.width - 2 * pad - theme.px(12),
            theme.px(_FIELD),
        )
        self._field = TextField(rect, value, hint=_("Say something …"), limit=MAX_TEXT, done=self._done)
        self.ui.add(self._field)

    def _done(self) -> None:
        assert self._field is not None
        words = self._field.value.strip()
        self._field.value = ""
        self.stop_typing()
        if words:
            self._callbacks.say(words)

    @property
    def inside(self) -> Rect:
        """The area of the lines, in which only chat can be clicked."""
        pad = theme.px(8)
        return arcade.LRBT(
            self.rect.left + pad + theme.px(10),
            self.rect.right - pad - theme.px(10),
            self.rect.bottom + pad + theme.px(8 if self._past else _FIELD + 12),
            self.rect.top - pad - theme.px(22),
        )

    def plates(self) -> Plates:
        rect, pad = self.rect, theme.px(8)
        card = arcade.LRBT(rect.left + pad, rect.right - pad, rect.bottom + pad, rect.top - theme.px(2))
        return [*super().plates(), (card, CARD)]

    def paint(self) -> None:
        inside = self.inside
        y = inside.bottom
        shown = self.lines[: len(self.lines) - self._back]
        self._spots = []
        for line in reversed(shown):
            label = self._label(line, inside)
            if y + label.content_height > inside.top:
                break
            label.position = round(inside.left + theme.px(20)), round(y)
            label.draw()
            if line.said:
                self._spots.append((arcade.LBWH(inside.left, y, inside.width, label.content_height), line))
            seat_disc(line.seat, inside.left + theme.px(7), y + label.content_height - theme.px(9), theme.px(16))
            y += label.content_height + theme.px(3)
        if self._back:
            shapes.say(
                _("{back} newer below", back=self._back),
                self._gallery.rect.left - theme.px(8) if self._gallery and self._gallery.visible else inside.right,
                inside.top + theme.px(11),
                size=theme.SMALL,
                colour=theme.TERRACOTTA,
                align="right",
            )

    def person_at(self, x: float, y: float) -> tuple[str, str]:
        return next(((line.name, line.text) for rect, line in self._spots if rect.point_in_rect((x, y))), ("", ""))

    @staticmethod
    def _label(line: ChronicleLine, inside: Rect) -> arcade.Text:
        colour: Colour = theme.LAPIS if line.said else theme.TERRACOTTA_DEEP if line.loud else theme.INK
        return shapes.kept(
            line.words,
            size=theme.read(theme.SMALL),
            colour=colour,
            bold=line.loud,
            italic=line.said,
            anchor_y="bottom",
            width=inside.width - theme.px(20),
        )

    @property
    def stale(self) -> bool:
        return self._blinked or super().stale

    def update(self, seconds: float) -> None:
        self._blinked |= self.ui.animate(seconds)

    def draw(self) -> None:
        self._blinked = False
        # One more picture when typing ends: the field is part of it again.
        if self._live and not self.typing:
            self.touch()
        self._live = self.typing
        super().draw()
        if self._live and self._field is not None:
            self._field.draw()

    def mouse_scroll(self, x: float, y: float, steps: float) -> bool:
        if not self.holds(x, y):
            return False
        return self.turn(round(steps * 2))

    def turn(self, lines: int) -> bool:
        """Scroll so many lines back, or (negative) on."""
        self._back = min(max(0, len(self.lines) - 3), max(0, self._back + lines))
        self.touch()
        return True


class EventFeed(Generic[T]):
    """Writer of the chronicle."""

    def __init__(self, guide: Guide[T], chronicle: Chronicle) -> None:
        self._guide = guide
        self._chronicle = chronicle
        self._untold: list[ChronicleLine] = []
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

    def _lines(self, events: Sequence[Event], words: Sequence[str]) -> list[ChronicleLine]:
        loud = self._guide.look.loud
        pairs = zip(events, words, strict=True)
        return [ChronicleLine(line, whose(event), loud=isinstance(event, loud)) for event, line in pairs if line]

    def tell(self) -> None:
        """Write down the noted events, as they have been shown."""
        for line in self._untold:
            self._chronicle.add(line)
        self._untold.clear()

    def overhear(self, chat: Sequence[Said], reader: Seat) -> bool:
        """Write down chat since the last call; return whether there was any."""
        fresh = since(chat, self._last)
        for line in fresh:
            words = spoken(line, reader)
            self._chronicle.add(ChronicleLine(words, line.seat, said=True, name=line.name, text=line.text))
            self._last = line
        return bool(fresh)


_MOVING: Final = frozenset((Sound.MARCH, Sound.SAIL))
"""Sounds that start with the flights of pieces."""
_NEWS: Final = frozenset((Sound.CROWD,))
"""Sounds that are played even if the battle before them is skipped, because they tell the present state."""


class TableSounds(Generic[T]):
    """Queue of the table's sounds. `play`: plays a sound."""

    def __init__(self, guide: Guide[T], play: Callable[[Sound], object]) -> None:
        self._guide = guide
        self._play = play
        self._waiting: list[Sound] = []

    def of(self, events: Sequence[VersionedEvent], before: T | None, seat: Seat) -> list[Sound | None]:
        """Return the sound of each event, or None; `before`: the position until then. Late events have none."""
        return [
            None if one.late or isinstance(one.event, TableEvent) else self._sound(one, before, seat) for one in events
        ]

    def _sound(self, event: VersionedEvent, before: T | None, seat: Seat) -> Sound | None:
        if seat >= 0 and before is not None and self._guide.peril(event.event, before, seat):
            return Sound.ALARM
        return self._guide.sounds[type(event.event)]

    def hear(self, sounds: Iterable[Sound | None], *, busy: bool, flying: bool) -> None:
        """Play these sounds now, or after the battle that is shown (`busy`). Sounds of moves are played at once while
        pieces are `flying`."""
        for sound in sounds:
            if sound is None:
                continue
            if busy and not (flying and sound in _MOVING):
                self._waiting.append(sound)
            else:
                self._play(sound)

    def seen(self) -> None:
        """Play the waiting sounds, as everything before the present position has been shown."""
        waiting, self._waiting = self._waiting, []
        for sound in waiting:
            self._play(sound)

    def forget(self) -> None:
        """Drop the waiting sounds."""
        self._waiting.clear()

    def skip(self) -> None:
        """Drop the sounds of a skipped battle, except news."""
        self._waiting = [sound for sound in self._waiting if sound in _NEWS]

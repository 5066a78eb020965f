"""News beside the chronicle: what happened since the player's turn, in lines that replay it; and hints."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from typing import Final, Generic

import arcade
from arcade.types import Rect
from msgspec import Struct

from client.drawing import shapes, theme
from client.drawing.widgets import Button, Label
from client.language import Who, _, say_line
from client.player.hints import FirstGame
from client.table.event_text import event_line
from client.table.guide import Guide
from client.table.hints import Hint, Progress
from client.table.match import TableCallbacks, TableMatch
from client.table.pane import Popup, seat_disc
from client.table.position import SeatPosition, T
from client.table.task import AnyTask
from shared.board import BOARD
from shared.ids import NONE, Seat, Space
from shared.kernel.frames import Event
from shared.lessons.lesson import Lit
from shared.sentences.registry import SENTENCES, GameSentences
from shared.sentences.since_turn import actor, since_turn

_TOLD: Final = 12
"""Number of lines of the chronicle in a tooltip."""


class Deeds(Struct, frozen=True):
    """Line about what happened. `seat`: the other player who did it, NONE if none did. `tip`: the chronicle's lines
    about them; `version`: the one before it began."""

    seat: Seat
    words: str
    tip: str
    version: int


class TurnSummary(Generic[T]):
    """Comparison of the position at the beginning of the player's turn with that at the end of their last one.

    `game`: its sentences. `active`: returns the seat whose turn it is. `changed`: provinces that changed hands, lost or
    gained units.
    """

    def __init__(self, game: GameSentences, active: Callable[[T], Seat], who: Who) -> None:
        self._game = game
        self._active = active
        self._who = who
        self.changed: frozenset[Space] = frozenset()
        self.deeds: tuple[Deeds, ...] = ()
        self._last: T | None = None
        """Position at the player's last decision in a turn of their own."""
        self._start: T | None = None
        """The same since another player's turn has begun."""
        self._news: list[tuple[int, Event]] = []
        self._version = NONE
        """Version that the summary is about."""

    def hear(self, version: int, event: Event) -> None:
        """Note an event that has been shown."""
        self._news.append((version, event))

    def forget(self) -> None:
        """Start anew, as the match has gone back."""
        self.close()
        self._last = self._start = None
        self._news.clear()

    def close(self) -> None:
        """Drop the summary, as the player has read it or acted."""
        self.changed, self.deeds = frozenset(), ()

    def follow(self, table: T, version: int, seat: Seat, mine: bool) -> None:
        """Follow the match to a position that has been shown; `mine`: whether the seat owes the decision."""
        if seat < 0:
            return
        active = self._active(table)
        if active == NONE and self._start is self._last is None:
            return  # Before the first turn pieces are dealt: players do not see that as a change.
        if active != seat:
            self.close()
            self._start = self._start if self._start is not None else self._last if self._last is not None else table
            return
        if self._start is None:
            if version != self._version:
                self.close()
                self._news.clear()
        elif mine:
            self._sum_up(self._start, table, seat)
            self._start, self._version = None, version
        self._last = table

    def _sum_up(self, before: T, table: T, seat: Seat) -> None:
        self.changed = changed(before, table)
        happenings = since_turn(self._game, self._news, seat)
        self.deeds = tuple(
            Deeds(one.seat, say_line(one.words, self._who), self._tip(one.seat, seat), one.version - 1)
            for one in happenings
        )

    def _tip(self, about: Seat, seat: Seat) -> str:
        lines = [
            event_line(event, self._who, self._game.tell, seat) for _v, event in self._news if actor(event) == about
        ]
        lines = [line for line in lines if line]
        return "\n".join(["…", *lines[-_TOLD:]] if len(lines) > _TOLD else lines)


def changed(before: SeatPosition, table: SeatPosition) -> frozenset[Space]:
    """Return the provinces that changed hands, lost or gained units between two positions."""
    differ = (
        space
        for space in range(BOARD.provinces)
        if before.owner[space] != table.owner[space] or sorted(_forces(before, space)) != sorted(_forces(table, space))
    )
    return frozenset(differ)


def _forces(table: SeatPosition, space: Space) -> list[tuple[int, ...]]:
    flat = table.units[space]
    return [flat[i : i + 4] for i in range(0, len(flat), 4)]


_PAD: Final = 10.0
_HEAD: Final = 34.0
_ROOM: Final = 7.0
"""Design width between the edge of a line and its words."""
_CLOSE: Final = 84.0


class _Line(Button):
    """Button with words of several lines."""

    def __init__(self, rect: Rect, deeds: Deeds, action: Callable[[], object]) -> None:
        super().__init__(rect, "", action, kind="quiet", tip=f"{deeds.tip}\n{_('A click replays it.')}".strip())
        self._line = _wrapped(deeds.words, rect.width)
        self._line.position = rect.left + theme.px(_ROOM), rect.y


def _wrapped(words: str, width: float) -> arcade.Text:
    return shapes.text(
        words, 0, 0, size=theme.read(theme.SMALL), colour=theme.INK, width=round(width - theme.px(2 * _ROOM))
    )


class TurnSummaryPlate(Popup):
    """Plate with lines that are buttons. `replay`: called with the version to replay from; `close`: after reading."""

    def __init__(self, replay: Callable[[int], object], close: Callable[[], object]) -> None:
        super().__init__()
        self._replay = replay
        self._close = close
        self._lines = self.rect
        self._heights: list[float] = []
        """Heights of the lines that have room (pixels). Measuring texts takes long, so they are kept."""
        self.deeds: tuple[Deeds, ...] = ()

    @property
    def shown(self) -> bool:
        return bool(self.deeds)

    def show(self, deeds: tuple[Deeds, ...]) -> None:
        """Show these lines; none hide the plate."""
        if deeds != self.deeds:
            self.deeds = deeds
            self.over(self._lines)

    def over(self, lines: Rect) -> None:
        """Place it over the uppermost lines of the chronicle; at least the first of its own has room."""
        self._lines, self._heights = lines, []
        width, height = lines.width + theme.px(12), theme.px(_HEAD + _PAD)
        for deeds in self.deeds:
            row = _wrapped(deeds.words, self._wide(width)).content_height + theme.px(10)
            if self._heights and height + row > lines.height:
                break
            self._heights.append(row)
            height += row
        self.place(arcade.LBWH(lines.left - theme.px(6), lines.top - height, width, height))

    @staticmethod
    def _wide(width: float) -> float:
        return width - theme.px(2 * _PAD + 24)

    def _rows(self) -> list[Rect]:
        rect = self.rect
        top, left = rect.top - theme.px(_HEAD), rect.left + theme.px(_PAD + 24)
        rows = []
        for height in self._heights:
            rows.append(arcade.LBWH(left, top - height + theme.px(3), self._wide(rect.width), height - theme.px(3)))
            top -= height
        return rows

    def build(self) -> None:
        if not self.shown:
            return
        rect = self.rect
        for deeds, row in zip(self.deeds, self._rows(), strict=False):
            self.ui.add(_Line(row, deeds, partial(self._replay, deeds.version)))
        close = arcade.LBWH(rect.right - theme.px(_CLOSE + _PAD), rect.top - theme.px(_HEAD - 2), theme.px(_CLOSE),
                            theme.px(_HEAD - 8))  # fmt: skip
        self.ui.add(Button(close, _("Got it"), self._close, kind="quiet", size=theme.SMALL))

    def paint(self) -> None:
        rect = self.rect
        shapes.say(_("Since your turn"), rect.left + theme.px(_PAD), rect.top - theme.px(_HEAD / 2 + 2),
                   size=theme.LARGE, title=True, colour=theme.TERRACOTTA_DEEP,
                   limit=rect.width - theme.px(_CLOSE + 3 * _PAD))  # fmt: skip
        for deeds, row in zip(self.deeds, self._rows(), strict=False):
            seat_disc(deeds.seat, row.left - theme.px(13), row.y, theme.px(20))


_EDGE: Final = 12.0
_FOOT: Final = 46.0
_HIGH: Final = 30.0
_TEXT: Final = (theme.BODY - 0.5, theme.SMALL)
"""Font sizes of the words; the smaller one only where there is little room."""
_FREE: Final = 40.0
"""Height of the chronicle that stays free where possible, so that its last lines can be read."""


class HintPlate(Popup):
    """Plate with a hint. `words`: "" hides it. `close`: called after reading; `stop`: turns hints off."""

    def __init__(self, close: Callable[[], object], stop: Callable[[], object]) -> None:
        super().__init__()
        self._close = close
        self._stop = stop
        self._lines = self.rect
        self._head, self._size = _HEAD, _TEXT[0]
        self.words = ""

    def show(self, words: str) -> None:
        """Show this hint."""
        if words != self.words:
            self.words = words
            self.over(self._lines)

    def over(self, lines: Rect) -> None:
        """Place it over the uppermost lines of the chronicle, as high as the words need. It does without a heading
        where room is short."""
        self._lines = lines
        for self._head, self._size in product((_HEAD, _EDGE), _TEXT):
            height = theme.px(self._head + _FOOT) + self._label().rect.height
            if height <= lines.height - theme.px(_FREE):
                break
        self.place(arcade.LBWH(lines.left - theme.px(6), lines.top - height, lines.width + theme.px(12), height))

    def _label(self) -> Label:
        width = self._lines.width - theme.px(2 * _EDGE - 12)
        return Label(self.words, 0, 0, anchor_y="top", width=width, size=self._size)

    @property
    def shown(self) -> bool:
        return bool(self.words)

    def build(self) -> None:
        if not self.shown:
            return
        rect, pad, height = self.rect, theme.px(_EDGE), theme.px(_HIGH)
        self.ui.add(self._label()).move(rect.left + pad, rect.top - theme.px(self._head))
        low, gap = rect.bottom + theme.px(10), theme.px(8)
        width = (rect.width - 2 * pad - gap) / 2
        more = arcade.LBWH(rect.left + pad, low, width, height)
        self.ui.add(Button(more, _("No more tips"), self._stop, kind="quiet", size=theme.BODY,
                           tip=_("The settings bring them back.")))  # fmt: skip
        got = arcade.LBWH(more.right + gap, low, width, height)
        self.ui.add(Button(got, _("Got it"), self._close, kind="primary", size=theme.BODY))

    def paint(self) -> None:
        rect = self.rect
        if self._head == _HEAD:
            shapes.say(_("Good to know"), rect.left + theme.px(_EDGE), rect.top - theme.px(_HEAD / 2 + 2),
                      size=theme.LARGE, title=True, colour=theme.TERRACOTTA_DEEP)  # fmt: skip


NOTHING = Lit()


class Hinting(Generic[T]):
    """Hints at a table. `shown`: called after a hint came or went."""

    def __init__(self, hints: Sequence[Hint[T]], game: FirstGame, shown: Callable[[], object]) -> None:
        self._shown = shown
        self.progress = Progress(hints, game)
        self.plate = HintPlate(self._close, self._stop)
        self._frame = -1
        """Number of the decision that the present hint is about."""

    @property
    def lit(self) -> Lit:
        """The things that the present hint points at."""
        return self.progress.hint.lit if self.progress.hint is not None else NOTHING

    def hear(self, events: Sequence[Event]) -> None:
        """Note these events."""
        self.progress.hear(events)

    def follow(self, table: T, seat: Seat, task: AnyTask, version: int, usable: Callable[[Lit], bool]) -> None:
        """Look for a hint at a decision of the player, see `Progress.follow`."""
        before = self.progress.hint
        self.progress.follow(self.progress.glance(table, seat, task), version, usable)
        if self.progress.hint is not before:
            self._frame = table.frames[-1].no
        self._show()

    def leave(self, table: T) -> None:
        """Close the hint if its decision has been made."""
        if self.progress.hint is not None and all(frame.no != self._frame for frame in table.frames):
            self._close()

    def put_away(self, version: int) -> None:
        """Close the hint if it came before that version, as the match has gone on."""
        if self.progress.version < version:
            self._close()

    def heed(self, key: str) -> None:
        """Close that hint, as the player did what it says."""
        if self.progress.hint is not None and self.progress.hint.key == key:
            self._close()

    def _close(self) -> None:
        self.progress.put_away()
        self._show()

    def _stop(self) -> None:
        self.progress.stop()
        self._show()

    def _show(self) -> None:
        self.plate.show(self.progress.hint.words if self.progress.hint is not None else "")
        self._shown()


class TurnNews(Generic[T]):
    """News for the player of one match: a hint, or else what happened since their last turn."""

    def __init__(
        self, match: TableMatch[T], guide: Guide[T], callbacks: TableCallbacks, first: FirstGame | None, *,
        shown: Callable[[bool], object], closed: Callable[[], object],
    ) -> None:  # fmt: skip
        """`first`: None without hints. `shown`: called with whether there is any news; `closed`: called after the
        player has read the summary."""
        self._match = match
        self._shown = shown
        self._closed = closed
        self.turns: TurnSummary[T] = TurnSummary(
            SENTENCES[match.rules.id], lambda table: guide.look.heading(table).active, match.name
        )
        self.plate = TurnSummaryPlate(callbacks.look_back, self._close)
        self.hinting = None if first is None or match.seat < 0 else Hinting(guide.hints, first, self._show)

    def follow(self, table: T) -> None:
        """Show at the beginning of the player's turn what has changed since their last one."""
        match = self._match
        self.turns.follow(table, match.version, match.seat, match.is_mine)
        if self.hinting is not None and self.turns.deeds:
            self.hinting.put_away(match.version)
        self._show()

    def _show(self) -> None:
        """Show the lines about the other players, unless a hint lies in their place."""
        hint = self.hinting is not None and self.hinting.plate.shown
        self.plate.show(() if hint else self.turns.deeds)
        self._shown(hint or self.plate.shown)

    def _close(self) -> None:
        self.turns.close()
        self._show()
        self._closed()

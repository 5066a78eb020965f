"""The bar below a replay: where one is in the match, what stands out in it, and the buttons with which one looks."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, Literal, Protocol

import arcade
from arcade.types import Rect

from client.drawing import shapes, theme
from client.drawing.charts import shorter
from client.drawing.fields import Selector
from client.drawing.theme import Colour
from client.drawing.widgets import Button, ButtonKind, Widget
from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.language import _
from client.replay.player import RATES
from client.replay.reading import Mark
from client.replay.subject import KINDS, Kind
from client.table.pane import CARD, WOOD, Pane

Sign = Literal["first", "mark-back", "back", "play", "pause", "on", "mark-on", "last"]
"""What is drawn on a button."""

_PAD: Final = 8.0
_HIGH: Final = 34.0
_KNOB: Final = 32.0
_PLAY: Final = 44.0
_RATE: Final = 33.0
_GAP: Final = 4.0
_EYES: Final = 176.0
_PIN: Final = 5.0
"""Half the size of the sign of a mark."""
_NEAR: Final = 6.0
"""How near to a mark the mouse has to be."""
_COLOURS: Final[dict[Kind, Colour]] = {
    Kind.ROUND: theme.BRONZE_DEEP,
    Kind.BATTLE: theme.TERRACOTTA,
    Kind.AUCTION: (196, 148, 40, 255),
    Kind.VOTE: theme.LAPIS,
    Kind.CAPTURE: theme.INK,
    Kind.SCORE: theme.OLIVE,
    Kind.END: theme.WINE,
}
_GONE: Final = shapes.Plate(theme.TERRACOTTA_LIGHT, theme.TERRACOTTA_DEEP, theme.CLEAR, radius=4)
_HEAD: Final = shapes.Plate(
    theme.IVORY, theme.PARCHMENT_DEEP, theme.TERRACOTTA_DEEP, 2.0, radius=8, shadow=5, bevel=0.3
)


class Deck(Protocol):
    """What the bar shows and does; `client.table.replay_control.Projector` is one."""

    @property
    def at(self) -> int:
        """The version that is shown."""

    @property
    def first(self) -> int:
        """The first of the film."""

    @property
    def last(self) -> int:
        """The last of the film."""

    @property
    def playing(self) -> bool:
        """Whether it goes on by itself."""

    @property
    def rate(self) -> float:
        """How fast."""

    @property
    def marks(self) -> Sequence[Mark]:
        """What stands out, as far as it is known."""

    @property
    def progress(self) -> float:
        """How far the film is read, from 0 to 1."""

    @property
    def eyes(self) -> Sequence[str]:
        """With whose eyes it can be seen, where that makes a difference."""

    @property
    def eye(self) -> int:
        """With whose it is."""

    def play(self) -> object:
        """Go on, or stop."""

    def step(self, by: int) -> object:
        """The next decision, or the one before."""

    def jump(self, by: int) -> object:
        """The next mark, or the one before."""

    def seek(self, n: int) -> object:
        """Any version."""

    def aim(self, n: int) -> object:
        """The same, with the next frame: whoever drags asks for many."""

    def run_at(self, rate: float) -> object:
        """So fast from now on."""

    def see_with(self, eye: int) -> object:
        """With other eyes from now on."""

    def chart(self) -> object:
        """Show what it came to in numbers."""

    def close(self) -> object:
        """Enough."""


class Knob(Button):
    """A button with a sign."""

    def __init__(
        self, rect: Rect, sign: Sign, action: Callable[[], object], tip: str, kind: ButtonKind = "plain"
    ) -> None:
        super().__init__(rect, "", action, tip=tip, kind=kind)
        self._sign = sign

    def draw(self) -> None:
        super().draw()
        draw_sign(
            self._sign, self.rect.x, self.rect.y, theme.px(7), theme.IVORY if self.kind == "primary" else theme.INK
        )


def draw_sign(sign: Sign, x: float, y: float, r: float, colour: Colour) -> None:
    """A sign around a point, of that half height."""
    if sign == "pause":
        for left in (x - r * 0.8, x + r * 0.25):
            arcade.draw_rect_filled(arcade.LBWH(left, y - r, r * 0.55, 2 * r), colour)
        return
    way = -1 if sign in ("first", "mark-back", "back") else 1
    if sign in ("play", "on", "back"):
        _arrow(x - way * r * (0.75 if sign == "play" else 0.35), y, r, way, colour)
    if sign in ("on", "back"):
        _bar(x - way * r * 0.75, y, r, colour)
    if sign in ("mark-on", "mark-back"):
        _arrow(x - way * r * 1.15, y, r, way, colour)
        _diamond(x + way * r * 0.75, y, r * 0.72, colour)
    if sign in ("first", "last"):
        _arrow(x - way * r * 1.1, y, r, way, colour)
        _arrow(x - way * r * 0.2, y, r, way, colour)
        _bar(x + way * r * 1.05, y, r, colour)


def _arrow(x: float, y: float, r: float, way: int, colour: Colour) -> None:
    arcade.draw_polygon_filled([(x, y - r), (x + way * r * 1.25, y), (x, y + r)], colour)


def _bar(x: float, y: float, r: float, colour: Colour) -> None:
    arcade.draw_rect_filled(arcade.XYWH(x, y, r * 0.34, 2 * r), colour)


def _diamond(x: float, y: float, r: float, colour: Colour) -> None:
    arcade.draw_polygon_filled([(x - r, y), (x, y + r), (x + r, y), (x, y - r)], colour)


def draw_pin(kind: Kind, x: float, y: float, r: float) -> None:
    """The sign of a mark: each kind has its colour and its shape."""
    colour = _COLOURS[kind]
    match kind:
        case Kind.BATTLE:
            _diamond(x, y, r * 1.15, colour)
        case Kind.AUCTION:
            arcade.draw_rect_filled(arcade.XYWH(x, y, 1.7 * r, 1.7 * r), colour)
        case Kind.VOTE:
            arcade.draw_circle_filled(x, y, r, colour)
        case Kind.CAPTURE:
            arcade.draw_polygon_filled([(x - r, y - r), (x, y + r), (x + r, y - r)], colour)
        case Kind.SCORE:
            arcade.draw_polygon_filled([(x - r, y + r), (x, y - r), (x + r, y + r)], colour)
        case Kind.END:
            arcade.draw_circle_filled(x, y, r * 1.15, colour)
            arcade.draw_circle_filled(x, y, r * 0.5, theme.IVORY)
        case Kind.ROUND:
            arcade.draw_rect_filled(arcade.XYWH(x, y, max(1.0, r * 0.3), 2 * r), colour)


class Rate(Button):
    """A button that says how fast the film runs."""

    def __init__(self, rect: Rect, rate: float, action: Callable[[], object], tip: str, *, on: bool) -> None:
        super().__init__(rect, "", action, tip=tip, kind="primary" if on else "quiet")
        self._said = "½×" if rate == 0.5 else f"{rate:g}×"

    def draw(self) -> None:
        super().draw()
        on = self.kind == "primary"
        colour = theme.IVORY if on else theme.INK
        shapes.say(self._said, self.rect.x, self.rect.y, colour=colour, bold=on, align="center")


class Track(Widget):
    """The line of the match: pressed or dragged, one is there."""

    def __init__(self, rect: Rect, deck: Deck) -> None:
        super().__init__(rect)
        self._deck = deck

    @property
    def line(self) -> Rect:
        """The line itself."""
        rect, edge = self.rect, theme.px(8)
        return arcade.LRBT(rect.left + edge, rect.right - edge, rect.y - theme.px(9), rect.y - theme.px(2))

    def x_of(self, n: int) -> float:
        """Where a version is."""
        deck, line = self._deck, self.line
        return line.left + line.width * (n - deck.first) / max(1, deck.last - deck.first)

    def version_at(self, x: float) -> int:
        """The version at a point of the line."""
        deck, line = self._deck, self.line
        share = min(1.0, max(0.0, (x - line.left) / line.width))
        return deck.first + round(share * (deck.last - deck.first))

    def mark_at(self, x: float) -> Mark | None:
        """The mark near a point; something that happened before a round that began."""
        near = [mark for mark in self._deck.marks if abs(self.x_of(mark.version) - x) <= theme.px(_NEAR)]
        return min(near, key=lambda mark: (mark.kind is Kind.ROUND, abs(self.x_of(mark.version) - x)), default=None)

    def on_press(self, x: float, y: float) -> None:
        mark = self.mark_at(x) if y > self.line.top else None
        self._deck.seek(self.version_at(x) if mark is None else mark.version)

    def on_drag(self, x: float, y: float) -> None:
        self._deck.aim(self.version_at(x))

    def on_scroll(self, steps: float) -> bool:
        self._deck.step(-1 if steps > 0 else 1)
        return True

    def draw(self) -> None:
        line = self.line
        shapes.plate(line, shapes.WELL)
        known = line.left + line.width * self._deck.progress
        if self._deck.progress < 1:
            arcade.draw_rect_filled(arcade.LRBT(line.left, known, line.bottom, line.top), theme.alpha(theme.BRONZE, 60))
        head = self.x_of(self._deck.at)
        if head - line.left > 2:
            shapes.plate(arcade.LRBT(line.left, head, line.bottom, line.top), _GONE)
        self._draw_rounds()
        for mark in self._deck.marks:
            if mark.kind is not Kind.ROUND:
                draw_pin(mark.kind, self.x_of(mark.version), line.top + theme.px(11), theme.px(_PIN))
        side = theme.px(17)
        shapes.plate(arcade.XYWH(head, line.y, side, side), _HEAD)

    def _draw_rounds(self) -> None:
        """Where rounds begin, with their names where there is room."""
        line, free = self.line, self.line.left
        rounds = [mark for mark in self._deck.marks if mark.kind is Kind.ROUND]
        for mark, after in zip(rounds, [*rounds[1:], None], strict=True):
            x = self.x_of(mark.version)
            arcade.draw_line(x, line.bottom - theme.px(4), x, line.top + theme.px(3), _COLOURS[Kind.ROUND], 1)
            room = (self.x_of(after.version) if after is not None else line.right) - x
            names = shorter(mark.words, [other.words for other in rounds])
            free = max(free, self._name(names, x, room)) if x >= free else free

    def _name(self, names: Sequence[str], x: float, room: float) -> float:
        """The first name of a round for which there is room; returns where it ends."""
        for said in names:
            line = shapes.kept(said, size=theme.SMALL - 1.5, colour=theme.INK_SOFT, anchor_y="center")
            if line.content_width + theme.px(6) <= room:
                line.position = round(x + theme.px(2)), round(self.line.bottom - theme.px(10))
                line.draw()
                return x + line.content_width + theme.px(6)
        return x


class ReplayBar(Pane):
    """See the module's docstring."""

    def __init__(self, deck: Callable[[], Deck]) -> None:
        super().__init__()
        self._deck = deck
        self.track: Track | None = None
        self._facts: object = None

    def show(self) -> None:
        """Show how it stands."""
        deck = self._deck()
        built = deck.playing, deck.rate, deck.eye
        facts = built, deck.at, len(deck.marks), round(deck.progress, 2)
        if facts != self._facts:
            before, self._facts = self._facts, facts
            if isinstance(before, tuple) and before[0] == built:
                self.touch()
            else:
                self.rebuild()

    @property
    def _inside(self) -> Rect:
        pad = theme.px(_PAD)
        return arcade.LRBT(self.rect.left + pad, self.rect.right - pad, self.rect.bottom + pad, self.rect.top - pad)

    def build(self) -> None:
        deck, inside = self._deck(), self._inside
        edge = theme.px(8)
        line = arcade.LRBT(
            inside.left + edge, inside.right - edge, inside.top - theme.px(72), inside.top - theme.px(22)
        )
        self.track = self.ui.add(Track(line, deck))
        y = inside.bottom + theme.px(6)
        left = self._build_knobs(deck, inside.left + edge, y)
        left = self._build_rates(deck, left + theme.px(_GAP + 4), y)
        right = self._build_rest(deck, inside.right - edge, y)
        if deck.eyes:
            self._build_eyes(deck, left + theme.px(_GAP), right, y)

    def _build_knobs(self, deck: Deck, left: float, y: float) -> float:
        """From the left; returns where they end."""
        playing = deck.playing
        knobs: tuple[tuple[Sign, Callable[[], object], str], ...] = (
            ("first", partial(deck.seek, deck.first), _("To the beginning ({key})", key=told(Command.OPENING))),
            ("mark-back", partial(deck.jump, -1), _("The mark before ({key})", key=told(Command.MARK_BACK))),
            ("back", partial(deck.step, -1), _("The decision before ({key})", key=told(Command.LEFT))),
            ("pause" if playing else "play", deck.play,
             (_("Stop ({key})") if playing else _("Go on ({key})")).format(key=told(Command.PLAY))),
            ("on", partial(deck.step, 1), _("The next decision ({key})", key=told(Command.RIGHT))),
            ("mark-on", partial(deck.jump, 1), _("The next mark ({key})", key=told(Command.MARK_ON))),
            ("last", partial(deck.seek, deck.last), _("To the end ({key})", key=told(Command.CLOSING))),
        )  # fmt: skip
        for sign, action, tip in knobs:
            main = sign in ("play", "pause")
            rect = arcade.LBWH(left, y, theme.px(_PLAY if main else _KNOB), theme.px(_HIGH))
            self.ui.add(Knob(rect, sign, action, tip, "primary" if main else "plain"))
            left = rect.right + theme.px(_GAP)
        return left

    def _build_rates(self, deck: Deck, left: float, y: float) -> float:
        for i, rate in enumerate(RATES):
            rect = arcade.LBWH(left, y, theme.px(_RATE), theme.px(_HIGH))
            tip = _("{rate} times as fast ({key})", rate=f"{rate:g}", key=i + 1)
            self.ui.add(Rate(rect, rate, partial(deck.run_at, rate), tip, on=rate == deck.rate))
            left = rect.right + theme.px(_GAP - 2)
        return left

    def _build_rest(self, deck: Deck, right: float, y: float) -> float:
        """From the right: the way out, and the charts."""
        for words, action, tip in (
            (_("Close"), deck.close, _("Back to where you came from")),
            (_("Charts"), deck.chart, _("What it came to in numbers, and whose dice were lucky ({key})",
                                        key=told(Command.CHARTS))),
        ):  # fmt: skip
            wide = Button.width(words, 76)
            right -= wide
            self.ui.add(Button(arcade.LBWH(right, y, wide, theme.px(_HIGH)), words, action, size=theme.BODY, tip=tip))
            right -= theme.px(_GAP + 2)
        return right

    def _build_eyes(self, deck: Deck, left: float, right: float, y: float) -> None:
        """With whose eyes one sees, between them."""
        wide = min(theme.px(_EYES), right - left)
        rect = arcade.LBWH(right - wide, y, wide, theme.px(_HIGH))
        tip = _("With whose eyes you see the match ({key})", key=told(Command.EYES))
        self.ui.add(Selector(rect, list(deck.eyes), deck.eye, deck.see_with, tip=tip))

    def paint(self) -> None:
        shapes.plate(self.rect, WOOD)
        inside = self._inside
        shapes.plate(inside, CARD)
        deck, y = self._deck(), inside.top - theme.px(13)
        where = _("{at} of {last}", at=deck.at - deck.first, last=deck.last - deck.first)
        left = inside.left + theme.px(16)
        line = shapes.say(self.chapter(deck), left, y, size=theme.BODY, title=True, colour=theme.TERRACOTTA_DEEP)
        shapes.say(where, left + line.content_width + theme.px(12), y, size=theme.SMALL, colour=theme.INK_SOFT)
        self._paint_legend(deck, inside.right - theme.px(16), y)

    @staticmethod
    def chapter(deck: Deck) -> str:
        """The round in which one is."""
        rounds = [mark for mark in deck.marks if mark.kind is Kind.ROUND]
        place = bisect_right([mark.version for mark in rounds], deck.at) - 1
        return rounds[place].words if place >= 0 else _("Replay")

    def _paint_legend(self, deck: Deck, right: float, y: float) -> None:
        """The kinds of marks that there are."""
        if deck.progress < 1:
            words = _("Reading the match … {percent} %", percent=round(deck.progress * 100))
            shapes.say(words, right, y, size=theme.SMALL, colour=theme.INK_SOFT, align="right")
            return
        there = {mark.kind for mark in deck.marks} - {Kind.ROUND}
        for kind in reversed([kind for kind in Kind if kind in there]):
            line = shapes.say(KINDS[kind], right, y, size=theme.SMALL - 0.5, colour=theme.INK_SOFT, align="right")
            right -= line.content_width + theme.px(10)
            draw_pin(kind, right, y, theme.px(_PIN - 0.5))
            right -= theme.px(16)

    def tip(self, x: float, y: float) -> str:
        track = self.track
        if track is None or not track.hit(x, y):
            return super().tip(x, y)
        mark = track.mark_at(x)
        return mark.words if mark is not None else self.chapter_at(track.version_at(x))

    def chapter_at(self, n: int) -> str:
        """A version in words."""
        deck = self._deck()
        rounds = [mark for mark in deck.marks if mark.kind is Kind.ROUND and mark.version <= n]
        where = _("{at} of {last}", at=n - deck.first, last=deck.last - deck.first)
        return f"{rounds[-1].words} · {where}" if rounds else where

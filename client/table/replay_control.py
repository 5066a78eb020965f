"""Control of a replay at the table: it runs by itself or follows the player's commands. The table draws it like a
match."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, Literal, Protocol

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
from client.replay.film_analysis import MatchHighlight, Reading
from client.replay.film_match import FilmMatch
from client.replay.film_player import RATES, FilmPlayer, ReplayPlaySettings
from client.replay.game_replay import KINDS, HighlightKind
from client.table.event_text import event_line
from client.table.guide import Guide
from client.table.match import TableCallbacks
from client.table.pane import CARD, WOOD, Pane
from client.table.tabletop import Tabletop
from shared.kernel.ruleset import told_to_all

Sign = Literal["first", "mark-back", "back", "play", "pause", "on", "mark-on", "last"]
"""Signs that are drawn on buttons."""

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
"""Largest distance of the mouse from a mark."""
_COLOURS: Final[dict[HighlightKind, Colour]] = {
    HighlightKind.ROUND: theme.BRONZE_DEEP,
    HighlightKind.BATTLE: theme.TERRACOTTA,
    HighlightKind.AUCTION: (196, 148, 40, 255),
    HighlightKind.VOTE: theme.LAPIS,
    HighlightKind.CAPTURE: theme.INK,
    HighlightKind.SCORE: theme.OLIVE,
    HighlightKind.END: theme.WINE,
}
_GONE: Final = shapes.Plate(theme.TERRACOTTA_LIGHT, theme.TERRACOTTA_DEEP, theme.CLEAR, radius=4)
_HEAD: Final = shapes.Plate(
    theme.IVORY, theme.PARCHMENT_DEEP, theme.TERRACOTTA_DEEP, 2.0, radius=8, shadow=5, bevel=0.3
)


class Deck(Protocol):
    """Data and actions of the bar; `client.table.replay_control.ReplayControl` is one."""

    @property
    def at(self) -> int:
        """The version that is shown."""

    @property
    def first(self) -> int:
        """The first version of the film."""

    @property
    def last(self) -> int:
        """The last version of the film."""

    @property
    def playing(self) -> bool:
        """Whether the film is running."""

    @property
    def rate(self) -> float:
        """Speed of the film, a factor."""

    @property
    def marks(self) -> Sequence[MatchHighlight]:
        """Notable moments, as far as they are known."""

    @property
    def progress(self) -> float:
        """Share of the film that has been read, from 0 to 1."""

    @property
    def eyes(self) -> Sequence[str]:
        """Names of the available points of view, if there are several that differ."""

    @property
    def eye(self) -> int:
        """Index of the present point of view."""

    def play(self) -> object:
        """Start or stop the film."""

    def step(self, by: int) -> object:
        """Go to the next decision, or to the one before."""

    def jump(self, by: int) -> object:
        """Go to the next mark, or to the one before."""

    def seek(self, n: int) -> object:
        """Go to any version."""

    def aim(self, n: int) -> object:
        """Go to a version with the next frame; a drag asks for many versions in a frame."""

    def run_at(self, rate: float) -> object:
        """Set the speed."""

    def see_with(self, eye: int) -> object:
        """Set the point of view."""

    def chart(self) -> object:
        """Show the charts of the match."""

    def close(self) -> object:
        """Close the replay."""


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
    """Draw a sign around a point; `r` is half its height."""
    if sign == "pause":
        for left in (x - r * 0.8, x + r * 0.25):
            arcade.draw_rect_filled(arcade.LBWH(left, y - r, r * 0.55, 2 * r), colour)
        return
    way = -1 if sign in ("first", "mark-back", "back") else 1
    if sign in ("play", "on", "back"):
        _draw_arrow(x - way * r * (0.75 if sign == "play" else 0.35), y, r, way, colour)
    if sign in ("on", "back"):
        _bar(x - way * r * 0.75, y, r, colour)
    if sign in ("mark-on", "mark-back"):
        _draw_arrow(x - way * r * 1.15, y, r, way, colour)
        _draw_diamond(x + way * r * 0.75, y, r * 0.72, colour)
    if sign in ("first", "last"):
        _draw_arrow(x - way * r * 1.1, y, r, way, colour)
        _draw_arrow(x - way * r * 0.2, y, r, way, colour)
        _bar(x + way * r * 1.05, y, r, colour)


def _draw_arrow(x: float, y: float, r: float, way: int, colour: Colour) -> None:
    arcade.draw_polygon_filled([(x, y - r), (x + way * r * 1.25, y), (x, y + r)], colour)


def _bar(x: float, y: float, r: float, colour: Colour) -> None:
    arcade.draw_rect_filled(arcade.XYWH(x, y, r * 0.34, 2 * r), colour)


def _draw_diamond(x: float, y: float, r: float, colour: Colour) -> None:
    arcade.draw_polygon_filled([(x - r, y), (x, y + r), (x + r, y), (x, y - r)], colour)


def draw_pin(kind: HighlightKind, x: float, y: float, r: float) -> None:
    """Draw the sign of a mark: each kind has its colour and its shape."""
    colour = _COLOURS[kind]
    match kind:
        case HighlightKind.BATTLE:
            _draw_diamond(x, y, r * 1.15, colour)
        case HighlightKind.AUCTION:
            arcade.draw_rect_filled(arcade.XYWH(x, y, 1.7 * r, 1.7 * r), colour)
        case HighlightKind.VOTE:
            arcade.draw_circle_filled(x, y, r, colour)
        case HighlightKind.CAPTURE:
            arcade.draw_polygon_filled([(x - r, y - r), (x, y + r), (x + r, y - r)], colour)
        case HighlightKind.SCORE:
            arcade.draw_polygon_filled([(x - r, y + r), (x, y - r), (x + r, y + r)], colour)
        case HighlightKind.END:
            arcade.draw_circle_filled(x, y, r * 1.15, colour)
            arcade.draw_circle_filled(x, y, r * 0.5, theme.IVORY)
        case HighlightKind.ROUND:
            arcade.draw_rect_filled(arcade.XYWH(x, y, max(1.0, r * 0.3), 2 * r), colour)


class Rate(Button):
    """A button that sets the speed of the film."""

    def __init__(self, rect: Rect, rate: float, action: Callable[[], object], tip: str, *, on: bool) -> None:
        super().__init__(rect, "", action, tip=tip, kind="primary" if on else "quiet")
        self._text = "½×" if rate == 0.5 else f"{rate:g}×"

    def draw(self) -> None:
        super().draw()
        on = self.kind == "primary"
        colour = theme.IVORY if on else theme.INK
        shapes.say(self._text, self.rect.x, self.rect.y, colour=colour, bold=on, align="center")


class Track(Widget):
    """Timeline of the match; a press or drag goes to that version."""

    def __init__(self, rect: Rect, deck: Deck) -> None:
        super().__init__(rect)
        self._deck = deck

    @property
    def line(self) -> Rect:
        """The line itself."""
        rect, edge = self.rect, theme.px(8)
        return arcade.LRBT(rect.left + edge, rect.right - edge, rect.y - theme.px(9), rect.y - theme.px(2))

    def x_of(self, n: int) -> float:
        """Return the x coordinate of a version."""
        deck, line = self._deck, self.line
        return line.left + line.width * (n - deck.first) / max(1, deck.last - deck.first)

    def version_at(self, x: float) -> int:
        """Return the version at a point of the line."""
        deck, line = self._deck, self.line
        share = min(1.0, max(0.0, (x - line.left) / line.width))
        return deck.first + round(share * (deck.last - deck.first))

    def mark_at(self, x: float) -> MatchHighlight | None:
        """Return the mark near a point; marks of events come before marks of rounds."""
        near = [mark for mark in self._deck.marks if abs(self.x_of(mark.version) - x) <= theme.px(_NEAR)]
        return min(
            near, key=lambda mark: (mark.kind is HighlightKind.ROUND, abs(self.x_of(mark.version) - x)), default=None
        )

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
        loaded = line.left + line.width * self._deck.progress
        if self._deck.progress < 1:
            arcade.draw_rect_filled(
                arcade.LRBT(line.left, loaded, line.bottom, line.top), theme.alpha(theme.BRONZE, 60)
            )
        head = self.x_of(self._deck.at)
        if head - line.left > 2:
            shapes.plate(arcade.LRBT(line.left, head, line.bottom, line.top), _GONE)
        self._draw_rounds()
        for mark in self._deck.marks:
            if mark.kind is not HighlightKind.ROUND:
                draw_pin(mark.kind, self.x_of(mark.version), line.top + theme.px(11), theme.px(_PIN))
        side = theme.px(17)
        shapes.plate(arcade.XYWH(head, line.y, side, side), _HEAD)

    def _draw_rounds(self) -> None:
        """Draw the beginnings of rounds, with their names where there is room."""
        line, free = self.line, self.line.left
        rounds = [mark for mark in self._deck.marks if mark.kind is HighlightKind.ROUND]
        for mark, after in zip(rounds, [*rounds[1:], None], strict=True):
            x = self.x_of(mark.version)
            arcade.draw_line(x, line.bottom - theme.px(4), x, line.top + theme.px(3), _COLOURS[HighlightKind.ROUND], 1)
            room = (self.x_of(after.version) if after is not None else line.right) - x
            names = shorter(mark.words, [other.words for other in rounds])
            free = max(free, self._name(names, x, room)) if x >= free else free

    def _name(self, names: Sequence[str], x: float, room: float) -> float:
        """Draw the first of a round's names that fits; return where it ends."""
        for text in names:
            line = shapes.kept(text, size=theme.SMALL - 1.5, colour=theme.INK_SOFT, anchor_y="center")
            if line.content_width + theme.px(6) <= room:
                line.position = round(x + theme.px(2)), round(self.line.bottom - theme.px(10))
                line.draw()
                return x + line.content_width + theme.px(6)
        return x


class ReplayBar(Pane):
    """Bar below a replay."""

    def __init__(self, deck: Callable[[], Deck]) -> None:
        super().__init__()
        self._deck = deck
        self.track: Track | None = None
        self._facts: object = None

    def show(self) -> None:
        """Show the present state."""
        deck = self._deck()
        built = deck.playing, deck.rate, deck.eye
        facts = built, deck.at, len(deck.marks), round(deck.progress, 2)
        if facts != self._facts:
            before, self._facts = self._facts, facts
            # Only the knob and the marks moved: the buttons stay, and with them what the mouse holds.
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
        """Add the buttons from the left; return where they end."""
        playing = deck.playing
        knobs: tuple[tuple[Sign, Callable[[], object], str], ...] = (
            ("first", partial(deck.seek, deck.first), _("To the beginning ({key})", key=told(Command.OPENING))),
            ("mark-back", partial(deck.jump, -1), _("The previous mark ({key})", key=told(Command.MARK_BACK))),
            ("back", partial(deck.step, -1), _("The previous decision ({key})", key=told(Command.LEFT))),
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
        """Add the buttons at the right: close, and the charts."""
        for words, action, tip in (
            (_("Close"), deck.close, _("Back to where you came from")),
            (_("Charts"), deck.chart, _("Charts of the match, and whose dice were lucky ({key})",
                                        key=told(Command.CHARTS))),
        ):  # fmt: skip
            width = Button.width(words, 76)
            right -= width
            self.ui.add(Button(arcade.LBWH(right, y, width, theme.px(_HIGH)), words, action, size=theme.BODY, tip=tip))
            right -= theme.px(_GAP + 2)
        return right

    def _build_eyes(self, deck: Deck, left: float, right: float, y: float) -> None:
        """Add the choice of the point of view, between both groups of buttons."""
        width = min(theme.px(_EYES), right - left)
        rect = arcade.LBWH(right - width, y, width, theme.px(_HIGH))
        tip = _("Through whose eyes you see the match ({key})", key=told(Command.EYES))
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
        """Return the name of the present round."""
        rounds = [mark for mark in deck.marks if mark.kind is HighlightKind.ROUND]
        place = bisect_right([mark.version for mark in rounds], deck.at) - 1
        return rounds[place].words if place >= 0 else _("Replay")

    def _paint_legend(self, deck: Deck, right: float, y: float) -> None:
        """Draw the kinds of marks in this match."""
        if deck.progress < 1:
            words = _("Reading the match … {percent} %", percent=round(deck.progress * 100))
            shapes.say(words, right, y, size=theme.SMALL, colour=theme.INK_SOFT, align="right")
            return
        there = {mark.kind for mark in deck.marks} - {HighlightKind.ROUND}
        for kind in reversed([kind for kind in HighlightKind if kind in there]):
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
        """Return a version in words."""
        deck = self._deck()
        rounds = [mark for mark in deck.marks if mark.kind is HighlightKind.ROUND and mark.version <= n]
        where = _("{at} of {last}", at=n - deck.first, last=deck.last - deck.first)
        return f"{rounds[-1].words} · {where}" if rounds else where


class ReplayControl:
    """Running replay, and the `Deck` of its bar. `play_settings`: the settings of speed, which `callbacks` has too."""

    def __init__(
        self, screening: FilmMatch, guide: Guide[Any], callbacks: TableCallbacks, play_settings: ReplayPlaySettings, *,
        charts: Callable[[Reading], object], close: Callable[[], object],
    ) -> None:  # fmt: skip
        self.screening = screening
        self.player = FilmPlayer()
        self._play_settings = play_settings
        self._charts = charts
        self._aim: int | None = None
        """The version that is requested for the next frame."""
        self._close = close
        self.reading = Reading(screening.film, guide.film, lambda event: event_line(event, screening.name, guide.tell))
        self.bar = ReplayBar(lambda: self)
        self.top: Tabletop[Any] = Tabletop(screening, guide, callbacks, bar=self.bar)

    # Data of the bar

    @property
    def at(self) -> int:
        """The version that is shown."""
        return self.screening.version

    @property
    def first(self) -> int:
        """The first version of the film."""
        return self.screening.film.first

    @property
    def last(self) -> int:
        """The last version of the film."""
        return self.screening.film.last

    @property
    def playing(self) -> bool:
        """Whether the film is running."""
        return self.player.playing

    @property
    def rate(self) -> float:
        """Speed of the film, a factor."""
        return self.player.rate

    @property
    def marks(self) -> Sequence[MatchHighlight]:
        """Notable moments, as far as they are known."""
        return self.reading.marks

    @property
    def progress(self) -> float:
        """Share of the film that has been read, from 0 to 1."""
        return self.reading.progress

    @property
    def eyes(self) -> Sequence[str]:
        """Names of the available points of view; empty if all see the same."""
        film = self.screening.film
        if film.rules.event_for is told_to_all or len(film.audiences) < 2:
            return ()
        return [_("Seen by all") if seat is None else self.screening.name(seat) for seat in film.audiences]

    @property
    def eye(self) -> int:
        """Index of the present point of view."""
        return self.screening.film.audiences.index(self.screening.audience)

    # Actions of the bar

    def play(self) -> None:
        """Start or stop the film; at the end start it from the beginning."""
        if self.at == self.last and not self.playing:
            self.seek(self.first)
        self.player.turn()
        self.bar.show()

    def step(self, by: int) -> None:
        """Go to the next decision with all steps on the way, or jump to the one before."""
        self.player.playing = False
        if by < 0:
            self.seek(self.screening.turn(by))
            return
        self.top.events.hurry()
        goal = self.screening.turn(by)
        while self.at < goal:
            self._go_on()
        self.bar.show()

    def play_to(self, n: int) -> None:
        """Go to a later version; the rate decides whether events on the way are shown or skipped."""
        while self.at < min(n, self.last):
            self._go_on()
        self.bar.show()

    def jump(self, by: int) -> None:
        """Go to the next mark, or to the one before; beyond them to the end or the beginning."""
        versions = [mark.version for mark in self.marks]
        if by > 0:
            self.seek(next((n for n in versions if n > self.at), self.last))
        else:
            self.seek(next((n for n in reversed(versions) if n < self.at), self.first))

    def seek(self, n: int) -> None:
        """Jump to any version."""
        if n != self.at:
            self.screening.leap(n)
            self._show()

    def aim(self, n: int) -> None:
        """Jump to a version with the next frame."""
        self._aim = n

    def _show(self) -> None:
        self.top.leap(self.screening.story())
        self.bar.show()

    def run_at(self, rate: float) -> None:
        """Set the speed. If moves are too fast to be seen, end the present ones."""
        self.player.rate = self._play_settings.rate = rate
        if not self.player.shown:
            self.top.events.hurry()
        self.bar.show()

    def faster(self, by: int) -> None:
        """Change to the next rate, or to the one before."""
        self.run_at(RATES[min(len(RATES) - 1, max(0, RATES.index(self.rate) + by))])

    def see_with(self, eye: int) -> None:
        """Set the point of view."""
        self.screening.see_with(self.screening.film.audiences[eye])
        self._show()

    def blink(self) -> None:
        """Change to the next point of view, if there are several."""
        if self.eyes:
            self.see_with((self.eye + 1) % len(self.eyes))

    def chart(self) -> None:
        """Show the charts of the match."""
        self.player.playing = False
        self.bar.show()
        self._charts(self.reading)

    def close(self) -> None:
        """Close the replay."""
        self.reading.stop()
        self._close()

    # Life cycle

    def begin(self) -> None:
        """Show the first version."""
        self._show()

    def update(self, seconds: float) -> bool:
        """Advance by some seconds; return whether the display changed."""
        aim, self._aim = self._aim, None
        if aim is not None:
            self.seek(aim)
        busy = self.top.events.busy or self.top.display.motion.flying
        due = self.player.due(seconds, busy=busy)
        for _version in range(min(due, self.last - self.at)):
            self._go_on()
        if self.playing and self.at == self.last:
            self.player.playing = False
        self.bar.show()
        return self.top.update(seconds) or due > 0 or aim is not None

    def _go_on(self) -> None:
        self.screening.go_on()
        self.top.hear(missed=not self.player.shown)

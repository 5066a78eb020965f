"""Charts: curves over time and bars from several sources, with labelled axes."""

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from math import ceil, floor, log10
from typing import Final

import arcade
from arcade.types import Rect
from msgspec import Struct

from client.drawing import shapes, theme
from client.drawing.theme import Colour
from client.drawing.widgets import Widget

_LEFT, _LOW, _RIGHT, _TOP = 46.0, 30.0, 158.0, 12.0
"""Margins around a plot for the labels of its axes."""
_ERAS: Final = 20.0
"""Height of the row of seasons below the rounds, if there are any."""
_ROW: Final = 22.0
_PART: Final = "·"
"""Separator between a season and its round."""
_GRID: Final = theme.alpha(theme.BRONZE, 70)
_ERA: Final = theme.alpha(theme.TERRACOTTA_DEEP, 130)
_AXIS: Final = theme.alpha(theme.BRONZE_DEEP, 200)
_FACE: Final = shapes.Plate(
    theme.alpha(theme.IVORY, 150), theme.alpha(theme.PARCHMENT_LIGHT, 110), theme.alpha(theme.BRONZE, 110), 1.0,
    radius=4,
)  # fmt: skip
SOURCES: Final[tuple[Colour, ...]] = (
    theme.BRONZE_LIGHT, theme.LAPIS, theme.TERRACOTTA, theme.OLIVE, theme.WINE, theme.INK_FAINT,
)  # fmt: skip
"""Colours of sources, in order."""


class Curve(Struct, frozen=True):
    """Number of a seat over time: (moment, value) wherever it changed, with the first and the last moment."""

    seat: int
    name: str
    points: Sequence[tuple[int, int]]

    def at(self, moment: int) -> int:
        """Return the value at that moment."""
        place = bisect_right([when for when, _value in self.points], moment) - 1
        return self.points[max(0, place)][1] if self.points else 0


class Stop(Struct, frozen=True):
    """Named moment, such as the beginning of a round."""

    moment: int
    words: str


class BarPart(Struct, frozen=True):
    """Part of a bar. `details`: its components."""

    source: str
    amount: int
    details: Mapping[str, int]


class Bar(Struct, frozen=True):
    """Bar of a seat with a part for each source."""

    seat: int
    name: str
    parts: Sequence[BarPart]

    @property
    def total(self) -> int:
        """Sum of all parts."""
        return sum(part.amount for part in self.parts)


def ticks(low: int, high: int, most: int = 6) -> list[int]:
    """Return round numbers from `low` or below to `high` or above, at most `most` and one more."""
    span = max(1, high - low)
    step = 10 ** floor(log10(span / most)) if span > most else 1
    step = next(int(step * factor) for factor in (1, 2, 5, 10) if span / (step * factor) <= most)
    return list(range(floor(low / step) * step, (ceil(high / step) + 1) * step, step))


def era(words: str) -> str:
    """Return the season of ``"Season 1 · Round 2"``, and of ``"Season 1"``."""
    return words.split(_PART)[0].strip()


def parted(stops: Sequence[Stop]) -> bool:
    """Whether rounds belong to seasons, so that a bare number would be ambiguous."""
    return any(_PART in stop.words for stop in stops)


def eras(stops: Sequence[Stop]) -> list[Stop]:
    """Return the beginning of each season."""
    begun = zip(["", *[era(stop.words) for stop in stops]], stops, strict=False)
    return [Stop(stop.moment, era(stop.words)) for before, stop in begun if era(stop.words) != before]


def rounds(stops: Sequence[Stop]) -> list[Stop]:
    """Return the beginning of each round, without its season; empty text for the time before a season's rounds."""
    if not parted(stops):
        return list(stops)
    return [Stop(stop.moment, stop.words.partition(_PART)[2].strip()) for stop in stops]


def shorter(words: str, others: Sequence[str]) -> tuple[str, ...]:
    """Return the name of a moment, and its last word if that suffices. It does not for a season with rounds."""
    mixed = any(_PART in other for other in others)
    return (words, words.rsplit(maxsplit=1)[-1]) if _PART in words or not mixed else (words,)


class Chart(Widget):
    """Plot with axes. `pointer`: position of the mouse; the values there are shown beside it."""

    def __init__(self, rect: Rect) -> None:
        super().__init__(rect)
        self.pointer = (-1.0, -1.0)

    low = _LOW
    """Margin below the plot."""

    @property
    def plot(self) -> Rect:
        """Rectangle without the axes."""
        rect = self.rect
        left, right = rect.left + theme.px(_LEFT), rect.right - theme.px(_RIGHT)
        return arcade.LRBT(left, right, rect.bottom + theme.px(self.low), rect.top - theme.px(_TOP))

    def told(self, x: float, y: float) -> list[tuple[int, str, str]]:
        """Return the lines on a point: a seat (or -1), text, a number; the first line is a heading."""
        return []

    def draw_told(self) -> None:
        """Draw the values at the mouse beside it."""
        lines = self.told(*self.pointer)
        if lines:
            _draw_tablet(lines, *self.pointer)


class LineChart(Chart):
    """Curves of several seats in their colours, each with its mark and its name at its end."""

    def __init__(self, rect: Rect, curves: Sequence[Curve], stops: Sequence[Stop], first: int, last: int) -> None:
        super().__init__(rect)
        self.curves = curves
        self._stops = stops
        self._eras = eras(stops) if parted(stops) else []
        self.low = _LOW + (_ERAS if self._eras else 0.0)
        self._first, self._last = first, max(last, first + 1)
        values = [value for curve in curves for _moment, value in curve.points]
        # The doubled constants are for a chart without values, where `min` would get a single number.
        self._ticks = ticks(min(0, *values, 0), max(1, *values, 1))

    def x_of(self, moment: float) -> float:
        """Return the x coordinate of a moment."""
        return self.plot.left + self.plot.width * (moment - self._first) / (self._last - self._first)

    def y_of(self, value: float) -> float:
        """Return the y coordinate of a value."""
        low, high = self._ticks[0], self._ticks[-1]
        return self.plot.bottom + self.plot.height * (value - low) / (high - low)

    def moment_at(self, x: float) -> int:
        """Return the moment at an x coordinate."""
        share = min(1.0, max(0.0, (x - self.plot.left) / self.plot.width))
        return self._first + round(share * (self._last - self._first))

    def stop_at(self, moment: int) -> str:
        """Return the name of the round to which a moment belongs."""
        place = bisect_right([stop.moment for stop in self._stops], moment) - 1
        return self._stops[place].words if place >= 0 else ""

    def told(self, x: float, y: float) -> list[tuple[int, str, str]]:
        if not self.plot.point_in_rect((x, y)):
            return []
        moment = self.moment_at(x)
        values = sorted(((curve.at(moment), curve) for curve in self.curves), key=lambda pair: -pair[0])
        return [(-1, self.stop_at(moment), ""), *[(curve.seat, curve.name, str(value)) for value, curve in values]]

    def draw(self) -> None:
        plot = self.plot
        shapes.plate(plot, _FACE)
        for tick in self._ticks:
            y = self.y_of(tick)
            arcade.draw_line(plot.left, y, plot.right, y, _AXIS if tick == 0 else _GRID, 1)
            shapes.say(str(tick), plot.left - theme.px(8), y, size=theme.SMALL, colour=theme.INK_SOFT, align="right")
        self._draw_stops()
        for curve in self.curves:
            self._draw_curve(curve)
        self._draw_names()
        if plot.point_in_rect(self.pointer):
            x = self.x_of(self.moment_at(self.pointer[0]))
            arcade.draw_line(x, plot.bottom, x, plot.top, theme.alpha(theme.INK, 130), 1)

    def _draw_stops(self) -> None:
        """Draw the beginnings of rounds, and below them their seasons."""
        small, y = theme.SMALL - 1, self.plot.bottom - theme.px(13)
        for stop in self._stops:
            x = self.x_of(stop.moment)
            arcade.draw_line(x, self.plot.bottom - theme.px(4), x, self.plot.top, _GRID, 1)
        self._name(rounds(self._stops), y, lambda words: shapes.kept(
            words, size=small, colour=theme.INK_SOFT, anchor_y="center"))  # fmt: skip
        for stop in self._eras:
            x = self.x_of(stop.moment)
            arcade.draw_line(x, y - theme.px(_ERAS + 6), x, self.plot.top, _ERA, theme.px(1.6))
        self._name(self._eras, y - theme.px(_ERAS - 1), lambda words: shapes.kept(
            words, size=theme.SMALL, colour=theme.TERRACOTTA_DEEP, bold=True, anchor_y="center"))  # fmt: skip

    def _name(self, stops: Sequence[Stop], y: float, line_of: Callable[[str], arcade.Text]) -> None:
        """Draw names of moments, or their last words, if they fit before the next one."""
        free = self.plot.left
        for stop, end in pairwise([*stops, Stop(self._last, "")]):
            x, room = self.x_of(stop.moment), self.x_of(end.moment) - self.x_of(stop.moment)
            for line in map(line_of, filter(None, (stop.words, stop.words.rpartition(" ")[2]))):
                if x >= free and line.content_width + theme.px(6) <= room:
                    line.position = round(x + theme.px(3)), round(y)
                    line.draw()
                    free = x + line.content_width + theme.px(6)
                    break

    def _draw_curve(self, curve: Curve) -> None:
        """Draw a curve in steps. A dark edge separates light colours from the paper."""
        points: list[tuple[float, float]] = []
        for moment, value in curve.points:
            x, y = self.x_of(moment), self.y_of(value)
            if points:
                points.append((x, points[-1][1]))
            points.append((x, y))
        if len(points) > 1:
            arcade.draw_line_strip(points, theme.alpha(theme.NIGHT, 150), theme.px(4))
            arcade.draw_line_strip(points, theme.seat_colour(curve.seat), theme.px(2.4))

    def _draw_names(self) -> None:
        """Draw the names at the ends of the curves; names at similar heights are moved apart."""
        plot, high = self.plot, theme.px(_ROW)
        order = sorted(self.curves, key=lambda curve: curve.at(self._last), reverse=True)
        spots = spread([self.y_of(curve.at(self._last)) for curve in order], high, plot.bottom, plot.top)
        for curve, y in zip(order, spots, strict=True):
            x, end = plot.right + theme.px(22), self.y_of(curve.at(self._last))
            arcade.draw_line(plot.right, end, x - theme.px(9), y, theme.alpha(theme.INK, 110), 1)
            shapes.piece(f"marker_{curve.seat}", arcade.XYWH(x, y, theme.px(19), theme.px(19)))
            value = shapes.say(str(curve.at(self._last)), self.rect.right - theme.px(4), y, bold=True, align="right")
            left = x + theme.px(14)
            room = self.rect.right - value.content_width - theme.px(10) - left
            shapes.say(curve.name, left, y, size=theme.SMALL, limit=room)


class StackChart(Chart):
    """Bar for each seat with its sources; losses are to the left of the axis."""

    def __init__(self, rect: Rect, bars: Sequence[Bar]) -> None:
        super().__init__(rect)
        self.bars = bars
        self.sources = list(dict.fromkeys(part.source for bar in bars for part in bar.parts))
        low = min((sum(p.amount for p in bar.parts if p.amount < 0) for bar in bars), default=0)
        high = max((sum(p.amount for p in bar.parts if p.amount > 0) for bar in bars), default=1)
        self._ticks = ticks(low, max(1, high), 8)

    @property
    def plot(self) -> Rect:
        rect = self.rect
        left, right = rect.left + theme.px(_RIGHT), rect.right - theme.px(64)
        return arcade.LRBT(left, right, rect.bottom + theme.px(_LOW), rect.top - theme.px(34))

    def x_of(self, value: float) -> float:
        """Return the x coordinate of a value."""
        low, high = self._ticks[0], self._ticks[-1]
        return self.plot.left + self.plot.width * (value - low) / (high - low)

    def _places(self) -> list[tuple[Rect, Bar, BarPart]]:
        """Return the rectangle of each part."""
        plot, found = self.plot, []
        step = plot.height / max(1, len(self.bars))
        high = min(step * 0.64, theme.px(40))
        for i, bar in enumerate(self.bars):
            y = plot.top - step * (i + 0.5)
            gained = lost = 0
            for part in bar.parts:
                start = gained if part.amount > 0 else lost
                if part.amount > 0:
                    gained += part.amount
                else:
                    lost += part.amount
                left, right = sorted((self.x_of(start), self.x_of(start + part.amount)))
                found.append((arcade.LRBT(left, right, y - high / 2, y + high / 2), bar, part))
        return found

    def told(self, x: float, y: float) -> list[tuple[int, str, str]]:
        for rect, bar, part in self._places():
            if rect.point_in_rect((x, y)):
                details = sorted(part.details.items(), key=lambda pair: -abs(pair[1]))
                rest = [(-1, words, str(amount)) for words, amount in details if words != part.source]
                return [(bar.seat, f"{bar.name}: {part.source}", str(part.amount)), *rest[:14]]
        return []

    def draw(self) -> None:
        plot = self.plot
        shapes.plate(plot, _FACE)
        for tick in self._ticks:
            x = self.x_of(tick)
            arcade.draw_line(x, plot.bottom, x, plot.top, _AXIS if tick == 0 else _GRID, 1)
            y = plot.bottom - theme.px(13)
            shapes.say(str(tick), x, y, size=theme.SMALL, colour=theme.INK_SOFT, align="center")
        for rect, _bar, part in self._places():
            arcade.draw_rect_filled(rect, self.colour(part.source))
            arcade.draw_rect_outline(rect, theme.alpha(theme.NIGHT, 150), 1)
            words = shapes.kept(str(part.amount), size=theme.SMALL, colour=theme.IVORY, bold=True, anchor_y="center")
            if words.content_width + theme.px(8) < rect.width:
                words.position = round(rect.x - words.content_width / 2), round(rect.y)
                words.draw()
        self._draw_ends()
        self._draw_legend()

    def colour(self, source: str) -> Colour:
        """Return the colour of a source."""
        return SOURCES[self.sources.index(source) % len(SOURCES)]

    def _draw_ends(self) -> None:
        """Draw names before the bars, sums behind them."""
        plot, step = self.plot, self.plot.height / max(1, len(self.bars))
        for i, bar in enumerate(self.bars):
            y = plot.top - step * (i + 0.5)
            x = self.rect.left + theme.px(14)
            shapes.piece(f"marker_{bar.seat}", arcade.XYWH(x, y, theme.px(24), theme.px(24)))
            left = x + theme.px(18)
            shapes.say(bar.name, left, y, bold=True, limit=plot.left - left - theme.px(6))
            shapes.say(str(bar.total), self.rect.right - theme.px(6), y, size=theme.LARGE, bold=True, align="right")

    def _draw_legend(self) -> None:
        left, y = self.plot.left, self.rect.top - theme.px(15)
        for source in self.sources:
            side = theme.px(13)
            arcade.draw_rect_filled(arcade.XYWH(left + side / 2, y, side, side), self.colour(source))
            line = shapes.say(source, left + side + theme.px(7), y, size=theme.BODY, colour=theme.INK_SOFT)
            left += side + line.content_width + theme.px(28)


def spread(wished: Sequence[float], least: float, low: float, high: float) -> list[float]:
    """Return heights near the `wished` ones, from the highest down, at least `least` apart, within bounds."""
    found: list[float] = []
    for y in wished:
        found.append(min(y, found[-1] - least) if found else min(y, high))
    # From below upwards, against the first pass: names pushed under the lower bound are lifted again.
    for i in reversed(range(len(found))):
        below = found[i + 1] + least if i + 1 < len(found) else low
        found[i] = max(found[i], below)
    return found


def _draw_tablet(lines: Sequence[tuple[int, str, str]], x: float, y: float) -> None:
    """Draw lines with their numbers on a small dark tablet."""
    pad, high = theme.px(10), theme.px(20)
    labels = []
    for i, (_seat, words, number) in enumerate(lines):
        colour = theme.IVORY if i else theme.GOLD
        line = shapes.kept(words, size=theme.SMALL, colour=colour, anchor_y="center", bold=not i)
        labels.append((line, shapes.kept(number, size=theme.SMALL, colour=theme.IVORY, anchor_y="center", bold=True)))
    marks = theme.px(20) if any(seat >= 0 for seat, _words, _number in lines) else 0.0
    wide = max(line.content_width + figure.content_width for line, figure in labels) + marks + 2 * pad + theme.px(16)
    tall = high * len(lines) + pad
    window = arcade.get_window()
    left = x + theme.px(18) if x + theme.px(18) + wide < window.width else x - theme.px(12) - wide
    top = min(window.height - 4, max(y + tall / 2, tall + 4))
    shapes.plate(arcade.LBWH(left, top - tall, wide, tall), shapes.TIP)
    for i, ((seat, _words, _number), (line, figure)) in enumerate(zip(lines, labels, strict=True)):
        middle = top - pad / 2 - high * (i + 0.5)
        if seat >= 0:
            shapes.piece(f"marker_{seat}", arcade.XYWH(left + pad + theme.px(7), middle, theme.px(16), theme.px(16)))
        line.position = round(left + pad + marks), round(middle)
        line.draw()
        figure.position = round(left + wide - pad - figure.content_width), round(middle)
        figure.draw()

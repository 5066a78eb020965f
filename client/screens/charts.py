"""Statistics of a match: standings over time, sources of income, and luck with dice."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Final

import arcade
from arcade.types import Rect

from client.drawing import shapes, theme
from client.drawing.charts import Bar, BarPart, Chart, Curve, LineChart, StackChart, Stop
from client.drawing.fields import Tabs
from client.drawing.scrolling import ScrollList
from client.drawing.widgets import Label, Widget
from client.games.registry import guide
from client.language import _, decimal, ngettext
from client.replay.film_analysis import Reading
from client.replay.film_match import FilmMatch
from client.replay.game_replay import AnySubject, HighlightKind
from client.replay.luck import Account, RecordedBattle, account, conclusion, verdict
from client.screens.application import Application
from client.screens.base import FramedScreen
from shared.board import BOARD
from shared.ids import Seat

_TABS: Final = 40.0
_HEAD: Final = 26.0
_ROW: Final = 48.0
_BATTLE: Final = 30.0
_SAID: Final = 40.0
"""Height of the sentence below the seats, including its padding."""
_COLUMNS: Final = (0.31, 0.4, 0.49)
"""Right edges of a ledger row's number columns, as fractions of its width."""
_LUCK: Final = (0.53, 0.69)
"""Left and right edge of a ledger row's luck diagram, as fractions of its width."""
_WIDEST: Final = 2.6
"""Standard deviations that the luck diagram shows to either side."""


class ChartsScreen(FramedScreen):
    """Tabs: a curve for each measure of the game, the sources, the dice.

    They grow while the film is still being read.
    """

    narrowest = 980.0

    def __init__(
        self, app: Application, reading: Reading, screening: FilmMatch, *, see: Callable[[int], object],
        close: Callable[[], object],
    ) -> None:  # fmt: skip
        """`see` shows a version at the table; `close` returns to the previous screen."""
        super().__init__(app)
        self.reading = reading
        self._screening = screening
        self._guide = guide(screening.rules.id)
        self._subject: AnySubject = self._guide.film
        self._see = see
        self._close = close
        self.page = 0
        self._progress_shown = -1.0
        """Progress of reading at the last rebuild."""
        self.chart: Chart | None = None

    @property
    def pages(self) -> list[str]:
        """Names of the tabs."""
        return [*[measure.name for measure in self._subject.measures], self._subject.earned, _("Dice and luck")]

    def layout(self, width: float, height: float) -> None:
        inside = self.frame(1120, 740, _("The match in numbers"), elastic=True)
        self._progress_shown = self.reading.progress
        bar = arcade.LBWH(inside.left, inside.top - theme.px(_TABS), inside.width, theme.px(_TABS))
        tabs = self.ui.add(Tabs(bar, self.pages, self.page, self._turn))
        body = arcade.LRBT(inside.left, inside.right, inside.bottom, bar.bottom - theme.px(12))
        self.chart = None
        measures = len(self._subject.measures)
        if self.page < measures:
            self.chart = self.ui.add(self._lines(body, self.page))
        elif self.page == measures:
            self.chart = self.ui.add(StackChart(body, self._earnings_bars()))
        else:
            self._ledger(body)
        self.back_button(inside)
        if not self.reading.done:
            foot = self.foot(inside, 400, right=True)
            words = _("Reading the match … {percent} %", percent=round(self.reading.progress * 100))
            self.ui.add(Label(words, foot.right, foot.y, align="right", colour=theme.INK_SOFT))
        self.ui.set_focus(tabs)

    def _turn(self, page: int) -> None:
        self.page = page
        self.relayout()

    def _who(self, seat: Seat) -> str:
        return self._screening.name(seat)

    @property
    def _seats(self) -> range:
        return range(self._screening.film.seats)

    # Measures over time, and sources

    def _lines(self, body: Rect, measure: int) -> LineChart:
        report, film = self.reading.report, self._screening.film
        series = report.series[measure] if report.series else [[] for _seat in self._seats]
        curves = [Curve(seat, self._who(seat), points) for seat, points in enumerate(series)]
        stops = [Stop(mark.version, mark.words) for mark in report.marks if mark.kind is HighlightKind.ROUND]
        return LineChart(body, curves, stops, film.first, film.last)

    def _earnings_bars(self) -> list[Bar]:
        """Return a bar for each seat: its total earnings, by source and in detail."""
        found: dict[Seat, dict[str, dict[str, int]]] = {seat: {} for seat in self._seats}
        for earned in self.reading.report.earned:
            income = earned.income
            details = found[income.seat].setdefault(income.source, defaultdict(int))
            details[income.detail] += income.amount
        sources = list(dict.fromkeys(earned.income.source for earned in self.reading.report.earned))
        return [
            Bar(seat, self._who(seat), [
                BarPart(source, sum(by[source].values()), by[source]) for source in sources if source in by
            ])
            for seat, by in found.items()
        ]  # fmt: skip

    # The dice

    def _ledger(self, body: Rect) -> None:
        report = self.reading.report
        accounts = [report.account(seat) for seat in self._seats]
        # All seats stay visible at any text size; the battles get the remaining height.
        room = body.height - theme.px(_HEAD + _SAID) - theme.window_px(2 * _BATTLE)
        height = min(theme.px(_ROW), room / len(accounts))
        rows = arcade.LRBT(body.left, body.right, body.top - theme.px(_HEAD) - height * len(accounts), body.top)
        self.ui.add(Ledger(rows, [self._who(seat) for seat in self._seats], accounts))
        label = self.ui.add(Label(conclusion(accounts), body.left, rows.bottom - theme.px(16), size=theme.BODY + 1,
                                 colour=theme.TERRACOTTA_DEEP, limit=body.width))  # fmt: skip
        top = label.rect.bottom - theme.px(8)
        area = arcade.LRBT(body.left, body.right, body.bottom, top)
        battles = self.ui.add(ScrollList[RecordedBattle](area, _BATTLE, self._paint_battle, self._go_to))
        battles.items = report.battles

    def _paint_battle(self, battle: RecordedBattle, rect: Rect, chosen: bool) -> None:
        """Draw place and time of a battle and, for either side, hits and expected hits."""
        y, pad = rect.y, theme.px(10)
        shapes.say(BOARD.names[battle.space], rect.left + pad, y, bold=True, limit=rect.width * 0.17)
        shapes.say(
            self._when(battle.version),
            rect.left + rect.width * 0.19,
            y,
            size=theme.SMALL,
            colour=theme.INK_SOFT,
            limit=rect.width * 0.17,
        )
        for seat, share in ((battle.attacker, 0.38), (battle.defender, 0.7)):
            found = account([roll for roll in battle.rolls if roll.seat == seat])
            left = rect.left + rect.width * share
            if seat in self._seats:
                shapes.piece(f"marker_{seat}", arcade.XYWH(left, y, theme.px(18), theme.px(18)))
            shapes.say(self._came_to(seat, found), left + theme.px(16), y, size=theme.SMALL, limit=rect.width * 0.28)

    def _came_to(self, seat: Seat, found: Account) -> str:
        """Return the dice result of a side, with its name if it belongs to no player."""
        words = ngettext("{n} hit, {expected} expected", "{n} hits, {expected} expected", found.hits,
                         expected=decimal(f"{found.expected:.1f}"))  # fmt: skip
        name = self._guide.battle_scene.strangers.get(seat, "")
        return f"{name}: {words}" if name and found.rolls else words if found.rolls else _("no dice")

    def _when(self, version: int) -> str:
        rounds = [m.words for m in self.reading.report.marks if m.kind is HighlightKind.ROUND and m.version <= version]
        return rounds[-1] if rounds else ""

    def _go_to(self, battle: RecordedBattle) -> None:
        self._see(battle.version)

    # Events

    def on_update(self, seconds: float) -> bool:
        if self._progress_shown < 1 and self.reading.progress != self._progress_shown:
            self.relayout()
        return super().on_update(seconds)

    def on_draw(self) -> None:
        super().on_draw()
        if self.chart is not None:
            self.chart.draw_told()

    def on_mouse_motion(self, x: float, y: float, dx: float, dy: float) -> bool:
        if self.chart is not None:
            self.chart.pointer = (x, y)
        return super().on_mouse_motion(x, y, dx, dy)

    def on_mouse_press(self, x: float, y: float, button: int, modifiers: int) -> bool:
        if isinstance(self.chart, LineChart) and self.chart.plot.point_in_rect((x, y)):
            self._see(self.chart.moment_at(x))
            return True
        return super().on_mouse_press(x, y, button, modifiers)

    def back(self) -> None:
        self._close()


class Ledger(Widget):
    """A row for each seat: dice, expected and rolled hits, the deviation from the average, and its meaning."""

    def __init__(self, rect: Rect, names: Sequence[str], accounts: Sequence[Account]) -> None:
        super().__init__(rect)
        self.rows = list(zip(names, accounts, strict=True))

    def draw(self) -> None:
        rect = self.rect
        y = rect.top - theme.px(_HEAD / 2)
        for share, words in zip(_COLUMNS, (_("Dice"), _("Expected"), _("Hits")), strict=True):
            shapes.say(words, rect.left + rect.width * share, y, size=theme.SMALL, colour=theme.INK_SOFT, align="right")
        left, right = (rect.left + rect.width * share for share in _LUCK)
        shapes.say(_("unlucky"), left, y, size=theme.SMALL, colour=theme.INK_SOFT)
        shapes.say(_("lucky"), right, y, size=theme.SMALL, colour=theme.INK_SOFT, align="right")
        for seat, (name, found) in enumerate(self.rows):
            height = (rect.height - theme.px(_HEAD)) / len(self.rows)
            top = rect.top - theme.px(_HEAD) - height * seat
            self._row(arcade.LRBT(rect.left, rect.right, top - height + theme.px(4), top), seat, name, found)

    def _row(self, row: Rect, seat: Seat, name: str, found: Account) -> None:
        shapes.plate(row, shapes.CARD)
        shapes.piece(f"marker_{seat}", arcade.XYWH(row.left + theme.px(22), row.y, theme.px(28), theme.px(28)))
        left = row.left + theme.px(44)
        shapes.say(name, left, row.y, size=theme.LARGE - 1, bold=True, limit=row.width * 0.21 - theme.px(44))
        numbers = str(found.dice), decimal(f"{found.expected:.1f}"), str(found.hits)
        for share, words in zip(_COLUMNS, numbers, strict=True):
            shapes.say(words, row.left + row.width * share, row.y, size=theme.LARGE, bold=True, align="right")
        start, end = (row.left + row.width * share for share in _LUCK)
        draw_luck(arcade.LRBT(start, end, row.bottom, row.top), found)
        label = shapes.kept(
            verdict(found),
            size=theme.SMALL,
            colour=theme.INK_SOFT,
            width=row.right - end - theme.px(24),
            anchor_y="center",
        )
        label.position = round(end + theme.px(14)), round(row.y)
        label.draw()


def draw_luck(rect: Rect, found: Account) -> None:
    """Draw the deviation of hits from the average.

    The light band covers two matches of three (1 standard deviation), the wide band nineteen of twenty (1.96).
    """
    unit = rect.width / 2 / _WIDEST
    for reach, strong in ((1.96, 45), (1.0, 70)):
        arcade.draw_rect_filled(arcade.XYWH(rect.x, rect.y, 2 * reach * unit, theme.px(14)),
                                theme.alpha(theme.BRONZE, strong))  # fmt: skip
    arcade.draw_line(rect.left, rect.y, rect.right, rect.y, theme.alpha(theme.BRONZE_DEEP, 160), 1)
    arcade.draw_line(rect.x, rect.y - theme.px(9), rect.x, rect.y + theme.px(9), theme.BRONZE_DEEP, 1)
    if found.rolls and found.spread:
        far = min(_WIDEST, max(-_WIDEST, found.over / found.spread))
        colour = theme.OLIVE if far >= 0 else theme.TERRACOTTA
        x, r = rect.x + far * unit, theme.px(6)
        arcade.draw_polygon_filled([(x - r, rect.y), (x, rect.y + r), (x + r, rect.y), (x, rect.y - r)], colour)
        words = f"{found.over:+.1f}".replace("-", "−")
        shapes.say(words, x, rect.y + theme.px(14), size=theme.SMALL - 1.5, bold=True, align="center", colour=colour)

"""Sources of all victory points, season by season, and the result of a count made now. At the end, the winners.

The sheet opens by itself after the count of a season: the next auction begins at once, so nothing else would show the
count.
"""

from collections.abc import Sequence
from functools import partial
from typing import Final

import arcade
from arcade.types import Rect
from msgspec import Struct

from client.drawing import shapes, theme
from client.drawing.widgets import Button, ButtonKind
from client.games.cote2.game_desk import Desk
from client.games.cote2.sheets import card_faces
from client.games.cote2.sheets.card_names import NUMERALS, title
from client.games.cote2.sheets.framed_sheet import ROW, ROW_ON, FramedSheet, cut
from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.language import _
from client.table.pane import seat_disc
from shared.board import BOARD
from shared.ids import NONE, Seat
from shared.kernel.frames import Event
from shared.rulesets.cote2.data import KEYS
from shared.rulesets.cote2.events import ChaosShown, SeasonEnded, Taxed, TurnBegan
from shared.rulesets.cote2.options import SEASONS, chaos_penalties, victory_numbers
from shared.rulesets.cote2.property import influence_of
from shared.rulesets.cote2.scoring import province_points, ranking, tax_of
from shared.rulesets.cote2.state import FROM_CARD, FROM_CHAOS, HIDDEN, TableFields

NOW, MATCH = -1, 0
"""Pages beside the seasons: a count made now, and all seasons together."""
_SIDE: Final = 236.0
_TABS: Final = 40.0
_HEAD: Final = 44.0
_NAME: Final = 176.0
_WREATH: Final = 96.0
_ONWARD: Final = 40.0


class ScoreRow(Struct, frozen=True):
    """Row of the table. `points`: by seat, None if they are not known yet; `strong`: a sum."""

    words: str
    note: str
    points: tuple[int | None, ...]
    strong: bool = False


def page(table: TableFields, number: int) -> list[ScoreRow]:
    """Return the rows of a season, of the whole match (MATCH), or of a count made now (NOW)."""
    if number == NOW:
        return _counted_now(table)
    entries = [entry for entry in table.ledger if number in (MATCH, entry[0])]
    lines = [_source(table, entries, space, BOARD.names[space], _numbers(table, space)) for space in KEYS]
    lines.append(_source(table, entries, FROM_CHAOS, _("Chaos"), " / ".join(map(str, chaos_penalties(table)))))
    cards = sorted({entry[1] for entry in entries if FROM_CARD <= entry[1] < FROM_CHAOS})
    lines += [_source(table, entries, source, *reversed(title(source - FROM_CARD))) for source in cards]
    words = _("All together") if number == MATCH else _("Season {numerals}", numerals=NUMERALS[number - 1])
    return [*lines, ScoreRow(words, "", _sums_by_seat([line.points for line in lines], table.seats), True)]


def _source(table: TableFields, entries: Sequence[tuple[int, ...]], source: int, words: str, note: str) -> ScoreRow:
    return ScoreRow(words, note, _sums_by_seat([entry[2:] for entry in entries if entry[1] == source], table.seats))


def _counted_now(table: TableFields) -> list[ScoreRow]:
    lines = [ScoreRow(BOARD.names[s], _numbers(table, s), tuple(province_points(table, s))) for s in KEYS]
    total = _sums_by_seat([line.points for line in lines], table.seats)
    lines.append(ScoreRow(_("Chaos"), _("still secret"), (None,) * table.seats))
    lines.append(ScoreRow(_("Before chaos"), "", total, True))
    return [*lines, ScoreRow(_("Taxes"), _("talents"), tuple(tax_of(table, seat) for seat in range(table.seats)))]


def _numbers(table: TableFields, space: int) -> str:
    return " / ".join(map(str, victory_numbers(table, space)))


def _sums_by_seat(rows: Sequence[Sequence[int | None]], seats: int) -> tuple[int, ...]:
    return tuple([sum(row[seat] or 0 for row in rows) for seat in range(seats)])


class ScoreSheet(FramedSheet):
    """Sheet with the victory points."""

    caption = _("Points")
    key = Command.POINTS
    about = _("Where the victory points came from, and what a count would bring now")

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._page: int | None = None
        self._counted: list[ScoreRow] = []
        """Rows shown beside the points, since the last season was counted."""
        self._seasons: dict[int, list[ScoreRow]] = {}
        """These rows, by season."""
        self._over = 0
        """The season that just ended, until the sheet was seen; else 0."""

    def is_due(self) -> bool:
        return bool(self._over) or self.position.winner != NONE

    def stays(self) -> bool:
        """Return False: the sheet is only for reading, so a click beside it closes it."""
        return False

    def hear(self, event: Event) -> None:
        match event:
            case Taxed():
                # Taxes come before chaos at the end of a season, so they begin the list anew.
                self._counted = [ScoreRow(_("Taxes"), _("talents"), event.talents)]
            case ChaosShown():
                self._counted.append(ScoreRow(_("Chaos shown"), "", event.chaos))
            case SeasonEnded():
                self._over, self._page = event.season, None
                self._seasons[event.season] = self._counted
            case TurnBegan():
                self._over = 0  # Play went on; the sheet can still be opened by hand.
            case _:
                pass

    def put_away(self) -> None:
        self._over, self._page = 0, None

    def title(self) -> str:
        winners = self.position.winners
        if not winners:
            return (
                _("Season {numerals} is over", numerals=NUMERALS[self._over - 1]) if self._over else _("Victory points")
            )
        if len(winners) == 1:
            return (
                _("You have won") if winners[0] == self.desk.seat else _("{who} has won", who=self.desk.who(winners[0]))
            )
        return _("A shared victory")

    @property
    def page(self) -> int:
        """The page that is shown: the chosen one, else the one of interest now."""
        if self._page is not None:
            return self._page
        return MATCH if self.position.winner != NONE else self._over or NOW

    def lines(self) -> list[ScoreRow]:
        """Return the rows of the page that is shown."""
        return [*page(self.position, self.page), *self._seasons.get(self.page, ())]

    def _pages(self) -> list[tuple[int, str]]:
        table = self.position
        over = table.winner != NONE
        counted = {entry[0] for entry in table.ledger}
        seasons = [
            (n, _("Season {numerals}", numerals=NUMERALS[n - 1]))
            for n in range(1, table.options[SEASONS] + 1)
            if n in counted
        ]
        return [*seasons, (MATCH, _("Total")), *([] if over else [(NOW, _("Counted now"))])]

    # Layout

    @property
    def _left(self) -> Rect:
        return cut(self.body, right=_SIDE + 20)

    def build(self) -> None:
        if self.by_itself:
            return
        left, pages = self._left, self._pages()
        gap = theme.px(6)
        width = min(theme.px(148), (left.width + gap) / len(pages) - gap)
        for i, (number, words) in enumerate(pages):
            rect = arcade.LBWH(
                left.left + i * (width + gap), left.top - theme.px(_TABS - 8), width, theme.px(_TABS - 10)
            )
            kind: ButtonKind = "primary" if number == self.page else "plain"
            button = Button(rect, words, partial(self._turn, number), kind=kind, size=theme.SMALL)
            self.ui.add(button)
        if self._goes_on:
            button = Button(
                self._onward,
                # Numerals are counted from 0, so this is the season after the one that ended.
                _("On to season {numerals}", numerals=NUMERALS[self._over]),
                partial(self.desk.lay, None),
                kind="primary",
                tip=_("{key}, or a click beside this sheet", key=told(Command.BACK)),
            )
            self.ui.add(button)

    @property
    def _goes_on(self) -> bool:
        """Whether a season ended that was not the last."""
        return bool(self._over) and self.position.winner == NONE

    @property
    def _onward(self) -> Rect:
        body = self.body
        return arcade.LBWH(body.right - theme.px(_SIDE), body.bottom + theme.px(4), theme.px(_SIDE), theme.px(_ONWARD))

    def confirm(self) -> bool:
        if self._goes_on:
            self.desk.lay(None)
            return True
        return False

    def _turn(self, number: int) -> None:
        self._page = number
        self.rebuild()

    # Drawing

    def paint(self) -> None:
        super().paint()
        self._table(cut(self._left, top=_TABS))
        self._standings()

    def _columns(self, area: Rect) -> tuple[list[Seat], list[float]]:
        """Return the players in turn order, those without a place last, and the x of their columns."""
        table = self.position
        rest = [seat for seat in range(table.seats) if seat not in table.order]
        seats = [*table.order, *rest]
        width = (area.width - theme.px(_NAME)) / table.seats
        return seats, [area.left + theme.px(_NAME) + (i + 0.5) * width for i in range(table.seats)]

    def _table(self, area: Rect) -> None:
        seats, columns = self._columns(area)
        width = (area.width - theme.px(_NAME)) / len(seats)
        head = area.top - theme.px(_HEAD / 2)
        for seat, x in zip(seats, columns, strict=True):
            seat_disc(seat, x, head + theme.px(7), theme.px(24))
            shapes.say(self.name(seat), x, head - theme.px(14), size=theme.SMALL - 0.5, bold=True, align="center",
                      limit=width - theme.px(4))  # fmt: skip
        lines = self.lines()
        top = area.top - theme.px(_HEAD)
        height = min(theme.px(29), (top - area.bottom) / len(lines))
        for i, line in enumerate(lines):
            row = arcade.LBWH(area.left, top - (i + 1) * height, area.width, height)
            self._line(row, line, seats, columns, striped=i % 2 == 0)

    def _line(self, row: Rect, line: ScoreRow, seats: list[Seat], columns: list[float], *, striped: bool) -> None:
        if line.strong:
            shapes.plate(row, ROW_ON)
        elif striped:
            arcade.draw_rect_filled(row, theme.alpha(theme.BRONZE, 26))
        words = shapes.say(line.words, row.left + theme.px(8), row.y, bold=line.strong, limit=theme.px(_NAME - 12))
        note = shapes.kept(line.note, size=theme.SMALL - 1, align="right", anchor_y="center", colour=theme.INK_FAINT)
        right = row.left + theme.px(_NAME - 4)
        if words.right + note.content_width + theme.px(6) < right:
            note.position = round(right), round(row.y)
            note.draw()
        known_points = [n for n in line.points if n is not None]
        # The best of each line is bold, unless it is nothing.
        best = max(known_points, default=0)
        for seat, x in zip(seats, columns, strict=True):
            points = line.points[seat]
            shown = "?" if points is None else str(points) if points or line.strong else "·"
            colour = theme.INK_FAINT if not points else theme.WINE if points < 0 else theme.INK
            first = points is not None and points == best and best > 0
            shapes.say(shown, x, row.y, size=theme.BODY + (1 if line.strong else 0), bold=line.strong or first,
                      align="center", colour=colour)  # fmt: skip

    def _standings(self) -> None:
        """Draw the players by rank, with points and influence."""
        body, table = self.body, self.position
        area = arcade.LBWH(body.right - theme.px(_SIDE), body.bottom, theme.px(_SIDE), body.height)
        over = table.winner != NONE
        self.heading(_("Final places") if over else _("Places now"), area.left, area.top - theme.px(14))
        top = area.top - theme.px(30)
        if table.winners:
            self._draw_winners(arcade.LRBT(area.left, area.right, top - theme.px(_WREATH), top), table.winners)
            top -= theme.px(_WREATH + 8)
        gap = theme.px(6)
        places = ranking(table)
        height = min(theme.px(58), (top - area.bottom - theme.px(80)) / len(places) - gap)
        for i, (seat, rank) in enumerate(places):
            row = arcade.LBWH(area.left, top - (i + 1) * height - i * gap, area.width, height)
            self._place(row, seat, rank, won=seat in table.winners)
        advice = _("Level in points? More influence on the board decides.")
        mine = table.chaos[self.desk.seat] if self.desk.seat != NONE else HIDDEN
        if mine != HIDDEN and not over and not self._over:
            advice = _(
                "You have {mine} chaos; each of your cities takes 3 off before it is counted. {said}",
                mine=mine,
                said=advice,
            )
        note = shapes.kept(advice, size=theme.SMALL, colour=theme.INK_SOFT, width=area.width)
        foot = self._onward.top if self._goes_on else area.bottom
        note.position = round(area.left), round(foot + note.content_height + theme.px(6))
        note.draw()

    def _draw_winners(self, area: Rect, winners: Sequence[Seat]) -> None:
        """Draw the winners, crowned."""
        step = min(area.width / len(winners), area.height * 1.2)
        side = min(area.height, step)
        for i, seat in enumerate(winners):
            x = area.x + (i - (len(winners) - 1) / 2) * step
            card_faces.draw_picture("laurel", arcade.XYWH(x, area.y, side, side))
            seat_disc(seat, x, area.y, side * 0.56)

    def _place(self, row: Rect, seat: Seat, rank: int, *, won: bool) -> None:
        table = self.position
        shapes.plate(row, ROW_ON if won else ROW)
        x = row.left + theme.px(18)
        shapes.say(NUMERALS[rank - 1], x, row.y, size=theme.LARGE, title=True,
                  align="center", colour=theme.TERRACOTTA_DEEP)  # fmt: skip
        left = row.left + theme.px(42)
        self.player(seat, left, row.y, row.right - left - theme.px(88), 30)
        x = row.right - theme.px(12)
        shapes.say(
            str(table.points[seat]), x, row.y + row.height * 0.14, size=theme.LARGE + 2, bold=True, align="right"
        )
        influence = _("{n} influence", n=influence_of(table, seat))
        shapes.say(influence, x, row.y - row.height * 0.24, size=theme.SMALL - 1, align="right", colour=theme.INK_SOFT)

"""The open cards, the own ones, and those of other players. During the task of a turn, a click chooses a card."""

from collections.abc import Callable
from functools import partial
from math import ceil
from typing import Final

import arcade
from arcade.types import Rect

from client.drawing import shapes, theme
from client.drawing.widgets import Widget
from client.games.cote2.card_kinds import KINDS
from client.games.cote2.card_presentation import SHOWN
from client.games.cote2.game_desk import Desk
from client.games.cote2.sheet_interfaces import Shopping
from client.games.cote2.sheets import card_faces
from client.games.cote2.sheets.card_names import Hand, hands, in_sight, on_offer
from client.games.cote2.sheets.framed_sheet import ROW, FramedSheet, cut
from client.games.cote2.sheets.sheet_widgets import CardSpot, HeldSpot, SenatorSpot, TileSpot
from client.keyboard.commands import Command
from client.language import _, ngettext
from client.table.words import talents_words
from shared.ids import NONE
from shared.rulesets.cote2.data import CARDS, MULTI_USE

_VIEW: Final = 232.0
"""Design width of the card that is shown in full."""
_STRIP: Final = 172.0
"""Design height of the strip with the players' cards."""
_OWN: Final = 384.0
_SENATORS: Final = 138.0
_LARGEST: Final = 118.0
_GAP: Final = 7.0
_TITLE: Final = 26.0
_NAME: Final = 112.0


class CardsSheet(FramedSheet):
    """Sheet with all cards that the viewer can see."""

    caption = _("Cards")
    key = Command.CARDS
    about = _("The open cards, what each of them does, and what lies before the players")

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._pinned = NONE

    @property
    def _shopping_task(self) -> Shopping | None:
        return self.task if isinstance(self.task, Shopping) else None

    # Layout

    @property
    def _left(self) -> Rect:
        return cut(self.body, right=_VIEW + 16)

    @property
    def _row(self) -> Rect:
        return cut(self._left, top=_TITLE, bottom=_STRIP + 6)

    @property
    def _strip(self) -> Rect:
        left = self._left
        return arcade.LBWH(left.left, left.bottom, left.width, theme.px(_STRIP))

    def build(self) -> None:
        self._build_row()
        mine, others = hands(self.position, self.desk.seat)
        if mine is not None:
            self._build_own(mine)
        self._build_others(others, mine is None)

    def _build_row(self) -> None:
        offer, shop = on_offer(self.position), self._shopping_task
        places = grid(self._row, len(offer))
        kind = CardSpot
        # So many cards that faces would be too small to read: tiles have room for the name.
        if places and places[0].width < theme.px(_LARGEST) - 1:
            kind, places = TileSpot, tiles(self._row, len(offer), 4, 4)
        for rect, (card, number) in zip(places, offer, strict=True):
            reason = shop.why_not_card(card) if shop is not None else ""
            on = shop is not None and shop.card == card
            self.ui.add(kind(rect, card, partial(self._take, card), number=number, on=on, reason=reason))

    def _build_own(self, mine: Hand) -> None:
        shop, strip = self._shopping_task, self._strip
        area = arcade.LBWH(strip.left, strip.bottom, theme.px(_OWN), strip.height - theme.px(_TITLE))
        cards = cut(area, right=_SENATORS + 10)
        for rect, (card, used) in zip(tiles(cards, len(mine.cards), 2, 3), mine.cards, strict=True):
            reason = shop.why_not_use(card) if shop is not None and CARDS[card].kind == MULTI_USE else ""
            on = shop is not None and shop.card == card and not used
            self.ui.add(HeldSpot(rect, card, partial(self._use, card), on=on, reason=reason, used=used))
        self._build_senators(mine, arcade.LRBT(cards.right + theme.px(10), area.right, area.bottom, area.top))

    def _build_senators(self, mine: Hand, area: Rect) -> None:
        """Add the own senators, two in a row."""
        gap = theme.px(4)
        width, height = (area.width - gap) / 2, (area.height - gap) / 2
        width = min(width, height / 1.02)
        held = [(value, number) for value, number in enumerate(mine.senators) if number]
        for i, (value, number) in enumerate(held):
            x, y = area.left + i % 2 * (width + gap), area.top - (i // 2 + 1) * height - i // 2 * gap
            self.ui.add(SenatorSpot(arcade.LBWH(x, y, width, height), value, number))

    def _build_others(self, others: tuple[Hand, ...], all_of_them: bool) -> None:
        for row, other in zip(self._rows(len(others), all_of_them), others, strict=True):
            left, height = row.left + theme.px(_NAME), row.height - theme.px(5)
            width = height / card_faces.PICTURE_SHAPE
            back = left
            left += theme.px(30)
            room = row.right - theme.px(4) - left
            step = min(width + theme.px(4), room / max(1, len(other.cards)))
            width = min(width, step - theme.px(2))
            for i, (card, used) in enumerate(other.cards):
                rect = arcade.XYWH(left + i * step + width / 2, row.y, width, width * card_faces.PICTURE_SHAPE)
                self.ui.add(_Mini(rect, card, partial(self._pin_card, card), used=used))
            if other.number:
                count_words = ngettext("{n} senator", "{n} senators", other.number)
                rect = arcade.XYWH(back + theme.px(11), row.y, theme.px(17), height)
                self.ui.add(_Backs(rect, other.number, tip=_("{what}, face down", what=count_words)))

    def _rows(self, count: int, all_of_them: bool) -> list[Rect]:
        """Return a line for each other player, in two columns if no own cards need the room."""
        strip = self._strip
        area = cut(strip, top=_TITLE, left=0 if all_of_them else _OWN + 16)
        columns = 2 if all_of_them else 1
        lines = max(1, ceil(count / columns))
        gap = theme.px(4)
        height = min(theme.px(34), (area.height - gap * (lines - 1)) / lines)
        width = (area.width - gap * 2 * (columns - 1)) / columns
        return [
            arcade.LBWH(
                area.left + i // lines * (width + 2 * gap),
                area.top - (i % lines + 1) * height - i % lines * gap,
                width,
                height,
            )
            for i in range(count)
        ]

    # Clicks

    def _take(self, card: int) -> None:
        shop = self._shopping_task
        reason = shop.why_not_card(card) if shop is not None else ""
        self._choose(card, reason, None if shop is None else partial(_toggle, shop.choose_card, card, shop.card))

    def _use(self, card: int) -> None:
        shop = self._shopping_task
        # Cards of other kinds are not used after they are taken.
        if CARDS[card].kind != MULTI_USE:
            shop = None
        reason = shop.why_not_use(card) if shop is not None else ""
        self._choose(card, reason, None if shop is None else partial(_toggle, shop.choose_use, card, shop.card))

    def _choose(self, card: int, reason: str, action: Callable[[], object] | None) -> None:
        self._pin_card(card)
        if reason:
            self.desk.toast(reason, "bad")
        elif action is not None:
            action()

    def _pin_card(self, card: int) -> None:
        """Keep showing a card in full."""
        self._pinned = card
        self.touch()

    def put_away(self) -> None:
        self._pinned = NONE

    def looked_at(self) -> int:
        """Return the card that is shown in full.

        In this order: under the mouse or marked, chosen, clicked last, the first that can be had.
        """
        for spot in self.ui.widgets:
            if isinstance(spot, CardSpot) and (spot.hovered or spot.marked):
                return spot.card
        shop = self._shopping_task
        if shop is not None and shop.card != NONE:
            return shop.card
        visible = in_sight(self.position, self.desk.seat)
        if self._pinned in visible:
            return self._pinned
        able = [card for card, _ in on_offer(self.position) if shop is not None and not shop.why_not_card(card)]
        return next(iter(able + visible), NONE)

    # Drawing

    def paint(self) -> None:
        super().paint()
        table, left = self.position, self._left
        y = left.top - theme.px(_TITLE / 2 - 2)
        heading = self.heading(_("On offer"), left.left, y)
        if self._shopping_task is not None:
            words = _("Taking one, once a turn, is an action.")
        else:
            words = _("Rest the mouse on a card to read it.")
        deck_words = _("{cards} left in the deck", cards=ngettext("{n} card", "{n} cards", sum(table.deck)))
        deck = shapes.say(deck_words, left.right, y - 1, size=theme.SMALL, align="right", colour=theme.INK_SOFT)
        start = heading.right + theme.px(12)
        shapes.say(words, start, y - 1, size=theme.SMALL, colour=theme.INK_SOFT, limit=deck.left - theme.px(12) - start)
        if not on_offer(table):
            shapes.say(_("No card lies open."), self._row.x, self._row.y, align="center", colour=theme.INK_FAINT)
        self._paint_strip()
        self._paint_view()

    def _paint_strip(self) -> None:
        strip = self._strip
        mine, others = hands(self.position, self.desk.seat)
        y = strip.top - theme.px(_TITLE / 2)
        arcade.draw_line(strip.left, strip.top + 2, strip.right, strip.top + 2, theme.alpha(theme.BRONZE, 120), 1)
        away = 0.0
        if mine is not None:
            away = theme.px(_OWN + 16)
            self.heading(_("Yours"), strip.left, y)
            x = strip.left + theme.px(_OWN - _SENATORS)
            votes = sum(value * number for value, number in enumerate(mine.senators, start=1))
            note = (
                _("Senators, {votes}", votes=ngettext("{n} vote", "{n} votes", votes))
                if mine.number
                else _("No senators")
            )
            shapes.say(note, x, y, size=theme.SMALL, colour=theme.INK_SOFT)
            if not mine.cards:
                shapes.say(_("Cards that you take and keep lie here."), strip.left, strip.y - theme.px(10),
                          size=theme.SMALL, colour=theme.INK_FAINT, width=x - strip.left - theme.px(8))  # fmt: skip
        self.heading(_("Others") if mine is not None else _("Before the players"), strip.left + away, y)
        for row, other in zip(self._rows(len(others), mine is None), others, strict=True):
            shapes.plate(row, ROW)
            self.player(
                other.seat, row.left + theme.px(4), row.y, theme.px(104), min(26.0, row.height / theme.px(1) - 4)
            )

    def _paint_view(self) -> None:
        body = self.body
        width = theme.px(_VIEW)
        height = min(width * 1.5, body.height - theme.px(104))
        card = self.looked_at()
        arcade.draw_line(body.right - width - theme.px(8), body.bottom, body.right - width - theme.px(8), body.top,
                         theme.alpha(theme.BRONZE, 120), 1)  # fmt: skip
        if card == NONE:
            return
        rect = arcade.LBWH(body.right - width, body.top - height, width, height)
        card_faces.card_face(rect, card)
        y = rect.bottom - theme.px(12)
        lines = [(_printed(card), theme.INK, True)]
        lines.append((KINDS.of(card).means, theme.INK_SOFT, False))
        shop = self._shopping_task
        reason = shop.why_not_card(card) if shop is not None and self.position.row[card] else ""
        if reason:
            lines.append((reason, theme.WINE, False))
        for words, colour, bold in lines:
            line = shapes.kept(words, size=theme.SMALL, colour=colour, bold=bold, width=width)
            line.position = round(rect.left), round(y)
            line.draw()
            y -= line.content_height + theme.px(3)


def _printed(card: int) -> str:
    """Return a card's price and its number of copies in words."""
    printed = CARDS[card]
    cost = talents_words(printed.cost) if printed.cost else _("Free")
    if printed.copies == 1:
        return _("{cost}. The only one in the game.", cost=cost)
    return _("{cost}. One of {copies} in the game.", cost=cost, copies=printed.copies)


class _Mini(CardSpot):
    """Card of another player, as small as its picture."""

    def draw(self) -> None:
        colour = KINDS.of(self.card).colour
        edge = theme.px(2.5 if self.hovered else 1.5)
        rect = self.rect
        arcade.draw_rect_filled(arcade.XYWH(rect.x, rect.y, rect.width + edge, rect.height + edge), colour)
        card_faces.draw_picture(SHOWN.of(self.card).picture(self.card), rect)
        if self.used:
            arcade.draw_rect_filled(rect, theme.alpha(theme.NIGHT, 130))


class _Backs(Widget):
    """Senators face down."""

    def __init__(self, rect: Rect, number: int, *, tip: str) -> None:
        super().__init__(rect, tip=tip)
        self._number = number

    def draw(self) -> None:
        card_faces.card_back(self.rect, self._number)


def tiles(area: Rect, count: int, columns: int, rows: int) -> list[Rect]:
    """Return rectangles for `count` tiles in columns, low enough that at least `rows` rows fit."""
    gap, rows = theme.px(5), max(rows, ceil(count / columns))
    width, height = (area.width + gap) / columns - gap, (area.height + gap) / rows - gap
    return _laid(area, count, columns, width, height, gap)


def _laid(area: Rect, count: int, columns: int, width: float, height: float, gap: float) -> list[Rect]:
    """Return rectangles of that size, in rows from the upper left."""
    return [
        arcade.LBWH(
            area.left + i % columns * (width + gap),
            area.top - (i // columns + 1) * height - i // columns * gap,
            width,
            height,
        )
        for i in range(count)
    ]


def grid(area: Rect, count: int) -> list[Rect]:
    """Return rectangles for `count` cards, as large as possible, in rows from the upper left."""
    gap = theme.px(_GAP)
    best = 0.0
    columns = 1
    for n in range(1, count + 1):
        rows = ceil(count / n)
        width = min(
            (area.width + gap) / n - gap, ((area.height + gap) / rows - gap) / card_faces.SHAPE, theme.px(_LARGEST)
        )
        if width > best + 0.01:
            best, columns = width, n
    return _laid(area, count, columns, best, best * card_faces.SHAPE, gap)


def _toggle(choose: Callable[[int], object], card: int, chosen: int) -> None:
    """Choose a card, or put it back if it is chosen already."""
    choose(NONE if card == chosen else card)

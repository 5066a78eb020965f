"""The alliance display: alliances and their turn order, and the auction that settles them."""

from functools import partial
from typing import Final

import arcade
from arcade.types import Rect
from msgspec import Struct

from client.drawing import shapes, theme
from client.drawing.widgets import Widget
from client.games.cote2.game_desk import Desk
from client.games.cote2.player_text import SIDES, boxes_words
from client.games.cote2.sheet_interfaces import Bidding
from client.games.cote2.sheets.card_names import NUMERALS
from client.games.cote2.sheets.framed_sheet import ROW, ROW_ON, FramedSheet, cut
from client.games.cote2.sheets.sheet_widgets import Marker
from client.keyboard.commands import Command
from client.language import _, pgettext
from client.table.pane import Stepper, seat_disc
from client.table.words import talents_words
from shared.ids import NONE, Seat
from shared.rulesets.cote2.alliances import unallied
from shared.rulesets.cote2.frames import Auction, Turn
from shared.rulesets.cote2.options import bid_step
from shared.rulesets.cote2.state import TableFields, allied

SIDE_COLOURS: Final = (theme.LAPIS, theme.WINE)
_DISPLAY: Final = 396.0
"""Design width of the alliance display."""
_BOX: Final = 140.0
_BOXED: Final = 70.0
_ABOUT: Final = _(
    "Allies never fight each other. They may lend units to each other's battles, and they pass each other's units "
    "freely. An alliance lasts until the season ends.\n\n"
    "The numbers are the turn order: it holds for all four rounds of the season. The last player opens the first "
    "auction of the next one."
)


class AllianceSlot(Struct, frozen=True):
    """Place on the alliance display. `number`: in the turn order, from 1; `seat`: its holder, or NONE."""

    number: int
    seat: Seat


def display(table: TableFields) -> tuple[list[AllianceSlot], list[AllianceSlot]]:
    """Return both columns, from the top.

    With an odd number of players the last place stands in both columns until it is taken.
    """
    columns: tuple[list[AllianceSlot], list[AllianceSlot]] = [], []
    for number, seat in enumerate(table.order, start=1):
        columns[table.side[seat]].append(AllianceSlot(number, seat))
    for number in range(len(table.order) + 1, table.seats + 1):
        alone = number == table.seats and number % 2
        # The last of an odd number may still join either alliance.
        # Each auction fills two places in the order, one of each alliance, A first.
        for side in (0, 1) if alone else ((number - 1) % 2,):
            columns[side].append(AllianceSlot(number, NONE))
    return columns


class AuctionSheet(FramedSheet):
    """Sheet with the alliance display and the auction."""

    caption = _("Alliances")
    key = Command.ALLIANCES
    about = _("Who is allied with whom this season, the turn order, and the auctions")

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._picked: Seat = NONE

    @property
    def auction(self) -> Auction | None:
        """The auction that is going on, or None."""
        frame = self.position.frames[-1]
        return frame if isinstance(frame, Auction) else None

    @property
    def _bidding(self) -> Bidding | None:
        return self.task if isinstance(self.task, Bidding) else None

    def is_due(self) -> bool:
        return self.auction is not None

    def size(self) -> tuple[float, float]:
        return 900.0, 500.0

    def title(self) -> str:
        return _("Alliances of season {season}", season=NUMERALS[max(1, self.position.season) - 1])

    def rebuild(self) -> None:
        """Rebuild the widgets, but not while a marker is dragged: it would be lost."""
        if any(isinstance(widget, Marker) and widget.held for widget in self.ui.widgets):
            self.touch()
        else:
            super().rebuild()

    # Layout

    @property
    def _left(self) -> Rect:
        body = self.body
        return arcade.LBWH(body.left, body.bottom, theme.px(_DISPLAY), body.height)

    @property
    def _right(self) -> Rect:
        return cut(self.body, left=_DISPLAY + 22)

    def _boxes(self) -> tuple[Rect, Rect]:
        right, side = self._right, theme.px(_BOX)
        y = right.top - theme.px(76) - side / 2
        shift = side / 2 + theme.px(14)
        return arcade.XYWH(right.x - shift, y, side, side), arcade.XYWH(right.x + shift, y, side, side)

    def _proposal(self) -> tuple[Seat, Seat]:
        """Return the seats in the boxes: of the own bid in the making, else of the leading bid."""
        if self._bidding is not None:
            return self._bidding.boxes
        auction = self.auction
        return (auction.a, auction.b) if auction is not None else (NONE, NONE)

    def _beside(self) -> list[tuple[Seat, float, float]]:
        """Return the players without alliance or box, each with the x and y of their marker."""
        seats = [seat for seat in unallied(self.position) if seat not in self._proposal()]
        right, y = self._right, self._boxes()[0].bottom - theme.px(58)
        step = min(theme.px(92), right.width / max(1, len(seats)))
        first = right.x - step * (len(seats) - 1) / 2
        return [(seat, first + i * step, y) for i, seat in enumerate(seats)]

    def build(self) -> None:
        bidding = self._bidding
        if self.auction is None or bidding is None:
            return
        if self._picked not in unallied(self.position):
            self._picked = NONE
        for box, rect in enumerate(self._boxes()):
            self.ui.add(_Box(rect, partial(self._put_into_box, box)))
        self._build_offer(bidding)
        for seat, x, y in self._beside():
            self._marker(seat, x, y, 50.0, _("Drag it into a box, or click it and then the box."))
        for box, (rect, seat) in enumerate(zip(self._boxes(), bidding.boxes, strict=True)):
            if seat != NONE:
                self._marker(seat, rect.x, rect.y, _BOXED, _("Box {box}. Drag it out, or click it.", box=SIDES[box]))

    def _build_offer(self, bidding: Bidding) -> None:
        """Add the stepper for the sum. The buttons to bid and to pass are below the board."""
        right = self._right
        height = theme.px(92)
        stepper = arcade.LBWH(right.x - theme.px(70), right.bottom + theme.px(4), theme.px(140), height)
        money = self.position.talents[self.desk.seat]
        step = bid_step(self.position)
        self.ui.add(
            Stepper(stepper, "coin5", bidding.talents, _("of {money}", money=talents_words(money)),
                    lambda steps: bidding.raise_by(step * steps), more=bidding.talents + step <= money)
        )  # fmt: skip

    def _marker(self, seat: Seat, x: float, y: float, size: float, tip: str) -> None:
        marker = Marker(x, y, theme.px(size), seat, partial(self._tap, seat), partial(self._let_go, seat),
                        on=seat == self._picked, tip=f"{self.name(seat)}. {tip}")  # fmt: skip
        self.ui.add(marker)

    # Actions on markers

    def _tap(self, seat: Seat) -> None:
        """Pick a marker up, place it, or take it out of a box.

        A marker in hand goes into the box of a marker that is clicked. Else the clicked marker leaves its box.
        """
        bidding = self._bidding
        if bidding is None:
            return
        boxed = seat in bidding.boxes
        if boxed and self._picked not in (NONE, seat):
            self._put_into_box(bidding.boxes.index(seat))
        elif boxed:
            bidding.put(seat, -1)
        else:
            self._picked = NONE if self._picked == seat else seat
            self.rebuild()

    def _put_into_box(self, box: int) -> None:
        """Put the marker in hand into a box."""
        seat, self._picked = self._picked, NONE
        if self._bidding is not None and seat != NONE:
            self._bidding.put(seat, box)

    def _let_go(self, seat: Seat, x: float, y: float) -> None:
        """Drop a dragged marker into the box below it, or beside the boxes."""
        if self._bidding is None:
            return
        below = [box for box, rect in enumerate(self._boxes()) if rect.point_in_rect((x, y))]
        self._picked = NONE
        self._bidding.put(seat, below[0] if below else -1)
        self.rebuild()

    # Drawing

    def paint(self) -> None:
        super().paint()
        left = self._left
        gap = theme.px(12)
        width = (left.width - gap) / 2
        for side, places in enumerate(display(self.position)):
            column = arcade.LBWH(left.left + side * (width + gap), left.bottom, width, left.height)
            self._column(column, side, places)
        x = left.right + theme.px(11)
        arcade.draw_line(x, left.bottom, x, left.top, theme.alpha(theme.BRONZE, 120), 1)
        auction = self.auction
        if auction is None:
            self._about()
        else:
            self._offer(auction)

    def _column(self, column: Rect, side: int, places: list[AllianceSlot]) -> None:
        """Draw an alliance: its letter on a banner, and its places."""
        colour = SIDE_COLOURS[side]
        head = arcade.LBWH(column.left, column.top - theme.px(46), column.width, theme.px(44))
        look = shapes.Plate(
            theme.mix(colour, theme.IVORY, 0.14), colour, theme.GOLD, 1.5, radius=5, grain=0.14, shadow=5
        )
        shapes.plate(head, look)
        shapes.say(_("Alliance {side}", side=SIDES[side]), head.x, head.y, size=theme.LARGE + 1, title=True,
                  align="center", colour=theme.IVORY)  # fmt: skip
        room = (head.bottom - theme.px(8) - column.bottom) / len(places)
        height = min(theme.px(126), room)
        for i, place in enumerate(places):
            row = arcade.LBWH(
                column.left, head.bottom - theme.px(8) - (i + 1) * height, column.width, height - theme.px(8)
            )
            self._place_row(row, place, colour)

    def _place_row(self, row: Rect, place: AllianceSlot, colour: theme.Colour) -> None:
        turns = [frame.seat for frame in self.position.frames if isinstance(frame, Turn)]
        shapes.plate(row, ROW_ON if place.seat in turns else ROW)
        ink = colour if place.seat != NONE else theme.INK_FAINT
        x = row.left + theme.px(22)
        shapes.say(str(place.number), x, row.y, size=theme.HEADING + 4, title=True, align="center", colour=ink)
        if place.seat == NONE:
            shapes.say(pgettext("place", "open"), row.left + theme.px(48), row.y, colour=theme.INK_FAINT, italic=True)
            return
        side = min(theme.px(48), row.height - theme.px(8))
        seat_disc(place.seat, row.left + theme.px(42) + side / 2, row.y, side)
        left = row.left + theme.px(50) + side
        room = row.right - left - theme.px(6)
        shapes.say(self.name(place.seat), left, row.y + theme.px(9), size=theme.LARGE - 1, bold=True, limit=room)
        talents = talents_words(self.position.talents[place.seat])
        shapes.say(talents, left, row.y - theme.px(11), size=theme.SMALL, colour=theme.INK_SOFT, limit=room)

    def _about(self) -> None:
        """Draw the own allies and rivals, and what that means."""
        right, table = self._right, self.position
        y = right.top - theme.px(20)
        if self.desk.seat in table.order:
            friends = [seat for seat in table.order if allied(table, seat, self.desk.seat) and seat != self.desk.seat]
            foes = [seat for seat in table.order if not allied(table, seat, self.desk.seat)]
            for words, seats in ((_("Your allies"), friends), (_("Your rivals"), foes)):
                y = self._company(words, seats, y)
        self.heading(_("What it means"), right.left, y)
        line = shapes.kept(_ABOUT, width=right.width, colour=theme.INK_SOFT)
        line.position = round(right.left), round(y - theme.px(22))
        line.draw()

    def _company(self, words: str, seats: list[Seat], y: float) -> float:
        """Draw players side by side under a heading. Return the y of the next heading."""
        right = self._right
        self.heading(words, right.left, y)
        width = right.width / 3
        for i, seat in enumerate(seats):
            at = y - theme.px(36 + 38 * (i // 3))
            self.player(seat, right.left + i % 3 * width, at, width - theme.px(8), 34)
        if not seats:
            shapes.say(_("nobody"), right.left, y - theme.px(34), italic=True, colour=theme.INK_FAINT)
        return y - theme.px(40 + 38 * max(1, -(-len(seats) // 3)))

    def _offer(self, auction: Auction) -> None:
        """Draw the leading bid, the boxes, and the players who wait beside them."""
        right = self._right
        y = right.top - theme.px(14)
        if auction.bidder == NONE:
            mine = auction.seat == self.desk.seat
            words = _("You open the bidding") if mine else _("{who} opens the bidding", who=self.name(auction.seat))
            shapes.say(words, right.x, y, size=theme.LARGE, bold=True, align="center", limit=right.width)
        else:
            words, room = self._offers(auction, self.name(auction.bidder)), right.width - theme.px(56)
            line = shapes.say(words, right.x + theme.px(18), y, size=theme.LARGE, bold=True, align="center", limit=room)
            seat_disc(auction.bidder, line.left - theme.px(20), y, theme.px(30))
        if auction.bidder != NONE and self._bidding is not None:
            proposed = _("with {allies}", allies=boxes_words((auction.a, auction.b), self.desk.seat, self.desk.who))
            shapes.say(proposed, right.x, y - theme.px(21), size=theme.SMALL, align="center",
                      colour=theme.INK_SOFT, limit=right.width)  # fmt: skip
            y -= theme.px(17)
        shapes.say(self._voice(auction), right.x, y - theme.px(24), align="center", colour=theme.TERRACOTTA_DEEP,
                  limit=right.width)  # fmt: skip
        for box, (rect, seat) in enumerate(zip(self._boxes(), self._proposal(), strict=True)):
            self._box(rect, box, seat)
        if self._bidding is not None:
            pool = _("Drag the markers; bids go up in steps of 5")
        else:
            pool = _("Not allied yet")
        if self._beside() or self._bidding is not None:
            shapes.say(pool, right.x, self._boxes()[0].bottom - theme.px(18), size=theme.SMALL, align="center",
                      colour=theme.INK_SOFT)  # fmt: skip
        for seat, x, at in self._beside():
            self._waiting(seat, x, at)

    def _offers(self, auction: Auction, who: str) -> str:
        """Return the leading sum and its bidder in words."""
        talents = talents_words(auction.talents)
        if auction.bidder == self.desk.seat:
            return _("You offer {talents}", talents=talents)
        return _("{who} offers {talents}", who=who, talents=talents)

    def _voice(self, auction: Auction) -> str:
        if auction.seat == self.desk.seat:
            least = auction.talents + bid_step(self.position)
            if self._bidding is not None and self._bidding.idle():
                return _("Pass, and it costs you nothing; or bid {least} or more.", least=least)
            return (
                _("Your bid: {least} or more, or pass.", least=least)
                if auction.bidder != NONE
                else _("Your bid: 0 will do.")
            )
        return _("{who} decides now.", who=self.desk.who(auction.seat))

    def _box(self, rect: Rect, box: int, seat: Seat) -> None:
        colour = SIDE_COLOURS[box]
        fill = theme.alpha(theme.mix(colour, theme.IVORY, 0.72), 190)
        shapes.plate(rect, shapes.Plate(fill, fill, colour, 2.0, theme.alpha(colour, 120), 6.0, notch=12))
        shapes.say(SIDES[box], rect.left + theme.px(22), rect.top - theme.px(24), size=theme.HEADING, title=True,
                  align="center", colour=colour)  # fmt: skip
        alone = len(unallied(self.position)) == 1
        number = len(self.position.order) + 1 + (0 if alone else box)
        shapes.say(_("place {number}", number=number), rect.right - theme.px(18), rect.top - theme.px(22),
                  size=theme.SMALL, align="right", colour=theme.INK_SOFT)  # fmt: skip
        if seat == NONE:
            shapes.say(_("empty"), rect.x, rect.y, italic=True, align="center", colour=theme.INK_FAINT)
            return
        if self._bidding is None:
            seat_disc(seat, rect.x, rect.y, theme.px(_BOXED))
        shapes.say(self.name(seat), rect.x, rect.bottom + theme.px(20), bold=True, align="center",
                  limit=rect.width - theme.px(36))  # fmt: skip

    def _waiting(self, seat: Seat, x: float, y: float) -> None:
        if self._bidding is None:
            seat_disc(seat, x, y, theme.px(46))
        shapes.say(
            self.name(seat), x, y - theme.px(36), size=theme.SMALL, bold=True, align="center", limit=theme.px(88)
        )
        shapes.say(
            talents_words(self.position.talents[seat]),
            x,
            y - theme.px(51),
            size=theme.SMALL - 1,
            align="center",
            colour=theme.INK_SOFT,
        )


class _Box(Widget):
    """Proposal box that can be clicked. The sheet paints its contents below it."""

    focusable = True

    def __init__(self, rect: Rect, action: partial[None]) -> None:
        super().__init__(rect)
        self.deed = self._action = action

    def on_click(self) -> None:
        self._action()

    def draw(self) -> None:
        if self.hovered:
            arcade.draw_rect_filled(self.rect, theme.alpha(theme.IVORY, 60))

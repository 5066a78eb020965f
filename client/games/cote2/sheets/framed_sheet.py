"""Common base of the sheets of the second game: a framed parchment with a title, and the position to read."""

from typing import Final

import arcade
from arcade.types import Rect

from client.drawing import shapes, theme
from client.table.pane import Plates, framed_card, seat_disc, within
from client.table.sheet import Sheet, closes
from client.table.words import called
from shared.ids import Seat
from shared.rulesets.cote2.state import TableFields

HEAD: Final = 42.0
"""Design height of the title."""
_FRAME: Final = 6.0
_PAD: Final = 14.0
ROW: Final = shapes.Plate(
    theme.alpha(theme.IVORY, 130), theme.alpha(theme.IVORY, 90), theme.alpha(theme.BRONZE, 110), 1.0, radius=5
)
ROW_ON: Final = shapes.Plate((255, 248, 222, 255), (250, 230, 176, 255), theme.TERRACOTTA, 2.0, radius=5)


class FramedSheet(Sheet[TableFields]):
    """Sheet with a frame and a title."""

    @property
    def position(self) -> TableFields:
        """The position, in this game's own type."""
        return self.desk.table

    @property
    def body(self) -> Rect:
        """Room below the title."""
        pad = theme.px(_FRAME + _PAD)
        rect = self.rect
        top = rect.top - theme.px(_FRAME + HEAD)
        return arcade.LRBT(rect.left + pad, rect.right - pad, rect.bottom + theme.px(_FRAME + 10), top)

    def size(self) -> tuple[float, float]:
        return 960.0, 580.0

    def title(self) -> str:
        """Return the title of the sheet."""
        return self.caption

    def name(self, seat: Seat) -> str:
        """Return the name of a player, or "You"."""
        return called(seat, self.desk.seat, self.desk.who)

    def plates(self) -> Plates:
        return framed_card(self.rect, theme.px(_FRAME))

    def paint(self) -> None:
        rect = self.rect
        inside = within(rect, theme.px(_FRAME))
        y = inside.top - theme.px(HEAD / 2 - 1)
        colour = theme.TERRACOTTA_DEEP
        line = shapes.say(
            self.title(), rect.x, y, size=theme.HEADING - 2, title=True, align="center", colour=colour,
            limit=inside.width - theme.px(260),
        )  # fmt: skip
        strip, gap = theme.px(9), theme.px(16)
        away = shapes.say(
            closes(self), inside.right - gap, y, size=theme.SMALL - 1, align="right",
            colour=theme.INK_FAINT,
        )  # fmt: skip
        for left, right in (
            (inside.left + gap, line.left - gap),
            (line.right + gap, away.left - gap),
        ):
            # Whole turns of the pattern only.
            width = (right - left) // strip * strip
            if width > strip:
                shapes.meander(
                    arcade.LBWH(round(left), round(y - strip / 2), width, strip), theme.alpha(theme.BRONZE, 130)
                )

    def heading(self, words: str, x: float, y: float, limit: float = 0) -> arcade.Text:
        """Draw the heading of a part, its middle at y."""
        return shapes.say(words, x, y, size=theme.LARGE - 1, title=True, colour=theme.TERRACOTTA_DEEP, limit=limit)

    def player(self, seat: Seat, left: float, y: float, limit: float, size: float = 28.0) -> None:
        """Draw marker and name, beginning at `left`. `limit`: width of both in pixels."""
        side = theme.px(size)
        seat_disc(seat, left + side / 2, y, side)
        left_over = limit - side - theme.px(6)
        shapes.say(self.name(seat), left + side + theme.px(6), y, bold=True, limit=max(1.0, left_over))


def cut(rect: Rect, left: float = 0, right: float = 0, top: float = 0, bottom: float = 0) -> Rect:
    """Return a rectangle made smaller by design lengths."""
    return arcade.LRBT(
        rect.left + theme.px(left), rect.right - theme.px(right), rect.bottom + theme.px(bottom),
        rect.top - theme.px(top),
    )  # fmt: skip

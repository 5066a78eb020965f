"""Widgets of a sheet: cards and senators to look at and click, and markers to drag."""

from collections.abc import Callable
from typing import Final

import arcade
from arcade.types import Rect

from client.drawing import theme
from client.drawing.widgets import Widget
from client.games.cote2.sheets import card_faces
from client.games.cote2.sheets.card_names import NUMERALS
from client.language import _
from client.table.pane import seat_disc
from shared.ids import Seat
from shared.rulesets.cote2.data import CARDS, SENATORS

_DRAG: Final = 4.0
"""Pixels that the mouse may move during a click."""


class CardSpot(Widget):
    """Card face up. `reason`: why it is out of reach. Such a card is dimmed, but can still be clicked."""

    focusable = True

    def __init__(
        self, rect: Rect, card: int, action: Callable[[], object], *, number: int = 1, on: bool = False,
        reason: str = "", used: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(rect, tip=f"{reason} {_(CARDS[card].text)}".strip())
        self.card = card
        self.number = number
        self.on = on
        self.reason = reason
        self.used = used
        self.deed = self._action = action

    def on_click(self) -> None:
        self._action()

    def draw(self) -> None:
        card_faces.card_face(
            self.rect, self.card, number=self.number, on=self.on, lit=self.hovered,
            dim=bool(self.reason) and not self.used, used=self.used,
        )  # fmt: skip


class TileSpot(CardSpot):
    """Card for little room: its picture, and beside it its name at the usual text size.

    The tooltip tells its effect; the sheet shows it in full.
    """

    priced = True

    def draw(self) -> None:
        card_faces.card_tile(
            self.rect, self.card, number=self.number, priced=self.priced, on=self.on, lit=self.hovered or self.marked,
            dim=bool(self.reason) and not self.used, used=self.used,
        )  # fmt: skip


class HeldSpot(TileSpot):
    """Card of the viewer's own hand."""

    priced = False


class SenatorSpot(Widget):
    """Senators of one value. Without an action they cannot be clicked."""

    def __init__(
        self, rect: Rect, value: int, number: int, action: Callable[[], object] | None = None, *, on: bool = False,
        tip: str = "",
    ) -> None:  # fmt: skip
        words = _("Senator {numerals}: {text}", numerals=NUMERALS[value], text=_(CARDS[SENATORS[value]].text))
        super().__init__(rect, tip=tip or words)
        self.value = value
        self.number = number
        self.on = on
        self.deed = self._action = action
        self.focusable = action is not None

    def on_click(self) -> None:
        if self._action is not None:
            self._action()

    def draw(self) -> None:
        lit = self.hovered and self._action is not None
        card_faces.senator_face(self.rect, self.value, number=self.number, on=self.on, lit=lit)


class Marker(Widget):
    """Marker of a player, dragged or clicked. `drop(x, y)` gets the point at which it was released."""

    focusable = True

    def __init__(
        self, x: float, y: float, size: float, seat: Seat, tap: Callable[[], object],
        drop: Callable[[float, float], object], *, on: bool = False, tip: str = "",
    ) -> None:  # fmt: skip
        super().__init__(arcade.XYWH(x, y, size, size), tip=tip)
        self.seat = seat
        self.on = on
        self.deed = self._tap = tap
        self._drop = drop
        self._grip: tuple[float, float] | None = None
        self._at: tuple[float, float] | None = None

    @property
    def held(self) -> bool:
        """Whether the mouse holds the marker."""
        return self._grip is not None

    def hit(self, x: float, y: float) -> bool:
        # A held marker follows the mouse, which may be far from its old place.
        return self.held or super().hit(x, y)

    def on_press(self, x: float, y: float) -> None:
        self._grip = x, y

    def on_drag(self, x: float, y: float) -> None:
        # Once it was dragged, it is no click any more, even if the mouse comes back.
        if self._grip is not None and (self._at or abs(x - self._grip[0]) + abs(y - self._grip[1]) > _DRAG):
            self._at = x, y

    def on_click(self) -> None:
        at, self._at, self._grip = self._at, None, None
        if at is None:
            self._tap()
        else:
            self._drop(*at)

    def draw(self) -> None:
        side = self.rect.width
        x, y = self._at or (self.rect.x, self.rect.y)
        if self._at is not None:
            side *= 1.15
            arcade.draw_circle_filled(x + theme.px(3), y - theme.px(4), side * 0.42, theme.alpha(theme.NIGHT, 90))
        elif self.on or self.hovered:
            glow = theme.GOLD if self.on else theme.alpha(theme.GOLD, 150)
            arcade.draw_circle_filled(x, y, side * 0.5 + theme.px(3), glow)
        seat_disc(self.seat, x, y, side)

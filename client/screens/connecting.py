"""Screen for a starting server or a connection in progress, always with a way to cancel."""

from __future__ import annotations

import math
from typing import Final

import arcade

from client.drawing import shapes, theme
from client.drawing.widgets import Label
from client.language import _
from client.player.seats import HOSTED, is_private
from client.screens.base import Part
from client.screens.framed import FramedScreen

_DOTS: Final = 12
_STEP: Final = 0.09
"""Seconds from one dot of the wheel to the next."""


class ConnectingScreen(FramedScreen):
    """Shown from the start of a connection until the first table or list comes."""

    part = Part.WAITING
    _age = 0.0

    def layout(self, width: float, height: float) -> None:
        inside = self.frame(560, 330, _("One moment"))
        self._at = inside.x, inside.y + theme.px(26)
        self.ui.add(Label(self._words(), inside.x, inside.bottom + theme.px(34), align="center",
                          limit=inside.width))  # fmt: skip
        self.back_button(inside, _("Cancel"))

    def _words(self) -> str:
        access = self.app.remote.access
        address = access.address
        own = address == HOSTED or is_private(address)
        if own and access.link is None:
            return _("The table is being set up …")
        if own:
            return _("Taking a seat at your table …")
        return _("Connecting to the server at {address} …", address=address)

    def on_update(self, seconds: float) -> bool:
        tipped = super().on_update(seconds)
        before, self._age = self._step, self._age + seconds
        label = next(w for w in self.ui.widgets if isinstance(w, Label))
        label.words = self._words()
        return tipped or self._step != before

    def back(self) -> None:
        if not self.app.go.turn_back():
            super().back()

    @property
    def _step(self) -> int:
        """Dots that the wheel has advanced; it turns in steps, because the server starts meanwhile."""
        return 0 if self.app.settings.play_settings.still else int(self._age / _STEP)

    def on_draw(self) -> None:
        super().on_draw()
        x, y = self._at
        for i in range(_DOTS):
            angle = math.tau * (i - self._step) / _DOTS
            strength = int(40 + 200 * (_DOTS - i) / _DOTS)
            r = theme.px(26)
            arcade.draw_circle_filled(
                x + r * math.cos(angle), y + r * math.sin(angle), theme.px(4.2), theme.alpha(theme.TERRACOTTA, strength)
            )
        shapes.plate(arcade.LBWH(x - theme.px(9), y - theme.px(9), theme.px(18), theme.px(18)),
                    shapes.Plate(theme.GOLD, theme.BRONZE, theme.BRONZE_DEEP, 1.2, radius=9, bevel=0.4))  # fmt: skip

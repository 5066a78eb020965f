"""List of the tables announced nearby: always up to date, with one click to join."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import arcade
from arcade.types import Rect

from client.drawing import shapes, theme
from client.drawing.scrolling import ScrollList
from client.drawing.theme import Colour
from client.drawing.widgets import Label, Panel, Ui
from client.language import _
from client.network.nearby import Nearby, stranger
from protocol.announcement import MOST, Near
from shared.rulesets.registry import RULESETS
from shared.tables import TablePhase

_ROW: Final = 62.0
_EMPTY: Final = _("There are no tables nearby just now. New ones appear here at once.")
_CLICK: Final = _("A click takes you there.")
_MORE: Final = _("There are more tables nearby than this list can show.")


class NearList:
    """Heading, list, and a text for the empty list. A click calls `chosen`."""

    def __init__(self, ui: Ui, nearby: Nearby, rect: Rect, chosen: Callable[[Near], object]) -> None:
        self._nearby = nearby
        top = rect.top - theme.px(24)
        body = arcade.LRBT(rect.left, rect.right, rect.bottom, top)
        self._well = ui.add(Panel(body, shapes.WELL))
        ui.add(Label(_("Tables nearby"), rect.left, rect.top - theme.px(12), title=True, colour=theme.INK_SOFT))
        self._words = ui.add(Label("", rect.right, rect.top - theme.px(12), size=theme.SMALL, align="right",
                                   colour=theme.INK_SOFT))  # fmt: skip
        self.list = ui.add(ScrollList[Near](body, _ROW, _paint, chosen))
        room = rect.width * 0.8
        self._none = ui.add(Label(" ", body.x, body.y, align="center", colour=theme.INK_SOFT, width=room))
        self._shown: tuple[object, ...] = ()
        self.refresh()

    def refresh(self) -> bool:
        """Show the present announcements; return whether anything looks different."""
        now = self._nearby.tables, self._nearby.trouble
        if now == self._shown or self.list.pressed:
            return False
        self._shown = now
        self._show(self._nearby.tables)
        return True

    def _show(self, tables: tuple[Near, ...]) -> None:
        """Show the tables and keep the selection. While the mouse is on the list, no entry moves away below it."""
        before, index = list(self.list.items), self.list.index
        chosen = _place(before[index]) if 0 <= index < len(before) else None
        found = {_place(near): near for near in tables}
        kept = [found.pop(_place(near)) for near in before if _place(near) in found] if self.list.hovered else []
        self.list.items = [*kept, *found.values()]
        places = [_place(near) for near in self.list.items]
        self.list.index = places.index(chosen) if chosen in places else -1
        self._none.words = "" if tables else self._trouble()
        self._well.visible = not tables
        self._words.words = "" if not tables else _CLICK if len(tables) < MOST else _MORE

    def _trouble(self) -> str:
        """Return why the list is empty."""
        why = self._nearby.trouble
        if not why:
            return _EMPTY
        return _(
            "Tables nearby cannot be found: this computer's network does not carry announcements. ({why})", why=why
        )


def _place(near: Near) -> tuple[str, str]:
    return near.address, near.table.match


def _paint(near: Near, rect: Rect, chosen: bool) -> None:
    table, strange = near.table, stranger(near)
    left, right, ink = rect.left + theme.px(16), rect.right - theme.px(16), theme.INK_FAINT if strange else theme.INK
    room = rect.width * 0.72
    game = RULESETS[table.game].title if table.game in RULESETS else table.game
    shapes.say(table.title, left, rect.y + theme.px(11), size=theme.LARGE, title=True, colour=ink, limit=room)
    shapes.say(f"{table.host} · {game}", left, rect.y - theme.px(13), size=theme.SMALL, colour=theme.INK_SOFT,
              limit=room)  # fmt: skip
    seats = _("{taken} of {seats} seats", taken=table.taken, seats=table.seats)
    shapes.say(seats, right, rect.y + theme.px(11), align="right", colour=ink)
    words, colour = (_("another version"), theme.INK_FAINT) if strange else _stand(near)
    shapes.say(words, right, rect.y - theme.px(13), size=theme.SMALL, colour=colour, align="right", bold=True)


def _stand(near: Near) -> tuple[str, Colour]:
    if near.table.phase == TablePhase.PLAYING:
        return _("playing"), theme.LAPIS
    if near.table.phase == TablePhase.OVER:
        return _("over"), theme.INK_FAINT
    return (_("full"), theme.INK_SOFT) if near.table.taken == near.table.seats else (_("waiting"), theme.OLIVE)

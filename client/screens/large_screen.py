"""Table on a large screen for spectators: follows by itself and has no controls."""

from typing import Any

import arcade
from arcade.types import Rect

from client.drawing import shapes, theme
from client.games.registry import guide
from client.keyboard.commands import Command
from client.keyboard.keys import KEYS
from client.language import _
from client.network.model import MatchModel
from client.network.remote_server import RemoteServer
from client.screens.application import Application
from client.screens.replay_source import afterwards
from client.screens.table import TableScreen
from client.table.large_table import Entrance, LargeTable, TableLinks, draw_qr
from client.table.pane import seat_disc
from client.table.tabletop import Tabletop
from protocol.links import page_of
from shared.messages import TableState
from shared.tables import SeatKind


def way_to(remote: RemoteServer, table: TableState) -> TableLinks:
    """Return how others join a table: with a camera by the browser page, or by typing address and code."""
    url = remote.access.public
    return TableLinks(page_of(url, "watch", table.code), table.code, url.partition("://")[2])


class LargeScreen(TableScreen):
    """Table without its controls; before the match, the expected players and how to join."""

    narrowest = 0.0

    def __init__(self, app: Application, match: MatchModel) -> None:
        # Before the base class, which makes the table with it.
        self._entrance = Entrance()
        super().__init__(app, match)
        self._was_over = False

    def _new_tabletop(self, match: MatchModel) -> Tabletop[Any]:
        self._wall = LargeTable(match, guide(match.rules.id), self, self._entrance)
        return self._wall

    @property
    def share(self) -> float:
        return 1.0  # The letters of this screen are large already.

    def layout(self, width: float, height: float) -> None:
        if self.match.table is not None:
            self._entrance.show(way_to(self.app.remote, self.match.table))
        super().layout(width, height)

    def toasts_at(self) -> Rect:
        return self.top.board.rect

    def on_show(self) -> None:
        self.app.show_mouse(False)
        super().on_show()

    def on_hide(self) -> None:
        self.app.show_mouse(True)

    def on_update(self, seconds: float) -> bool:
        self._follow_end()
        return super().on_update(seconds)

    def _follow_end(self) -> None:
        """Show the end of the match and the verdict on its record. An agreed end changes nothing on the board."""
        if self.match.finished and not self._was_over:
            self._was_over = True
            self._wall.follow()
        source = afterwards(self.app, self.match) if self._was_over else None
        if source is not None and source.update():
            self._wall.tell_checked(source.words())

    def on_draw(self) -> None:
        if self.match.seat >= 0:
            return  # A seat's view must not be shown to all.
        if self.match.view is not None:
            self.top.draw()
        elif self.match.table is not None:
            self._gathering(self.match.table)

    def _gathering(self, table: TableState) -> None:
        """Show the present and the expected players, and how to join."""
        width, height = self.width, self.height
        arcade.draw_rect_filled(arcade.LBWH(0, 0, width, height), theme.NIGHT)
        edge = theme.px(60)
        shapes.plate(arcade.LRBT(edge, width - edge, edge, height - edge), shapes.PANEL)
        shapes.say(table.title, width / 2, height - theme.px(130), size=44, title=True, align="center",
                  colour=theme.TERRACOTTA_DEEP, limit=width - 4 * edge)  # fmt: skip
        again = table.match == self.app.remote.sequel
        words = f"{_('They play again here')} · {self.match.rules.title}" if again else self.match.rules.title
        shapes.say(words, width / 2, height - theme.px(190), size=20, align="center",
                  colour=theme.INK_SOFT, limit=width - 4 * edge)  # fmt: skip
        shapes.rule(width / 2, height - theme.px(226), width - 6 * edge)
        self._seats(table, 2 * edge, height - theme.px(286))
        self._invite(table)

    def _seats(self, table: TableState, left: float, top: float) -> None:
        for seat, info in enumerate(table.seats):
            y = top - seat * theme.px(66)
            seat_disc(seat, left + theme.px(26), y, theme.px(52))
            free = info.kind == SeatKind.FREE
            words = _("free") if free else self.match.name(seat)
            shapes.say(words, left + theme.px(70), y, size=26, bold=not free, limit=self.width * 0.4,
                      colour=theme.INK_FAINT if free else theme.INK)  # fmt: skip

    def _invite(self, table: TableState) -> None:
        way = way_to(self.app.remote, table)
        side, right = theme.px(300), self.width - theme.px(130)
        top = self.height - theme.px(256)
        rect = arcade.LBWH(right - side, top - side, side, side)
        draw_qr(way.link, rect)
        shapes.say(way.code, rect.x, rect.bottom - theme.px(44), size=38, title=True, align="center",
                  colour=theme.TERRACOTTA_DEEP)  # fmt: skip
        shapes.say(way.address, rect.x, rect.bottom - theme.px(94), size=18, align="center", colour=theme.INK_SOFT)

    # Only leaving is possible here.

    def back(self) -> None:
        if self.app.filled:
            self.app.fill_screen()
        else:
            self.app.go.take_down()

    def on_key_press(self, symbol: int, modifiers: int) -> bool:
        if KEYS.hits(Command.BACK, symbol, modifiers):
            self.back()
            return True
        return False

    def on_key_release(self, symbol: int, modifiers: int) -> bool:
        return False

    def on_text(self, words: str) -> bool:
        return False

    def on_mouse_motion(self, x: float, y: float, dx: float, dy: float) -> bool:
        return False

    def on_mouse_press(self, x: float, y: float, button: int, modifiers: int) -> bool:
        return False

    def on_mouse_drag(self, x: float, y: float, dx: float, dy: float, buttons: int, modifiers: int) -> bool:
        return False

    def on_mouse_release(self, x: float, y: float, button: int, modifiers: int) -> bool:
        return False

    def on_mouse_scroll(self, x: float, y: float, scroll_x: float, scroll_y: float) -> bool:
        return False

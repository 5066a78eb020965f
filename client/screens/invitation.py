"""Invitation to a table: its code and, where we host, also addresses and a QR code; in the room and over the table."""

from collections.abc import Callable
from functools import partial
from typing import Final

import arcade
from arcade.types import Rect

from client.drawing import shapes, theme
from client.drawing.qr import QrCode
from client.drawing.widgets import Button, Label, Panel, Ui
from client.language import _
from client.network.addresses import lan_addresses
from client.network.invitation_link import home_link, invitation_link, who_may_come
from client.network.model import MatchModel
from client.player.seats import HOSTED
from client.screens.application import Application
from client.screens.base import FramedScreen
from protocol.links import joined, link_of, link_to
from shared.messages import TableState

_SIDE: Final = 150.0
_PAD: Final = 14.0
_LOW: Final = 96.0
_LOOK: Final = 30.0
"""Design lengths: the QR code, its padding, the height without it, and the part for spectators."""
_MOST: Final = 6
"""Maximum number of addresses shown; a computer with more has mostly bridges and tunnels."""

_PROGRAM: Final = 0.64
"""Share of the width that the program's link has beside the home link."""


class Invitation:
    """Invitation in the upper part of `rect`; `bottom` is its lower edge."""

    def __init__(self, ui: Ui, app: Application, rect: Rect, table: TableState) -> None:
        self._ui, self._app, self._table = ui, app, table
        access = app.remote.access
        hosts = lan_addresses()[:_MOST] if access.address == HOSTED else []
        self._program = link_to(hosts[0], access.port, table.code) if hosts else link_of(access.address, table.code)
        """Link for the program."""
        self._sight = invitation_link(app.remote, table)
        self._home = home_link(app.remote, table)
        self._link = self._sight or self._program
        lines = [joined(host, access.port) for host in hosts]
        self.bottom = self._with_picture(rect, lines) if self._sight else self._guest(rect)

    def _with_picture(self, rect: Rect, lines: list[str]) -> float:
        """Show the link or, where we host, all addresses, with the QR code on the left."""
        side, pad = theme.px(_SIDE), theme.px(_PAD)
        more = _("Also at {join}", join=", ".join(lines[1:])) if len(lines) > 1 else ""
        # Made before its place is known: its lines decide how high the panel is.
        also = Label(more, 0, 0, size=theme.SMALL, colour=theme.PARCHMENT_DEEP, anchor_y="top",
                     width=rect.width - 2 * pad)  # fmt: skip
        height = side + 2 * pad + (also.line.content_height + theme.px(4) if more else 0) + self._foot
        box = self._add_panel(rect, height)
        left, top = box.left + pad, box.top - pad
        self._ui.add(QrCode(arcade.LBWH(left, top - side, side, side), self._link,
                            tip=_("The link to this table, for a camera: {link}", link=self._link)))  # fmt: skip
        right = arcade.LRBT(left + side + pad, box.right - pad, top - side, top)
        self._code(right.left, right.top - theme.px(8))
        at = right.top - theme.px(74)
        head = _("Friends join at") if lines else _("Friends open")
        self._ui.add(Label(head, right.left, at, size=theme.SMALL, colour=theme.PARCHMENT_DEEP))
        shown = lines[0] if lines else self._link.partition("://")[2]
        self._ui.add(Label(shown, right.left, at - theme.px(20), colour=theme.PARCHMENT, limit=right.width))
        self._buttons(right.left, right.right, right.bottom)
        also.move(left, box.bottom + pad + self._foot + also.line.content_height - theme.px(4))
        self._ui.add(also)
        self._for_program(box)
        return float(box.bottom)

    def _guest(self, rect: Rect) -> float:
        box = self._add_panel(rect, theme.px(_LOW) + self._foot)
        left, width = box.left + theme.px(20), theme.px(240)
        self._code(left, box.top - theme.px(24))
        if self._table.code:
            right = box.right - theme.px(16)
            self._buttons(right - width, right, box.y + self._foot / 2 - theme.px(17))
        self._for_program(box)
        return float(box.bottom)

    def _add_panel(self, rect: Rect, height: float) -> Rect:
        box = arcade.LBWH(rect.left, rect.top - height, rect.width, height)
        self._ui.add(Panel(box, shapes.DARK))
        return box

    def _code(self, left: float, y: float) -> None:
        self._ui.add(Label(_("Code of this table"), left, y, size=theme.SMALL, colour=theme.PARCHMENT_DEEP))
        words = self._table.code or _("not needed")
        self._ui.add(Label(words, left, y - theme.px(32), size=24, title=True, colour=theme.GOLD))

    def _buttons(self, left: float, right: float, bottom: float) -> None:
        """Add the buttons that copy code, address or link."""
        gap, height = theme.px(8), theme.px(34)
        copies = self._copy_buttons()
        width = (right - left - gap * (len(copies) - 1)) / len(copies)
        for i, (words, what, tip) in enumerate(copies):
            at = arcade.LBWH(left + i * (width + gap), bottom, width, height)
            self._ui.add(Button(at, words, partial(self._copy, what), size=theme.SMALL + 1, tip=tip))

    def _copy_buttons(self) -> list[tuple[str, str, str]]:
        link = (_("Copy link"), self._link, f"{who_may_come(self._table)} {_('A browser opens it, on a phone too.')}")
        code = (_("Copy code"), self._table.code, _("For friends who have the address already."))
        return [link, code] if self._table.code else [link]

    @property
    def _foot(self) -> float:
        """Height of the part at the bottom."""
        return theme.px(_LOOK + _PAD) if self._sight else 0.0

    def _for_program(self, box: Rect) -> None:
        """Add the buttons at the bottom: the link for friends who have the program, and that for the own network."""
        if not self._sight:
            return
        tip = _("Opens the program at once, where it is installed: {link}", link=self._program)
        pad = theme.px(_PAD)
        whole = arcade.LBWH(box.left + pad, box.bottom + pad, box.width - 2 * pad, theme.px(_LOOK))
        both = self._home not in ("", self._link)
        at = arcade.LBWH(whole.left, whole.bottom, whole.width * (_PROGRAM if both else 1.0), whole.height)
        self._ui.add(Button(at, _("Copy the link for the program"), partial(self._copy, self._program),
                            size=theme.SMALL + 1, tip=tip))  # fmt: skip
        if both:
            tip = _("For friends in your own network, where the public link may lead nowhere: {link}", link=self._home)
            at = arcade.LRBT(at.right + theme.px(8), whole.right, whole.bottom, whole.top)
            self._ui.add(
                Button(at, _("Copy home link"), partial(self._copy, self._home), size=theme.SMALL + 1, tip=tip)
            )

    def _copy(self, words: str) -> None:
        self._app.copy(words)
        self._app.toast(_("Copied. Paste it into a message to your friends."), "good")


class InviteScreen(FramedScreen):
    """Invitation of the room, shown over the table."""

    def __init__(self, app: Application, match: MatchModel, *, close: Callable[[], object]) -> None:
        """`close` returns to the previous screen."""
        super().__init__(app)
        self._match = match
        self._close = close

    def layout(self, width: float, height: float) -> None:
        inside = self.frame(720, 480, _("Invite friends"))
        table = self._match.table
        if table is not None:
            words = self.ui.add(Label(who_may_come(table), inside.left, inside.top, anchor_y="top", width=inside.width,
                                      colour=theme.INK_SOFT))  # fmt: skip
            top = words.rect.bottom - theme.px(14)
            Invitation(self.ui, self.app, arcade.LRBT(inside.left, inside.right, inside.bottom, top), table)
        self.back_button(inside)

    def back(self) -> None:
        self._close()

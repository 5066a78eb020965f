"""Form for a server: a nearby table by one click, or an address with, for an unlisted table, its code."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import arcade
from arcade.types import Rect

from client.drawing import theme
from client.drawing.fields import TextField
from client.drawing.widgets import Button, Label
from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.language import _, heard
from client.network.local_players import together
from client.network.nearby import stranger
from client.screens.application import Application
from client.screens.framed import FramedScreen
from client.screens.near_list import NearList
from protocol.announcement import Near
from protocol.links import Unreadable, read
from protocol.routes import PORT
from shared.codes import MAX_TYPED_CODE
from shared.ids import MAX_SEATS
from shared.tables import MAX_NAME

_PASTED = 300
"""Maximum length of a pasted address, in characters."""


class ConnectScreen(FramedScreen):
    """Name, address, code; leads to the table, or without a code to the list of tables."""

    narrowest = 1000.0

    def __init__(
        self, app: Application, *, watch: bool, address: str = "", code: str = "", people: Sequence[str] = (),
        curtain: bool = False,
    ) -> None:  # fmt: skip
        """`people`: names of those who share this computer, as in `TableOptions`, and so `curtain`."""
        super().__init__(app)
        self.watch = watch
        self._name = people[0] if people else app.settings.name
        self._others, self._curtain = ", ".join(people[1:]), curtain
        self._address = address or app.settings.address
        self._code = code
        self._trouble = ""
        """Last failure, in a sentence."""

    def layout(self, width: float, height: float) -> None:
        inside = self.frame(1120, 600, _("Watch a game") if self.watch else _("Join a game"))
        gap = theme.px(40)
        near = arcade.LRBT(inside.left, inside.left + (inside.width - gap) * 0.58, inside.bottom, inside.top)
        form = arcade.LRBT(near.right + gap, inside.right, inside.bottom, inside.top)
        self._near = NearList(self.ui, self.app.nearby, near, self._go_near)
        fields = self._fields(form)
        self.back_button(inside)
        words = _("Watch") if self.watch else _("Join")
        self.ui.add(
            Button(self.foot(inside, 220, right=True), words, self.confirm, kind="primary", tip=told(Command.CONFIRM))
        )
        self.ui.set_focus(fields[1] if not self._address else fields[2])

    def _fields(self, form: Rect) -> list[TextField]:
        """Lay out the form and, below it, the last failure."""
        top = form.top
        made: list[TextField] = []
        for words, value, limit, hint, changed in (
            (_("Your name"), self._name, MAX_NAME, "", self._set_name),
            (_("Server, or invitation"), self._address, _PASTED,
             _("192.168.1.20:{port}, or paste a link", port=PORT), self._set_address),
            (_("Code of the table"), self._code, MAX_TYPED_CODE,
             _("leave empty to see the open tables"), self._set_code),
            *([] if self.watch else [(_("Also at this computer"), self._others, MAX_SEATS * MAX_NAME,
                                      _("names of others who play here"), self._set_others)]),
        ):  # fmt: skip
            self.ui.add(Label(words, form.left, top - theme.px(12), title=True, colour=theme.INK_SOFT))
            rect = arcade.LBWH(form.left, top - theme.px(24 + theme.ROW), form.width, theme.px(theme.ROW))
            made.append(self.ui.add(TextField(rect, value, hint=hint, limit=limit, changed=changed, done=self.confirm)))
            top -= theme.px(theme.ROW + 46)
        if self._trouble:
            self.ui.add(Label(self._trouble, form.left, top, width=form.width, anchor_y="top",
                              colour=theme.TERRACOTTA_DEEP))  # fmt: skip
        return made

    def on_show(self) -> None:
        self.app.nearby.listen(True)

    def on_hide(self) -> None:
        self.app.nearby.listen(False)

    def on_update(self, seconds: float) -> bool:
        changed = super().on_update(seconds)
        return self._near.refresh() or changed

    def _set_name(self, words: str) -> None:
        self._name = words

    def _set_address(self, words: str) -> None:
        self._address = words

    def _set_code(self, words: str) -> None:
        self._code = words

    def _set_others(self, words: str) -> None:
        self._others = words

    def _go_to(self, address: str, wish: Callable[[], object]) -> None:
        """Connect, with all who share this computer."""
        try:
            people = together(self._name, self._others)
        except ValueError as error:
            self.tell(heard(str(error)))
        else:
            self.app.go.server(address, wish, people=people, curtain=self._curtain)

    def tell(self, trouble: str) -> None:
        """Show a failure; everything typed stays."""
        self._trouble = trouble
        self.relayout()

    def confirm(self) -> None:
        """Connect if the entries are plausible."""
        try:
            place = read(self._address)
        except Unreadable as error:
            self.tell(heard(str(error)))
            return
        self._address, self._code = place.address, place.code or self._code.strip()
        if self._introduce():
            self.app.settings.address = place.address
            self.app.settings.save()
            self._go_to(place.address, self._arrive)

    def _introduce(self) -> bool:
        """Store the entered name; return False and say so if it is missing."""
        if not self._name.strip():
            self.tell(_("Please enter your name."))
            return False
        self._trouble = ""
        self.app.settings.name, self.app.settings.guessed = self._name.strip(), False
        return True

    def _arrive(self) -> None:
        """Continue after the server's greeting."""
        if self._code:
            self._sit_down("", self._code)
        else:
            self.app.go.lobby()

    def _sit_down(self, match: str, code: str) -> None:
        if self.watch:
            self.app.remote.watch(match, code)
        else:
            self.app.remote.join(match, code)

    def _go_near(self, near: Near) -> None:
        """Go to a nearby table by a single click."""
        strange = stranger(near)
        if strange:
            self.tell(strange)
        elif self._introduce():
            self.app.settings.save()
            self._go_to(near.address, lambda: self._sit_down(near.table.match, ""))

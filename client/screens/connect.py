"""Form for a server, and the screen while a connection is made, always with a way to cancel.

The form offers a nearby table by one click, or an address with, for an unlisted table, its code.
"""

import math
from collections.abc import Callable, Sequence
from typing import Final

import arcade
from arcade.types import Rect

from client.drawing import shapes, theme
from client.drawing.fields import TextField
from client.drawing.scrolling import ScrollList
from client.drawing.theme import Colour
from client.drawing.widgets import Button, Label, Panel, Ui
from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.language import _, heard
from client.network.local_players import together
from client.network.nearby import Nearby, stranger
from client.player.seats import HOSTED, is_private
from client.screens.application import Application
from client.screens.base import FramedScreen, ScreenStage
from protocol.announcement import MOST, Near
from protocol.links import Unreadable, read
from protocol.routes import PORT
from shared.codes import MAX_TYPED_CODE
from shared.ids import MAX_SEATS
from shared.rulesets.registry import RULESETS
from shared.tables import MAX_NAME, TablePhase

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
        # A row must not change below a pressed mouse.
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
        same_rows = [found.pop(_place(near)) for near in before if _place(near) in found] if self.list.hovered else []
        self.list.items = [*same_rows, *found.values()]
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


_DOTS: Final = 12
_STEP: Final = 0.09
"""Seconds from one dot of the wheel to the next."""


class ConnectingScreen(FramedScreen):
    """Shown from the start of a connection until the first table or list comes."""

    part = ScreenStage.WAITING
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
        fields: list[TextField] = []
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
            fields.append(
                self.ui.add(TextField(rect, value, hint=hint, limit=limit, changed=changed, done=self.confirm))
            )
            top -= theme.px(theme.ROW + 46)
        if self._trouble:
            self.ui.add(Label(self._trouble, form.left, top, width=form.width, anchor_y="top",
                              colour=theme.TERRACOTTA_DEEP))  # fmt: skip
        return fields

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

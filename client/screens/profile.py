"""Profile on a server: its devices, its member, all that is stored of it, and its end."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import arcade
from arcade.types import Rect

from client.drawing import theme
from client.drawing.fields import Selector, TextField
from client.drawing.widgets import Button, Label
from client.language import _, heard
from client.network.status_query import (
    Errand,
    ProfileAnswer,
    ServerQuery,
    devices,
    erased,
    handed_over,
    membership,
    own_data,
)
from client.player.files import write_whole
from client.player.membership import member_words
from client.player.profiles import Profile, device_words, fresh_secret
from client.player.saved_matches import usual_place
from client.player.seats import HOSTED
from client.screens.application import Application
from client.screens.base import FramedScreen
from client.screens.question import Answer, Question
from protocol.links import Unreadable, read
from shared.messages import Device, Passage

_PASTED = 300
_T = TypeVar("_T")


class ProfileScreen(FramedScreen):
    """On the left devices and data of a profile, on the right the entry of a mail address or a code."""

    narrowest = 980.0

    def __init__(self, app: Application, *, close: Callable[[], object]) -> None:
        """`close` returns to the previous screen."""
        super().__init__(app)
        self._close = close
        self._profiles = app.profiles.all()
        self._chosen = 0
        self._address, self._code = app.settings.address, ""
        self._secret = fresh_secret()
        """The secret of a profile that is made here; the same one for all tries."""
        self._notes: dict[bool, str] = {True: "", False: ""}
        """Status text of the left half (True) and of the right one (False)."""
        self._passage: Passage | None = None
        self._errand: Errand[Any] | None = None
        """The request that is under way; the buttons wait for its end."""
        self._hear: Callable[[], object] = lambda: None
        self._devices: tuple[Device, ...] = ()
        self._device = 0
        self._sure = False
        """Whether the next press signs the chosen device out."""

    def layout(self, width: float, height: float) -> None:
        inside = self.frame(1060, 600, _("My profile"))
        gap = theme.px(48)
        half = (inside.width - gap) / 2
        self._from_here(arcade.LBWH(inside.left, inside.bottom, half, inside.height))
        self._to_here(arcade.LBWH(inside.right - half, inside.bottom, half, inside.height))
        self.back_button(inside)

    def _from_here(self, rect: Rect) -> None:
        """Show the code that is to be typed on the other device."""
        words = _("Your name and your seats on a server are yours on all your devices.")
        top = self._head(rect, _("Devices and data"), words)
        if not self._profiles:
            self._words(rect, top, _("You have no profile on any server yet: it is made at your first visit."))
            return
        field = arcade.LBWH(rect.left, top - theme.px(theme.ROW), rect.width, theme.px(theme.ROW))
        labels = [_where(profile) for profile in self._profiles]
        self.ui.add(Selector(field, labels, self._chosen, self._choose))
        button = arcade.LBWH(rect.left, field.bottom - theme.px(14 + theme.ROW), rect.width, theme.px(theme.ROW))
        half = (button.width - theme.px(12)) / 2
        left, right = (arcade.LBWH(x, button.bottom, half, button.height) for x in (button.left, button.right - half))
        idle = self._errand is None
        self.ui.add(Button(left, _("Make a code"), self._make, enabled=idle))
        self.ui.add(Button(right, _("Your devices"), self._list, enabled=idle))
        left, right = left.move(0, -theme.px(12 + theme.ROW)), right.move(0, -theme.px(12 + theme.ROW))
        self.ui.add(Button(left, _("My data"), self._fetch, enabled=idle))
        self.ui.add(Button(right, _("Delete me"), self._ask_to_erase, enabled=idle))
        top = left.bottom - theme.px(20)
        if self._devices:
            top = self._listed(rect, top)
        if self._passage is not None:
            self.ui.add(Label(self._passage.code, rect.x, top - theme.px(22), size=34, title=True, align="center",
                              colour=theme.TERRACOTTA_DEEP))  # fmt: skip
            top -= theme.px(58)
        self._words(rect, top, self._notes[True])

    def _listed(self, rect: Rect, top: float) -> float:
        """Show the devices of the profile and a button that signs the chosen one out; return the room's new top."""
        height = theme.px(theme.ROW)
        field = arcade.LBWH(rect.left, top - height, rect.width, height)
        labels = [device_words(device, time.time()) for device in self._devices]
        self.ui.add(Selector(field, labels, self._device, self._point))
        button = arcade.LBWH(rect.left, field.bottom - theme.px(14) - height, rect.width, height)
        words = _("Sign out: are you sure?") if self._sure else _("Sign out")
        mine = self._devices[self._device].here
        self.ui.add(Button(button, words, self._sign_out, enabled=not mine and self._errand is None))
        return button.bottom - theme.px(20)

    def _to_here(self, rect: Rect) -> None:
        """Show the field for a mail address or a code."""
        words = _("With your mail address your name is yours, and you come back on any device. "
                  "A code comes by mail, from your other device, or from the operator.")  # fmt: skip
        top = self._head(rect, _("Member"), words)
        height = theme.px(theme.ROW)
        for label, value, limit, changed in (
            (_("Server"), self._address, _PASTED, self._set_address),
            (_("Mail address, or a code"), self._code, _PASTED, self._set_code),
        ):
            self.ui.add(Label(label, rect.left, top - theme.px(10), size=theme.SMALL, colour=theme.INK_SOFT))
            field = arcade.LBWH(rect.left, top - theme.px(22) - height, rect.width, height)
            self.ui.add(TextField(field, value, limit=limit, changed=changed, done=self._take))
            top = field.bottom - theme.px(10)
        button = arcade.LBWH(rect.left, top - theme.px(4) - height, rect.width, height)
        self.ui.add(Button(button, _("Go on"), self._take, kind="primary", enabled=self._errand is None))
        self._words(rect, button.bottom - theme.px(16), self._notes[False])

    def _head(self, rect: Rect, title: str, words: str) -> float:
        self.ui.add(Label(title, rect.left, rect.top - theme.px(12), size=theme.LARGE, title=True))
        said = self.ui.add(Label(words, rect.left, rect.top - theme.px(34), anchor_y="top", width=rect.width,
                                 colour=theme.INK_SOFT))  # fmt: skip
        return said.rect.bottom - theme.px(16)

    def _words(self, rect: Rect, top: float, words: str) -> None:
        if words:
            self.ui.add(Label(words, rect.left, top, anchor_y="top", width=rect.width, colour=theme.INK_SOFT))

    def _choose(self, index: int) -> None:
        self._chosen, self._passage, self._notes[True] = index, None, ""
        self._devices, self._device, self._sure = (), 0, False
        self.relayout()

    def _set_address(self, words: str) -> None:
        self._address = words

    def _set_code(self, words: str) -> None:
        self._code = words

    def _make(self) -> None:
        """Ask the server for a code."""
        query = self._query()
        self._passage, self._devices = None, ()
        self._ask(True, lambda: handed_over(query), self._hear_code)

    def _query(self) -> ServerQuery:
        profile = self._profiles[self._chosen]
        return ServerQuery(profile.address, self.app.settings.name, secret=profile.secret, secure=profile.secure)

    def _list(self, end: bytes = b"") -> None:
        """Ask the server for the devices of the profile. `end`: the id of one that is signed out first."""
        query = self._query()
        self._passage, self._sure = None, False
        self._ask(True, lambda: devices(query, end), lambda found: self._hear_devices(found, bool(end)))

    def _point(self, index: int) -> None:
        self._device, self._sure = index, False
        self.relayout()

    def _sign_out(self) -> None:
        """Sign the chosen device out at the second press."""
        if self._sure:
            self._list(self._devices[self._device].id)
        else:
            self._sure = True
            self.relayout()

    def _take(self) -> None:
        """Send the code to the server."""
        if self._errand is not None:
            return
        try:
            place = read(self._address)
        except Unreadable as error:
            self._tell(False, heard(str(error)))
            return
        profile = self.app.profiles.of(place.address)
        # Without a profile nothing secret went there before: it begins encrypted or not at all.
        query = ServerQuery(place.address, self.app.settings.name,
                            secret=profile.secret if profile is not None else self._secret,
                            secure=profile is not None and profile.secure, bare=profile is not None)  # fmt: skip
        words = self._code.strip()
        self._ask(False, lambda: membership(query, words), self._hear_member)

    def _fetch(self) -> None:
        """Ask the server for all that it stores of the player."""
        query = self._query()
        self._ask(True, lambda: own_data(query), self._hear_data)

    def _ask_to_erase(self) -> None:
        profile, query = self._profiles[self._chosen], self._query()
        sure = Answer(
            _("Delete me there"), lambda: self._ask(True, lambda: erased(query), self._hear_erased), grave=True
        )
        words = _("Your name, devices, address, chat and seats on that server go, for good. In old matches you are "
                  "called “former player”.")  # fmt: skip
        self.app.go.ask(
            Question(_("Delete all that {server} stores of you?", server=_where(profile)), (words,), (sure,))
        )

    def _ask(self, from_here: bool, work: Callable[[], _T], then: Callable[[_T], object]) -> None:
        """Do some work in the background, then call `then` with its result, or say why there is none."""
        errand = Errand(work)

        def hear() -> None:
            if errand.answer is None:
                self._tell(from_here, errand.why)
            else:
                then(errand.answer)

        self._errand, self._hear = errand, hear
        self._tell(from_here, _("Asking the server …"))

    def _tell(self, from_here: bool, words: str) -> None:
        self._notes[from_here] = words
        self.relayout()

    def on_update(self, seconds: float) -> bool:
        changed = super().on_update(seconds)
        if self._errand is None or not self._errand.done:
            return changed
        self._errand = None
        self._hear()
        return True

    def _hear_code(self, passage: Passage) -> None:
        self._passage = passage
        minutes = passage.seconds // 60
        self._tell(True, _("Type it on the other device, in My profile, within {n} minutes. It works once.", n=minutes))

    def _hear_devices(self, found: tuple[Device, ...], ended: bool) -> None:
        self._devices, self._device = found, 0
        self._tell(True, _("That device has been signed out.") if ended else "")

    def _hear_data(self, data: bytes) -> None:
        path = usual_place() / f"conquest-{time.strftime('%Y-%m-%d')}.json"
        try:
            write_whole(path, data)
        except OSError as error:
            return self._tell(True, _("{file} cannot be written: {why}.", file=path, why=error.strerror))
        return self._tell(True, _("All that is stored of you is in {file}.", file=Path(path.parent.name, path.name)))

    def _hear_erased(self, address: str) -> None:
        self.app.profiles.forget(address)
        self._profiles, self._chosen, self._devices = self.app.profiles.all(), 0, ()
        self._tell(True, _("All that was stored of you there is deleted."))

    def _hear_member(self, answer: ProfileAnswer) -> None:
        try:
            self.app.profiles.keep(Profile(answer.query.address, answer.query.secret, answer.secure))
        except OSError as error:
            return self._tell(False, _("Your profile cannot be kept here ({strerror}).", strerror=error.strerror))
        self._profiles, self._code = self.app.profiles.all(), ""
        if answer.told.signed_in:
            self.app.settings.keep_name(answer.told.name)
            self.app.toast(_("You are {name} there, on this device too.", name=answer.told.name), "good")
            self.app.go.games()
        return self._tell(False, member_words(answer.told))

    def back(self) -> None:
        self._close()


def _where(profile: Profile) -> str:
    return _("Your server") if profile.address == HOSTED else profile.address

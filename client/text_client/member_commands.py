"""Commands about the player as a person on a server: devices, member, own data, and deletion."""

import time
from collections.abc import Callable, Iterable
from pathlib import Path

from client.language import _, chosen
from client.network.remote_server import RemoteServer
from client.player.files import write_whole
from client.player.membership import member_words
from client.player.profiles import device_words
from client.player.settings import Settings
from client.text_client.table import Lines
from shared import messages as m
from shared.actions.name_lookup import Misread, folded
from shared.codes import code_in
from shared.tables import DEVICES, MEMBER


class MemberCommands:
    """The commands `me` and `devices`, and their answers. `remote`: returns the present server."""

    def __init__(
        self,
        remote: Callable[[], RemoteServer],
        settings: Settings,
        say: Callable[[Iterable[str]], object],
        ask: Callable[[str, Callable[[], object]], object],
    ) -> None:
        self._remote, self._settings, self._say, self._ask = remote, settings, say, ask
        self._name = ""
        """The name of the profile."""
        self._listed_devices: tuple[m.Device, ...] = ()
        self._data, self._data_file = b"", Path()
        self._erasing = 0

    def me(self, words: str) -> Lines:
        """Ask who the player is as a member, or change that."""
        if not self._remote().begun or not self._remote().can(MEMBER):
            raise Misread(_("This server has no members."))
        word, _gap, rest = words.partition(" ")
        ref, rest = self._remote().ref(), rest.strip()
        match folded(word), rest:
            case "", "":
                self._remote().send(m.Member(ref))
            case "member", mail if mail:
                self._remote().send(m.Member(ref, mail, language=chosen()))
            case "code", code if code:
                self._remote().send(m.Member(ref, code=code_in(code)))
            case "data", file if file:
                self._data, self._data_file = b"", Path(file).expanduser()
                self._remote().send(m.OwnData(ref))
            case "delete", "":
                words = _("Delete all that this server stores of {name}, for good? You lose your seats.",
                          name=self._name)  # fmt: skip
                self._ask(words, self._erase)
            case _other:
                raise Misread(
                    _("Say “me”, “me member anna@example.org”, “me code H7KQ2MWX”, “me data FILE” or “me delete”.")
                )
        return ()

    def devices(self, words: str) -> Lines:
        """Ask for the devices of the profile, or sign one of the listed ones out."""
        if not self._remote().begun or not self._remote().can(DEVICES):
            raise Misread(_("This server does not list devices."))
        word, _gap, number = folded(words).partition(" ")
        if not word:
            self._remote().send(m.Devices(self._remote().ref()))
            return ()
        others = {str(place): each for place, each in enumerate(self._listed_devices, 1) if not each.here}
        if word != "end" or number not in others:
            raise Misread(_("“devices” lists them, “devices end 2” signs the second one out, but not this one."))
        device = others[number]
        question = _("Sign {device} out?", device=device_words(device, time.time()))
        self._ask(question, lambda: self._remote().send(m.Devices(self._remote().ref(), device.id)))
        return ()

    def _erase(self) -> None:
        self._erasing = self._remote().ref()
        self._remote().send(m.EraseMe(self._erasing, self._name))

    def is_erased(self, ref: int) -> bool:
        """Whether that request has erased the player; then this device forgets the profile too."""
        profiles = self._remote().profiles()
        if not ref or ref != self._erasing or profiles is None:
            return False
        profiles.forget(self._remote().access.address)
        self._say([_("All that was stored of you there is deleted.")])
        return True

    def hear(self, answer: m.Introduced | m.Membership | m.OwnDataPiece | m.DeviceList) -> None:
        """React to an answer about the player."""
        match answer:
            case m.Introduced():
                self._name = answer.name
            case m.Membership():
                self._hear_membership(answer)
            case m.OwnDataPiece():
                self._hear_data(answer)
            case m.DeviceList(devices=listed):
                self._listed_devices = listed
                self._say(f"{number}. {device_words(one, time.time())}" for number, one in enumerate(listed, 1))

    def _hear_membership(self, told: m.Membership) -> None:
        self._name = told.name
        session = self._remote().access.session
        if told.signed_in and session is not None:
            session.name = told.name
            self._settings.keep_name(told.name)
        self._say([member_words(told)])

    def _hear_data(self, piece: m.OwnDataPiece) -> None:
        """Ask for the next piece of the player's data, or write all of them into the file."""
        self._data += piece.data
        if len(self._data) < piece.total:
            self._remote().send(m.OwnData(self._remote().ref(), len(self._data)))
            return
        try:
            write_whole(self._data_file, self._data)
        except OSError as error:
            self._say([_("{file} cannot be written: {why}.", file=self._data_file, why=error.strerror)])
        else:
            self._say([_("All that is stored of you is in {file}.", file=self._data_file)])

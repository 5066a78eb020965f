"""Notifier of players: brings alerts to the places that each player chose."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Final, Protocol

from protocol.links import sight_of
from protocol.routes import routes_of
from server.clock import Clock
from server.storage.port import NoticeRecord
from server.webhooks import address_check as targets
from server.webhooks.address_check import Resolve, Unfit
from server.webhooks.alerts import Alert, AlertText, text_of
from server.webhooks.languages import catalogue_of
from server.webhooks.mail_sender import MailSender
from server.webhooks.payloads import body_of_discord, body_of_ntfy
from server.webhooks.push_sender import PushSender
from server.webhooks.sender import Deliveries, Letter, Settled, page_link
from shared.language.sentence import Sentence, render
from shared.messages import NoticeSettings
from shared.sentences.notices import (
    code_text,
    code_title,
    code_unwanted,
    member_title,
    member_unwanted,
    stop_link,
)
from shared.tables import NoticeWay

STOP: Final = "/stop"
"""Path of the page that stops mails."""
ONE_CLICK: Final = "List-Unsubscribe=One-Click"
"""What mail programs send to that page, and its own button (RFC 8058)."""
DEFAULT: Final = NoticeSettings()
"""Settings of players who never set any: only their devices are alerted, if they subscribed them."""


class NoticeDirectory(Protocol):
    """Directory of the players' settings."""

    def notices(self, person: str) -> NoticeRecord | None:
        """Return the settings of a profile."""


class Notifier:
    """Notifier of players, by all ways that the operator allows.

    `public`: returns the address at which players find this server, "" if unknown. `foreign`: whether ntfy and Discord
    are allowed. `loopback`, `resolve`: as in `Deliveries`. `directory` is set before the first alert.
    """

    def __init__(
        self,
        clock: Clock,
        public: Callable[[], str],
        push: PushSender | None = None,
        mail: MailSender | None = None,
        foreign: bool = False,
        loopback: bool = False,
        resolve: Resolve = targets.resolve,
    ) -> None:
        self._public = public
        self.push = push
        self.mail = mail
        self._foreign = Deliveries(clock, loopback, resolve, "notice", "place") if foreign else None
        self.directory: NoticeDirectory | None = None

    @property
    def ways(self) -> tuple[NoticeWay, ...]:
        """Ways by which this server reaches players."""
        foreign = (NoticeWay.NTFY, NoticeWay.DISCORD) if self._foreign is not None else ()
        push = (NoticeWay.PUSH,) if self.push is not None else ()
        # A mail without a link to stop further ones must not be sent, and the link needs the public address.
        return (*push, *foreign, *((NoticeWay.MAIL,) if self.mail is not None and self._public() else ()))

    def check(self, url: str) -> None:
        """Check an address of ntfy or Discord. Raises Unfit if no notice may go there."""
        if self._foreign is None:
            raise Unfit("This server sends no messages to other services.")
        self._foreign.check(url)

    def settings(self, person: str) -> NoticeSettings:
        """Return a player's settings."""
        record = self.directory.notices(person) if self.directory is not None and person else None
        return record.settings if record is not None else DEFAULT

    def reaches(self, person: str) -> bool:
        """Whether a notice would reach that player anywhere."""
        if not person:
            return False
        it, ways = self.settings(person), self.ways
        pushed = self.push is not None and self.push.reaches(person)
        foreign = NoticeWay.NTFY in ways and bool(it.ntfy or it.discord)
        return pushed or foreign or (NoticeWay.MAIL in ways and bool(it.mail))

    def send(self, person: str, alert: Alert, done: Callable[[], None]) -> None:
        """Send an alert to all places of a player; call `done` once no further try follows."""
        settled = _Count(done)
        it, ways = self.settings(person), self.ways
        if self.push is not None:
            self.push.alert(person, alert, it.zone, settled.one_more)
        said, link = text_of(alert, it.language, it.zone), page_link(self._public(), alert.code)
        if self._foreign is not None and it.ntfy:
            body = partial(body_of_ntfy, said.title, said.body, link)
            self._foreign.queue(Letter(f"{person} ntfy", it.ntfy, body, _nothing, settled.one_more()))
        if self._foreign is not None and it.discord:
            body = partial(body_of_discord, said.title, said.body, link, it.mention)
            self._foreign.queue(Letter(f"{person} discord", it.discord, body, _nothing, settled.one_more()))
        if NoticeWay.MAIL in ways and it.mail:
            self._mail(person, it, said, link, settled.one_more())
        settled.complete()

    def ask_for_code(self, to: str, code: str, record: NoticeRecord) -> None:
        """Send a new address its code."""
        words = catalogue_of(record.settings.language)
        title, text, other = (render(each, words, str) for each in (code_title(), code_text(code), code_unwanted()))
        assert self.mail is not None
        self.mail.send(to, title, f"{text}\n\n{other}\n", {})

    def mail_code(self, to: str, text: Sentence, language: str) -> None:
        """Mail a member's code, which is in the text."""
        words = catalogue_of(language)
        title, said, other = (render(each, words, str) for each in (member_title(), text, member_unwanted()))
        assert self.mail is not None
        self.mail.send(to, title, f"{said}\n\n{other}\n", {})

    @property
    def place(self) -> str:
        """Name of this server, as mails say it."""
        return sight_of(routes_of(self._public())[0]).partition("://")[2].strip("/") if self._public() else ""

    def _mail(self, person: str, it: NoticeSettings, said: AlertText, link: str, settled: Settled) -> None:
        record = self.directory.notices(person) if self.directory is not None else None
        assert self.mail is not None and record is not None
        stop = f"{sight_of(routes_of(self._public())[0]).rstrip('/')}{STOP}?key={person}-{record.key.hex()}"
        words = catalogue_of(it.language)
        end = render(stop_link(stop), words, str)
        headers = {"List-Unsubscribe": f"<{stop}>"}
        if stop.startswith("https:"):  # Mail programs send by https only (RFC 8058, 3.1).
            headers["List-Unsubscribe-Post"] = ONE_CLICK
        self.mail.send(it.mail, said.title, f"{said.body}\n\n{link}\n\n-- \n{end}\n", headers, settled)

    async def close(self) -> None:
        """Cancel all waiting notices."""
        senders = [each for each in (self.push, self.mail, self._foreign) if each is not None]
        await asyncio.gather(*(each.close() for each in senders))


class _Count:
    """Count of letters that are on their way; calls `done` once after the last."""

    def __init__(self, done: Callable[[], None]) -> None:
        # One for `complete`: `done` must not be called while letters are still being queued.
        self._left = 1
        self._done = done

    def one_more(self) -> Settled:
        """Return what a further letter calls when it is settled."""
        self._left += 1
        return self._settled

    def complete(self) -> None:
        """Note that no further letter follows."""
        self._settled(True)

    def _settled(self, _arrived: bool) -> None:
        self._left -= 1
        if not self._left:
            self._done()


def _nothing(_status: int) -> None:
    """Do nothing about a notice that did not arrive: the counter of `/metrics` and the log know."""

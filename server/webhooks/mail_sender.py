"""Sender of e-mails by the operator's SMTP server."""

import hashlib
import re
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime
from email.header import Header
from email.headerregistry import BaseHeader, HeaderRegistry, UnstructuredHeader
from email.message import EmailMessage
from email.policy import EmailPolicy, Policy
from email.utils import format_datetime, make_msgid
from typing import Any, Final

import aiosmtplib
from msgspec import Struct

from server.clock import Clock
from server.rate_limits import Budget, Rate
from server.webhooks.payloads import Body
from server.webhooks.request import WebhookFailed
from server.webhooks.sender import Deliveries, Letter, Settled, ignore

PATIENCE: Final = 15.0
"""Seconds for each step of a conversation with the SMTP server."""
EACH: Final = Rate(1 / 180, 20.0)
"""Rate of mails to one address."""
TLS: Final = ("starttls", "tls", "none")
"""Kinds of encryption: begun within the connection, from its start, or none."""
_ADDRESS: Final = re.compile(
    r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@([A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z]{2,63}"
)
_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_FINAL: Final = 500
"""Lowest status code of SMTP that forbids another try."""


class MailSettings(Struct, frozen=True):
    """The operator's SMTP server. `sender`: the address from which mails come. `tls`: one of `TLS`."""

    host: str
    port: int
    sender: str
    user: str = ""
    password: str = ""
    tls: str = "starttls"

    def connection(self) -> aiosmtplib.SMTP:
        """Return an unopened connection to the server. Opening it also authenticates."""
        return aiosmtplib.SMTP(
            hostname=self.host,
            port=self.port,
            username=self.user or None,
            password=self.password or None,
            use_tls=self.tls == "tls",
            start_tls=self.tls == "starttls",
            timeout=PATIENCE,
        )


class _LinkHeader(UnstructuredHeader, BaseHeader):
    """Header with a link, on one line of up to 998 characters (RFC 5322, 2.1.1).

    Python would encode a link of more than 78 characters as RFC 2047 says, which no mail program decodes here.
    """

    def fold(self, *, policy: Policy) -> str:
        """Return the header as it is sent."""
        return f"{self.name}: {self}{policy.linesep}"


class _TextHeader(UnstructuredHeader, BaseHeader):
    """Header with a text in which nothing is markup: a table may be called "=?utf-8?q?Rome?="."""

    @classmethod
    def parse(cls, string: str, kwds: dict[str, Any]) -> None:
        """Keep the text as it is; Python would decode it."""
        super().parse(string, kwds)
        kwds["decoded"] = string

    def fold(self, *, policy: Policy) -> str:
        """Return the header as it is sent: as RFC 2047 says, unless all is ASCII."""
        text = Header(str(self), "utf-8" if "=?" in self else None, header_name=self.name)
        return f"{self.name}: {text.encode(linesep=policy.linesep)}{policy.linesep}"


_HEADERS: Final = HeaderRegistry()
_HEADERS.map_to_type("subject", _TextHeader)
_HEADERS.map_to_type("list-unsubscribe", _LinkHeader)
_POLICY: Final = EmailPolicy(header_factory=_HEADERS)


class MailSender(Deliveries):
    """Sender of mails, with a queue for each address."""

    pauses = (10.0, 60.0)

    def __init__(self, clock: Clock, settings: MailSettings) -> None:
        super().__init__(clock, kind="mail", what="to")
        self._settings = settings
        self._domain = settings.sender.rpartition("@")[2]
        self._each = Budget(EACH, clock.now)

    def send(self, to: str, subject: str, text: str, headers: Mapping[str, str], settled: Settled = ignore) -> None:
        """Queue a mail; drop it if too many wait, or if the address has had too many."""
        key = hashlib.sha256(to.lower().encode()).hexdigest()[:12]  # The address itself must not be logged.
        # Each try has the same id, so that a mail that arrived twice after all is shown once.
        named = {**headers, "To": to, "Subject": subject, "Message-ID": make_msgid(domain=self._domain)}
        letter = Letter(key, "", lambda: Body(named, text.encode()), lambda _status: None, settled)
        if self._each.take(key):
            self.queue(letter)
        else:
            self.leave_out(letter)

    async def _deliver(self, letter: Letter, place: AbstractAsyncContextManager[object]) -> None:
        async with place:
            try:
                async with self._settings.connection() as smtp:
                    await smtp.send_message(message_of(self._settings, letter.body()))
            except aiosmtplib.SMTPResponseException as error:
                raise WebhookFailed(f"status {error.code}", error.code >= _FINAL, error.code) from None
            except aiosmtplib.SMTPRecipientsRefused as error:
                codes = [each.code for each in error.recipients]
                raise WebhookFailed(f"status {codes[0]}", min(codes) >= _FINAL, codes[0]) from None
            except (aiosmtplib.SMTPException, OSError) as error:
                raise WebhookFailed(type(error).__name__) from None


def message_of(settings: MailSettings, body: Body) -> EmailMessage:
    """Return a mail as it is sent."""
    message = EmailMessage(_POLICY)
    for name, value in body.headers.items():
        message[name] = _CONTROLS.sub(" ", value)  # Otherwise a name could bring a header of its own.
    message["From"] = settings.sender
    # UTC, and not the unknown zone (-0000) of `formatdate`, which some programs take for their own.
    message["Date"] = format_datetime(datetime.now(UTC))
    message["Auto-Submitted"] = "auto-generated"  # Programs that answer mails must not answer these (RFC 3834).
    message.set_content(body.data.decode())
    return message


def mailbox(address: str) -> str:
    """Return the mailbox of an address, as limits count it: without the tag behind "+", in small letters."""
    local, _, domain = address.lower().rpartition("@")
    return f"{local.partition('+')[0] or local}@{domain}"


def is_address(text: str) -> bool:
    """Whether the text is a mail address. Quoted ones and those without a domain are not allowed."""
    return len(text) <= 254 and len(text.partition("@")[0]) <= 64 and _ADDRESS.fullmatch(text) is not None

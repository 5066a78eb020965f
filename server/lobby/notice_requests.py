"""Requests about notices: players say where they want them, and confirm their mail addresses."""

import asyncio
import hashlib
import hmac
import secrets
from typing import Final

from msgspec import structs

from server import log
from server.delivery.peer import Peer
from server.lobby.profiles import CONFIRMS, NOT_INTRODUCED, Profiles, too_often
from server.matches.codes import LONG, new_code
from server.matches.table import Services
from server.rate_limits import Budget, Pauses, Rate
from server.storage.port import NoticeRecord, PersonRecord, StoreError
from server.webhooks.address_check import Unfit
from server.webhooks.alerts import Alert
from server.webhooks.mail_sender import is_address, mailbox
from server.webhooks.notifier import DEFAULT
from server.webhooks.quiet_hours import is_zone
from shared.codes import plain_code
from shared.messages import NoticeSettings, Notify, Notifying
from shared.refusal import Refusal
from shared.sentences.notices import trial
from shared.tables import NoticeWay

CHANGED: Final = Rate(1 / 10, 20.0)
"""Rate at which a profile may change its notices."""
TRIED: Final = Rate(1 / 120, 3.0)
"""Rate at which a profile may send itself notices for a trial."""
HOUR: Final = 3600.0
A_MAIL: Final = Rate(1 / HOUR, 1.0)
"""Rate of codes to one mail address: strangers must not be bothered."""
FROM: Final = Rate(1 / 600, 3.0)
"""Rate of codes by mail that clients at one address may cause."""
FIRST: Final = Rate(1 / (24 * HOUR), 1.0)
IN_ALL: Final = Rate(1 / 60, 30.0)
"""Rate of the codes by mail that are the first of a day for an address, and of all others.

So no stranger can use up what is left for the first codes of others."""

_OFF: Final = Refusal("no-notices", "", "This server sends no such notices.")
_TOO_OFTEN: Final = Refusal("rate", "", "The notices were changed too often; try again in a minute.")
_TRIED: Final = Refusal("rate", "", "You tried that too often; try again in a few minutes.")
_ASKED: Final = Refusal("rate", "", "A code was sent to that address less than an hour ago; look for it there.")
_TOO_MANY: Final = Refusal("rate", "", "Too many codes were sent by mail; try again in an hour.")
NO_MAIL: Final = Refusal("no-notices", "", "This server sends no mails.")
BAD_MAIL: Final = Refusal("bad-notices", "", "That is no mail address; it looks like anna@example.org.")
_BAD_ZONE: Final = Refusal("bad-notices", "", "That is no time zone; it looks like Europe/Rome.")
_BAD_CODE: Final = Refusal("no-code", "", "That code confirms no address; it may be too old, or used already.")


class NoticeRequests:
    """Handler of requests about notices. One per server.

    `guessed` delays clients that try wrong codes.
    """

    def __init__(self, services: Services, people: Profiles, guessed: Pauses) -> None:
        self._notifier = services.notifier
        self._people = people
        self._date = services.date
        self._guessed = guessed
        now = services.clock.now
        self._changed, self._tried = Budget(CHANGED, now), Budget(TRIED, now)
        self._to, self._from = Budget(A_MAIL, now), Budget(FROM, now)
        self._first, self._in_all = Budget(FIRST, now), Budget(IN_ALL, now)
        self._stopping: set[asyncio.Task[None]] = set()
        if self._notifier is not None:
            self._notifier.directory = people

    async def hear(self, peer: Peer, message: Notify) -> None:
        """Handle `Notify`. Raises StoreError."""
        person = self._people.record(peer.person)
        if self._notifier is None or not self._notifier.ways:
            return peer.refuse(message.ref, _OFF)
        if person is None:
            return peer.refuse(message.ref, NOT_INTRODUCED)
        refusal = None
        if message.code:
            refusal = await self._confirm(peer, person, message.code)
        elif message.settings is not None:
            refusal = await self._set(peer, person, message.settings)
        if refusal is None and message.test:
            refusal = self._try(peer.person)
        return peer.refuse(message.ref, refusal) if refusal is not None else self._tell(peer, message.ref)

    def stops(self, key: str) -> NoticeSettings | None:
        """Return the settings of the player whose mails that link stops; None if it stops none."""
        person, record = self._of_link(key)
        return record.settings if person is not None and record is not None and record.settings.mail else None

    def stop_mails(self, key: str) -> None:
        """Send no more mails to the player with that link."""
        person, record = self._of_link(key)
        if person is not None and record is not None:
            settings = structs.replace(record.settings, mail="")
            kept = structs.replace(person, notices=structs.replace(record, settings=settings, asked="", code=b""))
            task = asyncio.create_task(self._keep_stopped(kept))
            self._stopping.add(task)
            task.add_done_callback(self._stopping.discard)

    async def _keep_stopped(self, person: PersonRecord) -> None:
        try:
            await self._people.keep(person)
        except StoreError as error:
            log.warning("mails-not-stopped", person=person.person, error=str(error))

    def _of_link(self, key: str) -> tuple[PersonRecord | None, NoticeRecord | None]:
        name, _, secret = key.partition("-")
        person = self._people.record(name)
        record = person.notices if person is not None else None
        # Encoded, because `compare_digest` takes texts of ASCII only, and a link may hold anything.
        fits = record is not None and hmac.compare_digest(record.key.hex().encode(), secret.encode())
        return (person, record) if fits else (None, None)

    def _tell(self, peer: Peer, ref: int) -> None:
        person = self._people.record(peer.person)
        if person is not None and self._notifier is not None:
            record = person.notices or NoticeRecord(DEFAULT, b"")
            ways = tuple(way.value for way in self._notifier.ways)
            peer.tell(Notifying(ref, record.settings, ways, self._awaited(record), len(person.pushes)))

    def _awaited(self, record: NoticeRecord) -> str:
        """Return the address whose code is awaited, "" for none."""
        return record.asked if self._date() - record.asked_at < CONFIRMS else ""

    async def _confirm(self, peer: Peer, person: PersonRecord, code: str) -> Refusal | None:
        pause, record = self._guessed.left(peer.address), person.notices
        if pause:
            return too_often(pause)
        if record is None or not self._awaited(record) or not hmac.compare_digest(record.code, _hash(plain_code(code))):
            if not peer.trusted:
                self._guessed.erred(peer.address)
            return _BAD_CODE
        settings = structs.replace(record.settings, mail=record.asked)
        await self._keep(person, structs.replace(record, settings=settings, asked="", code=b""))
        return None

    async def _set(self, peer: Peer, person: PersonRecord, settings: NoticeSettings) -> Refusal | None:
        before = person.notices or NoticeRecord(DEFAULT, secrets.token_bytes(16))
        refusal = self._unfit(settings, before.settings, person.mail)
        if refusal is None and not self._changed.take(person.person):
            refusal = _TOO_OFTEN
        if refusal is not None:
            return refusal
        if settings.mail in ("", before.settings.mail, person.mail):
            # An address that waits for its code outlives other changes; giving up a confirmed one ends it.
            given_up = before.settings.mail and not settings.mail
            kept = structs.replace(before, settings=settings, **({"asked": "", "code": b""} if given_up else {}))
            await self._keep(person, kept)
            return None
        return await self._ask(peer, person, before, settings)

    async def _ask(
        self, peer: Peer, person: PersonRecord, before: NoticeRecord, settings: NoticeSettings
    ) -> Refusal | None:
        """Keep the settings with the confirmed address, and send a code to the new one. Raises StoreError."""
        to, confirmed = settings.mail, structs.replace(settings, mail=before.settings.mail)
        refusal = self._no_code_to(peer, to)
        if refusal is not None:
            return refusal
        code = new_code(LONG)
        kept = NoticeRecord(confirmed, before.key, to, _hash(code), self._date())
        await self._keep(person, kept)
        assert self._notifier is not None
        self._notifier.ask_for_code(to, code, kept)
        return None

    def _no_code_to(self, peer: Peer, to: str) -> Refusal | None:
        """Return why no code is sent to an address now, None if one is."""
        if self._people.is_asked(mailbox(to), self._date() - HOUR):
            return _ASKED
        return self.no_mail_to(peer, to, self._to)

    def no_mail_to(self, peer: Peer, to: str, budget: Budget) -> Refusal | None:
        """Return why no code is mailed to an address, which has that budget; None if one is."""
        # The sender's own limit comes first: their attempts must not use up those of an address.
        if not peer.trusted and not self._from.take(peer.address):
            return _TOO_MANY
        if not budget.take(mailbox(to)):
            return _ASKED
        first = peer.trusted or self._first.take(peer.address)
        return None if self._in_all.take("first" if first else "others") else _TOO_MANY

    def _unfit(self, settings: NoticeSettings, before: NoticeSettings, own: str) -> Refusal | None:
        """Return why settings are refused, None if they are allowed. What is set already stays allowed."""
        assert self._notifier is not None
        if settings.mail not in ("", before.mail, own):
            if NoticeWay.MAIL not in self._notifier.ways:
                return NO_MAIL
            if not is_address(settings.mail):
                return BAD_MAIL
        if settings.zone != before.zone and not is_zone(settings.zone):
            return _BAD_ZONE
        try:
            for url, old in ((settings.ntfy, before.ntfy), (settings.discord, before.discord)):
                if url not in ("", old):
                    self._notifier.check(url)
        except Unfit as error:
            return Refusal("bad-notices", "", str(error))
        return None

    def _try(self, person: str) -> Refusal | None:
        if not self._tried.take(person):
            return _TRIED
        assert self._notifier is not None
        self._notifier.send(person, Alert("", "Conquest", "", "", (), trial()), lambda: None)
        return None

    async def _keep(self, person: PersonRecord, notices: NoticeRecord) -> None:
        await self._people.keep(structs.replace(person, notices=notices))


def _hash(code: str) -> bytes:
    return hashlib.sha256(code.encode()).digest()

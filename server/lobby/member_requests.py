"""Requests about members: confirmed addresses, signing in on another device, own data, and erasure."""

import hmac
import json
from collections.abc import Callable
from typing import Final

from msgspec import structs

from server.delivery.peer import Peer
from server.lobby.notice_requests import BAD_MAIL, NO_MAIL, NoticeRequests
from server.lobby.personal_data import PersonalData
from server.lobby.profiles import CONFIRMS, HOUR, NOT_INTRODUCED, Profiles, code_hash, too_often
from server.matches.codes import LONG, new_code
from server.matches.table import Services
from server.rate_limits import Budget, Pauses, Rate
from server.storage.port import CodeRecord, PersonRecord, Taken
from server.webhooks.mail_sender import is_address, mailbox
from shared.codes import plain_code
from shared.language.sentence import Sentence
from shared.messages import Done, EraseMe, Member, Membership, OwnData, OwnDataPiece
from shared.refusal import Refusal
from shared.sentences.notices import change_text, member_text, sign_in_text
from shared.tables import NoticeWay

MAILED: Final = Rate(1 / (20 * 60), 2.0)
"""Rate of members' codes to one mailbox. It is the same for all addresses, so it does not tell which are of members."""
OPENS: Final = HOUR
"""Seconds for which a mailed code opens a profile."""
EXPORTED: Final = Rate(1 / 600, 3.0)
"""Rate at which a person may ask for their data anew."""
PIECE: Final = 32 * 1024
"""Bytes of one answer."""
CACHED: Final = 16
"""Documents that are kept until their last piece is asked for."""

_EXPORTED: Final = Refusal("rate", "", "You asked for your data just now; try again in ten minutes.")
_NO_CODE: Final = Refusal("no-code", "", "That code does nothing here; it may be too old, or used already.")
_NEW_HERE: Final = Refusal("new-here", "", "This device is new to your profile: it can delete you after a day.")
_PAST_END: Final = Refusal("bad-message", "", "There is no such piece of it.")
_OTHER_NAME: Final = Refusal("name", "", "To delete all that is stored of you, give your name as it is here.")


class MemberRequests:
    """Handler of requests about members. One per server. `guessed` delays clients that try wrong codes."""

    def __init__(
        self,
        services: Services,
        people: Profiles,
        notices: NoticeRequests,
        personal_data: PersonalData,
        guessed: Pauses,
    ) -> None:
        self._notifier = services.notifier
        self._people = people
        self._notices = notices
        self._personal_data = personal_data
        self._guessed = guessed
        self._date = services.date
        self._mailed = Budget(MAILED, services.clock.now)
        self._exported = Budget(EXPORTED, services.clock.now)
        self._documents: dict[str, bytes] = {}

    async def hear(self, peer: Peer, message: Member) -> bool:
        """Handle `Member`; return whether the peer has got another profile. Raises StoreError."""
        person, refusal, signed_in = self._people.record(peer.person), None, False
        if person is None:
            refusal = NOT_INTRODUCED
        elif message.code:
            refusal = await self._enter(peer, person, plain_code(message.code))
            signed_in = refusal is None and peer.person != person.person
        elif message.mail:
            refusal = await self._mail(peer, person, message.mail, message.language)
        if refusal is not None:
            peer.refuse(message.ref, refusal)
            return False
        self._tell(peer, message.ref, signed_in)
        return signed_in

    async def export(self, peer: Peer, message: OwnData) -> None:
        """Handle `OwnData`. Raises StoreError."""
        if self._people.record(peer.person) is None:
            return peer.refuse(message.ref, NOT_INTRODUCED)
        if not message.at:
            if not self._exported.take(peer.person):
                return peer.refuse(message.ref, _EXPORTED)
            found = await self._personal_data.export(peer.person)
            self._documents[peer.person] = json.dumps(found, indent=2, ensure_ascii=False).encode()
            # Those asked for longest ago: dictionaries keep the order of insertion.
            for old in tuple(self._documents)[:-CACHED]:
                del self._documents[old]
        document = self._documents.get(peer.person, b"")
        data = document[message.at : message.at + PIECE]
        if not data:
            return peer.refuse(message.ref, _PAST_END)
        # The document holds private data and is dropped with its last piece.
        if message.at + PIECE >= len(document):
            del self._documents[peer.person]
        return peer.tell(OwnDataPiece(message.ref, message.at, len(document), data))

    async def erase(self, peer: Peer, message: EraseMe) -> None:
        """Handle `EraseMe`. Raises StoreError."""
        person = self._people.record(peer.person)
        if person is None:
            return peer.refuse(message.ref, NOT_INTRODUCED)
        if message.name != person.name:
            return peer.refuse(message.ref, _OTHER_NAME)
        if self._people.is_newest(person, peer.proof):
            return peer.refuse(message.ref, _NEW_HERE)
        # As soon as it is certain, since the erasure ends all connections of that profile.
        await self._personal_data.erase(person.person, lambda: peer.tell(Done(message.ref)))
        return None

    def _tell(self, peer: Peer, ref: int, signed_in: bool) -> None:
        person = self._people.record(peer.person)
        if person is not None:
            waiting = tuple([each.mail for each in self._awaited(person) if not each.confirmed])
            told = Membership(ref, person.name, person.is_member, person.mail, waiting, self._sends, signed_in)
            peer.tell(told)

    @property
    def _sends(self) -> bool:
        return self._notifier is not None and NoticeWay.MAIL in self._notifier.ways

    def _awaited(self, person: PersonRecord) -> list[CodeRecord]:
        """Return the codes that confirm an address and are valid."""
        return [each for each in person.codes if not each.opens and each.until > self._date()]

    async def _mail(self, peer: Peer, person: PersonRecord, to: str, language: str) -> Refusal | None:
        """Mail the codes that an address needs; return why not, None if that was done. Raises StoreError."""
        if not self._sends:
            return NO_MAIL
        if not is_address(to):
            return BAD_MAIL
        holder = self._people.holder(to)
        if holder is person and mailbox(to) == mailbox(person.mail):
            return None
        known = person.notices is not None and person.notices.settings.mail == to
        if known and holder is None and not person.mail:
            await self._people.make_member(structs.replace(person, mail=to))  # A code has confirmed it before.
            return None
        refusal = self._notices.no_mail_to(peer, to, self._mailed)
        if refusal is not None:
            return refusal
        assert self._notifier is not None
        place, letters = self._notifier.place, list[tuple[str, Sentence]]()

        def new(mail: str, text: Callable[[str], Sentence] | None, opens: bool = False) -> CodeRecord:
            code = new_code(LONG)
            if text is not None:
                letters.append((mail, text(code)))
            return CodeRecord(code_hash(code), self._date() + (OPENS if opens else CONFIRMS), mail, opens)

        if holder is not None:
            # The asking profile keeps a code that confirms nothing: it must look as if the address were free.
            codes = [new(to, None)]
            name = holder.name
            others = [each for each in holder.codes if not (each.opens and each.mail)]
            # To the address as it was confirmed: with another tag behind "+" it may be a stranger's.
            opening = new(holder.mail, lambda code: sign_in_text(place, name, code), opens=True)
            await self._people.keep(structs.replace(holder, codes=(*others, opening)))
        else:
            codes = [new(to, lambda code: member_text(place, code))]
            if person.mail:
                codes.append(new(person.mail, lambda code: change_text(place, to, code)))
        kept = [each for each in person.codes if each.opens]
        await self._people.keep(structs.replace(person, codes=(*kept, *codes)))
        for mail, text in letters:
            self._notifier.mail_code(mail, text, language)
        return None

    async def _enter(self, peer: Peer, person: PersonRecord, code: str) -> Refusal | None:
        """Use a code; return why it is refused, None if it counts. Raises StoreError."""
        pause = self._guessed.left(peer.address)
        if pause:
            return too_often(pause)
        opened = self._people.opened_by(code)
        if opened is not None and opened is not person:
            await self._people.sign_in(peer, opened, code)
            return None
        found = [each for each in self._awaited(person) if hmac.compare_digest(each.code, code_hash(code))]
        if not found:
            if not peer.trusted:
                self._guessed.erred(peer.address)
            return _NO_CODE
        codes = [structs.replace(each, confirmed=each.confirmed or each is found[0]) for each in person.codes]
        confirms = [each for each in codes if not each.opens]
        if all(each.confirmed for each in confirms):
            new = next(each.mail for each in confirms if each.mail != person.mail)
            # Asked again: another profile may have confirmed the address since the codes were sent.
            if self._people.holder(new) not in (None, person):
                return _NO_CODE
            opens = tuple([each for each in codes if each.opens])
            try:
                await self._people.make_member(structs.replace(person, mail=new, codes=opens))
            except Taken:
                return _NO_CODE
        else:
            await self._people.keep(structs.replace(person, codes=tuple(codes)))
        return None

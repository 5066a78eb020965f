"""Profiles of players, recognised by secrets of which only hashes are stored, and their names."""

import asyncio
import hashlib
import math
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, Final
from weakref import WeakSet

from msgspec import Struct, structs

from protocol.limits import Close
from protocol.text import clean
from server import log
from server.addresses import network_of
from server.delivery.peer import Peer
from server.lobby.rated_matches import shown_to_people
from server.lobby.remote_tables import RemoteTables
from server.lobby.seek_matching import percent
from server.matches.codes import LONG, new_code, new_id
from server.matches.moderation import banned
from server.matches.names import keys, numbered
from server.matches.table import Services
from server.rate_limits import Budget, Pauses, Rate
from server.storage.port import (
    Bars,
    CodeRecord,
    Damaged,
    DeedKind,
    DeedRecord,
    DeviceRecord,
    NoticeRecord,
    PersonRecord,
    PushRecord,
    StoreError,
)
from server.webhooks.address_check import Unfit
from server.webhooks.mail_sender import mailbox
from server.webhooks.push_key import are_keys
from shared.codes import plain_code
from shared.language.sentence import _
from shared.messages import Device, DeviceList, Devices, Done, HandOver, Introduce, Introduced, Passage, Subscribe
from shared.refusal import Refusal
from shared.tables import MAX_NAME

OLD_MARK: Final = "*"
"""Suffix that earlier versions gave to a name like that of another profile; no profile's name ends in it now."""
MOST: Final = 20_000
"""Limit of a server's profiles."""
DEVICES: Final = 8
"""Limit of a profile's secrets, one for each device; a new one beyond that replaces the one unused for longest."""
HOUR: Final = 3600.0
ID_BYTES: Final = 8
"""Bytes of a secret's hash that tell a profile's devices apart."""
NEW_PROFILES: Final = Rate(1 / 600, 10.0)
"""Rate of new profiles from one address."""
NAME_CHANGES: Final = Rate(1 / 600, 5.0)
"""Rate of a profile's name changes. Beyond it the profile keeps its name."""
DEVICE_CODES: Final = Rate(1 / 60, 5.0)
"""Rate of a profile's codes for other devices."""
ENDED: Final = Rate(1 / 60, 10.0)
"""Rate at which a profile may end devices."""
SUBSCRIBED: Final = Rate(1 / 60, 10.0)
"""Rate at which a profile may change its push subscriptions."""
PASSAGE: Final = 600.0
"""Seconds for which such a code is valid."""
REREAD: Final = 2.0
"""Seconds between two searches for profiles whose announcement by another node was lost."""
DAY: Final = 86_400.0
CONFIRMS: Final = DAY
"""Seconds for which a code confirms a mail address. Then the address is forgotten."""
UNUSED: Final = 30 * DAY
"""Seconds without a visit after which a profile without a seat is deleted."""
AWAY: Final = 400 * DAY
"""Seconds without a visit after which any profile is deleted."""
RESERVED: Final = 30 * DAY
"""Seconds for which a member's former name stays reserved."""
FORMER: Final = 3
"""Limit of a member's former names, so that a member cannot reserve name after name."""
INVITED: Final = 30 * DAY
"""Seconds for which an invitation is valid."""
LOOK: Final = 60.0
"""Seconds between two searches for unused profiles when the limit is reached."""
LOOKED_AT: Final = 50
"""Unused profiles that are examined for one newcomer."""

_FULL: Final = Refusal("enough", "", "This server knows too many people; you can play without a profile.")
_TOO_FAST: Final = Refusal("rate", "", "Too many profiles were made from your address; try again in an hour.")
_TOO_MANY: Final = Refusal("rate", "", "You asked for too many codes; try again in a minute.")
_NO_NEW: Final = Refusal("read-only", "", "This server is read-only for now: it makes no new profiles.")
_NO_PUSH: Final = Refusal("no-push", "", "This server sends no alerts to devices.")
_BAD_PUSH: Final = Refusal("bad-push", "", "That is not a push subscription to which alerts may be sent.")
_NO_DEVICE: Final = Refusal("no-device", "", "Your profile has no such device.")
_NEW_HERE: Final = Refusal("new-here", "", "This device is new to your profile: it can end older ones after a day.")
_ENDED: Final = Refusal("rate", "", "You ended too many devices; try again in a minute.")
_SUBSCRIBED: Final = Refusal("rate", "", "The alerts were changed too often; try again in a minute.")
NOT_INTRODUCED: Final = Refusal("no-profile", "", "Introduce yourself first.")
_NO_CODE: Final = Refusal("no-code", "", "That code leads to no profile; it may be too old, or used already.")
_KNOWN: Final = Refusal("known", "", "That secret belongs to a profile already; please make another one.")


class _Passage(Struct, frozen=True):
    """Profile that a code opens. `until`: when the code expires, on the server's clock."""

    person: str
    until: float


class Profiles:
    """Directory of profiles. One per server.

    `guessed` delays clients that try wrong codes; wrong codes of tables count too.
    """

    def __init__(self, services: Services, guessed: Pauses, remote_tables: RemoteTables) -> None:
        self._remote_tables = remote_tables
        self._store = services.store
        self._now = services.clock.now
        self._date = services.date
        self._guessed = guessed
        self._made = Budget(NEW_PROFILES, self._now)
        self._renamed = Budget(NAME_CHANGES, self._now)
        self._passed = Budget(DEVICE_CODES, self._now)
        self._subscribed = Budget(SUBSCRIBED, self._now)
        self._ended = Budget(ENDED, self._now)
        self._devices = services.devices
        self._moderation = services.moderation
        self.peers: WeakSet[Peer] = WeakSet()
        """Clients of this node that were recognised."""
        self._networks: dict[str, str] = {}
        """By profile that came to this node since its start, the network from which it came last."""
        self._waiting: dict[str, PersonRecord] = {}
        """Profiles of people who wait for tables."""
        self.on_changed: Callable[[PersonRecord | None, PersonRecord | None], None] = lambda _before, _after: None
        """Called when a profile has changed, on whichever node."""
        self.on_recognised: Callable[[Peer], None] = lambda _peer: None
        """Called after a client was told that it is recognised."""
        self.on_ended: Callable[[set[bytes]], None] = lambda _secrets: None
        """Called when devices have ended, with the hashes of their secrets."""
        self.on_turned_away: Callable[[DeedRecord], None] = lambda _ban: None
        """Called when a banned person came, with the ban."""
        self.on_erased: Callable[[str], None] = lambda _person: None
        """Called when another node has erased a profile."""
        self._push_sender = services.notifier.push if services.notifier is not None else None
        if self._push_sender is not None:
            self._push_sender.devices = self
        self._people: dict[str, PersonRecord] = {}
        self._secrets: dict[bytes, str] = {}
        self._names = services.names
        self._mails: dict[str, str] = {}
        """By mailbox, the member whose address it is."""
        self._codes: dict[bytes, str] = {}
        """By hash of a code that opens a profile, the profile."""
        self._passages: dict[str, _Passage] = {}
        self._loaded = False
        self._read_at = 0.0
        self._swept = 0.0
        self._unused: list[str] = []
        """Profiles that were unused after their first day, at the last search, the oldest last."""
        self._look_again_at = -math.inf

    async def load(self) -> None:
        """Load all profiles; the first request waits for it. Raises StoreError."""
        if self._loaded:
            return
        people = await self._store.people()
        # Asked again after the wait: another request may have loaded them meanwhile.
        if not self._loaded:
            self._loaded = True
            for person in people:
                self._put(person)
            await self._sweep()
            marked = [each for each in self.all() if _plain(each.name) != each.name]
            # Together, so that the store commits them together: there may be thousands.
            await asyncio.gather(*(self.keep(structs.replace(each, name=_plain(each.name))) for each in marked))

    async def refresh(self) -> None:
        """Load all profiles again: messages of other nodes about them may have been lost. Raises StoreError."""
        kept = {person.person: person for person in await self._store.people()}
        for person in set(self._people) - set(kept):
            self._take_out(person)
        for record in kept.values():
            self.learn(record, gone=False)

    def learn(self, person: PersonRecord, gone: bool, erased: bool = False) -> None:
        """Apply another node's change, deletion or erasure of a profile."""
        if erased:
            self._end_all(person.person)
            self.on_erased(person.person)
        before = self._people.get(person.person)
        if gone:
            self._take_out(person.person)
            return self.on_changed(before, None)
        self._put(person)
        self.on_changed(before, person)
        return self._disconnect(before, person)

    def learn_passage(self, code: str, person: str, seconds: float) -> None:
        """Learn from another node that it gave out a code or (0 seconds) that the code was used."""
        self._passages.pop(code, None)
        if seconds > 0:
            self._passages[code] = _Passage(person, self._now() + seconds)

    async def introduce(self, peer: Peer, message: Introduce) -> bool:
        """Handle `Introduce`; return whether the peer has a profile now. Raises StoreError."""
        await self.load()
        hashed = _hash(message.secret)
        if self._turned_away(peer, message.ref, self._secrets.get(hashed, ""), hashed):
            return False
        done = await (self._move_in(peer, message, hashed) if message.code else self._greet(peer, message, hashed))
        if isinstance(done, Refusal):
            peer.refuse(message.ref, done)
            return False
        # Again, because a code may have led to another profile than the secret did.
        if self._turned_away(peer, message.ref, self._secrets[hashed]):
            return False
        self._recognise(peer, hashed)
        peer.tell(Introduced(message.ref, peer.name, done))
        self.on_recognised(peer)
        return True

    async def recognise(self, peer: Peer, secret: bytes) -> None:
        """Recognise a peer that may send its profile's secret in place of a token. Raises StoreError."""
        await self.load()
        hashed = _hash(secret)
        if hashed in self._secrets and not self._moderation.ban_of(self._secrets[hashed]):
            self._recognise(peer, hashed)

    def _turned_away(self, peer: Peer, ref: int, person: str, secret: bytes = b"") -> bool:
        """Whether a profile or device is banned; then the peer is told why, and its connection closed."""
        ban = self._moderation.ban_of(person, secret)
        if ban is not None:
            self._note_network(peer, ban.person)
            self.on_turned_away(ban)
            peer.refuse(ref, banned(ban))
            peer.link.end(Close.BANNED)
        return ban is not None

    def peers_of(self, person: str) -> list[Peer]:
        """Return the clients of this node that were recognised as that profile."""
        return [peer for peer in self.peers if peer.person == person]

    def network_of(self, person: str) -> str:
        """Return the network from which a profile came to this node last, "" if it is unknown."""
        return self._networks.get(person, "")

    def named(self, name: str) -> list[PersonRecord]:
        """Return the profiles with that id, or with that name or one that looks like it."""
        if name in self._people:
            return [self._people[name]]
        looks = keys(name)
        found = [person for person in self._people.values() if not looks.isdisjoint(keys(person.name))]
        return [person for person in found if person.name == name] or found

    async def hand_over(self, peer: Peer, message: HandOver) -> None:
        """Give a player a code that opens their profile on another device."""
        if peer.person not in self._people:
            return peer.refuse(message.ref, NOT_INTRODUCED)
        if not self._passed.take(peer.person):
            return peer.refuse(message.ref, _TOO_MANY)
        now, code = self._now(), new_code(LONG)
        going = self._passages.items()
        self._passages = {each: it for each, it in going if it.until > now and it.person != peer.person}
        self._passages[code] = _Passage(peer.person, now + PASSAGE)
        self._remote_tables.tell_passage(code, peer.person, PASSAGE)
        return peer.tell(Passage(message.ref, code, int(PASSAGE)))

    async def show_devices(self, peer: Peer, message: Devices) -> None:
        """Handle `Devices`. Raises StoreError."""
        person = self._people.get(peer.person)
        if person is None:
            return peer.refuse(message.ref, NOT_INTRODUCED)
        if message.end:
            ended = next((each for each in person.secrets if each[:ID_BYTES] == message.end), None)
            if ended is None:
                return peer.refuse(message.ref, _NO_DEVICE)
            if self._is_new(person, peer.proof, ended):
                return peer.refuse(message.ref, _NEW_HERE)
            if not self._ended.take(person.person):
                return peer.refuse(message.ref, _ENDED)
            person = await self._end(person, ended)
        return peer.tell(DeviceList(message.ref, self._listed(person, peer.proof)))

    def is_newest(self, person: PersonRecord, here: bytes) -> bool:
        """Whether a device has come less than a day ago, and others of the profile before it."""
        return any(self._is_new(person, here, each.secret) for each in person.devices if each.secret != here)

    def _is_new(self, person: PersonRecord, here: bytes, other: bytes) -> bool:
        """Whether a device has come less than a day ago, and later than another one.

        It may be a stranger's, who saw a code and must not shut the owner out.
        """
        made = {each.secret: each.made for each in person.devices}
        return made.get(here, 0.0) > max(self._date() - DAY, made.get(other, 0.0))

    async def _end(self, person: PersonRecord, ended: bytes) -> PersonRecord:
        """End a device; return the changed profile. Its code for another device becomes void too. Raises StoreError."""
        for code in [code for code, each in self._passages.items() if each.person == person.person]:
            del self._passages[code]
            self._remote_tables.tell_passage(code, "", 0.0)
        await self.keep(_without_device(person, ended))
        log.info("device-ended", person=person.person)
        return self._people[person.person]

    def _listed(self, person: PersonRecord, here: bytes) -> tuple[Device, ...]:
        known = {each.secret: each for each in person.devices}
        return tuple([self._told(secret, known.get(secret), here) for secret in person.secrets])

    def _told(self, secret: bytes, known: DeviceRecord | None, here: bytes) -> Device:
        """Return a device as its player sees it. Older records have its secret alone."""
        if known is None:
            return Device(secret[:ID_BYTES], "", -1, -1, secret == here)
        since, seen = (max(0, int(self._date() - date)) for date in (known.made, known.seen))
        return Device(secret[:ID_BYTES], known.name, since, seen, secret == here)

    def _disconnect(self, before: PersonRecord | None, after: PersonRecord) -> None:
        """Close the connections of devices that a change has ended."""
        gone = set(before.secrets if before is not None else ()) - set(after.secrets)
        ended = {each for each in gone if self._secrets.get(each, after.person) == after.person}
        if not ended:
            return
        for peer in [peer for peer in self.peers if peer.proof in ended]:
            peer.link.end(Close.ENDED)
        self.on_ended(ended)

    async def subscribe(self, peer: Peer, message: Subscribe) -> None:
        """Alert a device of a player's profile from now on, or no longer. Raises StoreError."""
        person = self._people.get(peer.person)
        refusal = self._no_push_for(message) or (NOT_INTRODUCED if person is None else None)
        if refusal is not None or person is None:
            return peer.refuse(message.ref, refusal or NOT_INTRODUCED)
        device = PushRecord(message.endpoint, message.p256dh, message.auth, message.language, peer.proof)
        others = tuple([each for each in person.pushes if each.endpoint != message.endpoint])
        pushes = (*others, device)[-DEVICES:] if message.p256dh else others
        if set(pushes) != set(person.pushes):  # Devices subscribe again whenever they come.
            if not self._subscribed.take(person.person):
                return peer.refuse(message.ref, _SUBSCRIBED)
            await self.keep(structs.replace(person, pushes=pushes))
        return peer.tell(Done(message.ref))

    def all(self) -> Sequence[PersonRecord]:
        """Return all profiles."""
        return tuple(self._people.values())

    def seeking(self) -> Sequence[PersonRecord]:
        """Return the profiles of all who wait for tables."""
        return tuple(self._waiting.values())

    def record(self, person: str) -> PersonRecord | None:
        """Return a profile, None if there is none of that id."""
        return self._people.get(person)

    def notices(self, person: str) -> NoticeRecord | None:
        """Return where and when a profile is notified; see `NoticeDirectory`."""
        known = self._people.get(person)
        return known.notices if known is not None else None

    def is_asked(self, mail: str, since: float) -> bool:
        """Whether a code was sent to that mailbox after that date, by any server of a cluster."""
        asked = (each.notices for each in self._people.values() if each.notices is not None)
        return any(mailbox(each.asked) == mail and each.asked_at > since for each in asked)

    def holder(self, mail: str) -> PersonRecord | None:
        """Return the member with that address, None if there is none."""
        return self._people.get(self._mails.get(mailbox(mail), ""))

    def opened_by(self, code: str) -> PersonRecord | None:
        """Return the profile that a code opens to another device, None if there is none."""
        passage = self._passages.get(code)
        if passage is not None:
            return self._people.get(passage.person) if passage.until > self._now() else None
        person = self._people.get(self._codes.get(code_hash(code), ""))
        found = [] if person is None else [each for each in person.codes if each.code == code_hash(code)]
        return person if found and found[0].until > self._date() else None

    async def make_member(self, person: PersonRecord) -> PersonRecord:
        """Store a person as a member, by a name that no other member has. Raises StoreError.

        Raises Taken if another node has stored a member with that address.
        """
        taken = partial(self._names.has_other, person=person.person, date=self._date())
        named, box = structs.replace(person, name=numbered(person.name, taken, 0)), mailbox(person.mail)
        await self.keep(named, (lambda other: mailbox(other.mail) == box) if person.mail else None)
        return self._people[person.person]

    async def sign_in(self, peer: Peer, person: PersonRecord, code: str) -> None:
        """Move a device, with what it is known by, from its profile to that one, by a code. Raises StoreError.

        A guest's profile without another device goes; the tokens of its seats stay valid.
        """
        self._void(code)
        before, secret = self._people[peer.person], peer.proof
        name = next((each.name for each in before.devices if each.secret == secret), "")
        gone = not before.is_member and before.secrets == (secret,)
        earlier = (*person.earlier, before.person, *before.earlier) if gone else person.earlier
        secrets = (*_without_unused(person), secret)
        devices = tuple([each for each in self._seen(person, secret, name) if each.secret in secrets])
        codes = tuple([each for each in person.codes if each.code != code_hash(code)])
        await self.keep(
            structs.replace(person, secrets=secrets, devices=devices, codes=codes, seen=self._date(), earlier=earlier)
        )
        if gone:
            await self._forget(before)
        else:
            await self.keep(_without_device(before, secret))
        for each in [each for each in self.peers if each.proof == secret]:
            self._recognise(each, secret)

    async def invite(self, name: str) -> tuple[str, PersonRecord]:
        """Return a code by which a device becomes a member of that name, and the member, who is made if there is none.

        It also lets a member in who has lost all devices. A name that is reserved alone gets a number. Raises
        StoreError.
        """
        await self.load()
        date, code = self._date(), new_code(LONG)
        known = [each for each in self.all() if each.is_member and not keys(name).isdisjoint(keys(each.name))]
        person = known[0] if known else PersonRecord(new_id(), name, (), date, date)
        codes = (*[each for each in person.codes if each.mail], CodeRecord(code_hash(code), date + INVITED, opens=True))
        return code, await self.make_member(structs.replace(person, invited=True, codes=codes))

    def _void(self, code: str) -> None:
        """Make a code for another device void on all nodes, if it is one."""
        if self._passages.pop(code, None) is not None:
            self._remote_tables.tell_passage(code, "", 0.0)

    def _is_barred(self, name: str, person: PersonRecord) -> bool:
        """Whether a member cannot have that name, because it is another one's."""
        return person.is_member and self._names.has_other(keys(name), person.person, self._date())

    def _renamed_to(self, person: PersonRecord, name: str) -> PersonRecord:
        """Return a profile with a new name; a member's old one stays reserved for a while."""
        date = self._date()
        former = [each for each in person.former if each[1] > date and each[0] != name]
        if person.is_member and name != person.name:
            former.append((person.name, date + RESERVED))
        return structs.replace(person, name=name, former=tuple(former[-FORMER:]))

    def pushes(self, person: str) -> Sequence[PushRecord]:
        """Return the devices of a profile that are alerted; see `Subscriptions`."""
        known = self._people.get(person)
        return known.pushes if known is not None else ()

    async def drop_push(self, person: str, endpoint: str) -> None:
        """Delete a device whose subscription has ended. Raises StoreError."""
        known = self._people.get(person)
        if known is not None:
            pushes = tuple([each for each in known.pushes if each.endpoint != endpoint])
            await self.keep(structs.replace(known, pushes=pushes))

    def _no_push_for(self, message: Subscribe) -> Refusal | None:
        """Return why a device cannot be alerted, None if it can, or is no longer to be."""
        if self._push_sender is None:
            return _NO_PUSH
        if not message.p256dh:
            return None
        try:
            self._push_sender.check(message.endpoint)
        except Unfit:
            return _BAD_PUSH
        return None if are_keys(message.p256dh, message.auth) else _BAD_PUSH

    async def _greet(self, peer: Peer, message: Introduce, hashed: bytes) -> bool | Refusal:
        """Recognise a profile by its secret or create one; return whether it was created. Raises StoreError."""
        if hashed not in self._secrets and self._remote_tables.has_others and self._now() - self._read_at > REREAD:
            # Before the wait, so that a crowd of newcomers causes one reading.
            self._read_at = self._now()
            await self.refresh()
        person = self._people.get(self._secrets.get(hashed, ""))
        if person is not None:
            name, date = _plain(peer.said), self._date()
            if name != person.name and (self._is_barred(name, person) or not self._renamed.take(person.person)):
                name = person.name
            # Rounded to a day: the profile then need not be written at every visit.
            seen = date if date - person.seen > DAY else person.seen
            devices = self._seen(person, hashed, message.device)
            await self.keep(structs.replace(self._renamed_to(person, name), seen=seen, devices=devices))
            return False
        refusal = await self._no_more_for(peer)
        if refusal is not None:
            return refusal
        await self._sweep()
        date = self._date()
        device = DeviceRecord(hashed, _device_name(message.device), date, date)
        await self.keep(PersonRecord(new_id(), _plain(peer.said), (hashed,), date, date, devices=(device,)))
        return True

    def _seen(self, person: PersonRecord, secret: bytes, name: str) -> tuple[DeviceRecord, ...]:
        """Return the devices of a profile after a visit by that secret."""
        date = self._date()
        known = next((each for each in person.devices if each.secret == secret), None)
        if known is None:
            return (*person.devices, DeviceRecord(secret, _device_name(name), date, date))
        seen = date if date - known.seen > HOUR else known.seen
        now = structs.replace(known, name=_device_name(name) or known.name, seen=seen)
        return tuple([now if each is known else each for each in person.devices])

    async def _move_in(self, peer: Peer, message: Introduce, hashed: bytes) -> bool | Refusal:
        """Add a device's secret to the profile that its code opens. Raises StoreError."""
        pause = self._guessed.left(peer.address)
        if pause:
            return too_often(pause)
        code = plain_code(message.code)
        person = self.opened_by(code)
        if person is None:
            if not peer.trusted:
                self._guessed.erred(peer.address)
            return _NO_CODE
        if hashed in self._secrets:
            return _KNOWN
        self._void(code)
        secrets = (*_without_unused(person), hashed)
        codes = tuple([each for each in person.codes if each.code != code_hash(code)])
        devices = tuple([each for each in self._seen(person, hashed, message.device) if each.secret in secrets])
        await self.keep(structs.replace(person, secrets=secrets, seen=self._date(), devices=devices, codes=codes))
        return False

    async def _no_more_for(self, peer: Peer) -> Refusal | None:
        """Return why no profile may be created for a peer now, None if it may. Raises StoreError."""
        barred = self._moderation.no_guest_from(peer.address, peer.trusted)
        if barred is not None or self._moderation.text_of(DeedKind.READ_ONLY):
            return barred or _NO_NEW
        if not (peer.trusted or self._made.take(peer.address)):
            return _TOO_FAST
        await self._make_room()
        return _FULL if len(self._people) >= MOST else None

    async def _make_room(self) -> None:
        """Delete an unused profile if the limit is reached. Raises StoreError.

        A client that fills the server with profiles blocks it for a day at most. Profiles with a seat stay.
        """
        for _time in range(LOOKED_AT):
            if len(self._people) < MOST:
                return
            if not self._unused:
                self._find_unused()
            # Looked up anew: it may have been used or deleted since the search.
            person = self._people.get(self._unused.pop() if self._unused else "")
            if person is not None and _is_unused(person) and not await self._has_seat(person.person):
                await self._forget(person)

    async def _has_seat(self, person: str) -> bool:
        """Whether a profile has a seat in a match that is kept. Raises StoreError."""
        for match in await self._store.matches_of(person):
            try:
                glance = await self._store.look(match)
            except Damaged:
                return True
            if glance is not None and any(chair.person == person for chair in glance.table.chairs):
                return True
        return False

    def _find_unused(self) -> None:
        """Search all profiles for unused ones, at most once in `LOOK` seconds, since it takes time."""
        now, yesterday = self._now(), self._date() - DAY
        if now >= self._look_again_at:
            self._look_again_at = now + LOOK
            found = [person for person in self._people.values() if _is_unused(person) and person.made < yesterday]
            found.sort(key=lambda person: person.made, reverse=True)
            self._unused = [person.person for person in found]

    def _recognise(self, peer: Peer, hashed: bytes) -> None:
        person = self._people[self._secrets[hashed]]
        peer.person, peer.name, peer.proof = person.person, person.name, hashed
        self.peers.add(peer)
        self._note_network(peer, person.person)

    def _note_network(self, peer: Peer, person: str) -> None:
        if peer.address and not peer.trusted:
            self._networks[person] = network_of(peer.address)

    async def keep(self, person: PersonRecord, bars: Bars | None = None) -> None:
        """Store a changed or new profile; see `Store.keep_person`. Raises StoreError: then nothing has changed.

        It is in memory before it is durable, so that two simultaneous requests with one secret make one profile.
        """
        before = self._people.get(person.person)
        if person == before:
            return
        self._put(person)
        try:
            await self._store.keep_person(person, bars)
        except StoreError:
            self._take_out(person.person)
            if before is not None:
                self._put(before)
            raise
        self._remote_tables.tell_person(person)
        self.on_changed(before, person)
        self._disconnect(before, person)

    def _put(self, person: PersonRecord) -> None:
        self._take_out(person.person)
        self._people[person.person] = person
        self._devices.put(
            person.person,
            person.secrets,
            percent(person.reliability),
            {each.ruleset: shown_to_people(each) for each in person.ratings},
        )
        self._moderation.note_blocks(person)
        self._secrets |= dict.fromkeys(person.secrets, person.person)
        self._codes |= {each.code: person.person for each in person.codes if each.opens}
        if person.mail:
            self._mails[mailbox(person.mail)] = person.person
        if person.is_member:
            self._names.put(person.person, dict(person.former) | {person.name: math.inf})
        if person.seeking is not None:
            self._waiting[person.person] = person

    def _take_out(self, person: str) -> None:
        known = self._people.pop(person, None)
        self._waiting.pop(person, None)
        self._devices.remove(person)
        if known is not None:
            self._moderation.note_blocks(structs.replace(known, blocks=()))
            self._names.remove(person)
            indices: tuple[tuple[dict[Any, str], Iterable[object]], ...] = (
                (self._secrets, known.secrets),
                (self._codes, [each.code for each in known.codes]),
                (self._mails, [mailbox(known.mail)]),
            )
            for index, of_person in indices:
                for key in of_person:
                    if index.get(key) == person:  # A device may belong to another profile by now.
                        del index[key]

    async def _sweep(self) -> None:
        """Delete profiles that were not used for long, at most once a day. Raises StoreError."""
        today = self._date()
        if today - self._swept < DAY:
            return
        # Before the work, which waits for the store: two visits must not sweep at once.
        self._swept = today
        for person in [each for each in self._people.values() if each.seen < today - UNUSED]:
            if person.seen < today - AWAY or not (person.is_member or await self._has_seat(person.person)):
                await self._forget(person)

    async def forget_unconfirmed(self) -> None:
        """Delete codes that are too old, and addresses that were not confirmed in time."""
        for each in self.all():
            # Looked up anew: it may have changed while others were stored.
            person, date = self._people.get(each.person), self._date()
            if person is None:
                continue
            codes, notices = tuple([code for code in person.codes if code.until > date]), person.notices
            if notices is not None and notices.asked and notices.asked_at <= date - CONFIRMS:
                notices = structs.replace(notices, asked="", code=b"")
            try:
                await self.keep(structs.replace(person, codes=codes, notices=notices))
            except StoreError as error:
                return log.warning("addresses-not-forgotten", error=str(error))
        return None

    async def erase(self, person: str) -> None:
        """Delete a profile for good, on all nodes; its devices are disconnected. Raises StoreError."""
        await self._store.forget_person(person)
        self._end_all(person)
        self._take_out(person)
        self._remote_tables.tell_person(PersonRecord(person, "", (), 0.0), gone=True, erased=True)

    def _end_all(self, person: str) -> None:
        """Close the connections of all devices of a profile, and make its codes void."""
        self._passages = {code: each for code, each in self._passages.items() if each.person != person}
        known = self._people.get(person)
        if known is not None:
            self._disconnect(known, structs.replace(known, secrets=()))

    async def _forget(self, person: PersonRecord) -> None:
        """Delete a profile. Raises StoreError."""
        await self._store.forget_person(person.person)
        self._take_out(person.person)
        self._networks.pop(person.person, None)
        self.on_changed(person, None)
        self._remote_tables.tell_person(person, gone=True)
        log.info("forgotten", person=person.person)


def too_often(pause: float) -> Refusal:
    """Return the refusal after too many wrong codes; `pause`: seconds to wait."""
    # Rounded up, so that the client is not told to come a moment too early.
    seconds = -int(-pause // 1)
    text = (
        _("Too many wrong codes from your address; try again in a second.")
        if seconds <= 1
        else _("Too many wrong codes from your address; try again in {seconds} seconds.", seconds=seconds)
    )
    return Refusal("rate", "", text)


def _plain(name: str) -> str:
    """Return a name without the marks of earlier versions."""
    return name.rstrip(OLD_MARK) or name


def _is_unused(person: PersonRecord) -> bool:
    return person.made == person.seen and not person.is_member


def _without_device(person: PersonRecord, secret: bytes) -> PersonRecord:
    return structs.replace(
        person,
        secrets=tuple([each for each in person.secrets if each != secret]),
        pushes=tuple([each for each in person.pushes if each.device != secret]),
        devices=tuple([each for each in person.devices if each.secret != secret]),
    )


def code_hash(code: str) -> bytes:
    """Return the hash by which a code is stored."""
    return hashlib.sha256(code.encode()).digest()


def _without_unused(person: PersonRecord) -> tuple[bytes, ...]:
    """Return the secrets that stay when a device is added; if need be, the one unused for longest goes."""
    if len(person.secrets) < DEVICES:
        return person.secrets
    seen = {each.secret: each.seen for each in person.devices}
    unused = min(person.secrets, key=lambda secret: seen.get(secret, 0.0))
    return tuple([each for each in person.secrets if each != unused])


def _device_name(name: str) -> str:
    try:
        return clean(name, MAX_NAME)
    except ValueError:
        return ""


def _hash(secret: bytes) -> bytes:
    return hashlib.sha256(secret).digest()

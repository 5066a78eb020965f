"""Bans and mutes, as the operator's list of deeds says. All nodes of a cluster know the same list."""

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from server.addresses import network_of
from server.storage.port import DeedKind, DeedRecord, PersonRecord
from shared.language.sentence import _
from shared.messages import Notice
from shared.refusal import Refusal

NETWORK: Final = 86_400.0
"""Seconds for which new guests of a banned person's network are refused, unless the ban ends before."""
_SUBJECT: Final = {DeedKind.UNBAN: DeedKind.BAN, DeedKind.UNMUTE: DeedKind.MUTE}
"""What an entry ends."""


class Moderation:
    """State that follows from the list: for each subject its last entry counts. `date`: seconds since 1970."""

    def __init__(self, date: Callable[[], float] = time.time) -> None:
        self._date = date
        self._deeds: dict[str, DeedRecord] = {}
        self._last: dict[tuple[DeedKind, str], DeedRecord] = {}
        self._devices: dict[bytes, str] = {}
        """Persons who were ever banned, by the hashes of their devices' secrets: these outlive the profile."""
        self._hidden: dict[str, frozenset[str]] = {}
        """By person, the people whose words they hide."""

    def learn(self, deeds: Iterable[DeedRecord]) -> list[DeedRecord]:
        """Take new entries of the list, in any order; return those that were unknown."""
        fresh = [deed for deed in deeds if self._deeds.get(deed.deed) != deed]
        for deed in fresh:
            self._deeds[deed.deed] = deed
            subject = _SUBJECT.get(deed.kind, deed.kind), deed.report or deed.network or deed.person
            last = self._last.get(subject)
            # The id breaks ties of one second, so that all nodes agree whatever order the entries come in.
            if last is None or (deed.at, deed.deed) >= (last.at, last.deed):
                self._last[subject] = deed
            if deed.kind is DeedKind.BAN:
                self._devices |= dict.fromkeys(deed.secrets, deed.person)
        return fresh

    @property
    def deeds(self) -> Sequence[DeedRecord]:
        """The whole list, the oldest first."""
        return sorted(self._deeds.values(), key=lambda deed: (deed.at, deed.deed))

    def ban_of(self, person: str, secret: bytes = b"") -> DeedRecord | None:
        """Return the ban of a profile, or of the device with a secret of that hash; None if there is none now."""
        # The device may belong to a deleted profile that was banned; the present one may be banned as well.
        return self._now(DeedKind.BAN, self._devices.get(secret, person)) or self._now(DeedKind.BAN, person)

    def mute_of(self, person: str) -> DeedRecord | None:
        """Return the operator's mute of a profile, None if there is none now."""
        return self._now(DeedKind.MUTE, person)

    def no_guest_from(self, address: str, trusted: bool) -> Refusal | None:
        """Return why a new guest may not come from an address, None if they may."""
        deed = None if trusted or not address else self._now(DeedKind.NETWORK, network_of(address))
        # If the ban itself was lifted, the note of its network has no reason any more.
        if deed is None or self.ban_of(deed.person) is None:
            return None
        date = shown(deed.until)
        text = _("New guests of your network cannot come here until {date}: another guest was banned.", date=date)
        return Refusal("banned", "", text)

    def note_blocks(self, person: PersonRecord) -> None:
        """Note the people whose words a person hides; a record without blocks ends that."""
        self._hidden.pop(person.person, None)
        hidden = frozenset(block.person for block in person.blocks if block.hide)
        if hidden:
            self._hidden[person.person] = hidden

    def hidden_by(self, person: str) -> frozenset[str]:
        """Return the people whose words a person hides."""
        return self._hidden.get(person, frozenset())

    def is_hidden(self, person: str) -> bool:
        """Whether anybody hides the words of a person."""
        return any(person in hidden for hidden in self._hidden.values())

    def reports(self, by: str = "") -> list[DeedRecord]:
        """Return all reports, or those of one reporter."""
        found = (deed for deed in self._deeds.values() if deed.kind is DeedKind.REPORT)
        return [deed for deed in found if by in ("", deed.by)]

    def is_open(self, report: DeedRecord) -> bool:
        """Whether the operator has not handled a report."""
        return (DeedKind.HANDLED, report.deed) not in self._last

    def answers(self, person: str) -> list[DeedRecord]:
        """Return the reports of a person that were handled, and of which they were not told."""
        found = (deed for deed in self._deeds.values() if deed.kind is DeedKind.HANDLED)
        return [deed for deed in found if deed.person == person and not deed.until]

    def reported(self, handled: DeedRecord, what: str = "person") -> str:
        """Return the profile (or the `name`) that a closed report was about; "" for another deed."""
        report = self._deeds.get(handled.report)
        return "" if report is None else str(getattr(report, what))

    def text_of(self, kind: DeedKind) -> str:
        """Return the text of a banner or of the read-only state, "" if there is none now."""
        deed = self._last.get((kind, ""))
        return deed.text if deed is not None else ""

    def words(self) -> list[Notice]:
        """Return what everybody who comes is told."""
        said = {kind: self.text_of(kind) for kind in (DeedKind.READ_ONLY, DeedKind.BANNER)}
        return [Notice(kind, text) for kind, text in said.items() if text]

    def is_noted(self, network: str) -> bool:
        """Whether that network is noted now as one of a banned person."""
        return self._now(DeedKind.NETWORK, network) is not None

    def _now(self, kind: DeedKind, subject: str) -> DeedRecord | None:
        deed = self._last.get((kind, subject)) if subject else None
        held = deed is not None and deed.kind is kind and (not deed.until or deed.until > self._date())
        return deed if held else None


def banned(ban: DeedRecord) -> Refusal:
    """Return what a banned person is told."""
    if not ban.until:
        return Refusal("banned", "", _("You are banned from this server for good: {why}.", why=ban.text))
    text = _("You are banned from this server until {date}: {why}.", date=shown(ban.until), why=ban.text)
    return Refusal("banned", "", text)


def muted(mute: DeedRecord) -> Refusal:
    """Return what a person is told after the operator has muted them."""
    if not mute.until:
        return Refusal("muted", "", _("You may not speak on this server any more: {why}.", why=mute.text))
    text = _("You may not speak on this server until {date}: {why}.", date=shown(mute.until), why=mute.text)
    return Refusal("muted", "", text)


def shown(date: float) -> str:
    """Return a date as people are told it."""
    return time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(date))

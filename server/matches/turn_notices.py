"""Turn notices: tell absent players that they must decide, by the table's webhook and where each of them wants it."""

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

from msgspec import Struct, structs

from server import log
from server.clock import Timer
from server.delivery.peer import Peer
from server.matches.match_clock import DecisionTime
from server.matches.running_match import Post
from server.matches.table import NOT_HOST, Table
from server.storage.port import AWAKE, HookRecord, NoticeMark
from server.webhooks.address_check import Unfit
from server.webhooks.alerts import Alert
from server.webhooks.payloads import Note
from server.webhooks.quiet_hours import quiet_end, quiet_hours_begin
from shared.ids import Seat
from shared.language.sentence import Sentence
from shared.messages import Hook, Hooked, NoticeSettings
from shared.refusal import Refusal
from shared.sentences.registry import SENTENCES
from shared.sentences.yours import prompt_to_reader
from shared.tables import BOT_NAMES, HOOK_TITLES, LOOKING_ON, NoticeWhen, SeatKind, TablePhase

EVERY: Final = 120.0
"""Minimum seconds between two notices to one player, however often their turn comes. It is less than the time for which
a deserted match stays awake."""
RETURNING: Final = 60.0
"""Seconds after a crash of the server within which players are expected to return by themselves."""
SHORT: Final = 600.0
"""Seconds that must be left after a reminder."""

_CLOSED: Final = Refusal("no-hook", "", "This server sends no messages outside of the game.")
_TOO_OFTEN: Final = Refusal("rate", "", "That was changed too often; try again in a minute.")


class _Due(Struct, frozen=True):
    """Notice that is due in so many `seconds`. `field`: of `NoticeMark`, which it sets."""

    mark: NoticeMark
    field: str
    seconds: float


class TurnNotices:
    """Sender of a table's turn notices. All methods are called by the table's task, one after the other.

    What was sent is noted in the record only once no further try follows. So a notice that was on its way when the
    server crashed is sent by the next one. `time_of`: the time that a seat has for its decision.
    """

    def __init__(self, table: Table, post: Post, time_of: Callable[[Seat], DecisionTime | None]) -> None:
        self._table = table
        self._post = post
        self._time_of = time_of
        self._notified: dict[Seat, float] = {}
        """When each seat was notified last, on the server's clock."""
        self._on_way: set[tuple[Seat, int, str]] = set()
        """Notices that are being sent: seat, `NoticeMark.entry`, field."""
        self._timer: Timer | None = None
        self._not_before = 0.0
        """Time on the server's clock until which nothing is sent."""

    async def hang(self, peer: Peer, message: Hook) -> None:
        """Set or remove the webhook for the host. Raises StoreError."""
        refusal = self._may_not(peer) or self._unfit(message)
        if refusal is not None:
            return peer.refuse(message.ref, refusal)
        table, before = self._table, self._table.record.hook
        hook = HookRecord(message.form, message.url) if message.url else None
        async with table.changing():
            table.record.hook = hook
        peer.tell(Hooked(message.ref, _form(hook)))
        self._begin_anew(before)
        if _form(hook) != _form(before):
            await self._announce(peer, hook)
        return None

    def show(self, peer: Peer) -> None:
        """Tell the host, and only the host, which webhook is set."""
        hook = self._table.record.hook
        if hook is not None and self._table.is_host(peer):
            peer.tell(Hooked(0, hook.form))

    def wake(self) -> None:
        """Wait with notices after a crash: players whose connections broke are about to return."""
        record, match = self._table.record, self._table.match
        stands = record.standing is not None and match is not None and record.standing.version == match.version
        if not stands and record.phase == TablePhase.PLAYING:
            self._not_before = self._table.services.clock.now() + RETURNING

    def ring(self, seats: Sequence[Seat]) -> None:
        """Begin notices to `seats`, whose decisions are awaited from now on, and send what is due.

        A player who was notified less than `EVERY` seconds ago is notified later.
        """
        match = self._table.match
        before = {mark.seat: mark for mark in self._table.record.notices}
        marks = []
        for seat in match.owed if match is not None and not match.finished else ():
            time, mark = self._time_of(seat), before.get(seat)
            if time is None:
                continue
            if mark is None or (mark.entry != time.entry and seat in seats):
                mark = NoticeMark(seat, time.entry)
            elif mark.entry != time.entry:
                # A further decision of the same turn: the player knows, but has a new deadline.
                mark = structs.replace(mark, entry=time.entry, reminded=False)
            marks.append(mark)
        self._table.record.notices = tuple(marks)
        self._send_due()

    def stop(self) -> None:
        """Cancel all pending notices."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None

    @property
    def due(self) -> int:
        """The server's age in milliseconds at which a sleeping match must wake for a notice; 0 for never."""
        seconds = min((due.seconds for due in self._planned_notices()), default=math.inf)
        return 0 if math.isinf(seconds) else max(1, self._table.services.age.now + round(seconds * 1000))

    def _send_due(self) -> None:
        """Send what is due, and look again when the next notice is."""
        self.stop()
        self._note_the_present()
        planned = list(self._planned_notices())
        ready = [due for due in planned if due.seconds <= 0]
        by_hook = [due for due in ready if due.field == "hook"]
        if by_hook:
            self._send_by_hook(by_hook)
        for due in ready:
            if due.field != "hook":
                self._send_to_player(due)
        later = min((due.seconds for due in self._planned_notices() if due.seconds > 0), default=math.inf)
        if not math.isinf(later):
            clock = self._table.services.clock
            self._timer = clock.call_later(later, lambda: self._post(self._look_again))
            if not self._table.record.due:
                self._post(self._stay_awake)

    async def _look_again(self) -> None:
        """Send what is due now, if the players still owe their decisions."""
        self._timer = None
        match = self._table.match
        if match is not None and not match.finished:
            self._send_due()

    async def _stay_awake(self) -> None:
        """Note in the record that notices wait, so that they are sent after a crash too. Raises StoreError."""
        if not self._table.record.due:
            self._table.record.due = AWAKE
            await self._table.save()

    def _note_the_present(self) -> None:
        """Mark as told those players who are here, unless they want notices all the same."""
        self._table.record.notices = tuple([
            structs.replace(mark, hook=True, told=mark.told or self._settings(mark.seat)[1] != NoticeWhen.ALWAYS)
            if self._kind(mark.seat) == SeatKind.PERSON
            else mark
            for mark in self._table.record.notices
        ])  # fmt: skip

    def _planned_notices(self) -> Iterator[_Due]:
        """Yield the notices that are not sent yet."""
        services, record = self._table.services, self._table.record
        now, date = services.clock.now(), services.date()
        for mark in record.notices:
            away = self._kind(mark.seat) == SeatKind.AWAY
            settings, when = self._settings(mark.seat)
            pause = max(self._notified.get(mark.seat, -EVERY) + EVERY - now, self._not_before - now, 0.0)
            if away and not mark.hook and record.hook is not None and not self._is_on_way(mark, "hook"):
                yield _Due(mark, "hook", pause)
            is_due = when == NoticeWhen.ALWAYS or (when == NoticeWhen.AWAY and away)
            if not (
                is_due and self._kind(mark.seat) in (SeatKind.AWAY, SeatKind.PERSON) and self._is_reachable(mark.seat)
            ):
                continue
            if not mark.told:
                if not self._is_on_way(mark, "told"):
                    yield _Due(mark, "told", max(pause, quiet_end(settings, date) - date))
            elif not mark.reminded and not self._is_on_way(mark, "reminded"):
                at = self._reminder_date(mark, settings, date)
                if at is not None:
                    yield _Due(mark, "reminded", max(pause, at - date))

    def _reminder_date(self, mark: NoticeMark, settings: NoticeSettings, date: float) -> float | None:
        """Return the date of the reminder, None for none.

        Without enough time before, the notice itself was reminder enough. A reminder that falls into quiet hours comes
        after them, or before them if the time is up then.
        """
        time, before = self._time_of(mark.seat), settings.remind * 60.0
        if time is None or time.left is None or not before or time.used + time.left < 2 * before or time.left <= 0:
            return None
        at = date + time.left - before
        end = quiet_end(settings, at)
        if end == at:
            return at
        return end if end < date + time.left - SHORT else quiet_hours_begin(settings, at)

    def _settings(self, seat: Seat) -> tuple[NoticeSettings, NoticeWhen]:
        """Return where and when a seat's player wants notices of this match."""
        notifier, record = self._table.services.notifier, self._table.record
        settings = notifier.settings(record.chairs[seat].person) if notifier is not None else NoticeSettings()
        return settings, settings.when_for(record.match)

    def _is_reachable(self, seat: Seat) -> bool:
        notifier = self._table.services.notifier
        return notifier is not None and notifier.reaches(self._table.record.chairs[seat].person)

    def _kind(self, seat: Seat) -> SeatKind:
        return self._table.seating.chairs[seat].kind

    def _is_on_way(self, mark: NoticeMark, field: str) -> bool:
        return (mark.seat, mark.entry, field) in self._on_way

    def _send_by_hook(self, dues: Sequence[_Due]) -> None:
        chairs = self._table.seating.chairs
        for due in dues:
            self._begin(due)
        names = tuple([chairs[due.mark.seat].record.name for due in dues])
        self._send(names, partial(self._post, partial(self._settled, tuple(dues))))

    def _send_to_player(self, due: _Due) -> None:
        notifier, record, seat = self._table.services.notifier, self._table.record, due.mark.seat
        if notifier is None:
            return
        self._begin(due)
        time = self._time_of(seat)
        until = self._table.services.date() + time.left if time is not None and time.left is not None else 0.0
        alert = Alert(
            record.match,
            record.title,
            self._table.rules.title,
            record.code,
            tuple([chair.name or BOT_NAMES[seat] for seat, chair in enumerate(record.chairs)]),
            self._decision(seat),
            until,
            due.field == "reminded",
        )
        done = partial(self._post, partial(self._settled, (due,)))
        notifier.send(record.chairs[seat].person, alert, done)

    def _begin(self, due: _Due) -> None:
        self._on_way.add((due.mark.seat, due.mark.entry, due.field))
        self._notified[due.mark.seat] = self._table.services.clock.now()

    async def _settled(self, dues: Sequence[_Due]) -> None:
        """Note that notices were sent, whether they arrived or not. Raises StoreError."""
        for due in dues:
            self._on_way.discard((due.mark.seat, due.mark.entry, due.field))
        done = {(due.mark.seat, due.mark.entry): due.field for due in dues}
        record = self._table.record
        record.notices = tuple([
            structs.replace(mark, **{done[mark.seat, mark.entry]: True}) if (mark.seat, mark.entry) in done else mark
            for mark in record.notices
        ])  # fmt: skip
        await self._table.save()
        self._send_due()

    def _decision(self, seat: Seat) -> Sentence | None:
        """Return the decision that a seat owes, as its player may know it; None if it cannot be said."""
        match, game = self._table.match, SENTENCES.get(self._table.rules.id)
        if match is None or game is None:
            return None
        try:
            prompt = prompt_to_reader(game.prompt(match.position(seat)), seat)
        except Exception:
            # A sentence that fails must not stop a match: the player reads it at the table.
            log.failure("no-words", version=match.version)
            return None
        return prompt.what if prompt.seat == seat else None

    def _begin_anew(self, before: HookRecord | None) -> None:
        """Drop notices that wait for the old address, and send a first note to the new one."""
        record, webhook_sender = self._table.record, self._table.services.webhook_sender
        if webhook_sender is not None and record.hook != before:
            webhook_sender.drop(record.match)
        if record.phase != TablePhase.OVER:
            self._send(())

    async def _announce(self, peer: Peer, hook: HookRecord | None) -> None:
        """Announce at the table that notices are sent outside the game, or that they end."""
        if hook is None:
            return await self._table.proclaim(f"{peer.called} has ended the messages for absent players.")
        where = HOOK_TITLES[hook.form]
        await self._table.proclaim(
            f"{peer.called} now sends messages to {where} when it is the turn of an absent player."
        )
        return None

    def _send(self, who: tuple[str, ...], settled: Callable[[], None] = lambda: None) -> None:
        webhook_sender, hook, record = self._table.services.webhook_sender, self._table.record.hook, self._table.record
        if webhook_sender is not None and hook is not None:
            note = Note(record.match, record.title, self._table.rules.title, who, webhook_sender.link(record.code))
            failed = partial(self._post, partial(self._report_undelivered, hook))
            webhook_sender.send(hook.form, hook.url, note, failed, lambda _arrived: settled())

    async def _report_undelivered(self, hook: HookRecord) -> None:
        """Tell the host that a notice failed, if they are here and the webhook is still the same."""
        for peer in self._table.audience.peers:
            if hook == self._table.record.hook and self._table.is_host(peer):
                peer.tell(Hooked(0, hook.form, failed=True))

    def _may_not(self, peer: Peer) -> Refusal | None:
        webhook_sender = self._table.services.webhook_sender
        if webhook_sender is None:
            return _CLOSED
        looking_on = peer.seat == LOOKING_ON and self._table.record.phase != TablePhase.GATHERING
        if not self._table.is_host(peer) or looking_on:
            return NOT_HOST
        return None if peer.trusted or webhook_sender.admits(peer.address) else _TOO_OFTEN

    def _unfit(self, message: Hook) -> Refusal | None:
        """Return why the webhook's address is refused, None if it is allowed."""
        webhook_sender = self._table.services.webhook_sender
        try:
            if message.url and webhook_sender is not None:
                webhook_sender.check(message.url)
        except Unfit as error:
            return Refusal("bad-hook", "", str(error))
        return None


def _form(hook: HookRecord | None) -> str:
    """Return the form as `Hooked` names it, "" for no webhook."""
    return hook.form if hook is not None else ""

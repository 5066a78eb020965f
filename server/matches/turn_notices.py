"""Turn notices: tell absent players through the table's webhook and by Web Push that they must decide."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from server import log
from server.clock import Timer
from server.delivery.peer import Peer
from server.matches.running_match import Post
from server.matches.table import NOT_HOST, Table
from server.storage.port import HookRecord
from server.webhooks.address_check import Unfit
from server.webhooks.payloads import Note
from server.webhooks.push_sender import Alert
from shared.ids import Seat
from shared.language.sentence import Sentence
from shared.messages import Hook, Hooked
from shared.refusal import Refusal
from shared.sentences.registry import SENTENCES
from shared.tables import HOOK_TITLES, LOOKING_ON, SeatKind, TablePhase

EVERY: Final = 120.0
"""Minimum seconds between two notices to one player, however often their turn comes. It is less than the time for which
a deserted match stays awake."""

_CLOSED: Final = Refusal("no-hook", "", "This server sends no messages outside of the game.")
_TOO_OFTEN: Final = Refusal("rate", "", "That was changed too often; try again in a minute.")


class TurnNotices:
    """Sender of a table's turn notices. All methods are called by the table's task, one after the other."""

    def __init__(self, table: Table, post: Post) -> None:
        self._table = table
        self._post = post
        self._told: dict[Seat, float] = {}
        """When each seat was notified last, on the server's clock."""
        self._later: dict[Seat, Timer] = {}

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

    def ring(self, seats: Sequence[Seat]) -> None:
        """Notify the absent players among `seats`, whose decisions are awaited from now on.

        A player who was notified less than `EVERY` seconds ago is notified later.
        """
        away = [seat for seat in seats if self._is_away(seat) and self._is_reached(seat)]
        if not away:
            return
        now = self._table.services.clock.now()
        soon = [seat for seat in away if now - self._told.get(seat, -EVERY) >= EVERY]
        self._tell(soon)
        for seat in away:
            if seat not in soon and seat not in self._later:
                wait = self._told[seat] + EVERY - now
                self._later[seat] = self._table.services.clock.call_later(wait, partial(self._remind, seat))

    def stop(self) -> None:
        """Cancel all pending notices."""
        for timer in self._later.values():
            timer.cancel()
        self._later.clear()

    def _remind(self, seat: Seat) -> None:
        """Notify a player whose turn came soon after the last notice, if they still owe a decision."""
        self._later.pop(seat, None)

        async def look() -> None:
            match = self._table.match
            if match is not None and not match.finished and seat in match.owed:
                self.ring([seat])

        self._post(look)

    def _tell(self, seats: Sequence[Seat]) -> None:
        if seats:
            self._told |= dict.fromkeys(seats, self._table.services.clock.now())
            chairs = self._table.seating.chairs
            self._send(tuple([chairs[seat].record.name for seat in seats]))
            for seat in seats:
                self._push(seat)

    def _push(self, seat: Seat) -> None:
        """Alert the devices of a seat's player."""
        push_sender, record = self._table.services.push_sender, self._table.record
        person = record.chairs[seat].person
        if push_sender is not None and push_sender.reaches(person):
            names = tuple([chair.name for chair in record.chairs])
            game, what = self._table.rules.title, self._decision(seat)
            push_sender.alert(person, Alert(record.match, record.title, game, record.code, names, what))

    def _decision(self, seat: Seat) -> Sentence | None:
        """Return the decision that a seat owes, as its player may know it; None if it cannot be said."""
        match, game = self._table.match, SENTENCES.get(self._table.rules.id)
        if match is None or game is None:
            return None
        try:
            prompt = game.prompt(match.position(seat))
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

    def _send(self, who: tuple[str, ...]) -> None:
        webhook_sender, hook, record = self._table.services.webhook_sender, self._table.record.hook, self._table.record
        if webhook_sender is not None and hook is not None:
            note = Note(record.match, record.title, self._table.rules.title, who, webhook_sender.link(record.code))
            webhook_sender.send(hook.form, hook.url, note, partial(self._post, partial(self._undelivered, hook)))

    async def _undelivered(self, hook: HookRecord) -> None:
        """Tell the host that a notice failed, if they are here and the webhook is still the same."""
        for peer in self._table.audience.peers:
            if hook == self._table.record.hook and self._table.is_host(peer):
                peer.tell(Hooked(0, hook.form, failed=True))

    def _is_away(self, seat: Seat) -> bool:
        return self._table.seating.chairs[seat].kind == SeatKind.AWAY

    def _is_reached(self, seat: Seat) -> bool:
        """Whether a notice could reach the player: by the webhook, or on a device of theirs."""
        push_sender, record = self._table.services.push_sender, self._table.record
        pushed = push_sender is not None and push_sender.reaches(record.chairs[seat].person)
        return pushed or record.hook is not None

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

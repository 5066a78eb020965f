"""Advice at a table: permission, rate limit, and the announcement to the others. The bots compute it outside the
table's task."""

import asyncio
import contextlib
from typing import Final

from msgspec import Raw

from protocol.session import TokenBucket
from server import log
from server.delivery.peer import Peer
from server.matches.match import STALE, Match
from server.matches.running_match import Post
from server.matches.table import NOT_SEATED, NOT_STARTED, NOT_YOURS, Advisers, Busy, Counsel, Table
from server.rate_limits import Rate
from shared.ids import Seat
from shared.messages import Advice, Advise
from shared.refusal import Refusal
from shared.tables import LOOKING_ON, SeatKind

ADVICE: Final = Rate(0.25, 6.0)
"""Rate at which a seat may ask for advice."""

_NO_ADVICE: Final = Refusal("no-advice", "", "This server gives no advice.")
_NOT_ALLOWED: Final = Refusal("no-advice", "", "Other people play here, and this table allows no advice.")
_PATIENCE: Final = Refusal("rate", "", "You ask too often; think for yourself for a moment.")
_THINKING: Final = Refusal("rate", "", "Your first question is still being thought about.")
_SPEECHLESS: Final = Refusal("no-advice", "", "Advice is not available at the moment; try again later.")


class Adviser:
    """Adviser of a table's players. All methods are called by the table's task, one after the other."""

    def __init__(self, table: Table, post: Post) -> None:
        self._table = table
        self._post = post
        self._budgets: dict[Seat, TokenBucket] = {}
        self._thinking: dict[Seat, asyncio.Task[None]] = {}
        self._explained: dict[Seat, int] = {}
        """By seat, the last frame for which the table was told that the seat asked for advice."""

    async def ask(self, peer: Peer, message: Advise) -> None:
        """Start computing advice for a player, or refuse. The advice is sent later. Raises StoreError."""
        match, advise = self._table.match, self._table.services.advise
        refusal = self._refusal(peer, message)
        if refusal is not None or match is None or advise is None:
            return peer.refuse(message.ref, refusal or NOT_STARTED)
        # Once for each decision: a player who asks twice about it is not announced twice.
        if not self._among_bots(peer.seat) and self._explained.get(peer.seat) != message.frame:
            await self._table.proclaim(f"{peer.called} asked for advice.")
            # After the line is stored: if that fails, the next request announces it.
            self._explained[peer.seat] = message.frame
        thought = self._think(peer, peer.seat, message, match, advise)
        self._thinking[peer.seat] = asyncio.create_task(thought)
        return None

    async def stop(self) -> None:
        """Cancel all advice and wait until its tasks have ended."""
        await asyncio.gather(*self.cancel(), return_exceptions=True)

    def cancel(self) -> tuple[asyncio.Task[None], ...]:
        """Cancel all advice and return the tasks, which end soon."""
        thoughts = tuple(self._thinking.values())
        for thought in thoughts:
            thought.cancel()
        return thoughts

    def _refusal(self, peer: Peer, message: Advise) -> Refusal | None:
        """Return why that peer gets no advice now, None if they may have it."""
        match, seat = self._table.match, peer.seat
        if seat == LOOKING_ON or match is None:
            return NOT_SEATED if seat == LOOKING_ON else NOT_STARTED
        if self._table.services.advise is None:
            return _NO_ADVICE
        if not (self._table.record.advice or self._among_bots(seat)):
            return _NOT_ALLOWED
        if seat not in match.owed or message.frame != match.frame:
            return NOT_YOURS if seat not in match.owed else STALE
        if seat in self._thinking:
            return _THINKING
        budget = self._budgets.setdefault(seat, ADVICE.bucket(self._table.services.clock.now))
        return None if budget.take() else _PATIENCE

    def _among_bots(self, seat: Seat) -> bool:
        """Whether all other seats are bots' own, not those of absent players."""
        chairs = self._table.seating.chairs
        return all(chair.kind == SeatKind.BOT for other, chair in enumerate(chairs) if other != seat)

    async def _think(self, peer: Peer, seat: Seat, message: Advise, match: Match, advise: Advisers) -> None:
        """Compute advice from the seat's view only, then post the answer to the table's task."""
        counsel: Counsel | None = None
        # The match goes on while the bot thinks, and the log line is about the position that was asked about.
        version = match.version
        try:
            seed = self._table.services.dice.bot_seed(version, seat)
            view, turns = match.view(seat), self._table.services.advice_turns
            async with contextlib.nullcontext() if turns is None else turns.turn([peer.address]):
                counsel = await advise(match.rules.id, seat, view, seed)
        except Busy:
            log.seldom("advice-busy", match=self._table.record.match)
        except Exception:
            log.failure("no-advice", match=self._table.record.match, seat=seat, version=version)
        # Before the answer is posted, so that a player who has it may ask again at once.
        del self._thinking[seat]
        self._post(lambda: self._answer(peer, seat, message, counsel))

    async def _answer(self, peer: Peer, seat: Seat, message: Advise, counsel: Counsel | None) -> None:
        match = self._table.match
        # The peer may have left, or come back on another seat, while the bot was thinking.
        if match is None or peer not in self._table.audience or peer.seat != seat:
            return
        if counsel is None:
            peer.refuse(message.ref, _SPEECHLESS)
        elif seat not in match.owed or match.frame != message.frame:
            peer.refuse(message.ref, STALE)
        else:
            action = Raw(counsel.action)
            peer.tell(Advice(message.ref, message.frame, action, counsel.words, counsel.why, counsel.sentences))

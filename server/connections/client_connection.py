"""Connection of a client: bytes in, session, lobby; messages out."""

import asyncio
import contextlib
from typing import Final

from websockets.exceptions import ConnectionClosed

from protocol import codec
from protocol.limits import MEANING, Close
from protocol.session import Inbound, ServerSession, reference
from server import log
from server.connections.admission import Admission
from server.connections.guard import GuardedConnection
from server.connections.public_address import PublicAddress
from server.delivery.peer import Peer
from server.lobby.lobby import Lobby
from shared.messages import Act, ClientMessage, Consider, Resume, TryAction, Welcome
from shared.refusal import Refusal

CONSIDERED: Final = 0.25
"""Cost of `Consider` and `TryAction` among requests: a fraction, since clients send them for every decision."""
_FULL: Final = Refusal("full", "", "All places on this server are taken; please try again later.")


class SocketLink:
    """Link that sends a peer's messages over a guarded connection."""

    def __init__(self, connection: GuardedConnection) -> None:
        self._connection = connection
        self._closing: asyncio.Task[None] | None = None
        self.send = connection.outbox.send
        """Send a message after the earlier ones."""

    @property
    def latency(self) -> float:
        """Round-trip time in seconds, as the last ping measured it; 0 before the first."""
        return self._connection.latency

    @property
    def is_open(self) -> bool:
        """Whether neither side has ended it."""
        return self._connection.is_open

    def end(self, code: Close) -> None:
        """Close without waiting for the closing handshake."""
        if self._closing is None:
            self._closing = asyncio.create_task(self._connection.close(code, MEANING[code]))


class ClientConnection:
    """Handler of one client, from its first message to the end of its connection."""

    def __init__(
        self, connection: GuardedConnection, session: ServerSession, lobby: Lobby, admission: Admission,
        public: PublicAddress,
    ) -> None:  # fmt: skip
        self._connection = connection
        self._session = session
        self._lobby = lobby
        self._admission = admission
        self._public = public
        self._link = SocketLink(connection)
        self._peer = Peer(self._link, outbox=connection.outbox)

    async def run(self) -> None:
        """Serve the client until its connection ends."""
        connection, peer = self._connection, self._peer
        connection.catch_up = self._catch_up
        connection.take_now = self._take_now
        try:
            async for data in connection:
                inbound = self._session.receive(data)
                self._answer(inbound)
                if inbound.close is not None:
                    await connection.close(inbound.close, MEANING[inbound.close])
                    break
                if inbound.message is not None:
                    await self._hear(inbound.message)
                connection.heard()
        except ConnectionClosed:
            pass
        except Exception:
            log.failure("connection-failed", source=log.source(connection.address))
        finally:
            self._public.remove(peer)
            self._lobby.gone(peer)

    async def _hear(self, message: ClientMessage) -> None:
        """Handle a message; when all places are taken, only players who return to a seat get one."""
        connection, peer = self._connection, self._peer
        peer.address, peer.trusted = connection.address, self._admission.is_lenient(connection.address)
        if self._admission.is_full and peer.table is None and not isinstance(message, Resume):
            self._admission.make_room(connection)
            # Asked again: making room may have found a client that could go.
            if self._admission.is_full:
                peer.refuse(reference(message), _FULL)
                return self._link.end(Close.FULL)
        if not await self._has_turn(message):
            return None
        await self._lobby.hear(peer, message)
        connection.at_table = peer.table is not None
        if connection.at_table:
            self._admission.make_room(connection)
        return None

    async def _has_turn(self, message: ClientMessage) -> bool:
        """Delay a request if its address has sent too many; return False if the connection ended meanwhile.

        Such requests cost the server more than the client. The client's next messages stay unread until then.
        """
        cost = 0.0 if isinstance(message, Act) else CONSIDERED if isinstance(message, Consider | TryAction) else 1.0
        delay = self._admission.wait_of(self._peer.address, cost) if cost else 0.0
        if delay:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._connection.wait_closed(), delay)
                return False
        return True

    def _take_now(self, data: bytes) -> bool:
        """Judge an action at once if its match is idle, without waking a task or waiting for the event loop."""
        table = self._peer.table
        # Decided by the first bytes: decoding twice would cost what this shortcut saves.
        if table is None or not codec.looks_like_act(data) or not table.is_idle_for(self._peer):
            return False
        inbound = self._session.receive(data)
        self._answer(inbound)
        if inbound.close is not None:
            self._link.end(inbound.close)
        if isinstance(inbound.message, Act):
            table.act_now(self._peer, inbound.message)
        return True

    def _answer(self, inbound: Inbound) -> None:
        """Send the session's own answer."""
        if isinstance(inbound.reply, Welcome):
            self._peer.said = self._peer.name = self._session.name
            self._peer.agreed = self._session.agreed
        if inbound.reply is not None:
            self._peer.tell(inbound.reply)
        if isinstance(inbound.reply, Welcome):
            self._peer.address = self._connection.address
            self._public.add(self._peer)
            for notice in self._lobby.moderation.words():
                self._peer.tell(notice)
        if inbound.close is not None:
            log.info("closing", code=int(inbound.close), source=log.source(self._connection.address))

    def _catch_up(self) -> None:
        """Resync a client that fell behind: one snapshot replaces all that it missed."""
        if self._peer.table is not None:
            self._peer.table.catch_up(self._peer)

"""One client's connection: bytes in, session, lobby; messages out."""

import asyncio

from websockets.exceptions import ConnectionClosed

from protocol.limits import MEANING, Close
from protocol.session import ServerSession
from server import log
from server.guard import GuardedConnection
from server.lobby import Lobby
from server.outgoing import Outgoing
from server.peer import Peer


class SocketLink:
    """Carries a peer's messages over a guarded connection."""

    def __init__(self, connection: GuardedConnection) -> None:
        self._connection = connection
        self._closing: asyncio.Task[None] | None = None

    def offer(self, message: Outgoing) -> None:
        """Send a message in its turn."""
        self._connection.offer(message)

    def end(self, code: Close) -> None:
        """Close without waiting for the closing handshake."""
        if self._closing is None:
            self._closing = asyncio.create_task(self._connection.close(code, MEANING[code]))


async def converse(connection: GuardedConnection, session: ServerSession, lobby: Lobby) -> None:
    """Serve one client until its connection ends."""
    peer = Peer(SocketLink(connection))
    connection.catch_up = lambda: _catch_up(peer)
    try:
        async for data in connection:
            inbound = session.receive(data)
            peer.name = session.name
            if inbound.reply is not None:
                peer.tell(inbound.reply)
            if inbound.close is not None:
                log.info("closing", code=int(inbound.close), name=peer.name)
                await connection.close(inbound.close, MEANING[inbound.close])
                break
            if inbound.message is not None:
                await lobby.hear(peer, inbound.message)
    except ConnectionClosed:
        pass
    except Exception:
        log.failure("connection-failed", name=peer.name)
    finally:
        lobby.gone(peer)


def _catch_up(peer: Peer) -> None:
    """A slow reader is back: one snapshot for all that it missed."""
    if peer.table is not None:
        peer.table.catch_up(peer)

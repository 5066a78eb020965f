"""uvloop with doors of our own: its own let everybody in at once, without asking the gate, and say nothing where no
file numbers are left."""

import asyncio
import contextlib
import socket
from collections.abc import Callable
from functools import partial
from typing import Any

import uvloop

from server.connections.guard import GuardedConnection
from server.connections.listener import Listener


class GatedServer:
    """Lets those in at a socket that listens whom it admits, a few in each turn of the loop; as much of an
    asyncio.Server as a server of websockets asks for."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        welcome: Callable[[], asyncio.BaseProtocol],
        listener: Listener,
        queue: int,
    ) -> None:
        self._loop = loop
        self._welcome = welcome
        self._listener = listener
        listener.listen(queue)
        loop.add_reader(listener, self._let_in)

    @property
    def sockets(self) -> tuple[socket.socket, ...]:
        """Where it listens."""
        return (self._listener,) if self.is_serving() else ()

    def get_loop(self) -> asyncio.AbstractEventLoop:
        """What turns it."""
        return self._loop

    def is_serving(self) -> bool:
        """Whether it still lets anybody in."""
        return self._listener.fileno() >= 0

    def close(self) -> None:
        """Let nobody in any more."""
        if self.is_serving():
            self._loop.remove_reader(self._listener)
            self._listener.close()

    async def wait_closed(self) -> None:
        """Nothing is left to be waited for."""

    def _let_in(self) -> None:
        with contextlib.suppress(OSError):  # Nobody else waits, or it was enough for one turn.
            while True:
                connection, _ = self._listener.accept()
                connection.setblocking(False)
                self._loop.create_task(self._show_in(connection))

    def _built(self, connection: socket.socket) -> asyncio.BaseProtocol:
        protocol = self._welcome()
        if isinstance(protocol, GuardedConnection):
            protocol.socket = connection  # Of a transport of uvloop nobody learns it.
        return protocol

    async def _show_in(self, connection: socket.socket) -> None:
        try:
            await self._loop.connect_accepted_socket(partial(self._built, connection), connection)
        except OSError:  # It is gone already.
            connection.close()


class UvLoop(uvloop.Loop):
    """Where one of our sockets listens, it has a door of ours."""

    async def create_server(self, protocol_factory: Any, *args: Any, **options: Any) -> Any:
        """See asyncio.AbstractEventLoop."""
        listener = options.get("sock")
        if isinstance(listener, Listener):
            return GatedServer(self, protocol_factory, listener, options["backlog"])
        return await super().create_server(protocol_factory, *args, **options)

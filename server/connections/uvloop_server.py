"""uvloop server that asks the gate before it accepts.

uvloop's own server accepts all waiting connections at once, and gives no notice if no file descriptors are left.
No library offers another server for it.
"""

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
    """Server that accepts a few admitted connections in each turn of the event loop.

    It has as much of asyncio.Server as the websockets library needs.
    """

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
        """The listening socket, or none after `close`."""
        return (self._listener,) if self.is_serving() else ()

    def get_loop(self) -> asyncio.AbstractEventLoop:
        """Return its event loop."""
        return self._loop

    def is_serving(self) -> bool:
        """Whether it still accepts connections."""
        return self._listener.fileno() >= 0

    def close(self) -> None:
        """Stop accepting connections."""
        if self.is_serving():
            self._loop.remove_reader(self._listener)
            self._listener.close()

    async def wait_closed(self) -> None:
        """Return at once: there is nothing to wait for."""

    def _let_in(self) -> None:
        with contextlib.suppress(OSError):  # No other connection waits, or this turn's limit is reached.
            while True:
                connection, _ = self._listener.accept()
                connection.setblocking(False)
                self._loop.create_task(self._show_in(connection))

    def _built(self, connection: socket.socket) -> asyncio.BaseProtocol:
        protocol = self._welcome()
        if isinstance(protocol, GuardedConnection):
            protocol.socket = connection  # uvloop's transports do not expose the socket.
        return protocol

    async def _show_in(self, connection: socket.socket) -> None:
        try:
            await self._loop.connect_accepted_socket(partial(self._built, connection), connection)
        except OSError:  # The client is gone already.
            connection.close()


class UvLoop(uvloop.Loop):
    """uvloop that serves our listening sockets with our own server."""

    async def create_server(self, protocol_factory: Any, *args: Any, **options: Any) -> Any:
        """See asyncio.AbstractEventLoop."""
        listener = options.get("sock")
        if isinstance(listener, Listener):
            return GatedServer(self, protocol_factory, listener, options["backlog"])
        return await super().create_server(protocol_factory, *args, **options)

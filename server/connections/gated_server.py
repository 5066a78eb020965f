"""Server that asks the gate before it accepts, and serves TLS beside unencrypted clients on one port.

uvloop's own server accepts all waiting connections at once, and gives no notice if no file descriptors are left.
asyncio's can serve either TLS or none. No library offers another server for them.
"""

import asyncio
import contextlib
import socket
import ssl
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

from server.connections.admission import Admission
from server.connections.guard import GuardedConnection
from server.connections.listener import Listener

PATIENCE: Final = 5.0
"""Seconds for a client's first byte, and again for the TLS handshake."""
_PARTING: Final = 2.0
"""Seconds for the end of a TLS connection."""
_TLS: Final = b"\x16"
"""First byte of a TLS connection: its handshake (RFC 8446, 5.1). A request in HTTP begins with a letter."""


class Newcomer:
    """Connection of which it is not known yet whether it is encrypted. It counts as half open until then."""

    def __init__(self, admission: Admission, peer: str) -> None:
        self.address = admission.counted(peer)
        self.half_open = True
        self.at_table = False
        self.heard_at = admission.now()
        self._task = asyncio.current_task()

    def cut(self, why: str) -> None:
        """Give it up."""
        if self._task is not None:
            self._task.cancel(why)


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
        """Raise OSError if the event loop cannot do it."""
        self._loop = loop
        self._welcome = welcome
        self._listener = listener
        self._tasks: set[asyncio.Task[None]] = set()
        listener.listen(queue)
        try:
            loop.add_reader(listener, self._let_in)
        except NotImplementedError:  # The proactor of Windows.
            raise OSError("this system cannot serve TLS here; leave out --certificate, and use a proxy") from None

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
            # Before the socket closes: its number may be given to the next one at once.
            self._loop.remove_reader(self._listener)
            self._listener.close()
            for task in tuple(self._tasks):
                task.cancel()

    async def wait_closed(self) -> None:
        """Return at once: there is nothing to wait for."""

    def _let_in(self) -> None:
        with contextlib.suppress(OSError):  # No other connection waits, or this turn's limit is reached.
            while True:
                connection, _ = self._listener.accept()
                connection.setblocking(False)
                # The loop itself holds tasks only weakly.
                task = self._loop.create_task(self._show_in(connection))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def _show_in(self, connection: socket.socket) -> None:
        if self._listener.certificate is None:
            return await self._connect(connection, None)
        admission = self._listener.admission
        try:
            newcomer = Newcomer(admission, connection.getpeername()[0])
        except OSError:  # The client is gone already.
            return connection.close()
        try:
            if admission.enter(newcomer) and (first := await self._first_byte(connection)):
                context = self._listener.certificate.context() if first == _TLS else None
                return await self._connect(connection, context, newcomer)
            connection.close()
        except BaseException:
            connection.close()
            raise
        finally:
            admission.leave(newcomer)

    async def _first_byte(self, connection: socket.socket) -> bytes:
        """Return the first byte, which stays in the socket; b"" if none comes in time."""
        arrived = asyncio.Event()
        self._loop.add_reader(connection, arrived.set)
        try:
            async with asyncio.timeout(PATIENCE):
                await arrived.wait()
            # Only a look: the byte stays for the protocol that reads it in earnest.
            return connection.recv(1, socket.MSG_PEEK)
        except OSError:  # TimeoutError is one.
            return b""
        finally:
            self._loop.remove_reader(connection)

    async def _connect(
        self, connection: socket.socket, context: ssl.SSLContext | None, newcomer: Newcomer | None = None
    ) -> None:
        built = partial(self._built, connection, newcomer)
        times = {} if context is None else {"ssl_handshake_timeout": PATIENCE, "ssl_shutdown_timeout": _PARTING}
        try:
            await self._loop.connect_accepted_socket(built, connection, ssl=context, **times)
        except OSError:  # The client is gone already, or does not like the certificate.
            connection.close()

    def _built(self, connection: socket.socket, newcomer: Newcomer | None) -> asyncio.BaseProtocol:
        protocol = self._welcome()
        if isinstance(protocol, GuardedConnection):
            protocol.socket = connection  # uvloop's transports do not expose the socket.
            protocol.newcomer = newcomer
        return protocol


@contextlib.contextmanager
def gated(loop: asyncio.AbstractEventLoop) -> Iterator[None]:
    """Let `loop.create_server` make our server meanwhile; the websockets library takes no other one."""

    async def create_server(factory: Any, *_address: object, sock: Listener, backlog: int) -> GatedServer:
        return GatedServer(loop, factory, sock, backlog)

    loop.create_server = create_server  # type: ignore[method-assign, assignment]
    try:
        yield
    finally:
        # Deleting the attribute of the object uncovers the method of its class again.
        del loop.create_server

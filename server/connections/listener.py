"""Listening sockets that refuse connections before anything is built for them."""

import contextlib
import errno
import socket
import struct
from collections.abc import Collection, Iterator
from typing import Final

from server import log
from server.addresses import counted, is_among
from server.connections.admission import Admission
from server.connections.certificate import Certificate

ROUND: Final = 32
"""Connections that are refused in one turn of the event loop; further ones wait for the next turn."""
IN_ONE_GO: Final = 4
"""Connections that are accepted in one turn of the event loop: a handshake takes most of a millisecond."""
QUEUE: Final = 1024
"""Connections that may wait to be accepted. Beyond that, clients try again after one second, then after three."""
_NO_MORE: Final = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
_NOT_HERE: Final = (errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL)
"""Errors for a version of IP that this computer does not have."""
_AT_ONCE: Final = struct.pack("ii", 1, 0)
"""SO_LINGER: a closed socket is reset and leaves nothing behind."""


class Listener(socket.socket):
    """Listening socket that asks the gate before it accepts a connection."""

    admission: Admission
    certificate: Certificate | None = None
    """Serves clients that speak TLS; those that do not are served too."""
    _spare: socket.socket | None = None
    _let_in = 0

    def accept(self) -> tuple[socket.socket, object]:
        """Return the next admitted connection.

        Raises BlockingIOError if none waits or this turn's limit is reached.
        """
        try:
            # The event loop accepts until this error comes, so it stands for "enough for this turn" too.
            if self._let_in == IN_ONE_GO:
                raise BlockingIOError
            connection = self._next()
        except OSError:
            self._let_in = 0
            raise
        self._let_in += 1
        return connection

    def _next(self) -> tuple[socket.socket, object]:
        for _ in range(ROUND):
            try:
                connection, peer = super().accept()
            except OSError as error:
                if error.errno in _NO_MORE:
                    self._turn_one_away()
                    raise BlockingIOError from error
                raise
            if self._admits(peer[0]):
                return connection, peer
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)
            connection.close()
        raise BlockingIOError

    def _admits(self, peer: str) -> bool:
        return is_among(peer, self.admission.limits.trusted) or self.admission.admits(counted(peer))

    def _turn_one_away(self) -> None:
        """Refuse one connection although all file descriptors are in use, by freeing a reserved one.

        Otherwise the client would wait without an answer.
        """
        log.seldom("file-limit", advice="raise the limit of open files (LimitNOFILE)")
        if self._spare is not None:
            self._spare.close()
            with contextlib.suppress(OSError):
                super().accept()[0].close()
            self._spare = socket.socket()


def listen(admission: Admission, host: str, port: int, certificate: Certificate | None = None) -> list[Listener]:
    """Return listening sockets for all addresses of a host, with one port; 0 lets the system choose.

    The host "" means all addresses of this computer, in the versions of IP that it has. `certificate`: also serve
    clients that speak TLS. Raises OSError.
    """
    try:
        found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except socket.gaierror as error:
        raise OSError(
            errno.EADDRNOTAVAIL, f"cannot listen on {host}: no computer is known by that name; give another --host"
        ) from error
    listeners: list[Listener] = []
    try:
        for family, kind, protocol, _, address in dict.fromkeys(found):
            # The first address may have got its port from the system; the others need the same one.
            chosen = listeners[0].getsockname()[1] if listeners else port
            with _passing_over(() if host else _NOT_HERE):
                listeners.append(_listener(admission, family, kind, protocol, (address[0], chosen, *address[2:])))
                listeners[-1].certificate = certificate
        if not listeners:
            raise OSError(
                errno.EADDRNOTAVAIL, "this computer has no network address to listen on; give one with --host"
            )
    except OSError:
        for listener in listeners:
            listener.close()
        raise
    return listeners


@contextlib.contextmanager
def _passing_over(errors: Collection[int]) -> Iterator[None]:
    """Context that ignores OSErrors with these numbers."""
    try:
        yield
    except OSError as error:
        if error.errno not in errors:
            raise


def _listener(admission: Admission, family: int, kind: int, protocol: int, address: tuple[object, ...]) -> Listener:
    listener = Listener(family, kind, protocol)
    try:
        listener.admission = admission
        listener._spare = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            # Otherwise the IPv6 socket takes IPv4 as well, and the second bind to the port fails.
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listener.bind(address)
        listener.setblocking(False)
    except OSError as error:
        listener.close()
        where = f"{address[0]}:{address[1]}"
        advice = "give another --port" if error.errno == errno.EADDRINUSE else "give an address of this computer"
        raise OSError(error.errno, f"cannot listen on the address {where}: {error.strerror}; {advice}") from error
    return listener

"""ServerAccess to a server: by an address, or by starting one of our own first. Knows no window."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import inf
from typing import Final

from msgspec import Struct

from client.network.addresses import lan_addresses
from client.network.server_connection import PATIENCE, UNKNOWN, Arrival, ConnectionState, ServerConnection
from client.network.server_process import ServerProcess, hosted_server, lesson_server, private_server, staying_port
from client.player.lessons import lesson_of
from client.player.profiles import Profiles
from client.player.seats import HOSTED, PRIVATE_HOMES, SavedSeat, is_private
from protocol.links import joined
from protocol.routes import PORT, is_bare, routes_of
from protocol.session import ClientSession
from shared.messages import Create, Join, Leave

CLIENT = "conquest 0.1"
_HERE: Final = ("127.0.0.1", "localhost", "[::1]")
"""What a computer calls itself."""
_ONE_TRY: Final = (0.0, 1800.0)
_REVIVALS: Final = 5
"""How often a server of ours that dies is started again."""


def number() -> bytes:
    """What this client adds to the dice of a match: 32 bytes by chance."""
    return secrets.token_bytes(32)


class ServerAccess:
    """At most one conversation at a time.

    `address` is what was typed, or HOSTED or that of a private server; `port` is where HOSTED listens.
    """

    def __init__(self, known: Callable[[], Profiles | None] = lambda: None) -> None:
        """`known`: where the player's profiles are kept, while he wishes to have any."""
        self._known = known
        self.address = ""
        self.port = PORT
        self.link: ServerConnection | None = None
        self.session: ClientSession | None = None
        self.resuming = False
        """Whether this conversation began with a seat to come back to."""
        self._name = ""
        self._child: ServerProcess | None = None
        self._revivals = 0
        self.unattended = False
        """Whether a screen looks in there and no person: it has no profile, and waits as long as need be."""
        self._routes: list[str] = []
        """The ways to the server that were not tried yet."""
        self._bare = False
        """Whether the player wishes to go there although others could listen."""
        self._halted: ConnectionState | None = None

    def open(self, address: str, name: str, seat: SavedSeat | None = None) -> None:
        """Begin a conversation; `seat` is taken up again. ValueError says what is wrong with an address."""
        self.close()
        own = address == HOSTED or is_private(address)
        self._routes = [] if own else _trusted(routes_of(address), seat)
        self._bare = False
        self.address, self.resuming, self._name = address, seat is not None, name
        self._revivals = 0
        self.session = ClientSession(name, CLIENT, number)
        self.session.secret = self._secret
        if seat is not None:
            self.session.restore(seat.match, seat.token)
            self.session.stake.restore(seat.match, seat.bound, seat.number)
            self.port = seat.port or self.port
        if own:
            self._go_home(self.session)
        else:
            self._set_out("")

    def _secret(self) -> bytes:
        """Of our profile at this server, made at the first visit; nothing where it is not to be said."""
        profiles = self._known()
        if profiles is None or is_private(self.address) or self.unattended:
            return b""
        try:
            profile = profiles.made(self.address, self.secure)
        except OSError:
            return b""  # What cannot be kept would be of no use the next time.
        return profile.secret if self.secure or not profile.secure else b""

    def _go_home(self, session: ClientSession) -> None:
        """To a server of ours: the one that was left running, or a new one."""
        staying = staying_port() if self.address == HOSTED else 0
        if staying:
            self.port = staying
            self.link = ServerConnection(f"ws://127.0.0.1:{staying}", session)
        else:
            self._child = self._start()

    def _start(self) -> ServerProcess:
        lesson = lesson_of(self.address)
        if lesson:
            return lesson_server(lesson, "" if self.resuming else self._name)
        return hosted_server(self.port) if self.address == HOSTED else private_server(self.address)

    def close(self) -> None:
        """Hang up, and stop the server if it is ours."""
        if self.link is not None:
            self.link.close()
        if self._child is not None:
            self._child.stop()
        self.link = self.session = self._child = self._halted = None

    @property
    def hosting(self) -> bool:
        """Whether others can play at our server, and could not go on when we hang up."""
        return self.address == HOSTED and self._child is not None and self._child.running

    def stay(self) -> bool:
        """Let our server go on without us; False where it cannot."""
        stays = self._child is not None and self._child.stay()
        if stays:
            self._child = None
        return stays

    @property
    def secure(self) -> bool:
        """Whether nobody on the way can listen."""
        return self.link is not None and self.link.url.startswith("wss://")

    @property
    def public(self) -> str:
        """The WebSocket address of the server, as others reach it: of one on this computer, by the network."""
        url = self.link.url if self.link is not None else ""
        host, _colon, port = url.removeprefix("ws://").rpartition(":")
        return f"ws://{joined(lan_addresses()[0], int(port))}" if host in _HERE and port.isdecimal() else url

    def go_bare(self) -> None:
        """The player was told that others could listen, and goes there all the same."""
        self._bare = True
        self._set_out("")

    def _set_out(self, why: str) -> None:
        """Take the next way. `why` the last one led nowhere; one that is not safe is not taken without leave."""
        assert self.session is not None
        if is_bare(self._routes[0]) and not self._bare:
            self._halted = ConnectionState("bare", why)
            return
        url = self._routes.pop(0)
        # Where there is another way, one try is enough.
        patience = _ONE_TRY if self._routes else PATIENCE
        self.link = ServerConnection(url, self.session, (patience[0], inf) if self.unattended else patience)

    def poll(self) -> Iterable[Arrival]:
        """Return what arrived since the last call, see `ServerConnection.poll`.

        A server process that failed is reported as a connection that gave up."""
        failure = self._watch_child()
        if failure:
            return [ConnectionState("gave-up", failure)]
        if self._halted is not None:
            halted, self._halted = self._halted, None
            return [halted]
        return self._along(self.link) if self.link is not None else ()

    def _along(self, link: ServerConnection) -> Iterator[Arrival]:
        """What comes by that link; where it leads nowhere, the next way is taken."""
        for arrival in link.poll():
            kind = arrival.kind if isinstance(arrival, ConnectionState) else ""
            if kind == "up":
                self._routes = []
            if isinstance(arrival, ConnectionState) and kind == "gave-up" and self._routes and arrival.why != UNKNOWN:
                self.link = None
                self._set_out(arrival.why)
                return
            yield arrival

    def distrust(self) -> None:
        """Hang up for good: what the server says makes no sense."""
        if self.link is not None:
            self.link.give_up()

    def send(self, message: Struct | bytes) -> bool:
        """Send; False, and nothing done, while there is no connection."""
        if isinstance(message, Create | Join) and self.session is not None:
            message = self.session.seat_by(message, secrets.token_bytes(16))
        return self.link is not None and self.link.send(message)

    def touch(self) -> None:
        """The player does something at this window."""
        if self.link is not None:
            self.link.touch()

    def ref(self) -> int:
        """A fresh number for a request."""
        return self.session.ref() if self.session is not None else 1

    def leave(self) -> bool:
        """Get up from the table; False where that cannot be said now."""
        return self.send(Leave(self.ref()))

    def _watch_child(self) -> str:
        """Go on once our own server is ready; returns why it failed, if it did."""
        child = self._child
        if child is None or self.session is None:
            return ""
        if child.state == "ready" and self.link is None:
            self.port = child.port if self.address == HOSTED else self.port
            if child.laid_out is not None:
                self.session.restore(child.laid_out.match, bytes.fromhex(child.laid_out.token))
            self.link = ServerConnection(f"ws://127.0.0.1:{child.port}", self.session)
        if child.state != "failed":
            return ""
        if self.link is None and self._move_on():
            return ""
        if self.link is not None and self._revivals < _REVIVALS:
            self._revivals += 1
            self._child = child.again()  # The link goes on trying; every match is kept.
            return ""
        return child.words

    def _move_on(self) -> bool:
        """These matches cannot be had. New ones may be kept elsewhere; those we came for are only here, but another
        window may look through them for a moment only."""
        place = PRIVATE_HOMES.index(self.address) + 1 if self.address in PRIVATE_HOMES else len(PRIVATE_HOMES)
        if not self.resuming and place < len(PRIVATE_HOMES):
            self.address = PRIVATE_HOMES[place]
        elif self.resuming and self._revivals < _REVIVALS and self._child is not None and self._child.occupied:
            self._revivals += 1
        else:
            return False
        self._child = self._start()
        return True


def _trusted(routes: Sequence[str], seat: SavedSeat | None) -> list[str]:
    """Without those that are worse than the one by which the seat was taken: somebody may only wish us to believe that
    the better one is closed."""
    return [url for url in routes if seat is None or not seat.secure or url.startswith("wss://")]

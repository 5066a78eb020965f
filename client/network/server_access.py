"""Access to a server: by an address, or by starting one of our own first. Knows no window."""

import contextlib
import platform
import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from ipaddress import ip_address
from math import inf
from typing import Final
from urllib.parse import urlsplit

from msgspec import Struct

from client.language import _
from client.network.addresses import lan_addresses
from client.network.server_connection import (
    NO_GAME,
    OTHER_NAME,
    PATIENCE,
    UNKNOWN,
    Arrival,
    ConnectionState,
    ServerConnection,
)
from client.network.server_process import ServerProcess, hosted_server, lesson_server, private_server, staying_port
from client.player.lessons import lesson_of
from client.player.profiles import Profiles
from client.player.seats import HOSTED, PRIVATE_HOMES, SavedSeat, is_private
from protocol.links import joined
from protocol.routes import PORT, is_bare, is_local_only, routes_of
from protocol.session import ClientSession
from shared.messages import Create, Join, Leave
from shared.tables import MAX_NAME

CLIENT = "conquest 0.1"
_HERE: Final = ("127.0.0.1", "localhost", "[::1]")
"""Names of the own computer."""
_ONE_TRY: Final = (0.0, 1800.0)
_REVIVALS: Final = 5
"""Maximum number of restarts of a crashed server of ours."""


def device_name() -> str:
    """Return the name of this computer in the player's list of devices."""
    return f"Conquest, {platform.system() or 'PC'}".replace("Darwin", "macOS")[:MAX_NAME]


def number() -> bytes:
    """Return what this client adds to the dice of a match: 32 random bytes."""
    return secrets.token_bytes(32)


class ServerAccess:
    """Access to at most one server at a time.

    `address` is the typed text, HOSTED, or that of a private server; `port` is where HOSTED listens.
    """

    def __init__(self, profiles: Callable[[], Profiles | None] = lambda: None) -> None:
        """`profiles`: returns the player's profiles, or None while they want none."""
        self._profiles = profiles
        self.address = ""
        self.port = PORT
        self.opens_router = False
        """Whether HOSTED is for friends elsewhere too."""
        self.tls: Callable[[], Sequence[str]] = tuple
        """Returns the options for TLS of HOSTED, if it is for friends elsewhere."""
        self.link: ServerConnection | None = None
        self.session: ClientSession | None = None
        self.resuming = False
        """Whether the connection began with a seat to return to."""
        self._name = ""
        self._child: ServerProcess | None = None
        self._revivals = 0
        self.unattended = False
        """Whether this is a screen without a person: it has no profile and waits without limit."""
        self._routes: list[str] = []
        """URLs of the server that were not tried yet."""
        self._bare = False
        """Whether the player agreed to connect without encryption."""
        self._halted: ConnectionState | None = None
        self._met = False
        """Whether the server answered since `open`."""

    def open(self, address: str, name: str, seat: SavedSeat | None = None) -> None:
        """Open a connection; `seat` is taken up again. Raise ValueError for an invalid address."""
        self.close()
        own = address == HOSTED or is_private(address)
        self._routes = [] if own else _routes_as_secure(routes_of(address), seat)
        self._bare = self._met = False
        self.address, self.resuming, self._name = address, seat is not None, name
        self._revivals = 0
        self.session = ClientSession(name, CLIENT, number)
        # A function, because only the greeting knows whether the connection is encrypted.
        self.session.secret, self.session.device = self._secret, device_name()
        self._restore_seat(self.session, seat)
        if own:
            self._go_home(self.session)
        else:
            self._set_out("")

    def open_beside(self, other: "ServerAccess", name: str, seat: SavedSeat | None = None) -> None:
        """Open a connection of another person at this computer to the server that `other` is connected to."""
        self.close()
        assert other.link is not None
        self.address, self.port, self.resuming, self._name = other.address, other.port, seat is not None, name
        self.session = ClientSession(name, CLIENT, number)
        self._restore_seat(self.session, seat)
        self.link = ServerConnection(other.link.url, self.session)

    def _restore_seat(self, session: ClientSession, seat: SavedSeat | None) -> None:
        """Let the session return to a seat."""
        if seat is not None:
            session.restore(seat.match, seat.token)
            session.stake.restore(seat.match, seat.bound, seat.number)
            self.port = seat.port or self.port
            self.opens_router = seat.public

    def _secret(self) -> bytes:
        """Return our profile's secret for this server, created on first use; empty if it must not be sent."""
        profiles = self._profiles()
        if profiles is None or is_private(self.address) or self.unattended:
            return b""
        try:
            profile = profiles.made(self.address, self.secure)
        except OSError:
            return b""  # A secret that cannot be saved would be of no use the next time.
        return profile.secret if self.secure or not profile.secure else b""

    def _go_home(self, session: ClientSession) -> None:
        """Connect to a server of ours: the one that was left running, or a new one."""
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
        if self.address == HOSTED:
            return hosted_server(self.port, public=self.opens_router, tls=self.tls())
        return private_server(self.address)

    def close(self) -> None:
        """Disconnect, and stop the server if it is ours."""
        if self.link is not None:
            self.link.close()
        if self._child is not None:
            self._child.stop()
        self.link = self.session = self._child = self._halted = None

    @property
    def hosting(self) -> bool:
        """Whether other people play at our server and could not go on after we disconnect."""
        return self.address == HOSTED and self._child is not None and self._child.running

    @property
    def keeps_router_shut(self) -> bool:
        """Whether our server was started earlier, perhaps without opening the router's port as we wish now."""
        return self.opens_router and self.address == HOSTED and self._child is None

    def stay(self) -> bool:
        """Let our server go on without us; return False if it cannot."""
        stays = self._child is not None and self._child.stay()
        if stays:
            self._child = None
        return stays

    @property
    def secure(self) -> bool:
        """Whether the connection is encrypted."""
        return self.link is not None and self.link.url.startswith("wss://")

    @property
    def public(self) -> str:
        """WebSocket address of the server as others reach it; for one on this computer, its network address."""
        url = self.link.url if self.link is not None else ""
        host, _colon, port = url.removeprefix("ws://").rpartition(":")
        return f"ws://{joined(lan_addresses()[0], int(port))}" if host in _HERE and port.isdecimal() else url

    def go_bare(self) -> None:
        """Connect without encryption: the player was warned and agreed."""
        self._bare = True
        self._set_out("")

    def _set_out(self, why: str) -> None:
        """Try the next URL. `why`: reason why the last one failed; an unencrypted one needs the player's consent."""
        assert self.session is not None
        if is_bare(self._routes[0]) and not self._bare:
            self._halted = ConnectionState("bare", why)
            return
        url = self._routes.pop(0)
        # If there is another URL, one try is enough.
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
        return self._arrivals_by(self.link) if self.link is not None else ()

    def _arrivals_by(self, link: ServerConnection) -> Iterator[Arrival]:
        """Yield what arrives by that connection; if it gives up, try the next URL."""
        for arrival in link.poll():
            kind, why = (arrival.kind, arrival.why) if isinstance(arrival, ConnectionState) else ("", "")
            if kind == "up":
                # The server is here: after a loss it is no use to try its other addresses.
                self._routes, self._met = [], True
            if (
                isinstance(arrival, ConnectionState)
                and kind in ("lost", "gave-up")
                and self._is_astray(link, arrival.why)
            ):
                link.close()
                self.link = None
                yield ConnectionState("gave-up", f"{why} {_home_network_advice(link.url)}")
                return
            # An unknown name is unknown by every route.
            if kind == "gave-up" and self._routes and why != UNKNOWN:
                self.link = None
                self._set_out(why)
                return
            yield arrival

    def _is_astray(self, link: ServerConnection, why: str) -> bool:
        """Whether a server of a home network never answered: the player is probably in another network.

        A held seat is worth more tries, as its server may be restarting.
        """
        answered = self._met or why in (NO_GAME, OTHER_NAME)
        patient = self.resuming or self.unattended or bool(self._routes) or self._child is not None
        ours = self.address == HOSTED or _is_here(link.url)
        return not (answered or patient or ours) and is_local_only(link.url)

    def distrust(self) -> None:
        """Disconnect for good: the server's messages are invalid."""
        if self.link is not None:
            self.link.give_up()

    def send(self, message: Struct | bytes) -> bool:
        """Send a message; return False, and do nothing, while there is no connection."""
        if isinstance(message, Create | Join) and self.session is not None:
            message = self.session.seat_by(message, secrets.token_bytes(16))
        return self.link is not None and self.link.send(message)

    def touch(self) -> None:
        """Note that the player used this window."""
        if self.link is not None:
            self.link.touch()

    def ref(self) -> int:
        """Return a fresh number for a request."""
        return self.session.ref() if self.session is not None else 1

    def leave(self) -> bool:
        """Leave the table; return False while there is no connection."""
        return self.send(Leave(self.ref()))

    def _watch_child(self) -> str:
        """Connect once our own server is ready; return why it failed, if it did."""
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
            self._child = child.restarted()  # The connection keeps trying; every match is kept.
            return ""
        return child.words

    def _move_on(self) -> bool:
        """Start another server because these matches are in use; return False if that is hopeless.

        New matches may be kept elsewhere. A saved one is only here, but another window may hold its files for a moment
        only.
        """
        place = PRIVATE_HOMES.index(self.address) + 1 if self.address in PRIVATE_HOMES else len(PRIVATE_HOMES)
        if not self.resuming and place < len(PRIVATE_HOMES):
            self.address = PRIVATE_HOMES[place]
        elif self.resuming and self._revivals < _REVIVALS and self._child is not None and self._child.occupied:
            self._revivals += 1
        else:
            return False
        self._child = self._start()
        return True


def _is_here(url: str) -> bool:
    """Whether the address is this computer's own."""
    host = urlsplit(url).hostname or ""
    with contextlib.suppress(ValueError):
        return ip_address(host).is_loopback
    return host == "localhost"


def _home_network_advice(url: str) -> str:
    """Return what to do about an address of a home network at which no server answers."""
    return _(
        "{host} is an address inside one home network. If the host is elsewhere, ask for the public link, which "
        "“conquest host --public” shows.",
        host=urlsplit(url).hostname or "",
    )


def _routes_as_secure(routes: Sequence[str], seat: SavedSeat | None) -> list[str]:
    """Return the URLs without those less secure than the one by which the seat was taken.

    An attacker could block the secure one to make us use the other.
    """
    return [url for url in routes if seat is None or not seat.secure or url.startswith("wss://")]

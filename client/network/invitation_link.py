"""Link of a table for friends, which browsers and phones can open. Knows no window."""

from __future__ import annotations

import contextlib

from client.language import _
from client.network.addresses import lan_addresses
from client.network.public_link import public_link
from client.network.remote_server import RemoteServer
from client.player.seats import HOSTED, is_private
from protocol.links import sight_at, sight_of
from protocol.routes import routes_of
from shared.messages import TableState
from shared.tables import SeatKind, TablePhase


def invitation_link(remote: RemoteServer, table: TableState) -> str:
    """Return the page's address of a table for friends: for the internet if known, else for the local network.

    "" if no other computer could open it.
    """
    access, shown = remote.access, table.code or table.match
    if is_private(access.address):
        return ""
    public = public_link(remote, table)
    if public:
        return public
    home = home_link(remote, table)
    if home:
        return home
    with contextlib.suppress(ValueError):
        return sight_of(access.public or routes_of(access.address)[0], shown)
    return ""


def home_link(remote: RemoteServer, table: TableState) -> str:
    """Return the page's address of a table on our server for friends in our own network; "" if it is elsewhere.

    Many routers do not lead their own public address back into the home, so the public link works only elsewhere.
    """
    hosts = lan_addresses() if remote.access.address == HOSTED else []
    return sight_at(hosts[0], remote.access.port, table.code or table.match) if hosts else ""


def who_may_come(table: TableState) -> str:
    """Return a sentence on who can come by that link: players, or spectators."""
    if table.phase == TablePhase.GATHERING and any(seat.kind == SeatKind.FREE for seat in table.seats):
        return _("Friends with this link can sit down, or watch.")
    if table.phase == TablePhase.OVER:
        return _("Friends with this link can look at the end of the match.")
    return _("Friends with this link can watch. Players come back to their seats by it.")

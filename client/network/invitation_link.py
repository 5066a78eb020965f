"""Links of a table for friends, which browsers and phones can open, also from outside of the local network.

Knows no window.
"""

import contextlib

from client.language import _, heard
from client.network.addresses import lan_addresses
from client.network.remote_server import RemoteServer
from client.player.seats import HOSTED, is_private
from protocol.links import sight_at, sight_of
from protocol.routes import is_local_only, routes_of
from shared.messages import TableState
from shared.tables import SeatKind, TablePhase


def public_link(remote: RemoteServer, table: TableState) -> str:
    """Return the link for a browser, ``"https://play.example.org/watch#VENI42"``; "" if none is known.

    Without it, only computers in the server's own network reach the table. The link may change while the table is open.
    """
    url = public_url(remote)
    return sight_of(url, table.code or table.match) if url else ""


def public_url(remote: RemoteServer) -> str:
    """Return the WebSocket address of the server for clients elsewhere; "" if none is known."""
    if remote.public is not None and remote.public.url:
        return remote.public.url
    url = remote.access.link.url if remote.access.link is not None else ""
    return "" if is_local_only(url) else url


def public_report(remote: RemoteServer) -> str:
    """Return a sentence on why no public link works, with what to do next; "" if our server reported no trouble."""
    return heard(remote.public.report) if remote.public is not None else ""


def public_words(remote: RemoteServer, table: TableState) -> str:
    """Return a line for the host on what the server found out about its public address; "" before it did."""
    if remote.public is None and remote.access.keeps_router_shut:
        return _("Your server runs without a way in from elsewhere. End it with “conquest stop”, then host again; or "
                 "use a server: conquest host --at SERVER.")  # fmt: skip
    if remote.public is None:
        return ""
    link, report = public_link(remote, table), public_report(remote)
    return " ".join(filter(None, (_invitation_words(link) if link else "", report)))


def _invitation_words(link: str) -> str:
    if link.startswith("https://"):
        return _("Friends anywhere open {link}", link=link)
    return _("Friends anywhere open {link} (not encrypted: others on the way could read along)", link=link)


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

"""Link to a table that works from outside of the local network. Knows no window."""

from __future__ import annotations

from client.language import _, heard
from client.network.remote_server import RemoteServer
from protocol.links import sight_of
from protocol.routes import is_local_only
from shared.messages import TableState


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
    return " ".join(filter(None, (_invitation(link) if link else "", report)))


def _invitation(link: str) -> str:
    if link.startswith("https://"):
        return _("Friends anywhere open {link}", link=link)
    return _("Friends anywhere open {link} (not encrypted: others on the way could read along)", link=link)

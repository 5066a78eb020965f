"""Announcer of the table that we host: on the local network, and on the terminal from which the window was opened."""

import contextlib
from typing import TextIO

from client.network.addresses import lan_addresses
from client.network.invitation_link import public_words
from client.network.nearby import Nearby
from client.network.remote_server import RemoteServer
from client.player.seats import HOSTED
from client.player.settings import Settings
from protocol.announcement import Announcement
from protocol.links import joined, link_to, sight_at
from protocol.terminal_picture import qr_code
from shared.messages import TableState
from shared.tables import SeatKind, TablePhase


class LanAnnouncer:
    """Announcer of our hosted table. Unlisted tables are not announced."""

    def __init__(
        self, remote: RemoteServer, settings: Settings, nearby: Nearby, terminal: TextIO | None = None
    ) -> None:
        self._remote, self._settings, self._nearby, self._terminal = remote, settings, nearby, terminal
        self._told = ""
        """Table whose invitation was printed."""
        self._said = ""
        """Last printed line on the public address."""

    def update(self) -> None:
        """Update the announcement from the state of our table."""
        hosting = self._remote.access.address == HOSTED and self._remote.begun
        table = self._remote.match.table if self._remote.match is not None else None
        if not hosting:
            self._nearby.announce(None)
        elif table is None:
            self._nearby.announce(self._of_list(), self._remote.access.port)
        else:
            self._nearby.announce(self._of(table), self._remote.access.port)
            self._tell(table)
            self._tell_public(table)

    def _of(self, table: TableState) -> Announcement | None:
        """Return the announcement of the table where we are; None if it is unlisted or over."""
        if not table.open or table.phase == TablePhase.OVER:
            return None
        host = table.seats[table.you].name if table.you >= 0 else self._settings.name
        taken = sum(info.kind != SeatKind.FREE for info in table.seats)
        return Announcement(table.match, table.ruleset, table.title, host, len(table.seats), taken, table.phase)

    def _of_list(self) -> Announcement | None:
        """Return the announcement of the first table on our server that waits for players, for when we are at none."""
        going = [table for table in self._remote.lobby.listed() if table.phase != TablePhase.OVER]
        going.sort(key=lambda table: table.phase)
        if not going:
            return None
        table = going[0]
        return Announcement(table.match, table.ruleset, table.title, self._settings.name, table.seats, table.taken,
                            table.phase)  # fmt: skip

    def _tell(self, table: TableState) -> None:
        """Print the invitation, once for each table."""
        terminal = self._terminal
        if terminal is None or table.match == self._told or table.phase != TablePhase.GATHERING:
            return
        self._told = table.match
        if terminal.isatty():
            invite(lan_addresses(), self._remote.access.port, table, terminal)

    def _tell_public(self, table: TableState) -> None:
        """Print the link for friends elsewhere, or why there is none, when it changes."""
        line, terminal = public_words(self._remote, table), self._terminal
        if terminal is None or line == self._said:
            return
        self._said = line
        if line and terminal.isatty():
            print(f"conquest: {line}", file=terminal, flush=True)


def invite(hosts: list[str], port: int, table: TableState, terminal: TextIO) -> None:
    """Print all addresses, the code, and the links as QR codes: to play, and to watch in a browser."""
    link, sight = link_to(hosts[0], port, table.code), sight_at(hosts[0], port, table.code or table.match)
    print(f"conquest: friends join at {' or '.join(joined(host, port) for host in hosts)}, code {table.code}",
          file=terminal)  # fmt: skip
    print(f"conquest: or by this link: {link}", file=terminal, flush=True)
    _for_cameras(link, terminal)
    print(f"conquest: who looks on needs a browser only: {sight}", file=terminal, flush=True)
    _for_cameras(sight, terminal)


def _for_cameras(link: str, terminal: TextIO) -> None:
    with contextlib.suppress(UnicodeEncodeError):  # The terminal's encoding lacks the block characters.
        print(qr_code(link), file=terminal, flush=True)

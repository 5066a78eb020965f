"""The list of open tables, including those of other nodes, and its subscribers."""

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from protocol import codec
from server.bus.port import Bus
from server.clock import Clock
from server.delivery.outbox import Receiver
from server.delivery.outgoing import Outgoing
from server.delivery.peer import Peer
from server.lobby.remote_tables import RemoteTables
from shared.messages import LobbyChange, LobbyList, OpenLobby, TableInfo
from shared.tables import TablePhase

GATHER: Final = 0.5
"""Seconds for which changes of the list are collected."""
PAGE: Final = 100
"""Tables on one page of the list."""
HERE: Final = ""
"""Name of this node in the list."""


class _Listed(Struct):
    """Open table of the list, and the node that runs it. A newer table has a higher number."""

    number: int
    info: TableInfo
    node: str


def _channel(ruleset: str) -> str:
    """Return the channel of changes to the list of one rule set, or ("") of all."""
    return f"lobby.{ruleset}"


class TableList:
    """List of open tables of all nodes. `remote_tables` is told of this node's own tables."""

    def __init__(self, bus: Bus, clock: Clock, rulesets: Mapping[str, object], remote_tables: RemoteTables) -> None:
        self._bus = bus
        self._clock = clock
        self._remote_tables = remote_tables
        self.rulesets = rulesets
        self._readers: set[Receiver] = set()
        self._listed: dict[str, _Listed] = {}
        self._numbers = itertools.count(1)
        self._news: dict[str, tuple[LobbyChange, str]] = {}

    @property
    def _channels(self) -> list[str]:
        """Channels of changes to the list."""
        return [_channel(ruleset) for ruleset in ("", *self.rulesets)]

    @property
    def own(self) -> tuple[TableInfo, ...]:
        """The listed tables of this node."""
        return tuple(listed.info for listed in self._listed.values() if listed.node == HERE)

    def show(self, peer: Peer, message: OpenLobby) -> None:
        """Subscribe a peer to the list or end that, and send one page."""
        self.close(peer)
        if not message.on:
            return peer.tell(LobbyList(message.ref, ()))
        if _channel(message.ruleset) in self._channels:
            self._bus.subscribe(_channel(message.ruleset), peer.receiver)
            self._readers.add(peer.receiver)
        page = list(itertools.islice(self._wanted(message), PAGE + 1))
        below = page[PAGE - 1].number if len(page) > PAGE else 0
        return peer.tell(LobbyList(message.ref, tuple(listed.info for listed in page[:PAGE]), below))

    def is_open(self, peer: Peer) -> bool:
        """Whether a peer subscribes to the list."""
        return peer.receiver in self._readers

    def close(self, peer: Peer) -> None:
        """Unsubscribe a peer from the list."""
        self._readers.discard(peer.receiver)
        for channel in self._channels:
            self._bus.unsubscribe(channel, peer.receiver)

    def tell(self, message: Outgoing) -> None:
        """Send a message to all subscribers of the list."""
        for channel in self._channels:
            self._bus.publish(channel, message)

    def put(self, info: TableInfo, node: str = HERE) -> None:
        """Add or update a table that runs on that node."""
        listed = self._listed.get(info.match)
        if listed is None:
            self._listed[info.match] = _Listed(next(self._numbers), info, node)
        elif (listed.info, listed.node) == (info, node):
            return
        else:
            listed.info, listed.node = info, node
        self._spread(LobbyChange(info), node)

    def take(self, match: str, node: str = HERE) -> None:
        """Remove a table from the list of that node."""
        listed = self._listed.get(match)
        if listed is not None and listed.node == node:
            del self._listed[match]
            self._spread(LobbyChange(listed.info, gone=True), node)

    def hear(self, node: str, changes: Sequence[LobbyChange]) -> None:
        """Apply changes of another node's list."""
        for change in changes:
            if change.gone:
                self.take(change.table.match, node)
            else:
                self.put(change.table, node)

    def keep_only(self, node: str, matches: Iterable[str]) -> None:
        """Remove all tables of another node except `matches`."""
        kept = set(matches)
        for match in [match for match, listed in self._listed.items() if listed.node == node and match not in kept]:
            self.take(match, node)

    def of(self, node: str) -> Iterator[TableInfo]:
        """Return the listed tables of another node."""
        return (listed.info for listed in self._listed.values() if listed.node == node)

    def _wanted(self, message: OpenLobby) -> Iterator[_Listed]:
        """Yield the tables that match a request, the newest first."""
        for listed in reversed(self._listed.values()):
            info = listed.info
            if (
                (not message.below or listed.number < message.below)
                and message.ruleset in ("", info.ruleset)
                and (not message.gathering or info.phase == TablePhase.GATHERING)
            ):
                yield listed

    def _spread(self, change: LobbyChange, node: str) -> None:
        """Schedule a change for subscribers: at most one message in `GATHER` seconds, with each table's last change."""
        if not self._news:
            self._clock.call_later(GATHER, self._publish)
        self._news[change.table.match] = change, node

    def _publish(self) -> None:
        news, self._news = list(self._news.values()), {}
        self._remote_tables.tell_news([change for change, node in news if node == HERE])
        changes = [change for change, _ in news]
        frames = [codec.encode(change) for change in changes]
        self._bus.publish(_channel(""), Outgoing(*frames))
        for ruleset in {change.table.ruleset for change in changes}:
            of_it = [frame for frame, change in zip(frames, changes, strict=True) if change.table.ruleset == ruleset]
            self._bus.publish(_channel(ruleset), Outgoing(*of_it))

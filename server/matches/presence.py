"""Tracker of what the peers at a table were shown, so that arrivals and departures are sent as small messages."""

from collections.abc import Sequence

from msgspec.structs import replace

from shared.messages import Presence, SeatInfo, TableState
from shared.tables import LOOKING_ON, SeatKind


class Shown:
    """All that a peer may know of a table, from the states shown since all peers were shown the same one.

    States are those of a spectator. `host`: the peer that hosts the table without a seat.
    """

    def __init__(self, state: TableState, host: object) -> None:
        self._host = host
        self._rest: TableState | None = _beside(state)
        self._seats: list[set[SeatInfo]] = [set() for _ in state.seats]
        self._watchers: set[int] = set()
        self._some: set[str] = set()
        self._all = set(state.onlookers)
        self.aside(state)

    def aside(self, state: TableState) -> None:
        """Note that one peer alone is shown this state."""
        if self._rest != _beside(state):
            self._rest = None
        for infos, info in zip(self._seats, state.seats, strict=False):
            infos.add(info)
        self._watchers.add(state.watchers)
        self._some.update(state.onlookers)
        self._all.intersection_update(state.onlookers)

    def news(self, state: TableState, host: object) -> tuple[Presence, ...] | None:
        """Return messages that bring every peer to this state, whatever they know; None if only the whole state
        does."""
        if (self._host, self._rest) != (host, _beside(state)):
            return None
        seats = [
            Presence(seat, info.kind, info.bot)
            for seat, (infos, info) in enumerate(zip(self._seats, state.seats, strict=True))
            if infos != {info}
        ]
        return (*seats, *self._onlookers(state))

    def _onlookers(self, state: TableState) -> Sequence[Presence]:
        came = tuple([name for name in state.onlookers if name not in self._all])
        gone = tuple(sorted(self._some.difference(state.onlookers)))
        if not (came or gone) and self._watchers == {state.watchers}:
            return ()
        return (Presence(LOOKING_ON, watchers=state.watchers, came=came, gone=gone),)


def _beside(state: TableState) -> TableState:
    """Return the state without anything that changes when people come and go."""
    seats = tuple([SeatInfo(SeatKind.FREE, info.name) for info in state.seats])
    return replace(state, seats=seats, watchers=0, onlookers=())

"""Moments of this round and the last one to which the players may wish to go back."""

from collections.abc import Sequence
from typing import Any, Final

from client.network.table_events import MomentKind, NamedVersion, WentBack
from shared.ids import NATURE, Seat
from shared.kernel.frames import Event
from shared.kernel.ruleset import AnyRuleset
from shared.vocabulary.events import BattleBegan, TurnStart

KEPT: Final = 60


class Moments:
    """Moments of a match, as far as this client has seen them."""

    def __init__(self) -> None:
        self._moments: list[NamedVersion] = []
        self._rounds: list[tuple[tuple[int, ...], int]] = []
        self._decision: NamedVersion | None = None
        """Decision that is awaited now."""
        self._last: NamedVersion | None = None
        """Decision before that."""
        self._own: list[int] = []
        """Versions at which this seat decided, as far as this client knows."""
        self._own_before = False
        """Whether this seat had decided before this client came."""

    def hear(self, version: int, events: Sequence[Event]) -> None:
        """Note the moments in a version's events."""
        for event in events:
            match event:
                case WentBack():
                    self._moments = [moment for moment in self._moments if moment.version <= event.to]
                    self._rounds = [begun for begun in self._rounds if begun[1] <= event.to]
                    self._decision = self._last = None
                    # A decision made in the position itself is open again.
                    self._own = [version for version in self._own if version < event.to]
                case BattleBegan():
                    # The version before: in this one the battle has begun.
                    self._keep(NamedVersion(version - 1, MomentKind.BATTLE, event.attacker, event.space))
                case TurnStart():
                    self._keep(NamedVersion(version, MomentKind.TURN, event.seat))

    def see(self, version: int, rules: AnyRuleset, view: Any, owed: Sequence[Seat]) -> None:
        """Note the position of a version."""
        number = rules.round_of(view)
        if not self._rounds or self._rounds[-1][0] != number:
            if self._rounds:
                self._keep(NamedVersion(version, MomentKind.ROUND, round=number))
            self._rounds.append((number, version))
        # The same position is seen again after a new connection.
        if owed and NATURE not in owed and (self._decision is None or version > self._decision.version):
            self._last, self._decision = self._decision, NamedVersion(version, MomentKind.DECISION, owed[0])

    def _keep(self, moment: NamedVersion) -> None:
        # One moment for each version: going back to either of two would be the same.
        self._moments = [*[other for other in self._moments if other.version != moment.version], moment][-KEPT:]

    def decide(self, version: int) -> None:
        """Note that this seat decided at a version."""
        self._own.append(version)

    def decided_before(self) -> None:
        """Note that this seat had decided before this client came."""
        self._own_before = not self._own

    @property
    def decided(self) -> bool:
        """Whether this seat has made a decision in this round or the last one, as far as this client knows."""
        before = self._own_before and len(self._rounds) <= 2
        return before or any(version >= self._earliest_version for version in self._own)

    @property
    def _earliest_version(self) -> int:
        """Version at which the round before this one began."""
        return self._rounds[-2][1] if len(self._rounds) > 1 else 0

    def before(self, version: int) -> list[NamedVersion]:
        """Return the moments before that version to which the match could go back, the latest first."""
        earliest = self._earliest_version
        last = [self._last] if self._last is not None else []
        found = {moment.version: moment for moment in (*last, *self._moments) if earliest <= moment.version < version}
        return sorted(found.values(), key=lambda moment: -moment.version)

    def at(self, version: int) -> NamedVersion | None:
        """Return the moment at that version, None if there is none."""
        last = [self._last] if self._last is not None else []
        return next((moment for moment in (*self._moments, *last) if moment.version == version), None)

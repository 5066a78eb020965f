"""Draft of a naval move: galleys, one sea zone, and perhaps a battle."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from client.table.desk import Check
from shared.ids import NONE, Seat, Space
from shared.rulesets.cote2.actions import Sail
from shared.rulesets.cote2.state import GALLEYS, OFF, allied, galleys_at
from shared.rulesets.cote2.table import Table


class Voyage(Struct, frozen=True):
    """Draft with the fields of `Sail`. Galleys of `galleys` that are at `to` already stay there."""

    galleys: tuple[int, ...] = ()
    to: Space = NONE
    zone: Space = NONE
    enemy: Seat = NONE

    def order(self, table: Table) -> Sail:
        """Return the move as an action."""
        sailing = tuple([g for g in self.galleys if table.galley_at[g] != self.to]) if self.to != NONE else ()
        return Sail(self.to if sailing else NONE, sailing, self.zone, self.enemy)


def choose(table: Table, seat: Seat, voyage: Voyage, zone: Space, count: int) -> Voyage:
    """Choose `count` galleys of a zone, beside those of other zones.

    The target stays; the battle must be chosen again.
    """
    here = galleys_at(table, seat, zone)
    others = [g for g in voyage.galleys if g not in here]
    return replace(voyage, galleys=tuple(sorted([*others, *here[: max(0, count)]])), zone=NONE, enemy=NONE)


def fights(table: Table, seat: Seat, voyage: Voyage, check: Check) -> list[tuple[Space, Seat]]:
    """Return (zone, enemy) pairs that could be attacked after the voyage, those at its end first."""
    found = {(at, g // GALLEYS) for g, at in enumerate(table.galley_at) if at != OFF}
    foes = sorted([(zone, enemy) for zone, enemy in found if not allied(table, seat, enemy)])
    legal = [(z, e) for z, e in foes if check(replace(voyage, zone=z, enemy=e).order(table)) is None]
    return sorted(legal, key=lambda fight: fight[0] != voyage.to)

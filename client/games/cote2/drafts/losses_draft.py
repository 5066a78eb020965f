"""Draft of losses: a number of units out of several lots of equal units."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from shared.ids import GALLEY, NONE, Seat, Space
from shared.rulesets.cote2.actions import Lose
from shared.rulesets.cote2.frames import Casualties
from shared.rulesets.cote2.state import ALIENS, GALLEYS
from shared.rulesets.cote2.table import Table


class Lot(Struct, frozen=True):
    """Equal units. `owner`: a seat, or ALIENS for units of a diplomacy card. Galleys are listed by number and zone."""

    owner: Seat
    kind: int
    size: int
    galleys: tuple[int, ...] = ()
    zone: Space = NONE


def lots(table: Table, frame: Casualties) -> list[Lot]:
    """Return all units that may fall, own units first."""
    return sorted(_lots(table, frame), key=lambda lot: (lot.owner != frame.seat, lot.owner, lot.kind, lot.zone))


def _lots(table: Table, frame: Casualties) -> Iterator[Lot]:
    for i in range(0, len(frame.army), 4):
        for kind in range(3):
            if frame.army[i + 1 + kind]:
                yield Lot(frame.army[i], kind, frame.army[i + 1 + kind])
    fleets: dict[tuple[Seat, Space], list[int]] = {}
    for galley in frame.galleys:
        fleets.setdefault((galley // GALLEYS, table.galley_at[galley]), []).append(galley)
    for (owner, zone), fleet in fleets.items():
        yield Lot(owner, GALLEY, len(fleet), tuple(fleet), zone)
    if frame.extra:
        yield Lot(ALIENS, GALLEY, frame.extra)


class Losses(Struct, frozen=True):
    """Draft of losses. `counts`: how many of each lot fall; `hits`: how many must fall."""

    lots: tuple[Lot, ...]
    hits: int
    counts: tuple[int, ...]

    @property
    def missing(self) -> int:
        """Number of units still to be chosen."""
        return self.hits - sum(self.counts)

    def order(self) -> Lose:
        """Return the losses as an action."""
        armies: dict[Seat, list[int]] = {}
        galleys: tuple[int, ...] = ()
        extra = 0
        for lot, count in zip(self.lots, self.counts, strict=True):
            if lot.kind != GALLEY:
                armies.setdefault(lot.owner, [0, 0, 0])[lot.kind] += count
            elif lot.galleys:
                galleys += lot.galleys[:count]
            else:
                extra += count
        groups = tuple([(owner, a[0], a[1], a[2]) for owner, a in sorted(armies.items()) if any(a)])
        return Lose(groups, galleys, extra)

    def add(self, at: int, by: int) -> Losses:
        """Choose one more or fewer of a lot.

        If all hits are assigned, one more replaces a unit of the largest other choice.
        """
        counts = list(self.counts)
        if by > 0 and counts[at] < self.lots[at].size:
            if not self.missing:
                others = [k for k in range(len(counts)) if k != at and counts[k]]
                if not others:
                    return self
                counts[max(others, key=lambda k: (counts[k], k))] -= 1
            counts[at] += 1
        elif by < 0 and counts[at]:
            counts[at] -= 1
        return Losses(self.lots, self.hits, tuple(counts))


def suggested(table: Table, frame: Casualties, lose: Lose) -> Losses:
    """Return a choice of losses as a draft."""
    armies = {owner: army for owner, *army in lose.armies}
    counts = []
    found = lots(table, frame)
    for lot in found:
        if lot.kind != GALLEY:
            counts.append(armies[lot.owner][lot.kind] if lot.owner in armies else 0)
        else:
            counts.append(len(set(lot.galleys) & set(lose.galleys)) if lot.galleys else lose.extra)
    return Losses(tuple(found), frame.hits, tuple(counts))

"""Sea transport: whether fleets can serve all wanted landings."""

from collections.abc import Mapping, Sequence

from shared.ids import Space


def can_serve(wanted: Mapping[Space, int], capacity: Mapping[Space, int], zones: Sequence[Sequence[Space]]) -> bool:
    """Whether units can be shared out: `wanted` by province, `capacity` by sea zone, `zones` adjacent to a province.

    A maximum flow by augmenting paths; there are only a few provinces and zones.
    """
    left = dict(capacity)
    given: dict[tuple[Space, Space], int] = {}
    for province, units in wanted.items():
        for _ in range(units):
            if not _give(province, left, given, zones, set(), wanted):
                return False
    return True


def _give(
    province: Space,
    left: dict[Space, int],
    given: dict[tuple[Space, Space], int],
    zones: Sequence[Sequence[Space]],
    seen: set[Space],
    wanted: Mapping[Space, int],
) -> bool:
    """Find a berth for one more unit, if need be by moving another unit to another zone. False if there is none."""
    for zone in zones[province]:
        if zone in seen or zone not in left:
            continue
        seen.add(zone)
        if left[zone] > 0:
            left[zone] -= 1
            given[province, zone] = given.get((province, zone), 0) + 1
            return True
        for other in wanted:
            if given.get((other, zone), 0) and _give(other, left, given, zones, seen, wanted):
                given[other, zone] -= 1
                given[province, zone] = given.get((province, zone), 0) + 1
                return True
    return False

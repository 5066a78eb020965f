"""Checks of a position that all games share. Each returns the faults found, [] for a sound position; a fault is a
bug.
"""

from collections.abc import Sequence
from operator import ge

from shared.board import BOARD
from shared.ids import NONE
from shared.kernel.frames import Frame
from shared.mechanics.armies import total
from shared.mechanics.pieces import ABOARD, PRISON, alive
from shared.mechanics.table import Built, Pieces
from shared.mechanics.tribute import CITY_TRIBUTE
from shared.vocabulary.frames import Setup, Turn


def check_frames(frames: Sequence[Frame]) -> list[str]:
    """Check that the lowest frame is the setup or a turn, and that numbers rise."""
    wrong = []
    if not isinstance(frames[0], Turn | Setup):
        wrong.append(f"the lowest frame is {frames[0]!r}")
    numbers = [frame.no for frame in frames]
    if any(map(ge, numbers, numbers[1:])):
        wrong.append(f"frame numbers {numbers} do not rise")
    return wrong


def check_markers(table: Pieces) -> list[str]:
    """Check that markers are the value of the property, that eliminated seats own none and that no seat is in debt."""
    wrong = []
    # One more entry: NONE is -1 and so counts into the last one.
    marker = [0] * (table.seats + 1)
    for owner, tribute, built in zip(table.owner, BOARD.tribute, table.built, strict=False):
        marker[owner] += tribute + CITY_TRIBUTE if built else tribute
    marker.pop()  # The last entry is NONE: provinces without an owner.
    if marker != table.marker:
        wrong.append(f"markers {table.marker} are not the value of the property {marker}")
    out = [seat for seat in set(table.owner) if seat != NONE and not alive(table, seat)]
    wrong += [f"seat {seat}, which is out, owns provinces" for seat in out]
    if min(table.talents) < 0:
        wrong.append(f"negative talents {table.talents}")
    return wrong


def check_buildings(table: Pieces, cities: int, fortifications: int, roads: int) -> list[str]:
    """Check that there are no more buildings than pieces, and that every road joins two cities, none twice."""
    wrong = []
    walls = table.built.count(Built.FORTIFIED)
    if table.built.count(Built.CITY) + walls > cities or walls > fortifications or len(table.roads) > roads:
        wrong.append("more cities, fortifications or roads than there are pieces")
    return wrong + [
        f"the road along {BOARD.edges[road]} does not join two cities"
        for road in table.roads
        if not all(table.built[end] for end in BOARD.edges[road]) or table.roads.count(road) > 1
    ]


def check_cargo(table: Pieces, most: int) -> list[str]:
    """Check that units are carried at sea only, with a leader, and at most `most` of them."""
    wrong = []
    led = {at - ABOARD for at in table.leader_at if ABOARD <= at < PRISON}
    for galley, cargo in enumerate(table.cargo):
        if cargo and (galley not in led or not 0 < total(cargo) <= most or min(cargo) < 0):
            wrong.append(f"galley {galley} carries {cargo}, leaders aboard: {galley in led}")
        if cargo and not BOARD.is_sea(table.galley_at[galley]):
            wrong.append(f"galley {galley} carries {cargo} at {table.galley_at[galley]}")
    return wrong

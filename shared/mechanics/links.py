"""Pairs of provinces that a road could join, and the roads that run to a province."""

from collections.abc import Collection, Sequence

from shared.board import BOARD
from shared.ids import Space


def borders_within(spaces: Collection[Space]) -> list[int]:
    """Return the land borders (indices into `BOARD.edges`) with both ends among the spaces."""
    index = BOARD.edge_index
    return [index[a, b] for a in sorted(spaces) for b in BOARD.land[a] if a < b and b in spaces]


def roads_without(roads: Sequence[int], space: Space) -> list[int]:
    """Return the roads that do not run to a space."""
    return [road for road in roads if space not in BOARD.edges[road]]

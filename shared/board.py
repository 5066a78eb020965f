"""The printed board: spaces, neighbours, straits, coasts, values. Static, shared by all matches, never copied."""

from functools import cache
from importlib import resources
from typing import Final

import msgspec
from msgspec import Struct

from shared.ids import Position, Space


class _Coast(Struct):
    id: str
    seas: list[str]


class _Province(Struct):
    key: str
    name: str
    tribute: int
    land: list[str]
    sea: list[str]
    island: bool = False
    home: bool = False
    coasts: list[_Coast] = []


class _Sea(Struct):
    key: str
    name: str
    sea: list[str]


class _Strait(Struct):
    key: str
    joins: tuple[str, str]
    seas: list[str]


class _Disputed(Struct):
    option: str
    joins: tuple[str, str]


class _File(Struct):
    provinces: list[_Province]
    seas: list[_Sea]
    straits: list[_Strait]
    disputed: list[_Disputed]


class Board(Struct, frozen=True):
    """Facts about the printed board; every tuple is indexed by space unless it says otherwise.

    keys, names: machine and printed names. tribute: talents a year, 0 for sea zones.
    neighbours: spaces with a common printed border, straits not counted.
    land: adjacent provinces over land. coast_seas: indexed by *position*, the sea zones which that coast touches
    (for a sea zone: the adjacent sea zones). landings: by sea zone, the coast positions a galley may land on.
    straits: pairs of provinces joined by a crossing. edges: land borders as sorted pairs (roads run there).
    """

    provinces: int
    spaces: int
    positions: int
    keys: tuple[str, ...]
    names: tuple[str, ...]
    tribute: tuple[int, ...]
    homes: frozenset[Space]
    neighbours: tuple[tuple[Space, ...], ...]
    land: tuple[tuple[Space, ...], ...]
    coast_seas: tuple[tuple[Space, ...], ...]
    landings: tuple[tuple[Position, ...], ...]
    coasts: tuple[tuple[Position, ...], ...]
    ashore: tuple[Space, ...]
    coast_names: tuple[str, ...]
    straits: tuple[tuple[Space, Space], ...]
    strait_seas: tuple[tuple[Space, ...], ...]
    edges: tuple[tuple[Space, Space], ...]
    edge_index: dict[tuple[Space, Space], int]
    disputed: tuple[tuple[str, Space, Space], ...]

    def space(self, key: str) -> Space:
        """Return the space with that key; KeyError names an unknown one."""
        try:
            return self.keys.index(key)
        except ValueError:
            raise KeyError(f"no space is called {key!r}") from None

    def is_sea(self, position: Position) -> bool:
        """Whether a galley at that position is out at sea."""
        return self.provinces <= position < self.spaces

    def where(self, position: Position) -> str:
        """Return the name of a position, with the coast if a province has two: ``"Italia (west coast)"``."""
        coast = self.coast_names[position]
        name = self.names[self.ashore[position]]
        return f"{name} ({coast} coast)" if coast else name


def _load() -> Board:
    raw = resources.files("shared").joinpath("data/board.json").read_bytes()
    file = msgspec.json.decode(raw, type=_File)
    keys = [p.key for p in file.provinces] + [s.key for s in file.seas]
    index = {key: i for i, key in enumerate(keys)}
    n = len(file.provinces)
    land = [tuple(index[k] for k in p.land) for p in file.provinces]
    sea_of = [tuple(index[k] for k in s.sea) for s in file.seas]
    coast_seas: list[tuple[int, ...]] = []
    second: list[tuple[int, ...]] = []
    ashore = list(range(len(keys)))
    coast_names = [""] * len(keys)
    coasts: list[tuple[int, ...]] = []
    for i, p in enumerate(file.provinces):
        if not p.coasts:
            coast_seas.append(tuple(index[k] for k in p.sea))
            coasts.append((i,) if p.sea else ())
            continue
        first, other = p.coasts
        coast_seas.append(tuple(index[k] for k in first.seas))
        coast_names[i] = first.id
        # The second coast gets a position of its own behind all spaces; the first one shares the province's number.
        coasts.append((i, len(keys) + len(second)))
        second.append(tuple(index[k] for k in other.seas))
        ashore.append(i)
        coast_names.append(other.id)
    # In the order of positions: provinces, sea zones, second coasts.
    coast_seas += sea_of + second
    # Sea zones are left out: a galley sails to them, it does not land.
    landings = tuple(
        tuple(pos for pos, seas in enumerate(coast_seas) if not n <= pos < len(keys) and sea in seas)
        for sea in range(n, len(keys))
    )
    neighbours = [land[i] + tuple(index[k] for k in p.sea) for i, p in enumerate(file.provinces)]
    neighbours += [sea_of[i] + tuple(sorted({ashore[pos] for pos in landings[i]})) for i in range(len(file.seas))]
    edges = tuple((a, b) for a in range(n) for b in land[a] if a < b)
    return Board(
        provinces=n,
        spaces=len(keys),
        positions=len(ashore),
        keys=tuple(keys),
        names=tuple([p.name for p in file.provinces] + [s.name for s in file.seas]),
        tribute=tuple([p.tribute for p in file.provinces] + [0] * len(file.seas)),
        homes=frozenset(i for i, p in enumerate(file.provinces) if p.home),
        neighbours=tuple(neighbours),
        land=tuple(land),
        coast_seas=tuple(coast_seas),
        landings=tuple(() for _ in range(n)) + landings,
        coasts=tuple(coasts),
        ashore=tuple(ashore),
        coast_names=tuple(coast_names),
        straits=tuple((index[s.joins[0]], index[s.joins[1]]) for s in file.straits),
        strait_seas=tuple(tuple(index[k] for k in s.seas) for s in file.straits),
        edges=edges,
        edge_index={edge: i for i, edge in enumerate(edges)},
        disputed=tuple((d.option, index[d.joins[0]], index[d.joins[1]]) for d in file.disputed),
    )


BOARD: Final[Board] = _load()


@cache
def land_steps(straits_open: bool, extra: tuple[tuple[Space, Space], ...] = ()) -> tuple[tuple[Space, ...], ...]:
    """Return the provinces one step away over land, by province; `extra`: borders that a match option opens."""
    steps = [set(adjacent) for adjacent in BOARD.land]
    for a, b in (BOARD.straits if straits_open else ()) + extra:
        steps[a].add(b)
        steps[b].add(a)
    return tuple(tuple(sorted(s)) for s in steps)

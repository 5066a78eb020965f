"""Pictures of positions: a drawing of the board as SVG, for notebooks and pages."""

from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from importlib import resources
from typing import Any, Final

import msgspec
from msgspec import Struct

from shared.board import BOARD
from shared.ids import NONE
from shared.mechanics.armies import armies
from shared.mechanics.pieces import ABOARD, OFF

_SEA: Final = "#c3d5dc"
_LAND: Final = "#ece0c4"
_INK: Final = "#4a3a28"
_LINE: Final = 44
"""Height of a line of text, in units of the board."""
_HEAD: Final = 90
_SHIP: Final = "M-34 -14h68l-14 22h-40zM-3 -20v-44l32 44z"
"""Hull and sail, above a token."""
_OWNED: Final = 0.55
"""Strength of an owner's colour over a province."""


class _Board(Struct):
    """Shapes of the board, from `outlines.json`. Flat lists hold x and y in turn."""

    width: int
    height: int
    land: list[str]
    waters: list[str]
    labels: list[tuple[float, float, float, int, list[str]]]
    anchors: list[list[tuple[int, int]]]
    cities: list[tuple[int, int] | None]
    harbours: list[tuple[int, int]]
    colours: list[tuple[tuple[int, int, int], str]]


@cache
def _board() -> _Board:
    raw = resources.files("conquest").joinpath("outlines.json").read_bytes()
    return msgspec.json.decode(raw, type=_Board)


def svg(position: Any, width: int = 900) -> str:
    """Return a picture of a game or a view as SVG, `width` pixels wide.

    Provinces have the colour of their owner. Discs show units as infantry, cavalry and catapults, and a star with a
    leader; squares are cities, with a frame if fortified; ships show the number of galleys.

    >>> import conquest
    >>> conquest.svg(conquest.new("classic", seats=2, seed=1)).startswith("<svg xmlns=")
    True
    """
    view = getattr(position, "view", position)
    if not hasattr(view, "owners"):
        raise TypeError(f"position must be a game or a view, not {position!r}.")
    board = _board()
    height = board.height + _HEAD
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{round(width * height / board.width)}" '
        f'viewBox="0 {-_HEAD} {board.width} {height}" font-family="serif" text-anchor="middle">'
    )
    return "".join((head, *_parts(view, board), "</svg>"))


def _parts(view: Any, board: _Board) -> Iterator[str]:
    yield f'<rect y="{-_HEAD}" width="{board.width}" height="{board.height + _HEAD}" fill="{_SEA}"/>'
    yield f'<g fill="none" stroke="#fff" stroke-width="3" opacity=".6">{_paths(board.waters)}</g>'
    yield f'<g fill="{_LAND}" stroke="{_INK}" stroke-width="4">{_paths(board.land)}</g>'
    yield from _owners(view.raw, board)
    yield from _names(board)
    yield from _cities(view.raw, board)
    yield from _armies(view, board)
    yield from _ships(view, board)
    yield from _legend_elements(view, board)


def _paths(lines: Sequence[str]) -> str:
    return "".join([f'<path d="{line}"/>' for line in lines])


def _colour(board: _Board, seat: int) -> str:
    red, green, blue = board.colours[seat][0]
    return f"rgb({red},{green},{blue})"


def _owners(raw: Any, board: _Board) -> Iterator[str]:
    for space, seat in enumerate(raw.owner):
        if seat != NONE:
            yield f'<path d="{board.land[space]}" fill="{_colour(board, seat)}" fill-opacity="{_OWNED}"/>'


def _names(board: _Board) -> Iterator[str]:
    for x, y, size, slope, lines in board.labels:
        for number, line in enumerate(lines):
            turned = f' transform="rotate({slope} {x} {y})"' if slope else ""
            at = round(y + (number - (len(lines) - 1) / 2) * size)
            yield f'<text x="{x}" y="{at}" font-size="{size}" fill="{_INK}" opacity=".8"{turned}>{escape(line)}</text>'


def _cities(raw: Any, board: _Board) -> Iterator[str]:
    for space, kind in enumerate(raw.built):
        at = board.cities[space]
        if kind and at is not None:
            x, y = at
            frame = 10 if kind > 1 else 3
            yield f'<rect x="{x - 18}" y="{y - 18}" width="36" height="36" fill="#fff" stroke="{_INK}" ' \
                  f'stroke-width="{frame}"/>'  # fmt: skip


def _armies(view: Any, board: _Board) -> Iterator[str]:
    raw = view.raw
    led: dict[tuple[int, int], int] = {}
    for leader in view.leaders:
        if leader.place in BOARD.names:
            key = BOARD.names.index(leader.place), leader.seat
            led[key] = led.get(key, 0) + 1
    groups = {(space, seat): army for space, cell in enumerate(raw.units) for seat, army in armies(cell)}
    taken: dict[int, int] = {}
    for space, seat in sorted({*groups, *led}):
        place = taken[space] = taken.get(space, -1) + 1
        anchors = board.anchors[space]
        x, y = anchors[place % len(anchors)]
        words = "·".join([str(n) for n in groups.get((space, seat), ())]) + "★" * bool(led.get((space, seat)))
        yield _token(board, seat, x, y, words, rounded=38)


def _token(board: _Board, seat: int, x: int, y: int, words: str, rounded: int) -> str:
    wide = 40 + 20 * len(words)
    ink = board.colours[seat][1]
    return (
        f'<rect x="{x - wide // 2}" y="{y - 36}" width="{wide}" height="72" rx="{rounded}" '
        f'fill="{_colour(board, seat)}" stroke="{_INK}" stroke-width="4"/>'
        f'<text x="{x}" y="{y + 15}" font-size="{_LINE}" fill="{ink}">{escape(words)}</text>'
    )


def _ships(view: Any, board: _Board) -> Iterator[str]:
    raw = view.raw
    each = len(raw.galley_at) // view.seats
    # In Conquest II no player takes over the pieces of another, so it has no lords.
    lords = getattr(raw, "lord", range(view.seats))
    fleets: dict[tuple[int, int], list[int]] = {}
    for galley, at in enumerate(raw.galley_at):
        if at != OFF:
            fleets.setdefault((at, lords[galley // each]), []).append(galley)
    aboard = {at - ABOARD for at in raw.leader_at if ABOARD <= at < ABOARD + len(raw.galley_at)}
    for number, ((at, seat), galleys) in enumerate(sorted(fleets.items())):
        x, y = board.harbours[at]
        words = f"{len(galleys)}" + "★" * bool(aboard & {*galleys})
        x, y = x + 30 * (number % 2), y + 30
        yield _token(board, seat, x, y, words, rounded=8)
        # Drawn rather than written: many fonts have no ship.
        yield f'<path d="{_SHIP}" transform="translate({x} {y - 36})" fill="#fff" stroke="{_INK}" stroke-width="4"/>'


def _legend_elements(view: Any, board: _Board) -> Iterator[str]:
    wide = board.width // (view.seats + 1)
    yield f'<text x="{wide // 2}" y="-30" font-size="{_LINE}" fill="{_INK}">Round {view.round}</text>'
    for seat, name in enumerate(view.names):
        words = f"{name}: {view.money[seat]}"
        yield _token(board, seat, wide // 2 + wide * (seat + 1), -45, words, rounded=38)

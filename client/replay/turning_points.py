"""Turning points of a match: the moments after which the chances to win changed most.

The chances are an estimate from what each seat has: its shares of all numbers that the charts of the game show. The
later in the match, the more a lead counts.
"""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from client.replay.film_analysis import MatchHighlight, MatchStatistics
from client.replay.game_replay import HighlightKind
from shared.ids import NONE, Seat, Space

MOST: Final = 3
"""Number of turning points."""
_EARLY, _LATE = 1.0, 5.0
"""Powers of the shares at the beginning and at the end of the match."""
_APART: Final = 0.04
"""Least distance of two turning points, as a share of the match."""
_LEAST: Final = 0.01
"""Smallest change of a chance that counts."""


class TurningPoint(Struct, frozen=True):
    """Moment of a match. `version`: the one before its event. `space`: its battle's, or NONE. `before`, `after`: the
    chance of the seat for which it changed most."""

    version: int
    words: str
    heading: str
    space: Space
    seat: Seat
    before: float
    after: float


def chances(report: MatchStatistics, version: int, span: tuple[int, int], now: int | None = None) -> list[float]:
    """Return the estimated chance of each seat to win, in a version of a match.

    `span`: its first and last version. `now`: the version whose time counts, if not the same; two positions are
    compared at the same time, as a lead counts more by time alone.
    """
    if not report.series:
        return []
    seats = range(len(report.series[0]))
    shares = [0.0 for _seat in seats]
    for measure in report.series:
        values = [max(0, _at(points, version)) for points in measure]
        total = sum(values)
        for seat in seats:
            shares[seat] += values[seat] / total if total else 1 / len(seats)
    gone = ((version if now is None else now) - span[0]) / max(1, span[1] - span[0])
    power = _EARLY + (_LATE - _EARLY) * gone
    weights = [share**power for share in shares]
    whole = sum(weights)
    return [weight / whole if whole else 1 / len(shares) for weight in weights]


def _at(points: Sequence[tuple[int, int]], version: int) -> int:
    """Return the value of a curve in a version."""
    i = bisect_right(points, version, key=lambda point: point[0]) - 1
    return points[max(0, i)][1] if points else 0


def turning_points(report: MatchStatistics, span: tuple[int, int]) -> list[TurningPoint]:
    """Return the turning points of a match in their order. `span`: its first and last version."""
    events = [
        mark for mark in report.marks if mark.kind not in (HighlightKind.ROUND, HighlightKind.SCORE, HighlightKind.END)
    ]
    found = [_turn(report, mark, _end(report.marks, mark, span[1]), span) for mark in events]
    found.sort(key=lambda point: -abs(point.after - point.before))
    chosen: list[TurningPoint] = []
    for point in found:
        far = all(abs(point.version - other.version) >= _APART * (span[1] - span[0]) for other in chosen)
        if far and abs(point.after - point.before) >= _LEAST and len(chosen) < MOST:
            chosen.append(point)
    return sorted(chosen, key=lambda point: point.version)


def _end(marks: Sequence[MatchHighlight], mark: MatchHighlight, last: int) -> int:
    """Return the last version that still belongs to a marked event: the one before the next mark."""
    return next((other.version - 1 for other in marks if other.version > mark.version), last)


def _turn(report: MatchStatistics, mark: MatchHighlight, end: int, span: tuple[int, int]) -> TurningPoint:
    start = max(span[0], mark.version - 1)
    end = max(end, mark.version)
    # Both weighted as at the end: a change must come from what was won and lost, not from the time that passed.
    before, after = chances(report, start, span, end), chances(report, end, span)
    # Rounded, so that noise of floats does not choose between equal changes; of those a gain comes first.
    changes = [round(late - early, 9) for early, late in zip(before, after, strict=True)]
    seat = max(range(len(changes)), key=lambda seat: (abs(changes[seat]), changes[seat]), default=NONE)
    space = next((battle.space for battle in report.battles if battle.version == mark.version), NONE)
    headings = [
        other.words for other in report.marks if other.kind is HighlightKind.ROUND and other.version <= mark.version
    ]
    change = (before[seat], after[seat]) if seat >= 0 else (0.0, 0.0)
    return TurningPoint(start, mark.deed or mark.words, headings[-1] if headings else "", space, seat, *change)

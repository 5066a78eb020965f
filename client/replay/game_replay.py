"""Descriptions of the games for replays: a value for each rule set. `T`: the type of its positions."""

from collections.abc import Callable, Mapping, Sequence
from enum import Enum, auto
from typing import Any, Final, Generic, TypeVar

from msgspec import Struct

from client.language import _, ngettext
from shared.ids import NONE, Seat, Space
from shared.kernel.frames import Event
from shared.odds.dice import Hits

T = TypeVar("T", contravariant=True)


class HighlightKind(Enum):
    """Kind of a highlight."""

    ROUND = auto()
    BATTLE = auto()
    AUCTION = auto()
    VOTE = auto()
    CAPTURE = auto()
    SCORE = auto()
    END = auto()


KINDS: Final[Mapping[HighlightKind, str]] = {
    HighlightKind.ROUND: _("Round"),
    HighlightKind.BATTLE: _("Battle"),
    HighlightKind.AUCTION: _("Auction"),
    HighlightKind.VOTE: _("Vote"),
    HighlightKind.CAPTURE: _("Capture"),
    HighlightKind.SCORE: _("Points"),
    HighlightKind.END: _("The end"),
}
"""Names of the kinds."""


class Measure(Struct, Generic[T], frozen=True):
    """Number that each seat has in every position."""

    name: str
    value: Callable[[T, Seat], int]


class Income(Struct, frozen=True):
    """Gain or loss of a seat and its source: `source` in general, `detail` exactly."""

    seat: Seat
    source: str
    detail: str
    amount: int


Concerns = Mapping[type[Event], tuple[str, ...]]
"""Fields of an event, by its type, that name the seats that it concerns."""


def concerned(table: Concerns, event: Event, seat: Seat) -> bool:
    """Whether such a table says that an event concerns a seat."""
    found = [getattr(event, field) for field in table.get(type(event), ())]
    return any(value == seat or (isinstance(value, tuple) and seat in value) for value in found)


def _no_seat(_event: Event, _seat: Seat, _before: Any) -> bool:
    return False


def _no_owner(_position: Any, _space: Space) -> Seat:
    return NONE


def _rounds(count: int) -> str:
    return ngettext("{n} round", "{n} rounds", count)


class GameReplay(Struct, Generic[T], frozen=True):
    """Description of a game for replays.

    `heading`: text such as ``"Round 3"``; where it changes, a round begins. `mark`: an event's highlight, by the
    position before it. `measures`: numbers drawn over time. `earned`: name of what `incomes` count. `rolling`: the
    probability of each number of hits of the due dice in a position, and the rolling seat. `concerns`: whether an event
    matters to a seat that was away, by the position before it. `holder`: owner of a province on a small picture of a
    position, NONE for none. `counted`: a number of rounds in words. `outcome`: whether an event is the result of the
    last highlight, and tells more than its beginning.
    """

    heading: Callable[[T], str]
    mark: Callable[[Event, T], HighlightKind | None]
    measures: tuple[Measure[T], ...]
    earned: str
    incomes: Callable[[Event], Sequence[Income]]
    rolling: Callable[[T, Seat], Hits]
    concerns: Callable[[Event, Seat, T], bool] = _no_seat
    holder: Callable[[T, Space], Seat] = _no_owner
    counted: Callable[[int], str] = _rounds
    outcome: Callable[[Event], bool] = lambda _event: False


AnySubject = GameReplay[Any]

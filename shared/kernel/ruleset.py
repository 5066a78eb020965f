"""A rule set as a value: everything that the engine, the server and the client need to know of a game."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, TypeAlias, TypeVar

import msgspec
from msgspec import Struct

from shared.ids import Seat
from shared.kernel.frames import Action, Emit, Event, Frame, Handler, P_contra, Position, S_contra, State
from shared.refusal import Refusal

S = TypeVar("S", bound=State)
V = TypeVar("V", bound=Position)
A = TypeVar("A", bound=Action, covariant=True)
E = TypeVar("E", bound=Event, covariant=True)


class Option(Struct, frozen=True):
    """A table's choice: `values` are the allowed integers (0/1 for a switch), each with its label."""

    key: str
    label: str
    help: str
    values: tuple[int, ...]
    labels: tuple[str, ...]
    default: int


class Amendment(Struct, frozen=True):
    """A change of the rules that binds only matches which began with it. `rule`: the id of what it changes.

    Numbers begin at 1 and follow each other. Each amendment makes the next version of the rule set.
    """

    number: int
    rule: str
    text: str


class Standing(Struct, Generic[P_contra, S_contra], frozen=True):
    """Actions of these `kinds` answer no frame: legal at any time for any living seat (frame number 0 on the wire).

    check, apply: as those of a `Handler`, without a frame.
    """

    kinds: tuple[type[Action], ...]
    check: Callable[[P_contra, Seat, Any], Refusal | None]
    apply: Callable[[S_contra, Seat, Any, Emit], None]


class Place(Struct, frozen=True):
    """One line of the final standings. `score` is what ranked it, in the rule set's own words."""

    seat: Seat
    rank: int
    score: str


def told_to_all(event: Event, _seat: Seat | None) -> Event | None:
    """`Ruleset.event_for` of a game without secrets."""
    return event


def never_answers(_position: object, _seat: Seat) -> bool:
    """`Ruleset.answers` of a game in which everybody decides for himself."""
    return False


def nothing_beyond(_position: object, _seat: Seat) -> Sequence[Action]:
    """`Ruleset.beyond` of a game whose options are always complete."""
    return ()


def uncounted(_position: object) -> int:
    """`Ruleset.rounds` of a game without any."""
    return 0


class Ruleset(Struct, Generic[S, V, A, E], frozen=True):
    """A game as a value. Rule sets call shared mechanics; they never inherit from each other.

    `S` is the authority's state, `V` the view of it that travels, `A` and `E` the tagged unions of all actions and
    events. A position is either: what is asked of it reads only what a view has too.

    id: the name on the wire and in the store. title: the name for people. version: counts the changes that make logs
    play differently or views and actions read differently. min_seats, max_seats: how many play. options: what a table
    may choose, first what tables differ in most. amendments: those in force, which
    are all of them in the newest version.
    setup(seats, options, amendments): the first position, not yet settled; `options` has a value for every key,
    `amendments` is how many are in force. Views carry that number too: it is how the rules know what to apply.
    handlers: by the kind of frame. standing: actions that answer no frame.
    view(state, seat): what a seat, or the public (None), may know.
    view_decoder, action_decoder, event_decoder: read one of these from MessagePack; their `type` is the Struct of the
    view (array_like: its fields, in order, are the paths of the deltas), or the union of all actions or events.
    finished(position): whether the match is over. winner(position): a seat, or NONE.
    round_of(position): the number of the round, with those of what it is part of before it; another one for each.
    standings(position): the ranking of all seats, best first, meaningful at any time.
    seat_name(position, seat): what the game calls a seat.
    invariants(state): what is wrong with it, in words; empty for a sound one.
    event_for(event, seat): what of an event a seat, or the public (None), is told: the event itself, a variant with
    the secrets struck out, or None.
    rounds(position): how many rounds have begun, as the game counts them for people, 0 where it counts none.
    suits: a sentence or two on what kind of game it is, and for whom.
    beyond(position, seat): nothing where the options of what that seat owes are all that is legal, but for other ways
    to say the same; else, for each kind of action that they do not exhaust, some, legal or not, between which every
    field of all legal ones lies.
    answers(position, seat): whether what that seat owes now answers to somebody else's turn, or to all, as a bid does.
    disclosing: the kinds of events with which somebody learns a secret. Every other step must follow from what all saw
    before it and the step itself, for each secret that it changes. None: a step discloses a secret where not all
    are shown the same.
    """

    id: str
    title: str
    version: int
    min_seats: int
    max_seats: int
    options: tuple[Option, ...]
    setup: Callable[[int, Mapping[str, int], int], S]
    handlers: Mapping[type[Frame], Handler[S | V, S]]
    standing: Standing[S | V, S]
    view: Callable[[S, Seat | None], V]
    winner: Callable[[S | V], Seat]
    finished: Callable[[S | V], bool]
    round_of: Callable[[S | V], tuple[int, ...]]
    standings: Callable[[S | V], Sequence[Place]]
    invariants: Callable[[S], list[str]]
    seat_name: Callable[[S | V, Seat], str]
    action_decoder: msgspec.msgpack.Decoder[A]
    event_decoder: msgspec.msgpack.Decoder[E]
    view_decoder: msgspec.msgpack.Decoder[V]
    event_for: Callable[[Event, Seat | None], Event | None] = told_to_all
    suits: str = ""
    amendments: tuple[Amendment, ...] = ()
    rounds: Callable[[S | V], int] = uncounted
    answers: Callable[[S | V, Seat], bool] = never_answers
    beyond: Callable[[S | V, Seat], Sequence[Action]] = nothing_beyond
    disclosing: tuple[type[Event], ...] | None = None


AnyRuleset: TypeAlias = Ruleset[Any, Any, Any, Any]
"""A rule set where it may be any: whoever has one of these looks at positions only through it."""


class IllegalAction(ValueError):
    """`play` was given an action that `check` refuses."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"{refusal.code} ({refusal.rule}): {refusal.text}")
        self.refusal = refusal

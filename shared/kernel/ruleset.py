"""A rule set as a value: everything that the engine, the server and the client need to know of a game."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, TypeAlias, TypeVar

import msgspec
from msgspec import Struct, structs

from shared.ids import Seat
from shared.kernel.frames import Action, Emit, Event, Frame, Handler, P_contra, Position, S_contra, State
from shared.language.sentence import _
from shared.refusal import Refusal


class UnknownRules(ValueError):
    """Raised for a match of a rule set, or of a version of it, that cannot be played here; the text is a sentence."""


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


class StandingActions(Struct, Generic[P_contra, S_contra], frozen=True):
    """Actions of these `kinds` answer no frame: legal at any time for any living seat (frame number 0 on the wire).

    check, apply: as those of a `Handler`, without a frame.
    """

    kinds: tuple[type[Action], ...]
    check: Callable[[P_contra, Seat, Any], Refusal | None]
    apply: Callable[[S_contra, Seat, Any, Emit], None]


class Place(Struct, frozen=True):
    """Line of the final standings. `score` is what ranked it, in the rule set's own words."""

    seat: Seat
    rank: int
    score: str


def told_to_all(event: Event, _seat: Seat | None) -> Event | None:
    """Return the event unchanged: `Ruleset.event_for` of a game without secrets."""
    return event


def never_answers(_position: object, _seat: Seat) -> bool:
    """Return False: `Ruleset.answers` of a game in which no decision answers another seat's turn."""
    return False


def no_extreme_actions(_position: object, _seat: Seat) -> Sequence[Action]:
    """Return (): `Ruleset.extreme_actions` of a game whose options are always complete."""
    return ()


def no_rounds(_position: object) -> int:
    """Return 0: `Ruleset.rounds` of a game without rounds."""
    return 0


class Ruleset(Struct, Generic[S, V, A, E], frozen=True):
    """A game as a value. Rule sets call shared mechanics; they never inherit from each other.

    `S` is the authority's state, `V` the view of it that travels, `A` and `E` the tagged unions of all actions and
    events. A position is a state or a view: functions of positions read only what views contain too.

    id: the name on the wire and in the store. title: the name for people. version: counts the changes that make logs
    play differently or views and actions read differently. min_seats, max_seats: the number of players. options: what a
    table may choose, those first in which tables differ most. amendments: those in force, which are all of them in the
    newest version.
    setup(seats, options, amendments): the first position, not yet settled; `options` has a value for every key,
    `amendments` is the number in force. Views carry that number too, so that the rules know which amendments to apply.
    handlers: by the kind of frame. standing: actions that answer no frame.
    view(state, seat): the part of a state that a seat, or the public (None), may know.
    view_decoder, action_decoder, event_decoder: decoders from MessagePack. Their `type` is the Struct of the view, or
    the
    union of all actions or events. The view is array_like: its fields, in order, are the paths of the deltas.
    finished(position): whether the match is over. winner(position): a seat, or NONE.
    round_of(position): the number of the round, after those of what it is part of (a season); unique for each round.
    standings(position): the ranking of all seats, best first, meaningful at any time.
    seat_name(position, seat): the game's name for a seat.
    invariants(state): faults of the state, in words; empty for a sound one.
    event_for(event, seat): an event as shown to a seat, or the public (None): the event itself, a variant with
    the secrets struck out, or None.
    rounds(position): number of rounds begun, as the game counts them for people; 0 if it counts none.
    suits: a sentence or two on the kind of game and the players that it suits.
    extreme_actions(position, seat): empty if the options of a seat are complete, but for other ways to say the same.
    Otherwise actions, legal or not, for each kind of action that the options do not exhaust. Every field of all
    legal actions of that kind lies between theirs.
    answers(position, seat): whether the seat's decision answers another seat's turn, or all seats, as a bid does.
    disclosing: the kinds of events that reveal a secret to a seat. Each secret that another step changes must follow
    from
    the step itself and what all saw before it. None: a step discloses a secret if not all are shown the same.
    """

    id: str
    title: str
    version: int
    min_seats: int
    max_seats: int
    options: tuple[Option, ...]
    setup: Callable[[int, Mapping[str, int], int], S]
    handlers: Mapping[type[Frame], Handler[S | V, S]]
    standing: StandingActions[S | V, S]
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
    rounds: Callable[[S | V], int] = no_rounds
    answers: Callable[[S | V, Seat], bool] = never_answers
    extreme_actions: Callable[[S | V, Seat], Sequence[Action]] = no_extreme_actions
    disclosing: tuple[type[Event], ...] | None = None


AnyRuleset: TypeAlias = Ruleset[Any, Any, Any, Any]
"""A rule set of any game. Code that holds one reads positions only through it."""


class IllegalAction(ValueError):
    """Raised by `play` for an action that `check` refuses."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"{refusal.code} ({refusal.rule}): {refusal.text}")
        self.refusal = refusal


def as_of(rules: AnyRuleset, version: int) -> AnyRuleset | None:
    """Return the rules by which a match of that version is played; None if this program cannot play it."""
    later = rules.version - version
    # Apart, because `amendments[:-0]` below would drop them all.
    if later == 0:
        return rules
    # Every amendment made one version. Versions before the first one changed the code itself.
    if not 0 < later <= len(rules.amendments):
        return None
    return structs.replace(rules, version=version, amendments=rules.amendments[:-later])


def oldest(rules: AnyRuleset) -> int:
    """Return the oldest version of the rules that can still be played."""
    return rules.version - len(rules.amendments)


def rules_of(rulesets: Mapping[str, AnyRuleset], key: str, version: int) -> AnyRuleset:
    """Return the rules by which a match of that rule set and version is played.

    Raises UnknownRules, with a sentence for people, if none of `rulesets` can play it.
    """
    rules = rulesets.get(key)
    if rules is None:
        raise UnknownRules(_("The rule set {game} cannot be played here.", game=key))
    found = as_of(rules, version)
    if found is None:
        first, last = oldest(rules), rules.version
        raise UnknownRules(
            _(
                "This match was begun with version {version} of its rules; it is kept, but only versions {first} to "
                "{last} can go on here.",
                version=version,
                first=first,
                last=last,
            )
        )
    return found

"""Positions of the second game in a few words, scripted play, and what a test wants to ask.

A built position is the turn of one seat in the first season; every Caesar waits in Noricum unless it is placed::

    state = position(units={"italia": {0: (5, 0, 0)}}, leaders={"italia": [general(0)]})
    play(state, (0, move("italia", ("galatia", 1, 0, 0))), (0, Pass()))

Dice are written as words of letters: i infantry, c cavalry, k catapult, g galley, . blank. Numbers that are dealt
are written as tuples.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from shared.board import BOARD
from shared.ids import NATURE, NONE, Army, Seat
from shared.kernel import engine
from shared.kernel.frames import Action, Deal, Dealt, Event
from shared.mechanics.armies import put_army
from shared.mechanics.heaps import tally
from shared.rulesets.cote2.actions import Bid, Move, Obtain, Pass, Use
from shared.rulesets.cote2.data import CARDS, INDEX, KEYS, SENATORS
from shared.rulesets.cote2.definition import COTE2
from shared.rulesets.cote2.frames import Alliances, Auction, Rounds, Season, Turn
from shared.rulesets.cote2.property import award
from shared.rulesets.cote2.setup import new_state
from shared.rulesets.cote2.stages import SeasonStep
from shared.rulesets.cote2.state import FROM_CARD, GALLEYS, LEADERS, State
from tests.support.layout import Numbering, sp
from tests.support.referee import Referee, top

FACES: Final = {"i": 0, "c": 2, "k": 3, "g": 4, ".": 5}
"""Letters for the faces of the battle die."""

REFEREE: Final = Referee(COTE2, FACES)
sound, play, owed = REFEREE.sound, REFEREE.play, REFEREE.owed
verdict, legal, refused, options = REFEREE.verdict, REFEREE.legal, REFEREE.refused, REFEREE.options
NUMBERING: Final = Numbering(LEADERS, GALLEYS)
caesar, general, galley = NUMBERING.caesar, NUMBERING.general, NUMBERING.galley


def card(key: str) -> int:
    """A card by its key."""
    return INDEX[key]


def begin(seats: int, **chosen: int) -> State:
    """A match at its very start."""
    state: State = engine.start(COTE2, seats, chosen, engine.ignore_event)
    return state


def position(
    seats: int = 2,
    *,
    turn: Seat = NONE,
    left: int = 2,
    obtained: bool = False,
    order: Sequence[Seat] = (),
    sides: Sequence[int] = (),
    units: Mapping[str, Mapping[Seat, Army]] | None = None,
    leaders: Mapping[str, Sequence[int]] | None = None,
    galleys: Mapping[int, str] | None = None,
    influence: Mapping[str, Mapping[Seat, int]] | None = None,
    tokens: Mapping[str, int] | None = None,
    cities: Mapping[str, Seat] | None = None,
    row: Sequence[str] = (),
    cards: Mapping[Seat, Sequence[str]] | None = None,
    used: Mapping[Seat, Sequence[str]] | None = None,
    senators: Mapping[Seat, tuple[int, int, int, int]] | None = None,
    chaos: Sequence[int] = (),
    talents: Sequence[int] = (),
    points: Sequence[int] = (),
    season: int = 1,
    round: int = 1,
    options: Mapping[str, int] | None = None,
) -> State:
    """A settled, sound position in a turn of seat `turn` (the first in the turn order); alliances alternate along the
    turn order unless `sides` says."""
    state: State = new_state(seats, engine.checked_options(COTE2, seats, options or {}))
    state.season, state.round = season, round
    state.order = tuple(order) or tuple(range(seats))
    turn = state.order[0] if turn == NONE else turn
    state.side = list(sides) or [state.order.index(seat) % 2 for seat in range(seats)]
    for seat in range(seats):
        state.leader_at[caesar(seat)] = sp("noricum")
    for key, pieces in (leaders or {}).items():
        for leader in pieces:
            state.leader_at[leader] = sp(key)
    for key, armies in (units or {}).items():
        for seat, army in armies.items():
            state.units[sp(key)] = put_army(state.units[sp(key)], seat, army)
    for number, zone in (galleys or {}).items():
        state.galley_at[number] = sp(zone)
    for key, counts in (influence or {}).items():
        state.influence[sp(key)] = tuple([counts.get(seat, 0) for seat in range(seats)])
    for key, number in (tokens or {}).items():
        state.tokens[sp(key)] = number
        state.pool[KEYS.index(sp(key))] -= number
    for key, owner in (cities or {}).items():
        state.built[sp(key)], state.owner[sp(key)] = 1, owner
    state.row = tally([card(key) for key in row], len(CARDS))
    for seat, held in (cards or {}).items():
        state.cards[seat] = tuple(sorted([card(key) for key in held]))
    for seat, spent in (used or {}).items():
        state.used[seat] = tuple(sorted([card(key) for key in spent]))
    for seat, hand in (senators or {}).items():
        state.senators[seat] = hand
    state.chaos = list(chaos) or [0] * seats
    state.talents = list(talents) or [100] * seats
    award(state, FROM_CARD + card("senate_hail_caesar"), points or [0] * seats)
    _fill_deck(state)
    state.frames = [
        Season(1, state.order[0], SeasonStep.TAXES),
        Rounds(2, state.order.index(turn) + 1),
        Turn(3, turn, left, obtained),
    ]
    state.pushed = 3
    engine.settle(COTE2, state, engine.ignore_event)
    sound(state)
    return state


def auction(
    seats: int,
    *,
    opener: Seat = 0,
    allied: Sequence[tuple[Seat, int]] = (),
    talents: Sequence[int] = (),
    season: int = 2,
) -> State:
    """The alliance auctions of a season; `allied`: (seat, side) of those who have their places already."""
    state = position(seats, season=season, talents=talents, leaders={"italia": []})
    state.side = [NONE] * seats
    state.order = ()
    state.frames = [Season(1, opener, SeasonStep.DEPLOYMENTS), Alliances(2, opener)]
    for seat, side in allied:
        state.side[seat] = side
        state.order = (*state.order, seat)
    state.pushed = 5
    engine.settle(COTE2, state, engine.ignore_event)
    sound(state)
    return state


def forum(**more: Any) -> State:
    """A turn in which every card can be obtained, and used where it is before the player."""
    here = ("italia", "egyptus", "hispania", "narbonensis", "asia")
    return position(
        3,
        units={key: {0: (3, 2, 1), 1: (1, 0, 0)} for key in here},
        leaders={
            "italia": [caesar(0), general(0), general(1)],
            "narbonensis": [general(0, 2)],
            "asia": [general(0, 3)],
        },
        galleys={galley(0): "oceanus_britannicus", galley(0, 1): "mare_rhodus"},
        influence={key: {0: 1} for key in ("italia", "egyptus", "hispania", "sicilia", "achaia", "asia")},
        senators={0: (1, 1, 0, 0), 1: (0, 1, 1, 0), 2: (2, 0, 0, 1)},
        **more,
    )


def _fill_deck(state: State) -> None:
    """Put all cards that are nowhere else into the deck."""
    deck = [c.copies for c in CARDS]
    for kind, number in enumerate(state.row):
        deck[kind] -= number
    for held in state.cards:
        for kind in held:
            deck[kind] -= 1
    for hand in state.senators:
        for kind, number in zip(SENATORS, hand, strict=True):
            deck[kind] -= number
    state.deck = deck


def skip_to(state: State, seat: Seat) -> None:
    """Everybody passes until it is the turn of `seat`."""
    while not (isinstance(top(state), Turn) and owed(state) == (seat,)):
        (who,) = owed(state)
        play(state, (who, engine.default(COTE2, state, who)))


def finish_season(state: State) -> list[Event]:
    """Everybody passes until the season is scored."""
    happened: list[Event] = []
    season = state.season
    while state.season == season and not COTE2.finished(state):
        (who,) = owed(state)
        happened += play(state, (who, engine.default(COTE2, state, who)))
    return happened


def ally(state: State, *pairs: tuple[Seat, Seat]) -> None:
    """Settle all auctions of a season by unchallenged bids of 0: (A, B) pairs, NONE for the odd one out."""
    for a, b in pairs:
        frame = top(state)
        assert isinstance(frame, Auction)
        play(state, (frame.seat, Bid(0, a, b)))
        while isinstance(top(state), Auction) and top(state).no == frame.no:
            play(state, (owed(state)[0], Pass()))


def deal(state: State, *keys: str) -> Dealt:
    """Numbers that bring just these key provinces (or, for a deck, cards) out of the heap that is dealt now."""
    frame = top(state)
    assert isinstance(frame, Deal)
    tokens = all(key in BOARD.keys for key in keys)
    heap = state.pool if tokens else state.deck
    if tokens and not isinstance(state.frames[0], Season):
        heap = [0 if space == sp("italia") else n for space, n in zip(KEYS, state.pool, strict=True)]
    taken: dict[int, int] = {}
    numbers = []
    for key in keys:
        kind = KEYS.index(sp(key)) if tokens else card(key)
        numbers.append(sum(heap[:kind]) + taken.get(kind, 0))
        taken[kind] = taken.get(kind, 0) + 1
    return Dealt(tuple(numbers))


def chance(state: State, action: Action) -> list[Event]:
    """NATURE answers."""
    happened: list[Event] = []
    engine.play(COTE2, state, NATURE, action, happened.append)
    sound(state)
    return happened


def move(source: str, *armies: tuple[str, int, int, int], leaders: Sequence[tuple[int, str]] = ()) -> Move:
    """A `Move` with names of provinces."""
    return Move(
        sp(source), tuple([(sp(key), i, h, c) for key, i, h, c in armies]), tuple([(x, sp(key)) for x, key in leaders])
    )


def obtain(key: str, target: int = NONE) -> Obtain:
    """Taking a card by its key."""
    return Obtain(card(key), target)


def use(key: str, leader: int = NONE, seat: int = NONE) -> Use:
    """Using a card by its key."""
    return Use(card(key), leader, seat)


def tokens_of(state: State, key: str, seat: Seat) -> int:
    """Influence of a seat in a province."""
    return state.influence[sp(key)][seat]


def where(state: State, leader: int) -> str:
    """Return the place of a leader: a province's key or ``"off"``."""
    at = state.leader_at[leader]
    return BOARD.keys[at] if at < BOARD.provinces else "off"

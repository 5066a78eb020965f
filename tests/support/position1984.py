"""Positions of the 1984 game in a few words, scripted play, and what a test wants to ask.

A built position begins with nothing but each seat's Caesar in its home, which it owns; everything else is named::

    state = position(units={"italia": {0: (5, 0, 0)}}, leaders={"italia": [general(0)]}, homes=("italia", "egyptus"))
    play(state, (0, march("italia", "neapolis", general(0), 3)), (0, EndMovement()))

Dice are written as they fall: ``"5"``.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

from shared.board import BOARD
from shared.ids import NATURE, NONE, Army, Seat
from shared.kernel import engine
from shared.kernel.frames import Action, Dice, Event, Frame, Rolled
from shared.mechanics.cells import army_of, put_army
from shared.refusal import Refusal
from shared.rulesets.mb1984.actions import March, Sail
from shared.rulesets.mb1984.frames import Turn
from shared.rulesets.mb1984.game import MB1984
from shared.rulesets.mb1984.property import worth
from shared.rulesets.mb1984.setup import HOMES_ON_OFFER, ORDER, new_state
from shared.rulesets.mb1984.state import ABOARD, GALLEYS, LEADERS, OFF, PRISON, State

PHASES: Final = {"begin": 0, "movement": 1, "combat": 2, "tribute": 3, "destruction": 4, "purchase": 5, "placement": 6}
"""The step of a turn that comes next, by name."""

Step: TypeAlias = "tuple[Seat, Action] | str"


def caesar(seat: Seat) -> int:
    """The Caesar of a colour."""
    return seat * LEADERS


def general(seat: Seat, k: int = 1) -> int:
    """General 1 to 6 of a colour."""
    return seat * LEADERS + k


def galley(seat: Seat, k: int = 0) -> int:
    """Galley 0 to 5 of a colour."""
    return seat * GALLEYS + k


def sp(key: str) -> int:
    """A space by its key."""
    return BOARD.space(key)


def coast(key: str) -> int:
    """A galley's position: ``"mare_narbo"``, ``"numidia"``, ``"italia:adriatic"``."""
    space, _, name = key.partition(":")
    for position in BOARD.coasts[sp(space)] if sp(space) < BOARD.provinces else ():
        if BOARD.coast_names[position] == name:
            return position
    assert not name, f"{space} has no coast {name}"
    return sp(space)


def aboard(number: int) -> int:
    """The place of a leader aboard that galley."""
    return ABOARD + number


def prison(seat: Seat) -> int:
    """The place of a leader that `seat` holds prisoner."""
    return PRISON + seat


def position(
    seats: int = 2,
    *,
    homes: Sequence[str] = (),
    turn: Seat = 0,
    phase: str = "movement",
    units: Mapping[str, Mapping[Seat, Army]] | None = None,
    leaders: Mapping[str | int, Sequence[int]] | None = None,
    galleys: Mapping[int, str] | None = None,
    cargo: Mapping[int, Army] | None = None,
    owners: Mapping[str, int] | None = None,
    built: Mapping[str, int] | None = None,
    roads: Sequence[tuple[str, str]] = (),
    talents: Sequence[int] = (),
    inflation: int = 1,
    triggered: Sequence[int] = (NONE, NONE),
    lords: Mapping[Seat, int] | None = None,
    options: Mapping[str, int] | None = None,
    round: int = 1,
) -> State:
    """A settled, sound position at the beginning of `phase` of the turn of seat `turn`."""
    state: State = new_state(seats, engine.checked_options(MB1984, seats, options or {}))
    state.home = [sp(key) for key in homes] or list(HOMES_ON_OFFER[seats])
    state.order = tuple(sorted(range(seats), key=lambda seat: ORDER.index(state.home[seat])))
    state.round = round
    state.offers = 3
    for colour, lord in (lords or {}).items():
        state.lord[colour] = lord
        state.leader_at[caesar(colour)] = PRISON + lord if lord != NONE else OFF
    for seat, home in enumerate(state.home):
        if state.lord[seat] == seat:
            state.owner[home] = seat
            state.leader_at[caesar(seat)] = home
    for key, seat in (owners or {}).items():
        state.owner[sp(key)] = seat
    for key, armies in (units or {}).items():
        for seat, army in armies.items():
            state.units[sp(key)] = put_army(state.units[sp(key)], seat, army)
    for place, pieces in (leaders or {}).items():
        for leader in pieces:
            state.leader_at[leader] = sp(place) if isinstance(place, str) else place
    for number, where in (galleys or {}).items():
        state.galley_at[number] = coast(where)
    for number, army in (cargo or {}).items():
        state.cargo[number] = army
    for key, level in (built or {}).items():
        state.built[sp(key)] = level
    state.roads = [BOARD.edge_index[min(sp(a), sp(b)), max(sp(a), sp(b))] for a, b in roads]
    state.talents = list(talents) or [0] * seats
    state.inflation, state.triggered = inflation, list(triggered)
    for space, owner in enumerate(state.owner):
        if owner != NONE:
            state.marker[owner] += worth(state, space)
    state.frames = [Turn(1, turn, PHASES[phase])]
    state.pushed = 1
    engine.settle(MB1984, state, engine.silent)
    sound(state)
    return state


def sound(state: State) -> None:
    """The position breaks no invariant."""
    assert MB1984.invariants(state) == [], MB1984.invariants(state)


def start(seats: int, **chosen: int) -> State:
    """The printed start with homes by seat, in the order of play."""
    state: State = engine.start(MB1984, seats, {"homes": 2, **chosen}, engine.silent)
    sound(state)
    return state


def play(state: State, *steps: Step) -> list[Event]:
    """Play actions and dice one after the other; every one must be legal. Returns the events."""
    happened: list[Event] = []
    for step in steps:
        if isinstance(step, str):
            frame = top(state)
            assert isinstance(frame, Dice), f"no die is cast now but {frame} is owed"
            engine.play(MB1984, state, NATURE, Rolled((int(step) - 1,)), happened.append)
        else:
            engine.play(MB1984, state, *step, happened.append)
        sound(state)
    return happened


def end_turn(state: State, seat: Seat) -> list[Event]:
    """`seat` does no more than it must until its turn is over."""
    happened: list[Event] = []
    while owed(state) == (seat,):
        happened += play(state, (seat, engine.default(MB1984, state, seat)))
    return happened


def top(state: State) -> Frame:
    """The frame that is owed."""
    return engine.top(state)


def owed(state: State) -> tuple[Seat, ...]:
    """Who must decide."""
    return engine.owed(MB1984, state)


def verdict(state: State, seat: Seat, action: Action) -> Refusal | None:
    """What `check` says, the same on the state and on the seat's view."""
    told = engine.check(MB1984, state, seat, action)
    seen = MB1984.view(state, seat)
    assert engine.check(MB1984, seen, seat, action) == told
    return told


def legal(state: State, seat: Seat, action: Action) -> bool:
    """Whether the action is accepted."""
    return verdict(state, seat, action) is None


def refused(state: State, seat: Seat, action: Action) -> str:
    """The rule that forbids the action; fails where it is legal. A refusal has a code and a text."""
    told = verdict(state, seat, action)
    assert told is not None, f"{action} is legal"
    assert told.code and told.text.endswith(".")
    return told.rule


def options(state: State, seat: Seat) -> list[Action]:
    """The listed options of a seat."""
    return list(engine.options(MB1984, state, seat))


def march(
    source: str,
    to: str,
    leaders: int | Sequence[int],
    infantry: int = 0,
    cavalry: int = 0,
    catapults: int = 0,
    tired: int = 0,
) -> March:
    """A `March` with names of provinces."""
    led = (leaders,) if isinstance(leaders, int) else tuple(leaders)
    return March(sp(source), sp(to), led, infantry, cavalry, catapults, tired)


def sail(number: int, to: str, leaders: int | Sequence[int] = (), *army: int) -> Sail:
    """A `Sail` with the name of a position."""
    return Sail(number, coast(to), (leaders,) if isinstance(leaders, int) else tuple(leaders), *army)


def army(state: State, key: str, seat: Seat) -> Army:
    """The army of a seat in a province."""
    return army_of(state.units[sp(key)], seat)


def owner(state: State, key: str) -> int:
    """Who owns a province."""
    return state.owner[sp(key)]


def where(state: State, leader: int) -> str:
    """Where a leader is, in words: a province's key, ``"aboard 3"``, ``"prison 1"``, ``"off"``."""
    at = state.leader_at[leader]
    if at == OFF:
        return "off"
    if at >= PRISON:
        return f"prison {at - PRISON}"
    return f"aboard {at - ABOARD}" if at >= ABOARD else BOARD.keys[at]


def of(events: Sequence[Event], kind: type[Any]) -> list[Any]:
    """The events of one kind."""
    return [event for event in events if isinstance(event, kind)]

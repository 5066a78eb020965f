"""Random games, each step of which is put to every question that we know to ask."""

from collections.abc import Mapping
from random import Random
from typing import Any

import msgspec

from protocol.delta import diff, patch
from shared.board import BOARD
from shared.ids import NATURE, Seat
from shared.kernel import engine
from shared.kernel.frames import Action, Dice, Draw, Frame
from shared.rulesets.classic.actions import Concede, EndMovement, Resign
from shared.rulesets.classic.frames import Captives, Movement, Turn
from shared.rulesets.classic.game import CLASSIC
from shared.rulesets.classic.setup import HOMES_ON_OFFER
from shared.rulesets.classic.state import ABOARD, GALLEYS, LEADERS, PRISON, State
from tests.support.position import position
from tests.support.wild import absurd, wild

ENCODER = msgspec.msgpack.Encoder()
PLAIN = msgspec.msgpack.Decoder()
WILD_TRIES = 6


class Game:
    """A match played at random; `trace` holds what was done, for the message of a failure."""

    def __init__(self, state: State, seed: int) -> None:
        self.rng = Random(seed)
        self.state = state
        self.trace: list[tuple[Seat, Action]] = []
        self.gone: set[int] = set()
        self.high = 0
        view = CLASSIC.view(state, None)
        self.told: list[Any] = PLAIN.decode(ENCODER.encode(view))
        self.ask()

    def play(self, steps: int) -> None:
        """Play at most so many actions."""
        for _ in range(steps):
            if CLASSIC.finished(self.state):
                break
            self.step()

    def step(self) -> None:
        """One action, by whoever owes one."""
        seats = engine.owed(CLASSIC, self.state)
        seat = self.rng.choice(seats)
        if seat == NATURE:
            action = engine.chance_action(self.state, self.rng)
            assert action is not None
        else:
            action = self.choose(seat)
        self.act(seat, action)

    def choose(self, seat: Seat) -> Action:
        """One of the options, or a wild action that happens to be legal."""
        if self.rng.random() < 0.4:
            for _ in range(4):
                action = wild(self.rng, self.state, seat)
                standing = isinstance(action, Concede | Resign)
                if not standing and engine.check(CLASSIC, self.state, seat, action) is None:
                    return action
        options = list(engine.options(CLASSIC, self.state, seat))
        if isinstance(options[0], EndMovement) and len(options) > 1 and self.rng.random() < 0.85:
            return self.rng.choice(options[1:])
        return self.rng.choice(options)

    def act(self, seat: Seat, action: Action) -> None:
        """Carry out on a clone, as the authority does, and compare."""
        self.trace.append((seat, action))
        before = ENCODER.encode(self.state)
        after = self.state.clone()
        assert ENCODER.encode(after) == before
        happened: list[Any] = []
        engine.play(CLASSIC, after, seat, action, happened.append)
        assert ENCODER.encode(self.state) == before, "the original changed with its clone"
        self.numbers(self.state, after)
        delta = PLAIN.decode(ENCODER.encode(diff(CLASSIC.view(self.state, None), CLASSIC.view(after, None))))
        patch(self.told, delta)
        for event in happened:
            assert CLASSIC.event_decoder.decode(ENCODER.encode(event)) == event
        assert CLASSIC.action_decoder.decode(ENCODER.encode(action)) == action
        self.state = after
        self.ask()

    def numbers(self, before: State, after: State) -> None:
        """No frame's number is ever used again."""
        now = {frame.no for frame in after.frames}
        self.gone |= {frame.no for frame in before.frames} - now
        self.high = max(self.high, before.pushed)
        assert not now & self.gone, "a frame's number came back"
        assert max(now) <= after.pushed and after.pushed >= self.high

    def ask(self) -> None:
        """Everything that must hold between two actions."""
        state = self.state
        assert CLASSIC.invariants(state) == []
        assert orderly(state) == []
        view = CLASSIC.view(state, None)
        encoded = ENCODER.encode(view)
        travelled = CLASSIC.view_decoder.decode(encoded)
        assert travelled == view
        assert PLAIN.decode(encoded) == self.told, "the sum of the deltas is not the snapshot"
        assert sorted(place.seat for place in CLASSIC.standings(state)) == list(range(state.seats))
        seats = engine.owed(CLASSIC, state)
        assert bool(seats) != CLASSIC.finished(state)
        for seat in seats:
            self.ask_options(seat, travelled)
        if seats:
            self.ask_wild(travelled)

    def ask_options(self, seat: Seat, view: Any) -> None:
        """Some option always exists, all are legal, here and on the view; so is the default."""
        options = list(engine.options(CLASSIC, self.state, seat))
        assert options
        for action in options if len(options) <= 12 else self.rng.sample(options, 12):
            assert engine.check(CLASSIC, self.state, seat, action) is None, action
            assert engine.check(CLASSIC, view, seat, action) is None, action
        if seat != NATURE:
            chosen = engine.default(CLASSIC, self.state, seat)
            assert engine.check(CLASSIC, self.state, seat, chosen) is None, chosen

    def ask_wild(self, view: Any) -> None:
        """Wild actions get the same verdict on both sides, never an exception; accepted ones leave a sound position."""
        rng, state = self.rng, self.state
        owing = engine.owed(CLASSIC, state)[0]
        for k in range(WILD_TRIES):
            seat = rng.randrange(state.seats) if k == 0 or owing == NATURE else owing
            action = absurd(rng) if k == 1 else wild(rng, state, seat)
            told = engine.check(CLASSIC, state, seat, action)
            assert engine.check(CLASSIC, view, seat, action) == told
            if told is None:
                after = state.clone()
                engine.play(CLASSIC, after, seat, action, engine.silent)
                assert CLASSIC.invariants(after) == [], action
                assert orderly(after) == [], action
                assert bool(engine.owed(CLASSIC, after)) != CLASSIC.finished(after)
            else:
                assert told.code and told.text


def orderly(state: State) -> list[str]:
    """Properties that only tests ask for."""
    wrong = []
    turn = state.frames[0]
    last: Frame = state.frames[-1]
    if isinstance(last, Movement):
        wrong += _tracks(state, last.seat)
    elif any(state.moved) or any(state.landed):
        wrong.append("tracks of movement outside the movement phase")
    for frame in state.frames:
        seat = getattr(frame, "seat", None)
        if seat is not None and not isinstance(frame, Turn) and state.lord[seat] != seat and state.winner == -1:
            wrong.append(f"{frame} is owed by a seat that is out")
        if isinstance(frame, Captives) and frame is last and state.winner == -1:
            held = [x for x in frame.leaders if state.leader_at[x] == PRISON + frame.seat]
            if not held:
                wrong.append("nobody is judged")
    if isinstance(turn, Turn) and len(state.frames) == 1 and state.winner == -1:
        wrong.append("only the turn is left")
    kinds = [type(frame) for frame in state.frames]
    if len(set(kinds) - {Captives}) != len([kind for kind in kinds if kind is not Captives]):
        wrong.append(f"a frame is stacked upon its like: {kinds}")
    if isinstance(last, Dice | Draw) and not 0 < last.count < 60:
        wrong.append(f"{last}")
    if state.winner == -1 and sum(state.lord[seat] == seat for seat in range(state.seats)) < 2:
        wrong.append("one is left and has not won")
    return wrong


def _tracks(state: State, seat: Seat) -> list[str]:
    wrong = []
    for space in range(BOARD.provinces):
        moved, landed = state.moved[space] or (0, 0, 0, 0), state.landed[space] or (0, 0, 0)
        cell = state.units[space]
        here = (0, 0, 0)
        for i in range(0, len(cell), 4):
            if cell[i] == seat:
                here = (cell[i + 1], cell[i + 2], cell[i + 3])
        used = (moved[0] + landed[0], moved[1] + moved[2] + landed[1], moved[3] + landed[2])
        if any(u > h for u, h in zip(used, here, strict=True)) or min((*moved, *landed)) < 0:
            wrong.append(f"{BOARD.keys[space]}: moved {moved}, landed {landed}, but {here} stand there")
    return wrong


def random_game(seats: int, seed: int, steps: int, chosen: Mapping[str, int] | None = None) -> Game:
    """A game from the printed start."""
    game = Game(engine.start(CLASSIC, seats, chosen or {}, engine.silent), seed)
    try:
        game.play(steps)
    except Exception as error:
        error.add_note(f"seats {seats}, seed {seed}, options {chosen}, after {game.trace[-12:]}")
        raise
    return game


def crowded(seats: int, seed: int, chosen: Mapping[str, int] | None = None) -> State:
    """A sound position in mid-game: armies, galleys, cities, roads, prisoners all over the board."""
    rng = Random(seed)
    lords = {0: 1} if seats > 2 and rng.random() < 0.3 else {}
    living = [seat for seat in range(seats) if seat not in lords]
    keys = BOARD.keys[: BOARD.provinces]
    homes = [BOARD.keys[home] for home in HOMES_ON_OFFER[seats]]
    rng.shuffle(homes)
    units: dict[str, dict[Seat, tuple[int, int, int]]] = {}
    owners: dict[str, Seat] = {}
    built: dict[str, int] = {}
    for key in keys:
        if rng.random() < 0.8:
            owners[key] = rng.choice(living)
        if rng.random() < 0.35 and len(built) < 16:
            built[key] = rng.randint(1, 2)
    for seat in living:
        for _ in range(rng.randint(2, 6)):
            key = rng.choice(keys)
            if key not in units or rng.random() < 0.1:
                units.setdefault(key, {})[seat] = (rng.randint(0, 3), rng.randint(0, 2), 1)
    leaders: dict[str | int, list[int]] = {}
    galleys: dict[int, str] = {}
    cargo: dict[int, tuple[int, int, int]] = {}
    for colour in range(seats):
        lord = lords.get(colour, colour)
        stations = [key for key, there in units.items() if lord in there] or [homes[lord]]
        for k in range(rng.randint(0, 3)):
            number = colour * GALLEYS + k
            galleys[number] = rng.choice([rng.choice(BOARD.keys[BOARD.provinces :]), "sicilia", "creta", "asia"])
        afloat = [g for g, at in galleys.items() if g // GALLEYS == colour and at.startswith(("mare", "oceanus"))]
        for k in range(colour in lords, LEADERS):
            roll = rng.random()
            place: str | int = rng.choice(stations)
            if roll < 0.3 and afloat:
                place = ABOARD + rng.choice(afloat)
                if rng.random() < 0.7:
                    cargo[place - ABOARD] = (rng.randint(1, 3), rng.randint(0, 1), 0)
            elif roll < 0.5 and k and len(living) > 1:
                place = PRISON + rng.choice([seat for seat in living if seat != lord])
            leaders.setdefault(place, []).append(colour * LEADERS + k)
    ends = [(BOARD.keys[a], BOARD.keys[b]) for a, b in BOARD.edges]
    links = [(a, b) for a, b in ends if a in built and b in built]
    return position(
        seats,
        homes=homes,
        turn=rng.choice(living),
        units=units,
        leaders=leaders,
        galleys=galleys,
        cargo=cargo,
        owners=owners,
        built=built,
        roads=rng.sample(links, min(len(links), 12)),
        talents=[rng.randint(0, 200) if seat in living else 0 for seat in range(seats)],
        lords=lords,
        options=chosen,
    )


def crowded_game(seats: int, seed: int, steps: int, chosen: Mapping[str, int] | None = None) -> Game:
    """A game from a crowded board: battles, captures and eliminations from the first turn on."""
    game = Game(crowded(seats, seed, chosen), seed)
    try:
        game.play(steps)
    except Exception as error:
        error.add_note(f"crowded, seats {seats}, seed {seed}, options {chosen}, after {game.trace[-12:]}")
        raise
    return game

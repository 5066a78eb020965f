"""Random games of Classic, from the printed start and from crowded boards."""

from collections.abc import Mapping
from random import Random

from shared.board import BOARD
from shared.ids import Seat
from shared.kernel import engine
from shared.kernel.frames import Dice, Draw, Frame
from shared.mechanics.armies import army_of
from shared.mechanics.pieces import ABOARD, PRISON
from shared.rulesets.classic.definition import CLASSIC, HOMES_ON_OFFER
from shared.rulesets.classic.table import GALLEYS, LEADERS, State
from shared.vocabulary.frames import Captives, Movement, Turn
from tests.support.accounts import account
from tests.support.fuzz import Game, Habits, stuck
from tests.support.position import position
from tests.support.wild import absurd, wild


def orderly(state: State) -> list[str]:
    """Properties that only tests ask for."""
    wrong = stuck(state)
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
    kinds = [type(frame) for frame in state.frames]
    if len(set(kinds) - {Captives}) != len([kind for kind in kinds if kind is not Captives]):
        wrong.append(f"a frame is stacked upon its like: {kinds}")
    if isinstance(last, Dice | Draw) and not 0 < last.count < 60:
        wrong.append(f"{last}")
    return wrong


def _tracks(state: State, seat: Seat) -> list[str]:
    wrong = []
    for space in range(BOARD.provinces):
        moved, landed = (*state.moved[space], 0, 0, 0, 0)[:4], state.landed[space] or (0, 0, 0)
        here = army_of(state.units[space], seat)
        used = (moved[0] + landed[0], moved[1] + moved[2] + landed[1], moved[3] + landed[2])
        if any(u > h for u, h in zip(used, here, strict=True)) or min((*moved, *landed)) < 0:
            wrong.append(f"{BOARD.keys[space]}: moved {moved}, landed {landed}, but {here} stand there")
    return wrong


HABITS = Habits(CLASSIC, wild, absurd, orderly, account=account)


def random_game(seats: int, seed: int, steps: int, chosen: Mapping[str, int] | None = None) -> Game:
    """A game from the printed start."""
    game = Game(HABITS, engine.start(CLASSIC, seats, chosen or {}, engine.ignore_event), seed)
    game.play(steps)
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
    game = Game(HABITS, crowded(seats, seed, chosen), seed)
    game.play(steps)
    return game

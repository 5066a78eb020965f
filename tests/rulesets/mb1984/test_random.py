"""Random games of every size, and clumsy or hostile actions, asked at every step whether anything is wrong."""

from random import Random
from typing import Any

import msgspec
import pytest

from protocol.delta import diff, patch
from shared.board import BOARD
from shared.ids import NATURE, Seat
from shared.kernel import engine
from shared.kernel.frames import Action, Drawn, Rolled
from shared.mechanics.cells import army_of
from shared.rulesets.mb1984 import actions as a
from shared.rulesets.mb1984.frames import Turn
from shared.rulesets.mb1984.game import MB1984
from shared.rulesets.mb1984.property import in_play, supply
from shared.rulesets.mb1984.state import GALLEYS, LEADERS, OFF, POOL, PRISON, State

ENCODER = msgspec.msgpack.Encoder()
PLAIN = msgspec.msgpack.Decoder()
OPTIONS: tuple[dict[str, int], ...] = (
    {},
    {"city_limit": 1, "galley_leaders": 1, "galley_targets": 1, "income_cap": 1, "resign": 1, "homes": 1},
    {"mesopotamia_arabia_adjacent": 1, "galley_targets": 1, "homes": 2, "resign": 1},
)


def _few(rng: Random, pool: list[int], most: int = 3) -> tuple[int, ...]:
    return tuple(rng.sample(pool, min(len(pool), rng.randint(0, most))))


def _identity(rng: Random) -> int:
    return rng.randint(-1, 127)


def _march(rng: Random, state: State, seat: Seat) -> Action:
    mine = [x for x, at in enumerate(state.leader_at) if at < BOARD.provinces and state.lord[x // LEADERS] == seat]
    if not mine:
        return a.EndMovement()
    source = state.leader_at[rng.choice(mine)]
    here = [x for x in mine if state.leader_at[x] == source]
    units = [rng.choice((0, n, rng.randint(0, n + 1))) for n in army_of(state.units[source], seat)]
    near = [*BOARD.land[source], rng.randrange(BOARD.provinces)]
    tired = rng.choice((0, units[1], rng.randint(0, units[1])))
    led = _few(rng, here) or tuple(here[:1])
    return a.March(source, rng.choice(near), led, units[0], units[1], units[2], tired)


def _sail(rng: Random, state: State, seat: Seat) -> Action:
    fleet = [g for g, at in enumerate(state.galley_at) if at != OFF and state.lord[g // GALLEYS] == seat]
    if not fleet:
        return a.Sail(rng.randrange(len(state.galley_at)), rng.randrange(BOARD.positions))
    number = rng.choice(fleet)
    at = state.galley_at[number]
    to = rng.choice([*BOARD.coast_seas[at], *(BOARD.landings[at] if BOARD.is_sea(at) else ())])
    if BOARD.is_sea(at):
        return a.Sail(number, to)
    space = BOARD.ashore[at]
    here = [x for x, there in enumerate(state.leader_at) if there == space and state.lord[x // LEADERS] == seat]
    units = [rng.randint(0, min(7, n + 1)) for n in army_of(state.units[space], seat)]
    return a.Sail(number, to, _few(rng, here), *units)


def _terms(rng: Random, state: State, seat: Seat) -> tuple[int, int, tuple[int, ...], int, tuple[int, ...]]:
    to = rng.randrange(state.seats)
    held = [x for x, at in enumerate(state.leader_at) if at == PRISON + seat]
    lost = [x for x, at in enumerate(state.leader_at) if at == PRISON + to]
    pays, wants = rng.choice(((0, 0), (rng.randint(0, 60), 0), (0, rng.randint(0, 60)), (3, 3)))
    return to, pays, _few(rng, held, 2), wants, _few(rng, lost, 2)


def wild(rng: Random, state: State, seat: Seat) -> Action:
    """Any action, with fields that are at least near the truth."""
    makers = (
        lambda: _march(rng, state, seat),
        lambda: _march(rng, state, seat),
        lambda: _sail(rng, state, seat),
        lambda: _sail(rng, state, seat),
        lambda: a.Offer(*_terms(rng, state, seat)),
        lambda: a.Propose(*_terms(rng, state, seat)),
        lambda: a.Reply(rng.randint(-1, state.seats), rng.random() < 0.5),
        lambda: a.Judge(_few(rng, list(range(len(state.leader_at))))),
        lambda: a.Fight(rng.randrange(BOARD.spaces), rng.randrange(state.seats)),
        lambda: a.Aim(rng.randint(-1, 4), rng.choice((-1, rng.randrange(len(state.galley_at))))),
        lambda: a.Retreat(rng.randrange(-1, BOARD.provinces)),
        lambda: a.Raze(rng.randrange(BOARD.provinces)),
        lambda: a.Buy(*[rng.choice((0, 0, 1, rng.randint(0, 9))) for _ in range(6)]),
        lambda: a.PlaceGalley(rng.randrange(BOARD.positions)),
        lambda: a.PlaceCity(rng.randrange(BOARD.provinces)),
        lambda: a.PlaceFortification(rng.randrange(BOARD.provinces)),
        lambda: a.PlaceRoad(*rng.choice(BOARD.edges)[:: rng.choice((1, -1))]),
        lambda: a.Concede(rng.randint(-1, state.seats)),
        lambda: a.Resign(),
        lambda: rng.choice((a.Answer(True), a.Stand(), a.EndMovement(), a.EndDestruction(), a.EndTurn())),
        lambda: rng.choice((a.ChooseHome(rng.randrange(42)), Rolled((0,)), Drawn((1, 0)))),
    )
    return rng.choice(makers)()


def absurd(rng: Random) -> Action:
    """Any action whose fields decode but mean nothing."""
    ids = tuple([_identity(rng) for _ in range(rng.randint(0, 4))])
    n = [rng.randint(0, 120) for _ in range(6)]
    made: tuple[Action, ...] = (
        a.ChooseHome(_identity(rng)),
        a.March(_identity(rng), _identity(rng), ids, n[0], n[1], n[2], n[3]),
        a.Sail(_identity(rng), _identity(rng), ids, n[0], n[1], n[2]),
        a.Fight(_identity(rng), _identity(rng)),
        a.Aim(_identity(rng), _identity(rng)),
        a.Retreat(_identity(rng)),
        a.Judge(ids),
        a.Raze(_identity(rng)),
        a.Buy(*n),
        a.PlaceGalley(_identity(rng)),
        a.PlaceCity(_identity(rng)),
        a.PlaceFortification(_identity(rng)),
        a.PlaceRoad(_identity(rng), _identity(rng)),
        a.Offer(_identity(rng), n[0] * 800, ids, n[1], ids[::-1]),
        a.Propose(_identity(rng), n[0], ids, n[1] * 800, ids[::-1]),
        a.Reply(_identity(rng), True),
        a.Concede(_identity(rng)),
        Rolled(ids),
        Drawn(ids),
    )
    return rng.choice(made)


class Game:
    """A match played at random; `trace` holds what was done, for the message of a failure."""

    def __init__(self, state: State, seed: int) -> None:
        self.rng = Random(seed)
        self.state = state
        self.trace: list[tuple[Seat, Action]] = []
        self.told: list[Any] = PLAIN.decode(ENCODER.encode(MB1984.view(state, None)))
        self.ask()

    def play(self, steps: int) -> None:
        """Play at most so many actions."""
        for _ in range(steps):
            if MB1984.finished(self.state):
                break
            seat = self.rng.choice(engine.owed(MB1984, self.state))
            if seat == NATURE:
                drawn = engine.chance_action(self.state, self.rng)
                assert drawn is not None
                self.act(seat, drawn)
            else:
                self.act(*self.choose(seat))

    def choose(self, seat: Seat) -> tuple[Seat, Action]:
        """One of the options, or a wild action that happens to be legal."""
        if self.rng.random() < 0.4:
            for _ in range(4):
                who = self.rng.randrange(self.state.seats) if self.rng.random() < 0.2 else seat
                action = wild(self.rng, self.state, who)
                if isinstance(action, a.Concede | a.Resign) and self.rng.random() < 0.995:
                    continue
                if engine.check(MB1984, self.state, who, action) is None:
                    return who, action
        found = list(engine.options(MB1984, self.state, seat))
        if isinstance(found[0], a.EndMovement) and len(found) > 1 and self.rng.random() < 0.85:
            return seat, self.rng.choice(found[1:])
        return seat, self.rng.choice(found)

    def act(self, seat: Seat, action: Action) -> None:
        """Carry out on a clone, as the authority does, and compare."""
        self.trace.append((seat, action))
        before = ENCODER.encode(self.state)
        after = self.state.clone()
        assert ENCODER.encode(after) == before
        happened: list[Any] = []
        engine.play(MB1984, after, seat, action, happened.append)
        assert ENCODER.encode(self.state) == before, "the original changed with its clone"
        delta = PLAIN.decode(ENCODER.encode(diff(MB1984.view(self.state, None), MB1984.view(after, None))))
        patch(self.told, delta)
        for event in happened:
            assert MB1984.event_decoder.decode(ENCODER.encode(event)) == event
        assert MB1984.action_decoder.decode(ENCODER.encode(action)) == action
        self.state = after
        self.ask()

    def ask(self) -> None:
        """Everything that must hold between two actions."""
        state = self.state
        assert MB1984.invariants(state) == []
        assert self.conserved() == []
        encoded = ENCODER.encode(MB1984.view(state, None))
        travelled = MB1984.view_decoder.decode(encoded)
        assert travelled == MB1984.view(state, None)
        assert PLAIN.decode(encoded) == self.told, "the sum of the deltas is not the snapshot"
        seats = engine.owed(MB1984, state)
        assert bool(seats) != MB1984.finished(state)
        for seat in seats:
            self.ask_options(seat, travelled)
        if seats:
            self.ask_wild(seats[0], travelled)

    def conserved(self) -> list[str]:
        """Pieces neither appear nor vanish."""
        state = self.state
        wrong = []
        here = in_play(state)
        for seat in range(state.seats):
            left = supply(state, seat)
            if any(left[k] + here[k] != POOL[k] or left[k] < 0 for k in range(3)) or left[3] < 0:
                wrong.append(f"supply {left} and {here} on the board")
        if len(state.leader_at) != state.seats * LEADERS or len(state.galley_at) != state.seats * GALLEYS:
            wrong.append("leaders or galleys were lost")
        turn = state.frames[0]
        if isinstance(turn, Turn) and state.winner == -1 and len(state.frames) == 1:
            wrong.append("only the turn is left")
        if state.winner == -1 and sum(state.lord[seat] == seat for seat in range(state.seats)) < 2:
            wrong.append("one is left and has not won")
        return wrong

    def ask_options(self, seat: Seat, view: Any) -> None:
        """Some option always exists, all are legal, here and on the view; so is the default."""
        found = list(engine.options(MB1984, self.state, seat))
        assert found
        for action in found if len(found) <= 12 else self.rng.sample(found, 12):
            assert engine.check(MB1984, self.state, seat, action) is None, action
            assert engine.check(MB1984, view, seat, action) is None, action
        if seat != NATURE:
            chosen = engine.default(MB1984, self.state, seat)
            assert engine.check(MB1984, self.state, seat, chosen) is None, chosen

    def ask_wild(self, owing: Seat, view: Any) -> None:
        """Wild actions get the same verdict on both sides, never an exception; accepted ones leave a sound position."""
        rng, state = self.rng, self.state
        for k in range(6):
            seat = rng.randrange(state.seats) if k == 0 or owing == NATURE else owing
            action = absurd(rng) if k == 1 else wild(rng, state, seat)
            told = engine.check(MB1984, state, seat, action)
            assert engine.check(MB1984, view, seat, action) == told
            if told is None:
                after = state.clone()
                engine.play(MB1984, after, seat, action, engine.silent)
                assert MB1984.invariants(after) == [], action
                assert bool(engine.owed(MB1984, after)) != MB1984.finished(after)
            else:
                assert told.code and told.text


def random_game(seats: int, seed: int, steps: int) -> Game:
    """A game from the printed start."""
    chosen = OPTIONS[seed % len(OPTIONS)]
    game = Game(engine.start(MB1984, seats, chosen, engine.silent), seed)
    try:
        game.play(steps)
    except Exception as error:
        error.add_note(f"seats {seats}, seed {seed}, options {chosen}, after {game.trace[-12:]}")
        raise
    return game


@pytest.mark.rule("MB-D03", "MB-D04", "MB-D47")
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("seats", range(2, 7))
def test_random_games(seats: int, seed: int) -> None:
    random_game(seats, seed, 400)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 112))
@pytest.mark.parametrize("seats", range(2, 7))
def test_many_random_games(seats: int, seed: int) -> None:
    random_game(seats, seed, 4000)

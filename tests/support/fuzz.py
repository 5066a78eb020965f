"""Random games of any kind; each step passes every check that we know."""

from collections.abc import Callable
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from protocol.delta import diff, patch
from shared.board import BOARD
from shared.ids import NATURE, NONE, Seat
from shared.kernel import engine
from shared.kernel.frames import Action, Drawn, Rolled
from shared.kernel.ruleset import AnyRuleset
from shared.mechanics.armies import army_of
from shared.mechanics.pieces import OFF, own, own_pieces_at
from shared.mechanics.table import Pieces
from shared.vocabulary import actions as a
from shared.vocabulary.actions import Concede, EndMovement, Resign
from shared.vocabulary.frames import Turn

ENCODER = msgspec.msgpack.Encoder()
PLAIN = msgspec.msgpack.Decoder()
WILD_TRIES = 6

Maker = Callable[[Random, Any, Seat], Action]


class Habits(Struct, frozen=True):
    """Settings of random games.

    wild: returns any action, with fields that are at least nearly valid. absurd: returns an action whose fields decode
    but mean nothing. orderly: returns faults of a position beyond the invariants. others: how often a wild action
    belongs to another seat. leaving: how often conceding and resigning are chosen. account: returns what a step's
    events do not explain."""

    rules: AnyRuleset
    wild: Maker
    absurd: Callable[[Random], Action]
    orderly: Callable[[Any], list[str]]
    others: float = 0.0
    leaving: float = 0.0
    account: Callable[[Any, Any, list[Any]], list[str]] | None = None


class Game:
    """Match played at random; `trace` holds the actions for the message of a failure."""

    def __init__(self, habits: Habits, state: Any, seed: int) -> None:
        self.habits = habits
        self.rules = habits.rules
        self.rng = Random(seed)
        self.state = state
        self.trace: list[tuple[Seat, Action]] = []
        self.gone: set[int] = set()
        self.high = 0
        self.told: list[Any] = PLAIN.decode(ENCODER.encode(self.rules.view(state, None)))
        self.ask()

    def play(self, steps: int) -> None:
        """Play at most so many actions. A failure names the last one."""
        try:
            for _ in range(steps):
                if self.rules.finished(self.state):
                    break
                self.step()
        except Exception as error:
            error.add_note(f"after {self.trace[-12:]}")
            raise

    def step(self) -> None:
        """Take one action of a seat that owes a decision."""
        seats = engine.owed(self.rules, self.state)
        seat = self.rng.choice(seats)
        if seat == NATURE:
            action = engine.chance_action(self.state, self.rng)
            assert action is not None
            self.act(seat, action)
        else:
            self.act(*self.choose(seat))

    def choose(self, seat: Seat) -> tuple[Seat, Action]:
        """Choose a listed option, or a wild action that happens to be legal; sometimes one of another seat."""
        if self.rng.random() < 0.4:
            for _ in range(4):
                who = self.rng.randrange(self.state.seats) if self.rng.random() < self.habits.others else seat
                action = self.habits.wild(self.rng, self.state, who)
                if isinstance(action, Concede | Resign) and self.rng.random() >= self.habits.leaving:
                    continue
                if engine.check(self.rules, self.state, who, action) is None:
                    return who, action
        options = list(engine.options(self.rules, self.state, seat))
        if isinstance(options[0], EndMovement) and len(options) > 1 and self.rng.random() < 0.85:
            return seat, self.rng.choice(options[1:])
        return seat, self.rng.choice(options)

    def act(self, seat: Seat, action: Action) -> None:
        """Execute the action on a clone, as the server does, and compare."""
        self.trace.append((seat, action))
        before = ENCODER.encode(self.state)
        after = self.state.clone()
        assert ENCODER.encode(after) == before
        happened: list[Any] = []
        engine.play(self.rules, after, seat, action, happened.append)
        assert ENCODER.encode(self.state) == before, "the original changed with its clone"
        self.numbers(self.state, after)
        delta = PLAIN.decode(ENCODER.encode(diff(self.rules.view(self.state, None), self.rules.view(after, None))))
        patch(self.told, delta)
        for event in happened:
            assert self.rules.event_decoder.decode(ENCODER.encode(event)) == event
        assert self.rules.action_decoder.decode(ENCODER.encode(action)) == action
        wrong = self.habits.account(self.state, after, happened) if self.habits.account else []
        assert wrong == [], wrong
        self.state = after
        self.ask()

    def numbers(self, before: Any, after: Any) -> None:
        """Check that no frame's number is used again."""
        now = {frame.no for frame in after.frames}
        self.gone |= {frame.no for frame in before.frames} - now
        self.high = max(self.high, before.pushed)
        assert not now & self.gone, "a frame's number came back"
        assert max(now) <= after.pushed and after.pushed >= self.high

    def ask(self) -> None:
        """Check everything that must hold between two actions."""
        state = self.state
        assert self.rules.invariants(state) == []
        assert self.habits.orderly(state) == []
        view = self.rules.view(state, None)
        encoded = ENCODER.encode(view)
        travelled = self.rules.view_decoder.decode(encoded)
        assert travelled == view
        assert PLAIN.decode(encoded) == self.told, "the sum of the deltas is not the snapshot"
        assert sorted(place.seat for place in self.rules.standings(state)) == list(range(state.seats))
        seats = engine.owed(self.rules, state)
        assert bool(seats) != self.rules.finished(state)
        for seat in seats:
            self.ask_options(seat, travelled)
        if seats:
            self.ask_wild(travelled)

    def ask_options(self, seat: Seat, view: Any) -> None:
        """Check that there is an option, and that options and the default are legal, on the state and on the view."""
        options = list(engine.options(self.rules, self.state, seat))
        assert options
        for action in options if len(options) <= 12 else self.rng.sample(options, 12):
            assert engine.check(self.rules, self.state, seat, action) is None, action
            assert engine.check(self.rules, view, seat, action) is None, action
        if seat != NATURE:
            chosen = engine.default(self.rules, self.state, seat)
            assert engine.check(self.rules, self.state, seat, chosen) is None, chosen

    def ask_wild(self, view: Any) -> None:
        """Check that wild actions get the same verdict on state and view, never an exception; accepted ones leave a
        sound position."""
        rng, state = self.rng, self.state
        owing = engine.owed(self.rules, state)[0]
        for k in range(WILD_TRIES):
            seat = rng.randrange(state.seats) if k == 0 or owing == NATURE else owing
            action = self.habits.absurd(rng) if k == 1 else self.habits.wild(rng, state, seat)
            told = engine.check(self.rules, state, seat, action)
            assert engine.check(self.rules, view, seat, action) == told
            if told is None:
                after = state.clone()
                engine.play(self.rules, after, seat, action, engine.ignore_event)
                assert self.rules.invariants(after) == [], action
                assert self.habits.orderly(after) == [], action
                assert bool(engine.owed(self.rules, after)) != self.rules.finished(after)
            else:
                assert told.code and told.text


def stuck(state: Any) -> list[str]:
    """Return faults that no game may reach: a turn without anything to do, or a last player who has not won."""
    wrong = []
    if isinstance(state.frames[0], Turn) and len(state.frames) == 1 and state.winner == NONE:
        wrong.append("only the turn is left")
    if state.winner == NONE and sum(state.lord[seat] == seat for seat in range(state.seats)) < 2:
        wrong.append("one is left and has not won")
    return wrong


# --- wild and absurd actions ---


def few(rng: Random, pool: list[int], most: int = 3) -> tuple[int, ...]:
    """Return some of the pool."""
    return tuple(rng.sample(pool, min(len(pool), rng.randint(0, most))))


def part(rng: Random, whole: int) -> int:
    """Return none, some, all or too many."""
    return rng.choice((0, whole, rng.randint(0, whole), rng.randint(0, whole), whole + 1))


def identity(rng: Random) -> int:
    """Return a number that decodes as an identifier."""
    return rng.randint(-1, 127)


def province(rng: Random) -> int:
    """Return any province."""
    return rng.randrange(BOARD.provinces)


def counts(rng: Random) -> list[int]:
    """Return numbers that decode as counts: more than any action has."""
    return [rng.randint(0, 120) for _ in range(8)]


def sail(rng: Random, table: Pieces, seat: Seat, leaders: int, galleys: int) -> Action:
    """Return a random order for a galley of any colour to a place nearby. leaders, galleys: number per colour."""
    fleet = [galley for galley in own(table, seat, galleys) if table.galley_at[galley] != OFF]
    number = rng.choice(fleet or [rng.randrange(len(table.galley_at))])
    here = table.galley_at[number]
    if here == OFF:
        return a.Sail(number, rng.randrange(BOARD.positions))
    to = rng.choice([*BOARD.coast_seas[here], *(BOARD.landings[here] if BOARD.is_sea(here) else ())])
    if BOARD.is_sea(here):
        return a.Sail(number, to)
    space = BOARD.ashore[here]
    crew = few(rng, list(own_pieces_at(table.leader_at, space, table.lord, seat, leaders)))
    return a.Sail(number, to, crew, *[part(rng, min(7, n)) for n in army_of(table.units[space], seat)])


PLAIN_MAKERS: tuple[Maker, ...] = (
    lambda rng, t, s: a.Fight(rng.randrange(BOARD.spaces), rng.randrange(t.seats)),
    lambda rng, t, s: a.Retreat(rng.choice((NONE, province(rng)))),
    lambda rng, t, s: a.Judge(few(rng, list(range(len(t.leader_at))))),
    lambda rng, t, s: a.Raze(province(rng)),
    lambda rng, t, s: a.PlaceGalley(rng.randrange(BOARD.positions)),
    lambda rng, t, s: a.PlaceCity(province(rng)),
    lambda rng, t, s: a.PlaceFortification(province(rng)),
    lambda rng, t, s: a.PlaceRoad(*rng.choice(BOARD.edges)[:: rng.choice((1, -1))]),
    lambda rng, t, s: a.Concede(rng.randint(-1, t.seats)),
    lambda rng, t, s: a.Resign(),
    lambda rng, t, s: rng.choice((a.Answer(True), a.Stand(), a.EndMovement(), a.EndDestruction())),
    lambda rng, t, s: rng.choice(
        (a.EndTurn(), a.ChooseHome(province(rng)), Rolled((0,) * rng.randint(1, 2)), Drawn((1, 0)))
    ),
)
"""Makers of wild actions that every game knows."""


def absurdities(rng: Random, ids: tuple[int, ...]) -> tuple[Action, ...]:
    """Return absurd actions that every game knows; `ids` are any numbers."""
    n = counts(rng)
    return (
        a.ChooseHome(identity(rng)),
        a.Sail(identity(rng), identity(rng), ids, *n[:3]),
        a.Fight(identity(rng), identity(rng)),
        a.Retreat(identity(rng)),
        a.Judge(ids),
        a.Raze(identity(rng)),
        a.PlaceGalley(identity(rng)),
        a.PlaceCity(identity(rng)),
        a.PlaceFortification(identity(rng)),
        a.PlaceRoad(identity(rng), identity(rng)),
        a.Offer(identity(rng), n[3] * 800, ids, n[4], ids[::-1]),
        a.Concede(identity(rng)),
        Rolled(ids),
        Drawn(ids),
    )

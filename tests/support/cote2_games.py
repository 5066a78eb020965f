"""Random matches of the second game; each step passes every check that we know."""

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any

import msgspec

from protocol.delta import diff, patch
from shared.board import BOARD
from shared.ids import NATURE, NONE, Seat
from shared.kernel import engine
from shared.kernel.frames import Action, Deal, Dealt, Dice, Event, Rolled
from shared.rulesets.cote2 import actions as a
from shared.rulesets.cote2 import events
from shared.rulesets.cote2.data import CARDS, KEYS, REVOLT, SENATORS
from shared.rulesets.cote2.definition import COTE2
from shared.rulesets.cote2.frames import Aid, Auction, Battle, Casualties, Commitment, Muster, Turn, Wind
from shared.rulesets.cote2.property import (
    add_army,
    add_influence,
    army_supply,
    check_property,
    galley_supply,
    general_supply,
    influence_supply,
)
from shared.rulesets.cote2.state import ALIENS, GALLEYS, LEADERS, OFF, REBELS, State, allied
from shared.vocabulary.actions import Concede, EndTurn, Retreat, Stand
from shared.vocabulary.events import Fell
from shared.vocabulary.frames import Onward
from tests.support.positionii import position

ENCODER = msgspec.msgpack.Encoder()
PLAIN = msgspec.msgpack.Decoder()
WILD_TRIES = 6

# --- wild actions ---

Maker = Callable[[Random, State, Seat], Action]


def _province(rng: Random) -> int:
    return rng.randrange(BOARD.provinces)


def _army(rng: Random) -> tuple[int, int, int]:
    return rng.choice((0, 1, 1, 2, 4)), rng.choice((0, 0, 1)), rng.choice((0, 0, 1))


def _home(rng: Random, state: State, seat: Seat) -> int:
    """Return a province where the seat has a leader, more often than not."""
    places = [at for at in state.leader_at[seat * LEADERS : (seat + 1) * LEADERS] if at != OFF]
    return rng.choice(places) if places and rng.random() < 0.9 else _province(rng)


def _leaders(rng: Random, state: State, seat: Seat, space: int) -> list[int]:
    own = range(seat * LEADERS, (seat + 1) * LEADERS)
    return [leader for leader in own if state.leader_at[leader] == space and rng.random() < 0.5]


def _galleys(rng: Random, state: State, seat: Seat) -> tuple[int, ...]:
    own = range(seat * GALLEYS, (seat + 1) * GALLEYS)
    return tuple([galley for galley in own if state.galley_at[galley] != OFF and rng.random() < 0.6])


def _move(rng: Random, state: State, seat: Seat) -> Action:
    source = _home(rng, state, seat)
    armies = tuple([(_province(rng), *_army(rng)) for _ in range(rng.randint(0, 3))])
    return a.Move(source, armies, tuple([(x, _province(rng)) for x in _leaders(rng, state, seat, source)]))


def _campaign(rng: Random, state: State, seat: Seat) -> Action:
    source = _home(rng, state, seat)
    leaders = tuple(_leaders(rng, state, seat, source))
    return a.Campaign(rng.randrange(31, 37), source, *rng.choice(((4, 0, 0), (3, 1, 0), (2, 1, 1))), leaders)


def _sail(rng: Random, state: State, seat: Seat) -> Action:
    to = rng.randrange(BOARD.provinces, BOARD.spaces)
    if rng.random() < 0.5:
        return a.Sail(to, _galleys(rng, state, seat))
    return a.Sail(to, _galleys(rng, state, seat), rng.choice((to, _zone(rng, state))), rng.randrange(state.seats))


def _zone(rng: Random, state: State) -> int:
    at = [zone for zone in state.galley_at if zone != OFF]
    return rng.choice(at) if at else rng.randrange(BOARD.provinces, BOARD.spaces)


def _incite(rng: Random, state: State, seat: Seat) -> Action:
    space = rng.choice([s for s, cell in enumerate(state.units) if cell] or [0])
    others = [other for other in state.units[space][::4] if other != seat]
    rng.shuffle(others)
    return a.Incite(space, tuple(others))


def _lose(rng: Random, state: State, seat: Seat) -> Action:
    groups = [(owner, *_army(rng)) for owner in {rng.randrange(state.seats), seat, rng.choice((seat, ALIENS, REBELS))}]
    return a.Lose(tuple(groups[: rng.randint(0, 3)]), _galleys(rng, state, seat)[:1], rng.choice((0, 0, 1)))


MAKERS: tuple[Maker, ...] = (
    _move,
    _move,
    _campaign,
    _sail,
    _incite,
    _lose,
    lambda rng, s, _: a.Bid(rng.choice((0, 5, 10, 25, 7)), rng.randint(-1, s.seats), rng.randint(-1, s.seats)),
    lambda rng, s, seat: a.Deploy(((rng.choice(KEYS), 8, 2, 1),), rng.choice(KEYS), rng.choice(KEYS), _zone(rng, s)),
    lambda rng, s, _: a.Obtain(
        rng.randrange(len(CARDS)), rng.choice((NONE, rng.randrange(60), rng.randrange(s.seats)))
    ),
    lambda rng, s, seat: a.Recruit(((_home(rng, s, seat), *_army(rng), rng.choice((0, 1))),)),
    lambda rng, s, seat: a.Recruit((), ((_zone(rng, s), rng.randint(0, 3)),)),
    lambda rng, s, seat: a.Influence(_home(rng, s, seat), (rng.randint(-1, s.seats),) * rng.randint(1, 2)),
    lambda rng, s, _: a.Levy(rng.choice((5, 25, 3, 30))),
    lambda rng, s, _: a.Attack(rng.choice([k for k, c in enumerate(s.units) if c] or [0]), rng.randrange(s.seats)),
    lambda rng, s, _: a.Use(rng.randrange(len(CARDS)), rng.choice((NONE, rng.randrange(30))), rng.randint(-1, 2)),
    lambda rng, s, seat: a.Commit(_galleys(rng, s, seat)),
    lambda rng, s, seat: a.Lend(*_army(rng), _galleys(rng, s, seat)[: rng.randint(0, 2)]),
    lambda rng, s, _: Retreat(_province(rng)),
    lambda rng, s, _: a.Withdraw(_province(rng)),
    lambda rng, s, _: a.Show(*[rng.randint(0, 2) for _ in range(4)]),
    lambda rng, s, _: a.Assemble(rng.choice(KEYS)),
    lambda rng, s, _: Concede(rng.randint(-1, s.seats)),
    lambda rng, s, _: rng.choice((a.Pass(), EndTurn(), Stand(), a.Slip(True), a.Slip(False))),
    lambda rng, s, _: rng.choice((Rolled((0, 1, 2)), Dealt((0,)), Dealt((1, 0)))),
)


def wild(rng: Random, state: State, seat: Seat) -> Action:
    """Return any action, with fields that are at least nearly valid."""
    return rng.choice(MAKERS)(rng, state, seat)


def bent(rng: Random, action: Action) -> Action:
    """Return the action with one of its numbers changed or repeated, as far as it can be encoded."""
    plain = PLAIN.decode(ENCODER.encode(action))
    places = list(numbers_of(plain))[1:]
    if places:
        holder, at = rng.choice(places)
        holder[at] = rng.choice((-1, 0, 1, holder[at] + 1, holder[at] - 1, rng.randint(-1, 127)))
    groups = [part for part in plain[1:] if isinstance(part, list) and part]
    if groups and rng.random() < 0.2:
        group = rng.choice(groups)
        group.append(rng.choice(group))
    try:
        changed: Action = COTE2.action_decoder.decode(ENCODER.encode(plain))
    except msgspec.ValidationError:
        return action
    return changed


def numbers_of(plain: list[Any]) -> Iterator[tuple[list[Any], int]]:
    """Yield the numbers of an action, each with the list that holds it; the first is the kind of the action."""
    for at, value in enumerate(plain):
        if isinstance(value, list):
            yield from numbers_of(value)
        elif not isinstance(value, bool):
            yield plain, at


# --- the ledger ---


def talents_by(event: Event, seats: int) -> list[int]:
    """Return the talents that an event adds or takes, by seat."""
    change = [0] * seats
    match event:
        case events.Allied(seat, talents, _, _) | events.CardTaken(seat, _, talents):
            change[seat] -= talents
        case events.Recruited(seat, _, _, talents) | events.InfluenceBought(seat, _, _, talents):
            change[seat] -= talents
        case events.CardUsed(seat, _, talents) | events.Rewarded(seat, _, talents, _) | events.Levied(seat, talents):
            change[seat] += talents
        case events.Taxed(talents):
            change = list(talents)
    return change


def points_by(event: Event, seats: int) -> list[int]:
    """Return the victory points that an event adds or takes, by seat."""
    change = [0] * seats
    match event:
        case events.Rewarded(seat, _, _, points):
            change[seat] += points
        case events.Scored(_, points) | events.ChaosShown(_, points):
            change = list(points)
    return change


def pieces(state: State) -> list[tuple[int, ...]]:
    """Return by seat: infantry, cavalry, catapults, generals and Caesars, galleys, influence on the board."""
    found = []
    for seat in range(state.seats):
        army = [0, 0, 0]
        for cell in state.units:
            for i in range(0, len(cell), 4):
                if cell[i] == seat:
                    army = [n + m for n, m in zip(army, cell[i + 1 : i + 4], strict=True)]
        leaders = sum(at != OFF for at in state.leader_at[seat * LEADERS : (seat + 1) * LEADERS])
        galleys = sum(at != OFF for at in state.galley_at[seat * GALLEYS : (seat + 1) * GALLEYS])
        influence = sum(state.influence[space][seat] for space in KEYS)
        found.append((*army, leaders, galleys, influence))
    return found


def pieces_by(event: Event, seats: int) -> list[list[int]]:
    """Return the pieces that an event adds or takes, in the form of `pieces`."""
    change = [[0] * 6 for _ in range(seats)]

    def add(seat: Seat, *numbers: int) -> None:
        change[seat] = [n + m for n, m in zip(change[seat], numbers, strict=True)]

    match event:
        case events.InfluenceDrawn(seat, spaces):
            add(seat, 0, 0, 0, 0, 0, len(spaces))
        case events.Deployed(seat, _, _, _, galley):
            add(seat, 8, 2, 1, 2, int(galley != NONE), 0)
        case events.Reinforced(seat, _, army, galleys):
            add(seat, *army, 0, len(galleys), 0)
        case events.Recruited(seat, armies, fleets, _):
            for _space, infantry, cavalry, catapults, generals in armies:
                add(seat, infantry, cavalry, catapults, generals, 0, 0)
            add(seat, 0, 0, 0, 0, sum(number for _zone, number in fleets), 0)
        case events.InfluenceBought(seat, _, sellers, _):
            add(seat, 0, 0, 0, 0, 0, len(sellers))
            for seller in sellers:
                if seller != NONE:
                    add(seller, 0, 0, 0, 0, 0, -1)
        case events.InfluenceGained(seat, _, tokens):
            add(seat, 0, 0, 0, 0, 0, tokens)
        case Fell(seat, _, army) if seat < ALIENS:
            add(seat, -army[0], -army[1], -army[2], 0, 0, 0)
        case events.Sank(_, _, galleys, _):
            for galley in galleys:
                add(galley // GALLEYS, 0, 0, 0, 0, -1, 0)
        case events.GeneralKilled(_, leader):
            add(leader // LEADERS, 0, 0, 0, -1, 0, 0)
    return change


def orderly(state: State) -> list[str]:
    """Return faults that only tests check."""
    wrong = check_property(state)
    for frame in state.frames:
        if isinstance(frame, Battle):
            sides = (frame.attacker, frame.defender)
            if frame.attacker != REBELS and allied(state, *sides):
                wrong.append(f"allies fight: {frame}")
            for cell in (frame.attacking, frame.defending):
                for i in range(0, len(cell), 4):
                    if cell[i] < ALIENS and frame.space < BOARD.provinces:
                        there = state.units[frame.space]
                        here = [there[j + 1 : j + 4] for j in range(0, len(there), 4) if there[j] == cell[i]]
                        if not here or any(n > m for n, m in zip(cell[i + 1 : i + 4], here[0], strict=True)):
                            wrong.append(f"{frame} has units that are not there")
        if isinstance(frame, Turn) and frame.seat != state.order[state.frames[1].place - 1]:  # type: ignore[union-attr]
            wrong.append(f"it is not the turn of {frame}")
    last = state.frames[-1]
    if isinstance(last, Dice) and not 0 < last.count < 30:
        wrong.append(f"{last}")
    if isinstance(last, Deal) and not 0 < last.size <= last.count:
        wrong.append(f"{last}")
    return wrong


# --- a match ---


class Game:
    """Match played at random; `trace` holds the actions for the message of a failure."""

    def __init__(self, state: State, seed: int) -> None:
        self.rng = Random(seed)
        self.state = state
        self.trace: list[tuple[Seat, Action]] = []
        self.acted: dict[tuple[int, int, Seat], int] = {}
        self.audiences: tuple[Seat | None, ...] = (*range(state.seats), None)
        self.told: list[Any] = [PLAIN.decode(ENCODER.encode(COTE2.view(state, who))) for who in self.audiences]
        self.ask()

    def play(self, steps: int) -> None:
        """Play at most so many actions."""
        for _ in range(steps):
            if COTE2.finished(self.state):
                break
            self.step()

    def step(self) -> None:
        """Take one action of a seat that owes a decision."""
        (seat,) = engine.owed(COTE2, self.state)
        action = engine.chance_action(self.state, self.rng) if seat == NATURE else self.choose(seat)
        assert action is not None
        self.act(seat, action)

    def choose(self, seat: Seat) -> Action:
        """Choose a listed option, or a random action that happens to be legal."""
        if self.rng.random() < 0.4:
            for _ in range(6):
                action = wild(self.rng, self.state, seat)
                concede = isinstance(action, Concede)
                if not concede and engine.check(COTE2, self.state, seat, action) is None:
                    return action
        options = engine.options(COTE2, self.state, seat)
        return options[self.rng.randrange(len(options))]

    def act(self, seat: Seat, action: Action) -> None:
        """Execute the action on a clone, as the server does, and compare."""
        self.trace.append((seat, action))
        before = ENCODER.encode(self.state)
        after = self.state.clone()
        assert ENCODER.encode(after) == before
        happened: list[Event] = []
        engine.play(COTE2, after, seat, action, happened.append)
        assert ENCODER.encode(self.state) == before, "the original changed with its clone"
        self.conserve(self.state, after, happened)
        self.count(seat, action)
        for k, who in enumerate(self.audiences):
            change = PLAIN.decode(ENCODER.encode(diff(COTE2.view(self.state, who), COTE2.view(after, who))))
            patch(self.told[k], change)
            for event in happened:
                heard = COTE2.event_for(event, who)
                assert heard is None or COTE2.event_decoder.decode(ENCODER.encode(heard)) == heard
        assert COTE2.action_decoder.decode(ENCODER.encode(action)) == action
        self.state = after
        self.ask()

    def count(self, seat: Seat, action: Action) -> None:
        """Count the actions of each seat in each round."""
        costs = (a.Obtain, a.Campaign, a.Incite, a.Recruit, a.Influence, a.Levy, a.Move, a.Attack, a.Sail, a.Pass)
        if isinstance(action, costs) and isinstance(self.state.frames[-1], Turn):
            key = (self.state.season, self.state.round, seat)
            self.acted[key] = self.acted.get(key, 0) + 1

    def conserve(self, before: State, after: State, happened: list[Event]) -> None:
        """Check that talents, points and pieces change only as the events tell."""
        seats = after.seats
        money, points, board = before.talents, before.points, [list(had) for had in pieces(before)]
        for event in happened:
            money = [had + n for had, n in zip(money, talents_by(event, seats), strict=True)]
            points = [had + n for had, n in zip(points, points_by(event, seats), strict=True)]
            for had, change in zip(board, pieces_by(event, seats), strict=True):
                had[:] = [n + m for n, m in zip(had, change, strict=True)]
        assert money == after.talents, happened
        assert points == after.points, happened
        assert [tuple(had) for had in board] == pieces(after), happened

    def ask(self) -> None:
        """Check everything that must hold between two actions."""
        state = self.state
        assert COTE2.invariants(state) == []
        assert orderly(state) == []
        for k, who in enumerate(self.audiences):
            view = COTE2.view(state, who)
            encoded = ENCODER.encode(view)
            assert COTE2.view_decoder.decode(encoded) == view
            assert PLAIN.decode(encoded) == self.told[k], "the sum of the deltas is not the snapshot"
        assert sorted(place.seat for place in COTE2.standings(state)) == list(range(state.seats))
        seats = engine.owed(COTE2, state)
        assert bool(seats) != COTE2.finished(state)
        for seat in seats:
            self.ask_options(seat)
        if seats:
            self.ask_wild()

    def ask_options(self, seat: Seat) -> None:
        """Check that there is an option, and that options and the default are legal, on the state and on the view."""
        view = COTE2.view(self.state, seat if seat != NATURE else None)
        options = list(engine.options(COTE2, self.state, seat))
        assert options
        assert len(options) > 1 or not self.choosing(), "somebody is asked who has no choice"
        assert seat == NATURE or options == list(engine.options(COTE2, view, seat))
        for action in options if len(options) <= 12 else self.rng.sample(options, 12):
            assert engine.check(COTE2, self.state, seat, action) is None, action
            assert engine.check(COTE2, view, seat, action) is None, action
        if seat != NATURE:
            chosen = engine.default(COTE2, self.state, seat)
            assert engine.check(COTE2, self.state, seat, chosen) is None, chosen

    def choosing(self) -> bool:
        """Whether only a seat with a choice is asked now. A seat without a senator to win with is not asked."""
        frame = self.state.frames[-1]
        return isinstance(frame, Auction | Wind | Commitment | Aid | Casualties | Onward | Muster)

    def ask_wild(self) -> None:
        """Check that wild and bent actions get the same verdict on state and view, never an exception. Accepted ones
        must leave a sound position."""
        rng, state = self.rng, self.state
        owing = engine.owed(COTE2, state)[0]
        for k in range(WILD_TRIES):
            seat = rng.randrange(state.seats) if k == 0 or owing == NATURE else owing
            action = wild(rng, state, seat)
            if k >= 2 and seat == owing != NATURE:
                action = bent(rng, rng.choice(engine.options(COTE2, state, seat)) if k > 2 else action)
            told = engine.check(COTE2, state, seat, action)
            assert engine.check(COTE2, COTE2.view(state, seat), seat, action) == told
            if told is None:
                after = state.clone()
                happened: list[Event] = []
                engine.play(COTE2, after, seat, action, happened.append)
                assert COTE2.invariants(after) == [], action
                assert orderly(after) == [], action
                self.conserve(state, after, happened)
            else:
                assert told.code and told.text


def random_game(seats: int, seed: int, steps: int = 100_000, chosen: Mapping[str, int] | None = None) -> Game:
    """Play a match from the start, to the end unless there is a limit."""
    game = Game(engine.start(COTE2, seats, chosen or {}, engine.ignore_event), seed)
    try:
        game.play(steps)
    except Exception as error:
        error.add_note(f"seats {seats}, seed {seed}, options {chosen}, after {game.trace[-12:]}")
        raise
    return game


def crowded(seats: int, seed: int) -> State:
    """Return a sound position in mid-game: armies of several players together, galleys, cities, cards, senators."""
    rng = Random(seed)
    keys = BOARD.keys[: BOARD.provinces]
    zones = BOARD.keys[BOARD.provinces :]
    fields = rng.sample(keys, 10)
    units: dict[str, dict[Seat, tuple[int, int, int]]] = {}
    leaders: dict[str, list[int]] = {}
    galleys: dict[int, str] = {}
    ports = rng.sample(zones, 5)
    for seat in range(seats):
        for key in rng.sample(fields, 5):
            units.setdefault(key, {})[seat] = (rng.randint(0, 3), rng.randint(0, 2), rng.randint(0, 1))
        for k in range(rng.randint(1, 5)):
            leaders.setdefault(rng.choice(fields), []).append(seat * LEADERS + k)
        for k in range(rng.randint(0, 5)):
            galleys[seat * GALLEYS + k] = rng.choice(ports)
    units = {key: {seat: army for seat, army in armies.items() if any(army)} for key, armies in units.items()}
    influence = {BOARD.keys[key]: {seat: rng.randint(0, 1) for seat in range(seats)} for key in KEYS}
    cities = {BOARD.keys[key]: rng.randrange(seats) for key in KEYS if rng.random() < 0.5}
    deck = [card for card in range(len(CARDS)) for _ in range(CARDS[card].copies) if card not in SENATORS]
    rng.shuffle(deck)
    kept = [card for card in deck if CARDS[card].kind != "immediate"]
    cards: dict[Seat, list[str]] = {seat: [] for seat in range(seats)}
    for card in kept[:12]:
        cards[rng.randrange(seats)].append(CARDS[card].key)
    row = [CARDS[card].key for card in deck if CARDS[card].kind == "immediate" and card != REVOLT][:10]
    order = list(range(seats))
    rng.shuffle(order)
    return position(
        seats,
        turn=rng.choice(order),
        order=order,
        units=units,
        leaders=leaders,
        galleys=galleys,
        influence=influence,
        tokens={BOARD.keys[key]: rng.randint(0, 2) for key in KEYS},
        cities=cities,
        row=[*row, "slave_revolt"],
        cards=cards,
        senators={
            seat: (rng.randint(0, 1), rng.randint(0, 1), rng.randint(0, 1), int(seat < 2)) for seat in range(seats)
        },
        chaos=[rng.randint(0, 12) for _ in range(seats)],
        talents=[5 * rng.randint(0, 30) for _ in range(seats)],
        points=[5 * rng.randint(-2, 20) for _ in range(seats)],
        season=rng.randint(1, 4),
        round=rng.randint(1, 4),
    )


def scarce(seats: int, seed: int) -> State:
    """Return a crowded position with rich seats, each at home in a key province, with none to two of each kind of piece
    left."""
    state, rng = crowded(seats, seed), Random(seed)
    for seat in range(seats):
        state.talents[seat] = 300
        home = rng.choice(KEYS)
        state.leader_at[seat * LEADERS] = home
        infantry, cavalry, catapults = [max(0, n - rng.randint(0, 2)) for n in army_supply(state, seat)]
        add_army(state, seat, home, (infantry, cavalry, catapults))
        for _ in range(influence_supply(state, seat) - rng.randint(0, 2)):
            add_influence(state, seat, rng.choice((home, *KEYS)), 1)
        for galley in galley_supply(state, seat)[rng.randint(0, 2) :]:
            state.galley_at[galley] = rng.randrange(BOARD.provinces, BOARD.spaces)
        for general in general_supply(state, seat)[rng.randint(0, 2) :]:
            state.leader_at[general] = rng.randrange(BOARD.provinces)
    return state


def crowded_game(seats: int, seed: int, steps: int, begin: Callable[[int, int], State] = crowded) -> Game:
    """Play a match from a crowded board: battles, votes, revolts from the first action on."""
    game = Game(begin(seats, seed), seed)
    try:
        game.play(steps)
    except Exception as error:
        error.add_note(f"{begin.__name__}, seats {seats}, seed {seed}, after {game.trace[-12:]}")
        raise
    return game

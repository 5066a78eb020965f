"""Movement judged unit by unit: the rules keep counts only, and must agree with a model of single units."""

from collections import defaultdict
from collections.abc import Sequence
from random import Random

import pytest
from msgspec import Struct
from msgspec.structs import replace

from shared.board import BOARD
from shared.ids import NATURE, Seat
from shared.kernel import engine
from shared.kernel.frames import Action
from shared.mechanics.armies import army_of, hostile
from shared.mechanics.pieces import ABOARD, own
from shared.rulesets.classic.actions import March
from shared.rulesets.classic.definition import CLASSIC
from shared.rulesets.classic.table import GALLEYS, LEADERS, State
from shared.rulesets.conquest.pieces import leaders_at
from shared.vocabulary.actions import EndMovement, Sail
from shared.vocabulary.frames import Movement
from tests.support.layout import aboard
from tests.support.position import galley, general, position
from tests.support.random_games import crowded

POINTS = (1, 2, 1)
"""Of infantry, cavalry, catapults; leaders have two."""


class Man(Struct):
    """A unit: its kind, steps made this turn, whether it went by sea in it, whether it met the enemy."""

    kind: int
    steps: int = 0
    by_sea: bool = False
    stopped: bool = False

    def marches(self, points: int) -> bool:
        """Whether it has a step left on land."""
        return self.steps < points and not self.by_sea and not self.stopped


class Muster:
    """Every single unit of the active seat, from the beginning of its movement on."""

    def __init__(self, state: State, seat: Seat) -> None:
        self.seat = seat
        self.state = state
        self.men: dict[int, list[Man]] = defaultdict(list)
        for space in range(BOARD.provinces):
            self.men[space] = _men(army_of(state.units[space], seat))
        for ship in own(state, seat, GALLEYS):
            self.men[ABOARD + ship] = _men(state.cargo[ship] or (0, 0, 0))
        self.leaders = {leader: Man(1) for leader in own(state, seat, LEADERS)}

    def enemies(self, space: int) -> bool:
        return hostile(self.state.units[space], self.seat)

    def may_march(self, march: March) -> bool:
        """Whether leaders and units have the points."""
        leaders = [self.leaders[leader] for leader in march.leaders]
        return all(leader.marches(2) for leader in leaders) and self._column(march) is not None

    def _column(self, march: March) -> list[Man] | None:
        able = [man for man in self.men[march.source] if man.marches(POINTS[man.kind])]
        fresh = [[man for man in able if man.kind == kind and not man.steps] for kind in range(3)]
        tired = [man for man in able if man.steps]
        wanted = (march.infantry, march.cavalry - march.tired, march.catapults)
        if march.tired > len(tired) or any(not 0 <= n <= len(men) for n, men in zip(wanted, fresh, strict=True)):
            return None
        return [man for n, men in zip(wanted, fresh, strict=True) for man in men[:n]] + tired[: march.tired]

    def march(self, march: March, met: bool) -> None:
        """Move the units of a march; `met`: enemies stand at its end."""
        column = self._column(march)
        assert column is not None
        for man in [*column, *[self.leaders[leader] for leader in march.leaders]]:
            man.steps += 1
            man.stopped |= met
        self.men[march.source] = _without(self.men[march.source], column)
        self.men[march.to] += column

    def may_board(self, sail: Sail, space: int) -> bool:
        leaders = [self.leaders[leader] for leader in sail.leaders]
        return all(self._embarks(leader, space) for leader in leaders) and self._crew(sail, space) is not None

    def _embarks(self, man: Man, space: int) -> bool:
        return not man.steps and not (man.by_sea and self.enemies(space))

    def _crew(self, sail: Sail, space: int) -> list[Man] | None:
        crew = []
        for kind, n in enumerate((sail.infantry, sail.cavalry, sail.catapults)):
            able = [man for man in self.men[space] if man.kind == kind and self._embarks(man, space)]
            if n > len(able):
                return None
            crew += sorted(able, key=lambda man: not man.by_sea)[:n]
        return crew

    def sail(self, sail: Sail, at: int) -> None:
        """Put the named units aboard; at a coast put all units aboard ashore."""
        hold = ABOARD + sail.galley
        if not BOARD.is_sea(at):
            crew = self._crew(sail, BOARD.ashore[at]) or []
            self.men[BOARD.ashore[at]] = _without(self.men[BOARD.ashore[at]], crew)
            self.men[hold] = crew
        elif not BOARD.is_sea(sail.to):
            crew = self.men.pop(hold, [])
            self.men[BOARD.ashore[sail.to]] += crew
        else:
            return
        for leader in sail.leaders or leaders_at(self.state, self.seat, hold):
            self.leaders[leader].by_sea = True
        for man in crew:
            man.by_sea = True


def _without(men: list[Man], gone: list[Man]) -> list[Man]:
    return [man for man in men if not any(man is other for other in gone)]


def _men(army: Sequence[int]) -> list[Man]:
    return [Man(kind) for kind in range(3) for _ in range(army[kind])]


def bent(rng: Random, action: March | Sail) -> March | Sail:
    """Return the action with one number changed a little."""
    name = rng.choice(("infantry", "cavalry", "catapults", *(["tired"] if isinstance(action, March) else [])))
    return replace(action, **{name: max(0, getattr(action, name) + rng.choice((-2, -1, 1, 1, 2)))})


def ask(muster: Muster, state: State, action: March | Sail) -> None:
    """Compare the verdict of the rules with that of the model of single units."""
    units = action.infantry + action.cavalry + action.catapults
    if not units or units > 7 * len(action.leaders) or not action.leaders:
        return
    allowed = engine.check(CLASSIC, state, muster.seat, action) is None
    if isinstance(action, March):
        assert allowed == muster.may_march(action), (action, muster.men[action.source], muster.leaders)
    else:
        space = BOARD.ashore[state.galley_at[action.galley]]
        assert allowed == muster.may_board(action, space), (action, muster.men[space], muster.leaders)


def boards(state: State, action: Action) -> bool:
    return isinstance(action, Sail) and bool(action.leaders) and not BOARD.is_sea(state.galley_at[action.galley])


def move(rng: Random, state: State, steps: int, liked: type[March | Sail] = March) -> int:
    """Play a movement phase that favours `liked` moves; return the number of verdicts that were compared."""
    (seat,) = engine.owed(CLASSIC, state)
    muster = Muster(state, seat)
    asked = 0
    for _ in range(steps):
        options = [o for o in engine.options(CLASSIC, state, seat) if isinstance(o, March | Sail)]
        if not options:
            break
        for option in rng.sample(options, min(len(options), 6)):
            if isinstance(option, March) or boards(state, option):
                for leader in (*option.leaders, *muster.leaders):
                    if state.leader_at[leader] == state.leader_at[option.leaders[0]]:
                        ask(muster, state, bent(rng, replace(option, leaders=(leader,))))
                        asked += 1
        favoured = [o for o in options if isinstance(o, liked)]
        action = rng.choice(favoured if favoured and rng.random() < 0.5 else options)
        bending = bent(rng, action)
        if (isinstance(action, March) or boards(state, action)) and not engine.check(CLASSIC, state, seat, bending):
            action = bending
        if isinstance(action, March):
            muster.march(action, muster.enemies(action.to))
        else:
            muster.sail(action, state.galley_at[action.galley])
        engine.play(CLASSIC, state, seat, action, engine.ignore_event)
    engine.play(CLASSIC, state, seat, EndMovement(), engine.ignore_event)
    return asked


@pytest.mark.rule("CL-MOVE-03", "CL-MOVE-04", "CL-MOVE-05", "CL-MOVE-06", "CL-SEA-04", "CL-H03")
@pytest.mark.parametrize("seats", range(2, 7))
def test_counts_agree_with_single_men(seats: int) -> None:
    """Whole turns: units that fought or came by sea this turn are as fresh as all others in the next."""
    asked = 0
    for seed in range(2):
        rng = Random(seed)
        state = crowded(seats, seed)
        for _ in range(400):
            if CLASSIC.finished(state):
                break
            (seat,) = engine.owed(CLASSIC, state)
            if isinstance(state.frames[-1], Movement):
                asked += move(rng, state, 12)
                continue
            chance = engine.chance_action(state, rng) if seat == NATURE else None
            action = chance or rng.choice(engine.options(CLASSIC, state, seat))
            engine.play(CLASSIC, state, seat, action, engine.ignore_event)
    assert asked > 200


def armada(rng: Random) -> State:
    """Return a position with two loaded galleys at two coasts, one perhaps shared by an own army and the enemy's; more
    at both."""
    ships = [galley(0, k) for k in range(5)]
    return position(
        galleys=dict(zip(ships, ("mare_libycum", "mare_libycum", "egyptus", "cyrenaica", "cyrenaica"), strict=True)),
        cargo={ships[0]: (2, 1, 0), ships[1]: (1, 1, 1)},
        units={
            "egyptus": {0: (3, 2, 1)},
            "cyrenaica": {0: (2, 1, 0)} | ({1: (1, 0, 0)} if rng.random() < 0.5 else {}),
        },
        leaders={
            aboard(ships[0]): [general(0)],
            aboard(ships[1]): [general(0, 2)],
            "cyrenaica": [general(0, 3), general(0, 4)],
        },
        owners={"cyrenaica": 0},
    )


@pytest.mark.rule("CL-SEA-03", "CL-SEA-04", "CL-H03")
def test_counts_agree_with_single_men_who_come_and_go_by_sea() -> None:
    asked = sum(move(Random(seed), armada(Random(seed)), 14, Sail) for seed in range(60))
    assert asked > 2000

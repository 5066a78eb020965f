"""Random actions of the 1984 game, sensible and not: what a hostile or clumsy client might send."""

from random import Random

from shared.board import BOARD
from shared.ids import Seat
from shared.kernel.frames import Action
from shared.mechanics.armies import army_of
from shared.mechanics.pieces import PRISON
from shared.rulesets.mb1984 import actions as a
from shared.rulesets.mb1984.table import GALLEYS, LEADERS, State
from shared.vocabulary.actions import EndMovement, Offer
from tests.support.fuzz import PLAIN_MAKERS, Maker, absurdities, counts, few, identity, sail


def _march(rng: Random, state: State, seat: Seat) -> Action:
    mine = [x for x, at in enumerate(state.leader_at) if at < BOARD.provinces and state.lord[x // LEADERS] == seat]
    if not mine:
        return EndMovement()
    source = state.leader_at[rng.choice(mine)]
    here = [x for x in mine if state.leader_at[x] == source]
    units = [rng.choice((0, n, rng.randint(0, n + 1))) for n in army_of(state.units[source], seat)]
    near = [*BOARD.land[source], rng.randrange(BOARD.provinces)]
    tired = rng.choice((0, units[1], rng.randint(0, units[1])))
    led = few(rng, here) or tuple(here[:1])
    return a.March(source, rng.choice(near), led, units[0], units[1], units[2], tired)


def _terms(rng: Random, state: State, seat: Seat) -> tuple[int, int, tuple[int, ...], int, tuple[int, ...]]:
    to = rng.randrange(state.seats)
    held = [x for x, at in enumerate(state.leader_at) if at == PRISON + seat]
    lost = [x for x, at in enumerate(state.leader_at) if at == PRISON + to]
    pays, wants = rng.choice(((0, 0), (rng.randint(0, 60), 0), (0, rng.randint(0, 60)), (3, 3)))
    return to, pays, few(rng, held, 2), wants, few(rng, lost, 2)


MAKERS: tuple[Maker, ...] = (
    _march,
    _march,
    lambda rng, t, s: sail(rng, t, s, LEADERS, GALLEYS),
    lambda rng, t, s: sail(rng, t, s, LEADERS, GALLEYS),
    *PLAIN_MAKERS,
    lambda rng, t, s: Offer(*_terms(rng, t, s)),
    lambda rng, t, s: a.Propose(*_terms(rng, t, s)),
    lambda rng, t, s: a.Reply(rng.randint(-1, t.seats), rng.random() < 0.5),
    lambda rng, t, s: a.Aim(rng.randint(-1, 4), rng.choice((-1, rng.randrange(len(t.galley_at))))),
    lambda rng, t, s: a.Lose(rng.randrange(len(t.galley_at))),
    lambda rng, t, s: a.Execute(few(rng, [x for x, at in enumerate(t.leader_at) if at == PRISON + s], 2)),
    lambda rng, t, s: a.Buy(*[rng.choice((0, 0, 1, rng.randint(0, 9))) for _ in range(6)]),
)


def wild(rng: Random, state: State, seat: Seat) -> Action:
    """Any action, with fields that are at least near the truth."""
    return rng.choice(MAKERS)(rng, state, seat)


def absurd(rng: Random) -> Action:
    """Any action whose fields decode but mean nothing."""
    ids = tuple([identity(rng) for _ in range(rng.randint(0, 4))])
    n = counts(rng)
    made: tuple[Action, ...] = (
        *absurdities(rng, ids),
        a.March(identity(rng), identity(rng), ids, n[0], n[1], n[2], n[3]),
        a.Aim(identity(rng), identity(rng)),
        a.Buy(*n[:6]),
        a.Propose(identity(rng), n[0], ids, n[1] * 800, ids[::-1]),
        a.Reply(identity(rng), True),
        a.Execute(ids),
        a.Lose(identity(rng)),
    )
    return rng.choice(made)

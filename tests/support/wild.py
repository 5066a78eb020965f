"""Random actions of Classic, sensible and not: what a hostile or clumsy client might send."""

from random import Random

from shared.board import BOARD
from shared.ids import NONE, Seat
from shared.kernel.frames import Action
from shared.mechanics.armies import army_of
from shared.mechanics.pieces import PRISON
from shared.mechanics.roads import reachable_cities
from shared.rulesets.classic import actions as a
from shared.rulesets.classic.table import GALLEYS, LEADERS, TableFields
from shared.vocabulary.actions import Offer
from tests.support.fuzz import PLAIN_MAKERS, Maker, absurdities, counts, few, identity, part, province, sail


def _spaces_of(table: TableFields, seat: Seat) -> list[int]:
    return sorted({at for x, at in enumerate(table.leader_at) if _mine(table, x, seat) and at < BOARD.provinces})


def _mine(table: TableFields, leader: int, seat: Seat) -> bool:
    return table.lord[leader // LEADERS] == seat


def march(rng: Random, table: TableFields, seat: Seat) -> Action:
    """A march from where own leaders are, with random company, by random ways."""
    source = rng.choice(_spaces_of(table, seat) or [province(rng)])
    here = [x for x, at in enumerate(table.leader_at) if at == source and _mine(table, x, seat)]
    units = [part(rng, n) for n in army_of(table.units[source], seat)]
    near = [*BOARD.land[source], *(b for pair in BOARD.straits if source in pair for b in pair)]
    drops: list[tuple[int, int, int, int]] = []
    joined = sorted(
        reachable_cities(source, table.roads, lambda s: table.owner[s] == seat and table.built[s] > 0, lambda _s: True)
    )
    if joined:
        near += joined * 2
        drops = [
            (space, rng.randint(-2, 3), rng.randint(-1, 2), rng.randint(-1, 1))
            for space in rng.sample(joined, min(len(joined), rng.randint(0, 3)))
        ]
    return a.March(
        source,
        rng.choice(near or [province(rng)]),
        few(rng, here) or tuple(here[:1]),
        units[0],
        units[1],
        units[2],
        rng.choice((0, 0, units[1], rng.randint(0, units[1]))),
        tuple(drops),
    )


def offer(rng: Random, table: TableFields, seat: Seat) -> Action:
    """Some bargain over prisoners."""
    to = rng.randrange(table.seats)
    mine = [x for x, at in enumerate(table.leader_at) if at == PRISON + to and _mine(table, x, seat)]
    theirs = [x for x, at in enumerate(table.leader_at) if at == PRISON + seat and _mine(table, x, to)]
    pays, wants = rng.choice(((0, 0), (rng.randint(0, 60), 0), (0, rng.randint(0, 60)), (5, 5)))
    return Offer(to, pays, few(rng, theirs), wants, few(rng, mine))


def _counts(rng: Random) -> tuple[int, int, int]:
    return rng.randint(0, 7), rng.randint(0, 4), rng.randint(0, 3)


MAKERS: tuple[Maker, ...] = (
    march,
    march,
    march,
    lambda rng, t, s: sail(rng, t, s, LEADERS, GALLEYS),
    lambda rng, t, s: sail(rng, t, s, LEADERS, GALLEYS),
    offer,
    *PLAIN_MAKERS,
    lambda rng, t, s: a.Form(*_counts(rng)),
    lambda rng, t, s: a.Lose(*_counts(rng)),
    lambda rng, t, s: a.Withdraw(rng.choice((NONE, province(rng)))),
    lambda rng, t, s: a.Sink(few(rng, list(range(len(t.galley_at))))),
    lambda rng, t, s: a.Buy(*[rng.choice((0, 0, 0, 1, 2, rng.randint(0, 9))) for _ in range(7)]),
    lambda rng, t, s: a.EndCombat(),
)


def wild(rng: Random, table: TableFields, seat: Seat) -> Action:
    """Any action, with fields that are at least near the truth."""
    return rng.choice(MAKERS)(rng, table, seat)


def absurd(rng: Random) -> Action:
    """Any action whose fields decode but mean nothing."""
    ids = tuple([identity(rng) for _ in range(rng.randint(0, 4))])
    n = counts(rng)
    drop = (identity(rng), rng.randint(-7, 70), rng.randint(-7, 70), rng.randint(-7, 70))
    drops = (drop,) * rng.randint(0, 2)
    made: tuple[Action, ...] = (
        *absurdities(rng, ids),
        a.March(identity(rng), identity(rng), ids, n[0], n[1], n[2], n[3], drops),
        a.Form(*n[:3]),
        a.Lose(*n[:3]),
        a.Withdraw(identity(rng)),
        a.Sink(ids),
        a.Buy(*n[:7]),
    )
    return rng.choice(made)

"""Random actions, sensible and not: what a hostile or clumsy client might send."""

from collections.abc import Callable
from random import Random

from shared.board import BOARD
from shared.ids import NONE, Seat
from shared.kernel.frames import Action, Drawn, Rolled
from shared.mechanics.roads import trip
from shared.rulesets.classic import actions as a
from shared.rulesets.classic.state import GALLEYS, LEADERS, OFF, PRISON, Table, army_of

Maker = Callable[[Random, Table, Seat], Action]


def _few(rng: Random, pool: list[int], most: int = 3) -> tuple[int, ...]:
    return tuple(rng.sample(pool, min(len(pool), rng.randint(0, most))))


def _province(rng: Random) -> int:
    return rng.randrange(BOARD.provinces)


def _spaces_of(table: Table, seat: Seat) -> list[int]:
    return sorted({at for x, at in enumerate(table.leader_at) if _mine(table, x, seat) and at < BOARD.provinces})


def _mine(table: Table, leader: int, seat: Seat) -> bool:
    return table.lord[leader // LEADERS] == seat


def _part(rng: Random, whole: int) -> int:
    return rng.choice((0, whole, rng.randint(0, whole), rng.randint(0, whole), whole + 1))


def march(rng: Random, table: Table, seat: Seat) -> Action:
    """A march from where own leaders are, with random company, by random ways."""
    source = rng.choice(_spaces_of(table, seat) or [_province(rng)])
    here = [x for x, at in enumerate(table.leader_at) if at == source and _mine(table, x, seat)]
    units = [_part(rng, n) for n in army_of(table.units[source], seat)]
    near = [*BOARD.land[source], *(b for pair in BOARD.straits if source in pair for b in pair)]
    drops: list[tuple[int, int, int, int]] = []
    joined = sorted(trip(source, table.roads, lambda s: table.owner[s] == seat and table.built[s] > 0, lambda _s: True))
    if joined:
        near += joined * 2
        drops = [
            (space, rng.randint(-2, 3), rng.randint(-1, 2), rng.randint(-1, 1))
            for space in rng.sample(joined, min(len(joined), rng.randint(0, 3)))
        ]
    return a.March(
        source,
        rng.choice(near or [_province(rng)]),
        _few(rng, here) or tuple(here[:1]),
        units[0],
        units[1],
        units[2],
        rng.choice((0, 0, units[1], rng.randint(0, units[1]))),
        tuple(drops),
    )


def sail(rng: Random, table: Table, seat: Seat) -> Action:
    """A galley of somebody's to somewhere near."""
    fleet = [g for g, at in enumerate(table.galley_at) if at != OFF and table.lord[g // GALLEYS] == seat]
    number = rng.choice(fleet or [rng.randrange(len(table.galley_at))])
    at = table.galley_at[number]
    if at == OFF:
        return a.Sail(number, rng.randrange(BOARD.positions))
    to = rng.choice([*BOARD.coast_seas[at], *(BOARD.landings[at] if BOARD.is_sea(at) else ())])
    if BOARD.is_sea(at):
        return a.Sail(number, to)
    space = BOARD.ashore[at]
    here = [x for x, place in enumerate(table.leader_at) if place == space and _mine(table, x, seat)]
    return a.Sail(number, to, _few(rng, here), *[_part(rng, min(7, n)) for n in army_of(table.units[space], seat)])


def offer(rng: Random, table: Table, seat: Seat) -> Action:
    """Some bargain over prisoners."""
    to = rng.randrange(table.seats)
    mine = [x for x, at in enumerate(table.leader_at) if at == PRISON + to and _mine(table, x, seat)]
    theirs = [x for x, at in enumerate(table.leader_at) if at == PRISON + seat and _mine(table, x, to)]
    pays, wants = rng.choice(((0, 0), (rng.randint(0, 60), 0), (0, rng.randint(0, 60)), (5, 5)))
    return a.Offer(to, pays, _few(rng, theirs), wants, _few(rng, mine))


def _counts(rng: Random) -> tuple[int, int, int]:
    return rng.randint(0, 7), rng.randint(0, 4), rng.randint(0, 3)


MAKERS: tuple[Maker, ...] = (
    march,
    march,
    march,
    sail,
    sail,
    offer,
    lambda rng, t, s: a.Fight(rng.randrange(BOARD.spaces), rng.randrange(t.seats)),
    lambda rng, t, s: a.Form(*_counts(rng)),
    lambda rng, t, s: a.Lose(*_counts(rng)),
    lambda rng, t, s: a.Retreat(rng.choice((NONE, _province(rng)))),
    lambda rng, t, s: a.Withdraw(rng.choice((NONE, _province(rng)))),
    lambda rng, t, s: a.Judge(_few(rng, list(range(len(t.leader_at))))),
    lambda rng, t, s: a.Sink(_few(rng, list(range(len(t.galley_at))))),
    lambda rng, t, s: a.Raze(_province(rng)),
    lambda rng, t, s: a.Buy(*[rng.choice((0, 0, 0, 1, 2, rng.randint(0, 9))) for _ in range(7)]),
    lambda rng, t, s: a.PlaceGalley(rng.randrange(BOARD.positions)),
    lambda rng, t, s: a.PlaceCity(_province(rng)),
    lambda rng, t, s: a.PlaceFortification(_province(rng)),
    lambda rng, t, s: a.PlaceRoad(*rng.choice(BOARD.edges)[:: rng.choice((1, -1))]),
    lambda rng, t, s: a.Concede(rng.randint(-1, t.seats)),
    lambda rng, t, s: a.Resign(),
    lambda rng, t, s: rng.choice((a.Answer(True), a.Stand(), a.EndMovement(), a.EndCombat(), a.EndDestruction())),
    lambda rng, t, s: rng.choice((a.EndTurn(), a.ChooseHome(_province(rng)), Rolled((0, 1)), Drawn((1, 0)))),
)


def wild(rng: Random, table: Table, seat: Seat) -> Action:
    """Any action, with fields that are at least near the truth."""
    return rng.choice(MAKERS)(rng, table, seat)


def _identity(rng: Random) -> int:
    return rng.randint(-1, 127)


def absurd(rng: Random) -> Action:
    """Any action whose fields decode but mean nothing."""
    ids = tuple([_identity(rng) for _ in range(rng.randint(0, 4))])
    counts = [rng.randint(0, 120) for _ in range(7)]
    drop = (_identity(rng), rng.randint(-7, 70), rng.randint(-7, 70), rng.randint(-7, 70))
    drops = (drop,) * rng.randint(0, 2)
    made: tuple[Action, ...] = (
        a.ChooseHome(_identity(rng)),
        a.March(_identity(rng), _identity(rng), ids, counts[0], counts[1], counts[2], counts[3], drops),
        a.Sail(_identity(rng), _identity(rng), ids, *counts[:3]),
        a.Fight(_identity(rng), _identity(rng)),
        a.Form(*counts[:3]),
        a.Lose(*counts[:3]),
        a.Retreat(_identity(rng)),
        a.Withdraw(_identity(rng)),
        a.Judge(ids),
        a.Sink(ids),
        a.Raze(_identity(rng)),
        a.Buy(*counts),
        a.PlaceGalley(_identity(rng)),
        a.PlaceCity(_identity(rng)),
        a.PlaceFortification(_identity(rng)),
        a.PlaceRoad(_identity(rng), _identity(rng)),
        a.Offer(_identity(rng), counts[0] * 800, ids, counts[1], ids[::-1]),
        a.Concede(_identity(rng)),
        Rolled(ids),
        Drawn(ids),
    )
    return rng.choice(made)

"""A turn: all that could be done, each with its worth, and the best of it."""

from collections.abc import Iterator

from shared.ids import Army, Space
from shared.kernel.frames import Action
from shared.mechanics.armies import total
from shared.mechanics.cells import army_of
from shared.rulesets.cote2.actions import Attack, Influence, Levy, Move, Pass, Recruit, Use
from shared.rulesets.cote2.data import CARDS, KEY_SET
from shared.rulesets.cote2.economy import INFLUENCE_PRICE, PRICES, RECRUIT_CHAOS, bases, most_tokens
from shared.rulesets.cote2.effect import Taken
from shared.rulesets.cote2.effects import card_of
from shared.rulesets.cote2.frames import (
    Turn,
)
from shared.rulesets.cote2.joining import spent
from shared.rulesets.cote2.property import (
    army_supply,
    general_supply,
    present,
)
from shared.rulesets.cote2.state import LEADERS, allied, leaders_at, others_in
from shared.rulesets.cote2.ways import landings, reach
from shared.vocabulary.actions import EndTurn
from tests.bench.greedy.cote2.cards import WORTH
from tests.bench.greedy.cote2.fighting import prospect
from tests.bench.greedy.cote2.survey import (
    CHAOS,
    GUARD,
    INFANTRY,
    LATER,
    PURSE,
    TALENT,
    UNIT,
    Eye,
    Plan,
)


def purchases(eye: Eye) -> Iterator[Plan]:
    """Tokens where leaders are."""
    for space in eye.posts:
        worth, sellers = eye.best_purchase(space, most_tokens(eye.table, eye.seat, space))
        if sellers:
            yield Plan(worth, Influence(space, sellers))


def attacks(eye: Eye, frame: Turn) -> Iterator[Plan]:
    """Battles that look won, for the tokens that they lay open."""
    table, seat = eye.table, eye.seat
    for space, cell in enumerate(table.units):
        if not cell or seat not in cell[::4]:
            continue
        for enemy in range(table.seats):
            if allied(table, seat, enemy) or not present(table, enemy, space) or spent(table, frame, enemy, space):
                continue
            view = prospect(eye, space, enemy)
            if view <= 0.25:
                continue
            prize = 2.0
            if space in KEY_SET:
                freed = [enemy] * table.influence[space][enemy]
                prize += eye.best_purchase(space, most_tokens(table, seat, space), freed)[0] * LATER
                prize += 5.0 * (table.owner[space] == enemy)
            yield Plan(view * prize + UNIT, Attack(space, enemy))


def marches(eye: Eye, now: float) -> Iterator[Plan]:
    """Leaders to where they can buy more than `now`, with an army, leaving guards behind."""
    table, seat = eye.table, eye.seat
    for source in eye.posts:
        army = army_of(table.units[source], seat)
        keep = min(eye.guard(source), army[0])
        escort: Army = (army[0] - keep, army[1], army[2])
        here = leaders_at(table, seat, source)
        by_land = reach(table, seat, source)
        for to in (by_land | landings(table, seat, source)) & KEY_SET:
            for leader in here:
                worth = _march(eye, leader, to, escort if to in by_land else (min(2, escort[0]), 0, 0))
                if worth > max(now, 0.5):
                    yield Plan(worth, _marching(source, to, leader, escort, to in by_land, len(here)))


def _march(eye: Eye, leader: int, to: Space, escort: Army) -> float:
    """Return the worth of a leader's march there with the next action."""
    most = 2 if leader % LEADERS == 0 else 1
    worth = eye.best_purchase(to, most, escort=total(escort) > 0)[0] * LATER
    foes = others_in(eye.table, eye.table.units[to], eye.seat)
    if foes:
        guarded = [enemy for enemy in foes if eye.table.influence[to][enemy]]
        for enemy in guarded:
            if total(escort) and prospect(eye, to, enemy, escort) > 0.3:
                freed = [enemy] * eye.table.influence[to][enemy]
                worth = max(worth, eye.best_purchase(to, most, freed, True)[0] * LATER * LATER)
        if total(escort) == 0:
            worth -= 2.0
    return worth - 0.4 * (leader % LEADERS == 0)


def _marching(source: Space, to: Space, leader: int, escort: Army, by_land: bool, leaders: int) -> Action:
    """Return a march of one leader with the army, or with half of it where another leader stays."""
    if not by_land:
        army: Army = (min(2, escort[0]), 0, 0)
    elif leaders > 1:
        army = ((escort[0] + 1) // 2, (escort[1] + 1) // 2, (escort[2] + 1) // 2)
    else:
        army = escort
    return Move(source, ((to, *army),) if any(army) else (), ((leader, to),))


def guards(eye: Eye) -> Iterator[Plan]:
    """Yield plans that give one infantry to each unguarded token of the bot."""
    table, seat = eye.table, eye.seat
    bare = eye.bare()
    if not bare:
        return
    for source in eye.posts:
        spare = max(0, army_of(table.units[source], seat)[0] - eye.guard(source))
        targets = [space for space in bare if space in reach(table, seat, source)][:spare]
        if targets:
            worth = sum(0.9 + 0.5 * table.influence[space][seat] for space in targets)
            yield Plan(worth, Move(source, tuple([(space, 1, 0, 0) for space in targets])))


def cards(eye: Eye) -> Iterator[Plan]:
    """Open cards."""
    for action in eye.offers:
        if isinstance(action, Taken):
            card = card_of(action)
            worth = WORTH.of(card).taken(eye, action) - CARDS[card].cost * TALENT
            if worth > 0:
                yield Plan(worth, action)


def recruits(eye: Eye) -> Iterator[Plan]:
    """Infantry with the money that influence does not need, above all where tokens are bare; and further leaders."""
    table, seat = eye.table, eye.seat
    bare = eye.bare()
    spare = eye.money - (2 * INFLUENCE_PRICE if bare else PURSE)
    if spare < PRICES[0]:
        return
    supply = army_supply(table, seat)
    generals = general_supply(table, seat)
    for space in bases(table, seat):
        if len(generals) >= 3 and spare >= PRICES[4] + PRICES[0]:
            infantry = min(supply[0], (spare - PRICES[4]) // PRICES[0], 4)
            yield Plan(4.0 + 0.4 * infantry, Recruit(((space, infantry, 0, 0, 1),)))
        infantry = min(supply[0], spare // PRICES[0], 6)
        if infantry:
            needed = min(infantry, len(bare)) * GUARD
            yield Plan(INFANTRY * infantry + needed - RECRUIT_CHAOS * CHAOS, Recruit(((space, infantry, 0, 0, 0),)))


def levies(eye: Eye, wanted: float) -> Plan:
    """A special tax: more the less there is at hand, and the more a purchase would be worth."""
    worth = 25 * TALENT - 5 * CHAOS * 0.7 + max(0.0, (PURSE - eye.money) / 10)
    if eye.money < 2 * INFLUENCE_PRICE:
        worth += min(wanted, 6.0) * LATER
    return Plan(worth, Levy(25))


def free_cards(eye: Eye) -> Action | None:
    """The first multi-use card that does good now."""
    used = [action for action in eye.offers if isinstance(action, Use)]
    return next((action for action in used if WORTH.of(action.card).used(eye, action)), None)


def act(eye: Eye, frame: Turn) -> Action:
    """The best of all plans."""
    free = free_cards(eye)
    if free is not None:
        return free
    if not frame.left:
        return EndTurn()
    plans = list(purchases(eye))
    now = max([plan.worth for plan in plans], default=0.0)
    plans += attacks(eye, frame)
    plans += cards(eye)
    plans += guards(eye)
    plans += recruits(eye)
    if eye.money >= INFLUENCE_PRICE:
        plans += marches(eye, now * 0.5)
    plans.append(levies(eye, 6.0))
    best = max(plans, key=lambda plan: plan.worth)
    return best.action if best.worth > 0 else Pass()

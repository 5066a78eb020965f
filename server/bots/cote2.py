"""A player of the second game: buys influence where it scores most, guards it, and calls votes that it can win."""

import random
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from shared.ids import NONE, Army, Seat, Space
from shared.kernel import engine
from shared.kernel.engine import Ruleset
from shared.kernel.frames import Action
from shared.mechanics.armies import total
from shared.mechanics.cells import army_of
from shared.mechanics.ranks import prizes
from shared.mechanics.vote import weight
from shared.rulesets.cote2.actions import (
    Assemble,
    Attack,
    Bid,
    Campaign,
    Commit,
    Deploy,
    EndTurn,
    Influence,
    Lend,
    Levy,
    Move,
    Obtain,
    Pass,
    Recruit,
    Retreat,
    Show,
    Slip,
    Stand,
    Use,
)
from shared.rulesets.cote2.alliances import camps, harbours, unallied
from shared.rulesets.cote2.data import (
    ARMY_TRAINING,
    ASSASSIN,
    BREAD,
    CARDS,
    DATA,
    EMERGENCY_TAX,
    HAIL_CAESAR,
    INFLUENCE_IN_ROME,
    ITALIA,
    KEY_SET,
    KEYS,
    LOOT,
    NAMED,
    NEW_LEGIONS,
    SEAS,
    VOTES,
)
from shared.rulesets.cote2.economy import INFLUENCE_PRICE, PRICES, bases, buyable, most_tokens
from shared.rulesets.cote2.frames import (
    Aid,
    Auction,
    Battle,
    Commitment,
    Deployment,
    Muster,
    Onward,
    Turn,
    Vote,
    Wind,
)
from shared.rulesets.cote2.movement import landings, reach
from shared.rulesets.cote2.options import SEASONS, victory_numbers
from shared.rulesets.cote2.property import (
    army_supply,
    copies,
    general_supply,
    influence_supply,
    present,
    ready,
)
from shared.rulesets.cote2.state import LEADERS, OFF, Table, allied, galleys_in, leaders_at, others_in
from shared.rulesets.cote2.war import DICE, attackers, defenders, strength
from shared.rulesets.cote2.withdrawal import retreat_targets

TALENT: Final = 0.12
"""What a talent is worth, in victory points."""
UNIT: Final = 1.2
"""What a unit is worth."""
SENATOR: Final = 1.3
"""What a vote in the hand is worth."""
CHAOS: Final = 0.6
"""What a point of chaos costs."""
LATER: Final = 0.65
"""What a plan for the next action is worth, against doing it now."""
BENEFIT: Final = {HAIL_CAESAR: 15.0, INFLUENCE_IN_ROME: 11.0, EMERGENCY_TAX: 6.0, NEW_LEGIONS: 5.0, BREAD: 5.0}
"""What winning each vote is worth."""
LIKELY: Final = 2.3
"""Votes of an unknown senator."""
PURSE: Final = 30
"""Talents that one likes to have at hand."""


class Plan(Struct, frozen=True):
    """An action and what it is worth."""

    worth: float
    action: Action


class Eye:
    """What a bot sees, and what things are worth to its seat."""

    def __init__(self, table: Table, seat: Seat) -> None:
        self.table = table
        self.seat = seat
        self.money = table.talents[seat]
        self.left = max(1, table.options[SEASONS] - table.season + 1)
        first = seat * LEADERS
        self.caesar = table.leader_at[first]
        self.offers: Sequence[Action] = ()
        self.posts = sorted({at for at in table.leader_at[first : first + LEADERS] if at != OFF})

    def standing(self, space: Space, counts: Sequence[int]) -> float:
        """Points a season of these tokens: one's own against the best of the others, and taxes."""
        points = prizes(counts, victory_numbers(self.table, space))
        rivals = [n for seat, n in enumerate(points) if seat != self.seat]
        return points[self.seat] - max(rivals, default=0) * 0.5 + counts[self.seat] * 5 * TALENT

    def purchase(self, space: Space, sellers: Sequence[int]) -> float:
        """What buying these tokens is worth over the seasons that are left, the price taken off."""
        counts = list(self.table.influence[space])
        before = self.standing(space, counts)
        for seller in sellers:
            counts[self.seat] += 1
            if seller != NONE:
                counts[seller] -= 1
        gain = (self.standing(space, counts) - before) * self.left + len(sellers) * 0.8
        return gain - INFLUENCE_PRICE * TALENT * len(sellers)

    def best_purchase(self, space: Space, most: int, also: Sequence[int] = ()) -> tuple[float, tuple[int, ...]]:
        """The best tokens that a leader could buy there; `also`: sellers who will have lost their guard."""
        if space not in KEY_SET or not most:
            return 0.0, ()
        offered = buyable(self.table, self.seat, space) + list(also)
        room = min(most, influence_supply(self.table, self.seat), self.money // INFLUENCE_PRICE)
        best: tuple[float, tuple[int, ...]] = (0.0, ())
        choices: set[tuple[int, ...]] = set()
        if room >= 1:
            choices |= {(seller,) for seller in offered}
        if room >= 2:
            choices |= {(offered[i], offered[j]) for j in range(len(offered)) for i in range(j)}
        for sellers in sorted(choices):
            best = max(best, (self.purchase(space, sellers), sellers))
        return best

    def guard(self, space: Space) -> int:
        """Infantry to leave behind where tokens need it."""
        return 1 if space in KEY_SET and self.table.influence[space][self.seat] else 0


# --- battles ---


def hits(army: Army, galleys: int, dice: int) -> float:
    """Expected hits of a round."""
    return (
        min(army[0], dice / 3) + min(army[1], dice / 6) + min(army[2], dice / 6) + min(galleys, dice / 6)
    )  # fmt: skip


def outlook(mine: tuple[Army, int, int], theirs: tuple[Army, int, int]) -> float:
    """How a battle will probably end: 1 a walk-over, -1 a disaster. Army, galleys, dice of either side."""
    ours, others = float(total(mine[0]) + mine[1]), float(total(theirs[0]) + theirs[1])
    start = max(1.0, ours), max(1.0, others)
    for _ in range(12):
        if ours <= 0 or others <= 0:
            break
        given = hits(mine[0], mine[1], mine[2]) * min(1.0, ours / start[0] + 0.4)
        taken = hits(theirs[0], theirs[1], theirs[2]) * min(1.0, others / start[1] + 0.4)
        others -= given
        ours -= taken
    return max(0.0, ours) / start[0] - max(0.0, others) / start[1]


def prospect(eye: Eye, space: Space, enemy: Seat, army: Army | None = None) -> float:
    """The outlook of attacking `enemy` there, with the army that stands there or with another."""
    table, seat = eye.table, eye.seat
    mine = army or army_of(table.units[space], seat)
    theirs = army_of(table.units[space], enemy)
    city = int(table.owner[space] == enemy)
    dice = DICE + (army is not None or bool(leaders_at(table, seat, space))) + copies(table, seat, ARMY_TRAINING)
    against = DICE + bool(leaders_at(table, enemy, space)) + city + copies(table, enemy, ARMY_TRAINING)
    ships = len(galleys_in(table, seat, SEAS[space])), len(galleys_in(table, enemy, SEAS[space]))
    return outlook((mine, ships[0], dice), (theirs, ships[1], against))


def fight_on(eye: Eye, frame: Onward) -> Action:
    """Stand, unless the battle looks lost and there is a way out."""
    battle = next(f for f in reversed(eye.table.frames) if isinstance(f, Battle))
    sides = (
        (strength(battle.attacking), len(battle.attack_fleet) + battle.attack_extra, DICE),
        (strength(battle.defending), len(battle.defence_fleet) + battle.defence_extra, DICE),
    )
    attacking = battle.attacker == eye.seat
    view = outlook(sides[not attacking], sides[attacking])
    few = (attackers(battle) if attacking else defenders(battle)) <= 1
    if view < -0.5 and not few:
        targets = retreat_targets(eye.table, eye.seat, frame.space)
        return Retreat(max(targets, key=lambda to: (total(army_of(eye.table.units[to], eye.seat)), -to)))
    return Stand()


# --- alliances and the start ---


def bid(eye: Eye, frame: Auction) -> Action:
    """Oneself first and the leader of the others on the other side, as long as it is cheap."""
    table, seat = eye.table, eye.seat
    left = unallied(table)
    step = frame.talents + 5 if frame.bidder != NONE else 0
    others = sorted([s for s in left if s != seat], key=lambda s: (-table.points[s], s))
    if seat in left:
        wish = (seat, others[0]) if others else (seat, NONE)
    elif len(left) > 1:
        foe = 1 - table.side[seat]
        pair = (others[0], others[-1])
        wish = pair if foe == 0 else pair[::-1]
    else:
        wish = (left[0], NONE) if table.side[seat] == 0 else (NONE, left[0])
    if frame.bidder == NONE:
        return Bid(0, *wish)
    content = seat not in left or seat in (frame.a, frame.b)
    limit = 5 if content else 15
    return Bid(step, *wish) if step <= min(limit, eye.money // 4) and (frame.a, frame.b) != wish else Pass()


def deploy(eye: Eye) -> Action:
    """The Caesar where most can be bought, a general where that comes second, a guard on all other tokens."""
    table, seat = eye.table, eye.seat
    spaces = camps(table, seat)
    ranked = sorted(spaces, key=lambda space: (-eye.best_purchase(space, 2)[0], space))
    main = ranked[0]
    second = ranked[1] if len(ranked) > 1 else main
    guards = [(space, 1, 0, 0) for space in spaces if space != main]
    infantry, cavalry, catapults = DATA.start.army
    zones = harbours(table, seat)
    return Deploy(
        ((main, infantry - len(guards), cavalry, catapults), *guards), main, second, zones[0] if zones else NONE
    )


# --- the turn ---


def purchases(eye: Eye) -> Iterator[Plan]:
    """Tokens where leaders are."""
    for space in eye.posts:
        worth, sellers = eye.best_purchase(space, most_tokens(eye.table, eye.seat, space))
        if sellers:
            yield Plan(worth, Influence(space, sellers))


def attacks(eye: Eye) -> Iterator[Plan]:
    """Battles that look won, for the tokens that they lay open."""
    table, seat = eye.table, eye.seat
    for space, cell in enumerate(table.units):
        if not cell or seat not in cell[::4]:
            continue
        for enemy in range(table.seats):
            if allied(table, seat, enemy) or not present(table, enemy, space):
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
    """What a leader could do there with the next action."""
    most = 2 if leader % LEADERS == 0 else 1
    worth = eye.best_purchase(to, most)[0] * LATER
    foes = others_in(eye.table, eye.table.units[to], eye.seat)
    if foes:
        guarded = [enemy for enemy in foes if eye.table.influence[to][enemy]]
        for enemy in guarded:
            if total(escort) and prospect(eye, to, enemy, escort) > 0.3:
                freed = [enemy] * eye.table.influence[to][enemy]
                worth = max(worth, eye.best_purchase(to, most, freed)[0] * LATER * LATER)
        if total(escort) == 0:
            worth -= 2.0
    return worth - 0.4 * (leader % LEADERS == 0)


def _marching(source: Space, to: Space, leader: int, escort: Army, by_land: bool, leaders: int) -> Action:
    """One leader goes; the army goes along with it, or half of it where another leader stays."""
    if not by_land:
        army: Army = (min(2, escort[0]), 0, 0)
    elif leaders > 1:
        army = ((escort[0] + 1) // 2, (escort[1] + 1) // 2, (escort[2] + 1) // 2)
    else:
        army = escort
    return Move(source, ((to, *army),) if any(army) else (), ((leader, to),))


def guards(eye: Eye) -> Iterator[Plan]:
    """One infantry to each of one's tokens that nobody guards."""
    table, seat = eye.table, eye.seat
    bare = [space for space in KEYS if table.influence[space][seat] and not any(army_of(table.units[space], seat))]
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
    table, seat = eye.table, eye.seat
    frame = table.frames[-1]
    if not isinstance(frame, Turn) or frame.obtained:
        return
    for action in eye.offers:
        if isinstance(action, Obtain):
            card = CARDS[action.card]
            worth = _card_worth(eye, action) - card.cost * TALENT
            if worth > 0:
                yield Plan(worth, action)
        elif isinstance(action, Campaign):
            _infantry, _cavalry, talents, points = CARDS[action.card].gain
            worth = points * 0.9 + talents * TALENT + (_infantry + _cavalry) * UNIT
            worth -= 1.5 * eye.guard(action.source) * (army_of(table.units[action.source], seat)[0] <= action.infantry)
            yield Plan(worth - 2.0, action)


def _card_worth(eye: Eye, action: Obtain) -> float:
    """What a card is worth, by what it does."""
    table, seat = eye.table, eye.seat
    card = CARDS[action.card]
    match card.act:
        case "senate":
            return min(BENEFIT[action.card] * 0.5, 8.0) * max(1, eye.left) * _strength_in_senate(eye)
        case "senator":
            return card.gain[0] * SENATOR
        case "merchant":
            tokens = table.influence[NAMED[action.card][0]][seat]
            return card.gain[0] * tokens * TALENT * eye.left
        case "loot":
            return 4.0 * eye.left
        case "assassin":
            return 2.5 * eye.left
        case "politician":
            return eye.purchase(eye.caesar, (NONE,)) + INFLUENCE_PRICE * TALENT
        case "bribe":
            return 3.5 * (not allied(table, seat, action.target)) + 1.0
        case "city":
            tokens = table.influence[action.target][seat]
            return tokens * 5 * TALENT * eye.left + 3 * CHAOS * eye.left
        case "army":
            return 3.0
        case "fleet":
            return 2.0
        case "wind":
            return 0.5
    return 0.2


def _strength_in_senate(eye: Eye) -> float:
    """How likely one wins a vote: own votes against what the strongest other hand may hold."""
    mine = weight(eye.table.senators[eye.seat])
    rival = max([sum(hand) * LIKELY for s, hand in enumerate(eye.table.senators) if s != eye.seat], default=0)
    return min(1.0, (mine + 2) / (rival + 2))


def recruits(eye: Eye) -> Iterator[Plan]:
    """Infantry with the money that influence does not need, and a second and third leader."""
    table, seat = eye.table, eye.seat
    spare = eye.money - PURSE
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
            yield Plan(0.55 * infantry - 2 * CHAOS, Recruit(((space, infantry, 0, 0, 0),)))


def levies(eye: Eye, wanted: float) -> Plan:
    """A special tax: more the less there is at hand, and the more a purchase would be worth."""
    worth = 25 * TALENT - 5 * CHAOS * 0.7 + max(0.0, (PURSE - eye.money) / 10)
    if eye.money < 2 * INFLUENCE_PRICE:
        worth += min(wanted, 6.0) * LATER
    return Plan(worth, Levy(25))


def free_cards(eye: Eye) -> Action | None:
    """Multi-use cards that do good now."""
    table, seat = eye.table, eye.seat
    last = table.round >= DATA.rounds
    for action in eye.offers:
        if not isinstance(action, Use):
            continue
        if CARDS[action.card].act == "merchant" and last:
            return action
        if action.card == LOOT and (eye.money < PURSE or last):
            return action
        if action.card == ASSASSIN and action.leader != NONE and not allied(table, seat, action.leader // LEADERS):
            return action
        if action.card in VOTES and ready(table, seat, action.card):
            mine = weight(table.senators[seat])
            rival = max([sum(hand) * LIKELY for s, hand in enumerate(table.senators) if s != seat], default=0)
            if mine and (mine > rival or last) and BENEFIT[action.card] > 1.0:
                return action
    return None


def act(eye: Eye, frame: Turn) -> Action:
    """The best of all plans."""
    free = free_cards(eye)
    if free is not None:
        return free
    if not frame.left:
        return EndTurn()
    plans = list(purchases(eye))
    now = max([plan.worth for plan in plans], default=0.0)
    plans += attacks(eye)
    plans += cards(eye)
    plans += guards(eye)
    plans += recruits(eye)
    if eye.money >= INFLUENCE_PRICE:
        plans += marches(eye, now * 0.5)
    plans.append(levies(eye, 6.0))
    best = max(plans, key=lambda plan: plan.worth)
    return best.action if best.worth > 0 else Pass()


# --- the senate ---


def vote(eye: Eye, frame: Vote) -> Action:
    """The cheapest bid that leads, as long as the vote is worth its senators."""
    benefit = BENEFIT[frame.card]
    if frame.card == BREAD:
        benefit = min(10, eye.table.chaos[eye.seat]) * CHAOS
    shown = frame.shown[eye.seat]
    for action in eye.offers:
        if isinstance(action, Show):
            more = (action.one, action.two, action.three, action.four)
            cost = (weight(shown) + weight(more)) * SENATOR
            return action if cost <= benefit else Pass()
    return Pass()


def assemble(eye: Eye) -> Action:
    """New legions where more influence is to be guarded."""
    return Assemble(max(NAMED[NEW_LEGIONS], key=lambda space: (eye.table.influence[space][eye.seat], space == ITALIA)))


def decide(rules: Ruleset, table: Table, seat: Seat, _rng: random.Random) -> Action:
    """What to do now."""
    eye = Eye(table, seat)
    frame = table.frames[-1]
    match frame:
        case Auction():
            return bid(eye, frame)
        case Deployment():
            return deploy(eye)
        case Turn():
            eye.offers = engine.options(rules, table, seat)
            return act(eye, frame)
        case Vote():
            eye.offers = engine.options(rules, table, seat)
            return vote(eye, frame)
        case Commitment():
            return Commit(galleys_in(table, seat, SEAS[frame.space]))
        case Aid():
            return Lend()
        case Onward():
            return fight_on(eye, frame)
        case Wind():
            return Slip(True)
        case Muster():
            return assemble(eye)
    return engine.default(rules, table, seat)

"""Advice in Conquest II: exact odds of battles, points and taxes of key provinces, effects of bids and votes."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from msgspec.structs import replace

from server.bots.advice.speech import led, listed, name, outlook, sentence, several, size, units, who
from shared.board import BOARD
from shared.ids import NO_ARMY, NONE, Army, Seat, Space
from shared.kernel.frames import Action, Frame
from shared.mechanics.armies import plus, total
from shared.mechanics.cells import armies, army_of, joined
from shared.mechanics.ranks import prizes
from shared.mechanics.treasury import cost
from shared.mechanics.vote import weight
from shared.odds import cote2
from shared.odds.outcome import ATTACKER, DEFENDER, Host, Odds, percent
from shared.rulesets.cote2 import actions as a
from shared.rulesets.cote2.alliances import COIN
from shared.rulesets.cote2.data import CARDS, KEY_SET, SEAS, SHORES
from shared.rulesets.cote2.economy import INFLUENCE_PRICE, PRICES, RECRUIT_CHAOS, TAX_STEP
from shared.rulesets.cote2.frames import Aid, Auction, Battle, Commitment, Vote
from shared.rulesets.cote2.options import victory_numbers
from shared.rulesets.cote2.scoring import TAX, province_points
from shared.rulesets.cote2.senate import high
from shared.rulesets.cote2.state import LEADERS, allied, galleys_at, galleys_in, is_zone
from shared.rulesets.cote2.table import Table
from shared.rulesets.cote2.war import lendable
from shared.vocabulary.actions import EndTurn, Retreat, Stand

Said = tuple[str, list[str]] | None
SIDES: Final = ("A", "B")
"""Names of the alliances."""
EVEN: Final = 0.5
FELT: Final = 0.01
"""Smallest difference of a chance that matters."""
VALUES: Final = ("I", "II", "III", "IV")
"""Names of senators by value."""


class Counsel:
    """Sentences about actions of a seat."""

    def __init__(self, table: Table, seat: Seat) -> None:
        self.table = table
        self.seat = seat

    @property
    def frame(self) -> Frame:
        """Frame of the decision that is due."""
        return self.table.frames[-1]

    @property
    def money(self) -> int:
        """Own talents."""
        return self.table.talents[self.seat]

    def host(self, seat: Seat, space: Space) -> Host:
        """Return a seat's force in a space."""
        return cote2.present(self.table, seat, space, is_zone(space))

    def with_us(self, seat: Seat) -> bool:
        """Whether a seat is this one or an ally; slaves are on no side."""
        return seat < self.table.seats and allied(self.table, seat, self.seat)

    def strength(self, seat: Seat) -> int:
        """Return the number of a seat's units on land and at sea."""
        afloat = sum(len(galleys_at(self.table, seat, zone)) for zone in range(BOARD.provinces, BOARD.spaces))
        return sum(total(army_of(cell, seat)) for cell in self.table.units) + afloat

    def enemies(self, space: Space) -> list[Seat]:
        """Return the seats of the other alliance with units in a province, the strongest first."""
        cell = self.table.units[space]
        found = [(total(army), seat) for seat, army in armies(cell) if not self.with_us(seat)]
        return [seat for _, seat in sorted(found, reverse=True)]

    # --- key provinces ---

    def points(self, space: Space, tokens: Sequence[int]) -> int:
        """Return own points for a key province, given all seats' tokens there."""
        return prizes(tokens, victory_numbers(self.table, space))[self.seat]

    def scores(self, space: Space) -> Iterator[str]:
        """Yield the points that a key province brings now."""
        if space in KEY_SET and self.table.influence[space][self.seat]:
            mine = province_points(self.table, space)[self.seat]
            yield f"{name(space)} scores {several(mine, 'point')} for you at the end of the season."

    def buying(self, space: Space, sellers: Sequence[int]) -> list[str]:
        """Return the value of tokens in a province."""
        before = list(self.table.influence[space])
        after = before[:]
        for seller in sellers:
            after[self.seat] += 1
            if seller != NONE:
                after[seller] -= 1
        gain = self.points(space, after)
        best = max(n for seat, n in enumerate(after) if seat != self.seat)
        lead = f"You would have {after[self.seat]} there, the strongest other {best}"
        worth = f"that scores {several(gain, 'point')} this season instead of {self.points(space, before)}"
        taxes = TAX * (1 + (self.table.owner[space] == self.seat)) * len(sellers)
        return [f"{lead}: {worth}.", f"Each season it brings {several(taxes, 'talent')} more in taxes."]

    # --- war ---

    def battle(self, space: Space, mine: Host, enemy: Seat) -> list[str]:
        """Return the expected result of an attack, without the enemy's allies and hidden cards."""
        theirs = self.host(enemy, space)
        said = outlook(cote2.odds(mine, theirs, is_zone(space)), size(mine))
        force = units((*theirs.army, theirs.galleys))
        city = " and a city" if theirs.walls else ""
        return [sentence(f"{who(enemy)} has {force}{city} there; without allies {said}")]

    def as_it_stands(self) -> list[str]:
        """Return the expected result of the present battle, fought to the end."""
        odds = cote2.standing(self.table)
        frame = next((frame for frame in self.table.frames if isinstance(frame, Battle)), None)
        if odds is None or frame is None:
            return []
        side = ATTACKER if self.with_us(frame.attacker) else DEFENDER
        whose = "yours" if self.seat in (frame.attacker, frame.defender) else "your ally's"
        return [f"Fought to the end, this battle is {whose} with {percent(odds.wins(side))}; it would leave "
                f"{sum(odds.left(side)):.1f} units and cost {odds.costs[side]:.0f} talents in the mean."]  # fmt: skip

    def helped(self, army: Army, galleys: Sequence[int]) -> list[str]:
        """Return the effect of joining units on the battle; `army`, `galleys`: the advised ones, or none."""
        place, frame = next(((n, frame) for n, frame in enumerate(self.table.frames) if isinstance(frame, Battle)),
                            (NONE, None))  # fmt: skip
        if frame is None:
            return []
        side = ATTACKER if self.with_us(frame.attacker) else DEFENDER
        joining = self.reserves() if not any(army) and not galleys else (army, tuple(galleys))
        frames = [*self.table.frames]
        frames[place] = _joined(frame, self.seat, side, *joining)
        without, with_ = cote2.standing(self.table), cote2.standing(replace(self.table, frames=frames))
        if without is None or with_ is None or joining == (NO_ARMY, ()):
            return self.as_it_stands()
        coming = bool(any(army) or galleys)
        return _compared(without, with_, side, coming, self.in_it(frame))

    def in_it(self, frame: Battle) -> bool:
        """Whether the battle is ours, not an ally's."""
        return self.seat in (frame.attacker, frame.defender)

    def reserves(self) -> tuple[Army, tuple[int, ...]]:
        """Return all units that we could send into the battle now."""
        frame = self.frame
        if isinstance(frame, Aid):
            return lendable(self.table, self.seat, frame.space)
        return (NO_ARMY, galleys_in(self.table, self.seat, SEAS[frame.space])) if isinstance(frame, Commitment) else (
            NO_ARMY, ())  # fmt: skip

    def move(self, action: a.Move) -> tuple[str, list[str]]:
        """Describe a march."""
        goals = [space for space, *_ in action.armies] or [space for _, space in action.leaders]
        parts = []
        for space in dict.fromkeys([*goals, *[to for _, to in action.leaders]]):
            army = next((army for to, *army in action.armies if to == space), [0, 0, 0])
            leaders = [leader for leader, to in action.leaders if to == space]
            parts.append(f"{led(leaders, army, LEADERS)} to {name(space)}")
        words = sentence(f"march from {name(action.source)}: {listed(parts)}")
        why = [reason for space, *army in action.armies for reason in self.arrival(space, army)]
        return words, why or [f"Leaders in {name(space)} let you act there." for space in goals[:1]]

    def deployed(self, action: a.Deploy) -> tuple[str, list[str]]:
        """Describe a deployment."""
        armies = {space: army for space, *army in action.armies}
        leaders = {action.caesar: "your Caesar"}
        leaders[action.general] = "both leaders" if action.general == action.caesar else "your general"
        parts = []
        for space in dict.fromkeys([*armies, *leaders]):
            force = [units(armies[space])] if space in armies else []
            parts.append(f"{listed([*force, *([leaders[space]] if space in leaders else [])])} in {name(space)}")
        parts += [f"a galley in {name(action.galley)}"] if action.galley != NONE else []
        guarded = [space for space in armies if space in KEY_SET and self.table.influence[space][self.seat]]
        return sentence(f"deploy {'; '.join(parts)}"), [*self.led(leaders), *self.covered(guarded)]

    def led(self, leaders: Iterable[Space]) -> Iterator[str]:
        """Yield the key provinces where leaders can buy influence."""
        worths = [f"{name(space)} ({several(victory_numbers(self.table, space)[0], 'point')} for the first)"
                  for space in leaders if space in KEY_SET]  # fmt: skip
        if worths:
            yield f"Where a leader stands you can buy influence: in {listed(worths)}."

    def covered(self, spaces: Sequence[Space]) -> Iterator[str]:
        """Yield the number of tokens that units guard."""
        tokens = sum(self.table.influence[space][self.seat] for space in spaces)
        bare = [space for space in KEY_SET if self.table.influence[space][self.seat] and space not in spaces]
        if spaces:
            left = f"; nobody guards yours in {listed(map(name, sorted(bare)))}" if bare else ", all that you have"
            yield f"The units guard {several(tokens, 'influence token')} in {listed(map(name, spaces))}{left}."

    def sail(self, action: a.Sail) -> tuple[str, list[str]]:
        """Describe a movement of galleys, an attack, or both."""
        parts = []
        if action.to != NONE:
            parts.append(f"sail {several(len(action.galleys), 'galley', 'galleys')} to {name(action.to)}")
        if action.enemy == NONE:
            shores = listed(name(space) for space in SHORES[action.to])
            return sentence(parts[0]), [f"From there they reach {shores}."]
        parts.append(f"attack {who(action.enemy)} in {name(action.zone)}")
        ours = self.host(self.seat, action.zone)
        coming = [galley for galley in action.galleys if self.table.galley_at[galley] != action.zone]
        ours = replace(ours, galleys=ours.galleys + len(coming) * (action.to == action.zone))
        return sentence(" and ".join(parts)), self.battle(action.zone, ours, action.enemy)

    def arrival(self, space: Space, army: Sequence[int]) -> Iterator[str]:
        """Yield the use of units in a province."""
        enemies = self.enemies(space)
        mine = self.host(self.seat, space)
        if enemies:
            yield from self.battle(space, replace(mine, army=plus(mine.army, army), walls=0), enemies[0])
        elif space in KEY_SET:
            tokens = self.table.influence[space][self.seat]
            if tokens:
                yield f"They guard {several(tokens, 'influence token')} in {name(space)}, which others could else buy."
            else:
                first = victory_numbers(self.table, space)[0]
                yield f"{name(space)} is worth {several(first, 'point')} a season to whoever has most influence there."

    def guards(self, groups: Sequence[Sequence[int]]) -> list[str]:
        """Return the reasons for new units in these provinces."""
        said = []
        for space, *_ in groups:
            said += [*self.scores(space), *self.near(space)]
        mine, best = self.strength(self.seat), max(self.others(), key=self.strength)
        return [*said, f"You have {several(mine, 'unit')} on the board, {who(best)} has {self.strength(best)}."]

    def near(self, space: Space) -> Iterator[str]:
        """Yield the strongest enemy beside a province."""
        found = [(total(army_of(self.table.units[near], seat)), seat, near)
                 for near in BOARD.land[space] for seat in self.enemies(near)]  # fmt: skip
        if found:
            number, seat, where = max(found)
            yield f"{who(seat)} stands beside it in {name(where)} with {several(number, 'unit')}."

    def quiet(self, space: Space) -> list[str]:
        """Return a sentence for a province without enemies beside it."""
        return [f"No enemy stands beside {name(space)}."]

    def others(self) -> list[Seat]:
        """Return all other seats."""
        return [seat for seat in range(self.table.seats) if seat != self.seat]

    # --- politics ---

    def bid(self, action: a.Bid) -> tuple[str, list[str]]:
        """Describe a bid in the auction."""
        boxes = [f"{who(seat)} in box {SIDES[side]}" for side, seat in enumerate((action.a, action.b)) if seat != NONE]
        words = sentence(f"bid {several(action.talents, 'talent')} with {listed(boxes)}")
        return words, [sentence(f"with this {self.pairing(action.a, action.b)}"), self.instead(action)]

    def instead(self, bid: a.Bid) -> str:
        """Return the outcome without that bid."""
        frame = self.frame
        if isinstance(frame, Auction) and frame.bidder != NONE:
            return sentence(f"as the bid stands, {self.pairing(frame.a, frame.b)}")
        left = several(self.money - bid.talents, "talent")
        return f"Whoever opens must bid, and 0 talents would do; if you win, {left} are left to you."

    def pairing(self, one: Seat, other: Seat) -> str:
        """Return the effect of a proposal: own place in the order of play, friends and enemies."""
        pair = [seat for seat in (one, other) if seat != NONE]
        if self.seat in pair:
            place = len(self.table.order) + pair.index(self.seat) + 1
            side = int(self.seat == other)
            return f"you act as number {place} of {self.table.seats}, {self.company(side, [one, other])}"
        if self.table.side[self.seat] == NONE:
            later = len(self.table.order) + len(pair)
            first = listed(map(who, pair))
            return f"{first} act before you: you go later than number {later}, and can answer what they do"
        return f"you are {self.company(self.table.side[self.seat], [one, other])}"

    def company(self, side: int, pair: Sequence[Seat]) -> str:
        """Return friends and enemies of a side of the alliances, with the enemies' means."""
        sides = [(seat, self.table.side[seat]) for seat in self.others()]
        joining = [(seat, place) for place, seat in enumerate(pair) if seat not in (NONE, self.seat)]
        friends = [seat for seat, at in (*sides, *joining) if at == side]
        enemies = [seat for seat, at in (*sides, *joining) if at == 1 - side]
        beside = f"with {listed(map(who, friends))}" if friends else "without a friend so far"
        return f"{beside}, against {listed(map(self.known, enemies))}" if enemies else beside

    def known(self, seat: Seat) -> str:
        """Return a player with their units and tokens."""
        tokens = sum(self.table.influence[space][seat] for space in KEY_SET)
        force = self.strength(seat)
        has = [several(force, "unit")] if force else []
        return f"{who(seat)} ({listed([*has, several(tokens, 'influence token')])})"

    def passed(self) -> tuple[str, list[str]]:
        """Describe a pass: in an auction, a vote or a turn."""
        frame = self.frame
        if isinstance(frame, Auction):
            return "Pass.", [
                sentence(f"as the bid stands, {self.pairing(frame.a, frame.b)}"),
                f"To change that costs {frame.talents + COIN} or more of your {several(self.money, 'talent')}; "
                f"an influence token costs {INFLUENCE_PRICE}.",
            ]
        if isinstance(frame, Vote):
            return "Pass.", [f"It takes {several(high(frame) + 1, 'vote')} to lead, and you hold {self.votes()}."]
        return "Pass.", [f"With {several(self.money, 'talent')} nothing else is worth its price now."]

    def votes(self) -> int:
        """Return all own votes."""
        hand = self.table.senators[self.seat]
        return weight((hand[0], hand[1], hand[2], hand[3]))

    def show(self, action: a.Show) -> tuple[str, list[str]]:
        """Describe a bid of senators in a vote."""
        frame = self.frame
        assert isinstance(frame, Vote)
        more = (action.one, action.two, action.three, action.four)
        senators = [VALUES[k] + (f" ({n})" if n > 1 else "") for k, n in enumerate(more) if n]
        one = "senator" if sum(more) == 1 else "senators"
        mine = several(weight(frame.shown[self.seat]) + weight(more), "vote")
        others = sum(self.table.senators[seat][0] - sum(frame.shown[seat]) for seat in self.others())
        return sentence(f"show {one} {listed(senators)}"), [
            f"You lead with {mine} against {high(frame)}; the others hold {others} senators face down.",
            CARDS[frame.card].text,
        ]

    def card(self, verb: str, card: int, price: int) -> tuple[str, list[str]]:
        """Describe the taking or the use of a card."""
        paid = f" for {several(price, 'talent')}" if price else ""
        left = f"You have {several(self.money - price, 'talent')} left then." if price else ""
        return sentence(f'{verb} "{CARDS[card].name}"{paid}'), [CARDS[card].text, *([left] if left else [])]

    def recruit(self, action: a.Recruit) -> tuple[str, list[str]]:
        """Describe recruits."""
        parts = []
        for space, infantry, cavalry, catapults, generals in action.armies:
            force = units((infantry, cavalry, catapults)) if infantry + cavalry + catapults else ""
            goods = [part for part in (force, several(generals, "general") if generals else "") if part]
            parts.append(f"{listed(goods)} in {name(space)}")
        parts += [f"{several(number, 'galley', 'galleys')} in {name(zone)}" for zone, number in action.fleets]
        bought = [sum(group[kind] for group in action.armies) for kind in (1, 2, 3)]
        bought += [sum(number for _, number in action.fleets), sum(group[4] for group in action.armies)]
        price = cost(bought, PRICES, 1)
        words = sentence(f"recruit {listed(parts)} for {several(price, 'talent')} and {RECRUIT_CHAOS} chaos")
        return words, self.guards(action.armies)


def _joined(frame: Battle, seat: Seat, side: int, army: Army, galleys: tuple[int, ...]) -> Battle:
    """Return the battle with additional units of a seat."""
    if side == ATTACKER:
        cell = joined(frame.attacking, seat, army)
        return replace(frame, attacking=cell, attack_fleet=frame.attack_fleet + galleys)
    cell = joined(frame.defending, seat, army)
    return replace(frame, defending=cell, defence_fleet=frame.defence_fleet + galleys)


def _compared(without: Odds, with_: Odds, side: int, coming: bool, mine: bool) -> list[str]:
    """Return the effect of help on a battle, whether it comes or not."""
    whose = "yours" if mine else "your ally's"
    before, after = percent(without.wins(side)), percent(with_.wins(side))
    price = _dearer(without, with_, side, coming) if mine else []
    if abs(with_.wins(side) - without.wins(side)) >= FELT and coming:
        return [f"With that, as it stands now, this battle is {whose} with {after} instead of {before}.", *price]
    if abs(with_.wins(side) - without.wins(side)) >= FELT:
        return [f"As it stands now, this battle is {whose} with {before}; with help it would be {after}.", *price]
    if without.wins(side) < EVEN:
        return [f"This battle is {whose} with {before}, with that help or without: it is of no use.", *price]
    return [f"It is not needed: this battle is {whose} with {before}, with that help or without.", *price]


def _dearer(without: Odds, with_: Odds, side: int, coming: bool) -> list[str]:
    """Return the change of own costs by our help."""
    before, after = (round(odds.costs[side]) for odds in (without, with_))
    says = "It then costs you" if coming else "With help it would cost you"
    return [f"{says} {several(after, 'talent')} in the mean instead of {before}."] if before != after else []


def speak(table: Any, seat: Seat, action: Action) -> tuple[str, list[str]]:
    """Describe an action of Conquest II, as an `advice.Speaker`."""
    c = Counsel(table, seat)
    for of in (_of_turn, _of_cards, _of_war, _of_battle):
        said = of(c, action)
        if said is not None:
            return said
    return "", []


def _of_turn(c: Counsel, action: Action) -> Said:
    match action:
        case a.Bid():
            return c.bid(action)
        case a.Pass():
            return c.passed()
        case a.Recruit():
            return c.recruit(action)
        case a.Influence(space, sellers):
            price = INFLUENCE_PRICE * len(sellers)
            tokens = several(len(sellers), "influence token")
            return sentence(f"buy {tokens} in {name(space)} for {price} talents"), c.buying(space, sellers)
        case a.Levy(talents):
            chaos = talents // TAX_STEP
            why = f"You have {several(c.money, 'talent')}; it costs {chaos} chaos."
            return sentence(f"raise a special tax of {talents} talents"), [why]
        case EndTurn():
            return "End the turn.", ["Nothing that is left to do pays."]
    return None


def _of_cards(c: Counsel, action: Action) -> Said:
    match action:
        case a.Obtain(card) | a.Campaign(card):
            return c.card("take", card, CARDS[card].cost)
        case a.Use(card):
            return c.card("use", card, 0)
        case a.Incite(space, victims):
            words = f"incite the slaves in {name(space)} against {listed(map(who, victims))}"
            return sentence(words), [
                sentence(f"there stand {several(len(c.enemies(space)), 'enemy army', 'enemy armies')}")
            ]
        case a.Show():
            return c.show(action)
        case a.Assemble(space):
            return f"Assemble the new legions in {name(space)}.", [*c.scores(space), *c.near(space)] or c.quiet(space)
    return None


def _of_war(c: Counsel, action: Action) -> Said:
    match action:
        case a.Deploy():
            return c.deployed(action)
        case a.Move():
            return c.move(action)
        case a.Attack(space, enemy):
            mine = replace(c.host(c.seat, space), walls=0)
            words = f"attack {who(enemy)} in {name(space)}"
            return sentence(words), [*c.battle(space, mine, enemy), *c.scores(space)]
        case a.Sail():
            return c.sail(action)
    return None


def _of_battle(c: Counsel, action: Action) -> Said:
    match action:
        case a.Slip(away):
            return ("Slip away with a favorable wind." if away else "Accept the battle."), c.as_it_stands()
        case a.Commit(galleys):
            ships = several(len(galleys), "galley", "galleys") if galleys else "no galleys"
            return sentence(f"commit {ships} to the battle"), c.helped(NO_ARMY, galleys)
        case a.Lend(infantry, cavalry, catapults, galleys):
            force = (infantry, cavalry, catapults, len(galleys))
            words = f"lend {units(force)}" if any(force) else "lend nothing"
            return sentence(words), c.helped((infantry, cavalry, catapults), galleys)
        case a.Lose(armies_, galleys, extra):
            fallen = plus((0, 0, 0), (0, 0, 0))
            for _, *army in armies_:
                fallen = plus(fallen, army)
            return sentence(f"let {units((*fallen, len(galleys) + extra))} fall"), c.as_it_stands()
        case Stand():
            return "Fight on.", c.as_it_stands()
        case Retreat(to):
            return sentence(f"retreat to {name(to)}" if to != NONE else "retreat"), c.as_it_stands()
        case a.Withdraw(to):
            return f"Withdraw your leaders to {name(to)}.", [*c.near(to)] or c.quiet(to)
    return None

"""Advice in both conquest games: exact odds of battles, tribute, threats and distances."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from server.bots.advice.speech import led, listed, name, outlook, place, sentence, several, size, units, who
from server.bots.sea_routes import FAR
from shared.board import BOARD
from shared.ids import CATAPULT, NONE, UNIT_NAMES, Army, Leader, Seat, Space
from shared.kernel.frames import Action, Frame
from shared.mechanics.aimed import needed, winning_faces
from shared.mechanics.armies import plus, total
from shared.mechanics.cells import armies, army_of, enemies_in
from shared.mechanics.pieces import at, living, others_at
from shared.mechanics.treasury import cost
from shared.mechanics.tribute import CITY_TRIBUTE, worth
from shared.odds import classic, mb1984
from shared.odds.outcome import ATTACKER, DEFENDER, Host, Odds, percent
from shared.rulesets.classic.actions import EndCombat, Form, Sink, Withdraw
from shared.rulesets.classic.actions import Lose as Fall
from shared.rulesets.classic.economy import PRICES as CLASSIC_PRICES
from shared.rulesets.classic.options import steps as classic_steps
from shared.rulesets.classic.options import wall_worth as classic_walls
from shared.rulesets.classic.state import GALLEYS as CLASSIC_GALLEYS
from shared.rulesets.classic.state import LEADERS as CLASSIC_LEADERS
from shared.rulesets.mb1984.actions import Aim, Reply
from shared.rulesets.mb1984.actions import Lose as Drop
from shared.rulesets.mb1984.economy import PRICES as OLD_PRICES
from shared.rulesets.mb1984.frames import Aiming
from shared.rulesets.mb1984.options import steps as old_steps
from shared.rulesets.mb1984.options import wall_worth as old_walls
from shared.rulesets.mb1984.state import GALLEYS as OLD_GALLEYS
from shared.rulesets.mb1984.state import LEADERS as OLD_LEADERS
from shared.vocabulary import actions as a
from shared.vocabulary.frames import Bargain

GOODS: Final = ("infantry", "cavalry", "catapult", "galley", "city", "fortification", "road")
MANY: Final = ("infantry", "cavalry", "catapults", "galleys", "cities", "fortifications", "roads")
SERIOUS: Final = 0.2
"""Chance from which a threat is mentioned."""
EVEN: Final = 0.5


class Game(Struct, frozen=True):
    """Differences between the two games. `each`, `fleet`: leaders and galleys of a colour; others as in
    `shared.odds`."""

    odds: Callable[[Host, Host, bool], Odds]
    present: Callable[[Any, Seat, Space, bool], Host]
    standing: Callable[[Any], Odds | None]
    steps: Callable[[Any], tuple[tuple[Space, ...], ...]]
    walls: Callable[[Any], int]
    prices: Sequence[int]
    each: int
    fleet: int


CLASSIC: Final = Game(classic.odds, classic.present, classic.standing, classic_steps, classic_walls, CLASSIC_PRICES,
                      CLASSIC_LEADERS, CLASSIC_GALLEYS)  # fmt: skip
OLD: Final = Game(
    mb1984.odds, mb1984.present, mb1984.standing, old_steps, old_walls, OLD_PRICES, OLD_LEADERS, OLD_GALLEYS
)


class Threat(Struct, frozen=True):
    """An attack that an enemy could begin from `near`, and its chance."""

    chance: float
    enemy: Seat
    near: Space


class Counsel:
    """Sentences about actions of a seat."""

    def __init__(self, game: Game, table: Any, seat: Seat) -> None:
        self.game = game
        self.table = table
        self.seat = seat
        self.steps = game.steps(table)

    @property
    def frame(self) -> Frame:
        """Frame of the decision that is due."""
        top: Frame = self.table.frames[-1]
        return top

    def host(self, seat: Seat, space: Space) -> Host:
        """Return a seat's force in a space."""
        return self.game.present(self.table, seat, space, space >= BOARD.provinces)

    def leaders(self, seat: Seat, space: Space) -> tuple[Leader, ...]:
        """Return a seat's leaders in a space."""
        return at(self.table.leader_at, space, self.table.lord, seat, self.game.each)

    def enemy_leaders(self, space: Space) -> list[Leader]:
        """Return the leaders of all other seats in a space."""
        return others_at(self.table.leader_at, space, self.table.lord, self.seat, self.game.each)

    def rivals(self) -> list[Seat]:
        """Return the other seats that are still in the match."""
        return [seat for seat in living(self.table) if seat != self.seat]

    # --- what would happen ---

    def threat(self, space: Space, mine: Host) -> Threat | None:
        """Return the most dangerous attack by an adjacent enemy on `mine` in a province, or None."""
        found = []
        for near in self.steps[space]:
            for enemy, _ in armies(self.table.units[near]):
                if enemy != self.seat and self.leaders(enemy, near):
                    odds = self.game.odds(replace(self.host(enemy, near), walls=0), mine, False)
                    found.append(Threat(odds.wins(ATTACKER), enemy, near))
        return max(found, key=lambda threat: threat.chance, default=None)

    def steps_to(self, space: Space, wanted: Callable[[Space], bool]) -> tuple[int, Space]:
        """Return the steps by land to the nearest wanted province, and that province; FAR and NONE if there is none."""
        seen, edge, far = {space}, [space], 0
        while edge:
            found = [each for each in edge if wanted(each)]
            if found:
                return far, max(found, key=lambda each: worth(self.table, each))
            edge = sorted({near for each in edge for near in self.steps[each]} - seen)
            seen |= set(edge)
            far += 1
        return FAR, NONE

    def battle(self, space: Space, mine: Host) -> Iterator[str]:
        """Yield the expected result of an attack with `mine`; nothing in a province without enemy units."""
        enemies = enemies_in(self.table.units[space], self.seat)
        if enemies:
            enemy = max(enemies, key=lambda each: total(army_of(self.table.units[space], each)))
            theirs = self.host(enemy, space)
            said = outlook(self.game.odds(mine, theirs, False), size(mine))
            walls = " behind walls" if theirs.walls else ""
            yield sentence(f"{who(enemy)} has {units(theirs.army)} there{walls}; {said}")

    def prize(self, space: Space) -> Iterator[str]:
        """Yield the gains of the conqueror of a province."""
        leaders = self.enemy_leaders(space)
        caesars = [leader for leader in leaders if leader % self.game.each == 0]
        if caesars:
            owner = who(self.table.lord[caesars[0] // self.game.each])
            yield f"{owner}'s Caesar stands there: whoever captures him takes over all that {owner} has."
        elif leaders:
            generals = several(len(leaders), "general")
            if enemies_in(self.table.units[space], self.seat):
                yield f"Victory captures {generals} there."
            else:
                yield sentence(f"there {generals} without troops would be captured")
        lord, value = self.table.owner[space], worth(self.table, space)
        if lord != self.seat and value:
            loser = "" if lord == NONE else f", and costs {who(lord)} as much"
            yield f"{name(space)} is worth {several(value, 'talent')} of tribute a turn{loser}."

    # --- marching and sailing ---

    def march(self, action: Any) -> tuple[str, list[str]]:
        """Describe a march."""
        army = (action.infantry, action.cavalry, action.catapults)
        words = (
            f"march from {name(action.source)} to {name(action.to)} with {led(action.leaders, army, self.game.each)}"
        )
        return sentence(words), self.arrival(action.to, army, action.leaders, action.source)

    def arrival(self, to: Space, army: Army, leaders: Sequence[Leader], source: Space) -> list[str]:
        """Return the reasons for an army or leaders to enter a province."""
        there = self.host(self.seat, to)
        mine = replace(there, army=plus(there.army, army), leaders=there.leaders + len(leaders), walls=0)
        if self.table.owner[to] != self.seat or enemies_in(self.table.units[to], self.seat):
            fight = list(self.battle(to, mine))
            undefended = [] if fight or self.enemy_leaders(to) else [f"Nobody defends {name(to)}."]
            return [*fight, *undefended, *self.prize(to), *self.safer(source, leaders)]
        guarded = list(self.guarded(to, replace(mine, walls=there.walls)))
        then = self.leading(to, there, leaders) if not any(army) and leaders else self.together(to, mine)
        return [*self.safer(source, leaders), *guarded, *self.nearer(source, to), then]

    def safer(self, source: Space, leaders: Sequence[Leader]) -> Iterator[str]:
        """Yield the threat that leaders escape by leaving a province."""
        if leaders and source < BOARD.provinces:
            threat = self.threat(source, self.host(self.seat, source))
            if threat is not None and threat.chance >= SERIOUS:
                whom = "your Caesar" if any(each % self.game.each == 0 for each in leaders) else "them"
                where = f"In {name(source)} {who(threat.enemy)} could attack {whom} from {name(threat.near)}"
                yield f"{where} and win with {percent(threat.chance)}."

    def guarded(self, space: Space, mine: Host) -> Iterator[str]:
        """Yield the gain in safety of a province with the force `mine`."""
        before, after = self.threat(space, self.host(self.seat, space)), self.threat(space, mine)
        if before is not None and after is not None and before.chance - after.chance >= 0.03:
            odds = f"{percent(1 - after.chance)} instead of {percent(1 - before.chance)}"
            enemy, near = who(before.enemy), name(before.near)
            yield f"{enemy} could attack {name(space)} from {near}: it would hold with {odds}."

    def nearer(self, source: Space, to: Space) -> Iterator[str]:
        """Yield the destination that a step comes nearer to: an enemy, else an undefended province."""
        for wanted, words in ((self.has_enemies, "the nearest enemy, in "), (self.is_open, "undefended ")):
            before = self.steps_to(source, wanted)[0] if source < BOARD.provinces else FAR
            after, where = self.steps_to(to, wanted)
            if after < before:
                yield f"That is on the way to {words}{name(where)}, {several(after, 'step')} further."
                return

    def has_enemies(self, space: Space) -> bool:
        """Whether a province has enemy leaders or units."""
        return bool(enemies_in(self.table.units[space], self.seat) or self.enemy_leaders(space))

    def is_open(self, space: Space) -> bool:
        """Whether a province has another owner or none, and no units."""
        return self.table.owner[space] != self.seat and not self.table.units[space]

    def leading(self, space: Space, there: Host, leaders: Sequence[Leader]) -> str:
        """Return the use of leaders who come without troops."""
        number, him = total(there.army), "him" if len(leaders) == 1 else "them"
        if not number:
            return self.together(space, there)
        they = "it" if number == 1 else "they"
        men = f"In {name(space)} {several(number, 'unit')} of yours {'stands' if number == 1 else 'stand'}"
        if not there.leaders:
            return f"{men} without a leader, and cannot march without one: with {him} {they} can."
        led_ = several(there.leaders, "leader")
        return f"{men} with {led_}: one leader more can lead a part of them elsewhere, or join them in battle."

    def together(self, space: Space, mine: Host) -> str:
        """Return the number of own units in a province after the march."""
        number = total(mine.army)
        if not number:
            return f"Nobody else stands in {name(space)}: leaders can wait there for troops."
        return f"With that {several(number, 'unit')} of yours {'stands' if number == 1 else 'stand'} in {name(space)}."

    def sail(self, action: a.Sail) -> tuple[str, list[str]]:
        """Describe a movement of a galley."""
        army, cargo = (action.infantry, action.cavalry, action.catapults), self.table.cargo[action.galley]
        start = self.table.galley_at[action.galley]
        aboard = led(action.leaders, army, self.game.each)
        load = f", taking {aboard} aboard" if action.leaders or any(army) else ""
        words = sentence(f"sail a galley from {place(start)} to {place(action.to)}{load}")
        if BOARD.is_sea(action.to):
            return words, [*self.at_sea(action.to, action.galley), *self.voyage(army if any(army) else cargo)]
        landing = (cargo[0], cargo[1], cargo[2]) if cargo else (0, 0, 0)
        return words, self.arrival(BOARD.ashore[action.to], landing, (), start) if cargo else [
            "It is safe on the coast."
        ]

    def at_sea(self, zone: Space, galley: int) -> Iterator[str]:
        """Yield the expected battles with enemy fleets in a zone."""
        met = [each for each, at_ in enumerate(self.table.galley_at) if at_ == zone]
        enemies = {self.table.lord[each // self.game.fleet] for each in met} - {self.seat}
        for enemy in sorted(enemies):
            mine = self.host(self.seat, zone)
            cargo = self.table.cargo[galley] or (0, 0, 0)
            ours = replace(mine, galleys=mine.galleys + 1, army=plus(mine.army, cargo))
            said = outlook(self.game.odds(ours, self.host(enemy, zone), True), ours.galleys)
            yield sentence(f"{who(enemy)} has galleys there; {said}")

    def voyage(self, army: Sequence[int]) -> Iterator[str]:
        """Yield the purpose of a galley at sea, by its cargo."""
        yield (
            f"It carries {units(army)} to another coast." if any(army) else "A galley at sea can fetch units elsewhere."
        )

    def stay(self) -> list[str]:
        """Return the reasons for ending the movement."""
        return [*self.best_attack(), *self.worst_threat()] or ["No enemy is within a march of your leaders."]

    def best_attack(self) -> Iterator[str]:
        """Yield the best attack still in reach."""
        chance, post, space = max(self.attacks(), default=(0.0, NONE, NONE))
        if space == NONE:
            return
        if chance < EVEN:
            yield f"The best attack in reach, on {name(space)}, would be won with {percent(chance)} only."
        else:
            all_ = f"An attack on {name(space)} with all that stands in {name(post)}"
            yield f"{all_} would be won with {percent(chance)}, but leave {name(post)} empty."

    def worst_threat(self) -> Iterator[str]:
        """Yield the most dangerous enemy beside own leaders."""
        threats = [(threat.chance, space, threat) for space in self.posts()
                   if (threat := self.threat(space, self.host(self.seat, space))) is not None]  # fmt: skip
        if threats:
            chance, space, threat = max(threats, key=lambda found: found[:2])
            enemy, near = who(threat.enemy), name(threat.near)
            yield f"{enemy} stands in {near}, and would win an attack on {name(space)} with {percent(chance)}."

    def posts(self) -> list[Space]:
        """Return the provinces with own leaders."""
        return [space for space in range(BOARD.provinces) if self.leaders(self.seat, space)]

    def attacks(self) -> Iterator[tuple[float, Space, Space]]:
        """Yield attacks over one border with a whole army that has not marched yet: chance, source, target."""
        for post in self.posts():
            mine = replace(self.host(self.seat, post), walls=0)
            fresh = any(not self.table.leader_used[leader] for leader in self.leaders(self.seat, post))
            if fresh and total(mine.army) and not self.table.moved[post] and not self.table.landed[post]:
                for space in self.steps[post]:
                    for enemy in enemies_in(self.table.units[space], self.seat):
                        yield self.game.odds(mine, self.host(enemy, space), False).wins(ATTACKER), post, space

    # --- battles ---

    def fight(self, action: a.Fight) -> tuple[str, list[str]]:
        """Describe the beginning of a battle."""
        mine, theirs = self.host(self.seat, action.space), self.host(action.enemy, action.space)
        odds = self.game.odds(replace(mine, walls=0), theirs, action.space >= BOARD.provinces)
        words = f"fight {who(action.enemy)} in {name(action.space)}"
        return sentence(words), [sentence(outlook(odds, size(mine))), *self.spoils(action.space)]

    def spoils(self, space: Space) -> Iterator[str]:
        """Yield the gains of a victory on land."""
        if space < BOARD.provinces:
            yield from self.prize(space)

    def side(self) -> int:
        """Return the own side in the present battle."""
        return next((ATTACKER if frame.attacker == self.seat else DEFENDER
                     for frame in self.table.frames if hasattr(frame, "attacker")), ATTACKER)  # fmt: skip

    def as_it_stands(self) -> list[str]:
        """Return the expected result of the present battle, fought to the end."""
        odds = self.game.standing(self.table)
        if odds is None:
            return []
        side = self.side()
        kept, costs = sum(odds.left(side)), odds.costs[side]
        chance = percent(odds.wins(side))
        return [f"Fought to the end, this battle is yours with {chance}; it would leave you {kept:.1f} units and cost "
                f"{costs:.0f} talents in the mean."]  # fmt: skip

    def withdraw(self, to: Space) -> list[str]:
        """Return the nearest enemy at the destination of a retreat."""
        if to == NONE:
            return ["There is nowhere left to go."]
        threat = self.threat(to, self.host(self.seat, to))
        if threat is None:
            return [f"No enemy stands beside {name(to)}."]
        return [f"{who(threat.enemy)} in {name(threat.near)} is the nearest enemy there."]

    def losses(self, action: Fall) -> list[str]:
        """Return the price of fallen units."""
        lost = (action.infantry, action.cavalry, action.catapults)
        price = cost(lost, self.game.prices[:3], self.table.inflation)
        return [f"They cost {several(price, 'talent')} to replace.", *self.as_it_stands()]

    def aim(self, action: Aim) -> list[str]:
        """Return the chance of a shot."""
        frame = self.frame
        if not isinstance(frame, Aiming):
            return []
        number = needed(action.kind, frame.space >= BOARD.provinces, frame.ahead)
        hit = f"It is hit with {percent(min(1.0, winning_faces(number) / 6))}"
        more = ", and each catapult that falls takes an advantage away" if action.kind == CATAPULT else ""
        return [f"{hit}{more}.", *self.as_it_stands()]

    # --- money and bargains ---

    def buy(self, action: Any) -> tuple[str, list[str]]:
        """Describe a purchase."""
        wanted = [getattr(action, field) for field in action.__struct_fields__]
        goods = [several(n, GOODS[kind], MANY[kind]) for kind, n in enumerate(wanted) if n]
        price = cost(wanted, self.game.prices[: len(wanted)], self.table.inflation)
        left = self.table.talents[self.seat] - price
        if not goods:
            kept = f"You keep {several(self.table.talents[self.seat], 'talent')}"
            return "Buy nothing.", [f"{kept}; prices are {self.table.inflation} times the basic ones.", *self.balance()]
        words = sentence(f"buy {listed(goods)} for {several(price, 'talent')}")
        return words, [*self.home_needs(wanted), *self.income(wanted), *self.balance(), f"That leaves {left} talents."]

    def home_needs(self, wanted: Sequence[int]) -> Iterator[str]:
        """Yield the use of new units at home."""
        home = self.table.home[self.seat]
        host = self.host(self.seat, home)
        army = plus(host.army, wanted[:3])
        if not any(wanted[:3]):
            return
        yield from self.guarded(home, replace(host, army=army))
        far, where = self.steps_to(home, self.has_enemies)
        if where != NONE:
            yield f"The nearest enemy stands in {name(where)}, {several(far, 'step')} from your home."

    def income(self, wanted: Sequence[int]) -> Iterator[str]:
        """Yield the tribute of new cities."""
        if wanted[4]:
            yield f"{'It brings' if wanted[4] == 1 else 'They bring'} {wanted[4] * CITY_TRIBUTE} talents more a turn."

    def balance(self) -> Iterator[str]:
        """Yield the number of own units on land, and that of the strongest rival."""
        mine, best = self.strength(self.seat), max(self.rivals(), key=self.strength, default=NONE)
        if best != NONE:
            yield f"You have {several(mine, 'unit')} on land, {who(best)} has {self.strength(best)}."

    def strength(self, seat: Seat) -> int:
        """Return the number of a seat's units on land."""
        return sum(total(army_of(cell, seat)) for cell in self.table.units)

    def fortify(self, space: Space) -> list[str]:
        """Return the use of walls."""
        walled = replace(self.host(self.seat, space), walls=self.game.walls(self.table))
        return [
            *self.guarded(space, walled),
            "Behind walls a city is harder to take.",
        ]

    def raze(self, space: Space) -> list[str]:
        """Return the enemy who could otherwise take the city."""
        threat = self.threat(space, self.host(self.seat, space))
        if threat is None or threat.chance < SERIOUS:
            return ["It would serve whoever takes the province."]
        enemy, near = who(threat.enemy), name(threat.near)
        return [f"{enemy} stands in {near}, and would take it with {percent(threat.chance)}."]

    def bargain(self, pays: int, gives: Sequence[int], wants: int, takes: Sequence[int]) -> list[str]:
        """Return the balance of a bargain by the talents and generals that we pay, give, get and take."""
        gain = wants - pays
        money = f"It brings you {gain} talents" if gain > 0 else f"It costs you {-gain} talents" if gain else ""
        back, away = several(len(takes), "general"), several(len(gives), "general")
        men = f"you get {back} back" if takes else ""
        prisoners = f"you let {away} go" if gives else ""
        said = " and ".join(part for part in (money, men, prisoners) if part)
        return [sentence(said)] if said else []

    def proposed(self, proposer: Seat) -> list[str]:
        """Return the balance of a player's open proposal in the game of 1984."""
        _, pays, wants, number, *leaders = self.table.proposals[proposer]
        return self.bargain(wants, leaders[number:], pays, leaders[:number])


def in_classic(table: Any, seat: Seat, action: Action) -> tuple[str, list[str]]:
    """Describe an action of Classic, as an `advice.Speaker`."""
    return speak(Counsel(CLASSIC, table, seat), action)


def in_1984(table: Any, seat: Seat, action: Action) -> tuple[str, list[str]]:
    """Describe an action of the 1984 game, as an `advice.Speaker`."""
    return speak(Counsel(OLD, table, seat), action)


def speak(c: Counsel, action: Action) -> tuple[str, list[str]]:
    """Return the action in a sentence, and reasons."""
    for of in (_of_movement, _of_battle, _of_money, _of_prisoners):
        said = of(c, action)
        if said is not None:
            return said
    return "", []


Said = tuple[str, list[str]] | None


def _of_movement(c: Counsel, action: Action) -> Said:
    match action:
        case a.ChooseHome(home):
            near = c.steps[home]
            value = sum(BOARD.tribute[space] for space in near)
            reason = f"Beside it lie {several(len(near), 'province')} worth {value} talents together."
            return f"Begin in {name(home)}.", [reason]
        case a.Sail():
            return c.sail(action)
        case a.EndMovement():
            return "End the movement.", c.stay()
        case _ if type(action).__name__ == "March":
            return c.march(action)
    return None


def _of_battle(c: Counsel, action: Action) -> Said:
    match action:
        case a.Fight():
            return c.fight(action)
        case EndCombat():
            return "Fight no more battles at sea.", ["You need not fight at sea, and galleys are dear."]
        case Form():
            legion = (action.infantry, action.cavalry, action.catapults)
            return sentence(f"form the battle legion of {units(legion)}"), c.as_it_stands()
        case Fall():
            return sentence(f"let {units((action.infantry, action.cavalry, action.catapults))} fall"), c.losses(action)
        case a.Stand():
            return "Fight on.", c.as_it_stands()
        case a.Retreat(to):
            words = f"retreat to {name(to)}" if to != NONE else "retreat"
            return sentence(words), [*c.as_it_stands(), *c.withdraw(to)]
        case Withdraw(to):
            words = f"withdraw your leaders to {name(to)}" if to != NONE else "give your leaders up"
            return sentence(words), c.withdraw(to)
        case Sink(galleys):
            return sentence(f"let {several(len(galleys), 'galley')} sink"), ["They carry the least.", *c.as_it_stands()]
        case Aim(kind):
            return sentence(f"fire at {'an' if UNIT_NAMES[kind][0] in 'aeiou' else 'a'} {_target(kind)}"), c.aim(action)
        case Drop():
            return "Let the unit of that galley fall.", c.as_it_stands()
    return None


def _target(kind: int) -> str:
    return ("unit of infantry", "unit of cavalry", "catapult", "galley")[kind]


def _of_money(c: Counsel, action: Action) -> Said:
    match action:
        case a.Raze(space):
            return f"Destroy your city in {name(space)}.", c.raze(space)
        case a.EndDestruction():
            return "Destroy no city.", [f"Each city brings {CITY_TRIBUTE} talents of tribute a turn."]
        case a.PlaceGalley(position):
            seas = listed(map(name, BOARD.coast_seas[position]))
            return f"Put the new galley on the coast of {place(position)}.", [f"From there it reaches {seas}."]
        case a.PlaceCity(space):
            return f"Build the city in {name(space)}.", [f"It brings {CITY_TRIBUTE} talents more a turn."]
        case a.PlaceFortification(space):
            return f"Fortify {name(space)}.", c.fortify(space)
        case a.PlaceRoad(one, other):
            return f"Build a road between {name(one)} and {name(other)}.", ["Along roads legions march further."]
        case a.EndTurn():
            return "End the turn.", ["Nothing that is left to do pays.", *c.balance()]
        case _ if type(action).__name__ == "Buy":
            return c.buy(action)
    return None


def _of_prisoners(c: Counsel, action: Action) -> Said:
    match action:
        case a.Judge(kill):
            words = f"kill {several(len(kill), 'general')}" if kill else "hold the captured generals"
            why = "Who is dead never leads an army against you again." if kill else "They can be sold or exchanged."
            return sentence(words), [why]
        case a.Offer() as offer:
            words = sentence(f"offer {who(offer.to)} a bargain over generals")
            return words, c.bargain(offer.pays, offer.gives, offer.wants, offer.takes)
        case a.Answer(accept):
            return _answered(c, accept)
        case Reply(proposer, accept):
            reply = "accept" if accept else "decline"
            return sentence(f"{reply} what {who(proposer)} proposes"), c.proposed(proposer)
    return None


def _answered(c: Counsel, accept: bool) -> Said:
    frame = c.frame
    if not isinstance(frame, Bargain):
        return None
    words = sentence(f"{'accept' if accept else 'decline'} the bargain of {who(frame.proposer)}")
    return words, c.bargain(frame.wants, frame.takes, frame.pays, frame.gives)

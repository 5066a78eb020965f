"""Advice in the two games of conquest: battles counted exactly, tribute, what is threatened and what is near."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from server.bots.advice.speech import led, listed, name, outlook, place, sentence, several, size, units, who
from server.bots.ways import FAR
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
from shared.rulesets.classic.state import GALLEYS as CLASSIC_GALLEYS
from shared.rulesets.classic.state import LEADERS as CLASSIC_LEADERS
from shared.rulesets.mb1984.actions import Aim, Reply
from shared.rulesets.mb1984.actions import Lose as Drop
from shared.rulesets.mb1984.economy import PRICES as OLD_PRICES
from shared.rulesets.mb1984.frames import Aiming
from shared.rulesets.mb1984.options import steps as old_steps
from shared.rulesets.mb1984.state import GALLEYS as OLD_GALLEYS
from shared.rulesets.mb1984.state import LEADERS as OLD_LEADERS
from shared.vocabulary import actions as a
from shared.vocabulary.frames import Bargain

GOODS: Final = ("infantry", "cavalry", "catapult", "galley", "city", "fortification", "road")
MANY: Final = ("infantry", "cavalry", "catapults", "galleys", "cities", "fortifications", "roads")
SERIOUS: Final = 0.2
"""A threat that is worth a word, as the chance that it comes true."""
EVEN: Final = 0.5


class Game(Struct, frozen=True):
    """What differs between the two. `each`, `fleet`: leaders and galleys of a colour; others as in `shared.odds`."""

    odds: Callable[[Host, Host, bool], Odds]
    present: Callable[[Any, Seat, Space, bool], Host]
    standing: Callable[[Any], Odds | None]
    steps: Callable[[Any], tuple[tuple[Space, ...], ...]]
    prices: Sequence[int]
    each: int
    fleet: int


CLASSIC: Final = Game(classic.odds, classic.present, classic.standing, classic_steps, CLASSIC_PRICES,
                      CLASSIC_LEADERS, CLASSIC_GALLEYS)  # fmt: skip
OLD: Final = Game(mb1984.odds, mb1984.present, mb1984.standing, old_steps, OLD_PRICES, OLD_LEADERS, OLD_GALLEYS)


class Threat(Struct, frozen=True):
    """An attack that an enemy could begin from `near`, and the chance that it would succeed."""

    chance: float
    enemy: Seat
    near: Space


class Counsel:
    """What can be said about actions of a seat."""

    def __init__(self, game: Game, table: Any, seat: Seat) -> None:
        self.game = game
        self.table = table
        self.seat = seat
        self.steps = game.steps(table)

    @property
    def frame(self) -> Frame:
        """What is owed."""
        top: Frame = self.table.frames[-1]
        return top

    def host(self, seat: Seat, space: Space) -> Host:
        """What a seat has there."""
        return self.game.present(self.table, seat, space, space >= BOARD.provinces)

    def leaders(self, seat: Seat, space: Space) -> tuple[Leader, ...]:
        """The leaders of a seat there."""
        return at(self.table.leader_at, space, self.table.lord, seat, self.game.each)

    def enemy_leaders(self, space: Space) -> list[Leader]:
        """The leaders of all others there."""
        return others_at(self.table.leader_at, space, self.table.lord, self.seat, self.game.each)

    def rivals(self) -> list[Seat]:
        """The others who are still in the match."""
        return [seat for seat in living(self.table) if seat != self.seat]

    # --- what would happen ---

    def threat(self, space: Space, mine: Host) -> Threat | None:
        """The worst that an enemy who stands next to a province could do to `mine` there; None without one."""
        found = []
        for near in self.steps[space]:
            for enemy, _ in armies(self.table.units[near]):
                if enemy != self.seat and self.leaders(enemy, near):
                    odds = self.game.odds(replace(self.host(enemy, near), walls=False), mine, False)
                    found.append(Threat(odds.wins(ATTACKER), enemy, near))
        return max(found, key=lambda threat: threat.chance, default=None)

    def steps_to(self, space: Space, wanted: Callable[[Space], bool]) -> tuple[int, Space]:
        """How far it is by land to the nearest province like that, and which that is; FAR and NONE without one."""
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
        """What would come of an attack with that; nothing where nobody resists."""
        enemies = enemies_in(self.table.units[space], self.seat)
        if enemies:
            enemy = max(enemies, key=lambda each: total(army_of(self.table.units[space], each)))
            theirs = self.host(enemy, space)
            said = outlook(self.game.odds(mine, theirs, False), size(mine))
            walls = " behind walls" if theirs.walls else ""
            yield sentence(f"{who(enemy)} has {units(theirs.army)} there{walls}; {said}")

    def prize(self, space: Space) -> Iterator[str]:
        """What falls to whoever takes a province."""
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
        """Units march on land."""
        army = (action.infantry, action.cavalry, action.catapults)
        words = (
            f"march from {name(action.source)} to {name(action.to)} with {led(action.leaders, army, self.game.each)}"
        )
        return sentence(words), self.arrival(action.to, army, action.leaders, action.source)

    def arrival(self, to: Space, army: Army, leaders: Sequence[Leader], source: Space) -> list[str]:
        """Why that should come to a province."""
        there = self.host(self.seat, to)
        mine = replace(there, army=plus(there.army, army), leaders=there.leaders + len(leaders), walls=False)
        if self.table.owner[to] != self.seat or enemies_in(self.table.units[to], self.seat):
            fight = list(self.battle(to, mine))
            undefended = [] if fight or self.enemy_leaders(to) else [f"Nobody defends {name(to)}."]
            return [*fight, *undefended, *self.prize(to), *self.safer(source, leaders)]
        guarded = list(self.guarded(to, replace(mine, walls=there.walls)))
        then = self.leading(to, there, leaders) if not any(army) and leaders else self.together(to, mine)
        return [*self.safer(source, leaders), *guarded, *self.nearer(source, to), then]

    def safer(self, source: Space, leaders: Sequence[Leader]) -> Iterator[str]:
        """What the leaders who leave a province escape."""
        if leaders and source < BOARD.provinces:
            threat = self.threat(source, self.host(self.seat, source))
            if threat is not None and threat.chance >= SERIOUS:
                whom = "your Caesar" if any(each % self.game.each == 0 for each in leaders) else "them"
                where = f"In {name(source)} {who(threat.enemy)} could attack {whom} from {name(threat.near)}"
                yield f"{where} and win with {percent(threat.chance)}."

    def guarded(self, space: Space, mine: Host) -> Iterator[str]:
        """How much safer a province becomes."""
        before, after = self.threat(space, self.host(self.seat, space)), self.threat(space, mine)
        if before is not None and after is not None and before.chance - after.chance >= 0.03:
            odds = f"{percent(1 - after.chance)} instead of {percent(1 - before.chance)}"
            enemy, near = who(before.enemy), name(before.near)
            yield f"{enemy} could attack {name(space)} from {near}: it would hold with {odds}."

    def nearer(self, source: Space, to: Space) -> Iterator[str]:
        """On the way to something: an enemy, else a province that nobody defends."""
        for wanted, words in ((self.has_enemies, "the nearest enemy, in "), (self.is_open, "undefended ")):
            before = self.steps_to(source, wanted)[0] if source < BOARD.provinces else FAR
            after, where = self.steps_to(to, wanted)
            if after < before:
                yield f"That is on the way to {words}{name(where)}, {several(after, 'step')} further."
                return

    def has_enemies(self, space: Space) -> bool:
        """Whether enemy leaders or units stand there."""
        return bool(enemies_in(self.table.units[space], self.seat) or self.enemy_leaders(space))

    def is_open(self, space: Space) -> bool:
        """Whether a province is not ours, and nobody stands there."""
        return self.table.owner[space] != self.seat and not self.table.units[space]

    def leading(self, space: Space, there: Host, leaders: Sequence[Leader]) -> str:
        """What leaders who come alone are good for where troops of ours stand, or none."""
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
        """What stands there then."""
        number = total(mine.army)
        if not number:
            return f"Nobody else stands in {name(space)}: leaders can wait there for troops."
        return f"With that {several(number, 'unit')} of yours {'stands' if number == 1 else 'stand'} in {name(space)}."

    def sail(self, action: a.Sail) -> tuple[str, list[str]]:
        """A galley moves."""
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
        """Whom it meets there."""
        met = [each for each, at_ in enumerate(self.table.galley_at) if at_ == zone]
        enemies = {self.table.lord[each // self.game.fleet] for each in met} - {self.seat}
        for enemy in sorted(enemies):
            mine = self.host(self.seat, zone)
            cargo = self.table.cargo[galley] or (0, 0, 0)
            ours = replace(mine, galleys=mine.galleys + 1, army=plus(mine.army, cargo))
            said = outlook(self.game.odds(ours, self.host(enemy, zone), True), ours.galleys)
            yield sentence(f"{who(enemy)} has galleys there; {said}")

    def voyage(self, army: Sequence[int]) -> Iterator[str]:
        """What it carries."""
        yield (
            f"It carries {units(army)} to another coast." if any(army) else "A galley at sea can fetch units elsewhere."
        )

    def stay(self) -> list[str]:
        """Why nothing more should march."""
        return [*self.best_attack(), *self.worst_threat()] or ["No enemy is within a march of your leaders."]

    def best_attack(self) -> Iterator[str]:
        """What could be attacked still."""
        chance, post, space = max(self.attacks(), default=(0.0, NONE, NONE))
        if space == NONE:
            return
        if chance < EVEN:
            yield f"The best attack in reach, on {name(space)}, would be won with {percent(chance)} only."
        else:
            all_ = f"An attack on {name(space)} with all that stands in {name(post)}"
            yield f"{all_} would be won with {percent(chance)}, but leave {name(post)} empty."

    def worst_threat(self) -> Iterator[str]:
        """Who stands next to our leaders."""
        threats = [(threat.chance, space, threat) for space in self.posts()
                   if (threat := self.threat(space, self.host(self.seat, space))) is not None]  # fmt: skip
        if threats:
            chance, space, threat = max(threats, key=lambda found: found[:2])
            enemy, near = who(threat.enemy), name(threat.near)
            yield f"{enemy} stands in {near}, and would win an attack on {name(space)} with {percent(chance)}."

    def posts(self) -> list[Space]:
        """Provinces in which our leaders stand."""
        return [space for space in range(BOARD.provinces) if self.leaders(self.seat, space)]

    def attacks(self) -> Iterator[tuple[float, Space, Space]]:
        """Attacks over one border with all of an army that has not marched yet: the chance, from where, and where."""
        for post in self.posts():
            mine = replace(self.host(self.seat, post), walls=False)
            fresh = any(not self.table.leader_used[leader] for leader in self.leaders(self.seat, post))
            if fresh and total(mine.army) and not self.table.moved[post] and not self.table.landed[post]:
                for space in self.steps[post]:
                    for enemy in enemies_in(self.table.units[space], self.seat):
                        yield self.game.odds(mine, self.host(enemy, space), False).wins(ATTACKER), post, space

    # --- battles ---

    def fight(self, action: a.Fight) -> tuple[str, list[str]]:
        """A battle begins."""
        mine, theirs = self.host(self.seat, action.space), self.host(action.enemy, action.space)
        odds = self.game.odds(replace(mine, walls=False), theirs, action.space >= BOARD.provinces)
        words = f"fight {who(action.enemy)} in {name(action.space)}"
        return sentence(words), [sentence(outlook(odds, size(mine))), *self.spoils(action.space)]

    def spoils(self, space: Space) -> Iterator[str]:
        """What is to be won on land."""
        if space < BOARD.provinces:
            yield from self.prize(space)

    def side(self) -> int:
        """Ours in the battle that goes on."""
        return next((ATTACKER if frame.attacker == self.seat else DEFENDER
                     for frame in self.table.frames if hasattr(frame, "attacker")), ATTACKER)  # fmt: skip

    def as_it_stands(self) -> list[str]:
        """The battle that goes on, fought to the end."""
        odds = self.game.standing(self.table)
        if odds is None:
            return []
        side = self.side()
        kept, costs = sum(odds.left(side)), odds.costs[side]
        chance = percent(odds.wins(side))
        return [f"Fought to the end, this battle is yours with {chance}; it would leave you {kept:.1f} units and cost "
                f"{costs:.0f} talents in the mean."]  # fmt: skip

    def withdraw(self, to: Space) -> list[str]:
        """What waits where one goes."""
        if to == NONE:
            return ["There is nowhere left to go."]
        threat = self.threat(to, self.host(self.seat, to))
        if threat is None:
            return [f"No enemy stands beside {name(to)}."]
        return [f"{who(threat.enemy)} in {name(threat.near)} is the nearest enemy there."]

    def losses(self, action: Fall) -> list[str]:
        """What falls."""
        lost = (action.infantry, action.cavalry, action.catapults)
        price = cost(lost, self.game.prices[:3], self.table.inflation)
        return [f"They cost {several(price, 'talent')} to replace.", *self.as_it_stands()]

    def aim(self, action: Aim) -> list[str]:
        """How well one hits."""
        frame = self.frame
        if not isinstance(frame, Aiming):
            return []
        number = needed(action.kind, frame.space >= BOARD.provinces, frame.ahead)
        hit = f"It is hit with {percent(min(1.0, winning_faces(number) / 6))}"
        more = ", and each catapult that falls takes an advantage away" if action.kind == CATAPULT else ""
        return [f"{hit}{more}.", *self.as_it_stands()]

    # --- money and bargains ---

    def buy(self, action: Any) -> tuple[str, list[str]]:
        """A purchase."""
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
        """What the new units are good for where they appear."""
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
        """What cities bring."""
        if wanted[4]:
            yield f"{'It brings' if wanted[4] == 1 else 'They bring'} {wanted[4] * CITY_TRIBUTE} talents more a turn."

    def balance(self) -> Iterator[str]:
        """Units on the board, ours and those of the strongest rival."""
        mine, best = self.strength(self.seat), max(self.rivals(), key=self.strength, default=NONE)
        if best != NONE:
            yield f"You have {several(mine, 'unit')} on land, {who(best)} has {self.strength(best)}."

    def strength(self, seat: Seat) -> int:
        """All units of a seat on land."""
        return sum(total(army_of(cell, seat)) for cell in self.table.units)

    def fortify(self, space: Space) -> list[str]:
        """What walls are good for."""
        host = self.host(self.seat, space)
        return [*self.guarded(space, replace(host, walls=True)), "Behind walls a city is harder to take."]

    def raze(self, space: Space) -> list[str]:
        """Who would have the city else."""
        threat = self.threat(space, self.host(self.seat, space))
        if threat is None or threat.chance < SERIOUS:
            return ["It would serve whoever takes the province."]
        enemy, near = who(threat.enemy), name(threat.near)
        return [f"{enemy} stands in {near}, and would take it with {percent(threat.chance)}."]

    def bargain(self, pays: int, gives: Sequence[int], wants: int, takes: Sequence[int]) -> list[str]:
        """Whether somebody gains: what we pay and give, get and take."""
        gain = wants - pays
        money = f"It brings you {gain} talents" if gain > 0 else f"It costs you {-gain} talents" if gain else ""
        back, away = several(len(takes), "general"), several(len(gives), "general")
        men = f"you get {back} back" if takes else ""
        prisoners = f"you let {away} go" if gives else ""
        said = " and ".join(part for part in (money, men, prisoners) if part)
        return [sentence(said)] if said else []

    def proposed(self, proposer: Seat) -> list[str]:
        """What lies on the table from that player in the game of 1984."""
        _, pays, wants, number, *leaders = self.table.proposals[proposer]
        return self.bargain(wants, leaders[number:], pays, leaders[:number])


def in_classic(table: Any, seat: Seat, action: Action) -> tuple[str, list[str]]:
    """See `advice.Speaker`."""
    return speak(Counsel(CLASSIC, table, seat), action)


def in_1984(table: Any, seat: Seat, action: Action) -> tuple[str, list[str]]:
    """See `advice.Speaker`."""
    return speak(Counsel(OLD, table, seat), action)


def speak(c: Counsel, action: Action) -> tuple[str, list[str]]:
    """The action in a sentence, and reasons."""
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

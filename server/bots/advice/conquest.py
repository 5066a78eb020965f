"""Advice in both conquest games: exact odds of battles, tribute, threats and distances."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from server.bots.advice.speech import EVEN, decimal, joined, led, long_shot, name, outlook, size, unit_words, units
from server.bots.routes import FAR, course
from shared.board import BOARD
from shared.ids import CATAPULT, NONE, Army, Leader, Seat, Space
from shared.kernel.frames import Action, Frame
from shared.language.sentence import Person, Sentence, Value, _, and_list, ngettext
from shared.mechanics.aimed_shots import needed_roll, winning_faces
from shared.mechanics.armies import armies, army_of, enemies_in, minus, plus, total
from shared.mechanics.galleys import where_words
from shared.mechanics.pieces import living, others_at, own_pieces_at
from shared.mechanics.treasury import cost
from shared.mechanics.tribute import city_tribute, worth
from shared.mechanics.wares import ware_words
from shared.odds import classic, mb1984
from shared.odds.outcome import ATTACKER, DEFENDER, Host, Odds, percent
from shared.rulesets.classic.actions import Buy as ClassicBuy
from shared.rulesets.classic.actions import EndCombat, Form, Sink, Withdraw
from shared.rulesets.classic.actions import Lose as Fall
from shared.rulesets.classic.actions import March as ClassicMarch
from shared.rulesets.classic.options import prices as classic_prices
from shared.rulesets.classic.options import steps as classic_steps
from shared.rulesets.classic.options import wall_worth as classic_walls
from shared.rulesets.classic.table import GALLEYS as CLASSIC_GALLEYS
from shared.rulesets.classic.table import LEADERS as CLASSIC_LEADERS
from shared.rulesets.conquest.pieces import movement_points
from shared.rulesets.mb1984.actions import Aim, Reply
from shared.rulesets.mb1984.actions import Buy as OldBuy
from shared.rulesets.mb1984.actions import Lose as Drop
from shared.rulesets.mb1984.actions import March as OldMarch
from shared.rulesets.mb1984.frames import Aiming
from shared.rulesets.mb1984.options import leaves_empire
from shared.rulesets.mb1984.options import prices as old_prices
from shared.rulesets.mb1984.options import steps as old_steps
from shared.rulesets.mb1984.options import wall_worth as old_walls
from shared.rulesets.mb1984.table import GALLEYS as OLD_GALLEYS
from shared.rulesets.mb1984.table import LEADERS as OLD_LEADERS
from shared.sentences.common import talents_words
from shared.vocabulary import actions as a
from shared.vocabulary.frames import Bargain

SERIOUS: Final = 0.2
"""Chance from which a threat is mentioned."""
TARGETS: Final = (
    _("Fire at a unit of infantry."),
    _("Fire at a unit of cavalry."),
    _("Fire at a catapult."),
    _("Fire at a galley."),
)
"""By kind of unit."""
Said = tuple[Sentence, list[Sentence]]
"""An action in a sentence, and reasons."""


class GameDifferences(Struct, frozen=True):
    """Differences between the two games. `each`, `fleet`: leaders and galleys of a colour; others as in
    `shared.odds`."""

    odds: Callable[[Host, Host, bool], Odds]
    present: Callable[[Any, Seat, Space, bool], Host]
    standing: Callable[[Any], Odds | None]
    steps: Callable[[Any], tuple[tuple[Space, ...], ...]]
    walls: Callable[[Any], int]
    prices: Callable[[Any], Sequence[int]]
    each: int
    fleet: int
    leaves_empire: Callable[[Any], bool] = lambda _table: True


CLASSIC: Final = GameDifferences(
    classic.odds, classic.present, classic.standing, classic_steps, classic_walls, classic_prices, CLASSIC_LEADERS,
    CLASSIC_GALLEYS,
)  # fmt: skip
OLD: Final = GameDifferences(
    mb1984.odds,
    mb1984.present,
    mb1984.standing,
    old_steps,
    old_walls,
    old_prices,
    OLD_LEADERS,
    OLD_GALLEYS,
    leaves_empire,
)


class Threat(Struct, frozen=True):
    """An attack that an enemy could begin from `near`, and its chance."""

    chance: float
    enemy: Seat
    near: Space


def reply(stays: int, enemy: Seat, what: Value, near: Space, force: Sequence[int], chance: float) -> Sentence:
    """Return the attack that an enemy could begin once a march has left only so many units."""
    return ngettext(
        "But then {who} could attack {what} from {near} with {force} and win with {chance}: {n} unit stays there.",
        "But then {who} could attack {what} from {near} with {force} and win with {chance}: {n} units stay there.",
        stays, who=Person(enemy), what=what, near=name(near), force=units(force), chance=percent(chance),
    )  # fmt: skip


class Counsel:
    """Sentences about actions of a seat."""

    def __init__(self, game: GameDifferences, table: Any, seat: Seat) -> None:
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
        return own_pieces_at(self.table.leader_at, space, self.table.lord, seat, self.game.each)

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
            for enemy, _army in armies(self.table.units[near]):
                if enemy != self.seat and self.leaders(enemy, near):
                    odds = self.game.odds(replace(self.host(enemy, near), walls=0), mine, False)
                    found.append(Threat(odds.wins(ATTACKER), enemy, near))
        return max(found, key=lambda threat: threat.chance, default=None)

    def replies(self, space: Space, left: Space) -> Iterator[tuple[Seat, Space, Host]]:
        """Yield what enemies could bring to a province in their next turn: the enemy, from where, and the force.

        That is whole armies from beside it, cavalry from two steps away, and what galleys carry. `left`: a province
        that own units leave, through which cavalry could pass.
        """
        near = self.steps[space]
        for there in sorted({space, *near, *[each for post in near for each in self.steps[post]]} - {space}):
            for enemy, army in armies(self.table.units[there]):
                force = replace(self.host(enemy, there), walls=0)
                if there not in near:
                    ways = [post for post in near if there in self.steps[post]]
                    blocked = all(post != left and enemies_in(self.table.units[post], enemy) for post in ways)
                    force = replace(force, army=(0, 0 if blocked else army[1], 0))
                if enemy != self.seat and self.leaders(enemy, there) and total(force.army):
                    yield enemy, there, force
        for galley, at in enumerate(self.table.galley_at):
            enemy, cargo = self.table.lord[galley // self.game.fleet], self.table.cargo[galley]
            if cargo and enemy not in (NONE, self.seat) and course(space)[at] <= movement_points(self.table):
                yield enemy, BOARD.ashore[at], Host(cargo[:3], leaders=1, options=self.table.options)

    def reply(self, source: Space, army: Army, leaders: Sequence[Leader], to: Space, after: Host) -> Sentence | None:
        """Return what enemies could do to the own Caesar, home or city that a march leaves open, if anything.

        `after`: what then stands in `to`.
        """
        if source >= BOARD.provinces:
            return None
        left, caesar = self.host(self.seat, source), self.seat * self.game.each
        left = replace(left, army=minus(left.army, army), leaders=left.leaders - len(leaders))
        at = to if caesar in leaders else self.table.leader_at[caesar]
        found = list[tuple[float, Sentence]]()
        for space in sorted({source, at, self.table.home[self.seat]} & {source, to, *self.steps[source]}):
            mine = left if space == source else after if space == to else self.host(self.seat, space)
            what = self.exposed(space, space == at)
            before = () if space in (source, to) else tuple(self.replies(space, NONE))
            for enemy, near, force in self.replies(space, source) if what else ():
                # Only what the march brings about: not the enemies that it attacks, nor those who could come before
                # it as well.
                if near != to and (enemy, near, force) not in before:
                    chance = self.game.odds(force, mine, False).wins(ATTACKER) if total(mine.army) else 1.0
                    sentence = reply(total(mine.army), enemy, what, near, force.army, chance)
                    found.append((chance, sentence))
        chance, worst = max(found, key=lambda each: each[0], default=(0.0, None))
        return worst if chance >= SERIOUS else None

    def exposed(self, space: Space, caesar: bool) -> Value:
        """Return words for what the seat could lose in a province besides units, empty if nothing."""
        if caesar:
            return _("your Caesar in {place}", place=name(space))
        if self.table.owner[space] != self.seat:
            return ""
        if space == self.table.home[self.seat]:
            return _("your home {place}", place=name(space))
        return _("your city in {place}", place=name(space)) if self.table.built[space] else ""

    def steps_to(self, space: Space, is_goal: Callable[[Space], bool]) -> tuple[int, Space]:
        """Return the steps by land to the nearest wanted province, and that province; FAR and NONE if there is none."""
        visited, edge, far = {space}, [space], 0
        while edge:
            found = [each for each in edge if is_goal(each)]
            if found:
                return far, max(found, key=lambda each: worth(self.table, each))
            edge = sorted({near for each in edge for near in self.steps[each]} - visited)
            visited |= set(edge)
            far += 1
        return FAR, NONE

    def battle(self, space: Space, mine: Host, source: Space = NONE) -> Iterator[Sentence]:
        """Yield the expected result of an attack with `mine`; nothing in a province without enemy units.

        `source`: where `mine` came from. Armies of other provinces that can still join count where that decides.
        """
        enemies = enemies_in(self.table.units[space], self.seat)
        if enemies:
            enemy = max(enemies, key=lambda each: total(army_of(self.table.units[space], each)))
            theirs = self.host(enemy, space)
            force, who = units(theirs.army), Person(enemy)
            there = (
                _("{who} has {force} there behind walls.", who=who, force=force)
                if theirs.walls
                else _("{who} has {force} there.", who=who, force=force)
            )
            odds = self.game.odds(mine, theirs, False)
            together = self.jointly(space, mine, theirs, source) if odds.wins(ATTACKER) < EVEN else None
            yield joined(there, together or outlook(odds, size(mine)))

    def jointly(self, space: Space, mine: Host, theirs: Host, source: Space) -> Sentence | None:
        """Return the chance of an attack with all that can still join it this turn, or None if that is not enough."""
        whole, posts = mine, list[Space]()
        for post in self.steps[space]:
            if post != source and (joining := self.ready(post)) is not None:
                posts.append(post)
                whole = replace(whole, army=plus(whole.army, joining.army), leaders=whole.leaders + joining.leaders)
        chance = self.game.odds(whole, theirs, False).wins(ATTACKER) if posts else 0.0
        if chance < EVEN:
            return None
        return _(
            "Alone that is not enough, but with all that can still come from {places} you would win with {chance}.",
            places=and_list(map(name, posts)), chance=percent(chance),
        )  # fmt: skip

    def ready(self, post: Space) -> Host | None:
        """Return the own army of a province if it can march this turn, else None."""
        mine = replace(self.host(self.seat, post), walls=0)
        fresh = any(not self.table.leader_used[leader] for leader in self.leaders(self.seat, post))
        able = fresh and total(mine.army) and not self.table.moved[post] and not self.table.landed[post]
        return mine if able else None

    def prize(self, space: Space) -> Iterator[Sentence]:
        """Yield the gains of the conqueror of a province."""
        leaders = self.enemy_leaders(space)
        caesars = [leader for leader in leaders if leader % self.game.each == 0]
        if caesars:
            owner = Person(self.table.lord[caesars[0] // self.game.each])
            if self.game.leaves_empire(self.table):
                yield _("The Caesar of {who} stands there: capture him, and all that {who} has is yours.", who=owner)
            else:
                yield _("The Caesar of {who} stands there: capture him, and {who} is out.", who=owner)
        elif leaders and enemies_in(self.table.units[space], self.seat):
            yield ngettext("Victory captures {n} general there.", "Victory captures {n} generals there.", len(leaders))
        elif leaders:
            yield ngettext(
                "There {n} general without troops would be captured.",
                "There {n} generals without troops would be captured.",
                len(leaders),
            )
        yield from self.tribute(space)

    def tribute(self, space: Space) -> Iterator[Sentence]:
        """Yield the tribute that a province brings to its conqueror."""
        lord, value = self.table.owner[space], worth(self.table, space)
        if lord == NONE and value:
            yield ngettext(
                "{place} is worth {n} talent of tribute a turn.",
                "{place} is worth {n} talents of tribute a turn.",
                value,
                place=name(space),
            )
        elif lord != self.seat and value:
            yield ngettext(
                "{place} is worth {n} talent of tribute a turn, and costs {who} as much.",
                "{place} is worth {n} talents of tribute a turn, and costs {who} as much.",
                value,
                place=name(space),
                who=Person(lord),
            )

    # --- marching and sailing ---

    def march(self, action: Any) -> Said:
        """Describe a march."""
        army = (action.infantry, action.cavalry, action.catapults)
        words = _(
            "March from {source} to {to} with {force}.",
            source=name(action.source),
            to=name(action.to),
            force=led(action.leaders, army, self.game.each),
        )
        return words, self.arrival(action.to, army, action.leaders, action.source)

    def arrival(self, to: Space, army: Army, leaders: Sequence[Leader], source: Space) -> list[Sentence]:
        """Return the reasons for an army or leaders to enter a province."""
        there = self.host(self.seat, to)
        mine = replace(there, army=plus(there.army, army), leaders=there.leaders + len(leaders), walls=0)
        # Leaders without units take nothing.
        if any(mine.army) and (self.table.owner[to] != self.seat or enemies_in(self.table.units[to], self.seat)):
            fight = list(self.battle(to, mine, source))
            undefended = [] if fight or self.enemy_leaders(to) else [_("{place} is undefended.", place=name(to))]
            why = [*fight, *undefended, *self.prize(to), *self.safer(source, leaders)]
            mine = self.victor(to, mine)
        else:
            mine = replace(mine, walls=there.walls)
            then = self.leading(to, there) if not any(army) and leaders else self.together(to, mine)
            why = [*self.safer(source, leaders), *self.guarded(to, mine), *self.nearer(source, to), then]
        reply = self.reply(source, army, leaders, to, mine)
        return [joined(*why[:1], reply), *why[1:]] if reply else why

    def victor(self, space: Space, mine: Host) -> Host:
        """Return what is left of a force on average that conquers a province."""
        for enemy in enemies_in(self.table.units[space], self.seat):
            left = self.game.odds(mine, self.host(enemy, space), False).left(ATTACKER)
            mine = replace(mine, army=(round(left[0]), round(left[1]), round(left[2])))
        return mine

    def safer(self, source: Space, leaders: Sequence[Leader]) -> Iterator[Sentence]:
        """Yield the threat that leaders escape by leaving a province."""
        if leaders and source < BOARD.provinces:
            threat = self.threat(source, self.host(self.seat, source))
            if threat is not None and threat.chance >= SERIOUS:
                place, near, chance = name(source), name(threat.near), percent(threat.chance)
                if any(each % self.game.each == 0 for each in leaders):
                    yield _(
                        "In {place} {who} could attack your Caesar from {near} and win with {chance}.",
                        place=place, who=Person(threat.enemy), near=near, chance=chance,
                    )  # fmt: skip
                else:
                    yield _(
                        "In {place} {who} could attack them from {near} and win with {chance}.",
                        place=place, who=Person(threat.enemy), near=near, chance=chance,
                    )  # fmt: skip

    def guarded(self, space: Space, mine: Host) -> Iterator[Sentence]:
        """Yield the gain in safety of a province with the force `mine`."""
        before, after = self.threat(space, self.host(self.seat, space)), self.threat(space, mine)
        if before is not None and after is not None and before.chance - after.chance >= 0.03:
            yield _(
                "{who} could attack {place} from {near}: it would hold with {after} instead of {before}.",
                who=Person(before.enemy),
                place=name(space),
                near=name(before.near),
                after=percent(1 - after.chance),
                before=percent(1 - before.chance),
            )

    def nearer(self, source: Space, to: Space) -> Iterator[Sentence]:
        """Yield the destination that a step comes nearer to: an enemy, else an undefended province."""
        after, where = self.steps_to(to, self.has_enemies)
        if after < self.steps_from(source, self.has_enemies):
            yield ngettext(
                "That is on the way to the nearest enemy, in {place}, {n} step further.",
                "That is on the way to the nearest enemy, in {place}, {n} steps further.",
                after,
                place=name(where),
            )
            return
        after, where = self.steps_to(to, self.is_open)
        if after < self.steps_from(source, self.is_open):
            yield ngettext(
                "That is on the way to undefended {place}, {n} step further.",
                "That is on the way to undefended {place}, {n} steps further.",
                after,
                place=name(where),
            )

    def steps_from(self, source: Space, is_goal: Callable[[Space], bool]) -> int:
        """Return the steps to the nearest wanted province; FAR from the sea."""
        return self.steps_to(source, is_goal)[0] if source < BOARD.provinces else FAR

    def has_enemies(self, space: Space) -> bool:
        """Whether a province has enemy leaders or units."""
        return bool(enemies_in(self.table.units[space], self.seat) or self.enemy_leaders(space))

    def is_open(self, space: Space) -> bool:
        """Whether a province has another owner or none, and no units."""
        return self.table.owner[space] != self.seat and not self.table.units[space]

    def leading(self, space: Space, there: Host) -> Sentence:
        """Return the use of leaders who come without troops."""
        number = total(there.army)
        if not number:
            return self.together(space, there)
        if not there.leaders:
            return ngettext(
                "In {place} {n} unit of yours stands without a leader, and cannot march without one: now it can.",
                "In {place} {n} units of yours stand without a leader, and cannot march without one: now they can.",
                number,
                place=name(space),
            )
        return ngettext(
            "In {place} {n} unit of yours stands with {leaders}: one leader more can lead it elsewhere, or join it "
            "in battle.",
            "In {place} {n} units of yours stand with {leaders}: one leader more can lead a part of them elsewhere, or "
            "join them in battle.",
            number,
            place=name(space),
            leaders=ngettext("{n} leader", "{n} leaders", there.leaders),
        )

    def together(self, space: Space, mine: Host) -> Sentence:
        """Return the number of own units in a province after the march."""
        number = total(mine.army)
        if not number:
            return _("{place} is otherwise empty: leaders can wait there for troops.", place=name(space))
        gathered = ngettext(
            "With that {n} unit of yours stands in {place}.",
            "With that {n} units of yours stand in {place}.",
            number,
            place=name(space),
        )
        far, where = self.steps_to(space, self.has_enemies)
        if where == NONE:
            return joined(gathered, _("No enemy can reach them by land."))
        nearest = ngettext(
            "The nearest enemy, in {place}, is {n} step away.",
            "The nearest enemy, in {place}, is {n} steps away.",
            far,
            place=name(where),
        )
        return joined(gathered, nearest)

    def sail(self, action: a.Sail) -> Said:
        """Describe a movement of a galley."""
        army, cargo = (action.infantry, action.cavalry, action.catapults), self.table.cargo[action.galley]
        start = self.table.galley_at[action.galley]
        way = {"source": where_words(start), "to": where_words(action.to)}
        words = _("Sail a galley from {source} to {to}.", **way)
        if action.leaders or any(army):
            force = led(action.leaders, army, self.game.each)
            words = _("Sail a galley from {source} to {to}, taking {force} aboard.", **way, force=force)
        if BOARD.is_sea(action.to):
            return words, [*self.at_sea(action.to, action.galley), self.voyage(army if any(army) else cargo)]
        if not cargo:
            return words, [_("It is safe on the coast.")]
        return words, self.arrival(BOARD.ashore[action.to], (cargo[0], cargo[1], cargo[2]), (), start)

    def at_sea(self, zone: Space, galley: int) -> Iterator[Sentence]:
        """Yield the expected battles with enemy fleets in a zone."""
        met = [each for each, at_ in enumerate(self.table.galley_at) if at_ == zone]
        enemies = {self.table.lord[each // self.game.fleet] for each in met} - {self.seat}
        for enemy in sorted(enemies):
            mine = self.host(self.seat, zone)
            cargo = self.table.cargo[galley] or (0, 0, 0)
            ours = replace(mine, galleys=mine.galleys + 1, army=plus(mine.army, cargo))
            odds = self.game.odds(ours, self.host(enemy, zone), True)
            yield joined(_("{who} has galleys there.", who=Person(enemy)), outlook(odds, ours.galleys))

    def voyage(self, army: Sequence[int]) -> Sentence:
        """Return the purpose of a galley at sea, by its cargo."""
        if any(army):
            return _("It carries {force} to another coast.", force=units(army))
        return _("A galley at sea can fetch units elsewhere.")

    def stay(self) -> list[Sentence]:
        """Return the reasons for ending the movement."""
        return [*self.best_attack(), *self.worst_threat()] or [_("No enemy is within a march of your leaders.")]

    def best_attack(self) -> Iterator[Sentence]:
        """Yield the best attack still in reach."""
        chance, post, space = max(self.attacks(), default=(0.0, NONE, NONE))
        if space == NONE:
            return
        if chance < EVEN:
            yield _(
                "The best attack in reach, on {place}, would be won with {chance} only.",
                place=name(space),
                chance=percent(chance),
            )
        else:
            yield _(
                "An attack on {place} with all that stands in {post} would be won with {chance}, but leave {post} "
                "empty.",
                place=name(space),
                post=name(post),
                chance=percent(chance),
            )

    def worst_threat(self) -> Iterator[Sentence]:
        """Yield the most dangerous enemy beside own leaders."""
        threats = [(threat.chance, space, threat) for space in self.posts()
                   if (threat := self.threat(space, self.host(self.seat, space))) is not None]  # fmt: skip
        if threats:
            chance, space, threat = max(threats, key=lambda found: found[:2])
            yield _(
                "{who} stands in {near}, and would win an attack on {place} with {chance}.",
                who=Person(threat.enemy),
                near=name(threat.near),
                place=name(space),
                chance=percent(chance),
            )

    def posts(self) -> list[Space]:
        """Return the provinces with own leaders."""
        return [space for space in range(BOARD.provinces) if self.leaders(self.seat, space)]

    def attacks(self) -> Iterator[tuple[float, Space, Space]]:
        """Yield attacks over one border with a whole army that has not marched yet: chance, source, target."""
        for post in self.posts():
            if (mine := self.ready(post)) is not None:
                for space in self.steps[post]:
                    for enemy in enemies_in(self.table.units[space], self.seat):
                        yield self.game.odds(mine, self.host(enemy, space), False).wins(ATTACKER), post, space

    # --- battles ---

    def fight(self, action: a.Fight) -> Said:
        """Describe the beginning of a battle."""
        mine, theirs = self.host(self.seat, action.space), self.host(action.enemy, action.space)
        odds = self.game.odds(replace(mine, walls=0), theirs, action.space >= BOARD.provinces)
        words = _("Fight {who} in {place}.", who=Person(action.enemy), place=name(action.space))
        return words, [outlook(odds, size(mine)), *self.spoils(action.space)]

    def spoils(self, space: Space) -> Iterator[Sentence]:
        """Yield the gains of a victory on land."""
        if space < BOARD.provinces:
            yield from self.prize(space)

    def side(self) -> int:
        """Return the own side in the present battle."""
        return next((ATTACKER if frame.attacker == self.seat else DEFENDER
                     for frame in self.table.frames if hasattr(frame, "attacker")), ATTACKER)  # fmt: skip

    def as_it_stands(self) -> list[Sentence]:
        """Return the expected result of the present battle, fought to the end."""
        odds = self.game.standing(self.table)
        if odds is None:
            return []
        side = self.side()
        return [
            _(
                "Fought to the end, this battle is yours with {chance}; it would leave you {kept} units and cost "
                "units worth {talents} talents on average.",
                chance=percent(odds.wins(side)),
                kept=decimal(f"{sum(odds.left(side)):.1f}"),
                talents=round(odds.costs[side]),
            )
        ]

    def staying(self) -> list[Sentence]:
        """Return the reasons to fight on."""
        odds, side = self.game.standing(self.table), self.side()
        return self.as_it_stands() if odds is None or odds.wins(side) >= EVEN else [long_shot(odds, side)]

    def leaving(self) -> list[Sentence]:
        """Return the reasons to leave a battle."""
        odds, side = self.game.standing(self.table), self.side()
        if odds is None or odds.wins(side) < EVEN:
            return self.as_it_stands()
        return [
            _(
                "This battle would be yours with {chance}, but it would cost units worth {talents} talents on average: "
                "more than it is worth.",
                chance=percent(odds.wins(side)),
                talents=round(odds.costs[side]),
            )
        ]  # fmt: skip

    def withdraw(self, to: Space) -> list[Sentence]:
        """Return the nearest enemy at the destination of a retreat."""
        if to == NONE:
            return [_("There is nowhere left to go.")]
        threat = self.threat(to, self.host(self.seat, to))
        if threat is None:
            return [_("No enemy stands beside {place}.", place=name(to))]
        return [
            _("{who} in {near} is the nearest enemy there.", who=Person(threat.enemy), near=name(threat.near)),
        ]

    def losses(self, action: Fall) -> list[Sentence]:
        """Return the price of fallen units."""
        lost = (action.infantry, action.cavalry, action.catapults)
        price = cost(lost, self.game.prices(self.table)[:3], self.table.inflation)
        return [_("To replace them costs {price}.", price=talents_words(price)), *self.as_it_stands()]

    def aim(self, action: Aim) -> list[Sentence]:
        """Return the chance of a shot."""
        frame = self.frame
        if not isinstance(frame, Aiming):
            return []
        number = needed_roll(action.kind, frame.space >= BOARD.provinces, frame.ahead)
        chance = percent(min(1.0, winning_faces(number) / 6))
        hit = _("It is hit with {chance}.", chance=chance)
        if action.kind == CATAPULT:
            hit = _("It is hit with {chance}, and each catapult that falls takes an advantage away.", chance=chance)
        return [hit, *self.as_it_stands()]

    # --- money and bargains ---

    def buy(self, action: Any) -> Said:
        """Describe a purchase."""
        amounts = [getattr(action, field) for field in action.__struct_fields__]
        price = cost(amounts, self.game.prices(self.table)[: len(amounts)], self.table.inflation)
        if not any(amounts):
            reserve = _(
                "You keep {talents}; prices are {inflation} times the basic ones.",
                talents=talents_words(self.table.talents[self.seat]),
                inflation=self.table.inflation,
            )
            return _("Buy nothing."), [reserve, *self.balance()]
        words = _("Buy {wares} for {price}.", wares=ware_words(amounts), price=talents_words(price))
        left = _("That leaves {talents}.", talents=talents_words(self.table.talents[self.seat] - price))
        return words, [*self.home_needs(amounts), *self.income(amounts), *self.balance(), left]

    def home_needs(self, amounts: Sequence[int]) -> Iterator[Sentence]:
        """Yield the use of new units at home."""
        home = self.table.home[self.seat]
        host = self.host(self.seat, home)
        army = plus(host.army, amounts[:3])
        if not any(amounts[:3]):
            return
        yield from self.guarded(home, replace(host, army=army))
        far, where = self.steps_to(home, self.has_enemies)
        if where != NONE:
            yield ngettext(
                "The nearest enemy stands in {place}, {n} step from your home.",
                "The nearest enemy stands in {place}, {n} steps from your home.",
                far,
                place=name(where),
            )

    def income(self, amounts: Sequence[int]) -> Iterator[Sentence]:
        """Yield the tribute of new cities."""
        if amounts[4]:
            yield ngettext(
                "It brings {talents} talents more a turn.",
                "They bring {talents} talents more a turn.",
                amounts[4],
                talents=amounts[4] * city_tribute(self.table),
            )

    def balance(self) -> Iterator[Sentence]:
        """Yield the number of own units on land, and that of the strongest rival."""
        best = max(self.rivals(), key=self.strength, default=NONE)
        if best != NONE:
            yield _(
                "You have {mine} on land, {who} has {theirs}.",
                mine=unit_words(self.strength(self.seat)),
                who=Person(best),
                theirs=self.strength(best),
            )

    def strength(self, seat: Seat) -> int:
        """Return the number of a seat's units on land."""
        return sum(total(army_of(cell, seat)) for cell in self.table.units)

    def fortify(self, space: Space) -> list[Sentence]:
        """Return the use of walls."""
        walled = replace(self.host(self.seat, space), walls=self.game.walls(self.table))
        return [*self.guarded(space, walled), _("Behind walls a city is harder to take.")]

    def raze(self, space: Space) -> list[Sentence]:
        """Return the enemy who could otherwise take the city."""
        threat = self.threat(space, self.host(self.seat, space))
        if threat is None or threat.chance < SERIOUS:
            return [_("It would serve the conqueror of the province.")]
        return [
            _(
                "{who} stands in {near}, and would take it with {chance}.",
                who=Person(threat.enemy),
                near=name(threat.near),
                chance=percent(threat.chance),
            )
        ]

    def bargain(self, pays: int, gives: Sequence[int], wants: int, takes: Sequence[int]) -> list[Sentence]:
        """Return the balance of a bargain by the talents and generals that we pay, give, get and take."""
        gain, sentences = wants - pays, list[Sentence]()
        if gain > 0:
            sentences.append(_("It brings you {talents}.", talents=talents_words(gain)))
        if gain < 0:
            sentences.append(_("It costs you {talents}.", talents=talents_words(-gain)))
        if takes:
            sentences.append(ngettext("You get {n} general back.", "You get {n} generals back.", len(takes)))
        if gives:
            sentences.append(ngettext("You let {n} general go.", "You let {n} generals go.", len(gives)))
        return [joined(*sentences)] if sentences else []

    def proposed(self, proposer: Seat) -> list[Sentence]:
        """Return the balance of a player's open proposal in the game of 1984."""
        _, pays, wants, number, *leaders = self.table.proposals[proposer]
        return self.bargain(wants, leaders[number:], pays, leaders[:number])


def speak(game: GameDifferences, table: Any, seat: Seat, action: Action) -> tuple[Sentence | None, list[Sentence]]:
    """Return the action in a sentence, and reasons, as an `advice.Speaker` once the game is given."""
    c = Counsel(game, table, seat)
    for of in (_of_movement, _of_battle, _of_money, _of_prisoners):
        sentence = of(c, action)
        if sentence is not None:
            return sentence
    return None, []


def _of_movement(c: Counsel, action: Action) -> Said | None:
    match action:
        case a.ChooseHome(home):
            near = c.steps[home]
            reason = ngettext(
                "Beside it lies {n} province worth {value} talents together.",
                "Beside it lie {n} provinces worth {value} talents together.",
                len(near),
                value=sum(BOARD.tribute[space] for space in near),
            )
            return _("Begin in {place}.", place=name(home)), [reason]
        case a.Sail():
            return c.sail(action)
        case a.EndMovement():
            return _("End the movement."), c.stay()
        case ClassicMarch() | OldMarch():
            return c.march(action)
    return None


def _of_battle(c: Counsel, action: Action) -> Said | None:
    match action:
        case a.Fight():
            return c.fight(action)
        case EndCombat():
            return _("Fight no more battles at sea."), [_("You need not fight at sea, and galleys are dear.")]
        case Form():
            legion = units((action.infantry, action.cavalry, action.catapults))
            return _("Form the battle legion of {force}.", force=legion), c.as_it_stands()
        case Fall():
            lost = units((action.infantry, action.cavalry, action.catapults))
            return _("Let {force} fall.", force=lost), c.losses(action)
        case a.Stand():
            return _("Fight on."), c.staying()
        case a.Retreat(to):
            words = _("Retreat to {place}.", place=name(to)) if to != NONE else _("Retreat.")
            return words, [*c.leaving(), *c.withdraw(to)]
        case Withdraw(to):
            lone = _("Withdraw your leaders to {place}.", place=name(to)) if to != NONE else _("Give your leaders up.")
            return lone, c.withdraw(to)
        case Sink(galleys):
            sunk = ngettext("Let {n} galley sink.", "Let {n} galleys sink.", len(galleys))
            return sunk, [_("They carry the least."), *c.as_it_stands()]
        case Aim(kind):
            return TARGETS[kind], c.aim(action)
        case Drop():
            return _("Let the unit of that galley fall."), c.as_it_stands()
    return None


def _of_money(c: Counsel, action: Action) -> Said | None:
    match action:
        case a.Raze(space):
            return _("Destroy your city in {place}.", place=name(space)), c.raze(space)
        case a.EndDestruction():
            why = _("Each city brings {talents} talents of tribute a turn.", talents=city_tribute(c.table))
            return _("Destroy no city."), [why]
        case a.PlaceGalley(position):
            seas = and_list(map(name, BOARD.coast_seas[position]))
            words = _("Put the new galley on the coast of {place}.", place=where_words(position))
            return words, [_("From there it reaches {seas}.", seas=seas)]
        case a.PlaceCity(space):
            return _("Build the city in {place}.", place=name(space)), [*c.income((0, 0, 0, 0, 1))]
        case a.PlaceFortification(space):
            return _("Fortify {place}.", place=name(space)), c.fortify(space)
        case a.PlaceRoad(one, other):
            road = _("Build a road between {one} and {other}.", one=name(one), other=name(other))
            return road, [_("Along roads legions march further.")]
        case a.EndTurn():
            return _("End the turn."), [_("Nothing that is left to do is worth its price."), *c.balance()]
        case ClassicBuy() | OldBuy():
            return c.buy(action)
    return None


def _of_prisoners(c: Counsel, action: Action) -> Said | None:
    match action:
        case a.Judge(()):
            return _("Hold the captured generals."), [_("They can be sold or exchanged.")]
        case a.Judge(kill):
            killed = ngettext("Kill {n} general.", "Kill {n} generals.", len(kill))
            return killed, [_("A dead general never leads an army against you again.")]
        case a.Offer() as offer:
            words = _("Offer {who} a bargain over generals.", who=Person(offer.to))
            return words, c.bargain(offer.pays, offer.gives, offer.wants, offer.takes)
        case a.Answer(accept):
            return _answered(c, accept)
        case Reply(proposer, accept):
            who = Person(proposer)
            words = _("Accept what {who} proposes.", who=who) if accept else _("Decline what {who} proposes.", who=who)
            return words, c.proposed(proposer)
    return None


def _answered(c: Counsel, accept: bool) -> Said | None:
    frame = c.frame
    if not isinstance(frame, Bargain):
        return None
    who = Person(frame.proposer)
    words = _("Accept the bargain of {who}.", who=who) if accept else _("Decline the bargain of {who}.", who=who)
    return words, c.bargain(frame.wants, frame.takes, frame.pays, frame.gives)

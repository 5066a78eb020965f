"""Advice in Conquest II: exact odds of battles, points and taxes of key provinces, effects of bids and votes."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from msgspec.structs import replace

from server.bots.advice.conquest import SERIOUS, reply
from server.bots.advice.speech import (
    EVEN,
    decimal,
    general_words,
    joined,
    kinds,
    led,
    long_shot,
    name,
    outlook,
    size,
    unit_words,
    units,
)  # fmt: skip
from server.bots.cote2.march_plans import units_that_fit
from shared.board import BOARD
from shared.ids import NO_ARMY, NONE, Army, Seat, Space
from shared.kernel.frames import Action, Frame
from shared.language.sentence import Person, Sentence, Value, _, and_list, listing, ngettext
from shared.mechanics.armies import armies, army_of, minus, plus, total
from shared.mechanics.armies import with_army as joined_cells
from shared.mechanics.standings import prizes
from shared.mechanics.treasury import cost
from shared.mechanics.vote import weight
from shared.odds import cote2
from shared.odds.outcome import ATTACKER, DEFENDER, Host, Odds, percent
from shared.rulesets.cote2 import actions as a
from shared.rulesets.cote2.combat_phase import lendable
from shared.rulesets.cote2.data import CARDS, KEY_SET, SEAS, SHORES
from shared.rulesets.cote2.frames import Aid, Auction, Battle, Commitment, Vote
from shared.rulesets.cote2.movement import room
from shared.rulesets.cote2.options import (
    bid_step,
    influence_price,
    prices,
    recruit_chaos,
    tax_chaos,
    token_tax,
    victory_numbers,
)
from shared.rulesets.cote2.scoring import province_points
from shared.rulesets.cote2.senate import high
from shared.rulesets.cote2.state import LEADERS, OFF, TableFields, allied, galleys_at, galleys_in, is_zone
from shared.rulesets.cote2.ways import landings, reach
from shared.sentences.common import galleys_words, talents_words
from shared.vocabulary.actions import EndTurn, Retreat, Stand

Said = tuple[Sentence, list[Sentence]]
"""An action in a sentence, and reasons."""
FELT: Final = 0.01
"""Smallest difference of a chance that matters."""
FOUGHT: Final = _(
    "Fought to the end, this battle is yours with {chance}; it would leave {kept} units and cost units worth "
    "{talents} talents on average."
)
FOUGHT_BY_ALLY: Final = _(
    "Fought to the end, this battle is your ally's with {chance}; it would leave {kept} units and cost units "
    "worth {talents} talents on average."
)
HELPED: Final = (
    _("With that, as it stands now, this battle is yours with {after} instead of {before}."),
    _("With that, as it stands now, this battle is your ally's with {after} instead of {before}."),
)
UNHELPED: Final = (
    _("As it stands now, this battle is yours with {before}; with help it would be {after}."),
    _("As it stands now, this battle is your ally's with {before}; with help it would be {after}."),
)
WASTED: Final = (
    _("This battle is yours with {before}, with that help or without: help would be wasted."),
    _("This battle is your ally's with {before}, with that help or without: help would be wasted."),
)
NOT_NEEDED: Final = (
    _("Help is not needed: this battle is yours with {before} with it or without."),
    _("Help is not needed: this battle is your ally's with {before} with it or without."),
)
"""Effect of help on a battle of one's own, and on an ally's."""
VALUES: Final = ("I", "II", "III", "IV")
"""Names of senators by value."""


def _stands(enemy: Seat, theirs: Host) -> Sentence:
    """Return the pieces of an enemy in a space, in words."""
    who, force = Person(enemy), units((*theirs.army, theirs.galleys))
    if theirs.walls:
        return _("{who} has {force} there, and a city.", who=who, force=force)
    return _("{who} has {force} there.", who=who, force=force)


class Counsel:
    """Sentences about actions of a seat."""

    def __init__(self, table: TableFields, seat: Seat) -> None:
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

    def scores(self, space: Space) -> Iterator[Sentence]:
        """Yield the points that a key province brings now."""
        if space in KEY_SET and self.table.influence[space][self.seat]:
            yield ngettext(
                "{place} scores {n} point for you at the end of the season.",
                "{place} scores {n} points for you at the end of the season.",
                province_points(self.table, space)[self.seat],
                place=name(space),
            )

    def buying(self, space: Space, sellers: Sequence[int]) -> list[Sentence]:
        """Return the value of tokens in a province."""
        before = list(self.table.influence[space])
        after = before[:]
        for seller in sellers:
            after[self.seat] += 1
            if seller != NONE:
                after[seller] -= 1
        best = max(n for seat, n in enumerate(after) if seat != self.seat)
        lead = self.gained(after[self.seat], best, self.points(space, before), self.points(space, after))
        taxes = token_tax(self.table) * (1 + (self.table.owner[space] == self.seat)) * len(sellers)
        return [lead, _("Each season it brings {talents} more in taxes.", talents=talents_words(taxes))]

    def gained(self, mine: int, best: int, before: int, after: int) -> Sentence:
        """Return the gain of tokens in a province: in points now, else in safety.

        `mine`, `best`: own tokens and those of the strongest other afterwards; `before`, `after`: own points.
        """
        if before == after:
            return ngettext(
                "You would have {mine} there, the strongest other {best}: your {n} point there is safer.",
                "You would have {mine} there, the strongest other {best}: your {n} points there are safer.",
                after, mine=mine, best=best,
            ) if after else _(
                "You would have {mine} there, the strongest other {best}: one step nearer to points.",
                mine=mine, best=best,
            )  # fmt: skip
        return ngettext(
            "You would have {mine} there, the strongest other {best}: that scores {n} point this season instead of "
            "{before}.",
            "You would have {mine} there, the strongest other {best}: that scores {n} points this season instead of "
            "{before}.",
            after,
            mine=mine,
            best=best,
            before=before,
        )

    # --- war ---

    def battle(self, space: Space, mine: Host, enemy: Seat) -> list[Sentence]:
        """Return the expected result of an attack, without the enemy's allies and hidden cards."""
        theirs = self.host(enemy, space)
        sentence = outlook(cote2.odds(mine, theirs, is_zone(space)), size(mine))
        return [joined(_stands(enemy, theirs), sentence, _("Allies of the enemy are not counted."))]

    def as_it_stands(self) -> list[Sentence]:
        """Return the expected result of the present battle, fought to the end."""
        odds = cote2.standing(self.table)
        frame = next((frame for frame in self.table.frames if isinstance(frame, Battle)), None)
        if odds is None or frame is None:
            return []
        side = ATTACKER if self.with_us(frame.attacker) else DEFENDER
        says = FOUGHT if self.in_it(frame) else FOUGHT_BY_ALLY
        numbers: dict[str, Value] = {
            "chance": percent(odds.wins(side)),
            "kept": decimal(f"{sum(odds.left(side)):.1f}"),
            "talents": round(odds.costs[side]),
        }
        return [replace(says, values=numbers)]

    def staying(self) -> list[Sentence]:
        """Return the reasons to fight on: if the battle is lost more often than won, what it costs both sides."""
        odds = cote2.standing(self.table)
        frame = next((frame for frame in self.table.frames if isinstance(frame, Battle)), None)
        if odds is None or frame is None or not self.in_it(frame):
            return self.as_it_stands()
        side = ATTACKER if self.with_us(frame.attacker) else DEFENDER
        return self.as_it_stands() if odds.wins(side) >= EVEN else [long_shot(odds, side)]

    def helped(self, army: Army, galleys: Sequence[int]) -> list[Sentence]:
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
        return _effect_of_help(without, with_, side, coming, self.in_it(frame))

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

    def move(self, action: a.Move) -> Said:
        """Describe a march."""
        goals = [space for space, *_army in action.armies] or [space for _leader, space in action.leaders]
        parts = []
        for space in dict.fromkeys([*goals, *[to for _leader, to in action.leaders]]):
            army = next((army for to, *army in action.armies if to == space), [0, 0, 0])
            leaders = [leader for leader, to in action.leaders if to == space]
            parts.append(_("{force} to {place}", force=led(leaders, army, LEADERS), place=name(space)))
        words = _("March from {place}: {parts}.", place=name(action.source), parts=and_list(parts))
        why = [reason for space, *army in action.armies for reason in self.arrival(space, army)]
        why = why or self.alone(goals)
        return words, [*why[:1], *self.reply(action), *why[1:]]

    def reply(self, action: a.Move) -> Iterator[Sentence]:
        """Yield the attack by which an enemy's next march could most likely take what a march leaves, if it is likely.

        That is the own city or influence in its source. Armies march any distance, or come by what galleys carry.
        """
        source, table, threats = action.source, self.table, list[tuple[float, Seat, Space, Army]]()
        city = table.owner[source] == self.seat
        if not city and not (source in KEY_SET and table.influence[source][self.seat]):
            return
        before = left = self.host(self.seat, source)
        for _space, *gone in action.armies:
            left = replace(left, army=minus(left.army, gone))
        left = replace(left, leaders=left.leaders - sum(to != source for _leader, to in action.leaders))
        for enemy, at in {(n // LEADERS, at) for n, at in enumerate(table.leader_at) if at not in (OFF, source)}:
            army = army_of(table.units[at], enemy)
            if source not in reach(table, enemy, at):
                army = (
                    units_that_fit(army, room(table, enemy, source))
                    if source in landings(table, enemy, at)
                    else NO_ARMY
                )
            if total(army) and not self.with_us(enemy):
                threats.append((self.beaten(left, army), enemy, at, army))
        chance, enemy, at, army = max(threats, default=(0.0, self.seat, source, NO_ARMY))
        if chance >= SERIOUS and chance > self.beaten(before, army):
            what = _("your city in {place}", place=name(source))
            what = what if city else _("your influence in {place}", place=name(source))
            yield reply(total(left.army), enemy, what, at, army, chance)

    def beaten(self, mine: Host, army: Army) -> float:
        """Return the chance of a led army against own units."""
        return cote2.odds(Host(army, leaders=1), mine, False).wins(ATTACKER) if total(mine.army) else 1.0

    def alone(self, spaces: Sequence[Space]) -> list[Sentence]:
        """Return the reasons for leaders without troops to enter these provinces."""
        open_ = [space for space in spaces if space in KEY_SET and self.table.tokens[space]]
        near = [reason for space in spaces for reason in (*self.scores(space), *self.near(space))]
        return [*self.led(open_), *near] or [reason for space in spaces[:1] for reason in self.quiet(space)]

    def deployed(self, action: a.Deploy) -> Said:
        """Describe a deployment."""
        armies = {space: army for space, *army in action.armies}
        leaders = {action.caesar: _("your Caesar")}
        leaders[action.general] = _("both leaders") if action.general == action.caesar else _("your general")
        parts = []
        for space in dict.fromkeys([*armies, *leaders]):
            force: list[Value] = [units(armies[space])] if space in armies else []
            force += [leaders[space]] if space in leaders else []
            parts.append(_("{force} in {place}", force=and_list(force), place=name(space)))
        if action.galley != NONE:
            parts.append(_("{force} in {place}", force=galleys_words(1), place=name(action.galley)))
        guarded = [space for space in armies if space in KEY_SET and self.table.influence[space][self.seat]]
        return _("Deploy {parts}.", parts=listing(parts, "; ")), [*self.led(leaders), *self.covered(guarded)]

    def led(self, leaders: Iterable[Space]) -> Iterator[Sentence]:
        """Yield the key provinces where leaders can buy influence."""
        worths = [
            ngettext(
                "{place} ({n} point for the first)",
                "{place} ({n} points for the first)",
                victory_numbers(self.table, space)[0],
                place=name(space),
            )
            for space in leaders
            if space in KEY_SET
        ]
        if worths:
            yield _("Where a leader stands you can buy influence: in {places}.", places=and_list(worths))

    def covered(self, spaces: Sequence[Space]) -> Iterator[Sentence]:
        """Yield the number of tokens that units guard."""
        tokens = sum(self.table.influence[space][self.seat] for space in spaces)
        bare = [space for space in KEY_SET if self.table.influence[space][self.seat] and space not in spaces]
        places, others = and_list(map(name, spaces)), and_list(map(name, sorted(bare)))
        if spaces and bare:
            yield _(
                "The units guard {tokens} in {places}; yours in {others} are unguarded.",
                tokens=token_words(tokens),
                places=places,
                others=others,
            )
        elif spaces:
            yield _(
                "The units guard {tokens} in {places}, all that you have.", tokens=token_words(tokens), places=places
            )

    def sail(self, action: a.Sail) -> Said:
        """Describe a movement of galleys, an attack, or both."""
        sailing = len(action.galleys)
        if action.enemy == NONE:
            shores = and_list(name(space) for space in SHORES[action.to])
            words = ngettext(
                "Sail {n} galley to {place}.", "Sail {n} galleys to {place}.", sailing, place=name(action.to)
            )
            return words, [_("From there they reach {places}.", places=shores)]
        words = attack_words(action.enemy, action.zone)
        if action.to != NONE:
            words = ngettext(
                "Sail {n} galley to {place} and attack {who} in {zone}.",
                "Sail {n} galleys to {place} and attack {who} in {zone}.",
                sailing,
                place=name(action.to),
                who=Person(action.enemy),
                zone=name(action.zone),
            )
        ours = self.host(self.seat, action.zone)
        coming = [galley for galley in action.galleys if self.table.galley_at[galley] != action.zone]
        ours = replace(ours, galleys=ours.galleys + len(coming) * (action.to == action.zone))
        return words, self.battle(action.zone, ours, action.enemy)

    def arrival(self, space: Space, army: Sequence[int]) -> Iterator[Sentence]:
        """Yield the use of units in a province."""
        enemies = self.enemies(space)
        mine = self.host(self.seat, space)
        if enemies:
            coming, theirs = replace(mine, army=plus(mine.army, army), walls=0), self.host(enemies[0], space)
            if space not in KEY_SET or cote2.odds(coming, theirs, is_zone(space)).wins(ATTACKER) >= EVEN:
                yield from self.battle(space, coming, enemies[0])
                return
            # To march there is no attack yet: a battle that would be lost is no reason for it.
            yield _stands(enemies[0], theirs)
        if space in KEY_SET:
            tokens = self.table.influence[space][self.seat]
            if tokens:
                yield _(
                    "They guard {tokens} in {place}, which others could buy otherwise.",
                    tokens=token_words(tokens),
                    place=name(space),
                )
            else:
                yield ngettext(
                    "{place} is worth {n} point a season to the player with most influence there.",
                    "{place} is worth {n} points a season to the player with most influence there.",
                    victory_numbers(self.table, space)[0],
                    place=name(space),
                )

    def guards(self, groups: Sequence[Sequence[int]]) -> list[Sentence]:
        """Return the reasons for new units in these provinces."""
        sentences = []
        for space, *_army in groups:
            sentences += [*self.scores(space), *self.near(space)]
        best = max(self.others(), key=self.strength)
        balance = _(
            "You have {mine} on the board, {who} has {theirs}.",
            mine=unit_words(self.strength(self.seat)),
            who=Person(best),
            theirs=self.strength(best),
        )
        return [*sentences, balance]

    def near(self, space: Space) -> Iterator[Sentence]:
        """Yield the strongest enemy beside a province."""
        found = [(total(army_of(self.table.units[near], seat)), seat, near)
                 for near in BOARD.land[space] for seat in self.enemies(near)]  # fmt: skip
        if found:
            number, seat, where = max(found)
            yield ngettext(
                "{who} stands beside it in {place} with {n} unit.",
                "{who} stands beside it in {place} with {n} units.",
                number,
                who=Person(seat),
                place=name(where),
            )

    def quiet(self, space: Space) -> list[Sentence]:
        """Return a sentence for a province without enemies beside it."""
        return [_("No enemy stands beside {place}.", place=name(space))]

    def others(self) -> list[Seat]:
        """Return all other seats."""
        return [seat for seat in range(self.table.seats) if seat != self.seat]

    # --- politics ---

    def bid(self, action: a.Bid) -> Said:
        """Describe a bid in the auction."""
        boxes = [_("{who} in box A", who=Person(action.a))] if action.a != NONE else []
        boxes += [_("{who} in box B", who=Person(action.b))] if action.b != NONE else []
        words = _("Bid {talents} with {boxes}.", talents=talents_words(action.talents), boxes=and_list(boxes))
        mine = _("With this bid: {outcome}", outcome=self.pairing(action.a, action.b))
        return words, [mine, self.instead(action)]

    def instead(self, bid: a.Bid) -> Sentence:
        """Return the outcome without that bid."""
        frame = self.frame
        if isinstance(frame, Auction) and frame.bidder != NONE:
            return self.standing(frame)
        return _(
            "The player who opens must bid, and 0 talents would do; if you win, you have {talents} left.",
            talents=talents_words(self.money - bid.talents),
        )

    def standing(self, frame: Auction) -> Sentence:
        """Return the outcome of the highest bid."""
        return _("As the bid stands: {outcome}", outcome=self.pairing(frame.a, frame.b))

    def pairing(self, one: Seat, other: Seat) -> Sentence:
        """Return the effect of a proposal: own place in the order of play, friends and enemies."""
        pair = [seat for seat in (one, other) if seat != NONE]
        if self.seat in pair:
            return _(
                "you act as number {place} of {seats}, {company}.",
                place=len(self.table.order) + pair.index(self.seat) + 1,
                seats=self.table.seats,
                company=self.company(int(self.seat == other), [one, other]),
            )
        if self.table.side[self.seat] == NONE:
            return _(
                "{players} act before you: you go later than number {number}, and can answer what they do.",
                players=and_list(map(Person, pair)),
                number=len(self.table.order) + len(pair),
            )
        return _("you are {company}.", company=self.company(self.table.side[self.seat], [one, other]))

    def company(self, side: int, pair: Sequence[Seat]) -> Sentence:
        """Return friends and enemies of a side of the alliances, with the enemies' means."""
        sides = [(seat, self.table.side[seat]) for seat in self.others()]
        joining = [(seat, place) for place, seat in enumerate(pair) if seat not in (NONE, self.seat)]
        friends = and_list([Person(seat) for seat, at in (*sides, *joining) if at == side])
        enemies = and_list([self.known(seat) for seat, at in (*sides, *joining) if at == 1 - side])
        if friends and enemies:
            return _("with {friends}, against {enemies}", friends=friends, enemies=enemies)
        if friends:
            return _("with {friends}", friends=friends)
        return (
            _("without a friend so far, against {enemies}", enemies=enemies)
            if enemies
            else _("without a friend so far")
        )

    def known(self, seat: Seat) -> Sentence:
        """Return a player with their units and tokens."""
        tokens = token_words(sum(self.table.influence[space][seat] for space in KEY_SET))
        force = self.strength(seat)
        has = [unit_words(force), tokens] if force else [tokens]
        return _("{who} ({has})", who=Person(seat), has=and_list(has))

    def passed(self) -> Said:
        """Describe a pass: in an auction, a vote or a turn."""
        frame = self.frame
        if isinstance(frame, Auction):
            dearer = _(
                "To change that costs {price} or more of your {talents}; an influence token costs {token}.",
                price=frame.talents + bid_step(self.table),
                talents=talents_words(self.money),
                token=influence_price(self.table),
            )
            return _("Pass."), [self.standing(frame), dearer]
        if isinstance(frame, Vote):
            return _("Pass."), [self.unled(high(frame) + 1)]
        return _("Pass."), [_("With {talents} nothing else is worth its price now.", talents=talents_words(self.money))]

    def unled(self, least: int) -> Sentence:
        """Return the reason for not leading in a vote that takes so many votes to lead."""
        if self.votes() < least:
            return ngettext(
                "It takes {n} vote to lead, and you hold {mine}.",
                "It takes {n} votes to lead, and you hold {mine}.",
                least,
                mine=self.votes(),
            )
        return ngettext(
            "It takes {n} of your {mine} votes to lead; senators kept for later are worth more.",
            "It takes {n} of your {mine} votes to lead; senators kept for later are worth more.",
            least,
            mine=self.votes(),
        )

    def votes(self) -> int:
        """Return all own votes."""
        hand = self.table.senators[self.seat]
        return weight((hand[0], hand[1], hand[2], hand[3]))

    def show(self, action: a.Show) -> Said:
        """Describe a bid of senators in a vote."""
        frame = self.frame
        assert isinstance(frame, Vote)
        more = (action.one, action.two, action.three, action.four)
        senators = and_list([VALUES[k] + (f" ({n})" if n > 1 else "") for k, n in enumerate(more) if n])
        one = sum(more) == 1
        words = (
            _("Show senator {numerals}.", numerals=senators)
            if one
            else _("Show senators {numerals}.", numerals=senators)
        )
        lead = ngettext(
            "You lead with {n} vote against {high}; the others hold {others} senators face down.",
            "You lead with {n} votes against {high}; the others hold {others} senators face down.",
            weight(frame.shown[self.seat]) + weight(more),
            high=high(frame),
            others=sum(self.table.senators[seat][0] - sum(frame.shown[seat]) for seat in self.others()),
        )
        return words, [lead, _(CARDS[frame.card].text)]

    def taken(self, card: int) -> Said:
        """Describe the taking of a card."""
        price, text = CARDS[card].cost, _(CARDS[card].text)
        if not price:
            return _("Take “{card}”.", card=CARDS[card].name), [text]
        words = _("Take “{card}” for {price}.", card=CARDS[card].name, price=talents_words(price))
        return words, [text, _("You have {talents} left then.", talents=talents_words(self.money - price))]

    def recruit(self, action: a.Recruit) -> Said:
        """Describe recruits."""
        parts = []
        for space, infantry, cavalry, catapults, generals in action.armies:
            goods = [*kinds((infantry, cavalry, catapults)), *([general_words(generals)] if generals else [])]
            parts.append(_("{force} in {place}", force=and_list(goods), place=name(space)))
        parts += [
            _("{force} in {place}", force=galleys_words(number), place=name(zone)) for zone, number in action.fleets
        ]
        bought = [sum(group[kind] for group in action.armies) for kind in (1, 2, 3)]
        bought += [sum(number for _zone, number in action.fleets), sum(group[4] for group in action.armies)]
        price = talents_words(cost(bought, prices(self.table), 1))
        words = _(
            "Recruit {parts} for {price} and {chaos} chaos.",
            parts=and_list(parts),
            price=price,
            chaos=recruit_chaos(self.table),
        )
        return words, self.guards(action.armies)


def token_words(number: int) -> Sentence:
    """Return ``"1 influence token"``, ``"3 influence tokens"``."""
    return ngettext("{n} influence token", "{n} influence tokens", number)


def attack_words(enemy: Seat, space: Space) -> Sentence:
    """Return ``"Attack Livia in Galatia."``."""
    return _("Attack {who} in {place}.", who=Person(enemy), place=name(space))


def _joined(frame: Battle, seat: Seat, side: int, army: Army, galleys: tuple[int, ...]) -> Battle:
    """Return the battle with additional units of a seat."""
    if side == ATTACKER:
        cell = joined_cells(frame.attacking, seat, army)
        return replace(frame, attacking=cell, attack_fleet=frame.attack_fleet + galleys)
    cell = joined_cells(frame.defending, seat, army)
    return replace(frame, defending=cell, defence_fleet=frame.defence_fleet + galleys)


def _effect_of_help(without: Odds, with_: Odds, side: int, coming: bool, mine: bool) -> list[Sentence]:
    """Return the effect of help on a battle, whether it comes or not."""
    if abs(with_.wins(side) - without.wins(side)) >= FELT:
        says = HELPED if coming else UNHELPED
    elif coming:
        return [_units_saved_by_help(without, with_, side)]
    else:
        says = WASTED if without.wins(side) < EVEN else NOT_NEEDED
    chances: dict[str, Value] = {"before": percent(without.wins(side)), "after": percent(with_.wins(side))}
    price = _cost_of_help(without, with_, side, coming) if mine else []
    return [replace(says[not mine], values=chances), *price]


def _units_saved_by_help(without: Odds, with_: Odds, side: int) -> Sentence:
    """Return what help is good for that hardly changes the chance: units of this side that live, or enemies that
    fall."""
    mine = [sum(odds.left(side)) for odds in (without, with_)]
    theirs = [sum(odds.left(1 - side)) for odds in (without, with_)]
    if mine[1] > mine[0]:
        return _(
            "With that, your side keeps {after} units on average instead of {before}.",
            after=decimal(f"{mine[1]:.1f}"), before=decimal(f"{mine[0]:.1f}"),
        )  # fmt: skip
    return _(
        "With that, the enemy keeps {after} units on average instead of {before}.",
        after=decimal(f"{theirs[1]:.1f}"), before=decimal(f"{theirs[0]:.1f}"),
    )  # fmt: skip


def _cost_of_help(without: Odds, with_: Odds, side: int, coming: bool) -> list[Sentence]:
    """Return the change of own costs by our help."""
    before, after = (round(odds.costs[side]) for odds in (without, with_))
    if before == after:
        return []
    if coming:
        return [
            _(
                "It then costs you units worth {talents} on average instead of {before}.",
                talents=talents_words(after),
                before=before,
            )
        ]
    return [
        _(
            "With help it would cost you units worth {talents} on average instead of {before}.",
            talents=talents_words(after),
            before=before,
        )
    ]


def speak(table: Any, seat: Seat, action: Action) -> tuple[Sentence | None, list[Sentence]]:
    """Describe an action of Conquest II, as an `advice.Speaker`."""
    c = Counsel(table, seat)
    for of in (_of_turn, _of_cards, _of_war, _of_battle):
        sentence = of(c, action)
        if sentence is not None:
            return sentence
    return None, []


def _of_turn(c: Counsel, action: Action) -> Said | None:
    match action:
        case a.Bid():
            return c.bid(action)
        case a.Pass():
            return c.passed()
        case a.Recruit():
            return c.recruit(action)
        case a.Influence(space, sellers):
            words = _(
                "Buy {tokens} in {place} for {price}.",
                tokens=token_words(len(sellers)),
                place=name(space),
                price=talents_words(influence_price(c.table) * len(sellers)),
            )
            return words, c.buying(space, sellers)
        case a.Levy(talents):
            why = _(
                "You have {talents}; it costs {chaos} chaos.",
                talents=talents_words(c.money),
                chaos=tax_chaos(c.table, talents),
            )
            return _("Raise a special tax of {talents}.", talents=talents_words(talents)), [why]
        case EndTurn():
            return _("End the turn."), [_("Nothing that is left to do is worth its price.")]
    return None


def _of_cards(c: Counsel, action: Action) -> Said | None:
    match action:
        case a.Obtain(card) | a.Campaign(card):
            return c.taken(card)
        case a.Use(card):
            return _("Use “{card}”.", card=CARDS[card].name), [_(CARDS[card].text)]
        case a.Incite(space, victims):
            if not victims:
                return _("Incite the slaves in {place}.", place=name(space)), []
            words = _(
                "Incite the slaves in {place} against {victims}.",
                place=name(space),
                victims=and_list(map(Person, victims)),
            )
            there = ngettext("There stands {n} enemy army.", "There stand {n} enemy armies.", len(c.enemies(space)))
            return words, [there]
        case a.Show():
            return c.show(action)
        case a.Assemble(space):
            words = _("Assemble the new legions in {place}.", place=name(space))
            return words, [*c.scores(space), *c.near(space)] or c.quiet(space)
    return None


def _of_war(c: Counsel, action: Action) -> Said | None:
    match action:
        case a.Deploy():
            return c.deployed(action)
        case a.Move():
            return c.move(action)
        case a.Attack(space, enemy):
            mine = replace(c.host(c.seat, space), walls=0)
            return attack_words(enemy, space), [*c.battle(space, mine, enemy), *c.scores(space)]
        case a.Sail():
            return c.sail(action)
    return None


def _of_battle(c: Counsel, action: Action) -> Said | None:
    match action:
        case a.Slip(away):
            return (_("Slip away with a favorable wind.") if away else _("Accept the battle.")), c.as_it_stands()
        case a.Commit(galleys):
            ships = ngettext("Commit {n} galley to the battle.", "Commit {n} galleys to the battle.", len(galleys))
            return ships if galleys else _("Commit no galleys to the battle."), c.helped(NO_ARMY, galleys)
        case a.Lend(infantry, cavalry, catapults, galleys):
            force = (infantry, cavalry, catapults, len(galleys))
            words = _("Lend {force}.", force=units(force)) if any(force) else _("Lend nothing.")
            return words, c.helped((infantry, cavalry, catapults), galleys)
        case a.Lose(armies_, galleys, extra):
            fallen = plus((0, 0, 0), (0, 0, 0))
            for _owner, *army in armies_:
                fallen = plus(fallen, army)
            return _("Let {force} fall.", force=units((*fallen, len(galleys) + extra))), c.as_it_stands()
        case Stand():
            return _("Fight on."), c.staying()
        case Retreat(to):
            return _("Retreat to {place}.", place=name(to)) if to != NONE else _("Retreat."), c.as_it_stands()
        case a.Withdraw(to):
            return _("Withdraw your leaders to {place}.", place=name(to)), [*c.near(to)] or c.quiet(to)
    return None

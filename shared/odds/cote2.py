"""The odds of a battle in Conquest II, on land (II-BATTLE) and at sea (II-NAVAL).

Assumed play of both sides: they lose troops of cards first, then units that allies have lent, then their own. Each
group loses infantry, cavalry, catapults and at last galleys; but galleys of cards fall before all. A side that
retreats has a province to retreat to.
"""

from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct

from shared.ids import GALLEY, NONE, Army, Seat, Space
from shared.kernel.frames import Action, Dice
from shared.mechanics.amendments import HasOptions
from shared.mechanics.armies import Cell, army_of, plus
from shared.odds.attack import AttackQuestion, Threat, strongest
from shared.odds.dice import Hits, capped_hits, certain_hits
from shared.odds.duel import ENDLESS, Duel, Ladder, battle_endings, ladder
from shared.odds.outcome import ATTACKER, DEFENDER, NEITHER, Ending, Force, Host, Odds, costs, merge_endings
from shared.rulesets.cote2.actions import Attack, Move, Sail
from shared.rulesets.cote2.combat_phase import attackers, defenders, dice, land_dice, storming, strength
from shared.rulesets.cote2.data import SEAS
from shared.rulesets.cote2.effects import support_of
from shared.rulesets.cote2.frames import Battle, Casualties
from shared.rulesets.cote2.options import city_worth, naval_rounds, prices
from shared.rulesets.cote2.stages import BattleStage
from shared.rulesets.cote2.state import (
    ALIENS,
    GALLEYS,
    REBELS,
    TableFields,
    galleys_at,
    galleys_in,
    is_zone,
    leaders_at,
    others_in,
)

KEPT = 512
"""Battles whose odds are cached."""
CARDS, LENT, OWN = range(3)
Groups = tuple[Force, Force, Force]
"""Units of a side: of cards, lent, own."""
Opening = tuple[Hits | None, Hits | None]


class Side(Struct, frozen=True):
    """A side. dice: all of its dice on land; at sea those beside one for each galley.

    stranded: galleys alone do not fight on (II-D50).
    """

    groups: Groups
    dice: int
    stranded: bool = False
    leaves: int = 0


def order(groups: Groups) -> list[tuple[int, int]]:
    """Return (group, kind) of every unit in the order in which they fall."""
    falling = [(CARDS, GALLEY)] + [(group, kind) for group in (CARDS, LENT, OWN) for kind in range(GALLEY)]
    falling += [(LENT, GALLEY), (OWN, GALLEY)]
    return [unit for unit in falling for _ in range(groups[unit[0]][unit[1]])]


class _Line:
    """The units left of a side after each number of losses."""

    def __init__(self, side: Side) -> None:
        falling = order(side.groups)
        whole = len(falling)
        self.forces = [_counted(falling[fallen:]) for fallen in range(whole + 1)]
        self.own = [_counted([unit for unit in falling[fallen:] if unit[0] == OWN]) for fallen in range(whole + 1)]

        def units(fallen: int) -> int:
            # Against slaves galleys alone do not fight on (II-D50), although they still stand.
            fighting = sum(self.forces[fallen][:GALLEY]) if side.stranded else whole - fallen
            return whole - fallen if fighting else 0

        self.ladder: Ladder[int] = ladder(
            0, lambda fallen, hits: min(whole, fallen + hits), lambda fallen: whole - fallen, units
        )
        self.left = [self.forces[fallen] for fallen in self.ladder.states]
        """By rung: all units left. `sizes`: their number, including those that cannot fight on alone."""
        self.sizes = [whole - fallen for fallen in self.ladder.states]


def _counted(units: Sequence[tuple[int, int]]) -> Force:
    kinds = [kind for _, kind in units]
    return kinds.count(0), kinds.count(1), kinds.count(2), kinds.count(GALLEY)


@lru_cache(maxsize=512)
def _line(side: Side) -> _Line:
    return _Line(side)


def fight(
    table: HasOptions, attacker: Side, defender: Side, naval: bool, city: bool, rounds: int,
    opening: Opening = (None, None),
) -> Odds:  # fmt: skip
    """Return the odds of a battle. city: the defender rolls first (II-BATTLE-08).

    rounds: number of rounds left at sea. opening: hits of this round on attacker and defender, if they are known.
    """
    ours, theirs = _line(attacker), _line(defender)

    def hits(side: Side, line: _Line, rung: int, most: int) -> Hits:
        force = line.left[rung]
        if naval:
            return capped_hits(side.dice + force[GALLEY], (0, 0, 0, force[GALLEY]), most)
        return capped_hits(side.dice, force, most)

    def strike(a: int, d: int) -> Hits:
        return hits(defender, theirs, d, ours.sizes[a])

    def back(a: int, d: int) -> Hits:
        return hits(attacker, ours, a, theirs.sizes[d])

    def leaves(a: int, d: int) -> bool:
        return not naval and (ours.sizes[a] <= attacker.leaves or theirs.sizes[d] <= defender.leaves)

    course = battle_endings(
        Duel(ours.ladder, theirs.ladder, strike, back, leaves, city, opening, rounds if naval else ENDLESS)
    )
    found = merge_endings(
        [
            Ending(chance, _winner(ours, theirs, defender, naval, a, d), ours.left[a], theirs.left[d])
            for a, d, chance in course.ends
        ]
    )
    # Costs count own units only: troops of cards and lent ones cost their user nothing.
    spent = merge_endings(
        Ending(chance, NEITHER, ours.own[ours.ladder.states[a]], theirs.own[theirs.ladder.states[d]])
        for a, d, chance in course.ends
    )
    return Odds(found, costs(spent, prices(table), ours.own[0], theirs.own[0]), course.missing)


def _winner(ours: _Line, theirs: _Line, defender: Side, naval: bool, a: int, d: int) -> int:
    """Return the winner. The attacker loses if neither has units left (II-D41); the defender retreats first
    (II-BATTLE-09).
    """
    if not ours.ladder.units[a]:
        return DEFENDER
    if not theirs.ladder.units[d]:
        return ATTACKER
    if naval:
        return NEITHER
    return ATTACKER if theirs.sizes[d] <= defender.leaves else DEFENDER


# --- questions of players ---


@lru_cache(maxsize=KEPT)
def odds(attacker: Host, defender: Host, naval: bool) -> Odds:
    """Return the odds of a battle to come."""
    sides = [_told(attacker, naval, 0, False), _told(defender, naval, defender.walls, attacker.slaves)]
    return fight(attacker, sides[0], sides[1], naval, defender.walls > 0 and not naval, naval_rounds(attacker))


def _told(host: Host, naval: bool, city: int, stranded: bool) -> Side:
    own = (*host.army, host.galleys)
    if naval:
        groups = tuple([(0, 0, 0, force[GALLEY]) for force in (host.cards, host.lent, own)])
        return Side((groups[0], groups[1], groups[2]), host.training)
    return Side(
        (host.cards, host.lent, own), land_dice(host, host.leaders > 0, city, host.training), stranded, host.leaves
    )


def present(table: TableFields, seat: Seat, space: Space, naval: bool = False) -> Host:
    """Return the units of a seat there or, on land, beside it at sea, with its cards and without its allies."""
    support = support_of(table, seat, space)
    cards = (*support.army, support.galleys)
    if naval:
        fleet = len(galleys_at(table, seat, space))
        return Host(galleys=fleet, training=support.dice, cards=cards, options=table.options)
    return Host(
        army_of(table.units[space], seat), len(galleys_in(table, seat, SEAS[space])),
        len(leaders_at(table, seat, space)), city_worth(table) * (table.owner[space] == seat), support.dice, cards,
        options=table.options,
    )  # fmt: skip


def standing(table: TableFields) -> Odds | None:
    """Return the odds of the battle under way, with all that have joined and the dice fallen so far. None if there is
    none.
    """
    for place, frame in enumerate(table.frames):
        if isinstance(frame, Battle) and not frame.stage.fought:
            above = table.frames[place + 1] if place + 1 < len(table.frames) else None
            return _battle(table, frame, above.hits if isinstance(above, Casualties) else 0)
    return None


def _battle(table: TableFields, frame: Battle, hits: int) -> Odds:
    """Return the odds of a battle; hits: those for which losses are being chosen now."""
    naval = is_zone(frame.space)
    ours = sorted_units(frame.attacker, frame.attacking, frame.attack_fleet, frame.attack_extra)
    theirs = sorted_units(frame.defender, frame.defending, frame.defence_fleet, frame.defence_extra)
    trained = [dice(table, frame, seat) for seat in (frame.attacker, frame.defender)]
    if naval:
        # The rules count one die for each galley into `dice`; here galleys are counted with the side.
        trained = [n - sum(group[GALLEY] for group in side) for n, side in zip(trained, (ours, theirs), strict=True)]
    stranded = frame.attacker == REBELS
    return fight(
        table, Side(ours, trained[0]), Side(theirs, trained[1], stranded), naval, storming(table, frame),
        naval_rounds(table) - frame.round + 1, _known(frame, hits),
    )  # fmt: skip


def _known(frame: Battle, hits: int) -> Opening:
    """Return hits on attacker and defender that are known already, but not taken off."""
    match frame.stage:
        case BattleStage.DEFENDER_LOST:
            return certain_hits(frame.hits[1]), certain_hits(frame.hits[0])
        case BattleStage.ATTACKER_LOST:
            return certain_hits(hits), certain_hits(0)
        case BattleStage.STORMED:
            return certain_hits(hits), None
        case BattleStage.CITY_LOST | BattleStage.STORM_ROLLED:
            return certain_hits(0), certain_hits(hits) if frame.stage is BattleStage.CITY_LOST else None
        case _:
            return None, None


def threat(table: TableFields, seat: Seat, action: Action) -> Threat | None:
    """Return the attack that an action begins, or that can follow where it leads; None if there is none."""
    match action:
        case Attack(space=space, enemy=enemy):
            return Threat(enemy, space)
        case Sail(enemy=enemy, zone=zone) if enemy != NONE:
            here = sum(table.galley_at[galley] == zone for galley in action.galleys)
            return Threat(enemy, zone, galleys=len(action.galleys) - here if action.to == zone else -here)
        case Move():
            parties = [
                (to, (infantry, cavalry, catapults), sum(pair[1] == to for pair in action.leaders))
                for to, infantry, cavalry, catapults in action.armies
            ]
            # A move may lead into several fights; advice is about the first of them.
            return next((found for party in parties if (found := entry(table, seat, *party)) is not None), None)
    return None


def entry(table: TableFields, seat: Seat, space: Space, army: Army, leaders: int) -> Threat | None:
    """Return the attack on the strongest enemy that units can begin in a province, once they have moved there."""
    enemy = strongest(table.units[space], others_in(table, table.units[space], seat))
    return Threat(enemy, space, army, leaders) if enemy != NONE and any(army) else None


def sorted_units(seat: Seat, cell: Cell, fleet: Sequence[int], extra: int) -> Groups:
    """Return the units of a battle army: of cards, lent, own."""
    lent: Army = (0, 0, 0)
    for owner in cell[::4]:
        if owner not in (seat, ALIENS):
            lent = plus(lent, army_of(cell, owner))
    mine = sum(galley // GALLEYS == seat for galley in fleet)
    cards, own = army_of(cell, ALIENS), army_of(cell, seat)
    return (*cards, extra), (*lent, len(fleet) - mine), (*own, mine)


def question(table: TableFields) -> AttackQuestion | None:
    """Return the battle under way with its seats and all that have joined. None if there is none."""
    for frame in table.frames:
        if isinstance(frame, Battle):
            ours = sorted_units(frame.attacker, frame.attacking, frame.attack_fleet, frame.attack_extra)
            theirs = sorted_units(frame.defender, frame.defending, frame.defence_fleet, frame.defence_extra)
            hosts = _host(table, frame, frame.attacker, ours), _host(table, frame, frame.defender, theirs)
            return AttackQuestion((frame.attacker, frame.defender), hosts, is_zone(frame.space), frame.space)
    return None


def _host(table: TableFields, frame: Battle, seat: Seat, groups: Groups) -> Host:
    cards, lent, own = groups
    trained = 0 if seat == REBELS else support_of(table, seat, frame.space).dice
    city = city_worth(table) * (seat == frame.defender and storming(table, frame))
    led = not is_zone(frame.space) and dice(table, frame, seat) > land_dice(table, False, city, trained)
    return Host((own[0], own[1], own[2]), own[GALLEY], int(led), city, trained, cards, lent, slaves=seat == REBELS,
                options=table.options)  # fmt: skip


def rolling(table: TableFields, seat: Seat) -> Hits:
    """Return the hits of the dice that chance owes now and `seat` rolls, before they fall (II-BATTLE-06).

    Raises ValueError if chance owes no dice of a battle.
    """
    top, frame = table.frames[-1], table.frames[-2]
    if not (isinstance(top, Dice) and isinstance(frame, Battle)):
        raise ValueError(f"no dice of a battle: {top!r}")
    if seat == frame.attacker:
        galleys, most = len(frame.attack_fleet) + frame.attack_extra, defenders(frame)
        return capped_hits(top.count, (*strength(frame.attacking), galleys), most)
    galleys, most = len(frame.defence_fleet) + frame.defence_extra, attackers(frame)
    return capped_hits(top.count, (*strength(frame.defending), galleys), most)

"""The odds of a battle in Classic (2005), on land (CL-BATTLE, CL-PURSUIT) and at sea (CL-NAVAL).

Assumed play of both sides: they form the battle legion that hits most, of equals the cheapest. They lose the cheapest
units of it; at sea the emptiest galleys go down. A side that flees loses its dearest units to the pursuing cavalry,
and has a province to flee to.
"""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from shared.board import BOARD
from shared.ids import NO_ARMY, Army, Seat, Space
from shared.kernel.frames import Action, Dice
from shared.mechanics.amendments import HasOptions
from shared.mechanics.armies import army_of, choices, minus, plus, take_by_kind, total
from shared.odds import conquest
from shared.odds.attack import AttackQuestion, Threat
from shared.odds.dice import Hits, capped_hits, certain_hits, mean
from shared.odds.duel import Duel, DuelEnd, Ladder, battle_endings, ladder
from shared.odds.outcome import ATTACKER, DEFENDER, NEITHER, Ending, Force, Host, Odds, costs, merge_endings, worth
from shared.rulesets.classic.actions import March
from shared.rulesets.classic.battle import CHEAP_FIRST, STRONG_FIRST, extra_dice, front, walls_of
from shared.rulesets.classic.frames import Battle, Casualties, Naval, Pursuit
from shared.rulesets.classic.legions import hostile
from shared.rulesets.classic.options import naval_dice, naval_rounds, prices
from shared.rulesets.classic.sea import load
from shared.rulesets.classic.stages import Stage
from shared.rulesets.classic.table import TableFields
from shared.rulesets.conquest.pieces import galleys_at, leaders_at

KEPT = 512
"""Battles whose odds are cached."""


@lru_cache(maxsize=8192)
def legion(army: Army, size: int, charges: tuple[int, ...]) -> Army:
    """Return the battle legion that hits most, of equals the cheapest. charges: prices of units."""
    # Rounded, so that equal means compare as equal in spite of floating point; then the price decides.
    return max(
        choices(army, size),
        key=lambda chosen: (round(mean(size, _firing_units(army, chosen)), 9), -worth(chosen, charges)),
    )


def fallen(chosen: Army, hits: int) -> Army:
    """Return the losses from a battle legion: the cheapest units."""
    return take_by_kind(chosen, hits, CHEAP_FIRST)


def caught(fleeing: Army, hits: int) -> Army:
    """Return the units that a pursuer picks: the dearest."""
    return take_by_kind(fleeing, hits, STRONG_FIRST)


def _firing_units(army: Army, chosen: Army) -> Force:
    """Return the units that dice can match: the legion, and all catapults (CL-BATTLE-05, -06)."""
    return chosen[0], chosen[1], army[2], 0


# --- on land ---


class Side:
    """A side of a battle on land, with all states that its losses lead to.

    charges: prices of units. chosen: its battle legion, if that is formed already. laid: its losses of this round, if
    they are chosen already.
    """

    def __init__(
        self, army: Army, leaders: int, charges: tuple[int, ...], chosen: Army | None = None, laid: Army | None = None
    ) -> None:
        first = chosen if chosen is not None else legion(army, front(total(army), leaders), charges)
        # Losses that were chosen already apply whatever falls: the number of hits is known by then.
        down = [fallen(first, hits) if laid is None else laid for hits in range(total(first) + 1)]
        self.ladder: Ladder[Army] = ladder(
            army,
            lambda state, hits: minus(state, fallen(legion(state, front(total(state), leaders), charges), hits)),
            lambda state: front(total(state), leaders),
            total,
            [minus(army, lost) for lost in down],
        )
        states = self.ladder.states
        self.legions = [first, *[legion(state, front(total(state), leaders), charges) for state in states[1:]]]
        self.charges = charges
        self.sizes = [total(one) for one in self.legions]
        self.fire = [_firing_units(*pair) for pair in zip(states, self.legions, strict=True)]


@lru_cache(maxsize=256)
def _side(
    army: Army, leaders: int, charges: tuple[int, ...], chosen: Army | None = None, laid: Army | None = None
) -> Side:
    return Side(army, leaders, charges, chosen, laid)


def on_land(
    attacker: Side, defender: Side, walls: int = 0, leaves: tuple[int, int] = (0, 0),
    opening: tuple[Hits | None, Hits | None] = (None, None),
) -> Odds:  # fmt: skip
    """Return the odds of a battle on land.

    leaves: see `Host`. opening: hits of this round on attacker and defender, if they are known.
    """

    def strike(a: int, d: int) -> Hits:
        extra = extra_dice(walls, attacker.ladder.states[a][2])
        return capped_hits(defender.sizes[d] + extra, defender.fire[d], attacker.sizes[a])

    def back(a: int, d: int) -> Hits:
        return capped_hits(attacker.sizes[a], attacker.fire[a], defender.sizes[d])

    def flees(a: int, d: int) -> bool:
        return attacker.ladder.units[a] <= leaves[ATTACKER] or defender.ladder.units[d] <= leaves[DEFENDER]

    one, other = attacker.ladder, defender.ladder
    course = battle_endings(Duel(one, other, strike, back, flees, opening=opening))
    found = merge_endings(_ends(course, one.states, other.states, leaves[DEFENDER]))
    return Odds(found, costs(found, attacker.charges, (*one.states[0], 0), (*other.states[0], 0)), course.missing)


def _ends(course: DuelEnd, ours: Sequence[Army], theirs: Sequence[Army], leaves: int) -> Iterator[Ending]:
    """Yield the endings with their winners; the defender declares a retreat first (CL-BATTLE-10, CL-PURSUIT-01)."""
    for a, d, chance in course.ends:
        army, enemy = ours[a], theirs[d]
        if not any(army) or not any(enemy):
            yield Ending(chance, ATTACKER if any(army) else DEFENDER, (*army, 0), (*enemy, 0))
        elif total(enemy) <= leaves:
            # The defender decides first, so its retreat is asked before the attacker's below.
            for share, rest in _after_pursuit(army[1], total(army), enemy):
                yield Ending(chance * share, ATTACKER, (*army, 0), (*rest, 0))
        else:
            for share, rest in _after_pursuit(enemy[1], total(enemy), army):
                yield Ending(chance * share, DEFENDER, (*rest, 0), (*enemy, 0))


def _after_pursuit(horsemen: int, dice: int, fleeing: Army) -> Iterator[tuple[float, Army]]:
    """Yield the units left of a side that flees, with their probability (CL-PURSUIT-01)."""
    for hits, chance in enumerate(capped_hits(dice, (0, horsemen, 0, 0), total(fleeing))):
        yield chance, minus(fleeing, caught(fleeing, hits))


# --- at sea ---


def at_sea(
    table: HasOptions, ours: Sequence[Army], theirs: Sequence[Army], rounds: int,
    opening: tuple[Hits | None, Hits | None] = (None, None),
) -> Odds:  # fmt: skip
    """Return the odds of a battle at sea.

    ours, theirs: load of each galley, in the order in which they sink. rounds: number of rounds left.
    """
    attacker, defender = _fleet(len(ours)), _fleet(len(theirs))
    each = naval_dice(table)

    def strike(a: int, d: int) -> Hits:
        return _galley_hits(each * defender.units[d], attacker.units[a])

    def back(a: int, d: int) -> Hits:
        return _galley_hits(each * attacker.units[a], defender.units[d])

    course = battle_endings(Duel(attacker, defender, strike, back, _no_retreat, opening=opening, rounds=rounds))
    ends = [
        Ending(chance, _winning_side(attacker.units[a], defender.units[d]), _afloat(ours, attacker.units[a]),
               _afloat(theirs, defender.units[d]))
        for a, d, chance in course.ends
    ]  # fmt: skip
    found = merge_endings(ends)
    return Odds(found, costs(found, prices(table), _afloat(ours, len(ours)), _afloat(theirs, len(theirs))), 0.0)


@cache
def _fleet(galleys: int) -> Ladder[int]:
    return ladder(galleys, lambda left, hits: left - hits, lambda left: left, lambda left: left)


def _galley_hits(dice: int, most: int) -> Hits:
    """Return the hits of the dice of galleys: every galley face hits (CL-NAVAL-02)."""
    return capped_hits(dice, (0, 0, 0, dice), most)


def _no_retreat(_a: int, _d: int) -> bool:
    """Return False: sides cannot leave a battle at sea (CL-NAVAL-03)."""
    return False


def _winning_side(ours: int, theirs: int) -> int:
    return NEITHER if bool(ours) == bool(theirs) else ATTACKER if ours else DEFENDER


def _afloat(cargo: Sequence[Army], left: int) -> Force:
    """Return the last `left` galleys with their loads."""
    army = NO_ARMY
    for load_ in cargo[len(cargo) - left :]:
        army = plus(army, load_)
    return (*army, left)


# --- questions of players ---


@lru_cache(maxsize=KEPT)
def odds(attacker: Host, defender: Host, naval: bool) -> Odds:
    """Return the odds of a battle to come."""
    if naval:
        return at_sea(attacker, _cargo_of_each(attacker), _cargo_of_each(defender), naval_rounds(attacker))
    sides = [_side(host.army, host.leaders, prices(host)) for host in (attacker, defender)]
    return on_land(sides[0], sides[1], defender.walls, (attacker.leaves, defender.leaves))


def _cargo_of_each(host: Host) -> tuple[Army, ...]:
    # Galleys without a named load go first, since the emptiest sink first.
    return (NO_ARMY,) * (host.galleys - len(host.cargo)) + host.cargo


def present(table: TableFields, seat: Seat, space: Space, naval: bool = False) -> Host:
    """Return the units of a seat there, on land or, if `naval`, in a sea zone."""
    if naval:
        fleet = sorted(galleys_at(table, seat, space), key=lambda galley: load(table, galley))
        cargo = tuple([_units_aboard(table, galley) for galley in fleet])
        return Host(galleys=len(fleet), cargo=cargo, options=table.options)
    leaders = len(leaders_at(table, seat, space))
    walls = walls_of(table, space, seat)
    return Host(army_of(table.units[space], seat), leaders=leaders, walls=walls, options=table.options)


def _units_aboard(table: TableFields, galley: int) -> Army:
    cargo = table.cargo[galley]
    return (cargo[0], cargo[1], cargo[2]) if cargo else NO_ARMY


def standing(table: TableFields) -> Odds | None:
    """Return the odds of the battle under way, with the legions formed and the dice fallen so far. None if there is
    none.
    """
    for place, frame in enumerate(table.frames):
        above = table.frames[place + 1] if place + 1 < len(table.frames) else None
        if isinstance(frame, Battle) and frame.stage <= Stage.ATTACKER_DECIDED:
            return _battle(table, frame, above.hits if isinstance(above, Casualties) else 0)
        if isinstance(frame, Naval) and not frame.stage.is_over:
            # Hits that have fallen in this round are not read: the fleets are still whole.
            fleets = [present(table, seat, frame.zone, True).cargo for seat in (frame.attacker, frame.defender)]
            return at_sea(table, fleets[ATTACKER], fleets[DEFENDER], naval_rounds(table) - frame.round + 1)
    return None


def _battle(table: TableFields, frame: Battle, hits: int) -> Odds:
    """Return the odds of a battle on land; hits: those for which losses are being chosen now."""
    stage, space = frame.stage, frame.space
    ours, theirs = (army_of(table.units[space], seat) for seat in (frame.attacker, frame.defender))
    formed = frame.attacking if stage.attacker_is_formed else None
    posted = frame.defending if stage.defender_is_formed else None
    laid = frame.down if stage in (Stage.DEFENDER_ROLLS, Stage.DEFENDER_ROLLED, Stage.ATTACKER_LOST) else None
    key = (
        certain_hits(total(laid)) if laid is not None else certain_hits(hits) if stage is Stage.DEFENDER_LOST else None
    )
    suffered = certain_hits(hits) if stage is Stage.ATTACKER_LOST else None
    sides = [
        _side(ours, len(leaders_at(table, frame.attacker, space)), prices(table), formed),
        _side(theirs, len(leaders_at(table, frame.defender, space)), prices(table), posted, laid),
    ]
    return on_land(sides[0], sides[1], walls_of(table, space, frame.defender), opening=(suffered, key))


def question(table: TableFields) -> AttackQuestion | None:
    """Return the battle under way with its seats, None if there is none."""
    for frame in table.frames:
        if isinstance(frame, Battle | Naval):
            naval = isinstance(frame, Naval)
            space = frame.zone if isinstance(frame, Naval) else frame.space
            seats = frame.attacker, frame.defender
            hosts = present(table, seats[ATTACKER], space, naval), present(table, seats[DEFENDER], space, naval)
            return AttackQuestion(seats, hosts, naval, space)
    return None


def clash(table: TableFields, seat: Seat, space: Space) -> bool:
    """Whether entering a space leads to a fight. Enemy galleys may be passed."""
    return space < BOARD.provinces and hostile(table, seat, space)


def threat(table: TableFields, seat: Seat, action: Action) -> Threat | None:
    """Return the attack that an action begins or leads into, None if there is none."""
    return conquest.threat(table, seat, action, clash, March)


def rolling(table: TableFields, seat: Seat) -> Hits:
    """Return the hits of the dice that chance owes now and `seat` rolls, before they fall.

    Raises ValueError if chance owes no dice of a battle.
    """
    top, below = table.frames[-1], table.frames[-2]
    if isinstance(top, Dice) and isinstance(below, Battle):
        return _salvo(table, below, seat, top.count)
    if isinstance(top, Dice) and isinstance(below, Pursuit):
        horsemen, fleeing = (army_of(table.units[below.space], who) for who in (seat, below.loser))
        return capped_hits(top.count, (0, horsemen[1], 0, 0), total(fleeing))
    if isinstance(top, Dice) and isinstance(below, Naval):
        enemy = below.defender if seat == below.attacker else below.attacker
        return _galley_hits(top.count, len(galleys_at(table, enemy, below.zone)))
    raise ValueError(f"no dice of a battle: {top!r}")


def _salvo(table: TableFields, frame: Battle, seat: Seat, count: int) -> Hits:
    """Return the hits of a battle legion, with all catapults behind it (CL-BATTLE-05, -06)."""
    ours, theirs = frame.attacking, frame.defending
    if seat != frame.attacker:
        ours, theirs = theirs, ours
    return capped_hits(count, _firing_units(army_of(table.units[frame.space], seat), ours), total(theirs))

"""Battles on land and at sea: participants, rounds, hits, the end (II-BATTLE, II-NAVAL, II-CHAOS-01)."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from shared.ids import NONE, Army, Seat
from shared.kernel.frames import DONE, STAY, Dice, Emit, Handler, automatic, push, replace_top
from shared.mechanics.amendments import HasOptions
from shared.mechanics.armies import Cell, army_of, has_army, put_army
from shared.mechanics.battledice import galley_hits, land_hits
from shared.rulesets.cote2 import events
from shared.rulesets.cote2.actions import Lend
from shared.rulesets.cote2.data import SEAS
from shared.rulesets.cote2.effects import support_of
from shared.rulesets.cote2.events import RevoltEnded
from shared.rulesets.cote2.frames import Aid, Battle, Casualties, Commitment, Revolt, Wind, Withdrawal
from shared.rulesets.cote2.losses import forced_losses, remove
from shared.rulesets.cote2.options import battle_chaos, city_worth, land_dice_each, naval_rounds
from shared.rulesets.cote2.property import abandon_city, add_chaos, give_city, spare
from shared.rulesets.cote2.stages import BattleStage
from shared.rulesets.cote2.state import (
    ALIENS,
    REBELS,
    State,
    TableFields,
    allied,
    galleys_at,
    galleys_in,
    is_zone,
    leaders_at,
    led,
)
from shared.rulesets.cote2.support import NO_SUPPORT
from shared.rulesets.cote2.withdrawal import escapes, retreat, retreat_targets
from shared.vocabulary.actions import Retreat
from shared.vocabulary.events import BattleBegan, DiceFell
from shared.vocabulary.frames import Onward

Part = Callable[[State, Battle, Any, Emit], object]


def _to(state: State, frame: Battle, stage: BattleStage, **changes: Any) -> object:
    replace_top(state, replace(frame, stage=stage, **changes))
    return STAY


def strength(cell: Cell) -> Army:
    """Return all units of a battle army together."""
    infantry = cavalry = catapults = 0
    for i in range(0, len(cell), 4):
        infantry += cell[i + 1]
        cavalry += cell[i + 2]
        catapults += cell[i + 3]
    return infantry, cavalry, catapults


def attackers(frame: Battle) -> int:
    """Return the number of military units of the attacking side."""
    return sum(strength(frame.attacking)) + len(frame.attack_fleet) + frame.attack_extra


def defenders(frame: Battle) -> int:
    """Return the number of military units of the defending side."""
    return sum(strength(frame.defending)) + len(frame.defence_fleet) + frame.defence_extra


def resisting(frame: Battle) -> int:
    """Return the number of units with which the defender can fight on: against slaves galleys alone do not (II-D50)."""
    return sum(strength(frame.defending)) if frame.attacker == REBELS else defenders(frame)


def land_dice(table: HasOptions, guided: bool, city: int, trained: int) -> int:
    """Return the dice of a side on land: with a leader, those of its own city, with Army Training (II-BATTLE-05)."""
    return land_dice_each(table) + guided + city + trained


def storming(table: TableFields, frame: Battle) -> bool:
    """Whether the defender defends their own city (II-D38)."""
    return not is_zone(frame.space) and table.owner[frame.space] == frame.defender


def _has_leader(table: TableFields, frame: Battle, seat: Seat) -> bool:
    """Whether a leader of a side, or of an ally that lent it units, is there (II-D37)."""
    # Lenders of both sides are in one tuple; the alliance tells them apart. Lent units may have fallen (II-D37).
    return any(led(table, who, frame.space) for who in (seat, *frame.lenders) if allied(table, who, seat))


def dice(table: TableFields, frame: Battle, seat: Seat) -> int:
    """Return the dice of a side (II-BATTLE-05, II-NAVAL-03, II-D37)."""
    attacking = seat == frame.attacker
    if is_zone(frame.space):
        fleet = (frame.attack_fleet, frame.defence_fleet)[not attacking]
        extra = (frame.attack_extra, frame.defence_extra)[not attacking]
        return len(fleet) + extra + support_of(table, seat, frame.space).dice
    if seat == REBELS:
        return land_dice_each(table)
    city = city_worth(table) if not attacking and storming(table, frame) else 0
    return land_dice(table, _has_leader(table, frame, seat), city, support_of(table, seat, frame.space).dice)


# --- gathering the battle armies ---


def join(table: TableFields, seat: Seat, space: int) -> tuple[Cell, int]:
    """Return own units in the province and the troops of a diplomacy card: land units, galleys (II-C-91)."""
    cell = put_army((), seat, army_of(table.units[space], seat))
    support = support_of(table, seat, space)
    # By identity: most battles have no card, and this path runs in every search.
    if support is NO_SUPPORT:
        return cell, 0
    # Troops of a card fight under a seat number of their own, so that losses never touch the owner's supply.
    return put_army(cell, ALIENS, support.army), support.galleys


def _open(state: State, frame: Battle, _result: Any, _emit: Emit) -> object:
    """Gather the participants' own forces; a Favorable Wind may end the battle here."""
    attacker, defender, space = frame.attacker, frame.defender, frame.space
    if is_zone(space):
        ours, theirs = support_of(state, attacker, space), support_of(state, defender, space)
        _to(
            state, frame, BattleStage.WIND,
            attack_fleet=galleys_at(state, attacker, space), defence_fleet=galleys_at(state, defender, space),
            attack_extra=ours.galleys, defence_extra=theirs.galleys,
        )  # fmt: skip
        if theirs.slips:
            push(state, Wind, defender, space, attacker)
        return STAY
    defending, defence_extra = join(state, defender, space)
    if attacker == REBELS:
        return _to(state, frame, BattleStage.DEFENDER_COMMITS, defending=defending, defence_extra=defence_extra)
    attacking, attack_extra = join(state, attacker, space)
    return _to(
        state, frame, BattleStage.ATTACKER_COMMITS,
        attacking=attacking, defending=defending, attack_extra=attack_extra, defence_extra=defence_extra,
    )  # fmt: skip


def _wind(state: State, frame: Battle, away: Any, emit: Emit) -> object:
    """End an attack that a Favorable Wind escaped: it is spent (II-C-43, II-D48)."""
    if away:
        emit(events.SlippedAway(frame.defender, frame.space))
        emit(events.BattleEnded(frame.space, NONE, NONE))
        return _to(state, frame, BattleStage.OVER)
    return _to(state, frame, BattleStage.ALLIES)


def _ask_galleys(state: State, frame: Battle, seat: Seat, stage: BattleStage) -> None:
    _to(state, frame, stage)
    if galleys_in(state, seat, SEAS[frame.space]):
        push(state, Commitment, seat, frame.space)


def _attacker_commits(state: State, frame: Battle, _result: Any, _emit: Emit) -> object:
    _ask_galleys(state, frame, frame.attacker, BattleStage.DEFENDER_COMMITS)
    return STAY


def _defender_commits(state: State, frame: Battle, result: Any, _emit: Emit) -> object:
    """Ask for the defender's galleys, after the attacker's (II-BATTLE-02, II-D36)."""
    # No galley nearby, no question: the result is then None.
    frame = replace(frame, attack_fleet=result or ())
    _ask_galleys(state, frame, frame.defender, BattleStage.COMMITTED)
    return STAY


def _committed(state: State, frame: Battle, result: Any, _emit: Emit) -> object:
    """Go on to the allies; against slaves there are none, so the round begins (II-D50)."""
    stage = BattleStage.ROUND if frame.attacker == REBELS else BattleStage.ALLIES
    return _to(state, frame, stage, defence_fleet=result or ())


def patron(table: TableFields, frame: Battle, ally: Seat) -> Seat:
    """Return the participant that `ally` could help; NONE if it takes part itself."""
    if ally in (frame.attacker, frame.defender):
        return NONE
    return frame.attacker if allied(table, ally, frame.attacker) else frame.defender


def lendable(table: TableFields, ally: Seat, space: int) -> tuple[Army, tuple[int, ...]]:
    """Return the units that an ally could lend: in the province, galleys next to it, or those in the zone (II-D46)."""
    if is_zone(space):
        return (0, 0, 0), galleys_at(table, ally, space)
    return army_of(table.units[space], ally), galleys_in(table, ally, SEAS[space])


def _allies(state: State, frame: Battle, _result: Any, _emit: Emit) -> object:
    """Ask each ally once, in the turn order (II-BATTLE-03, II-D36)."""
    # From the place after the ally that answered last: the frame keeps it between questions.
    for place in range(frame.place, len(state.order)):
        ally = state.order[place]
        to = patron(state, frame, ally)
        if to == NONE:
            continue
        army, galleys = lendable(state, ally, frame.space)
        if any(army) or galleys:
            _to(state, frame, BattleStage.LENT, place=place)
            push(state, Aid, ally, to, frame.space)
            return STAY
    return _to(state, frame, BattleStage.ROUND)


def _lent(state: State, frame: Battle, lent: Lend, _emit: Emit) -> object:
    ally = state.order[frame.place]
    army = (lent.infantry, lent.cavalry, lent.catapults)
    lenders = (*frame.lenders, ally) if any(army) or lent.galleys else frame.lenders
    frame = replace(frame, place=frame.place + 1, lenders=lenders)
    if patron(state, frame, ally) == frame.attacker:
        cell = put_army(frame.attacking, ally, army)
        return _to(state, frame, BattleStage.ALLIES, attacking=cell, attack_fleet=frame.attack_fleet + lent.galleys)
    cell = put_army(frame.defending, ally, army)
    return _to(state, frame, BattleStage.ALLIES, defending=cell, defence_fleet=frame.defence_fleet + lent.galleys)


# --- a round ---


def _round(state: State, frame: Battle, _result: Any, emit: Emit) -> object:
    """Begin a round; a side without units does not fight at all (II-D35)."""
    # Only leaders are left to the defender: they must leave without a roll (II-D35).
    if not resisting(frame):
        return _decide(state, frame, emit)
    # A defender in an own city rolls first, and its hits fall before the attacker rolls (II-BATTLE-08).
    city = storming(state, frame)
    _to(state, frame, BattleStage.CITY_ROLLED if city else BattleStage.ATTACKER_ROLLED)
    push(state, Dice, dice(state, frame, frame.defender if city else frame.attacker))
    return STAY


def _hits(state: State, frame: Battle, seat: Seat, faces: tuple[int, ...], emit: Emit) -> int:
    """Return the hits: dice that match a unit, each unit once, never more than the enemy has units (II-BATTLE-06)."""
    if seat == frame.attacker:
        cell, galleys, most = frame.attacking, len(frame.attack_fleet) + frame.attack_extra, defenders(frame)
    else:
        cell, galleys, most = frame.defending, len(frame.defence_fleet) + frame.defence_extra, attackers(frame)
    hits = min(most, land_hits(faces, strength(cell)) + min(galley_hits(faces), galleys))
    emit(DiceFell(seat, frame.space, faces, hits))
    return hits


def _attacker_rolled(state: State, frame: Battle, faces: Any, emit: Emit) -> object:
    hits = _hits(state, frame, frame.attacker, faces, emit)
    _to(state, frame, BattleStage.DEFENDER_ROLLED, hits=(hits, 0))
    push(state, Dice, dice(state, frame, frame.defender))
    return STAY


def _defender_rolled(state: State, frame: Battle, faces: Any, emit: Emit) -> object:
    """Ask for losses of both sides, once both have rolled (II-BATTLE-08)."""
    frame = replace(frame, hits=(frame.hits[0], _hits(state, frame, frame.defender, faces, emit)))
    return _ask_losses(state, frame, False, frame.hits[0], BattleStage.DEFENDER_LOST, emit)


def _defender_lost(state: State, frame: Battle, lost: Any, emit: Emit) -> object:
    frame = remove(state, frame, False, lost, emit)
    return _ask_losses(state, frame, True, frame.hits[1], BattleStage.ATTACKER_LOST, emit)


def _attacker_lost(state: State, frame: Battle, lost: Any, emit: Emit) -> object:
    return _judge(state, remove(state, frame, True, lost, emit), emit)


def _city_rolled(state: State, frame: Battle, faces: Any, emit: Emit) -> object:
    """Ask for the attacker's losses: a defender with a city strikes first (II-BATTLE-08)."""
    hits = _hits(state, frame, frame.defender, faces, emit)
    return _ask_losses(state, frame, True, hits, BattleStage.STORMED, emit)


def _stormed(state: State, frame: Battle, lost: Any, emit: Emit) -> object:
    frame = remove(state, frame, True, lost, emit)
    if not attackers(frame):
        return _judge(state, frame, emit)
    _to(state, frame, BattleStage.STORM_ROLLED)
    push(state, Dice, dice(state, frame, frame.attacker))
    return STAY


def _storm_rolled(state: State, frame: Battle, faces: Any, emit: Emit) -> object:
    hits = _hits(state, frame, frame.attacker, faces, emit)
    return _ask_losses(state, frame, False, hits, BattleStage.CITY_LOST, emit)


def _city_lost(state: State, frame: Battle, lost: Any, emit: Emit) -> object:
    return _judge(state, remove(state, frame, False, lost, emit), emit)


def _ask_losses(state: State, frame: Battle, attacking: bool, hits: int, stage: BattleStage, emit: Emit) -> object:
    """Ask the side that was hit, unless there is nothing to choose."""
    if attacking:
        seat, cell, galleys, extra = frame.attacker, frame.attacking, frame.attack_fleet, frame.attack_extra
    else:
        seat, cell, galleys, extra = frame.defender, frame.defending, frame.defence_fleet, frame.defence_extra
    forced = forced_losses(state, cell, galleys, extra, hits)
    if forced is not None:
        # Called directly: nothing is asked, so there is no frame whose result could come back.
        return STAGES[stage](state, frame, forced, emit)
    _to(state, frame, stage)
    push(state, Casualties, seat, frame.space, cell, galleys, extra, hits)
    return STAY


def _judge(state: State, frame: Battle, emit: Emit) -> object:
    """Judge the battle after the losses: over, another round at sea, or the question of retreat (II-BATTLE-09, -10)."""
    if not attackers(frame) or not resisting(frame):
        return _decide(state, frame, emit)
    if is_zone(frame.space):
        if frame.round < naval_rounds(state):
            return _to(state, frame, BattleStage.ROUND, round=frame.round + 1)
        emit(events.BattleEnded(frame.space, NONE, NONE))
        return _to(state, frame, BattleStage.OVER)
    return _ask_onward(state, frame, frame.defender, BattleStage.DEFENDER_DECIDED, emit)


def _ask_onward(state: State, frame: Battle, seat: Seat, stage: BattleStage, emit: Emit) -> object:
    """Ask a side about retreat; a side with nowhere to go is skipped (II-D42)."""
    if seat == REBELS or not retreat_targets(state, seat, frame.space):
        return STAGES[stage](state, frame, None, emit)
    _to(state, frame, stage)
    push(state, Onward, seat, frame.space)
    return STAY


def _defender_decided(state: State, frame: Battle, result: Any, emit: Emit) -> object:
    if isinstance(result, Retreat):
        return _fled(state, frame, frame.defender, result.to, emit)
    return _ask_onward(state, frame, frame.attacker, BattleStage.ATTACKER_DECIDED, emit)


def _attacker_decided(state: State, frame: Battle, result: Any, emit: Emit) -> object:
    if isinstance(result, Retreat):
        return _fled(state, frame, frame.attacker, result.to, emit)
    return _to(state, frame, BattleStage.ROUND, round=frame.round + 1)


def _fled(state: State, frame: Battle, seat: Seat, to: int, emit: Emit) -> object:
    winner = frame.attacker if seat == frame.defender else frame.defender
    # Before the retreat: afterwards the city would count as vacant and go to others (II-C-92).
    _take_city(state, frame, winner, emit)
    retreat(state, seat, frame.space, to, emit)
    _end(state, frame, winner, seat, emit)
    return _to(state, frame, BattleStage.OVER)


# --- the end ---


def _decide(state: State, frame: Battle, emit: Emit) -> object:
    """Decide the battle when a side has no units left; the attacker loses if neither has (II-BATTLE-10, II-D41)."""
    # If both sides have fallen, the attack has failed and the defender wins (II-D41).
    if attackers(frame):
        _take_city(state, frame, frame.attacker, emit)
        _end(state, frame, frame.attacker, frame.defender, emit)
    else:
        _end(state, frame, frame.defender, frame.attacker, emit)
    return _to(state, frame, BattleStage.ATTACKER_LEAVES)


def _take_city(state: State, frame: Battle, winner: Seat, emit: Emit) -> None:
    """Give the city to an attacker who beats the owner, before it could count as vacant (II-C-92)."""
    if winner == frame.attacker != REBELS and storming(state, frame):
        give_city(state, winner, frame.space, emit)


def _end(state: State, frame: Battle, winner: Seat, loser: Seat, emit: Emit) -> None:
    """End the battle, with chaos for the loser (II-CHAOS-01)."""
    emit(events.BattleEnded(frame.space, winner, loser))
    if loser != REBELS:
        add_chaos(state, loser, battle_chaos(state))


def _attacker_leaves(state: State, frame: Battle, _result: Any, _emit: Emit) -> object:
    return _leave(state, frame, frame.attacker, attackers(frame), BattleStage.DEFENDER_LEAVES)


def _defender_leaves(state: State, frame: Battle, _result: Any, _emit: Emit) -> object:
    """Let the defender's leaders leave; those that can go nowhere are not attacked again (II-D35)."""
    if not is_zone(frame.space) and not escapes(state, frame.space):
        # Without this a Caesar on an island could be attacked again and again for chaos (II-D35).
        spare(state, leaders_at(state, frame.defender, frame.space))
    return _leave(state, frame, frame.defender, resisting(frame), BattleStage.OVER)


def _leave(state: State, frame: Battle, seat: Seat, units: int, stage: BattleStage) -> object:
    """Let leaders without units leave if there is a province to go to (II-RETREAT-02, II-D43)."""
    _to(state, frame, stage)
    if units or seat == REBELS or is_zone(frame.space):
        return STAY
    if led(state, seat, frame.space) and escapes(state, frame.space):
        push(state, Withdrawal, seat, frame.space)
    return STAY


def _over(state: State, frame: Battle, _result: Any, emit: Emit) -> object:
    """End the frame; its result is the slaves that are left, in a revolt."""
    if not is_zone(frame.space):
        abandon_city(state, frame.space, emit)
    # The revolt below needs the number of slaves that are left for the next victim.
    return army_of(frame.attacking, REBELS)[0] if frame.attacker == REBELS else True


STAGES: dict[BattleStage, Part] = {
    BattleStage.OPEN: _open,
    BattleStage.WIND: _wind,
    BattleStage.ATTACKER_COMMITS: _attacker_commits,
    BattleStage.DEFENDER_COMMITS: _defender_commits,
    BattleStage.COMMITTED: _committed,
    BattleStage.ALLIES: _allies,
    BattleStage.LENT: _lent,
    BattleStage.ROUND: _round,
    BattleStage.ATTACKER_ROLLED: _attacker_rolled,
    BattleStage.DEFENDER_ROLLED: _defender_rolled,
    BattleStage.DEFENDER_LOST: _defender_lost,
    BattleStage.ATTACKER_LOST: _attacker_lost,
    BattleStage.CITY_ROLLED: _city_rolled,
    BattleStage.STORMED: _stormed,
    BattleStage.STORM_ROLLED: _storm_rolled,
    BattleStage.CITY_LOST: _city_lost,
    BattleStage.DEFENDER_DECIDED: _defender_decided,
    BattleStage.ATTACKER_DECIDED: _attacker_decided,
    BattleStage.ATTACKER_LEAVES: _attacker_leaves,
    BattleStage.DEFENDER_LEAVES: _defender_leaves,
    BattleStage.OVER: _over,
}
"""A battle in the order of the rulebook."""


def _battle_resume(state: State, frame: Battle, result: object, emit: Emit) -> object:
    return STAGES[frame.stage](state, frame, result, emit)


BATTLE: Handler[TableFields, State] = automatic(_battle_resume)


def _resume(state: State, frame: Revolt, result: Any, emit: Emit) -> object:
    """Fight the armies one after the other until no slave or no army is left; then the slaves vanish (II-C-95,
    II-D50).
    """
    slaves = frame.slaves if result is None else result
    # Asked anew before each battle: lent units or retreats may have emptied the province.
    waiting = [seat for seat in frame.victims if has_army(state.units[frame.space], seat)]
    if not slaves or not waiting:
        emit(RevoltEnded(frame.space, slaves))
        return DONE
    replace_top(state, Revolt(frame.no, frame.space, slaves, tuple(waiting[1:])))
    emit(BattleBegan(frame.space, REBELS, waiting[0]))
    push(state, Battle, frame.space, REBELS, waiting[0], 1, BattleStage.OPEN, 0, (REBELS, slaves, 0, 0))
    return STAY


REVOLT: Handler[TableFields, State] = automatic(_resume)

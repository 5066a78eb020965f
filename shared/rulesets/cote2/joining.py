"""Before a battle: declaring it, galleys and allies that join in, and escape by a wind."""

from shared.board import BOARD
from shared.ids import NONE, Leader, Seat, Space
from shared.kernel.chance import raise_broken_rules
from shared.kernel.frames import Action, Emit, Handler, always, push
from shared.language.sentence import _, pgettext
from shared.mechanics.armies import has_army, within
from shared.mechanics.pieces import some_of
from shared.refusal import Refusal
from shared.rulesets.cote2 import events
from shared.rulesets.cote2.actions import Attack, Commit, Lend, Sail, Slip
from shared.rulesets.cote2.combat_phase import lendable
from shared.rulesets.cote2.data import SEAS
from shared.rulesets.cote2.frames import Aid, Battle, Commitment, Turn, Wind
from shared.rulesets.cote2.movement import sample
from shared.rulesets.cote2.property import present, spare
from shared.rulesets.cote2.state import (
    GALLEYS,
    LEADERS,
    OFF,
    State,
    TableFields,
    allied,
    galleys_at,
    galleys_in,
    is_province,
    is_seat,
    is_zone,
    leaders_at,
)
from shared.vocabulary.events import BattleBegan
from shared.vocabulary.frames import seat_owes

ZONES = list(range(BOARD.provinces, BOARD.spaces))

# --- declaring a land battle ---


def exposed(table: TableFields, seat: Seat, space: Space) -> tuple[Leader, ...]:
    """Return the leaders of `seat` in a province in which it has no troops."""
    return () if has_army(table.units[space], seat) else leaders_at(table, seat, space)


def spent(table: TableFields, frame: Turn, enemy: Seat, space: Space) -> bool:
    """Whether `enemy` has only leaders there that were attacked in this turn already (II-D35)."""
    alone = exposed(table, enemy, space)
    return bool(alone) and set(alone) <= set(frame.spared)


def attack_check(table: TableFields, frame: Turn, seat: Seat, action: Attack) -> Refusal | None:
    """Check an attack (II-BATTLE-01, II-D34, II-D35)."""
    space, enemy = action.space, action.enemy
    if not is_province(space) or not is_seat(table, enemy):
        return Refusal("no-battle", "II-BATTLE-01", "Name a province and a player.")
    if allied(table, seat, enemy):
        return Refusal("ally", "II-BATTLE-01", "Allies do not fight each other.")
    if not has_army(table.units[space], seat):
        text = _("You have no infantry, cavalry or catapult in {place}.", place=BOARD.names[space])
        return Refusal("no-army", "II-D34", text)
    if not present(table, enemy, space):
        return Refusal(
            "no-enemy", "II-BATTLE-01", _("That player has no land units in {place}.", place=BOARD.names[space])
        )
    if spent(table, frame, enemy, space):
        text = _(
            "The leaders in {place} have no troops and were attacked in this turn already.", place=BOARD.names[space]
        )
        return Refusal("attacked-already", "II-D35", text)
    return None


def attack_apply(state: State, seat: Seat, action: Attack, emit: Emit) -> None:
    """Begin the battle."""
    # Noted at the attack, not at its end: leaders that leave may be met again elsewhere in this turn (II-D35).
    spare(state, exposed(state, action.enemy, action.space))
    emit(BattleBegan(action.space, seat, action.enemy))
    push(state, Battle, action.space, seat, action.enemy)


def attack_options(table: TableFields, frame: Turn, seat: Seat) -> list[Action]:
    """Return every battle that can be fought."""
    found: list[Action] = []
    # As `has_army`, but quick where a single army stands, which is nearly everywhere.
    held = [
        (space, cell[::4])
        for space, cell in enumerate(table.units)
        if cell and (cell[0] == seat or (len(cell) > 4 and seat in cell[4::4]))
    ]
    if not held:
        return found
    for enemy in range(table.seats):
        if not allied(table, seat, enemy):
            led = table.leader_at[enemy * LEADERS : (enemy + 1) * LEADERS]
            for space, armed in held:
                here = enemy in armed or space in led  # As `present`, but without a call.
                if here and not (frame.spared and spent(table, frame, enemy, space)):
                    found.append(Attack(space, enemy))
    return found


# --- galleys ---


def sail_check(table: TableFields, _frame: Turn, seat: Seat, action: Sail) -> Refusal | None:
    """Check a sail (II-NAVAL-01, II-NAVAL-02)."""
    if action.galleys:
        refusal = _check_course(table, seat, action)
        if refusal is not None:
            return refusal
    elif action.enemy == NONE:
        return Refusal("nothing-moves", "II-NAVAL-01", "No galley would move, and none would fight.")
    if action.enemy == NONE:
        return None
    if not is_zone(action.zone) or not is_seat(table, action.enemy):
        return Refusal("no-battle", "II-NAVAL-02", "Name a sea zone and a player.")
    if allied(table, seat, action.enemy):
        return Refusal("ally", "II-NAVAL-02", "Allies do not fight each other.")
    if not galleys_at(table, action.enemy, action.zone):
        text = _("That player has no galleys in {place}.", place=BOARD.names[action.zone])
        return Refusal("no-enemy", "II-NAVAL-02", text)
    # A galley that sails away in this action cannot fight in the zone that it left.
    stay = set(galleys_at(table, seat, action.zone)) - set(action.galleys)
    if not stay and not (action.galleys and action.to == action.zone):
        text = _("No galley of yours would be in {place}.", place=BOARD.names[action.zone])
        return Refusal("no-galley", "II-NAVAL-02", text)
    return None


def _check_course(table: TableFields, seat: Seat, action: Sail) -> Refusal | None:
    if not is_zone(action.to):
        return Refusal("no-such-zone", "II-NAVAL-01", "Galleys sail to one sea zone.")
    if len(set(action.galleys)) != len(action.galleys):
        return Refusal("galley-twice", "II-NAVAL-01", "A galley was named twice.")
    for galley in action.galleys:
        if galley // GALLEYS != seat or table.galley_at[galley] == OFF:
            return Refusal("no-such-galley", "II-NAVAL-01", "That galley is not yours or not on the board.")
        if table.galley_at[galley] == action.to:
            return Refusal("nothing-moves", "II-NAVAL-01", "That galley is there already.")
    return None


def sail_apply(state: State, seat: Seat, action: Sail, emit: Emit) -> None:
    """Carry out the move, then the battle."""
    for galley in action.galleys:
        state.galley_at[galley] = action.to
    if action.galleys:
        emit(events.Sailed(seat, action.galleys, action.to))
    if action.enemy != NONE:
        emit(BattleBegan(action.zone, seat, action.enemy))
        push(state, Battle, action.zone, seat, action.enemy)


def sail_options(table: TableFields, frame: Turn, seat: Seat) -> list[Action]:
    """Return moves of all galleys of a zone to another zone, of one galley, and every battle with all of them."""
    found: list[Action] = []
    first = seat * GALLEYS
    here = table.galley_at[first : first + GALLEYS]
    own = tuple([first + k for k, at in enumerate(here) if at != OFF])
    if not own:
        return found
    for to in sample(ZONES, frame.no + frame.left, 4):
        # The list is filtered only where it matters: most zones hold no own galley.
        able = own if to not in here else tuple([g for g in own if table.galley_at[g] != to])
        if able:
            found.append(Sail(to, able))
            if len(able) > 1:
                found.append(Sail(to, able[:1]))
    battles: list[tuple[Space, Seat]] = []
    for enemy in range(table.seats):
        if not allied(table, seat, enemy):
            battles += [(zone, enemy) for zone in {*table.galley_at[enemy * GALLEYS : (enemy + 1) * GALLEYS]} - {OFF}]
    for zone, enemy in sorted(battles):
        able = own if zone not in here else tuple([g for g in own if table.galley_at[g] != zone])
        if able:
            found.append(Sail(zone, able, zone, enemy))
        if zone in here:
            found.append(Sail(NONE, (), zone, enemy))
    return found


# --- the wind ---


def _wind_options(_table: TableFields, _frame: Wind, _seat: Seat) -> list[Action]:
    return [Slip(True), Slip(False)]


def _wind_check(_table: TableFields, _frame: Wind, _seat: Seat, action: Action) -> Refusal | None:
    if isinstance(action, Slip):
        return None
    return Refusal("wrong-action", "II-C-43", "Say first whether your galleys slip away.")


def _wind_apply(_state: State, _frame: Wind, _seat: Seat, action: Slip, _emit: Emit) -> object:
    return action.away


# --- the participants' galleys ---


def _commit_options(table: TableFields, frame: Commitment, seat: Seat) -> list[Action]:
    able = galleys_in(table, seat, SEAS[frame.space])
    single: list[Action] = [Commit((galley,)) for galley in able] if len(able) > 1 else []
    return [Commit(()), *single, Commit(able)]


def _commit_check(table: TableFields, frame: Commitment, seat: Seat, action: Action) -> Refusal | None:
    if not isinstance(action, Commit):
        return Refusal("wrong-action", "II-BATTLE-02", "Say first which galleys join the battle.")
    return _check_galleys(action.galleys, galleys_in(table, seat, SEAS[frame.space]), frame.space, "II-BATTLE-02")


def _check_galleys(chosen: tuple[int, ...], able: tuple[int, ...], space: Space, rule: str) -> Refusal | None:
    if some_of(chosen, able):
        return None
    where = pgettext("galleys", "in") if is_zone(space) else pgettext("galleys", "next to")
    return Refusal(
        "no-such-galley",
        rule,
        _("Only galleys of yours {where} {place} can join the battle.", where=where, place=BOARD.names[space]),
    )


def _commit_apply(_state: State, frame: Commitment, seat: Seat, action: Commit, emit: Emit) -> object:
    if action.galleys:
        emit(events.Committed(seat, frame.space, action.galleys))
    return action.galleys


def _commit_default(table: TableFields, frame: Commitment, seat: Seat) -> Action:
    return Commit(())


# --- allies ---


def _aid_options(table: TableFields, frame: Aid, seat: Seat) -> list[Action]:
    army, galleys = lendable(table, seat, frame.space)
    found: list[Action] = [Lend(), Lend(*army, galleys)]
    if galleys and any(army):
        found += [Lend(*army), Lend(galleys=galleys)]
    if army[0] > 1:
        found.append(Lend(1))
    return found


def _aid_check(table: TableFields, frame: Aid, seat: Seat, action: Action) -> Refusal | None:
    if not isinstance(action, Lend):
        return Refusal("wrong-action", "II-BATTLE-03", "Say first what you lend to your ally.")
    army, galleys = lendable(table, seat, frame.space)
    if not within((action.infantry, action.cavalry, action.catapults), army):
        return Refusal("not-so-many", "II-BATTLE-03", "You do not have that many units in the battle's province.")
    return _check_galleys(action.galleys, galleys, frame.space, "II-D46" if is_zone(frame.space) else "II-BATTLE-03")


def _aid_apply(_state: State, frame: Aid, seat: Seat, action: Lend, emit: Emit) -> object:
    army = (action.infantry, action.cavalry, action.catapults)
    if any(army) or action.galleys:
        emit(events.Lent(seat, frame.to, frame.space, army, action.galleys))
    return action


WIND: Handler[TableFields, State] = Handler(
    seat_owes, _wind_options, _wind_check, _wind_apply, always(Slip(True)), raise_broken_rules
)
COMMITMENT: Handler[TableFields, State] = Handler(
    seat_owes, _commit_options, _commit_check, _commit_apply, _commit_default, raise_broken_rules
)
AID: Handler[TableFields, State] = Handler(
    seat_owes, _aid_options, _aid_check, _aid_apply, always(Lend()), raise_broken_rules
)

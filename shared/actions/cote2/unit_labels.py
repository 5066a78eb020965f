"""Labels of the actions that move, recruit, lend and lose units."""

from collections.abc import Sequence

from shared.actions.cote2 import groups
from shared.actions.description import Label, only
from shared.board import BOARD
from shared.ids import NO_ARMY, NONE, Army, Leader, Seat, Space
from shared.language.sentence import Person, Sentence, Value, _, and_list, listing, pattern
from shared.mechanics.armies import army_words, plus, total
from shared.rulesets.cote2.actions import Commit, Deploy, Lend, Lose, Move, Recruit, Sail
from shared.rulesets.cote2.combat_phase import lendable
from shared.rulesets.cote2.economy import price_of
from shared.rulesets.cote2.frames import Aid, Casualties, Commitment
from shared.rulesets.cote2.state import ALIENS, GALLEYS, LEADERS, TableFields
from shared.rulesets.cote2.ways import reach
from shared.sentences.common import force_words, galleys_words
from shared.sentences.cote2 import called, counted, price_words, recruits_words

Force = tuple[Army, tuple[Leader, ...]]


def _others(spaces: Sequence[Space]) -> tuple[Space, ...]:
    """Return spaces as the further places of a label: none if the only one stands in `to`."""
    return tuple(spaces) if len(spaces) > 1 else ()


# --- on land ---


def label_deploy(_table: TableFields, seat: Seat, action: Deploy) -> Label:
    """Return the label of a placement of the starting units."""
    forces: dict[Space, Force] = {}
    for space, *army in action.armies:
        _join(forces, space, army, ())
    _join(forces, action.caesar, NO_ARMY, (seat * LEADERS,))
    _join(forces, action.general, NO_ARMY, (seat * LEADERS + 1,))
    parts: list[Value] = [
        _("{force} in {place}", force=_force(force), place=BOARD.names[space])
        for space, force in sorted(forces.items())
        if any(force[0]) or force[1]
    ]
    if action.galley != NONE:
        parts.append(_("{galleys} in {zone}", galleys=galleys_words(1), zone=BOARD.names[action.galley]))
    spaces = sorted(forces)
    text = _("Place {units}", units=listing(parts, "; "))
    return Label(text, groups.DEPLOYMENT, to=only(spaces), places=_others(spaces))


def _join(forces: dict[Space, Force], space: Space, army: Sequence[int], leaders: tuple[Leader, ...]) -> None:
    there, led_there = forces.get(space, (NO_ARMY, ()))
    forces[space] = plus(there, army), led_there + leaders


def _force(force: Force) -> Value:
    army, leaders = force
    return force_words(leaders, army, LEADERS)


def label_move(table: TableFields, seat: Seat, action: Move) -> Label:
    """Return the label of a move."""
    forces: dict[Space, Force] = {}
    for to, *army in action.armies:
        if any(army):
            _join(forces, to, army, ())
    for leader, to in action.leaders:
        _join(forces, to, NO_ARMY, (leader,))
    spaces = sorted(forces)
    by_land = reach(table, seat, action.source)
    text = (
        _move_to(action.source, spaces[0], forces[spaces[0]], spaces[0] in by_land)
        if len(spaces) == 1
        else _move_apart(action.source, forces)
    )
    piece = only([leader for leader, _to in action.leaders])
    return Label(text, groups.MOVE, action.source, only(spaces), piece, _others(spaces))


def _move_to(source: Space, to: Space, force: Force, by_land: bool) -> Sentence:
    named: dict[str, Value] = {"force": _force(force), "source": BOARD.names[source], "to": BOARD.names[to]}
    if by_land:
        return _("Move {force} from {source} to {to}", **named)
    return _("Move {force} by sea from {source} to {to}", **named)


def _move_apart(source: Space, forces: dict[Space, Force]) -> Sentence:
    parts = [_("{force} to {to}", force=_force(force), to=BOARD.names[to]) for to, force in sorted(forces.items())]
    return _("Move from {source}: {forces}", source=BOARD.names[source], forces=listing(parts, "; "))


def label_recruit(table: TableFields, _seat: Seat, action: Recruit) -> Label:
    """Return the label of a recruitment, with its price."""
    units, price = recruits_words(action.armies, action.fleets), price_words(price_of(table, action))
    spaces = sorted({group[0] for group in (*action.armies, *action.fleets) if any(group[1:])})
    text = _("Recruit {units}{price}", units=units, price=price)
    return Label(text, groups.RECRUIT, to=only(spaces), places=_others(spaces))


# --- galleys ---


def label_sail(table: TableFields, seat: Seat, action: Sail) -> Label:
    """Return the label of a voyage, or of an attack at sea without one."""
    if not action.galleys:
        text = _("Attack {who} on {zone}", who=Person(action.enemy), zone=BOARD.names[action.zone])
        return Label(text, groups.ATTACK, to=action.zone)
    zones = _zones(table, action.galleys)
    attacked = (action.zone,) if action.enemy != NONE and action.zone != action.to else ()
    places = (*_others(zones), *attacked)
    return Label(_sail_words(table, action), groups.SAIL, only(zones), action.to, only(action.galleys), places)


def _sail_words(table: TableFields, action: Sail) -> Sentence:
    named: dict[str, Value] = {"galleys": fleet_words(table, action.galleys), "to": BOARD.names[action.to]}
    if action.enemy == NONE:
        return _("Send {galleys} to {to}", **named)
    who = Person(action.enemy)
    if action.zone == action.to:
        return _("Send {galleys} to {to}, and attack {who} there", **named, who=who)
    zone = BOARD.names[action.zone]
    return _("Send {galleys} to {to}, and attack {who} on {zone}", **named, who=who, zone=zone)


def _zones(table: TableFields, galleys: Sequence[int]) -> list[Space]:
    return sorted({table.galley_at[galley] for galley in galleys})


def fleet_words(table: TableFields, galleys: Sequence[int]) -> Sentence:
    """Return galleys with the zones in which they lie: ``"3 galleys from Mare Aegaeum (2) and Mare Internum"``."""
    names = [BOARD.names[table.galley_at[galley]] for galley in galleys]
    zones = names[0] if len(set(names)) == 1 else counted(names)
    return _("{galleys} from {zones}", galleys=galleys_words(len(galleys)), zones=zones)


def _fleet_among(table: TableFields, galleys: Sequence[int], among: Sequence[int]) -> Sentence:
    """Return galleys in words, with their zones if those they are chosen from lie in several."""
    if len(_zones(table, among)) > 1:
        return fleet_words(table, galleys)
    return galleys_words(len(galleys))


# --- in battle ---


def label_commit(table: TableFields, _seat: Seat, action: Commit) -> Label:
    """Return the label of bringing galleys into a land battle."""
    frame = table.frames[-1]
    to = frame.space if isinstance(frame, Commitment) else NONE
    if not action.galleys:
        return Label(_("Bring no galleys into the battle"), groups.BATTLE, to=to)
    text = _("Bring {galleys} into the battle", galleys=fleet_words(table, action.galleys))
    zones = _zones(table, action.galleys)
    return Label(text, groups.BATTLE, only(zones), to, only(action.galleys), _others(zones))


def label_lend(table: TableFields, seat: Seat, action: Lend) -> Label:
    """Return the label of lending units to an ally."""
    frame = table.frames[-1]
    to = frame.space if isinstance(frame, Aid) else NONE
    army = action.infantry, action.cavalry, action.catapults
    parts: list[Value] = [army_words(army)] if total(army) else []
    if action.galleys:
        _army, among = lendable(table, seat, to)
        parts.append(_fleet_among(table, action.galleys, among))
    who = Person(frame.to if isinstance(frame, Aid) else NONE)
    text = _("Lend {who} {units}", who=who, units=and_list(parts)) if parts else _("Lend {who} nothing", who=who)
    return Label(text, groups.BATTLE, to=to, piece=only(action.galleys), places=_others(_zones(table, action.galleys)))


def label_lose(table: TableFields, seat: Seat, action: Lose) -> Label:
    """Return the label of a choice of losses."""
    frame = table.frames[-1]
    among, to = (frame.galleys, frame.space) if isinstance(frame, Casualties) else (action.galleys, NONE)
    parts = [_of(owner, seat, army_words(army)) for owner, *army in sorted(action.armies) if any(army)]
    for owner in sorted({galley // GALLEYS for galley in action.galleys}):
        fleet = [galley for galley in action.galleys if galley // GALLEYS == owner]
        parts.append(_of(owner, seat, _fleet_among(table, fleet, among)))
    if action.extra:
        parts.append(_of(ALIENS, seat, galleys_words(action.extra)))
    text = _("Lose {units}", units=listing(parts, "; "))
    return Label(text, groups.BATTLE, to=to, piece=only(action.galleys))


def _of(owner: Seat, seat: Seat, units: Value) -> Value:
    """Return units, with the name of their owner if that is another."""
    return units if owner == seat else pattern("{who}: {force}", who=called(owner), force=units)

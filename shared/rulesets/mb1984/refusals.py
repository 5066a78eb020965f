"""Refusals of moves that several rules could forbid: each names the rule that does."""

from collections.abc import Mapping
from typing import Final

from shared.board import BOARD
from shared.ids import Army, Leader, Seat, Space
from shared.language.sentence import _
from shared.mechanics.armies import army_of, within
from shared.mechanics.building import own_cities
from shared.mechanics.homes import home_provinces
from shared.mechanics.marching import Ready
from shared.mechanics.pieces import AT_SEA
from shared.refusal import Refusal
from shared.rulesets.conquest.pieces import POINTS
from shared.rulesets.mb1984.contact import combat_situation, fleets, hostile_zone, troops
from shared.rulesets.mb1984.options import ARABIA, OPTIONS
from shared.rulesets.mb1984.table import RELEASED, TableFields

NARROWS: Final[Mapping[tuple[Space, ...], str]] = {
    tuple(sorted(home_provinces(*pair))): rule
    for pair, rule in (
        (("thracia", "asia"), "MB-MAP-03"),
        (("sicilia", "neapolis"), "MB-MAP-03"),
        (("baetica", "tingitana"), "MB-MAP-03"),
        (("sardinia", "corsica"), "MB-SEA-12"),
        (("belgica", "britannia"), "MB-MAP-02"),
    )
}
"""Provinces that are close, with only water between them; the rule that keeps them apart."""
DISPUTED: Final = frozenset((*sorted(ends),) for key, *ends in BOARD.disputed if key == OPTIONS[ARABIA].key)


def narrows(a: Space, b: Space) -> str:
    """Return the rule that keeps two provinces apart which are close, over water; empty for others."""
    return NARROWS.get(tuple(sorted((a, b))), "")


def apart(table: TableFields, seat: Seat, source: Space, to: Space) -> Refusal:
    """Refuse a march between provinces that no march joins."""
    here, there = BOARD.names[source], BOARD.names[to]
    rule = narrows(source, to)
    if rule:
        text = _(
            "No strait is crossed on foot in this game: from {place} to {to} a legion takes a galley.",
            place=here,
            to=there,
        )
        return Refusal("closed-strait", rule, text)
    if tuple(sorted((source, to))) in DISPUTED:
        return Refusal(
            "not-adjacent", "MB-D51", _("At this table {place} and {to} are no neighbours.", place=here, to=there)
        )
    if {source, to} <= {*own_cities(table, seat)}:
        return Refusal("no-road", "MB-ROAD-03", _("No roads of yours join {place} and {to}.", place=here, to=there))
    return Refusal("not-adjacent", "MB-MAP-02", _("{to} is not next to {place}.", to=there, place=here))


def leaders_without_units(table: TableFields, seat: Seat, space: Space) -> Refusal:
    """Refuse leaders without units that would go to enemy units (MB-D02)."""
    text = _(
        "{enemies} are in {place}; leaders alone cannot attack.",
        enemies=troops(table, seat, space),
        place=BOARD.names[space],
    )
    return Refusal("leaders-alone", "MB-D02", text)


def halted(table: TableFields, seat: Seat, leader: Leader) -> Refusal | None:
    """Return the reason why a leader does not march any further; None if it can."""
    used, at = table.leader_used[leader], table.leader_at[leader]
    if used < POINTS:
        return None
    if used == AT_SEA:
        return Refusal("went-by-sea", "MB-SEA-06", "A leader that went aboard or ashore this turn does not march.")
    if used == RELEASED:
        return Refusal("released", "MB-GEN-04", "A general who was set free moves from his owner's next turn on.")
    if combat_situation(table, seat, at, False):
        return in_contact(table, seat, at)
    return Refusal("no-points", "MB-LEAD-04", "That leader cannot move any further this turn.")


def in_contact(table: TableFields, seat: Seat, space: Space) -> Refusal:
    """Refuse a march of pieces that met the enemy: they must stay (MB-MOVE-05, MB-D07)."""
    text = _(
        "{enemies} are in {place}: pieces that met them stay for the turn.",
        enemies=troops(table, seat, space),
        place=BOARD.names[space],
    )
    return Refusal("in-contact", "MB-MOVE-05", text)


def becalmed(table: TableFields, seat: Seat, at: int, to: int) -> Refusal:
    """Refuse a sail of a galley without a movement left (MB-SEA-01, MB-SEA-03, MB-D13)."""
    if BOARD.is_sea(at) and hostile_zone(table, seat, at):
        text = _(
            "{enemies} are in {place}: the galley that met them stays and fights.",
            enemies=fleets(table, seat, at),
            place=BOARD.names[at],
        )
        return Refusal("in-contact", "MB-D13", text)
    if BOARD.is_sea(at) and to in BOARD.landings[at]:
        return Refusal("no-points", "MB-SEA-03", "That galley has no movement left to land this turn.")
    return Refusal("no-points", "MB-SEA-01", "That galley cannot move any further this turn.")


def not_aboard(table: TableFields, seat: Seat, leader: Leader) -> Refusal:
    """Refuse a leader in a province that cannot go aboard."""
    if table.leader_used[leader] == RELEASED:
        return halted(table, seat, leader) or _marched()
    if combat_situation(table, seat, table.leader_at[leader], False):
        return in_contact(table, seat, table.leader_at[leader])
    return _marched()


def _marched() -> Refusal:
    return Refusal("marched", "MB-SEA-06", "Units and leaders that moved this turn cannot go aboard.")


def not_embarked(table: TableFields, seat: Seat, space: Space, units: Army) -> Refusal:
    """Refuse so many units that cannot go aboard from a province."""
    if not within(units, army_of(table.units[space], seat)):
        return Refusal(
            "not-so-many", "MB-SEA-04", _("You do not have that many units in {place}.", place=BOARD.names[space])
        )
    if combat_situation(table, seat, space, True):
        return in_contact(table, seat, space)
    return _marched()


def not_so_many(table: TableFields, seat: Seat, space: Space, units: Army, ready: Ready) -> Refusal:
    """Refuse so many units that cannot march: they are not there, or met the enemy, or came by sea, or marched."""
    name = BOARD.names[space]
    here, landed = army_of(table.units[space], seat), table.landed[space]
    if not within(units, here):
        return Refusal("not-so-many", "MB-MOVE-02", _("You do not have that many units in {place}.", place=name))
    if combat_situation(table, seat, space, True):
        return in_contact(table, seat, space)
    infantry, fresh, catapults, worn = ready
    if landed and within(units, (infantry + landed[0], fresh + worn + landed[1], catapults + landed[2])):
        return Refusal("went-by-sea", "MB-SEA-06", "Units that came ashore this turn do not march.")
    if units[0] <= infantry and units[2] <= catapults:
        text = _(
            "Of the horsemen in {place}, those with two movements left: {fresh}; with one: {tired}.",
            place=name,
            fresh=fresh,
            tired=worn,
        )
        return Refusal("not-so-many", "MB-MOVE-03", text)
    return Refusal("not-so-many", "MB-MOVE-02", _("Not enough units in {place} can still march.", place=name))

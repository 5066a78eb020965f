"""A battle of the second game, read from the position: sides with helpers, dice, pending decisions; and its odds."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from client.language import _, say
from client.table.odds_description import LEADERS, RETREAT, SHIPS, TRAINING, UNITS, WALLS, BattleOdds, Count
from shared.ids import NONE, Army, Leader, Seat, Space
from shared.kernel.frames import Event, Frame
from shared.mechanics.armies import Cell, army_of, with_army, without_army
from shared.odds import cote2
from shared.rulesets.cote2 import events as e
from shared.rulesets.cote2 import frames as f
from shared.rulesets.cote2.combat_phase import dice
from shared.rulesets.cote2.effects import support_of
from shared.rulesets.cote2.options import city_worth, land_dice_each, naval_rounds
from shared.rulesets.cote2.state import ALIENS, GALLEYS, REBELS, TableFields, allied, is_zone, leaders_at
from shared.sentences.cote2 import losses_words
from shared.vocabulary.events import Fell
from shared.vocabulary.frames import Onward


def _could_fight(table: TableFields, one: Seat, other: Seat) -> bool:
    """Whether the two seats are not allied."""
    return not allied(table, one, other)


_LED: Final = Count(LEADERS, "general_{}", _("leader"), 1, _("A leader brings one more die"))
_CITY: Final = Count(
    WALLS, "city", _("city"), 1, _("In their own city the defender has one more die, and strikes first"), (1,)
)
_ARMY: Final = Count(TRAINING, "die_infantry", _("training"), 5, _("Army Training: one more die each"))
_NAVY: Final = Count(TRAINING, "die_galley", _("training"), 3, _("Naval Training: one more die each"))

BATTLE_ODDS: Final[BattleOdds[TableFields]] = BattleOdds(
    foes=_could_fight,
    odds=cote2.odds,
    present=cote2.present,
    standing=cote2.standing,
    question=cote2.question,
    land=(*UNITS, SHIPS, _LED, _ARMY, _CITY, RETREAT),
    sea=(SHIPS, _NAVY),
    walls=city_worth,
    groups=(_("Own"), _("Lent"), _("Of cards")),
    policy=_(
        "Counted as if both lost units of cards first, then what allies lent, then their own, each time infantry, "
        "cavalry, catapults and at last galleys, and fought on while they have more units than they retreat at. An "
        "attack that is put together is counted with all galleys beside it, and without allies."
    ),
)


class Band(Struct, frozen=True):
    """Units of one owner on one side."""

    owner: Seat
    army: Army
    galleys: int


class Side(Struct, frozen=True):
    """Side of a battle.

    `units`: by owner, as in `TableFields.units`. `fleet`: its own galleys and lent ones; `extra`: galleys of a
    diplomacy card. `dice`: the number from each source. `status`: the side's decision or what it awaits. `asked`: the
    seat that must answer, or NONE.
    """

    seat: Seat
    leaders: tuple[Leader, ...]
    units: Cell
    fleet: tuple[int, ...]
    extra: int
    dice: tuple[tuple[str, int], ...]
    asked: Seat = NONE
    status: str = ""

    @property
    def owners(self) -> list[Seat]:
        """Owners of the side's units: the seat itself first, then lenders and the diplomacy card."""
        return sorted({*self.units[::4], *self._ships()}, key=lambda owner: (owner != self.seat, owner))

    def bands(self) -> list[Band]:
        """Return the side's units by owner."""
        return [Band(owner, army_of(self.units, owner), self._ships().count(owner)) for owner in self.owners]

    def _ships(self) -> list[Seat]:
        """Return the owner of each of the side's galleys."""
        return [galley // GALLEYS for galley in self.fleet] + [ALIENS] * self.extra

    def count(self, arm: int) -> int:
        """Return the number of infantry (0), cavalry (1) or catapults (2) of all owners."""
        return sum(self.units[1 + arm :: 4])

    @property
    def galleys(self) -> int:
        """Number of galleys of all owners."""
        return len(self.fleet) + self.extra

    @property
    def rolls(self) -> int:
        """Number of dice that the side rolls."""
        return sum(number for _why, number in self.dice)


class Fight(Struct, frozen=True):
    """State of a battle.

    `gathering`: decisions on galleys and allies are still open. `rounds`: the most rounds of a battle at sea.
    """

    space: Space
    round: int
    attacker: Side
    defender: Side
    gathering: bool
    built: int = 0
    rounds: int = 0

    @property
    def naval(self) -> bool:
        """Whether the battle is fought at sea."""
        return is_zone(self.space)

    def in_round(self, number: int) -> "Fight":
        """Return a copy of the battle in another round."""
        return replace(self, round=number)

    def side(self, seat: Seat) -> Side:
        """Return the side of a participant."""
        return self.attacker if seat == self.attacker.seat else self.defender


def read(table: TableFields) -> Fight | None:
    """Return the current battle, or None. A battle is over once only its leaders have still to leave."""
    for i in range(len(table.frames) - 1, -1, -1):
        frame = table.frames[i]
        if isinstance(frame, f.Battle):
            return _fight(table, frame, table.frames[i + 1 :]) if not frame.stage.fought else None
    return None


def _fight(table: TableFields, frame: f.Battle, above: Sequence[Frame]) -> Fight:
    attacker = Side(
        frame.attacker,
        _leaders(table, frame.attacker, frame.space),
        frame.attacking,
        frame.attack_fleet,
        frame.attack_extra,
        dice_of(table, frame, frame.attacker),
    )
    defender = Side(
        frame.defender,
        _leaders(table, frame.defender, frame.space),
        frame.defending,
        frame.defence_fleet,
        frame.defence_extra,
        dice_of(table, frame, frame.defender),
    )
    if frame.stage.attacker_loses_too and frame.hits[1]:
        attacker = replace(attacker, status=say(losses_words(frame.hits[1])))
    built = 0 if is_zone(frame.space) else table.built[frame.space]
    most = naval_rounds(table)
    fight = Fight(frame.space, frame.round, attacker, defender, frame.stage.gathering, built, most)
    return _asking(fight, above[0]) if above else fight


def _leaders(table: TableFields, seat: Seat, space: Space) -> tuple[Leader, ...]:
    return () if seat == REBELS else leaders_at(table, seat, space)


def dice_of(table: TableFields, frame: f.Battle, seat: Seat) -> tuple[tuple[str, int], ...]:
    """Return the sources of a side's dice: ``(("", 3), ("leader", 1))``."""
    number = dice(table, frame, seat)
    trained = support_of(table, seat, frame.space).dice if seat != REBELS else 0
    if is_zone(frame.space):
        parts = [(_("galleys"), number - trained), (_("training"), trained)]
    # Slaves have neither a leader nor a city nor training.
    elif seat == REBELS:
        parts = [("", number)]
    else:
        city = city_worth(table) * (seat == frame.defender and table.owner[frame.space] == seat)
        parts = [
            ("", land_dice_each(table)),
            (_("leader"), number - land_dice_each(table) - city - trained),
            (_("city"), city),
            (_("training"), trained),
        ]
    return tuple([part for part in parts if part[1]])


def _asking(fight: Fight, frame: Frame) -> Fight:
    """Return the battle with the question of the frame above it."""
    match frame:
        case f.Wind(seat=seat):
            return _with(fight, replace(fight.side(seat), asked=seat, status=_("may slip away")))
        case f.Commitment(seat=seat):
            return _with(fight, replace(fight.side(seat), asked=seat, status=_("may bring galleys")))
        case f.Aid(seat=seat, to=to):
            return _with(fight, replace(fight.side(to), asked=seat, status=_("may lend units")))
        case f.Casualties(seat=seat, hits=hits):
            return _with(fight, replace(fight.side(seat), asked=seat, status=say(losses_words(hits))))
        case Onward(seat=seat):
            return _with(fight, replace(fight.side(seat), asked=seat, status=_("may retreat")))
        case _:
            return fight


def _with(fight: Fight, side: Side) -> Fight:
    """Return the battle with one side changed."""
    return replace(fight, attacker=side) if side.seat == fight.attacker.seat else replace(fight, defender=side)


def _answered(fight: Fight) -> Fight:
    """Return the battle without open questions."""
    sides = [replace(side, asked=NONE, status="") for side in (fight.attacker, fight.defender)]
    return replace(fight, attacker=sides[0], defender=sides[1])


def after(fight: Fight, event: Event) -> Fight:
    """Return the battle after an event."""
    match event:
        case e.Committed(seat=seat, galleys=galleys):
            side = _answered(fight).side(seat)
            return _with(_answered(fight), replace(side, fleet=side.fleet + galleys))
        case e.Lent(seat=seat, to=to, army=army, galleys=galleys):
            side = _answered(fight).side(to)
            more = with_army(side.units, seat, army) if any(army) else side.units
            return _with(_answered(fight), replace(side, units=more, fleet=side.fleet + galleys))
        case Fell(seat=owner, army=army):
            fight = _answered(fight)
            # A cell has four numbers for each owner, the seat first. An owner's units are all on one side.
            side = fight.attacker if owner in fight.attacker.units[::4] else fight.defender
            return _with(fight, replace(side, units=without_army(side.units, owner, army)))
        case e.Sank(seat=seat, galleys=galleys, extra=extra):
            side = _answered(fight).side(seat)
            left = tuple([galley for galley in side.fleet if galley not in galleys])
            return _with(_answered(fight), replace(side, fleet=left, extra=side.extra - extra))
        case _:
            return fight


def changed(old: Fight, new: Fight) -> bool:
    """Whether units joined or fell."""
    pairs = ((old.attacker, new.attacker), (old.defender, new.defender))
    return any((a.units, a.fleet, a.extra) != (b.units, b.fleet, b.extra) for a, b in pairs)

"""Parts of the guides of Classic and 1984 that are alike: what actions and events show, sound and mean, and reach."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from client.games.conquest.drafts.move_draft import Legion, Movement
from client.games.conquest.position_queries import T
from client.games.conquest.rules_adapter import Marching
from client.language import _
from client.sound.sounds import Sound
from client.table.army_reach import NOWHERE, ArmyReach, Landing
from client.table.battle_playback import OutcomeEvent
from client.table.moments import TitledEvent
from shared.board import BOARD
from shared.ids import NONE, Position, Seat, Space
from shared.kernel import engine
from shared.kernel.frames import Action, Event
from shared.kernel.ruleset import AnyRuleset
from shared.mechanics.armies import minus, take_by_kind
from shared.mechanics.marching import BEST_FIRST
from shared.mechanics.pieces import ABOARD, OFF
from shared.mechanics.table import Built
from shared.rulesets.classic.actions import March as ClassicMarch
from shared.rulesets.classic.actions import Withdraw
from shared.rulesets.conquest.galleys import aboard
from shared.rulesets.conquest.pieces import galley_lord, is_caesar, leaders_at, legion_limit
from shared.rulesets.conquest.table import TableFields
from shared.rulesets.mb1984.actions import March as OldMarch
from shared.vocabulary import actions as a
from shared.vocabulary import events as e
from shared.vocabulary import frames
from shared.vocabulary.actions import Sail


def stops(table: TableFields, action: Action) -> Sequence[Position]:
    """Return the positions that an action concerns, its start first; empty if it has no place on the board."""
    match action:
        case ClassicMarch(source, to) | OldMarch(source, to):
            return source, to
        case a.Sail(galley, to):
            return table.galley_at[galley], to
        case a.Fight(space) | a.Raze(space) | a.PlaceCity(space) | a.PlaceFortification(space) | a.ChooseHome(space):
            return (space,)
        case a.PlaceGalley(position):
            return (position,)
        case a.PlaceRoad(one, other):
            return one, other
        case a.Retreat(to) | Withdraw(to) if to != NONE:
            return (to,)
    return ()


def army_reach(rules: AnyRuleset, marching: Marching[T]) -> Callable[[T, Seat, Space], ArmyReach]:
    """Return the function that tells the reach of the strongest legion of a seat in a province."""

    def reach(table: T, seat: Seat, space: Space) -> ArmyReach:
        fresh = _at_the_beginning(table, seat)
        draft = Movement(fresh, seat, lambda action: engine.check(rules, fresh, seat, action), marching)
        if draft.pick_province(space) is not None or not isinstance(draft.pick, Legion):
            return NOWHERE
        pick, near = draft.pick, frozenset(draft.targets())
        further: set[Space] = set()
        # Only horsemen go on to a second province.
        if pick.units[1]:
            # A legion that meets enemies goes no further.
            free = [there for there in near if not marching.clash(fresh, seat, there)]
            further = {beyond for there in free for beyond in marching.steps(fresh)[there]}
        return ArmyReach(pick.units, len(pick.leaders), near, frozenset(further - near - {space}))

    return reach


def landings(
    rules: AnyRuleset, marching: Marching[T],
    stops: Callable[[T, Seat, Space], bool] = lambda _table, _seat, _zone: False,
) -> Callable[[T, Seat, Space], list[Landing]]:  # fmt: skip
    """Return the function that tells which armies galleys of a seat can put ashore in a province next turn.

    A galley goes two steps: from a coast to sea and ashore, or with an army at sea over one more zone. `stops`: whether
    enemy galleys in a zone stop a galley of the seat that comes there.
    """

    def found(table: T, seat: Seat, space: Space) -> list[Landing]:
        fresh = _at_the_beginning(table, seat)
        zones = {zone for at in BOARD.coasts[space] for zone in BOARD.coast_seas[at]}
        entered = {zone for zone in zones if not stops(fresh, seat, zone)}
        parties: list[Landing] = []
        for galley, at in enumerate(fresh.galley_at):
            if at == OFF or galley_lord(fresh, galley) != seat:
                continue
            if BOARD.is_sea(at):
                leaders, army = aboard(fresh, seat, galley)
                # A sea beside the province is one step from landing; from one farther out the first step goes to such
                # a sea.
                if any(army) and (at in zones or not entered.isdisjoint(BOARD.coast_seas[at])):
                    parties.append(Landing(at, army, len(leaders)))
            elif BOARD.ashore[at] != space:
                parties += _embarking(fresh, seat, galley, entered.intersection(BOARD.coast_seas[at]), parties)
        return parties

    def _embarking(table: T, seat: Seat, galley: int, zones: set[Space], before: list[Landing]) -> list[Landing]:
        """Return the army that boards a galley on a coast and sails to one of these zones, if any. `before`: armies
        that have boarded other galleys."""
        at = table.galley_at[galley]
        home = BOARD.ashore[at]
        here = [leader for leader in leaders_at(table, seat, home) if marching.can_board(table, seat, galley, leader)]
        gone = [party for party in before if party.source == home]
        # A Caesar goes aboard last, and each leader once.
        here = sorted(here, key=lambda leader: (is_caesar(table, leader), leader))[len(gone) :]
        army = marching.boardable(table, seat, galley, home)
        for party in gone:
            army = minus(army, party.army)
        army = take_by_kind(army, legion_limit(table), BEST_FIRST)
        sails = [Sail(galley, zone, (here[0],), *army) for zone in zones] if here and any(army) else []
        able = any(engine.check(rules, table, seat, sail) is None for sail in sails)
        return [Landing(home, army, 1)] if able else []

    return found


def _at_the_beginning(table: T, seat: Seat) -> T:
    """Return the position as if the seat's turn had just begun."""
    # The type variable has no fields of a Struct for `replace`.
    position: Any = table
    fresh: T = replace(
        position,
        frames=[frames.Turn(0, seat, 0), frames.Movement(0, seat)],
        leader_used=[0] * len(position.leader_used),
        galley_used=[0] * len(position.galley_used),
        moved=[()] * len(position.moved),
        landed=[()] * len(position.landed),
    )
    return fresh


SOUNDS: Final[Mapping[type[Event], Sound | None]] = {
    e.HomesSet: None,
    e.TurnBegan: None,  # `TurnAlert` announces the own turn, on every screen.
    e.Marched: Sound.MARCH,
    e.Sailed: Sound.SAIL,
    e.BattleBegan: Sound.CLASH,
    e.DiceFell: Sound.DICE,
    e.Fell: None,
    e.Sank: None,
    e.Retreated: Sound.MARCH,
    e.BattleEnded: None,
    e.Conquered: None,
    e.Captured: None,
    e.Killed: Sound.CLASH,
    e.Freed: Sound.MARCH,
    e.Eliminated: Sound.GAVEL,
    e.Tribute: Sound.COIN,
    e.Razed: Sound.CLASH,
    e.Bought: Sound.COIN,
    e.Placed: None,
    e.InflationTriggered: Sound.GAVEL,
    e.PricesRose: Sound.GAVEL,
    e.Offered: Sound.CARD,
    e.Answered: Sound.GAVEL,
    e.Conceded: Sound.GAVEL,
    e.Won: Sound.CROWD,
}
"""Sounds of the events that both games have; None for silent events."""


def peril(event: Event, before: TableFields, seat: Seat) -> bool:
    """Whether an event is an attack on the Caesar of that seat. `before`: the position before the event."""
    return isinstance(event, e.BattleBegan) and event.defender == seat and _caesar_at(before, seat) == event.space


def _caesar_at(table: TableFields, seat: Seat) -> Space:
    """Return the space of a seat's Caesar, also aboard a galley; NONE if the Caesar is on no space."""
    # The first of a seat's leaders is its Caesar.
    place = table.leader_at[seat * table.leaders_each]
    galley = place - ABOARD
    if 0 <= galley < len(table.galley_at):
        place = table.galley_at[galley]
    return BOARD.ashore[place] if place < BOARD.positions else NONE


def moment(event: Event, before: TableFields | None) -> TitledEvent | None:
    """Return the moment of an event, or None. `before`: the position before it, if it is known."""
    match event:
        case e.PricesRose(factor=factor):
            return TitledEvent(_("Inflation: prices × {factor}", factor=factor), ("coin10",))
        case e.Conquered(seat=seat, space=space, loser=loser) if loser != NONE and before is not None:
            built = before.built[space]
            if not built:
                return None
            return TitledEvent(
                _("A city falls"), ("fortified" if built == Built.FORTIFIED else "city", f"marker_{seat}")
            )
        case e.Killed(seat=seat):
            return TitledEvent(_("An execution"), (f"marker_{seat}",))
        case e.Eliminated(seat=seat, by=by) if by != NONE:
            return TitledEvent(_("An empire ends"), (f"caesar_{seat}", f"marker_{by}"))
        case _:
            return None


def verdict(event: Event) -> OutcomeEvent | None:
    """Return what an event says of a battle's end, or None."""
    match event:
        case e.BattleEnded(winner=winner):
            return OutcomeEvent(over=True, winner=winner)
        case e.Eliminated():
            return OutcomeEvent(caesar=True)
        case e.Captured() | e.Retreated() | e.Conquered():
            return OutcomeEvent()
        case _:
            return None

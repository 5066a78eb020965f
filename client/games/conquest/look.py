"""How a position of a game of conquest is shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

from client.games.conquest.describe import describe
from client.games.conquest.pieces import arrange
from client.games.conquest.position import PRISON, T, Table, galley_lord, leader_colour, leader_lord, prisoners
from client.games.conquest.roads import Roads
from client.games.conquest.scale import TributeScale
from client.table.geography import Geography
from client.table.ground import Tint, owned
from client.table.guide import Heading, Look, Person
from client.table.motion import Leap, force_pictures
from client.table.words import Who, count_words, talents_words
from shared.board import BOARD
from shared.ids import NONE, Seat, Space
from shared.kernel.frames import Event
from shared.mechanics.armies import words
from shared.mechanics.cells import army_of
from shared.vocabulary import events as e
from shared.vocabulary import frames as f

PHASES: Final = ("Movement", "Combat", "Tribute", "Cities", "Purchase", "Placement")
LOUD: Final = (e.TurnBegan, e.BattleBegan, e.Conquered, e.Eliminated, e.InflationTriggered, e.PricesRose, e.Won)


def look(leaders: int, phases: Sequence[int], worth: Callable[[T, Space], int]) -> Look[T]:
    """How such a position is shown. `leaders`: of each colour. `phases`: the phase by `Turn.step`. `worth`: tribute of
    a province."""
    return Look(
        board="board.jpg",
        heading=partial(_heading, phases),
        columns=("Talents", "Tribute", "Lands"),
        person=_person,
        strip=TributeScale,
        sheets=(),
        layers=(Roads,),
        arrange=arrange,
        tints=_tints,
        describe=partial(describe, each=leaders, worth=worth),
        leaps=partial(_leaps, leaders),
        loud=LOUD,
    )


def phase(table: Table, phases: Sequence[int]) -> int:
    """The phase of the present turn; -1 before the first turn and after the end. `phases`: by `Turn.step`."""
    turn = table.frames[0] if table.frames else None
    if table.winner != NONE or not isinstance(turn, f.Turn):
        return -1
    return phases[turn.step]


def active(table: Table) -> Seat:
    """Whose turn it is; NONE before the first."""
    turn = table.frames[0] if table.frames else None
    return turn.seat if isinstance(turn, f.Turn) else NONE


def _heading(phases: Sequence[int], table: Table) -> Heading:
    words = f"Round {table.round}" if table.round else "Setting up"
    return Heading(words, active(table), PHASES, phase(table, phases))


def _person(table: Table, seat: Seat, who: Who) -> Person:
    home = BOARD.names[table.home[seat]] if table.home[seat] != NONE else ""
    badges = tuple([f"general_{leader_colour(table, x)}" for x in prisoners(table, seat)])
    numbers = (table.talents[seat], table.marker[seat], table.owner.count(seat))
    return Person(home, numbers, badges, table.lord[seat] != seat, _tip(table, seat, who))


def _tip(table: Table, seat: Seat, who: Who) -> str:
    """More about a player than fits into his line."""
    if table.lord[seat] != seat:
        return f"{who(seat)} is out of the game."
    home = f", {BOARD.names[table.home[seat]]}" if table.home[seat] != NONE else ""
    lands = count_words(table.owner.count(seat), "province", "provinces")
    words = f"{who(seat)}{home}: {talents_words(table.talents[seat])}, tribute {table.marker[seat]}, {lands}. "
    return words + _pieces(table, seat) + _held(table, seat, who)


def _held(table: Table, seat: Seat, who: Who) -> str:
    """Whose generals a player holds."""
    owners = Counter(who(leader_colour(table, x)) for x in prisoners(table, seat))
    names = [f"{count_words(n, 'general', 'generals')} of {owner}" for owner, n in owners.items()]
    return f" Holds {' and '.join(names)}." if names else ""


def _pieces(table: Table, seat: Seat) -> str:
    """How many pieces of each kind a player has on the board."""
    leaders = sum(1 for x, at in enumerate(table.leader_at) if at < PRISON and leader_lord(table, x) == seat)
    fleet = [g for g, at in enumerate(table.galley_at) if at < BOARD.positions and galley_lord(table, g) == seat]
    armies = [army_of(cell, seat) for cell in table.units] + [table.cargo[g] for g in fleet if table.cargo[g]]
    army = [sum(army[arm] for army in armies) for arm in range(3)]
    galleys = count_words(len(fleet), "galley", "galleys")
    return f"{count_words(leaders, 'leader', 'leaders')}, {words(army)}, {galleys}."


def _tints(table: Table) -> dict[Space, Tint]:
    """The colours of the owners."""
    return {space: owned(owner) for space, owner in enumerate(table.owner) if owner != NONE}


def _leaps(leaders: int, event: Event, _before: Table | None, geography: Geography) -> Sequence[Leap]:
    return list(_moved(leaders, event, geography))


def _moved(leaders: int, event: Event, geography: Geography) -> Iterator[Leap]:
    match event:
        case e.Marched() | e.Retreated():
            heart = geography.heart
            pictures = force_pictures(event.seat, event.leaders, event.army, leaders)
            yield Leap(pictures, heart(event.source), heart(event.to), event.to)
        case e.Sailed():
            place = geography.place
            crew = force_pictures(event.seat, event.leaders, event.army, leaders)[:2]
            pictures = (f"galley_{event.seat}", *crew)
            yield Leap(pictures, place(event.source), place(event.to), BOARD.ashore[event.to])
        case _:
            pass

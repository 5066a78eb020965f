"""Display of a position of a conquest game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

from client.games.conquest.board_pieces import arrange, forces
from client.games.conquest.player_text import PHASES, active, person_words, phase, round_words
from client.games.conquest.position_queries import T, leader_colour, prisoners
from client.games.conquest.road_layer import Roads
from client.games.conquest.space_tooltip import describe
from client.games.conquest.tribute_scale import TributeScale
from client.language import Who, _
from client.table.geography import Geography
from client.table.ground import Tint, owned
from client.table.guide import Heading, Look, Person
from client.table.motion import Leap, force_pictures
from shared.board import BOARD
from shared.ids import NONE, Seat, Space
from shared.kernel.frames import Event
from shared.rulesets.conquest.table import Table
from shared.vocabulary import events as e

LOUD: Final = (e.TurnBegan, e.BattleBegan, e.Conquered, e.Eliminated, e.InflationTriggered, e.PricesRose, e.Won)

_COLUMNS: Final = _("Talents"), _("Tribute"), _("Lands")


def look(leaders: int, phases: Sequence[int], worth: Callable[[T, Space], int]) -> Look[T]:
    """Return the display of such a position.

    `leaders`: of each colour. `phases`: the phase by `Turn.step`. `worth`: tribute of a province.
    """
    return Look(
        board="board.jpg",
        heading=partial(_heading, phases),
        columns=_COLUMNS,
        person=_person,
        strip=TributeScale,
        sheets=(),
        layers=(Roads,),
        arrange=arrange,
        forces=forces,
        leaders=leaders,
        tints=_tints,
        describe=partial(describe, each=leaders, worth=worth),
        leaps=partial(_leaps, leaders),
        loud=LOUD,
    )


def _heading(phases: Sequence[int], table: Table) -> Heading:
    return Heading(round_words(table), active(table), PHASES, phase(table, phases))


def _person(table: Table, seat: Seat, who: Who) -> Person:
    home = BOARD.names[table.home[seat]] if table.home[seat] != NONE else ""
    badges = tuple([f"general_{leader_colour(table, x)}" for x in prisoners(table, seat)])
    numbers = (table.talents[seat], table.marker[seat], table.owner.count(seat))
    return Person(home, numbers, badges, table.lord[seat] != seat, person_words(table, seat, who))


def _tints(table: Table) -> dict[Space, Tint]:
    """Return the provinces' tints: the colours of their owners."""
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

"""Classic as a value: what the engine, the server and the client need to know of it."""

from operator import ge
from typing import Final

import msgspec

from shared.board import BOARD
from shared.ids import NONE, Seat
from shared.kernel import chance
from shared.kernel.engine import Place, Ruleset
from shared.rulesets.classic import (
    actions,
    diplomacy,
    economy,
    events,
    frames,
    movement,
    sea,
    setup,
    turn,
    war,
)
from shared.rulesets.classic.options import OPTIONS
from shared.rulesets.classic.property import check_property
from shared.rulesets.classic.state import CITIES, FORTIFICATIONS, ROADS, Table, alive
from shared.rulesets.classic.view import View, view


def _winner(table: Table) -> int:
    return table.winner


def _finished(table: Table) -> bool:
    return table.winner != NONE


def _standings(table: Table) -> list[Place]:
    places = []
    for rank, seat in enumerate(turn.ranking(table), start=1):
        lands = table.owner.count(seat)
        score = f"tribute {table.marker[seat]}, {table.talents[seat]} talents, {lands} province{'s' * (lands != 1)}"
        places.append(Place(seat, rank, score if alive(table, seat) else "eliminated"))
    return places


def _seat_name(table: Table, seat: Seat) -> str:
    home = table.home[seat]
    return BOARD.names[home] if home != NONE else f"Seat {seat + 1}"


def _invariants(table: Table) -> list[str]:
    wrong = check_property(table)
    if not isinstance(table.frames[0], frames.Turn | frames.Setup):
        wrong.append(f"the lowest frame is {table.frames[0]!r}")
    numbers = [frame.no for frame in table.frames]
    if any(map(ge, numbers, numbers[1:])):
        wrong.append(f"frame numbers {numbers} do not rise")
    walls = table.built.count(2)
    if table.built.count(1) + walls > CITIES or walls > FORTIFICATIONS or len(table.roads) > ROADS:
        wrong.append("more cities, fortifications or roads than there are pieces")
    for road in table.roads:
        if not all(table.built[end] for end in BOARD.edges[road]) or table.roads.count(road) > 1:
            wrong.append(f"the road along {BOARD.edges[road]} does not join two cities")
    return wrong


CLASSIC: Final = Ruleset(
    id="classic",
    title="Conquest of the Empire Classic (2005)",
    version=1,
    min_seats=2,
    max_seats=6,
    options=OPTIONS,
    setup=setup.new_state,
    handlers={
        **chance.HANDLERS,
        frames.Setup: setup.SETUP,
        frames.HomeChoice: setup.HOME_CHOICE,
        frames.Turn: turn.TURN,
        frames.Movement: movement.MOVEMENT,
        frames.Combat: war.COMBAT,
        frames.Battle: war.BATTLE,
        frames.Formation: war.FORMATION,
        frames.Casualties: war.CASUALTIES,
        frames.Onward: war.ONWARD,
        frames.Pursuit: war.PURSUIT,
        frames.Withdrawal: war.WITHDRAWAL,
        frames.Captives: war.CAPTIVES,
        frames.Naval: sea.NAVAL,
        frames.Sinking: sea.SINKING,
        frames.Destruction: economy.DESTRUCTION,
        frames.Purchase: economy.PURCHASE,
        frames.Placement: economy.PLACEMENT,
        frames.Bargain: diplomacy.BARGAIN,
    },
    standing=diplomacy.STANDING,
    view=view,
    view_type=View,
    actions=actions.AnyAction,
    events=events.AnyEvent,
    winner=_winner,
    finished=_finished,
    standings=_standings,
    invariants=_invariants,
    seat_name=_seat_name,
    action_decoder=actions.DECODER,
    event_decoder=events.DECODER,
    view_decoder=msgspec.msgpack.Decoder(View),
)
